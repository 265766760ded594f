"""Falling rolling disk: published facts and closed forms, with their tests."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo.algebra.calculus import jacobian, symbols
from nonholo.algebra.linear_equations import evaluate_matrix
from nonholo.finding import Finding, bounded
from nonholo.gallery._rolling import attitude
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._newton_euler import agrees_with_newton
from nonholo_papers.facts._random_states import flows, largest, largest_gap, rate

Vector = Any


def _reduced(s: Any) -> tuple[Any, Any, Any]:
    """sin θ, ``p1 = A φ̇ cos θ`` and ``p2 = (m r² + B)(φ̇ sin θ + ψ̇)`` of a state in either formulation."""
    if hasattr(s, "theta"):
        spin = s.phidot * np.sin(s.theta) + s.psidot
        return np.sin(s.theta), s.A * s.phidot * np.cos(s.theta), (s.m * s.r**2 + s.B) * spin
    upright = np.sqrt(s.R31**2 + s.R32**2)
    return s.R33, s.A * (s.w1 * s.R31 + s.w2 * s.R32) / upright, (s.m * s.r**2 + s.B) * s.w3


def _slopes(s: Any, sine: Any, p1: Any, p2: Any) -> tuple[Any, Any]:
    """``dp1/dθ`` and ``dp2/dθ`` [BMZ 2009 §6.5]."""
    tangent = sine / np.sqrt(1 - sine**2)
    return tangent * p1 - s.B / (s.m * s.r**2 + s.B) * p2, -s.m * s.r**2 / s.A * p1


def _tilt_rate(s: Any) -> Any:
    """θ̇ of a state in either formulation: with sin θ = γ3, ``γ̇3 = γ1 w2 − γ2 w1``."""
    if hasattr(s, "theta"):
        return s.thetadot
    return (s.R31 * s.w2 - s.R32 * s.w1) / np.sqrt(s.R31**2 + s.R32**2)


def _both(exhibit: Exhibit) -> list[Any]:
    return [*flows(exhibit.system, exhibit.parameters, 4), *flows(exhibit.variants["angles"], exhibit.parameters, 4)]


def momentum_equations(exhibit: Exhibit) -> Finding:
    """``ṗ1 = (tan θ p1 − B/(m r² + B) p2) θ̇``, ``ṗ2 = −(m r²/A) p1 θ̇``, by rotation matrix and in angles."""

    def expected(s: Any, r: Any) -> Vector:
        return np.array(_slopes(s, *_reduced(s))) * _tilt_rate(s)

    gap = largest_gap(_both(exhibit), lambda s: np.array(_reduced(s)[1:]), expected)
    return bounded("the two momentum equations", gap, 1e-11, "4 generic states in each formulation")


def amended_potential(exhibit: Exhibit) -> Finding:
    """``(A + m r²) θ̈ = −dU_c/dθ`` with ``U_c = ½(p1²/A + p2²/(m r² + B)) + m g r cos θ``."""

    def expected(s: Any, r: Any) -> Any:
        sine, p1, p2 = _reduced(s)
        one, two = _slopes(s, sine, p1, p2)
        return -(p1 * one / s.A + p2 * two / (s.m * s.r**2 + s.B) - s.m * s.g * s.r * sine)

    gap = largest_gap(_both(exhibit), lambda s: (s.A + s.m * s.r**2) * _tilt_rate(s), expected)
    return bounded("the tilt moves in U_c", gap, 1e-11, "4 generic states in each formulation")


def in_angles(exhibit: Exhibit) -> Finding:
    """A motion from the same start by rotation matrix and by the printed Lagrangian in angles."""
    from nonholo.integrate.motion.simulate import simulate

    values = exhibit.parameters
    tilt, tilting, heading, roll = 0.25, 0.4, 0.7, -3.0
    angles = {"theta": tilt, "phi": 0.0, "thetadot": tilting, "phidot": heading, "psidot": roll}
    # at φ = 0 the axis is (0, −cos θ, sin θ) and the angular velocity −θ̇ e1 + ψ̇ axis + φ̇ e3
    matrix = attitude(0.0, pi / 2 - tilt, 0.0)
    first = {"w1": -tilting, "w2": heading * np.cos(tilt), "w3": roll + heading * np.sin(tilt)}
    times = np.linspace(0, 3, 7)
    one = simulate(exhibit.system, {**matrix, **first}, 3.0, values, rtol=1e-11, atol=1e-13, t_eval=times).data
    two = simulate(exhibit.variants["angles"], angles, 3.0, values, rtol=1e-11, atol=1e-13, t_eval=times).data
    # the centre is above the contact point by r (sin θ n + cos θ e3), n = (−sin φ, cos φ, 0)
    shift = values["r"] * np.sin(two["theta"].values)
    gaps = [one["R33"].values - np.sin(two["theta"].values)]
    for name, lean in (("x", -np.sin(two["phi"].values)), ("y", np.cos(two["phi"].values))):
        path = two[name].values + shift * lean
        gaps.append(one[name].values - one[name].values[0] - path + path[0])
    return bounded("the two formulations move alike", largest(gaps), 1e-8, "3 s of motion: tilt and centre")


def legendre(values: Mapping[str, float], sine: Vector) -> Vector:
    """``F(x)`` and ``dF/dx`` of the Legendre function with ``ν(ν+1) = −m r² B/(A (m r² + B))``, regular at x = 1.

    ``p2`` obeys ``p2'' − tan θ p2' = m r² B/(A (m r² + B)) p2``, so ``p2 = c1 F(sin θ) + c2 F(−sin θ)``, with Gauss's
    series ``F = Σ c_n z^n``, ``z = (1 − x)/2``, ``c_{n+1}/c_n = (n(n + 1) − ν(ν + 1))/(n + 1)²``.
    """
    strength = (
        values["m"] * values["r"] ** 2 * values["B"] / (values["A"] * (values["m"] * values["r"] ** 2 + values["B"]))
    )
    z = (1 - np.asarray(sine)) / 2
    term, total, slope = np.ones_like(z), np.ones_like(z), np.zeros_like(z)
    for n in range(3000):
        ratio = (n * (n + 1) + strength) / (n + 1) ** 2
        slope = slope + (n + 1) * ratio * term
        term = term * ratio * z
        total = total + term
    return np.array([total, -slope / 2])


def _constants(values: Mapping[str, float], sine: Vector, p1: Vector, p2: Vector) -> Vector:
    """``c1, c2`` of each state, from ``p2`` and ``dp2/dx = −(m r²/A) p1/cos θ``."""
    here, there = legendre(values, sine), legendre(values, -sine)
    slope = -values["m"] * values["r"] ** 2 / values["A"] * p1 / np.sqrt(1 - sine**2)
    matrix = np.moveaxis(np.array([[here[0], there[0]], [here[1], -there[1]]]), -1, 0)
    return np.linalg.solve(matrix, np.column_stack([p2, slope])[:, :, None])[:, :, 0]


def _run(exhibit: Exhibit, start: Mapping[str, float], until: float) -> Any:
    from nonholo.integrate.motion.simulate import simulate

    data = simulate(exhibit.system, start, until, exhibit.parameters, rtol=1e-11, atol=1e-13).data
    return SimpleNamespace(**exhibit.parameters, **{str(n): data[n].values for n in data.data_vars})


def legendre_momenta(exhibit: Exhibit) -> Finding:
    """The two constants of the Legendre functions along the start's motion."""
    found = _constants(exhibit.parameters, *_reduced(_run(exhibit, exhibit.start, exhibit.until)))
    drift = np.max(np.abs(found - found[0])) / np.max(np.abs(found[0]))
    return bounded(
        "c1 and c2 are constant", float(drift), 1e-8, f"{exhibit.until:g} s; c = ({found[0, 0]:.4g}, {found[0, 1]:.4g})"
    )


def wronskian(exhibit: Exhibit) -> Finding:
    """``η`` with ``⟨p, η⟩`` constant: ``η1' = −tan θ η1 + (m r²/A) η2``, ``η2' = B/(m r² + B) η1``, so ``W = W(0) cos θ``."""
    v = exhibit.parameters
    inertia = v["m"] * v["r"] ** 2

    def fields(theta: float) -> Vector:
        sine, cosine = np.array([np.sin(theta)]), np.cos(theta)
        here, there = legendre(v, sine), legendre(v, -sine)
        # rows: p(θ) for c = (1, 0) and (0, 1), with p1 = −(A/m r²) dp2/dθ; the fields are the inverse's columns
        p2 = np.array([here[0], there[0]])[:, 0]
        p1 = -v["A"] / inertia * cosine * np.array([here[1], -there[1]])[:, 0]
        return np.linalg.inv(np.column_stack([p1, p2]))

    gaps = []
    at_zero = np.linalg.det(fields(0.0))
    for theta in (-0.9, 0.4, 1.1):
        step = 1e-5
        eta = fields(theta)
        change = (fields(theta + step) - fields(theta - step)) / (2 * step)
        wanted = np.array([-np.tan(theta) * eta[0] + inertia / v["A"] * eta[1], v["B"] / (inertia + v["B"]) * eta[0]])
        gaps += [(change - wanted) * 1e-2, np.linalg.det(eta) / at_zero - np.cos(theta)]
    for s, r in flows(exhibit.system, v, 3):
        eta = fields(float(np.arcsin(s.R33)))
        change = np.array(
            [-np.tan(np.arcsin(s.R33)) * eta[0] + inertia / v["A"] * eta[1], v["B"] / (inertia + v["B"]) * eta[0]]
        )
        momenta, moving = np.array(_reduced(s)[1:]), rate(lambda z: np.array(_reduced(z)[1:]), s, r)
        gaps.append(momenta @ change * _tilt_rate(s) + moving @ eta)
    return bounded("W(θ) = W(0) cos θ, (6.18) as corrected, and ⟨p, η⟩ constant", largest(gaps), 1e-9)


def no_fall(exhibit: Exhibit) -> Finding:
    """From nearly flat: every turning point of the tilt is where ``U_c(θ) = h`` with the Legendre momenta of the start."""
    from nonholo.integrate.motion.simulate import simulate

    v = exhibit.parameters
    inertia = v["m"] * v["r"] ** 2
    run = simulate(
        exhibit.system,
        exhibit.starts["nearly flat"],
        exhibit.until,
        v,
        rtol=1e-11,
        atol=1e-13,
        events=["R31*w2 - R32*w1"],
    )
    states = [SimpleNamespace(**v, **s) for s in next(iter(run.event_states.values()))]
    turning = np.array([_reduced(s)[0] for s in states])
    first = SimpleNamespace(**v, **{str(n): run.data[n].values[:1] for n in run.data.data_vars})
    c = _constants(v, *_reduced(first))[0]
    here, there = legendre(v, turning), legendre(v, -turning)
    two = c[0] * here[0] + c[1] * there[0]
    one = -v["A"] / inertia * np.sqrt(1 - turning**2) * (c[0] * here[1] - c[1] * there[1])
    level = (one**2 / v["A"] + two**2 / (inertia + v["B"])) / 2 + v["m"] * v["g"] * v["r"] * np.sqrt(1 - turning**2)
    evidence = f"{len(turning)} turning points, steepest tilt {np.degrees(np.arcsin(np.max(np.abs(turning)))):.2f}°"
    return bounded("the tilt turns back where U_c(θ) = h", largest(level - first.energy[0]), 1e-7, evidence)


def upright(exhibit: Exhibit) -> Finding:
    """``ω² = (B (B + m r²) Ω²/A − m g r)/(A + m r²)`` of the tilt when rolling straight with rate Ω."""
    from nonholo.derive.hamel import hamel

    v = exhibit.parameters
    equations = hamel(exhibit.variants["angles"])
    inertia = v["m"] * v["r"] ** 2
    gaps = []
    for spin in (1.2, 4.5):
        numbers = {
            **v,
            "theta": 0.0,
            "psi": 0.3,
            "phi": 0.2,
            "x": 0.0,
            "y": 0.0,
            "thetadot": 0.0,
            "phidot": 0.0,
            "psidot": spin,
        }
        names = ("theta", *map(str, equations.speeds))
        numbers |= {n: 0.0 for n in names if n not in numbers}
        if "psidot" not in names:
            numbers |= {"xdot": -v["r"] * spin * np.cos(0.2), "ydot": -v["r"] * spin * np.sin(0.2)}
        mass = evaluate_matrix(equations.mass, numbers)
        lower = np.linalg.solve(mass, evaluate_matrix(jacobian(equations.force, symbols(names)), numbers))
        upper = np.array([[float(n == "thetadot") for n in names]])
        squares = np.linalg.eigvals(np.vstack([upper, lower])) ** 2
        wanted = -(v["B"] * (v["B"] + inertia) * spin**2 / v["A"] - v["m"] * v["g"] * v["r"]) / (v["A"] + inertia)
        gaps.append(np.min(np.abs(squares - wanted)))
    return bounded(
        "the tilt's frequency when rolling straight", largest(gaps), 1e-8, "below and above the critical speed"
    )


def steady_circle(exhibit: Exhibit) -> Finding:
    """The tilt stays and the contact runs round with the given turning rate: ``x`` and ``y`` oscillate with it."""
    start = exhibit.starts["steady circle"]
    state = _run(exhibit, start, exhibit.until)
    turning = start["w2"] / np.sqrt(1 - start["R33"] ** 2)
    gap_tilt = state.R33 - start["R33"]
    # a point on a circle: the velocity turns uniformly
    angle = np.unwrap(np.arctan2(state.ydot, state.xdot))
    times = np.linspace(0, exhibit.until, len(angle))
    return bounded("tilt and turning rate are constant", largest([gap_tilt, angle - angle[0] - turning * times]), 1e-7)

def contact_numbers(vertical: Vector, values: Mapping[str, float]) -> Vector:
    """ρ(γ), numerically: the lowest point of the rim seen from the centre."""
    return -values["r"] * np.array([vertical[0], vertical[1], 0]) / np.sqrt(vertical[0] ** 2 + vertical[1] ** 2)


def newton(exhibit: Exhibit) -> Finding:
    """At generic attitudes and rates."""
    return agrees_with_newton(exhibit, contact_numbers, lambda v: np.diag([v["A"], v["A"], v["B"]]))


FACTS = (
    Fact("Newton's and Euler's laws give the same accelerations", "Newton–Euler with rolling contact", newton),
    Fact("the momentum equations", "BMZ 2009 §6.5 (with p1, p2 as corrected)", momentum_equations),
    Fact("the printed Lagrangian in angles gives the same motion", "BMZ 2009 §6.5", in_angles),
    Fact("the tilt moves in the amended potential", "BMZ 2009 §6.5, U_c", amended_potential),
    Fact(
        "the momenta are Legendre functions of sin θ",
        "Chaplygin 1897, Appel 1900, Korteweg 1899",
        legendre_momenta,
    ),
    Fact("the Wronskian of the conserving fields is W(0) cos θ", "BMZ 2009 (6.15), (6.18)", wronskian),
    Fact("the disk does not fall, and turns back where U_c = h", "Kolesnikov 1985; BMZ 2009 §6.5", no_fall),
    Fact(
        "upright rolling is stable above a closed speed", "linearised; v² > g r/3 for a uniform disk", upright
    ),
    Fact("steady circles", "equilibria of the amended potential", steady_circle),
)
