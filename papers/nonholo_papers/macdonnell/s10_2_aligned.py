"""§§10.2, 10.3: the symmetry of the sphere on a surface, and a basis aligned with it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import slope
from nonholo_papers.macdonnell._ball import at, beta, centre, eta, nu, product, rates, seen, states, tau, velocity
from nonholo_papers.macdonnell._together import corrected, equal, joined, together
from nonholo_papers.macdonnell._turning import UP
from nonholo_papers.section import Section
from nonholo_papers.so3 import AXES, hat, matrix, turn

Array = Any
BALL = ("ball-on-surface",)
ANGLE = 0.8
section = Section("macdonnell", "10.2 Sphere on a surface of revolution: symmetry and aligned basis")
section.rest("notation", 590, 591)
section.rest("restatement of (10.2), (10.3), (10.6), (10.7), (10.8)", 596, 600, 603, 604, 605, 617)
section.rest("restatement of (10.4), (10.5)", 611)


def _own() -> Array:
    """A generic M."""
    return turn(1, 0.5) @ turn(2, -0.7) @ turn(3, 1.1)


def _moved(s: Any) -> SimpleNamespace:
    about = turn(3, ANGLE)
    theta = s.theta + ANGLE
    return SimpleNamespace(
        W=about @ matrix(s) @ _own().T,
        theta=theta,
        eta=eta(s.s, theta, s),
        tau=tau(theta),
        beta=beta(s.s, theta, s),
        R=about,
    )


@section.confirmed("(10.6), (10.7), (10.8)", (592, 593, 594, 595, 599), exhibits=BALL)
def symmetry() -> Evidence:
    """x, η, τ, β and ν are turned by R₃(ψ), so L is preserved, and the constraint too."""

    def spin(s: Any) -> list[Any]:
        rate = s.dot(lambda z: turn(3, ANGLE) @ matrix(z) @ _own().T)
        skew = rate @ _moved(s).W.T
        return [np.array([skew[2, 1], skew[0, 2], skew[1, 0]]), turn(3, ANGLE) @ nu(s)]

    def energy(s: Any) -> list[Any]:
        first = spin(s)[0]
        level = s.m * (s.sdot**2 + at(s).a ** 2 * s.thetadot**2) / 2 - s.m * s.g * at(s).z
        return [s.J * first @ first / 2 + level, s.J * nu(s) @ nu(s) / 2 + level]

    return equal(
        states(),
        lambda s: [centre(s.s, s.theta + ANGLE, s), turn(3, ANGLE) @ centre(s.s, s.theta, s)],
        lambda s: [_moved(s).eta, turn(3, ANGLE) @ eta(s.s, s.theta, s)],
        lambda s: [_moved(s).tau, turn(3, ANGLE) @ tau(s.theta)],
        lambda s: [_moved(s).beta, turn(3, ANGLE) @ beta(s.s, s.theta, s)],
        spin,
        energy,
        words="a generic element of SO(2) × SO(3); rates along the multiplier form",
    )


@section.misprint(
    "§10.2, the rates of θ̄, W̄ and x̄",
    (597, 598, 601, 602),
    right=r"\dot{\overline{\theta}} = \dot{\theta},\quad A(\overline{\nu})\overline{W} = \dot{\overline{W}} = "
    r"R_3(\psi)\dot{W}M^T,\quad \dot{\overline{x}} + rA(\overline{\beta})\overline{\nu} = R_3(\psi)\{\dot{x} + rA(\beta)\nu\}",
    harm=1,
    breaks="Dots are lost in the text, and x̄ stands for x on the right: R₃(ψ) would be applied twice.",
    exhibits=BALL,
    kind="reading",
)
def dots() -> Evidence:
    """θ̄ and θ have the same rate; A(ν̄)W̄ is the rate of W̄; the constraint's left side is turned by R₃(ψ) once."""

    def spin(s: Any) -> Array:
        return hat(turn(3, ANGLE) @ nu(s)) @ _moved(s).W

    def slip(s: Any, twice: bool) -> list[Any]:
        about = turn(3, ANGLE)
        speed = s.dot(lambda z: centre(z.s, z.theta, z)) + np.array([0.3, -0.4, 0.6])  # off the constraint
        left = about @ speed + s.r * hat(_moved(s).beta) @ about @ nu(s)
        shown = about @ speed if twice else speed
        return [left, -about @ shown, -s.r * about @ hat(beta(s.s, s.theta, s)) @ nu(s)]

    return corrected(
        states(),
        (lambda s: [_moved(s).theta, -s.thetadot], lambda s: [s.dot(lambda z: z.theta + ANGLE), -s.thetadot]),
        (
            lambda s: [spin(s), -_moved(s).W],
            lambda s: [spin(s), -s.dot(lambda z: turn(3, ANGLE) @ matrix(z) @ _own().T)],
        ),
        (lambda s: slip(s, True), lambda s: slip(s, False)),
        words="along the multiplier form",
    )


def _orbit(s: Any) -> Array:
    """The generators of the action at a state, as (ν, ṡ, θ̇), by differentiation."""

    def moved(g: Array) -> Array:
        own = turn(1, g[1]) @ turn(2, g[2]) @ turn(3, g[3])
        return np.concatenate([(turn(3, g[0]) @ matrix(s) @ own.T).reshape(-1), [s.s + 0 * g[0], s.theta + g[0]]])

    return np.array([seen(s.q, column) for column in slope(moved, np.zeros(4)).T])


@section.confirmed("§10.3, the vertical distribution", (606, 607, 608, 609, 610), exhibits=BALL)
def vertical() -> Evidence:
    """∂/∂ψ and ∂/∂R_i are (e3, 0, 1) and (−We_i, 0, 0), independent everywhere."""

    def printed(s: Any) -> Array:
        return np.array([[*UP, 0, 1], *([*(-matrix(s) @ e), 0, 0] for e in AXES)])

    ranks = all(np.linalg.matrix_rank(_orbit(s)) == 4 for s in states())
    found = equal(
        states(),
        lambda s: [_orbit(s), printed(s)],
        *(lambda s, e=e: [-matrix(s) @ hat(e), hat(-matrix(s) @ e) @ matrix(s)] for e in AXES),
    )
    return Evidence(max(found.printed, float(not ranks)), None, found.mutant, "the action differentiated")


@section.confirmed("§10.3, γ1, γ2, κ", (612, 613, 614, 615, 616, 618, 619), exhibits=BALL)
def basis() -> Evidence:
    """ν = β, aη, τ give γ1 = (β, 0, 0), γ2 = (aη, 0, −r), κ = (τ, r, 0): a basis of D, S = span{γ1, γ2}, K(κ, γ_i) = 0."""

    def parts(s: Any) -> Array:
        return np.array([rates(k, s.q, s) for k in range(3)])

    def split(s: Any) -> list[Any]:
        weights = np.linalg.lstsq(parts(s).T, velocity(s), rcond=None)[0]
        return [velocity(s), *(-w * row for w, row in zip(weights, parts(s)))]

    def polar(s: Any) -> list[Any]:
        def energy(v: Array) -> Any:
            return s.J * v[:3] @ v[:3] / 2 + s.m * (v[3] ** 2 + at(s).a ** 2 * v[4] ** 2) / 2

        one, two = velocity(s), parts(s)[1]
        return [energy(one + two) - energy(one) - energy(two), product(s, one, two, at(s).a)]

    inside, outside, crossed = [], [], []
    for s in states():
        orbit = _orbit(s).T
        rest = [float(np.max(np.abs(orbit @ np.linalg.lstsq(orbit, row, rcond=None)[0] - row))) for row in parts(s)]
        inside += rest[:2]
        outside.append(rest[2])
        crossed += [abs(float(product(s, parts(s)[2], parts(s)[k], at(s).a))) for k in (0, 1)]
    found = joined(together(states(), split), equal(states(), polar))
    return Evidence(
        max(found.printed, *inside, *crossed),
        None,
        min(found.mutant or 0, *outside),
        "rolling velocities; κ is not vertical",
    )
