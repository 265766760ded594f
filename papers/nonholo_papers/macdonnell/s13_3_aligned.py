"""§§13.3, 13.4: the aligned basis of the Chaplygin sphere and the flatness conditions."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, slope
from nonholo_papers.macdonnell import _sphere as sphere
from nonholo_papers.macdonnell._fields import along
from nonholo_papers.macdonnell._sphere import across, gamma, inner, place, plain, with_gamma
from nonholo_papers.macdonnell._together import corrected, equal, together
from nonholo_papers.macdonnell._turning import LEVEL, UP, pack, pair, unpack
from nonholo_papers.section import Section
from nonholo_papers.so3 import AXES, hat, matrix, turn

Array = Any
BALL = ("chaplygin-sphere",)
WORDS = "brackets by complex steps on (W, x)"
section = Section("macdonnell", "13.3 Chaplygin sphere: aligned basis and flatness")
section.rest("restatement of (13.2)", 802)
section.rest("restatement of (13.1), and its polarised form", 817, 818)


def _orbit(q: Array) -> Array:
    """∂/∂ξ, ∂/∂ζ, ∂/∂φ of the action at the identity: rows of 12."""
    turned, x = unpack(q)

    def action(g: Array) -> Array:
        about = turn(3, g[2])
        return pack(about @ turned, about @ x + np.array([g[0], g[1], 0 * g[2]]))

    return slope(action, np.zeros(3)).T


@section.confirmed("§13.3, the vertical distribution", (797, 798, 799, 800, 801), exhibits=BALL)
def vertical() -> Evidence:
    """∂ξ, ∂ζ, ∂φ give (0, e1), (0, e2), (A(e3)W, A(e3)x) = (WA(Wᵀe3), A(e3)x), which are independent everywhere."""

    def printed(s: Any) -> Array:
        x = place(s)[9:]
        rows = [[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [*(matrix(s).T @ UP), *(LEVEL @ x)]]
        return np.array(rows, dtype=float)

    ranks = all(np.linalg.matrix_rank(_orbit(place(s))) == 3 for s in sphere.states())
    upright = np.linalg.matrix_rank(_orbit(pack(np.eye(3), np.zeros(3)))) == 3
    found = equal(
        sphere.states(),
        lambda s: [np.array([pair(place(s), row) for row in _orbit(place(s))]), printed(s)],
        lambda s: [_orbit(place(s))[2, :9].reshape(3, 3), LEVEL @ matrix(s)],
    )
    return Evidence(max(found.printed, float(not (ranks and upright))), None, found.mutant, "the action differentiated")


@section.confirmed("(13.5), γ and κ⁰_i", (803, 804, 805, 806, 807, 808), exhibits=BALL)
def fields() -> Evidence:
    """γ = (Wᵀe3, 0) and κ⁰_i = (e_i, −rA(e3)We_i) satisfy the constraint and span D; γ = ∂φ + (e2·x)∂ξ − (e1·x)∂ζ lies
    in V.
    """

    def allowed(s: Any, k: int) -> list[Any]:
        found = pair(place(s), plain(k, s.r)(place(s)))
        return [found[3:], s.r * LEVEL @ matrix(s) @ found[:3]]

    def split(s: Any) -> list[Any]:
        rows, x = _orbit(place(s)), place(s)[9:]
        return [gamma(place(s)), -rows[2], -x[1] * rows[0], x[0] * rows[1]]

    still = max(
        float(np.max(np.abs(s.r * LEVEL @ matrix(s) @ pair(place(s), gamma(place(s)))[:3]))) for s in sphere.states()
    )
    sideways = min(float(np.max(np.abs(LEVEL @ matrix(s) @ AXES[0]))) for s in sphere.states())
    spans = all(
        np.linalg.matrix_rank(np.array([plain(k, s.r)(place(s)) for k in range(3)] + [gamma(place(s))])) == 3
        for s in sphere.states()
    )
    found = together(
        sphere.states(),
        *(lambda s, k=k: allowed(s, k) for k in range(3)),
        split,
        lambda s: [gamma(place(s))[:9].reshape(3, 3), -LEVEL @ matrix(s)],
    )
    return Evidence(
        max(found.printed, still, float(not spans)), None, min(found.mutant or 0, sideways), "the action differentiated"
    )


@section.confirmed("§13.3, κ_i", 809, exhibits=BALL)
def projected() -> Evidence:
    """κ_i = K(γ, γ)κ⁰_i − K(γ, κ⁰_i)γ is orthogonal to γ; the three have rank 2, so γ with two of them is a basis of D."""

    def terms(s: Any, k: int) -> list[Any]:
        q = place(s)
        y, z = gamma(q), plain(k, s.r)(q)
        return [inner(s, q, inner(s, q, y, y) * z, y), -inner(s, q, inner(s, q, y, z) * y, y)]

    ranks = all(
        np.linalg.matrix_rank(np.array([across(k, s)(place(s)) for k in range(3)]), 1e-9) == 2 for s in sphere.states()
    )
    found = together(sphere.states(), *(lambda s, k=k: terms(s, k) for k in range(3)))
    return Evidence(max(found.printed, float(not ranks)), None, found.mutant, "at generic places")


@section.misprint(
    "§13.3, when κ_i is vertical",
    810,
    right=r"\kappa_i \in V \Rightarrow \overset{0}{\kappa_i} \in V \Rightarrow \epsilon_i = \pm W^T \epsilon_3 \Rightarrow "
    r"\overset{0}{\kappa_i} = \pm\gamma \Rightarrow \kappa_i = 0",
    harm=1,
    breaks="A sphere with an axis pointing down is left out: κ⁰_i = −γ lies in V though e_i = −Wᵀe3. The conclusion stands.",
    exhibits=BALL,
    kind="slip",
)
def downwards() -> Evidence:
    """κ⁰_i ∈ V forces e_i = ±Wᵀe3, printed with + only; with W = R₁(π) and i = 3 it is −."""
    s = sphere.states()[0]
    q = pack(turn(1, np.pi), np.array([0.3, 0.4, s.r]))
    upside = turn(1, np.pi).T @ UP
    field, rows = plain(2, s.r)(q), _orbit(q)
    inside = float(np.max(np.abs(rows.T @ np.linalg.lstsq(rows.T, field, rcond=None)[0] - field)))
    gone = float(np.max(np.abs(across(2, s)(q))))
    printed = float(np.max(np.abs(AXES[2] - upside)))
    right = max(inside, gone, float(np.max(np.abs(AXES[2] + upside))), float(np.max(np.abs(field + gamma(q)))))
    return Evidence(printed if inside < 1e-12 else 0.0, right, None, "W = R₁(π): κ⁰₃ lies in V, e₃ = −Wᵀe₃")


@section.confirmed("Proposition 13.3.1", (811, 812, "Proposition 13.3.1"), exhibits=BALL)
def invariant() -> Evidence:
    """γ, κ⁰_i and κ_i are group invariant: γW̄ = A(e3)W̄, κ⁰_iW̄ = W̄A(e_i)."""

    def pushed(s: Any, field: Any) -> list[Any]:
        turned, x = unpack(place(s))
        about = turn(3, 0.8)
        moved, drift = unpack(field(place(s)))
        return [
            field(pack(about @ turned, about @ x + np.array([0.3, -0.5, 0]))),
            pack(about @ moved, about @ drift),
        ]

    return equal(
        sphere.states(),
        lambda s: pushed(s, gamma),
        *(lambda s, k=k: pushed(s, plain(k, s.r)) for k in range(3)),
        *(lambda s, k=k: pushed(s, across(k, s)) for k in range(3)),
        words="fields pushed forward by a generic element of SE(2)",
    )


@section.confirmed("Lemma 13.4.1", (813, 814, 815, 816, "Lemma 13.4.1"), exhibits=BALL)
def brackets() -> Evidence:
    """[γ, κ⁰_i] = (0, −rA(e3)A(e3)We_i): on W both orders give A(e3)WA(e_i)."""

    def found(s: Any) -> Array:
        return np.array([with_gamma(s, place(s), plain(k, s.r))[9:] for k in range(3)])

    def orders(s: Any, k: int) -> list[Any]:
        q = place(s)
        field = plain(k, s.r)
        one = along(lambda p: field(p)[:9], q, gamma(q)).reshape(3, 3)
        two = along(lambda p: gamma(p)[:9], q, field(q)).reshape(3, 3)
        wanted = LEVEL @ matrix(s) @ hat(AXES[k])
        return [one, wanted, two]

    return equal(
        sphere.states(),
        lambda s: [found(s), np.array([-s.r * LEVEL @ LEVEL @ matrix(s) @ e for e in AXES])],
        *(lambda s, k=k: orders(s, k) for k in range(3)),
        words=WORDS,
    )


def _bracket_products(s: Any) -> Array:
    """K([γ, κ_i], κ_j)."""
    q = place(s)
    left = [with_gamma(s, q, across(k, s)) for k in range(3)]
    right = [across(k, s)(q) for k in range(3)]
    return np.array([[inner(s, q, x, y) for y in right] for x in left])


@section.confirmed("Proposition 13.4.1", (819, "Proposition 13.4.1"), exhibits=BALL)
def flat() -> Evidence:
    """K([γ, κ_i], κ_j) + K([γ, κ_j], κ_i) = 0."""
    return identity(sphere.states(), lambda s: [_bracket_products(s), _bracket_products(s).T], words=WORDS)


@section.misprint(
    "Propositions 13.4.1 and 13.5.1, [γ, κ_i]",
    (820, 827),
    right=r"[\gamma,\kappa_i] = [\gamma, K(\gamma,\gamma)\overset{0}{\kappa}_i - K(\gamma,\overset{0}{\kappa}_i)\gamma] = "
    r"K(\gamma,\gamma)[\gamma,\overset{0}{\kappa}_i]",
    harm=1,
    breaks="The zeros over κ are lost in the text: as it stands K(γ, γ) would be 1.",
    exhibits=BALL,
    kind="reading",
)
def scaled() -> Evidence:
    """[γ, κ_i] = K(γ, γ)[γ, κ⁰_i], printed with κ_i on both sides."""

    def terms(s: Any, right: bool) -> list[Any]:
        q = place(s)
        left = np.array([with_gamma(s, q, across(k, s)) for k in range(3)])
        other = np.array([with_gamma(s, q, plain(k, s.r)) for k in range(3)]) if right else left
        return [left, -inner(s, q, gamma(q), gamma(q)) * other]

    return identity(sphere.states(), lambda s: terms(s, False), lambda s: terms(s, True), words=WORDS)


@section.misprint(
    "Proposition 13.4.1, proof, K([γ, κ_i], κ_j)",
    (821, 822, 823),
    printed=r"K([\gamma,\kappa_i],\kappa_j) = \{K(\gamma,\gamma)\}^2 K([\gamma,\kappa_i],\kappa_j) = -K(\gamma,\gamma)"
    r"\{\gamma,\kappa_j\}K([\gamma,\kappa_j],\kappa_j)K([\gamma,\kappa_j],\gamma), \quad K([\gamma,\kappa_i],\kappa_j) = "
    r"m\{-rA(\epsilon_3)A(\epsilon_3)A(\epsilon_3)W\epsilon_i\}^T\{-rA(\epsilon_3)W\epsilon_j\}",
    right=r"K([\gamma,\kappa_i],\kappa_j) = \{K(\gamma,\gamma)\}^2 K([\gamma,\overset{0}{\kappa}_i],\overset{0}{\kappa}_j) - "
    r"K(\gamma,\gamma)K(\gamma,\overset{0}{\kappa}_j)K([\gamma,\overset{0}{\kappa}_i],\gamma), \quad "
    r"K([\gamma,\overset{0}{\kappa}_i],\overset{0}{\kappa}_j) = m\{-rA(\epsilon_3)A(\epsilon_3)W\epsilon_i\}^T\{-rA(\epsilon_3)"
    r"W\epsilon_j\} = -mr^2\epsilon_j^TW^TA(\epsilon_3)A(\epsilon_3)A(\epsilon_3)W\epsilon_i",
    harm=1,
    breaks="Zeros, brackets and a sign are lost in the text, and a third A(ε3) stands in the first factor.",
    exhibits=BALL,
    kind="reading",
)
def expanded() -> Evidence:
    """The two steps to antisymmetry, with κ⁰ and two factors A(e3); printed with κ, three of them, and K not squared
    apart.
    """

    def parts(s: Any) -> tuple[Array, Array]:
        q = place(s)
        left = [with_gamma(s, q, plain(k, s.r)) for k in range(3)]
        return (
            np.array([[inner(s, q, x, plain(k, s.r)(q)) for k in range(3)] for x in left]),
            np.array([inner(s, q, x, gamma(q)) for x in left]),
        )

    def first(s: Any, right: bool) -> list[Any]:
        q = place(s)
        size = inner(s, q, gamma(q), gamma(q))
        return [_bracket_products(s), -(size**2) * (parts(s)[0] if right else _bracket_products(s))]

    def second(s: Any, right: bool) -> list[Any]:
        W, level = matrix(s), LEVEL @ LEVEL
        factor = level if right else level @ LEVEL
        table = s.m * (s.r * factor @ W).T @ (s.r * LEVEL @ W)
        return [parts(s)[0] if right else _bracket_products(s), -table]

    def third(s: Any, right: bool) -> list[Any]:
        W = matrix(s)
        table = -s.m * s.r**2 * (W.T @ LEVEL @ LEVEL @ LEVEL @ W).T
        return [parts(s)[0] if right else _bracket_products(s), -table]

    crossed = max(float(np.max(np.abs(parts(s)[1]))) for s in sphere.states())  # K([γ, κ⁰_i], γ) = 0
    found = corrected(
        sphere.states(),
        *((lambda s, f=f: f(s, False), lambda s, f=f: f(s, True)) for f in (first, second, third)),
        words=WORDS,
    )
    return Evidence(found.printed, max(found.right or 0, crossed), found.mutant, found.words)
