"""§8.5: fields on a factor of Q, lifted to D."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, worst
from nonholo_papers.macdonnell.s2_5_rigid import bodies
from nonholo_papers.section import Section
from nonholo_papers.so3 import turn

Array = Any
section = Section("macdonnell", "8.5 A helpful proposition")
RADIUS = 0.7
ANGLE, SHIFT = 0.8, np.array([0.4, -1.1])
WORDS = "a ball that rolls on a plane, Q = R² × SO(3), with the turns and shifts of the plane"


def _constraints(turned: Array) -> Array:
    """Rows on (ẋ, ẏ, ω): ẋ = r ν₂, ẏ = −r ν₁."""
    spin = turned  # ν = Wω
    return np.hstack([np.eye(2), RADIUS * np.array([-spin[1], spin[0]])])


def _lift(turned: Array, omega: Array) -> Array:
    """The τ in D with TΣ(τ) = ω, by linear algebra."""
    whole = np.vstack([_constraints(turned), np.hstack([np.zeros((3, 2)), np.eye(3)])])
    return np.linalg.solve(whole, np.concatenate([np.zeros(2), omega]))


@section.misprint(
    "Proposition 8.5.1, the hypothesis",
    "Proposition 8.5.1",
    printed=r"T\Sigma(\tau) = 0 \text{ implies } \tau = 0",
    right=r"T\Sigma(\tau) = 0 \text{ and } \tau \in D \text{ imply } \tau = 0",
    harm=2,
    breaks="As printed, for all τ, M would be a point; none of the examples would satisfy it.",
    kind="slip",
)
def hypothesis() -> Evidence:
    """TΣ is one to one on D, not on TQ."""

    def kernel(rows: Array) -> float:
        """0 if TΣ is one to one on the null space of the rows, 1 if not."""
        inside = np.linalg.svd(rows)[2][np.linalg.matrix_rank(rows) :]
        below = inside[:, 2:]
        return float(np.linalg.matrix_rank(below) < len(inside))

    everywhere = [kernel(np.zeros((1, 5))) for b in bodies()]
    on_d = [kernel(_constraints(b.W)) for b in bodies()]
    return Evidence(min(everywhere), worst(on_d), None, WORDS)


@section.confirmed("Proposition 8.5.1, the lift of an invariant field", 332)
def invariant() -> Evidence:
    """The lift ξ^D of an invariant ξ on P is invariant on Q; of one that is not invariant it is not."""
    plane = turn(3, ANGLE)

    def profile(up: Array) -> Array:
        return np.array([up[1] + 0.3, np.sin(up[0]), up[2] * up[0] - 0.5])

    def field(turned: Array) -> Array:
        """ω as a function of Wᵀe₃ alone: invariant under W → gW."""
        return profile(turned[2])

    def crooked(turned: Array) -> Array:
        return np.array([turned[0, 0], 0.4, turned[0, 1]])

    def carried(turned: Array, rule: Any) -> list[Any]:
        tau = _lift(turned, rule(turned))
        # Tl_g turns ẋ and leaves ω, which belongs to the body
        there = np.concatenate([plane[:2, :2] @ tau[:2], tau[2:]])
        return [there, -_lift(plane @ turned, rule(plane @ turned))]

    def constrained(b: SimpleNamespace) -> float:
        return float(np.max(np.abs(_constraints(b.W) @ _lift(b.W, field(b.W)))))

    found = identity(bodies(), lambda b: carried(b.W, field), mutants=[lambda b: carried(b.W, crooked)], words=WORDS)
    return Evidence(worst(found.printed, *(constrained(b) for b in bodies())), None, found.mutant, WORDS)
