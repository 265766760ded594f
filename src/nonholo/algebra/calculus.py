"""Derivatives and substitution on shared expression graphs (SymEngine inside)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

import symengine as se
from symengine.lib.symengine_wrapper import Boolean

from nonholo.algebra.expression_types import Expr, Scalar, Symbol
from nonholo.program.hash_consing import adopted, consed, is_deep, mapped, shared, walk

ZERO = se.Integer(0)
ONE = se.Integer(1)

MANY = 12
"""With more variables than this a gradient is made in one pass over sums and multiples."""
Slopes = dict[Expr, dict[Symbol, Expr]]
"""Sums and their derivatives by the variables that occur in them."""
V = TypeVar("V")
_TOGETHER = se.Function("_together")


def symbol(name: str) -> Symbol:
    """The symbol of this name."""
    return se.Symbol(name)


def symbols(names: Iterable[str]) -> tuple[Symbol, ...]:
    """One symbol for each name."""
    return tuple(se.Symbol(name) for name in names)


def vanishes(expr: Expr) -> bool:
    """Whether an expression is the number zero, exact or floating; comparing it with 0 would cost thirty times as much.

    >>> vanishes(ZERO), vanishes(0.0), vanishes(symbol("x") - symbol("x")), vanishes(symbol("x"))
    (True, True, True, False)
    """
    if not isinstance(expr, se.Basic):
        expr = se.sympify(expr)
    return expr is ZERO or bool(expr.is_Number and expr.is_zero)


def gradient(expr: Expr, variables: Sequence[Symbol]) -> tuple[Expr, ...]:
    """All partial derivatives of one expression."""
    return jacobian([expr], variables)[0]


def _gradient(expr: Expr, variables: Sequence[Symbol], known: Slopes | None) -> tuple[Expr, ...]:
    if len(variables) > MANY:
        found = _slopes(expr, set(variables), known)
        return tuple(found.get(v, ZERO) for v in variables)
    present = expr.free_symbols
    return tuple(expr.diff(v) if v in present else ZERO for v in variables)


def _slopes(expr: Expr, among: set[Symbol], known: Slopes | None) -> dict[Symbol, Expr]:
    """The derivatives by those variables that occur: a sum or a multiple is not walked through once for each of them.

    Sums that occur again, as velocities of points do in all momenta, are differentiated once: they are ``known``. Multiples by
    one factor are added before they are multiplied by it. Of deep expressions nothing is ``known``: sums are compared as trees.
    """
    if not isinstance(expr, se.Add):
        factor, part = _multiple(expr, among)
        if part is not expr:
            return {v: factor * slope for v, slope in _slopes(part, among, known).items()}
        return {v: expr.diff(v) for v in expr.free_symbols & among}
    if known is None:
        plain: dict[Symbol, list[Expr]] = {}
        for term in expr.args:
            for v, slope in _slopes(term, among, None).items():
                plain.setdefault(v, []).append(slope)
        return {v: se.Add(*slopes) for v, slopes in plain.items()}
    found = known.get(expr)
    if found is None:
        groups: dict[Expr, dict[Symbol, list[Expr]]] = {}
        for term in expr.args:
            factor, part = _multiple(term, among)
            terms = groups.setdefault(factor, {})
            for v, slope in _slopes(part, among, known).items():
                terms.setdefault(v, []).append(slope)
        sums: dict[Symbol, list[Expr]] = {}
        for factor, terms in groups.items():
            for v, slopes in terms.items():
                sums.setdefault(v, []).append(factor * se.Add(*slopes))
        found = known[expr] = {v: se.Add(*slopes) for v, slopes in sums.items()}
    return found


def _multiple(expr: Expr, among: set[Symbol]) -> tuple[Expr, Expr]:
    """A product as what does not move with the variables times the one factor that does; anything else as one times itself."""
    if isinstance(expr, se.Mul):
        parts = expr.args
        moving = [i for i, part in enumerate(parts) if part.free_symbols & among]
        if len(moving) == 1:
            return se.Mul(*(part for i, part in enumerate(parts) if i != moving[0])), parts[moving[0]]
    return ONE, expr


def jacobian(exprs: Sequence[Expr], variables: Sequence[Symbol]) -> tuple[tuple[Expr, ...], ...]:
    """The matrix ``∂exprs_i/∂variables_j``."""
    known: Slopes = {}
    rows = []
    for expr in map(se.sympify, exprs):
        deep = is_deep([expr])
        row = _gradient(consed([expr])[0], variables, None) if deep else _gradient(expr, variables, known)
        rows.append(consed(row) if deep else row)
    return tuple(rows)


def along(exprs: Sequence[Expr], direction: Mapping[Symbol, Expr], known: Iterable[Expr] = ()) -> tuple[Expr, ...]:
    """Directional derivative ``Σ (∂expr/∂s) direction[s]`` of every expression.

    The chain rule from the leaves up, once for each node of the graph that all the expressions share, whatever the
    number of directions: the derivatives share their nodes too. What equals a part of the ``known`` expressions is that
    part; deep expressions share all their parts (`nonholo.program.hash_consing`).

    >>> x, y = symbols("xy")
    >>> along([x * y], {x: y, y: 1}) == (x + y**2,)
    True
    """
    rates: dict[Expr, Expr] = {s: se.sympify(d) for s, d in direction.items()}
    if all(vanishes(d) for d in rates.values()):
        return tuple(ZERO for _ in exprs)
    whole = [se.sympify(e) for e in exprs]
    known = [se.sympify(e) for e in known]
    deep = is_deep((*whole, *rates.values(), *known))
    if deep:
        whole = list(consed(whole))
        rates = dict(zip(rates, consed(rates.values())))
    one = {} if deep else {e: e for e in nodes(known)}

    def rate(node: Expr, parts: Sequence[Expr]) -> Expr:
        slope = _chain_rule(node, [one.get(p, p) for p in parts], [rates[p] for p in parts])
        return adopted(slope) if deep else one.setdefault(slope, slope)

    from_below(whole, rates, rate)
    return tuple(rates[e] for e in whole)


def lie_derivatives(exprs: Sequence[Expr], field: Mapping[Symbol, Expr]) -> tuple[Expr, ...]:
    """``X[f] = X^k ∂f/∂x^k`` of every expression: of few coordinates from the partial derivatives, which is shorter.

    >>> x, y = symbols("xy")
    >>> lie_derivatives([x * y], {x: y, y: ONE})
    (x + y**2,)
    """
    if len(field) > MANY:
        return along(exprs, field)
    rows = jacobian(exprs, tuple(field))
    return tuple(se.Add(*(s * e for s, e in zip(field.values(), row) if not vanishes(e))) for row in rows)


def energy_of(lagrangian: Expr, velocities: Sequence[Symbol]) -> Expr:
    """``v^j ∂L/∂v^j − L``; of many velocities in one pass, without the momenta.

    >>> v, w, k = symbols("vwk")
    >>> expand(energy_of(k * v**2 / 2 + w**2 / 2 - k, (v, w))) == k * v**2 / 2 + w**2 / 2 + k
    True
    """
    return lie_derivatives([lagrangian], {s: s for s in velocities})[0] - lagrangian


def _chain_rule(node: Expr, parts: Sequence[Expr], rates: Sequence[Expr]) -> Expr:
    """The derivative of a node from those of its parts."""
    moving = [i for i, r in enumerate(rates) if not vanishes(r)]
    if not moving:
        return ZERO
    if isinstance(node, se.Add):
        return se.Add(*(rates[i] for i in moving))
    if isinstance(node, se.Mul):
        return se.Add(*(se.Mul(rates[i], *parts[:i], *parts[i + 1 :]) for i in moving))
    if isinstance(node, se.Pow) and moving == [0]:
        return parts[1] * parts[0] ** (parts[1] - 1) * rates[0]
    if isinstance(node, se.Piecewise):
        return se.Piecewise(*zip(rates[::2], parts[1::2]))
    if isinstance(node, Boolean):
        return ZERO
    places = [se.Dummy() for _ in parts]
    outer, inner = node.func(*places), dict(zip(places, parts))
    return se.Add(*(outer.diff(places[i]).xreplace(inner) * rates[i] for i in moving))


def substitute(exprs: Sequence[Expr], replacement: Mapping[Symbol, Scalar]) -> tuple[Expr, ...]:
    """Every expression with all replacements made at once, in one pass, so that what was shared stays shared.

    Copies would be equal but not identical, and SymEngine compares two such graphs as trees: for ever, when deep. Those are
    hash-consed, so that the results of several calls share their parts too.
    """
    table = {s: se.sympify(e) for s, e in replacement.items() if s != e}
    whole = [se.sympify(e) for e in exprs]
    if not table or not whole:
        return tuple(whole)
    if is_deep(whole) and not any(s.args for s in table):
        return mapped(whole, table)
    return tuple(_TOGETHER(*whole).xreplace(table).args)


def node_count(exprs: Iterable[Expr]) -> int:
    """How many different nodes the shared graph of the expressions has."""
    return len(nodes(exprs))


def nodes(exprs: Iterable[Expr]) -> set[Expr]:
    """All different nodes of the shared graph of the expressions; SymEngine's `atoms` walks through what is shared each time."""
    seen: set[Expr] = set()
    stack = list(shared(se.sympify(e) for e in exprs))
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(node.args)
    return seen


def atoms(exprs: Iterable[Expr], *kinds: type) -> set[Expr]:
    """The different parts of these kinds; SymEngine's `atoms` walks through what is shared each time.

    >>> x, y = symbols("xy")
    >>> atoms([se.sin(x) + x, se.sin(x) * se.cos(y)], se.sin, se.cos) == {se.sin(x), se.cos(y)}
    True
    """
    return {node for node in walk(se.sympify(e) for e in exprs) if isinstance(node, kinds)}


def from_below(
    exprs: Sequence[Expr],
    known: dict[Expr, V],
    value: Callable[[Expr, Sequence[Expr]], V],
    parts: Callable[[Expr], Sequence[Expr]] | None = None,
) -> None:
    """Put the value of every node of the shared graph into ``known``: each once, and after those of its ``parts``, its arguments.

    >>> x = symbol("x")
    >>> heights: dict[Expr, int] = {}
    >>> from_below([se.sin(x + 1)], heights, lambda _, parts: 1 + max((heights[a] for a in parts), default=0))
    >>> heights[se.sin(x + 1)]
    3
    """
    stack: list[tuple[Expr, Sequence[Expr] | None]] = [(e, None) for e in reversed(exprs)]
    while stack:
        node, inside = stack.pop()
        if node in known:
            continue
        if inside is None:  # asked for once: SymEngine makes the arguments anew each time
            inside = node.args if parts is None else parts(node)
            waiting: list[tuple[Expr, Sequence[Expr] | None]] = [(part, None) for part in inside if part not in known]
            if waiting:
                stack.append((node, inside))
                stack += waiting
                continue
        known[node] = value(node, inside)


def depending(exprs: Iterable[Expr], variable: Symbol) -> list[Expr]:
    """Those nodes of the shared graph that hold the variable, arguments first; each is visited once.

    >>> x, y = symbols("xy")
    >>> depending([x * se.sin(y)], y)
    [y, sin(y), x*sin(y)]
    """
    known: dict[Expr, bool] = {}
    whole = list(shared(se.sympify(e) for e in exprs))
    from_below(whole[::-1], known, lambda node, parts: node == variable or any(known[a] for a in parts))
    return [node for node, holds in known.items() if holds]


def written_size(expr: Expr) -> int:
    """How many symbols, numbers and operations the expression has where it is written out: what is shared counts each time.

    >>> x = symbol("x")
    >>> half = x + 1
    >>> written_size(half * se.sin(half)), node_count([half * se.sin(half)])
    (8, 5)
    """
    known: dict[Expr, int] = {}
    (whole,) = shared([se.sympify(expr)])
    from_below([whole], known, lambda _, parts: 1 + sum(known[a] for a in parts))
    return known[whole]


def larger_than(exprs: Iterable[Expr], limit: int) -> bool:
    """Whether the shared graph of the expressions has more nodes than ``limit``; counts no further than needed.

    Nodes are distinguished by SymEngine's cached hash: deep graphs are neither compared nor rebuilt.
    """
    seen: set[int] = set()
    stack = [se.sympify(e) for e in exprs if e != 0]
    while stack:
        node = stack.pop()
        place = hash(node)
        if place not in seen:
            seen.add(place)
            if len(seen) > limit:
                return True
            stack.extend(node.args)
    return False


def with_denominator(exprs: Iterable[Expr], moving: Collection[Symbol]) -> list[Expr]:
    """Those expressions with one of these symbols in a denominator; shared parts are visited once.

    >>> x, y = symbols("xy")
    >>> with_denominator([x / (1 + y), x / 2, 1 / se.sqrt(x), y / (1 + y)], {y})
    [x/(1 + y), y/(1 + y)]
    """
    known: dict[Expr, bool] = {}
    free = set(moving)

    def divides(node: Expr) -> bool:
        if not isinstance(node, se.Pow):
            return False
        base, power = node.args
        return power.is_Number and bool(power.is_negative and base.free_symbols & free)

    given = [se.sympify(e) for e in exprs]
    whole = shared(given)
    from_below(
        whole, known, lambda node, parts: divides(node) or any(known[a] for a in parts), lambda n: () if divides(n) else n.args
    )
    return [expr for expr, one in zip(given, whole) if known[one]]


INSIDE = 8
"""An expression is multiplied out if its terms times those inside its functions are at most so many times the limit."""


def expand(expr: Expr) -> Expr:
    """Multiplied out.

    SymEngine 0.15 leaves ``(1/4)*4*y**2`` in a sum where the base of a power shrinks to one term, and then takes it for
    ``y**2/4``; what is rebuilt is right.

    >>> x, y, z = symbols(["x", "y", "z"])
    >>> expand(z + (2*y - z - x*z + z*(1 + x))**2/4) - z
    y**2
    """
    return se.sympify(expr).expand().xreplace({})


def tidy(expr: Expr, limit: int = 200) -> Expr:
    """A shorter equal expression by ``sin² + cos² = 1``, or the expression itself; cheap, and only for small ones.

    >>> t = symbol("t")
    >>> tidy(se.cos(t)**2 + se.sin(t)**2)
    1
    """
    expr = se.sympify(expr)
    terms = expanded_terms(expr, limit) if expr.args and not is_deep([expr]) else 0
    if not 0 < terms <= limit:
        return expr
    parts = nodes([expr])
    if len(parts) > limit or terms * _terms_inside(parts, limit) > INSIDE * limit:
        return expr
    polynomial = expand(expr)
    powers: dict[Expr, list[tuple[Expr, int]]] = {}
    for node in nodes([polynomial]):
        base, exponent = node.args if isinstance(node, se.Pow) else (node, ONE)
        if isinstance(base, se.sin) and exponent.is_Integer and int(exponent) > 1:
            powers.setdefault(base, []).append((node, int(exponent)))
    for sine in atoms([polynomial], se.sin) if powers else ():
        if sine in powers:
            square = 1 - se.cos(sine.args[0]) ** 2
            table = {power: square ** (n // 2) * sine ** (n % 2) for power, n in powers[sine]}
            polynomial = expand(polynomial.xreplace(table))
    return polynomial if node_count([polynomial]) < node_count([expr]) else expr


def _terms_inside(parts: Iterable[Expr], limit: int) -> int:
    """How many terms the longest argument of a function or base of a power has when multiplied out; each term may repeat it."""
    inner = (node for node in parts if node.args and not (node.is_Add or node.is_Mul))
    return max((expanded_terms(part, limit) for node in inner for part in node.args), default=1)


def expanded_terms(expr: Expr, limit: int) -> int:
    """About how many terms the expression has when multiplied out, or more than ``limit``; expanding costs that."""
    if expr.is_Add:
        total = 0
        for part in expr.args:
            total += expanded_terms(part, limit)
            if total > limit:
                break
        return total
    if expr.is_Mul:
        total = 1
        for part in expr.args:
            total *= expanded_terms(part, limit)
            if total > limit:
                break
        return total
    if expr.is_Pow and expr.args[1].is_Integer and int(expr.args[1]) > 1:
        inner = expanded_terms(expr.args[0], limit)
        return inner if inner == 1 else inner ** min(int(expr.args[1]), 12)
    # SymEngine also multiplies out denominators and the arguments of functions
    return 1 if all(expanded_terms(part, limit) <= limit for part in expr.args) else limit + 1
