"""Four coordinates, two affine constraints, a magnetic form that is not closed: two Lagrangians, one not quadratic in q̇.

Accelerations are those of the multiplier witness.
"""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.evidence import moving_system
from nonholo_papers.macdonnell._fields import column, lagrangian, table

Array = Any
NAMES = ("q1", "q2", "q3", "q4")
METRIC = (
    ("2 + q2**2/2", "q3/5", "q2/6", "1/4"),
    ("q3/5", "3/2 + sin(q3)/3", "1/3", "q1/7"),
    ("q2/6", "1/3", "2 + q1*q4/5", "cos(q1)/4"),
    ("1/4", "q1/7", "cos(q1)/4", "2"),
)
POTENTIAL = "q1**2*q2/3 + cos(q3)*q4/2"
CURVED = "(q1dot**2 + q2dot*q3dot)**2/50 + q4dot**4/20 + q2*q1dot/3"
ROWS = (("-q2", "1/5", "-(1 + q1/3)/2", "1"), ("q3/2", "1", "-q4/3", "q2/6"))
OFFSETS = ("sin(q2)/3 + 1/4", "q1/4 + 1/5")
"""B q̇ = b."""
FIELD = {(0, 1): "0.7 + q3*q4/3", (0, 2): "q2/2 + 0.4", (1, 3): "0.5*q1 + 1", (2, 3): "sin(q1)/2 + 0.6"}


def kinetic() -> Any:
    """½ K_ij q̇^i q̇^j."""
    v = [se.Symbol(f"{n}dot") for n in NAMES]
    return sum(se.sympify(METRIC[i][j]) * v[i] * v[j] for i in range(4) for j in range(4)) / 2


@lru_cache
def functions(natural: bool = False) -> SimpleNamespace:
    """L and its derivatives; K, U, B, b, M."""
    energy = kinetic() - se.sympify(POTENTIAL) + (0 if natural else se.sympify(CURVED))
    field = [["0"] * 4 for _ in range(4)]
    for (i, j), e in FIELD.items():
        field[i][j], field[j][i] = e, f"-({e})"
    found = lagrangian(energy, NAMES)
    found.expression = energy
    found.metric = table(METRIC, NAMES)
    found.potential = column([POTENTIAL], NAMES)
    found.rows = table(ROWS, NAMES)
    found.offsets = column(OFFSETS, NAMES)
    found.field = table(field, NAMES)
    return found


def system(natural: bool = False, affine: bool = True, magnetic: bool = True) -> Any:
    """The system for the witness."""
    from nonholo.model.system import System

    rows = []
    for row, offset in zip(ROWS, OFFSETS):
        text = " + ".join(f"({e})*{n}dot" for e, n in zip(row, NAMES))
        rows.append(f"{text} - ({offset})" if affine else text)
    return System(
        name="affine",
        coordinates=" ".join(NAMES),
        lagrangian=functions(natural).expression,
        constraints=rows,
        magnetic={(NAMES[i], NAMES[j]): e for (i, j), e in FIELD.items()} if magnetic else {},
    )


@lru_cache
def states(natural: bool = False, affine: bool = True, magnetic: bool = True) -> tuple[SimpleNamespace, ...]:
    """States with q, q̇, q̈, the derivatives of L, the constraints and the multipliers λ."""
    f = functions(natural)
    found = []
    for s in moving_system(system(natural, affine, magnetic), {}, 3, 5):
        q = np.array([getattr(s, n) for n in NAMES])
        v = np.array([getattr(s, f"{n}dot") for n in NAMES])
        a = np.array([s.rate(f"{n}dot") for n in NAMES])
        p = SimpleNamespace(q=q, v=v, a=a, hessian=f.hessian(q, v), mixed=f.mixed(q, v), pull=f.pull(q, v))
        p.rows, p.field = f.rows(q), f.field(q) if magnetic else np.zeros((4, 4))
        p.values = f.offsets(q) if affine else np.zeros(2)
        step = 1e-30
        moved = q + 1j * step * v
        bent = (f.offsets(moved) if affine else 0) - f.rows(moved) @ v
        p.bent = np.imag(bent) / step  # B q̈ = g
        p.momentum = f.push(q, v)
        p.momentum_rate = p.hessian @ a + p.mixed @ v
        p.force = p.momentum_rate - p.pull - p.field @ v
        p.lambdas = np.linalg.lstsq(p.rows.T, p.force, rcond=None)[0]
        found.append(p)
    return tuple(found)
