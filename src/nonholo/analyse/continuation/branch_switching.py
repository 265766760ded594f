"""From a branch point to the other branches through it (Keller's perpendicular switching).

At a branch point the equations vanish in more directions than that of the branch. In each such direction φ across it a step is
taken and corrected in the plane across φ: what is found lies beside the branch, on another.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.subspaces import outside
from nonholo.analyse.continuation.bifurcations import Special
from nonholo.analyse.continuation.steady_curve import Curve
from nonholo.analyse.steady.steady_equations import Steady
from nonholo.analyse.steady.steady_families import brought_home, tangents

Numbers = NDArray[np.float64]
STEPS = (0.005, 0.02, 0.06)
"""Lengths (in sizes) of the first step, tried one after another."""
SAME = 1e-5


def other_branches(curve: Curve, special: Special) -> list[tuple[Numbers, Numbers]]:
    """A first point on each other branch through a branch point, with the direction away from it.

    Branches that the symmetry maps to each other are told once; both halves of a branch that goes through are told.
    """
    point, way = special.unknowns, special.way
    result: list[tuple[Numbers, Numbers]] = []
    for new in outside(curve.ways(point), way[:, None] / np.linalg.norm(way)).T:
        for direction in (new, -new):
            found = _beside(curve, point, direction)
            if found is None or any(_alike(curve, first, found) for first, _ in result):
                continue
            ahead = (found - point) / curve.size
            result.append((found, ahead / np.linalg.norm(ahead)))
    return result


def free_on(curve: Curve, points: Numbers) -> int:
    """In how many directions steady motions go on at one value of what is varied: told in its middle, away from others."""
    middle = points[len(points) // 2]
    at = curve.at(middle[-1])
    return int(tangents(replace(at, fixed=(), targets=np.zeros(0)), middle[None, :-1])[0].across.shape[1])


def _beside(curve: Curve, point: Numbers, direction: Numbers) -> Numbers | None:
    """A point of another branch a little way off; None where there is none."""
    for length in STEPS:
        found = curve.corrected(point + length * direction * curve.size, direction)
        if found is None or not curve.sensible(found):
            continue
        if np.linalg.norm((found - point) / curve.size) < 20 * length:
            return found
    return None


def _alike(curve: Curve, one: Numbers, two: Numbers) -> bool:
    """Whether the symmetry maps one point to the other, at the same value of what is varied."""
    n = curve.flow.size
    if abs(one[-1] - two[-1]) > SAME * curve.reach or not len(curve.flow.fields):
        return False
    at: Steady = curve.at(two[-1])
    moved = two[None, :-1]
    aside = np.random.default_rng(3).normal(0.0, 1.0, n) * float(np.linalg.norm(one[:n] - two[:n]))
    for home in (one[:n] + aside, one[:n]):  # not straight: at the far side of an orbit no way leads nearer
        moved = brought_home(replace(at, flow=replace(at.flow, home=home)), moved)
    return bool(np.max(np.abs(moved[0, :n] - one[:n]) / curve.size[:n]) < SAME)
