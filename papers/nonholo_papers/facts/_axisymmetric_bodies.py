"""Shared facts of the axially symmetric rolling bodies: MacDonnell 1997 §§9.4–9.6."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery._axisymmetric import THETA, Profile
from nonholo.gallery._rolling import attitude
from nonholo.model.system import System, parameter_values
from nonholo_papers.facts._random_states import (
    STEP,
    Vector,
    at_states,
    bracket,
    functions_of,
    largest,
    largest_gap,
    rate,
)
from nonholo_papers.so3 import hat, matrix

Values = Mapping[str, float]
Flow = list[tuple[SimpleNamespace, SimpleNamespace]]
UP = np.array([0.0, 0.0, 1.0])


def profile_numbers(shape: Profile) -> Any:
    """A function of (θ, values): ``a, r, h, d`` and the derivatives ``da, dr``, for complex θ too."""
    parts = {"a": shape.a, "r": shape.r, "h": shape.h, "d": shape.d}
    return functions_of("theta", shape.parameters, **parts, da=shape.a.diff(THETA), dr=shape.r.diff(THETA))


def body_flows(system: System, values: Values) -> Flow:
    """Generic attitudes away from the axis, generic rates."""
    random = np.random.default_rng(9)
    states = []
    for _ in range(5):
        turned = attitude(random.uniform(-3, 3), random.uniform(0.5, 2.6), random.uniform(-3, 3))
        states.append({**turned, **dict(zip(("w1", "w2", "w3"), random.uniform(-3, 3, 3)))})
    return at_states(system, values, states)


def angle(s: Any) -> Any:
    """θ, with ``cos θ = R33``."""
    return np.arccos(s.R33)


def angle_rate(s: Any) -> Any:
    """``θ̇``."""
    return -(s.R31 * s.w2 - s.R32 * s.w1) / np.sqrt(1 - s.R33**2)


def precession(s: Any) -> Any:
    """``Ω2 = (R31 ω1 + R32 ω2)/sin²θ`` [MacDonnell 1997 Lemma 9.5.1]."""
    return (s.R31 * s.w1 + s.R32 * s.w2) / (1 - s.R33**2)


def metric(theta: Any, c: SimpleNamespace, s: Any) -> Vector:
    """``K(γ_i, γ_k)`` [MacDonnell 1997 Proposition 9.5.1]."""
    sine, cosine = np.sin(theta), np.cos(theta)
    mixed = s.J3 * cosine - s.m * c.a * c.r * sine**2
    last = s.J3 * cosine**2 + (s.J1 + s.m * c.a**2) * sine**2
    return np.array([[s.J3 + s.m * c.r**2 * sine**2, mixed], [mixed, last]])


def drive(theta: Any, c: SimpleNamespace, s: Any) -> Vector:
    """The right sides of (9.10) and (9.11), as a matrix on (Ω1, Ω2)."""
    sine, cosine = np.sin(theta), np.cos(theta)
    return s.m * sine * np.array(
        [
            [c.r * (c.dr * sine + c.r * cosine), -(c.a * c.dr * sine - c.r**2)],
            [-c.r * (c.da * sine + c.a * cosine), c.a * (c.da * sine - c.r)],
        ]
    )


def vertical_part(s: Any) -> Vector:
    """``(Ω1, Ω2)``, with ``ϖ3 = ω3 = Ω1 + cos θ Ω2``."""
    return np.array([s.w3 - s.R33 * precession(s), precession(s)])


def adjoint(shape: Profile, system: System, values: Values) -> Finding:
    """``d/dθ K(γ_i, γ_k)Ω_k`` as in (9.10), (9.11), and the same in ϖ3 and Ω2, (9.12), (9.13) [MacDonnell 1997 §9.5]."""
    moving, at = body_flows(system, values), profile_numbers(shape)

    def momenta(s: Any) -> Vector:
        return metric(angle(s), at(angle(s), s), s) @ vertical_part(s)

    def wanted(s: Any, r: Any) -> Vector:
        return drive(angle(s), at(angle(s), s), s) @ vertical_part(s) * angle_rate(s)

    worst = largest_gap(moving, momenta, wanted)
    gaps = []
    for s, r in moving:
        c, sine = at(angle(s), s), np.sin(angle(s))
        spin = rate(lambda s: s.J3 * s.w3, s, r)
        lean = rate(lambda s: s.J3 * s.R33 * s.w3 + s.J1 * (s.R31 * s.w1 + s.R32 * s.w2), s, r)

        def slide(s: Any) -> Any:
            c = at(angle(s), s)
            return np.sin(angle(s)) * (c.r * s.w3 - (c.a + c.r * s.R33) * precession(s))

        side = s.m * c.r * sine * (c.r + c.a * s.R33) * precession(s) * angle_rate(s)
        gaps.append((c.a * spin + c.r * lean) / (abs(c.a * spin) + abs(c.r * lean)))
        gaps.append((spin + s.m * c.r * sine * rate(slide, s, r) - side) / (abs(spin) + abs(side)))
    return bounded("the adjoint equation in its forms (9.10)–(9.13)", max(worst, largest(gaps)), 1e-11)


def slope(theta: Any, s: Any, at: Any, omega: Vector) -> Any:
    """``dŪ/dθ`` of ``Ū = m g h + ½ K(Ω, Ω)``: ``m g h' + Ω·(K Ω)' − ½ Ω·K'Ω``, with ``h' = −a sin θ``."""
    c = at(theta, s)
    change = np.imag(metric(theta + 1j * STEP, at(theta + 1j * STEP, s), s)) / STEP
    return -s.m * s.g * c.a * np.sin(theta) + omega @ drive(theta, c, s) @ omega - omega @ change @ omega / 2


def reduced(shape: Profile, system: System, values: Values) -> Finding:
    """``E = ½ K̄ θ̇² + Ū`` with ``K̄ = J1 + m(a² + 2 a r cos θ + r²)`` gives the motion of θ [MacDonnell 1997 §9.6]."""
    moving, at = body_flows(system, values), profile_numbers(shape)

    def inertia(theta: Any, s: Any) -> Any:
        c = at(theta, s)
        return s.J1 + s.m * (c.a**2 + 2 * c.a * c.r * np.cos(theta) + c.r**2)

    def wanted(s: Any, r: Any) -> Any:
        theta = angle(s)
        growth = np.imag(inertia(theta + 1j * STEP, s)) / STEP
        return growth * angle_rate(s) ** 2 / 2 - slope(theta, s, at, vertical_part(s))

    def energy(s: Any) -> Any:
        c, omega = at(angle(s), s), vertical_part(s)
        hill = s.m * s.g * c.h + omega @ metric(angle(s), c, s) @ omega / 2
        return inertia(angle(s), s) * angle_rate(s) ** 2 / 2 + hill

    def whole(s: Any) -> Any:
        spin = s.J1 * (s.w1**2 + s.w2**2) + s.J3 * s.w3**2
        rise = -at(angle(s), s).a * np.sin(angle(s)) * angle_rate(s)
        return (spin + s.m * (s.xdot**2 + s.ydot**2 + rise**2)) / 2 + s.m * s.g * at(angle(s), s).h

    gap = largest(energy(s) / whole(s) - 1 for s, _ in moving)
    worst = largest_gap(moving, lambda s: inertia(angle(s), s) * angle_rate(s), wanted)
    return bounded("½ K̄ θ'² + Ū is the energy and gives θ's motion", max(gap, worst), 1e-11)


def brackets(shape: Profile, system: System, values: Values) -> Finding:
    """``[γ1, γ2]``, ``[κ, γ1]``, ``[κ, γ2]`` of (9.7)–(9.9) in (ω, ẋ), κθ = sin θ, and flatness [Propositions 9.4.1, 9.4.2]."""
    at, fixed = profile_numbers(shape), SimpleNamespace(**parameter_values(system, values))
    level = hat(UP)

    def field(kind: int) -> Any:
        def whole(q: Vector) -> Vector:
            W = q[:9].reshape(3, 3)
            c = at(np.arccos(W[2, 2]), fixed)
            around = level @ W @ UP
            spin, move = (
                (UP + 0 * W[0], -c.r * around),
                (W.T @ UP, c.a * around),
                (np.cross(W.T @ UP, UP), -c.d * UP + c.h * W @ UP),
            )[kind]
            return np.concatenate([(W @ hat(spin)).ravel(), move])

        return whole

    def product(one: Vector, two: Vector, W: Vector) -> Any:
        skews = [W.T @ part[:9].reshape(3, 3) for part in (one, two)]
        w, u = (np.array([k[2, 1], k[0, 2], k[1, 0]]) for k in skews)
        return fixed.J1 * (w[0] * u[0] + w[1] * u[1]) + fixed.J3 * w[2] * u[2] + fixed.m * one[9:] @ two[9:]

    one, two, kappa = (field(k) for k in range(3))
    gaps: list[Any] = []
    for s, _ in body_flows(system, values):
        W, theta = matrix(s), angle(s)
        c, sine, cosine = at(theta, s), np.sin(theta), np.cos(theta)
        q = np.concatenate([W.ravel(), [s.x, s.y, c.h]])
        around = level @ W @ UP
        wanted = (
            (one, two, c.r * level @ around),
            (kappa, one, -(c.dr * sine + c.r * cosine) * around),
            (kappa, two, (c.da * sine - c.r) * around),
        )
        found = []
        for left, right, move in wanted:
            found.append(bracket(left, right, q))
            gaps += [found[-1][:9], found[-1][9:] - move]
        flat = ((one, 0), (two, 0), (kappa, 1), (kappa, 2))
        gaps += [product(f(q), found[k], W) for f, k in flat]
        gaps += [product(kappa(q), f(q), W) for f in (one, two)]
        # κθ = sin θ, and the motion is Ω1 γ1 + Ω2 γ2 + v κ with θ̇ = v sin θ
        gaps.append(-kappa(q)[8] / sine - sine)
        parts = (*vertical_part(s), angle_rate(s) / sine)
        motion = sum(p * f(q) for p, f in zip(parts, (one, two, kappa)))
        gaps.append(motion[9:11] - np.array([s.xdot, s.ydot]))
        gaps.append(motion[:9] - (W @ hat([s.w1, s.w2, s.w3])).ravel())
    return bounded("the brackets of γ1, γ2, κ, flatness, and q' = Ω1 γ1 + Ω2 γ2 + v κ", largest(gaps), 1e-11)


def lowest(shape: Profile, system: System, values: Values) -> Finding:
    """The contact is the body's lowest point: ``h(θ) ≥ −γ·p`` for every point p of its surface, with equality at it."""
    at, fixed = profile_numbers(shape), SimpleNamespace(**parameter_values(system, values))
    angles = np.linspace(0.02, np.pi - 0.02, 181)
    worst, tightest = 0.0, 0.0
    for theta in (0.5, 1.1, 1.7, 2.4):
        heights = []
        for other in (*angles, theta):
            c = at(other, fixed)
            # a point at radius r sin φ and at −d on the axis; the nearest to the plane lies in the plane of the tilt
            heights.append(c.r * np.sin(other) * np.sin(theta) + c.d * np.cos(theta))
        height = at(theta, fixed).h
        worst = max(worst, max(heights) - height)
        tightest = max(tightest, abs(heights[-1] - height))
    return bounded("h is the support function of the body: the contact is its lowest point", max(worst, tightest), 1e-12)


def contact_numbers(shape: Profile) -> Any:
    """``ρ(γ) = −(a e3 + r γ)`` as numbers, for Newton's and Euler's laws."""
    at = profile_numbers(shape)

    def rho(up: Vector, values: Values) -> Vector:
        c = at(np.arccos(up[2]), SimpleNamespace(**values))
        return -(c.a * UP + c.r * up)

    return rho


def along_the_run(shape: Profile, system: System, values: Values, start: Values, until: float) -> Finding:
    """Along a motion ϖ3 and Ω2 depend on θ alone, by the adjoint equation integrated over θ by SciPy."""
    from scipy.integrate import solve_ivp

    from nonholo.integrate.motion.simulate import simulate

    run = simulate(system, start, until, values, rtol=1e-12, atol=1e-13)
    at, fixed = profile_numbers(shape), SimpleNamespace(**parameter_values(system, values))
    data = SimpleNamespace(**{n: run.data[n].values for n in ("R31", "R32", "R33", "w1", "w2", "w3")})
    theta = angle(data)
    momenta = np.array([metric(t, at(t, fixed), fixed) @ o for t, o in zip(theta, vertical_part(data).T)]).T

    def change(place: float, p: Vector) -> Vector:
        c = at(place, fixed)
        return drive(place, c, fixed) @ np.linalg.solve(metric(place, c, fixed), p)

    gaps = []
    for end in (float(theta.max()), float(theta.min())):
        if abs(end - theta[0]) < 1e-9:
            continue
        exact = solve_ivp(change, (theta[0], end), momenta[:, 0], rtol=1e-11, atol=1e-13, method="DOP853", dense_output=True)
        inside = (theta - theta[0]) * (end - theta[0]) >= 0
        gaps.append((exact.sol(theta[inside]) - momenta[:, inside]) / np.max(np.abs(momenta)))
    evidence = f"θ from {theta.min():.3g} to {theta.max():.3g}; limit 1e-8"
    return bounded("along the motion the momenta are the adjoint equation's functions of θ", largest(gaps), 1e-8, evidence)
