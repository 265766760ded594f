"""Links hinged one behind the other, each with one blade or axle: texts for systems, and the same motion in numbers.

Link i has its front hinge at the rear hinge of the link before it; its blade, centre of mass and rear hinge lie
``blade``, ``centre`` and ``length`` behind the front hinge. The first front hinge is the point (x, y).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nonholo.gallery.exhibit import Point


@dataclass(frozen=True)
class Link:
    """One link: texts in the parameters."""

    angle: str
    blade: str
    centre: str
    length: str
    mass: str
    inertia: str


def hinge_place(links: Sequence[Link], behind: str, x: str = "x", y: str = "y", z: str = "0") -> Point:
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
