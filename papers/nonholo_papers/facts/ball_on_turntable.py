"""Ball on a turntable: published facts and closed forms, with their tests."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.ball_on_turntable import BALLS
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import flows, largest, largest_gap, largest_rate

RATES = {"solid": 2 / 7, "hollow": 2 / 5}
"""The published rates of the circles over the table's."""


def circling(exhibit: Exhibit) -> float:
    """``n = Ω I/(I + m r²)``: from ``m v̇ = F``, ``I ω̇ = −r e₃ × F`` and ``v = r ω × e₃ + Ω e₃ × x``."""
    m, inertia, r, table = (exhibit.parameters[k] for k in ("m", "I", "r", "Omega"))
    return float(table * inertia / (inertia + m * r**2))


def turns_its_velocity(exhibit: Exhibit) -> Finding:
    """``v̇ = n e₃ × v`` at generic states, in both attitudes' coordinates."""
    n = circling(exhibit)
    worst = 0.0
    for system in (exhibit.system, exhibit.variants["attitude by quaternion"]):
        moving = flows(system, exhibit.parameters)
        worst = max(worst, largest((r.xdot + n * s.ydot, r.ydot - n * s.xdot) for s, r in moving))
    return bounded("v' = n e₃ × v, n = Ω I/(I + m r²)", worst, 1e-11)


def published_rate(exhibit: Exhibit) -> Finding:
    """The rate as a fraction of the table's, measured from the accelerations, against the published fractions."""
    worst = 0.0
    for ball, ratio in RATES.items():
        values = dict(exhibit.parameters)
        values["I"] = BALLS[ball] * values["m"] * values["r"] ** 2
        for s, r in flows(exhibit.system, values, 3):
            rate = (s.xdot * r.ydot - s.ydot * r.xdot) / (s.xdot**2 + s.ydot**2)
            worst = max(worst, abs(rate / s.Omega - ratio))
    return bounded("2/7 (solid) and 2/5 (hollow)", worst, 1e-11)


def constants(exhibit: Exhibit) -> Finding:
    """``ω · e₃`` and ``x + e₃ × v/n`` do not change."""
    n = circling(exhibit)
    worst = largest_rate(
        flows(exhibit.system, exhibit.parameters),
        lambda s: s.w3,
        lambda s: s.x - s.ydot / n,
        lambda s: s.y + s.xdot / n,
    )
    return bounded("ω₃ and the circle's centre", worst, 1e-11)


def circle(exhibit: Exhibit) -> Finding:
    """``x = c + Rot(n t)(x₀ − c)`` with the centre ``c = x₀ + e₃ × v₀/n``."""
    from nonholo.integrate.motion.simulate import simulate

    n, s = circling(exhibit), exhibit.start
    run = simulate(exhibit.system, s, 2 * pi / n, exhibit.parameters, rtol=1e-12, atol=1e-13)
    place, speed = complex(s["x"], s["y"]), complex(s["vx"], s["vy"])
    centre = place + 1j * speed / n
    exact = centre + (place - centre) * np.exp(1j * n * run.data["t"].values)
    found = run.data["x"].values + 1j * run.data["y"].values
    return bounded("the whole circle", float(np.max(np.abs(found - exact))), 1e-10)


def work(exhibit: Exhibit) -> Finding:
    """``Ė = F · (Ω e₃ × x)`` with ``F = m v̇``: the force at the contact moves with the table; and it is not zero."""

    def energy(s: Any) -> Any:
        return s.m / 2 * (s.xdot**2 + s.ydot**2) + s.I / 2 * (s.w1**2 + s.w2**2 + s.w3**2)

    moving = flows(exhibit.system, exhibit.parameters)
    powers = [s.m * s.Omega * (s.x * r.ydot - s.y * r.xdot) for s, r in moving]
    gap = largest_gap(moving, energy, lambda s, r: s.m * s.Omega * (s.x * r.ydot - s.y * r.xdot))
    if largest(powers) < 1e-3:
        return Finding("the table does work", "fails", largest(powers), "the power vanishes at generic states")
    return bounded("E' = m Ω e₃ · (x × v')", gap, 1e-11)


def drifts(exhibit: Exhibit) -> Finding:
    """``v̇ = n e₃ × (v − d)`` with the level drift ``d = g sin α m r²/(I Ω)`` along x when y points uphill and Ω > 0."""
    values = {**exhibit.parameters, "g": 9.81, "alpha": 0.13}
    m, inertia, r, table = (values[k] for k in ("m", "I", "r", "Omega"))
    n = circling(exhibit)
    drift = values["g"] * np.sin(values["alpha"]) * m * r**2 / (inertia * table)
    moving = flows(exhibit.variants["tilted table"], values)
    worst = largest((f.xdot + n * s.ydot, f.ydot - n * (s.xdot - drift)) for s, f in moving)
    return bounded("v' = n e₃ × (v − d)", worst, 1e-11)


FACTS = (
    Fact("the centre turns its velocity at Ω I/(I + m r²)", "Newton and Euler by hand", turns_its_velocity),
    Fact("a solid ball circles at 2/7 of the table's rate, a hollow one at 2/5", "Weltner 1979", published_rate),
    Fact("the spin about the vertical and the circle's centre are constant", "Routh 1905", constants),
    Fact("the circle, from the start alone", "closed form", circle),
    Fact("the energy is not constant: the table does the work Ω e₃ · (x × F)", "power of the contact force", work),
    Fact("on a tilted table the circles drift level, at g sin α · m r²/(I Ω)", "Newton and Euler by hand", drifts),
)
