"""Trials of reversibility, symmetries, invariant densities and first integrals, each by computed motions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import symengine as se

from nonholo.algebra.calculus import jacobian, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.symmetry.witness.confirmation import Claim, Contradiction, larger, trial
from nonholo.symmetry.witness.multiplier_flow import STEPS, MultiplierFlow, NoTrial, pushed, volume_factor

BACK = 1e-6
STARTS = 2
FAR = 0.4
"""How far the flow of the field moves a configuration, relative to its size."""
OFF = 1e-5
"""A moved motion that is farther from a motion is none; differences of positions give its first velocity to 1e-8."""
TICK = 2e-3
PUSHES = 8
"""Runge–Kutta steps along the field; twice as many tell their error."""
SIDE = 1e-4
"""Length of the edges of the simplex: central differences make its volume good to the square of it."""
CHANGE = 1e-5
WIDE = 24
"""States of more dimensions are not tried: the simplex has twice as many neighbours as dimensions."""
INTEGRAL_STARTS = 3
DRIFT = 1e-6
"""A quantity that changes by less, relative to its terms, is constant as far as a short motion can tell."""


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


@dataclass(frozen=True)
class CarriesMotions(Claim):
    """The flow of a field on the coordinates carries motions to motions."""

    field: tuple[Expr, ...]


@trial(CarriesMotions)
def moved_motion(flow: MultiplierFlow, claim: CarriesMotions) -> Contradiction | None:
    """The motion from the moved start against the moved motion, at the end of a short time."""
    if flow.algebra:
        raise NoTrial("there are no coordinates to move")
    start = flow.starts(STARTS, 83)
    span = flow.span(start)
    fine, coarse = flow.steps(start, span, 2 * STEPS)[-1], flow.steps(start, span, STEPS)[-1]
    around = [flow.steps(start, k * TICK * span, 2)[-1] for k in (-2, -1, 1, 2)]
    whole = np.vstack([start, fine, coarse, *around])
    place = flow.observed(symbols(flow.system.coordinates))
    begin, ahead, rough, error = _moved(flow, claim.field, place(whole), whole, span)
    size = 1.0 + float(np.max(np.abs(begin)))
    off = float(np.max(np.abs(flow.held(begin)), initial=0.0)) / size
    if larger(off, error, OFF):
        return Contradiction(off, error, "a motion that is moved with it breaks the constraints")
    end = flow.carried(begin, span)  # compared in the system's own coordinates: a chart may have several for one place
    gap = float(np.max(np.abs(place(end.states) - ahead))) / size
    error += end.error + float(np.max(np.abs(ahead - rough))) / size
    if larger(gap, error, OFF * span):
        return Contradiction(gap, error, "a motion that is moved with it is no motion")
    return None


def _moved(
    flow: MultiplierFlow, field: tuple[Expr, ...], place: Numbers, whole: Numbers, span: float
) -> tuple[Numbers, Numbers, Numbers, float]:
    """The moved starts with the velocities of the moved motions, their moved ends (two ways), and the error of all this."""
    found = []
    for steps in (PUSHES, 2 * PUSHES):
        x = _pushed(flow, field, place, steps)
        first, ahead, rough, *_ = np.split(x, 7)
        rows = [*range(len(first)), *range(3 * len(first), 7 * len(first))]
        first, b2, b1, a1, a2 = np.split(flow.onto_chart(x[rows], whole[rows, : len(flow.q)]), 5)
        velocity = (b2 - 8 * b1 + 8 * a1 - a2) / (12 * TICK * span)
        coarse = (a1 - b1) / (2 * TICK * span)
        time = whole[: len(first), -1:]
        found.append((np.hstack([first, velocity, time]), ahead, rough, np.hstack([first, coarse, time])))
    size = 1.0 + float(np.max(np.abs(found[1][0])))
    gaps = [np.abs(a - b) for a, b in zip(found[0][:2], found[1][:2])] + [np.abs(found[1][0] - found[1][3])]
    return (*found[1][:3], max(float(np.max(g)) for g in gaps) / size)


def _pushed(flow: MultiplierFlow, field: tuple[Expr, ...], places: Numbers, count: int) -> Numbers:
    """The configurations moved so far by the flow of the field that it can be seen."""
    slope = flow.fields([field])
    far = FAR * (1 + float(np.max(np.abs(places)))) / (1e-9 + float(np.max(np.abs(slope(places)))))
    return pushed(slope, places, min(far, 1.0), count)


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


@dataclass(frozen=True)
class ConstantAlongMotions(Claim):
    """An expression in the system's names is constant, and single valued round these angles."""

    expression: Expr
    angles: tuple[str, ...] = ()


@trial(ConstantAlongMotions)
def along_motions(flow: MultiplierFlow, claim: ConstantAlongMotions) -> Contradiction | None:
    """The drift along short motions from random states: the second largest counts, for a root may change its branch once."""
    whole = se.sympify(claim.expression)
    terms = list(whole.args) if isinstance(whole, se.Add) else [whole]
    value = flow.observed(terms)
    rows = flow.starts(INTEGRAL_STARTS, 71)
    span = flow.span(rows)
    fine, coarse = flow.steps(rows, span, 2 * STEPS), flow.steps(rows, span, STEPS)
    table = np.array([value(y) for y in fine[:: STEPS // 2]])
    last = value(coarse[-1])
    size = np.max(np.sum(np.abs(table), axis=2), axis=0) + 1e-12
    drifts = np.max(np.abs(table.sum(axis=2) - table[0].sum(axis=1)), axis=0) / size
    errors = np.abs(table[-1].sum(axis=1) - last.sum(axis=1)) / size
    good = np.isfinite(drifts)
    if np.sum(good) >= 2:
        gap, error = float(np.sort(drifts[good])[-2]), float(np.max(errors[good]))
        if larger(gap, error, DRIFT):
            return Contradiction(gap, error, "its relative drift along short motions by multipliers")
    return _round_angles(flow, claim, rows)


def _round_angles(flow: MultiplierFlow, claim: ConstantAlongMotions, rows: np.ndarray) -> Contradiction | None:
    """Whether a full turn of an angle brings back another value."""
    value = flow.observed([claim.expression])
    names = [str(s) for s in flow.q]
    for angle in claim.angles:
        if angle not in names:
            continue
        moved = rows.copy()
        moved[:, names.index(angle)] += 2 * np.pi
        one, other = value(rows)[:, 0], value(moved)[:, 0]
        gaps = np.abs(one - other) / (1e-12 + np.abs(one) + np.abs(other))
        gap = float(np.min(gaps)) if np.all(np.isfinite(gaps)) else 0.0
        if gap > DRIFT:
            return Contradiction(gap, 1e-15, f"its relative change when {angle} makes a full turn")
    return None
