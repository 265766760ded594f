"""The named outputs of a system that was assembled from a machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import symbol
from nonholo.errors import StateError
from nonholo.geometry.frames.frame import rate
from nonholo.machines.dynamics.sensor_outputs import PUSH, Outputs, sensor_outputs, spelled_out
from nonholo.machines.machine_data import MachineData
from nonholo.machines.starts.spoken_starts import parts_of
from nonholo.model.system import System
from nonholo.notation.write import to_text

NONE = Outputs({}, {}, {}, {})
_KEPT: WeakCache[Outputs] = WeakCache(64)


def machine_outputs(system: object) -> Outputs:
    """What the sensors of a system give; nothing where it has none."""
    if not isinstance(system, System) or not isinstance(system.machine, MachineData) or not system.machine.sensors:
        return NONE
    parts = parts_of(system)
    return NONE if parts is None else _KEPT.get(system, lambda: sensor_outputs(parts, system))


def spelled(system: object, text: Any, law: str = "") -> Any:
    """A text of an event, a watched quantity or a ``law`` with the readings of sensors in the system's own names.

    Accelerations are named as events name them (``xddot``), forces of contacts as ``normal(front)``.
    """
    if not isinstance(text, str) or not (known := machine_outputs(system)).words:
        return text
    names = {word for word in known.words if word in text}
    felt = [n for n in names if n in known.accelerations or n in known.contacts]
    if law and spelled_out(text, dict.fromkeys(felt, "")) != text:
        raise StateError(
            f"{law} uses {felt[0]}, which depends on the input itself; use readings of the state (gyro, encoder, position), or a "
            "function of sampled readings."
        )
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
    """Outputs as a user asks for them, with names of sensors' outputs as their expressions; ``"sensors"`` stands for all."""
    known = machine_outputs(system).state
    if not known or wanted is None or isinstance(wanted, Mapping):
        return wanted
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    if names == ["sensors"]:
        return dict(known)
    return {str(n): known.get(str(n), n) for n in names}
