"""Chapter 11, second part: the basketball in numbers, and what its figures are read to say."""

from __future__ import annotations

from math import tau
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, holds, moving, share
from nonholo_papers.macdonnell import _hoop as hoop
from nonholo_papers.macdonnell._hoop import BASKET, potential, pull, reach, solution
from nonholo_papers.macdonnell._together import equal
from nonholo_papers.section import Section

HOOP = ("basketball",)
section = Section("macdonnell", "11 Basketball: numbers and figures")


@section.confirmed("§11, a shell", (714, 715), exhibits=HOOP)
def shell() -> Evidence:
    """A mass spread evenly on a sphere has J = 2mr²/3, and then mr²u/(J + mr²) = 3u/5."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    # ∫(x² + y²) over the unit sphere divided by its area, x² + y² = 1 − c² at the height c
    found = sum(w * (1 - c**2) for c, w in zip(nodes, weights)) / 2
    share = 1 / (1 + found)
    return Evidence(
        max(abs(float(found) - 2 / 3), abs(float(share) - 3 / 5)),
        None,
        abs(float(found) - 2 / 5),
        "by quadrature; mutant 2/5",
    )


@section.confirmed("§11, the numbers of a basketball", exhibits=HOOP)
def lengths() -> Evidence:
    """30, 18 and 3/4 inches give r ≈ 12.1276, u ≈ 23.8125, v ≈ 13.0801 and 3u/5 ≈ 14.2875 cm, so v < 3u/5; 2π/r ≈
    0.5181, 2π ≈ 6.283.
    """
    p = BASKET
    pairs = ((p.r, 12.1276), (p.u, 23.8125), (p.v, 13.0801), (0.6 * p.u, 14.2875), (2 * np.pi / p.r, 0.5181))
    close = all(abs(ours - theirs) < 0.500001e-4 for ours, theirs in pairs)
    return holds(
        ("all to half a unit of the last digit", close and abs(2 * np.pi - 6.283) < 5e-4),
        ("v < 3u/5", p.v < 14.2875),
        against=[("r is half the circumference over 3", abs(30 * 2.54 / 6 - 12.1276) < 0.5e-4)],
    )


@section.confirmed("§11, where the maximum goes", exhibits=HOOP)
def lower() -> Evidence:
    """With U'(0) = 0 and U''(0) < 0 there is a maximum at 0; as U'(0) becomes negative it moves below (l in the text is
    U).
    """
    tops = []
    for change in (0.0, 0.02, 0.04):
        one = -BASKET.m * BASKET.g / BASKET.J * (1 + change)  # C2 = 1: U'(0) = −change · vmg
        omega = solution(BASKET, (one, 1.0), -1.0)
        ahead = solution(BASKET, (one, 1.0), 0.5)
        places = np.linspace(-0.4, 0.4, 801)
        slopes = [float(pull(psi, (omega if psi < 0 else ahead)(psi), BASKET)) for psi in places]
        tops.append(next((float(p) for p, one, two in zip(places, slopes, slopes[1:]) if one > 0 >= two), 9.0))
    return holds(
        ("the maximum is at 0 first", abs(tops[0]) < 0.002),
        ("and then lower and lower", bool(np.all(np.diff(tops) < -0.002))),
        against=[("it moves up", tops[2] > tops[0])],
    )


@section.confirmed("Figures 11.2, 11.3, the fundamental solutions", ("Figure 11.2", "Figure 11.3"), exhibits=HOOP)
def parity() -> Evidence:
    """f11 and f22 are even, f12 and f21 odd; the solutions are not periodic."""
    gaps, moved, swapped = [], [], []
    for start, signs in (((1.0, 0.0), (1, -1)), ((0.0, 1.0), (-1, 1))):
        right, left = solution(BASKET, start, 25.2), solution(BASKET, start, -6.3)
        for psi in (0.7, 1.9, 4.4):
            gaps.append(gap(right(psi), np.array(signs) * left(-psi)))
            swapped.append(gap(right(psi), -np.array(signs) * left(-psi)))
        moved += [gap(right(turned), np.array(start)) for turned in np.cumsum(np.full(4, tau))]
    periodic = min(moved) < 1e-3
    return Evidence(
        max(*gaps, float(periodic)), None, min(*swapped, *moved), "(11.1) by SciPy, four turns of ψ to each side"
    )


@section.confirmed("§11, U by A, B, C", (716, 717), exhibits=HOOP)
def coefficients() -> Evidence:
    """U by the fundamental solutions, and ½m{AC1² + 2BC1C2 + CC2²} for a shell; A and C are even, B odd."""
    ends = {sign: [solution(BASKET, s, sign * 2.5) for s in ((1.0, 0.0), (0.0, 1.0))] for sign in (1, -1)}

    def table(psi: float) -> list[float]:
        (f11, f12), (f21, f22) = (f(psi) for f in ends[1 if psi > 0 else -1])
        a2, third = 5 * reach(psi, BASKET) ** 2, BASKET.r**2 / 3
        return [
            third * (2 * x * y + a2 * u * v)
            for x, y, u, v in ((f11, f11, f12, f12), (f11, f21, f12, f22), (f21, f21, f22, f22))
        ]

    def chain(psi: float) -> list[Any]:
        one, two, p = -31.0, 0.8, BASKET
        whole = solution(p, (one, two), 2.5 if psi > 0 else -2.5)
        (f11, f12), (f21, f22) = (f(psi) for f in ends[1 if psi > 0 else -1])
        weight, (a, b, c) = p.m * p.g * p.v * np.sin(psi), table(psi)
        arm = (p.J + p.m * p.r**2) * reach(psi, p) ** 2
        return [
            potential(psi, whole(psi), p) - weight,
            (p.J * (one * f11 + two * f21) ** 2 + arm * (one * f12 + two * f22) ** 2) / 2,
            p.m / 2 * (a * one**2 + 2 * b * one * two + c * two**2),
        ]

    places = (0.6, 1.7, -0.9, -2.2)
    found = equal(places, chain, lambda psi: [np.array(table(psi)), np.array(table(-psi)) * [1, -1, 1]])
    return Evidence(found.printed, None, found.mutant, "(11.1) by SciPy")


@section.confirmed(
    "Figures 11.4, 11.5, 11.6",
    ("Figure 11.4", "Figure 11.5", "Figure 11.6"),
    printed="plots of A, B, C for −π < ψ < π, and of U for C2 = 0.5, C1 = −40, −50, −60 and for C2 = 1, C1 = −20, −30, −40",
    exhibits=HOOP,
)
def plots() -> Evidence:
    """The curves of U from A, B and C are those along the solutions of (11.1), for all six pairs; A, C and AC − B² are
    positive.
    """
    ends = {sign: [solution(BASKET, s, far) for s in ((1.0, 0.0), (0.0, 1.0))] for sign, far in ((1, 3.1), (-1, -3.1))}

    def table(psi: float) -> Any:
        rows = np.array([f(psi) for f in ends[1 if psi > 0 else -1]])
        weights = np.array([2.0, 5 * reach(psi, BASKET) ** 2]) * BASKET.r**2 / 3
        return np.einsum("ik,k,jk->ij", rows, weights, rows)

    places = [x for x in np.linspace(-3.0, 3.0, 31) if x]
    tables = [table(x) for x in places]

    def curve(one: float, two: float) -> Any:
        """U of the figure, from A, B, C."""
        both = np.array([one, two])
        weights = BASKET.m * BASKET.g * BASKET.v * np.sin(places)
        return np.array([BASKET.m / 2 * both @ t @ both for t in tables]) + weights

    def direct(one: float, two: float) -> Any:
        """U at the states that (11.1) gives."""
        paths = {1: solution(BASKET, (one, two), 3.1), -1: solution(BASKET, (one, two), -3.1)}
        return np.array([potential(x, paths[1 if x > 0 else -1](x), BASKET) for x in places])

    drawn = [(one, two) for two, ones in ((0.5, (-40.0, -50.0, -60.0)), (1.0, (-20.0, -30.0, -40.0))) for one in ones]
    gaps = [gap(curve(*pair), direct(*pair)) for pair in drawn]
    wrong = min(gap(curve(*pair), direct(-pair[0], pair[1])) for pair in drawn)
    positive = min(float(np.min(np.linalg.eigvalsh(t))) for t in tables) > 0
    return Evidence(max(*gaps, float(not positive)), mutant=wrong, words="six curves at 30 places; the mutant has −C1 for C1")


@section.confirmed("§11, the mass cancels", exhibits=HOOP)
def masses() -> Evidence:
    """The accelerations do not change when m, and J with it, are multiplied."""
    light = moving("basketball", parameters=hoop.VALUES)
    heavy = moving("basketball", parameters={**hoop.VALUES, "m": 3 * 0.9, "J": 3 * 0.5})
    other = moving("basketball", parameters={**hoop.VALUES, "m": 3 * 0.9})
    names = ("Omega1", "Omega2", "psidot")
    rates = [np.array([[s.rate(n) for n in names] for s in found]) for found in (light, heavy, other)]
    return Evidence(gap(rates[0], rates[1]), None, gap(rates[0], rates[2]), "the multiplier form; the mutant keeps J")


@section.misprint(
    "Figure 11.7, the local maximum",
    "Figure 11.7",
    printed=r"\psi \approx -0.12\pi, \text{ about 21 degrees below the horizontal}",
    right=r"\psi \approx -0.135\pi, \text{ about 24 degrees below}",
    harm=3,
    breaks="The maximum is flat, so that a plot misleads: U at −0.12π is 1 % of the rise below it.",
    exhibits=HOOP,
    kind="slip",
)
def maximum() -> Evidence:
    """For C1 = −40, C2 = 1 the maximum of U is at ψ = −0.1346π; the ball goes round level there, ψ̈ = 0 by the
    multiplier form.
    """
    from nonholo import gallery
    from nonholo.derive.multipliers import multipliers
    from nonholo.derive.states.consistent_state import complete_state

    psi, omega = hoop.hill()
    system = gallery.get("basketball").system
    values = {"m": 1.0, "J": BASKET.J, "rho": BASKET.r, "g": BASKET.g, "u": BASKET.u, "v": BASKET.v}
    equations = multipliers(system)

    def level(place: float) -> float:
        one, two = omega(place)
        full = complete_state(system, {"psi": place, "Omega1": float(one), "Omega2": float(two), "roll": 0.0}, values)
        given = {n: e for n, e in full.items() if n in {*equations.state, *equations.outputs}}
        return share(equations.rates(given, values)["psidot"], BASKET.g)

    return Evidence(
        max(level(-0.12 * np.pi), 0.0) if abs(psi / np.pi + 0.12) > 0.005 else 0.0,
        max(level(psi), float(abs(psi / np.pi + 0.135) > 0.0005), float(abs(np.degrees(psi) + 24) > 0.5)),
        None,
        f"ψ̈/g with ψ̇ = 0 at the two places; the maximum is at {psi / np.pi:.4f}π",
    )


@section.confirmed("§11, it pops out again", exhibits=HOOP)
def returns() -> Evidence:
    """Crossing ψ = 0 downwards with less than the energy of the maximum the ball turns back and does not pass 0 again;
    with more it falls.
    """
    from nonholo import gallery
    from nonholo.integrate.motion.simulate import simulate

    psi, omega = hoop.hill()
    rise = float(potential(psi, omega(psi), BASKET) - potential(0.0, omega(0.0), BASKET))
    system = gallery.get("basketball").system
    values = {"m": 1.0, "J": BASKET.J, "rho": BASKET.r, "g": BASKET.g, "u": BASKET.u, "v": BASKET.v}
    runs = []
    for part in (0.99, 1.01):
        roll = -float(np.sqrt(2 * part * rise / (BASKET.J + BASKET.r**2)))
        start = {"psi": 0.0, "Omega1": -40.0, "Omega2": 1.0, "roll": roll}
        runs.append(simulate(system, start, 0.5, values, rtol=1e-9, atol=1e-11).data["psi"].values)
    back = runs[0]
    crossings = int(np.sum(np.diff(np.sign(back[1:])) != 0))
    return holds(
        ("below the maximum's energy it stays above the maximum", psi < back.min() < 0),
        ("and comes out, crossing 0 once more only", back[-1] > 0 and crossings == 1),
        against=[("so it does with more energy", runs[1].min() > psi)],
        words="the motion integrated, with 0.99 and 1.01 of the energy",
    )


@section.confirmed("Figure 11.8, where the ball leaves the hoop", "Figure 11.8", exhibits=HOOP)
def leaves() -> Evidence:
    """N vanishes at ψ ≈ −0.10π, about 18 degrees below, for C1 = −40, C2 = 1 (the plot's own label has C1 = 40, for
    which it does not).
    """
    found, other = hoop.edge(), hoop.edge(40.0)
    return holds(
        ("N = 0 at −0.10π to two digits", abs(found / np.pi + 0.10) < 0.005),
        ("18 degrees", abs(np.degrees(found) + 18) < 0.5),
        against=[("so it is for C1 = 40", abs(other / np.pi + 0.10) < 0.005)],
        words=f"N = 0 at {found / np.pi:.4f}π for C1 = −40, at {other / np.pi:.4f}π for C1 = 40",
    )
