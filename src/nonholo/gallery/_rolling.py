"""Shared by the rolling bodies: a rigid body on a horizontal plane by its contact vector, and Newton–Euler as a second route.

The body's rotation matrix is ``R`` (body to space), ``γ = Rᵀ e3`` the vertical in the body (third row of ``R``), and
``ρ(γ)`` the vector from the centre of mass to the contact point, in the body. Where the surface touches the plane,
``γ·dρ = 0``, so the centre of mass is at height ``−γ·ρ`` and rises with ``−γ·(w × ρ)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.gallery.exhibit import Body, Drawing, Point, Trace, matrix_of
from nonholo.geometry.frames.frame import Euclidean
from nonholo.geometry.groups.matrix_groups import SO3, cross
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System
from nonholo.notation.write import to_text

ROWS = tuple(symbols(f"R{i}{j}" for j in (1, 2, 3)) for i in (1, 2, 3))
VERTICAL = ROWS[2]
RATES = symbols(("w1", "w2", "w3"))
SPATIAL_UNITS = {"x": "m", "y": "m", "w1": "rad/s", "w2": "rad/s", "w3": "rad/s", "m": "kg", "g": "m/s²"}

PLANE_SYMMETRY = Symmetry(
    {
        "shift_x": {"x": "1"},
        "shift_y": {"y": "1"},
        "turn": {"x": "-y", "y": "x"}
        | {f"R1{j}": f"-R2{j}" for j in (1, 2, 3)}
        | {f"R2{j}": f"R1{j}" for j in (1, 2, 3)},
    },
    "SE(2)",
)
"""Motions of the plane, acting on the place and the rotation matrix of a body on it."""
AXIAL_SYMMETRY = PLANE_SYMMETRY * Symmetry(
    {"spin": {f"R{k}1": f"-R{k}2" for k in (1, 2, 3)} | {f"R{k}2": f"R{k}1" for k in (1, 2, 3)}}, "SO(2)"
)
"""Motions of the plane, and turns of the body about its own third axis [MacDonnell 1997 (9.4), (9.5)]."""
_FRAME = SO3("R", rates="w1 w2 w3") * Euclidean("x y")


def rolling_body(
    name: str,
    parameters: str,
    contact: Sequence[Expr],
    inertia: Sequence[Sequence[Expr]],
    symmetry: Symmetry = PLANE_SYMMETRY,
    **others: Any,
) -> System:
    """A body of mass ``m`` that rolls without sliding; ``(x, y)`` is below its centre of mass.

    ẋ + e1·R(w × ρ) = 0,  ẏ + e2·R(w × ρ) = 0        (the contact point is at rest)
    """
    lagrangian, slip = _on_plane(contact, inertia)
    return System(
        name=name,
        parameters=parameters,
        lagrangian=lagrangian,
        constraints=slip,
        frame=_FRAME,
        symmetry=symmetry,
        **others,
    )


def sliding_body(
    name: str,
    parameters: str,
    contact: Sequence[Expr],
    inertia: Sequence[Sequence[Expr]],
    friction: Expr,
    symmetry: Symmetry = PLANE_SYMMETRY,
) -> System:
    """The same body free to slide, held back by ``−friction · slip``; the slip velocity ``(s1, s2)`` is a quasi-velocity."""
    lagrangian, (one, two) = _on_plane(contact, inertia)
    return System(
        name=name,
        parameters=parameters,
        lagrangian=lagrangian,
        quasivelocities={"s1": one, "s2": two},
        forces={"s1": -friction * symbol("s1"), "s2": -friction * symbol("s2")},
        frame=_FRAME,
        symmetry=symmetry,
    )


def _on_plane(contact: Sequence[Expr], inertia: Sequence[Sequence[Expr]]) -> tuple[Expr, list[Expr]]:
    """The Lagrangian and the velocity of the contact point along the plane."""
    m, g = symbols(("m", "g"))
    arm = cross(RATES, contact)
    height, rise = -dot(VERTICAL, contact), -dot(VERTICAL, arm)
    speed = symbol("xdot") ** 2 + symbol("ydot") ** 2 + rise**2
    spin = dot(RATES, [dot(row, RATES) for row in inertia])
    slip = [symbol("xdot") + dot(ROWS[0], arm), symbol("ydot") + dot(ROWS[1], arm)]
    return m * speed / 2 + spin / 2 - m * g * height, slip


def turned_inertia(inertia: Sequence[Expr], angle: Expr) -> tuple[tuple[Expr, ...], ...]:
    """Principal moments (A, B, C) whose axes are turned about the third one by ``angle``."""
    one, two, three = inertia
    c, s = se.cos(angle), se.sin(angle)
    mixed = (one - two) * c * s
    return (
        (one * c**2 + two * s**2, mixed, se.Integer(0)),
        (mixed, one * s**2 + two * c**2, se.Integer(0)),
        (se.Integer(0), se.Integer(0), three),
    )


def diagonal(*moments: Expr) -> tuple[tuple[Expr, ...], ...]:
    """A diagonal inertia matrix."""
    return tuple(tuple(e if i == j else se.Integer(0) for j in range(3)) for i, e in enumerate(moments))


def place_of(vector: Sequence[Expr], contact: Sequence[Expr]) -> Point:
    """Where a point of the body is, as texts: centre of mass plus ``R vector``."""
    height = -dot(VERTICAL, contact)
    centre = (symbol("x"), symbol("y"), height)
    texts = tuple(to_text(c + dot(row, vector)) for c, row in zip(centre, ROWS))
    return (texts[0], texts[1], texts[2])


def contact_trace(contact: Sequence[Expr]) -> Point:
    """The contact point on the plane."""
    along, across, _ = place_of(contact, contact)
    return (along, across, "0")


SPHERE_UNITS = {**SPATIAL_UNITS, "r": "m", "a": "m", "A": "kg m²", "C": "kg m²"}


def offset_sphere() -> tuple[Any, Any, Any]:
    """``ρ = a e3 − r γ`` of a sphere of radius r whose centre is ``a`` above the centre of mass along its axis, the third."""
    r, one, two, three = symbol("r"), *VERTICAL
    return (-r * one, -r * two, symbol("a") - r * three)


def sphere_drawing(plots: tuple[tuple[str, str], ...]) -> Drawing:
    """The sphere with its axis, and the contact point's path."""
    touch = offset_sphere()
    middle = (symbol("r") * 0, symbol("r") * 0, symbol("a"))
    # from inside the sphere to half a radius above it; below it would be in the ground
    stem = (symbol("r") * 0, symbol("r") * 0, symbol("a") + 7 * symbol("r") / 6)
    top = (symbol("r") * 0, symbol("r") * 0, symbol("a") + 3 * symbol("r") / 2)
    upright = matrix_of("R")
    along = tuple((row[2], row[0], row[1]) for row in upright)
    return Drawing(
        bodies=(
            Body("sphere", place_of(middle, touch), upright, {"radius": "r"}, label="sphere"),
            Body("rod", place_of(stem, touch), along, {"length": "2*r/3", "radius": "r/10"}, colour="black", label="stem"),  # type: ignore[arg-type]
            Body("point", place_of((symbol("r") * 0,) * 3, touch), upright, colour="firebrick", label="centre of mass"),
        ),
        traces=(Trace(contact_trace(touch), "contact"), Trace(place_of(top, touch), "top of the stem", "grey")),
        plots=plots,
    )


def turn(axis: int, angle: float) -> NDArray[np.float64]:
    """``R_axis(angle)``, axis 1, 2 or 3."""
    i, j = ((1, 2), (2, 0), (0, 1))[axis - 1]
    result = np.eye(3)
    result[i, i] = result[j, j] = cos(angle)
    result[i, j], result[j, i] = -sin(angle), sin(angle)
    return result


def attitude(phi: float, theta: float, psi: float, name: str = "R") -> dict[str, float]:
    """A start's rotation matrix by Euler angles, ``R3(φ) R1(θ) R3(ψ)``."""
    turned = turn(3, phi) @ turn(1, theta) @ turn(3, psi)
    return {f"{name}{i + 1}{j + 1}": float(turned[i, j]) for i in range(3) for j in range(3)}
