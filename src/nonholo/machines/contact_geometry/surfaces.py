"""Surfaces on which bodies roll: the ground in its own axes, how it is read, and how it moves.

A surface has one or more descriptions: a plane (constant normal), a level function ``F(x, y, z)`` that is positive on the
body's side, a parametrisation with its normal, or a shape whose outside or inside is touched.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, gradient, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.kinks import smooth
from nonholo.errors import ModelError, meant
from nonholo.machines.contact_geometry.grid_heights import grid_height
from nonholo.machines.contact_geometry.rigid_pose import (
    IDENTITY,
    NOWHERE,
    Pose,
    Vector,
    columns,
    moved,
    plus,
    times,
    unit,
    vector,
)
from nonholo.machines.contact_geometry.shape_record import ShapeGeometry
from nonholo.machines.contact_geometry.support_functions import read_shape
from nonholo.notation.read import expression

PLACE = symbols(("x", "y", "z"))
"""A place in the axes of the surface, in its level function."""
CHART = symbols(("x", "y"))
"""The parameters of a surface, in its parametrisation."""
TIME = symbols(("t",))[0]


@dataclass(frozen=True)
class Plane:
    """Its unit normal, a tangent direction called along, and how far from the origin it is along the normal."""

    normal: Vector
    along: Vector
    height: Expr = ZERO


@dataclass(frozen=True)
class Chart:
    """Point and unit normal as functions of two parameters ``x, y``; ``guess``: the parameters near a place ``x, y, z``."""

    names: tuple[str, str]
    point: Vector
    normal: Vector
    guess: tuple[Expr, Expr]


@dataclass(frozen=True)
class Surface:
    """A surface in its own axes; what is not known of it is None."""

    name: str
    plane: Plane | None = None
    level: Expr | None = None
    """``F(x, y, z)``, zero on the surface, positive on the body's side."""
    distance: bool = False
    """The level function is the distance from the surface (its gradient has length 1)."""
    chart: Chart | None = None
    shape: ShapeGeometry | None = None
    inside: bool = False
    """The shape is touched from inside."""
    revolution: bool = False
    """A turn about z does not change it."""


GROUNDS: dict[str, Callable[[Expr, bool], Surface]] = {}
"""Kinds of ground by their word, from its value and ``inside``."""
OPTIONS = ("grid", "cell", "corner", "inside", "turning", "moving")


def _register(word: str) -> Callable[[Callable[[Expr, bool], Surface]], Callable[[Expr, bool], Surface]]:
    def keep(make: Callable[[Expr, bool], Surface]) -> Callable[[Expr, bool], Surface]:
        GROUNDS[word] = make
        return make

    return keep


def flat() -> Surface:
    """The plane z = 0."""
    plane = Plane((ZERO, ZERO, ONE), (ONE, ZERO, ZERO))
    return Surface("plane", plane, PLACE[2], True, revolution=True)


@_register("slope")
def _slope(angle: Expr, _: bool) -> Surface:
    """A plane that falls along +x."""
    c, s = se.cos(angle), se.sin(angle)
    return Surface("slope", Plane((s, ZERO, c), (c, ZERO, -s)), s * PLACE[0] + c * PLACE[2], True)


@_register("height")
def _graph(height: Expr, _: bool) -> Surface:
    """``z = f(x, y)``, touched from above."""
    slopes = gradient(height, CHART)
    chart = Chart(("x", "y"), (CHART[0], CHART[1], height), unit((-slopes[0], -slopes[1], ONE)), (PLACE[0], PLACE[1]))
    return Surface("z = f(x, y)", level=PLACE[2] - height, chart=chart)


@_register("sphere")
def _sphere(radius: Expr, inside: bool) -> Surface:
    """About the origin; from inside it is a bowl."""
    away = se.sqrt(se.Add(*(e**2 for e in PLACE)))
    ball = read_shape({"kind": "ball", "radius": radius}, [str(s) for s in radius.free_symbols], "ground")
    return Surface("sphere", None, radius - away if inside else away - radius, True, None, ball, inside, True)


@_register("cylinder")
def _cylinder(radius: Expr, inside: bool) -> Surface:
    """About the axis z."""
    away, sign = se.sqrt(PLACE[0] ** 2 + PLACE[1] ** 2), -ONE if inside else ONE
    angle, height = CHART
    outward = (se.cos(angle), se.sin(angle), ZERO)
    point = (radius * outward[0], radius * outward[1], height)
    chart = Chart(("angle", "height"), point, times(sign, outward), (se.atan2(PLACE[1], PLACE[0]), PLACE[2]))
    return Surface("cylinder", None, sign * (away - radius), True, chart, None, inside, True)


@_register("cone")
def _cone(opening: Expr, inside: bool) -> Surface:
    """Tip at the origin, axis z, ``opening`` the angle between axis and side: a mountain, or from inside a funnel."""
    c, s = se.cos(opening), se.sin(opening)
    up, out = (ONE, -ONE) if inside else (-ONE, ONE)
    away = se.sqrt(PLACE[0] ** 2 + PLACE[1] ** 2)
    angle, along = CHART
    around = (se.cos(angle), se.sin(angle))
    point = (along * s * around[0], along * s * around[1], up * along * c)
    normal = (out * c * around[0], out * c * around[1], s)
    chart = Chart(("angle", "along"), point, normal, (se.atan2(PLACE[1], PLACE[0]), s * away + up * c * PLACE[2]))
    return Surface("cone", None, out * c * away + s * PLACE[2], True, chart, None, inside, True)


@_register("implicit")
def _implicit(level: Expr, inside: bool) -> Surface:
    """``F(x, y, z) = 0``, touched where F > 0, from inside where F < 0."""
    return Surface("implicit surface", level=-level if inside else level)


def read_ground(words: Mapping[str, Any], names: Collection[str], where: str = "ground") -> tuple[Surface, Pose]:
    """The ground as it is written, and its motion; ``names`` are the parameters it may use.

    >>> surface, pose = read_ground({"slope": "alpha", "moving": ["A*sin(w*t)", 0, 0]}, ["alpha", "A", "w"])
    >>> surface.name, pose.velocity[0]
    ('slope', A*w*cos(t*w))
    """
    kinds = [w for w in words if w in GROUNDS or w == "grid"]
    for word in words:
        if word not in GROUNDS and word not in OPTIONS:
            known = (*GROUNDS, *OPTIONS)
            raise ModelError(f"{where}: no word {word!r}; {meant(word, known, 'it has ' + ', '.join(known) + '.')}")
    if len(kinds) > 1:
        raise ModelError(f"{where}: {' and '.join(kinds)} are given; a ground is one surface, keep one of them.")
    surface = flat() if not kinds else _surface(kinds[0], words, names, where)
    return surface, _motion(surface, words, names, where)


def _surface(word: str, words: Mapping[str, Any], names: Collection[str], where: str) -> Surface:
    if word == "grid":
        if "cell" not in words:
            raise ModelError(f"{where}: grid needs cell = …, the distance of its points in m.")
        numbers = [_plain(words["cell"], f"{where}: cell")]
        numbers += [_plain(e, f"{where}: corner") for e in words.get("corner") or ()]
        return GROUNDS["height"](grid_height(words["grid"], numbers[0], numbers[1:] or None, where), False)
    place = {"height": "xy", "implicit": "xyz"}.get(word, "")
    value = smooth(expression(words[word], [*names, *place], f"{where}: {word}"), f"{where}: {word}")
    inside = words.get("inside", False)
    if not isinstance(inside, bool):
        raise ModelError(f"{where}: inside = {inside!r}; give true or false.")
    if inside and word in ("height", "slope"):
        raise ModelError(f"{where}: {word} has no inside; remove inside.")
    if word == "implicit" and not value.free_symbols & set(PLACE):
        raise ModelError(f"{where}: implicit holds none of x, y, z; give F(x, y, z), which is zero on the surface.")
    return GROUNDS[word](value, inside)


def _plain(value: Any, where: str) -> float:
    """A number, not a parameter: the spline needs its value."""
    number = expression(value, [], where)
    return float(number)


def _motion(surface: Surface, words: Mapping[str, Any], names: Collection[str], where: str) -> Pose:
    """Origin, rotation and velocities of a ground that turns about z and is shaken."""
    given = words.get("moving", (0, 0, 0))
    if isinstance(given, str) or len(given) != 3:
        raise ModelError(f"{where}: moving = {given!r}; give three displacements in t, [x, y, z].")
    origin = vector([smooth(expression(e, [*names, "t"], f"{where}: moving"), f"{where}: moving") for e in given])
    rate = expression(words.get("turning", 0), [*names, "t"], f"{where}: turning")
    rotation = IDENTITY
    if rate != 0 and not surface.revolution:
        if TIME in rate.free_symbols:
            raise ModelError(
                f"{where}: turning = {rate} changes with time under a surface that is not round about z; give a constant rate."
            )
        c, s = se.cos(rate * TIME), se.sin(rate * TIME)
        rotation = ((c, -s, ZERO), (s, c, ZERO), (ZERO, ZERO, ONE))
    return Pose(origin, rotation, vector([e.diff(TIME) for e in origin]), (ZERO, ZERO, rate))


def surface_of(shape: ShapeGeometry, inside: bool, pose: Pose, where: str) -> tuple[Surface, Pose]:
    """The surface of another body's shape, and where its axes are: upper face, side, or the shape as a whole."""
    kind, sizes = shape.kind, shape.sizes
    if kind.name in ("box", "disk"):
        if inside:
            raise ModelError(f"{where}: a {kind.name} has no inside; remove inside.")
        if kind.name == "box":
            up = Plane((ZERO, ZERO, ONE), (ONE, ZERO, ZERO), sizes["z"] / 2)
            return Surface("upper face of the box", up), moved(pose, shape.axes, shape.offset)
        return flat(), moved(pose, columns(shape.axes, (2, 0, 1)), shape.offset)
    if kind.name in ("cylinder", "cone"):  # their axis is y, that of the surface z
        tip = ZERO if kind.name == "cylinder" else sizes["length"]
        value = sizes["radius"] if kind.name == "cylinder" else se.atan2(sizes["radius"], sizes["length"])
        place = plus(shape.offset, times(tip, [row[1] for row in shape.axes]))
        return GROUNDS[kind.name](value, inside), moved(pose, columns(shape.axes, (2, 0, 1)), place)
    if not kind.smooth or kind.name in ("point", "blade"):
        kinds = "ball, ellipsoid, wheel, convex, cylinder, cone, box or disk"
        raise ModelError(f"{where}: nothing rolls on a {kind.name}; give the other body a shape {kinds}.")
    if kind.name == "ball":
        return GROUNDS["sphere"](sizes["radius"], inside), moved(pose, IDENTITY, shape.offset)
    if kind.name == "ellipsoid":
        level = se.Add(*((e / sizes[k]) ** 2 for e, k in zip(PLACE, "abc"))) - 1
        centred = replace(shape, axes=IDENTITY, offset=NOWHERE)
        solid = Surface(kind.name, level=-level if inside else level, shape=centred, inside=inside)
        return solid, moved(pose, shape.axes, shape.offset)
    return Surface(kind.name, shape=shape, inside=inside), pose
