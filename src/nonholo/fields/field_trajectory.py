"""A motion of a field as a Trajectory: an xarray Dataset over time and space."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields as fields_of
from typing import Any

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import Remedy
from nonholo.fields.field_steppers import NOT_FINITE, REACHED, SLACK, TOO_MANY, TOO_SMALL
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.outcome import Outcome
from nonholo.program.array_types import Array

UNITS = {
    "theta": "rad", "omega": "rad/s", "tension": "N", "reaction": "N/m", "x": "m", "y": "m", "energy": "J",
    "momentum_x": "kg m/s", "momentum_y": "kg m/s", "angular_momentum": "kg m²/s", "v": "m/s", "heading": "rad",
    "turning": "rad/s", "sleigh_x": "m", "sleigh_y": "m", "vorticity": "1/s", "stream": "m²/s", "enstrophy": "1/s²",
    "vdot": "m/s²", "potential_energy": "J", "kinetic_energy": "J",
}  # fmt: skip

_ENDINGS = {
    REACHED: ("reached", ""),
    TOO_MANY: ("too many steps", "Raise max_steps, loosen rtol, or take fewer nodes."),
    TOO_SMALL: (
        "step too small",
        "The curve becomes singular here (as a whip's end does); stop before or take more nodes.",
    ),
    NOT_FINITE: ("not finite", "The motion left the numbers; check the start, or take a smaller step."),
    SLACK: (
        "slack",
        "The string would have to be pushed here, which no string can: its tension is not positive; start it stretched "
        "or hanging.",
    ),
}


def ending(status: int, time: float, advice: str = "") -> Outcome:
    """How a motion of a field ended."""
    kind, words = _ENDINGS[status]
    return Outcome(kind, time, Remedy(advice or words))


def trajectory(
    field: Any,
    name: str,
    start: Mapping[str, Any],
    method: str,
    times: Array,
    axes: Mapping[str, Array],
    over_space: Mapping[str, Array],
    over_time: Mapping[str, Array],
    outcome: Outcome,
    steps: int = 0,
    calls: int = 0,
) -> Trajectory:
    """The Trajectory; ``time`` is the dimension, ``t`` the same numbers under the name other motions use."""
    import xarray as xr

    space = tuple(axes)
    variables = {n: (("time", *space), v, _marks(n, "field")) for n, v in over_space.items()}
    variables |= {n: (("time",), v, _marks(n, "total")) for n, v in over_time.items()}
    coordinates: dict[str, Any] = {"time": ("time", times, {"units": "s"}), "t": ("time", times, {"units": "s"})}
    coordinates |= {n: ((n,), v, {"units": "m"}) for n, v in axes.items()}
    attributes = {
        "system": name,
        "field": type(field).__name__,
        "parameters": json.dumps({f.name: _plain(getattr(field, f.name)) for f in fields_of(field)}),
        "start": json.dumps({k: _plain(v) for k, v in start.items()}),
        "method": method,
        "outcome": str(outcome),
    }
    final: dict[str, Any] = {"t": float(times[-1])} if len(times) else {}
    for n, v in {**over_time, **over_space}.items():
        if len(times) and not (v.ndim > 2):
            final[n] = v[-1].tolist()
    return Trajectory(
        data=xr.Dataset(variables, coords=coordinates, attrs=attributes),
        final=FrozenMap(final),
        outcome=outcome,
        steps=steps,
        calls=calls,
    )


def _marks(name: str, kind: str) -> dict[str, str]:
    return {"kind": kind} | ({"units": UNITS[name]} if name in UNITS else {})


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(v) for v in value]
    return value if isinstance(value, (str, int, float)) else str(value)
