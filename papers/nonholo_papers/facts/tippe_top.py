"""Tippe top (sliding, and rolling that cannot invert): published facts and closed forms, with their tests."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._newton_euler import spin_matrix
from nonholo_papers.facts._offset_sphere import arm_inertia, contact_numbers, inertia_numbers, jellett
from nonholo_papers.facts._random_states import flows, largest, largest_gap, largest_rate, vector
from nonholo_papers.so3 import matrix

Vector = Any


def newton_with_friction(matrix: Vector, w: Vector, velocity: Vector, v: Mapping[str, float]) -> tuple[Vector, Vector]:
    """``ẇ`` (body) and ``(ẍ, ÿ)``: Newton and Euler with normal force N and friction on the slipping contact point.

    m u̇ = N e3 + F − m g e3,   I ẇ + w × I w = ρ × Rᵀ(N e3 + F),   F = −c slip,   e3·(u + R(w × ρ)) = 0
    """
    rho, inertia = contact_numbers(matrix[2], v), inertia_numbers(v)
    up = np.array([0.0, 0, 1])
    rho_rate = -v["r"] * np.cross(matrix[2], w)
    arm = matrix @ np.cross(w, rho)
    u = np.array([velocity[0], velocity[1], -arm[2]])
    force = -v["c"] * (u + arm)
    # unknowns: ẇ (3), u̇ (3), N
    table, sides = np.zeros((7, 7)), np.zeros(7)
    table[:3, 3:6], table[:3, 6], sides[:3] = v["m"] * np.eye(3), -up, force - v["m"] * v["g"] * up
    table[3:6, :3], table[3:6, 6] = inertia, -np.cross(rho, matrix.T @ up)
    sides[3:6] = np.cross(rho, matrix.T @ force) - np.cross(w, inertia @ w)
    # the rate of the vertical speed of the contact point: R(ẇ × ρ + w × ρ̇ + w × (w × ρ)) + u̇
    table[6, :3] = np.cross(rho, matrix[2])
    table[6, 5] = 1
    sides[6] = -matrix[2] @ (np.cross(w, rho_rate) + np.cross(w, np.cross(w, rho)))
    found = np.linalg.solve(table, sides)
    return found[:3], found[3:5]


def newton(exhibit: Exhibit) -> Finding:
    """At generic attitudes, rates and slips."""
    gaps = []
    for s, r in flows(exhibit.system, exhibit.parameters):
        turning, moving = newton_with_friction(
            matrix(s), vector(s, "w1", "w2", "w3"), vector(s, "xdot", "ydot"), exhibit.parameters
        )
        for wanted, found in ((turning, vector(r, "w1", "w2", "w3")), (moving, vector(r, "xdot", "ydot"))):
            gaps.append((wanted - found) / (1 + np.max(np.abs(wanted))))
    return bounded("Newton–Euler with friction", largest(gaps), 1e-10, "5 generic states")


def energy(s: Any) -> Any:
    """Kinetic and potential energy, from the state's own numbers."""
    rise = -(s.R31 * _arm(s)[0] + s.R32 * _arm(s)[1] + s.R33 * _arm(s)[2])
    spin = s.A * (s.w1**2 + s.w2**2) + s.C * s.w3**2
    return (s.m * (s.xdot**2 + s.ydot**2 + rise**2) + spin) / 2 + s.m * s.g * (s.r - s.a * s.R33)


def _arm(s: Any) -> Vector:
    """``w × ρ``."""
    return np.cross(vector(s, "w1", "w2", "w3"), np.array([-s.r * s.R31, -s.r * s.R32, s.a - s.r * s.R33]))


def dissipation(exhibit: Exhibit) -> Finding:
    """``Ė = −c (s1² + s2²)``."""
    gap = largest_gap(flows(exhibit.system, exhibit.parameters), energy, lambda s, r: -s.c * (s.s1**2 + s.s2**2))
    return bounded("E' = −c |slip|²", gap, 1e-11)


def jellett_constant(exhibit: Exhibit) -> Finding:
    """``d/dt (I w)·ρ = 0``: friction acts at the end of ρ. Relative to its own size."""
    moving = flows(exhibit.system, exhibit.parameters)
    scale = largest([jellett(s) for s, _ in moving])
    return bounded("Jellett's integral", largest_rate(moving, lambda s: jellett(s) / scale), 1e-10)


def critical_spins(v: Mapping[str, float]) -> tuple[float, float]:
    """Ω above which upright spin is unstable, and above which inverted spin is stable.

    On a Jellett level J the least energy at tilt θ is ``U = J²/(2 ρ·Iρ) + m g (r − a cos θ)``; its second derivative
    changes sign at ``Ω² r (A r − C (r − a)) = m g a (r − a)²`` upright and at
    ``Ω² r (C (r + a) − A r) = m g a (r + a)²`` inverted.
    """
    m, g, r, a, big_a, big_c = (v[n] for n in ("m", "g", "r", "a", "A", "C"))
    upright = m * g * a * (r - a) ** 2 / (r * (big_a * r - big_c * (r - a)))
    inverted = m * g * a * (r + a) ** 2 / (r * (big_c * (r + a) - big_a * r))
    return sqrt(upright), sqrt(inverted)


def thresholds(exhibit: Exhibit) -> Finding:
    """The growth rates of the linearised motion change sign there."""
    v = exhibit.parameters
    upright, inverted = critical_spins(v)

    def growth(spin: float, side: bool) -> float:
        return float(np.max(np.linalg.eigvals(spin_matrix(exhibit.system, v, spin, side)).real))

    found = [
        growth(0.97 * upright, False),
        growth(1.03 * upright, False),
        growth(0.97 * inverted, True),
        growth(1.03 * inverted, True),
    ]
    holds = found[0] < 0 < found[1] and found[3] < 0 < found[2]
    evidence = (
        f"{upright:.4g} rad/s upright, {inverted:.4g} rad/s inverted; growth {', '.join(f'{e:.2g}' for e in found)}"
    )
    return Finding("stability changes at the closed spins", "holds" if holds else "fails", upright, evidence)


def _run(exhibit: Exhibit) -> Any:
    from nonholo.integrate.motion.simulate import simulate

    data = simulate(exhibit.system, exhibit.start, exhibit.until, exhibit.parameters, rtol=1e-9, atol=1e-12).data
    return SimpleNamespace(**exhibit.parameters, **{str(n): data[n].values for n in data.data_vars})


def least_energy(exhibit: Exhibit) -> Finding:
    """Along the inversion; nearly reached at its end, where nothing slips."""
    s = _run(exhibit)
    level = jellett(s)[0] ** 2 / (2 * arm_inertia(s)) + s.m * s.g * (s.r - s.a * s.R33)
    margin = (s.energy - level) / s.energy[0]
    holds = float(np.min(margin)) > -1e-7 and float(margin[-1]) < 1e-3
    evidence = f"smallest margin {np.min(margin):.2g}, {margin[-1]:.2g} at the end, {np.max(margin):.2g} on the way"
    return Finding(
        "the energy stays above the least one", "holds" if holds else "fails", float(np.min(margin)), evidence
    )


def inversion(exhibit: Exhibit) -> Finding:
    """From near upright to near inverted; the last spin follows from Jellett's integral."""
    s = _run(exhibit)
    wanted = jellett(s)[0] / (s.C * (s.r + s.a))
    gap = abs(s.w3[-1] / wanted - 1)
    holds = s.R33[0] > 0.99 and s.R33[-1] < -0.999 and gap < 1e-2
    evidence = (
        f"cos θ {s.R33[0]:.3f} to {s.R33[-1]:.5f}, spin {s.w3[0]:.4g} to {s.w3[-1]:.4g} rad/s, expected {wanted:.4g}"
    )
    return Finding("the top turns over", "holds" if holds else "fails", float(s.R33[-1]), evidence)


def rolling(exhibit: Exhibit) -> Finding:
    """From the same tilt and spin the rolling variant only nods."""
    from nonholo.integrate.motion.simulate import simulate

    values = {n: e for n, e in exhibit.parameters.items() if n != "c"}
    start = {n: e for n, e in exhibit.start.items() if n not in ("xdot", "ydot")}
    run = simulate(exhibit.variants["rolling"], start, exhibit.until, values, rtol=1e-9, atol=1e-12)
    lowest = float(run.data["R33"].values.min())
    return bounded(
        "the rolling top stays upright", 1 - lowest, 0.05, f"cos θ stays above {lowest:.4f} for {exhibit.until:g} s"
    )


FACTS = (
    Fact("Newton's and Euler's laws with friction give the same accelerations", "Newton–Euler", newton),
    Fact("friction takes energy at the rate c |slip|²", "power of the friction", dissipation),
    Fact("Jellett's integral survives friction", "Jellett 1872", jellett_constant),
    Fact("upright and inverted spin change stability at closed rates", "energy on a Jellett level", thresholds),
    Fact("the energy stays above J²/(2 ρ·Iρ) + m g (r − a cos θ)", "least energy of a tilt", least_energy),
    Fact("it turns over, and ends with spin −Ω (r − a)/(r + a)", "Notices 2005, Toys and Warnings", inversion),
    Fact("rolling without sliding it does not turn over", "Notices 2005, Toys and Warnings", rolling),
)
