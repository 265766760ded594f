"""Times at which a step must end because the forcing, by its own formula, jumps or is narrow there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import symengine as se

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ZERO, depending, nodes
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.numeric_functions import Formulas
from nonholo.derive.equations import Equations
from nonholo.integrate.loops.arguments.piecewise_signals import Signal
from nonholo.model.system import TIME
from nonholo.program.array_types import Array

GRID, MOST = 1024, 10_000
"""Signs of a condition are compared at so many times, and so many breaks are made at most."""
LOCAL = (se.tanh, se.sinh, se.cosh, se.atan, se.log, se.erf, se.erfc, se.asinh)
"""Functions that change from nearly nothing to nearly all within a short part of their argument."""


@dataclass(frozen=True, eq=False)
class TimeStructure:
    """What the equations say about time: conditions that switch, and centres of narrow functions."""

    parameters: tuple[str, ...]
    conditions: tuple[Expr, ...]
    """The pieces of a formula change where one of these vanishes."""
    centres: tuple[Expr, ...]
    """Times, as formulas of the parameters."""

    def times(self, numbers: Sequence[float], t0: float, t1: float, adaptive: bool) -> Array:
        """The breaks strictly between t0 and t1; a jump has one on each side of it."""
        low, high = min(t0, t1), max(t0, t1)
        jumps = [t for e in self.conditions for t in self._zeros(e, numbers, low, high)]
        found = [t + side * 2 * np.spacing(abs(t)) for t in jumps for side in (-1.0, 1.0)]
        if self.centres and adaptive:
            found += Formulas(self.parameters, self.centres).of(list(numbers)).tolist()
        return np.unique([t for t in found if low < t < high][:MOST])

    def _zeros(self, condition: Expr, numbers: Sequence[float], low: float, high: float) -> list[float]:
        """Zeros of a condition: of a straight line the one it has, of others those that a grid and their extrema show."""
        slope = condition.diff(TIME)
        if TIME not in slope.free_symbols:
            at, rate = Formulas(self.parameters, [condition.subs({TIME: ZERO}), slope]).of(list(numbers))
            return [float(-at / rate)] if rate else []
        formulas = Formulas(("t", *self.parameters), [condition, slope])

        def value(t: float, which: int) -> float:
            return float(formulas.of([t, *numbers])[which])

        grid = np.linspace(low, high, GRID + 1)
        rows = formulas.rows(np.column_stack([grid, np.tile(np.array(numbers, dtype=float), (len(grid), 1))]))
        turns = [_bisected(partial(value, which=1), a, b) for a, b in _changes(grid, rows[:, 1])]
        times = np.concatenate([grid, turns])
        order = np.argsort(times, kind="stable")
        values = np.concatenate([rows[:, 0], [value(t, 0) for t in turns]])
        return [_bisected(partial(value, which=0), a, b) for a, b in _changes(times[order], values[order])]


def _changes(times: Array, values: Array) -> list[tuple[float, float]]:
    """The intervals at whose ends values have different signs."""
    signs = np.sign(values)
    places = np.flatnonzero((signs[:-1] != signs[1:]) & np.isfinite(values[:-1]) & np.isfinite(values[1:]))[:MOST]
    return [(float(times[i]), float(times[i + 1])) for i in places]


def _bisected(function: Callable[[float], float], a: float, b: float) -> float:
    left = np.sign(function(a))
    while a < (middle := (a + b) / 2) < b:
        a, b = (middle, b) if np.sign(function(middle)) == left else (a, middle)
    return b


_KNOWN: WeakCache[TimeStructure | None] = WeakCache(64)


def time_breaks(equations: Equations, parameters: Array, t0: float, t1: float, adaptive: bool) -> list[Signal]:
    """A signal without an input that has these breaks; none for equations without breaks. One row for each member.

    >>> import nonholo as nh
    >>> s = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs={"u": "exp(-((t - 3)/1e-3)**2)"})
    >>> time_breaks(nh.prepare(s).kernel.equations, np.empty((1, 0)), 0.0, 10.0, True)[0].breaks.tolist()
    [3.0]
    """
    found = _KNOWN.get(equations, lambda: _structure(equations))
    if found is None or t0 == t1:
        return []
    rows = np.unique(parameters, axis=0)[:GRID]
    breaks = np.unique(np.concatenate([found.times(row.tolist(), t0, t1, adaptive) for row in rows]))[:MOST]
    return [Signal(np.array([0.0, 1.0]), np.array([[0.0]]), breaks)] if len(breaks) else []


def _structure(equations: Equations) -> TimeStructure | None:
    time = equations.time
    exprs = [*equations.force, *equations.kinematics, *(e for row in equations.mass for e in row)]
    own = {time, *equations.parameters}
    timed = depending(exprs, time)
    conditions = {
        test.args[0] - test.args[1]
        for n in timed
        if isinstance(n, se.Piecewise)
        for whole in n.args[1::2]
        for test in nodes([whole])
        if isinstance(test, (se.Lt, se.Le, se.Eq, se.Ne))
    }
    narrow = {n.args[0] for n in timed if isinstance(n, LOCAL)}
    narrow |= {n.args[1] if n.args[0] == se.E else n.args[0] for n in timed if isinstance(n, se.Pow) and _is_steep(n, time)}
    centres = {c for e in narrow if e.free_symbols <= own for c in _centres(e, time)}
    switches = sorted((e.subs({time: TIME}) for e in conditions if time in e.free_symbols <= own), key=str)
    if not switches and not centres:
        return None
    return TimeStructure(tuple(map(str, equations.parameters)), tuple(switches), tuple(sorted(centres, key=str)))


def _is_steep(power: Expr, time: Symbol) -> bool:
    base, exponent = power.args
    return base == se.E or (time in base.free_symbols and not (exponent.is_Integer and exponent.is_positive))


def _centres(expr: Expr, time: Symbol) -> Iterator[Expr]:
    """Where a straight line vanishes, where a parabola turns, and the same of the parts of anything else but waves."""
    if time not in expr.free_symbols:
        return
    try:
        slope = expr.diff(time)
        bend = slope.diff(time)
    except RuntimeError:  # a function without a derivative, such as a comparison
        slope = bend = expr
    if time not in slope.free_symbols:
        yield -expr.subs({time: ZERO}) / slope
        return
    if time not in bend.free_symbols:
        yield -slope.subs({time: ZERO}) / bend
        return
    if not isinstance(expr, (se.sin, se.cos, se.tan)):
        for part in expr.args:
            yield from _centres(part, time)
