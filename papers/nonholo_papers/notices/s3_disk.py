"""The falling rolling disk."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.bmz._disk import rolling
from nonholo_papers.bmz.s6_5_disk import momenta
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, slope
from nonholo_papers.section import Section

Array = Any
DISK = ("rolling-disk",)
VALUES = SimpleNamespace(m=1.2, g=9.81, r=0.45, A=0.3, B=0.7)
section = Section("notices", "The falling rolling disk")
section.uncheckable(
    "Figure 2", "Figure 2", "A drawing of the angles, without numbers.", "The geometry of the rolling disk."
)


def cyclic_momenta(s: Any) -> Array:
    """``∂L_c/∂φ̇`` and ``∂L_c/∂ψ̇``."""
    one, two = momenta(s)
    return np.array([one * np.cos(s.theta) + two * np.sin(s.theta), two])


@section.confirmed("momenta p1 = ∂L_c/∂φ̇, p2 = ∂L_c/∂ψ̇ are not conserved", 8, exhibits=DISK)
def not_conserved() -> Evidence:
    """φ and ψ do not appear in L_c, whose derivatives are p1, p2; yet their rates do not vanish."""

    def energy(s: Any, phidot: Any, psidot: Any) -> Any:
        turn = phidot * np.sin(s.theta) + psidot
        return (s.A * phidot**2 * np.cos(s.theta) ** 2 + (s.m * s.r**2 + s.B) * turn**2) / 2

    def terms(s: Any) -> list[Any]:
        found = slope(lambda z: energy(s, z[0], z[1]), np.array([s.phidot, s.psidot]))
        return [found, -cyclic_momenta(s)]

    found = identity(rolling(), terms)
    moves = min(float(np.min(np.abs(s.dot(cyclic_momenta)))) for s in rolling())
    return Evidence(
        found.printed, None, min(found.mutant or 0.0, moves), "L_c by complex steps; rates by the multiplier witness"
    )


@section.confirmed("two fields η1(θ), η2(θ), not ∂φ and ∂ψ, along which momenta are preserved", exhibits=DISK)
def preserved() -> Evidence:
    """⟨p, η⟩ is constant for the fields of BMZ (6.18) as corrected; along ∂φ, ∂ψ it is not."""

    def terms(s: Any) -> list[Any]:
        p, rate, eta = momenta(s), s.dot(momenta), np.array([0.7, -0.4])
        k = s.B / (s.m * s.r**2 + s.B)
        first = -np.tan(s.theta) * eta[0] + s.m * s.r**2 / s.A * eta[1]
        return [rate @ eta, p[0] * first * s.thetadot, p[1] * k * eta[0] * s.thetadot]

    found = identity(rolling(), terms)
    lost = min(float(np.min(np.abs(s.dot(cyclic_momenta)))) for s in rolling())
    return Evidence(found.printed, None, min(found.mutant or 0.0, lost), "rates by the multiplier witness")


def flow(z: Array, v: Any = VALUES) -> Array:
    """The motion in (θ, p_θ, p_φ, p_ψ), the momenta being the derivatives of L_c."""
    theta, tilt, heading, roll = z
    c, d = np.cos(theta), np.sin(theta)
    one, two = (heading - roll * d) / c, roll
    thetadot = tilt / (v.A + v.m * v.r**2)
    rate_one = (d / c * one - v.B / (v.m * v.r**2 + v.B) * two) * thetadot
    rate_two = -v.m * v.r**2 / v.A * one * thetadot
    slope_one, slope_two = d / c * one - v.B / (v.m * v.r**2 + v.B) * two, -v.m * v.r**2 / v.A * one
    force = -(one * slope_one / v.A + two * slope_two / (v.m * v.r**2 + v.B) - v.m * v.g * v.r * d)
    return np.array([thetadot, force, rate_one * c - one * d * thetadot + rate_two * d + two * c * thetadot, rate_two])


@section.confirmed("the disk conserves volume in the phase space", exhibits=DISK)
def volume() -> Evidence:
    """In (θ, p_θ, p_φ, p_ψ), momenta of L_c, the flow has no divergence; in (θ, θ̇, φ̇, ψ̇) it has one (a density is needed)."""

    def state(s: Any) -> Array:
        return np.array([s.theta, (s.A + s.m * s.r**2) * s.thetadot, *cyclic_momenta(s)])

    def terms(s: Any) -> list[Any]:
        return [s.dot(state), -flow(state(s), s)]

    found = identity(rolling(), terms)
    trace = max(abs(float(np.trace(slope(lambda z, s=s: flow(z, s), state(s))))) for s in rolling())

    def velocities(z: Array, s: Any) -> Array:
        """The flow of (θ, θ̇, p1, p2) of BMZ §6.5."""
        one, two = z[2], z[3]
        k = s.B / (s.m * s.r**2 + s.B)
        return np.array([z[1], 0 * z[1], (np.tan(z[0]) * one - k * two) * z[1], -s.m * s.r**2 / s.A * one * z[1]])

    other = min(
        abs(float(np.trace(slope(lambda z, s=s: velocities(z, s), np.array([s.theta, s.thetadot, *momenta(s)])))))
        for s in rolling()
    )
    return Evidence(
        max(found.printed, trace),
        mutant=other,
        words="the flow agrees with the witness; trace of its derivative by complex steps",
    )


@section.confirmed("the disk is stable, but not asymptotically", exhibits=DISK)
def stability() -> Evidence:
    """Fast upright rolling has eigenvalues 0, 0 and ±iω: no decay; slow rolling has a growing one.

    ω² = (B(mR² + B)Ω²/A − mgR)/(A + mR²), positive above the known speed, v² = gR/3 for a uniform disk.
    """
    v = VALUES
    heavy = v.m * v.r**2 + v.B

    def eigenvalues(spin: float) -> Array:
        return np.linalg.eigvals(slope(flow, np.array([0.0, 0.0, 0.0, heavy * spin])))

    def square(spin: float) -> float:
        return float((v.B * heavy * spin**2 / v.A - v.m * v.g * v.r) / (v.A + v.m * v.r**2))

    gaps = [float(np.max(np.abs(eigenvalues(20.0).real)))]
    for spin in (20.0, 7.0, 0.5):
        largest = float(np.max((-(eigenvalues(spin) ** 2)).real if square(spin) > 0 else (eigenvalues(spin) ** 2).real))
        gaps.append(abs(largest / abs(square(spin)) - 1))
    uniform = v.m * v.g * v.r * (v.m * v.r**2 / 4) / (v.m * v.r**2 / 2 * 1.5 * v.m * v.r**2) * v.r**2
    gaps.append(abs(uniform / (v.g * v.r / 3) - 1))
    growth = float(np.max(eigenvalues(0.5).real))
    return Evidence(max(gaps), mutant=growth, words="linearised at upright rolling, 20, 7 and 0.5 rad/s, against the closed form")


@lru_cache
def motion_over_a_period() -> tuple[float, Array, Array]:
    """A motion from a tilt at rest: the period of θ, and (θ, p_θ, p_φ, p_ψ, φ, ψ) at its ends."""
    from scipy.integrate import solve_ivp

    def rates(_: float, y: Array) -> Array:
        theta = y[0]
        phidot = (y[2] - y[3] * np.sin(theta)) / (VALUES.A * np.cos(theta) ** 2)
        psidot = y[3] / (VALUES.m * VALUES.r**2 + VALUES.B) - phidot * np.sin(theta)
        return np.concatenate([flow(y[:4]), [phidot, psidot]])

    def top(_: float, y: Array) -> float:
        return float(y[1])

    top.direction = -1.0  # type: ignore[attr-defined]
    start = np.array([0.4, 0.0, 1.1, 4.0, 0.0, 0.0])
    run = solve_ivp(rates, (0, 30), start, rtol=1e-12, atol=1e-13, events=top, method="DOP853")
    times, places = run.t_events[0], run.y_events[0]
    late = [(t, y) for t, y in zip(times, places) if t > 1e-6]
    return float(late[0][0]), late[0][1], late[1][1]


@section.conditional(
    "footnote 1, all orbits are periodic (Vierkandt)",
    printed="all orbits of the disk in D/SE(2) are periodic",
    right="the quotient is by SO(2) × SE(2), and the motion neither falls nor tends to an unstable steady one",
    reason="With ψ kept, as in the quotient by SE(2) alone, an orbit closes only if ψ turns by a multiple of 2π in a "
    "period of the tilt.",
    harm=2,
    breaks="The dimension of the tori: four-dimensional reduced motion is periodic, with ψ it is quasi-periodic.",
    exhibits=DISK,
)
def periodic() -> Evidence:
    """After a period of the tilt, velocities and ψ (mod 2π) return."""
    _, one, two = motion_over_a_period()
    turn = (two[5] - one[5]) / (2 * np.pi)
    return Evidence(
        float(abs(turn - round(turn))),
        float(np.max(np.abs(two[:4] - one[:4]))),
        None,
        f"(θ, p_θ, p_φ, p_ψ) returns, ψ turns by {turn:.4f} of a circle",
    )
