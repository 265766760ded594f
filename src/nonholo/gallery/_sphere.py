"""Shared by the spheres with a centre of mass off their middle: contact, integrals, and the energy of a tilt.

The sphere has radius r; its centre is ``a`` above the centre of mass along the axis of symmetry, the body's third. The
moments of inertia about the centre of mass are A, A and C. From the centre of mass the contact is at ``ρ = a e3 − r γ``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonholo.algebra.calculus import symbol
from nonholo.gallery._rolling import SPATIAL_UNITS, VERTICAL, contact_trace, place_of
from nonholo.gallery.exhibit import Body, Drawing, Trace, matrix_of

Vector = Any
UNITS = {**SPATIAL_UNITS, "r": "m", "a": "m", "A": "kg m²", "C": "kg m²"}


def contact() -> tuple[Any, Any, Any]:
    """ρ(γ) as expressions."""
    r, one, two, three = symbol("r"), *VERTICAL
    return (-r * one, -r * two, symbol("a") - r * three)


def contact_numbers(vertical: Vector, values: Mapping[str, float]) -> Vector:
    """ρ(γ) as numbers."""
    return np.array([0, 0, values["a"]]) - values["r"] * vertical


def inertia_numbers(values: Mapping[str, float]) -> Vector:
    """diag(A, A, C)."""
    return np.diag([values["A"], values["A"], values["C"]])


def arm_inertia(s: Any) -> Any:
    """``ρ·Iρ = A r² sin²θ + C (a − r cos θ)²``, with ``cos θ = γ3``."""
    return s.A * s.r**2 * (s.R31**2 + s.R32**2) + s.C * (s.a - s.r * s.R33) ** 2


def jellett(s: Any) -> Any:
    """``(I w)·ρ``: no force at the contact point changes it [Jellett 1872]."""
    return -s.A * s.r * (s.w1 * s.R31 + s.w2 * s.R32) + s.C * s.w3 * (s.a - s.r * s.R33)


def drawing(plots: tuple[tuple[str, str], ...]) -> Drawing:
    """The sphere with its axis, and the contact point's path."""
    touch = contact()
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
