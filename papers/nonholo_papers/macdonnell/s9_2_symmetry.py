"""§§9.2, 9.3: the symmetry of the rolling body, and a basis aligned with it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, slope
from nonholo_papers.macdonnell._body import at, centre, fields, inertia, inner, omega, place, states
from nonholo_papers.macdonnell._euler import angles_of, attitude
from nonholo_papers.macdonnell._together import corrected, equal, joined, together
from nonholo_papers.macdonnell._turning import LEVEL, UP, pack, pair, unpack
from nonholo_papers.section import Section
from nonholo_papers.so3 import hat, matrix, turn

Array = Any
BODY = ("rolling-body",)
ABOUT, OWN = 0.8, -0.6
section = Section("macdonnell", "9.2 Axially symmetric rolling body: symmetry and aligned basis")
section.rest("notation", 349, 351)
section.rest("definition of the product of SE(3)", 350)
section.rest("restatement of (9.1), (9.2), (9.4), (9.5)", 363, 374, 378, 379, 385)
section.rest("hypothesis of the proof", 355, 356, 357, 358)


def _moved(s: Any) -> SimpleNamespace:
    """The state after (9.4), (9.5)."""
    about, own = turn(3, ABOUT), turn(3, OWN)
    return SimpleNamespace(R=about, P=own, W=about @ matrix(s) @ own.T, x=about @ centre(s) + np.array([0.3, -0.5, 0]))


def _arm(turned: Array, s: Any) -> Array:
    return at(s).a * turned @ UP + at(s).r * UP


@section.confirmed(
    "(9.4), (9.5), Lemma 9.2.1",
    (352, 353, 354, 364, 365, 368, 369, 370, 371, 375, 376, 377, "Lemma 9.2.1"),
    exhibits=BODY,
)
def symmetry() -> Evidence:
    """θ̄ = θ and e3·x̄ = e3·x, so Q is kept; ω̄ = R₃(ψ)ω and the rate of x̄ is R₃(φ)ẋ; the constraint is turned by R₃(φ)."""

    def slip(s: Any) -> Array:
        return s.dot(centre) + np.array([0.3, -0.4, 0.6])  # off the constraint, to see both sides

    def spin(s: Any) -> list[Any]:
        rate = s.dot(lambda z: turn(3, ABOUT) @ matrix(z) @ turn(3, OWN).T)
        return [
            rate,
            _moved(s).R @ matrix(s) @ hat(omega(s)) @ _moved(s).P.T,
            _moved(s).R @ matrix(s) @ _moved(s).P.T @ hat(_moved(s).P @ omega(s)),
            _moved(s).W @ hat(_moved(s).P @ omega(s)),
        ]

    def turned(s: Any) -> list[Any]:
        m = _moved(s)
        return [
            hat(_arm(m.W, s)) @ m.W @ m.P @ omega(s),
            hat(at(s).a * m.R @ matrix(s) @ m.P.T @ UP + at(s).r * UP) @ m.R @ matrix(s) @ omega(s),
            m.R @ hat(_arm(matrix(s), s)) @ matrix(s) @ omega(s),
        ]

    def whole(s: Any) -> list[Any]:
        m = _moved(s)
        return [
            m.R @ slip(s) + hat(_arm(m.W, s)) @ m.W @ m.P @ omega(s),
            m.R @ (slip(s) + hat(_arm(matrix(s), s)) @ matrix(s) @ omega(s)),
        ]

    return equal(
        states(),
        lambda s: [UP @ _moved(s).x, UP @ centre(s)],
        lambda s: [UP @ _moved(s).W @ UP, UP @ _moved(s).R @ matrix(s) @ _moved(s).P.T @ UP, UP @ matrix(s) @ UP],
        lambda s: [
            s.dot(lambda z: turn(3, ABOUT) @ centre(z) + np.array([0.3, -0.5, 0])),
            turn(3, ABOUT) @ s.dot(centre),
        ],
        spin,
        turned,
        whole,
        words="a generic element of SE(2) × SO(2); rates along the multiplier form",
    )


@section.misprint(
    "§9.2, the rate of W̄, and ω̄ᵀJω̄",
    (366, 367, 372, 373),
    right=r"\overline{W}A(\overline{\omega}) = \dot{\overline{W}} = R_3(\phi)\dot{W}R_3(\psi)^T,\quad "
    r"\frac{1}{2}\overline{\omega}^TJ\overline{\omega} = \frac{1}{2}\omega^TR_3(\psi)^TJR_3(\psi)\omega = "
    r"\frac{1}{2}\omega^TJ\omega",
    harm=1,
    breaks="Dots and a transposition are lost in the text, and W̄ stands for W, so that R₃(φ) would act twice.",
    exhibits=BODY,
    kind="reading",
)
def dots() -> Evidence:
    """W̄A(ω̄) is the rate of W̄, which is R₃(φ)ẆR₃(ψ)ᵀ, printed W̄ and R₃(φ)W̄R₃(ψ)ᵀ; J1 = J2 makes R₃(ψ)ᵀJR₃(ψ) = J."""

    def spin(s: Any) -> Array:
        return _moved(s).W @ hat(_moved(s).P @ omega(s))

    kept = equal(
        states(),
        lambda s: [
            (_moved(s).P @ omega(s)) @ inertia(s) @ _moved(s).P @ omega(s),
            omega(s) @ _moved(s).P.T @ inertia(s) @ _moved(s).P @ omega(s),
            omega(s) @ inertia(s) @ omega(s),
        ],
    )
    found = corrected(
        states(),
        (
            lambda s: [spin(s), -_moved(s).W],
            lambda s: [spin(s), -s.dot(lambda z: turn(3, ABOUT) @ matrix(z) @ turn(3, OWN).T)],
        ),
        (
            lambda s: [spin(s), -_moved(s).R @ _moved(s).W @ _moved(s).P.T],
            lambda s: [spin(s), -_moved(s).R @ s.dot(matrix) @ _moved(s).P.T],
        ),
        words="Ẇ along the multiplier form",
    )
    return Evidence(found.printed, max(found.right or 0, kept.printed), found.mutant, found.words)


def _rotations() -> list[Array]:
    random = np.random.default_rng(92)
    found = []
    for _ in range(4):
        basis, upper = np.linalg.qr(random.normal(size=(3, 3)))
        basis = basis * np.sign(np.diag(upper))
        found.append(basis * np.linalg.det(basis))
    return found


@section.confirmed("Lemma 9.2.2", "Lemma 9.2.2")
def euler() -> Evidence:
    """Every rotation is R₃(φ)R₁(θ)R₃(ψ): random rotations from their Euler angles, and turns about e3."""
    found = equal(_rotations(), lambda W: [W, attitude(angles_of(W))])
    upright = [turn(3, 0.7), turn(3, 1.9) @ turn(1, np.pi)]
    again = [turn(3, 0.7) @ turn(1, 0) @ turn(3, 0), turn(3, 1.9) @ turn(1, np.pi) @ turn(3, 0)]
    rest = max(float(np.max(np.abs(x - y))) for x, y in zip(upright, again))
    return Evidence(max(found.printed, rest), None, found.mutant, "four rotations by orthogonalisation")


@section.confirmed("Proposition 9.2.1", (359, 360, 361, 362, "Proposition 9.2.1"), exhibits=BODY)
def orbits() -> Evidence:
    """Places with one θ lie in one orbit: R₁(−φ) = R₃(π)R₁(φ)R₃(π), W2 = R₃(φ)W1R₃(ψ)ᵀ in both cases; θ takes every
    value between 0 and π.
    """
    random = np.random.default_rng(9)
    points = [
        SimpleNamespace(one=random.uniform(-3, 3, 2), two=random.uniform(-3, 3, 2), t=random.uniform(0.3, 2.8))
        for _ in range(4)
    ]

    def both(p: Any, sign: int) -> list[Any]:
        one = turn(3, p.one[0]) @ turn(1, p.t) @ turn(3, p.one[1])
        two = turn(3, p.two[0]) @ turn(1, sign * p.t) @ turn(3, p.two[1])
        shift = 0.0 if sign > 0 else np.pi
        return [two, turn(3, p.two[0] - p.one[0] + shift) @ one @ turn(3, p.one[1] - p.two[1] - shift).T]

    def level(s: Any) -> float:
        return abs(float(UP @ (_moved(s).x - turn(3, ABOUT) @ centre(s))))

    found = equal(
        points,
        lambda p: both(p, 1),
        lambda p: both(p, -1),
        lambda p: [turn(1, -p.t), turn(3, np.pi) @ turn(1, p.t) @ turn(3, np.pi)],
    )
    other = equal(points, lambda p: [(turn(3, 0.4) @ turn(1, p.t))[2, 2], np.cos(p.t)])
    return Evidence(
        max(found.printed, other.printed, *(level(s) for s in states())), None, found.mutant, "generic Euler angles"
    )


def _orbit(q: Array) -> Array:
    """∂/∂ξ, ∂/∂ζ, ∂/∂φ, ∂/∂ψ of the action at the identity, rows of 12."""
    turned, x = unpack(q)

    def action(g: Array) -> Array:
        about = turn(3, g[2])
        return pack(about @ turned @ turn(3, g[3]).T, about @ x + np.array([g[0], g[1], 0 * g[2]]))

    return slope(action, np.zeros(4)).T


@section.confirmed("§9.3, the vertical distribution", (380, 381, 382, 383, 384), exhibits=BODY)
def vertical() -> Evidence:
    """(0, e1), (0, e2), (Wᵀe3, A(e3)x), (−e3, 0), tangent to Q, and independent except where Wᵀe3 = ±e3."""

    def printed(s: Any) -> Array:
        rows = [
            [0, 0, 0, 1, 0, 0],
            [0, 0, 0, 0, 1, 0],
            [*(matrix(s).T @ UP), *(LEVEL @ centre(s))],
            [0, 0, -1, 0, 0, 0],
        ]
        return np.array(rows, dtype=float)

    def matrices(s: Any) -> list[Any]:
        rows = _orbit(place(s))
        return [
            np.array([rows[2, :9], rows[3, :9]]),
            np.array([(LEVEL @ matrix(s)).reshape(-1), (-matrix(s) @ LEVEL).reshape(-1)]),
            np.array([(matrix(s) @ hat(matrix(s).T @ UP)).reshape(-1), (matrix(s) @ hat(-UP)).reshape(-1)]),
        ]

    found = equal(states(), lambda s: [np.array([pair(place(s), r) for r in _orbit(place(s))]), printed(s)], matrices)
    upright = pack(turn(3, 0.4), np.array([0.2, 0.3, 1.0]))
    good = holds(
        ("rank 4 at generic places", all(np.linalg.matrix_rank(_orbit(place(s))) == 4 for s in states())),
        ("rank 3 upright", np.linalg.matrix_rank(_orbit(upright)) == 3),
    )
    return Evidence(max(found.printed, good.printed), None, found.mutant, "the action differentiated")


@section.confirmed("§9.3, γ1, γ2, κ", (386, 387, 388, 389, 390), exhibits=BODY)
def basis() -> Evidence:
    """ω = e3 gives ẋ = −rA(e3)We3; with γ2 and κ of (9.6) it spans D, γ1 and γ2 lie in V, and K(κ, γ_i) = 0, so κ spans H."""

    def allowed(s: Any, k: int) -> list[Any]:
        found = pair(place(s), fields(s)[k](place(s)))
        return [found[3:], hat(_arm(matrix(s), s)) @ matrix(s) @ found[:3]]

    def spin(s: Any) -> Array:
        return np.cross(matrix(s).T @ UP, UP)

    def velocity(s: Any) -> list[Any]:
        rows = np.array([f(place(s)) for f in fields(s)])
        tangent = pack(s.dot(matrix), s.dot(centre))
        parts = np.linalg.lstsq(rows.T, tangent, rcond=None)[0]
        return [tangent, *(-p * row for p, row in zip(parts, rows))]

    inside, crossed = [], []
    for s in states():
        q, rows = place(s), _orbit(place(s)).T
        for k in (0, 1):
            y = fields(s)[k](q)
            inside.append(float(np.max(np.abs(rows @ np.linalg.lstsq(rows, y, rcond=None)[0] - y))))
            crossed.append(abs(float(inner(s, q, fields(s)[2](q), y))))
        crossed += [abs(float(spin(s) @ inertia(s) @ UP)), abs(float(spin(s) @ inertia(s) @ matrix(s).T @ UP))]
    found = joined(
        together(states(), *(lambda s, k=k: allowed(s, k) for k in range(3)), velocity),
        equal(
            states(),
            lambda s: [-hat(_arm(matrix(s), s)) @ matrix(s) @ UP, -at(s).r * LEVEL @ matrix(s) @ UP],
            lambda s: [inertia(s) @ spin(s), s.J1 * spin(s)],
        ),
    )
    return Evidence(max(found.printed, *inside, *crossed), None, found.mutant, "rolling velocities, and K")
