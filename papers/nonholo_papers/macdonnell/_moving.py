"""Four coordinates with two holonomic constraints that move: the motion from d'Alembert's principle, in numbers.

q = q(t, q̄) with two q̄ solves G(t, q) = 0. Accelerations q̄̈ are found from (Lagrange's expression in q)·∂q/∂q̄ = 0, which is
linear in them; Lagrange's equations in q̄ are not used.
"""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.evidence import slope
from nonholo_papers.macdonnell._fields import column, lagrangian, rate, table
from nonholo_papers.spectral import slope as slope_along

Array = Any
OLD, NEW = ("q1", "q2", "q3", "q4"), ("p1", "p2")
ENERGY = (
    "(1 + q2**2/4)*q1dot**2 + (3/2 + sin(q3)/3)*q2dot**2/2 + (2 + q1*q4/5)*q3dot**2/2 + 3*q4dot**2/4"
    " + q1dot*q2dot*q3/5 + q3dot*q4dot*cos(q1)/4 - q1**2*q2/3 - cos(q3)*q4/2"
)
FIELD = {(0, 1): "0.7 + q3*q4/3", (0, 2): "q2/2 + 0.4", (1, 3): "0.5*q1 + 1", (2, 3): "sin(q1)/2 + 0.6"}
FORCES = ("0.4 - q2/3", "0.2*q1*q3", "-0.5", "0.3*q4 + 0.1")
FOOT = ("q3 - q1*q2/2 - sin(t)*q1/3 - t/4", "q4 - q1**2/3 - t*q2/5")
"""G = 0 is that these vanish; G mixes them."""
PLACES = ("p1 + p2**2/5", "p2 - t*p1/6")


@lru_cache
def functions() -> SimpleNamespace:
    """All functions: of (q, t), of (q̄, t), and of (q̄, q̄̇, t)."""
    t = se.Symbol("t")
    one, two = (se.sympify(e) for e in FOOT)
    constraints = [
        one * (1 + se.sympify("q1**2/3")) + two * se.sympify("sin(q2)/2"),
        two * se.sympify("2 + q4/5 + t/7") - one * se.sympify("q3/4"),
    ]
    first = [se.sympify(e) for e in PLACES]
    table_of = {se.Symbol("q1"): first[0], se.Symbol("q2"): first[1]}
    places = [*first, *(se.Symbol(n) - e for n, e in zip(("q3", "q4"), (one, two)))]
    places = [se.expand(e).xreplace(table_of) for e in places]
    rates = [sum(e.diff(se.Symbol(n)) * se.Symbol(f"{n}dot") for n in NEW) + e.diff(t) for e in places]
    energy = se.sympify(ENERGY)
    pulled = energy.xreplace(
        dict(zip(map(se.Symbol, OLD), places)) | {se.Symbol(f"{n}dot"): r for n, r in zip(OLD, rates)}
    )
    names = [*NEW, "t"]
    both = [*NEW, "p1dot", "p2dot", "t"]
    field = [["0"] * 4 for _ in range(4)]
    for (i, j), e in FIELD.items():
        field[i][j], field[j][i] = e, f"-({e})"
    return SimpleNamespace(
        place=column(places, names),
        velocity=column(rates, both),
        constraints=column(constraints, [*OLD, "t"]),
        plain=lagrangian(energy, OLD),
        push=column([pulled.diff(se.Symbol(f"{n}dot")) for n in NEW], both),
        pull=column([pulled.diff(se.Symbol(n)) for n in NEW], both),
        field=table(field, OLD),
        forces=column([se.sympify(e) for e in FORCES], OLD),
    )


@lru_cache
def states(count: int = 3, seed: int = 3) -> tuple[SimpleNamespace, ...]:
    """Generic states with q, q̇, q̈, q̄̈, and the forces of constraint R."""
    f = functions()
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        t, p, pv = random.uniform(0.3, 1.2), random.uniform(-0.9, 0.9, 2), random.uniform(0.4, 1.3, 2)

        def motion(acceleration: Array, t: float = t, p: Array = p, pv: Array = pv) -> SimpleNamespace:
            def velocity(h: float) -> Array:
                place = p + h * pv + h * h * acceleration / 2
                return f.velocity(np.concatenate([place, pv + h * acceleration, [t + h]]))

            q, v, a = f.place(np.array([*p, t])), velocity(0.0), slope_along(velocity, 0.02, 12)
            free = rate(f.plain.push, q, v, a) - f.plain.pull(q, v) - f.field(q) @ v - f.forces(q)
            return SimpleNamespace(q=q, v=v, a=a, reaction=free)

        across = slope(f.place, np.array([*p, t]))[:, :2]
        zero = across.T @ motion(np.zeros(2)).reaction
        matrix = np.column_stack([across.T @ motion(e).reaction - zero for e in np.eye(2)])
        pa = -np.linalg.solve(matrix, zero)
        s = motion(pa)
        s.__dict__.update(t=t, p=p, pv=pv, pa=pa, across=across, drift=slope(f.place, np.array([*p, t]))[:, 2])
        normals = slope(f.constraints, np.array([*s.q, t]))
        s.__dict__.update(normals=normals[:, :4], by_time=normals[:, 4], field=f.field(s.q), forces=f.forces(s.q))
        found.append(s)
    return tuple(found)


def rate_new(function: Any, s: SimpleNamespace) -> Array:
    """``d/dt`` of a function of (q̄, q̄̇, t) along the motion."""
    step = 1e-30
    place = np.concatenate([s.p + 1j * step * s.pv, s.pv + 1j * step * s.pa, [s.t + 1j * step]])
    return np.imag(function(place)) / step
