"""§9.4: group invariance and the flatness conditions of the rolling body."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, vanish
from nonholo_papers.macdonnell._body import at, centre, fields, inner, place, states
from nonholo_papers.macdonnell._fields import along, bracket
from nonholo_papers.macdonnell._together import corrected, equal, joined
from nonholo_papers.macdonnell._turning import LEVEL, UP, pack, pair, unpack
from nonholo_papers.section import Section
from nonholo_papers.so3 import hat, matrix, turn

Array = Any
BODY = ("rolling-body",)
WORDS = "operators and brackets by complex steps on (W, x)"
ABOUT, OWN = 0.8, -0.6
section = Section("macdonnell", "9.4 Axially symmetric rolling body: flatness")


def _axis(s: Any) -> Array:
    """A(e3)We3."""
    return LEVEL @ matrix(s) @ UP


@section.confirmed("(9.6), κθ = sin θ", (391, 392, 393, 394, 395, 396, 397, 398, 399, 400, 401), exhibits=BODY)
def operators() -> Evidence:
    """γ1, γ2, κ applied to W and x; γ1 cos θ = γ2 cos θ = 0, κ cos θ = −sin²θ; all three are tangent to Q (for h' = −a
    sin θ).
    """

    def spins(s: Any) -> list[Any]:
        W = matrix(s)
        found = np.array([unpack(f(place(s)))[0] for f in fields(s)])
        body = np.array([W @ LEVEL, W @ hat(W.T @ UP), W @ hat(hat(W.T @ UP) @ UP)])
        return [found, body, np.array([W @ LEVEL, LEVEL @ W, hat(_axis(s)) @ W])]

    def moves(s: Any) -> list[Any]:
        c, W = at(s), matrix(s)
        found = np.array([f(place(s))[9:] for f in fields(s)])
        # from the constraint ẋ = −A(aWe3 + re3)Wω, with ω of each
        arm = hat(c.a * W @ UP + c.r * UP) @ W
        wanted = np.array([-arm @ w for w in (UP, W.T @ UP, np.cross(W.T @ UP, UP))])
        return [found, wanted, np.array([-c.r * _axis(s), c.a * _axis(s), -c.d * UP + c.h * W @ UP])]

    def cosine(q: Array) -> Array:
        return np.array([q[8]])

    def lean(s: Any) -> list[Any]:
        q, W = place(s), matrix(s)
        return [
            along(cosine, q, fields(s)[2](q))[0],
            UP @ hat(_axis(s)) @ W @ UP,
            -UP @ hat(W @ UP) @ LEVEL @ W @ UP,
            -_axis(s) @ _axis(s),
            -(at(s).s ** 2),
        ]

    def height(s: Any, k: int) -> Any:
        """The field on h(θ) − e3·x."""

        def gap(q: Array) -> Array:
            return np.array([s.c0 + s.c1 * q[8] + s.c2 * (2 * q[8] ** 2 - 1) - q[11]])

        return abs(float(along(gap, place(s), fields(s)[k](place(s)))[0]))

    level = max(abs(float(along(cosine, place(s), fields(s)[k](place(s)))[0])) for s in states() for k in (0, 1))
    tangent = max(height(s, k) for s in states() for k in range(3))
    found = equal(states(), spins, moves, lean)
    return Evidence(max(found.printed, level, tangent), None, found.mutant, WORDS)


def _pushed(s: Any, k: int) -> list[Array]:
    """A field at a moved place, and the field moved there."""
    about, own = turn(3, ABOUT), turn(3, OWN)
    turned, drift = unpack(fields(s)[k](place(s)))
    there = pack(about @ matrix(s) @ own.T, about @ centre(s) + np.array([0.3, -0.5, 0]))
    return [fields(s)[k](there), pack(about @ turned @ own.T, about @ drift)]


@section.confirmed(
    "Proposition 9.4.1",
    (402, 403, 404, 405, 406, 407, 408, 409, 411, "Proposition 9.4.1"),
    exhibits=BODY,
)
def invariant() -> Evidence:
    """γ1, γ2 and κ are group invariant; the steps for γ1 and κ."""

    def steps(s: Any) -> list[Any]:
        about, own, W = turn(3, ABOUT), turn(3, OWN), matrix(s)
        moved = about @ W @ own.T
        return [about @ W @ LEVEL @ own.T, about @ W @ own.T @ hat(own @ UP), moved @ LEVEL]

    def shifts(s: Any) -> list[Any]:
        about, own, W, c = turn(3, ABOUT), turn(3, OWN), matrix(s), at(s)
        moved = about @ W @ own.T
        return [
            about @ (-c.r * LEVEL @ W @ UP),
            -c.r * hat(about @ UP) @ about @ W @ own.T @ UP,
            -c.r * LEVEL @ moved @ UP,
        ]

    def turned(s: Any) -> list[Any]:
        about, own, W = turn(3, ABOUT), turn(3, OWN), matrix(s)
        moved = about @ W @ own.T
        return [
            about @ hat(LEVEL @ W @ UP) @ W @ own.T,
            hat(hat(about @ UP) @ about @ W @ UP) @ moved,
            hat(LEVEL @ moved @ UP) @ moved,
        ]

    def raised(s: Any) -> list[Any]:
        about, own, W, c = turn(3, ABOUT), turn(3, OWN), matrix(s), at(s)
        return [about @ (-c.d * UP + c.h * W @ UP), -c.d * UP + c.h * about @ W @ own.T @ UP]

    return equal(
        states(),
        *(lambda s, k=k: _pushed(s, k) for k in range(3)),
        steps,
        shifts,
        turned,
        raised,
        words="fields pushed forward by a generic element of SE(2) × SO(2)",
    )


@section.misprint(
    "Proposition 9.4.1, proof, γ2W̄",
    410,
    right=r"\ldots = A(R_3(\phi)\epsilon_3)R_3(\phi)WR_3(\psi)^T = A(\epsilon_3)\overline{W}",
    harm=1,
    breaks="The transposition of R₃(ψ) is lost in the third line; the result is right.",
    exhibits=BODY,
    kind="reading",
)
def transposed() -> Evidence:
    """R₃(φ)A(e3)WR₃(ψ)ᵀ = A(R₃(φ)e3)R₃(φ)WR₃(ψ)ᵀ, printed with R₃(ψ)."""

    def terms(s: Any, last: Array) -> list[Any]:
        about, own, W = turn(3, ABOUT), turn(3, OWN), matrix(s)
        return [about @ LEVEL @ W @ own.T, -hat(about @ UP) @ about @ W @ last]

    return identity(
        states(), lambda s: terms(s, turn(3, OWN)), lambda s: terms(s, turn(3, OWN).T), words="at generic turns"
    )


def _twice(s: Any, outer: int, inside: int) -> tuple[Array, Array]:
    """X(Y W) and X(Y x)."""
    q = place(s)
    found = along(fields(s)[inside], q, fields(s)[outer](q))
    return unpack(found)


@section.confirmed(
    "Lemma 9.4.1, (9.7), (9.8), (9.9)",
    (*range(412, 420), *range(421, 433), "Lemma 9.4.1"),
    exhibits=BODY,
)
def brackets() -> Evidence:
    """[γ1, γ2] = (0, rA(e3)A(e3)We3), [κ, γ1] = −(r' sin θ + r cos θ)A(e3)We3, [κ, γ2] = (a' sin θ − r)A(e3)We3 in ẋ, 0
    in ω; every step.
    """

    def shown(s: Any) -> list[Any]:
        c = at(s)
        ways = ((0, 1), (2, 0), (2, 1))
        found = np.array([pair(place(s), bracket(fields(s)[i], fields(s)[j], place(s)))[3:] for i, j in ways])
        return [
            found,
            np.array([c.r * LEVEL @ _axis(s), -(c.dr * c.s + c.r * c.c) * _axis(s), (c.da * c.s - c.r) * _axis(s)]),
        ]

    def spins(s: Any) -> list[Any]:
        W, y = matrix(s), hat(_axis(s))
        return [
            np.array([_twice(s, i, j)[0] for i, j in ((0, 1), (1, 0), (2, 1), (1, 2))]),
            np.array([LEVEL @ W @ LEVEL, LEVEL @ W @ LEVEL, LEVEL @ y @ W, hat(LEVEL @ _axis(s)) @ W + y @ LEVEL @ W]),
            np.array(
                [LEVEL @ W @ LEVEL, LEVEL @ W @ LEVEL, LEVEL @ y @ W, (LEVEL @ y - y @ LEVEL) @ W + y @ LEVEL @ W]
            ),
            np.array([LEVEL @ W @ LEVEL, LEVEL @ W @ LEVEL, LEVEL @ y @ W, LEVEL @ y @ W]),
        ]

    def moves(s: Any) -> list[Any]:
        c = at(s)
        return [
            np.array([_twice(s, i, j)[1] for i, j in ((1, 0), (2, 1), (1, 2))]),
            np.array([-c.r * LEVEL @ _axis(s), (c.da * c.s + c.a * c.c) * _axis(s), c.h * _axis(s)]),
            np.array([-c.r * LEVEL @ _axis(s), (c.da * c.s + c.a * c.c) * _axis(s), (c.r + c.a * c.c) * _axis(s)]),
        ]

    still = max(float(np.max(np.abs(_twice(s, 0, 1)[1]))) for s in states())
    ways = ((0, 1), (2, 0), (2, 1))
    orientation = max(
        float(np.max(np.abs(pair(place(s), bracket(fields(s)[i], fields(s)[j], place(s)))[:3])))
        for s in states()
        for i, j in ways
    )
    found = equal(states(), shown, spins, moves)
    return Evidence(max(found.printed, still, orientation), None, found.mutant, WORDS)


@section.misprint(
    "Lemma 9.4.1, proof, γ1(κW)",
    420,
    right=r"\ldots = A(A(\epsilon_3)WA(\epsilon_3)\epsilon_3)W + A(A(\epsilon_3)W\epsilon_3)WA(\epsilon_3) = "
    r"A(A(\epsilon_3)W\epsilon_3)WA(\epsilon_3)",
    harm=1,
    breaks="A(ε3) is lost in the first term, which would then not vanish; the other steps and the result are right.",
    exhibits=BODY,
    kind="reading",
)
def lost_factor() -> Evidence:
    """γ1 of A(A(e3)We3)W: its first term is A(A(e3)WA(e3)e3)W = 0, printed A(A(e3)We3)W; the steps of κ(γ1x) are right."""

    def terms(s: Any, first: Array) -> list[Any]:
        W, y = matrix(s), hat(_axis(s))
        return [_twice(s, 0, 2)[0] + 0 * first, -y @ W @ LEVEL - hat(LEVEL @ W @ first) @ W]

    def steps(s: Any) -> list[Any]:
        c, W, y = at(s), matrix(s), _axis(s)
        up = W @ UP
        return [
            _twice(s, 2, 0)[1],
            -c.dr * c.s * y - c.r * LEVEL @ hat(y) @ up,
            -c.dr * c.s * y + c.r * LEVEL @ hat(up) @ y,
            (-c.dr * c.s * np.eye(3) + c.r * (np.outer(up, UP) - (UP @ up) * np.eye(3))) @ y,
            -(c.dr * c.s + c.r * c.c) * y,
        ]

    fine = joined(
        equal(states(), steps, lambda s: [_twice(s, 2, 0)[0], hat(_axis(s)) @ matrix(s) @ LEVEL]),
    )
    still = max(float(np.max(np.abs(_twice(s, 0, 2)[1]))) for s in states())
    found = corrected(states(), (lambda s: terms(s, UP), lambda s: terms(s, LEVEL @ UP)), words=WORDS)
    return Evidence(
        found.printed, max(found.right or 0, fine.printed, still), min(found.mutant or 0, fine.mutant or 0), WORDS
    )


@section.confirmed("§9.4, the virtual motions", exhibits=BODY)
def motions() -> Evidence:
    """γ1 and γ2 keep the height and θ; γ2 leaves the contact where it is; γ1 and κ move it across and along the plane of
    the tilt.
    """

    def contact(q: Array, s: Any) -> Array:
        W, x = unpack(q)
        a, r = s.c1 + 4 * s.c2 * W[2, 2], s.c0 - s.c2 - 2 * s.c2 * W[2, 2] ** 2
        return x - a * W @ UP - r * UP

    def moved(s: Any, k: int) -> Array:
        return along(lambda q: contact(q, s), place(s), fields(s)[k](place(s)))

    def zero(s: Any) -> Array:
        """The height of the contact, what moves it under γ2, upwards, sideways under γ1 and forward under κ."""
        level = [moved(s, k)[2] for k in range(3)]
        return np.array([contact(place(s), s)[2], *moved(s, 1), *level, moved(s, 0) @ matrix(s) @ UP, moved(s, 2) @ _axis(s)])

    return vanish(
        states(), zero, [lambda s: moved(s, 0), lambda s: moved(s, 2)], "the contact's velocity under each field"
    )


@section.confirmed("Proposition 9.4.2", (433, 434, "Proposition 9.4.2"), exhibits=BODY)
def flat() -> Evidence:
    """K(γ1, [γ1, γ2]) = K(γ2, [γ1, γ2]) = K(κ, [κ, γ1]) = K(κ, [κ, γ2]) = 0."""

    def pairing(s: Any, k: int, i: int, j: int) -> float:
        q, f = place(s), fields(s)
        return abs(float(inner(s, q, f[k](q), bracket(f[i], f[j], q))))

    worst = max(pairing(s, *way) for s in states() for way in ((0, 0, 1), (1, 0, 1), (2, 2, 0), (2, 2, 1)))
    other = min(pairing(s, *way) for s in states() for way in ((2, 0, 1), (0, 2, 0), (1, 2, 1)))
    return Evidence(worst, None, other, f"{WORDS}; the mutants are the other products, as K(κ, [γ1, γ2])")
