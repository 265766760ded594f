"""Benenti 2008, §8.4: two mass-points with constant distance and parallel velocities."""

from __future__ import annotations

from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, holds, identity, symbolic
from nonholo_papers.section import Section
from nonholo_papers.spectral import partials

Vector = Any
section = Section("benenti", "8.4 Constant distance and parallel velocities")
section.rest("notation", 127)
section.rest("definition", 128, 130, 131)
section.uncheckable("Figure 33", "Figure 33", "a drawing without numbers", "Kinematical states of a rigid segment.")
section.uncheckable("Figure 34", "Figure 34", "a drawing without numbers", "Possible states in the dynamics of type I.")
EXHIBITS = ("rigid-parallel-points",)
_L, _F, _XD, _YD, _FD = se.symbols("l phi xd yd phid")
_C, _S = se.cos(_F), se.sin(_F)


section.uncheckable(
    "§8.4, the two points",
    (),
    "a slip of the pen: the text has (P₁, m₁) ∈ (P₂, m₂) for (P₁, m₁) and (P₂, m₂)",
    "Two mass-points are linked by a rigid segment.",
)


@section.confirmed("(56)", (129, "Example 8.4"))
def velocities() -> Evidence:
    """The velocities of both ends of the segment."""
    x, y = se.symbols("x y")
    rates = {x: _XD, y: _YD, _F: _FD}

    def dot(e: Any) -> Any:
        return sum(e.diff(a) * b for a, b in rates.items())

    return symbolic(
        [
            [dot(x + _L * _C), -_XD, _L * _S * _FD],
            [dot(y + _L * _S), -_YD, -_L * _C * _FD],
        ]
    )


@section.confirmed("(58)", 132)
def same_projection() -> Evidence:
    """Both velocities, and that of every point of the line, have the same projection τ on the segment."""
    share = se.Symbol("share")
    point = [_XD - share * _L * _S * _FD, _YD + share * _L * _C * _FD]
    return symbolic([[point[0] * _C, point[1] * _S, -_XD * _C, -_YD * _S], [1 + _C * _C, _S * _S, -se.Integer(2)]])


@section.confirmed("(59)", 133)
def centre() -> Evidence:
    """In a rotational state there is one point C with v_P = φ̇ k × CP for all P of the segment; for φ̇ = 0 all
    have one velocity.
    """

    def terms(p: Any) -> list[Vector]:
        first = np.array([p.a, p.b])
        along = np.array([np.cos(p.phi), np.sin(p.phi)])
        centre = np.array([-p.b, p.a]) / p.w  # C − P₁ from v₁ = φ̇ k × CP₁
        shares = np.array([0.0, 0.4, 1.0])
        places = shares[:, None] * p.l * along - centre
        turned = p.w * np.stack([-places[:, 1], places[:, 0]], axis=1)
        wanted = first + shares[:, None] * p.l * p.w * np.array([-along[1], along[0]])
        return [turned, -wanted]

    return identity(generic("l phi", signed="a b w"), terms, words="P₁, P₂ and a point between them")


@section.confirmed("§8.4, v₁ × v₂", (134, 135))
def quadratic() -> Evidence:
    """The determinant of the two velocities is ℓτφ̇, so that v₁ × v₂ = 0 is (60), τφ̇ = 0 (a separator is missing in the text)."""
    second = [_XD - _L * _S * _FD, _YD + _L * _C * _FD]
    return symbolic([[_XD * second[1], -_YD * second[0], -_L * _FD * _XD * _C, -_L * _FD * _YD * _S]])


def _product(u: Vector) -> float:
    """v₁ × v₂ for v₁ = (u₁, u₂) and φ̇ = u₃, of a segment along (0.6, 0.8)."""
    second = u[:2] + 0.9 * u[2] * np.array([-0.8, 0.6])
    return float(u[0] * second[1] - u[1] * second[0])


@section.confirmed("(61), (62)", (136, 137))
def two_constraints() -> Evidence:
    """The quadratic constraint is the union of two linear ones, τ = 0 and φ̇ = 0: each is enough, and no other
    velocity obeys it.
    """
    random = np.random.default_rng(6)
    kept = max(abs(_product(np.array([0.8, -0.6, 0.8]))), abs(_product(np.append(random.normal(size=2), 0.0))))
    other = min(abs(_product(np.append(random.normal(size=2), 0.8))) for _ in range(4))
    return Evidence(kept, None, other, "states with τ = 0, states with φ̇ = 0, and states with neither")


@section.confirmed("§8.4, type I", printed=r"\tau = 0: \mathbf v_1, \mathbf v_2 \text{ both orthogonal to the segment}")
def orthogonal() -> Evidence:
    """With τ = 0 both velocities are orthogonal to the segment: the system of 8.2."""
    on_law = {_XD: se.Symbol("v") * _S, _YD: -se.Symbol("v") * _C}
    second = [(_XD - _L * _S * _FD).subs(on_law), (_YD + _L * _C * _FD).subs(on_law)]
    return symbolic([[second[0] * _C, second[1] * _S], [(_XD * _C).subs(on_law), (_YD * _S).subs(on_law)]])


@section.misprint(
    "§8.4, type II",
    (138,),
    printed=r"\text{the linear constraint } \phi = 0; \quad \phi = \phi_0 = \text{constant}",
    right=r"\text{the linear constraint } \dot\phi = 0, \quad\text{equivalent to } \phi = \phi_0 = \text{constant}",
    harm=1,
    breaks="φ = 0 is one direction of the segment, not any; the dot is missing, (62) has it",
    kind="reading",
)
def dot_missing() -> Evidence:
    """The constraint of the dynamics of type II."""

    def product(angle: float, turn: float) -> tuple[float, float]:
        """v₁ × v₂, and ℓφ̇ times v₁ along the segment, which it is: it vanishes with φ̇."""
        first = np.array([0.8, 0.5])
        second = first + turn * np.array([-np.sin(angle), np.cos(angle)])
        along = first @ np.array([np.cos(angle), np.sin(angle)])
        return float(first[0] * second[1] - first[1] * second[0]), float(turn * along)

    return Evidence(
        abs(product(0.0, 0.7)[0]),
        max(abs(one - two) for one, two in (product(a, turn) for a in (0.0, 0.9, 2.2) for turn in (0.0, 0.4, -1.3))),
        None,
        "v₁ × v₂ with φ = 0 and turning; it is a multiple of φ̇",
    )


@section.confirmed(
    "§8.4, type II: two degrees of freedom",
    printed="behaves as a holonomic system with 2 degrees of freedom (x, y)",
    exhibits=EXHIBITS,
)
def translations() -> Evidence:
    """With φ̇ = 0 the segment is shifted: both points accelerate alike, by the sum of the forces over the sum of the masses."""
    from nonholo.model.system import System
    from nonholo_papers.evidence import moving_system

    second = "(xdot - rho*sin(phi)*phidot)**2 + (ydot + rho*cos(phi)*phidot)**2"
    system = System(
        name="shifted segment",
        coordinates="x y phi",
        parameters="m1 m2 rho",
        inputs="Ax Ay At",
        lagrangian=f"m1/2*(xdot**2 + ydot**2) + m2/2*({second})",
        constraints=["phidot"],
        forces={"x": "Ax", "y": "Ay", "phi": "At"},
    )
    points = moving_system(system, {"m1": 1.3, "m2": 0.7, "rho": 0.6})

    def terms(p: Any) -> list[Vector]:
        return [(p.m1 + p.m2) * np.array([p.rate("xdot"), p.rate("ydot")]), -np.array([p.Ax, p.Ay])]

    return identity(points, terms, words="against the multiplier form with any forces")


@section.confirmed(
    "§8.4, transitional states",
    printed="there are transitional states at which a change of the dynamical behavior may occur",
    exhibits=EXHIBITS,
)
def transitional() -> Evidence:
    """Where τ = φ̇ = 0 the quadratic constraint loses its rank, so that both types go on from there; elsewhere it has rank 1."""

    def rank(*u: float) -> int:
        return int(np.linalg.matrix_rank(partials(_product, np.array(u))[:, None], tol=1e-9))

    return holds(
        ("rank 0 at τ = φ̇ = 0", rank(0.72, -0.54, 0.0) == 0),
        ("rank 1 within each type", rank(0.96, -0.22, 0.0) == rank(0.72, -0.54, 0.6) == 1),
        against=[("rank 0 wherever φ̇ = 0", rank(0.96, -0.22, 0.0) == 0)],
    )
