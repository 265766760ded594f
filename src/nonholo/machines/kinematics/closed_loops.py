"""Joints between bodies that are connected already, as holonomic constraints; bodies welded together as one rigid body."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot, multiply, transpose
from nonholo.errors import ModelError, meant
from nonholo.machines.contact_geometry.rigid_pose import plus, times_matrix
from nonholo.machines.dynamics.mass_properties import Inertia
from nonholo.machines.kinematics.formula_reading import AXES, Formulas
from nonholo.machines.kinematics.joint_motions import TYPES, across, joint_axes
from nonholo.machines.kinematics.kinematic_tree import Placed, body_named, checked_joints, common_ancestor, seen_from
from nonholo.machines.kinematics.spatial_vectors import negative, point_place, turn
from nonholo.machines.machine_data import MachineData
from nonholo.machines.machine_records import GROUND, Joint
from nonholo.program.array_types import Array


def loop_residuals(
    loop: Joint, number: int, machine: MachineData, placed: Mapping[str, Placed], formulas: Formulas
) -> tuple[Expr, ...]:
    """Residuals in metres and in cosines that vanish where the loop is closed.

    A hinge keeps its points together and its axes aligned, a ball joint its points, a slider its axis and all angles. They are
    written in the frame of the body that both ends hang on: whichever rows of them are independent are so in every attitude.
    """
    where = f"loop {loop.name or number + 1}"
    if loop.type not in TYPES or loop.type == "free":
        known = [t for t in TYPES if t != "free"]
        raise ModelError(
            f"{machine.name}: {where}: no type {loop.type!r}; "
            f"{meant(loop.type, known, f'the types are {chr(44).join(known)}.')}"
        )
    for name in (loop.parent, loop.child):
        if name != GROUND:
            body_named(machine, name, where)
    if loop.parent == loop.child:
        raise ModelError(f"{machine.name}: {where} joins {loop.child!r} with itself; give two bodies.")
    ancestor = common_ancestor(loop.parent, loop.child, placed)
    (parent, before), (child, behind) = (
        seen_from(ancestor, name, machine, placed, formulas) for name in (loop.parent, loop.child)
    )
    at, held = formulas.vector(loop.at, f"{where}: at"), formulas.vector(loop.in_child, f"{where}: in_child")
    apart = plus(point_place(child, held), negative(point_place(parent, at)))
    if formulas.plane:
        return _in_plane(loop, machine, formulas, apart, before, behind, where)
    turned = formulas.rotation(loop.turned, f"{where}: turned")
    joint = transpose(multiply(parent.rotation, turned))
    own = transpose(child.rotation)
    inside = times_matrix(joint, apart)
    axes = joint_axes(loop, formulas, where)
    axis = axes[0]
    one, two = across(axis)
    together = (dot(one, inside), dot(two, inside), dot(axis, inside))

    def cosine(a: object, b: object) -> Expr:
        """Between a direction of the joint's frame and one of the child's."""
        return dot(times_matrix(transpose(joint), a), times_matrix(transpose(own), b))  # type: ignore[arg-type]

    aligned = (cosine(one, axis), cosine(two, axis))
    locked = (*aligned, cosine(one, two))
    if loop.type == "ball":
        return together
    if loop.type == "hinge":
        return (*together, *aligned)
    if loop.type == "weld":
        return (*together, *locked)
    if loop.type == "slider":
        return (*together[:2], *locked)
    if loop.type == "cylindrical":
        return (*together[:2], *aligned)
    if loop.type == "universal":
        return (*together, cosine(axes[0], axes[1]))
    return (together[2], *aligned)


def _in_plane(
    loop: Joint,
    machine: MachineData,
    formulas: Formulas,
    apart: tuple[Expr, ...],
    before: Expr,
    behind: Expr,
    where: str,
) -> tuple[Expr, ...]:
    """The rows of a loop in the plane, from the headings of its parent and its child."""
    for step in loop.turned:
        before = before + sum(formulas.number(e, f"{where}: turned") for e in step.values())
    between = behind - before
    if loop.type == "hinge":
        return apart[:2]
    if loop.type == "weld":
        return (*apart[:2], between)
    if loop.type == "slider":
        axis = joint_axes(loop, formulas, where)[0]
        side = times_matrix(turn(AXES["z"], before), (-axis[1], axis[0], axis[2]))
        return (dot(side, apart), between)
    raise ModelError(
        f"{machine.name}: {where}: a loop in the plane is a hinge, a slider or a weld; found {loop.type!r}."
    )


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
