"""Invariant fields of D along which gauge momenta are sought."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import (
    ONE,
    ZERO,
    along,
    atoms,
    expand,
    expanded_terms,
    gradient,
    larger_than,
    symbol,
    symbols,
)
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import dot, evaluate, evaluate_matrix, identity
from nonholo.algebra.subspaces import numeric_rank, rational_kernel
from nonholo.errors import ModelError
from nonholo.model.system import System
from nonholo.notation.read import expression
from nonholo.symmetry.group.symmetry_group import group_of
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, configuration, table

SAME = 1e-9


@dataclass(frozen=True)
class Variable:
    """What coefficients may depend on: a coordinate, or a sum of coordinates with its own private symbol."""

    symbol: Symbol
    expression: Expr
    pivot: str
    """The coordinate that is solved for when the variable is given."""
    across: str | None = None
    """The other coordinate of a radius ``sqrt(x² + y²)``."""

    def __str__(self) -> str:
        return str(self.expression)


def variable_of(system: System, text: Any) -> Variable:
    """A variable from a coordinate's name, or from text such as ``"xi - theta"`` that is linear in the coordinates."""
    value = expression(text, system.coordinates, f"{system.name}: depends_on")
    if value.is_Symbol:
        return Variable(value, value, str(value))
    round_one = _radius_of(value)
    if round_one is not None:
        return round_one
    x = symbols(system.coordinates)
    slopes = gradient(value, x)
    bent = system.frame.redundant & {str(s) for s in value.free_symbols}
    able = [c for c, e in zip(system.coordinates, slopes) if e in (1, -1)]
    if bent or not able or any(not e.is_Number for e in slopes):
        raise ModelError(
            f"{system.name}: depends_on {text!r} must be a coordinate, a sum of coordinates such as "
            f"'{' - '.join(system.coordinates[:2])}', or a radius such as 'sqrt(x**2 + y**2)'."
        )
    return Variable(symbol("_shape_"), value, able[0])


def shape_variables(found: Momenta, group: Mapping[str, Generator]) -> tuple[Variable, ...]:
    """The coordinates, and the sums of coordinates, that no generator moves and the motion does."""
    system = found.system
    x = found.coordinates
    if not x:
        return ()
    spots = [configuration(system, 40 + k) for k in range(4)]
    rows = np.vstack([evaluate_matrix(list(group.values()), s) for s in spots]) if group else np.zeros((0, len(x)))
    carried = np.abs(np.vstack([evaluate_matrix(found.fields, s) for s in spots]))
    free = [k for k in range(len(x)) if not len(rows) or np.max(np.abs(rows[:, k])) < SAME]
    result = [Variable(x[k], x[k], str(x[k])) for k in free if np.max(carried[:, k]) > SAME]
    rest = [k for k in range(len(x)) if k not in free and str(x[k]) not in system.frame.redundant]
    if rest and len(rows):
        for weights in rational_kernel(rows[:, rest]):
            used = [(w, x[k]) for w, k in zip(weights, rest) if w != 0]
            if all(abs(w) == 1 for w, _ in used):
                result.append(Variable(symbol("_shape_"), se.Add(*(w * c for w, c in used)), str(used[0][1])))
    moved = {str(x[k]) for k in rest}
    for a, b in combinations([c for c in map(str, x) if c in moved], 2):
        # a pair that the group turns about its origin has a radius
        k, l = system.coordinates.index(a), system.coordinates.index(b)
        places = np.array([[s[a], s[b]] for s in spots])
        turned = np.array([evaluate_matrix(list(group.values()), s)[:, [k, l]] for s in spots])
        if np.max(np.abs(np.einsum("sgi,si->sg", turned, places)), initial=0.0) < SAME:
            result.append(radius(a, b))
    return tuple(result)


def radius(a: str, b: str) -> Variable:
    """``sqrt(a² + b²)`` as a variable."""
    return Variable(symbol("_shape_"), se.sqrt(symbol(a) ** 2 + symbol(b) ** 2), a, b)


def _radius_of(value: Expr) -> Variable | None:
    names = sorted(map(str, value.free_symbols))
    if len(names) == 2 and expand(value**2 - symbol(names[0]) ** 2 - symbol(names[1]) ** 2) == 0:
        return radius(*names)
    return None


Generator = tuple[Expr, ...]
NODES = 500
"""Holonomic constraints with more nodes than this are not solved for coordinates."""
MULTIPLIED = 3000
"""Holonomic constraints with more terms than this are not multiplied out."""
TURNING = "SO3"
POLAR = 24
"""Libraries with more functions than this are not tried."""


def declared_generators(system: System) -> dict[str, Generator]:
    """The declared generators as fields on the coordinates."""
    if system.symmetry is None:
        return {}
    names = (*system.coordinates, *system.parameters)
    return {
        word: tuple(expression(field.get(c, "0"), names, f"{system.name}: symmetry {word}") for c in system.coordinates)
        for word, field in system.symmetry.generators.items()
    }


def generators(system: System) -> dict[str, Generator]:
    """The declared generators, and further translations and rotations that are symmetries of the equations."""
    known = declared_generators(system)
    found = group_of(system).plain
    blocks = [str(words["name"]) for words in system.frame.recipe if words["kind"] == TURNING]
    for word, field in found.items():
        if not _contained(system, field, known):
            short = word.replace(f"{blocks[0]}_", "") if len(blocks) == 1 else word
            known[short if short not in known else word] = field
    return known


def _contained(system: System, field: Generator, known: Mapping[str, Generator]) -> bool:
    """Whether a field is a combination, with constant factors, of those known."""
    if not known:
        return False
    columns = [*known.values(), field]
    rows = np.vstack([evaluate_matrix(columns, configuration(system, 60 + k)).T for k in range(4)])
    return numeric_rank(rows) == numeric_rank(rows[:, :-1])


def invariant_fields(found: Momenta, group: Mapping[str, Generator]) -> tuple[Field, ...] | None:
    """As many independent fields ``Y = Σ y^i X_i`` of D as there are speeds, with ``[ξ, Y] = 0`` for all generators.

    The ``y^i`` are sought among rational combinations of 1, then of the coordinates, sines and cosines too.
    """
    count = len(found.speeds)
    if not group:
        return identity(count)
    x = found.coordinates
    steps = [dict(zip(x, field)) for field in group.values()]
    brackets = [
        [tuple(a - b for a, b in zip(along(own, step), along(field, dict(zip(x, own))))) for own in found.fields]
        for field, step in zip(group.values(), steps)
    ]
    moving = [c for c in x if any(e.diff(c) != 0 for field in group.values() for e in field)]
    waves = [f(c) for c in _angles(found) for f in (se.sin, se.cos)]
    bent = any(se.diff(e, a, b) != 0 for field in group.values() for e in field for a in x for b in x)
    for library in ([ONE], [ONE, *moving], [ONE, *moving, *waves], _polar(found) if bent else []):
        fields = _commuting(found, brackets, steps, library) if library else None
        if fields is not None:
            return fields
    return None


def _polar(found: Momenta) -> list[Expr]:
    """Sines and cosines of the angles that occur, also of sums, times 1 and one over each coordinate beside them."""
    entries = [e for field in found.fields for e in field]
    waves = atoms(entries, se.sin, se.cos, se.tan)
    angles = sorted({f.args[0] for f in waves}, key=str)
    bare = {s for e in entries for s in e.xreplace({f: se.Dummy() for f in waves}).free_symbols}
    scales = [ONE, *(1 / c for c in found.coordinates if c in bare)]
    turns = [ONE, *(f(a) for a in angles for f in (se.sin, se.cos))]
    return [s * t for s in scales for t in turns] if angles and len(scales) * len(turns) <= POLAR else []


def _angles(found: Momenta) -> list[Any]:
    entries = [e for field in found.fields for e in field]
    turning = {f.args[0] for f in atoms(entries, se.sin, se.cos)}
    return [c for c in found.coordinates if c in turning]


def _commuting(
    found: Momenta,
    brackets: Sequence[Sequence[Sequence[Expr]]],
    steps: Sequence[Mapping[Any, Expr]],
    library: list[Expr],
) -> tuple[Field, ...] | None:
    count, size = len(found.speeds), len(library)
    rows = []
    spots = max(3, 2 * count * size // max(1, len(found.coordinates) * len(steps)) + 2)
    moved = [along(library, step) for step in steps]
    flat = [*library, *(e for m in moved for e in m), *(e for own in found.fields for e in own)]
    flat += [e for part in brackets for own in part for e in own]
    N, G = len(found.coordinates), len(steps)
    places = [
        {**configuration(found.system, 200 + k), **dict.fromkeys(map(str, found.speeds), 0.0)} for k in range(spots)
    ]
    for numbers in table(found, flat, places):
        values, rest = numbers[:size], numbers[size:]
        change, rest = rest[: G * size].reshape(G, size), rest[G * size :]
        own, rest = rest[: count * N].reshape(count, N), rest[count * N :]
        bracket = rest.reshape(G, count, N)
        for g in range(G):
            # columns (i, b): (ξ φ_b) X_i + φ_b [ξ, X_i]
            block = np.einsum("b,ix->xib", change[g], own) + np.einsum("b,ix->xib", values, bracket[g])
            rows.append(block.reshape(N, count * size))
    matrix = np.vstack(rows)
    if not np.all(np.isfinite(matrix)):
        return None
    matrix = matrix[np.max(np.abs(matrix), axis=1) > 1e-10]
    kernel = (
        rational_kernel(matrix)
        if len(matrix)
        else identity(count * size)
    )
    fields = [tuple(dot(w[i * size : (i + 1) * size], library) for i in range(count)) for w in kernel]
    chosen: list[Field] = []
    spot = configuration(found.system, 7)
    for field in fields:
        trial = evaluate_matrix([*chosen, field], spot)
        if numeric_rank(trial) == len(trial):
            chosen.append(field)
        if len(chosen) == count:
            return tuple(chosen)
    return None


def slices(system: System, of: Variable) -> Iterator[dict[Any, Expr]]:
    """Curves of configurations along which the variable is itself and everything else is a simple constant."""
    s, variable = of.symbol, of.pivot
    entries = [*system.constraints, system.lagrangian, *(e for row in system.frame.anchor for e in row)]
    angles = {a for f in atoms(entries, se.sin, se.cos, se.tan) for a in f.args[0].free_symbols}
    across = se.sqrt(1 - s**2)
    for attempt in range(4):
        curve: dict[Any, Expr] = {}
        ok = True
        for words in system.frame.recipe:
            names = [c for c in system.coordinates if c.startswith(str(words.get("name", "\0")))]
            if words["kind"] == TURNING:
                curve |= _rotation(str(words["name"]), variable, across, attempt)
            elif words["kind"] == "Vertical":
                curve |= _vertical(names, variable, across, attempt)
            elif words["kind"] in ("Quaternion", "SE3"):
                ok = False
        fractions = [se.Rational(p, q) for p, q in ((1, 3), (2, 7), (5, 11), (4, 9), (3, 8), (7, 13))]
        turns = [se.pi / 3, se.pi / 4, se.pi / 6]
        for k, c in enumerate(system.coordinates):
            if symbol(c) not in curve and c != variable:
                place = turns[(k + attempt) % 3] if symbol(c) in angles else fractions[(k + 2 * attempt) % 6]
                curve[symbol(c)] = place if attempt else ZERO
        if not ok or (system.frame.relations and not system.frame.recipe):
            return
        if of.across is not None:
            near, far, whole = ((1, 0, 1), (3, 4, 5), (5, 12, 13), (8, 15, 17))[attempt]
            curve[symbol(of.pivot)], curve[symbol(of.across)] = s * near / whole, s * far / whole
        elif of.expression != s:
            pivot = symbol(of.pivot)
            slope = of.expression.diff(pivot)
            curve[pivot] = expand(((s - of.expression.xreplace({pivot: ZERO})) * slope).xreplace(curve))
        held = _held(system, curve, of)
        if held is not None:
            yield held


def _held(system: System, curve: dict[Any, Expr], of: Variable) -> dict[Any, Expr] | None:
    """The curve on the holonomic constraints, each solved for one coordinate in which it is of first or second degree.

    None where one has no such coordinate, or where formulas on the way have more than `MULTIPLIED` terms when multiplied out.
    """
    if larger_than(system.holonomic, NODES):
        return None
    taken = {*symbols(system.frame.redundant), of.symbol, symbol(of.pivot), *([symbol(of.across)] if of.across else [])}
    for residual in system.holonomic:
        left = _multiplied(se.sympify(residual).xreplace(curve))
        if left is None:
            return None
        if left == 0:
            continue
        for c in (c for c in symbols(system.coordinates) if c not in taken and c in residual.free_symbols):
            open_ = _multiplied(residual.xreplace({k: e for k, e in curve.items() if k != c}))
            if open_ is None or expanded_terms(open_.diff(c) ** 2, MULTIPLIED) > MULTIPLIED:
                return None
            bend, slope = expand(open_.diff(c).diff(c) / 2), expand(open_.diff(c).xreplace({c: ZERO}))
            rest = expand(open_.xreplace({c: ZERO}))
            if c in bend.free_symbols or (bend == 0 and slope == 0):
                continue
            root = (se.sqrt(expand(slope**2 - 4 * bend * rest)) - slope) / (2 * bend) if bend != 0 else -rest / slope
            curve = {k: e.xreplace({c: root}) for k, e in {**curve, c: root}.items()}
            taken.add(c)
            break
        else:
            return None
    return curve


def _multiplied(expr: Expr) -> Expr | None:
    """An expression multiplied out, None where that has too many terms."""
    return expand(expr) if expanded_terms(expr, MULTIPLIED) <= MULTIPLIED else None


def _rotation(name: str, variable: str, across: Expr, attempt: int) -> dict[Any, Expr]:
    """A rotation matrix with the variable as one entry, or a fixed one with rational entries."""
    third = se.Rational(1, 3)
    plain = [[2 * third, -third, 2 * third], [2 * third, 2 * third, -third], [-third, 2 * third, 2 * third]]
    matrix = plain
    places = [(i, j) for i in range(3) for j in range(3) if f"{name}{i + 1}{j + 1}" == variable]
    if places:
        (i, j), s = places[0], symbol(variable)
        base = [[ONE, ZERO, ZERO], [ZERO, s, -across], [ZERO, across, s]]
        if attempt:
            a, b = ((3, 4), (5, 12), (8, 15))[attempt - 1]
            c = se.Integer(int(np.hypot(a, b)))
            turn = [[b / c, -a / c, ZERO], [a / c, b / c, ZERO], [ZERO, ZERO, ONE]]
            base = [[dot(row, column) for column in zip(*base)] for row in turn]
            base = [[dot(row, column) for column in turn] for row in base]
        # cyclic shifts of rows and columns are rotations and carry the last entry to (i, j)
        matrix = [[base[(p - i + 2) % 3][(q - j + 2) % 3] for q in range(3)] for p in range(3)]
    return {symbol(f"{name}{p + 1}{q + 1}"): matrix[p][q] for p in range(3) for q in range(3)}


def rotations_with(system: System, entry: str, value: float, count: int, seed: int) -> list[dict[str, float]] | None:
    """Generic rotation matrices with a given entry, by the names of their entries; None when it is no such entry."""
    for words in system.frame.recipe:
        name = str(words.get("name", ""))
        if words["kind"] == TURNING and entry in (f"{name}{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)):
            curve = _rotation(name, entry, se.sqrt(1 - symbol(entry) ** 2), 0)
            names = [str(k) for k in curve]
            base = evaluate(list(curve.values()), {entry: value}).reshape(3, 3)
            i, j = int(entry[-2]) - 1, int(entry[-1]) - 1
            random = np.random.default_rng(seed)
            found = []
            for one, two in random.uniform(-np.pi, np.pi, (count, 2)):
                matrix = _turn_about(i, one) @ base @ _turn_about(j, two)
                found.append(dict(zip(names, matrix.reshape(-1).tolist())))
            return found
    return None


def _turn_about(axis: int, angle: float) -> np.ndarray[Any, Any]:
    one, two = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[one, one] = matrix[two, two] = np.cos(angle)
    matrix[one, two], matrix[two, one] = -np.sin(angle), np.sin(angle)
    return matrix


def _vertical(names: Sequence[str], variable: str, across: Expr, attempt: int) -> dict[Any, Expr]:
    if variable not in names:
        return dict(zip(symbols(names), (se.Rational(2, 3), -se.Rational(1, 3), se.Rational(2, 3))))
    a, b, c = ((0, 1, 1), (3, 4, 5), (5, 12, 13), (8, 15, 17))[attempt]
    others = [n for n in names if n != variable]
    parts = (se.Rational(a, c) * across, se.Rational(b, c) * across)
    return {symbol(variable): symbol(variable), **dict(zip(symbols(others), parts))}


def pairs(count: int) -> list[tuple[int, int]]:
    """Index pairs ``a ≤ b``."""
    return [(a, a) for a in range(count)] + list(combinations(range(count), 2))
