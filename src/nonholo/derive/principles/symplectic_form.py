"""The canonical 1-form θ_L, the 2-form ω on TQ and the intrinsic form of Lagrange's equations [MacDonnell 1997, 3.3]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, jacobian, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import Matrix, evaluate, evaluate_matrix
from nonholo.derive.chart_coordinates import in_chart
from nonholo.derive.hamel import energy_in_frame, lagrangian_in_frame
from nonholo.derive.laws.check import random_states
from nonholo.finding import Finding, Property
from nonholo.geometry.frames.brackets import shorten
from nonholo.model.system import System, check_system, force_covector, varied
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.write import to_text

STATES = 4
ROUNDING = 1e-9


@dataclass(frozen=True, repr=False)
class LagrangianForms:
    """On TQ with coordinates ``(x, v)``: ``θ_L = p_i dx^i``, ``ω = dθ_L + ½ π*M``, the energy E and the codistribution D⁰.

    A motion satisfies ``q̈ ⌟ ω + dE ∈ D⁰`` and ``q̇ ∈ D_β`` [MacDonnell 1997, 3.3.3].
    """

    system: System
    """In plain coordinates: a chart where the frame has group factors."""
    variables: tuple[Symbol, ...]
    theta: tuple[Expr, ...]
    """``p_i``, the components along ``dx^i``; those along ``dv`` are zero."""
    omega: Matrix
    """``ω(∂_a, ∂_b)`` in the variables (x, v)."""
    energy: Expr
    codistribution: Matrix
    """Rows ``π*B`` that span D⁰, in (dx, dv)."""
    symplectic: Finding

    def contracted(self, state: Mapping[str, float], rates: Mapping[str, float], parameters: Mapping[str, float]) -> list[float]:
        """``q̈ ⌟ ω + dE`` at a state with the given rates, in (dx, dv)."""
        values = {"t": 0.0, **parameters, **state}
        moving = np.array([rates[str(s)] for s in self.variables])
        return list(moving @ evaluate_matrix(self.omega, values) + evaluate(list(gradient(self.energy, self.variables)), values))

    def distance(self, state: Mapping[str, float], rates: Mapping[str, float], parameters: Mapping[str, float]) -> float:
        """How far ``q̈ ⌟ ω + dE`` is from D⁰ at a state: zero along a motion."""
        form = np.array(self.contracted(state, rates, parameters))
        if not self.codistribution:
            return float(np.max(np.abs(form)))
        rows = evaluate_matrix(self.codistribution, {"t": 0.0, **parameters, **state})
        return float(np.max(np.abs(form - rows.T @ np.linalg.lstsq(rows.T, form, rcond=None)[0])))

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        half = len(self.variables) // 2
        names = [f"d{s}" for s in self.variables]
        theta = " + ".join(f"({to_text(e)}) {n}" for e, n in zip(self.theta, names) if e != 0)
        omega = " + ".join(
            f"({to_text(self.omega[a][b])}) {names[a]}^{names[b]}"
            for a, b in combinations(range(2 * half), 2) if self.omega[a][b] != 0
        )  # fmt: skip
        return f"theta_L = {theta}\nomega = {omega}\n{self.symplectic}"


def lagrangian_forms(system: System) -> LagrangianForms:
    """θ_L, ω and the intrinsic form; ω is symplectic where the kinetic energy is regular and the magnetic form closed.

    >>> charged = System(coordinates="x y", parameters="m B", lagrangian="m*(xdot**2 + ydot**2)/2", magnetic={("x", "y"): "B"})
    >>> print(lagrangian_forms(charged))
    theta_L = (m*xdot) dx + (m*ydot) dy
    omega = (B) dx^dy + (-m) dx^dxdot + (-m) dy^dydot
    ✓ ω is symplectic: closed and of full rank (dM = 0; det ω is not zero at 4 random states)
    """
    check_system(system)
    plain = in_chart(system)
    x, v = symbols(plain.coordinates), symbols(plain.velocities)
    l = lagrangian_in_frame(plain)
    p = gradient(l, v)
    across, metric = jacobian(p, x), jacobian(p, v)
    magnetic = _magnetic(plain)
    size = len(x)
    upper = [
        [*(shorten(across[b][a] - across[a][b] + magnetic[a][b]) for b in range(size)), *(-metric[a][b] for b in range(size))]
        for a in range(size)
    ]
    lower = [[*(metric[b][a] for b in range(size)), *[ZERO] * size] for a in range(size)]
    omega = tuple(tuple(row) for row in (*upper, *lower))
    rows = tuple((*row, *[ZERO] * size) for row in constraint_rows(plain).slopes)
    energy = energy_in_frame(plain)
    return LagrangianForms(plain, (*x, *v), p, omega, energy, rows, _symplectic(plain, omega, magnetic, x))


def _magnetic(system: System) -> list[list[Expr]]:
    """``M_ij`` in plain coordinates."""
    v = symbols(system.velocities)
    covector = force_covector(varied(system, forces={}))
    return [[e.diff(s) for s in v] for e in covector]


def _symplectic(system: System, omega: Matrix, magnetic: list[list[Expr]], x: tuple[Symbol, ...]) -> Finding:
    claim = Property("ω is symplectic: closed and of full rank", "ω is not symplectic")
    curl = [
        magnetic[i][j].diff(x[k]) + magnetic[j][k].diff(x[i]) + magnetic[k][i].diff(x[j])
        for i, j, k in combinations(range(len(x)), 3)
    ]
    states = [{**s.values, **s.parameters} for s in random_states(system, None, STATES, 29)]
    worst = max((float(np.max(np.abs(evaluate(curl, s)), initial=0.0)) for s in states), default=0.0) if curl else 0.0
    if worst > ROUNDING:
        return Finding(claim, "fails", worst, "dM is not zero, so that ω is not closed: the largest component at random states")
    sizes = [np.linalg.cond(evaluate_matrix(omega, s)) for s in states]
    if not all(np.isfinite(c) and c < 1e12 for c in sizes):
        return Finding(claim, "fails", None, "det ω is zero: a velocity without kinetic energy")
    return Finding(claim, "holds", None, f"dM = 0; det ω is not zero at {len(states)} random states")



