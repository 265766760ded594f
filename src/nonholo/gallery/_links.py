"""Links hinged one behind the other, each with one blade or axle: texts for systems, and the same motion in numbers.

Link i has its front hinge at the rear hinge of the link before it; its blade, centre of mass and rear hinge lie
``blade``, ``centre`` and ``length`` behind the front hinge. The first front hinge is the point (x, y).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.gallery.exhibit import Point

Array = Any


@dataclass(frozen=True)
class Link:
    """One link: texts in the parameters."""

    angle: str
    blade: str
    centre: str
    length: str
    mass: str
    inertia: str


def place(links: Sequence[Link], behind: str, x: str = "x", y: str = "y", z: str = "0") -> Point:
    """Where the point ``behind`` the last link's front hinge is."""
    arms = [(k.length, k.angle) for k in links[:-1]] + [(behind, links[-1].angle)]
    arms = [(arm, angle) for arm, angle in arms if arm != "0"]
    return (
        x + "".join(f" - {_factor(arm)}*cos({angle})" for arm, angle in arms),
        y + "".join(f" - {_factor(arm)}*sin({angle})" for arm, angle in arms),
        z,
    )


def velocity(links: Sequence[Link], behind: str) -> tuple[str, str]:
    """The velocity of that point, in the rates."""
    arms = [(k.length, k.angle) for k in links[:-1]] + [(behind, links[-1].angle)]
    arms = [(arm, angle) for arm, angle in arms if arm != "0"]
    return (
        "xdot" + "".join(f" + {_factor(arm)}*{angle}dot*sin({angle})" for arm, angle in arms),
        "ydot" + "".join(f" - {_factor(arm)}*{angle}dot*cos({angle})" for arm, angle in arms),
    )


def _factor(text: str) -> str:
    return text if text.isidentifier() else f"({text})"


def kinetic_energy(links: Sequence[Link]) -> str:
    """``Σ m |v|²/2 + J θ̇²/2``."""
    parts = []
    for i, link in enumerate(links):
        vx, vy = velocity(links[: i + 1], link.centre)
        parts.append(f"{link.mass}/2*(({vx})**2 + ({vy})**2) + {link.inertia}/2*{link.angle}dot**2")
    return " + ".join(parts)


def blades(links: Sequence[Link]) -> list[str]:
    """No blade slides sideways."""
    residuals = []
    for i, link in enumerate(links):
        vx, vy = velocity(links[: i + 1], link.blade)
        residuals.append(f"({vy})*cos({link.angle}) - ({vx})*sin({link.angle})")
    return residuals


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
