"""Record of a field's exhibit: a record of `nonholo.fields`, a start, published facts; all plain data."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError, StateError, meant
from nonholo.finding import Finding
from nonholo.model.files.toml_text import toml_table
from nonholo.verification import available

if TYPE_CHECKING:
    from nonholo.fields import ConstrainedString, Fluid, SleighString, String

Pair = tuple[str, str]
GivenField: TypeAlias = object
"""What a field's start or input is given by: text in s, numbers, arrays; the field looks which."""


@dataclass(frozen=True)
class FieldFact:
    """A published or closed-form claim: ``test(exhibit)`` returns the Finding, from something independent of our result."""

    claim: str
    source: str
    test: Callable[[FieldExhibit], Finding]

    def __call__(self, exhibit: FieldExhibit) -> Finding:
        return self.test(exhibit)


@dataclass(frozen=True, repr=False)
class FieldExhibit:
    """A field of the literature, alive: ``field`` is its record, ``start`` the texts of its start."""

    name: str
    title: str
    group: str
    field: String | ConstrainedString | SleighString | Fluid
    start: Mapping[str, GivenField]
    until: float
    equations: tuple[str, ...] = ()
    """In LaTeX, for the report."""
    references: tuple[str, ...] = ()
    story: str = ""
    inputs: Mapping[str, GivenField] = dataclasses.field(default_factory=FrozenMap)
    plots: tuple[tuple[str, ...], ...] = ()
    """What is worth plotting: names as `Trajectory.plot` takes them."""
    starts: Mapping[str, Mapping[str, GivenField]] = dataclasses.field(default_factory=FrozenMap)
    """Further named starts."""

    def number(self, name: str) -> float:
        """A number that the start gives."""
        given = self.start[name]
        return float(given) if isinstance(given, (int, float)) else math.nan

    def __repr__(self) -> str:
        return f"<FieldExhibit {self.name}: {self.title}; its .field, .start, .until, .simulate(), {len(self.facts)} .facts>"

    @property
    def facts(self) -> tuple[FieldFact, ...]:
        """What was published about it, each with its test: from the package ``nonholo_papers``, and empty without it."""
        if not available():
            return ()
        from nonholo_papers.facts import field_facts_on

        return field_facts_on(self.name)

    @property
    def parameters(self) -> dict[str, Any]:
        """The numbers of the record."""
        return {f.name: getattr(self.field, f.name) for f in fields(self.field) if f.name not in ("forces", "inputs")}

    @property
    def system(self) -> Any:
        """A field has none: asked for it, one is told what works instead."""
        raise ModelError(
            f"{self.name} is a field, with infinitely many degrees of freedom, and has no System in coordinates; "
            f"`nonholo simulate`, `report` and `verify` work for it."
        )

    def simulate(self, start: Mapping[str, Any] | None = None, until: float | None = None, **options: Any) -> Any:
        """The motion from the exhibit's start, with what is given instead of it."""
        given = {**self.start, **(start or {})}
        if self.inputs or "inputs" in options:
            options["inputs"] = {**self.inputs, **(options.get("inputs") or {})}
        return self.field.simulate(given, self.until if until is None else until, **options)

    def having(self, **values: Any) -> FieldExhibit:
        """The same with other numbers of its record."""
        known = list(self.parameters)
        for name in values:
            if name not in known:
                hint = meant(name, known, f"it has {', '.join(known)}.")
                raise StateError(f"{self.name} has no parameter {name!r}; {hint}")
        return replace(self, field=replace(self.field, **values))


def exhibit_of(name: str, file: Path) -> FieldExhibit:
    """The exhibit that a file describes: the record in ``[field]``, what was published in ``[exhibit]``."""
    from nonholo import fields as kinds

    table = toml_table(file.read_text("utf-8"), file.name)
    words, own = table["exhibit"], table["field"]
    start = {key: tuple(value) if isinstance(value, list) else value for key, value in table["start"].items()}
    return FieldExhibit(
        name, words["title"], words["group"], getattr(kinds, own.pop("kind"))(**own), start, table["until"],
        tuple(words["equations"]), tuple(words["references"]), words["story"], table.get("inputs", {}),
        tuple(map(tuple, words["plots"])), words.get("starts", {}),
    )  # fmt: skip


def record(exhibit: FieldExhibit) -> Any:
    """The field of an exhibit, for callers who know its class."""
    return exhibit.field
