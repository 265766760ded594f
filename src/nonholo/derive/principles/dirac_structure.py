"""Dirac structures of constraints and implicit Lagrangian systems [Yoshimura and Marsden 2006; named in Notices 2005].

Elements of ``D_Δ`` are pairs of ``f = (v, ṗ)`` and ``e = (α, w)`` with

    v ∈ Δ(q),    w = v,    α + ṗ − [v, p]* ∈ Δ°(q)

in the components of a frame. An implicit Lagrangian system asks that ``(q̇, ṗ)`` and ``(−u[l] − Q, v)`` be such a pair, with
the constitutive part ``p = ∂l/∂v``. Variation and constraint are one condition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, along, gradient, jacobian, substitute, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, dot, evaluate, evaluate_matrix, multiply, transpose
from nonholo.algebra.subspaces import kernel
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import energy_in_frame, hamel, in_frame, lagrangian_in_frame
from nonholo.derive.hamilton import momentum_name
from nonholo.derive.laws.check import random_states
from nonholo.errors import ModelError
from nonholo.finding import Agreement, Finding, Property, bounded
from nonholo.geometry.frames.brackets import shorten
from nonholo.geometry.frames.frame import Frame, structure_functions
from nonholo.model.system import TIME, System, check_system, force_covector
from nonholo.model.velocities.admissible import admissible, constraint_rows, named_velocities, samples_of
from nonholo.notation.write import to_text

ROUNDING = 1e-9


@dataclass(frozen=True, repr=False)
class Dirac:
    """The Dirac structure of a system's constraints, and its implicit Lagrangian system.

    ``flows f + efforts e = 0`` describes the structure: 2n equations for ``f = (v, ṗ)`` and ``e = (α, w)``.
    """

    system: System
    velocities: tuple[Symbol, ...]
    momenta: tuple[Symbol, ...]
    legendre: tuple[Expr, ...]
    """``∂l/∂v^j``."""
    constraints: tuple[Expr, ...]
    """Residuals of the constraints, zero: ``v ∈ Δ``."""
    annihilator: Matrix
    """Rows that span Δ°."""
    distribution: Matrix
    """Columns that span Δ."""
    flows: Matrix
    efforts: Matrix
    covector: tuple[Expr, ...]
    """``α = −u[l] − Q``: the effort of the implicit Lagrangian system."""
    equations: Equations
    """Hamel's equations, regained by eliminating p and the reactions."""
    isotropic: Finding
    regained: Finding

    @property
    def constitutive(self) -> tuple[Expr, ...]:
        """``p_j − ∂l/∂v^j``, zero."""
        return tuple(p - e for p, e in zip(self.momenta, self.legendre))

    def residuals(
        self, state: Mapping[str, float], rates: Mapping[str, float], parameters: Mapping[str, float]
    ) -> dict[str, float]:
        """The parts of the implicit system at a state ``(q, v, p)`` with rates of p: zero along a motion."""
        values = {"t": 0.0, **parameters, **state}
        f = np.array([*(state[str(s)] for s in self.velocities), *(rates[str(s)] for s in self.momenta)])
        e = np.array([*evaluate(list(self.covector), values), *f[: len(self.velocities)]])
        pair = evaluate_matrix(self.flows, values) @ f + evaluate_matrix(self.efforts, values) @ e
        parts = {f"constitutive {s}": x for s, x in zip(self.momenta, evaluate(list(self.constitutive), values))}
        parts |= {f"structure {k + 1}": x for k, x in enumerate(pair)}
        return {n: float(x) for n, x in parts.items()}

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = [f"{p} = {to_text(shorten(e))}" for p, e in zip(self.momenta, self.legendre)]
        lines += [f"{to_text(e)} = 0" for e in self.constraints]
        reactions = [f"{p}dot" for p in self.momenta]
        lines.append(f"({', '.join(reactions)}) - [v, p]* + alpha in the annihilator of Δ")
        lines.append(f"alpha = ({', '.join(to_text(shorten(e)) for e in self.covector)})")
        return "\n".join([*lines, str(self.isotropic), str(self.regained)])


def dirac(system: System, frame: Frame | None = None) -> Dirac:
    """The implicit Lagrangian system of constraints that are linear or affine in the velocities, in a frame.

    >>> blade = System(name="blade", coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2",
    ...     constraints=["xdot*sin(th) - ydot*cos(th)"])
    >>> found = dirac(blade)
    >>> bool(found.isotropic), bool(found.regained)
    (True, True)
    """
    check_system(system)
    own = system if frame is None else in_frame(system, frame)
    rows = constraint_rows(own) if own.parametric is None else None
    if rows is None or not rows.linear:
        raise ModelError(
            f"{system.name}: a Dirac structure needs constraints linear or affine in the velocities, by residuals; these "
            "are nonlinear "
            "or parametric."
        )
    allowed = admissible(own)
    x, v = symbols(own.coordinates), symbols(own.velocities)
    l = lagrangian_in_frame(own)
    momenta = gradient(l, v)
    names = symbols(momentum_name(n) for n in own.velocities)
    columns = transpose(own.frame.anchor) if x else ((),) * len(v)
    slope = gradient(l, x)
    covector = tuple(-dot(c, slope) - q for c, q in zip(columns, force_covector(own)))
    size = len(v)
    unit = [[ONE if i == j else ZERO for j in range(size)] for i in range(size)]
    none = [ZERO] * size
    # [v, p]*_j = c_ij^a p_a v^i: the part of α + ṗ that the frame's brackets carry
    turned = [[ZERO] * size for _ in range(size)]
    for (i, j, a), c in structure_functions(own.frame).items():
        turned[j][i] += c * names[a]
        turned[i][j] -= c * names[a]
    basis = transpose(allowed.basis)
    flows = [(*row, *none) for row in rows.slopes]
    efforts = [(*none, *none) for _ in rows.slopes]
    flows += [(*(-e for e in unit[i]), *none) for i in range(size)]
    efforts += [(*none, *unit[i]) for i in range(size)]
    flows += [(*(-dot(field, column) for column in transpose(turned)), *field) for field in basis]
    efforts += [(*field, *none) for field in basis]
    equations = _eliminated(own, momenta, covector, turned, names)
    structure = (tuple(map(tuple, flows)), tuple(map(tuple, efforts)))
    return Dirac(
        own, v, names, momenta, tuple(rows.residuals), tuple(rows.slopes), allowed.basis,
        *structure, covector, equations, _isotropic(own, names, *structure), _regained(own, equations),
    )  # fmt: skip


def _eliminated(
    system: System, momenta: tuple[Expr, ...], covector: tuple[Expr, ...], turned: list[list[Expr]], names: tuple[Symbol, ...]
) -> Equations:
    """``Wᵀ (d/dt ∂l/∂v − [v, p]* + α) = 0`` with ``v = V(x, z)`` put in after the derivatives: ``M ż = F``."""
    allowed = admissible(system)
    x, v, z = symbols(system.coordinates), symbols(system.velocities), allowed.speeds
    on_shell = dict(zip(v, allowed.velocity))
    metric = tuple(substitute(row, on_shell) for row in jacobian(momenta, v))
    motion = {**dict(zip(x, substitute(system.frame.rates, on_shell))), TIME: ONE}
    swept = substitute(along(momenta, {**dict(zip(x, system.frame.rates)), TIME: ONE}), on_shell)
    dual = [dot(row, v) for row in turned]
    dual = list(substitute(substitute(dual, dict(zip(names, momenta))), on_shell))
    effort = substitute(covector, on_shell)
    carried = along(allowed.velocity, motion)
    left = [d - a - s - dot(row, carried) for d, a, s, row in zip(dual, effort, swept, metric)]
    basis = allowed.basis
    own = {str(s) for s in z}
    return Equations(
        name=system.name,
        system=system,
        origin="Dirac structure",
        coordinates=x,
        speeds=z,
        kinematics=substitute(system.frame.rates, on_shell),
        mass=multiply(transpose(basis), multiply(metric, basis)),
        force=tuple(dot(column, left) for column in transpose(basis)),
        energy=substitute([energy_in_frame(system)], on_shell)[0],
        time=TIME,
        parameters=symbols(system.parameters),
        inputs=symbols(system.inputs),
        outputs=FrozenMap({n: e for n, e in named_velocities(system, on_shell).items() if n not in own}),
    )


def _isotropic(system: System, names: tuple[Symbol, ...], flows: Matrix, efforts: Matrix) -> Finding:
    """The structure has dimension 2n and ``⟨e, f'⟩ + ⟨e', f⟩ = 0``: it is its own orthogonal."""
    claim = Property("the structure is Dirac: isotropic and of dimension 2n", "the structure is not Dirac")
    size, worst = len(names), 0.0
    for k, place in enumerate(samples_of(system, count=3)):
        random = np.random.default_rng(40 + k)
        values = {**place, **dict(zip(map(str, names), random.uniform(-1, 1, size).tolist()))}
        table = np.hstack([evaluate_matrix(flows, values), evaluate_matrix(efforts, values)])
        free = kernel(table, 1e-10, least=1.0).T
        if len(free) != 2 * size:
            return Finding(claim, "fails", f"dimension {len(free)} instead of {2 * size}", "at a random configuration")
        f, e = free[:, : 2 * size], free[:, 2 * size :]
        worst = max(worst, float(np.max(np.abs(e @ f.T + f @ e.T))))
    return bounded(claim, worst, ROUNDING, "largest pairing of two elements at 3 random configurations and momenta")


def _regained(system: System, equations: Equations) -> Finding:
    """The accelerations of the implicit system against Hamel's."""
    other, worst = hamel(system), 0.0
    for place in random_states(system, None, 3, 47):
        known = {*other.state, *other.outputs, *map(str, other.inputs), "t"}
        state = {n: e for n, e in place.values.items() if n in known}
        one, two = equations.rates(state, place.parameters), other.rates(state, place.parameters)
        worst = max(worst, *(abs(one[str(s)] - two[str(s)]) / (1 + abs(two[str(s)])) for s in other.speeds))
    return bounded(Agreement("the implicit Lagrangian system", "hamel"), worst, ROUNDING, "largest relative gap at random states")
