"""Asymptotic stability by the spectrum, also along a family [Lyapunov 1892; Malkin; Zenkov, Bloch and Marsden 1998]."""

from __future__ import annotations

import numpy as np

from nonholo.analyse.stability.proofs.proof_registry import ASYMPTOTIC, PARTIAL, Proof, Situation, proof, times


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
