"""Car with n trailers: published facts and closed forms, with their tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.gallery.n_trailer import SOURCE, trailers
from nonholo_papers.facts._random_states import flows, largest, largest_gap


def _count(exhibit: Exhibit) -> int:
    return len(exhibit.system.coordinates) - 3


def kinematics(exhibit: Exhibit) -> Finding:
    """With ``φ_i = θ_{i−1} − θ_i``."""
    gaps = []
    for s, r in flows(exhibit.system, exhibit.parameters):
        speed = s.v
        for i in range(1, _count(exhibit) + 1):
            bend = getattr(s, f"theta{i - 1}") - getattr(s, f"theta{i}")
            gaps.append(getattr(r, f"theta{i}") - speed * np.sin(bend) / s.l)
            speed *= np.cos(bend)
    return bounded("the kinematics of every trailer", largest(gaps), 1e-11)


def turning(exhibit: Exhibit) -> Finding:
    """Turning the car alone moves no trailer (each is hitched at an axle), so only the car's inertia enters."""
    moving = flows(exhibit.system, exhibit.parameters)
    worst = largest((s.J + s.M * s.a**2) * r.omega + s.M * s.a * s.omega * s.v for s, r in moving)
    return bounded("(J + M a²) ω' = −M a ω v", worst, 1e-11)


def pulling(exhibit: Exhibit) -> Finding:
    """``μ = M + Σ (m Π_{j≤i} cos²φ_j + (K/l²) sin²φ_i Π_{j<i} cos²φ_j)``: twice the energy at ω = 0, v = 1."""
    n = _count(exhibit)

    def felt(s: Any) -> Any:
        total, carried = s.M, 1.0
        for i in range(1, n + 1):
            bend = getattr(s, f"theta{i - 1}") - getattr(s, f"theta{i}")
            total = total + s.K / s.l**2 * np.sin(bend) ** 2 * carried
            carried = carried * np.cos(bend) ** 2
            total = total + s.m * carried
        return total

    moving = flows(exhibit.system, exhibit.parameters)
    # d/dt (√μ v) = (μ v̇ + μ̇ v/2)/√μ
    gap = largest_gap(
        moving, lambda s: np.sqrt(felt(s)) * s.v, lambda s, r: s.M * s.a * s.omega**2 / np.sqrt(felt(s))
    )
    return bounded("d(√μ v)/dt = M a ω²/√μ", gap, 1e-11)


def straight(exhibit: Exhibit) -> Finding:
    """The linearised bends and turning, by central differences of the rates, against the closed eigenvalues."""
    from nonholo.derive.hamel import hamel

    n, p, v, step = _count(exhibit), exhibit.parameters, 1.3, 1e-5
    equations = hamel(exhibit.system)
    names = [f"theta{i}" for i in range(n + 1)]

    def flow(bends: np.ndarray, omega: float) -> np.ndarray:
        angles = dict(zip(names, (-np.concatenate([[0.0], np.cumsum(bends)])).tolist()))
        r = equations.rates({**angles, "x": 0.0, "y": 0.0, "v": v, "omega": omega}, p)
        return np.array([*(r[names[i]] - r[names[i + 1]] for i in range(n)), r["omega"]])

    columns = []
    for k in range(n + 1):
        moved = np.eye(n + 1)[k] * step
        columns.append((flow(moved[:n], moved[n]) - flow(-moved[:n], -moved[n])) / (2 * step))
    found = np.sort(np.linalg.eigvals(np.array(columns).T).real)
    exact = np.sort([-p["M"] * p["a"] * v / (p["J"] + p["M"] * p["a"] ** 2), *[-v / p["l"]] * n])
    steady = largest([flow(np.zeros(n), 0.0)])
    # n equal eigenvalues in one block: a change δ of the matrix moves them by about δ^(1/n)
    characteristic = largest([np.poly(found) - np.poly(exact)])
    return bounded("characteristic polynomial", max(characteristic, steady), 1e-6)


def growth(exhibit: Exhibit) -> Finding:
    """One dimension for each bracket; two trailers with the first across the car need five steps (Fibonacci's F₅)."""
    from nonholo.geometry.distributions.distribution import Distribution, growth_vector
    from nonholo.model.velocities.admissible import constraint_rows

    def allowed(n: int) -> Distribution:
        system = trailers(n)
        return Distribution(system.frame, rows=constraint_rows(system).slopes, parameters=tuple(system.parameters))

    n = _count(exhibit)
    found = growth_vector(allowed(n))
    folded = {"theta0": 0.3 + np.pi / 2, "theta1": 0.3, "theta2": -0.2, "x": 0.1, "y": 0.4}
    slow = growth_vector(allowed(2), {**folded, **exhibit.parameters})
    good = found == tuple(range(2, n + 4)) and slow == (2, 3, 4, 4, 5)
    return Finding("growth vectors", "holds" if good else "fails", found, f"two trailers, the first across the car: {slow}")


FACTS = (
    Fact("v_i = v_{i−1} cos φ_i and θ̇_i = v_{i−1} sin φ_i/l", "Laumond 1991; Sørdalen 1993", kinematics),
    Fact("(J + M a²) ω̇ = −M a ω v: the trailers do not turn the car", "by hand", turning),
    Fact("μ v̇ + μ̇ v/2 = M a ω² with μ(φ) the mass the car feels", "by hand", pulling),
    Fact("two speeds reach everything: growth (2, 3, …, n + 3), slower when folded", "Laumond 1991; Jean 1996", growth),
    Fact("going straight decays as −v/l (n times) and −M a v/(J + M a²)", f"cf. {SOURCE}", straight),
)
