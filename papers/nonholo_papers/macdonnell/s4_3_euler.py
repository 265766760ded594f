"""§4.3, the examples: Euler's equations, body and spatial angular momentum."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import Moving, identity, moving_system, worst
from nonholo_papers.macdonnell import _euler as euler
from nonholo_papers.macdonnell._fields import towards
from nonholo_papers.macdonnell.s2_5_rigid import bodies, hat
from nonholo_papers.section import Section

Array = Any
section = Section("macdonnell", "4.3 Poincaré's equations, examples")
section.rest("restates (2.9)", 150)
MASS = 1.4
FULL = ((1.3, 0.2, -0.1), (0.2, 0.9, 0.3), (-0.1, 0.3, 1.7))
PRINCIPAL = ((1.3, 0.0, 0.0), (0.0, 0.8, 0.0), (0.0, 0.0, 1.7))


@lru_cache
def _states(inertia: tuple[tuple[float, ...], ...]) -> tuple[Moving, ...]:
    from nonholo.model.system import System

    spin = " + ".join(f"{inertia[i][j]}*{euler.BODY[i]}*{euler.BODY[j]}/2" for i in range(3) for j in range(3))
    shift = f"{MASS}*(xdot**2 + ydot**2 + zdot**2)/2"
    system = System(name="free body", coordinates="a b c x y z", lagrangian=f"{shift} + {spin}")
    return tuple(moving_system(system, {}, 3, 2))


def _omega(s: Any) -> Array:
    return euler.rates(np.array([s.a, s.b, s.c])) @ np.array([s.adot, s.bdot, s.cdot])


@section.confirmed("§4.3, Euler's equations", 151)
def euler_equations() -> Evidence:
    """Jω̇ + A(ω)Jω = 0 and mẍ = 0 (second line of the display), for any inertia matrix."""
    inertia = np.array(FULL)

    def terms(s: Moving) -> list[Any]:
        omega = _omega(s)
        return [inertia @ s.dot(_omega), hat(omega) @ inertia @ omega]

    found = identity(_states(FULL), terms, words="the multiplier witness in Euler angles")
    straight = worst(abs(s.rate(f"{n}dot")) for s in _states(FULL) for n in "xyz")
    return Evidence(worst(found.printed, straight), None, found.mutant, found.words)


@section.confirmed("§4.3, Euler's equations in components", (152, 153, 154))
def components() -> Evidence:
    """J₁ω̇₁ = (J₂ − J₃)ω₂ω₃ and so on."""
    j = np.diag(PRINCIPAL)

    def terms(s: Moving) -> list[Any]:
        w = _omega(s)
        others = np.array([(j[1] - j[2]) * w[1] * w[2], (j[2] - j[0]) * w[2] * w[0], (j[0] - j[1]) * w[0] * w[1]])
        return [j * s.dot(_omega), -others]

    return identity(_states(PRINCIPAL), terms, words="the multiplier witness in Euler angles")


def _energy(b: SimpleNamespace, wdot: Array, xdot: Array) -> float:
    """½∫ρż² from the motion of the points."""
    return float(sum(m * np.sum(np.sum([xdot, wdot @ y], axis=0) ** 2) for m, y in zip(b.mass, b.y)) / 2)


def _momenta(b: SimpleNamespace, ways: list[Array]) -> Array:
    """⟨FL, α⟩ for fields that turn the body, Ẇ = way."""
    return towards(lambda w: _energy(b, w, b.xdot), b.Wdot, ways, 0.3, 6)


@section.confirmed("§4.3, momenta of the body frame", (155, 156))
def body_momentum() -> Evidence:
    """The momentum along (WA(ε_i), 0) is ε_iᵀJω, that along (0, ε_i) is mẋ^i."""

    def terms(b: SimpleNamespace) -> list[Any]:
        turns = _momenta(b, [b.W @ hat(e) for e in np.eye(3)])
        shifts = towards(lambda x: _energy(b, b.Wdot, x), b.xdot, np.eye(3), 0.3, 6)
        return [np.concatenate([turns, shifts]), -np.concatenate([b.J @ b.omega, b.mass.sum() * b.xdot])]

    return identity(bodies(), terms, words="a cloud of points, ½∫ρż² differentiated")


@section.confirmed("§4.3, the Lagrangian and the momenta in the spatial frame", (157, 158, 159, 160))
def spatial_momentum() -> Evidence:
    """½ωᵀJω = ½νᵀWJWᵀν, and the momentum along (A(ε_i)W, 0) is ε_iᵀWJWᵀν = ε_iᵀWJω."""

    def terms(b: SimpleNamespace) -> list[Any]:
        whole = _energy(b, b.Wdot, b.xdot)
        shift = b.mass.sum() * b.xdot @ b.xdot / 2
        turns = _momenta(b, [hat(e) @ b.W for e in np.eye(3)])
        spatial = b.W @ b.J @ b.W.T
        return [
            np.array([whole - shift, whole - shift, *turns, *turns]),
            -np.array(
                [b.omega @ b.J @ b.omega / 2, b.nu @ spatial @ b.nu / 2, *(spatial @ b.nu), *(b.W @ b.J @ b.omega)]
            ),
        ]

    return identity(bodies(), terms, words="a cloud of points, ½∫ρż² differentiated")
