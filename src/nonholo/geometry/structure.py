"""Brackets of a frame's vector fields, Jacobi's law, and generic configurations to try them at."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, along, jacobian, symbols, tidy
from nonholo.algebra.frozen import FrozenMap
from nonholo.algebra.linear import Matrix, evaluate, evaluate_matrix, solve, transpose
from nonholo.errors import ModelError
from nonholo.geometry.record import Brackets, Frame

Expr = Any
TOLERANCE = 1e-9
DRAWS = 30


def sample(frame: Frame, seed: int = 0, at: Mapping[str, float] | None = None) -> dict[str, float]:
    """A generic configuration on the frame's manifold, with generic positive parameters.

    ``at`` fixes values by name; the coordinates it leaves open are moved onto the frame's relations.
    """
    random = np.random.default_rng(1000 + seed)
    values = dict(zip(frame.parameters, random.uniform(0.6, 1.6, len(frame.parameters)).tolist()))
    values.update(at or {})
    fixed = [c for c in frame.coordinates if at and c in at]
    lively = {e for row in frame.anchor for e in row if not e.is_Number}
    for _ in range(DRAWS):
        point = _draw(frame, random, values)
        point = np.array([values.get(c, p) for c, p in zip(frame.coordinates, point)])
        if frame.relations and len(fixed) < len(frame.coordinates) and (fixed or frame.chart is None):
            point = onto(frame, frame.relations, point, values, fixed)
        here = {**values, **dict(zip(frame.coordinates, point.tolist()))}
        if len(fixed) == len(frame.coordinates) or _usable(frame, lively, here):
            return here
    raise ModelError(
        f"frame: no configuration of {', '.join(frame.coordinates)} near home {frame.home} was found where the anchor "
        "is finite and the relations hold; give home=(…) with such a configuration, or correct them."
    )


def _draw(frame: Frame, random: np.random.Generator, values: Mapping[str, float]) -> Any:
    if frame.chart is None:
        home = np.array(frame.home or (0.0,) * len(frame.coordinates))
        return home + random.uniform(-1.0, 1.0, len(frame.coordinates))
    y = np.array(frame.chart.center) + random.uniform(-1, 1, len(frame.chart.names)) * np.array(frame.chart.reach)
    return evaluate(frame.chart.embedding, {**values, **dict(zip(frame.chart.names, y.tolist()))})


def _usable(frame: Frame, lively: Collection[Expr], values: Mapping[str, float]) -> bool:
    found = evaluate([*lively, *frame.relations], values) if lively or frame.relations else np.zeros(0)
    residuals = found[len(lively) :]
    return bool(np.all(np.isfinite(found)) and np.all(np.abs(residuals) < TOLERANCE))


def onto(
    frame: Frame, relations: Sequence[Expr], point: Any, values: Mapping[str, float], fixed: Collection[str] = ()
) -> Any:
    """The point moved onto ``relations = 0`` by Gauss–Newton with the least change of the coordinates not fixed."""
    if not relations:
        return point
    point = np.array(point, dtype=float)
    free = [k for k, c in enumerate(frame.coordinates) if c not in fixed]
    slopes = jacobian(relations, symbols(frame.coordinates[k] for k in free))
    for _ in range(60):
        here = {**values, **dict(zip(frame.coordinates, point.tolist()))}
        residual, slope = evaluate(relations, here), evaluate_matrix(slopes, here)
        if np.max(np.abs(residual)) < 1e-14 or not (np.all(np.isfinite(residual)) and np.all(np.isfinite(slope))):
            break
        point[free] -= np.linalg.lstsq(slope, residual, rcond=None)[0]
    return point


def find_home(frame: Frame) -> tuple[float, ...]:
    """The origin when it is a configuration, otherwise a generic one."""
    origin = (0.0,) * len(frame.coordinates)
    if not frame.relations:
        return origin
    here = {**sample(frame), **dict(zip(frame.coordinates, origin))}
    if bool(np.all(np.abs(evaluate(frame.relations, here)) < TOLERANCE)):
        return origin
    there = sample(frame)
    return tuple(there[c] for c in frame.coordinates)


def fields_brackets(columns: Matrix, coordinates: Sequence[Any]) -> dict[tuple[int, int], tuple[Expr, ...]]:
    """``[u_i, u_j] = ψ_i^l ∂_l ψ_j − ψ_j^l ∂_l ψ_i`` for the pairs i < j where it does not vanish at sight."""
    places = set(coordinates)
    moved_by = [set().union(*(e.free_symbols for e in column)) & places for column in columns]
    support = [{x for x, e in zip(coordinates, column) if e != 0} for column in columns]
    directions = [dict(zip(coordinates, column)) for column in columns]
    result = {}
    for i in range(len(columns)):
        for j in range(i + 1, len(columns)):
            total = [ZERO] * len(coordinates)
            for p, q, sign in ((i, j, 1), (j, i, -1)):
                if moved_by[q] & support[p]:
                    total = [t + sign * d for t, d in zip(total, along(columns[q], directions[p]))]
            if any(e != 0 for e in total):
                result[(i, j)] = tuple(total)
    return result


def bracket_of_fields(frame: Frame, i: int, j: int) -> tuple[Expr, ...]:
    """The coordinates' components of ``[u_i, u_j] = ψ_i^l ∂_l ψ_j − ψ_j^l ∂_l ψ_i``."""
    columns = columns_of(frame)
    table = fields_brackets((columns[i], columns[j]), symbols(frame.coordinates))
    return table.get((0, 1), (ZERO,) * len(frame.coordinates))


def columns_of(frame: Frame) -> Matrix:
    """The vector fields ``u_i``; empty ones when there are no coordinates."""
    return transpose(frame.anchor) if frame.coordinates else ((),) * frame.size


def structure_functions(frame: Frame) -> Brackets:
    """The nonzero ``c_ij^a``, i < j: as given, or computed from the anchor when N = n [BMZ 2009 §2.1].

    ``c_ij^a = (ψ⁻¹)^a_k (ψ_i^l ∂_l ψ_j^k − ψ_j^l ∂_l ψ_i^k)``
    """
    if frame.brackets is not None:
        return frame.brackets  # type: ignore[no-any-return]
    fields = fields_brackets(columns_of(frame), symbols(frame.coordinates))
    if not fields:
        return FrozenMap()
    sides = transpose(list(fields.values()))
    solution = solve(frame.anchor, sides, [sample(frame, k) for k in range(2)])
    table = {(*pair, a): tidy(solution[a][k]) for k, pair in enumerate(fields) for a in range(frame.size)}
    return FrozenMap({key: e for key, e in table.items() if e != 0})


def bracket(table: Brackets, i: int, j: int, a: int) -> Expr:
    """``c_ij^a`` from the table of i < j."""
    return table.get((i, j, a), ZERO) if i < j else -table.get((j, i, a), ZERO)


def jacobi_law(frame: Frame) -> Iterator[tuple[tuple[int, int, int, int], Expr]]:
    """The identity every frame obeys, ``cyc(c_ij^m c_mk^l − u_k[c_ij^l]) = 0``, as expressions by (i, j, k, l).

    Only what does not vanish at sight is returned. Jacobi's identity on frozen ``c`` is false when ``c`` varies
    [corrects BMZ 2009 §2.1, Zenkov 2016 §3.2].

    >>> from nonholo.geometry.frame import Frame
    >>> list(jacobi_law(Frame("x y z", "a b c", [[1, 0, 0], [0, 1, 0], [0, "x", "exp(z)"]])))
    []
    """
    pairs: dict[tuple[int, int], dict[int, Expr]] = {}
    for (i, j, a), e in structure_functions(frame).items():
        pairs.setdefault((i, j), {})[a] = e
        pairs.setdefault((j, i), {})[a] = -e
    x = symbols(frame.coordinates)
    columns = columns_of(frame)
    nothing: dict[int, Expr] = {}
    for i in range(frame.size):
        for j in range(i + 1, frame.size):
            for k in range(j + 1, frame.size):
                total: dict[int, Expr] = {}
                for p, q, r in ((i, j, k), (j, k, i), (k, i, j)):
                    for m, outer in pairs.get((p, q), nothing).items():
                        for l, inner in pairs.get((m, r), nothing).items():
                            total[l] = total.get(l, ZERO) + outer * inner
                        total[m] = total.get(m, ZERO) - along([outer], dict(zip(x, columns[r])))[0]
                yield from (((i, j, k, l), e) for l, e in sorted(total.items()) if e != 0)


def jacobi_defect(frame: Frame, seed: int = 0) -> dict[tuple[int, int, int, int], float]:
    """The numbers of `jacobi_law` at a generic configuration; all should vanish."""
    law = dict(jacobi_law(frame))
    if not law:
        return {}
    return dict(zip(law, evaluate(list(law.values()), sample(frame, seed)).tolist()))
