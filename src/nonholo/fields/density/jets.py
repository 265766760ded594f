"""Derivatives along s, or along x, y and z, as symbols: total derivatives and Euler operators on densities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nonholo.algebra.calculus import ZERO, symbol
from nonholo.algebra.expression_types import Expr, Symbol


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
    """Functions of places whose derivatives are symbols of their own: ``u_x``, ``u_xy``, letters in the order of ``over``."""

    names: tuple[str, ...]
    over: str = "s"
    """The places, one letter each."""

    def parts(self, expr: Expr) -> list[tuple[str, str]]:
        """Functions in an expression with the letters of their derivatives, in order."""
        found = []
        for text in sorted(str(f) for f in expr.free_symbols):
            name, _, letters = text.rpartition("_")
            if text in self.names:
                found.append((text, ""))
            elif name in self.names and set(letters) <= set(self.over):
                found.append((name, letters))
        return found

    def symbol(self, name: str, letters: str) -> Symbol:
        """The symbol of a derivative along the letters."""
        return symbol(f"{name}_{''.join(sorted(letters, key=self.over.index))}" if letters else name)

    def order(self, exprs: Sequence[Expr], name: str) -> int:
        """The highest derivative of a function in some expressions; −1 where it does not occur."""
        return max((len(letters) for e in exprs for n, letters in self.parts(e) if n == name), default=-1)

    def total(self, expr: Expr, times: int = 1, by: str = "s") -> Expr:
        """``d/ds`` (or along another letter), of which every function's derivative is the next symbol."""
        for _ in range(times):
            result = expr.diff(symbol(by))
            for name, letters in self.parts(expr):
                result += expr.diff(self.symbol(name, letters)) * self.symbol(name, letters + by)
            expr = result
        return expr

    def euler(self, density: Expr, name: str) -> Expr:
        """``δ/δf = ∂/∂f − d/ds ∂/∂f_s + d²/ds² ∂/∂f_ss − …``, and so along every letter.

        >>> u = Jets(("u",))
        >>> u.euler(jet("u", 1) ** 2 / 2, "u")
        -u_ss
        >>> plane = Jets(("u",), "xy")
        >>> plane.euler(plane.symbol("u", "x") * plane.symbol("u", "y"), "u")
        -2*u_xy
        """
        result = ZERO
        for one, letters in self.parts(density):
            if one == name:
                slope = density.diff(self.symbol(name, letters))
                for letter in letters:
                    slope = -self.total(slope, by=letter)
                result += slope
        return result

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


def directional_derivative(expr: Expr, jets: Jets, direction: Mapping[str, Expr]) -> Expr:
    """The derivative of an expression when each function f moves by ``direction[f]``, its derivatives with it."""
    result = ZERO
    for name, moved in direction.items():
        for k in range(jets.order([expr], name) + 1):
            slope = expr.diff(jet(name, k))
            if slope != ZERO:
                result += slope * jets.total(moved, k)
    return result
