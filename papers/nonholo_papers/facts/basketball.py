"""Basketball on its hoop: published facts and closed forms, with their tests."""

from __future__ import annotations

from functools import partial
from math import pi
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.basketball import AROUND, PATH, SOURCE, SPIN
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts import _rolling_balls as facts
from nonholo_papers.facts._random_states import STEP, Vector, at_states, largest

REACH = (-1.2, 2.5)


def _generic(test: facts.Test, exhibit: Exhibit) -> Finding:
    return test(PATH, exhibit.system, exhibit.parameters, REACH)


def numbers(exhibit: Exhibit) -> Finding:
    """r ≈ 12.1276 cm, u ≈ 23.8125 cm, v ≈ 13.0801 cm, 3u/5 ≈ 14.2875 cm, 2π/r ≈ 0.5181/cm [MacDonnell 1997 §11]."""
    p = exhibit.parameters
    printed = ((p["rho"], 12.1276), (p["u"], 23.8125), (p["v"], 13.0801), (3 * p["u"] / 5, 14.2875))
    gaps = [100 * ours - theirs for ours, theirs in printed]
    turn = 2 * pi / (100 * p["rho"]) - 0.5181
    return bounded("the thesis's lengths, in cm", max(largest(gaps), abs(turn)), 0.00005001, "half a unit of the last digit")


def _slopes(psi: Any, omega: Vector, p: Any) -> Vector:
    """``dΩ1/dψ = u Ω2``, ``d(a² Ω2)/dψ = −J a Ω1/(J + m r²)`` [MacDonnell 1997 (11.1)], as (Ω1', Ω2')."""
    a, da = p.u - p.v * np.cos(psi), p.v * np.sin(psi)
    return np.array([p.u * omega[1], -(2 * da * omega[1] + p.J / (p.J + p.m * p.rho**2) * omega[0]) / a])


def _pull(psi: Any, omega: Vector, p: Any) -> Any:
    """``Ū' = m g z' + J Ω1 Ω1' + (J + m r²){a a' Ω2² + a² Ω2 Ω2'}``."""
    a, da = p.u - p.v * np.cos(psi), p.v * np.sin(psi)
    one, two = _slopes(psi, omega, p)
    spin = (p.J + p.m * p.rho**2) * (a * da * omega[1] ** 2 + a**2 * omega[1] * two)
    return p.m * p.g * p.v * np.cos(psi) + p.J * omega[0] * one + spin


def horizontal(exhibit: Exhibit) -> Finding:
    """The values at ψ = 0 of §11, for generic C1, C2, by the derivatives along ψ of (11.1) and of Ū'."""
    p = SimpleNamespace(**exhibit.parameters)
    one, two = -31.0, 47.0
    whole, wide = p.J + p.m * p.rho**2, p.u - p.v
    start = np.array([one, two])
    first = _slopes(0.0, start, p)
    along = np.imag(_slopes(1j * STEP, start + 1j * STEP * first, p)) / STEP
    bend = np.imag(_pull(1j * STEP, start + 1j * STEP * first, p)) / STEP
    printed = np.array(
        [
            p.u * two,
            -p.J * one / (wide * whole),
            -p.u * p.J * one / (wide * whole),
            -(p.u * p.J + 2 * p.v * whole) / (wide * whole) * two,
            p.v * (p.m * p.g + p.J * one * two),
            p.v * (-(one**2) * p.J**2 / (wide * whole) + two**2 * (p.v * p.J - p.m * p.rho**2 * wide)),
        ]
    )
    found = np.array([*first, *along, _pull(0.0, start, p), bend])
    # and Ū' is what moves the ball: (J + m r²) v²/r² ψ'' = −Ū' at ψ = 0, whatever ψ'
    ((_, r),) = at_states(exhibit.system, exhibit.parameters, [{"psi": 0.0, "Omega1": one, "Omega2": two, "roll": 3.0}])
    moved = -whole * p.v**2 / p.rho**2 * r.psidot
    gaps = [found / printed - 1, moved / printed[4] - 1]
    return bounded("Ω', Ω'', U', U'' at the horizontal", largest(gaps), 1e-11)


def concave(exhibit: Exhibit) -> Finding:
    """Both coefficients of ``U''(0)`` are negative: ``v J < m r²(u − v)``, i.e. ``v < 3u/5`` when ``J = 2mr²/3``."""
    p = SimpleNamespace(**exhibit.parameters)
    arm = p.m * p.rho**2
    edge = abs(arm * p.u / (p.J + arm) - 3 * p.u / 5)
    good = p.v * p.J - arm * (p.u - p.v) < 0 and p.v < 3 * p.u / 5 and edge < 1e-12
    return Finding("v < m r² u/(J + m r²) = 3u/5", "holds" if good else "fails", 100 * p.v, f"v in cm, against {60 * p.u:.4f}")


def _solutions(p: Any, start: Vector, ends: tuple[float, ...]) -> list[Any]:
    """Solutions of (11.1) from ψ = 0 to each end, by SciPy."""
    from scipy.integrate import solve_ivp

    made = partial(solve_ivp, lambda psi, y: _slopes(psi, y, p), y0=start, method="DOP853", rtol=1e-12, atol=1e-12)
    return [made((0.0, end), dense_output=True).sol for end in ends]


def parity(exhibit: Exhibit) -> Finding:
    """f11 and f22 are even, f12 and f21 odd; after a turn of ψ they do not return."""
    p = SimpleNamespace(**exhibit.parameters)
    gaps, moved = [], []
    for start, signs in ((np.array([1.0, 0.0]), (1, -1)), (np.array([0.0, 1.0]), (-1, 1))):
        right, left = _solutions(p, start, (2 * pi, -2 * pi))
        for psi in (0.7, 1.9, 4.4):
            gaps.append((right(psi) - np.array(signs) * left(-psi)) / np.max(np.abs(right(psi))))
        moved.append(largest([(right(2 * pi) - start)]) / largest([right(pi), start]))
    good = largest(gaps) < 1e-9 and min(moved) > 0.05
    evidence = f"after 2π off by {moved[0]:.2g} and {moved[1]:.2g}"
    return Finding("f11, f22 even, f12, f21 odd, not periodic", "holds" if good else "fails", largest(gaps), evidence)


def _hill(exhibit: Exhibit) -> tuple[float, Any, Any]:
    """Where Ū has its top below the horizontal for C1 = −40, C2 = 1, by (11.1) and Ū' = 0; the solution; the values."""
    from scipy.optimize import brentq

    p = SimpleNamespace(**exhibit.parameters)
    (omega,) = _solutions(p, np.array([SPIN, AROUND]), (-1.4,))
    return float(brentq(lambda psi: _pull(psi, omega(psi), p), -1.0, -1e-3, xtol=1e-13)), omega, p


def hilltop(exhibit: Exhibit) -> Finding:
    """At the top of Ū the ball goes round level: ψ̈ = 0 by `hamel`; the thesis reads −0.12π off its (flat) plot."""
    psi, omega, p = _hill(exhibit)
    one, two = omega(psi)
    ((_, r),) = at_states(exhibit.system, exhibit.parameters, [{"psi": psi, "Omega1": float(one), "Omega2": float(two)}])
    before, after = (_pull(psi + step, omega(psi + step), p) for step in (-0.01, 0.01))
    good = abs(r.psidot) < 1e-6 and before > 0 > after
    evidence = f"in units of π, {-np.degrees(psi):.1f}° below the horizontal (printed −0.12 and 21°); ψ'' = {r.psidot:.1g} there"
    return Finding("Ū has its top where the ball goes round level", "holds" if good else "fails", psi / pi, evidence)


def lets_go(exhibit: Exhibit) -> Finding:
    """``N(ψ) = {a r² Ω2² cos ψ + g sin ψ}/v`` vanishes at ψ ≈ −0.10π, about 18° below [figure 11.8]."""
    from scipy.optimize import brentq

    _, omega, p = _hill(exhibit)

    def lift(psi: float) -> float:
        a = p.u - p.v * np.cos(psi)
        return float(a * p.rho**2 * omega(psi)[1] ** 2 * np.cos(psi) + p.g * np.sin(psi))

    psi = float(brentq(lift, -0.8, -0.05, xtol=1e-13))
    good = abs(psi / pi + 0.10) < 0.005 and abs(-np.degrees(psi) - 18) < 0.5
    return Finding("contact ends at ψ ≈ −0.10π", "holds" if good else "fails", psi / pi, "in units of π; printed −0.10 and 18°")


def comes_back(exhibit: Exhibit) -> Finding:
    """Crossing ψ = 0 downwards with 0.99 of the hill's energy the ball turns back, with 1.01 of it it falls through."""
    from nonholo.integrate.motion.simulate import simulate

    psi, omega, p = _hill(exhibit)

    def potential(psi: float) -> float:
        one, two = omega(psi)
        a = p.u - p.v * np.cos(psi)
        return float(p.m * p.g * p.v * np.sin(psi) + (p.J * one**2 + (p.J + p.m * p.rho**2) * a**2 * two**2) / 2)

    energy = potential(psi) - potential(0.0)
    lowest = []
    for part in (0.99, 1.01):
        roll = -np.sqrt(2 * part * energy / (p.J + p.m * p.rho**2))
        start = {"psi": 0.0, "Omega1": SPIN, "Omega2": AROUND, "roll": float(roll)}
        run = simulate(exhibit.system, start, 0.5, exhibit.parameters, rtol=1e-10, atol=1e-12)
        lowest.append((run.data["psi"].values.min(), run.data["psi"].values[-1]))
    good = psi < lowest[0][0] < 0 < lowest[0][1] and lowest[1][0] < psi - 0.2
    evidence = f"hill at {psi:.3f}; lowest ψ {lowest[0][0]:.3f} and {lowest[1][0]:.3f}"
    return Finding("it comes out again, or falls through", "holds" if good else "fails", energy, evidence)


def holds_on(exhibit: Exhibit) -> Finding:
    """``F_n = m{a θ̇² cos ψ − v ψ̇² + g sin ψ}`` stays positive along the start's motion, which dips below the horizontal."""
    from nonholo.integrate.motion.simulate import simulate

    p = SimpleNamespace(**exhibit.parameters)
    data = simulate(exhibit.system, exhibit.start, exhibit.until, exhibit.parameters).data
    psi, fast, around = (data[n].values for n in ("psi", "psidot", "thetadot"))
    force = p.m * ((p.u - p.v * np.cos(psi)) * around**2 * np.cos(psi) - p.v * fast**2 + p.g * np.sin(psi))
    good = force.min() > 0 and psi.min() < -0.2 and psi[-1] > 0.5
    evidence = f"least normal force in N; ψ from {psi.min():.3f} to {psi[-1]:.3f}"
    return Finding("the ball keeps to the hoop, down and up", "holds" if good else "fails", float(force.min()), evidence)


def mass_cancels(exhibit: Exhibit) -> Finding:
    """Accelerations do not change when m and J are both multiplied."""
    heavy = {**exhibit.parameters, "m": 3 * exhibit.parameters["m"], "J": 3 * exhibit.parameters["J"]}
    state = {"psi": 0.4, "Omega1": -11.0, "Omega2": 17.0, "roll": -3.0}
    (_, one), (_, two) = (at_states(exhibit.system, p, [state])[0] for p in (exhibit.parameters, heavy))
    gaps = [(getattr(one, n) - getattr(two, n)) / abs(getattr(one, n)) for n in ("Omega1", "Omega2", "roll")]
    return bounded("the same accelerations for a ball three times as heavy", largest(gaps), 1e-12)


FACTS = (
    Fact("the numbers of ball and hoop: 12.1276, 23.8125, 13.0801 cm, 2π/r = 0.5181", f"{SOURCE} §11", numbers),
    Fact("the adjoint equation (11.1)", f"{SOURCE} (11.1)", partial(_generic, facts.adjoint)),
    Fact("the reduced energy and motion", f"{SOURCE} §11", partial(_generic, facts.reduced)),
    Fact(
        "Newton's laws, and the normal force m(a θ'² cos ψ − v ψ'² + g sin ψ)",
        f"{SOURCE} §11, Normal Component of Force",
        partial(_generic, facts.newton),
    ),
    Fact("U'(0) = v(m g + J C1 C2), U''(0), Ω2'(0), Ω2''(0) at the horizontal", f"{SOURCE} §11", horizontal),
    Fact("U''(0) cannot be positive since v < 3u/5", f"{SOURCE} §11, A Basketball", concave),
    Fact("the fundamental solutions are even and odd, not periodic", f"{SOURCE} §11, figures 11.2, 11.3", parity),
    Fact("the top of Ū for C1 = −40, C2 = 1 lies below the horizontal", f"corrects {SOURCE} §11, figure 11.7", hilltop),
    Fact("the normal force ends at ψ ≈ −0.10π for C1 = −40, C2 = 1", f"{SOURCE} §11, figure 11.8", lets_go),
    Fact("below the hill's energy it comes out again, above it falls through", f"{SOURCE} §11", comes_back),
    Fact("the start keeps contact until it is above the rim again", f"{SOURCE} §11, Normal Component of Force", holds_on),
    Fact("the mass cancels", f"{SOURCE} §11", mass_cancels),
)
