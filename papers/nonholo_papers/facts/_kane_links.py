"""Accelerations of hinged links by Kane's method in numbers; the links are those of `nonholo.gallery._links`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonholo.gallery._links import Link

Array = Any


def numbers(links: Sequence[Link], parameters: Mapping[str, float]) -> list[tuple[float, ...]]:
    """``(blade, centre, length, mass, inertia)`` of each link as numbers."""
    from nonholo.algebra.linear_equations import evaluate
    from nonholo.notation.parse import parse

    def number(text: str) -> float:
        return float(evaluate([parse(text, list(parameters), "link")], parameters)[0])

    return [tuple(number(t) for t in (k.blade, k.centre, k.length, k.mass, k.inertia)) for k in links]


def speeds(sizes: Sequence[tuple[float, ...]], angles: Any, head: tuple[Any, Any]) -> Array:
    """From the hinge's speeds along and across link 1 the rows (along, across at the front hinge, turning), link by link.

    A blade at ``b > 0`` behind its hinge lets its link turn at ``across/b``; the rear hinge then moves across at
    ``across − l turning``, and the next link sees it from its own heading.
    """
    along, across = head
    rows = []
    for i, (blade, _, length, _, _) in enumerate(sizes):
        turning = across / blade
        rows.append((along, across, turning))
        if i + 1 < len(sizes):
            rear = across - length * turning
            bend = angles[i] - angles[i + 1]
            along, across = along * np.cos(bend) - rear * np.sin(bend), along * np.sin(bend) + rear * np.cos(bend)
    return np.array(rows)


def kane(sizes: Sequence[tuple[float, ...]], angles: Sequence[float], v: float, omega: float) -> tuple[float, float]:
    """``(v̇, ω̇)`` by Kane's method in numbers: partial velocities from `speeds`, accelerations by a complex step.

    ``v`` is the hinge's speed along link 1 and ``ω`` the turning of link 1.
    """
    bent = np.asarray(angles, dtype=float)
    turning = speeds(sizes, bent, (v, sizes[0][0] * omega))[:, 2]
    partial = _partial(sizes, bent)
    change = np.imag(_partial(sizes, bent + 1e-30j * turning)) / 1e-30
    weights = np.array([w for _, _, _, m, j in sizes for w in (m, m, j)])
    z = np.array([v, omega])
    mass = partial.T @ (weights[:, None] * partial)
    force = -partial.T @ (weights * (change @ z))
    vdot, omegadot = np.linalg.solve(mass, force)
    return float(vdot), float(omegadot)


def _partial(sizes: Sequence[tuple[float, ...]], angles: Array) -> Array:
    """Velocity of each centre in space and turning of each link, for unit (v, ω): a 3N x 2 matrix."""
    columns = []
    for head in ((1.0, 0.0), (0.0, sizes[0][0])):
        rows = speeds(sizes, angles, head)
        column: list[Any] = []
        for angle, (_, centre, _, _, _), (along, across, turning) in zip(angles, sizes, rows):
            side = across - centre * turning
            column += [
                along * np.cos(angle) - side * np.sin(angle),
                along * np.sin(angle) + side * np.cos(angle),
                turning,
            ]
        columns.append(column)
    return np.array(columns).T
