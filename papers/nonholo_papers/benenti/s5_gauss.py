"""Benenti 2008, §§5, 6: the Gauss principle and the Gibbs–Appell equations."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from nonholo_papers.benenti import _points as points
from nonholo_papers.benenti._points import MASSES, Vector
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, identity, vanish
from nonholo_papers.section import Section
from nonholo_papers.spectral import partials

section = Section("benenti", "5, 6 The Gauss principle, the Gibbs–Appell equations")
section.rest("definition", 40, 45, 52, 58, 59)
section.rest("assumption: active forces depend on the state", 41, 54)
section.rest("Newton's equation, rearranged", 47)


def _left_over(p: SimpleNamespace, zdot: Vector) -> Vector:
    """``∂G/∂ż_α``."""
    return points.by_rate(lambda w: points.gauss(p, w), zdot)


def _directions(p: SimpleNamespace) -> Vector:
    return np.einsum("nci,ia->nca", p.dr, p.by_z)


@section.misprint(
    "after (31), the arguments of G",
    printed=r"G \text{ becomes a function of } (q, z)",
    right=r"G \text{ becomes a function of } (q, z, \dot z)",
    harm=1,
    breaks="∂G/∂ż, (32), would vanish: the accelerations depend on ż by (24)",
    kind="slip",
)
def arguments() -> Evidence:
    """What G depends on, once the constraints' equations are put in: it is larger by ½ g_ij ψ^i_α ψ^j_β Δ_α Δ_β at ż + Δ."""

    def square(p: SimpleNamespace) -> float:
        gap = p.by_z @ (p.other - p.zdot)
        return float(gap @ p.metric @ gap / 2)

    return identity(
        points.states(),
        lambda p: [points.gauss(p, p.other), -points.gauss(p, p.zdot)],
        right=lambda p: [points.gauss(p, p.other), -points.gauss(p, p.zdot), -square(p)],
        words="one state, with ż of the motion and with another",
    )


@section.confirmed("(32)", 42)
def first_slope() -> Evidence:
    """∂G/∂ż_α = Σ m(a − A/m)·a_α."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        inertia = np.einsum("n,nc,nca->a", MASSES, points.acceleration(p, p.other), _directions(p))
        return [
            points.by_rate(lambda w: points.gauss(p, w), p.other),
            -inertia,
            np.einsum("nc,nca->a", p.pulls, _directions(p)),
        ]

    return identity(points.states(), terms)


@section.confirmed("(33), (34)", (43, 44, 46))
def second_slope() -> Evidence:
    """∂²G/∂ż_α∂ż_β = g_ij ψ^i_α ψ^j_β."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        found = partials(lambda other: points.by_rate(lambda w: points.gauss(p, w), other), p.other, 0.5, 4)
        return [found, -np.einsum("ij,ia,jb->ab", p.metric, p.by_z, p.by_z)]

    return identity(points.states(), terms)


@section.confirmed("§5, G_αβ is positive", printed=r"[G_{\alpha\beta}] \text{ is regular and positive-definite}")
def positive() -> Evidence:
    """The matrix G_αβ is positive because ψ_α has full rank; where the rank falls it is not regular."""
    smallest = [float(np.min(np.linalg.eigvalsh(p.small))) for p in points.states()]
    fallen = [p.by_z.copy() for p in points.states()]
    for by_z in fallen:
        by_z[:, 1] = by_z[:, 0]
    flat = [np.min(np.linalg.eigvalsh(np.linalg.multi_dot([b.T, p.metric, b]))) for b, p in zip(fallen, points.states())]
    return holds(
        (f"smallest eigenvalue {min(smallest):.2g}", min(smallest) > 1e-3),
        against=[("also where ψ_α are dependent", min(flat) > 1e-9)],
    )


@section.confirmed("(35)", 48)
def with_reactions() -> Evidence:
    """With Newton's equations ∂G/∂ż_α = ΣR·a_α = R_i ψ^i_α, for reactions that need not be ideal."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        forces = MASSES[:, None] * points.acceleration(p, p.other) - p.pulls  # reactions of a motion with another ż
        lagrangian = np.einsum("nc,nci->i", forces, p.dr)
        both = np.einsum("nc,nca->a", forces, _directions(p))
        return [
            np.append(*[points.by_rate(lambda w: points.gauss(p, w), p.other)] * 2),
            -np.append(both, lagrangian @ p.by_z),
        ]

    return identity(points.states(), terms)


@section.confirmed("(36), Theorem 4", (49, "Theorem 4"))
def gauss_principle() -> Evidence:
    """Along the motion with ideal constraints ∂G/∂ż = 0 and G is least; with a reaction that is not ideal it is not."""
    least = vanish(points.states(), lambda p: _left_over(p, p.zdot), [lambda p: _left_over(p, p.other)])
    for p in points.states():
        for way in np.random.default_rng(5).normal(size=(6, 2)):
            if points.gauss(p, p.zdot + 0.1 * way) <= points.gauss(p, p.zdot):
                return Evidence(1.0, None, least.mutant, "G is smaller nearby")
    return Evidence(least.printed, None, least.mutant, "ż of the multiplier form, and another one")


@section.confirmed("(37), Remark 5, Theorem 5", (50, 51, "Remark 5", "Theorem 5"))
def against_free_motion() -> Evidence:
    """Among all motions compatible with the constraints from one state, the actual one deviates least from the free one."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        # least squares over ż of the mass-weighted distance to the free accelerations A/m
        weights = np.sqrt(MASSES)[:, None]
        still = points.acceleration(p, np.zeros(2))
        columns = (weights[:, :, None] * _directions(p)).reshape(9, 2)
        gap = (weights * (p.pulls / MASSES[:, None] - still)).reshape(9)
        return [np.linalg.lstsq(columns, gap, rcond=None)[0], -p.zdot]

    return identity(points.states(), terms, words="the least deviation by least squares against the multiplier form")


@section.confirmed("§6, G = S + S₁ − S₂", 53)
def decomposition() -> Evidence:
    """The decomposition of G."""

    def terms(p: SimpleNamespace) -> list[float]:
        a = points.acceleration(p, p.other)
        first = float(np.sum(p.pulls**2 / MASSES[:, None]) / 2)
        return [
            points.gauss(p, p.other),
            -float(np.sum(MASSES[:, None] * a**2) / 2),
            -first,
            float(np.sum(p.pulls * a)),
        ]

    return identity(points.states(), terms)


@section.confirmed("§6, ∂S₂/∂ż", 55)
def power_slope() -> Evidence:
    """∂S₂/∂ż_α = A_i ψ^i_α."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        found = points.by_rate(lambda w: float(np.sum(p.pulls * points.acceleration(p, w))), p.other)
        return [found, -p.lagrangian_pulls @ p.by_z]

    return identity(points.states(), terms)


@section.confirmed("§6, ∂G/∂ż", 56)
def gauss_slope() -> Evidence:
    """∂G/∂ż_α = ∂S/∂ż_α − A_i ψ^i_α."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        return [
            points.by_rate(lambda w: points.gauss(p, w), p.other),
            -points.by_rate(lambda w: points.energy_of_acceleration(p, w), p.other),
            p.lagrangian_pulls @ p.by_z,
        ]

    return identity(points.states(), terms)


@section.confirmed("(39), Theorem 6", (57, "Theorem 6"))
def gibbs_appell() -> Evidence:
    """∂S/∂ż_α = A_α with S made of the accelerations (24): the Gibbs–Appell equations hold along the motion."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        return [points.by_rate(lambda w: points.energy_of_acceleration(p, w), p.zdot), -p.lagrangian_pulls @ p.by_z]

    return identity(points.states(), terms, words="ż of the multiplier form")


@section.confirmed("(42), Remark 6", (60, "Remark 6"))
def virtual_power() -> Evidence:
    """The virtual power of the active forces is A_α ż_α."""

    def terms(p: SimpleNamespace) -> list[float]:
        shift = points.acceleration(p, p.zdot + p.other) - points.acceleration(p, p.zdot)
        return [float(np.sum(p.pulls * shift)), -float(p.lagrangian_pulls @ p.by_z @ p.other)]

    return identity(points.states(), terms)
