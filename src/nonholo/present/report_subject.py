"""What a report or a command is about: an exhibit of the gallery, a file or a system, with its numbers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any

from nonholo import gallery
from nonholo.errors import ModelError, StateError
from nonholo.gallery.exhibit import Drawing, Exhibit, Fact
from nonholo.model.files import load
from nonholo.model.system import System, parameter_values

DURATION = 10.0
"""Seconds of motion when neither the exhibit nor the user says more."""


@dataclass(frozen=True)
class Case:
    """A system with its numbers and all that a report may tell of it; what is empty is not told."""

    name: str
    """As the user types it: a gallery name, a file, or the system's own name."""
    title: str
    system: System
    parameters: Mapping[str, float]
    start: Mapping[str, float]
    until: float = DURATION
    inputs: Mapping[str, Any] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    drawing: Drawing | None = None
    group: str = ""
    story: str = ""
    references: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    named: bool = True
    """Whether ``name`` can be typed on the command line."""
    changed: bool = False
    """Whether the user gave numbers of his own."""


def case(
    subject: Any,
    parameters: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    until: float | None = None,
    inputs: Mapping[str, Any] | None = None,
) -> Case:
    """The case of an Exhibit, a System, a gallery name or a TOML file; numbers and inputs given here replace its own."""
    found = _found(subject)
    if parameters:
        parameter_values(found.system, {**found.parameters, **parameters})  # refuses names that are not parameters
    if until is not None and not 0 < until < inf:
        raise StateError(f"until: found {until:g}; a report needs a motion of some seconds, e.g. 10.")
    return replace(
        found,
        parameters={**found.parameters, **(parameters or {})},
        start={**found.start, **(start or {})},
        until=found.until if until is None else until,
        inputs={**found.inputs, **(inputs or {})},
        changed=bool(parameters or start or inputs or until is not None),
    )


def _found(subject: Any) -> Case:
    if isinstance(subject, Exhibit):
        return _of_exhibit(subject)
    if isinstance(subject, System):
        own = subject.name, subject.name, subject, subject.values, subject.start
        return Case(*own, inputs=subject.signals, named=False)
    if isinstance(subject, os.PathLike) or (
        isinstance(subject, str) and ("." in subject or "/" in subject or Path(subject).exists())
    ):
        system = load(subject)
        return Case(os.fspath(subject), system.name, system, system.values, system.start, inputs=system.signals)
    if isinstance(subject, str):
        return _of_exhibit(gallery.get(subject))
    raise ModelError(
        f"report: found {type(subject).__name__} where a System, an Exhibit, a gallery name or a .toml file was needed."
    )


def _of_exhibit(exhibit: Exhibit) -> Case:
    return Case(
        exhibit.name,
        exhibit.title,
        exhibit.system,
        exhibit.parameters,
        exhibit.start,
        exhibit.until,
        exhibit.inputs,
        exhibit.units,
        exhibit.drawing,
        exhibit.group,
        exhibit.story,
        exhibit.references,
        exhibit.facts,
        exhibit.name in gallery.names(),
    )
