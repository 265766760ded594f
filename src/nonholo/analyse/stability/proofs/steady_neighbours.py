"""Stability where every neighbouring state is itself a steady motion."""

from __future__ import annotations

from nonholo.analyse.stability.proofs.proof_registry import STABLE, Proof, Situation, proof


@proof("all neighbours are steady", place=30)
def steady_neighbours(situation: Situation) -> Proof | None:
    """The family and the symmetry fill a neighbourhood, so that nothing departs."""
    parts = situation.parts
    if len(parts.values) or parts.zeros != situation.family or len(parts.chain) > 1:
        return None
    return Proof(STABLE, "every state nearby is itself such a motion: there is nothing but the family and the symmetry")
