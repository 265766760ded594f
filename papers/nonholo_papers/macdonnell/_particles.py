"""Two charged particles in static fields with generic numbers, and their motion by a Lagrangian with a vector potential."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.evidence import Moving, moving_system, slope
from nonholo_papers.macdonnell._fields import column, lagrangian

Array = Any
MASSES, CHARGES = (0.8, 1.7), (1.3, -0.6)
GRAVITY, ELECTRIC = "3*x3 + x1*x2/4", "x1**2/3 - x2*x3/2 + sin(x1)/2"
VECTOR = ("x2*x3/2 - x2/3", "x1**2/3 + x3*x1/4", "sin(x1)/2 + x2**2/5")
"""The vector potential, whose curl is the magnetic field."""
FORCES = ("0.4 - x12/5", "0.3*x11*x21", "-0.7", "0.2*x23", "0.6 + x12/4", "-0.3*x22*x11")
CARTESIAN = tuple(f"x{i}{j}" for i in (1, 2) for j in (1, 2, 3))
GENERAL = tuple(f"q{k}" for k in range(1, 7))
"""Cartesian coordinates of the two as functions of the q."""
PLACES = (
    "q1 + q2*q4/5",
    "q2 - sin(q1)/4",
    "q3 + q1*q2/6",
    "q4 + q5**2/7",
    "q5 - q6*q1/5",
    "q6 + sin(q4)/3",
)
NEWER = ("p1 + p2**2/6", "p2 - p3*p6/7", "p3 + sin(p1)/5", "p4 + p5*p2/6", "p5 + p1/4", "p6 - p4**2/8")
"""The q as functions of other coordinates, q̄."""
OTHERS = tuple(f"p{k}" for k in range(1, 7))


def parsed(text: str, names: tuple[str, ...], particle: int) -> Any:
    """A function of (x1, x2, x3) at one of the particles."""
    return se.sympify(text).subs({se.Symbol(f"x{j}"): se.Symbol(names[3 * particle + j - 1]) for j in (1, 2, 3)})


def potential() -> Any:
    """``U = Σ m φ + q ψ``."""
    return sum(
        MASSES[i] * parsed(GRAVITY, CARTESIAN, i) + CHARGES[i] * parsed(ELECTRIC, CARTESIAN, i) for i in range(2)
    )


def kinetic() -> Any:
    """``K = ½ Σ m ẋ²``."""
    return sum(MASSES[k // 3] * se.Symbol(f"{n}dot") ** 2 for k, n in enumerate(CARTESIAN)) / 2


@lru_cache
def functions() -> SimpleNamespace:
    """U and its slope, L, the magnetic field at both particles, F, and the maps of coordinates."""
    names = list(CARTESIAN)
    potentials = [parsed(v, CARTESIAN, i) for i in range(2) for v in VECTOR]
    x = [se.Symbol(n) for n in names]
    curls = []
    for i in range(2):
        a, d = potentials[3 * i : 3 * i + 3], x[3 * i : 3 * i + 3]
        curls += [a[(k + 2) % 3].diff(d[(k + 1) % 3]) - a[(k + 1) % 3].diff(d[(k + 2) % 3]) for k in range(3)]
    return SimpleNamespace(
        gradient=column([potential().diff(e) for e in x], names),
        field=column(curls, names),
        forces=column([se.sympify(f) for f in FORCES], names),
        plain=lagrangian(kinetic() - potential(), CARTESIAN),
        place=column([se.sympify(p) for p in PLACES], GENERAL),
        newer=column([se.sympify(p) for p in NEWER], OTHERS),
        general=lagrangian(_pulled(kinetic() - potential(), CARTESIAN, PLACES, GENERAL), GENERAL),
        other=lagrangian(
            _pulled(_pulled(kinetic() - potential(), CARTESIAN, PLACES, GENERAL), GENERAL, NEWER, OTHERS), OTHERS
        ),
    )


def _pulled(expr: Any, old: tuple[str, ...], places: tuple[str, ...], new: tuple[str, ...]) -> Any:
    """A function of (x, ẋ) as one of (q, q̇) where x = x(q)."""
    maps = [se.sympify(p) for p in places]
    rates = [sum(m.diff(se.Symbol(n)) * se.Symbol(f"{n}dot") for n in new) for m in maps]
    table = dict(zip(map(se.Symbol, old), maps)) | {se.Symbol(f"{n}dot"): r for n, r in zip(old, rates)}
    return expr.xreplace(table)


@lru_cache
def witness() -> tuple[Moving, ...]:
    """States with their accelerations, by the multiplier form of L = K − U + Σ q a·ẋ with the forces F."""
    from nonholo.model.system import System

    magnetic = sum(
        CHARGES[k // 3] * parsed(VECTOR[k % 3], CARTESIAN, k // 3) * se.Symbol(f"{n}dot")
        for k, n in enumerate(CARTESIAN)
    )
    system = System(
        name="charges",
        coordinates=" ".join(CARTESIAN),
        lagrangian=kinetic() - potential() + magnetic,
        forces=dict(zip(CARTESIAN, FORCES)),
    )
    return tuple(moving_system(system, {}, 3, 4))


@lru_cache
def states() -> tuple[SimpleNamespace, ...]:
    """The same as arrays: cartesian, in the q and in the q̄, with all rates."""
    f = functions()
    found = []
    for s in witness():
        x = np.array([getattr(s, n) for n in CARTESIAN])
        v = np.array([getattr(s, f"{n}dot") for n in CARTESIAN])
        a = np.array([s.rate(f"{n}dot") for n in CARTESIAN])
        q, qv, qa = moved(f.place, x, v, a)
        p, pv, pa = moved(f.newer, q, qv, qa)
        found.append(
            SimpleNamespace(
                x=x, v=v, a=a, q=q, qv=qv, qa=qa, p=p, pv=pv, pa=pa,
                field=f.field(x), forces=f.forces(x), jacobian=slope(f.place, q), newer=slope(f.newer, p),
            )
        )  # fmt: skip
    return tuple(found)


def moved(place: Any, x: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """q, q̇, q̈ with x = place(q), by Newton's method and differentiation."""
    from nonholo_papers.spectral import slope as slope_along

    q = np.array(x)
    for _ in range(60):
        q = q - np.linalg.solve(slope(place, q), place(q) - x)
    rates = np.linalg.solve(slope(place, q), v)
    bent = slope_along(lambda tau: slope(place, q + tau * rates) @ rates, 0.05, 12)
    return q, rates, np.linalg.solve(slope(place, q), a - bent)


def lorentz(s: SimpleNamespace, charged: bool) -> Array:
    """``Σ ε_jkm ẋ_ik B_m`` for both particles, with or without the charge."""
    sizes = CHARGES if charged else (1.0, 1.0)
    return np.concatenate([sizes[i] * np.cross(s.v[3 * i : 3 * i + 3], s.field[3 * i : 3 * i + 3]) for i in range(2)])


def magnetic(s: SimpleNamespace, charged: bool) -> Array:
    """``M_ij = Σ ε_mrs B_s ∂x_km/∂q_i ∂x_kr/∂q_j``, with or without the charge."""
    sizes = CHARGES if charged else (1.0, 1.0)
    epsilon = np.zeros((3, 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        epsilon[i, j, k], epsilon[j, i, k] = 1, -1
    total = np.zeros((6, 6))
    for k in range(2):
        rows = s.jacobian[3 * k : 3 * k + 3]
        total += sizes[k] * np.einsum("mrs,s,mi,rj->ij", epsilon, s.field[3 * k : 3 * k + 3], rows, rows)
    return total
