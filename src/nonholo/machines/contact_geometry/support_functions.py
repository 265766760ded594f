"""Shapes of bodies: contact point for a normal, inertia of the homogeneous shape, and how they are read.

The support function ``h(n)`` of a convex shape is its extent along ``n``; its gradient is the point with the outward
normal ``n``. Shapes of revolution are described about y: a disk or wheel has its axle along y (forward is x, up is z);
cylinders, cones, rods and capsules stand along z of the body, unless their ``axis`` says otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.kinks import smooth
from nonholo.algebra.linear_equations import Matrix, dot, transpose
from nonholo.errors import ModelError, meant
from nonholo.geometry.groups.matrix_groups import cross
from nonholo.machines.contact_geometry.rigid_pose import IDENTITY, NOWHERE, Vector, length, plus, times, unit, vector
from nonholo.machines.contact_geometry.shape_record import ShapeGeometry, Sizes, known_kind, register_shape
from nonholo.notation.read import expression

NORMAL = symbols(("n1", "n2", "n3"))
"""The normal in the text of a support function."""
HALF = ONE / 2
LINE = se.RealDouble(1e-9)
"""An axis closer to the tangent plane than this angle touches along a line; the contact point is its middle."""


def _side(component: Expr) -> Expr:
    """The sign of a component of the normal, 0 within `LINE`: which end of an edge touches, or its middle."""
    return se.Piecewise((ONE, component > LINE), (-ONE, component < -LINE), (ZERO, True))


def _size(component: Expr) -> Expr:
    """The absolute value, with the same pieces, of which each has a derivative."""
    return se.Piecewise((component, component > LINE), (-component, component < -LINE), (ZERO, True))


def _around(n: Vector) -> Expr:
    """``sqrt(n1² + n3²)``, the support function of the unit circle about y."""
    return length((n[0], n[2]))


def _rim(radius: Expr, n: Vector) -> Vector:
    """The point of a circle about y."""
    return NOWHERE if radius == 0 else times(radius / _around(n), (n[0], ZERO, n[2]))


def _torus(s: Sizes, n: Vector) -> Vector:
    return plus(_rim(s["radius"] - s["tube"], n), times(s["tube"], n))


def _ellipsoid(s: Sizes, n: Vector) -> Vector:
    return times(1 / _ellipsoid_support(s, n), [s[k] ** 2 * e for k, e in zip("abc", n)])


def _ellipsoid_support(s: Sizes, n: Vector) -> Expr:
    return length([s[k] * e for k, e in zip("abc", n)])


def _ends(s: Sizes, n: Vector) -> Vector:
    """The end of a segment along y."""
    return (ZERO, HALF * s["length"] * _side(n[1]), ZERO)


def _half(s: Sizes, n: Vector) -> Expr:
    return HALF * s["length"] * _size(n[1])


def _tip(s: Sizes, n: Vector) -> Expr:
    """Positive where the tip of a cone touches, not the rim of its base."""
    return s["length"] * n[1] - s["radius"] * _around(n)


def _cone(s: Sizes, n: Vector) -> Vector:
    touches = _tip(s, n) > ZERO
    tip = (ZERO, s["length"], ZERO)
    return vector([se.Piecewise((t, touches), (e, True)) for t, e in zip(tip, _rim(s["radius"], n))])


def _cone_support(s: Sizes, n: Vector) -> Expr:
    return se.Piecewise((s["length"] * n[1], _tip(s, n) > ZERO), (s["radius"] * _around(n), True))


def _convex(s: Sizes, n: Vector) -> Vector:
    """``h n + (1 − n nᵀ) ∇h``, which is ``∇h`` where the text is homogeneous of degree one."""
    value, *slopes = substitute([s["support"], *gradient(s["support"], NORMAL)], dict(zip(NORMAL, n)))
    return plus(times(value - dot(n, slopes), n), slopes)


def _nothing(_: Sizes, __: Vector) -> Expr:
    return ZERO


def _point(_: Sizes, __: Vector) -> Vector:
    return NOWHERE


def _lateral(radius: Expr, angle: Expr, along: Expr) -> Vector:
    """The point of a surface of revolution about y; angle 0 is below."""
    return (radius * se.sin(angle), along, -radius * se.cos(angle))


def _axial(transverse: Expr, axial: Expr) -> Vector:
    return (transverse, axial, transverse)


def _capsule_moments(s: Sizes) -> Vector:
    r, l = s["radius"], s["length"]
    barrel, caps = l, 4 * r / 3  # volumes over π r²
    axial = (barrel * r**2 / 2 + caps * 2 * r**2 / 5) / (barrel + caps)
    across = (barrel * (l**2 / 12 + r**2 / 4) + caps * (2 * r**2 / 5 + l**2 / 4 + 3 * l * r / 8)) / (barrel + caps)
    return _axial(across, axial)


def _torus_moments(s: Sizes) -> Vector:
    middle, tube = s["radius"] - s["tube"], s["tube"]
    return _axial(middle**2 / 2 + 5 * tube**2 / 8, middle**2 + 3 * tube**2 / 4)


def _about(one: Expr, two: Expr, three: Expr, share: int) -> Vector:
    """``((b² + c²), (c² + a²), (a² + b²))/share``."""
    return ((two**2 + three**2) / share, (three**2 + one**2) / share, (one**2 + two**2) / share)


_FLAT = "has no contact point when it lies flat on the ground"
_JUMP = "; beyond that another edge strikes, and the motion ends there, since no law of impact is given"
_OPEN = f"touches along a line when its axis is parallel to the ground: the contact point is then the middle of the line{_JUMP}"
register_shape(
    "disk", "radius",
    lambda s, n: s["radius"] * _around(n), lambda s, n: _rim(s["radius"], n),
    lambda s: _axial(s["radius"] ** 2 / 4, s["radius"] ** 2 / 2),
    axial=True, singular=_FLAT,
)  # fmt: skip
register_shape(
    "wheel", "radius tube",
    lambda s, n: (s["radius"] - s["tube"]) * _around(n) + s["tube"], _torus, _torus_moments,
    defaults={"tube": 0}, axial=True, singular=_FLAT,
)  # fmt: skip
register_shape(
    "ball", "radius",
    lambda s, n: s["radius"], lambda s, n: times(s["radius"], n), lambda s: vector([2 * s["radius"] ** 2 / 5] * 3),
    round=True,
)  # fmt: skip
register_shape("ellipsoid", "a b c", _ellipsoid_support, _ellipsoid, lambda s: _about(s["a"], s["b"], s["c"], 5))
register_shape(
    "cylinder", "radius length",
    lambda s, n: s["radius"] * _around(n) + _half(s, n), lambda s, n: plus(_rim(s["radius"], n), _ends(s, n)),
    lambda s: _axial(s["radius"] ** 2 / 4 + s["length"] ** 2 / 12, s["radius"] ** 2 / 2),
    axis="z", axial=True, smooth=False, singular=f"{_FLAT}; {_OPEN}",
    ruled=lambda s, angle, along: _lateral(s["radius"], angle, along), ends=lambda s: (-s["length"] / 2, s["length"] / 2),
)  # fmt: skip
register_shape(
    "cone", "radius length", _cone_support, _cone,
    lambda s: _axial(3 * s["radius"] ** 2 / 20 + 3 * s["length"] ** 2 / 80, 3 * s["radius"] ** 2 / 10),
    centroid=lambda s: s["length"] / 4, axis="z", axial=True, smooth=False,
    singular=f"{_FLAT}; touches along a line when it lies on its side",
    ruled=lambda s, angle, along: _lateral(s["radius"] * (1 - along / s["length"]), angle, along),
    ends=lambda s: (ZERO, s["length"]),
)  # fmt: skip
register_shape(
    "rod", "length", _half, _ends, lambda s: _axial(s["length"] ** 2 / 12, ZERO), axis="z", smooth=False, singular=_OPEN
)
register_shape(
    "box", "x y z",
    lambda s, n: HALF * se.Add(*(s[k] * _size(e) for k, e in zip("xyz", n))),
    lambda s, n: vector([HALF * s[k] * _side(e) for k, e in zip("xyz", n)]), lambda s: _about(s["x"], s["y"], s["z"], 12),
    smooth=False,
    singular=f"touches along an edge or a face when one is parallel to the ground: the contact point is then its middle{_JUMP}",
)  # fmt: skip
register_shape(
    "capsule", "radius length",
    lambda s, n: s["radius"] + _half(s, n), lambda s, n: plus(times(s["radius"], n), _ends(s, n)), _capsule_moments,
    axis="z", smooth=False, singular=_OPEN,
)  # fmt: skip
register_shape("convex", "support", lambda s, n: substitute([s["support"]], dict(zip(NORMAL, n)))[0], _convex, None)
register_shape("point", "", _nothing, _point, lambda _: NOWHERE, round=True)
register_shape(
    "blade", "length", _nothing, _point, lambda s: _axial(s["length"] ** 2 / 12, ZERO), defaults={"length": 0}, round=True
)
_WORDS = {"kind", "axis", "offset"}
_LETTERS: Mapping[str, Matrix] = {
    "x": transpose(((ZERO, ZERO, ONE), (ONE, ZERO, ZERO), (ZERO, ONE, ZERO))),
    "y": IDENTITY,
    "z": transpose(((ZERO, ONE, ZERO), (ZERO, ZERO, ONE), (ONE, ZERO, ZERO))),
}
"""The shape's axes (columns) in the body, by the body axis along its y: cyclic exchanges."""


def read_shape(words: Mapping[str, Any], names: Collection[str], where: str) -> ShapeGeometry:
    """A shape as it is written, ``{kind = "disk", radius = "r", axis = "z"}``; ``names`` are the parameters it may use.

    >>> read_shape({"kind": "ball", "radius": "r"}, ["r"], "ball").sizes
    {'radius': r}
    >>> read_shape({"kind": "ball", "radiu": "r"}, ["r"], "ball")
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: ball: shape has no 'radiu'; did you mean 'radius'?
    """
    kind = known_kind(str(words.get("kind", "")), where)
    for word in words:
        if word not in (*kind.sizes, *_WORDS):
            known = (*kind.sizes, "axis", "offset")
            hint = meant(word, known, f"a {kind.name} has {', '.join(known)}.")
            raise ModelError(f"{where}: shape has no {word!r}; {hint}")
    missing = [n for n in kind.sizes if n not in words and n not in kind.defaults]
    if missing:
        raise ModelError(f"{where}: a {kind.name} needs {missing[0]}; give {missing[0]} = … in its shape.")
    sizes = {}
    for n in kind.sizes:
        allowed = [*names, *map(str, NORMAL)] if n == "support" else names
        sizes[n] = smooth(expression(words.get(n, kind.defaults.get(n)), allowed, f"{where}: shape {n}"), f"{where}: shape {n}")
        value = float(sizes[n]) if sizes[n].is_Number else 1.0
        if n != "support" and (value < 0 or (value == 0 and n not in kind.defaults)):
            raise ModelError(f"{where}: the {n} of a {kind.name} is {sizes[n]}; give a positive length.")
    offset = _three(words.get("offset", (0, 0, 0)), names, f"{where}: offset of the shape")
    return ShapeGeometry(kind, sizes, _axes(words.get("axis") or kind.axis, names, where), offset)


def _three(given: Any, names: Collection[str], where: str) -> Vector:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 3:
        raise ModelError(f"{where}: found {given!r}; give three numbers or texts, [x, y, z].")
    return vector([expression(e, names, where) for e in given])


def _axes(given: Any, names: Collection[str], where: str) -> Matrix:
    """The shape's axes in the body, y along ``axis``."""
    if isinstance(given, str):
        if given not in _LETTERS:
            raise ModelError(f"{where}: axis {given!r}; give x, y, z, or a vector [a, b, c].")
        return _LETTERS[given]
    axis = _three(given, names, f"{where}: axis of the shape")
    if all(e == 0 for e in axis):
        raise ModelError(f"{where}: the axis of the shape has length zero; give a direction such as [0, 1, 0].")
    along = unit(axis)
    upright = along[2].is_Number and abs(float(along[2])) > 0.8
    side = unit(cross(along, (ONE, ZERO, ZERO) if upright else (ZERO, ZERO, ONE)))  # the shape's z stays up
    return transpose((side, along, vector(cross(side, along))))


def at_point(place: Vector) -> ShapeGeometry:
    """A point of the body that touches, in place of its shape."""
    return ShapeGeometry(known_kind("point", "contact"), {}, IDENTITY, place)


def shifted(shape: ShapeGeometry, offset: Vector) -> ShapeGeometry:
    """The shape moved in the body."""
    return replace(shape, offset=plus(shape.offset, offset))
