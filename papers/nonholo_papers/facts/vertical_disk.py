"""Vertical rolling disk (penny): published facts and closed forms, with their tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import bracket, flows, largest, largest_gap, largest_rate

Vector = Any


def constant(exhibit: Exhibit) -> Finding:
    """``θ̈ = φ̈ = 0``."""
    rate = largest_rate(flows(exhibit.system, exhibit.parameters), lambda s: s.rolling, lambda s: s.turning)
    return bounded("θ' and φ' are constant", rate, 1e-13)


def circle(exhibit: Exhibit) -> Finding:
    """``x = r (Ω/ω)(sin φ − sin φ0)``, radius ``r Ω/ω``."""
    from nonholo.integrate.motion.simulate import simulate

    first, v = exhibit.start, exhibit.parameters
    run = simulate(exhibit.system, first, exhibit.until, v, rtol=1e-12, atol=1e-13).data
    phi = first["phi"] + first["turning"] * run["t"].values
    radius = v["r"] * first["rolling"] / first["turning"]
    gaps = [
        run["x"].values - radius * (np.sin(phi) - np.sin(first["phi"])),
        run["y"].values + radius * (np.cos(phi) - np.cos(first["phi"])),
        run["phi"].values - phi,
        run["theta"].values - first["rolling"] * run["t"].values,
    ]
    return bounded("a circle of radius r Ω/ω", largest(gaps), 1e-9, f"{exhibit.until:g} s")


def reaction_forces(exhibit: Exhibit) -> Finding:
    """``λ = m (ẍ, ÿ) = m r Ω ω (−sin φ, cos φ)``."""
    from nonholo.derive.laws.reactions import reactions

    forces = reactions(exhibit.system)
    gaps = []
    for s, _ in flows(exhibit.system, exhibit.parameters):
        state = {n: getattr(s, n) for n in ("x", "y", "phi", "theta", "rolling", "turning")}
        found = forces.at(state, exhibit.parameters)
        size = s.m * s.r * s.rolling * s.turning
        gaps += [found["lambda1"] + size * np.sin(s.phi), found["lambda2"] - size * np.cos(s.phi)]
    return bounded("λ = m r Ω ω (−sin φ, cos φ)", largest(gaps), 1e-12)


def momentum(exhibit: Exhibit) -> Finding:
    """``d/dt ⟨J, ξ^q⟩ = ∂L/∂q̇ [dξ^q/dt]_Q``; here the right side vanishes, and ``(I + m r²) θ̇`` is constant."""

    def component(s: Any) -> Any:
        return s.I * s.thetadot + s.m * s.r * (s.xdot * np.cos(s.phi) + s.ydot * np.sin(s.phi))

    def expected(s: Any, rates: Any) -> Any:
        return s.m * s.r * s.phidot * (-s.xdot * np.sin(s.phi) + s.ydot * np.cos(s.phi))

    moving = flows(exhibit.system, exhibit.parameters)
    gap = largest_gap(moving, component, expected)
    value = largest([component(s) - (s.I + s.m * s.r**2) * s.rolling for s, _ in moving])
    return bounded("the momentum equation (6)", max(gap, value), 1e-12)


def growth(exhibit: Exhibit) -> Finding:
    """With ``X = ∂θ + r cos φ ∂x + r sin φ ∂y``: ``[∂φ, X] = r(−sin φ ∂x + cos φ ∂y)``, and once more ``[∂φ, ·]``."""
    r = exhibit.parameters["r"]

    def turn(q: Vector) -> Vector:
        return np.array([0, 0, 1, 0]) + 0 * q

    def roll(q: Vector) -> Vector:
        return np.array([r * np.cos(q[2]), r * np.sin(q[2]), 0, 1])

    def once(q: Vector) -> Vector:
        return np.array([-r * np.sin(q[2]), r * np.cos(q[2]), 0, 0])

    q = np.array([0.2, -0.5, 0.7, 1.1])
    gaps = [
        bracket(turn, roll, q) - once(q),
        bracket(turn, once, q) + np.array([r * np.cos(q[2]), r * np.sin(q[2]), 0, 0]),
    ]
    steps = np.column_stack([turn(q), roll(q), once(q), bracket(turn, once, q)])
    rank = np.linalg.matrix_rank(steps)
    allowed = [
        exhibit.system.constraints[k].xreplace(_direction(field(q), exhibit)) for field in (turn, roll) for k in (0, 1)
    ]
    gaps.append(np.array([float(e.n()) for e in allowed]))
    return bounded("growth vector (2, 3, 4)", largest(gaps) if rank == 4 else 1.0, 1e-12)


def _direction(velocity: Vector, exhibit: Exhibit) -> dict[Any, Any]:
    """A velocity put into the constraints at the configuration of `growth`."""
    import symengine as se

    names = ("xdot", "ydot", "phidot", "thetadot")
    numbers = {**dict(zip(names, velocity)), **exhibit.parameters, "phi": 0.7}
    return {se.Symbol(n): se.RealDouble(float(np.real(e))) for n, e in numbers.items()}


def not_variational(exhibit: Exhibit) -> Finding:
    """With a multiplier μ ≠ 0 at the start the vakonomic motion leaves the circle; its pace is no longer constant."""
    from nonholo.derive.vakonomic import vakonomic

    equations = vakonomic(exhibit.system)
    v = exhibit.parameters
    spin, turn, phi = 3.0, 0.8, 0.3
    rates = {"xdot": v["r"] * spin * np.cos(phi), "ydot": v["r"] * spin * np.sin(phi), "phidot": turn, "thetadot": spin}
    place = {"x": 0.1, "y": 0.2, "phi": phi, "theta": 0.4}
    gaps, changes = [], []
    for one, two in ((0.0, 0.0), (0.6, -0.3)):
        found = equations.rates({**place, **rates, "mu1": one, "mu2": two}, v)
        # ∂(L + μφ)/∂φ gives J φ̈ = r θ̇ (μ1 sin φ − μ2 cos φ)
        gaps.append(v["J"] * found["phidot"] - v["r"] * spin * (one * np.sin(phi) - two * np.cos(phi)))
        changes.append(abs(found["phidot"]))
    holds = largest(gaps) < 1e-12 and changes[1] > 0.1
    evidence = f"φ'' = {changes[1]:.3g} where mechanics has 0; J φ'' = r θ'(μ1 sin φ − μ2 cos φ) to {largest(gaps):.1g}"
    return Finding("vakonomic motions are not mechanical ones", "holds" if holds else "fails", changes[1], evidence)


def upright_limit(exhibit: Exhibit) -> Finding:
    """The falling disk of BMZ 2009 §6.5, held upright by one more constraint, has the same accelerations (its ψ is −θ)."""
    from nonholo.derive.hamel import hamel
    from nonholo.gallery.rolling_disk import in_printed_angles
    from nonholo.model.system import varied

    v = exhibit.parameters
    falling = in_printed_angles()
    held = hamel(varied(falling, constraints=(*falling.constraints, "thetadot")))
    values = {"m": v["m"], "r": v["r"], "A": v["J"], "B": v["I"], "g": 9.81}
    gaps = []
    for s, r in flows(exhibit.system, v, 3):
        place = {"theta": 0.0, "psi": -s.theta, "phi": s.phi, "x": s.x, "y": s.y}
        rates = {"thetadot": 0.0, "phidot": s.phidot, "psidot": -s.thetadot, "xdot": s.xdot, "ydot": s.ydot}
        found = held.rates({**place, **rates}, values)
        gaps += [found[n] - getattr(r, n) for n in ("xdot", "ydot", "phidot")] + [found["psidot"] + r.thetadot]
    return bounded("the falling disk held upright", largest(gaps), 1e-11)


FACTS = (
    Fact("rolling and turning keep their pace", "Chaplygin; Bloch 2003", constant),
    Fact("the contact point runs on a circle", "closed form", circle),
    Fact("the reactions", "Newton", reaction_forces),
    Fact("the momentum equation along ∂θ + r cos φ ∂x + r sin φ ∂y", "Notices 2005 (6)", momentum),
    Fact("brackets reach every direction in two steps", "growth vector (2, 3, 4)", growth),
    Fact(
        "the variational problem moves otherwise",
        "Notices 2005, history; Bloch and Crouch 1993",
        not_variational,
    ),
    Fact("the falling disk held upright moves like this", "second formulation", upright_limit),
)
