"""The vertical velocity Ω(J, r) as numbers or formulas: the solution of the adjoint equation with given momenta."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.linear_equations import dot, evaluate, evaluate_matrix, multiply, solve
from nonholo.algebra.numeric_functions import Rows, table_function
from nonholo.derive.states.consistent_state import complete_state
from nonholo.errors import ModelError, StateError
from nonholo.model.system import parameter_values
from nonholo.model.velocities.admissible import named_velocities
from nonholo.symmetry.integrals.ode.numeric_momentum import Panels, panels
from nonholo.symmetry.quadrature.adjoint_equation import (
    LIMIT,
    flatness,
    largest,
    places_of,
    require_reducible,
)
from nonholo.symmetry.reduction.momentum.conserving_bases import adjoint_matrices, along_shape
from nonholo.symmetry.reduction.quotient_data import natural_parts
from nonholo.symmetry.reduction.reduction_record import ReductionRecord, require_orthogonal

REACH = 4 * np.pi
"""How far the solution goes on either side of its origin, where nothing stops it."""


def section_state(reduction: ReductionRecord) -> dict[str, Expr]:
    """Every coordinate and velocity of the system on the section, in ``(r, ṙ, p)``."""
    system, shape, frame = reduction.system, reduction.shape, reduction.frame
    turning = [dot(row, symbols(reduction.momenta)) for row in frame.inverse_inertia]
    inside = multiply([shape.reduce(row) for row in reduction.basis.columns], frame.matrix)
    velocity = [dot(row, (*symbols(reduction.rates), *turning)) for row in inside]
    hidden = symbols(f"_v{i}" for i in range(len(velocity)))
    named = named_velocities(system, dict(zip(symbols(system.velocities), hidden)))
    rates = substitute(shape.reduce(list(named.values())), dict(zip(hidden, velocity)))
    places = shape.reduce(symbols(system.coordinates))
    return {**dict(zip(system.coordinates, places)), **dict(zip(named, rates))}


def momenta_from_integrals(
    reduction: ReductionRecord, integrals: Sequence[Any], constants: Sequence[Any]
) -> tuple[Expr, ...]:
    """``p_a`` from ``J_i = σ_i^a(r) p_a``, the integrals read off on the section [MacDonnell 1997 §7.4].

    All that `nh.integrals` finds may be given: used are the first independent ones that are linear in the momenta with
    coefficients of the shape, and solve (7.7), here ``κ_j σ_i^c + σ_i^a N_ja^c = 0``.
    """
    system, p, v = reduction.system, symbols(reduction.momenta), symbols(reduction.rates)
    exprs = [getattr(e, "expression", e) for e in integrals]
    exprs = [e for e in exprs if hasattr(e, "free_symbols")]
    states = section_state(reduction)
    table = {s: e for s, e in zip(symbols(states), states.values()) if s not in v}
    speeds = {n: 0.3 + 0.2 * k for k, n in enumerate((*reduction.momenta, *reduction.rates))}
    places = [{**place, **speeds} for place in places_of(reduction)]
    N = adjoint_matrices(reduction.frame)
    rows: list[tuple[Expr, ...]] = []
    for here in substitute(exprs, table):
        row = substitute(gradient(here, p), dict.fromkeys((*p, *v), ZERO))
        gaps = [here - dot(row, p)]
        for j in range(len(v)):
            moved = along_shape(reduction.frame, j, row)
            gaps += [d + sum((row[a] * N[j][a][c] for a in range(len(p))), ZERO) for c, d in enumerate(moved)]
        if len(rows) < len(p) and largest(gaps, [here, *row], places) < LIMIT:
            numbers = evaluate_matrix([*rows, row], places[0])
            sizes = np.max(np.abs(numbers), axis=1, keepdims=True)
            if np.linalg.matrix_rank(numbers / np.maximum(sizes, 1e-300), tol=1e-9) > len(rows):
                rows.append(row)
    if len(rows) < len(p):
        raise ModelError(
            f"{system.name}: {len(p)} independent integrals in closed form are needed, linear in the momenta along the orbits "
            f"with coefficients of the shape; {len(rows)} of the {len(exprs)} expressions given are such."
        )
    return tuple(row[0] for row in solve(rows, [[c] for c in constants], places))


def shape_state(
    reduction: ReductionRecord, start: Mapping[str, Any] | None, parameters: Mapping[str, Any] | None
) -> dict[str, float]:
    """``r``, ``ṙ`` and ``p`` at a start of the system; ``r``, ``ṙ`` and ``p`` themselves may be given too.

    ``p_a = K(γ_a, q̇)``, with the metric on all of TQ.
    """
    system, shape, frame = reduction.system, reduction.shape, reduction.frame
    values = parameter_values(system, parameters)
    given = dict(start or {})
    own = {n: float(given.pop(n)) for n in list(given) if n in reduction.momenta and n not in system.coordinates}
    missing = [n for n in shape.names if n not in system.coordinates and n in given]
    if missing:
        raise StateError(
            f"{system.name}: {missing[0]} is a function of the coordinates; give the coordinates themselves."
        )
    full = {**values, **complete_state(system, given if start is not None else None, parameters)}
    place = dict(zip(shape.names, evaluate(list(shape.functions), full).tolist()))
    matrix = evaluate_matrix(frame.matrix, {**values, **place})
    columns = evaluate_matrix(reduction.basis.columns, full) @ matrix
    metric = evaluate_matrix(natural_parts(system)[0], full)
    whole = np.array([full[n] for n in system.velocities])
    part = np.linalg.lstsq(columns, whole, rcond=None)[0]
    momenta = columns[:, frame.horizontal :].T @ metric @ whole
    return {
        **place,
        **dict(zip(reduction.rates, part.tolist())),
        **dict(zip(reduction.momenta, momenta.tolist())),
        **own,
    }


@dataclass(frozen=True, eq=False)
class Vertical:
    """``p(r) = Y(r) p(r_0)`` and ``Ω = I^{-1} p`` along one shape variable, for given parameters."""

    reduction: ReductionRecord
    parameters: Mapping[str, float]
    origin: float
    values: tuple[float, ...]
    """The momenta at the origin."""
    solution: Panels
    _state: Rows
    _turning: Rows

    @property
    def variable(self) -> str:
        """The name of the shape variable."""
        return self.reduction.shape.names[0]

    @property
    def interval(self) -> tuple[float, float]:
        """Where the solution is known: up to singular points of the adjoint equation."""
        return self.solution.interval

    def momenta(self, r: Any) -> Numbers:
        """``p`` at each value: one row for each."""
        return np.asarray(self.solution(r) @ np.array(self.values))

    def velocity(self, r: Any) -> Numbers:
        """``Ω^a`` at each value, in the basis γ of the reduction: one row for each."""
        return self._turning(self.rows(r))

    def rows(self, r: Any, speed: Any = 0.0) -> Numbers:
        """``(r, ṙ, p, parameters)`` for each value of ``r``, the arguments of what is compiled here."""
        values = np.atleast_1d(np.asarray(r, dtype=float))
        speeds = np.broadcast_to(np.asarray(speed, dtype=float), values.shape)
        fixed = np.tile(np.array(list(self.parameters.values())), (len(values), 1))
        return np.column_stack([values, speeds, self.momenta(values), fixed])

    def states(self, r: Any, speed: Any = 0.0) -> dict[str, Numbers]:
        """Every coordinate and velocity of the system by name, on the section, for shape velocities ``speed``."""
        numbers = self._state(self.rows(r, speed))
        return {n: numbers[:, k] for k, n in enumerate(section_names(self.reduction))}

    def starting(self, values: Sequence[float]) -> Vertical:
        """The same solution matrix with other momenta at the origin."""
        from dataclasses import replace

        return replace(self, values=tuple(map(float, values)))


def section_names(reduction: ReductionRecord) -> tuple[str, ...]:
    """The names in `section_state`."""
    return (*reduction.system.coordinates, *named_velocities(reduction.system, {}))


def compiled(reduction: ReductionRecord, exprs: Sequence[Expr]) -> Rows:
    """Expressions in ``(r, ṙ, p, parameters)`` as a function of rows of numbers."""
    system = reduction.system
    names = (*reduction.shape.names, *reduction.rates, *reduction.momenta, *system.parameters)
    return table_function(symbols(names), exprs)


def vertical(
    reduction: ReductionRecord,
    momenta: Mapping[str, float] | Sequence[float],
    *,
    parameters: Mapping[str, float] | None = None,
    at: float | None = None,
    reach: tuple[float, float] | None = None,
) -> Vertical:
    """Ω as a function of the one shape variable, from its momenta somewhere.

    ``momenta`` is a start of the system (any velocities' names), or the numbers ``p_a`` at the shape ``at``.

        d/dr (I_ab Ω^b) = −{K([γ_a, κ], γ_b) + K(κ, [γ_a, γ_b])} Ω^b        [(7.11)]

    >>> import nonholo as nh
    >>> planet = nh.System(coordinates="r phi", lagrangian="(rdot**2 + r**2*phidot**2)/2 + 1/r", symmetry=nh.rotation("phi"))
    >>> turning = nh.studies.vertical(nh.reduce(planet), {"r": 2, "phidot": 0.3})
    >>> round(float(turning.momenta(1.5)[0, 0]), 9)
    1.2
    """
    system = reduction.system
    require_orthogonal(reduction)
    require_reducible(reduction)
    if reduction.frame.horizontal != 1 or len(reduction.shape.names) != 1:
        raise ModelError(
            f"{system.name}: one shape variable is needed, there are {reduction.shape.size}; use reduced_system for the motion."
        )
    for finding in flatness(reduction):
        if not finding:
            raise ModelError(f"{system.name}: the momenta are not functions of the shape alone, because {finding.claim}.")
    values = parameter_values(system, parameters)
    origin, start = _origin(reduction, momenta, values, at)
    m = reduction.frame.vertical
    N = adjoint_matrices(reduction.frame)[0]
    matrix = compiled(reduction, [e for row in N for e in row])
    fixed = np.array([0.0] * (1 + m) + [values[n] for n in system.parameters])

    def rates(points: Numbers) -> Numbers:
        rows = np.column_stack([points, np.tile(fixed, (len(points), 1))])
        return matrix(rows).reshape(len(points), m, m)

    bounds = reach or _reach(reduction, origin)
    solution = panels(rates, m, origin, bounds)
    if solution is None:
        name = reduction.shape.names[0]
        raise StateError(f"{system.name}: the adjoint equation is singular at {name} = {origin:.6g}; start elsewhere.")
    states = section_state(reduction)
    turning = [dot(row, symbols(reduction.momenta)) for row in reduction.frame.inverse_inertia]
    ordered = {n: values[n] for n in system.parameters}
    state = compiled(reduction, list(states.values()))
    return Vertical(reduction, ordered, origin, start, solution, state, compiled(reduction, turning))


def _origin(
    reduction: ReductionRecord, momenta: Mapping[str, float] | Sequence[float], values: Mapping[str, float], at: float | None
) -> tuple[float, tuple[float, ...]]:
    system, name = reduction.system, reduction.shape.names[0]
    if isinstance(momenta, Mapping):
        begin = shape_state(reduction, momenta, values)
        return begin[name], tuple(begin[n] for n in reduction.momenta)
    given = tuple(float(e) for e in momenta)
    if len(given) != len(reduction.momenta):
        raise StateError(
            f"{system.name}: {len(given)} values where there are {len(reduction.momenta)} momenta "
            f"({', '.join(reduction.momenta) or 'none'}) at the shape {name}."
        )
    return 0.0 if at is None else float(at), given


def _reach(reduction: ReductionRecord, origin: float) -> tuple[float, float]:
    """Entries of rotation matrices stay between −1 and 1, radii above 0."""
    system, name = reduction.system, reduction.shape.names[0]
    if name in system.frame.redundant:
        return -1.0, 1.0
    low, high = origin - REACH, origin + REACH
    radius = name.endswith("_radius") and name not in system.coordinates
    return (max(low, 0.0) if radius else low), high
