"""§6.2: the spatial momentum of the Chaplygin sleigh."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.bmz.s5_suslov import planar_body, planar_velocity
from nonholo_papers.bmz.s6_2_sleigh import SLEIGH, kinetic_energy, sleighs
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, slope
from nonholo_papers.section import Section

Array = Any
section = Section("bmz", "6.2 The dynamics of the spatial momentum")


@section.confirmed("§6.2, spatial velocities η", 135)
def spatial_velocities() -> Evidence:
    """η = ġg⁻¹ has the components θ̇, ẋ + yθ̇, ẏ − xθ̇ (as a matrix)."""

    def group(s: Any) -> Array:
        c, d = np.cos(s.theta), np.sin(s.theta)
        return np.array([[c, -d, s.x], [d, c, s.y], [0 * c, 0 * c, 1 + 0 * c]])

    def terms(s: Any) -> list[Any]:
        eta = [s.thetadot, s.xdot + s.y * s.thetadot, s.ydot - s.x * s.thetadot]
        hat = np.array([[0, -eta[0], eta[1]], [eta[0], 0, eta[2]], [0, 0, 0]])
        return [s.dot(group) @ np.linalg.inv(group(s)), -hat]

    def wrong(s: Any) -> list[Any]:
        one, two = terms(s)
        other = two.copy()
        other[0, 2] = -(s.xdot - s.y * s.thetadot)
        return [one, other]

    return identity(planar_body(), terms, mutants=[wrong])


def _generators(q: Array) -> Array:
    return np.array(
        [[1 + 0 * q[0], -q[2], q[1]], [0 * q[0], 1 + 0 * q[0], 0 * q[0]], [0 * q[0], 0 * q[0], 1 + 0 * q[0]]]
    )


@section.confirmed("§6.2, generators of the left action", 136)
def generators() -> Evidence:
    """u1, u2, u3 are the velocities at the identity of the left action of SE(2) on itself, and q̇ = η^i u_i."""

    def moved(s: Any, motion: Array) -> Array:
        """h·g with h = (angle, x, y)."""
        c, d = np.cos(motion[0]), np.sin(motion[0])
        return np.array([s.theta + motion[0], c * s.x - d * s.y + motion[1], d * s.x + c * s.y + motion[2]])

    def terms(s: Any) -> list[Any]:
        q = np.array([s.theta, s.x, s.y])
        eta = np.array([s.thetadot, s.xdot + s.y * s.thetadot, s.ydot - s.x * s.thetadot])
        rate = np.array([s.thetadot, s.xdot, s.ydot])
        return [
            np.append(slope(lambda h: moved(s, h), np.zeros(3)).T, [rate], axis=0),
            -np.append(_generators(q), [eta @ _generators(q)], axis=0),
        ]

    return identity(planar_body(), terms)


@section.confirmed("§6.2, brackets of the generators", 137)
def brackets() -> Evidence:
    """[u1, u2] = −u3, [u1, u3] = u2, [u2, u3] = 0."""

    def terms(s: Any) -> list[Any]:
        q = np.array([s.theta, s.x, s.y])
        u = _generators(q)
        slopes = slope(_generators, q)
        bracket = np.einsum("aj,bkj->abk", u, slopes)
        bracket = bracket - np.einsum("abk->bak", bracket)
        return [np.array([bracket[0, 1], bracket[0, 2], bracket[1, 2]]), -np.array([-u[2], u[1], 0 * u[0]])]

    return identity(planar_body(), terms)


def _eta(s: Any) -> Array:
    return np.array([s.thetadot, s.xdot + s.y * s.thetadot, s.ydot - s.x * s.thetadot])


def spatial_energy(s: Any, eta: Array) -> list[Any]:
    """The printed terms of ``l^R``."""
    along, across = eta[1] - s.y * eta[0], eta[2] + s.x * eta[0]
    return [
        (s.J + s.m * s.a**2) / 2 * eta[0] ** 2,
        s.m / 2 * along**2,
        s.m / 2 * across**2,
        -s.m * s.a * eta[0] * along * np.sin(s.theta),
        s.m * s.a * eta[0] * across * np.cos(s.theta),
    ]


@section.confirmed("§6.2, l^R", 138, exhibits=SLEIGH)
def spatial_lagrangian() -> Evidence:
    """The kinetic energy in η (its second argument is η, printed θ)."""
    return identity(planar_body(), lambda s: [kinetic_energy(s)[0], *(-e for e in spatial_energy(s, _eta(s)))])


@section.misprint(
    "§6.2, l^R(g, θ)",
    printed=r"l^R(g, \theta)",
    right=r"l^R(g, \eta)",
    harm=1,
    breaks="Nothing for a reader; θ is part of g.",
    kind="reading",
)
def arguments() -> Evidence:
    """l^R is a function of (g, θ) alone: the energy of two motions through one place."""

    def moved(s: Any) -> SimpleNamespace:
        """The state with other rates, at the same place."""
        return SimpleNamespace(**{**vars(s), "thetadot": 0.9, "xdot": -0.4, "ydot": 1.3})

    def of_place(s: Any) -> list[Any]:
        return [kinetic_energy(s)[0], -kinetic_energy(moved(s))[0]]

    def of_velocity(s: Any) -> list[Any]:
        other = moved(s)
        return [kinetic_energy(other)[0], *(-e for e in spatial_energy(other, _eta(other)))]

    return identity(planar_body(), of_place, of_velocity, words="the kinetic energy of two motions through one place")


@section.confirmed("§6.2, the constraint in η", 139, exhibits=SLEIGH)
def spatial_constraint() -> Evidence:
    """−(η2 − yη1) sin θ + (η3 + xη1) cos θ = 0."""

    def terms(s: Any) -> list[Any]:
        e = _eta(s)
        return [-(e[1] - s.y * e[0]) * np.sin(s.theta), (e[2] + s.x * e[0]) * np.cos(s.theta)]

    return identity(sleighs(), terms)


def spatial_momenta(s: Any, right: bool = True) -> Array:
    """μ1, μ2, μ3, with the third as corrected or as printed."""
    e = _eta(s)
    along, across = e[1] - s.y * e[0], e[2] + s.x * e[0]
    arm = s.x * np.cos(s.theta) + s.y * np.sin(s.theta)
    first = (s.J + s.m * s.a**2) * e[0] - s.m * s.y * along + s.m * s.x * across + s.m * s.a * e[0] * arm
    third = s.m * ((across if right else along) + s.a * e[0] * np.cos(s.theta))
    return np.array([first, s.m * (along - s.a * e[0] * np.sin(s.theta)), third])


@section.misprint(
    "§6.2, spatial momenta of the sleigh, μ3",
    140,
    right=r"\mu_3 = m[(\eta^3 + x\eta^1) + a\eta^1 \cos \theta]",
    harm=3,
    breaks="The momenta's plane and μ̇ = λ a^R both fail with the printed one. (In μ1 the terms hold on the constraint.)",
    exhibits=SLEIGH,
    kind="slip",
    because=(
        "μ₃ = ∂l^R/∂η³. A sleigh that moves straight along the y axis (θ = π/2, η = (0, 0, 1)) has μ₃ = m; "
        "as printed 0."
    ),
)
def third_spatial_momentum() -> Evidence:
    """μ3 = m[(η2 − yη1) + aη1 cos θ]; μ1 and μ2 are right, on the constraint."""
    return identity(
        sleighs(),
        lambda s: [slope(lambda e: sum(spatial_energy(s, e)), _eta(s)), -spatial_momenta(s, False)],
        lambda s: [slope(lambda e: sum(spatial_energy(s, e)), _eta(s)), -spatial_momenta(s)],
        words="∂l^R/∂η by complex steps",
    )


@section.conditional(
    "§6.2, μ1 off the constraint",
    printed=r"\mu_1 = (J + ma^2)\eta^1 - my(\eta^2 - y\eta^1) + mx(\eta^3 + x\eta^1) + ma\eta^1(x \cos\theta + y "
    r"\sin\theta)",
    reason="On the constraint; ∂l^R/∂η1 has also ma times the velocity across the edge, which vanishes there. μ "
    "is a derivative of "
    "l^R, taken before the constraint.",
    harm=1,
    breaks="Only tests of μ1 off the constraint.",
    exhibits=SLEIGH,
    kind="convention",
)
def first_spatial_momentum() -> Evidence:
    """μ1 is ∂l^R/∂η1 for every velocity."""

    def terms(s: Any) -> list[Any]:
        return [slope(lambda e: sum(spatial_energy(s, e)), _eta(s))[0], -spatial_momenta(s)[0]]

    free, constrained = (identity(states, terms) for states in (planar_body(), sleighs()))
    return Evidence(free.printed, constrained.printed, None, "a free body against the sleigh")


@section.confirmed("§6.2, the plane of the spatial momenta", 141, exhibits=SLEIGH)
def momentum_plane() -> Evidence:
    """−μ2 sin θ + μ3 cos θ − ma/(J + ma²)(μ1 + yμ2 − xμ3) = 0, with μ3 as corrected."""

    def terms(s: Any) -> list[Any]:
        one, two, three = spatial_momenta(s)
        turn = s.m * s.a / (s.J + s.m * s.a**2)
        return [-two * np.sin(s.theta), three * np.cos(s.theta), -turn * one, -turn * s.y * two, turn * s.x * three]

    return identity(sleighs(), terms)


def _multiplier(s: Any) -> Any:
    one, two, three = spatial_momenta(s)
    turn = one + s.y * two - s.x * three
    return s.J * turn * (two * np.cos(s.theta) + three * np.sin(s.theta)) / (s.J + s.m * s.a**2) ** 2


@section.confirmed("§6.2, rates of the spatial momenta", 142, exhibits=SLEIGH)
def spatial_rates() -> Evidence:
    """μ̇ = λ(x cos θ + y sin θ, −sin θ, cos θ), with the reaction λ of the multiplier form."""
    forces = _reactions()

    def terms(s: Any) -> list[Any]:
        c, d = np.cos(s.theta), np.sin(s.theta)
        return [s.dot(spatial_momenta), -forces(s) * np.array([s.x * c + s.y * d, -d, c])]

    return identity(sleighs(), terms, words="rates and λ by the multiplier witness")


def _reactions() -> Any:
    from nonholo import gallery
    from nonholo.derive.laws.reactions import reactions

    exhibit = gallery.get("chaplygin-sleigh")
    forces = reactions(exhibit.system)
    names = ("theta", "x", "y", "omega", "v")
    return lambda s: forces.at({n: getattr(s, n) for n in names}, exhibit.parameters)["lambda1"]


@section.confirmed("§6.2, λ of the sleigh", 143, exhibits=SLEIGH)
def multiplier() -> Evidence:
    """λ = J(μ1 + yμ2 − xμ3)(μ2 cos θ + μ3 sin θ)/(J + ma²)² is the reaction of the edge."""
    forces = _reactions()
    return identity(sleighs(), lambda s: [forces(s), -_multiplier(s)], words="λ by the multiplier witness")


@section.refuted(
    "§6.2, spatial momentum is conserved iff θ = const",
    printed="Regardless of the value of a, the spatial momentum of the Chaplygin sleigh is conserved if and only "
    "if θ = const",
    right="λ = Jmωv/(J + ma²) vanishes when ωv = 0: for a ≠ 0 only θ = const lasts; for a = 0 turning in place "
    "conserves it too",
    reason="At a = 0, v = 0 the sleigh turns with constant ω about its contact point, and all three momenta are constant.",
    harm=2,
    breaks="The classification of motions with constant spatial momentum of the balanced sleigh.",
    exhibits=("balanced-sleigh", "chaplygin-sleigh"),
    kind="error",
)
def conserved_when_straight() -> Evidence:
    """A motion with constant spatial momentum has θ = const."""
    from types import SimpleNamespace

    s = SimpleNamespace(m=1.3, J=0.7, a=0.0, theta=0.4, x=0.3, y=-0.8, thetadot=0.9, xdot=0.0, ydot=0.0)
    turning = abs(_multiplier(s))  # conserved, and θ' = 0.9: the printed statement asks for θ' = 0
    law = max(
        abs(_multiplier(z) - z.J * z.m * z.thetadot * planar_velocity(z)[1] / (z.J + z.m * z.a**2)) for z in sleighs()
    )
    return Evidence(
        abs(s.thetadot) if turning < 1e-14 else 0.0, float(law), None, "turning in place at a = 0: μ̇ = 0, θ' = 0.9"
    )
