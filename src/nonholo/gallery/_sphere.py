"""Shared by the spheres with a centre of mass off their middle: contact, integrals, and the energy of a tilt.

The sphere has radius r; its centre is ``a`` above the centre of mass along the axis of symmetry, the body's third. The
moments of inertia about the centre of mass are A, A and C. From the centre of mass the contact is at ``ρ = a e3 − r γ``.
"""

from __future__ import annotations

from typing import Any

from nonholo.algebra.calculus import symbol
from nonholo.gallery._rolling import SPATIAL_UNITS, VERTICAL, contact_trace, place_of
from nonholo.gallery.exhibit import Body, Drawing, Trace, matrix_of

UNITS = {**SPATIAL_UNITS, "r": "m", "a": "m", "A": "kg m²", "C": "kg m²"}


def contact() -> tuple[Any, Any, Any]:
    """ρ(γ) as expressions."""
    r, one, two, three = symbol("r"), *VERTICAL
    return (-r * one, -r * two, symbol("a") - r * three)


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
