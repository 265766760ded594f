"""Prolong the overdetermined linear system for gauge momenta to an ODE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ONE, ZERO, along, node_count, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.high_precision import evaluate_precisely
from nonholo.algebra.linear_equations import dot, evaluate
from nonholo.algebra.prime.rational_reconstruction import decimal_fraction
from nonholo.algebra.subspaces import independent
from nonholo.geometry.frames.frame import onto
from nonholo.symmetry.integrals.gauge.function_field import Element, FunctionField, Unsupported
from nonholo.symmetry.integrals.gauge.gauge_basis import Variable, pairs, rotations_with, slices
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, along_field, states, table

Row = Sequence[Any]
Table = Sequence[Sequence[Expr]]
SIZE = 6000
"""Rows with more nodes than this are left to numbers."""


class Undecided(Exception):
    """Why the linear problem could not be set up or prolonged; the message is for people."""


@dataclass(frozen=True, eq=False)
class GaugeOde:
    """``P = Σ_k f_k(s) P_k`` is constant just when ``f = E(s) y`` with ``y' = N(s) y``.

    ``P_k`` are the momenta along ``fields`` of D (and, last, the constant 1 when ``affine``); ``E`` and ``N`` have
    entries in ``field``. The dimension of ``y`` is the number of such momenta, for generic parameters.
    """

    momenta: Momenta
    variable: Variable
    fields: tuple[Field, ...]
    affine: bool
    field: FunctionField
    embedding: tuple[tuple[Element, ...], ...]
    matrix: tuple[tuple[Element, ...], ...]
    inertia: tuple[tuple[Element, ...], ...] | None
    """``I = Eᵀ G E`` with ``G = ∂P_k/∂ζ^l``: the momenta ``Σ y_a p_a`` are ``yᵀ I ω``; None for affine systems."""
    weights: tuple[tuple[Element, ...], ...] | None
    """``G E``: with ``ζ`` the components of the velocity along the fields, ``P = Σ_k (G E y)_k ζ^k``."""
    values: FrozenMap[str, float] | None = None
    """The parameters, when the ODE was written down for given ones only."""

    @property
    def dimension(self) -> int:
        return len(self.matrix)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles hold expressions: elements of SymPy's rings cannot be pickled."""
        parts = [
            tuple(tuple(self.field.expression(e) for e in row) for row in part)
            for part in (self.embedding, self.matrix, self.inertia or (), self.weights or ())
        ]
        return _read_back, (self.momenta, self.variable, self.fields, self.affine, *parts, self.values)


def gauge_ode(
    found: Momenta,
    fields: Sequence[Field],
    variable: Variable,
    values: Mapping[str, float] | None = None,
    ranks: tuple[int, int] | None = None,
) -> GaugeOde:
    """All momenta ``Σ f_k(s) P_k`` with coefficients of one variable ``s``, as the solutions of an ODE.

    ``d/dt Σ f_k P_k = Σ f_k' ṡ P_k + f_k Ṗ_k`` must vanish for all velocities and all configurations, that is
    ``(L_σ K)|_D = 0, σU = 0`` with magnetic and affine terms [MacDonnell 1997 §§5.2, 7.1]. Rows without ``f'`` are
    differentiated until no new ones appear. With ``values`` the parameters are numbers from the start; ``ranks`` is what
    `full_rank` says, where it is known.
    """
    affine = not found.homogeneous
    unknowns, columns = conditions(found, fields, variable)
    wanted, plain = ranks or full_rank(found, fields, variable)
    if plain == len(unknowns):
        none = FunctionField(variable.symbol, ())
        return GaugeOde(found, variable, tuple(fields), affine, none, tuple(() for _ in unknowns), (), None, None)
    rows: list[list[Expr]] = []
    first: dict[Any, Expr] | None = None
    for curve in slices(found.system, variable):
        new = _rows(found, fields, columns, curve) if spans(found, fields, curve, variable) else None
        if new is None:
            continue
        first = first if first is not None else curve
        rows = _shortest(found, rows + new, variable)
        if _rank(found, rows, variable) >= wanted:
            break
    if first is None:
        raise Undecided(f"no simple curve of configurations along {variable} is known for these coordinates")
    metric = _metric(found, fields, first)
    s = variable.symbol
    if variable.across is not None:  # a radius is its own length
        length = {se.sqrt(s**2): s, 1 / se.sqrt(s**2): 1 / s}
        rows, metric = ([[se.sympify(e).xreplace(length) for e in row] for row in part] for part in (rows, metric))
    if values is not None:
        fixed = {symbol(n): decimal_fraction(e) for n, e in values.items()}
        rows, metric = ([list(substitute(row, fixed)) for row in part] for part in (rows, metric))
    try:
        field = FunctionField(s, [e for row in (*rows, *metric) for e in row])
        table = [[field.element(e) for e in row] for row in rows]
        inner = [[field.element(e) for e in row] for row in metric]
    except Unsupported as problem:
        raise Undecided(f"the coefficients hold {problem}") from None
    embedding, matrix = prolonged(field, table, len(unknowns))
    weights = [] if affine else _times(field, inner, embedding)
    inertia = [] if affine else _times(field, list(zip(*embedding)), weights)
    read = ([[field.expression(e) for e in row] for row in part] for part in (embedding, matrix, inertia, weights))
    given = None if values is None else FrozenMap(values)
    one, two, three, four = read
    return _read_back(found, variable, tuple(fields), affine, one, two, three, four, given)


def conditions(found: Momenta, fields: Sequence[Field], variable: Variable) -> tuple[list[Any], list[Expr]]:
    """``P_k`` with ``Ṗ_k``, and the columns ``ṡ P_k`` of ``f'`` and ``Ṗ_k`` of ``f``: together they must vanish."""
    unknowns = _unknowns(found, fields)
    speed = _speed(found, variable)
    return unknowns, [*(speed * p for p, _ in unknowns), *(c for _, c in unknowns)]


def _unknowns(found: Momenta, fields: Sequence[Field]) -> list[Any]:
    """``P_k`` with ``Ṗ_k``; the same objects for every variable, so that they are turned into numbers once."""
    held = _OWN.get(found, dict)
    key = tuple(map(tuple, fields))
    if key not in held:
        own = [along_field(found, f) for f in fields]
        held[key] = own if found.homogeneous else [*own, (ONE, ZERO)]
    return held[key]


_OWN: WeakCache[dict[Any, list[Any]]] = WeakCache(4)


def _speed(found: Momenta, variable: Variable) -> Expr:
    return along([variable.expression], dict(zip(found.coordinates, found.motion)))[0]


def _read_back(
    found: Momenta,
    variable: Variable,
    fields: tuple[Field, ...],
    affine: bool,
    embedding: Table,
    matrix: Table,
    inertia: Table,
    weights: Table,
    values: FrozenMap[str, float] | None,
) -> GaugeOde:
    """The ODE from expressions; what has dropped out of the answer is left out of its field."""
    parts = (embedding, matrix, inertia, weights)
    field = FunctionField(variable.symbol, [e for part in parts for row in part for e in row])
    y, n, i, w = (tuple(tuple(field.element(e) for e in row) for row in part) for part in parts)
    return GaugeOde(found, variable, fields, affine, field, y, n, i or None, w or None, values)


def _times(field: FunctionField, left: Sequence[Row], right: Sequence[Row]) -> list[Row]:
    """The product of two matrices over the field."""
    return [[field.reduced(sum((a * b for a, b in zip(row, c)), field.zero)) for c in zip(*right)] for row in left]


def spans(found: Momenta, fields: Sequence[Field], curve: dict[Any, Expr], variable: Variable) -> bool:
    """Whether the fields stay independent along the curve."""
    numbers = _numbers(found, [substitute(f, curve) for f in fields], variable)
    return bool(np.all(np.isfinite(numbers)) and len(independent(numbers)) == len(fields))


def in_fields(
    found: Momenta, fields: Sequence[Field], curve: dict[Any, Expr]
) -> tuple[tuple[Any, ...], dict[Any, Expr]]:
    """Components along the fields as new velocities: ``z^i = Σ ζ^k y_k^i``."""
    zeta = symbols(f"_zeta{k}_" for k in range(len(fields)))
    along_curve = [substitute(f, curve) for f in fields]
    return zeta, {z: dot([f[i] for f in along_curve], zeta) for i, z in enumerate(found.speeds)}


def _rows(
    found: Momenta, fields: Sequence[Field], columns: Sequence[Expr], curve: dict[Any, Expr]
) -> list[list[Expr]] | None:
    """The coefficients of the monomials in ζ: one row for each, ``(f', f)`` as columns."""
    zeta, speeds = in_fields(found, fields, curve)
    here = substitute(substitute(columns, curve), speeds)
    still = dict.fromkeys(zeta, ZERO)
    rows: list[list[Expr]] = []
    slopes = [[e.diff(z) for z in zeta] for e in here]
    for a, b in pairs(len(zeta)):
        rows.append(list(substitute([slope[a].diff(zeta[b]) for slope in slopes], still)))
    if not found.homogeneous:
        rows += [list(substitute([slope[a] for slope in slopes], still)) for a in range(len(zeta))]
    rows.append(list(substitute(here, still)))
    rows = [row for row in rows if any(e != 0 for e in row)]
    flat = [e for row in rows for e in row]
    if node_count(flat) > SIZE or any(e.has(se.nan) or e.has(se.zoo) for e in flat if not e.is_Number):
        return None
    return None if any(e in (se.nan, se.zoo, se.oo) for e in flat) else rows


def _places(found: Momenta, variable: Variable, count: int = 2) -> list[dict[str, float]]:
    """Values of the variable and of the parameters."""
    names = tuple(found.system.parameters)
    return [{**{n: s[n] for n in names}, str(variable.symbol): at(variable, s)} for s in states(found, count, seed=900)]


def _numbers(found: Momenta, rows: Sequence[Sequence[Expr]], variable: Variable) -> np.ndarray[Any, Any]:
    place = _places(found, variable, 1)[0]
    flat = evaluate_precisely([e for row in rows for e in row], place)
    return flat.reshape(len(rows), -1)


def _rank(found: Momenta, rows: Sequence[Sequence[Expr]], variable: Variable) -> int:
    return len(independent(_unit(_numbers(found, rows, variable)))) if rows else 0


def _unit(matrix: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    size = np.max(np.abs(matrix), axis=1, keepdims=True)
    return matrix / np.where(size > 0, size, 1.0)


def _shortest(found: Momenta, rows: list[list[Expr]], variable: Variable) -> list[list[Expr]]:
    """Independent rows that say the same, the shortest first."""
    order = sorted(rows, key=node_count)
    if not order:
        return []
    numbers = _numbers(found, order, variable)
    kept = [row for row, n in zip(order, numbers) if np.all(np.isfinite(n))]
    good = numbers[[k for k, n in enumerate(numbers) if np.all(np.isfinite(n))]]
    live = [k for k, n in enumerate(good) if np.max(np.abs(n)) > 1e-25]
    if not live:
        return []
    return [kept[live[k]] for k in independent(_unit(good[live]))]


def at(variable: Variable, place: Mapping[str, float]) -> float:
    """The variable's value at a configuration."""
    return float(evaluate([variable.expression], place)[0])


def states_at(
    found: Momenta, count: int, parameters: Mapping[str, float], variable: Variable, value: float, seed: int = 1000
) -> list[dict[str, float]]:
    """Generic states with a given value of the variable, on the holonomic constraints."""
    spots = _set(found, count, parameters, variable, value, seed)
    system, frame = found.system, found.system.frame
    if not system.holonomic:
        return spots
    held = (*frame.relations, *system.holonomic, variable.expression - se.RealDouble(value))
    moved = [onto(frame, held, [s[c] for c in frame.coordinates], s) for s in spots]
    return [{**s, **dict(zip(frame.coordinates, place.tolist()))} for s, place in zip(spots, moved)]


def _set(
    found: Momenta, count: int, parameters: Mapping[str, float], variable: Variable, value: float, seed: int
) -> list[dict[str, float]]:
    """Generic states with a given value of the variable."""
    turned = rotations_with(found.system, variable.pivot, value, count, seed)
    if turned is not None:
        return [{**s, **r} for s, r in zip(states(found, count, parameters, seed=seed), turned)]
    if variable.expression.is_Symbol:
        return states(found, count, parameters, {variable.pivot: value}, seed)
    spots = states(found, count, parameters, seed=seed)
    if variable.across is not None:
        pair = (variable.pivot, variable.across)
        return [{**s, **{n: s[n] * value / at(variable, s) for n in pair}} for s in spots]
    slope = float(variable.expression.diff(symbol(variable.pivot)))
    return [{**s, variable.pivot: s[variable.pivot] + (value - at(variable, s)) * slope} for s in spots]


def full_rank(found: Momenta, fields: Sequence[Field], variable: Variable) -> tuple[int, int]:
    """How many conditions there are on ``(f', f)`` at one value of the variable, and how many on ``f`` alone."""
    unknowns = _unknowns(found, fields)
    count = len(unknowns)
    place = states(found, 1, seed=900)[0]
    fixed = {n: place[n] for n in found.system.parameters}
    spots = states_at(found, 6 * count + 6, fixed, variable, at(variable, place))
    both = table(found, [e for part in zip(*unknowns) for e in part], spots)
    numbers = np.hstack([both[:, :count] * table(found, [_speed(found, variable)], spots), both[:, count:]])
    numbers = numbers[np.all(np.isfinite(numbers), axis=1)]
    scale = np.max(np.abs(numbers), axis=0)
    numbers = numbers / np.where(scale > 0, scale, 1.0)
    whole = _significant(numbers)
    return whole, whole - _significant(numbers[:, :count])


def _significant(numbers: np.ndarray[Any, Any]) -> int:
    values = np.linalg.svd(numbers, compute_uv=False) if numbers.size else np.zeros(1)
    return int(np.sum(values > 1e-9 * values[0])) if values[0] > 0 else 0


def _metric(found: Momenta, fields: Sequence[Field], curve: dict[Any, Expr]) -> list[list[Expr]]:
    zeta, speeds = in_fields(found, fields, curve)
    momenta = substitute(substitute([dot(f, found.momenta) for f in fields], curve), speeds)
    still = dict.fromkeys(zeta, ZERO)
    return [list(substitute([p.diff(z) for z in zeta], still)) for p in momenta]


def prolonged(
    field: FunctionField, rows: Sequence[Row], count: int
) -> tuple[tuple[tuple[Element, ...], ...], tuple[tuple[Element, ...], ...]]:
    """``E`` and ``N`` of `GaugeOde`: rows ``(a | b)`` mean ``a·f' + b·f = 0``."""
    whole = reduced_rows(field, rows, 2 * count)
    known = -1
    while True:
        plain = [row[count:] for row in whole if all(e == 0 for e in row[:count])]
        if len(plain) == known:
            break
        known = len(plain)
        slopes = [[*row, *(field.derivative(e) for e in row)] for row in plain]
        whole = reduced_rows(field, [*whole, *slopes], 2 * count)
    bound = {next(k for k, e in enumerate(row) if e != 0): row for row in plain}
    free = [k for k in range(count) if k not in bound]
    embedding = tuple(
        tuple(-bound[k][j] if k in bound else field.one if k == j else field.zero for j in free) for k in range(count)
    )
    slopes_of = {next(k for k, e in enumerate(row[:count]) if e != 0): row for row in whole if any(row[:count])}
    if any(k not in slopes_of for k in free):
        raise Undecided("the coefficients are not determined by finitely many constants")
    matrix = []
    for k in free:
        row = slopes_of[k]
        # f'_k + Σ_l b_l f_l = 0 in reduced form, where f' of others cannot occur
        tail = [field.zero for _ in free]
        for position, j in enumerate(free):
            tail[position] = field.reduced(-row[count + j])
        matrix.append(tuple(tail))
    return embedding, tuple(matrix)


def reduced_rows(field: FunctionField, rows: Sequence[Row], width: int) -> list[list[Any]]:
    """The reduced echelon form over the field."""
    left = [list(row) for row in rows]
    done: list[list[Any]] = []
    for column in range(width):
        able = [row for row in left if row[column] != 0]
        if not able:
            continue
        pivot = min(able, key=_length)
        left = [row for row in left if row is not pivot]
        pivot = [field.reduced(e / pivot[column]) if e != 0 else e for e in pivot]
        left = [_minus(field, row, pivot, column) for row in left]
        left = [row for row in left if any(row)]
        done = [_minus(field, row, pivot, column) for row in done] + [pivot]
    return done


def _minus(field: FunctionField, row: Row, pivot: Row, column: int) -> list[Any]:
    factor = row[column]
    return list(row) if factor == 0 else [field.reduced(e - factor * p) if p != 0 else e for e, p in zip(row, pivot)]


def _length(row: Row) -> int:
    return sum(len(e.numer) + len(e.denom) for e in row if e != 0)
