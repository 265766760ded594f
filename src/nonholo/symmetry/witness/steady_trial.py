"""Steady motions tried by motions of their own: each must follow the orbit of the group, or stay where it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.symmetry.witness.confirmation import Claim, Contradiction, larger, trial
from nonholo.symmetry.witness.multiplier_flow import STEPS, MultiplierFlow, NoTrial, Numbers, pushed

LONGER = 4
"""The motions last so many times longer than other short ones: what is not steady departs with the square of the time."""
OFF = 1e-6


@dataclass(frozen=True)
class MoveSteadily(Claim):
    """From states, given by name, motions are flows of ``Σ η_a ξ_a`` on the coordinates: at rest where all η vanish."""

    states: tuple[FrozenMap[str, float], ...]
    fields: tuple[tuple[Expr, ...], ...]
    """``ξ_a``."""
    velocities: tuple[tuple[float, ...], ...]
    """η for each state."""


@trial(MoveSteadily)
def group_orbits(flow: MultiplierFlow, claim: MoveSteadily) -> Contradiction | None:
    """The places of the motions after a short time against those of the group's."""
    try:
        rows = np.vstack([flow.row_of(state) for state in claim.states])
        size = 1.0 + np.max(np.abs(rows), axis=1)
        off = np.max(np.abs(flow.held(rows)), axis=1, initial=0.0) / size
        if larger(float(np.max(off)), 1e-12, OFF):
            return Contradiction(float(np.max(off)), 1e-12, f"{_who(off)} breaks the constraints")
        gaps, error = _gaps(flow, claim, rows)
    except NoTrial:
        if len(claim.states) == 1:
            raise
        parts = zip(claim.states, claim.velocities)  # one of them cannot be tried: the others can
        found = [_alone(flow, replace(claim, states=(s,), velocities=(v,))) for s, v in parts]
        return next((one for one in found if one is not None), None)
    gaps = gaps / size
    if larger(float(np.max(gaps)), error, OFF):
        return Contradiction(float(np.max(gaps)), error, f"a motion from {_who(gaps)} leaves the orbit of the group")
    return None


def _alone(flow: MultiplierFlow, claim: MoveSteadily) -> Contradiction | None:
    try:
        return group_orbits(flow, claim)
    except NoTrial:
        return None


def _gaps(flow: MultiplierFlow, claim: MoveSteadily, rows: Numbers) -> tuple[Numbers, float]:
    """How far each motion is from the group's, and the error of both."""
    span = LONGER * flow.span(rows)
    end = flow.carried(rows, span, LONGER * STEPS)
    if flow.algebra:
        return np.max(np.abs(end.states - rows)[:, :-1], axis=1), end.error
    place = flow.observed(symbols(flow.system.coordinates))
    weights = np.array(claim.velocities).reshape(len(rows), len(claim.fields))
    values = flow.fields(claim.fields)

    def slope(x: Numbers) -> Numbers:
        return np.einsum("ka,kai->ki", weights, values(x).reshape(len(x), len(claim.fields), -1))

    begin = place(rows)
    fine, rough = (pushed(slope, begin, span, LONGER * k * STEPS) if np.any(weights) else begin for k in (2, 1))
    gaps = np.max(np.abs(place(end.states) - fine), axis=1)
    if not np.all(np.isfinite(gaps)):
        raise NoTrial("the motion meets a singular state")
    return gaps, end.error + float(np.max(np.abs(fine - rough)))


def _who(gaps: Numbers) -> str:
    """Which of the states is farthest off: the first is the one that was asked about."""
    return "the steady state" if len(gaps) == 1 or int(np.argmax(gaps)) == 0 else "a member of its family"
