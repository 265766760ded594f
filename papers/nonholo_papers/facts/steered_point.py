"""Steered point, f(x, ẋ) ẋ = g(x, ẋ) ẏ: published facts and closed forms, with their tests."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.gallery.steered_point import LAW, SOURCE, VALUES, by_speed, steered
from nonholo.model.system import System
from nonholo_papers.facts._random_states import flows, largest

STATES = ({"x": 0.4, "y": -0.7, "z": 1.1}, {"x": -0.9, "y": 0.5, "z": -0.8}, {"x": 0.2, "y": 1.3, "z": 0.6})


def _hand(s: dict[str, float]) -> tuple[float, np.ndarray, np.ndarray]:
    """``ż`` from ``w · (m a − A) = 0`` with ``w = e + z β_z n``, ``a = ż e + z (β_z ż + z σ sin β) n``; also e and A."""
    m, k, kappa, sigma = VALUES.values()
    z = s["z"]
    beta, slope = kappa * z**2 + sigma * s["y"], 2 * kappa * z
    e, n = np.array([cos(beta), sin(beta)]), np.array([-sin(beta), cos(beta)])
    pull = -k * np.array([s["x"], s["y"]])
    zdot = (pull @ (e + z * slope * n) / m - z**3 * slope * sigma * sin(beta)) / (1 + z**2 * slope**2)
    return float(zdot), e, pull


def by_hand(exhibit: Exhibit) -> Finding:
    """Both the implicit constraint and the parametric form, against the hand-written equation of the default law."""
    from nonholo.derive.hamel import hamel

    implicit, explicit = steered(f"sin({LAW})", f"cos({LAW})"), hamel(by_speed())
    gaps = []
    for s in STATES:
        zdot, e, _ = _hand(s)
        gaps.append(explicit.rates(s, VALUES)["z"] - zdot)
        state = {"x": s["x"], "y": s["y"], "xdot": s["z"] * e[0], "ydot": s["z"] * e[1]}
        found = hamel(implicit, at=state).rates(state, VALUES)
        # the tangential acceleration is that of z, whatever the direction does
        gaps.append(found["xdot"] * e[0] + found["ydot"] * e[1] - zdot)
    return bounded("ż steered by the speed", largest(gaps), 1e-11)


def _field() -> System:
    """A free point with the law of place ``(2 + x y) ẋ = (1 + x²) ẏ``, by a parameter that is not the speed."""
    return System(
        name="point in a field of directions",
        coordinates="x y",
        parameters="m",
        lagrangian="m/2*(xdot**2 + ydot**2)",
        parametric=("z", {"xdot": "z*(1 + x**2)", "ydot": "z*(2 + x*y)"}),
    )


def _pieces(s: dict[str, float]) -> tuple[float, float]:
    """``G`` and the term ``g_ik (∂ψ^i/∂q^j) ψ^j ψ^k_z`` over m, by hand."""
    x, y, z = s["x"], s["y"], s["z"]
    psi = np.array([1 + x**2, 2 + x * y])
    slope = np.array([[2 * x, 0.0], [y, x]])
    return float(psi @ psi), float(z**2 * psi @ slope @ psi)


def normal_form(exhibit: Exhibit) -> Finding:
    """``ż = −G⁻¹ g_ik (∂ψ^i/∂q^j) ψ^j ψ^k_z`` for a free point, which keeps ``|v|``."""
    from nonholo.derive.hamel import hamel

    equations = hamel(_field())
    gaps = []
    for s in STATES:
        metric, term = _pieces(s)
        rates = equations.rates(s, {"m": VALUES["m"]})
        gaps += [rates["z"] + term / metric, rates["x"] * rates["xdot"] + rates["y"] * rates["ydot"]]
    return bounded("(45) with the last term keeps the speed", largest(gaps), 1e-11)


def printed_form(exhibit: Exhibit) -> Finding:
    """In flat coordinates Γ = 0, so the printed (45) gives ``ż = 0`` and ``d(m|v|²/2)/dt = m z × the lost term``."""
    lost = [VALUES["m"] * s["z"] * _pieces(s)[1] for s in STATES]
    least = min(abs(e) for e in lost)
    return Finding("the printed form does not keep the energy", "holds" if least > 1e-2 else "fails", least, "least power, W")


def circle(exhibit: Exhibit) -> Finding:
    """With k = 0, f = x and g = −y the point goes uniformly around the origin."""
    from nonholo.integrate.motion.simulate import simulate

    start, speed = {"x": 1.2, "y": 0.5}, 0.9
    radius = float(np.hypot(1.2, 0.5))
    start |= {"xdot": -speed * 0.5 / radius, "ydot": speed * 1.2 / radius}
    until = 2 * pi * radius / speed
    run = simulate(steered("x", "-y"), start, until, {**VALUES, "k": 0.0}, rtol=1e-11, atol=1e-12)
    data = run.data
    exact = (1.2 + 0.5j) * np.exp(1j * speed / radius * data["t"].values)
    gap = float(np.max(np.abs(data["x"].values + 1j * data["y"].values - exact)))
    return bounded("once around the circle", gap, 1e-8, str(run.outcome))


def works(exhibit: Exhibit) -> Finding:
    """``R = m a − A`` is at right angles to ``∂ψ/∂z``; its power is ``z R·e``, and the energy changes by it."""
    from nonholo.derive.laws.reactions import reactions

    found = reactions(by_speed())
    gaps, powers = [], []
    for s in STATES:
        zdot, e, pull = _hand(s)
        exact = s["z"] * (VALUES["m"] * zdot - pull @ e)
        gaps.append(found.at(s, VALUES)["power"] - exact)
        powers.append(exact)
    if min(map(abs, powers)) < 1e-3:
        return Finding("the reaction works", "fails", largest(powers), "no power at generic states")
    return bounded("R·v = z (m ż − A·e), not 0", largest(gaps), 1e-11)


def fixed_speed(exhibit: Exhibit) -> Finding:
    """``ẋ = c cos z``, ``ẏ = c sin z``: not homogeneous, so the constraint drives the point uphill."""
    system = System(
        name="point of constant speed",
        coordinates="x y",
        parameters="m g c",
        lagrangian="m/2*(xdot**2 + ydot**2) - m*g*y",
        parametric=("z", {"xdot": "c*cos(z)", "ydot": "c*sin(z)"}),
    )
    values = {"m": 0.7, "g": 9.81, "c": 1.3}
    moving = flows(system, values)
    from nonholo.derive.laws.reactions import reactions

    found = reactions(system)
    gaps = [found.at({"x": s.x, "y": s.y, "z": s.z}, values)["power"] - s.m * s.g * s.c * sin(s.z) for s, _ in moving]
    gaps += [r.z + s.g * cos(s.z) / s.c for s, r in moving]
    return bounded("power m g c sin z, and ż = −(g/c) cos z", largest(gaps), 1e-11)


FACTS = (
    Fact("the motion steered by the speed, by hand", "Gibbs and Appell with S = m|a|²/2", by_hand),
    Fact("the normal form with its last term", f"{SOURCE} (45), corrected", normal_form),
    Fact("without that term a free point changes its speed", f"{SOURCE} (45) as printed", printed_form),
    Fact("a law of the place alone is holonomic: x ẋ + y ẏ = 0 keeps to its circle", "closed form", circle),
    Fact("the ideal reaction does the work z (m ż − A·e)", f"{SOURCE} Theorem 3, corrected", works),
    Fact("|v| = c under gravity: the reaction's power is m g c sin z", f"{SOURCE} Theorem 3, corrected", fixed_speed),
)
