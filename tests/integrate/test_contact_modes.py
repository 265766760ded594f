"""Contacts that roll, slide and open, against closed forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import nonholo as nh
from nonholo.errors import StateError

G = 9.81


def disk(inertia: str = "0.4", **words: Any) -> nh.System:
    """A disk or ball of inertia k m r² in a vertical plane, on a slope."""
    floor = {"name": "floor", "gap": "z - r", "slip": ["xdot - r*phidot"], "friction": "mu", "slips": True, **words}
    return nh.System(
        name="disk", coordinates="x z phi", parameters={"m": 1.3, "r": 0.11, "k": inertia, "b": 0.0, "mu": 0.19},
        lagrangian="m/2*(xdot**2 + zdot**2) + k*m*r**2/2*phidot**2 - m*9.81*(z*cos(b) - x*sin(b))", contacts=[floor],
    )  # fmt: skip


@pytest.mark.parametrize("k", [0.4, 0.5, 1.0, 0.237])
def test_a_ball_thrown_sliding_comes_to_roll(k: float) -> None:
    v, mu, m, until = 8.1, 0.19, 1.3, 4.5
    run = nh.simulate(disk(), {"xdot": v}, until, {"k": k}, t_eval=46)
    decel = mu * G
    time = v * k / (decel * (1 + k))
    assert len(run.modes) == 1 and abs(run.modes.time[0] - time) < 1e-12
    assert (run.modes.before[0], run.modes.after[0], run.modes.contact[0]) == ("sliding", "rolling", "floor")
    assert abs(run.final["xdot"] - v / (1 + k)) < 1e-11
    path = v * time - decel * time**2 / 2
    assert abs(run.final["x"] - path - v / (1 + k) * (until - time)) < 1e-10
    assert abs(run["dissipated_floor"][-1] - m * v**2 / 2 * k / (1 + k)) < 1e-10
    assert run.drift("energy") < 1e-12
    sliding = run.times < time
    assert np.allclose(run.contacts.along[sliding], -mu * m * G, rtol=0, atol=1e-12)
    assert np.allclose(run.contacts.along[~sliding], 0, rtol=0, atol=1e-12)
    assert set(run.contacts.mode.values[sliding, 0]) == {"sliding"}


def test_a_bowling_ball_has_the_numbers_of_the_textbook() -> None:
    v, mu, time = 8.1, 0.19, 2 * 8.1 / (7 * 0.19 * G)
    run = nh.simulate(disk(), {"xdot": v}, 3.0, t_eval=[time, 3.0])
    assert abs(run.modes.time[0] - time) < 1e-12
    assert abs(run.final["xdot"] - 5 * v / 7) < 1e-11
    assert abs(run["x"][0] / (12 * v**2 / (49 * mu * G)) - 1) < 1e-12
    assert abs(run["dissipated_floor"][-1] / (1.3 * v**2 / 7) - 1) < 1e-12


def spinning_ball() -> nh.System:
    slip = ["xdot - r*(R21*w1 + R22*w2 + R23*w3)", "ydot + r*(R11*w1 + R12*w2 + R13*w3)"]
    return nh.System(
        name="ball", frame=nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("x y z"),
        parameters={"m": 1.3, "r": 0.11, "k": 0.37, "mu": 0.19},
        lagrangian="m/2*(xdot**2 + ydot**2 + zdot**2) + k*m*r**2/2*(w1**2 + w2**2 + w3**2) - m*9.81*z",
        contacts=[{"name": "lane", "gap": "z - r", "slip": slip, "friction": "mu", "slips": True}],
    )  # fmt: skip


def test_a_ball_with_any_spin_runs_on_a_parabola_until_it_rolls() -> None:
    v, w, r, k, mu, until = np.array([3.1, 1.7]), np.array([13.0, -21.0, 7.0]), 0.11, 0.37, 0.19, 2.0
    run = nh.simulate(spinning_ball(), {"xdot": v[0], "ydot": v[1], "w1": w[0], "w2": w[1], "w3": w[2]}, until, t_eval=21)
    slip = v + r * np.array([-w[1], w[0]])
    way = slip / np.linalg.norm(slip)
    time = np.linalg.norm(slip) * k / (mu * G * (1 + k))
    final = (v + k * r * np.array([w[1], -w[0]])) / (1 + k)
    assert abs(run.modes.time[0] - time) < 1e-11
    early = run.times < time
    for i, name in enumerate("xy"):
        path = v[i] * run.times - mu * G * run.times**2 / 2 * way[i]
        assert np.allclose(run[name][early], path[early], rtol=0, atol=1e-11)
        there = v[i] * time - mu * G * time**2 / 2 * way[i]
        assert abs(run.final[name] - there - final[i] * (until - time)) < 1e-10
        assert abs(run.final[f"{name}dot"] - final[i]) < 1e-10
    assert run.drift("energy") < 1e-11


@pytest.mark.parametrize("share", [0.6, 0.999999, 1.0, 1.000001, 1.7])
def test_a_disk_on_a_slope_rolls_if_and_only_if_friction_suffices(share: float) -> None:
    k, b = 0.62, 0.45
    mu = share * np.tan(b) * k / (1 + k)
    run = nh.simulate(disk(), {}, 1.3, {"k": k, "b": b, "mu": mu}, t_eval=3)
    if share >= 1:
        assert np.all(run.contacts.mode == "rolling") and abs(run.final["xdot"] - G * np.sin(b) / (1 + k) * 1.3) < 1e-10
    else:
        assert np.all(run.contacts.mode == "sliding")
        assert abs(run.final["xdot"] - G * (np.sin(b) - mu * np.cos(b)) * 1.3) < 1e-10
        assert abs(run.final["phidot"] - mu * G * np.cos(b) / (k * 0.11) * 1.3) < 1e-9


def test_a_block_on_a_belt_sticks_and_slips_in_its_closed_form() -> None:
    m, c, v, static, kinetic = 2.1, 31.0, 0.3, 0.61, 0.35
    block = nh.System(
        name="block", coordinates="x", lagrangian=f"{m}/2*xdot**2 - {c}/2*x**2",
        contacts=[{
            "name": "belt", "slip": [f"xdot - {v}"], "load": m * G, "slips": True,
            "friction": {"static": static, "kinetic": kinetic},
        }],
    )  # fmt: skip
    run = nh.simulate(block, {"xdot": v}, 6.0, t_eval=61, rtol=1e-12, atol=1e-14)
    w = np.sqrt(c / m)
    first = static * m * G / (c * v)
    start, rest = static * m * G / c, kinetic * m * G / c
    # from x = start with speed v the block swings about `rest` until it has the belt's speed again
    swing = (np.pi + 2 * np.arctan2(v / w, start - rest)) / w
    again = (2 * (start - rest)) / v
    expected = [first, first + swing, first + swing + again, first + 2 * swing + again]
    assert np.allclose(run.modes.time[:4], expected, rtol=0, atol=1e-11)
    assert run.modes.after[:4] == ("sliding", "rolling", "sliding", "rolling")
    assert run.drift("energy") < 1e-11  # the belt's work is counted


def test_a_block_on_a_shaken_belt_sticks_and_slips_in_its_closed_form() -> None:
    """Belt at V sin ωt: the block's speed has the slope ±μg until it meets it, and it sticks while V ω |cos ωt| ≤ μg."""
    m, top, w, mu, until = 1.7, 0.66, 5.0, 0.25, 3.0
    belt = {"name": "belt", "slip": [f"xdot - {top}*sin({w}*t)"], "load": m * G, "friction": mu, "slips": True}
    block = nh.System(name="block", coordinates="x", lagrangian=f"{m}/2*xdot**2", contacts=[belt])
    run = nh.simulate(block, {}, until, t_eval=[until], rtol=1e-12, atol=1e-14)
    times, time, x, lost, sign = [], 0.0, 0.0, 0.0, 1.0
    hold = np.arccos(mu * G / (top * w)) / w  # after every passage of the belt through zero
    for half in range(20):
        slow, begin = sign * mu * G, top * np.sin(w * time)

        def slip(t: float, slow: float = slow, begin: float = begin, time: float = time) -> float:
            return top * float(np.sin(w * t)) - begin - slow * (t - time)

        meets = brentq(slip, time + 1e-3, (half + 1) * np.pi / w, xtol=1e-15)
        end = min(meets, until)
        path = begin * (end - time) + slow * (end - time) ** 2 / 2
        x += path
        lost += m * slow * (top / w * (np.cos(w * time) - np.cos(w * end)) - path)
        if meets > until:
            break
        leaves = min((half + 1) * np.pi / w - hold, until)
        x += top / w * (np.cos(w * meets) - np.cos(w * leaves))
        times += [meets, leaves]
        time, sign = leaves, -sign
        if leaves == until:
            break
    count = len([t for t in times if t < until])
    assert count > 6 and np.allclose(run.modes.time, times[:count], rtol=1e-10, atol=0)
    assert abs(run.final["x"] / x - 1) < 1e-10 and abs(run["dissipated_belt"][-1] / lost - 1) < 1e-10


def test_a_bouncing_ball_comes_to_rest_after_a_geometric_series() -> None:
    e, v = 0.63, 3.3
    ball = nh.System(
        name="ball", coordinates="x z", parameters={"e": e}, lagrangian="0.35*(xdot**2 + zdot**2) - 0.7*9.81*z",
        contacts=[{"name": "floor", "gap": "z", "lifts": True, "restitution": "e"}],
    )  # fmt: skip
    run = nh.simulate(ball, {"zdot": v, "xdot": 0.4}, 3.0, t_eval=31)
    times = run.modes.time[:-1]
    number = np.arange(len(times))
    assert len(times) > 20 and np.allclose(times, 2 * v / G * (1 - e ** (number + 1)) / (1 - e), rtol=0, atol=1e-11)
    assert abs(run.modes.time[-1] - 2 * v / (G * (1 - e))) < 1e-10
    assert run.modes.after[-1] == "sliding" and run.modes.why[-1] == "bounces have accumulated"
    assert abs(run.final["z"]) < 1e-12 and abs(run.final["x"] - 1.2) < 1e-10 and run.drift("energy") < 1e-11


def test_dropped_at_speed_zero_the_series_has_the_time_of_the_textbook() -> None:
    e, v = 0.48, 2.7
    ball = nh.System(
        coordinates="z", lagrangian="zdot**2/2 - 9.81*z", contacts=[{"name": "f", "gap": "z", "lifts": True, "restitution": e}],
    )  # fmt: skip
    run = nh.simulate(ball, {"z": v**2 / (2 * G), "zdot": 0}, 2.0)
    assert abs(run.modes.time[-1] - v * (1 + e) / (G * (1 - e))) < 1e-10


def test_a_rolling_wheel_leaves_a_kerb_and_lands() -> None:
    """A point that slides without friction over a parabola leaves it when the normal force vanishes, and lands on it no more."""
    bead = nh.System(
        name="bead", coordinates="x z", lagrangian="(xdot**2 + zdot**2)/2 - 9.81*z",
        contacts=[{"name": "hill", "gap": "z + x**4/4", "lifts": True}],
    )  # fmt: skip
    run = nh.simulate(bead, {"xdot": 2.1}, 1.0, t_eval=201)
    leaves = run.modes.time[0]
    assert run.modes.after == ("open",)
    # the normal force vanishes where v² κ = g cos θ: with f = x⁴/4, 3 x² v_x² = g
    v2 = 2.1**2

    def condition(x: float) -> float:
        speed = v2 + 2 * G * x**4 / 4
        return 3 * x**2 * speed / (1 + x**6) - G

    low, high = 0.1, 2.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if condition(middle) < 0 else (low, middle)
    at = nh.simulate(bead, {"xdot": 2.1}, leaves, t_eval="end").final["x"]
    assert abs(at - low) < 1e-9


def test_slip_in_the_plane_begins_along_the_limit_of_the_dynamics_and_not_against_the_last_force() -> None:
    """A plate on one foot off its centre, static friction above kinetic: u̇ = b − μ N Γ e ∥ e, that is |(μ N Γ + α)⁻¹ b| = 1."""
    m, j, at, load, static, kinetic, force = 1.4, 0.02, (0.21, 0.13), 10.0, 0.5, 0.2, (0.9, 0.5)
    foot = {
        "name": "foot", "slip": [f"xdot - {at[1]}*cos(th)*thdot - {at[0]}*sin(th)*thdot",
                                 f"ydot + {at[0]}*cos(th)*thdot - {at[1]}*sin(th)*thdot"],
        "load": load, "friction": {"static": static, "kinetic": kinetic}, "slips": True,
    }  # fmt: skip
    plate = nh.System(
        name="plate", coordinates="x y th", lagrangian=f"{m}/2*(xdot**2 + ydot**2) + {j}/2*thdot**2",
        forces={"x": f"{force[0]}*t", "y": f"{force[1]}*t"}, contacts=[foot],
    )  # fmt: skip
    fine = {"rtol": 1e-13, "atol": 1e-16}
    (begins,) = nh.simulate(plate, {}, 2.8, **fine).modes.time[:1]
    first = nh.simulate(plate, {}, begins, t_eval="end", **fine).final
    a, b = at
    c, s = np.cos(first["th"]), np.sin(first["th"])
    turned = np.array([[c, -s], [s, c]])
    response = turned @ (np.eye(2) / m + np.array([[b * b, -a * b], [-a * b, a * a]]) / j) @ turned.T
    push = np.array(force) * begins / m - first["thdot"] ** 2 * turned @ np.array(at)
    low, high = 0.0, 1e3
    for _ in range(200):
        alpha = (low + high) / 2
        size = np.linalg.norm(np.linalg.solve(kinetic * load * response + alpha * np.eye(2), push))
        low, high = (alpha, high) if size > 1 else (low, alpha)
    way = np.linalg.solve(kinetic * load * response + low * np.eye(2), push)

    def direction(speed: float) -> Any:
        end = nh.simulate(plate, {}, 60.0, events=[nh.Event(f"slip(foot) - {speed}", terminal=1)], t_eval="end", **fine).final
        c, s = np.cos(end["th"]), np.sin(end["th"])
        slip = [end["xdot"] - (b * c + a * s) * end["thdot"], end["ydot"] + (a * c - b * s) * end["thdot"]]
        return np.array(slip) / np.linalg.norm(slip)

    # the direction is way + O(slip): the error falls with the slip, and what is extrapolated to none is way
    found = [direction(speed) for speed in (1e-2, 1e-3, 1e-4, 1e-5)]
    errors = [np.linalg.norm(one - way) for one in found]
    assert np.allclose(np.divide(errors[:-1], errors[1:]), 10, rtol=0.02)
    assert np.linalg.norm((10 * found[3] - found[2]) / 9 - way) < 1e-8
    last = np.linalg.solve(response, push)
    assert np.linalg.norm(last / np.linalg.norm(last) - way) > 0.05  # against the force that held it, it would begin elsewhere


def test_forces_of_contacts_are_watched_and_events() -> None:
    rolling = disk(slips=False)
    run = nh.simulate(rolling, {"xdot": 0.3}, 1.0, {"b": 0.2, "k": 0.5}, watch={"n": "normal(floor)", "r": "ratio(floor)"})
    assert np.allclose(run["n"], 1.3 * G * np.cos(0.2), rtol=0, atol=1e-11)
    assert np.allclose(run["r"], np.tan(0.2) / 3, rtol=0, atol=1e-12)
    swing = nh.System(
        name="swing", coordinates="x z", lagrangian="(xdot**2 + zdot**2)/2 - 9.81*z",
        contacts=[{"name": "bowl", "gap": "1 - sqrt(x**2 + z**2)"}],
    )  # fmt: skip
    run = nh.simulate(swing, {"x": 0.6, "z": -0.8}, 1.0, events=["normal(bowl) - 12"])
    (time, *_), state = run.events["normal(bowl) - 12"], run.event_states["normal(bowl) - 12"][0]
    speed = 2 * G * (-0.8 - state["z"])
    assert time > 0 and abs(speed - G * state["z"] - 12) < 1e-8  # N = v² − g z on the unit circle
    with pytest.raises(StateError, match="no contact is called 'bowel'"):
        nh.simulate(swing, {"x": 0.6, "z": -0.8}, 1.0, events=["normal(bowel)"])


def test_modes_are_saved_with_the_motion(tmp_path: Path) -> None:
    run = nh.simulate(disk(), {"xdot": 8.1}, 3.0, t_eval=5)
    run.save(tmp_path / "run.nc")
    again = nh.open(tmp_path / "run.nc")
    assert list(again.modes) == list(run.modes) and str(again.modes) == str(run.modes)


@pytest.mark.parametrize(
    "words, said",
    [
        ({"method": "hamel", "step": 0.01}, "Runge–Kutta"),
        ({"undecided": "maybe"}, "undecided"),
        ({"impacts": "never"}, "sequential"),
        ({"until": -1.0}, "forwards"),
        ({"start": {"z": 0.05}}, "inside the ground"),
    ],
)
def test_what_contacts_cannot_do_is_refused(words: dict[str, Any], said: str) -> None:
    with pytest.raises(StateError, match=said):
        nh.simulate(disk(), **{"start": {"xdot": 1.0}, "until": 1.0, **words})


def test_an_ensemble_goes_through_the_modes_of_each_member() -> None:
    runs = nh.ensemble(disk(), {"xdot": [2.0, 8.1], "phidot": [2.0 / 0.11, 0.0]}, 2.0, {"mu": [0.19, 0.3]}, t_eval=5)
    assert runs.mode_changes.values.tolist() == [0, 1] and set(runs.outcome.values) == {"reached"}
    alone = nh.simulate(disk(), {"xdot": 8.1}, 2.0, {"mu": 0.3}, rtol=1e-9, atol=1e-12, t_eval=5)
    assert np.array_equal(runs.x.values[1], alone["x"]) and runs.final_xdot.values[0] == pytest.approx(2.0, abs=1e-12)
    assert np.array_equal(runs.dissipated_floor.values[1], alone["dissipated_floor"])


def test_a_sweep_goes_through_modes(tmp_path: Path) -> None:
    words = {"system": disk(), "until": 3.0, "start": {"xdot": 8.1}, "grid": {"mu": [0.1, 0.2, 0.3]}}
    found = nh.sweep({**words, "record": {"final": ["xdot"]}}, store=tmp_path / "s.zarr")
    # at mu = 0.1 it slides for 2 v/(7 mu g) = 2.36 s
    assert np.allclose(found["final_xdot"], 5 * 8.1 / 7, rtol=0, atol=1e-9)


def test_drilling_friction_stops_a_spin_and_rolling_resistance_a_roll() -> None:
    top = nh.System(
        name="top", coordinates="psi z", lagrangian="0.02*psidot**2 + 0.4*zdot**2 - 0.8*9.81*z",
        contacts=[{"name": "table", "gap": "z", "spin": {"rate": "psidot", "coefficient": 0.004}}],
    )  # fmt: skip
    run = nh.simulate(top, {"psidot": 9.0}, 20.0, t_eval=5)
    rate = 0.004 * 0.8 * G / 0.04
    assert np.allclose(run.modes.time, [9.0 / rate], rtol=0, atol=1e-10)
    assert run.modes.contact == ("table (spin)",) and run.modes.after == ("held",)
    assert abs(run.final["psi"] - 81 / (2 * rate)) < 1e-9 and abs(run["dissipated_table"][-1] - 0.02 * 81) < 1e-11
    wheel = disk(slips=False, rolling={"rate": "phidot", "coefficient": 0.002})
    run = nh.simulate(wheel, {"xdot": 1.2}, 30.0, {"k": 0.5}, t_eval=5)
    decel = 0.002 / 0.11 * G / 1.5
    assert np.allclose(run.modes.time, [1.2 / decel], rtol=0, atol=1e-9)
    assert abs(run.final["x"] - 1.2**2 / (2 * decel)) < 1e-9 and run.drift("energy") < 1e-11
