"""The rattleback: an ellipsoid on a plane whose axes of inertia are turned against its axes of symmetry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import atan2, sqrt
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import symbols
from nonholo.finding import Finding, bounded
from nonholo.gallery._rolling import (
    SPATIAL_UNITS,
    VERTICAL,
    agrees_with_newton,
    contact_trace,
    newton_euler,
    place_of,
    rolling_body,
    spin_matrix,
    turned,
)
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Trace, matrix_of

TITLE = "Rattleback (wobblestone, celtic stone)"
GROUP = "Bloch–Marsden–Zenkov"
PAPERS = "Notices 2005 (The Rattleback); BMZ 2009 §4.2"

Vector = Any
FAT = {
    "m": 1.0,
    "g": 9.81,
    "a": 0.043,
    "b": 0.028,
    "c": 0.03,
    "h": 0.01,
    "I1": 3e-4,
    "I2": 5e-4,
    "I3": 6e-4,
    "delta": 0.4,
}
"""A stone fat enough that one sense of spin is asymptotically stable."""


def exhibit() -> Exhibit:
    """An ellipsoid with semi-axes a, b, c; its centre is h above the centre of mass; inertia turned by δ."""
    a, b, c, h, one, two, three, delta = symbols(("a", "b", "c", "h", "I1", "I2", "I3", "delta"))
    support = se.sqrt(sum(s**2 * v**2 for s, v in zip((a, b, c), VERTICAL)))
    reach = [-(s**2) * v / support for s, v in zip((a, b, c), VERTICAL)]
    contact = (reach[0], reach[1], reach[2] + h)
    system = rolling_body("rattleback", "m g a b c h I1 I2 I3 delta", contact, turned((one, two, three), delta))
    tilt = 0.01
    start = {"R22": np.cos(tilt), "R23": -np.sin(tilt), "R32": np.sin(tilt), "R33": np.cos(tilt), "w3": -5.0}
    return Exhibit(
        name="rattleback",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters=_values(),
        start=start,
        starts={"stable spin": {**start, "w3": 5.0}, "tapped": {**start, "w3": 0.0, "w2": 0.6}},
        until=5.0,
        references=(
            "Notices 2005, The Rattleback",
            "Walker 1896",
            "Bondi 1986",
            "Kane and Levinson 1982 (the values)",
            "Garcia and Hubbard 1988",
        ),
        units={
            **SPATIAL_UNITS,
            "a": "m",
            "b": "m",
            "c": "m",
            "h": "m",
            "I1": "kg m²",
            "I2": "kg m²",
            "I3": "kg m²",
            "delta": "rad",
        },
        facts=(
            Fact("Newton's and Euler's laws give the same accelerations", "Newton–Euler with rolling contact", newton),
            Fact("Newton's and Euler's laws give the same motion", "Newton–Euler, integrated by SciPy", same_motion),
            Fact("the spectrum of upright spin", "closed polynomial; cf. Walker 1896, Bondi 1986", spectrum),
            Fact(
                "one sense of spin attracts above Ω0, the other never",
                "Notices 2005, The Rattleback; cf. Karapetyan 1981",
                one_sense,
            ),
            Fact(
                "spinning the wrong way, it turns round; the right way, it does not",
                "Notices 2005, The Rattleback",
                reversal,
            ),
            Fact("without twist the two senses are alike", "mirror symmetry", mirror),
        ),
        drawing=Drawing(
            bodies=(
                Body(
                    "ellipsoid",
                    place_of((se.Integer(0), se.Integer(0), h), contact),
                    matrix_of("R"),
                    {"a": "a", "b": "b", "c": "c"},
                    label="stone",
                ),
                Body(
                    "rod",
                    place_of((se.Integer(0), se.Integer(0), h), contact),
                    matrix_of("R"),
                    {"length": "2*a"},
                    colour="black",
                    label="long axis",
                ),
            ),
            traces=(
                Trace(contact_trace(contact), "contact"),
                Trace(place_of((a, se.Integer(0), h), contact), "tip", "grey"),
            ),
            plots=(("t", "w3"), ("t", "w1"), ("t", "w2"), ("x", "y")),
        ),
        story=(
            "Spin this stone the wrong way and it starts to rattle, stops, and spins back, with no friction and no loss "
            "of energy. The twist between its shape and its inertia makes one sense of spin attracting: rolling does not "
            "keep the volume of phase space."
        ),
    )


def _values() -> dict[str, float]:
    """The stone of Kane and Levinson 1982: moments of inertia A, B, C and a product of inertia D, in SI units."""
    big_a, big_b, big_c, product = 2.0e-4, 16.0e-4, 17.0e-4, -0.2e-4
    middle, half = (big_a + big_b) / 2, sqrt(((big_a - big_b) / 2) ** 2 + product**2)
    delta = atan2(-product, -(big_a - big_b) / 2) / 2
    return {
        "m": 1.0,
        "g": 9.81,
        "a": 0.2,
        "b": 0.03,
        "c": 0.02,
        "h": 0.01,
        "I1": middle - half,
        "I2": middle + half,
        "I3": big_c,
        "delta": delta,
    }


def contact_numbers(vertical: Vector, values: Mapping[str, float]) -> Vector:
    """ρ(γ), numerically: the lowest point of the ellipsoid seen from the centre of mass."""
    squares = np.array([values[n] ** 2 for n in "abc"])
    return np.array([0, 0, values["h"]]) - squares * vertical / np.sqrt(np.sum(squares * vertical**2))


def inertia_numbers(values: Mapping[str, float]) -> Vector:
    """The inertia matrix, numerically."""
    c, s = np.cos(values["delta"]), np.sin(values["delta"])
    axes = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return np.asarray(axes @ np.diag([values["I1"], values["I2"], values["I3"]]) @ axes.T)


def newton(exhibit: Exhibit) -> Finding:
    """At generic attitudes, also with the stone on its side or its head."""
    return agrees_with_newton(exhibit, contact_numbers, inertia_numbers)


def same_motion(exhibit: Exhibit) -> Finding:
    """Half a second of motion against SciPy's integration of Newton–Euler in ``(γ, w)``."""
    from scipy.integrate import solve_ivp

    from nonholo.integrate.simulate import simulate

    values = exhibit.parameters
    inertia = inertia_numbers(values)

    def flow(_: float, state: Vector) -> Vector:
        vertical, w = state[:3], state[3:]
        matrix = np.vstack([np.zeros((2, 3)), vertical])
        change, _force = newton_euler(
            matrix, w, partial(contact_numbers, values=values), inertia, values["m"], values["g"]
        )
        return np.concatenate([np.cross(vertical, w), change])

    first = np.array([0.0, exhibit.start["R32"], exhibit.start["R33"], 0.0, 0.0, exhibit.start["w3"]])
    other = solve_ivp(flow, (0, 0.5), first, method="DOP853", rtol=1e-9, atol=1e-11).y[:, -1]
    run = simulate(exhibit.system, exhibit.start, 0.5, values, rtol=1e-11, atol=1e-13)
    mine = np.array([float(run.data[n].values[-1]) for n in ("R31", "R32", "R33", "w1", "w2", "w3")])
    return bounded(
        "the motion is that of Newton–Euler", float(np.max(np.abs(mine - other))), 1e-7, "after 0.5 s, two integrators"
    )


def characteristic(values: Mapping[str, float], spin: float) -> Vector:
    """The characteristic polynomial of upright spin Ω, highest power first, from ``det(s² K2 + s K1 + K0)`` worked out by hand.

    With radii of curvature ``R1 = a²/c``, ``R2 = b²/c`` at the bottom, ``ℓ = c − h`` and inertia ((A, D), (D, B)), C:
    the leading coefficient is ``(A + mℓ²)(B + mℓ²) − D²`` and the odd ones are ``−D Ω mℓ (R1 − R2)`` times 1 and Ω²,
    so only the sign of ``D Ω (R1 − R2)`` decides which sense of spin gains.
    """
    m, g = values["m"], values["g"]
    r1, r2, l = values["a"] ** 2 / values["c"], values["b"] ** 2 / values["c"], values["c"] - values["h"]
    inertia = inertia_numbers(values)
    big_a, big_b, big_c, d = inertia[0, 0] + m * l**2, inertia[1, 1] + m * l**2, inertia[2, 2], inertia[0, 1]
    odd = -d * spin * m * l * (r1 - r2)
    # stiffness of the two tilts, from weight and from spin
    k1 = m * g * (r1 - l) + spin**2 * (big_c - big_a + m * l * (r1 - l) + m * l**2)
    k2 = m * g * (r2 - l) + spin**2 * (big_c - big_b + m * l * (r2 - l) + m * l**2)
    turn_1 = big_a + big_b - big_c - m * l * r1
    turn_2 = big_a + big_b - big_c - m * l * r2
    middle = big_a * k1 + big_b * k2 + spin**2 * turn_1 * turn_2 - 2 * d**2 * spin**2
    return np.array([big_a * big_b - d**2, odd, middle, odd * spin**2, k1 * k2 - d**2 * spin**4])


def spectrum(exhibit: Exhibit) -> Finding:
    """Characteristic polynomial of the linearised equations against the closed one, at several spins."""
    worst = 0.0
    for spin in (-5.0, 1.3, 8.0):
        found = np.poly(spin_matrix(exhibit.system, exhibit.parameters, spin))
        wanted = characteristic(exhibit.parameters, spin)
        worst = max(worst, float(np.max(np.abs(found - wanted / wanted[0]) / (1 + np.abs(wanted / wanted[0])))))
    return bounded(
        "the characteristic polynomial of upright spin is the closed one", worst, 1e-9, "spins −5, 1.3 and 8 rad/s"
    )


def threshold(values: Mapping[str, float]) -> float:
    """The spin Ω0 above which the gaining sense of spin attracts, by Routh and Hurwitz from `characteristic`.

        Ω0² [(R1 − ℓ)(E − mℓR2) + (R2 − ℓ)(E − mℓR1)] = m g (R1 − ℓ)(R2 − ℓ),   E = A + B − C + 2mℓ²

    Where the bracket is negative (flat stones, as the default one) no spin attracts.
    """
    m, g = values["m"], values["g"]
    r1, r2, l = values["a"] ** 2 / values["c"], values["b"] ** 2 / values["c"], values["c"] - values["h"]
    sum_of = values["I1"] + values["I2"] - values["I3"] + 2 * m * l**2
    bracket = (r1 - l) * (sum_of - m * l * r2) + (r2 - l) * (sum_of - m * l * r1)
    return sqrt(m * g * (r1 - l) * (r2 - l) / bracket) if bracket > 0 else float("inf")


def one_sense(exhibit: Exhibit) -> Finding:
    """A fat stone attracts to one sense of spin above Ω0 and to none below; the other sense always repels."""

    def growth(spin: float) -> float:
        return float(np.max(np.linalg.eigvals(spin_matrix(exhibit.system, FAT, spin)).real))

    limit = threshold(FAT) * -np.sign(inertia_numbers(FAT)[0, 1] * (FAT["a"] - FAT["b"]))
    above, below, wrong = growth(1.05 * limit), growth(0.95 * limit), growth(-1.05 * limit)
    holds = above < -1e-6 and below > 1e-6 and wrong > 1e-6
    evidence = f"Ω0 = {limit:.4g} rad/s; growth {above:.3g} at 1.05 Ω0, {below:.3g} at 0.95 Ω0, {wrong:.3g} at −1.05 Ω0"
    return Finding(
        "one sense of spin attracts above Ω0, the other never", "holds" if holds else "fails", limit, evidence
    )


def reversal(exhibit: Exhibit) -> Finding:
    """The spin changes sign from the unstable sense and keeps it from the stable one."""
    from nonholo.integrate.simulate import simulate

    ends = []
    for spin in (exhibit.start["w3"], -exhibit.start["w3"]):
        run = simulate(
            exhibit.system, {**exhibit.start, "w3": spin}, exhibit.until, exhibit.parameters, rtol=1e-9, atol=1e-11
        )
        series = run.data["w3"].values * np.sign(spin)
        ends.append((float(series.min()), float(series.max())))
    (back, _), (kept, _) = ends
    holds = back < -0.2 * abs(exhibit.start["w3"]) and kept > 0.5 * abs(exhibit.start["w3"])
    evidence = f"lowest spin along the start's sense: {back:.3g} and {kept:.3g} rad/s"
    return Finding("the spin reverses in one sense only", "holds" if holds else "fails", back, evidence)


def mirror(exhibit: Exhibit) -> Finding:
    """With δ = 0 the mirror image of a motion is a motion."""
    from nonholo.derive.hamel import hamel
    from nonholo.gallery._rolling import random_rotations, rolling_state

    straight = replace(exhibit, parameters={**exhibit.parameters, "delta": 0.0})
    equations = hamel(straight.system)
    image = np.diag([1.0, -1.0, 1.0])
    worst = 0.0
    for matrix in random_rotations(3, seed=5):
        w = np.array([0.7, -0.4, 1.9])
        one = equations.rates(rolling_state(matrix, w), straight.parameters)
        # a mirror turns a rotation rate as an axial vector: w → −S w
        two = equations.rates(rolling_state(image @ matrix @ image, -image @ w), straight.parameters)
        here, there = (np.array([r[f"w{i}"] for i in (1, 2, 3)]) for r in (one, two))
        worst = max(worst, float(np.max(np.abs(-image @ here - there)) / (1 + np.max(np.abs(here)))))
    return bounded("without twist a mirrored motion is a motion", worst, 1e-10)
