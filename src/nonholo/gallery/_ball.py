"""Shared by the balls on surfaces of revolution: the system of MacDonnell 1997 §10 from the centre's curve.

The centre of the ball is at ``R3(θ)(a(s), 0, z(s))``. With ``ℓ = sqrt(a'² + z'²)`` (1 when s is arc length, as the
thesis has it) the unit vectors are ``η`` along the curve, ``τ = R3(θ)e2`` around the axis, and ``β = η × τ``, the
normal on the ball's side. The ball's radius, r in the thesis, is called ``rho`` here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import symengine as se

from nonholo.algebra.calculus import symbol, symbols, tidy
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.kinks import smooth
from nonholo.algebra.linear_equations import dot
from nonholo.errors import ModelError
from nonholo.gallery.exhibit import Body, Drawing, Point, Trace, matrix_of
from nonholo.geometry.frames.frame import Euclidean
from nonholo.geometry.groups.matrix_groups import SO3
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System
from nonholo.notation.read import expression, names_of
from nonholo.notation.write import to_text

SPIN = symbols(("nu1", "nu2", "nu3"))
THETA = symbol("theta")
UNITS = {"m": "kg", "J": "kg m²", "rho": "m", "g": "m/s²", "theta": "rad", "roll": "rad/s", "Omega1": "rad/s"} | {
    "Omega2": "rad/(m s)", "nu1": "rad/s", "nu2": "rad/s", "nu3": "rad/s"
}  # fmt: skip


@dataclass(frozen=True)
class Curve:
    """The centre's curve in the meridian plane, in one variable and the surface's own parameters."""

    variable: str
    a: Expr
    z: Expr
    speed: Expr
    parameters: tuple[str, ...]


def curve(a: Any, z: Any, parameters: Any = (), variable: str = "s", speed: Any = None) -> Curve:
    """The curve from texts ``a(s)``, ``z(s)``; its speed ``ℓ`` is found when not given.

    >>> curve("u + v*sin(s/v)", "v*cos(s/v)", "u v").speed
    1
    """
    names = names_of(parameters, "surface parameters")
    if "r" in names or variable in names:
        raise ModelError(f"surface of revolution: {variable} and r are names of the surface's own; rename the parameter.")
    known = (variable, *names)
    away, high = (smooth(expression(e, known, f"surface {n}({variable})"), n) for n, e in (("a", a), ("z", z)))
    s = symbol(variable)
    if away.diff(s) == 0 and high.diff(s) == 0:
        raise ModelError(f"surface of revolution: neither a nor z depends on {variable}; give a curve.")
    if away == 0:
        raise ModelError("surface of revolution: a = 0 is the axis itself; give a curve beside it.")
    found = se.sqrt(tidy(away.diff(s) ** 2 + high.diff(s) ** 2)) if speed is None else expression(speed, known, "speed")
    return Curve(variable, away, high, found, names)


@dataclass(frozen=True)
class Vectors:
    """``x, η, τ, β`` as expressions."""

    place: tuple[Expr, Expr, Expr]
    eta: tuple[Expr, Expr, Expr]
    tau: tuple[Expr, Expr, Expr]
    beta: tuple[Expr, Expr, Expr]


def vectors(path: Curve) -> Vectors:
    """The centre and its unit vectors [MacDonnell 1997 (10.1)]."""
    s, c, d = symbol(path.variable), se.cos(THETA), se.sin(THETA)
    da, dz = path.a.diff(s) / path.speed, path.z.diff(s) / path.speed
    return Vectors(
        place=(path.a * c, path.a * d, path.z),
        eta=(da * c, da * d, dz),
        tau=(-d, c, se.Integer(0)),
        beta=(-dz * c, -dz * d, da),
    )


def ball(name: str, path: Curve) -> System:
    """A ball of mass m, radius ρ and moment J that rolls on a surface of revolution.

        L = ½ J ν·ν + ½ m (ℓ² ṡ² + a² θ̇²) − m g z          [MacDonnell 1997 (10.2)]
        ℓ ṡ = ρ τ·ν,   a θ̇ = −ρ η·ν                          [MacDonnell 1997 (10.4), (10.5)]

    Its quasi-velocities are those of the aligned basis, ``ν = Ω1 β + Ω2 a η + roll τ`` [§10.3].
    """
    at = vectors(path)
    m, J, rho, g = symbols(("m", "J", "rho", "g"))
    along, around = symbols((f"{path.variable}dot", "thetadot"))
    kinetic = J * dot(SPIN, SPIN) / 2 + m * (path.speed**2 * along**2 + path.a**2 * around**2) / 2
    return System(
        name=name,
        frame=SO3("R", rates="nu1 nu2 nu3", side="spatial") * Euclidean((path.variable, "theta")),
        parameters=("m", "J", "rho", "g", *path.parameters),
        lagrangian=kinetic - m * g * path.z,
        constraints=[path.speed * along - rho * dot(at.tau, SPIN), path.a * around + rho * dot(at.eta, SPIN)],
        quasivelocities={"Omega1": dot(at.beta, SPIN), "Omega2": dot(at.eta, SPIN) / path.a, "roll": dot(at.tau, SPIN)},
        symmetry=SYMMETRY,
    )


def _right_turn(axis: int) -> dict[str, str]:
    """``R → R Mᵀ``: the generator ``−R A(e_axis)`` on the entries."""
    i, j = ((2, 3), (3, 1), (1, 2))[axis - 1]
    return {f"R{k}{i}": f"-R{k}{j}" for k in (1, 2, 3)} | {f"R{k}{j}": f"R{k}{i}" for k in (1, 2, 3)}


SYMMETRY = Symmetry(
    {
        "turn": {"theta": "1"} | {f"R1{j}": f"-R2{j}" for j in (1, 2, 3)} | {f"R2{j}": f"R1{j}" for j in (1, 2, 3)},
        **{f"spin{k}": _right_turn(k) for k in (1, 2, 3)},
    },
    "SO(2) x SO(3)",
)
"""Turns about the vertical axis, and of the ball's own frame [MacDonnell 1997 (10.6)–(10.8)]."""


def texts(exprs: Sequence[Expr], replaced: Mapping[Any, Any] | None = None) -> Point:
    """Three expressions as texts."""
    one, two, three = (to_text(se.sympify(e).xreplace(dict(replaced or {}))) for e in exprs)
    return (one, two, three)


def drawing(
    path: Curve,
    reach: tuple[str, str],
    plots: tuple[tuple[str, str], ...],
    colours: tuple[str, str] = ("lightgrey", "steelblue"),
) -> Drawing:
    """The ball with two marks, the surface it touches from ``reach[0]`` to ``reach[1]``, and its path."""
    at = vectors(path)
    rho = symbol("rho")
    contact = [x - rho * b for x, b in zip(at.place, at.beta)]
    own = {symbol(path.variable): symbol("s"), THETA: symbol("r")}
    turned = matrix_of("R")
    # let into the ball, so that they do not pierce the surface
    marks = [[x + rho * se.Rational(83, 100) * symbol(row[k]) for x, row in zip(at.place, turned)] for k in (0, 2)]
    spot = {"radius": "rho/5"}
    surface = {"s0": reach[0], "s1": reach[1], "r0": "0", "r1": "2*pi"}
    return Drawing(
        bodies=(
            Body("surface", size=surface, points=texts(contact, own), colour=colours[0], label="surface"),
            Body("sphere", texts(at.place), turned, {"radius": "rho"}, colour=colours[1], label="ball"),
            Body("sphere", texts(marks[0]), turned, spot, colour="black", label="mark"),
            Body("sphere", texts(marks[1]), turned, spot, colour="firebrick", label="mark"),
        ),
        traces=(Trace(texts(contact), "contact"), Trace(texts(at.place), "centre", "grey")),
        ground="none",
        plots=plots,
    )
