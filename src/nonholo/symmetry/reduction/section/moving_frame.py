"""Moving frames: the group element that brings a configuration to a section [Cartan; Fels and Olver 1999].

The group acts by affine maps. Its elements are found one step after the other: a coordinate that a generator shifts is
brought to zero, a pair that it turns to the first axis, a rotation that it turns in all directions to the unit; each step
uses a generator that keeps what the steps before it have reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, expand, gradient, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.linear_equations import Matrix, evaluate_all, identity, multiply
from nonholo.algebra.subspaces import kernel
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import shorten, shorten_matrix
from nonholo.geometry.frames.frame import sample
from nonholo.geometry.groups.one_parameter_groups import Amount, NoFlow, exact, flow, frequencies
from nonholo.model.system import System
from nonholo.symmetry.group.affine_symmetries import rational_rows
from nonholo.symmetry.group.coordinate_blocks import blocks_of, turns_of
from nonholo.symmetry.group.turning_pairs import TurningPair, pairs_of, triple, whole_turn

PLACES = 6
TRIES = 60
"""The most steps of the search."""
GOOD = 0.2
"""A pair whose radius at ``at`` is larger than this is well conditioned, and taken in order."""


@dataclass(frozen=True, eq=False)
class Moving:
    """``q = matrix(q) · section point``, affine in ``(x, 1)``; ``hats`` are the section point's coordinates, invariants on Q."""

    matrix: Matrix
    inverse: Matrix
    hats: tuple[Expr, ...]
    fixed: dict[int, Expr]
    """Coordinates that are the same at every point of the section."""
    radii: dict[int, tuple[int, ...]]
    """Coordinates that are a radius on the section, with the pair it is the radius of."""
    turned: dict[str, tuple[TurningPair, ...]]
    """Rotation matrices of which pairs of entries are brought to an axis, by name."""


@dataclass(eq=False)
class _Work:
    system: System
    names: tuple[str, ...]
    matrices: list[Numbers]
    places: list[dict[str, float]]
    at: dict[str, float] | None
    hats: list[Expr] = field(default_factory=list)
    matrix: Matrix = ()
    inverse: Matrix = ()
    conditions: list[Numbers] = field(default_factory=list)
    fixed: dict[int, Expr] = field(default_factory=dict)
    radii: dict[int, tuple[int, ...]] = field(default_factory=dict)
    turned: dict[str, tuple[TurningPair, ...]] = field(default_factory=dict)

    def points(self) -> Numbers:
        """The samples brought to the section as far as it is reached, with a one at the end."""
        found = evaluate_all(self.hats, self.places)
        return np.concatenate([found, np.ones((len(found), 1))], axis=1)

    def residual(self) -> list[Numbers]:
        """Fields of the group that keep the conditions, as matrices on ``(x, 1)``."""
        stack = np.stack(self.matrices)
        if not self.conditions:
            return list(self.matrices)
        points = self.points()
        table = np.einsum("cn,anm,sm->csa", np.stack(self.conditions), stack, points)
        table = table.reshape(-1, len(stack))
        table = table[np.all(np.isfinite(table), axis=1)]
        return [np.tensordot(w, stack, axes=1) for w in rational_rows(kernel(table, 1e-8, absolute=True).T)]


def affine_matrix(system: System, on_coordinates: Sequence[Expr]) -> Numbers | None:
    """A field on the coordinates as a matrix on ``(x, 1)``, or None when it is not affine with constant numbers."""
    x = symbols(system.coordinates)
    size = len(x)
    found = np.zeros((size + 1, size + 1))
    still = dict.fromkeys(x, ZERO)
    for i, e in enumerate(on_coordinates):
        e = se.sympify(e)
        parts = [expand(p) for p in gradient(e, x)]
        rest = e.xreplace(still)
        if any(not p.is_Number for p in (*parts, rest)):
            return None
        found[i] = [*map(float, parts), float(rest)]
    return found


def moving_frame(
    system: System, on_coordinates: Sequence[Sequence[Expr]], at: Mapping[str, float] | None = None
) -> Moving:
    """The moving frame of a free action; a ModelError when the group's maps are not known in closed form.

    ``at`` is a configuration where it should be regular.
    """
    matrices = [affine_matrix(system, f) for f in on_coordinates if any(e != 0 for e in f)]
    if any(m is None for m in matrices):
        raise ModelError(
            f"{system.name}: a generator of the symmetry is not affine in the coordinates, so that no section through its orbits "
            "was found; write the system in coordinates that the group shifts or turns."
        )
    size = len(system.coordinates) + 1
    unit = identity(size)
    known = (
        None
        if at is None or any(c not in at for c in system.coordinates)
        else {c: float(at[c]) for c in system.coordinates}
    )
    work = _Work(system, system.coordinates, [m for m in matrices if m is not None], _samples(system), known)
    work.hats, work.matrix, work.inverse = list(symbols(system.coordinates)), unit, unit
    found = _complete(work, [TRIES], True) or _complete(work, [TRIES], False)
    if found is None:
        raise ModelError(
            f"{system.name}: no section through the orbits of the symmetry was found in these coordinates; write the system in "
            "coordinates of which some are shifted or turned by one generator alone."
        )
    return Moving(found.matrix, found.inverse, tuple(found.hats), found.fixed, found.radii, found.turned)


def _complete(work: _Work, left: list[int], whole: bool) -> _Work | None:
    """Depth-first search for steps that use up all dimensions of the group.

    ``whole`` brings rotations to the identity in one step where possible, which leaves fewer branches to search.
    """
    if _used(work) == len(work.matrices):
        return work
    for option in _steps(work, whole):
        left[0] -= 1
        if left[0] < 0:
            return None
        found = _complete(option, left, whole)
        if found is not None:
            return found
    return None


def _used(work: _Work) -> int:
    """How many dimensions of the group the conditions use up."""
    if not work.conditions:
        return 0
    table = np.einsum("cn,anm,sm->sca", np.stack(work.conditions), np.stack(work.matrices), work.points())
    return max((int(np.linalg.matrix_rank(t, tol=1e-7)) for t in table if np.all(np.isfinite(t))), default=0)


def _samples(system: System) -> list[dict[str, float]]:
    found = []
    for k in range(3 * PLACES):
        try:
            place = sample(system.frame, 20 + k)
        except ModelError:
            continue
        found.append({c: place[c] for c in system.coordinates})
        if len(found) == PLACES:
            break
    return found


def _steps(work: _Work, whole: bool) -> Iterator[_Work]:
    """The next steps, simplest first; none where the frame so far is singular at the samples."""
    if not np.all(np.isfinite(work.points())):
        return
    fields = work.residual()
    for kind in (0, 1, 2):
        if kind == 1:
            turned = list(_by_rotation(work, fields))
            yield from turned
            if whole and turned:
                return
        yield from _by_shift(work, [m for m in fields if _kind(m) == kind])
    yield from _by_pair(work, [m for m in fields if _kind(m) == 2])
    yield from _by_growth(work, fields)


def _copy(work: _Work) -> _Work:
    return replace(
        work,
        hats=list(work.hats),
        conditions=list(work.conditions),
        fixed=dict(work.fixed),
        radii=dict(work.radii),
        turned=dict(work.turned),
    )


def _kind(matrix: Numbers) -> int:
    if not np.any(matrix[:, :-1]):
        return 0
    found = np.linalg.eigvals(matrix[:-1, :-1])
    return 1 if np.max(np.abs(found)) < 1e-3 else 2 if np.max(np.abs(found.imag)) > 1e-6 else 3


def _by_shift(work: _Work, fields: Sequence[Numbers]) -> Iterator[_Work]:
    """Bring to zero a coordinate that a field shifts with constant speed."""
    points = work.points()
    inside = {c for b in blocks_of(work.system.frame) for c in b.coordinates}
    for matrix in fields:
        for i, name in enumerate(work.names):
            if i in work.fixed or name in inside:
                continue
            rates = points @ matrix[i]
            if abs(rates[0]) < 1e-9 or np.max(np.abs(rates - rates[0])) > 1e-9:
                continue
            after = _copy(work)
            try:
                _apply(after, matrix, Amount(value=work.hats[i] / exact(rates[0])))
            except NoFlow:
                continue
            _fix(after, i, ZERO)
            yield after


def _apply(work: _Work, matrix: Numbers, amount: Amount) -> None:
    """One more factor: the samples' way to the section and back."""
    back, forth = flow(matrix, amount.back()), flow(matrix, amount)
    point = [[e] for e in (*work.hats, ONE)]
    work.hats = [shorten(row[0]) for row in multiply(back, point)][:-1]
    work.inverse = shorten_matrix(multiply(back, work.inverse))
    work.matrix = shorten_matrix(multiply(work.matrix, forth))


def _fix(work: _Work, index: int, value: Expr) -> None:
    work.hats[index] = value
    work.fixed[index] = value
    condition = np.zeros(len(work.names) + 1)
    condition[index], condition[-1] = 1.0, -float(value)
    work.conditions.append(condition)


def _by_pair(work: _Work, fields: Sequence[Numbers]) -> Iterator[_Work]:
    """Rotate a pair of functions to its first axis; pairs that are well conditioned at ``at`` come first."""
    points = work.points()
    options = []
    for matrix in fields:
        smallest = min(frequencies(matrix), default=0.0)
        for pair in pairs_of(work.system, matrix, points, work.fixed, work.turned):
            if smallest and abs(pair.frequency / smallest - 1) < 1e-6:
                options.append((matrix, pair))

    def quality(pair: TurningPair) -> float:
        spots = [work.at] if work.at is not None else work.places
        found = np.abs(evaluate_all([*pair.functions(work.hats)], spots))
        return float(np.median(np.hypot(found[:, 0], found[:, 1]))) if np.all(np.isfinite(found)) else 0.0

    sizes = [quality(pair) for _, pair in options]
    good = [k for k, size in enumerate(sizes) if size > GOOD]
    for k in [*good, *sorted(set(range(len(options))) - set(good), key=lambda k: -sizes[k])]:
        matrix, pair = options[k]
        f, g = pair.functions(work.hats)
        radius = pair.radius(work.hats)
        after = _copy(work)
        try:
            _apply(after, matrix, Amount(base=pair.frequency, cosine=f / radius, sine=g / radius))
        except NoFlow:
            continue
        if pair.block:
            after.turned[pair.block] = (*work.turned.get(pair.block, ()), pair)
            after.conditions.append(np.append(pair.second, 0.0))
        else:
            i, j = int(np.argmax(np.abs(pair.first))), int(np.argmax(np.abs(pair.second)))
            after.hats[i] = radius
            after.radii[i] = (i, j)
            _fix(after, j, ZERO)
        yield after


def _by_growth(work: _Work, fields: Sequence[Numbers]) -> Iterator[_Work]:
    """Bring to one a positive coordinate that a field scales."""
    points = work.points()
    for matrix in fields:
        for i in range(len(work.names)):
            rate = matrix[i, i]
            if i in work.fixed or not rate or np.max(np.abs(points @ matrix[i] - rate * points[:, i])) > 1e-9:
                continue
            sign = 1 if work.at is None or work.at[work.names[i]] > 0 else -1
            after = _copy(work)
            try:
                _apply(after, matrix, Amount(base=float(rate), growth=sign * work.hats[i]))
            except NoFlow:
                continue
            _fix(after, i, ONE * sign)
            yield after


def _by_rotation(work: _Work, fields: Sequence[Numbers]) -> Iterator[_Work]:
    """Bring a rotation that the group turns in every direction to the unit."""
    for block in blocks_of(work.system.frame):
        places = [work.names.index(c) for c in block.coordinates]
        if block.kind == "vertical" or any(p in work.fixed for p in places) or block.name in work.turned:
            continue
        turns = dict(turns_of(block))
        for stem in ("turn", "spin"):
            three = triple(fields, places, [turns[f"{block.name}_{stem}{k}"] for k in (1, 2, 3)])
            found = None if three is None else whole_turn(work.hats, block, places, stem, three)
            if found is None:
                continue
            forth, back = found
            after = _copy(work)
            point = [[e] for e in (*work.hats, ONE)]
            after.hats = [shorten(row[0]) for row in multiply(back, point)][:-1]
            after.inverse = shorten_matrix(multiply(back, work.inverse))
            after.matrix = shorten_matrix(multiply(work.matrix, forth))
            unit = (1, 0, 0, 0) if block.kind == "quaternion" else (1, 0, 0, 0, 1, 0, 0, 0, 1)
            for p, e in zip(places, unit):
                _fix(after, p, se.Integer(e))
            yield after
