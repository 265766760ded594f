"""What a symbol stands for, in a few words: as the system says, or as such names are mostly used."""

from __future__ import annotations

import re

from nonholo.model.rotation_axes import axes_of
from nonholo.model.system import System

PARAMETERS = {
    "kg": "mass", "kg m²": "moment of inertia", "m": "length", "m/s²": "gravity", "N/m": "stiffness", "rad": "angle",
    "rad/s": "angular velocity", "kg/s": "damping", "N m": "torque", "N": "force",
}  # fmt: skip
"""By unit."""
COORDINATES = {"m": "position", "rad": "angle", "1": "coordinate"}
VELOCITIES = {"m/s": "speed", "rad/s": "angular velocity"}
INPUTS = {"N m": "torque", "N": "force"}
LETTERS = {
    "m": "mass", "M": "mass", "g": "gravity", "J": "moment of inertia", "I": "moment of inertia", "k": "stiffness",
    "l": "length",
    "x": "position", "y": "position", "z": "height", "theta": "angle", "phi": "angle", "psi": "angle",
    "omega": "angular velocity", "v": "speed",
}  # fmt: skip
"""Where there is no unit; only what nobody would read otherwise."""


def meaning_of(system: System, name: str) -> str:
    """A few words on a name of the system; empty where nothing is known.

    >>> sleigh = System(coordinates="x", parameters={"m": 1.0}, lagrangian="m*xdot**2/2", units={"x": "m", "m": "kg"})
    >>> meaning_of(sleigh, "m"), meaning_of(sleigh, "x"), meaning_of(sleigh, "xdot")
    ('mass', 'position', 'velocity in x')
    """
    own = system.page.meanings.get(name) if system.page is not None else None
    if own:
        shared = sum(word == own for word in system.page.meanings.values()) > 1 if system.page is not None else False
        return f"{own}, {name}" if shared and name in system.coordinates else own
    base = name.removesuffix("dot")
    if base != name and base in system.coordinates:
        told = system.page.meanings.get(base) if system.page is not None else None
        if base in ("x", "y", "z") and system.units.get(base) == "m":
            return f"velocity in {base}"
        return f"rate of change: {told}" if told else f"rate of {base}"
    unit = system.units.get(name, "")
    axis = next((a for a in axes_of(system) if name in a.entries), None)
    if axis is not None and not unit:
        return f"{axis.meaning}: component {axis.entries.index(name) + 1} ({name})"
    entry = re.fullmatch(r"([A-Za-z]+?)(\d)(\d)", name)
    if entry and name in system.coordinates and not unit:
        return f"row {entry[2]}, column {entry[3]} of the rotation {entry[1]}"
    word = _usual(system, name)
    known = system.page.meanings if system.page is not None else {}
    others = (n for n in (*system.coordinates, *system.parameters, *system.inputs) if n != name and n not in known)
    return f"{word} {name}" if word and any(_usual(system, n) == word for n in others) else word


def _usual(system: System, name: str) -> str:
    """What a name of this unit, or such a letter, mostly means; the word may fit several names."""
    unit = system.units.get(name, "")
    if name in system.parameters:
        table = PARAMETERS
    elif name in system.coordinates:
        table = COORDINATES
    elif name in system.inputs:
        table = INPUTS
    else:
        table = VELOCITIES
    return table.get(unit) or ("" if unit else LETTERS.get(name, ""))
