"""Events, watched quantities and laws that name readings of a machine's sensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nonholo.integrate.motion.motion_pieces import FunctionEvent, WantedEvent
from nonholo.model.system import System

Asked = WantedEvent | FunctionEvent


def expand_sensor_names(system: object, events: Sequence[Asked], watch: Any, inputs: Any) -> tuple[list[Asked], Any, Any]:
    """The same with readings in the system's own names; events keep the names that they were given by."""
    if not isinstance(system, System) or system.machine is None:
        return list(events), watch, inputs
    from nonholo.machines.machine_outputs import expand_sensors

    told = [replace(e, source=expand_sensors(system, e.source)) if isinstance(e, WantedEvent) else e for e in events]
    if isinstance(watch, Mapping):
        watch = {n: expand_sensors(system, e) for n, e in watch.items()}
    if isinstance(inputs, Mapping):
        inputs = {n: expand_sensors(system, e) for n, e in inputs.items()}
    return told, watch, inputs
