"""Bodies that are welded together as one rigid body: one kinetic energy in the place of several."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.machines.dynamics.mass_properties import Inertia
from nonholo.machines.kinematics.formula_reading import Formulas
from nonholo.machines.kinematics.kinematic_tree import Placed, checked_joints
from nonholo.machines.machine_data import MachineData
from nonholo.machines.machine_records import GROUND
from nonholo.program.array_types import Array


def rigid_inertias(
    machine: MachineData, placed: Mapping[str, Placed], inertias: Mapping[str, Inertia], formulas: Formulas
) -> dict[str, Inertia]:
    """Mass, centre and inertia by the first body of each rigid group; groups whose numbers have names stay apart.

    In space, where all are numbers: ``c = Σ m_i c_i/m``, ``I = Σ R_i I_i R_iᵀ + m_i (|d_i|² − d_i d_iᵀ)`` with d_i = c_i − c.
    """
    joints = checked_joints(machine)
    result = dict(inertias)
    if machine.plane or not any(j.type == "weld" and j.parent != GROUND for j in joints.values()):
        return result
    for name in reversed(list(placed)):  # children before their parents
        joint = joints.get(name)
        if joint is None or joint.type != "weld" or joint.parent == GROUND:
            continue
        turned = formulas.rotation(joint.turned, f"joint {name!r}")
        at, held = (formulas.vector(e, f"joint {name!r}") for e in (joint.at, joint.in_child))
        moved = _numbers((*(e for row in turned for e in row), *at, *held))
        parts = [_numbers(_entries(one)) for one in (result[name], result[joint.parent])]
        if moved is None or parts[0] is None or parts[1] is None:
            continue
        own, base = parts[0], parts[1]
        R, place = moved[:9].reshape(3, 3), moved[9:12] - moved[:9].reshape(3, 3) @ moved[12:]
        child = (own[0], place + R @ own[1:4], R @ own[4:].reshape(3, 3) @ R.T)
        mass, centre, matrix = _together(child, (base[0], base[1:4], base[4:].reshape(3, 3)))
        x, y, z = (se.RealDouble(e) for e in centre)
        rows = [[se.RealDouble(e) if e else se.Integer(0) for e in row] for row in matrix]
        kept = result[joint.parent].shape
        a, b, c = ((row[0], row[1], row[2]) for row in rows)
        result[joint.parent] = Inertia(se.RealDouble(mass), (x, y, z), (a, b, c), kept)
        del result[name]
    return result


def _together(
    one: tuple[float, Array, Array], two: tuple[float, Array, Array]
) -> tuple[float, Array, Array]:
    """Two bodies as one."""
    mass = one[0] + two[0]
    centre = (one[0] * one[1] + two[0] * two[1]) / mass if mass else two[1]
    matrix = np.zeros((3, 3))
    for m, c, inertia in (one, two):
        d = c - centre
        matrix = matrix + inertia + m * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, centre, (matrix + matrix.T) / 2


def _entries(one: Inertia) -> tuple[Expr, ...]:
    return (one.mass, *one.center, *(e for row in one.matrix for e in row))


def _numbers(exprs: tuple[Expr, ...]) -> Array | None:
    """The numbers of expressions without names."""
    if any(e.free_symbols for e in exprs):
        return None
    return np.array([float(e.n(53, real=True)) for e in exprs])
