"""Slip, energy and speed of rolling machines: nonholo, MuJoCo and Pinocchio on the same file from the same state.

MuJoCo keeps wheels by friction in soft contacts, nonholo by constraints. Pinocchio has neither: its column is one call of the
forward dynamics of the tree without contacts. Slip is the velocity of the wheel's material point at the contact, energy the
largest departure from the start by the kinetic energy at the start, speed the processor time for one second of motion.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import nonholo as nh
from benchmarks.machines.models import CASES, Case

STEPS = (("2 ms, implicitfast", 0.002, "implicitfast"), ("0.1 ms, RK4", 0.0001, "RK4"))
FREE = ("x", "y", "z", "yaw", "roll", "pitch")


def table() -> list[dict[str, Any]]:
    """One row for each machine and program."""
    return [row for case in CASES for row in _rows(case)]


def _rows(case: Case) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.xml"
        file.write_text(_text(case, *STEPS[0][1:]))
        system = nh.load(file, wheels=list(case.wheels), base=" ".join(FREE))
    yaw, roll, pitch = case.tilt
    guess = {"yaw": yaw, "roll": roll, "pitch": pitch, "z": f"~{case.place[2]}", **case.angles}
    start = {**guess, **case.speeds}
    nh.simulate(system, start, 0.01)
    before = process_time()
    run = nh.simulate(system, start, case.until, rtol=1e-10, atol=1e-12)
    spent = process_time() - before
    first = {name: float(run.data[name][0]) for name in (*system.coordinates, *(f"{c}dot" for c in system.coordinates))}
    last = {name: float(run.data[name][-1]) for name in ("x", "y", "yaw")}
    kinetic = _kinetic(system, first)
    energy = float(np.ptp(run.data["energy"].values)) / kinetic
    slip = float(np.max(np.abs(run.contacts["slip"].values))) if "slip" in run.contacts else math.nan
    yield {
        "machine": case.name, "program": "nonholo", "slip [m/s]": slip, "energy": energy, "s for one second": spent / case.until,
        "right-hand side [µs]": _microseconds(_own_call(system, first)), "ends apart [m]": 0.0,
    }  # fmt: skip
    yield from _mujoco(case, system, first, last, kinetic)
    yield {
        "machine": case.name,
        "program": "Pinocchio (tree only)",
        "right-hand side [µs]": _microseconds(_pinocchio_call(case)),
    }


def _text(case: Case, step: float, method: str) -> str:
    return case.text.format(step=step, method=method)


def _kinetic(system: nh.System, state: dict[str, float]) -> float:
    """Kinetic energy: what the energy loses when all velocities are zero."""
    still = {name: 0.0 if name.endswith("dot") else value for name, value in state.items()}
    moving, resting = (nh.simulate(system, given, 1e-9).data["energy"][0] for given in (state, still))
    return float(moving - resting)


def _microseconds(call: Callable[[], object], turns: int = 2000) -> float:
    call()
    before = process_time()
    for _ in range(turns):
        call()
    return (process_time() - before) / turns * 1e6


def _own_call(system: nh.System, state: dict[str, float]) -> Callable[[], object]:
    model = nh.prepare(system)
    values = {name: state[name] for name in state if name in model.names}
    x = np.array([values.get(name, 0.0) for name in model.names])
    return lambda: model.vector(x)


def _pinocchio_call(case: Case) -> Callable[[], object]:
    import pinocchio as pin

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.xml"
        file.write_text(_text(case, *STEPS[0][1:]))
        model = pin.buildModelFromMJCF(str(file))
    data, q, v = model.createData(), pin.neutral(model), np.ones(model.nv)
    tau = np.zeros(model.nv)
    return lambda: pin.aba(model, data, q, v, tau)


def _mujoco(
    case: Case, system: nh.System, first: dict[str, float], last: dict[str, float], kinetic: float
) -> Iterator[dict[str, Any]]:
    import mujoco

    for words, step, method in STEPS:
        model = mujoco.MjModel.from_xml_string(_text(case, step, method))
        data = mujoco.MjData(model)
        _set_state(mujoco, model, data, first)
        mujoco.mj_forward(model, data)
        begin, drift, slip = sum(data.energy), 0.0, 0.0
        jacobian = np.zeros((3, model.nv))
        count = round(case.until / step)
        spent = 0.0
        for k in range(count):
            before = process_time()
            mujoco.mj_step(model, data)
            spent += process_time() - before
            if k % max(1, count // 500) == 0:
                mujoco.mj_forward(model, data)
                drift = max(drift, abs(sum(data.energy) - begin) / kinetic)
                slip = max(slip, *_slips(mujoco, model, data, jacobian), 0.0)
        apart = math.hypot(data.qpos[0] - last["x"], data.qpos[1] - last["y"])
        mujoco.mj_forward(model, data)
        yield {
            "machine": case.name, "program": f"MuJoCo, {words}", "slip [m/s]": slip, "energy": drift,
            "s for one second": spent / case.until, "ends apart [m]": apart,
            "right-hand side [µs]": _microseconds(lambda m=model, d=data: mujoco.mj_forward(m, d)),
        }  # fmt: skip


def _set_state(mujoco: Any, model: Any, data: Any, first: dict[str, float]) -> None:
    """The same state: position and quaternion, velocity in the room's axes, angular velocity in the body's."""
    yaw, roll, pitch = (first[name] for name in ("yaw", "roll", "pitch"))
    data.qpos[:3] = [first[name] for name in ("x", "y", "z")]
    data.qvel[:3] = [first[f"{name}dot"] for name in ("x", "y", "z")]
    turns = [_quaternion(axis, angle) for axis, angle in ((2, yaw), (0, roll), (1, pitch))]
    data.qpos[3:7] = _product(_product(turns[0], turns[1]), turns[2])
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    dy, dr, dp = (first[f"{name}dot"] for name in ("yaw", "roll", "pitch"))
    data.qvel[3:6] = [dr * cp - dy * cr * sp, dp + dy * sr, dr * sp + dy * cr * cp]
    for k in range(1, model.njnt):
        name = model.joint(k).name
        data.qpos[model.jnt_qposadr[k]], data.qvel[model.jnt_dofadr[k]] = first[name], first[f"{name}dot"]


def _quaternion(axis: int, angle: float) -> np.ndarray[Any, Any]:
    result = np.zeros(4)
    result[0], result[1 + axis] = math.cos(angle / 2), math.sin(angle / 2)
    return result


def _product(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    u, v = a[1:], b[1:]
    return np.array([a[0] * b[0] - u @ v, *(a[0] * v + b[0] * u + np.cross(u, v))])


def _slips(mujoco: Any, model: Any, data: Any, jacobian: np.ndarray[Any, Any]) -> list[float]:
    """Speeds along the floor of the wheels' points that touch it."""
    found = [0.0]
    for contact in data.contact[: data.ncon]:
        body = model.geom_bodyid[contact.geom[1]] or model.geom_bodyid[contact.geom[0]]
        mujoco.mj_jac(model, data, jacobian, None, contact.pos, body)
        found.append(float(np.linalg.norm((jacobian @ data.qvel)[:2])))
    return found
