"""A symmetry tried by moving a computed motion with its flow: the moved motion must be a motion, constraints included."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Expr
from nonholo.symmetry.witness.confirmation import Claim, Contradiction, larger, trial
from nonholo.symmetry.witness.multiplier_flow import STEPS, MultiplierFlow, NoTrial, Numbers, pushed

STARTS = 2
FAR = 0.4
"""How far the flow of the field moves a configuration, relative to its size."""
OFF = 1e-5
"""A moved motion that is farther from a motion is none; differences of positions give its first velocity to 1e-8."""
TICK = 2e-3
PUSHES = 8
"""Runge–Kutta steps along the field; twice as many tell their error."""


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
