"""The named outputs of a system that was assembled from a machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonholo.algebra.cache import KeptFor
from nonholo.machines.dynamics.sensor_outputs import Outputs, sensor_outputs
from nonholo.machines.machine_data import MachineData
from nonholo.machines.starts.spoken_starts import parts_of
from nonholo.model.system import System

NONE = Outputs({}, {}, {}, {})
_KEPT: KeptFor[Outputs] = KeptFor(64)


def machine_outputs(system: object) -> Outputs:
    """What the sensors of a system give; nothing where it has none."""
    if not isinstance(system, System) or not isinstance(system.machine, MachineData) or not system.machine.sensors:
        return NONE
    parts = parts_of(system)
    return NONE if parts is None else _KEPT.get(system, lambda: sensor_outputs(parts, system))


def with_sensors(system: object, wanted: Any) -> Any:
    """Outputs as a user asks for them, with names of sensors' outputs as their expressions; ``"sensors"`` stands for all."""
    known = machine_outputs(system).state
    if not known or wanted is None or isinstance(wanted, Mapping):
        return wanted
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    if names == ["sensors"]:
        return dict(known)
    return {str(n): known.get(str(n), n) for n in names}
