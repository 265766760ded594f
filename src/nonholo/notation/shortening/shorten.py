"""Shorten expressions for people: cancel, factor, collect, use sin² + cos² = 1 and addition theorems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import symengine as se

from nonholo.algebra.budget import TooLongError, allowed, spent
from nonholo.algebra.calculus import atoms, expand, tidy, written_size
from nonholo.algebra.expression_types import Expr
from nonholo.notation.names import Notation
from nonholo.notation.shortening.angle_sums import Chart, charts, expanded
from nonholo.notation.shortening.collect import GROWN, MOST_TERMS, Writer, arranged, lowered, negated
from nonholo.notation.shortening.fractions import Quotient, letters_of, quotient
from nonholo.notation.shortening.length import written_length, written_nodes
from nonholo.notation.shortening.rotation_identities import normal_form, shortest
from nonholo.program.hash_consing import is_deep

MOST_NODES = 1200
"""Expressions with more nodes are left as they are."""
WORK = 0.8
"""Units of work for one expression, see `nonholo.algebra.budget`."""
ENDLESS = 10_000_000
"""Expressions with more symbols and signs, written out, are left as they are."""
SURE = 60
"""Longer expressions are shortened from below, too."""


def shortened(exprs: Sequence[Expr], budget: float, notation: Notation | None = None) -> tuple[list[Expr], bool]:
    """The expressions, each as short as `neat` makes it, and whether all were tried before ``budget`` units of work were done.

    Sums inside long expressions are shortened first, each once for all expressions that share it.
    """
    end, complete = spent() + budget, True
    whole = [se.sympify(e) for e in exprs]
    known: dict[Expr, Expr] = {}
    inner: dict[Expr, Expr] = {}
    sizes = {expr: written_nodes(expr, MOST_NODES) for expr in whole}
    for expr in sorted(sizes, key=lambda e: sizes[e]):
        if not expr.args:
            known[expr] = expr
            continue
        endless = sizes[expr] > MOST_NODES and (spent() >= end or (is_deep([expr]) and written_size(expr) > ENDLESS))
        if endless:
            known[expr], complete = expr, False
            continue
        if spent() >= end:
            known[expr], complete = min(expr, tidy(expr), key=written_length), False
            continue
        tried = [expr]
        if sizes[expr] > SURE:
            tried.append(_from_below(expr, inner, end, notation))
        if sizes[expr] <= MOST_NODES:
            tried.append(_watched(tidy(expr), end, notation))
        known[expr] = min(tried, key=written_length) if len(tried) > 1 else expr
    return [known[e] for e in whole], complete


def _watched(expr: Expr, end: float, notation: Notation | None, rough: bool = False) -> Expr:
    """What `neat` gives, or the expression itself when it takes too much work."""
    units = min(end - spent(), WORK)
    size = written_nodes(expr, MOST_NODES)
    if units <= 0 or size > MOST_NODES:
        return expr
    return neat(expr, units, notation, rough)


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
            again = _watched(again, end, notation, node != expr)
        inner[node] = again
    return inner[expr]


def neat(expr: Expr, units: float = WORK, notation: Notation | None = None, rough: bool = False) -> Expr:
    """An equal expression: the shortest on paper of several quotients of polynomials, factored or collected.

    A ``rough`` answer is quicker: sums are not collected.

    >>> x, m, a = se.symbols("x m a")
    >>> neat((m**2 * se.sin(x)**2 + m**2 * se.cos(x)**2) / (m * a + m))
    m/(1 + a)
    """
    expr = se.sympify(expr)
    if not expr.args or written_nodes(expr, MOST_NODES) > MOST_NODES:
        return expr
    end = spent() + units
    expr = _flat(_under_roots(expr, units / 4, notation))
    letters = letters_of(expr)
    views: list[tuple[int, _View]] = []
    for chart in charts(letters):
        try:
            with allowed(end - spent()):
                view = _view(expr, letters, chart, notation or Notation(), end, rough)
        except (TooLongError, ZeroDivisionError):
            continue
        shown = view.quotients[:1] or view.apart
        views.append((sum(len(above) + len(below) for above, below in shown), view))
    tried = [expr]
    views.sort(key=lambda pair: pair[0])
    for size, view in views[: 1 if rough else 2]:
        if size <= 3 * views[0][0]:
            with suppress(TooLongError, ZeroDivisionError), allowed(end - spent()):
                tried.extend(_candidates(view))
    return min(tried, key=written_length)


def _under_roots(expr: Expr, units: float, notation: Notation | None) -> Expr:
    """The expression with what stands under its roots made short."""
    sums = {p.args[0] for p in atoms([expr], se.Pow) if isinstance(p.args[0], se.Add) and not _whole(p.args[1])}
    table = {inside: neat(inside, units, notation) for inside in sums}
    return expr.xreplace({p: table[p.args[0]] ** p.args[1] for p in atoms([expr], se.Pow) if p.args[0] in table})


def _whole(exponent: Expr) -> bool:
    return isinstance(exponent, se.Integer) or not isinstance(exponent, se.Rational)


def _flat(expr: Expr) -> Expr:
    """A sum with no sums among its terms: ``a - (b + c)`` is ``a - b - c``."""
    if not isinstance(expr, se.Add):
        return expr
    terms: list[Expr] = []
    for term in expr.args:
        number, *rest = term.args if isinstance(term, se.Mul) else (1, term)
        inside = len(rest) == 1 and isinstance(rest[0], se.Add) and isinstance(number, (int, se.Number))
        terms += [number * t for t in _flat(rest[0]).args] if inside else [term]
    return se.Add(*terms)


@dataclass(frozen=True)
class _View:
    """An expression in the angles of one chart: as one quotient, and as a sum of quotients when that is another way."""

    writer: Writer
    quotients: tuple[Quotient, ...]
    """Numerator and denominator, squares of sines or squares of cosines replaced."""
    apart: tuple[Quotient, ...]


def _view(expr: Expr, letters: Sequence[Expr], chart: Chart, notation: Notation, end: float, rough: bool) -> _View:
    from nonholo.algebra.polynomials import ring_of

    soon = 0.6 * end + 0.4 * spent()

    def hurry() -> bool:
        return rough or spent() > soon

    plain = [e for e in letters if not isinstance(e, (se.sin, se.cos))]
    matrices = [_entries(r) for r in notation.rotations]
    matrices = [nine for nine in matrices if sum(e in plain for e in nine) > 1]
    plain += [e for nine in matrices for e in nine if e not in plain]
    angles = list(dict.fromkeys(a for form in chart.values() for a in form))
    signs = [-1 if isinstance(se.sin(a), se.Mul) else 1 for a in angles]
    chosen = [*plain, *(f(expand(s * a)) for s, a in zip(signs, angles) for f in (se.sin, se.cos))]
    ring = ring_of([f"u{i}" for i in range(len(chosen))])
    first, gens = len(plain), ring.gens
    places = {a: (gens[first + 2 * k] * s, gens[first + 2 * k + 1]) for k, (a, s) in enumerate(zip(angles, signs))}
    known = dict(zip(plain, gens))
    for angle, form in chart.items():
        known[se.sin(angle)], known[se.cos(angle)] = expanded(form, places)
    pairs = tuple((first + 2 * k, first + 2 * k + 1) for k in range(len(angles)))
    nines = tuple(tuple(plain.index(e) for e in nine) for nine in matrices)
    writer = Writer(tuple(chosen), pairs, _kinds(chosen, pairs, notation), hurry, nines)
    memory: dict[Expr, Quotient] = {letter: (value, ring.one) for letter, value in known.items()}
    writer = replace(writer, roots=_roots(plain, memory, ring, writer))
    try:
        whole = _reductions(quotient(expr, memory, ring, writer), writer)
    except TooLongError:
        whole = ()
    apart: dict[Any, Any] = {}
    if isinstance(expr, se.Add) and len(expr.args) <= MOST_TERMS and not (whole and whole[0][1].is_ground):
        for term in expr.args:
            above, below = quotient(term, memory, ring, writer)
            above, below = above.cancel(below)
            apart[below] = apart.get(below, ring.zero) + above
    if not whole and len(apart) < 2:
        raise TooLongError
    return _View(writer, whole, tuple((above, below) for below, above in apart.items()) if len(apart) > 1 else ())


def _roots(
    letters: Sequence[Expr], memory: dict[Expr, Quotient], ring: Any, writer: Writer
) -> tuple[tuple[int, Any], ...]:
    """The square roots among the letters whose insides are polynomials in the others."""
    found = []
    for place, letter in enumerate(letters):
        if isinstance(letter, se.Pow) and letter.args[1] == se.Rational(1, 2):
            above, below = quotient(letter.args[0], memory, ring, writer)
            if below.is_ground:
                found.append((place, above.quo_ground(below.LC)))
    return tuple(found)


def _reductions(value: Quotient, writer: Writer) -> tuple[Quotient, ...]:
    """Numerator and denominator with squares of sines or of cosines reduced and what they then share cancelled."""
    found: list[Quotient] = []
    for swap in (False, True) if writer.pairs else (False,):
        above, below = value
        for sine, cosine in writer.pairs:
            one, two = (cosine, sine) if swap else (sine, cosine)
            above, below = lowered(above, one, two), lowered(below, one, two)
        if not below:
            raise ZeroDivisionError
        for one, two in _on_rotations(above, below, writer):
            one, two = one.cancel(two)
            top, bottom = _rooted(one, two, writer)
            if max(len(top), len(bottom)) <= MOST_TERMS:
                found.append((top, bottom))
    if not found:
        raise TooLongError
    return tuple(sorted(found, key=lambda pair: len(pair[0]) + len(pair[1])))


def _on_rotations(above: Any, below: Any, writer: Writer) -> list[Quotient]:
    """Numerator and denominator by the relations between the entries of rotation matrices, each short, or both normal."""
    found = [(shortest(above, writer.rotations, GROWN), shortest(below, writer.rotations, GROWN))]
    if len(below) > 1 and len(writer.rotations) == 1:
        one, two = (normal_form(p, writer.rotations[0], GROWN) for p in (above, below))
        if one is not None and two:
            found.append((one, two))
    return found


def _rooted(above: Any, below: Any, writer: Writer) -> Quotient:
    """``x b / √b`` is ``x √b``."""
    for place, inside in writer.roots:
        root = above.ring.gens[place]
        if all(m[place] for m in below.itermonoms()):
            quotient, rest = above.div(inside)
            if not rest:
                above, below = quotient * root, below.exquo(root)
    return above, below


def _candidates(view: _View) -> Iterator[Expr]:
    """Ways to write the expression, those that take little work first."""
    writer = view.writer
    if view.apart:
        yield se.Add(*(_written(_reductions(value, writer), writer) for value in view.apart))
    if view.quotients and not view.quotients[0][1].is_ground:
        for kind in (*writer.kinds, *((place,) for place, _ in writer.roots)):
            found = _sum_of_quotients(view.quotients[0], kind, writer)
            if found is not None:
                yield found
    if view.quotients:
        yield _written(view.quotients, writer)


def _sum_of_quotients(value: Quotient, kind: Sequence[int], writer: Writer) -> Expr | None:
    """The quotient by the powers of some letters in its numerator, each cancelled, those with one denominator together."""
    above, below = value
    groups: dict[tuple[int, ...], dict[Any, Any]] = {}
    for monomial, coefficient in above.terms():
        groups.setdefault(tuple(monomial[i] for i in kind), {})[monomial] = coefficient
    if not 1 < len(groups) <= 12:
        return None
    apart: dict[Any, Any] = {}
    for terms in groups.values():
        top, bottom = above.ring(terms).cancel(below)
        top, bottom = _rooted(top, bottom, writer)
        apart[bottom] = apart.get(bottom, above.ring.zero) + top
    if len(apart) == 1:
        return None
    return se.Add(*(_divided(top, bottom, writer) for bottom, top in apart.items()))


def _written(quotients: Sequence[Quotient], writer: Writer) -> Expr:
    """Numerator over denominator, the shortest way."""
    return min((_divided(above, below, writer) for above, below in quotients), key=written_length)


def _divided(above: Any, below: Any, writer: Writer) -> Expr:
    found = arranged(above, writer) / arranged(below, writer)
    if isinstance(found, se.Mul) and len(found.args) == 2 and found.args[0] == -1:
        return negated(found.args[1])
    return found


def _entries(letter: str) -> list[Expr]:
    return [se.Symbol(f"{letter}{i}{j}") for i in (1, 2, 3) for j in (1, 2, 3)]


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
