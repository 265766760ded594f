"""Symmetries that are not affine: fields with coefficients from a library of functions.

A turn of a sphere in its angles, a shift in polar coordinates, a motion of the hyperbolic plane: ``ξ = Σ f_c(q) ∂_c`` with
``f_c`` a combination of products of two functions, each of one variable. That ``ξ`` is a symmetry of the equations is linear in
the combination; it is solved modulo a prime and proved modulo another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ONE, ZERO, along, atoms, gradient, larger_than, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.prime.modular_arithmetic import OTHER, Residues, fraction_of, independent_columns, null_space
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.geometry.distributions.random_configurations import NoPoints
from nonholo.model.system import System
from nonholo.symmetry.exact.modular_states import Motion, motion_of
from nonholo.symmetry.group.coordinate_blocks import Rotation, chart_rotations, rotation_fields
from nonholo.symmetry.group.determining_equations import Fields, Jets, Slopes, conditions, jets, prolonged

Generator = tuple[Expr, ...]
COLUMNS = 460
"""Libraries with more unknowns than this are not tried."""
MARGIN = 8
MANY = 100
"""With more rotations than this the library is smaller."""
LONG = 1500
"""Isometries are not sought for Lagrangians with more nodes."""
_FOUND: WeakCache[tuple[tuple[Expr, ...], ...] | None] = WeakCache(64)


@dataclass(frozen=True)
class Library:
    """Functions of the coordinates, 1 and the coordinates first; what may multiply each ``∂_c``."""

    coordinates: tuple[Symbol, ...]
    functions: tuple[Expr, ...]
    affine: int
    """So many of the functions are 1 or a coordinate."""

    @property
    def columns(self) -> list[tuple[int, int]]:
        """(function, coordinate), those of affine fields first."""
        count = len(self.coordinates)
        return [(b, c) for b in range(len(self.functions)) for c in range(count)]

    def field(self, weights: Mapping[int, Any]) -> Generator:
        """The field with these weights, by column."""
        parts: list[Expr] = [se.Integer(0)] * len(self.coordinates)
        for column, weight in weights.items():
            b, c = self.columns[column]
            parts[c] += weight * self.functions[b]
        return tuple(parts)


def library_of(system: System, most: int = COLUMNS) -> Library | None:
    """The largest library that stays within ``most`` unknowns; None where the coordinates are not plain."""
    x = symbols(system.coordinates)
    if not system.frame.plain or system.holonomic or system.parametric is not None or not x:
        return None
    parts = [system.lagrangian, *system.constraints, *system.forces.values(), *system.magnetic.values()]
    parts = [se.sympify(e) for e in parts]
    angles = {f.args[0] for f in atoms(parts, se.sin, se.cos, se.tan)}
    angles = {a for a in angles if a.free_symbols and a.free_symbols <= set(x)}
    waves = atoms(parts, se.sin, se.cos, se.tan)
    bare = {s for e in parts for s in e.xreplace({f: symbol("_wave_") for f in waves}).free_symbols} & set(x)
    growing = {p for p in atoms(parts, se.Pow) if p.args[0] == se.E and p.free_symbols <= set(x)}
    best = None
    for depth in range(-1, 3):
        squares = depth >= 0
        families = []
        for a in sorted(angles, key=lambda a: (not a.is_Symbol, str(a))):
            own = [se.sin(a), se.cos(a)]
            own += [se.cos(a) / se.sin(a), 1 / se.sin(a)] if depth > 0 else []
            families.append(own + ([se.sin(a) / se.cos(a), 1 / se.cos(a)] if depth > 1 else []))
        # a coordinate that the system does not hold may be an angle all the same
        families += [[c, 1 / c, *([c**2] if squares else [])] for c in x if c in bare]
        families += [[se.sin(c), se.cos(c), *([c, c**2] if squares else [])] for c in x if c not in bare and c not in angles]
        families += [[e, 1 / e] for e in sorted(growing, key=str)]
        flat = [f for own in families for f in own if f not in x]
        pairs = [f * g for one, two in combinations(families, 2) for f in one for g in two]
        functions = _independent(list(dict.fromkeys([ONE, *x, *flat, *pairs])))
        if len(functions) * len(x) > most:
            break
        best = Library(x, tuple(functions), 1 + len(x))
    return best


def _independent(functions: list[Expr]) -> list[Expr]:
    """A linearly independent subset; ``sin(a − b)`` depends on products of sines and cosines."""
    points = Points(len(functions) + MARGIN, 17)
    numbers = np.stack(points.values(functions), axis=1)[points.good]
    return [functions[k] for k in independent_columns(numbers)]


@dataclass(frozen=True)
class _At:
    """The library at points: values ``(points, functions)`` and slopes ``(points, functions, coordinates)``."""

    points: Points
    good: NDArray[np.bool_]
    values: Residues
    slopes: Residues


def _at(library: Library, points: Points) -> _At:
    values = np.stack(points.values(list(library.functions)), axis=1)
    flat = [e for f in library.functions for e in gradient(f, library.coordinates)]
    slopes = np.stack(points.values(flat), axis=1).reshape(len(values), len(library.functions), -1)
    points.need(MARGIN)
    return _At(points, points.good, values, slopes)


@dataclass(frozen=True, eq=False)
class _Columns:
    """The library as an ansatz: a field ``b ∂_c`` for each column, with ``δv^c = ḃ`` and ``δv̇^c = b̈``."""

    library: Library

    def __len__(self) -> int:
        return len(self.library.columns)

    def changes(self, at: Jets, slopes: Slopes) -> Residues:
        x, p = self.library.coordinates, at.points.p
        whole = prolonged(at.motion.system)
        rates = dict(zip(x, symbols(at.motion.system.velocities)))
        once = along(self.library.functions, rates)
        twice = along(once, {**rates, **dict(zip(rates.values(), whole.accelerations))})
        virtual = along(self.library.functions, dict(zip(x, whole.virtual)))
        total = np.zeros((at.points.count, len(self.library.functions), len(x)), dtype=np.int64)
        for part, functions in zip(slopes, (self.library.functions, once, twice, virtual)):
            if np.any(part):
                total = (total + at.values(functions)[:, :, None] * part[:, None, :]) % p
        return total.reshape(at.points.count, -1)


def hidden_symmetries(motion: Motion) -> tuple[Generator, ...] | None:
    """Symmetries in the span of the library that are not affine, proved; None where no library fits or nothing can be computed.

    The result is cached by system.

    >>> from nonholo.symmetry.exact.modular_states import motion_of
    >>> polar = System(coordinates="r phi", lagrangian="(rdot**2 + r**2*phidot**2)/2")
    >>> sorted(tuple(map(str, field)) for field in hidden_symmetries(motion_of(polar)) or ())
    [('-cos(phi)', 'sin(phi)/r'), ('sin(phi)', 'cos(phi)/r')]
    """
    return _FOUND.get(motion.system, lambda: _found(motion, True))


@dataclass(frozen=True, eq=False)
class _Joined:
    """Columns of a library, and further fields that are no combinations of them."""

    columns: _Columns
    more: Fields

    def __len__(self) -> int:
        return len(self.columns) + len(self.more)

    def changes(self, at: Jets, slopes: Slopes) -> Residues:
        first = self.columns.changes(at, slopes)
        return np.hstack([first, self.more.changes(at, slopes)]) if len(self.more) else first

    def field(self, weights: Mapping[int, Any]) -> Generator:
        size = len(self.columns)
        total = list(self.columns.library.field({k: w for k, w in weights.items() if k < size}))
        for k, w in weights.items():
            if k >= size:
                total = [a + w * b for a, b in zip(total, self.more.fields[k - size])]
        return tuple(total)


def _ansatz(system: System) -> _Joined | None:
    """The library with rotations in charts of angles; affine fields and rotations alone where the library is too large."""
    x = symbols(system.coordinates)
    if not system.frame.plain or system.holonomic or system.parametric is not None or not x or system.inputs:
        return None
    turns = rotation_fields(system)
    library = library_of(system, COLUMNS if len(turns) < MANY else COLUMNS - len(turns))
    if library is None and not turns:
        return None
    library = library or Library(x, (ONE, *x), 1 + len(x))
    columns = _Columns(library)
    kept = [] if not turns else [turns[k] for k in _beyond(columns, turns)]
    rates = dict(zip(x, symbols(system.velocities)))
    return _Joined(columns, Fields(tuple(kept), tuple(tuple(along(f, rates)) for f in kept)))


def _beyond(columns: _Columns, fields: Sequence[Generator]) -> list[int]:
    """The fields that are no combinations of the columns or of fields before them."""
    library, size = columns.library, len(columns.library.coordinates)
    count = (len(columns) + len(fields)) // size + 2 * MARGIN
    points = Points(count, 29)
    functions = np.stack(points.values(list(library.functions)), axis=1)
    rows = []
    for c in range(size):
        block = np.zeros((count, len(library.functions), size), dtype=np.int64)
        block[:, :, c] = functions
        rows.append(np.hstack([block.reshape(count, -1), np.stack(points.values([f[c] for f in fields]), axis=1)])[points.good])
    return [k - len(columns) for k in independent_columns(np.vstack(rows)) if k >= len(columns)]


@dataclass(frozen=True)
class Isometries:
    """Killing fields of the kinetic energy, and the rotations among them, recognised in their angles."""

    fields: tuple[Generator, ...] = ()
    rotations: tuple[Rotation, ...] = ()


_ISOMETRIES: WeakCache[Isometries] = WeakCache(64)


def isometries(motion: Motion) -> Isometries:
    """The isometries of the kinetic energy in the same ansatz, affine ones too, whatever the constraints and forces are."""
    return _ISOMETRIES.get(motion.system, lambda: _isometries(motion.system))


def _isometries(system: System) -> Isometries:
    lagrangian, v = lagrangian_in_frame(system), symbols(system.velocities)
    still = dict.fromkeys(v, ZERO)
    slopes = substitute(gradient(lagrangian, v), still)
    kinetic = lagrangian - substitute([lagrangian], still)[0] - se.Add(*(a * s for a, s in zip(slopes, v)))
    if not system.frame.plain or larger_than([lagrangian], LONG):
        return Isometries()
    try:
        free = motion_of(System(coordinates=system.coordinates, parameters=tuple(system.parameters), lagrangian=kinetic))
    except NoPoints:
        return Isometries()
    return Isometries(_found(free, False) or (), _rotations(free, chart_rotations(system)))


def _rotations(motion: Motion, known: Sequence[Rotation]) -> tuple[Rotation, ...]:
    """The rotations whose turns about the axes of space are symmetries."""
    rates = dict(zip(symbols(motion.system.coordinates), symbols(motion.system.velocities)))
    found = []
    try:
        at = jets(motion, 2 * MARGIN, 97)
        for one in known:
            fields = Fields(one.space, tuple(tuple(along(f, rates)) for f in one.space))
            if not np.any(conditions(fields, at, MARGIN)):
                found.append(one)
    except (NoPoints, Unsupported):
        return ()
    return tuple(found)


def _found(motion: Motion, hidden: bool) -> tuple[Generator, ...] | None:
    ansatz = _ansatz(motion.system)
    if ansatz is None:
        return None
    affine = ansatz.columns.library.affine * len(motion.system.coordinates) if hidden else 0
    try:
        matrix = conditions(ansatz, jets(motion, len(ansatz) + MARGIN, 91), MARGIN)
        result = [(whole, ansatz.field(whole)) for whole in _rational(matrix) if max(whole) >= affine]
        if not result:
            return ()
        again = conditions(ansatz, jets(motion, 40, 191, p=OTHER), MARGIN)
    except (NoPoints, Unsupported):
        return None
    return tuple(field for whole, field in result if _holds(again, whole) and len(again) >= 10)


def hidden_generators(motion: Motion) -> dict[str, Generator]:
    """The same by name: ``hidden_1``, ``hidden_2``, …"""
    return {f"hidden_{k + 1}": field for k, field in enumerate(hidden_symmetries(motion) or ())}


def _holds(rows: Residues, weights: Mapping[int, Any]) -> bool:
    """Whether the combination vanishes in every row modulo the second prime."""
    total = np.zeros(len(rows), dtype=np.int64)
    for k, w in weights.items():
        number = int(w.p) * pow(int(w.q), -1, OTHER) if hasattr(w, "q") else int(w)
        total = (total + rows[:, k] * (number % OTHER)) % OTHER
    return not np.any(total)


def commuting_fields(
    motion: Motion, library: Library, generators: Sequence[Generator], slopes: Sequence[Sequence[Expr]]
) -> list[Generator]:
    """Fields in the span of the library that commute with every generator and are annihilated by the rows ``slopes``."""
    x = library.coordinates
    size, n = len(library.columns), len(x)
    count = size // max(1, n * len(generators)) + 2 * MARGIN
    points = Points(count, 57)
    for name in motion.system.parameters:
        points.set(symbol(name), np.full(count, int(points.random()[0]), dtype=np.int64))
    p = points.p
    try:
        at = _at(library, points)
        rows = []
        for field in generators:
            own = np.stack(points.values(list(field)), axis=1)
            bend = np.stack(points.values([e for f in field for e in gradient(f, x)]), axis=1).reshape(count, n, n)
            moved = np.zeros_like(at.values)
            for j in range(n):
                moved = (moved + at.slopes[:, :, j] * own[:, None, j]) % p
            for part in range(n):
                block = (-at.values[:, :, None] * bend[:, None, part, :]) % p
                block[:, :, part] = (block[:, :, part] + moved) % p
                rows.append(block.reshape(count, -1)[at.good])
        for row in slopes:
            numbers = np.stack(points.values(list(row)), axis=1)
            rows.append((at.values[:, :, None] * numbers[:, None, :] % p).reshape(count, -1)[at.good])
    except Unsupported:
        return []
    return [library.field(weights) for weights in _rational(np.vstack(rows))]


def _rational(rows: Residues) -> list[dict[int, Any]]:
    """The null space with small fractions; vectors with others are left out."""
    result = []
    for _, vector in null_space(rows):
        weights = {int(k): fraction_of(int(vector[k])) for k in np.flatnonzero(vector)}
        if all(w is not None for w in weights.values()):
            result.append({k: se.Rational(w.numerator, w.denominator) for k, w in weights.items() if w})
    return result


def invariant_functions(library: Library, generators: Sequence[Generator]) -> list[Expr]:
    """Functions in the span of the library that are invariant under every generator, without constants."""
    size = len(library.functions)
    points = Points(size // max(1, len(generators)) + 2 * MARGIN, 67)
    try:
        at = _at(library, points)
        rows = []
        for field in generators:
            own = np.stack(points.values(list(field)), axis=1)
            rows.append(np.sum(at.slopes * own[:, None, :] % points.p, axis=2) % points.p)
    except Unsupported:
        return []
    found = _rational(np.vstack([r[points.good] for r in rows]))
    shown = [se.Add(*(w * library.functions[k] for k, w in weights.items())) for weights in found]
    return [e for e in shown if e.free_symbols]
