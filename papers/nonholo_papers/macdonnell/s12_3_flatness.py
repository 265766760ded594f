"""§§12.3, 12.4: the aligned basis of the cart, and that it is not flat."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import Moving, identity, slope
from nonholo_papers.macdonnell import _cart as cart
from nonholo_papers.macdonnell._cart import STEER, first, gamma, kappa, masses, second, turn
from nonholo_papers.macdonnell._fields import along, bracket
from nonholo_papers.macdonnell._together import equal
from nonholo_papers.section import Section

Array = Any
CART = ("three-wheel-cart",)
section = Section("macdonnell", "12.3 Three-wheel cart: aligned basis and flatness")
section.rest("the flatness conditions (7.2), (7.3) for one γ and one κ; tested with the displays after it", 767)


def _product(s: Any, one: Array, two: Array) -> Any:
    return one @ (masses(s) * two)


@section.confirmed("§12.3, γ and κ₀", exhibits=CART)
def basis() -> Evidence:
    """{γ, κ₀} is a basis of D; γα = 0, so γ lies in S = D∩V; κ₀ does not lie in V."""

    def terms(s: Any) -> list[Any]:
        parts = np.linalg.lstsq(np.array([gamma(s.q, s), STEER]).T, s.v, rcond=None)[0]
        return [s.v, -parts[0] * gamma(s.q, s), -parts[1] * STEER]

    found = identity(cart.rolling(), terms)
    still = max(abs(float(gamma(s.q, s)[6] - gamma(s.q, s)[0])) for s in cart.rolling())
    slipping = max(
        float(np.max(np.abs(cart.slips(s.q, s) @ np.array([gamma(s.q, s), STEER]).T))) for s in cart.rolling()
    )
    return Evidence(max(found.printed, still, slipping), None, found.mutant, "velocities at which no wheel slips")


@section.confirmed("(12.7), f and g, and κ", (761, 762, 763, 764), exhibits=CART)
def products() -> Evidence:
    """K of (12.1) polarised gives K(γ, γ) = f(α), K(κ₀, γ) = g(α), and κ = fκ₀ − gγ is orthogonal to γ."""

    def energy(s: Any, v: Array) -> Any:
        spin = s.JW * (v[3] ** 2 + v[4] ** 2 + v[5] ** 2)
        return (s.J * v[0] ** 2 + s.m * (v[1] ** 2 + v[2] ** 2) + spin + s.JD * v[6] ** 2) / 2

    def polar(s: Any, one: Array, two: Array) -> Any:
        return energy(s, one + two) - energy(s, one) - energy(s, two)

    return equal(
        cart.rolling(),
        lambda s: [polar(s, s.v, gamma(s.q, s)), _product(s, s.v, gamma(s.q, s))],
        lambda s: [2 * energy(s, gamma(s.q, s)), first(s.alpha, s)],
        lambda s: [polar(s, STEER, gamma(s.q, s)), second(s.alpha, s)],
        lambda s: [
            first(s.alpha, s) * polar(s, STEER, gamma(s.q, s)),
            second(s.alpha, s) * 2 * energy(s, gamma(s.q, s)),
        ],
        words="K by polarisation of the energy",
    )


def _pushed(s: Any, field: Any) -> tuple[Array, Array]:
    """A field at a moved place, and the field moved there."""
    angle = 0.7
    place = s.q + np.array([angle, 0, 0, 0.3, -0.4, 0.9, angle])
    place[1:3] = turn(angle) @ s.q[1:3] + [0.2, -0.6]
    moved = field(s.q, s).copy()
    moved[1:3] = turn(angle) @ moved[1:3]
    return field(place, s), moved


@section.misprint(
    "Proposition 12.3.1, proof, the last component of γ",
    765,
    right=r"\ldots = (r\sin\alpha, rR(\overline{\theta})\lambda(\alpha), d\cos\alpha - b\sin\alpha, d\cos\alpha + "
    r"b\sin\alpha, d, r\sin\alpha)",
    harm=2,
    breaks="With 0 for the rate of ξ, γα would not vanish, K(κ₀, γ) would be 0 and not g, and κ not orthogonal to γ.",
    exhibits=CART,
    kind="slip",
)
def last_component() -> Evidence:
    """γ at the moved place: its last component is r sin α, printed 0."""

    def terms(s: Any, last: Array) -> list[Any]:
        at, moved = _pushed(s, gamma)
        printed = at.copy()
        printed[6] *= last
        return [moved, -printed]

    return identity(
        cart.rolling(), lambda s: terms(s, 0), lambda s: terms(s, 1), words="γ pushed forward by a generic motion"
    )


@section.confirmed("Proposition 12.3.1", (766, "Proposition 12.3.1"), exhibits=CART)
def invariant() -> Evidence:
    """γ, κ₀ and κ are group invariant."""
    return equal(
        cart.rolling(),
        lambda s: _pushed(s, gamma),
        lambda s: _pushed(s, kappa),
        lambda s: _pushed(s, lambda q, s: STEER),
        words="fields pushed forward by a generic element of the group",
    )


@section.confirmed("§12.4, the bracket and K(κ, [κ, γ])", (768, 769, 770, 771, 772, 773, 774), exhibits=CART)
def not_flat() -> Evidence:
    """[κ, γ] = f[κ₀, γ]; L_κ₀K = 0; g' = K(κ₀, [κ₀, γ]), f' = 2K(γ, [κ₀, γ]); K(κ, [κ, γ]) = f(fg' − ½gf') is not 0, nor
    g = C√f.
    """

    def parts(s: Any) -> tuple[Array, Array]:
        def field(q: Array) -> Array:
            return gamma(q, s)

        whole = bracket(lambda q: kappa(q, s), field, s.q)
        return whole, bracket(lambda q: STEER + 0 * q, field, s.q)

    def slopes(s: Any) -> tuple[float, float]:
        """f' and g' as derivatives of K(γ, γ) and K(κ₀, γ) along κ₀."""
        up = along(
            lambda q: np.array([_product(s, gamma(q, s), gamma(q, s)), _product(s, STEER, gamma(q, s))]), s.q, STEER
        )
        return float(up[0]), float(up[1])

    def angle(s: Any) -> tuple[float, float]:
        """f' and g' from the printed functions of α."""
        found = slope(lambda a: np.array([first(a[0], s), second(a[0], s)]), np.array([s.alpha]))
        return float(found[0, 0]), float(found[1, 0])

    def last(s: Any) -> list[Any]:
        f, g, (df, dg) = first(s.alpha, s), second(s.alpha, s), angle(s)
        whole, own = parts(s)
        split = f * (f * _product(s, STEER, own) - g * _product(s, gamma(s.q, s), own))
        return [_product(s, kappa(s.q, s), whole), split, f * (f * dg - g * df / 2)]

    found = equal(
        cart.rolling(),
        lambda s: [parts(s)[0], first(s.alpha, s) * parts(s)[1]],
        lambda s: [angle(s)[1], slopes(s)[1], _product(s, STEER, parts(s)[1])],
        lambda s: [angle(s)[0], slopes(s)[0], 2 * _product(s, gamma(s.q, s), parts(s)[1])],
        last,
    )
    size = min(abs(last(s)[0]) / first(s.alpha, s) ** 2 for s in cart.rolling())
    ratios = [second(s.alpha, s) / np.sqrt(first(s.alpha, s)) for s in cart.rolling()]
    return Evidence(
        found.printed, None, min(found.mutant or 0, size, float(np.ptp(ratios))), "brackets by complex steps"
    )


@section.confirmed("§12.4, the constant of κ₀", (775, 776), exhibits=CART)
def steering() -> Evidence:
    """κ₀ lies in D, its flow ξ → ξ + s keeps all velocities and so L: J_D ξ̇ is constant (printed without the dot)."""

    def constant(z: Any) -> Any:
        return z.JD * z.xidot

    def rate(s: Moving) -> float:
        return abs(float(s.dot(constant)))

    def other(s: Moving) -> float:
        return abs(float(s.dot(lambda z: z.J * z.thetadot)))

    def flow(q: Array, s: float) -> Array:
        """κ₀s: ξ → ξ + s."""
        return q + s * np.eye(7)[6]

    def moved(s: Any) -> float:
        """d/ds κ₀s(q) is κ₀, and Tκ₀s(q̇) = q̇ has the same energy."""
        start = float(np.max(np.abs(along(lambda h: flow(s.q, h[0]), np.zeros(1), np.ones(1)) - STEER)))
        carried = along(lambda q: flow(q, 0.7), s.q, s.v)
        return max(start, float(np.max(np.abs(carried - s.v))), abs(float(_product(s, carried, carried) - _product(s, s.v, s.v))))

    states = cart.witness()
    size = max(abs(constant(s)) for s in states)
    turning = [(s, SimpleNamespace(JD=s.JD, xidot=float(s.v[6]))) for s in cart.rolling()]
    momentum = max(abs(float(_product(s, STEER, s.v)) - constant(z)) for s, z in turning)
    inside = max(float(np.max(np.abs(cart.slips(s.q, s) @ STEER))) for s in cart.rolling())
    return Evidence(
        max(max(rate(s) for s in states) / size, inside, momentum, max(moved(s) for s in cart.rolling())),
        None,
        max(other(s) for s in states),
        "rates by the multiplier form, the flow by complex steps; the mutant is Jθ̇",
    )
