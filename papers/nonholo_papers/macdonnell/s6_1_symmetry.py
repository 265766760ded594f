"""§6.1: group symmetry, and what it does to the Lagrangian and to trajectories."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, identity, moving, vanish, worst
from nonholo_papers.macdonnell import _systems as systems
from nonholo_papers.macdonnell._action import acted, pushed
from nonholo_papers.macdonnell._so3_bundle import Bundle, places
from nonholo_papers.section import Section
from nonholo_papers.spectral import slope as slope_along

Array = Any
section = Section("macdonnell", "6.1 Definition of group symmetry")
section.rest("restates Definition 3.5.1", 188)
section.rest("definition", "Definition 6.1.1", "Definition 6.1.2")


def _energy(bundle: Bundle, q: Array, v: Array) -> float:
    return float(v @ bundle.metric(q) @ v / 2 - bundle.height(q))


@lru_cache
def _places() -> tuple[SimpleNamespace, ...]:
    return (*places(systems.GENERIC), *places(systems.LEANING))


@section.confirmed("Proposition 6.1.1", (189, "Proposition 6.1.1"))
def natural() -> Evidence:
    """L is invariant exactly if K and U are: both are read off L(sτ) at two s, and each alone, if changed, is seen in L."""

    def terms(s: SimpleNamespace) -> list[Any]:
        there, way = acted(s.q), pushed(s.q, s.v)

        def parts(q: Array, v: Array) -> Array:
            one, two = _energy(s.bundle, q, v), _energy(s.bundle, q, 2 * v)
            return np.array([one, (two - one) * 2 / 3, (two - 4 * one) / 3])  # L, K(τ, τ), U from L alone

        own = np.array([s.v @ s.metric @ s.v, -_energy(s.bundle, s.q, 0 * s.v)])  # K(τ, τ) and U
        return [np.append(parts(there, way), parts(s.q, s.v)[1:]), -np.append(parts(s.q, s.v), own)]

    found = identity(_places(), terms)
    broken = []
    for s in _places():
        there, way = acted(s.q), pushed(s.q, s.v)
        tilt = abs(np.cos(there[-2]) - np.cos(s.q[-2]))  # a potential of the attitude
        bent = abs(way[-1] ** 2 - s.v[-1] ** 2)  # a kinetic energy that is not invariant
        broken += [tilt, bent]
    return Evidence(
        found.printed, None, min(found.mutant or 0, *broken), "l_g: W → gW with one generic g, Tl_g by differentiation"
    )


@section.misprint(
    "Proposition 6.1.1, proof",
    190,
    right=r"\frac{1}{2}s^2 K(Tl_g(\tau),Tl_g(\tau)) - U \circ l_g \circ \pi(\tau) = \frac{1}{2}s^2 K(\tau,\tau) - U \circ "
    r"\pi(\tau)",
    harm=1,
    breaks="The sides are not L(sTl_g τ) and L(sτ) but energies; the conclusion is the same.",
    kind="slip",
)
def proof() -> Evidence:
    """L∘Tl_g(sτ) = L(sτ) written out has −U on both sides, printed +U."""

    def terms(s: SimpleNamespace, sign: int) -> list[Any]:
        factor, there = 1.7, acted(s.q)
        kinetic = [
            factor**2 * float(w @ s.bundle.metric(q) @ w) / 2 for q, w in ((s.q, s.v), (there, pushed(s.q, s.v)))
        ]
        heights = [sign * float(s.bundle.height(q)) for q in (s.q, there)]
        values = [_energy(s.bundle, q, factor * w) for q, w in ((s.q, s.v), (there, pushed(s.q, s.v)))]
        return [np.array(values), -np.array(kinetic), -np.array(heights)]

    return identity(_places(), lambda s: terms(s, 1), lambda s: terms(s, -1))


@section.confirmed("§6.1, FL is equivariant", (191, 192, 193))
def equivariant() -> Evidence:
    """⟨FL∘Tl_g(τ), Tl_g(ρ)⟩ = ⟨FL(τ), ρ⟩."""

    def terms(s: SimpleNamespace) -> list[Any]:
        rho = np.cos(np.arange(len(s.q)) + 0.3)
        there, way, other = acted(s.q), pushed(s.q, s.v), pushed(s.q, rho)
        one = slope_along(lambda h: _energy(s.bundle, there, way + h * other), 0.3, 6)
        two = slope_along(lambda h: _energy(s.bundle, s.q, s.v + h * rho), 0.3, 6)
        return [np.array([one, two]), -np.array([two, s.v @ s.metric @ rho])]

    return identity(_places(), terms)


@section.confirmed(
    "Proposition 6.1.2",
    "Proposition 6.1.2",
    printed=r"\text{the action of a symmetry group takes trajectories to trajectories}",
)
def trajectories() -> Evidence:
    """The witness's accelerations at (l_g q, Tl_g q̇) are those of l_g(q(t))."""
    from nonholo.derive.multipliers import multipliers

    largest, other = 0.0, 1.0
    for bundle in (systems.GENERIC, systems.LEANING):
        equations = multipliers(bundle.system())
        for s in places(bundle):
            there, way = acted(s.q), pushed(s.q, s.v)

            def double(h: float, s: SimpleNamespace = s) -> Array:
                return pushed(s.q + h * s.v, s.v + h * s.a)

            def rates(v: Array, names: Any = bundle.coordinates, there: Array = there, e: Any = equations) -> Array:
                state = dict(zip(names, there)) | {f"{n}dot": x for n, x in zip(names, v)}
                return np.array([e.rates(state, {})[f"{n}dot"] for n in names])

            wanted = slope_along(double, 0.01, 10)
            largest = worst(largest, gap(rates(way), wanted))
            other = min(other, gap(rates(1.1 * way), wanted))
    return Evidence(largest, None, other, "l_g: W → gW with one generic g; the mutant is another velocity")


@section.confirmed("§6.1, the constrained particle", (194, 195, 196), exhibits=("constrained-particle",))
def particle() -> Evidence:
    """L = ½(ẋ² + ẏ² + ż²) and ż = yẋ are kept by (x + Δx, y, z + Δz), and not by a shift of y."""

    def constraint(q: Array, v: Array) -> float:
        return float(v[2] - q[1] * v[0])

    def change(way: Array) -> float:
        q, v = np.array([0.3, 0.8, -0.4]), np.array([1.1, -0.6, 0.9])

        def shift(p: Array) -> Array:
            return np.add(p, way)

        lifted = slope_along(lambda h: shift(q + h * v), 0.1, 8)
        return abs(constraint(shift(q), lifted) - constraint(q, v)) + abs(float(lifted @ lifted - v @ v) / 2)

    moves = vanish(
        moving("constrained-particle"),
        lambda s: constraint(np.array([s.x, s.y, s.z]), np.array([s.xdot, s.ydot, s.zdot])),
    )
    kept = worst(moves.printed, change(np.array([0.7, 0.0, -0.3])))
    return Evidence(kept, None, change(np.array([0.0, 0.5, 0.0])), "the constraint of the exhibit; the mutant shifts y")
