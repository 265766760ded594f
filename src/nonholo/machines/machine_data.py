"""The declarations of a machine as one record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError, about, meant
from nonholo.machines.machine_records import (
    Body,
    Caster,
    Contact,
    Gear,
    Ground,
    Joint,
    Load,
    Motor,
    Sensor,
    Spring,
    Vector,
    Wheel,
)
from nonholo.machines.record_tables import Record, frozen, record_of, records_of, table_of
from nonholo.machines.shorthands import spelled_out
from nonholo.model.declared_words import Blueprint, Formula, Formulas, Names
from nonholo.model.files.toml_text import toml_of

PARTS: dict[str, type[Record]] = {
    "bodies": Body,
    "joints": Joint,
    "loops": Joint,
    "contacts": Contact,
    "wheels": Wheel,
    "casters": Caster,
    "springs": Spring,
    "motors": Motor,
    "sensors": Sensor,
    "loads": Load,
    "gears": Gear,
}
"""Key of a file -> the record of each of its tables."""
WORLDS = ("space", "plane")
PLANE = "plane"
"""Ground in one word: z = 0, the default."""


@dataclass(frozen=True)
class MachineData(Blueprint):
    """The fields of a `nonholo.machines.machine.Machine`; tables are accepted where records are meant."""

    TEXT: ClassVar[tuple[str, ...]] = (
        "parameters", "inputs", "lagrangian", "constraints", "holonomic", "quasivelocities", "forces",
        "magnetic", "symmetry", "start", "until", "units", "drawing", "page",
    )  # fmt: skip
    """What is written beside the bodies, with the keys of a System."""

    name: str = "machine"
    world: str = "space"
    gravity: Formula | Vector | None = None
    """Along −z, a vector, or None: ``g`` in space and none in the plane."""
    bodies: Sequence[Body] = ()
    joints: Sequence[Joint] = ()
    loops: Sequence[Joint] = ()
    contacts: Sequence[Contact] = ()
    wheels: Sequence[Wheel] = ()
    casters: Sequence[Caster] = ()
    springs: Sequence[Spring] = ()
    motors: Sequence[Motor] = ()
    sensors: Sequence[Sensor] = ()
    loads: Sequence[Load] = ()
    gears: Sequence[Gear] = ()
    ground: Ground | None = None
    """A record or table; ``"plane"`` is z = 0, the default, and becomes None."""
    parameters: Names | Mapping[str, float | None] = ()
    inputs: Names | Mapping[str, Formula | None] = ()
    lagrangian: Formula | None = None
    """Further terms of the Lagrangian."""
    constraints: Formulas = ()
    holonomic: Formulas = ()
    quasivelocities: Mapping[str, Formula] = FrozenMap()
    forces: Mapping[str, Formula] = FrozenMap()
    magnetic: Mapping[object, Formula] = FrozenMap()
    symmetry: object = None
    """A `nonholo.model.symmetry_declaration.Symmetry`."""
    start: Mapping[str, object] = FrozenMap()
    """States by name, and starts in words for bodies: see `nonholo.machines.starts.body_starts`."""
    until: float | None = None
    units: Mapping[str, str] = FrozenMap()
    drawing: object = None
    page: object = None
    notes: Sequence[str] = ()
    """Parts of a robot file that were not understood or not applied; shown when the machine is printed."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        if not isinstance(self.name, str):
            raise ModelError(f"name must be text; found {self.name!r}.")
        parts = {key: records_of(kind, getattr(self, key), self.name, key) for key, kind in PARTS.items()}
        for key, records in spelled_out(parts, self.name).items():
            put(self, key, records)
        if self.ground is not None:
            with about("ground"):
                put(self, "ground", _ground(self.ground, self.name))
        for field in fields(self):
            if field.name not in PARTS and field.name != "ground":
                put(self, field.name, frozen(getattr(self, field.name)))
        if self.world not in WORLDS:
            hint = meant(self.world, WORLDS, 'write world = "space" or world = "plane".')
            raise ModelError(f"{self.name}: unknown world {self.world!r}; {hint}", key=("world",))

    @property
    def plane(self) -> bool:
        """Whether the machine is seen from above."""
        return self.world == "plane"

    def words(self) -> dict[str, Any]:
        """The keywords of a System that were given beside the bodies."""
        return {key: getattr(self, key) for key in self.TEXT if getattr(self, key) not in ((), FrozenMap(), None)}


def _ground(given: object, machine: str) -> Ground | None:
    """The ground as a record; None where it is the plane z = 0."""
    if given == PLANE:
        return None
    if isinstance(given, str):
        raise ModelError(
            f'{machine}: ground = "{given}"; write "plane", or a table: ground = {{height = "0.1*sin(x)"}}, {{sphere = "R"}}, '
            '{slope = "alpha"}.'
        )
    return record_of(Ground, given, f"{machine}: ground")


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
