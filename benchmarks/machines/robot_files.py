"""Robots of other people's packages: accelerations of nonholo beside Pinocchio (URDF) and MuJoCo (MJCF) at random states.

``ROBOTS=folder python -m benchmarks machines.robot_files`` walks a folder, for instance the unpacked wheels of ``pybullet``,
``example-robot-data``, ``dm_control`` and ``gymnasium``. Contacts, limits, tendons and dry friction are off in MuJoCo; mimic
joints are released in nonholo, as in Pinocchio; the base is fixed in URDF.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import nonholo as nh
from nonholo.machines.robot_files.frame_rotations import from_quaternion
from nonholo.machines.robot_files.robot_machine import coordinate_names, read_robot, robot_machine

LARGEST = 20
"""Degrees of freedom; the equations of a humanoid take a minute to interpret without compiling."""


def table() -> list[dict[str, Any]]:
    """One row for each robot that both programs read and that moves, then the others by reason."""
    folder = Path(os.environ.get("ROBOTS", "."))
    files = sorted(p for p in folder.rglob("*") if p.suffix in (".urdf", ".xml") and "random_urdfs" not in p.parts)
    rows, others = [], {}
    for file in files:
        try:
            rows += _urdf(file) if file.suffix == ".urdf" else _mjcf(file)
        except Exception as trouble:  # a survey of strangers' files: each reason is counted and shown
            reason = f"{type(trouble).__name__}: {str(trouble).splitlines()[0][-100:]}"
            others.setdefault(reason, []).append(file.name)
    return [*rows, *({"robot": ", ".join(names)[:60], "left out": reason} for reason, names in others.items())]


def _row(
    file: Path, system: nh.System, seconds: float, found: dict[str, float], expected: dict[str, float]
) -> dict[str, Any]:
    gap = max(abs(found[n] - e) / (1 + abs(e)) for n, e in expected.items())
    return {"robot": file.name, "coordinates": len(system.coordinates), "derive [s]": seconds, "difference": gap}


def _urdf(file: Path) -> Iterator[dict[str, Any]]:
    import pinocchio as pin

    model = pin.buildModelFromUrdf(str(file))
    if not 0 < model.nv <= LARGEST:
        raise ValueError(f"{'no' if not model.nv else 'more than 20'} degrees of freedom")
    before = process_time()
    machine = replace(robot_machine(file), holonomic=())
    system = nh.assemble(machine)
    equations = nh.hamel(system)
    seconds = process_time() - before
    rng = np.random.default_rng(0)
    q, v, tau = pin.neutral(model), rng.uniform(-1, 1, model.nv), np.zeros(model.nv)
    damping = {spring.joint: float(str(spring.damping)) for spring in machine.springs}
    names = coordinate_names([j.name for j in _moving(file) if j.kind != "free"])
    state, places = {}, {}
    for k in range(1, model.njoints):
        joint, name, angle = model.joints[k], names[model.names[k]], rng.uniform(-1, 1)
        q[joint.idx_q : joint.idx_q + joint.nq] = angle if joint.nq == 1 else (math.cos(angle), math.sin(angle))
        state |= {name: angle, f"{name}dot": float(v[joint.idx_v])}
        tau[joint.idx_v] = -damping.get(name, 0.0) * v[joint.idx_v]
        places[f"{name}dot"] = joint.idx_v
    expected = pin.aba(model, model.createData(), q, v, tau)
    found = equations.rates(state, system.parameters)
    yield _row(file, system, seconds, found, {n: float(expected[k]) for n, k in places.items()})


def _moving(file: Path) -> list[Any]:
    return [joint for joint in read_robot(file).joints if joint.kind != "weld"]


def _mjcf(file: Path) -> Iterator[dict[str, Any]]:
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(file))
    flags = mujoco.mjtDisableBit
    off = (
        flags.mjDSBL_CONTACT,
        flags.mjDSBL_LIMIT,
        flags.mjDSBL_FRICTIONLOSS,
        flags.mjDSBL_EQUALITY,
        flags.mjDSBL_ACTUATION,
    )
    model.opt.disableflags |= sum(int(flag) for flag in off)
    model.opt.density = model.opt.viscosity = 0
    moving = _moving(file)
    kinds = [joint.kind for joint in moving]
    if not 0 < model.nv <= LARGEST or "ball" in kinds or "free" in kinds[1:]:
        raise ValueError("several free bodies, ball joints, no joint, or more than 20 degrees of freedom")
    before = process_time()
    machine = replace(robot_machine(file), holonomic=(), loops=())
    system = nh.assemble(machine)
    equations = nh.hamel(system)
    seconds = process_time() - before
    data, rng, names = (
        mujoco.MjData(model),
        np.random.default_rng(0),
        coordinate_names([j.name for j in moving if j.kind != "free"]),
    )
    state, places = dict.fromkeys(system.inputs, 0.0), {}
    data.qpos[:], data.qvel[:] = model.qpos0 + rng.uniform(-1, 1, model.nq), rng.uniform(-1, 1, model.nv)
    for k, joint in enumerate(moving):
        at, speed = model.jnt_qposadr[k], model.jnt_dofadr[k]
        if joint.kind == "free":
            data.qpos[at + 3 : at + 7] /= np.linalg.norm(data.qpos[at + 3 : at + 7])
            turned = from_quaternion(data.qpos[at + 3 : at + 7].tolist())
            state |= {f"R{i + 1}{j + 1}": float(turned[i, j]) for i in range(3) for j in range(3)}
            state |= {name: float(data.qpos[at + i]) for i, name in enumerate("xyz")}
            rates = ["xdot", "ydot", "zdot", "w1", "w2", "w3"]
        else:
            state[names[joint.name]] = float(data.qpos[at] - model.qpos0[at])
            rates = [f"{names[joint.name]}dot"]
        places |= {name: speed + i for i, name in enumerate(rates)}
    state |= {name: float(data.qvel[k]) for name, k in places.items()}
    model.tendon_stiffness[:] = 0
    mujoco.mj_forward(model, data)
    found = equations.rates(state, system.parameters)
    yield _row(file, system, seconds, found, {n: float(data.qacc[k]) for n, k in places.items()})
