"""Closed inverses of maps that can be solved one variable after the other, as those of chained forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from nonholo.algebra.expression_types import Expr

LONG = 1500
"""Expressions with more operations than this are not solved."""


def inverted(
    functions: Sequence[Expr], values: Sequence[Expr], unknowns: Sequence[Expr], near: Mapping[str, float]
) -> dict[Any, Expr] | None:
    """The unknowns as expressions of the ``values`` of the functions; of several branches that near the given numbers.

    >>> import symengine as se
    >>> x, t, a, b = se.symbols("x t a b")
    >>> inverted([x, x + se.tan(t)], [a, b], [x, t], {})
    {x: a, t: -atan(a - b)}
    """
    import symengine as se
    import sympy

    left = [(sympy.sympify(f), sympy.sympify(v)) for f, v in zip(functions, values)]
    open_ = [sympy.sympify(s) for s in unknowns]
    found: dict[Any, Any] = {}
    while open_:
        for k, (f, v) in enumerate(left):
            inner = [s for s in open_ if f.has(s)]
            if len(inner) == 1 and _written_out(f, found) <= LONG:
                answer = _solved(f.subs(found), v, inner[0])
                if answer is not None:
                    found[inner[0]] = _branch(answer, inner[0], functions, values, near)
                    open_.remove(inner[0])
                    del left[k]
                    break
        else:
            several = _solve_linear_group(left, open_, found)
            if several is None:
                return None
            places, answers = several
            found |= answers
            open_ = [s for s in open_ if s not in answers]
            left = [pair for k, pair in enumerate(left) if k not in places]
    return {s: se.sympify(found[sympy.sympify(s)]) for s in unknowns}


def _solve_linear_group(
    left: Sequence[tuple[Any, Any]], unknowns: Sequence[Any], found: Mapping[Any, Any]
) -> tuple[tuple[int, ...], dict[Any, Any]] | None:
    """Two or three functions that are linear in as many unknowns, solved at once: which, and what they give."""
    import sympy

    for count in (2, 3):
        for places in combinations(range(len(left)), count):
            rows = [left[k][0] for k in places]
            inner = [s for s in unknowns if any(f.has(s) for f in rows)]
            if len(inner) != count or sum(_written_out(f, found) for f in rows) > LONG:
                continue
            slopes = sympy.Matrix([[sympy.diff(f, s) for s in inner] for f in rows])
            if slopes.has(*inner) or slopes.det().equals(0):
                continue
            still = dict.fromkeys(inner, 0)
            gaps = sympy.Matrix([left[k][1] - left[k][0].subs(still) for k in places])
            solved = (slopes.adjugate() * gaps / slopes.det()).subs(found)
            return places, dict(zip(inner, solved))
    return None


def _written_out(f: Any, found: Mapping[Any, Any]) -> int:
    """The operations of ``f`` with what was found put into it."""
    return int(f.count_ops()) + sum(int(f.count(s)) * int(e.count_ops()) for s, e in found.items())


def _solved(f: Any, value: Any, unknown: Any) -> Any:
    """``f(c) = value`` for c, where the difference is linear in c, or homogeneous and linear in its sine and cosine."""
    import sympy

    s, c = sympy.Dummy("s"), sympy.Dummy("c")
    flat = sympy.expand_trig(f.rewrite(sympy.tan) if f.has(sympy.cot) else f)
    flat = flat.subs(sympy.tan(unknown), s / c).subs({sympy.sin(unknown): s, sympy.cos(unknown): c})
    if not flat.has(unknown):
        top = sympy.numer(sympy.together(flat - value))
        try:
            poly = sympy.Poly(sympy.expand(top), s, c)
        except sympy.PolynomialError:
            return None
        terms = dict(poly.terms())
        if set(terms) <= {(1, 0), (0, 1)} and (1, 0) in terms:
            return sympy.atan(-terms.get((0, 1), 0) / terms[1, 0])
        return None
    if flat.has(s) or flat.has(c):
        return None
    slope = sympy.diff(flat, unknown)
    if slope.has(unknown):
        return None
    return (value - flat.subs(unknown, 0)) / slope


def _branch(answer: Any, unknown: Any, functions: Sequence[Expr], values: Sequence[Expr], near: Mapping[str, float]) -> Any:
    """An arctangent plus the multiple of π that gives the number asked for."""
    import sympy

    if str(unknown) not in near or not answer.has(sympy.atan):
        return answer
    names = {sympy.sympify(v): sympy.sympify(f) for f, v in zip(functions, values)}
    place = answer.subs(names).subs({sympy.Symbol(n): e for n, e in near.items()})
    rest = place.subs(dict.fromkeys(place.free_symbols, 0.7))
    try:
        turns = round((near[str(unknown)] - float(rest)) / float(sympy.pi))
    except (TypeError, ValueError):
        return answer
    return answer + turns * sympy.pi
