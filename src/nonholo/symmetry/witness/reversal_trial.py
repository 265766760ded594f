"""Reversibility tried by running a motion backwards: reversed velocities must be admissible and lead back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonholo.symmetry.witness.confirmation import Claim, Contradiction, larger, trial
from nonholo.symmetry.witness.multiplier_flow import MultiplierFlow

STARTS = 2
BACK = 1e-6


@dataclass(frozen=True)
class Reversible(Claim):
    """With reversed velocities every motion runs backwards."""


@trial(Reversible)
def backwards(flow: MultiplierFlow, claim: Reversible) -> Contradiction | None:
    """There and back again, with ``t → −t`` where the system depends on time."""
    start = flow.starts(STARTS, 97)
    span = flow.span(start)
    turn = np.array([1.0] * (0 if flow.algebra else len(flow.q)) + [-1.0] * len(flow.v) + [-1.0])
    size = 1.0 + float(np.max(np.abs(start)))
    off = float(np.max(np.abs(flow.held(start * turn)), initial=0.0)) / size
    if larger(off, 1e-12, BACK):
        return Contradiction(off, 1e-12, "reversed velocities break the constraints")
    there = flow.carried(start, span)
    back = flow.carried(there.states * turn, span)
    gap = float(np.max(np.abs((back.states * turn)[:, :-1] - start[:, :-1]))) / size
    error = there.error + back.error
    return Contradiction(gap, error, "a motion run backwards does not return") if larger(gap, error, BACK) else None
