"""The named outputs of a system that was assembled from a machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import symbol
from nonholo.geometry.frames.frame import rate
from nonholo.machines.dynamics.sensor_outputs import PUSH, Outputs, sensor_outputs, spelled_out
from nonholo.machines.machine_data import MachineData
from nonholo.model.system import System
from nonholo.notation.write import to_text

NONE = Outputs({}, {}, {}, {})
_KEPT: WeakCache[Outputs] = WeakCache(64)


def machine_outputs(system: object) -> Outputs:
    """What the sensors of a system give; nothing where it has none."""
    if not isinstance(system, System) or not isinstance(system.machine, MachineData) or not system.machine.sensors:
        return NONE
    from nonholo.machines.starts.body_starts import parts_of

    parts = parts_of(system)
    return NONE if parts is None else _KEPT.get(system, lambda: sensor_outputs(parts, system))


def expand_sensors(system: object, text: Any) -> Any:
    """A text of an event, a watched quantity, an output or a law with the readings of sensors in the system's own names.

    Accelerations are named as events name them (``xddot``), forces of contacts as ``normal(front)``.
    """
    if not isinstance(text, str) or not (known := machine_outputs(system)).words:
        return text
    names = {word for word in known.words if word in text}
    meanings = {n: to_text(known.state[n]) for n in names if n in known.state}
    meanings |= {n: f"{known.contacts[n][1]}({known.contacts[n][0]})" for n in names if n in known.contacts}
    for n in names & known.accelerations.keys():
        meanings[n] = to_text(known.accelerations[n].xreplace(_accelerations(system)))
    return spelled_out(text, meanings)


def _accelerations(system: object) -> dict[Any, Any]:
    """Rates of velocities by the names that events have for them."""
    if not isinstance(system, System):
        return {}
    rates = {rate(c): f"{c}ddot" for c in system.coordinates}
    return {symbol(f"{PUSH}{v}"): symbol(rates.get(v, f"{v}dot")) for v in system.velocities}


def with_sensors(system: object, wanted: Any) -> Any:
    """Outputs as given by a user, with readings of sensors as expressions; ``"sensors"`` means all of the state."""
    known = machine_outputs(system)
    if not known.words or wanted is None:
        return wanted
    if wanted == "sensors" or wanted == ["sensors"]:
        return dict(known.state)
    listed = wanted if isinstance(wanted, Mapping) else {str(n): n for n in ([wanted] if isinstance(wanted, str) else wanted)}
    return {n: expand_sensors(system, e) for n, e in listed.items()}
