"""The motions that plotted figures of the papers show: starts, numbers, runs. Where a paper gives no numbers they are ours."""

from __future__ import annotations

from math import pi

from nonholo.gallery import get
from nonholo.gallery.parallel_points import FIGURES, Figure, parallel
from nonholo.integrate.motion.simulate import simulate
from nonholo.integrate.motion.trajectory import Trajectory

P1 = "Omega1*(J + m*r**2)**(1 - m/(2*(M + m)))"
P2 = "(M + m)*Omega2"
"""The momenta in which BMZ (6.6)–(6.8) hold: p₁ scaled so that its equation has no term in p₁ ṙ."""
STEP = 0.2
"""Of the Hamel integrator in Zenkov §6.3."""
INCLINED = pi / 3
INCLINE = {
    4: ("v₂ = v₁, equal masses", 1.0, 1.0, 1.0, 1.6), 5: ("v₂ = 2v₁, equal masses", 1.0, 2.0, 1.0, 1.6),
    6: ("v₂ = −v₁, equal masses", 1.0, -1.0, 1.0, 2.2), 7: ("v₂ = −2v₁, equal masses", 1.0, -2.0, 1.0, 2.2),
    8: ("v₂ = −v₁, m₂ = 3m₁", 1.0, -1.0, 3.0, 2.2),
}  # fmt: skip
"""Benenti 4 to 8: words, v₁, v₂, m₂/m₁ and how long; the captions of 4 to 7 are lost, their starts are ours."""
FAR = Figure("D", 1, 2, 3, 20.0)
"""Benenti 30 and 31: case D of figure 29 at a larger distance; the paper's numbers are lost, these are ours."""


def oscillator(start: dict[str, float], until: float) -> Trajectory:
    """The sleigh with an oscillator, with the momenta of BMZ (6.6)–(6.8)."""
    shown = get("sleigh-oscillator")
    watch = {"p1": P1, "p2": P2}
    return simulate(shown.system, start, until, shown.parameters, watch=watch, t_eval=2400, rtol=1e-11, progress=False)


def pendulum(start: dict[str, float], steps: int) -> Trajectory:
    """The spherical pendulum by Zenkov (6.6), with the ½ that is missing there, and (6.7)."""
    shown = get("spherical-pendulum")
    return simulate(
        shown.system, {**shown.start, **start}, steps * STEP, shown.parameters, method="hamel", step=STEP,
        kinematics="averaged", t_eval="steps", progress=False,
    )  # fmt: skip


def incline(number: int) -> Trajectory:
    """Two points with parallel velocities on an incline."""
    _, first, second, ratio, until = INCLINE[number]
    start = {"y1": -1.0, "y2": 1.0, "v1": first, "v2": second, "theta": INCLINED}
    return simulate(parallel("incline"), start, until, {"m1": 1.0, "m2": ratio, "g": 3.0}, t_eval=600, progress=False)


def spring(shown: Figure, until: float) -> Trajectory:
    """Two points with parallel velocities and a spring."""
    start = dict(shown.start)
    if shown.case == "D" and shown.distance >= 15:  # velocities away from P₂, so that P₁ turns back (figures 29 to 32)
        start["theta"] = pi - INCLINED
    values = {"m1": 1.0, "m2": shown.ratio, "k": 1.0}
    return simulate(parallel("spring"), start, until, values, t_eval=3000, rtol=1e-10, progress=False)


def turning_back() -> Trajectory:
    """The first moments of figure 29."""
    return spring(FIGURES[29], 0.35)
