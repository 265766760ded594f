"""Instability by an eigenvalue with a positive real part [Lyapunov 1892]."""

from __future__ import annotations

from nonholo.analyse.stability.modes import number
from nonholo.analyse.stability.proofs.proof_registry import UNSTABLE, Proof, Situation, proof


@proof("Lyapunov's first method", place=10)
def positive_eigenvalue(situation: Situation) -> Proof | None:
    """Unstable when an eigenvalue lies to the right of the imaginary axis."""
    values = situation.parts.values
    if not len(values) or values[0].real <= situation.limit:
        return None
    return Proof(UNSTABLE, f"the eigenvalue {number(values[0])} has a positive real part (Lyapunov's first method)")
