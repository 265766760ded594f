"""Routh sphere: published facts and closed forms, with their tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._newton_euler import agrees_with_newton, spin_matrix
from nonholo_papers.facts._offset_sphere import arm_inertia, contact_numbers, inertia_numbers, jellett
from nonholo_papers.facts._random_states import flows, largest_rate

Vector = Any


def newton(exhibit: Exhibit) -> Finding:
    """At generic attitudes and rates."""
    return agrees_with_newton(exhibit, contact_numbers, inertia_numbers)


def routh(s: Any) -> Any:
    """Routh's integral."""
    return s.w3 * np.sqrt(s.A * s.C + s.m * arm_inertia(s))


def jellett_constant(exhibit: Exhibit) -> Finding:
    """``d/dt (I w)·ρ = 0``."""
    return bounded("Jellett's integral", largest_rate(flows(exhibit.system, exhibit.parameters), jellett), 1e-12)


def routh_constant(exhibit: Exhibit) -> Finding:
    """``d/dt w3 sqrt(A C + m (A r² sin²θ + C (a − r cos θ)²)) = 0``."""
    return bounded("Routh's integral", largest_rate(flows(exhibit.system, exhibit.parameters), routh), 1e-12)


def quadrature(exhibit: Exhibit) -> Finding:
    """``γ̇3²`` from γ3 alone, with the start's energy, Jellett and Routh integrals, along a motion.

    ``w3`` comes from Routh, ``κ = w1γ1 + w2γ2`` from Jellett, and ``w1² + w2² = (κ² + γ̇3²)/sin²θ`` in the energy.
    """
    from types import SimpleNamespace

    from nonholo.integrate.motion.simulate import simulate

    v = exhibit.parameters
    run = simulate(exhibit.system, exhibit.start, exhibit.until, v, rtol=1e-12, atol=1e-14).data
    state = SimpleNamespace(**v, **{str(n): run[n].values for n in run.data_vars})
    first = SimpleNamespace(**v, **{str(n): run[n].values[0] for n in run.data_vars})
    cosine, energy = state.R33, float(run["energy"].values[0])
    m, g, r, a, big_a, big_c = (v[n] for n in ("m", "g", "r", "a", "A", "C"))
    square, lever = 1 - cosine**2, a - r * cosine
    w3 = routh(first) / np.sqrt(big_a * big_c + m * (big_a * r**2 * square + big_c * lever**2))
    kappa = (big_c * w3 * lever - jellett(first)) / (big_a * r)
    rest = energy - m * g * (r - a * cosine) - big_c * w3**2 / 2
    # m|w × ρ|² = m (w² ρ² − (w·ρ)²) with w·ρ = −r κ + w3 lever and ρ² = r² sin²θ + lever²
    reach = r**2 * square + lever**2
    rest -= m * (w3**2 * reach - (w3 * lever - r * kappa) ** 2) / 2
    tilting = 2 * rest * square / (big_a + m * reach) - kappa**2
    gap = np.max(np.abs(tilting - run["R33dot"].values ** 2))
    return bounded("γ3'² as a function of γ3", float(gap), 1e-8, f"{exhibit.until:g} s of motion")


def spectrum(exhibit: Exhibit) -> Finding:
    """The rattleback's closed polynomial with equal radii and moments and no twist."""
    from nonholo_papers.facts.rattleback import characteristic

    v = exhibit.parameters
    stone = {
        **v,
        "b": v["r"],
        "c": v["r"],
        "h": v["a"],
        "a": v["r"],
        "I1": v["A"],
        "I2": v["A"],
        "I3": v["C"],
        "delta": 0.0,
    }
    worst = 0.0
    for spin in (-3.0, 6.0):
        found = np.poly(spin_matrix(exhibit.system, v, spin))
        wanted = characteristic(stone, spin)
        worst = max(worst, float(np.max(np.abs(found - wanted / wanted[0]) / (1 + np.abs(wanted / wanted[0])))))
    return bounded("the characteristic polynomial of sleeping spin", worst, 1e-10, "spins −3 and 6 rad/s")


def rocking(exhibit: Exhibit) -> Finding:
    """At rest upright both tilts oscillate with ``ω² = m g a/(A + m (r − a)²)``."""
    v = exhibit.parameters
    found = np.linalg.eigvals(spin_matrix(exhibit.system, v, 0.0))
    wanted = v["m"] * v["g"] * v["a"] / (v["A"] + v["m"] * (v["r"] - v["a"]) ** 2)
    return bounded("the rocking frequency", float(np.max(np.abs(found**2 + wanted))), 1e-9, f"ω² = {wanted:.6g} 1/s²")


FACTS = (
    Fact("Newton's and Euler's laws give the same accelerations", "Newton–Euler with rolling contact", newton),
    Fact("Jellett's integral (I w)·ρ", "Jellett 1872", jellett_constant),
    Fact("Routh's integral w3 sqrt(A C + m ρ·Iρ)", "Routh 1860; Chaplygin 1897", routh_constant),
    Fact("the tilt moves in one dimension, by the three integrals", "quadrature", quadrature),
    Fact("the spectrum of sleeping spin", "closed characteristic polynomial", spectrum),
    Fact("rocking without spin: the frequency", "closed form, ω² = m g a/(A + m (r − a)²)", rocking),
)
