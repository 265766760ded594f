"""A mode tried by a small motion: near a state of rest a disturbance along it must follow its eigenvalue."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.symmetry.witness.confirmation import Claim, Contradiction, trial
from nonholo.symmetry.witness.multiplier_flow import MultiplierFlow, NoTrial

SMALL = 1e-5
REST = 1e-6
OFF = 1e-3
"""Relative to the disturbance; what is not linear in it is of the size of `SMALL`."""


@dataclass(frozen=True)
class Eigenvalues(Claim):
    """The linear flow at a state of rest, given by name in the chart, has these eigenvalues."""

    state: FrozenMap[str, float]
    values: tuple[complex, ...]


@trial(Eigenvalues)
def small_motion(flow: MultiplierFlow, claim: Eigenvalues) -> Contradiction | None:
    """The flow after a short time, linearised by differences of small motions: its eigenvalues are ``exp(λ T)``."""
    if flow.algebra:
        raise NoTrial("there are no coordinates to disturb")
    row = flow.row_of(claim.state)
    if np.max(np.abs(flow.rates(row)[:, :-1])) > REST:
        raise NoTrial("the state does not rest")
    edges = flow.tangents(row)
    count = edges.shape[1]
    sides = SMALL * np.hstack([edges.T, np.zeros((count, 1))])
    rows = flow.onto_constraints(np.vstack([row + sides, row - sides]))
    largest = max((abs(v) for v in claim.values), default=0.0)
    span = 0.5 / (1.0 + largest)
    end = flow.carried(rows, span)
    moved = (end.states[:count, :-1] - end.states[count:, :-1]) / (2 * SMALL)
    found = np.linalg.eigvals(edges.T @ moved.T)
    worst = max((float(np.min(np.abs(found - np.exp(v * span)))) for v in claim.values), default=0.0)
    error = end.error / SMALL
    if worst > OFF and worst > 100 * error:
        return Contradiction(worst, error, "the nearest eigenvalue of small motions is off")
    return None
