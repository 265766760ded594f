"""Benenti 2008, §4: accelerations, virtual displacements and ideal constraints."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from nonholo_papers.benenti import _points as points
from nonholo_papers.benenti._points import Vector
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import Moving, identity, moving, vanish
from nonholo_papers.section import Section
from nonholo_papers.spectral import slope

section = Section("benenti", "4 Ideal constraints")
section.rest("notation", 31)
section.rest("definition", 36, 37, "Definition 2")


@section.confirmed("§4, the acceleration", 29)
def acceleration() -> Evidence:
    """a = ∂²r/∂q^i∂q^j q̇^i q̇^j + ∂r/∂q^i dq̇^i/dt along any curve."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        bend = np.array([0.4, -0.7, 0.9])

        def place(tau: float) -> Vector:
            return points.at(p.q + tau * p.psi + tau**2 * bend / 2, p.z, p.law).r

        twice = slope(lambda one: slope(lambda two: place(one + two), 0.05, 12), 0.05, 12)
        return [twice, -np.einsum("ncij,i,j->nc", p.ddr, p.psi, p.psi), -np.einsum("nci,i->nc", p.dr, bend)]

    return identity(points.states(), terms, words="second derivatives of the places along a curve")


@section.confirmed("§4, velocities and accelerations on the constraint", 30)
def on_constraint() -> Evidence:
    """v = ∂r/∂q^i ψ^i and a = ∂²r ψψ + ∂r(∂ψ/∂q^j ψ^j + ∂ψ/∂z_α ż_α)."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        bent = np.einsum("ncij,i,j->nc", p.ddr, p.psi, p.psi)
        placed = np.einsum("nci,ij,j->nc", p.dr, p.by_place, p.psi)
        return [points.acceleration(p, p.other), -bent, -placed, -np.einsum("nci,ia,a->nc", p.dr, p.by_z, p.other)]

    return identity(points.states(), terms, words="velocities differentiated while (q, z) moves with (ψ, ż)")


@section.confirmed("(24), (25), (26)", (32, 33, 34))
def decomposed() -> Evidence:
    """a = a₀ + a_α ż_α with a_α = ∂_i r ψ^i_α: affine in ż."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        still = np.einsum("ncij,i,j->nc", p.ddr, p.psi, p.psi) + np.einsum("nci,ij,j->nc", p.dr, p.by_place, p.psi)
        directions = np.einsum("nci,ia->nca", p.dr, p.by_z)
        return [points.acceleration(p, p.other), -still, -directions @ p.other]

    return identity(points.states(), terms)


@section.misprint(
    "(27), Definition 1",
    (35, "Definition 1"),
    right=r"\mathbf w_\nu(q,z,\dot z) \doteq \mathbf a_{\alpha\nu}\,\dot z_\alpha = \partial_i\mathbf "
    r"r_\nu\,\psi^i_\alpha\,\dot z_\alpha",
    harm=2,
    breaks="v_ν are the velocities (2); the virtual displacements are called w_ν in (28) and (42), and are not velocities",
    kind="reading",
)
def virtual() -> Evidence:
    """The virtual displacements a_α ż_α, printed with the letter of the velocities: they are differences of accelerations."""

    def printed(p: SimpleNamespace) -> list[Vector]:
        return [np.einsum("nci,i->nc", p.dr, p.psi), -np.einsum("nci,ia,a->nc", p.dr, p.by_z, p.other)]

    def right(p: SimpleNamespace) -> list[Vector]:
        shift = points.acceleration(p, p.zdot + p.other) - points.acceleration(p, p.zdot)
        return [shift, -np.einsum("nci,ia,a->nc", p.dr, p.by_z, p.other)]

    return identity(
        points.states(),
        printed,
        right=right,
        words="a_α ż_α against velocities, and against differences of accelerations",
    )


@section.confirmed("(30), Theorem 2", (38, 39, "Theorem 2"))
def equivalent() -> Evidence:
    """ΣR·w = R_i ψ^i_α ż_α for all ż, whatever the forces R: (28) for all virtual displacements is R_i ψ^i_α = 0."""

    def terms(p: SimpleNamespace) -> list[float]:
        any_force = np.cos(p.r + np.arange(9).reshape(3, 3))
        shift = points.acceleration(p, p.zdot + p.other) - points.acceleration(p, p.zdot)
        lagrangian = np.einsum("nc,nci->i", any_force, p.dr)
        return [float(np.sum(any_force * shift)), -float(lagrangian @ p.by_z @ p.other)]

    return identity(points.states(), terms)


@section.confirmed("(30) along the motion", printed=r"R_i\,\psi^i_\alpha = 0")
def reactions() -> Evidence:
    """Reactions of the multiplier form are ideal in this sense: m a − A is orthogonal to all virtual displacements."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        whole = points.MASSES[:, None] * points.acceleration(p, p.zdot)
        directions = np.einsum("nci,ia->nca", p.dr, p.by_z)
        return [np.einsum("nc,nca->a", whole, directions), -np.einsum("nc,nca->a", p.pulls, directions)]

    return identity(points.states(), terms, words="ż of the multiplier form of three points in space")


def _power(law: tuple[str, ...]) -> float:
    """The reactions' power R_i ψ^i along the motion."""
    return vanish(points.states(law), lambda p: np.sum(points.reactions(p) * np.einsum("nci,i->nc", p.dr, p.psi))).printed


@section.conditional(
    "Theorem 3, and the note after (30)",
    "Theorem 3",
    printed=r"R_i\,\psi^i_\alpha = 0 \text{ means } R_i\,\dot q^i = 0; \text{ the ideal constraints do not dissipate energy}",
    right="ψ is a combination of the ∂ψ/∂z_α, as for constraints that are linear or homogeneous in the velocities",
    reason="(30) is R_i ψ^i_α = 0, and the power is R_i ψ^i; it vanishes with (30) where ψ is a combination of the ψ_α.",
    harm=4,
    breaks="|v| = c under gravity: the ideal reaction has the power m g c sin z, and energy is not conserved",
    exhibits=("steered-point", "parallel-points"),
)
def no_work() -> Evidence:
    """Ideal reactions do no work."""

    def power(p: Moving) -> list[float]:
        pulls = [p.k * (p.x2 - p.x1), p.k * (p.y2 - p.y1), p.k * (p.x1 - p.x2), p.k * (p.y1 - p.y2)]
        rates = [p.m1 * p.rate("x1dot"), p.m1 * p.rate("y1dot"), p.m2 * p.rate("x2dot"), p.m2 * p.rate("y2dot")]
        speeds = np.array([p.x1dot, p.y1dot, p.x2dot, p.y2dot])
        return [speeds @ np.array(rates), -speeds @ np.array(pulls)]

    return Evidence(
        _power(points.CURVED),
        max(_power(points.LINEAR), identity(moving("parallel-points"), power).printed),
        None,
        "power of m a − A along the multiplier form: a generic ψ; a linear one, and two points with parallel velocities",
    )


@section.confirmed("Remark 4", "Remark 4", printed=r"\text{for linear constraints (28) is the virtual work principle}")
def virtual_work() -> Evidence:
    """For linear constraints the virtual displacements are the admissible velocities, so that (28) is d'Alembert's principle."""

    def outside(law: tuple[str, ...]) -> float:
        worst = 0.0
        for p in points.states(law):
            rest = p.psi - p.by_z @ np.linalg.lstsq(p.by_z, p.psi, rcond=None)[0]
            worst = max(worst, float(np.linalg.norm(rest) / np.linalg.norm(p.psi)))
        return worst

    return Evidence(
        outside(points.LINEAR), None, outside(points.CURVED), "the part of q̇ outside span{ψ_α}; the mutant is nonlinear"
    )
