"""Suslov's problem in n dimensions: a body that turns only in the planes that hold its last axis."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import symbol
from nonholo.errors import ModelError
from nonholo.finding import Finding, bounded
from nonholo.gallery._along import at_states, largest, largest_gap, largest_rate
from nonholo.gallery._rigid import quadratic_flow
from nonholo.gallery._sleigh import coadjoint
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Trace
from nonholo.geometry.groups.lie_algebra import LieAlgebra, constants_of_matrices
from nonholo.model.system import System

TITLE = "Suslov problem on so(n)"
GROUP = "Bloch–Marsden–Zenkov"
PAPERS = "BMZ 2009 §5, (5.4); Notices 2005 (14); Zenkov and Bloch 2000"

Vector = Any
MOST = 7


def exhibit(n: int = 4) -> Exhibit:
    """``Ω_ij = 0`` for i, j < n; mass tensor with diagonal ``J1 … Jn`` and products ``d1 … d(n−1)`` with the last axis."""
    if not isinstance(n, int) or isinstance(n, bool) or not 3 <= n <= MOST:
        raise ModelError(f"suslov-n: n = {n!r}; give a whole number from 3 to {MOST}.")
    pairs = _pairs(n)
    names = [_rate(i, j) for i, j in pairs]
    values = {f"J{i}": round(0.5 + 0.2 * i + 0.03 * i**2, 3) for i in range(1, n + 1)}
    values |= {f"d{i}": round(0.6 * (-1) ** i / i + 0.23, 3) for i in range(1, n)}
    matrices = [_turn(n, i, j) for i, j in pairs]
    free = [_rate(i, n) for i in range(1, n)]
    return Exhibit(
        name="suslov-n",
        title=TITLE,
        group=GROUP,
        system=System(
            name=f"Suslov problem on so({n})",
            frame=LieAlgebra(constants_of_matrices(matrices), rates=" ".join(names)),
            parameters=" ".join(values),
            lagrangian=_energy(n),
            constraints=[name for name in names if name not in free],
        ),
        parameters=values,
        start={name: round(0.9 / (k + 1) - 0.3 * k, 3) for k, name in enumerate(free)},
        until=40.0,
        references=(
            "BMZ 2009, §5, (5.4)–(5.6)",
            "Notices 2005, (12)–(16)",
            "Zenkov and Bloch 2000",
            "Fedorov and Kozlov 1995",
        ),
        units={**dict.fromkeys(values, "kg m²"), **dict.fromkeys(names, "rad/s")},
        facts=(
            Fact("(J + J_n) ω̇ = (d·ω) ω − |ω|² d", "worked out by hand from Ṁ = [M, Ω] + Λ", reduced),
            Fact("the Euler–Poincaré–Suslov equations in matrices", "BMZ 2009 (5.4)", in_matrices),
            Fact("d·Kω never grows", "Cauchy–Schwarz", monotone),
            Fact("the motion ends in a steady turning along −d", "Zenkov and Bloch 2000", limits),
            Fact("volume is preserved only without products of inertia", "BMZ 2009 Theorem 5.2", divergence),
        ),
        drawing=Drawing(
            bodies=(
                Body("arrow", ("0", "0", "0"), size=dict(zip("xyz", [*free, "0"][:3])), colour="firebrick", label="ω"),
                Body(
                    "arrow",
                    ("0", "0", "0"),
                    size=dict(zip("xyz", [*(f"d{i}" for i in range(1, n)), "0"][:3])),
                    colour="black",
                    label="d",
                ),
            ),
            traces=(Trace(_first_three(free), "ω"),),
            ground="none",
            plots=tuple(("t", name) for name in free),
        ),
        story=(
            "The same body in n dimensions, free to turn only in the planes through its last axis. Whatever the dimension, it "
            "falls from one steady turning to the opposite one, along the direction of its products of inertia."
        ),
    )


def _rate(i: int, j: int) -> str:
    return f"w{i}{j}"


def _pairs(n: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(1, n + 1) for j in range(i + 1, n + 1)]


def _turn(n: int, i: int, j: int) -> Vector:
    matrix = np.zeros((n, n), dtype=int)
    matrix[i - 1, j - 1], matrix[j - 1, i - 1] = 1, -1
    return matrix


def _first_three(names: list[str]) -> tuple[str, str, str]:
    one, two, three = [*names, "0"][:3]
    return (one, two, three)


def _energy(n: int) -> Any:
    """``½ tr(Ω J Ωᵀ)``: the kinetic energy of a body with mass tensor J."""

    def spin(i: int, j: int) -> Any:
        return symbol(_rate(i, j)) if i < j else -symbol(_rate(j, i)) if i > j else se.Integer(0)

    def mass(i: int, j: int) -> Any:
        if i == j:
            return symbol(f"J{i}")
        return symbol(f"d{min(i, j)}") if n in (i, j) else se.Integer(0)

    every = range(1, n + 1)
    return sum(spin(a, b) * mass(b, c) * spin(a, c) for a in every for b in every for c in every) / 2


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
