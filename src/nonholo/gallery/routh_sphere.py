"""Routh's sphere: a ball with its centre of mass off the middle, rolling on a plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.algebra.calculus import symbol
from nonholo.finding import Finding, bounded
from nonholo.gallery._along import attitude, flows, largest_rate
from nonholo.gallery._rolling import AXIAL_SYMMETRY, agrees_with_newton, diagonal, rolling_body, spin_matrix
from nonholo.gallery._sphere import UNITS, arm_inertia, contact, contact_numbers, drawing, inertia_numbers, jellett
from nonholo.gallery.exhibit import Exhibit, Fact

TITLE = "Routh sphere"
GROUP = "Bloch–Marsden–Zenkov"
PAPERS = "Notices 2005 (history, Further Topics); Routh 1860"

Vector = Any


def exhibit() -> Exhibit:
    """A sphere of radius r, centre of mass a below the middle, moments A, A, C; rolling without sliding."""
    a, c = symbol("A"), symbol("C")
    return Exhibit(
        name="routh-sphere",
        title=TITLE,
        group=GROUP,
        system=rolling_body("Routh sphere", "m g r a A C", contact(), diagonal(a, a, c), AXIAL_SYMMETRY),
        parameters={"m": 1.3, "g": 9.81, "r": 0.5, "a": 0.12, "A": 0.11, "C": 0.14},
        start={**attitude(0.2, 0.9, 0.4), "w1": 1.1, "w2": -0.6, "w3": 4.0},
        starts={"sleeping": {"w3": 6.0}, "rocking": {**attitude(0.0, 0.7, 0.0)}},
        until=10.0,
        references=("Notices 2005, history", "Routh 1860", "Jellett 1872", "Chaplygin 1897"),
        units=UNITS,
        facts=(
            Fact("Newton's and Euler's laws give the same accelerations", "Newton–Euler with rolling contact", newton),
            Fact("Jellett's integral (I w)·ρ", "Jellett 1872", jellett_constant),
            Fact("Routh's integral w3 sqrt(A C + m ρ·Iρ)", "Routh 1860; Chaplygin 1897", routh_constant),
            Fact("the tilt moves in one dimension, by the three integrals", "quadrature", quadrature),
            Fact("the spectrum of sleeping spin", "closed characteristic polynomial", spectrum),
            Fact("rocking without spin: the frequency", "closed form, ω² = m g a/(A + m (r − a)²)", rocking),
        ),
        drawing=drawing((("x", "y"), ("t", "R33"), ("t", "w3"))),
        story=(
            "A loaded ball rolls in loops, rocking as it goes. Two hidden quantities, found by Jellett and by Routh, are "
            "constant besides the energy, so its whole motion comes down to one angle in a potential."
        ),
    )


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
    from nonholo.gallery._rattleback_facts import characteristic

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
