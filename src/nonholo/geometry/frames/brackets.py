"""Brackets of a frame's vector fields, Jacobi's law, and generic configurations to try them at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, along, jacobian, larger_than, symbols, tidy
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.algebra.kinks import differentiable
from nonholo.algebra.linear_equations import Matrix, evaluate, solve, transpose
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame_words import Brackets, Framed

TOLERANCE = 1e-9
DRAWS = 12
EXPANDED = 4000
"""An expression whose expansion, written out, has more nodes than this is left as it is."""


def shorten(expr: Expr) -> Expr:
    """`tidy` where it is cheap: a small shared graph may be very long when it is expanded and written out."""
    if larger_than([expr], 200):
        return expr  # tidy would leave it alone, and to count its terms takes long
    terms, longest = _expansion(expr, {})
    return tidy(expr) if terms * longest <= EXPANDED else expr


def shorten_matrix(matrix: Iterable[Iterable[Expr]]) -> Matrix:
    """The matrix with every entry shortened."""
    return tuple(tuple(shorten(e) for e in row) for row in matrix)


def _expansion(expr: Expr, seen: dict[Expr, tuple[int, int]]) -> tuple[int, int]:
    """How many terms the expansion has and how many nodes a term, at most."""
    if expr not in seen:
        parts = [_expansion(part, seen) for part in expr.args]
        terms, longest = 1, 1 + sum(t * n for t, n in parts)
        if isinstance(expr, se.Add):
            terms, longest = sum(t for t, _ in parts), max(n for _, n in parts)
        elif isinstance(expr, se.Mul):
            terms, longest = prod(t for t, _ in parts), 1 + sum(n for _, n in parts)
        elif isinstance(expr, se.Pow) and expr.args[1].is_Integer and 0 < int(expr.args[1]) < 20:
            power = int(expr.args[1])
            terms, longest = parts[0][0] ** power, 2 + power * parts[0][1]
        seen[expr] = min(terms, 2 * EXPANDED), min(longest, 2 * EXPANDED)
    return seen[expr]


def sample(frame: Framed, seed: int = 0, at: Mapping[str, float] | None = None) -> dict[str, float]:
    """A generic configuration on the frame's manifold, with generic positive parameters.

    ``at`` fixes values by name; the coordinates it leaves open are moved onto the frame's relations.
    """
    random = np.random.default_rng(1000 + seed)
    values = dict(zip(frame.parameters, random.uniform(0.6, 1.6, len(frame.parameters)).tolist()))
    values.update(at or {})
    fixed = [c for c in frame.coordinates if at and c in at]
    free = len(fixed) < len(frame.coordinates)
    lively = {e for row in frame.anchor for e in row if not e.is_Number}
    here: dict[str, float] | None = None
    for _ in range(DRAWS):
        point = np.array([values.get(c, p) for c, p in zip(frame.coordinates, _draw(frame, random, values))])
        if frame.relations and free and (fixed or frame.chart is None):
            point = onto(frame, frame.relations, point, values, fixed)
        found = {**values, **dict(zip(frame.coordinates, point.tolist()))}
        # a chart and full instructions are taken at their word
        if not free or (frame.chart is not None and not fixed) or _usable(frame, lively, found):
            here = found
            if not free or _within(frame, found):
                break
    if here is not None:  # outside the domain too: parameters may widen it
        return here
    raise ModelError(
        f"frame: no configuration of {', '.join(frame.coordinates)} near home {frame.home} was found where the anchor "
        "is finite and the relations hold; give home=(…) with such a configuration, or correct them."
    )


def _draw(frame: Framed, random: np.random.Generator, values: Mapping[str, float]) -> Any:
    if frame.chart is None:
        home = np.array(frame.home or (0.0,) * len(frame.coordinates))
        return home + random.uniform(-1.0, 1.0, len(frame.coordinates))
    y = np.array(frame.chart.center) + random.uniform(-1, 1, len(frame.chart.names)) * np.array(frame.chart.reach)
    return evaluate(frame.chart.embedding, {**values, **dict(zip(frame.chart.names, y.tolist()))})


def _usable(frame: Framed, lively: Collection[Expr], values: Mapping[str, float]) -> bool:
    found = evaluate([*lively, *frame.relations], values) if lively or frame.relations else np.zeros(0)
    residuals = found[len(lively) :]
    return bool(np.all(np.isfinite(found)) and np.all(np.abs(residuals) < TOLERANCE))


def _within(frame: Framed, values: Mapping[str, float]) -> bool:
    """Whether roots and logarithms of the system are real there, for parameters of which nothing is known here about 1."""
    if not frame.domain:
        return True
    others = {str(s): 1.1 for e in frame.domain for s in e.free_symbols}
    return bool(np.all(np.isfinite(evaluate(frame.domain, {**others, **values}))))


def onto(
    frame: Framed, relations: Sequence[Expr], point: Any, values: Mapping[str, float], fixed: Collection[str] = ()
) -> Any:
    """The point projected onto ``relations = 0`` by Gauss–Newton with the least change of the coordinates not fixed."""
    if not relations:
        return point
    names = frame.coordinates
    free = [k for k, c in enumerate(names) if c not in fixed]
    known = [*names, *(n for n in values if n not in names)]
    function = numeric_function(symbols(known), with_slopes(tuple(relations), tuple(names[k] for k in free)))
    given = np.array([*point, *(values[n] for n in known[len(names) :])], dtype=float)
    count = len(relations)

    def residuals(moved: Any) -> tuple[Any, Any]:
        given[free] = moved
        found = np.asarray(function(given), dtype=float).reshape(-1)
        return found[:count], found[count:].reshape(count, len(free))

    with np.errstate(all="ignore"):
        given[free], _ = gauss_newton(residuals, given[free], enough=1e-14)
    return given[: len(names)]


@lru_cache(maxsize=32)
def with_slopes(relations: tuple[Expr, ...], names: tuple[str, ...]) -> tuple[Expr, ...]:
    """The relations and their derivatives by these coordinates, row after row; one point after another is brought to them."""
    return (*relations, *(e for row in jacobian(list(map(differentiable, relations)), symbols(names)) for e in row))


def find_home(frame: Framed) -> tuple[float, ...]:
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


def bracket_of_fields(frame: Framed, i: int, j: int) -> tuple[Expr, ...]:
    """The coordinates' components of ``[u_i, u_j] = ψ_i^l ∂_l ψ_j − ψ_j^l ∂_l ψ_i``."""
    columns = columns_of(frame)
    table = fields_brackets((columns[i], columns[j]), symbols(frame.coordinates))
    return table.get((0, 1), (ZERO,) * len(frame.coordinates))


def columns_of(frame: Framed) -> Matrix:
    """The vector fields ``u_i``; empty ones when there are no coordinates."""
    return transpose(frame.anchor) if frame.coordinates else ((),) * frame.size


def structure_functions(frame: Framed) -> Brackets:
    """The nonzero ``c_ij^a``, i < j: as given, or computed from the anchor when N = n [BMZ 2009 §2.1].

    ``c_ij^a = (ψ⁻¹)^a_k (ψ_i^l ∂_l ψ_j^k − ψ_j^l ∂_l ψ_i^k)``

    >>> import nonholo as nh
    >>> nh.frames.structure_functions(nh.SO3("R"))
    {(0, 1, 2): 1, (0, 2, 1): -1, (1, 2, 0): 1}
    """
    if frame.brackets is not None:
        return frame.brackets
    fields = fields_brackets(columns_of(frame), symbols(frame.coordinates))
    if not fields:
        return FrozenMap()
    sides = transpose(list(fields.values()))
    solution = solve(frame.anchor, sides, [sample(frame, k) for k in range(2)])
    table = {(*pair, a): shorten(solution[a][k]) for k, pair in enumerate(fields) for a in range(frame.size)}
    return FrozenMap({key: e for key, e in table.items() if e != 0})


def bracket(table: Brackets, i: int, j: int, a: int) -> Expr:
    """``c_ij^a`` from the table of i < j."""
    return table.get((i, j, a), ZERO) if i < j else -table.get((j, i, a), ZERO)


def jacobi_law(frame: Framed) -> Iterator[tuple[tuple[int, int, int, int], Expr]]:
    """The identity every frame obeys, ``cyc(c_ij^m c_mk^l − u_k[c_ij^l]) = 0``, as expressions by (i, j, k, l).

    Only what does not vanish at sight is returned. Jacobi's identity on frozen ``c`` is false when ``c`` varies
    [corrects BMZ 2009 §2.1, Zenkov 2016 §3.2].

    >>> from nonholo.geometry.frames.frame import Frame
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


def jacobi_defect(frame: Framed, seed: int = 0) -> dict[tuple[int, int, int, int], float]:
    """What `jacobi_law` fails by at a generic configuration, where it is not exactly zero; it should be rounding."""
    table = structure_functions(frame)
    x, size = symbols(frame.coordinates), frame.size
    slopes = [along(list(table.values()), dict(zip(x, column))) for column in columns_of(frame)]
    numbers = evaluate([*table.values(), *(e for row in slopes for e in row)], sample(frame, seed))
    numbers = numbers.reshape(1 + size, len(table))
    c, change = np.zeros((size, size, size)), np.zeros((size, size, size, size))
    for place, (i, j, a) in enumerate(table):
        c[i, j, a], c[j, i, a] = numbers[0, place], -numbers[0, place]
        change[i, j, :, a], change[j, i, :, a] = numbers[1:, place], -numbers[1:, place]
    inner = np.tensordot(c, c, axes=(2, 0)) - change
    total = inner + np.transpose(inner, (2, 0, 1, 3)) + np.transpose(inner, (1, 2, 0, 3))
    found = zip(*np.nonzero(total))
    return {(int(i), int(j), int(k), int(l)): float(total[i, j, k, l]) for i, j, k, l in found if i < j < k}
