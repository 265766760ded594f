"""Benenti 2008, §8.3: two free points with parallel velocities."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.benenti import _parallel as parallel
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, holds, identity, vanish
from nonholo_papers.section import Section
from nonholo_papers.spectral import partials, slope

Vector = Any
section = Section("benenti", "8.3 Two free points with parallel velocities")
section.rest("notation", 105, 107, 121)
section.rest("(51) written with ψ", 109, 110, 111, 112)
EXHIBITS = ("parallel-points",)


def _law(z: Vector) -> Vector:
    c, s = np.cos(z[2]), np.sin(z[2])
    return np.array([z[0] * c, z[0] * s, z[1] * c, z[1] * s])


def _z(p: Any) -> Vector:
    return np.array([p.v1, p.v2, p.theta])


def _slopes(z: Vector) -> Vector:
    """``ψ_α`` as printed; α is the line."""
    c, s = np.cos(z[2]), np.sin(z[2])
    return np.array([[c, s, 0, 0], [0, 0, c, s], [-z[0] * s, z[0] * c, -z[1] * s, z[1] * c]])


def _rates(p: Any) -> Vector:
    return np.array([p.rate(n) for n in parallel.NAMES])


@section.confirmed("(50)", (104, "Example 8.3"), exhibits=EXHIBITS)
def constraint() -> Evidence:
    """v₁ × v₂ = 0 along admissible states, which are those of (51): a double cone, not a linear space."""

    def terms(p: Any) -> list[float]:
        return [p.x1dot * p.y2dot, -p.x2dot * p.y1dot]

    return identity(parallel.implicit(), terms, words="states of the implicit constraint")


@section.confirmed("(51)", 106)
def parametric() -> Evidence:
    """The parametric form obeys (50), and its three parameters reach all of it: v₁, v₂ of either sign, θ the common direction."""

    def terms(p: Any) -> list[Vector]:
        x1, y1, x2, y2 = _law(_z(p))
        # back from any two parallel velocities to (v₁, v₂, θ)
        theta = np.arctan2(y1, x1)
        again = _law(np.array([np.hypot(x1, y1), x2 * np.cos(theta) + y2 * np.sin(theta), theta]))
        return [np.append([x1, y1, x2, y2], x1 * y2), -np.append(again, x2 * y1)]

    return identity(generic("theta", signed="v1 v2"), terms)


@section.confirmed("§8.3, v₁ and v₂", 108)
def speeds() -> Evidence:
    """v₁² and v₂² are the squares of the velocities."""

    def terms(p: Any) -> list[Vector]:
        x1, y1, x2, y2 = _law(_z(p))
        return [np.array([p.v1**2, p.v2**2]), -np.array([x1**2, x2**2]), -np.array([y1**2, y2**2])]

    return identity(generic("theta", signed="v1 v2"), terms)


@section.confirmed("§8.3, the singular state", printed=r"v_1 = v_2 = 0 \text{ is a singular state}", exhibits=EXHIBITS)
def singular() -> Evidence:
    """At v₁ = v₂ = 0 both the implicit equation and the parametric ones lose their rank; with one velocity they keep it."""

    def ranks(v1: float, v2: float) -> tuple[int, ...]:
        z = np.array([v1, v2, 0.6])
        return tuple(int(np.linalg.matrix_rank(e)) for e in (_slopes(z), partials(product, _law(z))[:, None]))

    def product(v: Vector) -> Any:
        return v[0] * v[3] - v[1] * v[2]

    kept = vanish([np.array([0.7, -0.4, 0.6]), np.array([-1.1, 0.3, 2.0])], lambda z: product(_law(z))).printed
    return holds(
        ("the parametric equations obey the implicit one", kept < 1e-12),
        ("rank 2 in place of 3, 0 in place of 1", ranks(0, 0) == (2, 0)),
        ("full rank where one moves", ranks(0.7, 0) == (3, 1)),
        against=[("singular where one is at rest", ranks(0, 0.7) != (3, 1))],
    )


@section.confirmed("§8.3, ψ_α", 113)
def matrix() -> Evidence:
    """The derivatives of ψ by v₁, v₂ and θ."""

    def terms(p: Any) -> list[Vector]:
        found = partials(_law, _z(p))
        return [found, -_slopes(_z(p))]

    return identity(generic("theta", signed="v1 v2"), terms)


@section.confirmed("§8.3, K, g and G", (114, 115, 116))
def metric() -> Evidence:
    """K, its matrix diag(m₁, m₁, m₂, m₂), and G = diag(m₁, m₂, m₁v₁² + m₂v₂²): the second derivatives of ½Σm|a|² by ż."""

    def terms(p: Any) -> list[Vector]:
        z = _z(p)
        masses = np.array([p.m1, p.m1, p.m2, p.m2])

        def acceleration(w: Vector) -> Vector:
            return slope(lambda tau: _law(z + tau * w), 0.05, 12)

        def value(w: Vector) -> float:
            return float(masses @ acceleration(w) ** 2 / 2)

        unit = np.eye(3)
        found = np.array([[value(a + b) - value(a) - value(b) for a in unit] for b in unit])
        kinetic = masses @ _law(z) ** 2 / 2
        plain = (p.m1 * p.v1**2 + p.m2 * p.v2**2) / 2
        return [np.append(found, kinetic), -np.append(np.diag([p.m1, p.m2, p.m1 * p.v1**2 + p.m2 * p.v2**2]), plain)]

    return identity(generic("theta m1 m2", signed="v1 v2"), terms)


@section.confirmed("§8.3, the inverse of G", 117)
def inverse() -> Evidence:
    """The inverse matrix turns Z_α into ż."""

    def terms(p: Any) -> list[Vector]:
        forces = _slopes(_z(p)) @ np.array([p.A1, p.A2, p.A3, p.A4])
        matrix = np.diag([1 / p.m1, 1 / p.m2, 1 / (p.m1 * p.v1**2 + p.m2 * p.v2**2)])
        return [_rates(p), -matrix @ forces]

    return identity(parallel.pushed(), terms, words="against the multiplier form with any forces")


@section.confirmed("§8.3, Z_α", 118)
def reduced() -> Evidence:
    """Z_α = A_i ψ^i_α, component by component: the power of the forces for unit ż."""

    def terms(p: Any) -> list[Vector]:
        c, s = np.cos(p.theta), np.sin(p.theta)
        forces = np.array([p.A1, p.A2, p.A3, p.A4])
        power = partials(lambda z: forces @ _law(z), _z(p))
        return [
            power,
            -np.array([p.A1 * c, p.A3 * c, p.v1 * p.A2 * c]),
            -np.array([p.A2 * s, p.A4 * s, -p.v1 * p.A1 * s]),
            -np.array([0, 0, p.v2 * p.A4 * c]),
            np.array([0, 0, p.v2 * p.A3 * s]),
        ]

    return identity(parallel.pushed(), terms)


def _solved(p: Any) -> list[Vector]:
    c, s = np.cos(p.theta), np.sin(p.theta)
    size = p.m1 * p.v1**2 + p.m2 * p.v2**2
    return [
        np.array([p.A1 * c / p.m1, p.A3 * c / p.m2, p.v1 * p.A2 * c / size]),
        np.array([p.A2 * s / p.m1, p.A4 * s / p.m2, -p.v1 * p.A1 * s / size]),
        np.array([0, 0, p.v2 * p.A4 * c / size]),
        np.array([0, 0, -p.v2 * p.A3 * s / size]),
    ]


@section.confirmed("§8.3, Z^α", 119)
def raised() -> Evidence:
    """Z^α with any forces is ż."""
    return identity(
        parallel.pushed(), lambda p: [_rates(p), *(-t for t in _solved(p))], words="against the multiplier form"
    )


@section.confirmed("(52)", 120, exhibits=EXHIBITS)
def dynamical_equations() -> Evidence:
    """The dynamical equations with any forces; here ψ does not depend on q, so that (17) loses nothing."""

    def terms(p: Any) -> list[Vector]:
        places = np.array([p.rate(n) for n in ("x1", "y1", "x2", "y2")])
        none = np.zeros(4)
        law = -np.append(_law(_z(p)), np.zeros(3))
        return [np.append(places, _rates(p)), law, *(-np.append(none, t) for t in _solved(p))]

    return identity(parallel.pushed(), terms, words="against the multiplier form with any forces")


@section.confirmed("(52) by Chetaev's rule", printed=r"\text{(52) and the implicit constraint (50)}", exhibits=EXHIBITS)
def chetaev() -> Evidence:
    """The accelerations of (52) are those of the implicit, nonlinear constraint (50) with Chetaev's virtual displacements."""

    def terms(p: Any) -> list[Vector]:
        theta = np.arctan2(p.y1dot, p.x1dot)
        c, s = np.cos(theta), np.sin(theta)
        v1, v2 = np.hypot(p.x1dot, p.y1dot), p.x2dot * c + p.y2dot * s
        pull = p.k * np.array([p.x2 - p.x1, p.y2 - p.y1, p.x1 - p.x2, p.y1 - p.y2])
        force = _slopes(np.array([v1, v2, theta])) @ pull
        zdot = force / np.array([p.m1, p.m2, p.m1 * v1**2 + p.m2 * v2**2])
        found = np.array([p.rate(n) for n in ("x1dot", "y1dot", "x2dot", "y2dot")])
        return [found, -zdot @ _slopes(np.array([v1, v2, theta]))]

    return identity(
        parallel.implicit(), terms, words="the multiplier form of (50) with ∂C/∂q̇, spring, different masses"
    )


def _incline(values: dict[str, float], equal: bool) -> Evidence:
    def terms(p: Any) -> list[Vector]:
        c, s = np.cos(p.theta), np.sin(p.theta)
        m1, m2 = (1.0, 1.0) if equal else (p.m1, p.m2)
        size = m1 * p.v1**2 + m2 * p.v2**2
        return [
            _rates(p),
            -np.array([p.g * c, p.g * c, 0.0]),
            np.array([0, 0, p.g * s * m1 * p.v1 / size]),
            np.array([0, 0, p.g * s * m2 * p.v2 / size]),
        ]

    return identity(parallel.pulled("incline", values), terms, words="against the multiplier form")


@section.confirmed("(53)", 122, exhibits=EXHIBITS)
def inclined() -> Evidence:
    """The inclined plane, different masses."""
    return _incline({"m1": 1.3, "m2": 0.45, "g": 2.7}, False)


@section.confirmed("(54)", 123, exhibits=EXHIBITS)
def inclined_equal() -> Evidence:
    """The inclined plane, equal masses, which drop out."""
    return _incline({"m1": 0.8, "m2": 0.8, "g": 2.7}, True)


@section.confirmed("§8.3.2, the spring's forces", (124, 125))
def spring_forces() -> Evidence:
    """A_i = −∂V/∂q^i for V = ½k|P₁P₂|²."""

    def terms(p: Any) -> list[Vector]:
        place = np.array([p.x1, p.y1, p.x2, p.y2])

        def energy(q: Vector) -> float:
            return float(p.k / 2 * ((q[0] - q[2]) ** 2 + (q[1] - q[3]) ** 2))

        change = partials(energy, place)
        return [change, p.k * np.array([p.x2, p.y2, p.x1, p.y1]), -p.k * place]

    return identity(generic("k", signed="x1 y1 x2 y2"), terms)


@section.confirmed("(55)", 126, exhibits=EXHIBITS)
def spring() -> Evidence:
    """The points with a spring."""

    def terms(p: Any) -> list[Vector]:
        c, s, size = np.cos(p.theta), np.sin(p.theta), p.m1 * p.v1**2 + p.m2 * p.v2**2
        dx, dy = p.x2 - p.x1, p.y2 - p.y1
        return [
            _rates(p),
            -p.k * np.array([dx * c / p.m1, -dx * c / p.m2, p.v1 * dy * c / size]),
            -p.k * np.array([dy * s / p.m1, -dy * s / p.m2, -p.v1 * dx * s / size]),
            -p.k * np.array([0, 0, p.v2 * -dy * c / size]),
            -p.k * np.array([0, 0, p.v2 * dx * s / size]),
        ]

    return identity(
        parallel.pulled("spring", {"m1": 1.3, "m2": 0.45, "k": 1.7}), terms, words="against the multiplier form"
    )
