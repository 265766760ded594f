"""Trials of steady motions, free velocities, dimensions and eigenvalues, each by computed motions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from nonholo.algebra.calculus import jacobian, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.symmetry.judgement.motion_statistics import beyond, filled
from nonholo.symmetry.witness.confirmation import Claim, Contradiction, larger, trial
from nonholo.symmetry.witness.multiplier_flow import STEPS, MultiplierFlow, NoTrial, pushed

LONGER = 4
"""The motions last so many times longer than other short ones: what is not steady departs with the square of the time."""
OFF = 1e-6
STATES = 3
AGAIN = 6
"""A contradiction must be seen on a motion of so many times the length, too."""
HIGHEST = 2
"""Curves and surfaces are tried; a motion is too short to show its neighbours in more dimensions."""
BEYOND = 0.1
"""A share of the spread of neighbours across the claimed dimension above this contradicts it; it is 1/3 or more where a motion
fills one more."""
SMALL = 1e-5
REST = 1e-6
RATE_OFF = 1e-3
"""Relative to the disturbance; what is not linear in it is of the size of `SMALL`."""


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
    """Which state is farthest off: the first is the steady state, the others are members of its family."""
    return "the steady state" if len(gaps) == 1 or int(np.argmax(gaps)) == 0 else "a member of its family"


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
    share = 0.0
    for longer in (1, AGAIN):  # on a curved surface neighbours of a longer motion are nearer, and the share is smaller
        found = filled(flow.system, dict(claim.start), flow.values, claim.quantities, claim.angles, longer)
        if found.states is None:
            raise NoTrial(found.words)
        share = beyond(found.states, claim.dimension)
        if share <= BEYOND:
            return None
    words = f"neighbours on a long motion spread across {claim.dimension} dimension{'s' if claim.dimension > 1 else ''}"
    return Contradiction(share, BEYOND, words)


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
    if worst > RATE_OFF and worst > 100 * error:
        return Contradiction(worst, error, "the nearest eigenvalue of small motions is off")
    return None
