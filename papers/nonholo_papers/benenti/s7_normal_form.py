"""Benenti 2008, §7: the normal form of the Gibbs–Appell equations."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from nonholo_papers.benenti import _points as points
from nonholo_papers.benenti._points import MASSES, Vector
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity
from nonholo_papers.section import Section

section = Section("benenti", "7 The normal form of the Gibbs–Appell equations")
section.rest("definition", 63)
LOST = r"g_{ik}\,\psi^i_j\,\psi^j\,\psi^k_"


def _xi(p: SimpleNamespace) -> Vector:
    return np.einsum("n,ncij,nck->ijk", MASSES, p.ddr, p.dr)


def _of_state_only(p: SimpleNamespace, complete: bool) -> list[Vector]:
    """``∂/∂ż`` of S minus the printed terms (``complete``: with the lost one), which should vanish."""
    mixed = np.einsum("ijk,i,j,ka->a", _xi(p), p.psi, p.psi, p.by_z)
    terms = [points.by_rate(lambda w: points.energy_of_acceleration(p, w), p.other), -p.small @ p.other, -mixed]
    return [*terms, -p.lost] if complete else terms


@section.misprint(
    "§7, S",
    61,
    right=r"S = \tfrac12 g_{ij}\psi^i_\alpha\psi^j_\beta\dot z_\alpha\dot z_\beta + \sum_\nu "
    r"m_\nu\,\partial_{ij}\mathbf r_\nu\cdot"
    r"\partial_k\mathbf r_\nu\,\psi^i\psi^j\psi^k_\alpha\dot z_\alpha + " + LOST + r"\alpha\,\dot z_\alpha + S_0",
    harm=4,
    breaks="S₀ would have to depend on ż: the product of ∂_i r ψ^i_j ψ^j of (24) with a_α ż_α is left out",
    exhibits=("steered-point",),
    kind="error",
    because=(
        "By (24) a = a₀ + a_α ż_α with two terms in a₀; the product of the second with a_α is left out. For "
        "ẋ = xz, S = ½m(xż + xz²)²: the term m x²z²ż is missing."
    ),
)
def energy_of_acceleration() -> Evidence:
    """S by (24), up to a function of (q, z)."""
    return identity(
        points.states(),
        lambda p: _of_state_only(p, False),
        right=lambda p: _of_state_only(p, True),
        words="∂S/∂ż of three points in space against the printed terms",
    )


@section.misprint(
    "(43)",
    62,
    right=r"S_* = \tfrac12 g_{ij}\psi^i_\alpha\psi^j_\beta\dot z_\alpha\dot z_\beta + (\Gamma_{ijk}\,\psi^i\psi^j\psi^k_\alpha + "
    + LOST
    + r"\alpha)\,\dot z_\alpha",
    harm=4,
    breaks="with S_* in place of S the Gibbs–Appell equations (39) are others",
    exhibits=("steered-point",),
    kind="error",
    because="For ẋ = xz and m = 1, ∂S/∂ż = x²ż + x²z², while ∂S_*/∂ż as printed is x²ż.",
)
def reduced_energy() -> Evidence:
    """S_*, which is to replace S in (39): ∂S_*/∂ż_α = A_α along the motion."""

    def terms(p: SimpleNamespace, complete: bool) -> list[Vector]:
        mixed = np.einsum("ijk,i,j,ka->a", _xi(p), p.psi, p.psi, p.by_z)

        def value(w: Vector) -> float:
            return float(w @ p.small @ w / 2 + (mixed + (p.lost if complete else 0.0)) @ w)

        return [points.by_rate(value, p.zdot), -p.pull]

    return identity(
        points.states(), lambda p: terms(p, False), right=lambda p: terms(p, True), words="ż of the multiplier form"
    )


@section.confirmed("§7, ξ_ijk", 64)
def product_rule() -> Evidence:
    """ξ_ijk = ∂_i g_jk − ξ_ikj."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        xi = _xi(p)
        return [xi, -np.einsum("jki->ijk", p.slopes), np.einsum("ikj->ijk", xi)]

    return identity(points.states(), terms, words="derivatives of the metric, and of the places")


@section.confirmed("§7, the three permutations", 65)
def permutations() -> Evidence:
    """ξ_ijk + ξ_ikj = ∂_i g_jk and its cyclic permutations."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        xi, slopes = _xi(p), p.slopes
        first = [xi, np.einsum("jki->ijk", xi), np.einsum("kij->ijk", xi)]
        second = [np.einsum("ikj->ijk", xi), np.einsum("jik->ijk", xi), np.einsum("kji->ijk", xi)]
        third = [np.einsum("jki->ijk", slopes), np.einsum("kij->ijk", slopes), slopes]
        return [np.stack(first), np.stack(second), -np.stack(third)]

    return identity(points.states(), terms)


@section.confirmed("§7, ξ = Γ", 66)
def levi_civita() -> Evidence:
    """ξ_ijk = Γ_ijk, the Christoffel symbols ½(∂_i g_jk + ∂_j g_ki − ∂_k g_ij)."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        halves = [np.einsum("jki->ijk", p.slopes) / 2, np.einsum("kij->ijk", p.slopes) / 2, -p.slopes / 2]
        return [_xi(p), *(-h for h in halves)]

    return identity(points.states(), terms)


@section.misprint(
    "(44)",
    67,
    right=r"G_{\alpha\beta}\dot z_\beta + \Gamma_{ijk}\psi^i\psi^j\psi^k_\alpha + " + LOST + r"\alpha = A_\alpha",
    harm=5,
    breaks="wrong motion whenever ψ depends on q",
    exhibits=("steered-point",),
    kind="error",
    because="A free point with ẋ = xz: x²ż = 0 as printed, x²ż + x²z² = 0 from ẍ = 0.",
)
def implicit_form() -> Evidence:
    """The Gibbs–Appell equations written out."""

    def printed(p: SimpleNamespace) -> list[Vector]:
        return [p.small @ p.zdot, p.bent, -p.pull]

    return identity(points.states(), printed, right=lambda p: [*printed(p), p.lost], words="ż of the multiplier form")


@section.misprint(
    "(45), Theorem 7",
    (68, "Theorem 7"),
    right=r"\dot z_\alpha = G^{\alpha\beta}(A_\beta - \Gamma_{ijk}\psi^i\psi^j\psi^k_\beta - " + LOST + r"\beta)",
    harm=5,
    breaks="wrong motion whenever ψ depends on q; a free point steered by its place changes its speed",
    exhibits=("steered-point",),
    kind="error",
    because="A free point with ẋ = xz: ż = 0 as printed, ż = −z² from ẍ = 0.",
)
def normal_form() -> Evidence:
    """The Gibbs–Appell equations are equivalent to (45)."""

    def terms(p: SimpleNamespace, complete: bool) -> list[Vector]:
        inverse = np.linalg.inv(p.small)
        parts = [p.zdot, -inverse @ p.pull, inverse @ p.bent]
        return [*parts, inverse @ p.lost] if complete else parts

    return identity(
        points.states(), lambda p: terms(p, False), right=lambda p: terms(p, True), words="ż of the multiplier form"
    )
