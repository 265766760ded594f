"""Discrete Hamel equations with increments on the group: the exponential, or Cayley's map.

(5.11) of Zenkov 2016 leaves the discrete kinematic equation open. Here ``x_τ = x · exp(τ h v)`` and ``x' = x_τ · exp((1 − τ)
h v)`` with
``v = V(x_τ, ξ)``, the velocities of the frame there: rotation matrices, quaternions and the vertical stay where they belong
by construction, for every
``τ``, and with ``τ = 1/2`` the step is symmetric. (For the exponential both together are ``exp(h v)``; for Cayley's map they
are not, and one increment
for the whole step would not be symmetric about ``x_{1/2}``.) The momenta obey ``π' = π + h f(x_τ, ξ)`` as they do in
straight lines.

For a frame made of factors (`Frame.recipe`) and velocities ``v`` of the frame, held for a time ``s``:

    SO(3)       R exp(s ŵ), or exp(s ŵ) R for spatial rates            quaternions  q ∘ exp(s w/2)
    SE(2), SE(3) the same with the displacement that goes with it       vertical     exp(−s ŵ) γ
    plain coordinates (and SO(2), an angle)  x + s v

Cayley's map is ``cay(a) = (1 − â/2)⁻¹(1 + â/2)``; on SE(3) that of the 4 × 4 matrices. [Iserles, Munthe-Kaas, Nørsett,
Zanna, Acta Numerica 9
(2000) 215, section 8 and appendix B; Bou-Rabee and Marsden, Found. Comput. Math. 9 (2009) 197]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import factorial
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import symbol
from nonholo.compile.schemes.scheme import Step, Writer, scheme, stacked
from nonholo.errors import ModelError
from nonholo.program.program_values import Value, Values

SMALL, TERMS = 0.3, 9
"""Below this square of an angle series are taken, with so many terms: their remainder is rounding."""
SIZES = {"SO3": (9, 3), "Quaternion": (4, 3), "SE2": (3, 3), "SE3": (12, 6), "Vertical": (3, 3)}
"""Coordinates and velocities of each kind of factor; plain coordinates have as many of both."""


def _write_step(w: Writer, maps: Maps) -> Step:
    system = w.equations.system
    factors = system.frame.recipe if system is not None else ()
    counts = [count for f in factors if (count := sizes(f)) is not None]
    if system is None or not factors or len(counts) < len(factors):
        raise ModelError(
            f"{w.equations.name}: increments on a group need a frame made of SO3, Quaternion, SE2, SE3, Vertical and plain "
            "coordinates; leave out kinematics."
        )
    own = {str(s) for s in w.equations.speeds}
    w.more["velocities"] = tuple(
        symbol(n) if n in own else se.sympify(w.equations.outputs[n]) for n in system.frame.velocities
    )
    v, xi, gain = w.unknown(len(system.frame.velocities)), w.unknown(len(w.z)), w.unknown(len(w.z))

    def after(begin: Values, time: Values) -> Values:
        parts, x, step = [], 0, 0
        for factor, count in zip(factors, counts):
            parts.append(displaced(factor, begin[x : x + count[0]], time * v[step : step + count[1]], maps))
            x, step = x + count[0], step + count[1]
        return stacked(*parts)

    inside = after(w.x, w.tau * w.h)
    new = after(inside, (1.0 - w.tau) * w.h)
    node, within, end = w.at(w.x, w.z, 0), w.at(inside, xi, 1), w.at(new, w.z + gain, 2)
    return Step(
        stacked(node.of("velocities"), w.z + w.tau * w.h * w.z_rate, w.h * w.z_rate),
        stacked(
            v - within.of("velocities"),
            within.momenta - (1.0 - w.tau) * w.h * within.forces - node.momenta,
            end.momenta - node.momenta - w.h * within.forces,
        ),
        stacked(new - w.x, gain),
    )


@scheme("hamel exponential", covectors="hamel", kept=True)
def exponential(w: Writer) -> Step:
    """By the exponential map."""
    return _write_step(w, Maps(cayley=False))


@scheme("hamel cayley", covectors="hamel", kept=True)
def cayley(w: Writer) -> Step:
    """By Cayley's map."""
    return _write_step(w, Maps(cayley=True))


@dataclass(frozen=True)
class Maps:
    """The coefficients of a map from the algebra to the group, as functions of ``a`` (three values) with ``s = |a|²``.

    ``turn = 1 + first â + second â²`` and the displacement ``1 + second_d â + third_d â²`` that goes with it.
    """

    cayley: bool

    def turn(self, a: Values) -> Values:
        """The rotation matrix of a vector."""
        square = a @ a
        hatted = hat(a)
        if self.cayley:
            scale = _quotient(4.0, square + 4.0)
            return unit(square) + scale * (hatted + 0.5 * (hatted @ hatted))
        return unit(square) + entire(square, 1) * hatted + entire(square, 2) * (hatted @ hatted)

    def along(self, a: Values) -> Values:
        """The matrix that maps a constant body velocity to the displacement."""
        square = a @ a
        hatted = hat(a)
        if self.cayley:
            scale = _quotient(4.0, square + 4.0)
            return scale * (unit(square) + 0.5 * hatted + 0.25 * np.outer(a, a))
        return unit(square) + entire(square, 2) * hatted + entire(square, 3) * (hatted @ hatted)

    def half(self, a: Values) -> Values:
        """The unit quaternion of a vector."""
        square = 0.25 * (a @ a)
        if self.cayley:
            scale = _quotient(1.0, function("sqrt", square + 1.0))
            return np.array([scale, *(0.5 * scale * a)], dtype=object)
        return np.array([entire(square, 0), *(0.5 * entire(square, 1) * a)], dtype=object)

    def plane(self, w: Value) -> tuple[Any, Values]:
        """The angle of a planar turn, and the matrix of its displacement."""
        if self.cayley:
            scale = _quotient(1.0, 0.25 * w * w + 1.0)
            turned = 2.0 * Value(w.program, w.program.call("atan", (0.5 * w).place))
            return turned, np.array([[scale, -0.5 * scale * w], [0.5 * scale * w, scale]], dtype=object)
        sine, rest = entire(w * w, 1), w * entire(w * w, 2)
        return w, np.array([[sine, -1.0 * rest], [rest, sine]], dtype=object)


def displaced(recipe: Mapping[str, Any], x: Values, step: Values, maps: Maps) -> Values:
    """The coordinates of one factor after its velocities times the time, ``step``."""
    kind, spatial = recipe["kind"], recipe.get("side") == "spatial"
    if kind == "Euclidean":
        return x + step
    if kind == "SO3":
        turn, old = maps.turn(step), x.reshape(3, 3)
        return (turn @ old if spatial else old @ turn).ravel()
    if kind == "Vertical":
        return maps.turn(-1.0 * step) @ x
    if kind == "Quaternion":
        more = maps.half(step)
        return hamilton(more, x) if spatial else hamilton(x, more)
    if kind == "SE3":
        turn, old, slide = maps.turn(step[:3]), x[:9].reshape(3, 3), maps.along(step[:3]) @ step[3:]
        if spatial:
            return np.concatenate([(turn @ old).ravel(), turn @ x[9:] + slide])
        return np.concatenate([(old @ turn).ravel(), x[9:] + old @ slide])
    assert kind == "SE2"
    angle, slope = maps.plane(step[0])
    slide = slope @ step[1:]
    if spatial:
        c, s = function("cos", angle), function("sin", angle)
        place = np.array([c * x[1] - s * x[2], s * x[1] + c * x[2]], dtype=object) + slide
    else:
        c, s = function("cos", x[0]), function("sin", x[0])
        place = x[1:] + np.array([c * slide[0] - s * slide[1], s * slide[0] + c * slide[1]], dtype=object)
    return np.array([x[0] + angle, *place], dtype=object)


def sizes(recipe: Mapping[str, Any]) -> tuple[int, int] | None:
    """How many coordinates and velocities a factor has; None for one that has no increments here."""
    if recipe["kind"] == "Euclidean":
        count = len(str(recipe["coordinates"]).replace(",", " ").split())
        return count, count
    return SIZES.get(str(recipe["kind"]))


def entire(s: Value, order: int) -> Any:
    """``Σ (−s)^k / (2k + order)!``: cos, sin, 1 − cos, … of ``√s``, over powers of it; smooth at 0."""
    p = s.program
    total: Any = Value(p, p.number(0.0))
    for k in reversed(range(TERMS)):
        total = 1.0 / factorial(2 * k + order) - s * total
    safe = Value(p, p.choose(p.put("compare", s.place, p.number(SMALL), detail="olt"), p.number(1.0), s.place))
    closed = _closed(safe, function("sqrt", safe), order)
    return Value(p, p.choose(p.put("compare", s.place, p.number(SMALL), detail="olt"), total.place, closed.place))


def _closed(s: Value, root: Value, order: int) -> Any:
    """The same in closed form, away from 0."""
    if order == 0:
        return function("cos", root)
    if order == 1:
        return function("sin", root) / root
    return (1.0 - function("cos", root)) / s if order == 2 else (root - function("sin", root)) / (s * root)


def function(name: str, value: Any) -> Value:
    """A function of a value: sin, cos or sqrt."""
    return Value(value.program, value.program.put(name, value.place))


def _quotient(top: float, below: Any) -> Any:
    return Value(below.program, below.program.divide(below.program.number(top), below.place))


def hat(a: Values) -> Values:
    """``â`` with ``â b = a × b``."""
    zero = 0.0 * a[0]
    return np.array([[zero, -1.0 * a[2], a[1]], [a[2], zero, -1.0 * a[0]], [-1.0 * a[1], a[0], zero]], dtype=object)


def unit(like: Value) -> Values:
    """The unit matrix."""
    p = like.program
    return np.array([[Value(p, p.number(float(i == j))) for j in range(3)] for i in range(3)], dtype=object)


def hamilton(p: Values, q: Values) -> Values:
    """The product of quaternions, scalar part first."""
    a, b, c, d = p
    e, f, g, h = q
    return np.array(
        [
            a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ],
        dtype=object,
    )  # fmt: skip
