"""§6.3: the Chaplygin sleigh with an oscillator."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from nonholo_papers.bmz.s5_suslov import planar_velocity
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, holds, identity, moving_system
from nonholo_papers.section import Section

Array = Any
OSCILLATOR = ("sleigh-oscillator",)
VALUES = {"m": 0.8, "M": 1.5, "J": 0.6, "k": 3.1}
section = Section("bmz", "6.3 Chaplygin sleigh with an oscillator")
section.rest("notation", 157)


@lru_cache
def states(constrained: bool) -> tuple[Any, ...]:
    """Sleigh and mass in plain coordinates (r, θ, x, y): positions of the two masses, nothing else."""
    from nonholo.model.system import System

    system = System(
        name="sleigh and mass",
        coordinates="r theta x y",
        parameters="m M J k",
        lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 - k*r**2/2"
        " + m/2*((xdot + rdot*cos(theta) - r*thetadot*sin(theta))**2 + (ydot + rdot*sin(theta) + r*thetadot*cos(theta))**2)",
        constraints=["ydot*cos(theta) - xdot*sin(theta)"] if constrained else [],
    )
    return tuple(moving_system(system, VALUES, 4, 2))


def energy(s: Any) -> Any:
    """Kinetic minus potential, from the positions."""
    c, d = np.cos(s.theta), np.sin(s.theta)
    mass = np.array([s.xdot + s.rdot * c - s.r * s.thetadot * d, s.ydot + s.rdot * d + s.r * s.thetadot * c])
    kinetic = s.M / 2 * (s.xdot**2 + s.ydot**2) + s.J / 2 * s.thetadot**2 + s.m / 2 * mass @ mass
    return kinetic - s.k * s.r**2 / 2


@section.confirmed("§6.3, l(r, ṙ, ξ)", 154, exhibits=OSCILLATOR)
def lagrangian() -> Evidence:
    """The reduced Lagrangian, off the constraint."""

    def terms(s: Any) -> list[Any]:
        w = planar_velocity(s)
        return [
            energy(s),
            -s.m * s.rdot**2 / 2,
            -s.m * s.rdot * w[1],
            -(s.J + s.m * s.r**2) * w[0] ** 2 / 2,
            -s.m * s.r * w[0] * w[2],
            -(s.M + s.m) * (w[1] ** 2 + w[2] ** 2) / 2,
            s.k * s.r**2 / 2,
        ]

    return identity(states(False), terms)


@section.confirmed("§6.3, l_c(r, ṙ, ξ1, ξ2)", 155, exhibits=OSCILLATOR)
def constrained_lagrangian() -> Evidence:
    """The constrained reduced Lagrangian."""

    def terms(s: Any) -> list[Any]:
        w = planar_velocity(s)
        return [
            energy(s),
            -s.m * s.rdot**2 / 2,
            -s.m * s.rdot * w[1],
            -(s.J + s.m * s.r**2) * w[0] ** 2 / 2,
            -(s.M + s.m) * w[1] ** 2 / 2,
            s.k * s.r**2 / 2,
        ]

    return identity(states(True), terms)


@section.confirmed("§6.3, constrained energy: conserved, positive-definite", 156, exhibits=OSCILLATOR)
def constrained_energy() -> Evidence:
    """The printed energy is constant along the motion and a positive quadratic form, so r stays bounded."""

    def parts(z: Any) -> Array:
        w = planar_velocity(z)
        return np.array(
            [
                z.m * z.rdot**2 / 2,
                z.m * z.rdot * w[1],
                (z.J + z.m * z.r**2) * w[0] ** 2 / 2,
                (z.M + z.m) * w[1] ** 2 / 2,
                z.k * z.r**2 / 2,
            ]
        )

    v = VALUES
    form = np.array([[v["m"], v["m"]], [v["m"], v["M"] + v["m"]]])
    found = identity(states(True), lambda s: list(s.dot(parts)))
    positive = holds(("positive", bool(np.all(np.linalg.eigvalsh(form) > 0))))
    return Evidence(max(found.printed, positive.printed), None, found.mutant, "rates by the multiplier witness")


@section.confirmed("§6.3, nonholonomic connection and constraint Ω3 = 0", (158, 159), exhibits=OSCILLATOR)
def connection() -> Evidence:
    """A1 = 0, A2 = m/(M + m), A3 = 0: the horizontal lift of ∂_r is in D and orthogonal to b^S."""

    def terms(p: Any) -> list[Any]:
        inertia = np.array([[p.J + p.m * p.r**2, 0, p.m * p.r], [0, p.M + p.m, 0], [p.m * p.r, 0, p.M + p.m]])
        mixed = np.array([0, p.m, 0])
        a = np.array([0, p.m / (p.M + p.m), 0])
        return [mixed[:2], -(inertia @ a)[:2]]

    return identity(generic("m M J r"), terms, words="orthogonality in the kinetic metric")


def omega(s: Any) -> Array:
    """Ω = ξ + 𝒜ṙ."""
    return planar_velocity(s) + np.array([0, s.m / (s.M + s.m) * s.rdot, 0 * s.rdot])


@section.confirmed("§6.3, l(r, ṙ, Ω)", 160, exhibits=OSCILLATOR)
def lagrangian_in_omega() -> Evidence:
    """The reduced Lagrangian in (r, ṙ, Ω), off the constraint."""

    def terms(s: Any) -> list[Any]:
        w = omega(s)
        return [
            energy(s),
            -s.M * s.m / (s.M + s.m) * s.rdot**2 / 2,
            -(s.J + s.m * s.r**2) * w[0] ** 2 / 2,
            -s.m * s.r * w[0] * w[2],
            -(s.M + s.m) * (w[1] ** 2 + w[2] ** 2) / 2,
            s.k * s.r**2 / 2,
        ]

    return identity(states(False), terms)


def momenta(s: Any) -> Array:
    """p1, p2 in the first frame."""
    w = omega(s)
    return np.array([(s.J + s.m * s.r**2) * w[0], (s.M + s.m) * w[1]])


@section.confirmed("§6.3, l_c(r, ṙ, p)", 161, exhibits=OSCILLATOR)
def lagrangian_in_momenta() -> Evidence:
    """The constrained Lagrangian in (r, ṙ, p)."""

    def terms(s: Any) -> list[Any]:
        p = momenta(s)
        return [
            energy(s),
            -s.M * s.m / (s.M + s.m) * s.rdot**2 / 2,
            -(p[0] ** 2) / (s.J + s.m * s.r**2) / 2,
            -(p[1] ** 2) / (s.M + s.m) / 2,
            s.k * s.r**2 / 2,
        ]

    return identity(states(True), terms)


@section.confirmed("(6.5) and the two equations before it", 162, exhibits=OSCILLATOR)
def first_frame() -> Evidence:
    """The reduced dynamics in the first frame: r̈, ṗ1 with its two terms, ṗ2."""

    def terms(s: Any) -> list[Any]:
        p = momenta(s)
        i = s.J + s.m * s.r**2
        whole = s.M + s.m
        rate = s.dot(momenta)
        zero = 0.0
        return [
            np.array([s.M * s.m / whole * s.rate("rdot"), rate[0], rate[1]]),
            -np.array([s.M * s.m * s.r * p[0] ** 2 / (whole * i**2), zero, zero]),
            np.array([s.k * s.r, zero, zero]),
            np.array([zero, s.m * s.r * p[0] * p[1] / (whole * i), zero]),
            -np.array([zero, s.m**2 * s.r * p[0] * s.rdot / (whole * i), zero]),
            -np.array([zero, zero, s.m * s.r * p[0] ** 2 / i**2]),
        ]

    return identity(states(True), terms, words="rates by the multiplier witness in (r, θ, x, y)")


def _factor(s: Any) -> Any:
    return (s.J + s.m * s.r**2) ** (-s.m / (2 * (s.M + s.m)))


def second_momenta(s: Any) -> Array:
    """p1, p2 in the second frame: p1 along e1 = ((J + mr²)^(−m/2(M+m)), 0, 0)."""
    return momenta(s) * np.array([_factor(s), 1])


@section.confirmed("§6.3, the second frame removes the second term of (6.5)", 163, exhibits=OSCILLATOR)
def second_frame() -> Evidence:
    """Along e1 the momentum's rate has no term in ṙ: it is −m r p1 p2/((M + m)(J + mr²))."""

    def terms(s: Any) -> list[Any]:
        p = second_momenta(s)
        i = s.J + s.m * s.r**2
        return [s.dot(second_momenta)[0], s.m * s.r * p[0] * p[1] / ((s.M + s.m) * i)]

    def other(s: Any) -> list[Any]:
        """With M in the exponent."""

        def p(z: Any) -> Any:
            return momenta(z)[0] * (z.J + z.m * z.r**2) ** (-z.M / (2 * (z.M + z.m)))

        return [s.dot(p), s.m * s.r * p(s) * momenta(s)[1] / ((s.M + s.m) * (s.J + s.m * s.r**2))]

    return identity(states(True), terms, mutants=[other], words="rates by the multiplier witness")


@section.misprint(
    "§6.3, Lagrangian in the second frame",
    164,
    right=r"\ldots + 2mr(J+mr^2)^{-\frac{m}{2(M+m)}} \Omega^1 \Omega^3 \ldots",
    harm=3,
    breaks="p3, and with it the reduced equations by (4.2), (4.3), which need ∂l/∂Ω3; invisible for M = m.",
    exhibits=OSCILLATOR,
    kind="slip",
)
def second_lagrangian() -> Evidence:
    """The cross term has the exponent −M/(2(M + m))."""

    def terms(s: Any, exponent: Any) -> list[Any]:
        w = omega(s)
        first = w[0] / _factor(s)
        i = s.J + s.m * s.r**2
        return [
            energy(s),
            -s.M * s.m / (s.M + s.m) * s.rdot**2 / 2,
            -(i ** (s.M / (s.M + s.m))) * first**2 / 2,
            -(s.M + s.m) * (w[1] ** 2 + w[2] ** 2) / 2,
            -s.m * s.r * i**exponent * first * w[2],
            s.k * s.r**2 / 2,
        ]

    return identity(
        states(False),
        lambda s: terms(s, -s.M / (2 * (s.M + s.m))),
        lambda s: terms(s, -s.m / (2 * (s.M + s.m))),
        words="kinetic energy off the constraint, M ≠ m",
    )


@section.confirmed("(6.6)–(6.8)", (165, 166, 167), exhibits=OSCILLATOR)
def reduced_dynamics() -> Evidence:
    """The reduced dynamics in the second frame."""

    def terms(s: Any) -> list[Any]:
        p = second_momenta(s)
        i = s.J + s.m * s.r**2
        whole = s.M + s.m
        power = i ** (s.M / whole + 1)
        rate = s.dot(second_momenta)
        return [
            np.array([s.M * s.m / whole * s.rate("rdot"), rate[0], rate[1]]),
            np.array([s.k * s.r, 0, 0]),
            -np.array(
                [
                    s.M * s.m * s.r * p[0] ** 2 / (whole * power),
                    -s.m * s.r * p[0] * p[1] / (whole * i),
                    s.m * s.r * p[0] ** 2 / power,
                ]
            ),
        ]

    return identity(states(True), terms, words="rates by the multiplier witness in (r, θ, x, y)")
