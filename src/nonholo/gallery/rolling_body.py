"""An axially symmetric body that rolls on a plane, given by its profile: the height h(θ) of its centre of mass."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import symengine as se

from nonholo.algebra.linear_equations import evaluate
from nonholo.errors import ModelError
from nonholo.gallery._axisymmetric import THETA, Profile, along_axis, axisymmetric, contact
from nonholo.gallery._axisymmetric import profile as support
from nonholo.gallery._rolling import SPATIAL_UNITS, attitude, contact_trace, place_of
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, matrix_of
from nonholo.notation.write import to_text

TITLE = "Axially symmetric rolling body, by its profile"
GROUP = "Balls and rolling bodies"
PAPERS = "MacDonnell 1997 §9"

SOURCE = "MacDonnell 1997"
READY: dict[str, tuple[str, dict[str, float]]] = {
    "egg": ("sqrt(p**2*sin(theta)**2 + q**2*cos(theta)**2) + e*cos(theta)", {"p": 0.2, "q": 0.3, "e": 0.04}),
    "disk": ("p*sin(theta)", {"p": 0.3}),
    "wheel": ("p*sin(theta) + b", {"p": 0.3, "b": 0.04}),
    "sphere": ("p + e*cos(theta)", {"p": 0.25, "e": 0.05}),
}
"""Ready profiles: an egg (ellipsoid of revolution), a sharp disk, a wheel with a round rim, a ball; e is an offset."""
RANGE = {"s0": "0.01", "s1": "pi - 0.01", "r0": "0", "r1": "2*pi"}


def exhibit(
    profile: str = "egg",
    h: str | None = None,
    a: str | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Exhibit:
    """A ready profile by name, or your own by ``h`` (and ``a``) as texts in ``theta`` with values for their parameters.

    ``a`` follows from ``h' = −a sin θ``; when both are given, the condition is checked.
    """
    height, own = _height(profile, h, a, parameters)
    shape = support(height, a, list(own), own)
    system = axisymmetric("rolling body", shape)
    touch, none = contact(shape), se.Integer(0)
    centre = place_of((none, none, none), touch)
    span = _span(shape, own)
    axis = {"length": to_text(se.RealDouble(span))}
    return Exhibit(
        name="rolling-body",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 0.8, "g": 9.81, "J1": 0.021, "J3": 0.013, **own},
        start={**attitude(0.0, 1.2, 0.0), "w1": 0.5, "w2": 3.0, "w3": 6.0},
        starts={"rolling": {**attitude(0.0, 1.4, 0.0), "w3": 9.0}, "spinning": {**attitude(0.0, 1.5, 0.0), "w2": 12.0}},
        until=6.0,
        options={"h": height, "a": a or ""},
        references=(f"{SOURCE}, §§9.1–9.6, (9.1)–(9.13)", "Gallop 1904", "Routh 1905, Article 241a"),
        units={**SPATIAL_UNITS, "J1": "kg m²", "J3": "kg m²", **dict.fromkeys(own, "m")},
        drawing=Drawing(
            bodies=(
                Body("surface", centre, matrix_of("R"), RANGE, _skin(shape, own), label="body"),
                Body("rod", centre, along_axis(), axis, colour="black", label="axis"),
            ),
            traces=(Trace(contact_trace(touch), "contact"), Trace(centre, "centre of mass", "grey")),
            plots=(("t", "R33"), ("t", "w3"), ("x", "y")),
        ),
        story=(
            "Egg, coin, wheel or ball: every body of revolution that rolls on a plane is known by one function, the height "
            "of its centre over the plane at each tilt. All of them reduce to one degree of freedom, the tilt, in a potential."
        ),
    )


def _height(
    name: str, h: str | None, a: str | None, parameters: Mapping[str, float] | None
) -> tuple[str, dict[str, float]]:
    """The text of h and the values of its parameters: of a ready profile, or one's own."""
    if h is None:
        if a is not None:
            raise ModelError("rolling body: a is given without h; give h(theta), the height of the centre of mass.")
        if name not in READY:
            raise ModelError(f"rolling body: no profile {name!r}; choose from {', '.join(READY)}, or give h=… in theta.")
        text, values = READY[name]
        stray = [k for k in parameters or {} if k not in values]
        if stray:
            raise ModelError(f"rolling body: the profile {name!r} has no parameter {stray[0]!r}; it has {', '.join(values)}.")
        values = {**values, **(parameters or {})}
        return text, values
    own = {str(k): float(v) for k, v in (parameters or {}).items()}
    return h, own


def _skin(shape: Profile, own: Mapping[str, float]) -> tuple[str, str, str]:
    """The surface in the body: radius ``r sin θ`` at ``−d`` along the axis; s is θ, r the angle around."""
    clash = {se.Symbol(n): se.RealDouble(own[n]) for n in ("r", "s") if n in own}
    table = {THETA: se.Symbol("s")}
    wide, deep = ((e.xreplace(clash)).xreplace(table) for e in (shape.r * se.sin(THETA), -shape.d))
    around = se.Symbol("r")
    return (to_text(wide * se.cos(around)), to_text(wide * se.sin(around)), to_text(deep))


def _span(shape: Profile, own: Mapping[str, float]) -> float:
    """Twice the body's size along its axis, for the drawing of the axis."""
    tilts = np.linspace(0.1, 3.0, 30)
    found = [evaluate([shape.d, shape.h], {**own, "theta": float(t)}) for t in tilts]
    return float(max(2.4 * max(abs(deep), high) for deep, high in found))
