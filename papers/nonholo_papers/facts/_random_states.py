"""Shared by the facts: how quantities change along the equations of motion, and brackets of vector fields, in numbers.

A quantity is a plain function of a state, ``lambda s: s.m * s.xdot``, with every name of the system and its
parameters as attributes. Its rate along the motion is taken by a complex step, exact to rounding, so a quantity
uses analytic functions only (no ``abs``, no comparisons).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import symbol, symbols
from nonholo.derive.hamel import hamel
from nonholo.derive.laws.check import random_states
from nonholo.model.system import System, parameter_values

Vector = Any
"""An array of numbers, real or (in a complex step) complex."""
Quantity = Callable[[Any], Any]
Field = Callable[[Vector], Vector]
STEP = 1e-30


def flows(
    system: System, parameters: Mapping[str, float], count: int = 5, seed: int = 1
) -> list[tuple[SimpleNamespace, SimpleNamespace]]:
    """Generic admissible states with the rates of all their names, from `hamel`."""
    values = parameter_values(system, parameters)
    equations = hamel(system)
    known = {*equations.state, *equations.outputs, *system.inputs, "t"}
    result = []
    for state in random_states(system, values, count, seed):
        given = {n: e for n, e in state.values.items() if n in known}
        result.append((SimpleNamespace(**values, **given), SimpleNamespace(**equations.rates(given, values))))
    return result


def at_states(
    system: System, parameters: Mapping[str, float], states: Iterable[Mapping[str, float]]
) -> list[tuple[SimpleNamespace, SimpleNamespace]]:
    """The same at states of one's own choice, completed by the constraints."""
    from nonholo.derive.states.consistent_state import complete_state

    values = parameter_values(system, parameters)
    equations = hamel(system)
    result = []
    for given in states:
        full = complete_state(system, given, values)
        result.append((SimpleNamespace(**values, **full), SimpleNamespace(**equations.rates(full, values))))
    return result


def rate(quantity: Quantity, state: SimpleNamespace, rates: SimpleNamespace) -> Any:
    """``d/dt quantity`` along the motion: ``Im quantity(s + i ε ṡ)/ε``."""
    moved = {n: e + 1j * STEP * getattr(rates, n, 0.0) for n, e in vars(state).items()}
    return np.imag(quantity(SimpleNamespace(**moved))) / STEP


def largest(values: Iterable[Any]) -> float:
    """The largest magnitude among numbers and arrays; not-a-number wins."""
    sizes = [float(np.max(np.abs(v))) for v in values]
    return float("nan") if any(np.isnan(sizes)) else max(sizes)


def largest_rate(moving: Sequence[tuple[SimpleNamespace, SimpleNamespace]], *quantities: Quantity) -> float:
    """How far quantities are from being constant: for each the largest ``|q̇|`` over the largest ``|q|``."""
    return largest(largest(rate(q, s, r) for s, r in moving) / _scale(q(s) for s, _ in moving) for q in quantities)


def largest_gap(
    moving: Sequence[tuple[SimpleNamespace, SimpleNamespace]], quantity: Quantity, expected: Callable[[Any, Any], Any]
) -> float:
    """How far ``d/dt quantity`` is from ``expected(state, rates)``, over the largest ``|expected|`` or ``|quantity|``."""
    wanted = [np.asarray(expected(s, r)) for s, r in moving]
    size = _scale([*wanted, *(quantity(s) for s, _ in moving)])
    return largest(rate(quantity, s, r) - e for (s, r), e in zip(moving, wanted)) / size


def _scale(values: Iterable[Any]) -> float:
    """The largest magnitude, or 1 where all vanish."""
    return largest(values) or 1.0


def functions_of(variable: str, parameters: Sequence[str], **exprs: Any) -> Callable[[Any, Any], SimpleNamespace]:
    """Expressions in one variable as a function of (its value, a state that holds the parameters), by their names.

    A complex value ``x + i ε`` gives ``f + i ε f'``, so that complex steps go through (compiled complex powers lose them).
    """
    slopes = [e.diff(symbol(variable)) for e in exprs.values()]
    function = se.Lambdify(symbols((variable, *parameters)), [*exprs.values(), *slopes], backend="lambda")

    def numbers(value: Any, state: Any) -> SimpleNamespace:
        given = [np.real(value), *(np.real(getattr(state, n)) for n in parameters)]
        found = np.asarray(function(np.array(given, dtype=float))).reshape(2, -1)
        step = np.imag(value)
        return SimpleNamespace(**dict(zip(exprs, found[0] + 1j * step * found[1] if step else found[0])))

    return numbers


def vector(s: Any, *names: str) -> Vector:
    """Several entries of a state."""
    return np.array([getattr(s, n) for n in names])


def bracket(one: Field, two: Field, point: Vector) -> Vector:
    """``[X, Y] = DY·X − DX·Y`` at a point, by complex steps."""
    forward = np.imag(two(point + 1j * STEP * one(point))) / STEP
    return forward - np.imag(one(point + 1j * STEP * two(point))) / STEP
