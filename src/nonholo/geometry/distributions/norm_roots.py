"""Angles at which a residual with square roots vanishes modulo a prime.

Its norm, the product over the signs of the roots, is a polynomial in the tangent of the half angle, whose zeros are computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import atoms
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import Residues, halves_in, inverse
from nonholo.algebra.prime.random_points import Points

DEGREES = (8, 16, 32)
"""The polynomials that are tried have at most these degrees."""
MOST_ROOTS = 3
"""So many different square roots of the angle at most: the norm multiplies over all their signs."""
MOST_ZEROS = 4
"""So many zeros of the polynomial are tried at each point."""
POINTS = 8
"""The degree is read at so many random points."""
_DEGREES: Cache[int] = Cache(256)
"""Degrees by residual and angle."""


def set_on_norm(points: Points, residual: Expr, angle: Any) -> bool:
    """Whether the residual is rational in cosine, sine and square roots of an angle; then the angle is set on a zero of it.

    Points without a zero are bad.

    >>> x, a = se.symbols("x a")
    >>> points = Points(40, 5)
    >>> held = a*se.cos(x) + se.sqrt(2 + se.sin(x)) + a**2
    >>> set_on_norm(points, held, x), bool(np.any(points.value(held)[points.good])), int(np.sum(points.good)) > 3
    (True, False, True)
    """
    degree = _DEGREES.get((residual, angle), lambda: _degree(residual, angle))
    if not degree:
        return False
    points.values(sorted(residual.free_symbols, key=str))
    nodes = list(range(2, degree + 3))
    values = _norms(points, residual, angle, nodes, degree)
    if values is None:
        return False
    coefficients = _interpolated(nodes, values, points.p)
    return bool(np.any(coefficients[1:][:, points.good])) and _set_on_zero(points, residual, angle, coefficients)


def _degree(residual: Expr, angle: Any) -> int:
    """A bound on the degree of the norm at random values of the other symbols, 0 where it is no such polynomial."""
    plain, radicands = _without_roots(residual, angle)
    if plain is None:
        return 0
    points = Points(POINTS, 431)
    points.values([*sorted(residual.free_symbols, key=str), plain, *radicands.values()])  # every angle gets its circle now
    for degree in DEGREES:
        nodes = list(range(2, degree + 5))  # two more than the polynomial needs
        values = _norms(points, residual, angle, nodes, degree)
        if values is None:
            return 0
        coefficients = _interpolated(nodes[: degree + 1], values[: degree + 1], points.p)
        seen = [_horner(coefficients, t, points.p) for t in nodes[degree + 1 :]]
        if all(not np.any((a - b)[points.good] % points.p) for a, b in zip(seen, values[degree + 1 :])):
            return degree if np.any(points.good) else 0
    return 0


def _norms(points: Points, residual: Expr, angle: Any, nodes: Sequence[int], degree: int) -> list[Residues] | None:
    """The norm at values of the tangent, times ``(1 + t²)^(degree/2)``; None for other functions of the angle than these."""
    plain, radicands = _without_roots(residual, angle)
    if plain is None or len(radicands) > MOST_ROOTS:
        return None
    weighted = []
    for t in nodes:
        norm = _norm_at(points, plain, list(radicands), radicands, angle, t)
        if norm is None:
            return None
        weighted.append(norm * pow(1 + t * t, degree // 2, points.p) % points.p)
    return weighted


def _without_roots(residual: Expr, angle: Any) -> tuple[Expr | None, dict[Any, Expr]]:
    """The residual with a symbol for each square root that holds the angle, and their radicands; None for other functions."""
    radicands: dict[Any, Expr] = {}
    table: dict[Expr, Expr] = {}
    for power in atoms([residual], se.Pow):
        base, exponent = power.args
        halves = halves_in(exponent)
        if angle not in power.free_symbols or halves is None or int(halves) % 2 == 0:
            continue
        mark = next((m for m, r in radicands.items() if r == base), None) or se.Symbol(f"_root{len(radicands)}_")
        radicands[mark] = base
        table[power] = mark * base ** ((int(halves) - 1) // 2)
    plain = residual.xreplace(table)
    waves = {f: se.Symbol(f"_wave{k}_") for k, f in enumerate(atoms([plain, *radicands.values()], se.sin, se.cos))}
    left = [e.xreplace(waves) for e in (plain, *radicands.values())]
    odd = [e for e in atoms(left, se.Pow) if (halves_in(e.args[1]) or 0) % 2 and angle in e.free_symbols]
    return (None if odd or any(angle in e.free_symbols for e in left) else plain), radicands


def _at(points: Points, angle: Any, t: Residues) -> tuple[Residues, Residues]:
    below = inverse((1 + t * t) % points.p, points.p)
    return (1 - t * t) % points.p * below % points.p, 2 * t * below % points.p


def repeated(points: Points, values: dict[Any, Residues], circles: dict[Any, tuple[Residues, Residues]]) -> Points:
    """The points several times over, each time with other numbers for a symbol (or its cosine and sine)."""
    other = points.copy_with(values, circles)
    times = len(next(iter(values.values())) if values else next(iter(circles.values()))[0]) // points.count
    other.count, other.good = times * points.count, np.tile(points.good, times)
    other._draw = lambda: np.concatenate([points.random() for _ in range(times)])
    other._known = {k: v if k in values else np.tile(v, times) for k, v in other._known.items()}
    moved = {(s, "whole") for s in circles}
    other._circles = {k: v if k in moved else (np.tile(v[0], times), np.tile(v[1], times)) for k, v in other._circles.items()}
    return other


def _norm_at(
    points: Points, plain: Expr, marks: Sequence[Any], radicands: dict[Any, Expr], angle: Any, node: int
) -> Residues | None:
    """The product over the signs of all roots at ``tan(angle/2) = node``; None where the residual is not linear in each root."""
    p = points.p
    pair = _at(points, angle, np.full(points.count, node, dtype=np.int64))

    bits, trial = list(product((0, 1), repeat=len(marks))), tuple(3 + 4 * k for k in range(len(marks)))
    held = {m: np.repeat([at[k] for at in (*bits, trial)], points.count) for k, m in enumerate(marks)}
    many = repeated(points, held, {angle: (np.tile(pair[0], len(bits) + 1), np.tile(pair[1], len(bits) + 1))})
    whole = many.value(plain).reshape(len(bits) + 1, -1)
    corners = dict(zip(bits, whole))
    for k in range(len(marks)):  # to coefficients of the products of the roots
        corners = {b: (c - corners[(*b[:k], 0, *b[k + 1 :])]) % p if b[k] else c for b, c in corners.items()}
    total = sum(c * int(np.prod([r for r, bit in zip(trial, b) if bit])) % p for b, c in corners.items()) % p
    if np.any((total - whole[-1])[points.good] % p):
        return None
    squares = [many.value(radicands[m])[: points.count] for m in marks]  # where all roots are counted as zero
    element = [corners[b[::-1]] for b in product((0, 1), repeat=len(marks))]  # the first root changes quickest
    for k in reversed(range(len(marks))):
        u, v = element[: 2**k], element[2**k :]
        square, other = _times(u, u, squares, p), _times(v, v, squares, p)
        element = [(a - squares[k] * b) % p for a, b in zip(square, other)]
    return element[0]


def _times(one: Sequence[Residues], two: Sequence[Residues], squares: Sequence[Residues], p: int) -> list[Residues]:
    """The product of two elements of a ring with square roots, by their coefficients."""
    result = [np.zeros_like(one[0]) for _ in one]
    for i, a in enumerate(one):
        for j, b in enumerate(two):
            term = a * b % p
            for k, square in enumerate(squares):
                if i & j & 1 << k:
                    term = term * square % p
            result[i ^ j] = (result[i ^ j] + term) % p
    return result


def _interpolated(nodes: Sequence[int], values: Sequence[Residues], p: int) -> Residues:
    """The coefficients, a row for each power and a column for each point, of the polynomials with these values (Newton)."""
    table = [v.copy() for v in values]
    for k in range(1, len(nodes)):
        for i in reversed(range(k, len(nodes))):
            table[i] = (table[i] - table[i - 1]) % p * pow(nodes[i] - nodes[i - k], -1, p) % p
    found = np.zeros((len(nodes), len(values[0])), dtype=np.int64)
    for k in reversed(range(len(nodes))):
        moved = np.vstack([np.zeros_like(found[:1]), found[:-1]])
        found = (moved - nodes[k] * found) % p
        found[0] = (found[0] + table[k]) % p
    return found


def _horner(coefficients: Residues, t: int, p: int) -> Residues:
    total = np.zeros_like(coefficients[0])
    for row in coefficients[::-1]:
        total = (total * t + row) % p
    return total


def _set_on_zero(points: Points, residual: Expr, angle: Any, coefficients: Residues) -> bool:
    """Zeros of the polynomials, one after the other, where the residual with its own roots vanishes."""
    from flint import nmod_poly

    p = points.p
    zeros = np.zeros((MOST_ZEROS, points.count), dtype=np.int64)
    for k in np.flatnonzero(points.good):
        found = nmod_poly([int(e) for e in coefficients[:, k]], p).roots()[:MOST_ZEROS]
        zeros[: len(found), k] = [int(zero) for zero, _ in found]
    done, chosen = np.zeros(points.count, dtype=bool), zeros[0].copy()
    for row in zeros:
        place = points.copy_with({}, {angle: _at(points, angle, row)})
        able = (place.value(residual) == 0) & place.good & ~done
        chosen[able] = row[able]
        done |= able
    points.set_circle(angle, *_at(points, angle, chosen))
    points.good &= done
    points.by_norm = True
    return True
