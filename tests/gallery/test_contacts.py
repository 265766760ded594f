"""Exhibits whose contacts slip, lift and hit: they run, balance their energy, and show what they are for."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import nonholo as nh
from nonholo import gallery
from nonholo.machines.machine_files import dumps, loads
from nonholo.model.contact_reading import contact_table
from nonholo.model.system import varied

NAMES = gallery.contact_names()
SLOW = {"euler-disk"}


@cache
def run_of(name: str) -> nh.Trajectory:
    return nh.simulate(gallery.get(name).system)


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in NAMES])
def test_an_exhibit_reaches_its_end_and_balances_its_energy(name: str) -> None:
    run = run_of(name)
    assert run.outcome.reached, str(run.outcome)
    assert run.drift("energy") < 1e-10
    lost = sum(run[n] for n in run.names if n.startswith("dissipated_"))
    gained = sum((run[n] for n in run.names if n.startswith("work_")), np.zeros(len(run.times)))
    size = max(np.max(np.abs(part)) for part in (run["energy"], lost, gained))
    assert np.max(np.abs(run["energy"] - run["energy"][0] + lost - gained)) < 1e-10 * size  # from the data alone
    assert np.max(lost) > 0
    for n in run.names:
        if n.startswith("dissipated_"):
            assert np.all(np.diff(run[n]) > -1e-10 * (1 + np.max(run[n])))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_says_all_that_others_say(name: str) -> None:
    exhibit, entry = gallery.get(name), gallery.catalogue()[name]
    assert (exhibit.title, exhibit.group) == (entry["title"], "Contacts with friction") and entry["papers"]
    assert exhibit.references and exhibit.story.count(".") >= 1 and exhibit.until > 0
    assert set(exhibit.parameters) == set(exhibit.system.parameters)
    assert loads(dumps(exhibit.system)) == exhibit.system
    assert any(law.slips or law.lifts for law in exhibit.system.contacts)
    drawn = [law for law in exhibit.system.contacts if not law.name.startswith("brake")]
    assert all(law.point and all(law.axes) for law in drawn)  # forces and cones can be drawn


def test_the_bowling_ball_hooks_and_the_straight_one_keeps_five_sevenths() -> None:
    ball = gallery.get("bowling-ball")
    hook = run_of("bowling-ball")
    r, w1, w2, v = 0.108, -30.0, 5.0, 8.1
    assert np.allclose([hook.final["xdot"], hook.final["ydot"]], [(5 * v + 2 * r * w2) / 7, -2 * r * w1 / 7], rtol=0, atol=1e-9)
    straight = nh.simulate(ball.system, ball.starts["straight"], 4.0, t_eval="end")
    assert abs(straight.final["xdot"] - 5 * v / 7) < 1e-9 and abs(straight.final["y"]) < 1e-12


def test_the_ball_with_backspin_comes_back() -> None:
    run = run_of("backspin-ball")
    assert abs(run.final["xdot"] - (5 * 2.0 + 2 * 0.12 * -60.0) / 7) < 1e-10 and run.final["xdot"] < 0


def test_the_tippe_top_inverts_and_keeps_the_integral_of_jellett() -> None:
    top = gallery.get("inverting-tippe-top")
    values = top.parameters
    run = nh.simulate(top.system, watch={"jellett": "A*(w1*R31 + w2*R32)*r + C*w3*(R33*r - a)"}, t_eval=81, rtol=1e-12)
    assert np.ptp(run["jellett"]) < 1e-10 * abs(run["jellett"][0])
    assert run["R33"][0] > 0.95 and run["R33"][-1] < -0.9
    # it inverts only where 1 − a/r < A/C < 1 + a/r
    ratio = values["A"] / values["C"]
    assert abs(ratio - 1) < values["a"] / values["r"]
    slow = nh.simulate(top.system, {**dict(top.start), "w3": 20.0}, 8.0, t_eval=81)
    assert np.min(slow["R33"]) > 0.5  # too little spin to lift the centre of mass


@pytest.mark.slow
def test_the_integral_of_jellett_stays_under_any_friction() -> None:
    """Friction that changes with time, place and slip, static above kinetic, and a regularised law."""
    top = gallery.get("inverting-tippe-top")
    watch = {"jellett": "A*(w1*R31 + w2*R32)*r + C*w3*(R33*r - a)"}
    (table,) = [contact_table(law) for law in top.system.contacts]
    for friction in ("mu*(1.2 + sin(7*t))", "mu/(1 + 3*w3**2/1e4)", {"static": "3*mu", "kinetic": "mu*(1 + x**2)"}):
        system = varied(top.system, contacts=[{**table, "friction": friction}], machine=None)
        run = nh.simulate(system, dict(top.start), 1.5, t_eval=31, watch=watch)
        assert run.outcome.reached and np.ptp(run["jellett"]) < 1e-10 * abs(run["jellett"][0]), friction
    run = nh.simulate(top.system, None, 1.5, t_eval=31, watch=watch, regularised=0.05)
    assert np.ptp(run["jellett"]) < 1e-10 * abs(run["jellett"][0])


def test_the_spin_from_which_the_inverted_top_is_stable_is_that_of_the_theory() -> None:
    """Where the growth of a small tilt of the inverted top under friction without sticking is zero, against

    λ² = m g r³ C α (1 + α)⁴/(1 + α − γ),  α = a/r,  γ = A/C   [Rauch-Wojciechowski et al., Reg. Chaotic Dyn. 10 (2005)].
    """
    top = gallery.get("inverting-tippe-top")
    m, r, a, A, C, g = (top.parameters[n] for n in ("m", "r", "a", "A", "C", "g"))
    alpha, gamma = a / r, A / C
    jellett = np.sqrt(m * g * r**3 * C * alpha / (1 + alpha - gamma)) * (1 + alpha) ** 2
    spin = jellett / (C * (r + a))

    def growth(share: float, mu: float) -> float:
        tilt = np.pi - 1e-5  # what is not linear in it is 1e-10
        c, s = np.cos(tilt), np.sin(tilt)
        turned = dict(zip(("R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33"), (1.0, 0, 0, 0, c, -s, 0, s, c)))
        start = {**turned, "w1": 0.0, "w2": share * spin * s, "w3": share * spin * c}
        run = nh.simulate(top.system, start, 54.0, {"mu": mu}, t_eval=np.linspace(50, 54, 41), regularised=0.3)
        tilts = np.hypot(run["R31"], run["R32"])  # of the slowest mode alone: the others have decayed
        return float(np.polyfit(run.times, np.log(tilts), 1)[0])

    for mu in (0.05, 0.12):
        low, high = growth(0.999, mu), growth(1.001, mu)
        assert low > 0 > high
        found = brentq(growth, 0.999, 1.001, args=(mu,), xtol=1e-13)
        assert abs(found - 1) < 1e-10


def test_the_superball_reverses_at_every_bounce_as_garwin_says() -> None:
    """Of v and r ω each bounce keeps v + 2/5 r ω and returns v − r ω times −e, while 2/7 of its impulse is within the cone."""
    v, turn, r, e = 1.0, -150.0 * 0.025, 0.025, 0.9
    fall, time = np.sqrt(2 * 9.81 * (0.8 - r)), np.sqrt(2 * (0.8 - r) / 9.81)
    for bounce in range(4):
        momentum, slip = v + 2 / 5 * turn, -e * (v - turn)
        v, turn = (momentum + 2 / 5 * slip) / (7 / 5), (momentum - slip) / (7 / 5)
        assert v * (-1) ** bounce < 0
        fall *= e
        run = nh.simulate(gallery.get("superball").system, None, time + fall / 9.81, t_eval="end")
        found = run.final["xdot"], run.final["phidot"] * r
        assert np.allclose(found, (v, turn), rtol=0, atol=1e-10)
        time += 2 * fall / 9.81
    lossless = nh.simulate(gallery.get("superball").system, None, 3.0, {"e": 1.0}, t_eval="end")
    assert abs(lossless.drift("energy")) < 1e-10


def test_a_ball_without_spring_along_the_ground_reverses_at_its_first_bounce_as_routh_says() -> None:
    """Sticking at the end of the impulse: the slip is gone, and the angular momentum about the contact point stays."""
    v, w, r = 1.0, -150.0, 0.025
    ball = nh.System(
        coordinates="x z phi", lagrangian="(xdot**2 + zdot**2)/2 + r**2/5*phidot**2 - 9.81*z",
        contacts=[{
            "gap": "z - r", "slip": ["xdot - r*phidot"], "friction": 0.8, "slips": True, "lifts": True, "restitution": 0.9,
        }],
        parameters={"r": r}, start={"z": 0.8, "xdot": v, "phidot": w},
    )  # fmt: skip
    run = nh.simulate(ball, None, 0.5, t_eval="end")
    after = (v + 2 / 5 * r * w) / (1 + 2 / 5)
    assert abs(run.final["xdot"] - after) < 1e-10 and run.final["xdot"] < 0 and abs(run.final["phidot"] - after / r) < 1e-8


def test_the_block_rocks_as_housner_says() -> None:
    block, run = gallery.get("rocking-block"), run_of("rocking-block")
    b, h = block.parameters["b"], block.parameters["h"]
    share = 1 - 1.5 * b**2 / (b**2 + h**2)
    speeds = [c.numbers["approach"] for c in run.modes if c.why == "impact"][::2][:6]
    assert np.allclose(np.divide(speeds[1:], speeds[:-1]), share, rtol=0, atol=1e-9)
    assert run.contacts.mode.values[-1].tolist() == ["rolling", "rolling"]


def test_the_front_wheel_lifts_under_torque_and_the_rear_under_the_brake() -> None:
    bike = gallery.get("wheelie").system
    assert run_of("wheelie").modes.contact[-1] == "front" and run_of("wheelie").modes.after[-1] == "open"
    braking = nh.simulate(bike, {"xdot": 12.0, "pdot": 40.0, "qdot": 40.0, "z": 0.8}, 0.95, {"T": 0.0, "B": 800.0})
    assert ("rear", "open") in zip(braking.modes.contact, braking.modes.after)


def test_the_car_on_split_ice_spins_and_brakes_straight_where_the_right_wheels_hold() -> None:
    """With less pressure left wheels lock, right ones roll and hold the heading: (m + 2 I/r²) v̇ = −(μ m g/2 + 2 μ_p F d/r)."""
    car, run = gallery.get("split-friction-braking"), run_of("split-friction-braking")
    assert abs(run.final["th"]) > 2.0
    locked = [c.contact for c in run.modes if c.after == "rolling" and c.contact.startswith("brake")]
    assert {"brake front left", "brake rear left"} == set(locked[:2]) and len(locked) == 4
    held = nh.simulate(car.system, None, 2.5, {"F": 12000.0}, t_eval=[1.0, 2.5])
    v = car.parameters
    brake = v["ice"] * v["m"] * v["g"] / 2 + 2 * v["mp"] * 12000.0 * v["d"] / v["r"]
    decel = brake / (v["m"] + 2 * v["I"] / v["r"] ** 2)
    assert abs(held["xdot"][0] - held["xdot"][1] - 1.5 * decel) < 1e-8 and abs(held.final["th"]) < 1e-9
    modes = dict(zip(held.contacts.contact.values.tolist(), held.contacts.mode.values[-1].tolist()))
    assert (modes["front left"], modes["front right"], modes["brake front right"]) == ("sliding", "rolling", "sliding")


def test_a_straight_shot_of_the_billiard_has_its_closed_form() -> None:
    """Smooth balls: v₂ = (1 + e) v/2, then 5/7 of it rolling; the first, which keeps its spin, follows at (5 v₁ + 2 v)/7."""
    table = gallery.get("billiard")
    v, e, r = 1.3, table.parameters["e"], table.parameters["r"]
    start = {"x1": -0.3, "y1": 0.0, "x1dot": v, "b1dot": v / r, "x2": 0.0, "y2": 0.0, "z1": r, "z2": r}
    run = nh.simulate(table.system, start, 0.8, {"mb": 0.0}, t_eval="end")
    assert abs(run.final["x2dot"] - 5 / 7 * (1 + e) / 2 * v) < 1e-9
    assert abs(run.final["x1dot"] - (5 * (1 - e) / 2 * v + 2 * v) / 7) < 1e-9
    assert set(run.modes.after[-2:]) == {"rolling"}


def test_side_spin_throws_the_other_ball_and_the_cushion_turns_it_round() -> None:
    run = run_of("billiard")
    assert {"balls", "cushion 1", "cushion 2"} <= set(run.modes.contact) and run.final["x2dot"] < 0
    plain = nh.simulate(gallery.get("billiard").system, None, 0.4, {"mb": 0.0}, t_eval="end")
    spun = nh.simulate(gallery.get("billiard").system, None, 0.4, t_eval="end")
    assert abs(spun.final["y2dot"] - plain.final["y2dot"]) > 0.02


def test_four_wheels_that_begin_to_slip_at_once_follow_their_velocities() -> None:
    """The braking car against its equations by hand, before a wheel locks: friction along −u/|u| of each, pads that rub."""
    car = gallery.get("split-friction-braking").system
    m, inertia, wheel, a, w, r, mu, ice, d, pads, force, g = map(car.parameters.__getitem__, car.parameters)
    corners = ((a, w, ice), (a, -w, mu), (-a, w, ice), (-a, -w, mu))
    names = [*car.coordinates, *(f"{n}dot" for n in car.coordinates)]

    def rates(_: float, y: Any) -> list[float]:
        (xd, yd, turn), spins = y[7:10], y[10:14]
        c, s = np.cos(y[2]), np.sin(y[2])
        pushes, turning = [], []
        for (x, z, friction), spin in zip(corners, spins):
            u = np.array([xd * c + yd * s - z * turn - r * spin, yd * c - xd * s + x * turn])
            along, across = -friction * m * g / 4 * u / np.hypot(*u)
            pushes.append((along * c - across * s, along * s + across * c, x * across - z * along))
            turning.append((-r * along - d * pads * force) / wheel)
        total = np.sum(pushes, axis=0) / np.array([m, m, inertia])
        return [*y[7:], *total, *turning]

    first, last = (nh.simulate(car, until=end, rtol=1e-13, atol=1e-15).final for end in (1e-4, 0.05))
    found = solve_ivp(rates, (1e-4, 0.05), [first[n] for n in names], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    assert np.max(np.abs(found - [last[n] for n in names])) < 1e-10


def test_a_curling_stone_curls_to_the_side_to_which_it_turns() -> None:
    """Friction μ (1 − d cos φ) around the band turns the velocity at μ g d a ω/(2 v²), to first order in a ω/v.

    With v̇ = −μ g the angle is then (d a ω/2)(1/v − 1/v₀).
    """
    stone = gallery.get("curling-stone")
    a, d, v = stone.parameters["a"], stone.parameters["d"], stone.system.start["xdot"]
    run = nh.simulate(stone.system, None, 3.0, t_eval=4)
    turn = float(np.mean(run["thdot"][[0, -1]]))
    expected = d * a * turn / 2 * (1 / run.final["xdot"] - 1 / v)
    assert abs(run.final["ydot"] / run.final["xdot"] / expected - 1) < (a * turn / run.final["xdot"]) ** 2
    mirrored = nh.simulate(stone.system, {**dict(stone.system.start), "thdot": -1.5}, 3.0, t_eval="end")
    assert abs(mirrored.final["y"] + run.final["y"]) < 1e-10
    equal = nh.simulate(stone.system, None, 3.0, {"d": 0.0}, t_eval="end")
    assert abs(equal.final["y"]) < 1e-3 * run.final["y"]


def test_the_disk_of_euler_lies_down_with_the_exponent_of_its_law() -> None:
    """3/2 m g r θ̇ = −c m g Ω θ with Ω² θ = 4 g/r: θ = (κ (t₁ − t))², κ = (2 c/3 r) √(g/r), up to terms of order θ."""
    disk = gallery.get("euler-disk")
    c, r, g = (disk.parameters[n] for n in ("c", "r", "g"))
    run = nh.simulate(disk.system, t_eval="steps")
    late = run["th"] < 0.02
    slope, height = np.polyfit(run.times[late], np.sqrt(run["th"][late]), 1)
    assert abs(-slope / (2 * c / (3 * r) * np.sqrt(g / r)) - 1) < 0.02
    left = -height / slope - run.times[late]
    assert abs(np.polyfit(np.log(left), np.log(run["th"][late]), 1)[0] - 2) < 0.02
    assert abs(np.polyfit(np.log(left), np.log(run["psidot"][late]), 1)[0] + 1) < 0.02
