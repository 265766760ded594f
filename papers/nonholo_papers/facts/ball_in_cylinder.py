"""Ball in a vertical cylinder: published facts and closed forms, with their tests."""

from __future__ import annotations

from functools import partial

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.ball_in_cylinder import PATH, SOURCE
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts import _rolling_balls as facts
from nonholo_papers.facts._random_states import at_states, largest, largest_rate

REACH = (-1.5, 1.5)


def _generic(test: facts.Test, exhibit: Exhibit) -> Finding:
    return test(PATH, exhibit.system, exhibit.parameters, REACH)


def integrals(exhibit: Exhibit) -> Finding:
    """``Ω2 = C1``, ``Ω1 = C1 s + C2`` [MacDonnell 1997 §10.5]."""
    moving = facts.ball_flows(PATH, exhibit.system, exhibit.parameters, REACH)
    worst = largest_rate(moving, lambda s: s.Omega2, lambda s: s.Omega1 - s.Omega2 * s.s, lambda s: s.thetadot)
    return bounded("Ω2, Ω1 − Ω2 s and θ' are constant", worst, 1e-11)


def oscillator(exhibit: Exhibit) -> Finding:
    """``s̈ = −J C1² (s − s0)/(m + J/ρ²)``, ``s0 = −(m g + J C1 C2)/(J C1²)``; ``Ū = ½J C1²(s − s0)² + C3`` [§10.6].

    C3 depends on C1 and C2 (not, as printed, on the first ṡ): ``½(J + m ρ²)a² C1² + ½J C2² − (m g + J C1 C2)²/(2 J C1²)``.
    """
    gaps = []
    for s, r in facts.ball_flows(PATH, exhibit.system, exhibit.parameters, REACH):
        one, two = s.Omega2, s.Omega1 - s.Omega2 * s.s
        middle = -(s.m * s.g + s.J * one * two) / (s.J * one**2)
        wanted = -s.J * one**2 * (s.s - middle) / (s.m + s.J / s.rho**2)
        turning = -s.J / (s.J + s.m * s.rho**2) * s.thetadot**2 * (s.s - middle)
        gaps += [(r.sdot - wanted) / (1 + abs(wanted)), (r.sdot - turning) / (1 + abs(wanted))]
        level = (s.J + s.m * s.rho**2) * (s.a * one) ** 2 / 2
        base = level + s.J * two**2 / 2 - (s.m * s.g + s.J * one * two) ** 2 / (2 * s.J * one**2)
        hill = s.m * s.g * s.s + s.J * s.Omega1**2 / 2 + level
        gaps.append((s.J * one**2 * (s.s - middle) ** 2 / 2 + base - hill) / abs(base))
    return bounded("s'' = −(J/(J + m ρ²)) θ'² (s − s0)", largest(gaps), 1e-11)


def ratio(exhibit: Exhibit) -> Finding:
    """The frequencies' ratio measured on a run: times of greatest height against the rate of turning; J = (2/5) m ρ²."""
    from nonholo.integrate.motion.simulate import simulate

    run = simulate(exhibit.system, exhibit.start, exhibit.until, exhibit.parameters, rtol=1e-11, atol=1e-13, events=["sdot"])
    times = run.events["sdot"]
    rises = (len(times) - 1) / 2 / (times[-1] - times[0])
    turns = abs(run.data["thetadot"].values[0]) / (2 * np.pi)
    return bounded("sqrt(2/7) rises for each turn", abs(rises / turns - np.sqrt(2 / 7)), 1e-7, f"{len(times)} turning points")


def harmonic(exhibit: Exhibit) -> Finding:
    """``s = s0 + A cos(n t) + B sin(n t)``, ``θ = θ₀ − ρ Ω2 t``, ``n = ρ |Ω2| sqrt(J/(J + m ρ²))``."""
    from nonholo.integrate.motion.simulate import simulate

    p, start = exhibit.parameters, exhibit.start
    run = simulate(exhibit.system, start, exhibit.until, p, rtol=1e-12, atol=1e-13)
    t = run.data["t"].values
    middle = -(p["m"] * p["g"] + p["J"] * start["Omega1"] * start["Omega2"]) / (p["J"] * start["Omega2"] ** 2)
    n = p["rho"] * abs(start["Omega2"]) * np.sqrt(p["J"] / (p["J"] + p["m"] * p["rho"] ** 2))
    height = middle * (1 - np.cos(n * t)) + p["rho"] * start["roll"] / n * np.sin(n * t)
    angle = -p["rho"] * start["Omega2"] * t
    gap = largest((run.data["s"].values - height, run.data["theta"].values - angle))
    return bounded("s and θ in closed form", gap, 1e-8)


def falls(exhibit: Exhibit) -> Finding:
    """``C1 = 0``: ``Ū = m g s + const``, the ball rolls down with ``g/(1 + J/(m ρ²))`` whatever its spin."""
    gaps = []
    for s, _ in facts.ball_flows(PATH, exhibit.system, exhibit.parameters, REACH):
        spun = {"s": s.s, "theta": s.theta, "Omega1": s.Omega1, "Omega2": 0.0, "roll": s.roll}
        ((still, slowing),) = at_states(exhibit.system, exhibit.parameters, [spun])
        gaps.append(slowing.sdot + still.g / (1 + still.J / (still.m * still.rho**2)))
    return bounded("s'' = −g/(1 + J/(m ρ²)) when Ω2 = 0", largest(gaps), 1e-11)


FACTS = (
    Fact("Ω2 and Ω1 − Ω2 s are constant", f"{SOURCE} §10.5", integrals),
    Fact("s'' = −(J/(J + m ρ²)) θ'² (s − s0): harmonic", f"{SOURCE} §10.6", oscillator),
    Fact("sqrt(J/(J + m ρ²)) rises for each turn: sqrt(2/7) for a solid ball", f"{SOURCE} §10.6", ratio),
    Fact("the whole motion in closed form", f"{SOURCE} §10.6", harmonic),
    Fact("without turning it falls with m g/(m + J/ρ²)", f"{SOURCE} §10.6, first case", falls),
    Fact("the adjoint equation of §10.5", f"{SOURCE} (10.13), (10.14)", partial(_generic, facts.adjoint)),
    Fact("the reduced energy and motion", f"{SOURCE} §10.6", partial(_generic, facts.reduced)),
    Fact(
        "the brackets of the aligned basis and flatness",
        f"{SOURCE} (10.10)–(10.12)",
        partial(_generic, facts.brackets),
    ),
    Fact("Newton's laws give the same accelerations", "Newton–Euler", partial(_generic, facts.newton)),
)
