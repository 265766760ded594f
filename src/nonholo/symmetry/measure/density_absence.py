"""Prove that no density of the configuration exists: conditions ``X_b[ln f] = −Θ_b`` that contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, expand, gradient, larger_than, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import determinant, dot, transpose
from nonholo.algebra.prime.modular_arithmetic import Residues, rank
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.derive.hamel import lagrangian_in_frame, unconstrained
from nonholo.geometry.distributions.random_configurations import NoPoints, place_groups, put_on_leaf
from nonholo.model.system import TIME
from nonholo.symmetry.exact.modular_states import Motion, settle
from nonholo.symmetry.vector_fields import bracket, derivatives, divergence

MOST = 3
"""Absence is decided for at most so many speeds: the metric is inverted by hand."""
DEEP = 3
"""How often brackets are taken."""
NODES = 1500
BRACKETS = 6000
"""Longer expressions are left alone, and brackets that are longer together."""


Word = int | tuple[int, int]
"""An admissible field by its number, or the bracket of two of the list."""


@dataclass(frozen=True)
class BracketContradiction:
    """Admissible fields and brackets of those before: some depend on the others at a place where ``Θ`` does not.

    ``Θ`` is that of ``f dx dp``, so that ``Θ_b z^b = div + d(ln mass)/dt`` with the divergence in the speeds ``z``.
    """

    basis: tuple[tuple[Expr, ...], ...]
    values: tuple[Expr, ...]
    words: tuple[Word, ...]
    mass: Expr
    """The determinant of the metric on the speeds."""


def bracket_contradiction(motion: Motion) -> BracketContradiction | None:
    """A proof that no density of the configuration is preserved, for linear constraints without forces; None if there is none."""
    system = motion.system
    forced = system.forces or system.magnetic or system.inputs
    if forced or len(motion.allowed.speeds) > MOST or not _homogeneous(motion):
        return None
    try:
        pairs = _conditions(motion)
        if larger_than([e for field, value in pairs for e in (*field, value)], NODES):
            return None
        words = _contradiction(motion, pairs)
    except (NoPoints, Unsupported):
        return None
    if words is None:
        return None
    fields, values = zip(*pairs)
    return BracketContradiction(fields, values, words, determinant(_reduced_metric(motion)))


def kinetic(motion: Motion) -> bool:
    """Whether the rates of the speeds are quadratic in them: kinetic energy alone, linear constraints, no forces."""
    system, speeds = motion.system, symbols(motion.system.velocities)
    if system.forces or system.magnetic or system.inputs or not _homogeneous(motion):
        return False
    energy = lagrangian_in_frame(system)
    still = dict.fromkeys(speeds, ZERO)
    slopes = gradient(energy, speeds)
    flat = [e for row in unconstrained(system)[0] for e in row]
    low = [energy.xreplace(still), *(e.xreplace(still) for e in slopes)]
    return all(expand(e) == 0 for e in low) and not any(e.free_symbols & {*speeds, TIME} for e in flat)


def _homogeneous(motion: Motion) -> bool:
    """Whether the constraints are linear in the velocities, without a term of order zero."""
    allowed, speeds = motion.allowed, set(motion.equations.speeds)
    linear = motion.system.parametric is None and allowed.rows.linear and all(e == 0 for e in allowed.rows.sides)
    return linear and not any(e.free_symbols & {*speeds, TIME} for row in allowed.basis for e in row)


def _conditions(motion: Motion) -> list[tuple[tuple[Expr, ...], Expr]]:
    """The admissible fields and ``Θ_b = div X_b − c_ab^a``, with the bracket projected on D by the metric."""
    system, allowed = motion.system, motion.allowed
    frame = system.frame
    fields = transpose(allowed.basis)
    metric = _reduced_metric(motion)
    size = len(fields)
    whole = determinant(metric)
    inverse = [[_cofactor(metric, j, i) / whole for j in range(size)] for i in range(size)]
    l = _metric(motion)
    result = []
    for b in range(size):
        total = divergence(frame, fields[b])
        for a in range(size):
            inner = bracket(frame, fields[a], fields[b])
            lowered = [dot(f, [dot(row, inner) for row in l]) for f in fields]
            total -= dot(inverse[a], lowered)
        result.append((tuple(fields[b]), total))
    return result


def _reduced_metric(motion: Motion) -> list[list[Expr]]:
    still = dict.fromkeys(motion.equations.speeds, ZERO)
    return [[e.xreplace(still) for e in row] for row in motion.equations.mass]


def _metric(motion: Motion) -> list[list[Expr]]:
    still = dict.fromkeys(symbols(motion.system.velocities), ZERO)
    return [[e.xreplace(still) for e in row] for row in unconstrained(motion.system)[0]]


def _cofactor(matrix: Sequence[Sequence[Expr]], i: int, j: int) -> Expr:
    rest = [[e for n, e in enumerate(row) if n != j] for k, row in enumerate(matrix) if k != i]
    return (determinant(rest) if rest else ONE) * (-1) ** (i + j)


def _contradiction(motion: Motion, pairs: list[tuple[tuple[Expr, ...], Expr]]) -> tuple[Word, ...] | None:
    """Fields that depend on each other at a random place and have values that do not; as few as are needed."""
    frame = motion.system.frame
    first, words = list(pairs), list[Word](range(len(pairs)))
    for _ in range(DEEP + 1):
        rows = _rows(motion, pairs)
        if rows is None:
            return None
        if _disagree(rows):
            return _needed(rows, words)
        more, made = [], list[Word]()
        for k in range(len(pairs))[-6:]:
            field, value = pairs[k]
            for i, (own, other) in enumerate(first):
                new = bracket(frame, own, field)
                slope = derivatives(frame, own, [value])[0] - derivatives(frame, field, [other])[0]
                if slope == 0 and all(e == 0 for e in new):
                    continue  # fields that commute may still need a value that is not zero
                if not larger_than([*new, slope], NODES):
                    more.append((new, slope))
                    made.append((i, k))
        if not more or larger_than([e for field, value in more for e in (*field, value)], BRACKETS):
            return None
        pairs, words = [*pairs, *more], [*words, *made]
    rows = _rows(motion, pairs)
    return _needed(rows, words) if rows is not None and _disagree(rows) else None


def _rows(motion: Motion, pairs: Sequence[tuple[tuple[Expr, ...], Expr]]) -> Residues | None:
    """The fields on the coordinates and their values, at a random place."""
    system = motion.system
    for attempt in range(8):
        points = Points(6, 41 + attempt)
        settle(points, motion, 41 + attempt)
        place_groups(points, system.frame)
        put_on_leaf(points, system.frame, system.holonomic)
        moved = [[dot(row, field) for row in system.frame.anchor] for field, _ in pairs]
        rows = np.array([points.values([*steps, value]) for steps, (_, value) in zip(moved, pairs)])
        if points.opaque:
            return None  # what is unknown here may make the two values one
        if np.any(points.good):
            return np.asarray(rows[:, :, int(np.flatnonzero(points.good)[0])])
    return None


def _disagree(rows: Residues) -> bool:
    return rank(rows) > rank(rows[:, :-1])


def _needed(rows: Residues, words: Sequence[Word]) -> tuple[Word, ...]:
    """The fields without those that the contradiction does not need, renumbered."""
    kept = list(range(len(words)))
    needed = set[int]()  # those that brackets which are kept are made of
    for k in reversed(range(len(words))):
        rest = [i for i in kept if i != k]
        if k not in needed and rest and _disagree(rows[rest]):
            kept = rest
            continue
        word = words[k]
        needed |= set(word) if isinstance(word, tuple) else set()
    place = {k: i for i, k in enumerate(kept)}
    return tuple(w if isinstance(w, int) else (place[w[0]], place[w[1]]) for w in (words[k] for k in kept))
