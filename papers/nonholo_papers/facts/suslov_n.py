"""Suslov problem on so(n): published facts and closed forms, with their tests."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.gallery.suslov_n import Vector, _pairs, _rate, _turn
from nonholo.geometry.groups.lie_algebra import constants_of_matrices
from nonholo_papers.facts._lie_algebra import coadjoint, quadratic_flow
from nonholo_papers.facts._random_states import at_states, largest, largest_gap, largest_rate


def _size(exhibit: Exhibit) -> int:
    return sum(name.startswith("J") for name in exhibit.parameters)


def _body(exhibit: Exhibit) -> tuple[Vector, Vector]:
    """``K = diag(J_i + J_n)`` and ``d``."""
    n, v = _size(exhibit), exhibit.parameters
    return np.array([v[f"J{i}"] + v[f"J{n}"] for i in range(1, n)]), np.array([v[f"d{i}"] for i in range(1, n)])


def _free(exhibit: Exhibit) -> list[str]:
    n = _size(exhibit)
    return [_rate(i, n) for i in range(1, n)]


def _omega(exhibit: Exhibit, s: Any) -> Vector:
    return np.array([getattr(s, name) for name in _free(exhibit)])


def _moving(exhibit: Exhibit, count: int = 5) -> list[Any]:
    """Generic states with their rates; directly, since the exponential chart of so(n) grows quickly."""
    random = np.random.default_rng(6)
    states = [{name: random.uniform(-1, 1) for name in _free(exhibit)} for _ in range(count)]
    return at_states(exhibit.system, exhibit.parameters, states)


def right_side(K: Vector, d: Vector, omega: Vector) -> Vector:
    """``ω̇ = K⁻¹ ((d·ω) ω − |ω|² d)``."""
    return ((d @ omega) * omega - (omega @ omega) * d) / K


def reduced(exhibit: Exhibit) -> Finding:
    """The n − 1 free components ``ω_i = Ω_in``."""
    K, d = _body(exhibit)
    gap = largest_gap(
        _moving(exhibit),
        lambda s: _omega(exhibit, s),
        lambda s, r: right_side(K, d, _omega(exhibit, s)),
    )
    return bounded("K ω' = (d·ω) ω − |ω|² d", gap, 1e-11, f"n = {_size(exhibit)}, 5 generic states")


def in_matrices(exhibit: Exhibit) -> Finding:
    """``Ṁ − [M, Ω]`` with ``M = JΩ + ΩJ`` vanishes in the last row and column: reactions act in the other planes only."""
    n, v = _size(exhibit), exhibit.parameters
    mass = np.diag([v[f"J{i}"] for i in range(1, n + 1)])
    mass[:-1, -1] = mass[-1, :-1] = [v[f"d{i}"] for i in range(1, n)]

    def matrix(s: Any) -> Vector:
        return sum(getattr(s, _rate(i, j)) * _turn(n, i, j) for i, j in _pairs(n))

    gaps = []
    for s, r in _moving(exhibit):
        spin, change = matrix(s), matrix(r)
        momentum = mass @ spin + spin @ mass
        residual = mass @ change + change @ mass - (momentum @ spin - spin @ momentum)
        gaps.append(residual[:, -1])
    algebra = np.array(constants_of_matrices([_turn(n, i, j) for i, j in _pairs(n)]))
    for s, _ in _moving(exhibit, 1):
        # the same in components: p_B = ½ tr-pairing of M with the basis, ad* from the structure constants
        spin = matrix(s)
        momentum = mass @ spin + spin @ mass
        p = np.array([momentum[i - 1, j - 1] for i, j in _pairs(n)])
        velocity = np.array([getattr(s, _rate(i, j)) for i, j in _pairs(n)])
        bracket = momentum @ spin - spin @ momentum
        gaps.append(coadjoint(algebra, velocity, p) - np.array([bracket[i - 1, j - 1] for i, j in _pairs(n)]))
    return bounded("M' = [M, Ω] + Λ", largest(gaps), 1e-11, "5 generic states")


def monotone(exhibit: Exhibit) -> Finding:
    """``d/dt (d·Kω) = (d·ω)² − |d|²|ω|² ≤ 0``; the energy ``½ ω·Kω`` is constant."""
    K, d = _body(exhibit)
    moving = _moving(exhibit)

    def expected(s: Any, r: Any) -> Any:
        omega = _omega(exhibit, s)
        return (d @ omega) ** 2 - (d @ d) * (omega @ omega)

    gap = largest_gap(moving, lambda s: d @ (K * _omega(exhibit, s)), expected)
    energy = largest_rate(moving, lambda s: _omega(exhibit, s) @ (K * _omega(exhibit, s)))
    return bounded("d·Kω falls by |d|²|ω|² − (d·ω)²", max(gap, energy), 1e-11)


def limits(exhibit: Exhibit) -> Finding:
    """``ω → ∓ d sqrt(2E/(d·Kd))`` for t → ±∞."""
    from nonholo.integrate.motion.simulate import simulate

    K, d = _body(exhibit)
    omega = np.array([exhibit.start[name] for name in _free(exhibit)])
    size = sqrt(omega @ (K * omega) / (d @ (K * d)))
    gaps = []
    for until in (300.0, -300.0):
        run = simulate(exhibit.system, exhibit.start, until, exhibit.parameters, rtol=1e-11, atol=1e-13, t_eval="end")
        found = np.array([run.final[name] for name in _free(exhibit)])
        gaps.append(found + np.sign(until) * size * d)
    return bounded("ω → ∓ d sqrt(2E/(d·Kd))", largest(gaps), 1e-8, "at ±300 s")


def divergence(exhibit: Exhibit) -> Finding:
    """``div ω̇ = Σ_i (d·ω − d_i ω_i)/K_i``, zero for every ω exactly when d = 0."""
    from nonholo.derive.hamel import hamel

    K, d = _body(exhibit)
    equations = hamel(exhibit.system)
    names = _free(exhibit)
    omega = np.random.default_rng(3).uniform(-1, 1, len(names))
    gaps = []
    for scale in (1.0, 0.0):
        values = {**exhibit.parameters, **{f"d{i + 1}": scale * e for i, e in enumerate(d)}}

        def flow(z: Vector, values: dict[str, float] = values) -> Vector:
            found = equations.rates(dict(zip(names, z)), values)
            return np.array([found[name] for name in names])

        trace = np.trace(quadratic_flow(flow, len(names))(omega))
        wanted = scale * float(np.sum((d @ omega - d * omega) / K))
        gaps.append(trace - wanted)
    return bounded("the divergence is Σ (d·ω − d_i ω_i)/K_i", largest(gaps), 1e-12)


FACTS = (
    Fact("(J + J_n) ω̇ = (d·ω) ω − |ω|² d", "worked out by hand from Ṁ = [M, Ω] + Λ", reduced),
    Fact("the Euler–Poincaré–Suslov equations in matrices", "BMZ 2009 (5.4)", in_matrices),
    Fact("d·Kω never grows", "Cauchy–Schwarz", monotone),
    Fact("the motion ends in a steady turning along −d", "Zenkov and Bloch 2000", limits),
    Fact("volume is preserved only without products of inertia", "BMZ 2009 Theorem 5.2", divergence),
)
