"""Benenti 2008, §3: the nine steps and Theorem 1."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from nonholo_papers.benenti import _points as points
from nonholo_papers.benenti._points import MASSES, Vector
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity
from nonholo_papers.section import Section
from nonholo_papers.spectral import partials, slope

section = Section("benenti", "3 The dynamical equations")
section.rest("postulate: Newton's equation", 13)
section.rest("comment on the idea of a reactive force", "Remark 2")
section.rest("definition", 11, 12, 24)


def _second(p: SimpleNamespace) -> Vector:
    """q̈ along the true motion: ψ differentiated along (ψ, ż)."""
    return slope(lambda tau: points.at(p.q + tau * p.psi, p.z + tau * p.zdot, p.law).psi, 0.02, 12)


@section.confirmed("(12), Remark 3", (14, "Remark 3"))
def lagrange() -> Evidence:
    """Newton's equations of the points, projected on ∂r/∂q^i, are Lagrange's: Σ m a·∂_i r = d/dt ∂K/∂q̇^i − ∂K/∂q^i."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        newton = np.einsum("n,nc,nci->i", MASSES, points.acceleration(p, p.zdot), p.dr)

        def momentum(tau: float) -> Vector:
            moved = points.at(p.q + tau * p.psi, p.z + tau * p.zdot, p.law)
            return moved.metric @ moved.psi

        return [newton, -slope(momentum, 0.02, 12), np.einsum("jki,j,k->i", p.slopes, p.psi, p.psi) / 2]

    return identity(points.states(), terms, words="three points in space, three coordinates")


@section.confirmed("(13), (14)", (15, 16))
def kinetic() -> Evidence:
    """The kinetic energy of the points is the quadratic form of the metric g_ij = Σ m ∂_i r·∂_j r."""

    def terms(p: SimpleNamespace) -> list[float]:
        moved = slope(lambda tau: points.at(p.q + tau * p.psi, p.z, p.law).r, 0.05, 12)
        return [float(np.sum(MASSES[:, None] * moved**2) / 2), -float(p.psi @ p.metric @ p.psi) / 2]

    return identity(points.states(), terms)


@section.confirmed("(15)", 17)
def forces() -> Evidence:
    """Lagrangian forces: their power A_i q̇^i is that of the forces on the points."""

    def terms(p: SimpleNamespace) -> list[float]:
        moved = slope(lambda tau: points.at(p.q + tau * p.psi, p.z, p.law).r, 0.05, 12)
        return [float(np.sum(p.pulls * moved)), -float(np.einsum("nc,nci->i", p.pulls, p.dr) @ p.psi)]

    return identity(points.states(), terms)


@section.confirmed("step 2 and (16)", (18, 19, 20))
def christoffel_form() -> Evidence:
    """Lagrange's equations are g_ij q̈^j + Γ_hki q̇^h q̇^k = A_i; for the points, Σ m a·∂_i r is that left side."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        newton = np.einsum("n,nc,nci->i", MASSES, points.acceleration(p, p.zdot), p.dr)
        return [newton, -p.metric @ _second(p), -np.einsum("hki,h,k->i", p.christoffel, p.psi, p.psi)]

    return identity(points.states(), terms, words="Γ from derivatives of the metric, accelerations from the points")


def _balance(p: SimpleNamespace, complete: bool) -> list[Vector]:
    """G ż = Z_α with the true ż; ``complete`` has the term with ∂ψ/∂q."""
    terms = [p.small @ p.zdot, -p.pull, p.bent]
    return [*terms, p.lost] if complete else terms


@section.misprint(
    "(17)",
    21,
    right=r"\bar Z_i(q,z) \doteq A_i(q,\psi) - \Gamma_{hki}(q)\,\psi^h\psi^k - g_{ij}\,\psi^j_k\,\psi^k",
    harm=5,
    breaks="wrong motion whenever ψ depends on q: the unbalanced sleigh gets ω̇ = 0 and gains energy",
    exhibits=("steered-point",),
    kind="error",
    because=(
        "q̇ = ψ(q, z) gives q̈^j = ψ^j_α ż_α + ψ^j_k ψ^k; the second term is left out. A free point with ẋ = "
        "xz: ẍ = 0 means ż = −z², the printed steps give ż = 0."
    ),
)
def reduced_force() -> Evidence:
    """What is left of Lagrange's equations on the constraint: q̈ is not ψ_α ż_α alone, ψ also changes with the place."""
    return identity(
        points.states(),
        lambda p: _balance(p, False),
        right=lambda p: _balance(p, True),
        words="G ż = Z̄_i ψ^i_α with ż of the multiplier form",
    )


@section.confirmed("(18)", 22)
def projected() -> Evidence:
    """Z_α = Z̄_i ψ^i_α, with (17) corrected, is G_αβ ż_β."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        curved = np.einsum("hki,h,k->i", p.christoffel, p.psi, p.psi) + p.metric @ p.by_place @ p.psi
        reduced = p.lagrangian_pulls - curved
        return [p.small @ p.zdot, -reduced @ p.by_z]

    return identity(points.states(), terms, words="with ż of the multiplier form")


@section.misprint(
    "(19), step 6",
    23,
    right=r"\text{the } m \times m\text{-matrix } G_{\alpha\beta}(q,z) \doteq g_{ij}\,\psi^i_\alpha\,\psi^j_\beta",
    harm=3,
    breaks="with ψ^i twice the off-diagonal metric is lost (or an index stays open); and r × r has the number "
    "of constraints, not m; §8.1, item 6, repeats the indices",
    exhibits=("parallel-points",),
    kind="slip",
)
def matrix() -> Evidence:
    """The matrix of the equations for ż, printed g_ij ψ^i_α ψ^i_β and called r × r; (33) has it right."""

    def terms(p: SimpleNamespace, printed: bool) -> list[Vector]:
        formula = "ij,ia,ib->ab" if printed else "ij,ia,jb->ab"
        right_side = p.pull - p.bent - p.lost
        return [np.einsum(formula, p.metric, p.by_z, p.by_z) @ p.zdot, -right_side]

    return identity(
        points.states(),
        lambda p: terms(p, True),
        right=lambda p: terms(p, False),
        words="G ż with ż of the multiplier form",
    )


@section.confirmed("(21)", 25)
def raised() -> Evidence:
    """Z^α = G^αβ Z_β, with (17) and (19) corrected, is ż."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        return [p.zdot, -np.linalg.inv(p.small) @ (p.pull - p.bent - p.lost)]

    return identity(points.states(), terms, words="against the multiplier form")


@section.confirmed("(22)", 26)
def potential() -> Evidence:
    """For forces −∇V on the points, A_i = −∂V/∂q^i."""

    def energy(r: Vector) -> Vector:
        return np.sum(0.7 * r[:, 0] ** 2 * r[:, 1] + np.sin(r[:, 2]) + 0.3 * r[:, 0] * r[:, 2])

    def terms(p: SimpleNamespace) -> list[Vector]:
        r = p.r
        pulls = -np.stack(
            [1.4 * r[:, 0] * r[:, 1] + 0.3 * r[:, 2], 0.7 * r[:, 0] ** 2, np.cos(r[:, 2]) + 0.3 * r[:, 0]], axis=1
        )
        change = partials(lambda q: energy(points.at(q, p.z, p.law).r), p.q)
        return [np.einsum("nc,nci->i", pulls, p.dr), change]

    return identity(points.states(), terms)


@section.misprint(
    "Theorem 1, (23)",
    (27, 28, "Theorem 1"),
    printed=r"\dot q^i = \psi^i(q,z) \text{ with } r \text{ parameters; } \dot z_\alpha = Z^\alpha \text{ by the nine steps}",
    right=r"\dot q^i = \psi^i(q,z) \text{ with } m = n - r \text{ parameters; } \dot z_\alpha = Z^\alpha \text{ "
    r"with (17) and (19) corrected}",
    harm=5,
    breaks="the nine steps as listed do not give the motions; and r is the number of constraints, not of parameters",
    exhibits=("steered-point", "parallel-points"),
    kind="error",
    because=(
        "A free point with ẋ = xz moves uniformly, so that ż = −z²; the nine steps give ż = 0 and x = x₀ "
        "exp(zt)."
    ),
)
def main_theorem() -> Evidence:
    """The motions are the integral curves of q̇ = ψ, ż = Z computed by the nine steps, with r parameters."""

    def printed(p: SimpleNamespace) -> list[Vector]:
        literal = np.einsum("ij,ia,ib->ab", p.metric, p.by_z, p.by_z)
        return [p.zdot, -np.linalg.solve(literal, p.pull - p.bent)]

    def right(p: SimpleNamespace) -> list[Vector]:
        return [p.zdot, -np.linalg.solve(p.small, p.pull - p.bent - p.lost)]

    return identity(points.states(), printed, right=right, words="n = 3, r = 1, m = 2; against the multiplier form")
