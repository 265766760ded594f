"""Expressions as short as a person would leave them: one fraction, cancelled and factored, with sin² + cos² = 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from time import process_time, thread_time
from typing import Any

import symengine as se

from nonholo.algebra.calculus import tidy
from nonholo.analyse.budget import within
from nonholo.derive.display import written_nodes

Expr = Any
MOST_NODES = 1200
"""Expressions with more nodes are left as they are."""
MOST_TERMS = 100
"""When a numerator or denominator on the way has more terms, the expression is left as it is."""
FACTORED = 60
"""Polynomials with more terms are not factored."""
SECONDS = 0.5
"""Time for one expression."""
SURE = 60
"""Expressions with more nodes are watched by a clock: one greatest common divisor can take minutes."""


class _TooLongError(Exception):
    """The expression would take too long."""


def shortened(exprs: Sequence[Expr], budget: float) -> tuple[list[Expr], bool]:
    """The expressions, each as short as `neat` makes it, and whether all were tried before ``budget`` seconds were over."""
    # the process's time: what is watched by a clock runs in another thread
    end, complete = process_time() + budget, True
    known: dict[Expr, Expr] = {}
    sizes = {expr: written_nodes(expr, MOST_NODES) for expr in exprs}
    for expr in sorted(sizes, key=lambda e: sizes[e]):
        if sizes[expr] > MOST_NODES:  # even to look at it all takes long
            known[expr] = expr
            continue
        plain = tidy(expr)
        left = end - process_time()
        if left <= 0:
            known[expr], complete = plain, False
            continue
        work = partial(neat, plain, min(left, SECONDS))
        short = work() if sizes[expr] <= SURE else within(2 * min(left, SECONDS), work)
        known[expr] = plain if short is None else min(plain, short, key=lambda e: len(str(e)))
    return [known[e] for e in exprs], complete


def neat(expr: Expr, seconds: float = SECONDS) -> Expr:
    """An equal expression: a quotient of factored polynomials, powers of sines or of cosines reduced, whichever is shorter.

    >>> x, m, a = se.symbols("x m a")
    >>> neat((m**2 * se.sin(x)**2 + m**2 * se.cos(x)**2) / (m * a + m))
    m/(1 + a)
    """
    expr = se.sympify(expr)
    if not expr.args or written_nodes(expr, MOST_NODES) > MOST_NODES:
        return expr
    import sympy

    letters = _letters(expr)
    names = [f"u{i}" for i in range(len(letters))]
    field = sympy.polys.fields.FracField(names, sympy.QQ, sympy.polys.orderings.lex)
    known = dict(zip(letters, field.gens))
    try:
        quotient = _quotient(expr, known, field, thread_time() + seconds)
        pairs = [(i, letters.index(se.cos(e.args[0]))) for i, e in enumerate(letters)
                 if isinstance(e, se.sin) and se.cos(e.args[0]) in known]  # fmt: skip
        tried = [_written(quotient, pairs)]
        if pairs:
            tried.append(_written(quotient, [(c, s) for s, c in pairs]))
    except (_TooLongError, ZeroDivisionError):
        return expr
    back = dict(zip(map(se.Symbol, names), letters))
    return min((se.sympify(t).subs(back) for t in tried), key=lambda e: len(str(e)))


def _letters(expr: Expr) -> list[Expr]:
    """What the expression is a rational function of: symbols, sines, roots, …"""
    found: dict[Expr, None] = {}
    stack, seen = [expr], set()
    while stack:
        part = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, (se.Add, se.Mul)) or _integer_power(part):
            stack.extend(part.args)
        elif _root(part) is not None:
            found[_root(part)] = None
        elif not isinstance(part, (se.Integer, se.Rational)):
            found[part] = None
    return sorted(found, key=str)


def _integer_power(expr: Expr) -> bool:
    return isinstance(expr, se.Pow) and isinstance(expr.args[1], se.Integer)


def _root(expr: Expr) -> Expr | None:
    """``b**(1/q)`` for a power ``b**(p/q)``."""
    if isinstance(expr, se.Pow) and isinstance(expr.args[1], se.Rational):
        return expr.args[0] ** (se.Integer(1) / expr.args[1].q)
    return None


def _quotient(expr: Expr, known: Mapping[Expr, Any], field: Any, end: float) -> Any:
    """The expression as an element of the field of rational functions in its letters."""
    memory: dict[Expr, Any] = dict(known)

    def checked(value: Any) -> Any:
        if max(len(value.numer), len(value.denom)) > MOST_TERMS or thread_time() > end:
            raise _TooLongError
        return value

    def value(part: Expr) -> Any:
        if part not in memory:
            memory[part] = compute(part)
        return memory[part]

    def compute(part: Expr) -> Any:
        if isinstance(part, (se.Integer, se.Rational)):
            return field(int(part.p)) / field(int(part.q)) if hasattr(part, "q") else field(int(part))
        if isinstance(part, se.Pow):
            root = _root(part)
            base, power = (
                (value(part.args[0]), int(part.args[1])) if root is None else (value(root), int(part.args[1].p))
            )
            result = field(1)
            for _ in range(abs(power)):
                result = checked(result * base)
            return result if power > 0 else 1 / result
        whole = field(0) if isinstance(part, se.Add) else field(1)
        for piece in part.args:
            whole = checked(whole + value(piece) if isinstance(part, se.Add) else whole * value(piece))
        return whole

    return value(expr)


def _written(quotient: Any, pairs: Sequence[tuple[int, int]]) -> Any:
    """Numerator over denominator, factored; squares of the first letter of each pair replaced by 1 - second²."""
    import sympy

    above, below = _reduced(quotient.numer, pairs), _reduced(quotient.denom, pairs)
    if not below:
        raise ZeroDivisionError
    if not above:
        return sympy.Integer(0)
    above, below = above.cancel(below)
    one, two = (sympy.factor(p.as_expr()) if len(p) <= FACTORED else p.as_expr() for p in (above, below))
    return one / two


def _reduced(polynomial: Any, pairs: Sequence[tuple[int, int]]) -> Any:
    ring = polynomial.ring
    for first, second in pairs:
        rest = 1 - ring.gens[second] ** 2
        total = ring.zero
        for powers, coefficient in polynomial.terms():
            lowered = tuple(p % 2 if i == first else p for i, p in enumerate(powers))
            total += ring({lowered: coefficient}) * rest ** (powers[first] // 2)
            if len(total) > MOST_TERMS:
                raise _TooLongError
        polynomial = total
    return polynomial
