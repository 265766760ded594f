"""Mass, centre of mass and inertia matrix of a rigid body, from points or from a density."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, expand, jacobian, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import Matrix, determinant, evaluate
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.errors import ModelError
from nonholo.model.declared_words import Formula
from nonholo.notation.read import expression, names_of

SPACE = ("x", "y", "z")
NODES = 40
"""Gauss nodes in each direction where an integral has no elementary form."""
_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class MassDistribution:
    """``m = ∫ρ``, ``c = ∫ρ x / m`` and ``J = ∫ρ (|x|² I − x xᵀ)`` in the axes of the body [MacDonnell 1997 §2.6]."""

    mass: Expr
    center: tuple[Expr, Expr, Expr]
    J: Matrix
    """About the origin of the axes."""

    @property
    def central(self) -> Matrix:
        """The inertia matrix about the centre of mass (Steiner)."""
        c = self.center
        square = sum((e * e for e in c), ZERO)
        return tuple(
            tuple(
                expand(self.J[i][k] - self.mass * ((square if i == k else ZERO) - c[i] * c[k])) for k in range(3)
            )
            for i in range(3)
        )


def inertia(
    masses: Sequence[Formula] = (),
    positions: Sequence[Sequence[Formula]] = (),
    *,
    density: Formula | None = None,
    region: Mapping[str, tuple[Formula, Formula]] | None = None,
    chart: Mapping[str, Formula] | None = None,
    parameters: Any = (),
) -> MassDistribution:
    """The inertia of a rigid body: of points with masses, or of a density over a region.

    ``region`` gives the range of each variable, outermost first; bounds may use the variables before. With a ``chart`` the
    variables are the user's own and the chart gives x, y and z in them; the volume element follows. Where the integrals
    have no elementary form, give all numbers: ``parameters={"R": 0.3}``.

    >>> inertia(["m", "m"], [("a", 0, 0), ("-a", 0, 0)], parameters="m a").J
    ((0, 0, 0), (0, 2*a**2*m, 0), (0, 0, 2*a**2*m))
    >>> cylinder = inertia(density="rho", parameters="rho R h", region={"z": (0, "h"), "r": (0, "R"), "phi": (0, "2*pi")},
    ...                    chart={"x": "r*cos(phi)", "y": "r*sin(phi)", "z": "z"})
    >>> cylinder.mass, cylinder.central[2][2]
    (R**2*h*pi*rho, (1/2)*R**4*h*pi*rho)
    """
    values = {str(k): float(v) for k, v in parameters.items() if v is not None} if isinstance(parameters, Mapping) else {}
    known = names_of(list(parameters) if isinstance(parameters, Mapping) else parameters, "inertia: parameters")
    if density is None:
        if not len(masses) or len(masses) != len(positions):
            raise ModelError(f"inertia: {len(masses)} masses and {len(positions)} positions; give one position for each mass.")
        weights = [expression(m, known, f"inertia: mass {k + 1}") for k, m in enumerate(masses)]
        places = [[expression(e, known, f"inertia: position {k + 1}") for e in r] for k, r in enumerate(positions)]
        if any(len(r) != 3 for r in places):
            raise ModelError("inertia: a position has three components, in the axes of the body.")
        moments = [_sum(weights), *(_sum(m * r[i] for m, r in zip(weights, places)) for i in range(3))]
        moments += [_sum(m * r[i] * r[k] for m, r in zip(weights, places)) for i, k in _PAIRS]
    else:
        moments = _integrals(density, region, chart, known, values)
    return _assembled([substitute([e], _by_symbol(values))[0] if values else e for e in moments])


def _assembled(moments: Sequence[Expr]) -> MassDistribution:
    mass, first, second = moments[0], moments[1:4], dict(zip(_PAIRS, moments[4:]))
    if mass == ZERO or (not mass.free_symbols and not float(mass) > 0):
        raise ModelError(f"inertia: the mass is {mass}; it must be positive (look at the density and the order of the bounds).")
    trace = second[0, 0] + second[1, 1] + second[2, 2]
    rows = tuple(
        tuple(expand((trace if i == k else ZERO) - second[min(i, k), max(i, k)]) for k in range(3)) for i in range(3)
    )
    center = tuple(expand(e / mass) for e in first)
    return MassDistribution(mass, (center[0], center[1], center[2]), rows)


def _by_symbol(values: Mapping[str, float]) -> dict[Symbol, float]:
    return {symbol(n): e for n, e in values.items()}


def _sum(terms: Any) -> Expr:
    return sum(terms, ZERO)


def _integrals(density: Any, region: Any, chart: Any, known: Sequence[str], values: Mapping[str, float]) -> list[Expr]:
    if not isinstance(region, Mapping) or len(region) != 3:
        raise ModelError('inertia: a density needs a region of three ranges, e.g. {"x": (0, 1), "y": (0, 1), "z": (0, 1)}.')
    names = names_of(list(region), "inertia: region")
    if chart is None and set(names) != set(SPACE):
        raise ModelError(f"inertia: the region is in {', '.join(names)}; without a chart it must be in x, y and z.")
    table = chart or {n: n for n in SPACE}
    if set(table) != set(SPACE):
        raise ModelError("inertia: a chart gives x, y and z in the variables of the region.")
    place = [expression(table[n], (*names, *known), f"inertia: chart {n}") for n in SPACE]
    on_place = dict(zip(symbols(SPACE), place))
    (rho,) = substitute([expression(density, (*SPACE, *names, *known), "inertia: density")], on_place)
    volume = determinant(jacobian(place, symbols(names))) if chart else ONE
    bounds = {
        n: tuple(expression(e, (*names[:k], *known), f"inertia: range of {n}") for e in region[n])
        for k, n in enumerate(names)
    }
    volume *= _handedness(volume, names, bounds, values)
    weights = [ONE, *place, *(place[i] * place[k] for i, k in _PAIRS)]
    element = rho * volume
    if values or not known:
        return _quadrature([w * element for w in weights], names, bounds, values)
    return _elementary([w * element for w in weights], names, bounds)


def _handedness(volume: Expr, names: Sequence[str], bounds: Mapping[str, Any], values: Mapping[str, float]) -> int:
    """The sign of the chart's volume element at a place inside the region, with positive numbers for unknown parameters."""
    unknown = {str(s) for e in (volume, *(b for pair in bounds.values() for b in pair)) for s in e.free_symbols} - set(names)
    here = {n: values.get(n, 1.0 + 0.1 * k) for k, n in enumerate(sorted(unknown))}
    for name in names:
        low, high = evaluate(bounds[name], here)
        here[name] = float(low + 0.37 * (high - low))
    return -1 if float(evaluate([volume], here)[0]) < 0 else 1


def _elementary(integrands: Sequence[Expr], names: Sequence[str], bounds: Mapping[str, Any]) -> list[Expr]:
    import sympy

    def folded(integrand: Expr) -> Expr:
        value = sympy.sympify(str(expand(integrand)))
        value = value.subs({s: sympy.Symbol(s.name, positive=True) for s in value.free_symbols})
        for name in reversed(names):
            low, high = (sympy.sympify(str(b)) for b in bounds[name])
            inner = {s: sympy.Symbol(s.name, positive=True) for s in (low.free_symbols | high.free_symbols)}
            variable = sympy.Symbol(name, positive=True)
            value = sympy.integrate(sympy.expand(value), (variable, low.subs(inner), high.subs(inner)))
            if value.has(sympy.Integral):
                raise ModelError(
                    "inertia: the integral has no elementary form in these variables; use a chart that fits the body, or give "
                    "numbers for all parameters: parameters={…}."
                )
        value = sympy.simplify(value)
        return se.sympify(sympy.sympify(str(value)))

    return [folded(e) for e in integrands]


def _quadrature(
    integrands: Sequence[Expr], names: Sequence[str], bounds: Mapping[str, Any], values: Mapping[str, float]
) -> list[Expr]:
    """Gauss–Legendre in each variable."""
    angles, weights = np.polynomial.legendre.leggauss(NODES)
    nodes, weights = np.sin(np.pi / 2 * angles), weights * np.pi / 2 * np.cos(np.pi / 2 * angles)  # smooth at roots of bounds
    function = numeric_function(symbols(names), [*substitute(integrands, _by_symbol(values))])
    total = np.zeros(len(integrands))

    def reach(name: str, here: dict[str, float]) -> tuple[float, float]:
        low, high = evaluate(substitute(bounds[name], _by_symbol(values)), here)
        return float(low), float(high)

    a, b, c = names
    low, high = reach(a, {})
    for x, wx in zip(nodes, weights):
        first = {a: (low + high) / 2 + (high - low) / 2 * x}
        one, two = reach(b, first)
        for y, wy in zip(nodes, weights):
            second = {**first, b: (one + two) / 2 + (two - one) / 2 * y}
            start, stop = reach(c, second)
            line = (start + stop) / 2 + (stop - start) / 2 * nodes
            table = np.column_stack([np.full(NODES, second[a]), np.full(NODES, second[b]), line])
            cell = wx * wy * (high - low) * (two - one) * (stop - start) / 8
            total += cell * (weights @ function(table))
    return [se.RealDouble(float(e)) for e in total]
