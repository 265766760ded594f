"""A point whose direction is steered by its place and its velocity: f(x, ẋ) ẋ = g(x, ẋ) ẏ.

Benenti proposes to build it with a wheel on a motor that turns it as f and g say. When the law depends on the speed, the
virtual displacements ``∂ψ/∂z`` are no longer along the velocity: the ideal reaction (at right angles to ``∂ψ/∂z``, not
to the velocity) does work, while a wheel can only push across. The exhibit is the ideal constraint of the paper.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery._along import flows, largest
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Trace
from nonholo.model.system import System

TITLE = "Steered point, f(x, ẋ) ẋ = g(x, ẋ) ẏ"
GROUP = "Benenti"
PAPERS = "Benenti 2008 §9"

SOURCE = "Benenti 2008"
LAW = "kappa*(xdot**2 + ydot**2) + sigma*y"
"""The direction the exhibit's law asks for, when none is given."""
ENERGY = "m/2*(xdot**2 + ydot**2) - k/2*(x**2 + y**2)"
VALUES = {"m": 0.9, "k": 1.6, "kappa": 0.35, "sigma": 0.8}


def exhibit(f: str = f"sin({LAW})", g: str = f"cos({LAW})") -> Exhibit:
    """The steering law by the texts ``f`` and ``g`` in x, y, xdot, ydot, t and the parameters m, k, kappa, sigma."""
    size = {"x": "xdot/2", "y": "ydot/2", "z": "0"}
    return Exhibit(
        name="steered-point",
        title=TITLE,
        group=GROUP,
        system=steered(f, g),
        parameters=VALUES,
        start={"x": 1.0, "y": 0.4, "xdot": 0.5},
        until=12.0,
        references=(f"{SOURCE}, §9, note (2); Theorems 1, 3 and 7",),
        units={"m": "kg", "k": "N/m", "kappa": "s²/m²", "sigma": "1/m", "x": "m", "y": "m", "xdot": "m/s", "ydot": "m/s"},
        facts=(
            Fact("the motion steered by the speed, by hand", "Gibbs and Appell with S = m|a|²/2", by_hand),
            Fact("the normal form with its last term", f"{SOURCE} (45), corrected", normal_form),
            Fact("without that term a free point changes its speed", f"{SOURCE} (45) as printed", printed_form),
            Fact("a law of the place alone is holonomic: x ẋ + y ẏ = 0 keeps to its circle", "closed form", circle),
            Fact("the ideal reaction does the work z (m ż − A·e)", f"{SOURCE} Theorem 3, corrected", works),
            Fact("|v| = c under gravity: the reaction's power is m g c sin z", f"{SOURCE} Theorem 3, corrected", fixed_speed),
        ),
        drawing=Drawing(
            bodies=(
                Body("sphere", ("x", "y", "0.06"), size={"radius": "0.06"}, label="point"),
                Body("arrow", ("x", "y", "0.06"), size=size, colour="black", label="velocity"),
            ),
            traces=(Trace(("x", "y", "0"), "path"),),
            plots=(("x", "y"), ("t", "xdot"), ("t", "energy")),
        ),
        variants={"by the parameter z, ẋ = z cos β, ẏ = z sin β": by_speed()},
        story=(
            "A point on a spring that may move only where its steering points, and the steering looks at its place and at "
            "its speed. A rule about the place alone would put it on a rail; a rule about the speed is truly nonlinear, "
            "and what keeps it gives energy and takes it."
        ),
    )


def steered(f: str, g: str) -> System:
    """With the residual ``f ẋ − g ẏ``."""
    return System(
        name="steered point",
        coordinates="x y",
        parameters="m k kappa sigma",
        lagrangian=ENERGY,
        constraints=[f"({f})*xdot - ({g})*ydot"],
    )


def by_speed() -> System:
    """The default law in parametric form: the direction β = κ z² + σ y of the signed speed z."""
    beta = "kappa*z**2 + sigma*y"
    return System(
        name="steered point, parametric",
        coordinates="x y",
        parameters="m k kappa sigma",
        lagrangian=ENERGY,
        parametric=("z", {"xdot": f"z*cos({beta})", "ydot": f"z*sin({beta})"}),
    )


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
