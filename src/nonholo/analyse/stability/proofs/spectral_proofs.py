"""Proofs by the spectrum [Lyapunov 1892; Malkin; Zenkov, Bloch and Marsden 1998]."""

from __future__ import annotations

import numpy as np

from nonholo.analyse.stability.proofs.proof_registry import (
    ASYMPTOTIC,
    PARTIAL,
    STABLE,
    UNSTABLE,
    Proof,
    Situation,
    proof,
    times,
)
from nonholo.analyse.stability.spectrum import number


@proof("Lyapunov's first method", place=10)
def positive_eigenvalue(situation: Situation) -> Proof | None:
    """Unstable when an eigenvalue lies to the right of the imaginary axis."""
    values = situation.parts.values
    if not len(values) or values[0].real <= situation.limit:
        return None
    return Proof(UNSTABLE, f"the eigenvalue {number(values[0])} has a positive real part (Lyapunov's first method)")


@proof("Lyapunov–Malkin theorem", place=20)
def lyapunov_malkin(situation: Situation) -> Proof | None:
    """All real parts are negative but for zeros that are exactly those of the family: motions tend to its members."""
    parts, family, modulo = situation.parts, situation.family, situation.modulo
    values = parts.values
    if not len(values) or not np.all(values.real < -situation.limit) or parts.zeros != family or len(parts.chain) > 1:
        return None
    slowest = f"the slowest mode decays at {-values[0].real:.6g}"
    if not family:
        return Proof(ASYMPTOTIC, f"all eigenvalues{modulo} have negative real parts; {slowest}")
    exact = (
        f"the {times(parts.zeros, 'eigenvalue')} zero{modulo} {'is' if parts.zeros == 1 else 'are'} exactly the "
        "family's, all others have negative real parts (Lyapunov–Malkin theorem)"
    )
    return Proof(PARTIAL, f"disturbances decay, and the motion tends to a member of the same family; {slowest}", exact)


@proof("all neighbours are steady", place=30)
def steady_neighbours(situation: Situation) -> Proof | None:
    """The family and the symmetry fill a neighbourhood, so that nothing departs."""
    parts = situation.parts
    if len(parts.values) or parts.zeros != situation.family or len(parts.chain) > 1:
        return None
    return Proof(STABLE, "every state nearby is itself such a motion: there is nothing but the family and the symmetry")
