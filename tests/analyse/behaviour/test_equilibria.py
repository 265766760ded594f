"""Equilibria and steady motions as families, against what can be computed by hand for plain systems."""

from __future__ import annotations

from math import acos, pi
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.analyse.flow.state_flow import flow_of, onto_bound
from nonholo.finding import Defect
from tests.analyse.behaviour import plain


def free(found: nh.Equilibrium) -> set[str]:
    return {d.name for d in found.family if not d.symmetry}


def test_a_bead_on_a_turning_hoop_has_the_four_places_of_the_formula() -> None:
    found = nh.equilibria(plain.HOOP)
    tilt = acos(9.81 / (0.5 * 36.0))  # cos q = g/(R Ω²)
    assert sorted(e.state["q"] for e in found) == pytest.approx([-tilt, 0.0, tilt, pi], abs=1e-9)
    assert len(nh.equilibria(plain.HOOP, {"Omega": 3.0})) == 2


def test_a_skate_in_two_wells_rests_on_eight_lines() -> None:
    """The constraint cuts the force across the blade: ``F_x cos θ + F_y sin θ = 0`` and ``sin 2θ = 0``."""
    found = nh.equilibria(plain.WELLS)
    lines = {(round(e.state["x"]) if free(e) == {"y"} else "x", round(e.state["theta"] / (pi / 2))) for e in found}
    assert lines == {*((x, t) for x in (-1, 0, 1) for t in (0, 2)), ("x", 1), ("x", -1)}
    assert all(len(free(e)) == 1 and not e.velocity for e in found)
    assert all(e.state["y"] == 0 for e in found if free(e) == {"x"})


def test_a_region_is_kept_to() -> None:
    found = nh.equilibria(plain.WELLS, where={"x": (0.5, 2.0), "theta": (-0.5, 0.5), "y": 0.3})
    assert len(found) == 1
    assert found[0].state["x"] == pytest.approx(1.0, abs=1e-9) and found[0].state["y"] == pytest.approx(0.3, abs=1e-12)
    assert found[0].family == ()


def test_the_rolling_disk_has_one_two_parameter_family_of_steady_motions() -> None:
    """Routh's condition of circular motion: ``(C + m r²) ω₃ ψ̇ sin θ − A ψ̇² sin θ cos θ + m g r cos θ = 0``."""
    found = nh.relative_equilibria(plain.DISK, where={"theta": (0.3, 2.8)})
    assert len(found) == 1 and len(free(found[0])) == 2
    circle = nh.relative_equilibria(plain.DISK, where={"theta": 1.1, "psidot": 2.0})[0].state
    spin = circle["phidot"] + circle["psidot"] * np.cos(1.1)
    m, g, r, A, C = (plain.DISK.parameters[n] for n in ("m", "g", "r", "A", "C"))
    balance = (C + m * r**2) * spin * 2.0 * np.sin(1.1) - A * 4.0 * np.sin(1.1) * np.cos(1.1) + m * g * r * np.cos(1.1)
    assert abs(balance) < 1e-9


def test_a_pendulum_on_a_sphere_has_rest_and_cones() -> None:
    found = nh.relative_equilibria(plain.GOVERNOR)
    resting = sorted(e.state["z"] for e in found if not e.velocity)
    assert resting == pytest.approx([-1.3, 1.3], abs=1e-9)
    cones = [e for e in found if e.velocity]
    assert cones and all(len(free(e)) == 1 for e in cones)
    for cone in cones:
        (turning,) = cone.velocity.values()
        assert turning**2 == pytest.approx(-9.81 / cone.state["z"], rel=1e-9)


def test_a_trailer_goes_straight_and_suslovs_body_turns_about_one_axis() -> None:
    straight = [e for e in nh.relative_equilibria(plain.TRAILER) if e.velocity]
    assert [free(e) for e in straight] == [{"xdot"}, {"xdot"}]  # pulled, and folded
    assert sorted(round(e.state["beta"], 9) for e in straight) == [0.0, round(np.pi, 9)]
    turning = [e for e in nh.equilibria(plain.SUSLOV) if e.family]
    assert [free(e) for e in turning] == [{"w1"}]
    state = turning[0].state
    assert 0.4 * state["w1"] - 0.3 * state["w2"] == pytest.approx(0.0, abs=1e-12)  # I13 ω1 + I23 ω2 = 0


def test_two_points_joined_by_a_nonlinear_constraint_move_side_by_side() -> None:
    found = [e for e in nh.relative_equilibria(plain.SPRINGS) if e.velocity]
    assert found
    assert any(one.state["x1"] == pytest.approx(one.state["x2"], abs=1e-9) for one in found)
    for one in found:
        assert one.finding.value < 1e-9
        if "turn" not in one.velocity:
            assert one.state["x1"] == pytest.approx(one.state["x2"], abs=1e-9)
            continue
        # on circles about one centre, at different radii: found by deflation, tried by a motion
        run = nh.simulate(plain.SPRINGS, {n: one.state[n] for n in one.names}, 3.0, rtol=1e-12, atol=1e-13)
        far = np.hypot(run["x1"] - run["x2"], run["y1"] - run["y2"])
        speed = np.hypot(run["x1dot"], run["y1dot"])
        assert np.ptp(far) < 1e-8 * far[0] and np.ptp(speed) < 1e-8 * speed[0]


def test_speeds_that_fail_somewhere_hide_nothing_there() -> None:
    """At θ = π/2 xdot is no speed of a blade; the equilibria there are found in another."""
    found = nh.equilibria(plain.WELLS, where={"theta": (1.0, 2.0)})
    assert [free(e) for e in found] == [{"x"}]


def test_time_in_the_inputs_is_said_and_set_to_zero() -> None:
    board = nh.gallery.get("snakeboard")
    found = nh.equilibria(board.system, board.parameters)
    assert found and "tau_psi" in found[0].finding.evidence


def test_bad_regions_are_refused_in_words() -> None:
    with pytest.raises(nh.NonholoError, match="qq"):
        nh.equilibria(plain.HOOP, where={"qq": (0, 1)})
    with pytest.raises(nh.StateError, match="pair"):
        nh.equilibria(plain.HOOP, where={"q": (2, 1)})
    with pytest.raises(nh.StateError, match="table"):
        nh.equilibria(plain.HOOP, where=[1, 2])
    driven = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2*cos(t)/2")
    with pytest.raises(nh.ModelError, match="depend on the time"):
        nh.equilibria(driven)


def test_answers_are_the_same_every_time() -> None:
    one, two = (nh.relative_equilibria(plain.GOVERNOR) for _ in range(2))
    assert [dict(e.state) for e in one] == [dict(e.state) for e in two]


def test_a_folded_trailer_is_another_family_though_both_meet_at_rest() -> None:
    found = [e for e in nh.relative_equilibria(plain.TRAILER) if e.velocity]
    hitches = sorted(round(e.state["beta"], 6) for e in found)
    assert hitches == [0.0, round(np.pi, 6)]
    folded = max(found, key=lambda e: e.state["beta"])
    assert nh.stability(plain.TRAILER, folded).modes[0].rate == pytest.approx(folded.state["xdot"] / 0.8, rel=1e-9)  # λ = v/l


def test_deflation_finds_what_few_starts_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the eleven zeros of ``−9 sin 9q + q/2 + 1/5`` in (−2, 2), counted by their changes of sign."""
    from nonholo.analyse.steady import equilibria as searched

    wells = nh.System(name="many wells", coordinates="q", lagrangian="qdot**2/2 - (cos(9*q) + 0.2*q + q**2/4)")
    grid = np.linspace(-2, 2, 200001)
    force = -9 * np.sin(9 * grid) + 0.2 + grid / 2
    wanted = grid[:-1][force[1:] * force[:-1] < 0]
    assert len(wanted) == 11
    few = nh.equilibria(wells, count=6, where={"q": (-2, 2)})
    every = nh.equilibria(wells, where={"q": (-2, 2)})
    assert sorted(e.state["q"] for e in every) == pytest.approx(wanted, abs=1e-4)
    monkeypatch.setattr(searched, "ROUNDS", 0)
    assert len(nh.equilibria(wells, count=6, where={"q": (-2, 2)})) < len(few)


def test_closed_forms_are_told_where_substitution_proves_them() -> None:
    tilted = {e.exact["q"] for e in nh.equilibria(plain.HOOP)}
    assert tilted == {"0", "pi", "acos(g/(Omega**2*R))", "-acos(g/(Omega**2*R))"}
    hanging = {e.exact["z"] for e in nh.equilibria(plain.GOVERNOR)}
    assert hanging == {"-l", "l"}
    nowhere = nh.System(coordinates="q", lagrangian="qdot**2/2 - exp(q)/2 - q**2/2")  # Lambert's function
    (found,) = nh.equilibria(nowhere)
    assert found.exact == {}
    wrong = nh.System(coordinates="q", lagrangian="qdot**2/2 - (q - 0.5000000000004)**4 - (q - 0.5000000000004)**2")
    assert nh.equilibria(wrong)[0].exact.get("q") != "1/2"  # near is not equal


def test_an_angle_is_found_in_a_range_beyond_half_a_turn() -> None:
    swing = nh.System(name="swing", coordinates="q", lagrangian="qdot**2/2 + cos(q) + 0.1*sin(q)")
    tilt = np.arctan(0.1)
    cases = ((2.0, 4.0, [pi + tilt]), (6.0, 7.0, [2 * pi + tilt]), (-4.0, -2.0, [tilt - pi]), (1.0, 2.0, []))
    for low, high, wanted in cases:
        found = [e.state["q"] for e in nh.equilibria(swing, where={"q": (low, high)})]
        assert found == pytest.approx(wanted, abs=1e-9)


AWKWARD = {
    "a skate on a cone, whose start is the tip": nh.System(
        coordinates="th r ph",
        parameters={"m": 1.0, "J": 0.2, "c": 0.6, "g": 9.81},
        lagrangian="m/2*(rdot**2*(1+c**2)+r**2*phdot**2)+J/2*(thdot+phdot/sqrt(1+c**2))**2-m*g*c*r",
        constraints=["-sin(th)*rdot*sqrt(1+c**2)+cos(th)*r*phdot"],
    ),
    "a skate on the half-plane, whose start is its edge": nh.System(
        coordinates="x y ph",
        parameters={"m": 1.3, "J": 0.4},
        lagrangian="m/2*(xdot**2+ydot**2)/y**2 + J/2*(phdot+xdot/y)**2",
        constraints=["-xdot*sin(ph)+ydot*cos(ph)"],
    ),
    "a pursuer that starts where its prey is": nh.System(
        coordinates="x1 y1 x2 y2",
        parameters={"m1": 1.0, "m2": 0.6},
        lagrangian="m1/2*(x1dot**2+y1dot**2)+m2/2*(x2dot**2+y2dot**2)",
        constraints=["x2dot*(y1-y2)-y2dot*(x1-x2)"],
    ),
}


@pytest.mark.parametrize("name", AWKWARD)
def test_where_the_equations_fail_at_the_start_another_place_is_taken(name: str) -> None:
    system = AWKWARD[name]
    found = nh.equilibria(system)
    assert found
    other = nh.multipliers(system)
    for one in found:
        assert one.family  # a skate may stand anywhere on a level line, and a prey anywhere
        rates = other.rates(dict(one.state), dict(system.parameters))
        assert max(abs(rates[n]) for n in rates if not n.startswith("lambda")) < 1e-8


def test_one_family_is_told_once_however_fast_its_members_are() -> None:
    """Two sleds on a rod run straight with either sign of one speed: a single family, told by its member of speed 1."""
    sleds = nh.System(
        coordinates="a b x y",
        parameters={"m1": 1.1, "m2": 0.7, "J1": 0.3, "J2": 0.2, "l": 1.4},
        lagrangian="m1/2*(xdot**2+ydot**2)+J1/2*adot**2+J2/2*bdot**2+m2/2*((xdot-l*sin(a)*adot)**2+(ydot+l*cos(a)*adot)**2)",
        constraints=["-xdot*sin(b)+ydot*cos(b)"],
    )
    straight = [one for one in nh.relative_equilibria(sleds) if abs(one.state["adot"]) < 1e-9 and abs(one.state["b"]) < 1e-9]
    assert [one.state["xdot"] for one in straight] == pytest.approx([1.0], rel=1e-12)


def test_where_a_constraint_is_lost_there_is_no_steady_motion() -> None:
    """A dog that runs towards a hare on a spring: where it has caught it the constraint vanishes, and so do all rates."""
    lead = nh.System(
        name="dog on a lead",
        coordinates="x y X Y",
        lagrangian="m*(xdot**2 + ydot**2)/2 + M*(Xdot**2 + Ydot**2)/2 - k/2*((X - x)**2 + (Y - y)**2)",
        constraints=["xdot*(Y - y) - ydot*(X - x)"],
        parameters={"m": 0.8, "M": 0.3, "k": 2.0},
        start={"X": 1.5, "Y": 0.7, "xdot": 0.5, "Xdot": 0.2},
    )
    found = nh.relative_equilibria(lead)
    assert all(np.hypot(e.state["X"] - e.state["x"], e.state["Y"] - e.state["y"]) > 1e-3 for e in found)


def test_a_family_that_goes_straight_on_is_told_once() -> None:
    """A dog behind a free hare: at rest at any distance, and both with one velocity; some starts lead to distances of fifty."""
    chase = nh.load(Path(__file__).parents[2] / "plain" / "pursuit.toml")
    still, running = nh.relative_equilibria(chase)
    assert not still.velocity and [d.name for d in still.family] == ["X"]
    assert running.state["Xdot"] == pytest.approx(running.state["xdot"]) and len(running.family) == 2


def test_rest_everywhere_is_one_family_in_whatever_speeds_it_is_found() -> None:
    """A skate on a helicoid: the speeds that serve at one half of the headings are others than those of the other half."""
    skate = nh.System(
        coordinates="u v be", parameters={"k": 0.7, "J": 0.4, "m": 1.0},
        lagrangian="m*(udot**2 + (u**2 + k**2)*vdot**2)/2 + J*bedot**2/2",
        constraints=["udot*sin(be) - sqrt(u**2 + k**2)*vdot*cos(be)"],
    )  # fmt: skip
    (family,) = nh.equilibria(skate)
    assert len(family.family) == 3 and not family.velocity


def test_there_is_no_equilibrium_where_a_chart_ends() -> None:
    """With ``u = exp(x)`` the equations are at rest for u = 0, where masses are infinite; in x there is no equilibrium."""
    assert not nh.equilibria(EXPONENTIAL) and not nh.relative_equilibria(EXPONENTIAL)


EXPONENTIAL = nh.System(
    coordinates="u y z", lagrangian="(udot**2/u**2 + ydot**2 + zdot**2)/2 - z", constraints=["zdot - u*ydot"]
)  # fmt: skip


@pytest.mark.slow
def test_zeros_where_the_speeds_degenerate_are_left_out() -> None:
    """A ball on a ball: some starts lead to places at which the derivatives of its equations are not finite."""
    found = nh.relative_equilibria(nh.gallery.get("ball-on-ball").system)
    assert found and all(not isinstance(e.finding.data, Defect) for e in found)
    assert all(np.isfinite(value) for e in found for value in e.state.values())


@pytest.mark.parametrize("name", ["bicycle", "snakeboard"])
def test_rates_at_rest_and_kinematics_have_the_slopes_of_differences(name: str) -> None:
    """The bicycle's rates are bound by constraints as many as they need; the snakeboard's speeds are quasi-velocities."""
    flow = flow_of(nh.gallery.get(name).system, symmetric=False)
    assert (flow.kernel.constraint_table is None) == (name == "snakeboard")
    states = onto_bound(flow, flow.home + np.random.default_rng(4).uniform(-0.2, 0.2, (3, flow.size)))
    still = states * (np.arange(flow.size) < flow.width)
    ways = np.eye(flow.size)

    def slopes(at: np.ndarray) -> np.ndarray:
        table = []
        for h in 0.001 * ways:
            one, two = (flow.rates(at + k * h) - flow.rates(at - k * h) for k in (1, 2))
            table.append((8 * one - two) / 0.012)
        return np.stack(table, axis=2)

    rates, found = flow.kinematics(states)
    assert rates == pytest.approx(flow.rates(states)[:, : flow.width])
    assert found == pytest.approx(slopes(states)[:, : flow.width], abs=1e-7, rel=1e-7)
    assert flow.frames(states) == pytest.approx(found[:, :, flow.width :], abs=1e-12)
    rates, found = flow.resting(states)
    assert rates == pytest.approx(flow.rates(still))
    assert found[:, :, : flow.width] == pytest.approx(slopes(still)[:, :, : flow.width], abs=1e-6, rel=1e-7)
    assert found[:, : flow.width, flow.width :] == pytest.approx(flow.frames(still), abs=1e-12)


def test_rest_is_found_without_the_derivatives_of_the_motion() -> None:
    # of a structure that no other test has: equations are shared
    tray = nh.System(coordinates="p q s", lagrangian="(pdot**2+qdot**2+sdot**2)/2 - (p**2-1)**2", constraints=["qdot - p*sdot"])
    found = nh.equilibria(tray)
    assert found and all(e.flow is not None and "slopes" not in e.flow.kernel.__dict__ for e in found)
