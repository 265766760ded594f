"""Derivatives along s as symbols: total derivatives and Euler operators on densities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nonholo.algebra.calculus import ZERO, symbol
from nonholo.algebra.expression_types import Expr, Symbol

S, T = symbol("s"), symbol("t")
HIGHEST = 12
"""Derivatives beyond this order do not occur: a density has at most second ones."""


def jet_name(name: str, order: int) -> str:
    """``x``, ``x_s``, ``x_ss`` …

    >>> jet_name("x", 2)
    'x_ss'
    """
    return f"{name}_{'s' * order}" if order else name


def jet(name: str, order: int) -> Symbol:
    """The symbol of a derivative."""
    return symbol(jet_name(name, order))


@dataclass(frozen=True)
class Jets:
    """Functions of s whose derivatives are symbols of their own."""

    names: tuple[str, ...]

    def order(self, exprs: Sequence[Expr], name: str) -> int:
        """The highest derivative of a function in some expressions; −1 where it does not occur."""
        found = {str(f) for e in exprs for f in e.free_symbols}
        return max((k for k in range(HIGHEST) if jet_name(name, k) in found), default=-1)

    def total(self, expr: Expr, times: int = 1) -> Expr:
        """``d/ds``, of which every function's derivative is the next symbol."""
        for _ in range(times):
            result = expr.diff(S)
            for name in self.names:
                for k in range(self.order([expr], name) + 1):
                    slope = expr.diff(jet(name, k))
                    if slope != ZERO:
                        result += slope * jet(name, k + 1)
            expr = result
        return expr

    def euler(self, density: Expr, name: str) -> Expr:
        """``δ/δf = ∂/∂f − d/ds ∂/∂f_s + d²/ds² ∂/∂f_ss − …``

        >>> u = Jets(("u",))
        >>> u.euler(jet("u", 1) ** 2 / 2, "u")
        -u_ss
        """
        total = ZERO
        for k in range(self.order([density], name) + 1):
            total += (-1) ** k * self.total(density.diff(jet(name, k)), k)
        return total

    def end_terms(self, density: Expr, name: str) -> list[Expr]:
        """The coefficients of ``f, f_s, …`` in what integration by parts leaves at the ends, at s = length minus at 0.

        >>> u = Jets(("u",))
        >>> u.end_terms(jet("u", 2) ** 2 / 2, "u")
        [-u_sss, u_ss]
        """
        top = self.order([density], name)
        found = [ZERO] * max(top, 0)
        for k in range(1, top + 1):
            slope = density.diff(jet(name, k))
            for j in range(k):
                found[j] += (-1) ** (k - 1 - j) * self.total(slope, k - 1 - j)
        return found


def along(expr: Expr, jets: Jets, direction: Mapping[str, Expr]) -> Expr:
    """The derivative of an expression when each function f moves by ``direction[f]``, its derivatives with it."""
    result = ZERO
    for name, moved in direction.items():
        for k in range(jets.order([expr], name) + 1):
            slope = expr.diff(jet(name, k))
            if slope != ZERO:
                result += slope * jets.total(moved, k)
    return result
