"""Keller's pseudo-arclength continuation."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.stability.spectrum import Spectrum

Numbers = NDArray[np.float64]
MOST = 600
"""So many points are computed."""
LEAST = 1e-5
"""The shortest step (in sizes) before a curve is given up."""
LONGEST = 0.25
"""The longest step (in sizes)."""


class Followed(Protocol):
    """What must be known of a curve to follow it: unknowns are rows of numbers whose last is what is varied."""

    @property
    def along(self) -> str:
        """What is varied."""

    @property
    def reach(self) -> float:
        """A typical size of what is varied."""

    @property
    def size(self) -> Numbers:
        """A typical size of every unknown."""

    def tangent(self, unknowns: Numbers, before: Numbers | None = None) -> Numbers | None:
        """The direction of the curve (in sizes) at a point, the way before; None where there is none."""

    def corrected(self, guess: Numbers, way: Numbers) -> Numbers | None:
        """The point of the curve in the plane across ``way`` through a guess."""

    def solved(self, unknowns: Numbers, steps: int = 30) -> Numbers:
        """Points at the given values of what is varied; not a number where there is none nearby."""

    def sensible(self, unknowns: Numbers) -> bool:
        """Whether the equations make sense at a point."""

    def parts(self, points: Numbers) -> list[Spectrum]:
        """The linear flow, or the linear return, at each point."""


def followed(
    curve: Followed,
    first: Numbers,
    goal: float,
    what: str,
    most: int = MOST,
    longest: float = LONGEST,
    ahead: Numbers | None = None,
) -> tuple[Numbers, str]:
    """Points of a curve by pseudo-arclength and how it ends; ``what`` is what the points are.

    First towards the goal, or in the direction ``ahead`` (in sizes).
    """
    found = [first]
    way = curve.tangent(first, ahead)
    if way is None:
        return np.array(found), f"no branch goes on from {curve.along} = {first[-1]:.6g}"
    if ahead is None:
        way = way if way[-1] * (goal - first[-1]) >= 0 else -way
    here, step, size = first, min(0.1, longest), curve.size
    for _ in range(most):
        trial = curve.corrected(here + step * way * size, way)
        turned = curve.tangent(trial, way) if trial is not None else None
        if trial is None or turned is None or not float(turned @ way) > 0.9 or not curve.sensible(trial):
            step /= 2
            if step < LEAST:
                return np.array(found), f"ends at {curve.along} = {here[-1]:.6g}: no {what} was found beyond"
            continue
        if (trial[-1] - goal) * (here[-1] - goal) <= 0 and trial[-1] != here[-1]:
            guess = here + (trial - here) * (goal - here[-1]) / (trial[-1] - here[-1])
            guess[-1] = goal
            last = curve.solved(guess[None])[0]
            if np.all(np.isfinite(last)):
                return np.array([*found, last]), "reached"
        found.append(trial)
        here, way = trial, turned
        if np.linalg.norm((here - first) / size) > 1e3:
            return np.array(found), f"ends at {curve.along} = {here[-1]:.6g}: the state grows without bound"
        if (here[-1] - first[-1]) * (goal - first[-1]) < -0.1 * (goal - first[-1]) ** 2:
            return np.array(found), f"turns back without reaching {curve.along} = {goal:.6g}"
        step = min(step * 1.4, longest) if float(turned @ way) > 0.99 else step
        if len(found) > 12 and np.linalg.norm((here - first) / size) < 0.5 * step:
            return np.array([*found, first]), f"comes back to its start without reaching {curve.along} = {goal:.6g}"
    return np.array(found), f"stopped after {most} points at {curve.along} = {here[-1]:.6g}; ask for a nearer end"
