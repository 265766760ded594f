"""Sampled closed loops: verdicts against long simulations, limits at the state, periodic motions and their multipliers."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from tests.control.test_embedded_c import PENDULUM

ABOUT = {"x": 0.0, "th": 0.0}


@pytest.mark.parametrize("delay", [0.0, 0.03, 0.17])
def test_the_verdict_is_what_a_long_motion_does(delay: float) -> None:
    regulator = nh.lqr(nh.linearise(PENDULUM, ABOUT), {"x": 1, "th": 4}, 0.3)
    ruled = nh.controller(regulator, every=0.05, delay=delay, limits=(-20, 20))
    loop = nh.stability(PENDULUM, ABOUT, inputs=ruled)
    run = nh.simulate(PENDULUM, {"th": 1e-3}, 8.0, inputs=ruled, t_eval=np.linspace(0, 8, 81))
    grows = np.max(np.abs(run["th"][60:])) > np.max(np.abs(run["th"][20:40]))
    assert grows == (delay > 0.1)
    assert (loop.verdict == "unstable") == grows
    assert (loop.finding.verdict == "fails") == grows
    assert loop.finding.value == pytest.approx(abs(loop.multipliers[0]))


def test_an_input_beyond_its_limit_does_not_answer() -> None:
    """A pendulum held aside by a saturated torque: the law asks for more, so the loop is open; at the limit there is no slope."""
    arm = nh.System(coordinates="q", lagrangian="qdot**2/2 + 9*cos(q)", forces={"q": "u - qdot/2"}, inputs="u")
    place = float(np.arcsin(2.0 / 9.0))
    law = lambda t, s: {"u": 5.0 + 30 * (place - s["q"])}  # noqa: E731
    loop = nh.control.sampled_loop(arm, {"q": place}, nh.controller(law, every=0.1, limits=(-2.0, 2.0)))
    assert np.all(loop.K == 0)
    assert loop.inputs["u"] == 2.0
    free = np.exp(0.1 * np.linalg.eigvals([[0.0, 1.0], [-9 * np.cos(place), -0.5]]))
    assert np.sort(np.abs(loop.multipliers)) == pytest.approx(np.sort(np.abs(free)))
    assert loop.stable
    with pytest.raises(nh.ModelError, match="kink"):
        nh.control.sampled_loop(arm, {"q": place}, nh.controller(law, every=0.1, limits=(-2.0, 5.0)))
    off = nh.control.sampled_loop(arm, {"q": place + 0.05}, nh.controller(law, every=0.1, limits=(-2.0, 2.0)))
    assert off.verdict == "not decided"


@pytest.mark.parametrize("delay", [pytest.param(0.0, marks=pytest.mark.slow), 0.13])
def test_a_periodic_motion_is_where_long_motions_end_and_its_multiplier_how_fast(delay: float) -> None:
    """A pendulum follows a periodic reference with a limited torque that is at its limit during a part of the period."""
    arm = nh.System(coordinates="q", lagrangian="qdot**2/2 + 4*cos(q)", forces={"q": "u - qdot/3"}, inputs="u")
    law = lambda t, s: {"u": 6 * (0.8 * np.sin(np.pi * t) - s["q"]) - s["qdot"]}  # noqa: E731
    ruled = nh.controller(law, every=0.1, delay=delay, limits=(-2.0, 2.0))
    samples, periods = 20, 30
    run = nh.simulate(arm, {"q": 0.2}, 2.0 * periods, inputs=ruled, t_eval=np.arange(periods + 1) * 2.0, rtol=1e-10, atol=1e-12)
    assert np.max(np.abs(nh.simulate(arm, {"q": 0.2}, 10.0, inputs=ruled)["u"])) == pytest.approx(2.0)
    found = nh.orbit(arm, {"q": run["q"][5], "qdot": run["qdot"][5]}, period=2.0, inputs=ruled)
    assert found.samples == samples
    assert found.stable
    assert found.finding.verdict == "holds"
    gaps = [np.hypot(run["q"][k] - found.state["q"], run["qdot"][k] - found.state["qdot"]) for k in range(periods + 1)]
    assert gaps[-1] < 1e-3 * gaps[3]
    rate = (gaps[30] / gaps[12]) ** (1 / 18)
    assert rate == pytest.approx(abs(found.multipliers[0]), rel=0.03)
    assert len(found.multipliers) == 2 + (2 if delay else 0)


def test_a_reference_that_is_zero_at_the_first_sample_moves_the_system_from_rest() -> None:
    """The law gives 0 for the rest at t = 0, and not later; in angles and in the plane the motion is the same."""
    angle = nh.System(coordinates="q", lagrangian="qdot**2/2 + 9*cos(q)", forces={"q": "u"}, inputs="u")
    plane = nh.System(
        coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - 9*y", holonomic=["x**2 + y**2 - 1"], inputs="u",
        forces={"x": "-y*u", "y": "x*u"}, start={"x": 0.0, "y": -1.0},
    )  # fmt: skip
    turning = lambda s: -s["y"] * s["xdot"] + s["x"] * s["ydot"]  # noqa: E731
    laws = [
        lambda t, s: {"u": 3 * np.sin(2 * np.pi * t) - 2 * np.sin(s["q"]) - s["qdot"]},
        lambda t, s: {"u": 3 * np.sin(2 * np.pi * t) - 2 * s["x"] - turning(s)},
    ]
    one, two = (nh.controller(law, every=0.1) for law in laws)
    found = nh.control.sampled_orbit(angle, {"q": 0.0}, one, 10)
    run = nh.simulate(angle, {"q": 0.0}, 60.0, inputs=one, t_eval=[60.0])
    assert found.state["q"] == pytest.approx(run.final["q"], abs=1e-6)
    assert abs(found.state["qdot"]) > 0.5
    other = nh.control.sampled_orbit(plane, {"x": 0.0, "y": -1.0}, two, 10)
    assert other.state["x"] == pytest.approx(np.sin(found.state["q"]), abs=1e-6)
    assert np.abs(other.multipliers[:2]) == pytest.approx(np.abs(found.multipliers), rel=1e-3)


def test_mistakes_of_sampled_orbits_are_told() -> None:
    with pytest.raises(nh.ModelError, match="every="):
        nh.control.sampled_orbit(PENDULUM, ABOUT, nh.controller(lambda t, s: 0.0), 4)
    with pytest.raises(nh.StateError, match="samples = 0"):
        nh.control.sampled_orbit(PENDULUM, ABOUT, nh.controller(lambda t, s: 0.0, every=0.1), 0)


def test_stability_and_orbit_close_the_loop_by_formulas_and_refuse_what_they_cannot_judge() -> None:
    """A pendulum upright under its regulator's formulas: eigenvalues are those of A − BK; van der Pol's force as a feedback."""
    lin = nh.linearise(PENDULUM, ABOUT)
    regulator = nh.lqr(lin, {"x": 1, "th": 4}, 0.3)
    closed = nh.stability(PENDULUM, ABOUT, inputs=lin.feedback(regulator.K))
    wanted = np.linalg.eigvals(lin.A - lin.B @ regulator.K)
    assert closed.verdict == "asymptotically stable"
    assert np.sort_complex(closed.eigenvalues) == pytest.approx(np.sort_complex(wanted), rel=1e-6)
    assert nh.stability(PENDULUM, ABOUT).verdict == "unstable"
    swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2", forces={"q": "u"}, inputs="u")
    assert nh.orbit(swing, {"q": 1.9}, inputs={"u": "(1 - q**2)*qdot"}).period == pytest.approx(6.663286859, abs=1e-6)
    with pytest.raises(nh.ModelError, match=r"nh\.controller\(f, every=…\)"):
        nh.stability(PENDULUM, ABOUT, inputs={"u": lambda t: 0.0})
    with pytest.raises(nh.StateError, match="no multiple of the sampling interval"):
        nh.orbit(swing, {"q": 1.0}, period=1.03, inputs=nh.controller(lambda t, s: 0.0, every=0.1))
    with pytest.raises(nh.StateError, match="period="):
        nh.orbit(swing, {"q": 1.0}, inputs=nh.controller(lambda t, s: 0.0, every=0.1))


def test_a_loop_that_leaves_positions_free_says_which_shifts_stay() -> None:
    """A skate whose speeds alone are fed back: three multipliers are 1, the others those of two carts that brake."""
    skate = nh.System(
        coordinates="th x y", lagrangian="(2*thdot**2 + xdot**2 + ydot**2)/2", constraints=["ydot*cos(th) - xdot*sin(th)"],
        forces={"th": "a", "x": "b*cos(th)", "y": "b*sin(th)"}, inputs="a b",
    )  # fmt: skip
    law = nh.controller(lambda t, s: {"a": -3 * s["thdot"], "b": -2 * s["xdot"]}, every=0.1)
    loop = nh.stability(skate, {}, inputs=law)
    assert loop.unanswered == ("th", "x", "y")
    assert np.sort(np.abs(loop.multipliers)) == pytest.approx([0.8, 0.85, 1, 1, 1])
    assert str(loop).startswith("? not decided whether it is stable (multipliers of the loop")
    assert "3 of 5 have size 1, where the linear map decides nothing" in str(loop)
    assert "the others, at most 0.85, die out; a shift of th or x or y stays" in str(loop)
    again = nh.simulate(skate, {"x": 0.3, "xdot": 0.1}, 10, inputs=law)
    assert again.final["x"] - 0.3 == pytest.approx(0.045, abs=1e-6)  # Σ 0.09 · 0.1 · 0.8^k: it stops elsewhere
