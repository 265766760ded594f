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
)
from nonholo.analyse.stability.spectrum import number


@proof("Lyapunov's first method", place=10)
def positive_eigenvalue(situation: Situation) -> Proof | None:
    """Unstable when an eigenvalue lies to the right of the imaginary axis."""
    values = situation.parts.values
    if not len(values) or values[0].real <= situation.limit:
        return None
    pair = "eigenvalues" if abs(values[0].imag) > 1e-9 * abs(values[0]) else "eigenvalue"
    verb = "have" if pair == "eigenvalues" else "has"
    return Proof(UNSTABLE, f"the {pair} {number(values[0])} {verb} a positive real part (Lyapunov's first method)")


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
        f"Lyapunov–Malkin theorem:{modulo} as many eigenvalues are zero as the family has directions ({family}), "
        "and all others have negative real parts"
    )
    return Proof(PARTIAL, f"disturbances decay, and the motion tends to a member of the same family; {slowest}", exact)


@proof("all neighbours are steady", place=30)
def steady_neighbours(situation: Situation) -> Proof | None:
    """The family and the symmetry fill a neighbourhood, so that nothing departs."""
    parts = situation.parts
    if len(parts.values) or parts.zeros != situation.family or len(parts.chain) > 1:
        return None
    return Proof(STABLE, "every state nearby is itself such a motion: nothing departs")
