"""Prolong the linear PDE for momenta with coefficients of several variables until it closes.

``P = Σ_k f_k(s) P_k`` is constant when, for all velocities and all other coordinates,

    R = Σ_k (Σ_a ∂_a f_k ṡ_a P_k + f_k Ṗ_k) = 0

(for a free motion these are Killing's equations). ``R`` and its derivatives up to order N − 1 are linear equations for the
derivatives of ``f`` up to order N at one point, taken modulo a prime. Where no derivative of order N is left free
(the symbol vanishes) the solutions are determined by finitely many numbers; where N + 1 leaves as many as N, there are so
many solutions [Cartan and Kuranishi]. A rank modulo a prime, at any point, is never too large: the count is an upper bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, larger_than, substitute, symbol
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.prime.modular_arithmetic import Residues, rank
from nonholo.algebra.prime.random_points import ENOUGH, Points, Unsupported
from nonholo.geometry.distributions.random_configurations import place_groups
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, along_field

Index = tuple[int, ...]
"""How often each variable is differentiated by."""
HIGHEST = 6
"""Prolongations beyond this order are not tried."""
UNKNOWNS = 260
"""Nor those with more unknowns than this by default."""
NODES = 12000
"""Nor equations with more nodes than this, with their derivatives."""
LITTLE = (90, 3000)
"""The most unknowns and nodes of a prolongation that nobody asked for."""
ATTEMPTS = 6
"""How often another point is tried where roots have no values."""


@dataclass(frozen=True)
class Equation:
    """``Σ_k Σ_a slopes[k][a] ∂_a f_k + values[k] f_k = 0``, in the coordinates and speeds."""

    found: Momenta
    fields: tuple[Field, ...]
    variables: tuple[Symbol, ...]
    slopes: tuple[tuple[Expr, ...], ...]
    values: tuple[Expr, ...]

    @property
    def size(self) -> int:
        """How many functions are sought."""
        return len(self.values)


def equation_of(found: Momenta, fields: Sequence[Field], variables: Sequence[Any]) -> Equation:
    """The equation for momenta along the fields; with affine or magnetic terms a function of the variables may join in."""
    unknowns = [along_field(found, f) for f in fields]
    if not found.homogeneous:
        unknowns.append((ONE, ZERO))
    speeds = along(list(variables), dict(zip(found.coordinates, found.motion)))
    slopes = tuple(tuple(speed * p for speed in speeds) for p, _ in unknowns)
    return Equation(found, tuple(fields), tuple(variables), slopes, tuple(c for _, c in unknowns))


def at_values(equation: Equation, values: Mapping[str, Fraction]) -> Equation:
    """The equation for these values of parameters."""
    table = {symbol(n): se.Rational(v.numerator, v.denominator) for n, v in values.items()}
    slopes = tuple(tuple(substitute(row, table)) for row in equation.slopes)
    return replace(equation, slopes=slopes, values=tuple(substitute(equation.values, table)))


@dataclass(frozen=True)
class Closure:
    """How many solutions there are (with the constant, where functions may join in), and the order at which that is seen."""

    equation: Equation
    dimension: int
    order: int
    closed: bool
    """Whether so many exist; otherwise there are at most so many."""


def indices(variables: int, order: int) -> list[Index]:
    """All multi-indices up to an order, the lowest first.

    >>> indices(2, 1)
    [(0, 0), (1, 0), (0, 1)]
    """
    result = []
    for d in range(order + 1):
        for chosen in combinations_with_replacement(range(variables), d):
            result.append(tuple(chosen.count(a) for a in range(variables)))
    return result


def jet_equations(size: int, variables: int, order: int) -> Iterator[tuple[int, list[tuple[int, int, Index, int, Index]]]]:
    """The derivatives of the equation up to ``order − 1``: for each its terms ``(k, a, β, factor, γ)``.

    A term is ``factor · D^β(coefficient of ∂_a f_k, or of f_k when a is −1) · D^γ f_k``.
    """
    for number, alpha in enumerate(indices(variables, order - 1)):
        terms = []
        for beta in indices(variables, order - 1):
            if any(b > a for a, b in zip(alpha, beta)):
                continue
            factor = prod(comb(a, b) for a, b in zip(alpha, beta))
            rest = tuple(a - b for a, b in zip(alpha, beta))
            for k in range(size):
                terms.append((k, -1, beta, factor, rest))
                for a in range(variables):
                    up = tuple(r + int(a == j) for j, r in enumerate(rest))
                    terms.append((k, a, beta, factor, up))
        yield number, terms


def derivatives(equation: Equation, order: int) -> dict[tuple[int, int, Index], Expr]:
    """``D^β`` of every coefficient up to an order, each by one differentiation of one before."""
    found: dict[tuple[int, int, Index], Expr] = {}
    for beta in indices(len(equation.variables), order):
        if not any(beta):
            for k in range(equation.size):
                found[k, -1, beta] = equation.values[k]
                found |= {(k, a, beta): e for a, e in enumerate(equation.slopes[k])}
            continue
        last = max(a for a, b in enumerate(beta) if b)
        before = tuple(b - int(a == last) for a, b in enumerate(beta))
        for k in range(equation.size):
            for a in range(-1, len(equation.variables)):
                found[k, a, beta] = found[k, a, before].diff(equation.variables[last])
    return found


def closure(equation: Equation, unknowns: int = UNKNOWNS, nodes: int = NODES) -> Closure | None:
    """The dimension of the solution space; None where the prolongation does not close within the work allowed.

    >>> import nonholo as nh
    >>> from nonholo.algebra.linear_equations import identity
    >>> from nonholo.symmetry.integrals.momentum_rates import momenta
    >>> ball = nh.System(coordinates="u v", lagrangian="(udot**2 + sin(u)**2*vdot**2)/2")
    >>> found = momenta(ball)
    >>> closure(equation_of(found, identity(2), found.coordinates)).dimension
    3
    """
    m, size = len(equation.variables), equation.size
    before: tuple[int, int] | None = None
    for order in range(1, HIGHEST + 1):
        if size * comb(m + order, m) > unknowns:
            return None
        table = derivatives(equation, order - 1)
        if larger_than(list(table.values()), nodes):
            return None
        found = _counted(equation, table, order)
        if found is None or _opaque(equation, list(table.values())):
            return None
        dimension, symbol_size = found
        if dimension == 0:
            return Closure(equation, 0, order, True)
        if symbol_size == 0 and before is not None and before == (dimension, 0):
            return Closure(equation, dimension, order, True)
        before = (dimension, symbol_size)
    return Closure(equation, before[0], HIGHEST, False) if before is not None and before[1] == 0 else None


def _counted(equation: Equation, table: Mapping[Any, Expr], order: int) -> tuple[int, int] | None:
    """The dimension of the jets that obey the equations, and of those among them whose lower derivatives vanish."""
    m, size = len(equation.variables), equation.size
    columns = {(k, g): size * i + k for i, g in enumerate(indices(m, order)) for k in range(size)}
    keys = list(table)
    for attempt in range(ATTEMPTS):
        count = len(columns) + 12
        points = _points(equation, count, 300 + attempt)
        try:
            numbers = dict(zip(keys, points.values([table[key] for key in keys])))
        except Unsupported:
            return None
        if int(np.sum(points.good)) >= count // 2:
            break
    else:
        return None
    good, p = points.good, points.p
    blocks = []
    for _, terms in jet_equations(size, m, order):
        block = np.zeros((count, len(columns)), dtype=np.int64)
        for k, a, beta, factor, gamma in terms:
            column = columns[k, gamma]
            block[:, column] = (block[:, column] + factor * numbers[k, a, beta]) % p
        blocks.append(block[good])
    matrix: Residues = np.vstack(blocks)
    top = [c for (_, g), c in columns.items() if sum(g) == order]
    return len(columns) - rank(matrix, p), len(top) - rank(matrix[:, top], p)


def _opaque(equation: Equation, exprs: Sequence[Expr]) -> bool:
    """Whether relations of the coefficients may be unknown modulo a prime, so that ranks may be too large there."""
    points = Points(ENOUGH, 299)
    place_groups(points, equation.found.system.frame)
    points.values(exprs)
    return points.opaque


def _points(equation: Equation, count: int, seed: int) -> Points:
    """Random states at one value of the variables and parameters."""
    system = equation.found.system
    points = Points(count, seed)
    place_groups(points, system.frame)

    def same(values: Residues) -> Residues:
        return np.full(count, int(values[0]), dtype=np.int64)

    for s in (*(symbol(n) for n in system.parameters), *equation.variables):
        points.set(s, same(points.random()))
        points.share(s)
    return points
