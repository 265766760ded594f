"""Gibbs–Appell: motion by the energy of accelerations; a third, independent route."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, energy_of, expand, gradient, jacobian, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import dot, transpose
from nonholo.derive.chart_coordinates import in_chart
from nonholo.derive.equations import Equations
from nonholo.derive.forms import form
from nonholo.derive.multipliers import chart_outputs
from nonholo.geometry.frames.frame import rate
from nonholo.model.system import TIME, System, force_covector, resolve
from nonholo.model.velocities.admissible import admissible


def acceleration_energy(system: System, velocity: Sequence[Expr], acceleration: Sequence[Expr]) -> Expr:
    """``S − A_i q̈^i`` with ``S = ½ g_ij q̈^i q̈^j + Γ_ijk q̇^i q̇^j q̈^k + …``, up to terms without ``q̈`` [Benenti 2008 §6].

    ``Γ_ijk = ½(∂_i g_jk + ∂_j g_ik − ∂_k g_ij)`` are Christoffel's symbols of the kinetic metric, so no formula is
    shared with `hamel` or `multipliers`; parts of L that are linear in the velocities or free of them enter as forces.
    """
    q, v = symbols(system.coordinates), symbols(rate(c) for c in system.coordinates)
    (lagrangian,) = resolve(system, [system.lagrangian], f"{system.name}: lagrangian")
    metric = jacobian(gradient(lagrangian, v), v)
    applied = list(force_covector(system))
    inner = set(v)
    if any(e.free_symbols & inner for row in metric for e in row):
        metric = tuple(tuple(expand(e) for e in row) for row in metric)
    if any(e.free_symbols & inner for row in metric for e in row):
        cross = jacobian(gradient(lagrangian, v), (*q, TIME))  # L is not quadratic: the general S
        inertial = [dot(row, (*v, ONE)) for row in cross]
        metric = tuple(substitute(row, dict(zip(v, velocity))) for row in metric)
        applied = [a + s for a, s in zip(applied, gradient(lagrangian, q))]
    else:
        rest = dict.fromkeys(v, ZERO)
        linear = substitute(gradient(lagrangian, v), rest)
        (potential,) = substitute([lagrangian], rest)
        inertial = _christoffel_terms(metric, q, v)
        inertial = [i + dot([e.diff(TIME) for e in row], v) for i, row in zip(inertial, metric)]
        curl = [dot([linear[k].diff(q[j]) - linear[j].diff(q[k]) for j in range(len(q))], v) for k in range(len(q))]
        applied = [a + potential.diff(q[k]) - curl[k] - linear[k].diff(TIME) for k, a in enumerate(applied)]
    half = se.Rational(1, 2)
    on_shell = dict(zip(v, velocity))
    terms = substitute([i - a for i, a in zip(inertial, applied)], on_shell)
    kinetic = [dot(row, acceleration) for row in metric]
    return half * dot(kinetic, acceleration) + dot(terms, acceleration)


def _christoffel_terms(metric: Any, q: Sequence[Any], v: Sequence[Any]) -> list[Expr]:
    """``Γ_ijk q̇^i q̇^j`` for each k, with ``Γ_ijk = ½(∂_i g_jk + ∂_j g_ik − ∂_k g_ij)``."""
    size = len(q)
    half = se.Rational(1, 2)
    upper = iter(jacobian([e for i, row in enumerate(metric) for e in row[i:]], q))
    rows = [[next(upper) for _ in row[i:]] for i, row in enumerate(metric)]
    slope = [[rows[min(i, j)][abs(i - j)] for j in range(size)] for i in range(size)]
    terms: list[list[Expr]] = [[] for _ in q]
    for i in range(size):
        for j in range(size):
            for k in range(size):
                one, two, three = slope[j][k][i], slope[i][k][j], slope[i][j][k]
                if not (one is ZERO and two is ZERO and three is ZERO):  # most, along a chain
                    terms[k].append(half * (one + two - three) * v[i] * v[j])
    return [se.Add(*row) for row in terms]


@form(
    "gibbs_appell",
    title="Gibbs–Appell equations",
    about="From the energy of accelerations, in the same quasi-velocities. [Benenti 2008 (17), corrected]",
    place=3,
    chosen_speeds=True,
)
def gibbs_appell(system: System, at: Mapping[str, float] | None = None) -> Equations:
    """Motion as ``∂S/∂ż = 0`` on the admissible accelerations ``q̈ = ψ_z ż + ψ_q q̇ + ψ_t``.

        G_αβ ż_β = A_α − Γ_ijk ψ^i ψ^j ψ^k_α − g_ik (∂ψ^i/∂q^j) ψ^j ψ^k_α     [Benenti 2008 (17)–(21), corrected]

    The last term is missing in the paper; without it the unbalanced sleigh gains energy.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> print(nh.gibbs_appell(sleigh.system))
    Chaplygin sleigh: Gibbs–Appell equations
    <BLANKLINE>
      d/dt theta = omega
      d/dt x = v*cos(theta)
      d/dt y = v*sin(theta)
      (J + m*a**2)*omegadot = -m*a*omega*v
      vdot = a*omega**2
    """
    plain = in_chart(system)
    allowed = admissible(plain, at)
    q, v = symbols(plain.coordinates), symbols(plain.velocities)
    velocity = allowed.velocity
    motion = {**dict(zip(q, velocity)), TIME: ONE}
    if allowed.explicit:
        unknown = symbols(f"_{s}_rate" for s in allowed.speeds)
        drift = along(velocity, motion)
        acceleration = tuple(dot(row, unknown) + d for row, d in zip(allowed.basis, drift))
    else:
        unknown = symbols(f"_{s}_rate" for s in v)
        acceleration = unknown
    slope = gradient(acceleration_energy(plain, velocity, acceleration), unknown)
    still = dict.fromkeys(unknown, ZERO)
    # S is quadratic; a Piecewise that does not know an unknown has pieces of zeros as its slope, which may hide that
    mass = tuple(substitute(row, still) for row in jacobian(slope, unknown))
    force = tuple(-e for e in substitute(slope, still))
    if not allowed.explicit:
        virtual = transpose(allowed.basis)
        columns = transpose(mass)
        carry = along(allowed.rows.residuals, motion)
        mass = (*(tuple(dot(w, c) for c in columns) for w in virtual), *allowed.rows.slopes)
        force = (*(dot(w, force) for w in virtual), *(-c for c in carry))
    on_shell = dict(zip(v, velocity))
    (lagrangian,) = resolve(plain, [plain.lagrangian])
    invariants = {f"holonomic constraint {i + 1}": e for i, e in enumerate(plain.holonomic)}
    if not allowed.explicit:
        invariants |= dict(zip(allowed.rows.labels, allowed.rows.residuals))
    return Equations(
        name=system.name,
        origin="gibbs_appell",
        coordinates=q,
        speeds=allowed.speeds,
        kinematics=velocity,
        mass=mass,
        force=force,
        energy=substitute([energy_of(lagrangian, v)], on_shell)[0],
        time=TIME,
        parameters=symbols(plain.parameters),
        inputs=symbols(plain.inputs),
        symmetric=allowed.explicit,
        outputs=FrozenMap(chart_outputs(system, plain, on_shell, allowed.speeds)),
        invariants=FrozenMap(invariants),
    )
