"""Nonlinear constraints that are linear in disguise, or linear on branches, and those that are truly nonlinear."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.calculus import jacobian
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.analyse.constraints.classify_constraints import classify
from tests.analyse.test_classify import system

LINEAR_IN_DISGUISE = {
    "sum of squares": ("x y z", ["(xdot - ydot)**2 + zdot**2"], 2),
    "sum of squares, multiplied out": ("x y z", ["xdot**2 - 2*xdot*ydot + ydot**2 + 3*zdot**2"], 2),
    "square, multiplied out": ("x y z", ["xdot**2 + 2*y*xdot*zdot + y**2*zdot**2"], 1),
    "square by the double angle": ("x y th", ["xdot**2*cos(th)**2 + xdot*ydot*sin(2*th) + ydot**2*sin(th)**2"], 1),
    "negative square": ("x y z", ["-(zdot - y*xdot)**4"], 1),
    "quotient": ("x y th", ["ydot/xdot - tan(th)"], 1),
    "cube": ("x y", ["xdot**3 - ydot**3"], 1),  # the other factor is definite
    "two at once": ("x y z", ["(zdot - y*xdot)**2", "xdot*(zdot - y*xdot)"], 1),
    "definite": ("x y z", ["xdot**2 + xdot*ydot + ydot**2"], 2),
    "exponential": ("x y z", ["exp(zdot - y*xdot) - 1"], 1),
    "hyperbolic sine": ("x y z", ["3*sinh(zdot - y*xdot)"], 1),
    "logarithm of a definite sum": ("x y z", ["log(1 + (zdot - y*xdot)**2)"], 1),
    "quotient of velocities": ("x y z", ["zdot/xdot - y"], 1),
    "angle of a quotient": ("x y th", ["atan(ydot/xdot) - th"], 1),
}


@pytest.mark.parametrize("name", LINEAR_IN_DISGUISE)
def test_linear_in_disguise(name: str) -> None:
    coordinates, constraints, count = LINEAR_IN_DISGUISE[name]
    answer = classify(system(coordinates, constraints))
    assert len(answer.linear_equivalents) == count
    assert answer.rank == len(coordinates.split()) - count
    _same_velocities(coordinates, constraints, answer.linear_equivalents)


def _same_velocities(coordinates: str, constraints: list[str], linear: Any) -> None:
    """The linear ones' null space satisfies the constraints, and no random velocity outside of it does."""
    random = np.random.default_rng(5)
    names = coordinates.split()
    rates = [f"{n}dot" for n in names]
    exprs = [se.sympify(c) for c in constraints]
    slopes = jacobian(linear, se.symbols(" ".join(rates)))
    for _ in range(5):
        here = dict(zip(names, random.uniform(-1, 1, len(names))))
        matrix = evaluate_matrix(slopes, here)
        free = random.uniform(-1, 1, len(names))
        inside = free - np.linalg.pinv(matrix) @ (matrix @ free)
        assert np.max(np.abs(evaluate(exprs, {**here, **dict(zip(rates, inside))}))) < 1e-12
        outside = inside + np.linalg.pinv(matrix) @ random.choice([-1.0, 1.0], len(matrix)) * 0.3
        assert np.max(np.abs(evaluate(exprs, {**here, **dict(zip(rates, outside))}))) > 1e-4


def test_an_angle_of_two_velocities_is_linear_on_one_half() -> None:
    (found,) = classify(system("x y th", ["atan2(ydot, xdot) - th"])).linear_equivalents
    for angle, size in ((0.7, 1.3), (2.9, 0.4), (-2.0, 2.2)):
        here = {"x": 0.1, "y": 0.2, "th": angle, "xdot": size * np.cos(angle), "ydot": size * np.sin(angle), "thdot": 0.3}
        assert abs(evaluate([found], here)[0]) < 1e-14


def test_an_angle_of_two_velocities_is_a_linear_constraint_in_the_dynamics() -> None:
    """``atan2(ydot, xdot) = z`` is the skate: same motion and judgement; the other half of the velocities is refused."""
    words = {"coordinates": "x y z", "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2"}
    angle = nh.System(**words, constraints=["atan2(ydot, xdot) - z"])
    skate = nh.System(**words, constraints=["ydot*cos(z) - xdot*sin(z)"])
    begin = {"z": 1.9, "xdot": np.cos(1.9), "zdot": 0.5}
    one, two = (nh.simulate(s, begin, 2.0, progress=False) for s in (angle, skate))
    assert max(abs(one.final[n] - two.final[n]) for n in ("x", "y", "z")) < 1e-9
    assert abs(np.arctan2(one.final["ydot"], one.final["xdot"]) - one.final["z"]) < 1e-9
    assert any("direction" in h for h in one.hints)
    assert nh.verdict(angle).decision == nh.verdict(skate).decision and nh.verdict(angle).decision.decided
    assert len(nh.reduce(angle).momenta) == len(nh.reduce(skate).momenta)
    with pytest.raises(nh.StateError, match="points backwards"):
        nh.simulate(angle, {"z": 1.9, "xdot": -np.cos(1.9)}, 1.0)


@pytest.mark.parametrize("text", ["exp(zdot - y*xdot) + 1", "exp(zdot) - y*xdot - 1", "cosh(zdot - y*xdot) - 2"])
def test_what_has_no_zeros_or_two_or_curved_ones_is_not_called_linear(text: str) -> None:
    """``exp(g) = −1`` has no solution, ``exp(zdot) = 1 + y*xdot`` is curved, ``cosh`` is not monotone."""
    assert classify(system("x y z", [text])).linear_equivalents == ()


BRANCHING = {
    "difference of squares": ("x y", ["xdot**2 - ydot**2"], 2),
    "with a root": ("x y", ["xdot**2 - 2*ydot**2"], 2),
    "with a root of a function": ("x y z", ["zdot**2 - (1 + x**2)*ydot**2"], 2),
    "square of a function": ("x y z", ["zdot**2 - (1 + x**2)**2*ydot**2"], 2),
    "mixed term": ("x y z", ["x*xdot*zdot + y*xdot*ydot"], 2),
    "three": ("x y z", ["xdot*ydot*(zdot - y*xdot)"], 3),
    "two squares' difference on a plane": ("x y z", ["xdot**2 + zdot*ydot", "zdot - 3*xdot + 2*ydot"], 2),
    "affine": ("x y", ["xdot**2 - 4"], 2),
    "a branch inside another": ("x y z", ["xdot*(xdot**2 + ydot**2)*zdot"], 2),
}


@pytest.mark.parametrize("name", BRANCHING)
def test_branches(name: str) -> None:
    coordinates, constraints, count = BRANCHING[name]
    answer = classify(system(coordinates, constraints))
    assert (answer.kind, len(answer.branches)) == ("branches", count)
    random = np.random.default_rng(9)
    names = coordinates.split()
    rates = [f"{n}dot" for n in names]
    for branch in answer.branches:
        rows = jacobian(branch.constraints, se.symbols(" ".join(rates)))
        for _ in range(3):
            here = dict(zip(names, random.uniform(0.2, 1, len(names))))
            matrix = evaluate_matrix(rows, here)
            side = evaluate(list(branch.constraints), {**here, **dict.fromkeys(rates, 0.0)})
            free = random.uniform(-1, 1, len(names))
            v = free - np.linalg.pinv(matrix) @ (matrix @ free + side)
            values = {**here, **dict(zip(rates, v))}
            assert np.max(np.abs(evaluate([se.sympify(c) for c in constraints], values))) < 1e-12


@pytest.mark.parametrize(
    "constraint",
    [
        "xdot**2 + ydot**2 - zdot**2",  # a cone
        "x*xdot**2 + ydot**2 - 0.1*zdot**2",
        "xdot*ydot - zdot**2",
        "xdot**3 + ydot**3 + zdot**3",
        "xdot**4 + ydot**4 - zdot**4 + xdot*ydot*zdot**2",
    ],
)
def test_truly_nonlinear_ones_are_left_alone(constraint: str) -> None:
    answer = classify(system("x y z", [constraint]))
    assert (answer.kind, answer.homogeneous, answer.rank) == ("nonlinear", True, 2)
    assert not answer.branches and not answer.linear_equivalents


def test_a_form_that_changes_its_signs_is_not_called_linear() -> None:
    # for x > 0 only rest is admissible, for x < 0 two directions are
    answer = classify(system("x y", ["x*xdot**2 + ydot**2"]))
    assert answer.kind == "nonlinear"
    assert "other kinds of velocities at some configurations" in str(answer)


@pytest.mark.parametrize(
    "constraint", ["xdot*ydot - 1", "sqrt(xdot**2 + ydot**2) - 2", "xdot**2 + ydot - 1", "exp(xdot) - ydot"]
)
def test_not_homogeneous(constraint: str) -> None:
    answer = classify(system("x y", [constraint]))
    assert (answer.kind, answer.homogeneous) == ("nonlinear", False)


@pytest.mark.parametrize(
    "constraints", [["xdot**2 + ydot**2 + 2"], ["xdot - 1", "xdot - 2"], ["xdot**2 - 3", "xdot - 1"]]
)
def test_constraints_that_no_velocity_satisfies(constraints: list[str]) -> None:
    assert classify(system("x y", constraints)).kind == "impossible"
