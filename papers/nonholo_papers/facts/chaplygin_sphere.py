"""Chaplygin sphere: published facts and closed forms, with their tests."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.chaplygin_sphere import SOURCE
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._chaplygin_time import UP, density, gyroscopic, moments, vertical
from nonholo_papers.facts._random_states import (
    Quantity,
    Vector,
    bracket,
    flows,
    largest,
    largest_gap,
    largest_rate,
    rate,
    vector,
)
from nonholo_papers.so3 import hat, matrix


def _angular(s: Any) -> Vector:
    """``C = WJω + m r e3 × ẋ``."""
    turned, w = matrix(s), vector(s, "w1", "w2", "w3")
    return turned @ (moments(s) @ w) + s.m * s.r * np.array([-s.ydot, s.xdot, 0])


def constants(exhibit: Exhibit) -> Finding:
    """``C_i = e_i·{WJω + m A(r e3) ẋ}`` [MacDonnell 1997 §13.6]."""
    worst = largest_rate(flows(exhibit.system, exhibit.parameters), _angular)
    return bounded("C_i = e_i·(WJω + m r e3 × ẋ) are constant", worst, 1e-12)


def invariants(exhibit: Exhibit) -> Finding:
    """``C = e3·WJω``, ``Σ C_i²`` and the energy: constant, and the same for the ball turned about the vertical."""
    moving = flows(exhibit.system, exhibit.parameters)

    def quantities(s: Any) -> Vector:
        w = vector(s, "w1", "w2", "w3")
        energy = w @ moments(s) @ w / 2 + s.m * (s.xdot**2 + s.ydot**2) / 2
        return np.array([UP @ matrix(s) @ moments(s) @ w, _angular(s) @ _angular(s), energy])

    gaps = []
    about = np.array([[np.cos(0.7), -np.sin(0.7), 0], [np.sin(0.7), np.cos(0.7), 0], [0, 0, 1]])
    for s, _ in moving:
        turned, shift = about @ matrix(s), about @ np.array([s.xdot, s.ydot, 0])
        entries = {f"R{i + 1}{j + 1}": turned[i, j] for i in range(3) for j in range(3)}
        other = SimpleNamespace(**{**vars(s), **entries, "xdot": shift[0], "ydot": shift[1]})
        gaps += [quantities(other) - quantities(s), _angular(other) - about @ _angular(s)]
    worst = max(largest(gaps), largest_rate(moving, quantities))
    return bounded("C, Σ C_i² and the energy are constant and invariant under turns", worst, 1e-12)


def aligned(exhibit: Exhibit) -> Finding:
    """``γ = (Wᵀe3, 0)``, ``κ⁰_i = (e_i, −r A(e3) W e_i)``: ``[γ, κ⁰_i] = (0, −r A(e3)A(e3) W e_i)``, and flatness.

    Fields live on (W, x) as 12 numbers; with ``κ_i = K(γ,γ) κ⁰_i − K(γ,κ⁰_i) γ`` flatness is
    ``K([γ, κ_i], κ_j) + K([γ, κ_j], κ_i) = 0`` [MacDonnell 1997 (7.3), Proposition 13.4.1].
    """
    s, _ = flows(exhibit.system, exhibit.parameters, 1)[0]
    inertia, axes, rise = moments(s), np.eye(3), hat(UP)

    def field(turning: Any, moving: Any) -> Any:
        def whole(q: Vector) -> Vector:
            turned = q[:9].reshape(3, 3)
            return np.concatenate([(turned @ hat(turning(turned))).ravel(), moving(turned)])

        return whole

    def product(one: Vector, two: Vector, turned: Vector) -> Any:
        spins = [turned.T @ part[:9].reshape(3, 3) for part in (one, two)]
        w, u = (np.array([k[2, 1], k[0, 2], k[1, 0]]) for k in spins)
        return w @ inertia @ u + s.m * one[9:] @ two[9:]

    gamma = field(lambda W: W.T @ UP, lambda W: 0 * W[:, 0])
    plain = [field(lambda W, e=e: e, lambda W, e=e: -s.r * rise @ W @ e) for e in axes]

    def across(k: int) -> Any:
        def whole(q: Vector) -> Vector:
            W = q[:9].reshape(3, 3)
            return product(gamma(q), gamma(q), W) * plain[k](q) - product(gamma(q), plain[k](q), W) * gamma(q)

        return whole

    W = matrix(s)
    q = np.concatenate([W.ravel(), [s.x, s.y, s.r]])
    gaps: list[Any] = []
    for k, e in enumerate(axes):
        found = bracket(gamma, plain[k], q)
        gaps += [found[:9], found[9:] + s.r * rise @ rise @ W @ e, product(gamma(q), across(k)(q), W)]
    fields = [across(k) for k in range(3)]
    inner = np.array([[product(bracket(gamma, one, q), two(q), W) for two in fields] for one in fields])
    gaps.append((inner + inner.T) / np.max(np.abs(inner)))
    return bounded("[γ, κ⁰_i] = (0, −r A(e3)A(e3)W e_i), flatness, K(γ, κ_i) = 0", largest(gaps), 1e-12)


def _contact_momentum(s: Any) -> Vector:
    """``M = Jω + m r² γ × (ω × γ)``, about the contact, in the body."""
    up, w = vertical(s), vector(s, "w1", "w2", "w3")
    return moments(s) @ w + s.m * s.r**2 * np.cross(up, np.cross(w, up))


def _carried(arrow: Quantity, s: Any, r: Any) -> Vector:
    return np.cross(arrow(s), vector(s, "w1", "w2", "w3"))


def reduced(exhibit: Exhibit) -> Finding:
    """``Ṁ = M × ω``, ``γ̇ = γ × ω`` with ``M = Jω + m r² γ × (ω × γ)`` and ``γ = Wᵀe3``; the contact's path is −rγ."""
    moving = flows(exhibit.system, exhibit.parameters)
    gaps = [largest_gap(moving, arrow, partial(_carried, arrow)) for arrow in (_contact_momentum, vertical)]
    return bounded("M' = M × ω and γ' = γ × ω", max(gaps), 1e-12)


def measure(exhibit: Exhibit) -> Finding:
    """``Σ ∂ω̇_i/∂ω_i + d/dt log ρ = 0`` with ``ρ = sqrt(1 − m r² γ·(J + m r²)⁻¹γ)``.

    The turning itself keeps the volume of SO(3); ω̇ is quadratic in ω, so unit differences give its divergence exactly.
    """
    from nonholo.derive.hamel import hamel

    values, equations = exhibit.parameters, hamel(exhibit.system)
    gaps = []
    for s, r in flows(exhibit.system, values):
        place = {n: e for n, e in vars(s).items() if n in exhibit.system.coordinates}
        spin = {n: getattr(s, n) for n in ("w1", "w2", "w3")}
        growth = 0.0
        for n in spin:
            ends = [equations.rates({**place, **spin, n: spin[n] + step}, values)[n] for step in (1.0, -1.0)]
            growth += (ends[0] - ends[1]) / 2
        gaps.append(growth + rate(lambda s: np.log(density(vertical(s), s)) / 2, s, r))
    return bounded("the divergence of the flow is −d/dt log ρ", largest(gaps), 1e-11)


def hamiltonian(exhibit: Exhibit) -> Finding:
    """With ``N = (1 − m r² γ·(J + m r²)⁻¹γ)^(−1/2)`` the gyroscopic coefficient is a function on S²: closed, Hamiltonian."""
    found, work = gyroscopic(exhibit, -0.5)
    spread = float(np.ptp(found) / np.max(np.abs(found)))
    evidence = f"coefficient {found[0]:.6g} at one place for 4 velocities; limit 1e-10"
    return bounded("in the time dτ = N dt the reduced motion is Hamiltonian", max(spread, work), 1e-10, evidence)


def misses(exhibit: Exhibit) -> Finding:
    """With N = 1 the coefficient varies with the velocity: Corollary 8.4.1 misses ``K([κ_i, κ_j]_N, κ_k) v^j v^k``."""
    found, work = gyroscopic(exhibit, 0.0)
    spread = float(np.ptp(found) / np.max(np.abs(found)))
    claim = "without the change of time the reduced motion is not Hamiltonian as printed"
    clear = spread > 0.05 and work < 1e-10
    return Finding(claim, "holds" if clear else "fails", spread, "relative spread over velocities")


def along_the_motion(exhibit: Exhibit) -> Finding:
    """The three constants along a run; with equal moments the centre goes straight at constant speed."""
    from nonholo.integrate.motion.simulate import simulate

    values = exhibit.parameters
    gaps = []
    for equal in ({}, {"J1": 0.1, "J2": 0.1, "J3": 0.1}):
        run = simulate(exhibit.system, exhibit.start, exhibit.until, {**values, **equal}, rtol=1e-11, atol=1e-13)
        data = {n: run.data[n].values for n in (*exhibit.system.coordinates, "w1", "w2", "w3", "xdot", "ydot")}
        every = ({n: e[k] for n, e in data.items()} for k in range(0, len(run.data["t"]), 20))
        momenta = np.array([_angular(SimpleNamespace(**{**values, **equal, **s})) for s in every])
        gaps.append((momenta - momenta[0]) / np.max(np.abs(momenta)))
        if equal:
            gaps += [np.ptp(data["xdot"]), np.ptp(data["ydot"])]
    return bounded("C_i along a run; a straight line for equal moments", largest(gaps), 1e-8)


FACTS = (
    Fact("the three constants C_i, angular momentum about the contact", f"{SOURCE} §13.6", constants),
    Fact("C = e3·WJω, ΣC_i² and the energy are constant and invariant", f"{SOURCE} §13.6", invariants),
    Fact("the aligned basis: [γ, κ_i], flatness, K(γ, κ_i) = 0", f"{SOURCE} Lemma 13.4.1, Prop. 13.4.1", aligned),
    Fact("reduced equations M' = M × ω, γ' = γ × ω", "Chaplygin 1903; angular momentum about the contact", reduced),
    Fact("the measure sqrt(1 − m r² γ·(J + m r²)⁻¹γ) dω dγ", "Chaplygin 1903", measure),
    Fact("on S² it is Hamiltonian in the time dτ = N dt", f"corrects {SOURCE} §13.5", hamiltonian),
    Fact("in the time t the form of Corollary 8.4.1 misses a term", f"corrects {SOURCE} Corollary 8.4.1", misses),
    Fact("the constants hold along the motion", f"{SOURCE} §13.6", along_the_motion),
)
