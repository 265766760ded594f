"""Sleigh that tows a string: published facts and closed forms, with their tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nonholo.fields.function_grid import interpolation
from nonholo.fields.strings.towing_sleigh import SleighString
from nonholo.finding import Finding, bounded
from nonholo.gallery._links import Link, blades, kinetic_energy
from nonholo.gallery.field_exhibit import FieldExhibit, FieldFact, record
from nonholo.integrate.motion.simulate import simulate
from nonholo.model.system import System

TURNED = "0.9*sin(t)**3"
"""A torque that leaves the path smooth at the start."""


def circle(exhibit: FieldExhibit) -> Finding:
    """Places of the whole string after it has come onto the circle."""
    sleigh = replace(record(exhibit), offset=0.0)
    v, omega, until = 1.1, 0.8, 6.0
    run = sleigh.simulate(
        {"v": v, "omega": omega, "heading": 0.4, "x": 0.2, "y": -0.3}, until, t_eval=7, inputs={"tau": 0.0}
    )
    s, t = sleigh.grid.points, run["t"][3:, None]
    heading = 0.4 + omega * (t - s / v)
    z = 0.2 - 0.3j + 1j * v / omega * (np.exp(0.4j) - np.exp(1j * heading))
    return bounded(
        "distance from the circle's points", float(np.abs(run["x"][3:] + 1j * run["y"][3:] - z).max()), 1e-10
    )


def energy(exhibit: FieldExhibit) -> Finding:
    """With a string of some mass."""
    sleigh = replace(record(exhibit), offset=0.0)
    run = sleigh.simulate({**exhibit.start}, 6.0, t_eval=25, inputs={"tau": 0.0})
    closed = 0.5 * 0.7 * 1.4**2 + 0.5 * (1.3 + 0.64) * 0.8**2
    return bounded("energy", float(np.abs(run["energy"] - closed).max()), 1e-11)


def slowing(exhibit: FieldExhibit) -> Finding:
    """``V = √(2E/(m + μ))``, ``W = √(2E/(J + ma²))``, ``k = m a V/(J + ma²)``."""
    run = exhibit.simulate(t_eval=33)
    p = record(exhibit)
    weight, turning = p.mass + p.density * p.length, p.inertia + p.mass * p.offset**2
    twice = weight * 0.8**2 + turning * 1.4**2
    top, fastest = np.sqrt(twice / weight), np.sqrt(twice / turning)
    place = p.mass * p.offset * top / turning * run["t"] + np.arctanh(0.8 / top)
    gap = max(np.abs(run["v"] - top * np.tanh(place)).max(), np.abs(run["turning"] - fastest / np.cosh(place)).max())
    return bounded("v, ω and energy", max(float(gap), run.drift("energy")), 1e-9)


def pull(exhibit: FieldExhibit) -> Finding:
    """``m (v̇ − aω²) = −λ(0)``, with v̇ from differences of v."""
    step = 1e-3
    run = exhibit.simulate(t_eval=[1.0 - step, 1.0, 1.0 + step])
    p, rate = record(exhibit), (run["v"][2] - run["v"][0]) / (2 * step)
    gap = abs(p.mass * (rate - p.offset * run["turning"][1] ** 2) + run["tension"][1, 0])
    return bounded("m(v̇ − aω²) + λ(0)", float(gap), 1e-6)


def train(links: int, blade: str = "l") -> System:
    """The sleigh with rods behind it, each with one blade: ``"l"`` at its rear hinge (trailers), ``"l/2"`` in its middle.

    Each rod's mass is at its blade; the sleigh is turned by ``0.9 sin³ t``.
    """
    chain = (
        Link("theta0", "0", "-a", "0", "M", "J"),
        *(Link(f"theta{k + 1}", blade, blade, "l", "m", "0") for k in range(links)),
    )
    return System(
        name=f"sleigh with {links} links",
        coordinates=["x", "y", *(link.angle for link in chain)],
        parameters="M J a m l",
        lagrangian=kinetic_energy(chain),
        constraints=blades(chain),
        quasivelocities={"v": "xdot*cos(theta0) + ydot*sin(theta0)", "omega": "theta0dot"},
        forces={"omega": TURNED},
    )


def train_gap(sleigh: SleighString, links: int, blade: str = "l", until: float = 4.0) -> tuple[float, float]:
    """Distance (root of the mean square) of the train's blades from the string, and of the speeds, at the end of a motion."""
    towed = replace(sleigh, forces={"omega": TURNED}, inputs=()).simulate({"v": 0.8}, until, t_eval="end")
    link = sleigh.length / links
    values = {"M": sleigh.mass, "J": sleigh.inertia, "a": sleigh.offset, "l": link, "m": sleigh.density * link}
    run = simulate(train(links, blade), {"v": 0.8}, until, values, t_eval="end", rtol=1e-10, atol=1e-12)
    arms = link * np.exp(1j * np.array([run.final[f"theta{k + 1}"] for k in range(links)]))
    share = 1.0 if blade == "l" else 0.5
    found = run.final["x"] + 1j * run.final["y"] - (np.cumsum(arms) - (1 - share) * arms)
    places = interpolation(sleigh.nodes, link * (np.arange(links) + share), sleigh.length) @ (
        towed["x"][-1] + 1j * towed["y"][-1]
    )
    distance = float(np.sqrt(np.mean(np.abs(found - places) ** 2)))
    return distance, abs(float(run.final["v"]) - float(towed.final["v"]))


def trailers(exhibit: FieldExhibit) -> Finding:
    """The orders from 3 to 6 rods, through `nonholo.System`; the exact limits are 1 and 2."""
    orders, words = [], []
    for blade in ("l", "l/2"):
        few, many = (train_gap(record(exhibit), n, blade)[0] for n in (4, 8))
        orders.append(float(np.log2(few / many)))
        words.append(f"{few:.2g} and {many:.2g}")
    good = 0.7 < orders[0] < 1.4 and 1.5 < orders[1] < 2.5
    message = f"distances with 4 and 8 rods: {words[0]} (blade at the rear), {words[1]} (in the middle)"
    return Finding("orders of the distance", "holds" if good else "fails", f"{orders[0]:.2f}, {orders[1]:.2f}", message)


FACTS = (
    FieldFact("balanced, sleigh and string go around one circle", "Zenkov 2016, after (4.12)", circle),
    FieldFact("½Jω² + ½(m + μ)v² stays when balanced", "Zenkov 2016 (4.7)–(4.12)", energy),
    FieldFact("unbalanced, v = V tanh(kt + c), ω = W / cosh(kt + c)", "closed form", slowing),
    FieldFact("λ at the sleigh is what keeps (m v̇ − m a ω²) in balance", "Zenkov 2016 (4.8)", pull),
    FieldFact(
        "trains of rods with blades tend to it: order 1 as trailers, 2 with blades in their middles",
        "Padé of a delay",
        trailers,
    ),
)
