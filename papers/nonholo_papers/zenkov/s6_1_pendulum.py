"""Zenkov 2016, §6.1: the spherical pendulum as a degenerate rigid body."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, identity, moving, vanish
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector

section = Section("zenkov", "6.1 The spherical pendulum as a degenerate rigid body")


def _points() -> list[Any]:
    return moving("spherical-pendulum", variant="point on a sphere")


def _body(p: Any, spin: float = 0.7) -> dict[str, Vector]:
    """A body frame whose third axis points to the bob, turning with any ``spin`` about it: μ, ξ, γ, a, R, and
    the spatial rates.
    """
    x, v = np.array([p.x, p.y, p.z]), np.array([p.xdot, p.ydot, p.zdot])
    acceleration = np.array([p.rate("xdot"), p.rate("ydot"), p.rate("zdot")])
    third = x / p.r
    first = np.cross([0.3, -0.5, 0.8], third)
    first = first / np.linalg.norm(first)
    turn = np.column_stack([first, np.cross(third, first), third])
    omega = np.cross(x, v) / p.r**2 + spin * third
    momentum, torque = p.m * np.cross(x, v), p.m * np.cross(x, acceleration)
    return {
        "turn": turn, "xi": turn.T @ omega, "mu": turn.T @ momentum, "gamma": turn.T @ np.array([0, 0, 1.0]),
        "a": np.array([0, 0, p.r]), "mu_rate": turn.T @ (torque - np.cross(omega, momentum)),
        "gamma_rate": turn.T @ -np.cross(omega, [0, 0, 1.0]), "velocity": v,
    }  # fmt: skip


@section.confirmed("(6.1)", 118)
def momentum() -> Evidence:
    """μ̇ = μ × ξ + mg γ × a, in a body frame that turns with any spin about the pendulum."""

    def terms(p: Any) -> list[Vector]:
        b = _body(p)
        return [b["mu_rate"], -np.cross(b["mu"], b["xi"]), -p.m * p.g * np.cross(b["gamma"], b["a"])]

    return identity(
        _points(), terms, words="a mass point on a sphere by the multiplier form, seen from a turning frame"
    )


@section.confirmed("(6.2)", printed=r"\dot{\boldsymbol\gamma} = \boldsymbol\gamma \times \boldsymbol\xi")
def vertical() -> Evidence:
    """The vertical seen from the body."""

    def terms(p: Any) -> list[Vector]:
        b = _body(p)
        return [b["gamma_rate"], -np.cross(b["gamma"], b["xi"])]

    return identity(_points(), terms, words="a mass point on a sphere, seen from a turning frame")


@section.confirmed("§6.1, kinetic and potential energy", 119)
def energies() -> Evidence:
    """K = ½⟨μ, ξ⟩ = ½⟨ℐξ, ξ⟩ with ℐ = diag(mr², mr², 0), U = mg⟨γ, a⟩ = mgrγ³, a pointing to the bob."""

    def terms(p: Any) -> list[Vector]:
        b = _body(p)
        inertia = p.m * p.r**2 * np.array([1, 1, 0.0])
        kinetic, height = p.m * b["velocity"] @ b["velocity"] / 2, p.m * p.g * p.z
        ways = [b["mu"] @ b["xi"] / 2, (inertia * b["xi"]) @ b["xi"] / 2]
        ways += [p.m * p.g * b["gamma"] @ b["a"], p.m * p.g * p.r * b["gamma"][2]]
        return [np.array([kinetic, kinetic, height, height]), -np.array(ways)]

    return identity(_points(), terms)


@section.confirmed("(6.3) and its symmetry", 120)
def lagrangian() -> Evidence:
    """l = K − U; it does not change under rotations about γ, and ⟨μ, γ⟩ is conserved."""

    def terms(p: Any) -> list[Vector]:
        b = _body(p)
        along = p.dot(lambda s: s.m * (s.x * s.ydot - s.y * s.xdot))
        rate = b["mu_rate"] @ b["gamma"] + b["mu"] @ b["gamma_rate"]
        inertia = p.m * p.r**2 * np.array([1, 1, 0.0])
        value = (inertia * b["xi"]) @ b["xi"] / 2 - p.m * p.g * b["gamma"] @ b["a"]
        plain = p.m * (p.xdot**2 + p.ydot**2 + p.zdot**2) / 2 - p.m * p.g * p.z
        return [np.array([plain, along + 1.0, rate + 1.0]), -np.array([value, 1.0, 1.0])]

    return identity(_points(), terms, words="against the multiplier form of a point on a sphere")


def _rates(p: Any, spin: float) -> tuple[Vector, Vector, Vector, Vector]:
    """(6.1), (6.2) solved for the first two components of ξ, with any spin: γ, ξ, γ̇, ξ̇."""
    gamma, xi = np.array([p.x, p.y, p.z]), np.array([p.a, p.b, spin])
    size = p.m * p.r**2
    push = np.cross(size * xi * np.array([1, 1, 0]), xi) + p.m * p.g * p.r * np.cross(gamma, [0, 0, 1.0])
    return gamma, xi, np.cross(gamma, xi), push / size


@section.confirmed(
    "§6.1, two independent components", printed=r"\mu_3 = 0: \text{ two independent components in (6.1)}"
)
def third_component() -> Evidence:
    """(6.1) in the body: the third component is 0 = 0, the other two give the motion of the pendulum, by the multiplier form."""

    def sides(p: Any, pull: float = 1.0, moment: float = 0.0) -> tuple[Vector, Vector]:
        """μ̇ of a mass point, and the right side of (6.1) with μ = ℐξ, ℐ = diag(mr², mr² + moment, 0)."""
        b = _body(p)
        mu = np.array([p.m * p.r**2, p.m * p.r**2 + moment, 0.0]) * b["xi"]
        return b["mu_rate"], np.cross(mu, b["xi"]) + pull * p.m * p.g * np.cross(b["gamma"], b["a"])

    def gap(p: Any, pull: float = 1.0, moment: float = 0.0) -> float:
        left, right = sides(p, pull, moment)
        return float(np.max(np.abs(left - right)) / np.max(np.abs(right)))

    third = max(abs(float(sides(p)[1][2])) for p in _points())
    rank = min(float(np.min(np.abs(sides(p)[1][:2]))) for p in _points())
    wrong = [gap(p, pull, moment) for p in _points() for pull, moment in ((-7.0, 0.0), (2.0, 0.0), (1.0, 0.3))]
    return Evidence(
        max(third, *(gap(p) for p in _points())),
        None,
        min(rank, *wrong),
        "a mass point on a sphere; mutants have another torque or a third moment of inertia",
    )


@section.confirmed("§6.1, μ₃", 121)
def third_momentum() -> Evidence:
    """μ₃ = ∂l/∂ξ³ = 0, as the angular momentum of a mass point along the line to it is."""

    def third(p: Any, offset: float) -> float:
        x, v = np.array([p.x, p.y, p.z]), np.array([p.xdot, p.ydot, p.zdot])
        return abs(float(np.cross(x, v) @ (x + offset * np.array([1.0, 0, 0])) / p.r**2))

    points = _points()
    return Evidence(
        max(third(p, 0.0) for p in points), None, min(third(p, 0.2) for p in points), "along the line, and beside it"
    )


@section.confirmed("(6.4)", printed=r"\xi^3 = 0")
def no_influence() -> Evidence:
    """Turning about the pendulum does not matter: γ̈³ = −γ³((ξ¹)² + (ξ²)²) − (g/r)(1 − (γ³)²) with any ξ³."""

    def terms(p: Any) -> list[float]:
        size = float(np.sqrt(p.x**2 + p.y**2 + p.z**2))
        p.x, p.y, p.z = p.x / size, p.y / size, p.z / size
        gamma, xi, gamma_rate, xi_rate = _rates(p, 1.3)
        second = np.cross(gamma_rate, xi)[2] + np.cross(gamma, xi_rate)[2]
        return [float(second), float(p.z * (p.a**2 + p.b**2)), float(p.g / p.r * (1 - p.z**2))]

    return identity(
        generic("m g r", signed="x y z a b"), terms, words="ξ³ = 1.3, against the height of a point on a sphere"
    )


@section.confirmed(
    "§6.1, the heavy Suslov top",
    printed=r"\text{(6.1), (6.2) as a heavy Suslov top with a rotationally invariant inertia}",
)
def suslov() -> Evidence:
    """A body with ℐ = diag(mr², mr², ·), kept from turning about its axis, moves as the pendulum: ξ̇ = (g/r) γ × e₃."""
    points = moving("spherical-pendulum", variant="rotation matrix")

    def terms(p: Any) -> list[Vector]:
        gamma = np.array([p.R31, p.R32, p.R33])
        return [np.array([p.rate("xi1"), p.rate("xi2")]), -p.g / p.r * np.cross(gamma, [0, 0, 1.0])[:2]]

    return identity(points, terms, words="by rotation matrix, against the multiplier form")


@section.confirmed("(6.5)", 122, exhibits=("spherical-pendulum",))
def summary() -> Evidence:
    """μ̇ = mg γ × a, γ̇ = γ × ξ, ⟨ξ, a⟩ = 0."""
    points = moving("spherical-pendulum")

    def terms(p: Any) -> list[Vector]:
        gamma = np.array([p.gamma1, p.gamma2, p.gamma3])
        xi = np.array([p.xi1, p.xi2, 0.0])
        rates = [p.m * p.r**2 * p.rate("xi1"), p.m * p.r**2 * p.rate("xi2")]
        push = p.m * p.g * p.r * np.cross(gamma, [0, 0, 1.0])[:2]
        return [np.append(rates, [p.rate(f"gamma{i}") for i in (1, 2, 3)]), -np.append(push, np.cross(gamma, xi))]

    return identity(points, terms, words="against the multiplier form")


@section.confirmed("§6.1, the length of γ", printed=r"\|\boldsymbol\gamma\| \text{ is a conservation law}")
def length() -> Evidence:
    """|γ| is conserved by (6.1), (6.2) for any ξ, so that |γ| = 1 need not be imposed."""


    def rate(p: Any, along: bool = False) -> float:
        gamma, xi, change, _ = _rates(p, 0.9)
        return float(gamma @ (xi if along else change))

    points = generic("m g r", signed="x y z a b")
    return vanish(points, rate, [lambda p: rate(p, True)], "γ·γ̇ at generic γ and ξ")


@section.confirmed(
    "§6.1, spherical coordinates", printed="denominators vanish at the poles; this has nothing to do with the physics"
)
def poles() -> Evidence:
    """In spherical coordinates φ̈ = −2 cot θ θ̇φ̇, unbounded towards the pole; the rates of ξ and γ are bounded there."""
    from nonholo import gallery
    from nonholo.derive.hamel import hamel
    from nonholo.derive.multipliers import multipliers

    exhibit = gallery.get("spherical-pendulum")
    angles = multipliers(exhibit.variants["spherical coordinates, with poles"])

    def terms(theta: float) -> list[float]:
        state = {"theta": theta, "phi": 0.2, "thetadot": 0.7, "phidot": 0.5}
        return [angles.rates(state, exhibit.parameters)["phidot"] * theta, 2 * 0.7 * 0.5 * theta / float(np.tan(theta))]

    down = {"gamma1": 1e-9, "gamma2": 0.0, "gamma3": -1.0, "xi1": 0.3, "xi2": 0.7}
    plain = hamel(exhibit.system).rates(down, exhibit.parameters)
    if max(abs(e) for e in plain.values()) > 10:
        return Evidence(1.0, None, None, "the rates in γ are not bounded")
    return identity((1e-3, 1e-2, 0.8), terms, words="θφ̈ at θ = 0.001, 0.01, 0.8 by the multiplier form")
