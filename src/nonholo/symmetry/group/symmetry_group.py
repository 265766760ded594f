"""The symmetry group of a system: one cached record with every kind of generator on the coordinates."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import sample
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System
from nonholo.model.system_structure import structure
from nonholo.notation.write import to_text
from nonholo.symmetry.exact.modular_states import Motion, NoPoints, motion_of
from nonholo.symmetry.group.affine_symmetries import affine_symmetries
from nonholo.symmetry.group.coordinate_blocks import blocks_of, turns_of
from nonholo.symmetry.group.library_symmetries import hidden_generators
from nonholo.symmetry.group.shift_turn_algebra import Algebra, decided_algebra

SMALL = 1e-9


@dataclass(frozen=True, eq=False)
class Proposal:
    """Generators by name, as matrices on ``(x, 1)``, and all affine symmetries they were chosen from."""

    generators: dict[str, Numbers]
    algebra: tuple[Numbers, ...]


def proposal(system: System) -> Proposal:
    """All affine symmetries, and some of them taken one after the other while the action stays free.

    Shifts come first, then turns of rotations from the left and the right, turns of rotations with two coordinates,
    turns of two coordinates with headings, and then whatever else there is among affine fields.
    """
    if not system.coordinates:
        return Proposal({}, ())
    whole = affine_symmetries(system)
    everything = whole.fields
    size = len(system.coordinates) + 1
    hidden = {f"{b.name}_turn": np.zeros((size, size)) for b in blocks_of(system.frame) if b.kind == "vertical"}
    if not everything:
        return Proposal(hidden, ())
    points = _points(system)
    found: dict[str, Numbers] = {}
    every = _Span(everything)
    for names, matrices in _candidates(system, everything):
        if any(n in found for n in names) or not all(map(every.holds, matrices)):
            continue
        chosen = _Span(found.values())
        new = [m for m in matrices if not chosen.holds(m)]
        if not new:
            continue
        added = _closure([*found.values(), *new], len(points[0]))
        if added is None or not _free([*found.values(), *added[len(found) :]], points):
            continue
        extra = added[len(found) :]
        labels = list(names) if len(extra) == len(names) else [f"{names[0]}_{k + 1}" for k in range(len(extra))]
        found |= dict(zip(labels, extra))
    return Proposal({**hidden, **found}, everything)


def table_of(system: System, matrix: Numbers) -> dict[str, str]:
    """A field as text for each coordinate that it moves."""
    x = (*symbols(system.coordinates), se.Integer(1))
    result = {}
    for name, row in zip(system.coordinates, matrix):
        parts = [_exact(e) * s for e, s in zip(row, x) if abs(e) > SMALL]
        if parts:
            result[name] = to_text(se.Add(*parts))
    return result


def _exact(value: float) -> Any:
    found = Fraction(float(value)).limit_denominator(24)
    return se.Rational(found.numerator, found.denominator)


def _points(system: System) -> Numbers:
    """Generic configurations, with a one at the end."""
    found = []
    for k in range(6):
        try:
            place = sample(system.frame, k)
        except ModelError:
            continue
        found.append([*(place[c] for c in system.coordinates), 1.0])
    return np.array(found)


class _Span:
    """The combinations of some matrices, by an orthonormal basis that grows."""

    def __init__(self, matrices: Iterable[Numbers]) -> None:
        self._basis: list[Numbers] = []
        for matrix in matrices:
            self.add(matrix)

    def _outside(self, matrix: Numbers) -> Numbers:
        rest = np.asarray(matrix, dtype=float).ravel()
        if self._basis:
            basis = np.array(self._basis)
            for _ in range(2):  # twice is enough [Kahan, Parlett]
                rest = rest - (basis @ rest) @ basis
        return rest

    def holds(self, matrix: Numbers) -> bool:
        """Whether a matrix is a combination of them."""
        return not np.max(np.abs(self._outside(matrix))) > 1e-7

    def add(self, matrix: Numbers) -> bool:
        """Add a matrix; whether it was none of the combinations before."""
        rest = self._outside(matrix)
        if not np.max(np.abs(rest)) > 1e-7:
            return False
        self._basis.append(rest / np.linalg.norm(rest))
        return True


def _closure(matrices: Sequence[Numbers], most: int) -> list[Numbers] | None:
    """The matrices followed by a basis of what their commutators add; None where there are too many to act freely."""
    found = list(matrices)
    span = _Span(found)
    known = 0
    while known < len(found):
        known = len(found)
        for i in range(known):
            for j in range(i + 1, known):
                new = found[i] @ found[j] - found[j] @ found[i]
                if np.max(np.abs(new)) > SMALL and span.add(new):
                    found.append(new)
                    if len(found) > most:
                        return None
    return found


def _free(matrices: Sequence[Numbers], points: Numbers) -> bool:
    """Whether the fields are independent at most configurations."""
    if len(matrices) > points.shape[1] - 1:
        return False
    ranks = []
    for p in points:
        values = np.stack([m[:-1] @ p for m in matrices])
        sizes = np.linalg.norm(values, axis=1, keepdims=True)
        ranks.append(np.linalg.matrix_rank(values / np.where(sizes > 0, sizes, 1), tol=1e-7))
    return bool(sum(r == len(matrices) for r in ranks) * 2 > len(points))


def _candidates(system: System, everything: Sequence[Numbers]) -> Iterator[tuple[list[str], list[Numbers]]]:
    """Names and matrices of candidate generators, in order of preference."""
    names = system.coordinates
    size = len(names) + 1
    index = {c: k for k, c in enumerate(names)}
    blocks = blocks_of(system.frame)
    inside = {c for block in blocks for c in block.coordinates}
    plain = [c for c in names if c not in inside]

    def shift(c: str) -> Numbers:
        found = np.zeros((size, size))
        found[index[c], -1] = 1.0
        return found

    def turn(x: str, y: str) -> Numbers:
        found = np.zeros((size, size))
        found[index[x], index[y]], found[index[y], index[x]] = -1.0, 1.0
        return found

    yield from (([f"shift_{c}"], [shift(c)]) for c in plain)
    pairs = [(x, y) for k, x in enumerate(plain) for y in plain[k + 1 :]]
    for block in blocks:
        places = [index[c] for c in block.coordinates]
        turns = {}
        for name, part in turns_of(block):
            turns[name] = np.zeros((size, size))
            turns[name][np.ix_(places, places)] = part
        for stem in ("turn", "spin"):
            three = [f"{block.name}_{stem}{k}" for k in (1, 2, 3) if f"{block.name}_{stem}{k}" in turns]
            if three:
                yield three, [turns[n] for n in three]
        whole = [f"{block.name}_turn{k}" for k in (1, 2, 3)]
        if whole[0] in turns:
            for x, y, z in combinations(plain, 3):
                yield whole, [turns[n] + turn(a, b) for n, (a, b) in zip(whole, ((y, z), (z, x), (x, y)))]
        for axis in (3, 1, 2):
            one, label = turns.get(f"{block.name}_turn{axis}"), "turn" if axis == 3 else f"turn{axis}"
            if one is not None:
                yield from (([f"{block.name}_{label}"], [one + turn(x, y)]) for x, y in pairs)
                yield from (([f"{block.name}_{label}"], [one - turn(x, y)]) for x, y in pairs)
                yield [f"{block.name}_{label}"], [one]
                yield from (([f"{block.name}_{label}"], [one + shift(c)]) for c in plain)
            spin = turns[f"{block.name}_spin{axis}"]
            yield [f"{block.name}_{'spin' if axis == 3 else f'spin{axis}'}"], [spin]
    for x, y in pairs:
        others = [c for c in plain if c not in (x, y)]
        yield from ((["turn"], [turn(x, y) + shift(a)]) for a in others)
        yield ["turn"], [turn(x, y) + sum((shift(a) for a in others), np.zeros((size, size)))]
        yield ["turn"], [turn(x, y)]
    taken: dict[str, int] = {}
    for matrix in everything:
        kind = kind_of(matrix)
        if kind == "shift":
            kind = "_".join(["shift", *(c for c, row in zip(names, matrix) if np.any(row))])
        elif kind == "turn" and not np.any(matrix[:, -1]):  # counterclockwise
            first = next(row for row in matrix if np.any(row))
            matrix = matrix * (-1.0 if first[np.flatnonzero(first)[0]] > 0 else 1.0)
        taken[kind] = taken.get(kind, 0) + 1
        yield [kind if taken[kind] == 1 else f"{kind}{taken[kind]}"], [matrix]


def kind_of(matrix: Numbers) -> str:
    """A word for an affine field: shift, turn, scaling or shear."""
    found = np.linalg.eigvals(matrix)
    if np.max(np.abs(found.imag)) > 1e-6:
        return "turn"
    if np.max(np.abs(found.real)) > 1e-3:
        return "scale"
    return "shift" if np.max(np.abs(matrix[:, :-1])) < SMALL else "shear"


Generator = tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Group:
    """Symmetries of a system as fields on its coordinates; each kind is computed on first use.

    ``plain`` are combinations of shifts and turns, with factors of the parameters where needed; ``hidden`` are not affine;
    ``affine`` has all affine fields with small fractions, and among them a subgroup that acts freely, which is ``symmetry``.
    """

    system: System
    motion: Motion | None
    problem: str = ""
    """Why there is no motion in exact arithmetic."""

    @cached_property
    def _algebra(self) -> Algebra:
        motion = self.motion
        if motion is None:
            return Algebra({}, self.problem)
        return _PLAIN.get(_key(motion), lambda: decided_algebra(motion))

    @property
    def plain(self) -> FrozenMap[str, Generator]:
        """Combinations of shifts and turns."""
        return FrozenMap(self._algebra.fields)

    @property
    def open(self) -> str:
        """Why there may be more of the plain ones; nothing where there are none."""
        return self._algebra.open

    @cached_property
    def hidden(self) -> FrozenMap[str, Generator]:
        """Fields that are not affine in these coordinates."""
        motion = self.motion
        return FrozenMap() if motion is None else _HIDDEN.get(_key(motion), lambda: FrozenMap(hidden_generators(motion)))

    @property
    def generators(self) -> dict[str, Generator]:
        """The plain and the hidden ones."""
        return {**self.plain, **self.hidden}

    @cached_property
    def affine(self) -> Proposal:
        """All affine symmetries as matrices on ``(x, 1)``, and a subgroup of them that acts freely, by name."""
        return proposal(self.system)

    @property
    def symmetry(self) -> Symmetry | None:
        """The free subgroup as a declaration; None where it is trivial."""
        found = self.affine.generators
        return Symmetry({n: table_of(self.system, m) for n, m in found.items()}, "found") if found else None


_GROUPS: Cache[Group] = Cache(64)
_PLAIN: Cache[Algebra] = Cache(64)
_HIDDEN: Cache[FrozenMap[str, Generator]] = Cache(64)


def group_of(system: System) -> Group:
    """The symmetry group of a system, cached by its structure; ``open`` says why where it cannot be computed.

    >>> skate = System(coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2 - x",
    ...     constraints=["xdot*sin(th) - ydot*cos(th)"])
    >>> list(group_of(skate).generators)
    ['shift_x', 'shift_y']
    """

    def found() -> Group:
        try:
            return Group(system, motion_of(system))
        except NoPoints as problem:
            return Group(system, None, str(problem))

    return _GROUPS.get((structure(system), system.parameters, system.start), found)


def group_of_motion(motion: Motion) -> Group:
    """The same, of a system whose equations are there."""
    return Group(motion.system, motion)


def _key(motion: Motion) -> Hashable:
    return structure(motion.system), tuple(sorted((str(s), str(e)) for e, s in motion.constants.items()))
