"""§§13.1, 13.2: the Chaplygin sphere and its symmetry."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, identity, vanish
from nonholo_papers.macdonnell import _sphere as sphere
from nonholo_papers.macdonnell._together import corrected, equal
from nonholo_papers.macdonnell._turning import LEVEL, UP, cloud, inertia_of
from nonholo_papers.section import Section
from nonholo_papers.so3 import hat, matrix, turn

Array = Any
BALL = ("chaplygin-sphere",)
section = Section("macdonnell", "13.1 Chaplygin sphere: formulating the problem")
section.rest("notation", 777, 784)
section.rest("definition of the product of SE(3)", 783)
section.rest("restatement of (13.1)", 787)
section.rest("restatement of (13.2)", 793)


@section.misprint(
    "§13.1, ω", 778, right=r"\dot{W} = WA(\omega)", harm=1, breaks="The dot is lost in the text.", exhibits=BALL, kind="reading")
def spin() -> Evidence:
    """Ẇ = WA(ω), printed W = WA(ω)."""

    def moved(s: Any) -> Array:
        return s.dot(matrix)

    return identity(
        sphere.states(),
        lambda s: [matrix(s), -matrix(s) @ hat(sphere.omega(s))],
        lambda s: [moved(s), -matrix(s) @ hat(sphere.omega(s))],
        words="Ẇ along the multiplier form",
    )


@section.confirmed("(13.1)", (779, 780), exhibits=BALL)
def energy() -> Evidence:
    """K = ½ωᵀJω + ½mẋᵀẋ is the energy of the particles of a body whose centre of mass is x."""
    random = np.random.default_rng(13)
    weights, places = cloud(random)
    inertia = inertia_of(weights, places)

    def terms(s: Any) -> list[Any]:
        w, v = sphere.omega(s), sphere.velocity(s)
        each = [v + matrix(s) @ np.cross(w, y) for y in places]
        total = sum(m * u @ u for m, u in zip(weights, each)) / 2
        return [total, -w @ inertia @ w / 2, -weights.sum() * v @ v / 2]

    return identity(sphere.states(), terms, words="seven particles")


@section.confirmed("(13.2)", (781, 782), exhibits=BALL)
def rolling() -> Evidence:
    """The material point at −rWᵀe3, which touches the plane, has the velocity ẋ + A(Wω)(−re3) = ẋ + rA(e3)Wω, which
    vanishes.
    """

    def contact(s: Any) -> Array:
        y = -s.r * matrix(s).T @ UP  # where it touches, in the body: fixed in it
        return s.dot(lambda z: np.array([z.x, z.y, z.r]) + matrix(z) @ y)

    still = max(float(np.max(np.abs(contact(s)))) for s in sphere.states())
    found = identity(
        sphere.states(),
        lambda s: [sphere.velocity(s), hat(matrix(s) @ sphere.omega(s)) @ (-s.r * UP)],
    )
    same = equal(
        sphere.states(),
        lambda s: [hat(matrix(s) @ sphere.omega(s)) @ (-s.r * UP), s.r * LEVEL @ matrix(s) @ sphere.omega(s)],
    )
    return Evidence(
        max(found.printed, same.printed, still),
        None,
        min(found.mutant or 0, same.mutant or 0),
        "the velocity of a point",
    )


@section.confirmed("§13.1, the dimensions", exhibits=BALL)
def dimensions() -> Evidence:
    """The third row of (13.2) says only that e3·x is constant: Q has dimension 5, two constraints are left and D has
    dimension 3.
    """
    def table(s: Any) -> Any:
        return np.hstack([s.r * LEVEL @ matrix(s), np.eye(3)])

    rows = [table(s) for s in sphere.states()]
    kept = vanish(sphere.states(), lambda s: table(s) @ np.append(sphere.omega(s), sphere.velocity(s))).printed
    return holds(
        ("the rows are those of rolling", kept < 1e-12),
        ("the third row is ẋ₃ = 0", all(np.allclose(r[2], np.eye(6)[5]) for r in rows)),
        ("the other two are independent on TQ", all(np.linalg.matrix_rank(r[:2, :5]) == 2 for r in rows)),
        against=[("a row of the two is ẋ = 0", any(np.allclose(r[k, :3], 0) for r in rows for k in (0, 1)))],
    )


def _moved(s: Any, angle: float = 0.8) -> SimpleNamespace:
    return SimpleNamespace(W=turn(3, angle) @ matrix(s), v=turn(3, angle) @ sphere.velocity(s), R=turn(3, angle))


@section.confirmed("(13.3), (13.4), §13.2", (785, 786, 788, 791, 792, 794, 795, 796), exhibits=BALL)
def symmetry() -> Evidence:
    """ω̄ = ω and the rate of x̄ is R₃(φ)ẋ, so L is preserved, and the constraint is turned by R₃(φ); e3·x̄ = e3·x."""

    def action(s: Any) -> Array:
        return s.dot(lambda z: turn(3, 0.8) @ np.array([z.x, z.y, z.r]) + np.array([0.3, -0.5, 0.0]))

    def off(s: Any) -> Array:
        return sphere.velocity(s) + np.array([0.4, -0.7, 0.0])  # off the constraint, to see both sides

    return equal(
        sphere.states(),
        lambda s: [action(s), turn(3, 0.8) @ sphere.velocity(s)],
        lambda s: [
            s.dot(lambda z: turn(3, 0.8) @ matrix(z)),
            turn(3, 0.8) @ matrix(s) @ hat(sphere.omega(s)),
            _moved(s).W @ hat(sphere.omega(s)),
        ],
        lambda s: [_moved(s).v @ _moved(s).v, sphere.velocity(s) @ sphere.velocity(s)],
        lambda s: [
            LEVEL @ _moved(s).W @ sphere.omega(s),
            LEVEL @ turn(3, 0.8) @ matrix(s) @ sphere.omega(s),
            turn(3, 0.8) @ LEVEL @ matrix(s) @ sphere.omega(s),
        ],
        lambda s: [
            turn(3, 0.8) @ off(s) + s.r * LEVEL @ _moved(s).W @ sphere.omega(s),
            turn(3, 0.8) @ (off(s) + s.r * LEVEL @ matrix(s) @ sphere.omega(s)),
        ],
        lambda s: [UP @ (turn(3, 0.8) @ np.array([s.x, s.y, s.r])), s.r],
        words="a generic element of SE(2); rates along the multiplier form",
    )


@section.misprint(
    "§13.2, the rate of W̄",
    (789, 790),
    right=r"\overline{W}A(\overline{\omega}) = \dot{\overline{W}} = R_3(\phi)\dot{W}",
    harm=1,
    breaks="The dots are lost in the text.",
    exhibits=BALL,
    kind="reading",
)
def rate() -> Evidence:
    """W̄A(ω̄) is the rate of W̄, which is R₃(φ)Ẇ; printed W̄ and R₃(φ)W̄."""
    return corrected(
        sphere.states(),
        (
            lambda s: [_moved(s).W @ hat(sphere.omega(s)), -_moved(s).W],
            lambda s: [_moved(s).W @ hat(sphere.omega(s)), -s.dot(lambda z: turn(3, 0.8) @ matrix(z))],
        ),
        (
            lambda s: [_moved(s).W @ hat(sphere.omega(s)), -turn(3, 0.8) @ _moved(s).W],
            lambda s: [_moved(s).W @ hat(sphere.omega(s)), -turn(3, 0.8) @ s.dot(matrix)],
        ),
        words="Ẇ along the multiplier form",
    )
