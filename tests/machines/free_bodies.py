"""Systems of free rigid bodies with contacts, built from the contact geometry alone, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import symengine as se

import nonholo as nh
from nonholo.algebra.calculus import symbols
from nonholo.algebra.linear_equations import dot
from nonholo.geometry.frames.frame import Euclidean
from nonholo.geometry.groups.matrix_groups import SO3, cross
from nonholo.machines.contact_geometry.contact_rows import ContactGeometry, contact_geometry
from nonholo.machines.contact_geometry.rigid_pose import Pose, vector
from nonholo.machines.contact_geometry.support_functions import read_shape
from nonholo.machines.contact_geometry.surfaces import read_ground, surface_of


def pose_of(tail: str = "") -> Pose:
    """The pose of a body with coordinates x y z and a rotation matrix R, body rates w1 w2 w3."""
    place = symbols(f"{c}{tail}" for c in "xyz")
    rotation = tuple(symbols(f"R{tail}{i}{j}" for j in (1, 2, 3)) for i in (1, 2, 3))
    velocity, spin = symbols(f"{c}{tail}dot" for c in "xyz"), symbols(f"w{k}{tail}" for k in (1, 2, 3))
    return Pose(vector(place), rotation, vector(velocity), vector(spin))


def kinetic(pose: Pose, mass: Any, inertia: Sequence[Any], centre: Sequence[Any] = (0, 0, 0)) -> tuple[Any, Any]:
    """Kinetic energy and height of the centre of mass."""
    arm = cross(pose.spin, [se.sympify(e) for e in centre])
    speed = [v + dot(row, arm) for v, row in zip(pose.velocity, pose.rotation)]
    energy = mass * dot(speed, speed) / 2 + sum(se.sympify(i) * w**2 for i, w in zip(inertia, pose.spin)) / 2
    return energy, pose.origin[2] + dot(pose.rotation[2], [se.sympify(e) for e in centre])


def free_body(
    shape: Mapping[str, Any],
    ground: Mapping[str, Any] | None = None,
    values: Mapping[str, float] | None = None,
    kind: str = "rolling",
    inertia: Sequence[str] = ("I1", "I2", "I3"),
    centre: Sequence[Any] = (0, 0, 0),
    start: Mapping[str, float] | None = None,
    **more: Any,
) -> tuple[nh.System, ContactGeometry]:
    """One free body of mass m on a ground."""
    values = {"m": 0.7, "g": 9.81, "I1": 0.011, "I2": 0.017, "I3": 0.013, **(values or {})}
    names = list(values)
    pose = pose_of()
    surface, base = read_ground(ground or {}, names)
    contact = contact_geometry("c", read_shape(shape, names, "body"), pose, surface, base, kind=kind, **more)
    energy, height = kinetic(pose, symbols(["m"])[0], [se.Symbol(i) for i in inertia], [se.sympify(e) for e in centre])
    system = nh.System(
        name="free body",
        frame=SO3("R", rates="w1 w2 w3") * Euclidean(("x", "y", "z", *contact.coordinates)),
        parameters=values,
        lagrangian=energy - se.Symbol("m") * se.Symbol("g") * height,
        constraints=contact.rows,
        start=start or {},
        holonomic=(contact.gap, *contact.equations),
    )
    return system, contact


def two_bodies(
    upper: Mapping[str, Any], lower: Mapping[str, Any], start: Mapping[str, float]
) -> tuple[nh.System, tuple[ContactGeometry, ContactGeometry]]:
    """A body (tail a) on a body (tail b) on the plane z = 0."""
    values = {"ma": 0.4, "mb": 0.9, "g": 9.81, "Ia": 0.004, "Ib": 0.02}
    names = list(values)
    one, two = pose_of("a"), pose_of("b")
    below = read_shape(lower, names, "b")
    surface, frame = surface_of(below, False, two, "a")
    ground, base = read_ground({}, names)
    contacts = (
        contact_geometry("c", read_shape(upper, names, "a"), one, surface, two, frame),
        contact_geometry("d", below, two, ground, base),
    )
    energies = [kinetic(pose, se.Symbol(f"m{k}"), [se.Symbol(f"I{k}")] * 3) for pose, k in ((one, "a"), (two, "b"))]
    height = sum(se.Symbol(f"m{k}") * high for (_, high), k in zip(energies, "ab"))
    further = (*contacts[0].coordinates, *contacts[1].coordinates)
    system = nh.System(
        name="two bodies",
        frame=SO3("Ra", rates="w1a w2a w3a")
        * SO3("Rb", rates="w1b w2b w3b")
        * Euclidean(("xa", "ya", "za", "xb", "yb", "zb", *further)),
        parameters=values,
        lagrangian=energies[0][0] + energies[1][0] - se.Symbol("g") * height,
        constraints=(*contacts[0].rows, *contacts[1].rows),
        holonomic=(contacts[0].gap, contacts[1].gap, *contacts[0].equations, *contacts[1].equations),
        start=start,
    )
    return system, contacts
