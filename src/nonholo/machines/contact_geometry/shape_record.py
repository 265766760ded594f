"""The record of a shape and the registry of kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, dot
from nonholo.errors import ModelError, meant
from nonholo.machines.contact_geometry.rigid_pose import NOWHERE, Vector, plus

Sizes: TypeAlias = Mapping[str, Expr]


@dataclass(frozen=True)
class ShapeKind:
    """A kind of shape in its own axes; shapes of revolution have the axis y.

    ``support(sizes, n)`` says how far the shape reaches along the unit normal ``n``; ``point(sizes, n)`` is the point with this
    outward normal, ``h n + (1 − n nᵀ) ∇h``. ``moments`` are the principal moments of inertia of the homogeneous body of mass 1
    about its centre of mass, ``None`` where no formula exists; ``centroid`` is the place of the centre of mass along y.
    """

    name: str
    sizes: tuple[str, ...]
    support: Callable[[Sizes, Vector], Expr]
    point: Callable[[Sizes, Vector], Vector]
    moments: Callable[[Sizes], Vector] | None
    defaults: Mapping[str, float]
    centroid: Callable[[Sizes], Expr]
    axis: str
    """The default body axis along y."""
    axial: bool
    """A body of revolution about y, which is its axle."""
    round: bool
    """A ball or a point: every normal passes through the centre."""
    smooth: bool
    """Strictly convex: one point for each normal, which depends on it smoothly."""
    singular: str
    """Where the contact point is not determined, in words."""
    ruled: Callable[[Sizes, Expr, Expr], Vector] | None
    """The point of a ruled surface at an angle about y and a distance along y; its contact is a line on a plane."""
    ends: Callable[[Sizes], tuple[Expr, Expr]]
    """Where a ruled surface begins and ends along y."""


KINDS: dict[str, ShapeKind] = {}
"""Every kind of shape by its name."""


def _at_origin(_: Sizes) -> Expr:
    return ZERO


def register_shape(
    name: str,
    sizes: str,
    support: Callable[[Sizes, Vector], Expr],
    point: Callable[[Sizes, Vector], Vector],
    moments: Callable[[Sizes], Vector] | None,
    *,
    defaults: Mapping[str, float] | None = None,
    centroid: Callable[[Sizes], Expr] = _at_origin,
    axis: str = "y",
    axial: bool = False,
    round: bool = False,
    smooth: bool = True,
    singular: str = "",
    ruled: Callable[[Sizes, Expr, Expr], Vector] | None = None,
    ends: Callable[[Sizes], tuple[Expr, Expr]] = lambda _: (ZERO, ZERO),
) -> None:
    """Add a kind of shape."""
    words, fixed = tuple(sizes.split()), dict(defaults or {})
    KINDS[name] = ShapeKind(
        name, words, support, point, moments, fixed, centroid, axis, axial, round, smooth, singular, ruled, ends
    )


@dataclass(frozen=True)
class ShapeGeometry:
    """A shape in a body: its kind, sizes, axes (columns: the shape's x, y, z in the body) and origin in the body's frame."""

    kind: ShapeKind
    sizes: Sizes
    axes: Matrix
    offset: Vector = NOWHERE

    @property
    def axle(self) -> Vector | None:
        """The axis of revolution in the body, of those shapes that have one."""
        return (self.axes[0][1], self.axes[1][1], self.axes[2][1]) if self.kind.axial else None


def into_axes(shape: ShapeGeometry, direction: Vector) -> Vector:
    """A direction of the body in the shape's own axes."""
    one, two, three = (dot([row[k] for row in shape.axes], direction) for k in range(3))
    return (one, two, three)


def out_of_axes(shape: ShapeGeometry, place: Vector) -> Vector:
    """A vector of the shape's own axes in the body."""
    one, two, three = (dot(row, place) for row in shape.axes)
    return (one, two, three)


def support_point(shape: ShapeGeometry, normal: Vector) -> Vector:
    """The point of the shape with this outward unit normal (body axes), in the body's frame."""
    return plus(out_of_axes(shape, shape.kind.point(shape.sizes, into_axes(shape, normal))), shape.offset)


def support(shape: ShapeGeometry, normal: Vector) -> Expr:
    """The support function ``h(n)``: how far the shape reaches along a unit normal, from the body's origin."""
    return shape.kind.support(shape.sizes, into_axes(shape, normal)) + dot(normal, shape.offset)


def centre_of_mass(shape: ShapeGeometry) -> Vector:
    """The centre of mass of the homogeneous shape, in the body's frame."""
    return plus(out_of_axes(shape, (ZERO, shape.kind.centroid(shape.sizes), ZERO)), shape.offset)


def homogeneous_inertia(shape: ShapeGeometry, mass: Expr) -> Matrix:
    """The inertia matrix of the homogeneous shape about its centre of mass, in body axes."""
    if shape.kind.moments is None:
        raise ModelError(
            f"a {shape.kind.name} shape: no formula gives the inertia of the homogeneous body; give inertia = [Ixx, Iyy, Izz]."
        )
    moments = [mass * e for e in shape.kind.moments(shape.sizes)]
    rows = shape.axes
    return tuple(
        tuple(dot([a * m for a, m in zip(rows[i], moments)], rows[j]) for j in range(3)) for i in range(3)
    )


OTHER_WORDS = {"sphere": "ball", "torus": "wheel", "tyre": "wheel", "disc": "disk", "cube": "box", "bar": "rod"}
"""Shapes by the words of others."""


def known_kind(name: str, where: str) -> ShapeKind:
    """The kind of this name, or an error that offers the nearest."""
    if name not in KINDS:
        near = meant(OTHER_WORDS.get(name, name), KINDS, f"the shapes are {', '.join(KINDS)}.")
        raise ModelError(f"{where}: no shape {name!r}; {near}")
    return KINDS[name]

