"""Subject of a report or command: a system with its numbers, and its source."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any

from nonholo import gallery
from nonholo.dossier import Dossier
from nonholo.errors import ModelError, StateError
from nonholo.gallery.exhibit import Exhibit
from nonholo.gallery.field_exhibit import FieldExhibit
from nonholo.gallery.published import facts_on
from nonholo.machines.machine_files import load
from nonholo.model.declared_words import GivenInput
from nonholo.model.drawing.shapes import Drawing
from nonholo.model.system import (
    AboutSystem,
    System,
    known_inputs,
    known_parameters,
    named,
    numbered,
    parameter_values,
    with_inputs,
)
from nonholo.present.style.labels import units_of


@dataclass(frozen=True)
class Case(AboutSystem):
    """A System, and the Exhibit or file it comes from."""

    name: str
    """As the user types it: a gallery name, a file, or the system's own name."""
    system: System
    exhibit: Exhibit | None = None
    named: bool = True
    """Whether ``name`` can be typed on the command line."""
    changed: bool = False
    """Whether the user gave numbers of his own."""
    driven: Mapping[str, GivenInput] = field(default_factory=dict)
    """Inputs that are not formulas: tables and Python functions."""

    @cached_property
    def dossier(self) -> Dossier:
        """All results about the system, computed on first use."""
        return Dossier(self.system, self.driven)

    @property
    def title(self) -> str:
        """The title of a report."""
        return self.exhibit.title if self.exhibit is not None else self.system.name

    @property
    def inputs(self) -> Mapping[str, Any]:
        """What the inputs do."""
        return {**known_inputs(self.system), **self.driven}

    @property
    def units(self) -> Mapping[str, str]:
        """The units of the quantities, declared or determined."""
        return units_of(self.system)

    @property
    def drawing(self) -> Drawing | None:
        """The drawing of the system, if it has one."""
        return self.system.drawing

    @property
    def group(self) -> str:
        """Where the gallery shows it."""
        return self.exhibit.group if self.exhibit is not None else ""

    @property
    def story(self) -> str:
        """Two or three sentences for a newcomer."""
        return self.exhibit.story if self.exhibit is not None else ""

    @property
    def references(self) -> tuple[str, ...]:
        """Where it was published."""
        return self.exhibit.references if self.exhibit is not None else ()

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What was published about it: claims and their sources."""
        return facts_on(self.exhibit.name) if self.exhibit is not None else ()


def case(
    subject: Any,
    parameters: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    until: float | None = None,
    inputs: Mapping[str, Any] | None = None,
) -> Case:
    """The case of an Exhibit, a System, a gallery name or a TOML file; numbers and inputs given here replace its own."""
    found = _read_subject(subject)
    if until is not None and not 0 < until < inf:
        raise StateError(f"until: found {until:g}; a report needs a motion of some seconds, e.g. 10.")
    given = bool(parameters or start or inputs or until is not None)
    return with_numbers(found, parameters, start, until, inputs, given)


def with_numbers(
    found: Case,
    parameters: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    until: float | None = None,
    inputs: Mapping[str, Any] | None = None,
    changed: bool = False,
) -> Case:
    """The case with other numbers; those of other names stay."""
    system = found.system
    values = known_parameters(system)
    if parameters:
        # refuses names that are not parameters, and needs values for those it is given alone
        known = parameter_values(system, {**dict.fromkeys(system.parameters, 1.0), **known_parameters(system, parameters)})
        values |= {n: known[n] for n, e in named(parameters, "parameters", '{"m": 1.5}').items() if e is not None}
    begin = {**system.start, **{n: float(e) for n, e in named(start, f"{system.name}: start", '{"x": 0.5}').items()}}
    numbered_system = with_inputs(numbered(system, values, begin, until), inputs or {})
    rest = {n: e for n, e in (inputs or {}).items() if n not in known_inputs(numbered_system)}
    return Case(found.name, numbered_system, found.exhibit, found.named, changed or found.changed, {**found.driven, **rest})


def field_of(subject: Any) -> FieldExhibit | None:
    """The field that is meant by an exhibit or a gallery name; None when it is something else."""
    if isinstance(subject, str) and subject in gallery.field_names():
        found: Any = gallery.get(subject)
        subject = found
    return subject if isinstance(subject, FieldExhibit) else None


def _read_subject(subject: Any) -> Case:
    if isinstance(subject, FieldExhibit):
        subject = subject.system  # it has none, and says what works for it instead
    if isinstance(subject, Exhibit):
        return Case(subject.name, subject.system, subject, subject.name in gallery.names())
    if isinstance(subject, System):
        return Case(subject.name, subject, named=False)
    if isinstance(subject, os.PathLike) or (
        isinstance(subject, str) and ("." in subject or "/" in subject or os.path.exists(subject))
    ):
        return Case(os.fspath(subject), load(subject))
    if isinstance(subject, str):
        return _read_subject(gallery.get(subject))
    raise ModelError(
        f"report: found {type(subject).__name__} where a System, an Exhibit, a gallery name or a .toml file was needed."
    )
