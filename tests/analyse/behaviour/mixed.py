"""A heavy body of Suslov whose attractor and repeller meet: mixed dynamics, with a map of a surface to itself."""

from __future__ import annotations

from typing import Any

import numpy as np

import nonholo as nh

ENERGY = 0.4
BODY = nh.System(
    name="heavy body of Suslov",
    frame=nh.SO3("R", rates="w1 w2 w3"),
    lagrangian="(I1*w1**2 + I2*w2**2 + I3*w3**2)/2 + I13*w1*w3 + I23*w2*w3 - b1*R31 - b2*R32 - b3*R33",
    constraints=["w3"],
    parameters={"I1": 1.2, "I2": 1.8, "I3": 2.0, "I13": 0.1, "I23": 0.2, "b1": -1.7, "b2": -0.9, "b3": 0.7},
)
"""Turned round, (γ, w) → (γ, −w), every motion runs backwards: what attracts has a mirror image that repels."""


def start() -> dict[str, float]:
    """Upside down, on the level of the energy."""
    turned = {"R11": 1.0, "R22": -1.0, "R33": -1.0}
    level = nh.on_level(BODY, {**turned, "w1": 0.3, "w2": 1.0}, {"energy": ENERGY}, ["w2"])
    return {n: float(v[0]) for n, v in level.items()}


def crossings(count: int, skip: int = 200) -> tuple[Any, Any]:
    """Where w1 = 0 is passed upwards: the vertical in the body, (count, 3), and w2. The mirror image has −w2 for w2."""
    found = nh.section(BODY, start(), "w1", count, direction=1, skip=skip, until=1e7)
    return np.array([found[n][0] for n in ("R31", "R32", "R33")]).T, found["w2"][0]


def common(vertical: Any, speed: Any, cells: int) -> tuple[float, float]:
    """Of a grid of directions: the part of the attractor's crossings that lie in cells of the repeller, and of its cells.

    On w1 = 0 the energy leaves the direction γ and the sign of w2. Attractor with w2 > 0; the repeller there is the attractor's
    part with w2 < 0, turned round. Both have the same number of crossings.
    """
    across = (np.arctan2(vertical[:, 1], vertical[:, 0]) / np.pi + 1) / 2
    place = np.minimum((np.column_stack([across, (vertical[:, 2] + 1) / 2]) * cells).astype(int), cells - 1) @ [cells, 1]
    up, down = place[speed > 0], place[speed < 0]
    count = min(len(up), len(down))
    up, down = up[:count], down[:count]
    one, two = set(up.tolist()), set(down.tolist())
    return float(np.mean([p in two for p in up.tolist()])), len(one & two) / len(one | two)
