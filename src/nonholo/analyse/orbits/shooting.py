"""Multiple shooting for periodic motions, modulo the symmetry.

Unknowns are the states ``y_0 … y_{m−1}`` at equal shares of the period T, each in speeds that serve there, T, the amounts s by
which the group moves on in a period, and the number c that is varied along a family. With w the state as coordinates and rates:

    w(φ_{T/m}(y_k)) = w(y_{k+1}),    w(φ_{T/m}(y_{m−1})) = exp(s·ξ) w(y_0) + 2π (whole turns),    g(y_k) = 0

Nothing fixes the phase, the place on the orbit of the symmetry or the member of the family: shortest steps are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.analyse.flow.state_action import Action
from nonholo.analyse.orbits.tangent_flow import Carrier, End, Lost
from nonholo.analyse.steady.many_zeros import newton_zeros, polished
from nonholo.compile.rates_jacobian import jacobian_table
from nonholo.integrate.motion.system_kernel import SystemKernel

ENOUGH = 1e-8
"""Gaps (in typical sizes) below this are none."""
PERIOD = "period"


@dataclass(frozen=True, eq=False)
class Condition:
    """Something that an orbit must have: the period, or an expression at its first node, has a value (or is what is varied)."""

    what: str
    size: float
    target: float | None
    """None: it equals the number that is varied."""


@dataclass(frozen=True, eq=False)
class Shooting:
    """The equations of an orbit."""

    carrier: Carrier
    charts: tuple[SystemKernel, ...]
    """The equations in whose speeds each node is written."""
    action: Action
    turns: Numbers
    """Whole turns of angles (as shifts of w) in a period."""
    spread: Numbers
    """A typical size of each entry of w."""
    sizes: tuple[Numbers, ...]
    """A typical size of each node's state variables."""
    reach: float
    """A typical size of the period."""
    conditions: tuple[Condition, ...] = ()
    along: str | None = None
    """What is varied: then the last unknown is its value."""
    parameter: bool = False
    """Whether that is a parameter."""
    step: float = 1.0
    """A typical size of what is varied."""
    timed: bool = False
    """Whether a drive gives the period: then it moves with what is varied alone."""
    _known: Cache[tuple[Numbers, Numbers]] = field(default_factory=lambda: Cache(64), repr=False)

    @property
    def nodes(self) -> int:
        """How many segments there are."""
        return len(self.charts)

    @property
    def places(self) -> list[slice]:
        """Indices of each node's state among the unknowns."""
        ends = np.cumsum([0, *(len(c.equations.state) for c in self.charts)]).tolist()
        return [slice(a, b) for a, b in pairwise(ends)]

    @property
    def period(self) -> int:
        """Index of the period."""
        return int(self.places[-1].stop)

    @property
    def amounts(self) -> slice:
        """Indices of the group parameters."""
        return slice(self.period + 1, self.period + 1 + len(self.action))

    @property
    def size(self) -> Numbers:
        """A typical size of every unknown."""
        shift = np.ones(len(self.action))
        last = [] if self.along is None else [self.step]
        reach = 0.0 if self.timed and not self.parameter else self.reach
        return np.concatenate([*self.sizes, [reach], shift, last])

    def value(self, unknowns: Numbers) -> Numbers:
        """What must vanish, a row for each guess; not a number where a motion does not last."""
        return np.array([self._both(u)[0] for u in unknowns])

    def both(self, unknowns: Numbers) -> tuple[Numbers, Numbers]:
        """What must vanish and its derivatives."""
        return self.value(unknowns), self.slope(unknowns)

    def slope(self, unknowns: Numbers) -> Numbers:
        """Its derivatives."""
        return np.array([self._both(u)[1] for u in unknowns])

    def _both(self, unknowns: Numbers) -> tuple[Numbers, Numbers]:
        return self._known.get(unknowns.tobytes(), lambda: self._computed(unknowns))

    def at(self, unknowns: Numbers) -> Carrier:
        """What moves the states there: parameters may be varied."""
        assert self.along is None or isinstance(self.along, str)
        return self.carrier.at({self.along: float(unknowns[-1])}) if self.parameter and self.along else self.carrier

    def ends(self, unknowns: Numbers) -> list[End]:
        """Where every segment ends."""
        carrier = self.at(unknowns)
        time = float(unknowns[self.period]) / self.nodes
        if not time > 0:
            raise Lost("the period goes to zero")
        varied = self.along if self.parameter else None
        return [carrier.segment(chart, unknowns[p], time, varied) for chart, p in zip(self.charts, self.places)]

    def _computed(self, unknowns: Numbers) -> tuple[Numbers, Numbers]:
        carrier, places, d = self.at(unknowns), self.places, len(self.spread)
        bounds = [len(c.invariants) for c in self.charts]
        rows = self.nodes * d + sum(bounds) + len(self.conditions)
        value, slope = np.full(rows, np.nan), np.zeros((rows, len(unknowns)))
        at = unknowns.copy()
        for chart, p in zip(self.charts, places):
            at[p] = carrier.onto(chart, at[p])
        if not np.all(np.isfinite(at)):
            return value, slope
        try:
            ends = self.ends(at)
        except (Lost, ArithmeticError, np.linalg.LinAlgError):
            return value, slope
        seen = [self._observed(carrier, chart, at[p]) for chart, p in zip(self.charts, places)]
        for k, end in enumerate(ends):
            here, last = slice(k * d, (k + 1) * d), k == self.nodes - 1
            point, by_state, by_number = seen[(k + 1) % self.nodes]
            target, turned = point, np.eye(d)
            if last:
                amounts = at[self.amounts]
                turned, by_amount, target = self.action.slopes(amounts, point)
                target = target + self.turns
                slope[here, self.amounts] -= by_amount
            value[here] = end.point - target
            slope[here, places[k]] += end.slopes[:, : len(at[places[k]])]
            slope[here, places[(k + 1) % self.nodes]] -= turned @ by_state
            slope[here, self.period] = end.rate / self.nodes
            if self.parameter:
                slope[here, -1] = end.slopes[:, -1] - turned @ by_number
            value[here] /= self.spread
            slope[here] /= self.spread[:, None]
        first = self.nodes * d
        for chart, p, count in zip(self.charts, places, bounds):
            value[first : first + count], slope[first : first + count, p] = carrier.bound(chart, unknowns[p])
            if self.parameter and self.along and count:
                slope[first : first + count, -1] = carrier.parameter_columns(chart, unknowns[p], self.along)[0]
            first += count
        for k, condition in enumerate(self.conditions):
            self._condition(condition, at, carrier, value, slope, first + k)
        return value, slope

    def _observed(self, carrier: Carrier, chart: SystemKernel, state: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """w of a node and its slopes by the state (along the invariants) and by what is varied."""
        point, by_state, by_parameter = carrier.observed(chart, state)
        free = carrier.free(chart, state)
        by_number = np.zeros(len(point))
        if self.parameter and self.along:
            by_number = by_parameter[:, chart.parameters.index(self.along)]
            by_number = by_number + by_state @ carrier.parameter_columns(chart, state, self.along)[1]
        return point, by_state @ free @ free.T, by_number

    def _condition(
        self, condition: Condition, at: Numbers, carrier: Carrier, value: Numbers, slope: Numbers, row: int
    ) -> None:
        chart, place = self.charts[0], self.places[0]
        if condition.what == PERIOD:
            now, slope[row, self.period] = float(at[self.period]), 1.0
        else:
            values, by_state, by_parameter = slopes_at(carrier, chart, (condition.what,), at[place])
            now, slope[row, place] = float(values[0]), by_state[0]
            if self.parameter and self.along:
                slope[row, -1] += by_parameter[0, chart.parameters.index(self.along)]
                slope[row, -1] += by_state[0] @ carrier.parameter_columns(chart, at[place], self.along)[1]
        if condition.target is None:
            slope[row, -1] -= 1.0
        value[row] = (now - (float(at[-1]) if condition.target is None else condition.target)) / condition.size
        slope[row] /= condition.size

    def solved(self, unknowns: Numbers, steps: int = 40, held: bool = False) -> Numbers:
        """Orbits next to guesses, to rounding; not a number where none is found. ``held``: what is varied keeps its value."""
        size = self.size
        if held:
            size[-1] = 0.0
        found = self.nearest(unknowns, steps, size)
        found[~(self.gaps(found) < ENOUGH)] = np.nan
        return found

    def nearest(self, unknowns: Numbers, steps: int = 40, size: Numbers | None = None) -> Numbers:
        """As near to orbits as the steps lead, orbits or not."""
        size = self.size if size is None else size
        first = size.copy()
        first[self.places[0]] = 0.0  # the orbit through the guess is wanted, where there is one
        found = unknowns if self.timed else newton_zeros(self.both, unknowns, first, 1e-8, 8, keep=True)
        found = newton_zeros(self.both, found, size, 1e-5, steps, keep=True)
        good = self.gaps(found) < 1e-4
        if np.any(good):
            found[good] = polished(self.both, found[good], size, tail=1e-7, steps=5)
        return found

    def gaps(self, unknowns: Numbers) -> Numbers:
        """How far each is from being an orbit, in typical sizes; infinite where a motion does not last."""
        return np.asarray(np.nan_to_num(np.linalg.norm(self.value(unknowns), axis=1), nan=np.inf))

    def tidy(self, unknowns: Numbers) -> Numbers:
        """The same with every node on its invariants."""
        at = unknowns.copy()
        carrier = self.at(unknowns)
        for chart, p in zip(self.charts, self.places):
            at[p] = carrier.onto(chart, at[p])
        return at


def slopes_at(carrier: Carrier, chart: SystemKernel, texts: Sequence[str], state: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Expressions at a state, their slopes by the state and by the parameters."""
    equations = chart.equations
    where = f"{equations.name}: quantities"
    table = chart.watched(
        ("told", *texts),
        lambda: jacobian_table(
            chart.symbols,
            [chart.expression(t, f"{equations.name}: {t}") for t in texts],
            (*symbols(equations.state), *equations.parameters),
            where,
        ),
    )
    found = table(carrier.row(chart, state)[None])[0]
    n, width = len(equations.state), len(equations.state) + len(equations.parameters)
    slopes = found[len(texts) :].reshape(len(texts), width)
    return found[: len(texts)], slopes[:, :n], slopes[:, n:]


def scale_of(shooting: Shooting, what: str, state: Numbers) -> float:
    """By how much something changes over an orbit of typical size."""
    if what == PERIOD:
        return shooting.reach
    values, slopes, _ = slopes_at(shooting.carrier, shooting.charts[0], (what,), state)
    return max(float(np.linalg.norm(slopes[0] * shooting.sizes[0])), 1e-3 * abs(float(values[0])), 1e-12)
