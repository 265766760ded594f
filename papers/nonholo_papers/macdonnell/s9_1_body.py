"""§9.1: an axially symmetric rolling body."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, holds, identity, vanish
from nonholo_papers.macdonnell import _body as rolling
from nonholo_papers.macdonnell._body import at, centre, omega, shape, states, tilt
from nonholo_papers.macdonnell._together import equal, joined, together
from nonholo_papers.macdonnell._turning import LEVEL, UP
from nonholo_papers.section import Section
from nonholo_papers.so3 import hat, matrix

Array = Any
BODY = ("rolling-body", "routh-top")
section = Section("macdonnell", "9.1 Axially symmetric rolling body: formulating the problem")
section.rest("notation", 338, 339, 340)
section.rest("definition of the potential energy (U is read C in the text), part of (9.1)", 342)
section.uncheckable("Figure 9.1", "Figure 9.1", "A drawing, without numbers.", "The cross-section of the body.")


@section.confirmed("§9.1, a and r by h and d", (333, 334), exhibits=BODY)
def lengths() -> Evidence:
    """h = r + a cos θ and d = a + r cos θ are solved by r = (h − d cos θ)/sin²θ, a = (d − h cos θ)/sin²θ."""

    def terms(p: Any, which: int) -> list[Any]:
        c, s = np.cos(p.theta), np.sin(p.theta)
        h, d = p.r + p.a * c, p.a + p.r * c
        return [[p.r, -h / s**2, d * c / s**2], [p.a, -d / s**2, h * c / s**2]][which]

    points = generic("theta", signed="a r")
    return together(points, lambda p: terms(p, 0), lambda p: terms(p, 1), words="at generic θ, a and r")


@section.conditional(
    "§9.1, the assumptions on h and d",
    (335, 336, 337),
    right="besides h′ = −a sin θ, that is, h is the support function of the body; equivalently r′ = −a′ cos θ",
    reason="(9.2) raises the centre of mass by −a sin θ θ̇, (9.3) by h′θ̇.",
    printed=r"h \geq 0,\ h(0) = d(0),\ h(\pi) = -d(\pi) \text{, and otherwise } h, d \text{ (so } a, r\text{) are free}",
    harm=4,
    breaks="With a and r free the rolling condition lifts the centre of mass off the height h, and κ is not tangent to Q.",
    exhibits=BODY,
)
def support() -> Evidence:
    """(9.2) raises the centre of mass by −a sin θ θ̇, (9.3) by h'θ̇; these agree just when h' = −a sin θ."""

    def gap(a: Any, h: Any) -> float:
        angles = np.array([0.4, 1.1, 1.9, 2.6])
        rise = np.imag(h(angles + 1e-30j)) / 1e-30
        return float(np.max(np.abs(rise + a(angles) * np.sin(angles))))

    def free_a(t: Any) -> Any:
        return 0.3 + 0.1 * np.cos(t)

    def free_h(t: Any) -> Any:
        return 0.2 + free_a(t) * np.cos(t)

    p = SimpleNamespace(**rolling.VALUES)
    ends = [
        abs(free_h(e) - (free_a(e) + 0.2 * np.cos(e)) * k) for e, k in ((0.0, 1), (np.pi, -1))
    ]  # the printed conditions
    bodies = gap(lambda t: shape(t, p).a, lambda t: shape(t, p).h)
    slide = max(abs(float(s.dot(lambda z: centre(z)[2]) + at(s).a * at(s).s * rolling.turning(s))) for s in states())
    return Evidence(
        gap(free_a, free_h) if max(ends) < 1e-12 else 0.0, max(bodies, slide), None, "a = 0.3 + 0.1 cos θ, r = 0.2"
    )


@section.confirmed("(9.1)", (341, 343), exhibits=BODY)
def lagrangian() -> Evidence:
    """L = ½ωᵀJω + ½mẋᵀẋ − mge3·x, for particles with J1 = J2 about their centre."""
    ring = [np.array([0.7 * np.cos(k), 0.7 * np.sin(k), -0.2]) for k in np.arange(4) * np.pi / 2]
    places = [*ring, np.array([0.0, 0.0, 0.8 * 4 * 0.1 / 0.4])]
    weights = np.array([0.1] * 4 + [0.1])
    places = [y - weights @ np.array(places) / weights.sum() for y in places]
    tensor = sum(m * (y @ y * np.eye(3) - np.outer(y, y)) for m, y in zip(weights, places))
    total = float(weights.sum())

    def terms(s: Any) -> list[Any]:
        v, w, W = s.dot(centre), omega(s), matrix(s)
        each = [v + W @ np.cross(w, y) for y in places]
        lifted = sum(m * s.g * (centre(s) + W @ y)[2] for m, y in zip(weights, places))
        kinetic = sum(m * u @ u for m, u in zip(weights, each)) / 2
        return [kinetic - lifted, -w @ tensor @ w / 2, -total * v @ v / 2, total * s.g * centre(s)[2]]

    return identity(states(), terms, words="five particles")


@section.confirmed("(9.2), (9.3), the rolling condition", (344, 345, 346, 347), exhibits=BODY)
def constraint() -> Evidence:
    """The point at −(aw3 + re3) from the centre of mass is at rest: 0 = ẋ − A(ν)(aw3 + re3) = ẋ + A(aWe3 + re3)Wω; cos
    θ, sin²θ, e3·x = h.
    """

    def arm(s: Any) -> Array:
        return at(s).a * matrix(s) @ UP + at(s).r * UP

    def contact(s: Any) -> float:
        y = -matrix(s).T @ arm(s)
        return float(np.max(np.abs(s.dot(lambda z: centre(z) + matrix(z) @ y))))

    def level(s: Any) -> list[Any]:
        touch = centre(s) - arm(s)
        return [at(s).h, centre(s)[2] - touch[2]]

    found = joined(
        identity(states(), lambda s: [s.dot(centre), hat(arm(s)) @ matrix(s) @ omega(s)]),
        equal(
            states(),
            lambda s: [-hat(matrix(s) @ omega(s)) @ arm(s), hat(arm(s)) @ matrix(s) @ omega(s)],
            lambda s: [np.cos(tilt(s)), UP @ matrix(s) @ UP],
            lambda s: [np.sin(tilt(s)) ** 2, (LEVEL @ matrix(s) @ UP) @ (LEVEL @ matrix(s) @ UP)],
            level,
        ),
    )
    return Evidence(
        max(found.printed, *(contact(s) for s in states())), None, found.mutant, "the velocity of a material point"
    )


@section.confirmed("§9.1, the dimensions", exhibits=BODY)
def dimensions() -> Evidence:
    """Of the three rows of (9.2) one says that the motion stays in Q, of dimension 5; two are left, and D has dimension 3."""
    good, independent, whole = [], [], False

    def table(s: Any) -> Array:
        arm = at(s).a * matrix(s) @ UP + at(s).r * UP
        return np.hstack([hat(arm) @ matrix(s), np.eye(3)])

    kept = vanish(states(), lambda s: table(s) @ np.append(omega(s), s.dot(centre))).printed
    for s in states():
        rows = table(s)
        # the tangent space of Q: ẋ3 = h'θ̇ with θ̇ sin θ = −(e3·WA(ω)e3)
        slope = -at(s).a * np.array([matrix(s)[2, 1], -matrix(s)[2, 0], 0.0])
        tangent = np.array([*slope, 0, 0, -1.0])
        basis = np.linalg.svd(tangent[None])[2][1:]
        good.append(np.allclose(np.matmul(basis, rows[2]), 0))
        independent.append(np.linalg.matrix_rank(np.matmul(rows, basis.T)) == 2)
        whole |= bool(np.linalg.matrix_rank(np.matmul(rows, basis.T)) == 3)
    return holds(
        ("the rows are those of rolling", kept < 1e-12),
        ("the third row vanishes on TQ", all(good)),
        ("the others have rank 2", all(independent)),
        against=[("all three have rank 3", whole)],
    )


@section.confirmed("§9.1, the Lagrange top", 348, exhibits=("lagrange-top",))
def fixed_point() -> Evidence:
    """For r = 0 and a constant (9.2) is the derivative of x − aWe3: ẋ = −aWA(e3)ω = aWA(ω)e3."""

    def chain(s: Any) -> list[Any]:
        a, W = 0.7, matrix(s)
        return [
            -hat(a * W @ UP) @ W @ omega(s),
            -a * W @ LEVEL @ omega(s),
            a * W @ hat(omega(s)) @ UP,
            a * s.dot(matrix) @ UP,
        ]

    return equal(states(), chain, words="Ẇ along the multiplier form")


@section.confirmed("§9.1, the rolling disk", exhibits=("rolling-disk",))
def disk() -> Evidence:
    """a = −ρ cot θ, r = ρ csc θ, h = ρ sin θ, d = 0: a circle of radius ρ about the axis touches the plane at that point."""
    points = generic("theta rho")

    def lowest(p: Any) -> list[Any]:
        """The lowest point of the rim, from the centre: −ρ(cos θ, sin θ) in the plane of the tilt; a w3 + r e3 leads back."""
        c, s = np.cos(p.theta), np.sin(p.theta)
        rim = np.array([p.rho * c, -p.rho * s])  # w3 = (sin θ, cos θ)
        found = shape(p.theta, SimpleNamespace(rho=p.rho))
        return [rim, -(found.a * np.array([s, c]) + found.r * np.array([0, 1]))]

    flat = max(abs(float(shape(p.theta, SimpleNamespace(rho=p.rho)).d)) for p in points)
    found = equal(points, lowest, lambda p: [shape(p.theta, SimpleNamespace(rho=p.rho)).h, p.rho * np.sin(p.theta)])
    return Evidence(max(found.printed, flat), None, found.mutant, "the lowest point of a tilted circle")
