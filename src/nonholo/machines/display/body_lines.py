"""The lines of a machine's file that make one body: itself, its joint, its wheels and contacts."""

from __future__ import annotations

from nonholo.machines.machine_data import MachineData
from nonholo.machines.record_tables import table_of
from nonholo.model.files.toml_text import toml_of

OWNERS = {
    "joints": ("child",), "loops": ("parent", "child"), "contacts": ("body", "on"), "wheels": ("body",), "casters": ("body",),
    "loads": ("body",), "sensors": ("body",),
}  # fmt: skip
"""Tables of a machine -> the keys by which they speak of a body."""


def body_lines(machine: MachineData, name: str) -> str:
    """The declaration of a body in a machine as text of a file, with motors and springs of its joint.

    >>> from nonholo.machines.machine import Machine
    >>> sleigh = Machine(world="plane", bodies=[{"name": "sleigh", "mass": 2.0, "inertia": 0.3}], wheels=[{"body": "sleigh"}])
    >>> print(body_lines(sleigh, "sleigh"))
    bodies = [
        { name = "sleigh", mass = 2.0, inertia = 0.3 },
    ]
    wheels = [
        { body = "sleigh" },
    ]
    """
    found = {"bodies": [body for body in machine.bodies if body.name == name]}
    for part, keys in OWNERS.items():
        found[part] = [one for one in getattr(machine, part) if name in (getattr(one, key) for key in keys)]
    own = {joint.name for joint in machine.joints if joint.child == name and joint.name}
    for part in ("springs", "motors"):
        found[part] = [one for one in getattr(machine, part) if one.joint in own]
    return toml_of({part: [table_of(one) for one in several] for part, several in found.items() if several}).strip()
