"""Methods at steady motions of unprepared systems: multipliers against those that the spectrum of the motion predicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh

H = 0.3


def winder() -> nh.System:
    """A Chaplygin system in the plane: a cart on a spring whose wheels turn with the group."""
    return nh.System(
        name="winder", coordinates="r g x y",
        lagrangian="rdot**2/2 + gdot**2*(0.7 + 0.3*r)/2 + (xdot**2 + ydot**2)/2 - 0.9*r**2",
        constraints=[
            "xdot - (0.5*rdot + gdot*(0.2 + 0.9*r))*cos(g) + gdot*(0.6 + 0.3*r)*sin(g)",
            "ydot - (0.5*rdot + gdot*(0.2 + 0.9*r))*sin(g) - gdot*(0.6 + 0.3*r)*cos(g)",
        ],
        quasivelocities={"u": "rdot", "w": "gdot"}, symmetry=nh.planar_motion("x", "y", "g"),
    )  # fmt: skip


def governor() -> nh.System:
    """A pendulum with drag on a shaft that is driven round."""
    return nh.System(
        name="governor", coordinates="q", parameters={"W": 1.3, "c": 0.4},
        lagrangian="qdot**2/2 + W**2*sin(q)**2/2 + 0.8*cos(q)", forces={"q": "-c*qdot"},
    )  # fmt: skip


def gyrostat() -> nh.System:
    """A heavy body with γ for the vertical and a drag about its upright axis, in redundant coordinates."""
    frame = nh.frames.Vertical("gamma", rates="w1 w2 w3")
    return nh.System(
        name="gyrostat", frame=frame, lagrangian="(1.1*w1**2 + 1.4*w2**2 + 0.8*w3**2)/2 + 1.9*gamma3",
        forces={"w1": "-0.2*w1", "w2": "-0.3*w2"},
    )  # fmt: skip


def predicted(system: nh.System, at: Any, rule: Any) -> float:
    """The growth per time of R(hλ) over the modes of the motion."""
    found = nh.stability(system, at)
    modes = found.eigenvalues[: len(found.eigenvalues) - len(found.zeros)]
    return float(np.log(max(abs(rule(H * m)) for m in modes)) / H)


def cayley(z: complex) -> complex:
    return (1 + z / 2) / (1 - z / 2)


def rk4(z: complex) -> complex:
    return 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24


@pytest.mark.parametrize(
    ("make", "start"),
    [
        (winder, None),
        (governor, {"q": float(np.arccos(0.8 / 1.69))}),
        (governor, {"q": 0.0}),
        (gyrostat, {"gamma3": 1.0, "w3": 0.7}),
    ],
)
def test_discrete_hamel_keeps_steady_motions_with_cayley_multipliers(make: Any, start: Any) -> None:
    """Theorem 5.3: same equilibria, eigenvalues (1 + hλ/2)/(1 − hλ/2); Runge and Kutta's method has its own polynomial."""
    system = make()
    at = nh.relative_equilibria(system)[0] if start is None else start
    found = nh.compare_methods(system, ["hamel", "rk4"], at=at, step=H)
    for name, rule in (("hamel", cayley), ("rk4", rk4)):
        assert found[name].keeps and found[name].keeps_stability
        assert found[name].growth == pytest.approx(predicted(system, at, rule), rel=2e-4, abs=2e-6)
    assert found.growth == pytest.approx(predicted(system, at, np.exp), rel=2e-4, abs=2e-6)


def test_other_principles_move_the_steady_motion_and_say_where_they_do_not_apply() -> None:
    """Cortés and Martínez, RATTLE and Verlet beside them in one call; none takes frames with γ."""
    found = nh.compare_methods(winder(), at=nh.relative_equilibria(winder())[0], step=H)
    assert [r.method for r in found.rows if not r.keeps] == ["dlagrange_dalembert", "rattle", "verlet"]
    fine = nh.compare_methods(winder(), ["dlagrange_dalembert"], at=nh.relative_equilibria(winder())[0], step=H / 2)
    ratio = found["dlagrange_dalembert"].departure / fine["dlagrange_dalembert"].departure
    assert ratio > 1.8  # it is an error of the method
    turned = nh.compare_methods(gyrostat(), ["rattle", "hamel"], at={"gamma3": 1.0, "w3": 0.7}, step=H)
    assert "plain" in turned["rattle"].note and turned["hamel"].keeps
    assert "departure" in str(found)


def test_own_discrete_lagrangians_are_compared_and_explicit_steps_may_lose_stability() -> None:
    own = nh.DiscreteLagrangian("(q1 - q0)**2/(2*h) + h*(W**2*(sin(q0)**2 + sin(q1)**2)/4 + 0.4*(cos(q0) + cos(q1)))")
    at = {"q": float(np.arccos(0.8 / 1.69))}
    found = nh.compare_methods(governor(), [own], at=at, step=H)
    assert found["discrete_lagrangian"].keeps and found["discrete_lagrangian"].keeps_stability
    found = nh.compare_methods(governor(), ["rk4"], at=at, step=2.6)
    assert found["rk4"].keeps and not found["rk4"].keeps_stability  # hλ is outside its region


def test_what_is_not_steady_is_refused() -> None:
    with pytest.raises(nh.StateError, match="steady"):
        nh.compare_methods(governor(), ["rk4"], at={"q": 0.3, "qdot": 1.0})
    with pytest.raises(nh.StateError, match="compared were"):
        nh.compare_methods(governor(), ["rk4"], at={"q": 0.0})["hamel"]
