"""Closed forms of linear ODEs ``y' = N(s) y`` over a function field, by ansätze that are solved exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import ONE
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate
from nonholo.algebra.subspaces import independent
from nonholo.symmetry.integrals.gauge.function_field import Element, FunctionField, Unsupported
from nonholo.symmetry.integrals.gauge.prolongation import GaugeOde, reduced_rows
from nonholo.symmetry.integrals.ode.closed_form import ClosedForm, linear_relations, positive, solution, somewhere
from nonholo.symmetry.integrals.ode.power_solutions import power_solutions
from nonholo.symmetry.integrals.primitives import integral

Matrix = tuple[tuple[Element, ...], ...]
LONG = 350
FEW = 50
"""No closed form is looked for when the terms of the ODE's matrix times the functions in it are more than this; with numbers
for parameters, where one is seldom found, more than these few.
"""
Square = tuple[tuple[Element, ...], ...]


TRIANGULAR = "a triangular ODE by quadratures"


def closed_solutions(ode: GaugeOde, units: float = 2.5) -> tuple[ClosedForm, ...]:
    """Independent solutions of the ODE in closed form, as many as are found; the simplest first.

    Each way is given up after ``units`` of work (that by powers after twice as many), and all others when two were.
    """
    F, N = ode.field, ode.matrix
    count = len(N)
    if not count:
        return ()
    found: list[ClosedForm] = []
    terms = sum(len(e.numer) + len(e.denom) for row in N for e in row if e != 0)
    if terms * len(F.field.gens) > (LONG if ode.values is None else FEW):
        return ()
    inner = ode.inertia
    turned = _adjoint(F, N, inner) if inner is not None else None

    def powers() -> list[ClosedForm]:
        return power_solutions(F, N)

    routes: list[Callable[[], list[ClosedForm]]] = [
        lambda: _algebraic(F, N, 0, None),
        lambda: _one_direction(F, N, None),
        lambda: _common_factor(ode),
        lambda: turned_solutions(ode, _common_factor),
        lambda: _algebraic(F, N, 1, None),
        powers,
        lambda: _one_direction(F, turned, inner) if turned is not None else [],
        lambda: _algebraic(F, turned, 1, inner) if turned is not None else [],
        lambda: _algebraic(F, N, 2, None),
        lambda: _triangular(F, N),
    ]
    tired = 0
    for route in routes:
        if len(found) == count or tired > 1:
            break
        more = within(2 * units if route is powers else units, route)
        tired += more is None
        found = _independent(ode, [*found, *(more or [])])
    return tuple(found)


def _adjoint(F: FunctionField, N: Matrix, inner: Matrix) -> Matrix | None:
    """The ODE of ``u = I y``, ``u' = (I N + I') I⁻¹ u``: MacDonnell's adjoint equation (7.9) read backwards."""
    size = len(N)
    unit = [[F.one if i == j else F.zero for j in range(size)] for i in range(size)]
    solved = reduced_rows(F, [[*row, *line] for row, line in zip(inner, unit)], size)
    if len(solved) < size:
        return None
    inverse = [row[size:] for row in solved]
    left = [
        [sum((inner[i][k] * N[k][j] for k in range(size)), F.zero) + F.derivative(inner[i][j]) for j in range(size)]
        for i in range(size)
    ]
    return tuple(
        tuple(F.reduced(sum((left[i][k] * inverse[k][j] for k in range(size)), F.zero)) for j in range(size))
        for i in range(size)
    )


def _back(F: FunctionField, u: Sequence[Element], inner: Matrix | None) -> list[Element]:
    """``y = I⁻¹ u``."""
    if inner is None:
        return list(u)
    size = len(u)
    solved = reduced_rows(F, [[*row, e] for row, e in zip(inner, u)], size)
    return [row[size] for row in solved]


def _monomials(F: FunctionField, degree: int) -> list[Element]:
    result = []
    for d in range(degree + 1):
        for parts in combinations_with_replacement(F.functions, d):
            value = F.one
            for p in parts:
                value = value * p
            result.append(F.reduced(value))
    return list(dict.fromkeys(result))


def _algebraic(F: FunctionField, N: Matrix, degree: int, inner: Matrix | None) -> list[ClosedForm]:
    """Solutions that are polynomials of low degree in ``s`` and in the functions that occur."""
    size = len(N)
    library = _monomials(F, degree)
    if size * len(library) > 40:
        return []
    columns = []
    for j in range(size):
        for m in library:
            slope = F.derivative(m)
            columns.append([F.reduced((slope if i == j else F.zero) - N[i][j] * m) for i in range(size)])
    found = []
    for weights in linear_relations(F, columns):
        u = []
        for j in range(size):
            part = weights[j * len(library) : (j + 1) * len(library)]
            u.append(F.reduced(sum((w * m for w, m in zip(part, library)), F.zero)))
        y = _whole(F, _back(F, u, inner))
        word = "constant coefficients" if degree == 0 else f"polynomial coefficients of degree {degree}"
        found.append(ClosedForm(((ONE, tuple(y)),), word))
    return found


def _whole(F: FunctionField, y: Sequence[Element]) -> list[Element]:
    """The same direction without denominators that are constant."""
    common = F.field.ring.one
    for e in y:
        if e != 0:
            common = common.lcm(e.denom)
    factor = F.field.new(common, F.field.ring.one)
    return [e * factor for e in y] if F.steady(factor) else list(y)


def _one_direction(F: FunctionField, N: Matrix, inner: Matrix | None) -> list[ClosedForm]:
    """Columns with nothing beside the diagonal: ``y = e_k exp ∫ N_kk``."""
    found = []
    for k in range(len(N)):
        if any(N[i][k] != 0 for i in range(len(N)) if i != k):
            continue
        factor = exponential(F, N[k][k])
        if factor is None:
            continue
        u = [F.one if i == k else F.zero for i in range(len(N))]
        y = _back(F, u, inner)
        word = "one direction by a quadrature" + (" of the adjoint equation (7.9)" if inner is not None else "")
        found.append(ClosedForm(((factor, tuple(y)),), word))
    return found


def exponential(F: FunctionField, rate: Element) -> Expr | None:
    """``exp ∫ rate ds`` as a product of powers and exponentials, or None."""
    if rate == 0:
        return ONE
    parts = [F.field.new(p, F.field.ring.one) for p, _ in rate.denom.factor_list()[1]]
    bases = [p for p in dict.fromkeys([*parts, *F.functions]) if not F.steady(p)]
    logs = [F.reduced(F.derivative(b) / b) for b in bases]
    powers = [m for m in _monomials(F, 2) if not F.steady(m)]
    slopes = [F.derivative(m) for m in powers]
    for weights in linear_relations(F, [[rate], *([e] for e in (*logs, *slopes))]):
        if weights[0] != 0:
            factors = [-w / weights[0] for w in weights[1:]]
            result = ONE
            for base, w in zip(bases, factors[: len(bases)]):
                if w != 0:
                    result *= positive(F, base) ** F.expression(w)
            exponent = sum((w * m for w, m in zip(factors[len(bases) :], powers)), F.zero)
            return result * se.exp(F.expression(exponent)) if exponent != 0 else result
    return None


def _root(F: FunctionField, square: Element) -> Expr:
    """The square root, with what is a square taken out; its sign does not matter here."""
    outside, inside = F.one, F.one
    for polynomial, sign in ((square.numer, 1), (square.denom, -1)):
        content, parts = polynomial.factor_list()
        inside *= F.field.ground_new(content) ** sign
        for part, power in parts:
            base = F.field.new(part, F.field.ring.one)
            outside *= base ** (sign * (power // 2))
            inside *= base ** (sign * (power % 2))
    return F.expression(outside, True) * se.sqrt(F.expression(inside, True))


def _common_factor(ode: GaugeOde) -> list[ClosedForm]:
    """``N = ν(s) N_0`` with constant ``N_0``: ``y = exp(N_0 ∫ν) c``, in cosines and sines where the roots are imaginary."""
    F, N = ode.field, ode.matrix
    size = len(N)
    entries = [e for row in N for e in row if e != 0]
    if not entries or size > 2:
        return []
    # the simplest choice of ν: 1 when N is constant
    nu = F.one if all(F.steady(e) for e in entries) else entries[0]
    constant = [[F.reduced(e / nu) for e in row] for row in N]
    if not all(F.steady(e) for row in constant for e in row):
        return []
    time = F.expression(F.s) if nu == 1 else _antiderivative(F, nu)
    if time is None:
        return []
    if size == 1:
        return [ClosedForm(((se.exp(F.expression(constant[0][0]) * time), (F.one,)),), "a constant rate")]
    half = (constant[0][0] + constant[1][1]) / 2
    rest = [[constant[0][0] - half, constant[0][1]], [constant[1][0], constant[1][1] - half]]
    square = rest[0][0] ** 2 + rest[0][1] * rest[1][0]
    outer = se.exp(F.expression(half) * time) if half != 0 else ONE
    if square == 0:
        first, second = ONE, time
    else:
        value = float(evaluate([F.expression(square)], somewhere(F, 0.31))[0])
        root = _root(F, square if value > 0 else -square)
        pair = (se.cosh, se.sinh) if value > 0 else (se.cos, se.sin)
        first, second = pair[0](root * time), pair[1](root * time) / root
    found = []
    for k in range(2):
        unit = tuple(F.one if i == k else F.zero for i in range(2))
        terms = ((outer * first, unit), (outer * second, (rest[0][k], rest[1][k])))
        found.append(ClosedForm(terms, "an ODE with constant coefficients"))
    return found


def _antiderivative(F: FunctionField, rate: Element) -> Expr | None:
    factor = exponential(F, rate)
    return se.log(factor) if factor is not None else None


def _triangular(F: FunctionField, N: Matrix) -> list[ClosedForm]:
    """One zero beside the diagonal of a 2 x 2 matrix: the second solution by a further quadrature, in the field or by SymPy."""
    if len(N) != 2:
        return []
    for k in (0, 1):
        other = 1 - k
        if N[other][k] != 0 or N[k][other] == 0:
            continue
        # y_other = e^{∫n}, y_k = w y_other with w' + (n − N_kk) w = N_k,other
        factor = exponential(F, N[other][other])
        if factor is None:
            continue
        gap = N[other][other] - N[k][k]
        library = _monomials(F, 2)
        columns = [[F.reduced(F.derivative(m) + gap * m)] for m in library]
        for weights in linear_relations(F, [[N[k][other]], *columns]):
            if weights[0] == 0:
                continue
            w = sum((-c / weights[0] * m for c, m in zip(weights[1:], library)), F.zero)
            y = [F.one, F.one]
            y[k] = F.reduced(w)
            return [ClosedForm(((factor, tuple(y)),), TRIANGULAR)]
        own = exponential(F, N[k][k])
        if own is None:
            continue
        try:
            primitive = integral(F.expression(N[k][other]) * factor / own, F.variable)
        except ValueError:
            continue
        units = [tuple(F.one if i == j else F.zero for i in (0, 1)) for j in (0, 1)]
        return [ClosedForm(((factor, units[other]), (own * primitive, units[k])), TRIANGULAR)]
    return []


def _independent(ode: GaugeOde, found: Sequence[ClosedForm]) -> list[ClosedForm]:
    """The solutions that do not follow from those before, judged at three values of the variable."""
    if not found:
        return []
    spots = [somewhere(ode.field, at) for at in (0.21, 0.47, 0.63)]
    matrix = np.array([np.concatenate([evaluate(list(solution(ode.field, one)), s) for s in spots]) for one in found])
    good = [k for k, row in enumerate(matrix) if np.all(np.isfinite(row)) and np.any(row != 0)]
    scaled = np.array([matrix[k] / np.max(np.abs(matrix[k])) for k in good])
    return [found[good[k]] for k in independent(scaled)] if good else []


def turned_solutions(ode: GaugeOde, solved: Callable[[GaugeOde], list[Any]]) -> list[Any]:
    """``y = R(±s) u`` with ``u' = (RᵀNR − RᵀR') u``, solved by the way given, for two coefficients of an angle.

    Coefficients along axes that stay, of what turns with the variable (the normal of a cylinder), are of this kind.
    """
    F = ode.field
    if len(ode.matrix) != 2:
        return []
    try:
        cosine, sine = F.element(se.cos(F.variable)), F.element(se.sin(F.variable))
    except (Unsupported, KeyError):  # the ODE holds no sines
        return []
    for sign in (1, -1):
        turn: Square = ((cosine, -sign * sine), (sign * sine, cosine))
        back: Square = ((cosine, sign * sine), (-sign * sine, cosine))
        inner = _product(F, back, _product(F, ode.matrix, turn))
        steady = _product(F, back, tuple(tuple(F.derivative(e) for e in row) for row in turn))
        moved = tuple(tuple(F.reduced(a - b) for a, b in zip(*rows)) for rows in zip(inner, steady))
        found = solved(replace(ode, matrix=moved))
        if found:
            return [_turned_back(F, one, turn) for one in found]
    return []


def _turned_back(F: FunctionField, one: Any, turn: Square) -> Any:
    terms = tuple((factor, tuple(row[0] for row in _product(F, turn, [[e] for e in vector]))) for factor, vector in one.terms)
    return replace(one, terms=terms, method=f"{one.method}, in axes that turn with the variable")


def _product(F: FunctionField, left: Sequence[Sequence[Element]], right: Sequence[Sequence[Element]]) -> Square:
    return tuple(
        tuple(F.reduced(sum((a * b for a, b in zip(row, column)), F.zero)) for column in zip(*right)) for row in left
    )
