"""Two coaxial rolling discs whose centres may slide along their common axle [Benenti 2008, Remark 7 and figure 3].

The discs stand upright on one straight axle and roll without slipping, each at its own pace; the centres are free to run
along the axle. A disc that does not slip sideways cannot be moved along the axle by it: the distance stays what it was,
although nothing holds it, and the pair moves like two points whose velocities are orthogonal to their segment.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery._along import flows, largest, largest_rate
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Trace
from nonholo.gallery.vertical_disk import upright_wheel
from nonholo.model.symmetry_declaration import planar_motion, rotation
from nonholo.model.system import System

TITLE = "Coaxial rolling discs"
GROUP = "Benenti"
PAPERS = "Benenti 2008, Remark 7 and Fig. 3"
SOURCE = "Benenti 2008"

ALONG = ("xdot*cos(phi) + ydot*sin(phi)", "xdot*cos(phi) + ydot*sin(phi) + rhodot")
ACROSS = ("ydot*cos(phi) - xdot*sin(phi)", "ydot*cos(phi) - xdot*sin(phi) + rho*phidot")
"""The velocities of the centres P₁ = (x, y) and P₂ = P₁ + ρ (cos φ, sin φ), along the axle and across it."""


def exhibit() -> Exhibit:
    """P₁ = (x, y), the axle's direction φ, the distance ρ of the centres, the angles a₁ and a₂ that the discs have rolled."""
    return Exhibit(
        name="coaxial-discs",
        title=TITLE,
        group=GROUP,
        system=discs(),
        parameters={"m1": 1.2, "m2": 0.7, "r": 0.35, "I": 0.06, "J": 0.03},
        start={"phi": 0.4, "rho": 0.9, "a1dot": 2.0, "a2dot": 3.1},
        starts={"about the first disc": {"phi": 0.4, "rho": 0.9, "a2dot": 3.1}},
        until=10.0,
        references=(f"{SOURCE}, §8.2, Remark 7 and Fig. 3", f"{SOURCE}, (46)–(49), corrected"),
        units={
            "m1": "kg", "m2": "kg", "r": "m", "I": "kg m²", "J": "kg m²", "x": "m", "y": "m", "phi": "rad", "rho": "m",
            "a1": "rad", "a2": "rad",
        },
        facts=(
            Fact("the distance of the centres is constant, though nothing holds it", f"{SOURCE} Remark 7", distance),
            Fact("two constraints are holonomic in disguise: ρ, and ρφ + r(a₁ − a₂)", "closed form", disguised),
            Fact("blades and two masses: the points of §8.2 move alike", f"{SOURCE} Remark 7", points),
            Fact("both discs roll evenly, the axle turns evenly", "closed form", steady),
            Fact("each centre runs on a circle about one point of the axle's line", "closed form", circles),
        ),
        drawing=Drawing(
            bodies=(
                Body("rod", _place("rho/2"), _axle(), {"length": "rho + r"}, colour="grey", label="axle"),
                _disc("0", "a1", "firebrick", "disc 1"),
                _disc("rho", "a2", "steelblue", "disc 2"),
                _mark("0", "a1"),
                _mark("rho", "a2"),
            ),
            traces=(
                Trace(("x", "y", "0"), "P1"),
                Trace(("x + rho*cos(phi)", "y + rho*sin(phi)", "0"), "P2", "steelblue"),
            ),
            plots=(("x", "y"), ("t", "rho"), ("t", "phi")),
        ),
        story=(
            "Two wheels on one smooth axle, free to slide along it towards each other or apart. They never do: a wheel that "
            "does not skid sideways stays where it is on the axle, so the loose pair drives like a rigid one, in circles."
        ),
    )


def _place(offset: str) -> tuple[str, str, str]:
    return (f"x + ({offset})*cos(phi)", f"y + ({offset})*sin(phi)", "r")


def _axle() -> Any:
    c, s = "cos(phi)", "sin(phi)"
    return ((c, f"-{s}", "0"), (s, c, "0"), ("0", "0", "1"))


def _disc(offset: str, angle: str, colour: str, label: str) -> Body:
    size = {"radius": "r", "width": "r/8"}
    return Body("disc", _place(offset), upright_wheel("phi + pi/2", angle), size, colour=colour, label=label)


def _mark(offset: str, angle: str) -> Body:
    return Body("rod", _place(offset), upright_wheel("phi + pi/2", angle), {"length": "1.9*r"}, colour="black")


def discs() -> System:
    """All six velocities free in L; four rolling conditions: no slip along and across the axle for each disc."""
    return System(
        name="coaxial rolling discs",
        coordinates="x y phi rho a1 a2",
        parameters="m1 m2 r I J",
        lagrangian=(
            f"m1/2*(xdot**2 + ydot**2) + m2/2*(({ALONG[1]})**2 + ({ACROSS[1]})**2) + I/2*(a1dot**2 + a2dot**2) + J*phidot**2"
        ),
        constraints=[*ALONG, f"{ACROSS[0]} - r*a1dot", f"{ACROSS[1]} - r*a2dot"],
        symmetry=planar_motion("x", "y", "phi") * rotation("a1") * rotation("a2"),
    )


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
