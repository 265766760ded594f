"""Integrable constraints: their integrals in closed form, constant along motions that keep the constraints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.calculus import jacobian, symbols
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.analyse.constraints.classify_constraints import classify
from nonholo.model.system import resolve
from tests.analyse.test_classify import same_up_to_a_function, system

INTEGRABLE: dict[str, tuple[nh.System, str, str]] = {
    "angle": (system("x y", ["xdot*y - ydot*x"]), "x/y", "x y"),
    "separable": (system("x y", ["xdot/x - ydot/y**2"]), "log(x) + 1/y", "x y"),
    "graph of a function": (system("x y z", ["zdot - x*cos(x)*xdot"]), "z - cos(x) - x*sin(x)", "x y z"),
    "linear differential equation": (system("x y", ["ydot - (y + exp(x))*xdot"]), "y*exp(-x) - x", "x y"),
    "homogeneous": (system("x y", ["(x**2 + y**2)*xdot - 2*x*y*ydot"]), "(x**2 - y**2)/x", "x y"),
    "factor in three variables": (system("x y z", ["y*xdot - x*ydot + x*y*zdot"]), "log(x/y) + z", "x y z"),
    "surfaces": (system("x y z", ["y*z*xdot + x*z*ydot + x*y*zdot"]), "x*y*z", "x y z"),
    "polar": (system("r th", ["rdot - r*tan(th)*thdot"]), "r*cos(th)", "r th"),
    "rolling on a line": (system("x phi", ["xdot - R*phidot"], parameters="R"), "x - R*phi", "x phi"),
    "with a scale": (system("x y", ["m*x*xdot + k*y*ydot"], parameters="m k"), "m*x**2 + k*y**2", "x y"),
    "pendulum's rates": (
        system("x th", ["xdot - l*cos(th)*thdot"], parameters="l"), "x - l*sin(th)", "x th",
    ),
    "in quasi-velocities": (
        system("th x y", ["v"], quasivelocities={"w": "thdot", "v": "x*xdot + y*ydot", "s": "ydot"}), "x**2 + y**2", "th x y",
    ),
    "mixed with another": (
        system("x y z w", ["zdot - w*xdot + x*xdot + y*ydot", "x*xdot + y*ydot"]), "x**2 + y**2", "x y z w",
    ),
}  # fmt: skip
PARAMETERS = {"R": 0.83, "m": 1.31, "k": 0.47, "l": 1.21}


@pytest.mark.parametrize("name", INTEGRABLE)
def test_integrals_known_in_closed_form(name: str) -> None:
    which, expected, names = INTEGRABLE[name]
    answer = classify(which)
    assert answer.disguised == 1
    values = {p: PARAMETERS[p] for p in which.parameters}
    (integral,) = answer.integrals
    found = integral.subs({se.Symbol(n): x for n, x in values.items()})
    wanted = se.sympify(expected).subs({se.Symbol(n): x for n, x in values.items()})
    assert same_up_to_a_function(found, str(wanted), names)


def test_several_integrals_at_once() -> None:
    answer = classify(system("x y th", ["xdot - l*cos(th)*thdot", "ydot - l*sin(th)*thdot"], parameters="l"))
    assert (answer.disguised, len(answer.integrals), answer.nonholonomic) == (2, 2, 0)
    answer = classify(system("x y z w", ["xdot + y*zdot", "ydot"]))  # dx + y dz is integrable only where y is constant
    assert len(answer.integrals) == 2
    assert {str(f) for f in answer.integrals} == {"y", "x + y*z"}


def test_integrable_without_closed_form_says_so() -> None:
    answer = classify(system("x y", ["sin(x*y)*xdot + (exp(x) + y)*ydot"]))
    assert str(answer) == "holonomic in disguise: integrable, but no closed form found"
    assert answer.integrals == ()


def test_integrals_are_written_with_functions_that_can_be_read_back() -> None:
    # ∫ exp(x)/x dx is no elementary function
    answer = classify(system("x y", ["ydot - exp(x)/x*xdot"]))
    assert (answer.kind, answer.integrals) == ("holonomic in disguise", ())


@pytest.mark.parametrize("name", INTEGRABLE)
def test_integrals_stay_constant_along_motions_that_keep_the_constraints(name: str) -> None:
    which = INTEGRABLE[name][0]
    assert _drift(which, classify(which).integrals) < 1e-8


def test_a_false_integral_would_be_noticed() -> None:
    assert _drift(INTEGRABLE["angle"][0], (se.sympify("x*y"),)) > 1e-3


def _drift(which: nh.System, functions: Any) -> float:
    """The largest change of the functions along Runge–Kutta's motion with random admissible velocities.

    The velocities come from numpy's null space of the constraints' slopes; no code of classify is shared.
    """
    assert which.frame is not None
    residuals = resolve(which, which.constraints)
    slopes = jacobian(residuals, symbols(which.velocities))
    random = np.random.default_rng(17)
    fixed = {p: PARAMETERS[p] for p in which.parameters}
    names = which.coordinates
    x = random.uniform(0.6, 1.2, len(names))
    weights = random.uniform(-1, 1, len(which.velocities))

    def rate(point: Any) -> Any:
        here = {**fixed, **dict(zip(names, point))}
        matrix = evaluate_matrix(slopes, here)
        free = weights - np.linalg.pinv(matrix) @ (matrix @ weights)
        return evaluate_matrix(which.frame.anchor, here) @ free  # type: ignore[union-attr]

    def values(point: Any) -> Any:
        return np.array(evaluate(list(functions), {**fixed, **dict(zip(names, point))}))

    start, step = values(x), 0.01
    for _ in range(40):
        a = rate(x)
        b = rate(x + step / 2 * a)
        c = rate(x + step / 2 * b)
        d = rate(x + step * c)
        x = x + step / 6 * (a + 2 * b + 2 * c + d)
    return float(np.max(np.abs(values(x) - start)))
