"""Benenti 2008, §§1, 2: holonomic systems and kinematical constraints."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.benenti import _points as points
from nonholo_papers.benenti._points import Vector
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, holds, identity, share, vanish
from nonholo_papers.section import Section
from nonholo_papers.spectral import along, slope, slopes

section = Section("benenti", "1, 2 Holonomic systems and kinematical constraints")
section.rest("definition", 1, 4, 5, 6, 7)


@section.confirmed("(2)", (2, 3))
def velocities() -> Evidence:
    """The velocity of a point whose place depends on the coordinates is ∂r/∂q^i q̇^i."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        moved = slope(lambda tau: points.at(p.q + np.sin(tau) * p.psi, p.z, p.law).r, 0.05, 12)
        return [moved, -np.einsum("nci,i->nc", p.dr, p.psi)]

    return identity(points.states(), terms, words="places of three points differentiated along a curve")


@section.misprint(
    "after (2), the range of q̇",
    printed=r"(\dot q^i) \in \mathbb{R}",
    right=r"(\dot q^i) \in \mathbb{R}^n",
    harm=1,
    breaks="the velocities at a configuration form a space of dimension n, one number does not say them",
    kind="slip",
)
def velocity_space() -> Evidence:
    """The velocities possible at a configuration, as a space of dimension 1."""
    ranks = [int(np.linalg.matrix_rank(p.dr.reshape(9, 3))) for p in points.states()]
    return Evidence(
        float(min(abs(r - 1) for r in ranks)), float(max(abs(r - 3) for r in ranks)), None, "rank of ∂r/∂q, n = 3"
    )


def _parallel(v1: float, v2: float, theta: float) -> tuple[Vector, Vector]:
    """ψ and its derivatives by (v₁, v₂, θ) for two points with parallel velocities."""
    c, s = np.cos(theta), np.sin(theta)
    return np.array([v1 * c, v1 * s, v2 * c, v2 * s]), np.array(
        [[c, 0, -v1 * s], [s, 0, v1 * c], [0, c, -v2 * s], [0, s, v2 * c]]
    )


@section.confirmed("(8), Remark 1", (10, "Remark 1"))
def counted() -> Evidence:
    """dim C = 2n − r = n + m, so that m = n − r parameters are needed; (q, z) are coordinates on C."""
    ranks, tangents = [], []
    for v1, v2, theta in ((0.7, -1.2, 0.4), (1.1, 0.5, 2.0)):
        _, by_z = _parallel(v1, v2, theta)
        embedding = np.block([[np.eye(4), np.zeros((4, 3))], [np.zeros((4, 4)), by_z]])
        implicit = slopes(lambda v: v[:1] * v[3] - v[1] * v[2], _parallel(v1, v2, theta)[0])
        moved = slopes(lambda z: _parallel(z[0], z[1], z[2])[0], np.array([v1, v2, theta]))
        tangents += [share(np.matmul(implicit, by_z), implicit), gap(by_z, moved)]
        ranks.append((int(np.linalg.matrix_rank(embedding)), 8 - int(np.linalg.matrix_rank(implicit))))
    one, two = points.states()[0], 3
    generic = 3 + int(np.linalg.matrix_rank(one.by_z)) == 2 * two - 1
    return holds(
        ("two parallel points, n = 4, r = 1: dim C = 7 both ways", all(a == b == 7 for a, b in ranks)),
        ("n = 3, r = 1: dim C = 5 both ways", generic),
        ("the derivatives by z are tangent to the implicit equation", max(tangents) < 1e-12),
        against=[("m = r", any(a == 4 + 1 for a, _ in ranks))],
    )


@section.confirmed("(6), (7)", (8, 9))
def linear() -> Evidence:
    """Linear implicit equations and parametric ones linear in z say the same: rows that annihilate ψ_α, and as many as n − m."""

    def left_over(law: tuple[str, ...]) -> Evidence:
        def paired(case: tuple[Any, float]) -> float:
            p, factor = case
            row = np.cross(p.by_z[:, 0], p.by_z[:, 1])
            return float(row @ points.at(p.q, factor * p.z[::-1], law).psi)

        return vanish([(p, factor) for p in points.states(law) for factor in (0.4, 1.7, -2.2)], paired)

    return Evidence(
        left_over(points.LINEAR).printed,
        None,
        left_over(points.CURVED).printed,
        "the covector at one z on the velocities of others",
    )


def _derivative(function: Any, v: Vector, way: Vector) -> Any:
    """Along a direction, at complex places too: central differences, exact for a cubic with the fourth-order weights."""
    return (8 * (function(v + way) - function(v - way)) - function(v + 2 * way) + function(v - 2 * way)) / 12


@lru_cache
def _cubic(seed: int) -> tuple[Any, Any, Vector]:
    """A generic equation C(v) = 0, cubic, that holds at a centre; its solution ψ(z) along its normal, and a z."""
    random = np.random.default_rng(seed)
    table, centre = random.normal(size=(4, 4, 4)), random.normal(size=4)
    normal = table[0, 0] / np.linalg.norm(table[0, 0])
    ways = np.linalg.svd(normal[None, :])[2][1:].T

    def residual(v: Vector) -> Any:
        """A cubic that vanishes at the centre."""
        u = v - centre
        return table[0, 0] @ u + np.einsum("ij,i,j->", table[1], u, u) + np.einsum("ijk,i,j,k->", table, u, u, u)

    def chart(z: Vector) -> Vector:
        return centre + ways @ z

    def psi(z: Vector) -> Vector:
        """ψ(z), through which complex steps go."""
        v = chart(z)
        for _ in range(30):
            v = v - normal * residual(v) / _derivative(residual, v, normal)
        return v

    return residual, psi, random.uniform(-0.05, 0.05, 3)


@section.confirmed("§2, from implicit to parametric equations", printed=r"\text{(3) can be transformed into (4)}")
def transformed() -> Evidence:
    """Where the rank is full, implicit equations have a parametric form with m = n − r parameters and the same tangents.

    The equation of two parallel velocities, and three generic equations C(v) = 0, solved by Newton's method along their normal.
    """

    def tangents(case: tuple[Any, Any, Vector]) -> Vector:
        """C(ψ(z)), and ∂C/∂q̇ along ψ_α."""
        residual, psi, z = case
        by_z = np.array([along(psi, (z,), (e,)) for e in np.eye(len(z))]).T
        slopes = np.array([along(residual, (np.real(psi(z)),), (e,)) for e in np.eye(4)])
        return np.array([np.real(residual(psi(z))), *(slopes @ by_z)])

    def product(v: Vector) -> Any:
        return v[0] * v[3] - v[1] * v[2]

    cases = [_cubic(seed) for seed in (1, 2, 3)]
    cases += [(product, lambda z: _parallel(*z)[0], np.array(z)) for z in ((0.7, -1.2, 0.4), (1.1, 0.5, 2.0))]
    mixed = [(_cubic(1)[0], _cubic(2)[1], _cubic(2)[2]), (product, lambda z: z[[0, 1, 2, 0]], np.array([0.7, -1.2, 0.4]))]
    return Evidence(
        vanish(cases, tangents).printed,
        None,
        min(vanish([case], tangents).printed for case in mixed),
        "C(ψ(z)) = 0 and ∂C/∂q̇ ψ_α = 0 for (50), (51) and three generic equations; not with the ψ of another equation",
    )
