"""Spherical pendulum without poles: published facts and closed forms, with their tests."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from nonholo.errors import ModelError, StateError
from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import flows, largest, largest_rate

SOURCE = "Zenkov 2016"


def equations(exhibit: Exhibit) -> Finding:
    """``m r² ξ̇ = m g r γ × e₃``, in γ and in the rotation matrix (γ its last row)."""
    gaps: list[Any] = []
    for system, name in ((exhibit.system, "gamma"), (exhibit.variants["rotation matrix"], "R3")):
        for s, f in flows(system, exhibit.parameters):
            one, two, three = (getattr(s, f"{name}{i}") for i in (1, 2, 3))
            gaps += [f.xi1 - s.g / s.r * two, f.xi2 + s.g / s.r * one, f.xi3]
            moved = np.cross([one, two, three], [s.xi1, s.xi2, 0.0])
            gaps += [getattr(f, f"{name}{i + 1}") - e for i, e in enumerate(moved)]
    return bounded("(6.5)", largest(gaps), 1e-11)


def constants(exhibit: Exhibit) -> Finding:
    """``⟨γ, γ⟩``, ``½⟨ℐξ, ξ⟩ + m g r γ₃`` and ``⟨ℐξ, γ⟩``."""
    worst = largest_rate(
        flows(exhibit.system, exhibit.parameters),
        lambda s: s.gamma1**2 + s.gamma2**2 + s.gamma3**2,
        lambda s: s.m * s.r**2 / 2 * (s.xi1**2 + s.xi2**2) + s.m * s.g * s.r * s.gamma3,
        lambda s: s.m * s.r**2 * (s.xi1 * s.gamma1 + s.xi2 * s.gamma2),
    )
    return bounded("three constants", worst, 1e-11)


def third_momentum(exhibit: Exhibit) -> Finding:
    """``∂l/∂ξ₃ = 0`` before the constraint, so without (6.4) the spin about the rod is not determined: nonholo says so."""
    from dataclasses import replace

    from nonholo.derive.hamel import hamel

    claim = "without ξ₃ = 0 the motion is not determined"
    free = replace(exhibit.system, constraints=())
    if free.lagrangian.diff("xi3") != 0:
        return Finding(claim, "fails", None, "the Lagrangian depends on ξ₃")
    try:
        hamel(free)
    except ModelError as said:
        return Finding(claim, "holds", None, str(said))
    return Finding(claim, "fails", None, "equations were given")


def _start(exhibit: Exhibit) -> tuple[float, float, float, float]:
    """Height, its rate, energy over m g r, and vertical momentum over m r², at the start."""
    s, p = exhibit.start, exhibit.parameters
    fall = s["gamma1"] * s["xi2"] - s["gamma2"] * s["xi1"]
    energy = (s["xi1"] ** 2 + s["xi2"] ** 2) * p["r"] / (2 * p["g"]) + s["gamma3"]
    return s["gamma3"], fall, energy, s["xi1"] * s["gamma1"] + s["xi2"] * s["gamma2"]


def height(exhibit: Exhibit) -> Finding:
    """``γ̇₃² = (2g/r)(ε − γ₃)(1 − γ₃²) − p²``: between its lower roots ``γ₃ = z₁ + (z₂ − z₁) sn²(ν(t − t₀), k)``."""
    from scipy.special import ellipj, ellipkinc

    from nonholo.integrate.motion.simulate import simulate

    z, fall, energy, momentum = _start(exhibit)
    scale = 2 * exhibit.parameters["g"] / exhibit.parameters["r"]
    low, mid, high = np.sort(np.roots([1.0, -energy, -1.0, energy - momentum**2 / scale]).real)
    nu, square = sqrt(scale * (high - low)) / 2, (mid - low) / (high - low)
    phase = np.copysign(ellipkinc(np.arcsin(sqrt((z - low) / (mid - low))), square), fall)
    data = simulate(exhibit.system, exhibit.start, 25.0, exhibit.parameters, rtol=1e-12, atol=1e-13).data
    sine = ellipj(nu * data["t"].values + phase, square)[0]
    return bounded("γ₃ at all times", largest([data["gamma3"].values - low - (mid - low) * sine**2]), 1e-9)


def as_a_point(exhibit: Exhibit) -> Finding:
    """A point on the sphere with the same height, rate of height and vertical momentum: z = r γ₃."""
    from nonholo.integrate.motion.simulate import simulate

    z, fall, _, momentum = _start(exhibit)
    r, wide = exhibit.parameters["r"], sqrt(1 - exhibit.start["gamma3"] ** 2)
    start = {"x": r * wide, "y": 0.0, "z": r * z}
    start |= {"xdot": -r * z * fall / wide, "ydot": r * momentum / wide, "zdot": r * fall}
    times = np.linspace(0, 12, 121)
    one = simulate(exhibit.system, exhibit.start, 12.0, exhibit.parameters, rtol=1e-11, atol=1e-12, t_eval=times).data
    point = exhibit.variants["point on a sphere"]
    two = simulate(point, start, 12.0, exhibit.parameters, rtol=1e-11, atol=1e-12, t_eval=times).data
    return bounded("z = r γ₃", largest([one["gamma3"].values - two["z"].values / r]), 1e-8)


def poles(exhibit: Exhibit) -> Finding:
    """At θ = 0 the mass matrix of the angles is singular; in γ a swing through the pole has its plain rates."""
    from nonholo.derive.hamel import hamel

    claim = "angles fail at the pole"
    exact = {"xi1": 0.0, "xi2": 0.0, "gamma1": 0.0, "gamma2": 1.3}
    down = {"gamma1": 0.0, "gamma2": 0.0, "gamma3": -1.0, "xi1": -1.3, "xi2": 0.0}
    rates = hamel(exhibit.system).rates(down, exhibit.parameters)
    gap = largest(rates[n] - e for n, e in exact.items())
    angles = hamel(exhibit.variants["spherical coordinates, with poles"])
    try:
        angles.rates({"theta": 0.0, "phi": 0.0, "thetadot": 1.3, "phidot": 0.2}, exhibit.parameters)
    except StateError as said:
        return bounded(claim + ", γ does not", gap, 1e-12, str(said))
    return Finding(claim, "fails", gap, "accelerations were given at the pole")


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _discrete(exhibit: Exhibit, half: float, steps: int = 100, h: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    """(6.6), (6.7) from the paper's start, by fixed-point iteration; ``half`` is ½, or 1 as printed."""
    s, pull = exhibit.start, h * exhibit.parameters["g"] / exhibit.parameters["r"]
    xi, gamma = np.array([s["xi1"], s["xi2"], 0.0]), np.array([s[f"gamma{i}"] for i in (1, 2, 3)])
    along = np.array([0.0, 0.0, 1.0])
    rows = [(xi, gamma)]
    for _ in range(steps):
        next_xi, next_gamma = xi, gamma
        for _ in range(60):
            last = next_gamma
            next_gamma = gamma + h * _cross((next_gamma + gamma) / 2, (next_xi + xi) / 2)
            next_xi = xi + pull * _cross(half * (next_gamma + gamma), along)
            if np.max(np.abs(next_gamma - last)) < 1e-16:
                break
        xi, gamma = next_xi, next_gamma
        rows.append((xi, gamma))
    return np.array([row[0] for row in rows]), np.array([row[1] for row in rows])


def _drift(values: np.ndarray) -> float:
    return float(np.max(np.abs(values - values[0])))


def discrete(exhibit: Exhibit) -> Finding:
    """With ``m g ½(γ_{k+1/2} + γ_{k−1/2}) × a``, over 100 steps of 0.2 s as in the paper."""
    p = exhibit.parameters
    xi, gamma = _discrete(exhibit, 0.5)
    energy = p["r"] / 2 / p["g"] * np.sum(xi**2, axis=1) + gamma[:, 2]
    drifts = [_drift(energy), _drift(np.sum(xi * gamma, axis=1)), _drift(np.linalg.norm(gamma, axis=1))]
    return bounded("energy, momentum and |γ| of the discrete motion", max(drifts), 1e-11)


def printed(exhibit: Exhibit) -> Finding:
    """Without the ½ the pull is twice too strong: K + 2U is kept, K + U is not."""
    p = exhibit.parameters
    xi, gamma = _discrete(exhibit, 1.0)
    kinetic = p["r"] / 2 / p["g"] * np.sum(xi**2, axis=1)
    wrong, right = _drift(kinetic + 2 * gamma[:, 2]), _drift(kinetic + gamma[:, 2])
    good = wrong < 1e-11 and right > 1e-2
    return Finding("K + 2U is kept, K + U is not", "holds" if good else "fails", right, "drift of (K + U)/(m g r)")


FACTS = (
    Fact("μ̇ = m g γ × a, γ̇ = γ × ξ, ξ₃ = 0", f"{SOURCE} (6.5)", equations),
    Fact("|γ|, the energy and the vertical momentum are constant", f"{SOURCE} §6.1", constants),
    Fact("the third momentum of the degenerate body vanishes", f"{SOURCE} before (6.4)", third_momentum),
    Fact("the height is Jacobi's sn², from the start alone", "closed form", height),
    Fact("the same heights as a point on a sphere, in x, y, z", "second formulation", as_a_point),
    Fact("spherical coordinates fail at a pole, γ does not", f"{SOURCE} §6.1", poles),
    Fact("the discrete pendulum keeps |γ|, energy and momentum", f"{SOURCE} Theorem 6.1, (6.6) corrected", discrete),
    Fact("(6.6) as printed keeps K + 2U instead", f"{SOURCE} (6.6)", printed),
)
