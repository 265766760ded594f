"""Nonholonomically constrained particle, ż = y ẋ: published facts and closed forms, with their tests."""

from __future__ import annotations

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import bracket, flows, largest, largest_gap, largest_rate

SOURCE = "MacDonnell 1997"


def integral(exhibit: Exhibit) -> Finding:
    """``K(q̇, σ) = (ẋ + y ż)/sqrt(1 + y²)`` with ``σ = γ/sqrt(1 + y²)`` [MacDonnell 1997 §7.3]."""
    worst = largest_rate(
        flows(exhibit.system, exhibit.parameters), lambda s: (s.xdot + s.y * s.zdot) / np.sqrt(1 + s.y**2)
    )
    return bounded("(ẋ + y ż)/sqrt(1 + y²) is constant", worst, 1e-12)


def adjoint(exhibit: Exhibit) -> Finding:
    """``d/dt((1 + y²) Ω) = y Ω ẏ`` and ``ẋ = Ω, ż = y Ω`` [MacDonnell 1997 §7.5]."""
    moving = flows(exhibit.system, exhibit.parameters)
    worst = largest_gap(moving, lambda s: (1 + s.y**2) * s.Omega, lambda s, r: s.y * s.Omega * s.v)
    parts = largest((s.xdot - s.Omega, s.zdot - s.y * s.Omega) for s, _ in moving)
    return bounded("d((1 + y²) Ω)/dy = y Ω, ẋ = Ω, ż = y Ω", max(worst, parts), 1e-12)


def reduced(exhibit: Exhibit) -> Finding:
    """``ÿ = 0``; the energy is ``ẏ²/2 + C²/2`` with the constant C [MacDonnell 1997 §8.4]."""
    moving = flows(exhibit.system, exhibit.parameters)
    speed = largest(r.ydot for _, r in moving)
    energy = largest(
        (s.xdot**2 + s.ydot**2 + s.zdot**2 - s.ydot**2 - (s.xdot + s.y * s.zdot) ** 2 / (1 + s.y**2)) / 2
        for s, _ in moving
    )
    return bounded("ÿ = 0 and K = ẏ²/2 + C²/2", max(speed, energy), 1e-12)


def aligned(exhibit: Exhibit) -> Finding:
    """``κ = (0, 1, 0), γ = (1, 0, y), χ = (−y, 0, 1)``: orthogonal, ``[γ, κ] = (0, 0, −1)``, ``K(κ, [γ, κ]) = 0``."""

    def kappa(q: np.ndarray) -> np.ndarray:
        return np.array([0, 1, 0 * q[1]])

    def gamma(q: np.ndarray) -> np.ndarray:
        return np.array([1, 0, q[1]])

    gaps = []
    for s, _ in flows(exhibit.system, exhibit.parameters):
        q = np.array([s.x, s.y, s.z])
        chi = np.array([-s.y, 0, 1])
        found = bracket(gamma, kappa, q)
        gaps += [found - np.array([0, 0, -1]), kappa(q) @ gamma(q), kappa(q) @ chi, gamma(q) @ chi, kappa(q) @ found]
        gaps.append(np.array([s.xdot, s.ydot, s.zdot]) - s.v * kappa(q) - s.Omega * gamma(q))
    return bounded("κ, γ, χ orthogonal; q̇ = v κ + Ω γ; [γ, κ] = (0, 0, −1)", largest(gaps), 1e-12)


def closed_form(exhibit: Exhibit) -> Finding:
    """``y = y₀ + v t``, ``x = x₀ + (C/v)(asinh y − asinh y₀)``, ``z = z₀ + (C/v)(sqrt(1 + y²) − sqrt(1 + y₀²))``."""
    from nonholo.integrate.motion.simulate import simulate

    start = exhibit.start
    run = simulate(exhibit.system, start, exhibit.until, exhibit.parameters, rtol=1e-12, atol=1e-13)
    constant = start["Omega"] * np.sqrt(1 + start["y"] ** 2)
    y = start["y"] + start["v"] * run.data["t"].values
    factor = constant / start["v"]
    x = start["x"] + factor * (np.arcsinh(y) - np.arcsinh(start["y"]))
    z = start["z"] + factor * (np.sqrt(1 + y**2) - np.sqrt(1 + start["y"] ** 2))
    gap = largest(run.data[n].values - e for n, e in (("x", x), ("y", y), ("z", z)))
    return bounded("x by asinh y, z by sqrt(1 + y²)", gap, 1e-10)


FACTS = (
    Fact("(ẋ + y ż)/sqrt(1 + y²) is constant", f"{SOURCE} §7.3", integral),
    Fact("the adjoint equation d((1 + y²) Ω)/dy = y Ω", f"{SOURCE} §7.5", adjoint),
    Fact("the reduced motion ÿ = 0, with constant reduced potential C²/2", f"{SOURCE} §8.4", reduced),
    Fact("the aligned basis is orthogonal, flat, and [γ, κ] = (0, 0, −1)", f"{SOURCE} §§6.3, 7.2", aligned),
    Fact("x and z in closed form: asinh and sqrt(1 + y²)", "quadrature of §7.5", closed_form),
)
