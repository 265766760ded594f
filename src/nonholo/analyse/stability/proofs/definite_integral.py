"""The energy–momentum method: a combination of integrals that is definite on their level [Zenkov, Bloch and Marsden 1998]."""

from __future__ import annotations

from nonholo.analyse.stability.energy_momentum import definite
from nonholo.analyse.stability.proofs.proof_registry import FLAT, STABLE, Proof, Situation, proof, times


@proof("energy–momentum method", place=40)
def definite_integral(situation: Situation) -> Proof | None:
    """Orbitally stable when the second variation is definite; stable up to drift where it is flat along the family only."""
    found = definite(situation.flow, situation.state, situation.known, situation.parts, situation.tangent.across)
    if found is None:
        return None
    sure = "" if found.proved else "; not all integrals used are proved to be constant"
    words = f"{found.combination} has a {'minimum' if found.minimum else 'maximum'} here"
    words += " among states with the same conserved quantities" if found.level else ""
    words += ", apart from the symmetry" if situation.modulo else ""
    exact = f"{found.words} is stationary, its second variation definite on the level of the integrals{situation.modulo}"
    if found.flat:
        details = f"{exact} but for {times(found.flat, 'direction')} of the family (energy–momentum method)"
        return Proof(FLAT, f"{words}, except along the family of equilibria itself{sure}", details)
    return Proof(STABLE, f"{words}{sure}", f"{exact} (energy–momentum method)")
