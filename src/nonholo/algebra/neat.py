"""Expressions as short as a person would leave them: cancelled, factored, collected, by sin² + cos² = 1 and addition theorems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    """The expressions, each as short as `neat` makes it, and whether all were tried before ``budget`` seconds were over.

    Sums inside long expressions are shortened first, each once for all expressions that share it.
    """
    # the process's time: what is watched by a clock runs in another thread
    end, complete = process_time() + budget, True
    whole = [se.sympify(e) for e in exprs]
    known: dict[Expr, Expr] = {}
    inner: dict[Expr, Expr] = {}
    sizes = {expr: written_nodes(expr, MOST_NODES) for expr in whole}
    for expr in sorted(sizes, key=lambda e: sizes[e]):
        if not expr.args:
            known[expr] = expr
            continue
        if process_time() > end:
            known[expr], complete = (tidy(expr) if sizes[expr] <= MOST_NODES else expr), False
            continue
        tried = [expr]
        if sizes[expr] > SURE:
            tried.append(_from_below(expr, inner, end, notation))
        if sizes[expr] <= MOST_NODES:
            tried.append(_watched(tidy(expr), end, notation))
        known[expr] = min(tried, key=written_length) if len(tried) > 1 else expr
    return [known[e] for e in whole], complete


def _watched(expr: Expr, end: float, notation: Notation | None) -> Expr:
    """What `neat` gives, or the expression itself when it takes too long."""
    seconds = min(end - process_time(), SECONDS)
    if seconds <= 0:
        return expr
    work = partial(neat, expr, seconds, notation)
    size = written_nodes(expr, MOST_NODES)
    if size > MOST_NODES:
        return expr
    short = work() if size <= SURE else within(2 * seconds, work)
    return expr if short is None else short


def _from_below(expr: Expr, inner: dict[Expr, Expr], end: float, notation: Notation | None) -> Expr:
    """The expression with every sum inside it shortened, those inside first; ``inner`` remembers them."""
    stack = [expr]
    while stack:
        node = stack[-1]
        if node in inner:
            stack.pop()
            continue
        plain = not isinstance(node, (se.Add, se.Mul, se.Pow))
        waiting = [] if plain else [a for a in node.args if a not in inner]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        parts = node.args if plain else [inner[a] for a in node.args]
        again = node if all(p is a or p == a for p, a in zip(parts, node.args)) else node.func(*parts)
        if isinstance(again, se.Add) or node == expr:
            again = _watched(again, end, notation)
        inner[node] = again
    return inner[expr]


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
    views: list[tuple[int, _View]] = []
    for chart in charts(letters):
        try:
            view = _view(expr, letters, chart, notation or Notation(), end)
        except (TooLongError, ZeroDivisionError):
            continue
        views += [(len(above) + len(below), view) for above, below in view.quotients[:1]]
    tried = [expr]
    views.sort(key=lambda pair: pair[0])
    for size, view in views[:2]:
        if size > 3 * views[0][0]:
            continue
        try:
            tried += _candidates(view)
        except TooLongError:
            continue
    return min(tried, key=written_length)


@dataclass(frozen=True)
class _View:
    """An expression in the angles of one chart: as one quotient, and as a sum of quotients when that is another way."""

    writer: Writer
    quotients: tuple[tuple[Any, Any], ...]
    """Numerator and denominator, squares of sines or squares of cosines replaced."""
    apart: tuple[Any, ...]


def _view(expr: Expr, letters: Sequence[Expr], chart: Chart, notation: Notation, end: float) -> _View:
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
    apart: dict[Any, Any] = {}
    if isinstance(expr, se.Add) and len(expr.args) <= MOST_TERMS and len(whole.denom) + sum(whole.denom.degrees()) > 1:
        for term in expr.args:
            value = _quotient(term, known, field, tick)
            apart[value.denom] = apart.get(value.denom, field(0)) + value
    return _View(writer, _reductions(whole, writer), tuple(apart.values()) if len(apart) > 1 else ())


def _reductions(quotient: Any, writer: Writer) -> tuple[tuple[Any, Any], ...]:
    """Numerator and denominator with squares of sines or of cosines reduced and what they then share cancelled."""
    found: list[tuple[Any, Any]] = []
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
        found.append((above, below))
    return tuple(sorted(found, key=lambda pair: len(pair[0]) + len(pair[1])))


def _candidates(view: _View) -> list[Expr]:
    writer = view.writer
    tried = [_written(view.quotients, writer)]
    if view.apart:
        tried.append(se.Add(*(_written(_reductions(value, writer), writer) for value in view.apart)))
    return tried


def _written(quotients: Sequence[tuple[Any, Any]], writer: Writer) -> Expr:
    """Numerator over denominator, the shortest way."""
    return min((arranged(above, writer) / arranged(below, writer) for above, below in quotients), key=written_length)


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
