"""§10.1: a sphere on a surface of revolution."""

from __future__ import annotations

from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, slope, symbolic, vanish
from nonholo_papers.macdonnell._ball import at, beta, centre, curve, eta, nu, states, tau
from nonholo_papers.macdonnell._together import equal, joined, together
from nonholo_papers.macdonnell._turning import UP
from nonholo_papers.section import Section
from nonholo_papers.so3 import AXES, hat, matrix, turn

Array = Any
BALL = ("ball-on-surface",)
WORDS = "the centre along a catenary, by complex steps"
section = Section("macdonnell", "10.1 Sphere on a surface of revolution: formulating the problem")
section.rest("notation", 564, 575)
section.rest("definition", 565, 568, 573)
section.uncheckable("Figure 10.1", "Figure 10.1", "A drawing, without numbers.", "The cross-section of the surface.")
section.uncheckable("Figure 10.2", "Figure 10.2", "A drawing, without numbers.", "A sphere on a hoop.")


def _slope(function: Any, x: float) -> Array:
    return slope(lambda y: function(y[0]), np.array([x]))[..., 0]


@section.confirmed("(10.1), η and β", (566, 567, 569, 570, 571, 572), exhibits=BALL)
def vectors() -> Evidence:
    """η = ∂x/∂s = R₃(θ)η₀(s) is a unit vector, τ = R₃(θ)e2 is orthogonal to it, and β = A(η)τ = R₃(θ)β₀(s)."""

    def chain(s: Any) -> list[Any]:
        flat = np.array([at(s).da, 0, at(s).dz])
        return [_slope(lambda t: centre(t, s.theta, s), s.s), turn(3, s.theta) @ flat, eta(s.s, s.theta, s)]

    def normal(s: Any) -> list[Any]:
        flat, about = np.array([at(s).da, 0, at(s).dz]), turn(3, s.theta)
        return [
            hat(_slope(lambda t: centre(t, s.theta, s), s.s)) @ tau(s.theta),
            about @ hat(flat) @ AXES[1],
            about @ (at(s).da * AXES[2] - at(s).dz * AXES[0]),
        ]

    units = equal(states(), lambda s: [eta(s.s, s.theta, s) @ eta(s.s, s.theta, s), 1.0])
    straight = max(abs(float(eta(s.s, s.theta, s) @ tau(s.theta))) for s in states())
    found = joined(equal(states(), chain, normal), units, words=WORDS)
    return Evidence(max(found.printed, straight), None, found.mutant, WORDS)


@section.confirmed("§10.1, φ'", 574, exhibits=BALL)
def curvature() -> Evidence:
    """φ = arg(a' + iz') is the angle between e3 and β, and β·∂η/∂s = a'z'' − z'a'' = φ', whose inverse is the radius of
    curvature.
    """

    def angle(s: Any) -> Any:
        return np.arctan(curve(s.s, s).dz / curve(s.s, s).da)  # a' > 0 here

    def circle(s: Any) -> float:
        """One over the radius of the circle through three near points of the curve."""
        h = 1e-3
        near = [curve(s.s + k * h, s) for k in (-1, 0, 1)]
        p, q, r = (np.array([c.a, c.z]) for c in near)
        area = (q - p)[0] * (r - p)[1] - (q - p)[1] * (r - p)[0]
        return float(2 * area / (np.linalg.norm(q - p) * np.linalg.norm(r - q) * np.linalg.norm(r - p)))

    rough = max(abs(circle(s) / at(s).turn - 1) for s in states())
    found = equal(
        states(),
        lambda s: [
            beta(s.s, s.theta, s) @ _slope(lambda t: eta(t, s.theta, s), s.s),
            at(s).da * at(s).ddz - at(s).dz * at(s).dda,
            _slope(lambda t: np.arctan(curve(t, s).dz / curve(t, s).da), s.s),
        ],
        lambda s: [np.cos(angle(s)), UP @ beta(s.s, s.theta, s)],
    )
    return Evidence(
        max(found.printed, float(rough > 1e-4)), None, found.mutant, f"{WORDS}; circles through three points"
    )


@section.confirmed("§10.1, ν and ẋ", (576, 577), exhibits=BALL)
def kinematics() -> Evidence:
    """Ẇ = A(ν)W, and ẋ = ṡη + aθ̇τ."""
    return equal(
        states(),
        lambda s: [s.dot(matrix), hat(nu(s)) @ matrix(s)],
        lambda s: [
            s.dot(lambda z: centre(z.s, z.theta, z)),
            s.sdot * eta(s.s, s.theta, s) + s.thetadot * turn(3, s.theta) @ hat(UP) @ np.array([at(s).a, 0, at(s).z]),
            s.sdot * eta(s.s, s.theta, s) + at(s).a * s.thetadot * tau(s.theta),
        ],
        words="along the multiplier form",
    )


@section.confirmed("(10.2)", (578, 579, 580, 581), exhibits=BALL)
def lagrangian() -> Evidence:
    """K = ½Jωᵀω + ½mẋᵀẋ = ½Jνᵀν + ½m(ṡ² + a²θ̇²) and U = mge3·x = mgz, for particles with equal moments of inertia."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.4
    weight = 0.9 / 8

    def chain(s: Any) -> list[Any]:
        v, w = s.dot(lambda z: centre(z.s, z.theta, z)), matrix(s).T @ nu(s)
        each = [v + matrix(s) @ np.cross(w, y) for y in corners]
        inertia = weight * 8 * 2 * 0.4**2
        return [
            sum(weight * u @ u for u in each) / 2,
            inertia * w @ w / 2 + s.m * v @ v / 2,
            inertia * nu(s) @ nu(s) / 2 + s.m * (s.sdot**2 + at(s).a ** 2 * s.thetadot**2) / 2,
        ]

    def height(s: Any) -> list[Any]:
        raised = [s.g * weight * (centre(s.s, s.theta, s) + matrix(s) @ y) @ UP for y in corners]
        return [sum(raised), s.m * s.g * UP @ centre(s.s, s.theta, s), s.m * s.g * at(s).z]

    return equal(states(), chain, height, words="eight particles at the corners of a cube")


@section.confirmed("(10.3), (10.4), (10.5)", (582, 583, 584, 585, 586, 587), exhibits=BALL)
def rolling() -> Evidence:
    """The point that touches, at −rβ from the centre, is at rest: 0 = ẋ + rA(β)ν, that is ṡ = rτ·ν and aθ̇ = −rη·ν."""

    def contact(s: Any) -> float:
        y = -s.r * matrix(s).T @ beta(s.s, s.theta, s)
        return float(np.max(np.abs(s.dot(lambda z: centre(z.s, z.theta, z) + matrix(z) @ y))))

    def terms(s: Any) -> list[Any]:
        return [s.dot(lambda z: centre(z.s, z.theta, z)), s.r * hat(beta(s.s, s.theta, s)) @ nu(s)]

    def rows(s: Any) -> list[Any]:
        skew = hat(beta(s.s, s.theta, s)) @ nu(s)
        return [
            np.array([eta(s.s, s.theta, s) @ skew, tau(s.theta) @ skew]),
            np.array([-tau(s.theta) @ nu(s), eta(s.s, s.theta, s) @ nu(s)]),
        ]

    found = joined(
        together(
            states(),
            terms,
            lambda s: [s.sdot, -s.r * tau(s.theta) @ nu(s)],
            lambda s: [at(s).a * s.thetadot, s.r * eta(s.s, s.theta, s) @ nu(s)],
        ),
        equal(
            states(),
            rows,
            lambda s: [hat(nu(s)) @ (-s.r * beta(s.s, s.theta, s)), s.r * hat(beta(s.s, s.theta, s)) @ nu(s)],
        ),
    )
    return Evidence(
        max(found.printed, max(contact(s) for s in states())), None, found.mutant, "the velocity of a material point"
    )


@section.confirmed("§10.1, the orientation of s", exhibits=BALL)
def orientation() -> Evidence:
    """With s reversed β points to the other side, and the contact is opposite."""

    def reversed_normal(s: Any) -> list[Any]:
        back = _slope(lambda t: centre(-t, s.theta, s), -s.s)
        return [hat(back) @ tau(s.theta), -beta(s.s, s.theta, s)]

    return equal(states(), reversed_normal, words=WORDS)


@section.confirmed("§10.1, the dimensions", exhibits=BALL)
def dimensions() -> Evidence:
    """Q is of dimension 5 and D of dimension 3: the two constraints are independent."""

    def table(s: Any) -> Any:
        rows = np.zeros((2, 5))
        rows[0, :3], rows[0, 3] = -s.r * tau(s.theta), 1
        rows[1, :3], rows[1, 4] = s.r * eta(s.s, s.theta, s), at(s).a
        return rows

    ranks = [int(np.linalg.matrix_rank(table(s))) for s in states()]
    kept = vanish(states(), lambda s: table(s) @ np.array([*nu(s), s.sdot, s.thetadot])).printed
    return holds(
        ("the rows vanish on the motion", kept < 1e-12),
        ("rank 2 on five velocities", set(ranks) == {2}),
        against=[("rank 1", 1 in ranks)],
    )


@section.confirmed(
    "§10.1, cylinder, hoop, sphere", (588, 589), exhibits=("ball-in-cylinder", "basketball", "ball-on-sphere")
)
def examples() -> Evidence:
    """s is arc length in all three; β points inwards on the cylinder and away from the middle (u, 0) of the hoop's circle."""
    s, u, v = se.symbols("s u v")
    a, z = u + v * se.sin(s / v), v * se.cos(s / v)
    da, dz = a.diff(s), z.diff(s)
    found = symbolic(
        [
            [da**2, dz**2, se.Integer(-1)],
            [-dz, -(a - u) / v],  # β = (−z', a') is the direction from (u, 0) to (a, z)
            [da, -z / v],
            [a.subs({u: 0}) ** 2, z**2, -(v**2)],
        ]
    )
    return Evidence(found.printed, None, found.mutant, "at random s, u, v; the cylinder has β = −z'e1 = −e1")
