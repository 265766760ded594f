"""Shared facts of the balls on surfaces of revolution: MacDonnell 1997 §§10.4–10.6, and Newton's laws as a second route."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo.algebra.calculus import symbol
from nonholo.finding import Finding, bounded
from nonholo.gallery._ball import Curve
from nonholo.gallery._rolling import attitude
from nonholo.model.system import System, parameter_values
from nonholo_papers.facts._random_states import (
    Vector,
    at_states,
    bracket,
    functions_of,
    largest,
    largest_gap,
    largest_rate,
    rate,
    vector,
)
from nonholo_papers.so3 import hat

Values = Mapping[str, float]
Test = Callable[..., Finding]
Flow = list[tuple[SimpleNamespace, SimpleNamespace]]


def curve_numbers(path: Curve) -> Callable[[Any], SimpleNamespace]:
    """A function of a state: ``a, z, da, dz, turn = φ' = (a'z'' − z'a'')/ℓ², speed = ℓ``, for complex states too."""
    s = symbol(path.variable)
    da, dz = path.a.diff(s), path.z.diff(s)
    turn = (da * dz.diff(s) - dz * da.diff(s)) / path.speed**2
    parts = {"a": path.a, "z": path.z, "da": da, "dz": dz, "turn": turn, "speed": path.speed}
    function = functions_of(path.variable, path.parameters, **parts)
    return lambda state: function(getattr(state, path.variable), state)


def unit_vectors(at: SimpleNamespace, theta: Any) -> tuple[Vector, Vector, Vector]:
    """``η, τ, β`` in space."""
    c, d = np.cos(theta), np.sin(theta)
    da, dz = at.da / at.speed, at.dz / at.speed
    return np.array([da * c, da * d, dz]), np.array([-d, c, 0 * d]), np.array([-dz * c, -dz * d, da])


def ball_flows(path: Curve, system: System, values: Values, reach: tuple[float, float]) -> Flow:
    """Generic states with the curve's variable in ``reach``, and their rates."""
    random = np.random.default_rng(6)
    states = []
    for _ in range(5):
        turned = attitude(*random.uniform(-3, 3, 3))
        speeds = dict(zip(("Omega1", "Omega2", "roll"), random.uniform(-3, 3, 3)))
        states.append({**turned, path.variable: random.uniform(*reach), "theta": random.uniform(-3, 3), **speeds})
    return at_states(system, values, states)


def adjoint(path: Curve, system: System, values: Values, reach: tuple[float, float]) -> Finding:
    """``dΩ1/ds = (−a φ' + z') Ω2``, ``d(a² Ω2)/ds = J a φ' Ω1/(J + m ρ²)`` [MacDonnell 1997 (10.13), (10.14)]."""
    moving, at = ball_flows(path, system, values, reach), curve_numbers(path)

    def first(s: Any, r: Any) -> Any:
        c = at(s)
        return (-c.a * c.turn + c.dz) * s.Omega2 * getattr(s, f"{path.variable}dot")

    def second(s: Any, r: Any) -> Any:
        c = at(s)
        return s.J * c.a * c.turn / (s.J + s.m * s.rho**2) * s.Omega1 * getattr(s, f"{path.variable}dot")

    one = largest_gap(moving, lambda s: s.Omega1, first)
    two = largest_gap(moving, lambda s: at(s).a ** 2 * s.Omega2, second)
    return bounded("dΩ1/ds = (z' − a φ') Ω2 and d(a² Ω2)/ds = J a φ' Ω1/(J + m ρ²)", max(one, two), 1e-11)


def slope(c: SimpleNamespace, s: Any) -> Any:
    """``dŪ/ds`` of ``Ū = m g z + ½(J Ω1² + (J + m ρ²) a² Ω2²)``, Ω1 and Ω2 by the adjoint equation."""
    whole = s.J + s.m * s.rho**2
    one = (-c.a * c.turn + c.dz) * s.Omega2
    two = (s.J * c.a * c.turn / whole * s.Omega1 - 2 * c.a * c.da * s.Omega2) / c.a**2
    return s.m * s.g * c.dz + s.J * s.Omega1 * one + whole * (c.a * c.da * s.Omega2**2 + c.a**2 * s.Omega2 * two)


def reduced(path: Curve, system: System, values: Values, reach: tuple[float, float]) -> Finding:
    """``½ (m + J/ρ²) ℓ² ṡ² + Ū(s)`` is the energy and Ū the potential: ``(J + m ρ²) d(roll)/dt = −(ρ/ℓ) dŪ/ds`` [§10.6]."""
    moving, at = ball_flows(path, system, values, reach), curve_numbers(path)

    def force(s: Any, r: Any) -> Any:
        c = at(s)
        return -s.rho / c.speed * slope(c, s) / (s.J + s.m * s.rho**2)

    def energy(s: Any) -> Any:
        c = at(s)
        spin = s.J * s.Omega1**2 + (s.J + s.m * s.rho**2) * c.a**2 * s.Omega2**2
        along = getattr(s, f"{path.variable}dot")
        return (s.m + s.J / s.rho**2) * (c.speed * along) ** 2 / 2 + s.m * s.g * c.z + spin / 2

    def whole(s: Any) -> Any:
        c, nu = at(s), vector(s, "nu1", "nu2", "nu3")
        along = getattr(s, f"{path.variable}dot")
        return s.J * nu @ nu / 2 + s.m * ((c.speed * along) ** 2 + (c.a * s.thetadot) ** 2) / 2 + s.m * s.g * c.z

    gap = largest(energy(s) / whole(s) - 1 for s, _ in moving)
    worst = max(largest_gap(moving, lambda s: s.roll, force), largest_rate(moving, energy), gap)
    return bounded("the reduced energy ½(m + J/ρ²)ṡ² + Ū and the motion it gives", worst, 1e-11)


def normal_force(c: SimpleNamespace, s: Any, along: str) -> Any:
    """``β·m(ẍ + g e3) = m(φ' ℓ ṡ² + a θ̇² z'/ℓ + g a'/ℓ)``, by the curvature of the centre's path; ``along`` names ṡ."""
    beta = unit_vectors(c, s.theta)[2]
    inward = -np.array([np.cos(s.theta), np.sin(s.theta), 0])
    push = c.turn * getattr(s, along) ** 2 * c.speed * beta + c.a * s.thetadot**2 * inward
    return s.m * (beta @ push + s.g * beta[2])


def newton(path: Curve, system: System, values: Values, reach: tuple[float, float]) -> Finding:
    """``m ẍ = F − m g e3``, ``J ν̇ = −ρ β × F``, ``ẋ = ρ ν × β``: Newton's laws and rolling, with no frame or bracket."""
    moving, at = ball_flows(path, system, values, reach), curve_numbers(path)

    def velocity(s: Any) -> Vector:
        c = at(s)
        eta, tau, _ = unit_vectors(c, s.theta)
        return c.speed * getattr(s, f"{path.variable}dot") * eta + c.a * s.thetadot * tau

    gaps = []
    for s, r in moving:
        c = at(s)
        _, _, beta = unit_vectors(c, s.theta)
        force = s.m * (rate(velocity, s, r) + s.g * np.array([0, 0, 1]))
        torque = -s.rho * np.cross(beta, force)
        scale = np.max(np.abs(force))
        gaps.append((s.J * vector(r, "nu1", "nu2", "nu3") - torque) / (s.rho * scale))
        gaps.append(velocity(s) - s.rho * np.cross(vector(s, "nu1", "nu2", "nu3"), beta))
        gaps.append((beta @ force - normal_force(c, s, f"{path.variable}dot")) / scale)
    return bounded("Newton's laws: J ν' = −ρ β × m(ẍ + g e3), and the contact is at rest", largest(gaps), 1e-11)


def brackets(path: Curve, system: System, values: Values, reach: tuple[float, float]) -> Finding:
    """``[γ1, γ2] = −(a + ρ z')τ``, ``[κ, γ1] = −(1 + ρ φ')η``, ``[κ, γ2] = ρ a'η + a(1 + ρ φ')β − ρ R3(θ)e1``, flat.

    In (ν, ṡ, θ̇), primes by arc length [MacDonnell 1997 (10.10)–(10.12), Proposition 10.4.2].
    """
    at = curve_numbers(path)
    fixed = parameter_values(system, values)
    rho = fixed["rho"]

    def field(kind: int) -> Any:
        def whole(q: Vector) -> Vector:
            c = at(SimpleNamespace(**{**fixed, path.variable: q[9]}))
            eta, tau, beta = unit_vectors(c, q[10])
            nu, along, around = ((beta, 0, 0), (c.a * eta, 0, -rho), (tau, rho / c.speed, 0))[kind]
            return np.concatenate([(hat(nu) @ q[:9].reshape(3, 3)).ravel(), [along, around]])

        return whole

    one, two, kappa = (field(k) for k in range(3))
    gaps: list[Any] = []
    for s, _ in ball_flows(path, system, values, reach):
        turned = np.array([getattr(s, f"R{i}{j}") for i in (1, 2, 3) for j in (1, 2, 3)])
        q = np.concatenate([turned, [getattr(s, path.variable), s.theta]])
        c = at(s)
        eta, tau, beta = unit_vectors(c, s.theta)
        rise, bend, away = c.dz / c.speed, c.turn / c.speed, c.da / c.speed
        outward = np.array([np.cos(s.theta), np.sin(s.theta), 0])
        wanted = (
            (one, two, -(c.a + rho * rise) * tau),
            (kappa, one, -(1 + rho * bend) * eta),
            (kappa, two, rho * away * eta + c.a * (1 + rho * bend) * beta - rho * outward),
        )
        found = []
        for left, right, spin in wanted:
            whole = bracket(left, right, q)
            skew = whole[:9].reshape(3, 3) @ turned.reshape(3, 3).T
            found.append(np.array([skew[2, 1], skew[0, 2], skew[1, 0]]))
            gaps += [found[-1] - spin, whole[9:]]
        # flatness: K of the brackets with γ1, γ2 and κ; the brackets have no part along s and θ
        gaps += [found[0] @ beta, found[0] @ eta, found[1] @ tau, found[2] @ tau]
    return bounded("the brackets of γ1, γ2, κ and the flatness conditions", largest(gaps), 1e-11)


def along_the_run(path: Curve, system: System, values: Values, start: Values, until: float) -> Finding:
    """Along a motion Ω1 and Ω2 depend on s alone, by the adjoint equation integrated over s by SciPy."""
    from scipy.integrate import solve_ivp

    from nonholo.integrate.motion.simulate import simulate

    run = simulate(system, start, until, values, rtol=1e-12, atol=1e-13)
    at, fixed = curve_numbers(path), parameter_values(system, values)
    places = run.data[path.variable].values
    momenta = np.array([run.data["Omega1"].values, run.data["Omega2"].values])
    ratio = fixed["J"] / (fixed["J"] + fixed["m"] * fixed["rho"] ** 2)

    def change(place: float, y: Vector) -> list[Any]:
        c = at(SimpleNamespace(**{**fixed, path.variable: place}))
        return [(c.dz - c.a * c.turn) * y[1], (ratio * c.a * c.turn * y[0] - 2 * c.a * c.da * y[1]) / c.a**2]

    gaps = []
    for end in (float(places.max()), float(places.min())):
        if abs(end - places[0]) < 1e-9:
            continue
        exact = solve_ivp(change, (places[0], end), momenta[:, 0], rtol=1e-11, atol=1e-12, method="DOP853", dense_output=True)
        inside = (places - places[0]) * (end - places[0]) >= 0
        gaps.append((exact.sol(places[inside]) - momenta[:, inside]) / np.max(np.abs(momenta), axis=1, keepdims=True))
    evidence = f"{len(places)} times, {path.variable} from {places.min():.3g} to {places.max():.3g}; limit 1e-8"
    return bounded("along the motion Ω1 and Ω2 are the adjoint equation's functions of s", largest(gaps), 1e-8, evidence)
