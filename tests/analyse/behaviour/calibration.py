"""Many motions of one kind, whose exponents scatter as their errors say: what error bars are measured against."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import symengine as se

import nonholo as nh
from nonholo.derive.equations import Equations
from tests.analyse.behaviour.celtic_stone import ENERGY, STONE
from tests.analyse.behaviour.chaotic import HENON_HEILES

T, X, Y, Z = se.symbols("t x y z")


def by_hand(name: str, *rates: se.Expr) -> Equations:
    """Equations of three variables."""
    return Equations(name, "by hand", (X, Y, Z), (), rates, (), (), se.Integer(0), T)


LORENZ = by_hand("Lorenz", 10 * (Y - X), X * (28 - Z) - Y, X * Y - se.Rational(8, 3) * Z)
ROESSLER = by_hand("Roessler", -Y - Z, X + Y / 5, se.Rational(1, 5) + Z * (X - se.Rational(57, 10)))
SLEIGH = nh.System(
    name="sleigh in a well, turned to and fro",
    coordinates="x y theta",
    lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2 "
    "- k/2*(x**2 + y**2)",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    quasivelocities={"u": "xdot*cos(theta) + ydot*sin(theta)", "omega": "thetadot"},
    forces={"u": "-c*u", "omega": "-d*omega + e*cos(2*t)"},
    parameters={"m": 1.0, "J": 0.6, "k": 2.0, "c": 0.2, "d": 0.2, "e": 8.0, "a": 0.5},
)
"""Chaplygin's sleigh on springs with drag, driven by a torque: a strange attractor of a nonholonomic system with a clock."""
MOTIONS = ("Lorenz", "Roessler", "Henon and Heiles", "stone", "driven sleigh")
LONG = {"Lorenz": (1, 100), "Roessler": (1, 100), "Henon and Heiles": (40, 10), "stone": (2, 40), "driven sleigh": (1, 100)}
"""So many motions, so many times as long, are the reference; Hénon and Heiles: not longer, since some escape at 1/6."""
ISLAND = 0.01
"""A start of Hénon and Heiles whose largest exponent is below this lies on an island, not in the sea."""


def reference(name: str) -> float:
    """The mean of the largest exponent over motions that are much longer than those that are judged."""
    count, times = LONG[name]
    found = [
        float(nh.lyapunov(system, start, times * end, integrals=(), count=1).exponents[0])
        for system, start, end in motions(name, count, seed=11)
    ]
    return float(np.mean([e for e in found if e > ISLAND]))


def judged(name: str, count: int, seed: int) -> tuple[Any, Any]:
    """Largest exponents and their errors of so many motions."""
    found = [nh.lyapunov(*motion, integrals=(), count=1) for motion in motions(name, count, seed)]
    rates, errors = (np.array([getattr(f, word)[0] for f in found]) for word in ("exponents", "errors"))
    sea = rates > ISLAND
    return rates[sea], errors[sea]


def motions(name: str, count: int, seed: int = 5) -> Iterator[tuple[Any, dict[str, float], float]]:
    """System, start and end of so many motions: on the attractors, in the sea at energy 1/6, on the stone's attractor."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        one, two, three = random.uniform(-1, 1, 3)
        if name == "Lorenz":
            yield LORENZ, {"x": 8 * one, "y": 8 * two, "z": 22 + 8 * three}, 1000.0
        elif name == "Roessler":
            yield ROESSLER, {"x": 5 * one, "y": 5 * two, "z": 0.1}, 2000.0
        elif name == "Henon and Heiles":
            y, slope = 0.2 * one, 0.2 * two
            speed = np.sqrt(1 / 3 - y**2 + 2 * y**3 / 3 - slope**2)
            yield HENON_HEILES, {"y": y, "ydot": slope, "xdot": float(speed)}, 5000.0
        elif name == "driven sleigh":
            yield SLEIGH, {"x": one, "y": two, "theta": 3 * three, "u": 0.4}, 2000.0
        else:
            level = nh.on_level(STONE, {"w1": 4 * one, "w2": 4 * two, "w3": 1.0}, {"energy": ENERGY}, ["w3"])
            yield STONE, {n: float(v[0]) for n, v in level.items()}, 300.0
