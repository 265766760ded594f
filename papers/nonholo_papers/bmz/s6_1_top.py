"""§6.1: the Suslov problem on SO(3)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from nonholo_papers.bmz._algebras import SO3, covector, divergence, suslov
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving_system
from nonholo_papers.section import Section

Array = Any
section = Section("bmz", "6.1 The Suslov problem on SO(3)")
section.rest("definition", 125)


@lru_cache
def top(constrained: bool) -> tuple[Any, ...]:
    """A top with three different moments, with and without ⟨a, Ω⟩ = 0 (a generic)."""
    from nonholo.geometry.groups.matrix_groups import SO3 as rotations
    from nonholo.model.system import System

    system = System(
        name="top",
        frame=rotations("R", rates="w1 w2 w3"),
        parameters="I1 I2 I3 a1 a2 a3",
        lagrangian="I1*w1**2/2 + I2*w2**2/2 + I3*w3**2/2",
        constraints=["a1*w1 + a2*w2 + a3*w3"] if constrained else [],
    )
    values = {"I1": 1.3, "I2": 0.8, "I3": 2.1, "a1": 0.7, "a2": -0.5, "a3": 1.1}
    return tuple(moving_system(system, values))


def body_spin(s: Any) -> tuple[Array, Array, Array, Array]:
    """Ω, ℐΩ, ℐΩ', a."""
    spin, rate = (np.array([f(n) for n in ("w1", "w2", "w3")]) for f in (lambda n: getattr(s, n), s.rate))
    moments = np.array([s.I1, s.I2, s.I3])
    return spin, moments * spin, moments * rate, np.array([s.a1, s.a2, s.a3])


@section.confirmed("§6.1, Euler's equations", 124, exhibits=("euler-top",))
def euler() -> Evidence:
    """ℐΩ' = ℐΩ × Ω (rotation matrix; witness in Cardan angles)."""

    def terms(s: Any) -> list[Any]:
        spin, momentum, rate, _ = body_spin(s)
        return [rate, -np.cross(momentum, spin)]

    return identity(top(False), terms)


@section.confirmed("§6.1, the Suslov problem and its λ", (126, 127), exhibits=("suslov",))
def suslov_problem() -> Evidence:
    """ℐΩ' = ℐΩ × Ω + λa, λ = −ℐ⁻¹a·(ℐΩ × Ω)/(ℐ⁻¹a·a), with a generic a (witness in Cardan angles)."""

    def terms(s: Any) -> list[Any]:
        spin, momentum, rate, a = body_spin(s)
        turned = np.cross(momentum, spin)
        x = a * spin / momentum  # ℐ⁻¹a
        return [rate, -turned, a * (x @ turned) / (x @ a)]

    return identity(top(True), terms)


@section.confirmed("§6.1, a2 = a3 = 0 preserves the reduced volume", exhibits=("suslov",))
def eigenstate() -> Evidence:
    """A constraint along a principal axis leaves the momentum flow without divergence."""
    moments = np.diag([1.3, 0.8, 2.1])
    kept = abs(divergence(lambda z: suslov(SO3, moments, np.array([1.0, 0, 0]), z), covector(3)))
    lost = abs(divergence(lambda z: suslov(SO3, moments, np.array([1.0, 0.5, 0]), z), covector(3)))
    return Evidence(kept, mutant=lost, words="divergence by complex steps")
