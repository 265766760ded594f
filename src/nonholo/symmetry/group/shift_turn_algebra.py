"""The algebra of translations and rotations of a system, by one null space modulo a prime."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import ONE, ZERO, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import transpose
from nonholo.algebra.prime.modular_arithmetic import P, Residues, fraction_of, independent_columns, null_space
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.algebra.prime.rational_reconstruction import rational_functions
from nonholo.errors import ModelError
from nonholo.geometry.distributions.random_configurations import NoPoints
from nonholo.geometry.frames.frame_files import GROUPS
from nonholo.model.system import System
from nonholo.notation.write import to_text
from nonholo.symmetry.exact.modular_states import Motion
from nonholo.symmetry.group.determining_equations import Fields, conditions, jets
from nonholo.symmetry.vector_fields import components, velocity_lift

Generator = tuple[Expr, ...]
PAIRS = 36
"""With more pairs of coordinates than this, rotations of pairs are not tried."""
SETS = 150
"""The most null spaces that are computed to read one combination."""


@dataclass(frozen=True)
class Elementary:
    """A shift or turn: its name, the field on the coordinates, and its components in the frame."""

    name: str
    field: Generator
    inner: Generator


def elementary(system: System) -> list[Elementary]:
    """Shifts of coordinates, turns of pairs of them, turns of every rotation in space and about its own axes."""
    frame = system.frame
    names = system.coordinates
    plain = [c for c in names if c not in frame.redundant]
    fields: dict[str, Mapping[str, Expr]] = {f"shift_{c}": {c: ONE} for c in plain}
    if not _pairs_left(system):
        pairs = [tuple(sorted(pair)) for pair in combinations(plain, 2)]
        fields |= {f"turn_{a}{b}": {a: -symbol(b), b: symbol(a)} for a, b in pairs}
    for words in frame.recipe:
        if words["kind"] == "Vertical":
            rates = str(words.get("rates", "w1 w2 w3")).split()
            columns = [transpose(frame.anchor)[system.velocities.index(w)] for w in rates]
            fields |= {f"{words.get('name', 'g')}_spin{k + 1}": dict(zip(names, c)) for k, c in enumerate(columns)}
        elif words["kind"] in GROUPS and words["kind"] != "SE2":
            fields |= _turns(words, names)
    result = []
    for name, table in fields.items():
        field = tuple(se.sympify(table.get(c, ZERO)) for c in names)
        try:
            inner = components(frame, field, f"{system.name}: {name}")
        except ModelError:
            continue
        result.append(Elementary(name, field, inner))
    return result


def _pairs_left(system: System) -> bool:
    """Whether there are too many pairs of plain coordinates to try their turns."""
    return comb(sum(c not in system.frame.redundant for c in system.coordinates), 2) > PAIRS


def _turns(words: Mapping[str, str], names: tuple[str, ...]) -> dict[str, Mapping[str, Expr]]:
    """The columns of the group's anchor from both sides: spins about axes of the body, turns about axes of space."""
    plain = {k: v for k, v in words.items() if k not in ("kind", "side")}
    result: dict[str, Mapping[str, Expr]] = {}
    for side, word in (("body", "spin"), ("spatial", "turn")):
        try:
            one = GROUPS[words["kind"]](**plain, side=side)
        except (ModelError, TypeError):
            continue
        for k, column in enumerate(transpose(one.anchor)[:3]):
            result[f"{plain.get('name', '')}_{word}{k + 1}"] = dict(zip(one.coordinates, column))
    return {n: f for n, f in result.items() if set(f) <= set(names)}


@dataclass(frozen=True)
class Algebra:
    """Fields by name; ``open`` says why there may be more, and is empty where the algebra is complete."""

    fields: dict[str, Generator]
    open: str = ""


def decided_algebra(motion: Motion) -> Algebra:
    """All combinations of the elementary fields, with constant factors, that are symmetries of the equations.

    The factors are numbers, or functions of the parameters.
    """
    system = motion.system
    known = elementary(system) if system.coordinates else []
    if not known:
        return Algebra({})
    ansatz = Fields(tuple(e.field for e in known), tuple(velocity_lift(system, e.inner) for e in known))
    first = _somewhere(motion, ansatz, (3,))
    second = _somewhere(motion, ansatz, (173, 179, 181, 191)) if first else None
    if first is None or second is None:
        return Algebra({}, "there are too few random states with real roots")
    (matrix, count, vague), (again, _, _) = first, second
    result: dict[str, Generator] = {}
    left = ""
    for free, vector in null_space(matrix):
        used = [int(k) for k in np.flatnonzero(vector)]
        fractions = [fraction_of(int(vector[k])) for k in used]
        # one set of parameters is not enough: every fifth number is a fraction of numbers below 32000 by accident
        if None not in fractions and not np.any(_applied(again, used, vector)):
            weights = [se.Rational(w.numerator, w.denominator) for w in fractions if w is not None]
        else:
            read = factors_of(lambda given: _rows(motion, ansatz, count, 3, given), motion, used, free)
            if read is None:
                left = "a combination of shifts and turns does, with factors of the parameters that were not read"
                continue
            weights = [motion.restored(w) for w in read]
        parts = [(w / weights[0], known[k]) for w, k in zip(weights, used)]
        result[_word(parts)] = tuple(se.Add(*(w * e.field[k] for w, e in parts)) for k in range(len(system.coordinates)))
    if not left and vague:
        left = "a function or a root is not known exactly, and what changes may be zero"
    if not left and _pairs_left(system):
        left = f"there are more than {PAIRS} pairs of coordinates, whose turns were not tried"
    return Algebra(dict(sorted(result.items(), key=lambda item: len(item[0].split()))), left)


def rational_algebra(motion: Motion, fields: Sequence[Generator]) -> list[list[Fraction]] | None:
    """The combinations of fields with constant fractions that are symmetries, by rows; None with too few random states.

    Combinations that agree where the holonomic constraints hold are one: `w ∂_y` is no symmetry of a motion on `w = 0`.
    """
    system = motion.system
    ansatz = Fields(tuple(fields), tuple(velocity_lift(system, components(system.frame, f, system.name)) for f in fields))
    first = _somewhere(motion, ansatz, (3,))
    second = _somewhere(motion, ansatz, (173, 179, 181, 191)) if first else None
    if first is None or second is None:
        return None
    result = []
    for _, vector in null_space(first[0]):
        used = [int(k) for k in np.flatnonzero(vector)]
        weights = {k: fraction_of(int(vector[k])) for k in used}
        if not np.any(_applied(second[0], used, vector)):
            row = [weights.get(k, Fraction(0)) for k in range(len(fields))]
            result.append([w for w in row if w is not None])
    whole = [row for row in result if len(row) == len(fields)]
    if not system.holonomic:
        return whole
    return [whole[k] for k in _different(motion, [_combined(row, fields) for row in whole], first[1])]


def _combined(weights: Sequence[Fraction], fields: Sequence[Generator]) -> Generator:
    used = [(se.Rational(w.numerator, w.denominator), f) for w, f in zip(weights, fields) if w]
    return tuple(se.Add(*(w * f[k] for w, f in used)) for k in range(len(fields[0])))


def _different(motion: Motion, fields: Sequence[Generator], count: int) -> list[int]:
    """The fields that are independent of those before them at admissible configurations."""
    if not fields:
        return []
    at = jets(motion, count, 3)
    values = np.stack([at.values(f) for f in fields], axis=2)[at.points.good]
    return independent_columns(values.reshape(-1, len(fields)))


def _rows(motion: Motion, ansatz: Fields, count: int, seed: int, given: Mapping[str, int] | None = None) -> Residues:
    """The conditions at random jets, all with the same parameters: random ones or given ones."""
    numbers = {n: Fraction(v) for n, v in given.items()} if given else None
    return conditions(ansatz, jets(motion, count, seed, numbers), len(ansatz) + 4)


def _somewhere(motion: Motion, ansatz: Fields, seeds: Sequence[int]) -> tuple[Residues, int, bool] | None:
    """Rows where enough states have real roots, at how many states (roots exist at some only, or for some parameters), and
    whether numbers that are not zero there may be zero in truth.
    """
    size = len(ansatz)
    for seed, count in product(seeds, (size + 10, 4 * size + 60, 16 * size + 300)):
        try:
            at = jets(motion, count, seed, least=size + 4)
            return conditions(ansatz, at, size + 4), count, at.points.opaque
        except (NoPoints, Unsupported):
            continue
    return None


def _word(parts: Sequence[tuple[Expr, Elementary]]) -> str:
    """The name of a combination, with a blank between its terms alone."""
    terms = []
    for w, e in parts:
        text = to_text(w).replace(" ", "")
        terms.append(e.name if w == 1 else f"{text if w.is_Number else f'({text})'}*{e.name}")
    return " + ".join(terms).replace("+ -1*", "- ")


def _applied(matrix: Residues, used: Sequence[int], vector: Residues) -> Residues:
    """The combination of columns in every row."""
    total = np.zeros(len(matrix), dtype=np.int64)
    for k in used:
        total = (total + matrix[:, k] * int(vector[k])) % P
    return total


def factors_of(
    matrix: Callable[[Mapping[str, int]], Residues], motion: Motion, used: Sequence[int], free: int
) -> list[Expr] | None:
    """The factors of the columns that are ``used``, 1 at the column ``free``; None where they are not simple enough."""

    def vector(given: Mapping[str, int]) -> Residues | None:
        try:
            table = matrix(given)[:, list(used)]
        except (NoPoints, Unsupported):
            return None
        return next((v for column, v in null_space(table) if column == list(used).index(free)), None)

    def vectors(sets: Mapping[str, Residues]) -> tuple[Residues, NDArray[np.bool_]]:
        count = len(next(iter(sets.values()))) if sets else 1
        found = [vector({n: int(v[k]) for n, v in sets.items()}) for k in range(count)]
        rows = np.array([v if v is not None else np.zeros(len(used), dtype=np.int64) for v in found])
        return rows, np.array([v is not None for v in found])

    return rational_functions(tuple(motion.system.parameters), vectors, 131, SETS)
