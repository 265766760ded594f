"""Shared by the axially symmetric rolling bodies: the profile a(θ), h(θ) of MacDonnell 1997 §9.1 and its system.

θ is the angle between the body's axis and the vertical, h the height of the centre of mass, and the contact is at
``−(a w3 + r e3)`` from it, with ``r = h − a cos θ``. The contact stays on the plane only if ``h' = −a sin θ``, which the
thesis leaves out; h is the body's support function.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import expand, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.kinks import smooth
from nonholo.algebra.linear_equations import evaluate
from nonholo.errors import ModelError
from nonholo.gallery._rolling import AXIAL_SYMMETRY, VERTICAL, diagonal, rolling_body
from nonholo.model.system import System
from nonholo.notation.read import expression, names_of
from nonholo.notation.write import to_text

THETA = symbol("theta")
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Profile:
    """``a(θ)`` and ``h(θ)`` of a body of revolution, in ``theta`` and its own parameters."""

    a: Expr
    h: Expr
    parameters: tuple[str, ...]

    @property
    def r(self) -> Expr:
        """``r = h − a cos θ``, the distance from the contact to the axis along the vertical."""
        return expand(self.h - self.a * se.cos(THETA))

    @property
    def d(self) -> Expr:
        """``d = a + r cos θ``, the distance from the centre of mass to the contact along the axis."""
        return self.a + self.r * se.cos(THETA)


def profile(h: Any, a: Any = None, parameters: Any = (), values: Mapping[str, float] | None = None) -> Profile:
    """A profile from texts in ``theta``; ``a`` may be left out, it is ``−h'/sin θ``.

    >>> to_text(profile("rho*sin(theta)", parameters="rho").a)
    '-rho*cos(theta)/sin(theta)'
    """
    names = names_of(parameters, "profile parameters")
    known = ("theta", *names)
    height = smooth(expression(h, known, "profile h(theta)"), "profile h")
    implied = expand(-height.diff(THETA) / se.sin(THETA))
    if a is None:
        return Profile(implied, height, names)
    given = smooth(expression(a, known, "profile a(theta)"), "profile a")
    gaps = []
    random = np.random.default_rng(8)
    for angle in random.uniform(0.1, 3.0, 12):
        place = dict(zip(names, random.uniform(0.5, 1.5, len(names)).tolist())) | dict(values or {}) | {"theta": float(angle)}
        left, right = evaluate([height.diff(THETA), -given * se.sin(THETA)], place)
        if np.isfinite(left) and np.isfinite(right):
            gaps.append((abs(left - right) / (1 + abs(left)), angle, left, right))
    if not gaps:
        raise ModelError("profile: h' and −a sin θ are not finite at any angle between 0 and π; correct a or h.")
    worst, angle, left, right = max(gaps)
    if worst > TOLERANCE:
        raise ModelError(
            f"profile: h' = −a sin θ is needed for the contact to stay on the plane, but at theta = {angle:.4g} h' is "
            f"{left:.6g} and −a sin θ is {right:.6g}; leave a out, or give a = {to_text(implied)}."
        )
    return Profile(given, height, names)


def in_body(expr: Expr) -> Expr:
    """An expression in ``theta`` as one in the rotation matrix: ``cos θ = R33``, ``sin θ = sqrt(R31² + R32²)``."""
    cosine, sine = VERTICAL[2], se.sqrt(VERTICAL[0] ** 2 + VERTICAL[1] ** 2)
    table = {
        se.sin(THETA): sine,
        se.cos(THETA): cosine,
        se.tan(THETA): sine / cosine,
        se.cot(THETA): cosine / sine,
        se.sec(THETA): 1 / cosine,
        se.csc(THETA): 1 / sine,
    }
    return expr.xreplace(table).xreplace({THETA: se.acos(cosine)})


def contact(shape: Profile) -> tuple[Expr, Expr, Expr]:
    """From the centre of mass to the contact, in the body: ``−(a e3 + r γ)``."""
    a, r = in_body(shape.a), in_body(shape.r)
    return (-r * VERTICAL[0], -r * VERTICAL[1], -a - r * VERTICAL[2])


def axisymmetric(name: str, shape: Profile, **others: Any) -> System:
    """The rolling body with moments J1 = J2 and J3 [MacDonnell 1997 (9.1), (9.2)]."""
    one, three = symbols(("J1", "J3"))
    names = " ".join(("m", "g", "J1", "J3", *(p for p in shape.parameters if p not in ("m", "g", "J1", "J3"))))
    return rolling_body(name, names, contact(shape), diagonal(one, one, three), AXIAL_SYMMETRY, **others)


def along_axis(name: str = "R") -> Any:
    """The rotation of a rod (which lies along its first axis) along the body's third axis: columns 3, 1, 2."""
    return tuple(tuple(f"{name}{i}{j}" for j in (3, 1, 2)) for i in (1, 2, 3))
