"""Trees of bodies with every type of joint: Newton–Euler equations in maximal coordinates give the same accelerations."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.calculus import along, substitute, symbol, symbols
from nonholo.algebra.linear_equations import evaluate
from nonholo.machines.contact_geometry.rigid_pose import times_matrix
from nonholo.machines.dynamics.assembly import Assembly, assembly_of
from nonholo.machines.kinematics.spatial_vectors import point_place, point_velocity
from nonholo.machines.machine import Machine
from tests.machines.newton_euler import GROUND, Rigid, accelerations, joint, weight

ROOTS = ("x y z matrix", "x y z quaternion", "x y z yaw roll pitch")
MASS = {"root": 2.0, "arm": 1.3, "tip": 0.7}
INERTIA = {"root": (0.3, 0.4, 0.5), "arm": (0.2, 0.3, 0.25), "tip": (0.1, 0.15, 0.12)}
CENTER = {"root": (0.1, -0.2, 0.3), "arm": (0.3, 0.1, -0.1), "tip": (-0.1, 0.2, 0.15)}
NAMES = {"hinge": "q", "slider": "q", "cylindrical": "q s", "universal": "q s", "ball": "A", "planar": "q s u", "weld": ""}
PLACE, HELD = (0.4, -0.1, 0.2), (0.05, 0.3, -0.2)
AXIS = (0.6, 0.0, 0.8)


def machine(kind: str, free: str | None) -> Machine:
    bodies = [
        {"name": n, "mass": MASS[n], "center": CENTER[n], "inertia": {"xx": a, "yy": b, "zz": c, "xy": 0.02, "xz": -0.03}}
        for n, (a, b, c) in INERTIA.items()
    ]
    axis: object = "x z" if kind == "universal" else AXIS
    if free is not None:
        bodies[0]["free"] = free
    second = {"type": kind, "name": NAMES[kind], "parent": "root", "child": "arm", "at": PLACE, "in_child": HELD, "axis": axis}
    third = {"name": "h", "parent": "arm", "child": "tip", "at": (0, 0.2, 0.1), "turned": [{"x": 0.3}, {"z": -0.5}], "axis": "y"}
    held = [] if free is not None else [{"name": "r", "child": "root", "axis": "y", "at": (0, 0, 1)}]
    return Machine(name=kind, bodies=bodies, joints=[*held, second, third])  # type: ignore[arg-type]


def rigid(parts: Assembly, name: str, state: dict[str, float]) -> Rigid:
    pose, inertia = parts.placed[name].pose, parts.inertias[name]
    exprs = [*point_place(pose, inertia.center), *(e for row in pose.rotation for e in row)]
    exprs += [*point_velocity(pose, inertia.center), *times_matrix(pose.rotation, pose.spin)]
    numbers = evaluate(exprs, state)
    matrix = evaluate([e for row in inertia.matrix for e in row], state).reshape(3, 3)
    return Rigid(MASS[name], matrix, numbers[:3], numbers[3:12].reshape(3, 3), numbers[12:15], numbers[15:])


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("free", [None, *ROOTS])
def test_accelerations_of_all_bodies(kind: str, free: str | None) -> None:
    made = machine(kind, free)
    system, parts = nh.assemble(made), assembly_of(made)
    random = np.random.default_rng(len(kind) + len(free or ""))
    start = {n: float(e) for n, e in zip(system.coordinates, random.uniform(-0.7, 0.7, len(system.coordinates)))}
    plain = {n: e for n, e in start.items() if not n.startswith(("R", "A", "q0", "q1", "q2", "q3")) or n in NAMES[kind].split()}
    speeds = dict(zip(system.velocities, random.uniform(-1, 1, len(system.velocities)).tolist()))
    state = nh.complete_state(system, {**plain, **rotations(system, random), **speeds})
    rates = nh.hamel(system).rates(state, {"g": 9.81})
    bodies = [rigid(parts, name, state) for name in MASS]
    center = {n: np.array(c) for n, c in CENTER.items()}
    witness = [
        joint(kind, 0, 1, np.array(HELD) - center["arm"], (1, 0, 0) if kind == "universal" else AXIS, (0, 0, 1)),
        joint("hinge", 1, 2, -center["tip"], turned_axis()),
    ]
    witness += [joint("hinge", GROUND, 0, -center["root"], (0, 1, 0))] if free is None else []
    found, _ = accelerations(bodies, witness, weight(bodies))
    flow = {symbol(n): e for n, e in zip(system.coordinates, substitute(system.frame.rates, {}))}
    flow |= {s: symbol(f"_{s}") for s in symbols(system.velocities)}
    pushes = {f"_{n}": rates[n] for n in system.velocities}
    for k, name in enumerate(MASS):
        pose, inertia = parts.placed[name].pose, parts.inertias[name]
        exprs = along([*point_velocity(pose, inertia.center), *times_matrix(pose.rotation, pose.spin)], flow)
        assert evaluate(exprs, {**state, **pushes}) == pytest.approx(found[k], rel=1e-11, abs=1e-10), name


def turned_axis() -> np.ndarray:
    """The third joint's axis in its parent: y after turns about x and z."""
    c, s = np.cos(0.3), np.sin(0.3)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) @ np.array([np.sin(0.5), np.cos(0.5), 0.0])


def rotations(system: nh.System, random: np.random.Generator) -> dict[str, float]:
    """Random rotations for every rotation matrix and quaternion of the frame."""
    found: dict[str, float] = {}
    for words in system.frame.recipe:
        name = words.get("name", "")
        turned, _ = np.linalg.qr(random.normal(size=(3, 3)))
        turned *= np.sign(np.linalg.det(turned))
        if words["kind"] == "SO3":
            found |= {f"{name}{i + 1}{j + 1}": float(turned[i, j]) for i in range(3) for j in range(3)}
        elif words["kind"] == "Quaternion":
            numbers = random.normal(size=4)
            found |= {f"{name}{i}": float(e) for i, e in enumerate(numbers / np.linalg.norm(numbers))}
    return found
