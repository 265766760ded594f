"""Environment steps per second and core and the slip of wheels: vector environments beside MuJoCo with wheels by contact.

The same MJCF files from the same states. An environment step is 20 ms: ten Runge–Kutta steps of nonholo's vector environment
(observations and ends included), or MuJoCo's steps of 2 ms or 0.1 ms for many members in its own C loop (`mujoco.rollout`, one
thread, physics alone). Slip is the largest speed of a wheel's touching point over one second, gap its distance from the floor.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import nonholo as nh
from benchmarks.machines.beside_mujoco import FREE, STEPS, _set_state, _slips, _text
from benchmarks.machines.models import CASES, Case
from nonholo.control.environments.episode_simulator import Simulator
from nonholo.model.system import varied

EVERY, SECOND, MEMBERS, ROUNDS = 0.02, 1.0, 512, 3
RATE = "environment steps/s/core"
CHOSEN = ("bicycle", "car")


def table() -> list[dict[str, Any]]:
    """Rows for each machine and program."""
    return [row for case in CASES if case.name in CHOSEN for row in _rows(case)]


def _rows(case: Case) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.xml"
        file.write_text(_text(case, *STEPS[0][1:]))
        system = nh.load(file, wheels=list(case.wheels), base=" ".join(FREE))
    yaw, roll, pitch = case.tilt
    given = {"yaw": yaw, "roll": roll, "pitch": pitch, "z": f"~{case.place[2]}", **case.angles, **case.speeds}
    first = {n: float(e) for n, e in nh.simulate(system, given, 1e-9).final.items()}
    steered = varied(system, inputs=("torque",), forces={**system.forces, "steer": "torque"}, page=None)
    model = nh.prepare(steered)
    start = {n: first[n] for n in model.names}
    ends = [1e9, "abs(roll) - 1.4"]
    seen = ["roll", "steer", "steerdot"]
    task = nh.environment(steered, seen, act={"torque": (-1, 1)}, reward="-roll**2", every=EVERY, until=ends, start=start).task
    world = Simulator(task, MEMBERS)
    world.reset(seed=0)
    actions, best = np.zeros((MEMBERS, 1)), np.inf
    world.step(actions)
    for _ in range(ROUNDS):
        before = process_time()
        for _ in range(5):
            world.step(actions)
        best = min(best, process_time() - before)
    world.reset(seed=0)
    gap, slip, count = 0.0, 0.0, len(world.batch.kernel.invariants)
    for _ in range(round(SECOND / EVERY)):
        world.step(actions)
        state = dict(zip(model.names, world.batch.states[0].tolist()))
        slip = max(slip, float(np.max(np.abs(nh.simulate(system, state, 1e-9).contacts["slip"].values[0]))))
        gap = max(gap, float(np.max(np.abs(world.batch.kernel.residuals(world.batch.rows[0])[:count]), initial=0.0)))
    yield {"machine": case.name, "program": "nonholo", RATE: 5 * MEMBERS / best, "slip [m/s]": slip, "gap [m]": gap}
    yield from _mujoco(case, first)


def _mujoco(case: Case, first: dict[str, float]) -> Iterator[dict[str, Any]]:
    import mujoco
    from mujoco import rollout

    for words, step, method in STEPS:
        model = mujoco.MjModel.from_xml_string(_text(case, step, method))
        data = mujoco.MjData(model)
        _set_state(mujoco, model, data, first)
        mujoco.mj_forward(model, data)
        kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
        state = np.zeros(mujoco.mj_stateSize(model, kind))
        mujoco.mj_getState(model, data, state, kind)
        inner, best = round(EVERY / step), np.inf
        members = max(8, MEMBERS * 10 // inner // 4)
        for _ in range(ROUNDS):
            before = process_time()
            rollout.rollout(model, mujoco.MjData(model), np.tile(state, (members, 1)), nstep=5 * inner)
            best = min(best, process_time() - before)
        slip, depth, jacobian = 0.0, 0.0, np.zeros((3, model.nv))
        for _ in range(round(SECOND / EVERY)):
            for _ in range(inner):
                mujoco.mj_step(model, data)
            mujoco.mj_forward(model, data)
            slip = max(slip, *_slips(mujoco, model, data, jacobian))
            depth = max([depth, *(abs(float(contact.dist)) for contact in data.contact[: data.ncon])])
        row = {"machine": case.name, "program": f"MuJoCo, {words}", RATE: 5 * members / best, "slip [m/s]": slip}
        yield {**row, "gap [m]": depth}
