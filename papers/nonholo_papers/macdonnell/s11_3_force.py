"""Chapter 11, third part: the meaning of Ω1 and Ω2, and the normal force."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity
from nonholo_papers.macdonnell._hoop import states
from nonholo_papers.macdonnell._together import corrected, equal, joined
from nonholo_papers.macdonnell._turning import UP
from nonholo_papers.section import Section
from nonholo_papers.so3 import AXES, hat, turn

Array = Any
HOOP = ("basketball",)
WITNESS = "along the multiplier form"
section = Section("macdonnell", "11 Basketball: normal force")
section.rest("definition", 723)


@section.confirmed("§11, ν_n and θ̇", (719, 720, 721), exhibits=HOOP)
def meaning() -> Evidence:
    """Ω1 = β·ν and θ̇ = −rΩ2; β = −R₃(θ)R₂(ψ)e1, η = R₃(θ)R₂(ψ)e3, τ = R₃(θ)e2 are the unit vectors of §10.1."""

    def vectors(s: Any) -> Array:
        about, tilt = turn(3, s.theta), turn(2, s.psi)
        return np.array([-about @ tilt @ AXES[0], about @ tilt @ AXES[2], about @ AXES[1]])

    def wanted(s: Any) -> Array:
        step = 1e-30
        along = np.imag(_place(s.psi + 1j * step, s.theta, s)) / step / s.v
        around = np.imag(_place(s.psi, s.theta + 1j * step, s)) / step / (s.u - s.v * np.cos(s.psi))
        return np.array([np.cross(along, around), along, around])

    return equal(
        states(),
        lambda s: [vectors(s), wanted(s)],
        lambda s: [vectors(s)[0] @ np.array([s.nu1, s.nu2, s.nu3]), s.Omega1],
        lambda s: [s.thetadot, -s.rho * s.Omega2],
        words="the centre's place differentiated; rolling states",
    )


def _place(psi: Any, theta: Any, s: Any) -> Array:
    a = s.u - s.v * np.cos(psi)
    return np.array([a * np.cos(theta), a * np.sin(theta), s.v * np.sin(psi)])


def _vectors(s: Any) -> tuple[Array, Array, Array]:
    about, tilt = turn(3, s.theta), turn(2, s.psi)
    return -about @ tilt @ AXES[0], about @ tilt @ AXES[2], about @ AXES[1]


def _velocity(z: Any) -> Array:
    beside, along = (z.u - z.v * np.cos(z.psi)) * z.thetadot, z.v * z.psidot
    eta = np.array([np.sin(z.psi) * np.cos(z.theta), np.sin(z.psi) * np.sin(z.theta), np.cos(z.psi)])
    tau = np.array([-np.sin(z.theta), np.cos(z.theta), 0 * z.theta])
    return beside * tau + along * eta


@section.confirmed("§11, the normal force", (724, 726), exhibits=HOOP)
def normal() -> Evidence:
    """β·e3 = sin ψ and F_n = β·(mẍ + mge3) = m{aθ̇² cos ψ − vψ̇² + g sin ψ}."""

    def terms(s: Any) -> list[Any]:
        beta, acceleration = _vectors(s)[0], s.dot(_velocity)
        return [
            beta @ (s.m * acceleration + s.m * s.g * UP),
            -s.m * (s.u - s.v * np.cos(s.psi)) * s.thetadot**2 * np.cos(s.psi),
            s.m * s.v * s.psidot**2,
            -s.m * s.g * np.sin(s.psi),
        ]

    tilt = equal(
        states(),
        lambda s: [
            _vectors(s)[0] @ UP,
            -UP @ turn(2, s.psi) @ AXES[0],
            -UP @ np.array([np.cos(s.psi), 0, -np.sin(s.psi)]),
        ],
        lambda s: [_vectors(s)[0] @ UP, np.sin(s.psi)],
    )
    return joined(tilt, identity(states(), terms), words=f"ẍ {WITNESS}")


@section.misprint(
    "§11, v in the normal force",
    (722, 725, 727, 728),
    right=r"\dot{x} = a\dot{\theta}\tau + v\dot{\psi}\eta,\quad \beta^T\ddot{x} = a\dot{\theta}^2\cos\psi - v\dot{\psi}^2,\quad "
    r"\frac{F_n}{m} = ar^2\Omega_2^2\cos\psi - v\dot{\psi}^2 + g\sin\psi = v\{N - \dot{\psi}^2\},\quad N = "
    r"\frac{ar^2[C_1f_{12} + C_2f_{22}]^2\cos\psi + g\sin\psi}{v}",
    harm=2,
    breaks="ψ stands for v in the text, as in a' and z'; the result for F_n between them has v.",
    exhibits=HOOP,
    kind="reading",
)
def letters() -> Evidence:
    """ẋ, β·ẍ, F_n/m and N have v before ψ̇ and under the fraction, printed ψ."""

    def speed(s: Any, factor: float) -> list[Any]:
        _, eta, tau = _vectors(s)
        place = s.dot(lambda z: _place(z.psi, z.theta, z))
        return [place, -(s.u - s.v * np.cos(s.psi)) * s.thetadot * tau, -factor * s.psidot * eta]

    def push(s: Any, factor: float) -> list[Any]:
        around = (s.u - s.v * np.cos(s.psi)) * s.thetadot**2 * np.cos(s.psi)
        return [_vectors(s)[0] @ s.dot(_velocity), -around, factor * s.psidot**2]

    def steps(s: Any, factor: float) -> list[Any]:
        """The lines of the derivation after β·ẍ = −β'·ẋ."""
        a, spin, tilt, level = s.u - s.v * np.cos(s.psi), s.thetadot, turn(2, s.psi), hat(UP)
        one = spin * level @ tilt @ AXES[0] - s.psidot * tilt @ AXES[2]
        two = a * spin * AXES[1] + factor * s.psidot * tilt @ AXES[2]
        cross = factor * spin * s.psidot * AXES[0] @ tilt.T @ level @ tilt @ AXES[2]
        lines = [
            one @ two,
            -a * spin**2 * AXES[0] @ tilt.T @ level @ AXES[1] - factor * s.psidot**2 - cross,
            a * spin**2 * AXES[0] @ tilt @ AXES[0]
            - factor * s.psidot**2
            + factor * spin * s.psidot * AXES[0] @ level @ tilt.T @ AXES[2],
        ]
        return [np.array(lines), -np.full(3, _vectors(s)[0] @ s.dot(_velocity))]

    def force(s: Any, factor: float) -> list[Any]:
        a = s.u - s.v * np.cos(s.psi)
        lift = (a * s.rho**2 * s.Omega2**2 * np.cos(s.psi) + s.g * np.sin(s.psi)) / factor
        found = _vectors(s)[0] @ (s.dot(_velocity) + s.g * UP)
        return [found, -factor * lift + factor * s.psidot**2]

    def share(s: Any, factor: float) -> list[Any]:
        a = s.u - s.v * np.cos(s.psi)
        lift = (a * s.rho**2 * s.Omega2**2 * np.cos(s.psi) + s.g * np.sin(s.psi)) / factor
        return [_vectors(s)[0] @ (s.dot(_velocity) + s.g * UP) / s.v, -lift, s.psidot**2]

    forms = (speed, push, steps, force, share)
    return corrected(
        states(),
        *((lambda s, f=f: f(s, s.psi), lambda s, f=f: f(s, s.v)) for f in forms),
        words=f"ẋ and ẍ {WITNESS}",
    )


@section.confirmed("§11, F_n ≈ mvN", 729, exhibits=HOOP)
def slow() -> Evidence:
    """F_n = mv{N − ψ̇²}: what is left out is mvψ̇², which vanishes for the asymptotic trajectory; contact lasts while
    ψ̇² < N.
    """

    def terms(s: Any) -> list[Any]:
        a = s.u - s.v * np.cos(s.psi)
        lift = (a * s.rho**2 * s.Omega2**2 * np.cos(s.psi) + s.g * np.sin(s.psi)) / s.v
        force = s.m * _vectors(s)[0] @ (s.dot(_velocity) + s.g * UP)
        return [force, -s.m * s.v * lift, s.m * s.v * s.psidot**2]

    return identity(states(), terms, words=f"ẍ {WITNESS}")
