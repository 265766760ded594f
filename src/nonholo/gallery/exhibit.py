"""What the gallery shows: a system with values, a start, published facts and how to draw it; all plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from nonholo.algebra.frozen import FrozenMap
from nonholo.finding import Finding
from nonholo.model.system import System

Shape = Literal["disc", "ellipsoid", "sphere", "box", "blade", "wheel", "wire", "surface", "rod", "point", "arrow"]
Text = str
Point = tuple[Text, Text, Text]
Rotation = tuple[Point, Point, Point]
UNTURNED: Rotation = (("1", "0", "0"), ("0", "1", "0"), ("0", "0", "1"))


UPWARD: Rotation = (("0", "0", "1"), ("0", "1", "0"), ("-1", "0", "0"))
"""Turns a rod, which lies along its first axis, upright (its first axis points down)."""


def heading(angle: Text) -> Rotation:
    """The rotation about the vertical by an angle given as text."""
    return ((f"cos({angle})", f"-sin({angle})", "0"), (f"sin({angle})", f"cos({angle})", "0"), ("0", "0", "1"))


def rolling(angle: Text) -> Rotation:
    """The attitude of an upright wheel that heads along an angle given as text: its axle, the body's third axis, across."""
    return ((f"cos({angle})", "0", f"-sin({angle})"), (f"sin({angle})", "0", f"cos({angle})"), ("0", "-1", "0"))


def ahead(along: Text, across: Text = "0", z: Text = "0", angle: Text = "theta", x: Text = "x", y: Text = "y") -> Point:
    """The point so far ahead of (x, y) and to its left, as seen along the heading ``angle``."""
    return (
        f"{x} + ({along})*cos({angle}) - ({across})*sin({angle})",
        f"{y} + ({along})*sin({angle}) + ({across})*cos({angle})",
        z,
    )


def matrix_of(name: Text) -> Rotation:
    """The rotation whose entries are the coordinates ``R11 … R33`` of `nonholo.SO3`."""
    return tuple(tuple(f"{name}{i}{j}" for j in (1, 2, 3)) for i in (1, 2, 3))  # type: ignore[return-value]


@dataclass(frozen=True)
class Body:
    """One shape; ``position`` and ``rotation`` (rows of the body-to-space matrix) are texts in the state and parameters.

    ``size`` by shape: disc/wheel {radius, width}, ellipsoid {a, b, c}, sphere {radius}, box {x, y, z},
    blade {length}, rod {length[, radius]}, arrow {x, y, z}; wire and surface give ``points`` as texts in the parameter ``s``
    (and ``r``) with their ranges in ``size`` ({s0, s1[, r0, r1]}). A disc's or wheel's axis is its body z-axis; a
    blade and a rod lie along their body x-axis.
    """

    shape: Shape
    position: Point = ("0", "0", "0")
    rotation: Rotation = UNTURNED
    size: Mapping[str, Text] = field(default_factory=FrozenMap)
    points: Point | None = None
    colour: str = "steelblue"
    label: str = ""


def velocity_arrow(place: Point, rates: Point) -> Body:
    """The velocity of a point, drawn from it."""
    return Body("arrow", place, size=dict(zip("xyz", rates)), colour="black", label="velocity")


@dataclass(frozen=True)
class Trace:
    """A point whose path is worth drawing."""

    point: Point
    label: str = ""
    colour: str = "firebrick"


@dataclass(frozen=True)
class Drawing:
    """Everything a plot, a film or a web page needs, with no code per system."""

    bodies: tuple[Body, ...] = ()
    traces: tuple[Trace, ...] = ()
    ground: Literal["plane", "none"] = "plane"
    plots: tuple[tuple[str, str], ...] = ()
    """Pairs of names worth plotting against each other, e.g. ("x", "y") or ("t", "omega")."""


@dataclass(frozen=True)
class Fact:
    """A published or closed-form claim: ``test(exhibit)`` returns the Finding, from something independent of our result."""

    claim: str
    source: str
    test: Callable[[Exhibit], Finding]

    def __call__(self, exhibit: Exhibit) -> Finding:
        return self.test(exhibit)


@dataclass(frozen=True, repr=False)
class Exhibit:
    """A system of the literature, alive."""

    name: str
    title: str
    group: str
    system: System
    parameters: Mapping[str, float]
    start: Mapping[str, float]
    until: float
    references: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    drawing: Drawing = field(default_factory=Drawing)
    units: Mapping[str, str] = field(default_factory=FrozenMap)
    starts: Mapping[str, Mapping[str, float]] = field(default_factory=FrozenMap)
    """Further named starts (the cases of a paper's figures)."""
    variants: Mapping[str, System] = field(default_factory=FrozenMap)
    """The same thing in other words: other coordinates, frames or formulations."""
    story: str = ""
    """Two or three sentences for a newcomer."""
    inputs: Mapping[str, Any] = field(default_factory=FrozenMap)

    def __repr__(self) -> str:
        return f"<Exhibit {self.name}: {self.title}; its .system, .parameters, .start, .until, {len(self.facts)} .facts>"
