"""Systems whose formulas are real for some numbers alone: every question has an answer or a refusal in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nonholo as nh


def relativistic() -> nh.System:
    """|v| < 1, and y is cyclic."""
    return nh.System(
        name="relativistic",
        coordinates="x y",
        parameters={"m": 1.3},
        lagrangian="-m*sqrt(1 - xdot**2 - ydot**2) - x**2/2",
        start={"x": 0.5, "ydot": 0.3},
        until=2.0,
    )


def relativistic_skate() -> nh.System:
    return nh.System(
        name="relativistic skate",
        coordinates="x y th",
        parameters={"m": 1.3, "J": 0.4},
        lagrangian="-m*sqrt(1 - xdot**2 - ydot**2) + J/2*thdot**2",
        constraints=["ydot*cos(th) - xdot*sin(th)"],
        start={"th": 0.5, "thdot": 0.3},
        until=2.0,
    )


def tilted() -> nh.System:
    """n < 1/2: parameters about 1 are of no use."""
    return nh.System(
        name="tilted",
        coordinates="x y z",
        parameters={"n": 0.2},
        lagrangian="(xdot**2 + ydot**2 + zdot**2)/2",
        constraints=["zdot - sqrt(1/2 - n)*y*xdot"],
        start={"x": 0.1, "y": 0.3, "xdot": 1.0, "ydot": 0.2},
        until=1.0,
    )


QUESTIONS: dict[str, Callable[[nh.System], Any]] = {
    "check": nh.check,
    "integrals": nh.integrals,
    "verdict": nh.verdict,
    "stability": lambda s: nh.stability(s, dict.fromkeys(s.coordinates, 0.0)),
    "classify": nh.classify,
    "reduce": nh.reduce,
    "measure": nh.measure,
    "equilibria": nh.equilibria,
    "relative_equilibria": nh.relative_equilibria,
}


@pytest.mark.parametrize("system", [relativistic, relativistic_skate, tilted], ids=lambda s: s.__name__)
def test_every_question_has_an_answer(system: Callable[[], nh.System], capfd: pytest.CaptureFixture[str]) -> None:
    for name, question in QUESTIONS.items():
        try:
            question(system())
        except nh.NonholoError as refusal:
            assert name == "reduce" and "second degree" in str(refusal)
    assert capfd.readouterr().err == ""  # LAPACK writes there when it meets what is no number


@pytest.mark.parametrize("system", [relativistic, relativistic_skate, tilted], ids=lambda s: s.__name__)
def test_all_forms_agree_inside_the_domain(system: Callable[[], nh.System]) -> None:
    found = nh.check(system())
    assert [f for f in found if f.verdict == "fails"] == []
    assert sum(f.verdict == "holds" for f in found) >= 5


def test_the_relativistic_momentum_is_found() -> None:
    """γ m ẏ, and the energy γ m + x²/2, along a motion that SciPy computes from Newton's law for γ m v."""
    from scipy.integrate import solve_ivp

    def rates(_: float, s: np.ndarray) -> list[float]:
        x, _y, px, py = s
        e = np.sqrt(1.3**2 + px**2 + py**2)
        return [px / e, py / e, -x, 0.0]

    gamma = 1 / np.sqrt(1 - 0.09)
    end = solve_ivp(rates, (0, 2), [0.5, 0.0, 0.0, 1.3 * gamma * 0.3], rtol=1e-12, atol=1e-13).y[:, -1]
    run = nh.simulate(relativistic())
    assert np.allclose([run.final["x"], run.final["y"]], end[:2], rtol=0, atol=1e-9)
    proved = [f.along(run) for f in nh.integrals(relativistic()) if f.proved]
    for value in (1.3 * gamma + 0.125, 1.3 * gamma * 0.3):
        assert any(np.allclose(along, value, rtol=0, atol=1e-8) for along in proved)
