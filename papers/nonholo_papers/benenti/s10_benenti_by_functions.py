"""The theorems of the paper by the public functions, on a system that nobody prepared with velocities that are not
linear in z.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers import drawn
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import analytic, holds, identity, slope, together
from nonholo_papers.section import Section

Array = Any
section = Section("benenti", "The theorems by the public functions")
PSI = ("u*cos(v) + 0.3*y*u**2", "u*sin(v) + 0.2*x*v", "u*v + 0.4*x*y + w*u")
"""q̇ = ψ(q, z) for q = (x, y, w) and z = (u, v)."""
GIVEN = drawn.free(23, "x y w")


def _system() -> Any:
    return GIVEN.system(constraints=[], parametric=("u v", dict(zip(GIVEN.rates, PSI))))


def _places() -> list[SimpleNamespace]:
    """States with ψ, ∂ψ/∂z, (∂ψ/∂q)ψ, the mass matrix and the rest of Lagrange's expressions, in numbers."""
    table = analytic([PSI], ("x", "y", "w", "u", "v"))
    found = []
    for place in np.random.default_rng(6).uniform(0.2, 0.9, (3, 5)):
        psi, slopes = table(place)[0], slope(table, place)[0]
        mass, rest = GIVEN.lagrange(place[:3], psi)
        moved = slopes[:, :3] @ psi
        values = dict(zip(("x", "y", "w", "u", "v"), map(float, place)))
        found.append(SimpleNamespace(values=values, psi=psi, by_z=slopes[:, 3:], moved=moved, mass=mass, rest=rest))
    return found


def _acceleration(p: SimpleNamespace, rates: Array) -> Array:
    """q̈ = ψ_α ż_α + (∂ψ/∂q)ψ."""
    return p.by_z @ rates + p.moved


@section.confirmed(
    "Theorems 1 and 7 by `nh.gibbs_appell`, corrected",
    by_functions=("Theorem 1", "Theorem 7"),
    printed=r"\dot z_\alpha = G^{\alpha\beta}(A_\beta - \Gamma_{ijk}\psi^i\psi^j\psi^k_\beta "
    r"- g_{ik}\,\psi^i_j\,\psi^j\,\psi^k_\beta)",
)
def nine_steps() -> Evidence:
    """The nine steps, with the term of (17), give the ż for which Lagrange's expressions vanish along ∂ψ/∂z."""
    import nonholo as nh

    steps = nh.gibbs_appell(_system()).steps

    def terms(p: SimpleNamespace, kept: float = 1.0) -> list[Array]:
        rates = steps.values(p.values, {})["rates"]
        return [p.by_z.T @ p.mass @ p.by_z @ rates, kept * p.by_z.T @ p.mass @ p.moved, p.by_z.T @ p.rest]

    return identity(
        _places(),
        terms,
        mutants=[lambda p: terms(p, 0.0)],
        words="d'Alembert's principle in numbers; the mutant is (45)",
    )


@section.confirmed(
    "Theorems 2 and 3 by `nh.reactions`",
    by_functions=("Theorem 2", "Theorem 3"),
    printed=r"\text{ideal reactions: } R_i\psi^i_\alpha = 0; "
    r"\text{ they do no work where } \psi \text{ is a combination of the } \psi_\alpha",
)
def ideal_reactions() -> Evidence:
    """The reactions of drawn systems are λ∂φ/∂q̇, so that R·ψ_α = 0; their power is 0 for a homogeneous constraint, and
    for |v| = c it is the rate of the energy.
    """
    import nonholo as nh

    def power(row: str, velocity: Any) -> tuple[float, float, float]:
        """The power by the function, ⟨R, ψ_z⟩, and the power of M q̈ + rest with the accelerations of `nh.multipliers`."""
        system = GIVEN.system(constraints=[row])
        named = GIVEN.named(np.array([0.3, 0.5, 0.2]), np.array(velocity))
        found = nh.reactions(system).at(named)
        equations = nh.multipliers(system)
        rates = equations.rates({n: named[n] for n in equations.state}, {})
        mass, rest = GIVEN.lagrange(np.array([0.3, 0.5, 0.2]), np.array(velocity))
        push = mass @ np.array([rates[n] for n in GIVEN.rates]) + rest
        force = np.array([found[n] for n in GIVEN.coordinates])
        sideways = np.cross(
            velocity, slope(analytic([[row]], [*GIVEN.coordinates, *GIVEN.rates]), [0.3, 0.5, 0.2, *velocity])[0, 0, 3:]
        )
        return (
            float(found["power"]),
            float(force @ sideways) + float(np.max(np.abs(force - push))),
            float(push @ velocity),
        )

    even = power("xdot*wdot - 0.8*ydot**2*(1 + x)", [0.4, 0.6, 0.8 * 0.36 * 1.3 / 0.4])
    fixed = power("xdot**2 + ydot**2 + 2*wdot**2 - 1.5", [0.6, 0.7, np.sqrt((1.5 - 0.36 - 0.49) / 2)])
    ideal = Evidence(max(abs(even[0]), abs(even[1]), abs(fixed[1])), None, abs(fixed[0]))
    return together(
        [ideal, identity([fixed], lambda e: [e[0], -e[2]])], "a homogeneous constraint, and a constant speed"
    )


@section.confirmed(
    "Theorems 4, 5 and 6 by `nh.gibbs_appell`",
    by_functions=("Theorem 4", "Theorem 5", "Theorem 6"),
    printed=r"\text{Gauss's function is least at the motion; } \partial S/\partial\dot z_\alpha = A_\alpha",
)
def least_constraint() -> Evidence:
    """Gauss's function of the sheet is ½(q̈ − q̈_free)·g(q̈ − q̈_free), its gradient vanishes at the rates and it grows by
    ½G; the derivative of S is that of ½q̈·gq̈ with the Christoffel part of Lagrange's expressions.
    """
    import nonholo as nh

    steps = nh.gibbs_appell(_system()).steps
    names = [str(s) for s in steps.speed_rates]

    def value(e: Any, p: SimpleNamespace, rates: Array) -> float:
        return float(e.subs({**p.values, **dict(zip(names, map(float, rates)))}).n())

    def gauss(p: SimpleNamespace) -> list[float]:
        rates = np.array([0.7, -0.4])
        away = _acceleration(p, rates) + np.linalg.solve(p.mass, p.rest)
        return [value(steps.gauss, p, rates), -away @ p.mass @ away / 2]

    def least(p: SimpleNamespace) -> list[Array]:
        rates = steps.values(p.values, {})["rates"]
        gradient = [value(steps.gauss.diff(s), p, rates) for s in steps.speed_rates]
        return [np.array(gradient) + p.by_z.T @ p.rest, -p.by_z.T @ p.rest]

    def appell(p: SimpleNamespace) -> list[Array]:
        """∂S/∂ż_α − A_α is Lagrange's expression along ψ_α, at any ż."""
        rates = np.array([0.7, -0.4])
        gradient = np.array([value(steps.acceleration_energy.diff(s), p, rates) for s in steps.speed_rates])
        active = steps.values(p.values, {})["A"] @ p.by_z
        return [gradient, -active, -p.by_z.T @ (p.mass @ _acceleration(p, rates) + p.rest)]

    grows = [
        value(steps.gauss, p, [9.0, 9.0]) > value(steps.gauss, p, steps.values(p.values, {})["rates"])
        for p in _places()
    ]
    shown = holds(("it grows", all(grows)), against=[("it falls", not any(grows))])
    return together([*(identity(_places(), form) for form in (gauss, least, appell)), shown], "three states, drawn ψ")
