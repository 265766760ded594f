"""Zenkov 2016, §2.5: the Chaplygin sleigh (balanced)."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, identity, moving, share
from nonholo_papers.motion import integrated
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector, chebyshev, slopes

section = Section("zenkov", "2.5 The Chaplygin sleigh")
section.uncheckable("Figure 1", "Figure 1", "a drawing without numbers", "The sleigh: oval, blade and contact point.")


def _fields(q: Vector) -> Vector:
    """The body frame; columns in the coordinates (θ, x, y)."""
    c, s = np.cos(q[..., 0]), np.sin(q[..., 0])
    none = 0 * c
    rows = [[none + 1, none, none], [none, c, -s], [none, s, c]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _matrix(theta: Any, x: Any, y: Any) -> Vector:
    c, s = np.cos(theta), np.sin(theta)
    return np.array([[c, -s, x], [s, c, y], [0 * c, 0 * c, 0 * c + 1]])


@section.confirmed("(2.3) and the body frame", (13, 14))
def body_velocity() -> Evidence:
    """The components of q̇ in the printed frame are the body velocity g⁻¹ġ in SE(2), and (2.3) says how q̇ follows from it."""
    step = 1e-30

    def terms(p: Any) -> list[Vector]:
        xdot = p.v1 * np.cos(p.theta) - p.v2 * np.sin(p.theta)
        ydot = p.v1 * np.sin(p.theta) + p.v2 * np.cos(p.theta)
        moved = _matrix(p.theta + 1j * step * p.omega, p.x + 1j * step * xdot, p.y + 1j * step * ydot)
        body = np.linalg.inv(_matrix(p.theta, p.x, p.y)) @ (np.imag(moved) / step)
        spanned = _fields(np.array([p.theta, p.x, p.y])) @ np.array([p.omega, p.v1, p.v2])
        return [
            np.array([body[1, 0], body[0, 2], body[1, 2], spanned[0], spanned[1], spanned[2]]),
            -np.array([p.omega, p.v1, p.v2, p.omega, xdot, ydot]),
        ]

    return identity(generic("theta x y", signed="omega v1 v2"), terms)


@section.confirmed("(2.4)", (15, 16))
def complex_form() -> Evidence:
    """With z = x + iy and v = v¹ + iv², ż = e^{iθ} v; no sideways motion is v = v̄."""

    def terms(p: Any) -> list[Any]:
        v = p.v1 + 1j * p.v2
        across = -np.sin(p.theta) * np.real(np.exp(1j * p.theta) * v) + np.cos(p.theta) * np.imag(
            np.exp(1j * p.theta) * v
        )
        z = (p.v1 * np.cos(p.theta) - p.v2 * np.sin(p.theta)) + 1j * (p.v1 * np.sin(p.theta) + p.v2 * np.cos(p.theta))
        return [np.array([z, across]), -np.array([np.exp(1j * p.theta) * v, (v - np.conj(v)) / 2j])]

    return identity(generic("theta", signed="v1 v2"), terms)


@section.confirmed("§2.5, the Lagrangian", 17)
def kinetic() -> Evidence:
    """The kinetic energy of a body of mass m and moment of inertia J about its centre of mass, the contact point."""

    def terms(p: Any) -> list[float]:
        random = np.random.default_rng(7)
        masses = random.uniform(0.2, 1.0, 6)
        places = random.uniform(-1, 1, 12).view(complex)
        places = places - masses @ places / masses.sum()
        v = p.v1 + 1j * p.v2
        points = masses @ np.abs(v + 1j * p.omega * places) ** 2 / 2
        inertia = masses @ np.abs(places) ** 2
        return [points, -inertia * p.omega**2 / 2, -masses.sum() * np.real(v * np.conj(v)) / 2]

    return identity(generic("omega", signed="v1 v2"), terms, words="summed over six mass points")


@section.confirmed("(2.5)", 18)
def algebra() -> Evidence:
    """The bracket of se(2), as a commutator of matrices and as the bracket of the printed vector fields."""

    def terms(p: Any) -> list[Vector]:
        one, two = (p.w1, p.a1 + 1j * p.b1), (p.w2, p.a2 + 1j * p.b2)
        matrices = [np.array([[0, -w, v.real], [w, 0, v.imag], [0, 0, 0]]) for w, v in (one, two)]
        swapped = matrices[0] @ matrices[1] - matrices[1] @ matrices[0]
        q = np.array([p.w1, p.a1, p.b2])
        speeds = [np.array([w, v.real, v.imag]) for w, v in (one, two)]
        change = slopes(_fields, q)
        fields = [_fields(q) @ v for v in speeds]
        moved = np.einsum("kil,i,l->k", change, speeds[1], fields[0]) - np.einsum(
            "kil,i,l->k", change, speeds[0], fields[1]
        )
        body = np.linalg.solve(_fields(q), moved)
        first, second = 1j * one[0] * two[1], 1j * two[0] * one[1]
        return [
            np.array([swapped[1, 0], swapped[0, 2] + 1j * swapped[1, 2], body[0], body[1] + 1j * body[2]]),
            -np.array([0, first, 0, first]),
            np.array([0, second, 0, second]),
        ]

    return identity(generic("w1 w2", signed="a1 b1 a2 b2"), terms)


@section.confirmed("(2.6)", 19, exhibits=("balanced-sleigh",))
def constant() -> Evidence:
    """The balanced sleigh keeps ω and v; one whose centre of mass is elsewhere does not."""
    still = [max(abs(p.rate("omega")), abs(p.rate("v"))) for p in moving("balanced-sleigh")]
    other = [max(abs(p.rate("omega")), abs(p.rate("v"))) for p in moving("chaplygin-sleigh")]
    return Evidence(max(still), None, min(other), "rates by the multiplier form; the mutant has a ≠ 0")


def _solution(t: Vector, omega: float, v: float, theta: float, z: complex) -> Vector:
    if omega == 0:
        return z + np.exp(1j * theta) * v * t
    return z - 1j * v / omega * np.exp(1j * theta) * (np.exp(1j * omega * t) - 1)


@section.confirmed("§2.5, the solution", 20, exhibits=("balanced-sleigh",))
def solution() -> Evidence:
    """The printed motion solves (2.4) and (2.6) and starts where it should, with and without turning."""
    grid = chebyshev(30, 0.0, 2.0)
    t = grid.points

    def terms(p: Any) -> list[Vector]:
        z = _solution(t, p.omega, p.v, p.theta, p.x + 1j * p.y)
        heading = p.theta + p.omega * t
        return [np.append(grid.d(z), z[0]), -np.append(np.exp(1j * heading) * p.v, p.x + 1j * p.y)]

    points = generic("theta v", signed="omega x y")
    points[0].omega = 0.0
    return identity(points, terms, words="differentiated on 30 Chebyshev points, ω = 0 and ω ≠ 0")


@section.confirmed("§2.5, circles", printed="generically the sleigh moves along a circle at a uniform rate")
def circles() -> Evidence:
    """With ω ≠ 0 the contact point stays on the circle of radius |v/ω| and runs along it with speed |v|."""
    from nonholo import gallery

    exhibit = gallery.get("balanced-sleigh")
    run = integrated(exhibit.system, exhibit.start, np.linspace(0, 8, 41), exhibit.parameters)
    z = run.x + 1j * run.y
    s = exhibit.start
    centre = z[0] + 1j * s["v"] / s["omega"] * np.exp(1j * s["theta"])
    radius = np.abs(z - centre)
    wrong = np.abs(z - (z[0] - 1j * s["v"] / s["omega"] * np.exp(1j * s["theta"])))
    size = s["v"] / s["omega"]
    return Evidence(
        share(radius - size, size),
        None,
        share(wrong - size, size),
        "an independently integrated motion; the mutant has its centre on the other side",
    )
