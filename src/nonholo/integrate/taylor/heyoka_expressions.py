"""SymEngine's graph -> heyoka's graph, node by node; text is never written or read on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.errors import ModelError

Series = Any
"""An expression of heyoka."""
EULER = "2.71828182845904523536028747135266249776"
LARGEST_POWER = 64
"""Integer powers up to this are products: heyoka's recurrence for a power divides by the base, which may be zero."""


def number_of(value: Expr, quad: bool) -> Series:
    """A number of SymEngine, exact to the precision: 1/3 in quad is not the double 1/3."""
    import heyoka as hy

    if isinstance(value, se.Integer) and abs(int(value)) <= 2**53:
        return hy.expression(float(int(value)))
    if not quad or isinstance(value, se.RealDouble):
        return hy.expression(float(value))
    top, bottom = (int(value), 1) if isinstance(value, se.Integer) else (int(part) for part in value.get_num_den())
    return hy.expression(hy.real128(str(top)) / hy.real128(str(bottom)))


def translate(exprs: Sequence[Expr], known: Mapping[Expr, Series], where: str, quad: bool = False) -> list[Series]:
    """All expressions in heyoka's words; ``known`` says what each symbol is.

    Every node is met once, however often the graph comes back to it.
    """
    functions = _functions()
    memo: dict[Expr, Series] = dict(known)
    whole = [se.sympify(e) for e in exprs]
    stack = whole[::-1]
    while stack:
        node = stack[-1]
        if node not in memo:
            _check(node, functions, where)
        parts = () if node in memo else node.args
        waiting = [p for p in parts if p not in memo]
        if waiting:
            stack += waiting
            continue
        if node not in memo:
            memo[node] = _node(node, [memo[p] for p in parts], functions, quad)
        stack.pop()
    return [memo[e] for e in whole]


def _node(
    node: Expr, parts: list[Series], functions: Mapping[str, Callable[..., Series]], quad: bool
) -> Series:
    import heyoka as hy

    if node.is_Number and node.is_real:
        return number_of(node, quad)
    if node.is_Add:
        return hy.sum(parts)
    if node.is_Mul:
        return hy.prod(parts)
    if node.is_Pow:
        return _power(node, *parts)
    if node == se.pi:
        return hy.pi
    if node == se.E:
        return hy.expression(hy.real128(EULER) if quad else float(EULER))
    return functions[type(node).__name__](*parts)


def _check(node: Expr, functions: Mapping[str, Any], where: str) -> None:
    """Refuse what has no series, before its parts are looked at."""
    real = bool(node.is_Number and node.is_real) or node in (se.pi, se.E)
    if not (real or node.is_Add or node.is_Mul or node.is_Pow or type(node).__name__ in functions):
        raise ModelError(
            f"{where}: Taylor series of {type(node).__name__} are not available (found {_short(node)}); write it with powers, "
            'trigonometric, hyperbolic, exp or log functions, or choose method="dop853".'
        )


def _power(node: Expr, base: Series, exponent: Series) -> Series:
    import heyoka as hy

    bottom, top = node.args
    if bottom == se.E:
        return hy.exp(exponent)
    if top.is_Integer and abs(int(top)) <= LARGEST_POWER:
        return _times(base, int(top))
    if top.is_Rational and not top.is_Integer:
        over, under = (int(part) for part in top.get_num_den())
        if under == 2 and abs(over) <= LARGEST_POWER:
            return _times(hy.sqrt(base), over)
    if top.is_Number:
        return base**exponent
    return hy.exp(exponent * hy.log(base))


def _times(base: Series, power: int) -> Series:
    """An integer power by repeated squaring."""
    import heyoka as hy

    if power < 0:
        return hy.expression(1.0) / _times(base, -power)
    result, square = None, base
    while power:
        if power & 1:
            result = square if result is None else result * square
        power >>= 1
        if power:
            square = square * square
    return hy.expression(1.0) if result is None else result


def _functions() -> dict[str, Callable[..., Series]]:
    """heyoka's functions, and those that follow from them, by SymEngine's name."""
    import heyoka as hy

    plain = "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh log erf erfc"
    table: dict[str, Callable[..., Series]] = {n: getattr(hy, n) for n in plain.split()}
    for name, other in (("sec", "cos"), ("csc", "sin"), ("cot", "tan"), ("sech", "cosh"), ("csch", "sinh"), ("coth", "tanh")):
        plainly, inversely = table[other], table[f"a{other}"]
        table[name] = lambda x, f=plainly: hy.expression(1.0) / f(x)
        table[f"a{name}"] = lambda x, f=inversely: f(hy.expression(1.0) / x)
    return table


def solve_series(
    mass: Sequence[Sequence[Series]], present: Sequence[Sequence[bool]], side: Sequence[Series], order: Sequence[int]
) -> list[Series]:
    """``mass · v = side`` by elimination on heyoka's graph, rows taken in this order, columns as they stand.

    ``present`` tells which entries are not zero.
    """
    import heyoka as hy

    size = len(order)
    table = [{j: e for j, e in enumerate(mass[i]) if present[i][j]} for i in order]
    right = [side[i] for i in order]
    for k in range(size):
        for i in range(k + 1, size):
            if k in table[i]:
                factor = table[i].pop(k) / table[k][k]
                for j, e in table[k].items():
                    if j > k:
                        table[i][j] = table[i][j] - factor * e if j in table[i] else -factor * e
                right[i] = right[i] - factor * right[k]
    found: dict[int, Series] = {}
    for k in range(size - 1, -1, -1):
        later = [e * found[j] for j, e in table[k].items() if j > k]
        found[k] = (right[k] - hy.sum(later) if later else right[k]) / table[k][k]
    return [found[k] for k in range(size)]


def _short(node: Expr) -> str:
    text = str(node)
    return text if len(text) < 80 else text[:80] + " …"
