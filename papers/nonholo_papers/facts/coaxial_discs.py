"""Coaxial rolling discs: published facts and closed forms, with their tests."""

from __future__ import annotations

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.model.system import System
from nonholo_papers.facts._random_states import flows, largest, largest_rate

SOURCE = "Benenti 2008"


def segment() -> System:
    """Two points whose velocities are orthogonal to their segment, §8.2, with the discs' inertia left out."""
    return System(
        name="two points with velocities across their segment",
        coordinates="x1 y1 x2 y2",
        parameters="m1 m2",
        lagrangian="m1/2*(x1dot**2 + y1dot**2) + m2/2*(x2dot**2 + y2dot**2)",
        constraints=["x1dot*(x2 - x1) + y1dot*(y2 - y1)", "x2dot*(x2 - x1) + y2dot*(y2 - y1)"],
    )


def distance(exhibit: Exhibit) -> Finding:
    """``ρ̇ = 0`` at every admissible state."""
    rate = largest_rate(flows(exhibit.system, exhibit.parameters), lambda s: s.rho)
    return bounded("ρ' = 0", rate, 1e-13)


def disguised(exhibit: Exhibit) -> Finding:
    """The conditions along the axle differ by ρ̇, those across it by ρ φ̇ − r (ȧ₂ − ȧ₁): ρ and then ρφ + r(a₁ − a₂) stay."""
    moving = flows(exhibit.system, exhibit.parameters)
    worst = largest_rate(moving, lambda s: s.rho, lambda s: s.rho * s.phi + s.r * (s.a1 - s.a2))
    return bounded("ρ and ρφ + r(a1 − a2) are constant", worst, 1e-12)


def points(exhibit: Exhibit) -> Finding:
    """Without inertia of the discs the centres move as the points of §8.2, from the same start."""
    from nonholo.integrate.motion.simulate import simulate

    v, first = {**exhibit.parameters, "I": 0.0, "J": 0.0}, exhibit.start
    run = simulate(exhibit.system, first, 6.0, v, rtol=1e-12, atol=1e-13, t_eval=25)
    c, s = np.cos(first["phi"]), np.sin(first["phi"])
    w1, w2 = v["r"] * first["a1dot"], v["r"] * first["a2dot"]
    begin = {
        "x1": 0.0, "y1": 0.0, "x2": first["rho"] * c, "y2": first["rho"] * s,
        "x1dot": -w1 * s, "y1dot": w1 * c, "x2dot": -w2 * s, "y2dot": w2 * c,
    }  # fmt: skip
    pair = simulate(segment(), begin, 6.0, {n: v[n] for n in ("m1", "m2")}, rtol=1e-12, atol=1e-13, t_eval=25)
    gaps = [
        run["x"] - pair["x1"],
        run["y"] - pair["y1"],
        run["x"] + run["rho"] * np.cos(run["phi"]) - pair["x2"],
        run["y"] + run["rho"] * np.sin(run["phi"]) - pair["y2"],
    ]
    return bounded("the centres move as the points of §8.2", largest(gaps), 1e-9, "6 s")


def steady(exhibit: Exhibit) -> Finding:
    """``ä₁ = ä₂ = φ̈ = 0``: no reaction does work, and the reactions along the axle turn with it."""
    moving = flows(exhibit.system, exhibit.parameters)
    worst = largest_rate(moving, lambda s: s.a1dot, lambda s: s.a2dot, lambda s: s.phidot)
    return bounded("a1', a2', φ' are constant", worst, 1e-12)


def circles(exhibit: Exhibit) -> Finding:
    """With ``φ̇ = r (ȧ₂ − ȧ₁)/ρ`` the point at ``−r ȧ₁/φ̇`` along the axle from P₁ is at rest."""
    from nonholo.integrate.motion.simulate import simulate

    first, v = exhibit.start, exhibit.parameters
    run = simulate(exhibit.system, first, exhibit.until, v, rtol=1e-12, atol=1e-13)
    turning = v["r"] * (first["a2dot"] - first["a1dot"]) / first["rho"]
    reach = -v["r"] * first["a1dot"] / turning
    x, y = (run["x"] + reach * np.cos(run["phi"]), run["y"] + reach * np.sin(run["phi"]))
    gaps = [x - x[0], y - y[0], run["phi"] - first["phi"] - turning * run["t"], run["rho"] - first["rho"]]
    return bounded("one point of the axle's line rests", largest(gaps), 1e-9, f"{exhibit.until:g} s")


FACTS = (
    Fact("the distance of the centres is constant, though nothing holds it", f"{SOURCE} Remark 7", distance),
    Fact("two constraints are holonomic in disguise: ρ, and ρφ + r(a₁ − a₂)", "closed form", disguised),
    Fact("blades and two masses: the points of §8.2 move alike", f"{SOURCE} Remark 7", points),
    Fact("both discs roll evenly, the axle turns evenly", "closed form", steady),
    Fact("each centre runs on a circle about one point of the axle's line", "closed form", circles),
)
