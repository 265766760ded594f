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
MOTIONS = ("Lorenz", "Roessler", "Henon and Heiles", "stone")


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
        else:
            level = nh.on_level(STONE, {"w1": 4 * one, "w2": 4 * two, "w3": 1.0}, {"energy": ENERGY}, ["w3"])
            yield STONE, {n: float(v[0]) for n, v in level.items()}, 300.0
