"""Two points with parallel velocities, §8.3: states with any forces by the multiplier form, and motions with the spring."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

NAMES = ("v1", "v2", "theta")
ACROSS, INCLINED = np.pi / 2, np.pi / 3


@lru_cache
def pushed() -> tuple[Any, ...]:
    """States with any four forces, with the rates of v₁, v₂, θ by the multiplier form."""
    from nonholo.algebra.calculus import symbols
    from nonholo.algebra.frozen_map import FrozenMap
    from nonholo.gallery.parallel_points import parallel
    from nonholo.model.system import varied
    from nonholo_papers.evidence import moving_system

    names = ("A1", "A2", "A3", "A4")
    free = parallel("free")
    system = varied(free, inputs=names, forces=FrozenMap(dict(zip(free.coordinates, symbols(names)))))
    return tuple(moving_system(system, {"m1": 1.3, "m2": 0.45}, 5))


@lru_cache
def implicit() -> tuple[Any, ...]:
    """States of the constraint (50) as it stands, with the spring: nonlinear, with Chetaev's virtual displacements."""
    from nonholo_papers.evidence import moving

    values = {"m1": 1.3, "m2": 0.45, "k": 1.7}
    return tuple(moving("parallel-points", 5, parameters=values, variant="the constraint (50) as it stands"))


def pulled(force: str, values: dict[str, float]) -> list[Any]:
    """States with the spring or on the incline."""
    from nonholo.gallery.parallel_points import parallel
    from nonholo_papers.evidence import moving_system

    return moving_system(parallel(force), values, 5)


@lru_cache
def motion(
    ratio: float, distance: float, v1: float, v2: float, theta: float = ACROSS, until: float = 20.0, k: float = 1.0
) -> SimpleNamespace:
    """A motion with the spring, m₁ = 1, m₂ = ``ratio``, by the multiplier form and SciPy; P₁ starts at the origin."""
    from nonholo.gallery.parallel_points import parallel
    from nonholo_papers.motion import integrated

    start = {"x1": 0.0, "y1": 0.0, "x2": distance, "y2": 0.0, "v1": v1, "v2": v2, "theta": theta}
    return integrated(parallel("spring"), start, np.linspace(0, until, 801), {"m1": 1.0, "m2": ratio, "k": k}, 1e-11)


def goes_round(run: SimpleNamespace) -> bool:
    """Whether the segment P₁P₂ turns round and round (v₂ − v₁ keeps its sign), or swings to and fro while the pair runs away."""
    between = run.v2 - run.v1
    angle = np.unwrap(np.arctan2(run.y2 - run.y1, run.x2 - run.x1))
    kept, turned = bool(np.min(between) * np.max(between) > 0), float(np.ptp(angle)) > 2 * np.pi
    if kept != turned:
        raise ArithmeticError("the motion is too short to tell")
    return kept
