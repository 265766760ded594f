"""Euler–Poincaré–Suslov equations in numbers: coadjoint action, the measure's covector, and se(2) as (turn, along, across)."""

from __future__ import annotations

from typing import Any

import numpy as np

Vector = Any


def quadratic_flow(accelerations: Any, size: int) -> Any:
    """``∂f_i/∂z_j`` of a homogeneous quadratic flow ``ż = f(z)``, as a function of ``z``; central differences are exact."""

    def slopes(z: Vector) -> Vector:
        columns = [(accelerations(z + e) - accelerations(z - e)) / 2 for e in np.eye(size)]
        return np.column_stack(columns)

    return slopes

def se2() -> Vector:
    """``C[A, B, C]`` of se(2) in the body frame of BMZ 2009 §6.2: ``[e1, e2] = e3``, ``[e1, e3] = −e2``."""
    table = np.zeros((3, 3, 3))
    table[0, 1, 2], table[1, 0, 2] = 1, -1
    table[0, 2, 1], table[2, 0, 1] = -1, 1
    return table


def coadjoint(algebra: Vector, velocity: Vector, momentum: Vector) -> Vector:
    """``(ad*_Ω p)_B = C_AB^C Ω^A p_C``."""
    return np.einsum("abc,a,c->b", algebra, velocity, momentum)


def measure_covector(algebra: Vector, inertia: Vector, a: Vector) -> Vector:
    """``K ad*_{I⁻¹a} a + T``, a multiple of a exactly when measure is preserved [BMZ 2009 (5.5), (5.6)]."""
    inverse = np.linalg.solve(inertia, a)
    return coadjoint(algebra, inverse, a) / (a @ inverse) + np.einsum("bcc->b", algebra)
