"""Counts of dimensions tried by numbers: ranks of constraints at random states, and tangent spaces of a long motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonholo.algebra.calculus import jacobian
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.symmetry.judgement.correlation_dimension import beyond, filled
from nonholo.symmetry.witness.confirmation import Claim, Contradiction, trial
from nonholo.symmetry.witness.multiplier_flow import MultiplierFlow, NoTrial

STATES = 3
HIGHEST = 2
"""Curves and surfaces are tried; a motion is too short to show its neighbours in more dimensions."""
BEYOND = 0.1
"""A share of the spread of neighbours across the claimed dimension above this contradicts it; it is 1/3 or more where a motion
fills one more."""


@dataclass(frozen=True)
class VelocitiesFree(Claim):
    """So many velocities are free."""

    count: int


@trial(VelocitiesFree)
def rank_of_slopes(flow: MultiplierFlow, claim: VelocitiesFree) -> Contradiction | None:
    """The rank of the slopes of all constraints in the velocities, at random admissible states."""
    residuals = constraint_rows(flow.plain).residuals
    rows = flow.starts(STATES, 61)
    left = len(flow.v)
    if residuals:
        slopes = flow.observed([e for row in jacobian(residuals, flow.v) for e in row])(rows)
        if not np.all(np.isfinite(slopes)):
            raise NoTrial("the constraints are singular there")
        sizes = np.linalg.svd(slopes.reshape(len(rows), len(residuals), -1), compute_uv=False)
        left -= int(np.max(np.sum(sizes > 1e-9 * sizes[:, :1], axis=1)))
    gap = float(abs(left - claim.count))
    words = f"at random states {left} velocities are free, by the rank of the constraints"
    return Contradiction(gap, 0.0, words) if gap else None


@dataclass(frozen=True)
class FillsAtMost(Claim):
    """The motion from a start fills no more than so many dimensions in the space of these quantities."""

    dimension: int
    quantities: tuple[str, ...]
    angles: tuple[str, ...]
    start: FrozenMap[str, float]


@trial(FillsAtMost)
def long_motion(flow: MultiplierFlow, claim: FillsAtMost) -> Contradiction | None:
    """The tangent spaces at states of a long motion, by their neighbours, where it comes back."""
    if claim.dimension > HIGHEST:
        raise NoTrial("too many dimensions")
    found = filled(flow.system, dict(claim.start), flow.values, claim.quantities, claim.angles)
    if found.states is None:
        raise NoTrial(found.words)
    share = beyond(found.states, claim.dimension)
    words = f"neighbours on a long motion spread across {claim.dimension} dimension{'s' if claim.dimension > 1 else ''}"
    return Contradiction(share, BEYOND, words) if share > BEYOND else None
