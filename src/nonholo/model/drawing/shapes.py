"""How to draw a system: shapes at places with attitudes, paths of points; all texts in the state and the parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from nonholo.algebra.frozen_map import FrozenMap

Shape = Literal["disc", "ellipsoid", "sphere", "box", "blade", "wheel", "wire", "surface", "rod", "point", "arrow"]
Text = str
Point = tuple[Text, Text, Text]
Rotation = tuple[Point, Point, Point]
UNTURNED: Rotation = (("1", "0", "0"), ("0", "1", "0"), ("0", "0", "1"))


UPWARD: Rotation = (("0", "0", "1"), ("0", "1", "0"), ("-1", "0", "0"))
"""Rotation of a rod, which is along its first axis, upright (its first axis points down)."""


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


def quaternion_of(name: Text) -> Rotation:
    """The rotation whose quaternion is ``q0 … q3`` of `nonholo.Quaternion`, scalar part first."""
    a, b, c, d = (f"{name}{i}" for i in range(4))
    return (
        (f"1 - 2*({c}**2 + {d}**2)", f"2*({b}*{c} - {a}*{d})", f"2*({b}*{d} + {a}*{c})"),
        (f"2*({b}*{c} + {a}*{d})", f"1 - 2*({b}**2 + {d}**2)", f"2*({c}*{d} - {a}*{b})"),
        (f"2*({b}*{d} - {a}*{c})", f"2*({c}*{d} + {a}*{b})", f"1 - 2*({b}**2 + {c}**2)"),
    )


def spinning(angle: Text) -> Rotation:
    """The rotation about the body's third axis, the axle of a wheel or disc."""
    return heading(angle)


def turned_by(first: Rotation, second: Rotation) -> Rotation:
    """The product of two rotations, ``first`` after ``second`` in space.

    >>> turned_by(heading("a"), UNTURNED) == heading("a")
    True
    """

    def entry(i: int, j: int) -> Text:
        terms = [(first[i][k], second[k][j]) for k in range(3) if "0" not in (first[i][k], second[k][j])]
        return " + ".join(f"({a})*({b})" if "1" not in (a, b) else b if a == "1" else a for a, b in terms) or "0"

    return tuple(tuple(entry(i, j) for j in range(3)) for i in range(3))  # type: ignore[return-value]


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

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", FrozenMap(self.size))


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
    """Everything a plot, a film or a web page needs, with no code per system.

    >>> import nonholo as nh
    >>> [body.label for body in nh.gallery.get("chaplygin-sleigh").drawing.bodies]
    ['body', 'edge', 'leg', 'leg']
    """

    bodies: tuple[Body, ...] = ()
    traces: tuple[Trace, ...] = ()
    ground: Literal["plane", "none"] = "plane"
    plots: tuple[tuple[str, str], ...] = ()
    """Pairs of names worth plotting against each other, e.g. ("x", "y") or ("t", "omega")."""
