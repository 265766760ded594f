"""A density tried on a simplex of neighbours: its volume, carried by the flow, times the density must not change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonholo.algebra.calculus import jacobian, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.symmetry.witness.confirmation import Claim, Contradiction, larger, trial
from nonholo.symmetry.witness.multiplier_flow import STEPS, MultiplierFlow, NoTrial, Numbers, volume_factor

SIDE = 1e-4
"""Length of the edges of the simplex: central differences make its volume good to the square of it."""
CHANGE = 1e-5
WIDE = 24
"""States of more dimensions are not tried: the simplex has twice as many neighbours as dimensions."""


@dataclass(frozen=True)
class VolumePreserved(Claim):
    """``density dx dz`` is preserved, with the frame's volume where its coordinates are redundant; ``speeds`` are z."""

    density: Expr
    speeds: tuple[str, ...]


@trial(VolumePreserved)
def carried_simplex(flow: MultiplierFlow, claim: VolumePreserved) -> Contradiction | None:
    """``ln(f · volume)`` before and after a short motion."""
    start = flow.starts(1, 89)
    edges = flow.tangents(start)
    if edges.shape[1] > WIDE:
        raise NoTrial("too many dimensions")
    sides = SIDE * np.hstack([edges.T, np.zeros((edges.shape[1], 1))])
    rows = flow.onto_constraints(np.vstack([start, start + sides, start - sides]))
    span = flow.span(start)
    before = _content(flow, claim, rows)
    after = _content(flow, claim, flow.steps(rows, span, 2 * STEPS)[-1])
    rough = _content(flow, claim, flow.steps(rows, span, STEPS)[-1])
    gap, error = abs(after - before), abs(after - rough) + SIDE**2
    if larger(gap, error, CHANGE):
        return Contradiction(gap, error, "the change of ln(f · volume) of a simplex that the flow carries")
    return None


def _content(flow: MultiplierFlow, claim: VolumePreserved, rows: Numbers) -> float:
    """``ln(f · volume)`` of the parallelepiped between opposite neighbours, over the differentials of holonomic constraints."""
    count = (len(rows) - 1) // 2
    place = () if flow.algebra else flow.q
    table = flow.observed([claim.density, volume_factor(flow), *place, *symbols(claim.speeds)])(rows)
    edges = (table[1 : count + 1, 2:] - table[count + 1 :, 2:]) / (2 * SIDE)
    held = flow.plain.holonomic
    if edges.shape[1] != count + len(held):
        raise NoTrial("the coordinates and speeds do not describe the state")
    flat = [e for row in jacobian(held, place) for e in row] if held else []
    slopes = flow.observed(flat)(rows[:1]).reshape(len(held), len(place))
    across = np.hstack([slopes, np.zeros((len(held), edges.shape[1] - slopes.shape[1]))])
    content = np.linalg.det(np.vstack([edges, across])) / np.linalg.det(across @ across.T)
    whole = abs(float(content * table[0, 0] * table[0, 1]))
    if not (np.isfinite(whole) and whole > 0):
        raise NoTrial("the density or the volume has no logarithm there")
    return float(np.log(whole))
