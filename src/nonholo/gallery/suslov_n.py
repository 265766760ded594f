"""Suslov's problem in n dimensions: a body that turns only in the planes that hold its last axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import symbol
from nonholo.errors import ModelError
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace
from nonholo.geometry.groups.lie_algebra import (
    LieAlgebra,
    constants_of_matrices,
)
from nonholo.model.system import System

TITLE = "Suslov problem on so(n)"
GROUP = "Tops and pendulums"
PAPERS = "BMZ 2009 §5, (5.4); Notices 2005 (14); Zenkov and Bloch 2000"

Vector = Any
MOST = 7


def exhibit(n: int = 4) -> Exhibit:
    """``Ω_ij = 0`` for i, j < n; mass tensor with diagonal ``J1 … Jn`` and products ``d1 … d(n−1)`` with the last axis."""
    if not isinstance(n, int) or isinstance(n, bool) or not 3 <= n <= MOST:
        raise ModelError(f"suslov-n: n = {n!r}; give a whole number from 3 to {MOST}.")
    pairs = _pairs(n)
    names = [_rate(i, j) for i, j in pairs]
    values = {f"J{i}": round(0.5 + 0.2 * i + 0.03 * i**2, 3) for i in range(1, n + 1)}
    values |= {f"d{i}": round(0.6 * (-1) ** i / i + 0.23, 3) for i in range(1, n)}
    matrices = [_turn(n, i, j) for i, j in pairs]
    free = [_rate(i, n) for i in range(1, n)]
    return Exhibit(
        name="suslov-n",
        title=TITLE,
        group=GROUP,
        system=System(
            name=f"Suslov problem on so({n})",
            frame=LieAlgebra(constants_of_matrices(matrices), rates=" ".join(names)),
            parameters=" ".join(values),
            lagrangian=_energy(n),
            constraints=[name for name in names if name not in free],
        ),
        parameters=values,
        start={name: round(0.9 / (k + 1) - 0.3 * k, 3) for k, name in enumerate(free)},
        until=40.0,
        references=(
            "BMZ 2009, §5, (5.4)–(5.6)",
            "Notices 2005, (12)–(16)",
            "Zenkov and Bloch 2000",
            "Fedorov and Kozlov 1995",
        ),
        units={**dict.fromkeys(values, "kg m²"), **dict.fromkeys(names, "rad/s")},
        drawing=Drawing(
            bodies=(
                Body("arrow", ("0", "0", "0"), size=dict(zip("xyz", [*free, "0"][:3])), colour="firebrick", label="ω"),
                Body(
                    "arrow",
                    ("0", "0", "0"),
                    size=dict(zip("xyz", [*(f"d{i}" for i in range(1, n)), "0"][:3])),
                    colour="black",
                    label="d",
                ),
            ),
            traces=(Trace(_first_three(free), "ω"),),
            ground="none",
            plots=tuple(("t", name) for name in free),
        ),
        story=(
            "The same body in n dimensions, free to turn only in the planes through its last axis. Whatever the dimension, it "
            "falls from one steady turning to the opposite one, along the direction of its products of inertia."
        ),
    )


def _rate(i: int, j: int) -> str:
    return f"w{i}{j}"


def _pairs(n: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(1, n + 1) for j in range(i + 1, n + 1)]


def _turn(n: int, i: int, j: int) -> Vector:
    matrix = np.zeros((n, n), dtype=int)
    matrix[i - 1, j - 1], matrix[j - 1, i - 1] = 1, -1
    return matrix


def _first_three(names: list[str]) -> tuple[str, str, str]:
    one, two, three = [*names, "0"][:3]
    return (one, two, three)


def _energy(n: int) -> Any:
    """``½ tr(Ω J Ωᵀ)``: the kinetic energy of a body with mass tensor J."""

    def spin(i: int, j: int) -> Any:
        return symbol(_rate(i, j)) if i < j else -symbol(_rate(j, i)) if i > j else se.Integer(0)

    def mass(i: int, j: int) -> Any:
        if i == j:
            return symbol(f"J{i}")
        return symbol(f"d{min(i, j)}") if n in (i, j) else se.Integer(0)

    every = range(1, n + 1)
    return sum(spin(a, b) * mass(b, c) * spin(a, c) for a in every for b in every for c in every) / 2
