"""§§2.1–2.2: charged particles, Lagrange's equations in any coordinates, the generalized magnetic field."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, slope
from nonholo_papers.macdonnell import _particles as particles
from nonholo_papers.macdonnell._fields import rate
from nonholo_papers.section import Section

section = Section(
    "macdonnell", "2.1 Gravitational and electromagnetic forces, 2.2 The Lagrangian and generalized forces"
)
section.rest("definition", 1, 4, 5)
WORDS = (
    "two particles with different masses and charges; rates by the multiplier form of L = K − U + Σ q a·ẋ, B = curl a"
)


def _cartesian(s: SimpleNamespace, charged: bool) -> list[Any]:
    inertia = np.repeat(particles.MASSES, 3) * s.a
    return [inertia, particles.functions().gradient(s.x), -particles.lorentz(s, charged), -s.forces]


@section.misprint(
    "§2.1, the force; (2.1) and the display after it",
    (2, 3, 6),
    right=r"m_i \ddot{x}_{ij} = -\frac{\partial U}{\partial x_{ij}} + q_i\sum_{k,m} \varepsilon_{jkm} \dot{x}_{ik} "
    r"B_m(x_i) + F_{ij}",
    harm=3,
    breaks="The magnetic force on a particle of charge q_i; all particles, charged or not, would turn alike.",
    kind="error",
    because=(
        "The force of B on a charge is q_i ẋ × B, as U has q_iψ. A neutral particle would turn in the field "
        "as printed."
    ),
)
def force() -> Evidence:
    """The Lorentz force is printed without the charge, which the potential U has."""
    return identity(particles.states(), lambda s: _cartesian(s, False), lambda s: _cartesian(s, True), words=WORDS)


def _general(s: SimpleNamespace, charged: bool) -> list[Any]:
    f = particles.functions().general
    return [
        rate(f.push, s.q, s.qv, s.qa),
        -f.pull(s.q, s.qv),
        -particles.magnetic(s, charged) @ s.qv,
        -s.jacobian.T @ s.forces,
    ]


@section.confirmed("(2.2), Lagrange's equations in generalized coordinates", (7, 8))
def generalized() -> Evidence:
    """d/dt ∂L/∂q̇_i − ∂L/∂q_i − M_ij q̇_j = Q_i with Q_i = F_jk ∂x_jk/∂q_i; M_ij with the charges."""
    return identity(particles.states(), lambda s: _general(s, True), words=WORDS)


@section.misprint(
    "§2.2, the generalized magnetic field",
    9,
    right=r"M_{ij} = \sum_{k,m,r,s} q_k\,\varepsilon_{mrs} B_s(x_k) \frac{\partial x_{km}}{\partial q_i} "
    r"\frac{\partial x_{kr}}{\partial q_j} \text{ with the charge } q_k",
    harm=3,
    breaks="M of two particles whose charges differ.",
    kind="error",
    because=(
        "The force of B on the k-th particle has the factor q_k, as U has. Neutral particles would "
        "contribute to M as printed."
    ),
)
def magnetic() -> Evidence:
    """M_ij is printed without the charges, as (2.1) is."""
    return identity(particles.states(), lambda s: _general(s, False), lambda s: _general(s, True), words=WORDS)


def _magnetic_new(s: SimpleNamespace) -> Any:
    return s.newer.T @ particles.magnetic(s, True) @ s.newer


@section.misprint(
    "§2.2, Lagrange's equations after a second change of coordinates",
    10,
    right=r"\left(\frac{\partial L}{\partial \dot{\overline{q}}_i}\right)' - \frac{\partial L}{\partial \overline{q}_i} - "
    r"\sum_j \overline{M}_{ij} \dot{\overline{q}}_j = \overline{Q}_i",
    harm=1,
    breaks="The dots over q̄ are not in the text; as it stands momenta are slopes and the magnetic force depends on places.",
    kind="reading",
)
def again() -> Evidence:
    """The same equations in q̄, with the dots on q̄ in the momentum and in the magnetic force, which the text lacks."""
    f = particles.functions().other

    def right(s: SimpleNamespace) -> list[Any]:
        forces = s.newer.T @ s.jacobian.T @ s.forces
        return [rate(f.push, s.p, s.pv, s.pa), -f.pull(s.p, s.pv), -_magnetic_new(s) @ s.pv, -forces]

    def printed(s: SimpleNamespace) -> list[Any]:
        forces = s.newer.T @ s.jacobian.T @ s.forces
        return [rate(f.pull, s.p, s.pv, s.pa), -f.pull(s.p, s.pv), -_magnetic_new(s) @ s.p, -forces]

    return identity(particles.states(), printed, right, words=WORDS)


@section.confirmed("§2.2, Q̄ and M̄", (11, 12))
def transformed() -> Evidence:
    """Q̄_i = Q_j ∂q_j/∂q̄_i and M̄_ij = M_km ∂q_k/∂q̄_i ∂q_m/∂q̄_j are those of x as a function of q̄."""
    f = particles.functions()

    def terms(s: SimpleNamespace) -> list[Any]:
        whole = slope(lambda p: f.place(f.newer(p)), s.p)
        direct = SimpleNamespace(jacobian=whole, field=s.field)
        one = np.column_stack([whole.T @ s.forces, particles.magnetic(direct, True)])
        two = np.column_stack([s.newer.T @ (s.jacobian.T @ s.forces), _magnetic_new(s)])
        return [one, -two]

    return identity(particles.states(), terms)


@section.confirmed("§2.2, the kinetic energy in any coordinates", 13)
def quadratic() -> Evidence:
    """K is quadratic and homogeneous in q̇ in all coordinates that do not move: K = ½ K_ij q̇_i q̇_j with K_ij = ∂²L/∂q̇∂q̇."""
    f = particles.functions()

    def terms(s: SimpleNamespace) -> list[Any]:
        energy = f.general.L(s.q, s.qv) - f.general.L(s.q, 0 * s.qv)
        other = f.other.L(s.p, s.pv) - f.other.L(s.p, 0 * s.pv)
        forms = [s.qv @ f.general.hessian(s.q, s.qv) @ s.qv / 2, s.pv @ f.other.hessian(s.p, 0 * s.pv) @ s.pv / 2]
        return [np.array([float(energy[0]), float(other[0])]), -np.array(forms)]

    return identity(particles.states(), terms)
