"""The base of a machine's records: lists and tables are frozen, keys checked, mistakes reported with a suggestion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, TypeVar

import numpy as np

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError, meant

R = TypeVar("R", bound="Record")


def frozen(value: Any) -> Any:
    """Lists and arrays as tuples and tables as `FrozenMap`, at every depth."""
    if isinstance(value, Mapping):
        return FrozenMap({str(k): frozen(e) for k, e in value.items()})
    if isinstance(value, np.ndarray):
        return frozen(value.tolist())
    if isinstance(value, (list, tuple)):
        return tuple(map(frozen, value))
    return value


def thawed(value: Any) -> Any:
    """Plain lists and dictionaries, for files; the inverse of `frozen`."""
    if isinstance(value, Record):
        return table_of(value)
    if isinstance(value, Mapping):
        return {k: thawed(e) for k, e in value.items()}
    if isinstance(value, tuple):
        return [thawed(e) for e in value]
    return value


@dataclass(frozen=True)
class Record:
    """Base of all records: what is given is frozen; names are checked to be text."""

    TITLE: ClassVar[str] = "record"
    """What a person calls it."""
    TABLES: ClassVar[tuple[str, ...]] = ()
    """Keys that are tables, though they are names in other records."""

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, frozen(getattr(self, field.name)))
        for key in ("name", "body", "parent", "child", "joint", "on", "kind", "type"):
            value = getattr(self, key, None)
            if value is not None and not isinstance(value, str) and key not in self.TABLES:
                raise ModelError(f"{self.TITLE}: {key} is {value!r}; text was needed, e.g. {key} = \"frame\".")


def record_of(kind: type[R], table: object, where: str) -> R:
    """A record from a table of a file; unknown and missing keys are refused with what was meant.

    >>> from nonholo.machines.machine_records import Body
    >>> record_of(Body, {"name": "frame", "mas": 2}, "file: bodies 1")
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: file: bodies 1: unknown key 'mas'; did you mean 'mass'?
    """
    if isinstance(table, kind):
        return table
    if not isinstance(table, Mapping):
        raise ModelError(f"{where}: found {table!r} where a table was needed, e.g. {kind.__name__}(…) or {{…}}.")
    known = [field.name for field in fields(kind)]
    for key in table:
        if key not in known:
            listed = f"its keys are {', '.join(known)}."
            raise ModelError(f"{where}: unknown key {key!r}; {meant(key, known, listed)}", key=(str(key),))
    for field in fields(kind):
        if field.default is MISSING and field.name not in table:
            raise ModelError(f"{where}: {field.name!r} is missing; give {field.name} = ….")
    try:
        return kind(**{str(key): value for key, value in table.items()})
    except ModelError as trouble:
        raise ModelError(f"{where}: {trouble}", key=trouble.key) from None


def records_of(kind: type[R], given: object, machine: str, key: str) -> tuple[R, ...]:
    """Records from the list of tables or records that a machine has under this key."""
    if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence):
        raise ModelError(f"{machine}: {key}: found {given!r} where a list was needed: [[{key}]].", key=(key,))
    found: list[R] = []
    for i, item in enumerate(given):
        try:
            found.append(record_of(kind, item, f"{machine}: {key} {i + 1}"))
        except ModelError as trouble:
            raise trouble.below(i).below(key) from None
    return tuple(found)


def table_of(record: Record) -> dict[str, Any]:
    """The record as plain data: what differs from its defaults; the inverse of `record_of`.

    >>> from nonholo.machines.machine_records import Body
    >>> table_of(Body("frame", mass="m", center=[0, 0, 1]))
    {'name': 'frame', 'mass': 'm', 'center': [0, 0, 1]}
    """
    return {
        field.name: thawed(getattr(record, field.name))
        for field in fields(record)
        if getattr(record, field.name) != field.default
    }
