"""Systems and machines as TOML files: a file with ``[[bodies]]`` is a machine, any other a system in formulas."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonholo.errors import ModelError
from nonholo.machines.machine import Machine
from nonholo.machines.machine_data import PARTS, MachineData
from nonholo.machines.machine_records import Ground
from nonholo.machines.record_tables import thawed
from nonholo.model.files import toml_files
from nonholo.model.files.mistake_places import placed_in
from nonholo.model.files.toml_files import Table, file_text, read_words, to_table, told_from
from nonholo.model.files.toml_text import toml_of, toml_table
from nonholo.model.system import System
from nonholo.model.system_structure import structure
from nonholo.writing import write_text

if TYPE_CHECKING:
    from nonholo.machines.robot_files.robot_bodies import Wheels
    from nonholo.machines.robot_files.robot_machine import Contacts

SUFFIXES = (".urdf", ".xml", ".mjcf")
"""Files of robots."""
OWN = ("world", "gravity", "ground", *PARTS)
"""Keys that only machines have."""
EXHIBIT = "exhibit"
"""A table for the gallery (title, references, story), no part of the system."""


def load(
    path: str | os.PathLike[str],
    *,
    wheels: Wheels = (),
    contacts: Contacts = (),
    ground: Ground | Mapping[str, Any] | str | None = None,
    motors: Sequence[str] = (),
    base: str | None = None,
) -> System:
    """The system written in a TOML file, or assembled from the bodies written there or in a URDF or MJCF file.

    Its name is the file's unless it has one. The options are for URDF and MJCF: ``wheels`` names the links that roll without slip
    (or gives their radii), ``contacts`` further contacts by link, ``motors`` the joints that have a torque input; ``base`` is
    ``"free"``, ``"fixed"`` or names of the root's coordinates. ``system.machine.notes`` lists what was not understood.

    >>> import nonholo as nh
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> file = Path(mkdtemp()) / "fall.toml"
    >>> nh.dump(nh.System(coordinates="z", parameters={"m": 2}, lagrangian="m*zdot**2/2"), file)
    >>> nh.load(file).parameters
    {'m': 2.0}
    """
    options = {"wheels": wheels, "contacts": contacts, "ground": ground, "motors": motors, "base": base}
    if isinstance(path, (str, os.PathLike)) and Path(path).suffix.lower() in SUFFIXES:
        from nonholo.machines.robot_files.robot_machine import robot_machine

        return _assembled(robot_machine(path, wheels, contacts, ground, motors, base))
    given = [key for key, value in options.items() if value not in ((), None)]
    if given:
        raise ModelError(f"{path}: {given[0]} is for URDF and MJCF files; write it into the TOML file itself.")
    return _read(*file_text(path), Path(path).parent)


def loads(text: str) -> System:
    """The system or machine written in this TOML text.

    >>> loads('world = "plane"\\n[[bodies]]\\nname = "cart"\\nmass = 2.0\\ninertia = 0.3').coordinates
    ('x', 'y', 'theta')
    """
    return _read(text, "TOML text", None)


def from_table(table: Mapping[str, Any], where: str = "system") -> System:
    """The system that plain data describes, in formulas or in bodies."""
    if not isinstance(table, Mapping) or "bodies" not in table:
        return toml_files.from_table(table, where)
    machine = machine_of({key: value for key, value in table.items() if key != EXHIBIT}, where)
    with told_from(where):
        return _assembled(machine)


def machine_of(table: Mapping[str, Any], where: str = "machine") -> Machine:
    """The record of a machine from plain data."""
    words = read_words({k: e for k, e in table.items() if k not in OWN and k != "start"}, where)
    own = {k: table[k] for k in (*OWN, "start") if k in table}
    with told_from(where):
        return Machine(**words, **own)


def dump(system: System, path: str | os.PathLike[str]) -> None:
    """Write the system to a TOML file, a machine in its bodies: beside it first, then renamed, so that none is left half written.

    >>> import nonholo as nh
    >>> from tempfile import mkdtemp
    >>> nh.dump(nh.gallery.get("heisenberg").system, file := mkdtemp() + "/mine.toml")
    >>> nh.load(file) == nh.gallery.get("heisenberg").system
    True
    """
    write_text(path, dumps(system))


def dumps(system: System) -> str:
    """The system as TOML text, ``loads(dumps(system)) == system``; a machine in its bodies."""
    machine = getattr(system, "machine", None)
    if isinstance(machine, MachineData) and structure(_assembled(machine)) == structure(system):
        return toml_of(machine_table(machine, system))
    return toml_files.dumps(system)


def machine_table(machine: MachineData, system: System) -> Table:
    """A machine as plain data, with the values and the start of the system that was made of it."""
    plain = to_table(system)
    said = machine.words()
    made = to_table(_assembled(machine))
    table: Table = {"name": machine.name}
    for field in fields(MachineData):
        value = getattr(machine, field.name)
        if field.name in OWN and value != field.default:
            table[field.name] = thawed(value)
    for key in MachineData.TEXT:
        changed = plain.get(key) != made.get(key)
        if key in said or changed:
            table[key] = plain[key] if changed and key in plain else thawed(said.get(key, {}))
    return table


def _read(text: str, where: str, name: str | None, folder: Path | None = None) -> System:
    """A system from text; a file of heights is relative to the file itself."""
    table = toml_table(text, where)
    ground = table.get("ground")
    if folder is not None and isinstance(ground, dict) and isinstance(ground.get("grid"), str):
        table = {**table, "ground": {**ground, "grid": str(folder / ground["grid"])}}
    with placed_in(text):
        return from_table({"name": name, **table} if name else table, where)


def _assembled(machine: MachineData) -> System:
    """The system of a machine; the rooms that assemble it are loaded for machines alone."""
    from nonholo.machines.machine_system import assemble

    return assemble(machine)
