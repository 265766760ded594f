"""Heavy Suslov top: published facts and closed forms, with their tests."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.gallery.heavy_suslov_top import INERTIA, SOURCE, VALUES
from nonholo_papers.facts._random_states import flows, largest, largest_rate


def _body(s: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """ℐ, ξ, the pull m g γ × c and γ of a state."""
    inertia = np.array([[getattr(s, name) for name in row] for row in INERTIA])
    if hasattr(s, "gamma1"):
        gamma = np.array([s.gamma1, s.gamma2, s.gamma3])
    elif hasattr(s, "R31"):
        gamma = np.array([s.R31, s.R32, s.R33])
    else:
        gamma = np.array(
            [2 * (s.q1 * s.q3 - s.q0 * s.q2), 2 * (s.q2 * s.q3 + s.q0 * s.q1), s.q0**2 - s.q1**2 - s.q2**2 + s.q3**2]
        )
    pull = s.m * s.g * np.cross(gamma, [s.c1, s.c2, s.c3])
    return inertia, np.array([s.xi1, s.xi2, 0.0]), pull, gamma


def equations(exhibit: Exhibit) -> Finding:
    """The first two components, solved for ξ̇ in numbers, in all three coordinates."""
    gaps = []
    for system in (exhibit.system, *exhibit.variants.values()):
        for s, f in flows(system, exhibit.parameters):
            inertia, xi, pull, _ = _body(s)
            exact = np.linalg.solve(inertia[:2, :2], (np.cross(inertia @ xi, xi) + pull)[:2])
            gaps.append(np.array([f.xi1, f.xi2]) - exact)
    return bounded("(6.1) with (6.4)", largest(gaps), 1e-10)


def constants(exhibit: Exhibit) -> Finding:
    """``½⟨ℐξ, ξ⟩ + m g ⟨γ, c⟩`` and ``⟨γ, γ⟩``."""

    def energy(s: Any) -> Any:
        kinetic = s.I1 * s.xi1**2 / 2 + s.I2 * s.xi2**2 / 2 + s.I12 * s.xi1 * s.xi2
        return kinetic + s.m * s.g * (s.c1 * s.gamma1 + s.c2 * s.gamma2 + s.c3 * s.gamma3)

    moving = flows(exhibit.variants["the vertical alone (γ)"], exhibit.parameters)
    worst = largest_rate(moving, energy, lambda s: s.gamma1**2 + s.gamma2**2 + s.gamma3**2)
    return bounded("energy and |γ|", worst, 1e-11)


def reaction(exhibit: Exhibit) -> Finding:
    """``λ = (ℐξ̇ − ℐξ × ξ − m g γ × c)₃``."""
    from nonholo.derive.laws.reactions import reactions

    found = reactions(exhibit.system)
    gaps = []
    for s, f in flows(exhibit.system, exhibit.parameters, 3):
        inertia, xi, pull, _ = _body(s)
        exact = (inertia @ [f.xi1, f.xi2, 0.0] - np.cross(inertia @ xi, xi) - pull)[2]
        names = [f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
        state = {**{n: getattr(s, n) for n in names}, "xi1": s.xi1, "xi2": s.xi2}
        at = found.at(state, exhibit.parameters)
        gaps += [at["lambda1"] - exact, at["power"]]
    return bounded("λ by hand, and no work", largest(gaps), 1e-9)


def _principal(**changed: float) -> dict[str, float]:
    """Values with e₃ a principal axis and the changes."""
    return {**VALUES, "I12": 0.0, "I13": 0.0, "I23": 0.0, **changed}


def kharlamova(exhibit: Exhibit) -> Finding:
    """e₃ principal and c₃ = 0: ``I₁ξ̇₁ = −m g c₂γ₃``, ``I₂ξ̇₂ = m g c₁γ₃``."""
    moving = flows(exhibit.system, _principal(c3=0.0))
    worst = largest_rate(moving, lambda s: s.I1 * s.c1 * s.xi1 + s.I2 * s.c2 * s.xi2)
    hand = largest(
        (s.I1 * f.xi1 + s.m * s.g * s.c2 * s.R33, s.I2 * f.xi2 - s.m * s.g * s.c1 * s.R33) for s, f in moving
    )
    return bounded("Kharlamova's integral", max(worst, hand), 1e-11)


def lagrange_case(exhibit: Exhibit) -> Finding:
    """``I ξ̇ = m g c₃ (γ₂, −γ₁)``, and ``⟨ξ, γ⟩`` is constant; with I₁ ≠ I₂ it is not."""
    even = flows(exhibit.system, _principal(I1=0.27, I2=0.27, c1=0.0, c2=0.0))
    worst = largest(
        (s.I1 * f.xi1 - s.m * s.g * s.c3 * s.R32, s.I1 * f.xi2 + s.m * s.g * s.c3 * s.R31) for s, f in even
    )

    def momentum(s: Any) -> Any:
        return s.I1 * s.xi1 * s.R31 + s.I2 * s.xi2 * s.R32

    kept = largest_rate(even, momentum)
    uneven = largest_rate(flows(exhibit.system, _principal(c1=0.0, c2=0.0)), momentum)
    if uneven < 1e-3:
        return Finding("⟨ℐξ, γ⟩ needs I₁ = I₂", "fails", uneven, "it is kept without")
    return bounded("the pendulum's equations and its momentum", max(worst, kept), 1e-11)


def swings(exhibit: Exhibit) -> Finding:
    """About γ = −e₃ (centre of mass below, c = c₃e₃): ``γ̈₁ = −(m g c₃/I₂) γ₁`` and ``γ̈₂ = −(m g c₃/I₁) γ₂``."""
    from nonholo.derive.hamel import hamel

    values = _principal(c1=0.0, c2=0.0)
    equations = hamel(exhibit.variants["the vertical alone (γ)"])
    step = 1e-5
    gaps = []
    for moved, speed, inertia in (("gamma1", "xi2", "I2"), ("gamma2", "xi1", "I1")):
        base = {"gamma1": 0.0, "gamma2": 0.0, "gamma3": -sqrt(1 - step**2), "xi1": 0.0, "xi2": 0.0, moved: step}
        stiff = equations.rates(base, values)[speed] / step
        still = {**base, "gamma3": -1.0, moved: 0.0, speed: step}
        lever = equations.rates(still, values)[moved] / step
        gaps.append(-stiff * lever - values["m"] * values["g"] * values["c3"] / values[inertia])
    return bounded("squares of the frequencies", largest(gaps) / values["g"], 1e-9)


FACTS = (
    Fact("d(ℐξ)/dt = ℐξ × ξ + m g γ × c + λe₃ with ξ₃ = 0", f"{SOURCE} (6.1), (6.4)", equations),
    Fact("the energy and |γ| are constant", f"{SOURCE} §6.1", constants),
    Fact("the reaction is the torque λ that keeps ξ₃ = 0, and does no work", "third component, by hand", reaction),
    Fact("a centre of mass across the axis: I₁c₁ξ₁ + I₂c₂ξ₂ is constant", "Kharlamova 1957", kharlamova),
    Fact("I₁ = I₂ and the centre on the axis: the spherical pendulum", f"{SOURCE} (6.5); Kozlov 1985", lagrange_case),
    Fact("hanging straight: two swings at sqrt(m g c₃/I)", "linearised by hand", swings),
)
