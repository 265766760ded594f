"""A solution of a linear ODE over a function field in closed form, and relations with constant factors between elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import ONE
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate
from nonholo.symmetry.integrals.gauge.function_field import Element, FunctionField
from nonholo.symmetry.integrals.gauge.prolongation import GaugeOde, reduced_rows

Vector = tuple[Expr, ...]


@dataclass(frozen=True)
class ClosedForm:
    """A solution ``y(s) = Σ factor · vector`` with vectors over the field, and how it was found."""

    terms: tuple[tuple[Expr, tuple[Element, ...]], ...]
    method: str
    common: Expr = ONE
    """A power that all factors have in common."""
    square: Expr | None = None
    """``D``, where the factors without ``common`` are rational in the parameters and ``√D``."""


def applied(F: FunctionField, matrix: Sequence[Sequence[Element]], one: ClosedForm, factored: bool = False) -> Vector:
    """``matrix · y`` as expressions; what cancels in the field cancels."""
    result = []
    for row in matrix:
        parts = [(factor, _row_times(F, row, vector)) for factor, vector in one.terms]
        result.append(se.Add(*(factor * F.expression(e, factored) for factor, e in parts if e != 0)))
    return tuple(result)


def _row_times(F: FunctionField, row: Sequence[Element], vector: Sequence[Element]) -> Element:
    return F.reduced(sum((a * b for a, b in zip(row, vector)), F.zero))


def solution(F: FunctionField, one: ClosedForm) -> Vector:
    """``y`` as expressions."""
    size = len(one.terms[0][1])
    return applied(F, [[F.one if i == j else F.zero for j in range(size)] for i in range(size)], one)


def linear_relations(F: FunctionField, columns: Sequence[Sequence[Element]]) -> list[list[Element]]:
    """All ``c`` in Q(parameters) with ``Σ_j c_j columns_j = 0``; each column is a vector over the field."""
    rows = []
    for i in range(len(columns[0])):
        entries = [column[i] for column in columns]
        common = F.field.ring.one
        for e in entries:
            if e != 0:
                common = common.lcm(e.denom)
        scaled = [F.reduced(e * F.field.new(common, F.field.ring.one)) for e in entries]
        parts = [F.coefficients(e) if e != 0 else {} for e in scaled]
        shared = [F.field.new(F.field.ring.one, e.denom) for e in scaled]
        for key in sorted({k for p in parts for k in p}):
            rows.append([p[key] * d if key in p else F.zero for p, d in zip(parts, shared)])
    width = len(columns)
    solved = reduced_rows(F, rows, width)
    bound = {next(k for k, e in enumerate(row) if e != 0): row for row in solved}
    return [
        [-bound[k][j] if k in bound else F.one if k == j else F.zero for k in range(width)]
        for j in range(width)
        if j not in bound
    ]


def positive(F: FunctionField, base: Element) -> Expr:
    """The base of a power with the sign that makes it real, for positive parameters."""
    return F.expression(base if evaluate([F.expression(base)], somewhere(F, 0.31))[0] > 0 else -base, True)


def somewhere(F: FunctionField, at: float) -> dict[str, float]:
    """A value of the variable, with positive parameters."""
    place = {str(p): 0.7 + 0.11 * j for j, p in enumerate(F.parameters)}
    return {**place, str(F.variable): at}


DIGITS = 30


@dataclass(frozen=True, eq=False)
class GaussSolution:
    """``y_i = F(A, B; c; (1 ∓ s)/2)`` and ``y_j = (y_i' − N_ii y_i)/N_ij``, with ``A + B = q − 1``, ``A B = κ``."""

    ode: GaugeOde
    component: int
    q: Element
    kappa: Element
    c: Element
    mirrored: bool

    def value(self, s: float, values: Mapping[str, float]) -> NDArray[np.float64]:
        """``y(s)`` with thirty digits, as doubles."""
        import mpmath

        F, N = self.ode.field, self.ode.matrix
        i, j = self.component, 1 - self.component
        with mpmath.workdps(DIGITS):
            q, kappa, c = (mpmath.mpf(number(F, e, s, values)) for e in (self.q, self.kappa, self.c))
            root = mpmath.sqrt((q - 1) ** 2 / 4 - kappa)
            one, two = (q - 1) / 2 + root, (q - 1) / 2 - root
            sign = -1 if self.mirrored else 1
            x = (1 - sign * mpmath.mpf(s)) / 2
            own = mpmath.re(mpmath.hyp2f1(one, two, c, x))
            slope = mpmath.re(-sign * one * two / (2 * c) * mpmath.hyp2f1(one + 1, two + 1, c + 1, x))
            other = (slope - number(F, N[i][i], s, values) * own) / number(F, N[i][j], s, values)
        result = np.empty(2)
        result[i], result[j] = float(own), float(other)
        return result

    @property
    def legendre(self) -> bool:
        """Whether it is Legendre's function ``P_ν(±s)``, ``ν(ν + 1) = −κ``."""
        return bool(self.q == 2 and self.c == 1)

    def expression(self) -> Any:
        """``y`` as SymPy expressions."""
        import sympy

        F, N = self.ode.field, self.ode.matrix
        i, j = self.component, 1 - self.component

        def read(e: Element) -> Any:
            return sympy.sympify(F.expression(e, True))

        s = sympy.Symbol(str(self.ode.variable.symbol))
        q, kappa, c = read(self.q), read(self.kappa), read(self.c)
        root = sympy.sqrt((q - 1) ** 2 / 4 - kappa)
        own = sympy.hyper([(q - 1) / 2 + root, (q - 1) / 2 - root], [c], (1 + s if self.mirrored else 1 - s) / 2)
        other = (own.diff(s) - read(N[i][i]) * own) / read(N[i][j])
        return [own, other] if i == 0 else [other, own]

    @property
    def method(self) -> str:
        """The method in words."""
        F = self.ode.field
        sign = "-" if self.mirrored else ""
        if self.legendre:
            return (
                f"Legendre's function P_nu({sign}{self.ode.variable}), nu*(nu + 1) = {F.expression(-self.kappa, True)}"
            )
        return f"Gauss's hypergeometric function of {sign}{self.ode.variable}"


def number(F: FunctionField, element: Element, s: float, values: Mapping[str, float]) -> float:
    """An element as a number."""
    from nonholo.algebra.high_precision import evaluate_precisely

    place = {**{str(p): values[str(p)] for p in F.parameters}, str(F.variable): s}
    return float(evaluate_precisely([F.expression(element)], place)[0])


def gauss_solutions(ode: GaugeOde) -> tuple[GaussSolution, ...]:
    """Both solutions of a 2 x 2 system with singular points at ±1 and infinity alone, or none.

    Eliminated to one component it reads ``(1 − s²) y'' + (p − q s) y' − κ y = 0``, Gauss's equation in ``(1 − s)/2``.
    """
    F, N = ode.field, ode.matrix
    if len(N) != 2:
        return ()
    gap = 1 - F.s**2
    for i, j in ((1, 0), (0, 1)):
        if N[i][j] == 0:
            continue
        log = F.derivative(N[i][j]) / N[i][j]
        first = F.reduced((N[i][i] + N[j][j] + log) * -gap)
        second = (N[i][i] * N[j][j] - N[i][j] * N[j][i] - F.derivative(N[i][i]) + N[i][i] * log) * gap
        kappa = F.reduced(-second)
        if not F.steady(kappa):
            continue
        for weights in linear_relations(F, [[first], [F.one], [F.s]]):
            if weights[0] == 0:
                continue
            p, q = -weights[1] / weights[0], weights[2] / weights[0]
            ends = [(q - p) / 2, (q + p) / 2]
            if any(_pole(c) for c in ends):
                continue
            return tuple(GaussSolution(ode, i, q, kappa, c, bool(k)) for k, c in enumerate(ends))
    return ()


def _pole(c: Element) -> bool:
    """Whether c is zero or a negative whole number, where Gauss's series has no sense."""
    if c == 0:
        return True
    plain = c.numer.is_ground and c.denom.is_ground
    return bool(plain and (value := c.numer.LC / c.denom.LC) <= 0 and value.denominator == 1)
