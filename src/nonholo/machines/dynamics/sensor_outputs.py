"""Sensors as named outputs: angular velocities, places, angles of joints, specific forces, contact forces.

``imu`` and ``gyro`` give ``name_wx, name_wy, name_wz`` in body axes (in the plane ``name_w``), an imu also the specific force
``name_ax, …``, acceleration less gravity in body axes; ``position`` gives ``name_x, …``; ``encoder`` gives ``name_angle`` and
``name_rate``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nonholo.algebra.calculus import ONE, along, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import transpose
from nonholo.errors import ModelError, meant
from nonholo.geometry.frames.frame import rate
from nonholo.machines.contact_geometry.rigid_pose import minus, times_matrix
from nonholo.machines.dynamics.applied_forces import Acting
from nonholo.machines.dynamics.assembly import Assembly
from nonholo.machines.dynamics.mass_properties import gravity_of
from nonholo.machines.kinematics.spatial_vectors import point_place, point_velocity
from nonholo.machines.machine_records import Sensor
from nonholo.model.system import TIME, System

KINDS = ("imu", "gyro", "encoder", "position", "contact force")
FORCES = ("normal", "along", "across")
PUSH = "_push_"
"""Before the name of a velocity: its rate, in expressions of what an accelerometer sees."""


@dataclass(frozen=True)
class Outputs:
    """What sensors give: expressions of the state, expressions that need accelerations too, forces of contacts by their name."""

    state: Mapping[str, Expr]
    accelerations: Mapping[str, Expr]
    contacts: Mapping[str, tuple[str, str]]
    """Output -> contact and which of its forces."""
    words: Mapping[str, Sensor]
    """Output -> the sensor it comes from."""


def sensor_outputs(parts: Assembly, system: System) -> Outputs:
    """The outputs of all sensors of a machine."""
    state: dict[str, Expr] = {}
    pushes: dict[str, Expr] = {}
    forces: dict[str, tuple[str, str]] = {}
    words: dict[str, Sensor] = {}
    for sensor, where in _checked(parts):
        own = dict(_contact_forces(sensor, parts, where)) if sensor.kind == "contact force" else {}
        seen = {} if own else dict(_of_state(sensor, parts, where))
        felt = dict(_specific_force(sensor, parts, system, where)) if sensor.kind == "imu" else {}
        state, pushes, forces = state | seen, pushes | felt, forces | own
        words |= dict.fromkeys((*own, *seen, *felt), sensor)
    return Outputs(state, pushes, forces, words)


def _checked(parts: Assembly) -> Iterator[tuple[Sensor, str]]:
    """Every sensor and what errors call it."""
    for k, sensor in enumerate(parts.machine.sensors):
        where = f"sensor {sensor.name or k + 1}"
        if sensor.kind not in KINDS:
            hint = meant(sensor.kind, KINDS, f"the kinds are {', '.join(KINDS)}.")
            raise ModelError(f"{parts.machine.name}: {where}: no kind {sensor.kind!r}; {hint}")
        if not sensor.name:
            raise ModelError(f"{parts.machine.name}: {where} has no name; give name = …, which its outputs begin with.")
        yield sensor, where


def state_outputs(parts: Assembly) -> dict[str, Expr]:
    """Outputs that are functions of the state."""
    found = (_of_state(sensor, parts, where) for sensor, where in _checked(parts) if sensor.kind != "contact force")
    return {name: e for pairs in found for name, e in pairs}


def dynamic_readings(parts: Assembly) -> set[str]:
    """Outputs that depend on accelerations or forces, by name."""
    felt = {f"{s.name}_a{axis}" for s, _ in _checked(parts) if s.kind == "imu" for axis in "xyz"}
    return felt | {f"{s.name}_{force}" for s, _ in _checked(parts) if s.kind == "contact force" for force in FORCES}


def spelled_out(text: str, meanings: Mapping[str, str]) -> str:
    """A text with names of outputs replaced by their expressions.

    >>> spelled_out("2*enc_rate - enc_rate_2", {"enc_rate": "qdot"})
    '2*(qdot) - enc_rate_2'
    """
    return re.sub(r"[A-Za-z_]\w*", lambda word: f"({meanings[word[0]]})" if word[0] in meanings else word[0], text)


def _acting(parts: Assembly) -> Acting:
    return Acting(parts.machine, parts.placed, (), parts.coordinates, parts.formulas)


def _of_state(sensor: Sensor, parts: Assembly, where: str) -> Iterator[tuple[str, Expr]]:
    if sensor.kind == "encoder":
        name = _acting(parts).coordinate(sensor.joint or "", where)
        yield f"{sensor.name}_angle", symbol(name)
        yield f"{sensor.name}_rate", symbol(rate(name))
        return
    pose = _acting(parts).pose(sensor.body or "", where)
    place = parts.formulas.vector(sensor.at, f"{where}: at")
    count = 2 if parts.machine.plane else 3
    if sensor.kind == "position":
        yield from zip((f"{sensor.name}_{axis}" for axis in "xyz"[:count]), point_place(pose, place))
    elif parts.machine.plane:
        yield f"{sensor.name}_w", pose.spin[2]
    else:
        yield from zip((f"{sensor.name}_w{axis}" for axis in "xyz"), pose.spin)


def _specific_force(sensor: Sensor, parts: Assembly, system: System, where: str) -> Iterator[tuple[str, Expr]]:
    """``Rᵀ (a − γ)`` at the sensor, with the rates of the velocities as symbols."""
    pose = _acting(parts).pose(sensor.body or "", where)
    place = parts.formulas.vector(sensor.at, f"{where}: at")
    flow = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    flow |= {s: symbol(f"{PUSH}{s}") for s in symbols(system.velocities)}
    x, y, z = along(point_velocity(pose, place), flow)
    felt = times_matrix(transpose(pose.rotation), minus((x, y, z), gravity_of(parts.machine, parts.formulas)))
    yield from zip((f"{sensor.name}_a{axis}" for axis in "xyz"[: 2 if parts.machine.plane else 3]), felt)


def _contact_forces(sensor: Sensor, parts: Assembly, where: str) -> Iterator[tuple[str, tuple[str, str]]]:
    names = [one.law.name for one in parts.contacts]
    name = sensor.contact or sensor.body or ""
    if name not in names:
        hint = meant(name, names, f"the contacts are {', '.join(names) or 'none'}.")
        raise ModelError(f"{parts.machine.name}: {where}: there is no contact {name!r}; {hint}")
    for force in FORCES:
        yield f"{sensor.name}_{force}", (name, force)
