"""Chaplygin sleigh (unbalanced): published facts and closed forms, with their tests."""

from __future__ import annotations

from collections.abc import Mapping
from math import cosh, pi, sqrt, tanh
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._lie_algebra import coadjoint, measure_covector, se2
from nonholo_papers.facts._random_states import bracket, flows, largest, largest_gap, largest_rate

Vector = Any


def _ratio(v: Mapping[str, float]) -> float:
    """k of BMZ 2009 (6.4)."""
    return sqrt(v["m"] * v["a"] ** 2 / (v["J"] + v["m"] * v["a"] ** 2))


def speeds_up(exhibit: Exhibit) -> Finding:
    """``v̇ = a ω²``, ``ω̇ = −m a ω v/(J + m a²)`` at generic states."""

    def expected(s: Any, r: Any) -> Vector:
        return np.array([-s.m * s.a * s.omega * s.v / (s.J + s.m * s.a**2), s.a * s.omega**2])

    gap = largest_gap(flows(exhibit.system, exhibit.parameters), lambda s: np.array([s.omega, s.v]), expected)
    return bounded("v' = a ω² and ω' = −m a ω v/(J + m a²)", gap, 1e-12)


def body_momenta(exhibit: Exhibit) -> Finding:
    """``ṗ1 = −a p1 p2/(J + m a²)``, ``ṗ2 = m a p1²/(J + m a²)²``; the energy's ellipse ``p1²/(J + m a²) + p2²/m``."""
    moving = flows(exhibit.system, exhibit.parameters)

    def momenta(s: Any) -> Vector:
        return np.array(
            [(s.J + s.m * s.a**2) * s.thetadot, s.m * (s.xdot * np.cos(s.theta) + s.ydot * np.sin(s.theta))]
        )

    def expected(s: Any, r: Any) -> Vector:
        one, two = momenta(s)
        inertia = s.J + s.m * s.a**2
        return np.array([-s.a * one * two / inertia, s.m * s.a * one**2 / inertia**2])

    ellipse = largest_rate(moving, lambda s: momenta(s)[0] ** 2 / (s.J + s.m * s.a**2) + momenta(s)[1] ** 2 / s.m)
    return bounded("(6.1) and its elliptic arcs", max(largest_gap(moving, momenta, expected), ellipse), 1e-12)


def _inertia(v: Any) -> Vector:
    """The locked inertia on se(2), in (turn, along, across)."""
    m, a, big = v["m"], v["a"], v["J"] + v["m"] * v["a"] ** 2
    return np.array([[big, 0, m * a], [0, m, 0], [m * a, 0, m]])


def momentum_equation(exhibit: Exhibit) -> Finding:
    """``ṗ = [ad*_Ω (p + I_US I_S⁻¹ p)]_S``: all three components of ``I Ω`` enter, taken before Ω³ = 0."""
    inertia = _inertia(exhibit.parameters)

    def expected(s: Any, r: Any) -> Vector:
        velocity = np.array([s.omega, s.v, 0.0])
        return coadjoint(se2(), velocity, inertia @ velocity)[:2]

    gap = largest_gap(
        flows(exhibit.system, exhibit.parameters), lambda s: (inertia @ np.array([s.omega, s.v, 0]))[:2], expected
    )
    return bounded("p' = [ad*_Ω (p + I_US I_S⁻¹ p)]_S", gap, 1e-12)


def eigenvalues(exhibit: Exhibit) -> Finding:
    """Linearised at ``p1 = 0``: 0 along the equilibria and ``−a p2/(J + m a²)`` across; the flow is quadratic in (ω, v)."""
    from nonholo.derive.hamel import hamel

    v = exhibit.parameters
    equations = hamel(exhibit.system)

    def flow(speeds: Vector) -> Vector:
        found = equations.rates({"theta": 0.4, "x": 0.0, "y": 0.0, "omega": speeds[0], "v": speeds[1]}, v)
        return np.array([found["omega"], found["v"]])

    gaps = []
    for speed in (-1.3, 0.8):
        point = np.array([0.0, speed])
        slopes = np.column_stack([(flow(point + e) - flow(point - e)) / 2 for e in np.eye(2)])
        wanted = [0.0, -v["a"] * v["m"] * speed / (v["J"] + v["m"] * v["a"] ** 2)]
        gaps.append(np.sort(np.linalg.eigvals(slopes).real) - np.sort(wanted))
    return bounded("eigenvalues at the equilibria", largest(gaps), 1e-12)


def spatial_momenta(exhibit: Exhibit) -> Finding:
    """``μ̇ = λ (x cos θ + y sin θ, −sin θ, cos θ)``, λ closed and equal to the multiplier; the momenta's plane."""
    from nonholo.derive.laws.reactions import reactions

    def eta(s: Any) -> tuple[Any, Any, Any]:
        return s.thetadot, s.xdot + s.y * s.thetadot, s.ydot - s.x * s.thetadot

    def momenta(s: Any) -> Vector:
        one, two, three = eta(s)
        along, across = two - s.y * one, three + s.x * one
        arm = s.x * np.cos(s.theta) + s.y * np.sin(s.theta)
        first = (s.J + s.m * s.a**2) * one - s.m * s.y * along + s.m * s.x * across + s.m * s.a * one * arm
        return np.array(
            [first, s.m * (along - s.a * one * np.sin(s.theta)), s.m * (across + s.a * one * np.cos(s.theta))]
        )

    def multiplier(s: Any) -> Any:
        one, two, three = momenta(s)
        turn = one + s.y * two - s.x * three
        return s.J * turn * (two * np.cos(s.theta) + three * np.sin(s.theta)) / (s.J + s.m * s.a**2) ** 2

    def expected(s: Any, r: Any) -> Vector:
        c, d = np.cos(s.theta), np.sin(s.theta)
        return multiplier(s) * np.array([s.x * c + s.y * d, -d, c])

    moving = flows(exhibit.system, exhibit.parameters)
    gaps = [largest_gap(moving, momenta, expected)]
    forces = reactions(exhibit.system)
    for s, _ in moving:
        one, two, three = momenta(s)
        turn = one + s.y * two - s.x * three
        gaps.append(-two * np.sin(s.theta) + three * np.cos(s.theta) - s.m * s.a / (s.J + s.m * s.a**2) * turn)
        state = {n: getattr(s, n) for n in ("theta", "x", "y", "omega", "v")}
        gaps.append(forces.at(state, exhibit.parameters)["lambda1"] - multiplier(s))
    return bounded("μ' = λ a^R with the closed λ", largest(gaps), 1e-11)


def _fields(v: Mapping[str, float]) -> list[Any]:
    """u1, u2, u3 of (6.2)–(6.4), as functions of (θ, x, y)."""
    k, a = _ratio(v), v["a"]

    def along(q: Vector) -> Vector:
        return np.array([0, np.cos(q[0]), np.sin(q[0])])

    def turn(q: Vector) -> Vector:
        return np.array([1, 0, 0])

    return [
        lambda q: np.cos(k * q[0]) * turn(q) + a / k * np.sin(k * q[0]) * along(q),
        lambda q: -k / a * np.sin(k * q[0]) * turn(q) + np.cos(k * q[0]) * along(q),
        lambda q: np.array([0, -np.sin(q[0]), np.cos(q[0])]),
    ]


def brackets(exhibit: Exhibit) -> Finding:
    """The printed C_12, C_13, C_23 against brackets of the fields, and against those our frame computes."""
    from nonholo.algebra.calculus import ZERO
    from nonholo.algebra.linear_equations import evaluate
    from nonholo.geometry.frames.frame import structure_functions

    v = exhibit.parameters
    k, a = _ratio(v), v["a"]
    u = _fields(v)
    frame = exhibit.variants["conserving frame"].frame
    own = structure_functions(frame)
    gaps = []
    for theta in (0.7, -2.3):
        q = np.array([theta, 0.4, -1.1])
        c, s = np.cos(k * theta), np.sin(k * theta)
        printed = {
            (0, 1): np.array([-(k**2) / a * c, k * s, 1]),
            (0, 2): np.array([-k / a * c * s, -(c**2), 0]),
            (1, 2): np.array([k**2 / a**2 * s**2, k / a * c * s, 0]),
        }
        basis = np.column_stack([field(q) for field in u])
        for (i, j), wanted in printed.items():
            entries = [own.get((i, j, n), ZERO) for n in range(3)]
            computed = evaluate(entries, {**v, "theta": theta, "x": 0.4, "y": -1.1})
            gaps += [np.linalg.solve(basis, bracket(u[i], u[j], q)) - wanted, computed - wanted]
    return bounded("[u_i, u_j] as printed", largest(gaps), 1e-12, "by complex steps and by the frame's own brackets")


def conserved(exhibit: Exhibit) -> Finding:
    """``d/dt ∂l_c/∂ξ^1 = d/dt ∂l_c/∂ξ^2 = 0``: by Hamel in that frame, and as ``⟨p, u⟩`` in the body frame."""
    k = _ratio(exhibit.parameters)

    def components(s: Any) -> Vector:
        one, two = (s.J + s.m * s.a**2) * s.omega, s.m * s.v
        c, d = np.cos(k * s.theta), np.sin(k * s.theta)
        return np.array([c * one + s.a / k * d * two, -k / s.a * d * one + c * two])

    own = largest_rate(
        flows(exhibit.variants["conserving frame"], exhibit.parameters), lambda s: s.xi1, lambda s: s.xi2
    )
    other = largest_gap(flows(exhibit.system, exhibit.parameters), components, lambda s, r: np.zeros(2))
    return bounded("both components of momentum are constant", max(own, other), 1e-12)


def frame_lagrangian(exhibit: Exhibit) -> Finding:
    """``2l = (J + m a²) ξ1² + m ξ2² + 2 m a cos kθ ξ1ξ3 − 2 m k sin kθ ξ2ξ3 + m ξ3²``, off the constraint too."""
    from nonholo.algebra.linear_equations import evaluate
    from nonholo.model.system import resolve

    v = exhibit.parameters
    k, (m, J, a) = _ratio(v), (v[n] for n in "mJa")
    system = exhibit.variants["conserving frame"]
    form = resolve(system, [system.lagrangian])
    gaps = []
    random = np.random.default_rng(4)
    for theta in (0.9, -1.7):
        xi = random.uniform(-1, 1, 3)
        found = evaluate(form, {**v, "theta": theta, "x": 0.2, "y": 0.5, **dict(zip(("xi1", "xi2", "xi3"), xi))})
        wanted = (J + m * a**2) * xi[0] ** 2 + m * (xi[1] ** 2 + xi[2] ** 2)
        wanted += 2 * m * (a * np.cos(k * theta) * xi[0] - k * np.sin(k * theta) * xi[1]) * xi[2]
        gaps.append(2 * found - wanted)
    return bounded("l(ξ) with the corrected cross term", largest(gaps), 1e-12)


def measure(exhibit: Exhibit) -> Finding:
    """``div = ⟨K ad*_{I⁻¹a} a + T, Ω⟩`` with ``a = e³``; a multiple of a only when the sleigh is balanced [BMZ 2009 (5.5)]."""
    from nonholo.derive.hamel import hamel

    equations = hamel(exhibit.system)
    across = np.array([0.0, 0.0, 1.0])
    gaps = []
    for values in (exhibit.parameters, {**exhibit.parameters, "a": 0.0}):
        form = measure_covector(se2(), _inertia(values), across)
        for speeds in (np.array([0.7, -1.1]), np.array([-0.3, 0.8])):

            def flow(z: Vector, values: Mapping[str, float] = values) -> Vector:
                found = equations.rates({"theta": 0.4, "x": 0.0, "y": 0.0, "omega": z[0], "v": z[1]}, values)
                return np.array([found["omega"], found["v"]])

            trace = sum((flow(speeds + e) - flow(speeds - e))[i] / 2 for i, e in enumerate(np.eye(2)))
            gaps.append(trace - form[:2] @ speeds)
        balanced = values["a"] == 0
        gaps.append(0.0 if (np.max(np.abs(form[:2])) < 1e-14) == balanced else 1.0)
    return bounded("the divergence is that of (5.5), and vanishes only for a = 0", largest(gaps), 1e-12)


def tanh_sech(exhibit: Exhibit) -> Finding:
    """The whole motion in closed form, from the conserved energy ``m v² + (J + m a²) ω² = m V²``."""
    from nonholo.integrate.motion.simulate import simulate

    m, J, a = (exhibit.parameters[n] for n in "mJa")
    omega, v = exhibit.start["omega"], exhibit.start["v"]
    run = simulate(exhibit.system, exhibit.start, exhibit.until, exhibit.parameters, rtol=1e-12, atol=1e-13)
    inertia = J + m * a**2
    top = sqrt(v**2 + inertia / m * omega**2)
    rate = m * a * top / inertia
    shift = np.arctanh(v / top)
    t = run.data["t"].values
    exact_v = np.array([top * tanh(rate * s + shift) for s in t])
    exact_omega = np.array([omega * cosh(shift) / cosh(rate * s + shift) for s in t])
    gap = max(np.max(np.abs(run.data["v"].values - exact_v)), np.max(np.abs(run.data["omega"].values - exact_omega)))
    return bounded("v = V tanh(κ t + δ) and ω = W sech(κ t + δ)", float(gap), 1e-9)


def total_turn(exhibit: Exhibit) -> Finding:
    """The heading's whole change from t = −∞ to ∞: motion forwards and backwards until the sech is 1e-12."""
    from nonholo.integrate.motion.simulate import simulate

    v = exhibit.parameters
    headings = []
    for until in (60.0, -60.0):
        run = simulate(exhibit.system, exhibit.start, until, v, rtol=1e-12, atol=1e-13, t_eval="end")
        headings.append(run.final["theta"])
    wanted = pi * sqrt(1 + v["J"] / (v["m"] * v["a"] ** 2))
    gap = abs(headings[0] - headings[1] - wanted)
    return bounded("the heading turns by π sqrt(1 + J/(m a²))", gap, 1e-8, f"{wanted:.8g} rad, from −60 s to 60 s")


FACTS = (
    Fact("the edge's speed grows by a ω²", "Notices 2005 (19)", speeds_up),
    Fact("the body momenta", "BMZ 2009 (6.1)", body_momenta),
    Fact(
        "the momentum equation with the momentum across the edge",
        "BMZ 2009 (4.7) as corrected",
        momentum_equation,
    ),
    Fact(
        "eigenvalues 0 and −a p2/(J + m a²) at the equilibria",
        "BMZ 2009 §6.2; Notices 2005, after (19)",
        eigenvalues,
    ),
    Fact("the spatial momenta and λ", "BMZ 2009 §6.2, (5.7), (3.8), with μ3 as corrected", spatial_momenta),
    Fact("brackets of the conserving frame", "BMZ 2009 (6.2)–(6.4)", brackets),
    Fact("both momenta are constant in that frame", "BMZ 2009 §6.2", conserved),
    Fact("the Lagrangian in that frame", "BMZ 2009 §6.2, with −2mk sin kθ as corrected", frame_lagrangian),
    Fact("volume of momenta is preserved only for a = 0", "BMZ 2009 Theorem 5.2; Notices 2005 (15)", measure),
    Fact("v = V tanh(κ t + δ), ω = W sech(κ t + δ)", "closed form", tanh_sech),
    Fact("the heading turns by π sqrt(1 + J/(m a²)) in all", "closed form, π/k", total_turn),
)
