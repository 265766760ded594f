"""Lagrange top: published facts and closed forms, with their tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.derive.hamel import hamel
from nonholo.finding import Finding, bounded
from nonholo.gallery._rolling import attitude, turn
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.gallery.lagrange_top import SOURCE
from nonholo.model.system import System
from nonholo_papers.facts._axisymmetric_bodies import angle, angle_rate, body_flows, precession
from nonholo_papers.facts._random_states import Vector, at_states, largest, largest_gap, largest_rate, rate
from nonholo_papers.so3 import matrix

UP = np.array([0.0, 0.0, 1.0])


def _flow(exhibit: Exhibit) -> Any:
    return body_flows(exhibit.system, exhibit.parameters)


def _first(s: Any) -> Any:
    """``C1 = J3 cos θ ω3 + (J1 + m a²) sin²θ Ω2``."""
    return s.J3 * s.R33 * s.w3 + (s.J1 + s.m * s.a**2) * (1 - s.R33**2) * precession(s)


def integrals(exhibit: Exhibit) -> Finding:
    """``ϖ3 = C2``, ``J3 cos θ ϖ3 + (J1 + m a²) sin²θ Ω2 = C1`` [MacDonnell 1997 §9.5]."""
    return bounded("C1 and C2 are constant", largest_rate(_flow(exhibit), _first, lambda s: s.w3), 1e-12)


def momenta(exhibit: Exhibit) -> Finding:
    """``w3·P = J3 C2``, ``e3·P = C1`` with ``P = m x × ẋ + WJω``, ``x = a w3`` [MacDonnell 1997 §9.5]."""
    gaps = []
    for s, _ in _flow(exhibit):
        W, w = matrix(s), np.array([s.w1, s.w2, s.w3])
        place, moving = s.a * W[:, 2], s.a * W @ np.cross(w, UP)
        whole = s.m * np.cross(place, moving) + W @ (np.array([s.J1, s.J1, s.J3]) * w)
        gaps += [W[:, 2] @ whole / (s.J3 * s.w3) - 1, whole[2] / _first(s) - 1]
    return bounded("w3·P = J3 C2 and e3·P = C1", largest(gaps), 1e-12)


def reduced(exhibit: Exhibit) -> Finding:
    """``E = ½I θ̇² + ½C2² J3 + m g a cos θ + (C1 − C2 J3 cos θ)²/(2 I sin²θ)``, I = J1 + m a² [MacDonnell 1997 §9.6]."""
    moving = _flow(exhibit)

    def wanted(s: Any, r: Any) -> Any:
        inertia, theta, one, two = s.J1 + s.m * s.a**2, angle(s), _first(s), s.J3 * s.w3
        gap = one - two * np.cos(theta)
        return s.m * s.g * s.a * np.sin(theta) / inertia - gap / (inertia**2 * np.sin(theta)) * (
            two - gap * np.cos(theta) / np.sin(theta) ** 2
        )

    def energy(s: Any) -> Any:
        inertia, cosine = s.J1 + s.m * s.a**2, s.R33
        lean = (_first(s) - s.J3 * s.w3 * cosine) ** 2 / (2 * inertia * (1 - cosine**2))
        return inertia * angle_rate(s) ** 2 / 2 + s.J3 * s.w3**2 / 2 + s.m * s.g * s.a * cosine + lean

    def whole(s: Any) -> Any:
        spin = (s.J1 + s.m * s.a**2) * (s.w1**2 + s.w2**2) + s.J3 * s.w3**2
        return spin / 2 + s.m * s.g * s.a * s.R33

    same = largest(energy(s) / whole(s) - 1 for s, _ in moving)
    return bounded("E(θ, θ') and θ''", max(same, largest_gap(moving, angle_rate, wanted)), 1e-11)


def _euler_state(place: Vector, rates: Vector) -> tuple[dict[str, float], dict[str, float]]:
    """A state in Euler angles and the same by matrix, from ``ω = Rᵀ(φ̇ e3) + R3(ψ)ᵀ(θ̇ e1) + ψ̇ e3``."""
    phi, theta, psi = (float(e) for e in place)
    R = turn(3, phi) @ turn(1, theta) @ turn(3, psi)
    w = R.T @ (rates[0] * UP) + turn(3, psi).T @ (rates[1] * np.array([1.0, 0, 0])) + rates[2] * UP
    angles = {"phi": phi, "theta": theta, "psi": psi, "phidot": rates[0], "thetadot": rates[1], "psidot": rates[2]}
    return angles, {**attitude(phi, theta, psi), **{f"w{i + 1}": float(e) for i, e in enumerate(w)}}


def variants(exhibit: Exhibit) -> Finding:
    """ω̇ by matrix and by vertical; θ̈ by Euler angles and by matrix."""
    values = exhibit.parameters
    by_matrix = hamel(exhibit.system)
    by_vertical, by_angles = hamel(exhibit.variants["vertical"]), hamel(exhibit.variants["euler"])
    random = np.random.default_rng(5)
    gaps = []
    for _ in range(4):
        angles, state = _euler_state(random.uniform(0.3, 1.5, 3), random.uniform(-3, 3, 3))
        found = by_matrix.rates(state, values)
        body = {f"w{i}": state[f"w{i}"] for i in (1, 2, 3)}
        poisson = by_vertical.rates({**{f"gamma{i}": state[f"R3{i}"] for i in (1, 2, 3)}, **body}, values)
        turning = by_angles.rates(angles, values)
        ((s, r),) = at_states(exhibit.system, values, [state])
        lean = rate(angle_rate, s, r) - turning["thetadot"]
        gaps += [lean / (1 + abs(turning["thetadot"])), *((found[n] - poisson[n]) / (1 + abs(found[n])) for n in body)]
    return bounded("the same accelerations in three formulations", largest(gaps), 1e-12)


def same_motion(exhibit: Exhibit) -> Finding:
    """``cos θ`` along three runs."""
    from nonholo.integrate.motion.simulate import simulate

    values = exhibit.parameters
    angles, state = _euler_state(np.array([0.4, 0.6, -0.2]), np.array([3.0, -1.0, 120.0]))
    body = {f"w{i}": state[f"w{i}"] for i in (1, 2, 3)}
    spot = {**{f"gamma{i}": state[f"R3{i}"] for i in (1, 2, 3)}, **body}

    def run(system: System, start: dict[str, float], name: str) -> Vector:
        return simulate(system, start, 1.0, values, rtol=1e-12, atol=1e-13).data[name].values

    main = run(exhibit.system, state, "R33")
    other = run(exhibit.variants["vertical"], spot, "gamma3")
    third = np.cos(run(exhibit.variants["euler"], angles, "theta"))
    return bounded("the same cos θ along three runs", largest((main - other, main - third)), 1e-9)


def limit(exhibit: Exhibit) -> Finding:
    """The rolling top's ω̇ with r = 0 is the Lagrange top's; for small r the difference is of first order in r."""
    foot = hamel(exhibit.variants["rolling"])
    gaps, orders = [], []
    for s, r in _flow(exhibit):
        state = {n: e for n, e in vars(s).items() if n in foot.state}
        exact = np.array([r.w1, r.w2, r.w3])

        def apart(radius: float, state: dict[str, float] = state, exact: Vector = exact) -> float:
            found = foot.rates({**state, "x": 0.0, "y": 0.0}, {**exhibit.parameters, "r": radius})
            return float(np.max(np.abs([found["w1"], found["w2"], found["w3"]] - exact)) / (1 + np.max(np.abs(exact))))

        gaps.append(apart(0.0))
        orders.append(np.log10(apart(1e-6) / apart(1e-7)))
    same, first = largest(gaps), largest(np.array(orders) - 1)
    claim, evidence = "r = 0 gives the Lagrange top, and the limit is of order r", f"measured orders {np.round(orders, 3)}"
    return Finding(claim, "holds" if same < 1e-11 and first < 0.01 else "fails", same, evidence)


def constants_limit(exhibit: Exhibit) -> Finding:
    """``C1 = r J1 C̄1/(J1 + m a²) + a J3 C̄2``, ``C2 = sqrt(J1 J3 + J1 m r² + J3 m a²) C̄2``: Ω2 and ϖ3 at π/2 do not depend
    on r, and for r → 0 they tend to the Lagrange top's at every θ [MacDonnell 1997 §9.5]."""
    import mpmath

    p = exhibit.parameters
    with mpmath.workdps(40):
        m, a, J1, J3 = (mpmath.mpf(p[n]) for n in ("m", "a", "J1", "J3"))
        bar1, bar2 = mpmath.mpf("0.013"), mpmath.mpf("37.5")

        def routh(theta: Any, r: Any) -> tuple[Any, Any]:
            one = r * J1 / (J1 + m * a**2) * bar1 + a * J3 * bar2
            two = mpmath.sqrt(J1 * J3 + J1 * m * r**2 + J3 * m * a**2) * bar2
            c, s = mpmath.cos(theta), mpmath.sin(theta)
            root = mpmath.sqrt(J1 * (J3 + m * r**2 * s**2) + m * J3 * (a + r * c) ** 2)
            return two / root, (one - two * J3 * (a + r * c) / root) / (r * J1 * s**2)

        def lagrange(theta: Any) -> tuple[Any, Any]:
            return bar2, (bar1 - bar2 * J3 * mpmath.cos(theta)) / ((J1 + m * a**2) * mpmath.sin(theta) ** 2)

        right = mpmath.pi / 2
        gaps = [abs(x - y) for r in (mpmath.mpf("0.01"), mpmath.mpf("0.2")) for x, y in zip(routh(right, r), lagrange(right))]
        for theta in (0.4, 1.2, 2.5):
            gaps += [abs(x / y - 1) for x, y in zip(routh(theta, mpmath.mpf(10) ** -15), lagrange(theta))]
    return bounded("Routh's solution tends to Lagrange's", float(max(gaps)), 1e-12)


def steady(exhibit: Exhibit) -> Finding:
    """θ̈ = 0 and no nutation when ``I cos θ Ω² − J3 ω3 Ω + m g a = 0``, ``ω = Ω γ + (ω3 − Ω cos θ) e3``."""
    p = exhibit.parameters
    inertia, theta, spin = p["J1"] + p["m"] * p["a"] ** 2, 0.7, 220.0
    roots = np.roots([inertia * np.cos(theta), -p["J3"] * spin, p["m"] * p["g"] * p["a"]])
    starts = []
    for around in roots:
        place = attitude(0.3, theta, -0.8)
        rates = {"w1": around * place["R31"], "w2": around * place["R32"], "w3": spin}
        starts.append({**place, **{n: float(e) for n, e in rates.items()}})
    moving = at_states(exhibit.system, p, starts)
    around = largest((precession(s) / root - 1, angle_rate(s)) for (s, _), root in zip(moving, roots))
    nutation = largest_gap(moving, angle_rate, lambda s, r: 0.0)
    return bounded("steady precession, slow and fast", max(around, nutation), 1e-10, f"Ω = {np.round(roots, 3)} rad/s")


FACTS = (
    Fact("ϖ3 = C2 and J3 cos θ ϖ3 + (J1 + m a²) sin²θ Ω2 = C1 are constant", f"{SOURCE} §9.5", integrals),
    Fact("they are angular momenta about the contact, along the axis and the vertical", f"{SOURCE} §9.5", momenta),
    Fact("the reduced energy and the motion of θ", f"{SOURCE} §9.6", reduced),
    Fact("matrix, vertical and Euler angles give the same accelerations", "three formulations", variants),
    Fact("matrix, vertical and Euler angles give the same motion", "three formulations", same_motion),
    Fact("it is the rolling top with r = 0, and its limit as r → 0", f"{SOURCE} §§9.1, 9.5", limit),
    Fact("Routh's solution tends to Lagrange's when C1, C2 are chosen as in §9.5", f"{SOURCE} §9.5", constants_limit),
    Fact("steady precession at the roots of I cos θ Ω² − J3 ω3 Ω + m g a = 0", "closed form", steady),
)
