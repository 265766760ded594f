"""Zenkov 2016, Example 3.2: the inextensible string."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector, slope
from nonholo_papers.zenkov import _string as string
from nonholo_papers.zenkov._string import SPACE, barred, ends, total

section = Section("zenkov", "3.2 Example: the inextensible string")
section.uncheckable("Figure 2", "Figure 2", "a drawing without numbers", "An inextensible planar string.")
section.rest("definition", 54)


@section.confirmed("Example 3.2, the Lagrangian and (3.13)", (52, 53, "Example 3.2"))
def tension_ends() -> Evidence:
    """δ∫L dt = ∫∫Re((λz_s)_s − z̈)δz̄ − ∫[λ Re z_s δz̄]: a free string needs λ = 0 at its ends, and λ is its tension."""

    def terms(seed: int) -> list[float]:
        p = string.film(seed, ends=True)
        bent = SPACE.d(p.z)
        edge = p.tension[:, None] * np.real(bent * np.conj(p.shift))
        return [
            string.varied_action(p),
            -string.over_all(SPACE.d(p.tension[:, None] * bent) * np.conj(p.shift)),
            string.over_all(string.twice(p.z) * np.conj(p.shift)),
            float(string.TIME.weights @ (edge[-1] - edge[0])),
        ]

    return identity((1, 2), terms, words="numeric functional derivative on 22 × 22 Chebyshev points, λ ≠ 0 at the ends")


@section.misprint(
    "Example 3.2, L(z)",
    printed=r"L(z) = \int_0^1 \tfrac12(\|\dot z\|^2 - \lambda(\|z_s\|^2 - 1))\,ds",
    right=r"L(z, \dot z) = \int_0^1 \tfrac12(\|\dot z\|^2 - \lambda(\|z_s\|^2 - 1))\,ds",
    harm=1,
    breaks="nothing but the reading: L is a function of the velocity too",
    kind="slip",
)
def arguments() -> Evidence:
    """The Lagrangian of the string is called a function of its position alone."""

    def value(p: Any, factor: float) -> float:
        dot = factor * p.bent * p.xi
        return float(SPACE.total(np.abs(dot) ** 2 - p.tension * (np.abs(p.bent) ** 2 - 1)) / 2)

    def same_place(seed: int) -> list[float]:
        p = string.loose(seed)
        return [value(p, 1.0), -value(p, 1.3)]

    def same_both(seed: int) -> list[float]:
        p = string.loose(seed)
        return [value(p, 1.0), -string.lagrangian(p.z, p.xi, p.tension)]

    return identity((1, 2), same_place, right=same_both, words="one curve z with two velocities has two values")


@section.confirmed("Example 3.2, tangent and normal components", printed=r"\xi = \dot z/z_s")
def components() -> Evidence:
    """For |z_s| = 1 the real and imaginary parts of ξ are the velocity's components along the string and across it."""

    def terms(seed: int) -> list[Vector]:
        p = string.state(seed)
        normal = 1j * p.bent
        parts = [np.real(p.dot * np.conj(p.bent)), np.real(p.dot * np.conj(normal))]
        return [np.stack([p.xi.real, p.xi.imag]), -np.stack(parts)]

    return identity((1, 2), terms)


@section.confirmed("Example 3.2, l", 55)
def in_frame() -> Evidence:
    """l(z, ξ) = L(z, z_s ξ), also where |z_s| ≠ 1."""

    def terms(seed: int) -> list[float]:
        p = string.loose(seed)
        dot = p.bent * p.xi
        kinetic = SPACE.total(np.abs(dot) ** 2) / 2
        held = SPACE.total(p.tension * (np.abs(p.bent) ** 2 - 1)) / 2
        density = (
            np.real(np.conj(p.bent) * p.bent * np.conj(p.xi) * p.xi - p.tension * (np.conj(p.bent) * p.bent - 1)) / 2
        )
        return [float(kinetic - held), -float(SPACE.total(density))]

    return identity((1, 2), terms)


def _fields(p: Any) -> tuple[Vector, Vector]:
    """``[Ψξ, Ψη](z)`` by functional derivatives of the fields z ↦ z_s η and z ↦ z_s ξ, ξ and η frozen."""

    def change(frozen: Vector, way: Vector) -> Vector:
        return slope(lambda tau: SPACE.d(p.z + tau * SPACE.d(p.z) * way) * frozen)

    return change(p.eta, p.xi), change(p.xi, p.eta)


@section.misprint(
    "Example 3.2, the bracket of the fields",
    56,
    right=r"[\Psi\,\xi,\Psi\,\eta](z) = \frac{d}{d\tau}\Big|_{\tau=0}\left((z+\tau z_s\xi)_s\eta-(z+\tau z_s\eta)_s\xi\right)"
    r"=z_s(\xi_s\eta-\eta_s\xi)=\Psi_z[\xi,\eta]_z",
    harm=1,
    breaks="the first equality sign is missing, so that a product stands where two equal things were meant",
    kind="reading",
)
def field_bracket() -> Evidence:
    """(3.2) for the string; as it stands the bracket is multiplied with its own value."""

    def printed(seed: int) -> list[Vector]:
        p = string.loose(seed)
        one, two = _fields(p)
        wronskian = p.bent * (SPACE.d(p.xi) * p.eta - SPACE.d(p.eta) * p.xi)
        return [(one - two) * (one - two), -wronskian]

    def right(seed: int) -> list[Vector]:
        p = string.loose(seed)
        one, two = _fields(p)
        return [one - two, -p.bent * SPACE.d(p.xi) * p.eta, p.bent * SPACE.d(p.eta) * p.xi]

    return identity((1, 2), printed, right=right, words="functional derivatives on 22 Chebyshev points")


@section.confirmed("(3.15)", 57)
def bracket() -> Evidence:
    """The bracket on W, from the variation of ξ = ż/z_s: δξ − η̇ = [ξ, η]_z."""

    def terms(seed: int) -> list[Vector]:
        p = string.loose(seed)
        dot, way = p.bent * p.xi, p.bent * p.eta
        # δż = d/dt (z_s η) = ż_s η + z_s η̇, with η̇ = p.rate
        wave = SPACE.d(dot) * p.eta + p.bent * p.rate
        change = slope(lambda tau: (dot + tau * wave) / (p.bent + tau * SPACE.d(way)))
        return [change - p.rate, -SPACE.d(p.xi) * p.eta, p.xi * SPACE.d(p.eta)]

    return identity((1, 2), terms, words="the variation of ż/z_s on 22 Chebyshev points")


@section.confirmed("(3.16)", 58)
def whole_variation() -> Evidence:
    """δl is the sum of four terms, of which the last two are the conjugates of the first (δl = is missing before it)."""

    def terms(seed: int) -> list[complex]:
        p = string.loose(seed)
        shift, turned = p.bent * p.eta, p.rate
        whole = slope(lambda tau: string.lagrangian(p.z + tau * shift, p.xi + tau * turned, p.tension))
        bars = barred(p, "z", shift), barred(p, "xi", turned)
        return [complex(whole), -(bars[0] + np.conj(bars[0])), -(bars[1] + np.conj(bars[1]))]

    return identity((1, 2), terms, words="Wirtinger's derivatives from slopes of l")


def _pieces(seed: int) -> Any:
    """What the three lines of the display after (3.16) are made of; d/dt(z̄_s z_s ξ) is any function, here ``rate``."""
    p = string.loose(seed)
    p.shift = p.bent * p.eta
    p.bars = barred(p, "z", p.shift)
    p.square = np.abs(p.bent) ** 2
    p.swapped = np.conj(SPACE.d(p.xi) * p.eta - p.xi * SPACE.d(p.eta))
    # δl/δξ̄ paired with a conjugate: barred wants the variation itself
    p.second = barred(p, "xi", np.conj(p.swapped))
    p.third = -total(p.rate * np.conj(p.eta)) / 2
    return p


@section.conditional(
    "after (3.16), first line",
    "59a",
    printed=r"\frac{\delta l}{\delta\bar z}\delta\bar z + \frac{\delta l}{\delta\bar\xi}\delta\bar\xi = "
    r"\frac{\delta l}{\delta\bar z}\delta\bar z + \frac{\delta l}{\delta\bar\xi}(\bar\xi_s\bar\eta - \bar\xi\bar\eta_s)"
    r" - \frac{d}{dt}\frac{\delta l}{\delta\bar\xi}\bar\eta",
    reason="only under ∫dt with η = 0 at both times: a derivative d/dt(δl/δξ̄ η̄) is dropped",
    harm=1,
    breaks="at a single time the two sides differ by d/dt of the momentum times η̄",
    kind="convention",
)
def by_parts() -> Evidence:
    """δξ̄ = η̄̇ + (ξ̄_s η̄ − ξ̄ η̄_s), with the first term integrated by parts in time."""
    t = string.TIME

    def both(seed: int) -> tuple[Vector, Vector, Vector]:
        p = string.film(seed)
        bent = SPACE.d(p.z)
        xi, eta = (p.z @ t.derivative.T) / bent, p.shift / bent
        momentum = np.abs(bent) ** 2 * xi / 2
        left = SPACE.total(momentum * np.conj(eta @ t.derivative.T))
        return left, SPACE.total((momentum @ t.derivative.T) * np.conj(eta)), t.weights

    def at_once(seed: int) -> list[Vector]:
        left, right, _ = both(seed)
        return [left, right]

    def over_time(seed: int) -> list[Vector]:
        left, right, weights = both(seed)
        return [weights @ left, weights @ right]

    return identity((1, 2), at_once, right=over_time, words="a film of a string, 22 × 22 Chebyshev points")


@section.confirmed(
    "after (3.16), second line",
    "59b",
    printed=r"\int_0^1\tfrac12\bigl((\lambda z_s - z_s\bar\xi\xi)_s\,\delta\bar z + \bar z_s z_s\xi(\bar\xi_s\bar\eta - "
    r"\bar\xi\bar\eta_s) - \tfrac{d}{dt}(\bar z_s z_s\xi)\bar\eta\bigr)ds - \tfrac12\bar z_s z_s(\lambda - "
    r"\bar\xi\xi)\bar\eta|_0^1",
)
def second_line() -> Evidence:
    """The functional derivatives of l, with the boundary term."""

    def terms(seed: int) -> list[complex]:
        p = _pieces(seed)
        inner = SPACE.d(p.tension * p.bent - p.bent * np.abs(p.xi) ** 2) * np.conj(p.shift)
        edge = p.square * (p.tension - np.abs(p.xi) ** 2) * np.conj(p.eta)
        return [
            p.bars + p.second + p.third,
            -total(inner) / 2,
            -total(p.square * p.xi * p.swapped) / 2,
            total(p.rate * np.conj(p.eta)) / 2,
            ends(edge) / 2,
        ]

    return identity((1, 2), terms, words="against Wirtinger's derivatives of l by slopes; |z_s| ≠ 1, λ ≠ 0 at the ends")


@section.confirmed(
    "after (3.16), third line",
    "59c",
    printed=r"\int_0^1\tfrac12\bigl(z_s\bar z_{ss}\xi\bar\xi + z_s\bar z_s\xi\bar\xi_s + \lambda_s\bar z_s z_s + "
    r"\lambda z_{ss}\bar z_s - \tfrac{d}{dt}(\bar z_s z_s\xi)\bigr)\bar\eta\,ds - \tfrac12\bar z_s z_s\lambda\bar\eta|_0^1",
)
def third_line() -> Evidence:
    """After integration by parts in s the boundary keeps λ alone, which gives (3.13)."""

    def terms(seed: int) -> list[complex]:
        p = _pieces(seed)
        twice, bar = SPACE.d(p.bent), np.conj(p.eta)
        return [
            p.bars + p.second + p.third,
            -total(p.bent * np.conj(twice) * np.abs(p.xi) ** 2 * bar) / 2,
            -total(p.square * p.xi * np.conj(SPACE.d(p.xi)) * bar) / 2,
            -total(SPACE.d(p.tension) * p.square * bar) / 2,
            -total(p.tension * twice * np.conj(p.bent) * bar) / 2,
            total(p.rate * bar) / 2,
            ends(p.square * p.tension * bar) / 2,
        ]

    return identity((1, 2), terms, words="against Wirtinger's derivatives of l by slopes; |z_s| ≠ 1, λ ≠ 0 at the ends")


@section.confirmed("(3.17)", 60)
def string_equation() -> Evidence:
    """The string's equation in ξ, for states with |z_s| = 1 kept by the velocity; ϰ is the signed curvature."""

    def terms(seed: int) -> list[Vector]:
        p = string.state(seed)
        return [
            p.change,
            -p.xi * np.conj(SPACE.d(p.xi)),
            -SPACE.d(p.tension) + 0j,
            -1j * p.curvature * p.tension,
            1j * p.curvature * np.abs(p.xi) ** 2,
        ]

    return identity((1, 2, 3), terms, words="ξ̇ from z̈ = (λz_s)_s, that is from δ∫L dt above, on 22 Chebyshev points")
