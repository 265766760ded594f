"""Chapter 11, first part: the basketball's equations in ψ, and the potential at the horizontal."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, identity, symbolic
from nonholo_papers.macdonnell._hoop import points, pull, reach, slopes, states
from nonholo_papers.macdonnell._together import equal, joined, together
from nonholo_papers.section import Section

Array = Any
HOOP = ("basketball",)
WITNESS = "along the multiplier form"
section = Section("macdonnell", "11 Basketball: potential")
section.rest("restatement of §10.1 and §10.6", 687, 688, 689, 690, 691, 718)
section.uncheckable(
    "Figure 11.1", "Figure 11.1", "A drawing, without numbers.", "The ball on the hoop, and the angle ψ."
)


@section.confirmed("§11, the new parameter ψ, and (11.1)", (692, 693, 694, 695), exhibits=HOOP)
def parameter() -> Evidence:
    """s = v(ψ − π/2) gives a = u − v cos ψ, z = v sin ψ, K and U in ψ, and (11.1) for Ω1, Ω2; dw in the text is dψ."""

    def arc(p: Any) -> Any:
        return p.v * (p.psi - np.pi / 2)

    def energy(s: Any) -> Any:
        spin = np.array([s.nu1, s.nu2, s.nu3])
        speed = s.v**2 * s.psidot**2 + (s.u - s.v * np.cos(s.psi)) ** 2 * s.thetadot**2
        return s.J * spin @ spin / 2 + s.m * speed / 2 + s.m * s.g * s.v * np.sin(s.psi)

    def whole(s: Any) -> list[Any]:
        arm = s.J + s.m * s.rho**2
        return [
            energy(s),
            -arm * s.v**2 / (2 * s.rho**2) * s.psidot**2,
            -s.m * s.g * s.v * np.sin(s.psi),
            -s.J * s.Omega1**2 / 2,
            -arm * (s.u - s.v * np.cos(s.psi)) ** 2 * s.Omega2**2 / 2,
        ]

    places = equal(
        points(),
        lambda p: [p.u + p.v * np.sin(arc(p) / p.v), p.u - p.v * np.cos(p.psi)],
        lambda p: [p.v * np.cos(arc(p) / p.v), p.v * np.sin(p.psi)],
    )
    moving = together(
        states(),
        whole,
        lambda s: [s.rate("Omega1"), -s.u * s.Omega2 * s.psidot],
        lambda s: [
            s.dot(lambda z: (z.u - z.v * np.cos(z.psi)) ** 2 * z.Omega2),
            s.J / (s.J + s.m * s.rho**2) * (s.u - s.v * np.cos(s.psi)) * s.Omega1 * s.psidot,
        ],
    )
    return joined(places, moving, words=f"Ω1, Ω2 and the energy {WITNESS}")


@section.misprint(
    "§11, a', z', a'', z''",
    (696, 697, 698, 699),
    right=r"a'(\psi) = v\sin\psi,\quad z'(\psi) = v\cos\psi,\quad a''(\psi) = v\cos\psi,\quad z''(\psi) = -v\sin\psi",
    harm=1,
    breaks="ψ stands for v in the text; the values at 0 that follow have v.",
    exhibits=HOOP,
    kind="reading",
)
def derivatives() -> Evidence:
    """The derivatives of a = u − v cos ψ and z = v sin ψ have the factor v, printed ψ."""
    a, z, psi, v = _curve()
    found = (a.diff(psi), z.diff(psi), a.diff(psi, 2), z.diff(psi, 2))
    shapes = (se.sin(psi), se.cos(psi), se.cos(psi), -se.sin(psi))
    return symbolic(
        [[f, -psi * e] for f, e in zip(found, shapes)], [[f, -v * e] for f, e in zip(found, shapes)], count=3
    )


def _curve() -> tuple[Any, Any, Any, Any]:
    """a(ψ), z(ψ), ψ and v."""
    u, v, psi = se.symbols("u v psi")
    return u - v * se.cos(psi), v * se.sin(psi), psi, v


@section.confirmed("§11, a and z at ψ = 0", (700, 701, 702, 703, 704, 705), exhibits=HOOP)
def values() -> Evidence:
    """a(0) = u − v, z(0) = 0, a'(0) = 0, z'(0) = v, a''(0) = v, z''(0) = 0."""
    a, z, psi, v = _curve()
    zero = [e.subs({psi: 0}) for e in (z, a.diff(psi), z.diff(psi, 2))]
    found = symbolic(
        [
            [a.subs({psi: 0}), -se.Symbol("u"), v],
            [z.diff(psi).subs({psi: 0}), -v],
            [a.diff(psi, 2).subs({psi: 0}), -v],
        ]
    )
    return Evidence(max(found.printed, float(any(e != 0 for e in zero))), None, found.mutant, found.words)


def _second(p: Any) -> Array:
    """(Ω1'', Ω2'') along (11.1)."""
    step, start = 1e-30, np.array([p.one, p.two])
    return np.imag(slopes(p.psi + 1j * step, start + 1j * step * slopes(p.psi, start, p), p)) / step


@section.confirmed("§11, Ω' and Ω''", (706, 707, 708, 709, 710), exhibits=HOOP)
def rates() -> Evidence:
    """The first and second derivatives of Ω1, Ω2 by (11.1), and their values at ψ = 0 by C1 and C2."""

    def at_zero(p: Any) -> Any:
        p.psi = 0.0
        return p

    flat = [at_zero(p) for p in points()]

    def share(p: Any) -> Any:
        return p.J / p.whole

    def first(p: Any) -> Array:
        return slopes(p.psi, np.array([p.one, p.two]), p)

    def moved(s: Any) -> list[Any]:
        a, da = s.u - s.v * np.cos(s.psi), s.v * np.sin(s.psi)
        arm = s.J / (s.J + s.m * s.rho**2)
        return [a * s.rate("Omega2"), 2 * da * s.Omega2 * s.psidot, arm * s.Omega1 * s.psidot]

    general = together(
        points(),
        lambda p: [_second(p)[0], -p.u * first(p)[1]],
        lambda p: [
            reach(p.psi, p) * _second(p)[1],
            3 * p.v * np.sin(p.psi) * first(p)[1],
            2 * p.v * np.cos(p.psi) * p.two,
            share(p) * first(p)[0],
        ],
    )
    zero = together(
        flat,
        lambda p: [first(p)[0], -p.u * p.two],
        lambda p: [first(p)[1], p.J / ((p.u - p.v) * p.whole) * p.one],
        lambda p: [_second(p)[0], p.u * p.J / ((p.u - p.v) * p.whole) * p.one],
        lambda p: [_second(p)[1], (p.u * p.J + 2 * p.v * p.whole) / ((p.u - p.v) * p.whole) * p.two],
    )
    return joined(general, zero, identity(states(), moved), words=f"by complex steps, and aΩ2' {WITNESS}")


def _bend(p: Any) -> Any:
    """U'' along (11.1)."""
    step, start = 1e-30, np.array([p.one, p.two])
    near = start + 1j * step * slopes(p.psi, start, p)
    a, da = reach(p.psi + 1j * step, p), p.v * np.sin(p.psi + 1j * step)
    one, two = slopes(p.psi + 1j * step, near, p)
    force = p.m * p.g * p.v * np.cos(p.psi + 1j * step) + p.J * near[0] * one
    return np.imag(force + p.whole * (a * da * near[1] ** 2 + a**2 * near[1] * two)) / step


@section.confirmed("§11, U' and U'' at the horizontal", (711, 712), exhibits=HOOP)
def horizontal() -> Evidence:
    """U' and U'' by a and Ω, U'(0) = v(mg + JC1C2), U''(0) in both forms; and (J + mr²)v²/r² ψ̈ = −U' along the motion."""

    def parts(p: Any) -> tuple[Array, Array, float, float]:
        start = np.array([p.one, p.two])
        return slopes(p.psi, start, p), _second(p), reach(p.psi, p), p.v * np.sin(p.psi)

    def force(p: Any) -> list[Any]:
        (one, two), _, a, da = parts(p)
        return [
            pull(p.psi, np.array([p.one, p.two]), p),
            -p.m * p.g * p.v * np.cos(p.psi),
            -p.J * p.one * one,
            -p.whole * a * da * p.two**2,
            -p.whole * a**2 * p.two * two,
        ]

    def bend(p: Any) -> list[Any]:
        (one, two), (one2, two2), a, da = parts(p)
        dda = p.v * np.cos(p.psi)
        spin = a * dda * p.two**2 + da**2 * p.two**2 + 4 * a * da * p.two * two + a**2 * two**2 + a**2 * p.two * two2
        return [_bend(p), p.m * p.g * p.v * np.sin(p.psi), -p.J * (p.one * one2 + one**2), -p.whole * spin]

    flat = points()
    for p in flat:
        p.psi = 0.0

    def long_form(p: Any) -> Any:
        gap, k = p.u - p.v, p.J / p.whole
        first = p.J * (-p.u * k / gap * p.one**2 + p.u**2 * p.two**2)
        last = gap**2 * p.two * (-(p.u * p.J + 2 * p.v * p.whole) / (gap * p.whole) * p.two)
        return first + p.whole * (gap * p.v * p.two**2 + gap**2 * (-k / gap * p.one) ** 2 + last)

    def short_form(p: Any) -> Any:
        gap = p.u - p.v
        own = p.v * p.J - p.m * p.r**2 * gap
        return p.v * (-(p.one**2) * p.J**2 / (gap * p.whole) + p.two**2 * own)

    def motion(s: Any) -> list[Any]:
        s.r = s.rho
        found = pull(s.psi, np.array([s.Omega1, s.Omega2]), s)
        return [(s.J + s.m * s.rho**2) * s.v**2 / s.rho**2 * s.rate("psidot"), found]

    return joined(
        together(points(), force, bend),
        equal(
            flat,
            lambda p: [pull(0.0, np.array([p.one, p.two]), p), p.v * (p.m * p.g + p.J * p.one * p.two)],
            lambda p: [_bend(p), long_form(p), short_form(p)],
        ),
        identity(states(), motion),
        words=f"by complex steps; ψ̈ {WITNESS}",
    )


@section.confirmed("§11, when U''(0) cannot be positive", 713, exhibits=HOOP)
def concave() -> Evidence:
    """vJ − mr²(u − v) < 0 is v < mr²u/(J + mr²); then U''(0) ≤ 0 for all C1, C2."""
    random = np.random.default_rng(11)
    same, negative, some = True, True, False
    for _ in range(200):
        m, j, r, v, gap, one, two = random.uniform(0.2, 2.0, 7)
        u, whole = v + gap, j + m * r**2
        small = v * j - m * r**2 * gap < 0
        same &= bool(small == (v < m * r**2 * u / whole))
        bend = float(_bend(SimpleNamespace(psi=0.0, one=one, two=two, m=m, g=9.8, J=j, r=r, u=u, v=v, whole=whole)))
        negative &= bool(not small or bend <= 0)
        some |= bool(bend > 0)
    return holds(
        ("the two conditions agree for 200 generic hoops", same),
        ("U''(0) ≤ 0 under them", negative),
        against=[("U''(0) ≤ 0 without them", not some)],
    )
