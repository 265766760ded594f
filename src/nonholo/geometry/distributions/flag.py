"""The flag of a distribution: brackets of its fields, step by step, and the dimensions they span.

A directional derivative is a central difference with 120 digits: a step of 1e-45 leaves an error of 1e-75, and even the
third bracket upon another keeps 30 digits. (Programs compute with doubles; ranks of brackets of brackets need more.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import ZERO, along, larger_than, node_count, substitute, symbol, symbols, tidy
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.high_precision import evaluate_matrix_precisely
from nonholo.algebra.linear_equations import Matrix, dot
from nonholo.geometry.distributions.numeric_rank import Numbers, finite_rows, independent
from nonholo.geometry.frames.frame import Brackets, Frame, structure_functions

Field = tuple[Expr, ...]
Values = Mapping[str, float]
NODES = 2_500
"""Brackets are not followed further when this many nodes would have to be differentiated."""
SHORT = 60
"""Larger components of a bracket are left as they come: to expand them costs more than it saves."""
WORK = 120_000
"""Not more nodes than this are evaluated at one configuration for one step of the flag by numbers."""
STEPS = 10
FIELDS = 300
Point = Mapping[Any, Any]
Probe = Callable[[Point], list[Any]]
"""A field as a function: from a configuration to its components along the frame's velocities."""
BITS = 400
STEP_SIZES = ("1e-45", "1e-25", "1e-15")
"""The differences' steps, for brackets of symbolic fields, of such brackets, and of these again."""


@dataclass(frozen=True)
class Flag:
    """Dimensions of a growing chain of spans, the fields of each step, and whether it was followed to its end.

    The last steps have no symbolic fields when these would be too large.
    """

    dimensions: tuple[int, ...]
    steps: tuple[tuple[Field, ...], ...]
    complete: bool

    @property
    def fields(self) -> Matrix:
        """All fields, the distribution's own first."""
        return tuple(field for step in self.steps for field in step)


def lie_bracket(frame: Frame, one: Field, two: Field, table: Brackets | None = None) -> Field:
    """``[X, Y]^a = X[Y^a] − Y[X^a] + c_ij^a X^i Y^j`` along the frame's velocities.

    >>> from nonholo.geometry.frames.frame import Euclidean
    >>> lie_bracket(Euclidean("x y"), symbols("yx"), symbols("xy"))
    (0, 0)
    """
    c = structure_functions(frame) if table is None else table
    x = symbols(frame.coordinates)
    first = {s: dot(row, one) for s, row in zip(x, frame.anchor)}
    second = {s: dot(row, two) for s, row in zip(x, frame.anchor)}
    total = [a - b for a, b in zip(along(two, first), along(one, second))]
    for (i, j, a), e in c.items():
        minor = one[i] * two[j] - one[j] * two[i]
        if minor != 0:
            total[a] += e * minor
    return tuple(e if e == 0 or larger_than([e], SHORT) else tidy(e) for e in total)


def without_denominators(field: Field) -> Field:
    """The field times the common denominator of its components: the same direction, and simpler to differentiate.

    >>> x, y = symbols("xy")
    >>> without_denominators((x / y, 1 / (x * y), x**0))
    (x**2, 1, x*y)
    """
    powers: dict[Expr, Expr] = {}
    for entry in field:
        for factor in entry.args if isinstance(entry, se.Mul) else (entry,):
            if isinstance(factor, se.Pow) and factor.args[1].is_Number and factor.args[1].is_negative:
                base, power = factor.args
                powers[base] = max(powers.get(base, ZERO), -power)
    if not powers:
        return field
    scale = se.Mul(*(base**power for base, power in powers.items()))
    return tuple(e * scale if e != 0 else ZERO for e in field)


def generic_flag(frame: Frame, fields: Matrix, samples: Sequence[Values], derived: bool) -> Flag:
    """The flag at almost all configurations: each step adds only as many fields as its dimension grows."""
    table = structure_functions(frame)
    steps: list[tuple[Field, ...]] = [tuple(fields)]
    places = [s for s in samples if not fields or finite_rows(evaluate_matrix_precisely(fields, s))]
    known = [evaluate_matrix_precisely(fields, s) if fields else np.zeros((0, frame.size)) for s in places]
    while 0 < len(known[0]) < frame.size:
        partners = [f for step in steps for f in step] if derived else steps[0]
        leads = _brackets(frame, partners, steps[-1], table)
        if leads is None:
            return _by_numbers(frame, table, steps, places[:2], known[:2], derived)
        numbers = [evaluate_matrix_precisely(leads, s) if leads else np.zeros((0, frame.size)) for s in places]
        choices = [independent(n, k) if finite_rows(n) else [] for n, k in zip(numbers, known)]
        kept = max(choices, key=len)
        if not kept:
            break
        steps.append(tuple(leads[k] for k in kept))
        known = [np.vstack([old, new[kept]]) for old, new in zip(known, numbers)]
    return Flag(_sums(steps), tuple(steps), True)


def _by_numbers(
    frame: Frame,
    table: Brackets,
    steps: Sequence[tuple[Field, ...]],
    places: Sequence[Values],
    known: Sequence[Numbers],
    derived: bool,
) -> Flag:
    """The flag continued without symbolic brackets, as far as differences of differences keep enough digits."""
    points = [precise_point(s) for s in places]
    own = [probe(f) for f in steps[0]]
    older = [probe(f) for step in steps[:-1] for f in step]
    last = [probe(f) for f in steps[-1]]
    dimensions = list(_sums(steps))
    nodes = node_count(e for f in (*steps[0], *steps[-1]) for e in f)
    for depth in range(len(STEP_SIZES)):
        partners = [*older, *last] if derived else own
        pairs = [(one, two) for one in partners for two in last if one is not two]
        leads = [bracket_probe(frame, table, one, two, depth) for one, two in pairs]
        if len(leads) * 4 ** (depth + 1) * nodes > WORK:
            break
        numbers = [numbers_of(leads, point, frame.size) for point in points]
        kept = max((independent(n, k) if finite_rows(n) else [] for n, k in zip(numbers, known)), key=len)
        if not kept:
            return Flag(tuple(dimensions), tuple(steps), True)
        dimensions.append(dimensions[-1] + len(kept))
        known = [np.vstack([old, new[kept]]) for old, new in zip(known, numbers)]
        if dimensions[-1] == frame.size:
            return Flag(tuple(dimensions), tuple(steps), True)
        older, last = [*older, *last], [leads[k] for k in kept]
    return Flag(tuple(dimensions), tuple(steps), False)


def flag_at(frame: Frame, fields: Matrix, here: Values, generic: Flag, derived: bool) -> Flag:
    """The flag at one configuration, which may be singular: every bracket counts, and a step may add nothing."""
    table = structure_functions(frame)
    steps: list[tuple[Field, ...]] = [tuple(fields)]
    known = evaluate_matrix_precisely(fields, here) if fields else np.zeros((0, frame.size))
    dimensions = [len(independent(known))]
    goal = generic.dimensions[-1]
    while 0 < dimensions[-1] < goal and len(dimensions) < STEPS:
        partners = [f for step in steps for f in step] if derived else steps[0]
        leads = _brackets(frame, partners, steps[-1], table)
        if leads is None or len(leads) > FIELDS:
            return Flag(_trimmed(dimensions), tuple(steps), False)
        if not leads:
            break
        steps.append(tuple(leads))
        known = np.vstack([known, evaluate_matrix_precisely(leads, here)])
        dimensions.append(len(independent(known)))
    return Flag(_trimmed(dimensions), tuple(steps), dimensions[-1] == goal)


def _trimmed(dimensions: Sequence[int]) -> tuple[int, ...]:
    """Without the last steps that added nothing."""
    found = list(dimensions)
    while len(found) > 1 and found[-1] == found[-2]:
        found.pop()
    return tuple(found)


def _sums(steps: Sequence[Sequence[Field]]) -> tuple[int, ...]:
    return tuple(int(s) for s in np.cumsum([len(step) for step in steps]))


def _brackets(frame: Frame, partners: Sequence[Field], last: Sequence[Field], table: Brackets) -> list[Field] | None:
    """All different brackets of partners with the last step's fields, or None when these have grown too large."""
    if larger_than((e for field in last for e in field), NODES // max(1, len(partners))):
        return None
    done: set[frozenset[Field]] = set()
    found: dict[Field, None] = {}
    for one in partners:
        for two in last:
            pair = frozenset((one, two))
            if len(pair) < 2 or pair in done:
                continue
            done.add(pair)
            lead = lie_bracket(frame, one, two, table)
            if any(e != 0 for e in lead):
                found[lead] = None
    return list(found)


def precise_point(values: Mapping[str, float]) -> dict[Any, Any]:
    """The values with 120 digits."""
    return {symbol(name): se.RealMPFR(repr(float(value)), BITS) for name, value in values.items()}


def probe(field: Sequence[Expr]) -> Probe:
    """A symbolic field as a function."""
    return lambda point: list(substitute(field, point))


def bracket_probe(frame: Frame, table: Brackets, one: Probe, two: Probe, depth: int) -> Probe:
    """``[X, Y]^a = X[Y^a] − Y[X^a] + c_ij^a X^i Y^j`` as a function."""
    x = [symbol(c) for c in frame.coordinates]
    step = se.RealMPFR(STEP_SIZES[depth], BITS)

    def rate(of: Probe, along: Sequence[Any], anchor: Sequence[Sequence[Any]], point: Point) -> list[Any]:
        shift = [step * sum((e * v for e, v in zip(row, along)), se.Integer(0)) for row in anchor]
        ahead = of({**point, **{s: point[s] + d for s, d in zip(x, shift)}})
        behind = of({**point, **{s: point[s] - d for s, d in zip(x, shift)}})
        return [(a - b) / (2 * step) for a, b in zip(ahead, behind)]

    def value(point: Point) -> list[Any]:
        first, second = one(point), two(point)
        flat = substitute([e for row in frame.anchor for e in row], point)
        anchor = [flat[k * frame.size : (k + 1) * frame.size] for k in range(len(x))]
        total = [a - b for a, b in zip(rate(two, first, anchor, point), rate(one, second, anchor, point))]
        for (i, j, a), e in zip(table, substitute(list(table.values()), point)):
            total[a] += e * (first[i] * second[j] - first[j] * second[i])
        return total

    return value


def numbers_of(probes: Sequence[Probe], point: Point, size: int) -> NDArray[np.float64]:
    """The components of every field, as doubles; not a number where they are not real."""
    found = np.full((len(probes), size), np.nan)
    for k, field in enumerate(probes):
        try:
            found[k] = [float(e.n(BITS, real=True)) for e in field(point)]
        except (RuntimeError, TypeError, ValueError):
            continue
    return found
