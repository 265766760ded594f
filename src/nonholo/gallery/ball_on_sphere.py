"""A ball rolls on a fixed sphere, outside or inside: its centre moves like the tip of a Lagrange top."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from nonholo.errors import ModelError
from nonholo.finding import Finding, bounded
from nonholo.gallery import _ball_facts as facts
from nonholo.gallery._along import Vector, at_states, largest, largest_rate, rate, vector
from nonholo.gallery._ball import SYMMETRY, UNITS, ball, curve
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Trace, matrix_of
from nonholo.geometry.frames.frame import Euclidean
from nonholo.geometry.groups.matrix_groups import SO3
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System

TITLE = "Ball on a sphere, outside or inside"
GROUP = "MacDonnell"
PAPERS = "MacDonnell 1997 §10"

SOURCE = "MacDonnell 1997"
SIDES = {"outside": 1, "inside": -1}
PATHS = {
    "outside": (curve("v*sin(s/v)", "v*cos(s/v)", "v"), (0.2, 1.2)),
    "inside": (curve("-v*sin(s/v)", "v*cos(s/v)", "v"), (-1.2, -0.2)),
}
"""The thesis puts the ball inside by s → −s, which turns the normal β round; and ranges of s."""
VALUES = {"m": 0.2, "J": 0.4 * 0.2 * 0.04**2, "rho": 0.04, "g": 9.81, "v": 0.5}
TURN = {n: e for n, e in SYMMETRY.generators["turn"].items() if n != "theta"}
UP = np.array([0.0, 0.0, 1.0])


def exhibit(side: str = "outside") -> Exhibit:
    """The centre of the ball is at (x, y, z), at distance v from the sphere's; no poles, unlike the thesis's (s, θ)."""
    if side not in SIDES:
        raise ModelError(f"ball on a sphere: side is {side!r}; choose from {', '.join(SIDES)}.")
    radius = "v - rho" if side == "outside" else "v + rho"
    # let into the ball, so that it does not pierce the sphere
    mark = ("x + 0.83*rho*R11", "y + 0.83*rho*R21", "z + 0.83*rho*R31")
    touch = (f"x*({radius})/v", f"y*({radius})/v", f"z*({radius})/v")
    tilt = 0.4 if side == "outside" else np.pi - 0.9
    place = {"x": float(VALUES["v"] * np.sin(tilt)), "z": float(VALUES["v"] * np.cos(tilt))}
    spin = 450.0 if side == "outside" else 90.0
    turning = {"nu1": float(spin * np.sin(tilt)), "nu3": float(spin * np.cos(tilt))}
    fast = {n: 2 * e for n, e in turning.items()}
    shared = (
        ("the adjoint equation", "(10.13), (10.14)", facts.adjoint),
        ("the reduced energy and motion", "§10.6", facts.reduced),
        ("the brackets of the aligned basis and flatness", "(10.10)–(10.12)", facts.brackets),
        ("Newton's laws give the same accelerations", "(10.3) and Newton–Euler", facts.newton),
    )
    return Exhibit(
        name="ball-on-sphere",
        title=TITLE,
        group=GROUP,
        system=cartesian(SIDES[side]),
        parameters=VALUES,
        start={**place, **turning},
        starts={"spinning faster": {**place, **fast}, "let go": place},
        until=4.0,
        references=(f"{SOURCE}, §§10.1, 10.5, 10.6", "Routh 1905, Article 230"),
        units={**UNITS, "v": "m", "x": "m", "y": "m", "z": "m"},
        facts=(
            Fact("Ω1 and C2 are constant, outside and inside", f"{SOURCE} §10.5", integrals),
            Fact("I n × n'' + (J Ω1 v/ρ) n' = −m g v n × e3: a Lagrange top's axis", f"{SOURCE} §10.6", top_equation),
            Fact("the centre moves as the tip of a Lagrange top", f"{SOURCE} §10.6", top_motion),
            Fact("the reduced energy, with a square that is not printed", f"corrects {SOURCE} §10.6", energy),
            Fact("(s, θ) and (x, y, z) give the same accelerations", "two formulations", formulations),
            *(Fact(claim, f"{SOURCE} {source}", partial(_both, test)) for claim, source, test in shared),
            Fact("let go at rest, a solid ball leaves the sphere at 10/17 of its height", "closed form", leaves),
        ),
        drawing=Drawing(
            bodies=(
                Body("sphere", size={"radius": radius}, colour="lightgrey", label="sphere"),
                Body("sphere", ("x", "y", "z"), matrix_of("R"), {"radius": "rho"}, label="ball"),
                Body("sphere", mark, size={"radius": "rho/5"}, colour="firebrick", label="mark"),
            ),
            traces=(Trace(touch, "contact"), Trace(("x", "y", "z"), "centre", "grey")),
            ground="none",
            plots=(("t", "z"), ("x", "y"), ("t", "nu3")),
        ),
        variants={
            **{name: cartesian(sign) for name, sign in SIDES.items() if name != side},
            **{f"thesis {name}": ball(f"ball {name} a sphere", path) for name, (path, _) in PATHS.items()},
        },
        story=(
            "A spinning ball can stand on top of a sphere as a spinning top stands on its point. The two are one system: "
            "the ball's centre and the top's tip move by the same equation, whether the ball rolls outside or inside."
        ),
    )


def cartesian(sign: int) -> System:
    """``ẋ = ρ ν × β`` with ``β = ±x/v`` [MacDonnell 1997 (10.3)]; |x| = v is kept by the constraints."""
    towards = "-" if sign > 0 else "+"
    spins = {"x": "nu2*z - nu3*y", "y": "nu3*x - nu1*z", "z": "nu1*y - nu2*x"}
    return System(
        name="ball on a sphere" if sign > 0 else "ball in a sphere",
        frame=SO3("R", rates="nu1 nu2 nu3", side="spatial") * Euclidean("x y z"),
        parameters="m J rho g v",
        lagrangian="J/2*(nu1**2 + nu2**2 + nu3**2) + m/2*(xdot**2 + ydot**2 + zdot**2) - m*g*z",
        constraints=[f"{name}dot {towards} rho/v*({turning})" for name, turning in spins.items()],
        symmetry=Symmetry({**SYMMETRY.generators, "turn": {**TURN, "x": "-y", "y": "x"}}, "SO(2) x SO(3)"),
    )


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
