"""Read starts and times of fields from text in ``s``."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.errors import ModelError, StateError, give_step, meant
from nonholo.notation.read import expression
from nonholo.program.array_types import Array

POINTS = 201
"""Equally spaced times when ``t_eval`` is left out."""
METHODS = ("dop853", "hamel", "galerkin")


def known_keys(start: Mapping[str, Any] | None, known: Sequence[str], where: str) -> dict[str, Any]:
    """The start as a table, if it is one and has no strange names."""
    if start is None:
        return {}
    if not isinstance(start, Mapping):
        raise StateError(f"{where}: start is {type(start).__name__}; give a table, e.g. {{{known[0]!r}: …}}.")
    for name in start:
        if name not in known:
            hint = meant(name, known, f"it has {', '.join(known)}.")
            raise StateError(f"{where}: the start has no {name!r}; {hint}")
    return dict(start)


def formula(value: object, names: Sequence[str], where: str) -> Expr:
    """A text (or number, or expression) in these names."""
    return expression(value, list(names), where, functions_of_time=False)


def sampled(expr: Expr, names: Sequence[str], where: str, *columns: Array) -> Array:
    """The values of an expression at the points; not finite is refused with the place.

    >>> sampled(formula("s**2", "s", "theta"), "s", "theta", np.array([0.0, 2.0]))
    array([0., 4.])
    """
    function = numeric_function([se.Symbol(n) for n in names], [expr], backend="lambda")
    shape = np.broadcast_shapes(*(c.shape for c in columns))
    rows = np.stack([np.broadcast_to(c, shape).ravel() for c in columns], axis=-1)
    with np.errstate(all="ignore"):
        values = np.asarray(function(rows), dtype=float).reshape(-1)
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        place = ", ".join(f"{n} = {v:.6g}" for n, v in zip(names, rows[bad[0]]))
        raise StateError(f"{where}: {expr} is not a finite number at {place}; choose a formula that is.")
    return np.ascontiguousarray(values.reshape(shape))


def number(value: Any, where: str, least: float | None = None) -> float:
    """A finite number, above ``least`` where one is given."""
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, np.floating, str)):
        raise ModelError(f"{where}: found {value!r} where a number was needed.")
    if isinstance(value, str):
        value = sampled(formula(value, (), where), ("s",), where, np.zeros(1))[0]
    result = float(value)
    if not math.isfinite(result) or (least is not None and not result > least):
        wanted = "a finite number" if least is None else f"a number above {least:g}"
        raise ModelError(f"{where} = {result:g} where {wanted} was needed.")
    return result


def whole_number(value: Any, where: str, least: int, most: int, why: str) -> int:
    """A whole number between two others."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not least <= int(value) <= most:
        raise ModelError(f"{where} = {value!r}; {why}: give a whole number from {least} to {most}.")
    return int(value)


def pair(value: Any, where: str) -> complex:
    """Two numbers as a point of the plane."""
    try:
        x, y = (number(v, where) for v in value)
    except (TypeError, ValueError):
        raise StateError(f"{where}: found {value!r} where a pair of numbers was needed, e.g. (0, 0).") from None
    return complex(x, y)


def wanted_times(t_eval: Any, until: Any, where: str) -> Array:
    """The times of the output, from 0 to ``until``."""
    end = number(until, f"{where}: until")
    if end <= 0:
        raise StateError(
            f"{where}: until = {end:g}; a motion of a field goes forwards from t = 0: give a number above 0."
        )
    if t_eval is None:
        return np.linspace(0.0, end, POINTS)
    if isinstance(t_eval, str):
        if t_eval != "end":
            raise StateError(f'{where}: t_eval = {t_eval!r} where a list of times, a number or "end" is needed.')
        return np.array([end])
    if isinstance(t_eval, numbers.Integral):
        return np.linspace(0.0, end, max(2, int(t_eval)))
    times = np.asarray(t_eval, dtype=float)
    if (
        times.ndim != 1
        or not len(times)
        or np.any(np.diff(times) <= 0)
        or times[0] < 0
        or times[-1] > end * (1 + 1e-12)
    ):
        raise StateError(f"{where}: t_eval must be times in rising order between 0 and until = {end:g}.")
    return times


def chosen_method(method: Any, known: Sequence[str], where: str) -> str:
    """The name of a method the field has."""
    if method not in known:
        raise StateError(f"{where}: method {method!r} is not one of a field's methods; choose {' or '.join(known)}.")
    return str(method)


def tolerance(value: Any, name: str, where: str) -> float:
    """A tolerance of an adaptive method."""
    result = number(value, f"{where}: {name}", 0.0)
    if result > 0.1:
        raise StateError(f"{where}: {name} = {result:g} is no tolerance; give a number below 0.1, e.g. 1e-10.")
    return result


def fixed_step(step: Any, where: str) -> float:
    """The step of a method that needs one."""
    if step is None:
        raise StateError(f"{where}: method hamel needs a step,", remedy=give_step(0.002, "step"))
    return number(step, f"{where}: step", 0.0)
