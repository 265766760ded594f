"""Rattleback (wobblestone, celtic stone): published facts and closed forms, with their tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import sqrt
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.model.system import varied
from nonholo_papers.facts._newton_euler import agrees_with_newton, newton_euler, spin_matrix
from nonholo_papers.facts._random_states import flows, largest, largest_gap, vector

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


def momentum_equation(exhibit: Exhibit) -> Finding:
    """The vertical momentum about the contact, ``p = γ·(J w + m ρ × (w × ρ))``, has ``ṗ = m γ·(ρ̇ × (w × ρ))``; no constant."""
    values = exhibit.parameters
    m, inertia = values["m"], inertia_numbers(values)

    def momentum(s: Any) -> Any:
        w, vertical = vector(s, "w1", "w2", "w3"), vector(s, "R31", "R32", "R33")
        rho = contact_numbers(vertical, values)
        return vertical @ (inertia @ w + m * np.cross(rho, np.cross(w, rho)))

    def expected(s: Any, r: Any) -> Any:
        w, vertical = vector(s, "w1", "w2", "w3"), vector(s, "R31", "R32", "R33")
        rho_rate = contact_numbers(vertical + 1e-30j * vector(r, "R31", "R32", "R33"), values).imag / 1e-30
        return m * vertical @ np.cross(rho_rate, np.cross(w, contact_numbers(vertical, values)))

    moving = flows(exhibit.system, values)
    gap = largest_gap(moving, momentum, expected)
    return bounded(
        "p' = m γ·(ρ' × (w × ρ))",
        gap,
        1e-12,
        f"5 generic states, |p'| up to {largest([expected(*e) for e in moving]):.2g}",
    )


def same_motion(exhibit: Exhibit) -> Finding:
    """Half a second of motion against SciPy's integration of Newton–Euler in ``(γ, w)``."""
    from scipy.integrate import solve_ivp

    from nonholo.integrate.motion.simulate import simulate

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
    from nonholo.integrate.motion.simulate import simulate

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
    from nonholo_papers.facts._newton_euler import random_rotations, rolling_state

    straight = replace(exhibit, system=varied(exhibit.system, parameters={**exhibit.parameters, "delta": 0.0}))
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


FACTS = (
    Fact("Newton's and Euler's laws give the same accelerations", "Newton–Euler with rolling contact", newton),
    Fact("Newton's and Euler's laws give the same motion", "Newton–Euler, integrated by SciPy", same_motion),
    Fact("the momentum equation", "Notices 2005 (6); Newton–Euler about the contact", momentum_equation),
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
)
