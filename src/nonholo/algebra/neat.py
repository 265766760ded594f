"""Expressions as short as a person would leave them: cancelled, factored, collected, by sin² + cos² = 1 and addition theorems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from time import process_time, thread_time
from typing import Any

import symengine as se

from nonholo.algebra.angles import Chart, charts, expanded
from nonholo.algebra.arranged import MOST_TERMS, TooLongError, Writer, arranged, lowered
from nonholo.algebra.budget import within
from nonholo.algebra.calculus import tidy
from nonholo.algebra.names import Notation
from nonholo.algebra.written import written_length, written_nodes

Expr = Any
MOST_NODES = 1200
"""Expressions with more nodes are left as they are."""
SECONDS = 0.5
"""Time for one expression."""
SURE = 60
"""Expressions with more nodes are watched by a clock: one greatest common divisor can take minutes."""


def shortened(exprs: Sequence[Expr], budget: float, notation: Notation | None = None) -> tuple[list[Expr], bool]:
    """The expressions, each as short as `neat` makes it, and whether all were tried before ``budget`` seconds were over."""
    # the process's time: what is watched by a clock runs in another thread
    end, complete = process_time() + budget, True
    known: dict[Expr, Expr] = {}
    sizes = {expr: written_nodes(expr, MOST_NODES) for expr in map(se.sympify, exprs)}
    for expr in sorted(sizes, key=lambda e: sizes[e]):
        if sizes[expr] > MOST_NODES:  # even to look at it all takes long
            known[expr] = expr
            continue
        plain = tidy(expr)
        left = end - process_time()
        if left <= 0:
            known[expr], complete = plain, False
            continue
        work = partial(neat, plain, min(left, SECONDS), notation)
        short = work() if sizes[expr] <= SURE else within(2 * min(left, SECONDS), work)
        known[expr] = plain if short is None else min(plain, short, expr, key=written_length)
    return [known[se.sympify(e)] for e in exprs], complete


def neat(expr: Expr, seconds: float = SECONDS, notation: Notation | None = None) -> Expr:
    """An equal expression: the shortest on paper of several quotients of polynomials, factored or collected.

    >>> x, m, a = se.symbols("x m a")
    >>> neat((m**2 * se.sin(x)**2 + m**2 * se.cos(x)**2) / (m * a + m))
    m/(1 + a)
    """
    expr = se.sympify(expr)
    if not expr.args or written_nodes(expr, MOST_NODES) > MOST_NODES:
        return expr
    letters = _letters(expr)
    end = thread_time() + seconds
    tried = [expr]
    for chart in charts(letters):
        try:
            tried += _candidates(expr, letters, chart, notation or Notation(), end)
        except (TooLongError, ZeroDivisionError):
            continue
    return min(tried, key=written_length)


def _candidates(expr: Expr, letters: Sequence[Expr], chart: Chart, notation: Notation, end: float) -> list[Expr]:
    """The expression in the angles of the chart, as one quotient and as a sum of quotients."""
    import sympy

    def tick() -> None:
        if thread_time() > end:
            raise TooLongError

    plain = [e for e in letters if not isinstance(e, (se.sin, se.cos))]
    angles = list(dict.fromkeys(a for form in chart.values() for a in form))
    signs = [-1 if isinstance(se.sin(a), se.Mul) else 1 for a in angles]
    chosen = [*plain, *(f(se.expand(s * a)) for s, a in zip(signs, angles) for f in (se.sin, se.cos))]
    field = sympy.polys.fields.FracField([f"u{i}" for i in range(len(chosen))], sympy.QQ, sympy.polys.orderings.lex)
    first = len(plain)
    gens = field.gens
    places = {a: (gens[first + 2 * k] * s, gens[first + 2 * k + 1]) for k, (a, s) in enumerate(zip(angles, signs))}
    known = dict(zip(plain, gens))
    for angle, form in chart.items():
        known[se.sin(angle)], known[se.cos(angle)] = expanded(form, places)
    pairs = tuple((first + 2 * k, first + 2 * k + 1) for k in range(len(angles)))
    writer = Writer(tuple(chosen), pairs, _kinds(chosen, pairs, notation), tick)
    whole = _quotient(expr, known, field, tick)
    tried = [_written(whole, writer)]
    if isinstance(expr, se.Add) and len(expr.args) <= MOST_TERMS:
        apart: dict[Any, Any] = {}
        for term in expr.args:
            value = _quotient(term, known, field, tick)
            apart[value.denom] = apart.get(value.denom, field(0)) + value
        if len(apart) > 1:
            tried.append(se.Add(*(_written(value, writer) for value in apart.values())))
    return tried


def _kinds(
    letters: Sequence[Expr], pairs: Sequence[tuple[int, int]], notation: Notation
) -> tuple[tuple[int, ...], ...]:
    """Letters by which terms are collected together: sines and cosines, and names of one role."""
    circular = tuple(i for pair in pairs for i in pair)
    roles: dict[int, list[int]] = {}
    for i, letter in enumerate(letters):
        if isinstance(letter, se.Symbol):
            roles.setdefault(notation.place(str(letter))[0], []).append(i)
    groups = [tuple(r) for r in roles.values() if len(r) > 1]
    return (*([circular] if circular else []), *groups, *((*circular, *g) for g in groups if circular))


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


def _quotient(expr: Expr, known: Mapping[Expr, Any], field: Any, tick: Any) -> Any:
    """The expression as an element of the field of rational functions in its letters."""
    memory: dict[Expr, Any] = dict(known)

    def checked(value: Any) -> Any:
        if max(len(value.numer), len(value.denom)) > 4 * MOST_TERMS:
            raise TooLongError
        tick()
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


def _written(quotient: Any, writer: Writer) -> Expr:
    """Numerator over denominator, squares of sines or of cosines reduced before what they share is cancelled."""
    tried = []
    for swap in (False, True) if writer.pairs else (False,):
        above, below = quotient.numer, quotient.denom
        for sine, cosine in writer.pairs:
            one, two = (cosine, sine) if swap else (sine, cosine)
            above, below = lowered(above, one, two), lowered(below, one, two)
        writer.tick()
        if not below:
            raise ZeroDivisionError
        above, below = above.cancel(below)
        if max(len(above), len(below)) > MOST_TERMS:
            raise TooLongError
        tried.append(arranged(above, writer) / arranged(below, writer))
    return min(tried, key=written_length)
