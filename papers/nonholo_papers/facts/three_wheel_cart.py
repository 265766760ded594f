"""Three-wheel cart: published facts and closed forms, with their tests."""

from __future__ import annotations

from math import cos, sin
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import (
    STEP,
    Vector,
    at_states,
    bracket,
    flows,
    largest,
    largest_gap,
    largest_rate,
)
from nonholo_papers.macdonnell._cart import first, masses, second
from nonholo_papers.macdonnell._cart import gamma as cart_gamma

SOURCE = "MacDonnell 1997"
NAMES = ("theta", "u1", "u2", "phi", "psi", "chi", "xi")


def _place(s: Any) -> Vector:
    return np.array([getattr(s, n) for n in NAMES])


def steering(exhibit: Exhibit) -> Finding:
    """``J_D ξ̇``, the momentum of κ0 = ∂/∂ξ, which lies in D and preserves L [MacDonnell 1997 §12.4, Proposition 5.1.1]."""
    return bounded("J_D ξ' is constant", largest_rate(flows(exhibit.system, exhibit.parameters), lambda s: s.xidot), 1e-12)


def wheels(exhibit: Exhibit) -> Finding:
    """``r φ̇ τ(θ) = (x + b n)˙``, ``r ψ̇ τ(θ) = (x − b n)˙``, ``r χ̇ τ(ξ) = (x + d τ)˙`` with ``x = u − a τ(θ)`` [§12.1]."""
    gaps = []
    for s, _ in flows(exhibit.system, exhibit.parameters):
        tau, normal = np.array([cos(s.theta), sin(s.theta)]), np.array([-sin(s.theta), cos(s.theta)])
        axle = np.array([s.u1dot, s.u2dot]) - s.a * s.thetadot * normal
        gaps.append(s.r * s.phidot * tau - (axle - s.b * s.thetadot * tau))
        gaps.append(s.r * s.psidot * tau - (axle + s.b * s.thetadot * tau))
        gaps.append(s.r * s.chidot * np.array([cos(s.xi), sin(s.xi)]) - (axle + s.d * s.thetadot * normal))
    return bounded("the contact points of the three wheels are at rest", largest(gaps), 1e-12)


def basis(exhibit: Exhibit) -> Finding:
    """γ and κ0 span D; f and g are their products, and ``κ = f κ0 − g γ`` is orthogonal to γ [MacDonnell 1997 §12.3]."""
    gaps = []
    steer = np.eye(7)[6]
    for s, _ in flows(exhibit.system, exhibit.parameters):
        alpha, gamma, weights = s.xi - s.theta, cart_gamma(_place(s), s), masses(s)
        motion = np.array([getattr(s, f"{n}dot") for n in NAMES])
        kappa = first(alpha, s) * steer - second(alpha, s) * gamma
        gaps += [motion - s.Omega * gamma - s.v * steer, gamma @ (weights * gamma) / first(alpha, s) - 1]
        gaps += [steer @ (weights * gamma) / second(alpha, s) - 1, kappa @ (weights * gamma), gamma[6] - gamma[0]]
    return bounded("q' = Ω γ + v κ0, K(γ, γ) = f, K(κ0, γ) = g, γα = 0", largest(gaps), 1e-12)


def not_flat(exhibit: Exhibit) -> Finding:
    """``K(κ, [κ, γ])`` by the bracket of the fields against ``f(f g' − ½ g f')``, and neither vanishes [§12.4]."""
    gaps, sizes = [], []
    for s, _ in flows(exhibit.system, exhibit.parameters):
        q = _place(s)

        def kappa(q: Vector, s: Any = s) -> Vector:
            alpha = q[6] - q[0]
            return first(alpha, s) * np.eye(7)[6] - second(alpha, s) * cart_gamma(q, s)

        def gamma(q: Vector, s: Any = s) -> Vector:
            return cart_gamma(q, s)

        alpha = s.xi - s.theta
        f, g = first(alpha, s), second(alpha, s)
        df, dg = (np.imag(k(alpha + 1j * STEP, s)) / STEP for k in (first, second))
        found = kappa(q) @ (masses(s) * bracket(kappa, gamma, q))
        gaps.append(found / (f * (f * dg - g * df / 2)) - 1)
        sizes.append(abs(found) / (f**2 * s.JD * s.r))
    good = largest(gaps) < 1e-10 and min(sizes) > 1e-2
    evidence = "|K(κ, [κ, γ])|/(f² J_D r), least of 5 states"
    return Finding("the symmetry is not flat", "holds" if good else "fails", float(min(sizes)), evidence)


def second_integral(exhibit: Exhibit) -> Finding:
    """Energy is ``½(f − J_D r² sin²α)Ω² + ½J_D ξ̇²``, and ξ̇ is constant."""
    moving = flows(exhibit.system, exhibit.parameters)

    def part(s: Any) -> Any:
        alpha = s.xi - s.theta
        return (first(alpha, s) - s.JD * s.r**2 * np.sin(alpha) ** 2) * s.Omega**2

    def whole(s: Any) -> Any:
        motion = np.array([getattr(s, f"{n}dot") for n in NAMES])
        return motion @ (masses(s) * motion)

    same = largest((part(s) + s.JD * s.xidot**2) / whole(s) - 1 for s, _ in moving)
    turning = largest_gap(moving, lambda s: s.xi - s.theta, lambda s, r: s.xidot - s.r * np.sin(s.xi - s.theta) * s.Omega)
    return bounded("(f − J_D r² sin²α) Ω² is constant", max(same, turning, largest_rate(moving, part)), 1e-12)


def quadrature(exhibit: Exhibit) -> Finding:
    """``α̇ = ξ̇ − r sin α Ω(α)`` with Ω(α) by the integral, alone in one unknown and integrated by SciPy, against a run."""
    from scipy.integrate import solve_ivp

    from nonholo.integrate.motion.simulate import simulate

    ((s, _),) = at_states(exhibit.system, exhibit.parameters, [exhibit.start])
    level = (first(s.xi - s.theta, s) - s.JD * s.r**2 * np.sin(s.xi - s.theta) ** 2) * s.Omega**2

    def speed(alpha: Any) -> Any:
        return np.sqrt(level / (first(alpha, s) - s.JD * s.r**2 * np.sin(alpha) ** 2))

    run = simulate(exhibit.system, exhibit.start, exhibit.until, exhibit.parameters, rtol=1e-12, atol=1e-13)
    t = run.data["t"].values

    def change(t: float, y: Vector) -> list[Any]:
        return [s.xidot - s.r * np.sin(y[0]) * speed(y[0])]

    exact = solve_ivp(change, (0, t[-1]), [s.xi - s.theta], "DOP853", t, rtol=1e-12, atol=1e-13)
    alpha = run.data["xi"].values - run.data["theta"].values
    gap = largest((alpha - exact.y[0], run.data["Omega"].values - speed(exact.y[0])))
    return bounded("α and Ω along a run by one quadrature", gap, 1e-8)


FACTS = (
    Fact("J_D ξ' is constant", f"{SOURCE} §12.4", steering),
    Fact("the wheels roll: each contact point is at rest", f"{SOURCE} (12.2)–(12.5)", wheels),
    Fact("q' = Ω γ + v κ0 with K(γ, γ) = f(α), K(κ0, γ) = g(α)", f"{SOURCE} §12.3", basis),
    Fact("flatness fails: K(κ, [κ, γ]) = f (f g' − g f'/2) ≠ 0", f"{SOURCE} §12.4", not_flat),
    Fact("(f − J_D r² sin²α) Ω² is constant", "energy less J_D ξ'²/2", second_integral),
    Fact("α by one quadrature: α' = ξ' − r sin α Ω(α)", "closed form", quadrature),
)
