"""Ball on a sphere, outside or inside: published facts and closed forms, with their tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.ball_on_sphere import PATHS, SIDES, SOURCE
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.model.system import System
from nonholo_papers.facts import _rolling_balls as facts
from nonholo_papers.facts._random_states import Vector, at_states, largest, largest_rate, rate, vector

UP = np.array([0.0, 0.0, 1.0])


def _system(exhibit: Exhibit, side: str) -> System:
    return exhibit.variants.get(side, exhibit.system)


def _flow(exhibit: Exhibit, side: str) -> Any:
    """Generic places on the sphere and spins."""
    random = np.random.default_rng(12)
    states = []
    for _ in range(5):
        n = random.normal(size=3)
        n *= exhibit.parameters["v"] / np.linalg.norm(n)
        spin = random.uniform(-4, 4, 3)
        states.append(dict(zip(("x", "y", "z", "nu1", "nu2", "nu3"), map(float, (*n, *spin)))))
    return at_states(_system(exhibit, side), exhibit.parameters, states)


def _axis(s: Any) -> Vector:
    return vector(s, "x", "y", "z") / s.v


def _inertia(s: Any) -> Any:
    return (s.m + s.J / s.rho**2) * s.v**2


def _spin(s: Any, side: str) -> Any:
    """``Ω1 = β·ν``."""
    return SIDES[side] * _axis(s) @ vector(s, "nu1", "nu2", "nu3")


def _second(s: Any, side: str) -> Any:
    """``C2 = Ω2 sin²φ − J C1 cos φ/((J + m ρ²) v)`` with ``θ̇ = −ρ Ω2``."""
    around = (s.x * s.ydot - s.y * s.xdot) / s.v**2
    return -around / s.rho - s.J / (s.J + s.m * s.rho**2) * _spin(s, side) / s.v * s.z / s.v


def integrals(exhibit: Exhibit) -> Finding:
    """``Ω1 = C1``, ``Ω2 = {J C1 cos(s/v)/((J + m ρ²)v) + C2}/sin²(s/v)`` [MacDonnell 1997 §10.5], and |x| = v."""
    worst = []
    for side in SIDES:
        quantities = (partial(_spin, side=side), partial(_second, side=side), lambda s: _axis(s) @ _axis(s))
        worst.append(largest_rate(_flow(exhibit, side), *quantities))
    return bounded("Ω1 and C2 are constant", max(worst), 1e-12)


def top_equation(exhibit: Exhibit) -> Finding:
    """``(m + J/ρ²)v² n × n̈ + (J Ω1 v/ρ) ṅ = −m g v n × e3``: a top with ``I = (m + J/ρ²)v²``, ``J3ω3 = J Ω1 v/ρ``."""
    gaps = []
    for side in SIDES:
        for s, r in _flow(exhibit, side):
            n, change = _axis(s), vector(s, "xdot", "ydot", "zdot") / s.v
            second = rate(lambda s: vector(s, "xdot", "ydot", "zdot") / s.v, s, r)
            left = _inertia(s) * np.cross(n, second) + s.J * _spin(s, side) * s.v / s.rho * change
            right = -s.m * s.g * s.v * np.cross(n, UP)
            gaps.append((left - right) / np.max(np.abs(right)))
    return bounded("the axis n = x/v obeys the Lagrange top's equation", largest(gaps), 1e-11)


def top_motion(exhibit: Exhibit) -> Finding:
    """The Lagrange top of the gallery with ``a = v``, ``J1 = J v²/ρ²``, ``J3 ω3 = J Ω1 v/ρ``, run beside the ball."""
    from nonholo.gallery import lagrange_top
    from nonholo.integrate.motion.simulate import simulate

    p, start = exhibit.parameters, exhibit.start
    ((s, _),) = at_states(exhibit.system, p, [start])
    side = next(name for name in SIDES if name not in exhibit.variants)
    n, change = _axis(s), vector(s, "xdot", "ydot", "zdot") / s.v
    J1 = s.J * s.v**2 / s.rho**2
    J3 = 0.7 * J1
    spin = s.J * _spin(s, side) * s.v / (s.rho * J3)
    one = np.cross([0.0, 1.0, 0.0], n)
    one /= np.linalg.norm(one)
    R = np.column_stack([one, np.cross(n, one), n])
    w = R.T @ (np.cross(n, change) + spin * n)
    turned = {f"R{i + 1}{j + 1}": float(R[i, j]) for i in range(3) for j in range(3)}
    body = {f"w{i + 1}": float(e) for i, e in enumerate(w)}
    values = {"m": p["m"], "g": p["g"], "a": p["v"], "J1": float(J1), "J3": float(J3)}
    other = simulate(lagrange_top.exhibit().system, {**turned, **body}, 2.0, values, rtol=1e-12, atol=1e-13)
    mine = simulate(exhibit.system, start, 2.0, p, rtol=1e-12, atol=1e-13)
    gap = largest(mine.data[x].values / p["v"] - other.data[f"R{i}3"].values for i, x in enumerate("xyz", 1))
    moved = float(np.ptp(mine.data["x"].values) / p["v"])
    return bounded("x/v is the axis of a Lagrange top", gap, 1e-8, f"over 2 s, x/v moves by {moved:.2g}; limit 1e-8")


def _reduced_energy(s: Any, side: str, power: int) -> Any:
    cosine = s.z / s.v
    turn2 = s.zdot**2 / (s.v**2 - s.z**2)
    inner = s.J * _spin(s, side) / ((s.J + s.m * s.rho**2) * s.v) * cosine + _second(s, side)
    lean = (s.J + s.m * s.rho**2) * s.v**2 / (2 * (1 - cosine**2)) * inner**power
    return _inertia(s) * turn2 / 2 + s.m * s.g * s.z + s.J * _spin(s, side) ** 2 / 2 + lean


def energy(exhibit: Exhibit) -> Finding:
    """``E = ½(m + J/ρ²)v²φ̇² + m g v cos φ + ½J C1² + ½(J + m ρ²)v² {J C1 cos φ/((J + m ρ²)v) + C2}²/sin²φ`` [§10.6]."""
    gaps, printed = [], []
    for side in SIDES:
        for s, _ in _flow(exhibit, side):
            nu, move = vector(s, "nu1", "nu2", "nu3"), vector(s, "xdot", "ydot", "zdot")
            whole = s.J * nu @ nu / 2 + s.m * move @ move / 2 + s.m * s.g * s.z
            gaps.append(_reduced_energy(s, side, 2) / whole - 1)
            printed.append(_reduced_energy(s, side, 1) / whole - 1)
    evidence = f"without the square the energy is off by {largest(printed):.2g} of itself; limit 1e-12"
    return bounded("the reduced energy", largest(gaps), 1e-12, evidence)


def formulations(exhibit: Exhibit) -> Finding:
    """z̈ and Ω̇1 by (x, y, z) and by the thesis's (s, θ), at the same states."""
    gaps = []
    for side, (path, ends) in PATHS.items():
        thesis = exhibit.variants[f"thesis {side}"]
        at = facts.curve_numbers(path)
        for s, r in facts.ball_flows(path, thesis, exhibit.parameters, ends):
            c = at(s)
            place = {"x": c.a * np.cos(s.theta), "y": c.a * np.sin(s.theta), "z": c.z}
            same = {n: float(e) for n, e in {**place, "nu1": s.nu1, "nu2": s.nu2, "nu3": s.nu3}.items()}
            ((_, other),) = at_states(_system(exhibit, side), exhibit.parameters, [same])
            spins = [vector(q, "nu1", "nu2", "nu3") for q in (r, other)]
            gaps.append((spins[0] - spins[1]) / np.max(np.abs(spins)))
    return bounded("the same ν' in both formulations", largest(gaps), 1e-11)


def _both(test: facts.Test, exhibit: Exhibit) -> Finding:
    """A shared fact on the thesis's systems, outside and inside."""
    found = [test(path, exhibit.variants[f"thesis {side}"], exhibit.parameters, ends) for side, (path, ends) in PATHS.items()]
    return bounded(f"{found[0].claim}; outside and inside", max(f.number for f in found), 1e-11)


def leaves(exhibit: Exhibit) -> Finding:
    """Normal force ``m(g cos φ − v φ̇²)`` vanishes at ``cos φ = (10/17) cos φ₀`` for J = (2/5) m ρ² and a start at rest."""
    from nonholo.integrate.motion.simulate import simulate

    p: Mapping[str, float] = {**exhibit.parameters, "J": 0.4 * exhibit.parameters["m"] * exhibit.parameters["rho"] ** 2}
    start = {"x": p["v"] * np.sin(0.1), "z": p["v"] * np.cos(0.1)}
    event = "g*z/v - (xdot**2 + ydot**2 + zdot**2)/v"
    run = simulate(_system(exhibit, "outside"), start, 2.0, p, rtol=1e-11, atol=1e-13, events=[event])
    height = run.event_states[event][0]["z"]
    return bounded("it leaves at 10/17 of its first height", abs(height / start["z"] - 10 / 17), 1e-9)


FACTS = (
    Fact("Ω1 and C2 are constant, outside and inside", f"{SOURCE} §10.5", integrals),
    Fact("I n × n'' + (J Ω1 v/ρ) n' = −m g v n × e3: a Lagrange top's axis", f"{SOURCE} §10.6", top_equation),
    Fact("the centre moves as the tip of a Lagrange top", f"{SOURCE} §10.6", top_motion),
    Fact("the reduced energy, with a square that is not printed", f"corrects {SOURCE} §10.6", energy),
    Fact("(s, θ) and (x, y, z) give the same accelerations", "two formulations", formulations),
    Fact("the adjoint equation", f"{SOURCE} (10.13), (10.14)", partial(_both, facts.adjoint)),
    Fact("the reduced energy and motion", f"{SOURCE} §10.6", partial(_both, facts.reduced)),
    Fact(
        "the brackets of the aligned basis and flatness",
        f"{SOURCE} (10.10)–(10.12)",
        partial(_both, facts.brackets),
    ),
    Fact(
        "Newton's laws give the same accelerations",
        f"{SOURCE} (10.3) and Newton–Euler",
        partial(_both, facts.newton),
    ),
    Fact("let go at rest, a solid ball leaves the sphere at 10/17 of its height", "closed form", leaves),
)
