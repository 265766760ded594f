"""The flag of a distribution: brackets of its fields, step by step, and the dimensions they span.

Where the brackets are too large as expressions, the dimensions come from power series (`lie_words`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, along, larger_than, symbols, tidy
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.high_precision import evaluate_matrix_precisely
from nonholo.algebra.linear_equations import Matrix, dot
from nonholo.algebra.subspaces import finite_rows, independent
from nonholo.geometry.distributions.lie_words import flag_dimensions
from nonholo.geometry.frames.frame import Brackets, Frame, structure_functions

Field = tuple[Expr, ...]
Values = Mapping[str, float]
NODES = 2_500
"""Brackets are not followed further when this many nodes would have to be differentiated."""
SHORT = 60
"""Larger components of a bracket are left as they come: to expand them costs more than it saves."""
STEPS = 10
FIELDS = 300


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
            found = flag_dimensions(frame, steps[0], frame.size, derived, places[0])
            return Flag(_sums(steps), tuple(steps), False) if found is None else Flag(found[0], tuple(steps), found[1])
        numbers = [evaluate_matrix_precisely(leads, s) if leads else np.zeros((0, frame.size)) for s in places]
        choices = [independent(n, k) if finite_rows(n) else [] for n, k in zip(numbers, known)]
        kept = max(choices, key=len)
        if not kept:
            break
        steps.append(tuple(leads[k] for k in kept))
        known = [np.vstack([old, new[kept]]) for old, new in zip(known, numbers)]
    return Flag(_sums(steps), tuple(steps), True)


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
