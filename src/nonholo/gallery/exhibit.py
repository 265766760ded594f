"""Record of an exhibit: a system with values, a start, published facts and a drawing; all plain data."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.finding import Finding
from nonholo.integrate.results.presenters import notebook_html
from nonholo.machines.machine_files import from_table
from nonholo.model.drawing.shapes import (
    UNTURNED,
    UPWARD,
    Body,
    Drawing,
    Point,
    Rotation,
    Shape,
    Text,
    Trace,
    ahead,
    heading,
    matrix_of,
    rolling,
    velocity_arrow,
)
from nonholo.model.files.toml_text import toml_table
from nonholo.model.system import AboutSystem, System, known_inputs, known_names, numbered, varied
from nonholo.notation.write import to_text
from nonholo.verification import available

Option: TypeAlias = str | float
"""What an exhibit was built with."""


@cache
def page_lists(what: str) -> Mapping[str, Any]:
    """Meanings, exercises, stories or windows of gaits by exhibit, in the words of a file."""
    return tomllib.loads((Path(__file__).parent / f"{what}.toml").read_text("utf-8"))


def meanings(exhibit: str, system: System) -> dict[str, str]:
    """Words for the names that a system has."""
    own = dict(page_lists("meanings").get(exhibit, ()))
    if exhibit not in page_lists("meanings"):
        return {}
    words: dict[str, str] = {}
    for table in ("common", *own.pop("like", ())):
        words |= page_lists("meanings")["shared"][table]
    known = {*known_names(system), *(system.parametric[0] if system.parametric is not None else ())}
    return {name: text for name, text in {**words, **own}.items() if name in known}


@dataclass(frozen=True)
class Fact:
    """A published or closed-form claim: ``test(exhibit)`` returns the Finding, from something independent of our result."""

    claim: str
    source: str
    test: Callable[[Exhibit], Finding]

    def __call__(self, exhibit: Exhibit) -> Finding:
        return self.test(exhibit)


@dataclass(frozen=True, init=False, repr=False)
class Exhibit(AboutSystem):
    """A system of the literature, alive: a System with its numbers and drawing, and what was published about it."""

    name: str
    title: str
    group: str
    system: System
    references: tuple[str, ...]
    starts: Mapping[str, Mapping[str, float]]
    """Further named starts (the cases of a paper's figures)."""
    variants: Mapping[str, System]
    """The same thing in other words: other coordinates, frames or formulations."""
    story: str
    """Two or three sentences for a newcomer."""
    chaos: str
    """The event of a section that its report shows, with Lyapunov exponents; nothing unless it is about chaos."""
    options: Mapping[str, Option]
    """The formulas and numbers it was built with, where its facts depend on them."""

    def __init__(
        self,
        name: str,
        title: str,
        group: str,
        system: System,
        references: tuple[str, ...] = (),
        starts: Mapping[str, Mapping[str, float]] = FrozenMap(),
        variants: Mapping[str, System] = FrozenMap(),
        story: str = "",
        chaos: str = "",
        options: Mapping[str, Option] = FrozenMap(),
        *,
        parameters: Mapping[str, float] | None = None,
        start: Mapping[str, float] | None = None,
        until: float | None = None,
        drawing: Drawing | None = None,
        units: Mapping[str, str] | None = None,
        inputs: Mapping[str, Any] | None = None,
        page: Any = None,
    ) -> None:
        words: dict[str, Any] = {
            "parameters": None if parameters is None else numbered(system, parameters).parameters,
            "start": start, "until": until, "drawing": drawing, "units": units, "page": page,
            "inputs": None if inputs is None else {**system.inputs, **inputs},
        }  # fmt: skip
        given = {key: value for key, value in words.items() if value is not None}
        if page is None and system.page is None and (words_of_names := meanings(name, system)):
            given["page"] = {"meanings": words_of_names, "exercises": page_lists("exercises").get(name, ())}
            given["page"] |= {"story": page_lists("stories").get(name, ()), "gait": page_lists("gaits").get(name)}
        own = {
            "name": name, "title": title, "group": group, "system": varied(system, **given) if given else system,
            "references": references, "starts": starts, "variants": variants, "story": story, "chaos": chaos,
            "options": options,
        }  # fmt: skip
        for key, value in own.items():
            object.__setattr__(self, key, value)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What was published about it, each with its test: from the package ``nonholo_papers``, and empty without it."""
        if not available():
            return ()
        from nonholo_papers.facts import facts_on

        return facts_on(self.name)

    @property
    def drawing(self) -> Drawing:
        """How it is drawn."""
        return self.system.drawing if self.system.drawing is not None else Drawing()

    @property
    def units(self) -> Mapping[str, str]:
        """The units of its quantities."""
        return self.system.units

    @property
    def inputs(self) -> Mapping[str, Any]:
        """What its inputs do, as numbers and texts."""
        return FrozenMap({n: e if isinstance(e, float) else to_text(e) for n, e in known_inputs(self.system).items()})

    def _repr_html_(self) -> str:
        return notebook_html("shown_exhibit", self)

    def __repr__(self) -> str:
        return f"<Exhibit {self.name}: {self.title}; its .system, .parameters, .start, .until, {len(self.facts)} .facts>"


@cache
def exhibit_of(name: str, file: Path) -> Exhibit:
    """The exhibit that a file describes: ``[exhibit]`` has title, group, papers, references, story, starts and variants."""
    table = toml_table(file.read_text("utf-8"), file.name)
    words = table.pop("exhibit")
    variants = {title: from_table(variant, f"{file.name}: {title}") for title, variant in words.get("variants", {}).items()}
    return Exhibit(
        name, words["title"], words["group"], from_table(table, file.name), tuple(words["references"]), words.get("starts", {}),
        variants, words["story"],
    )  # fmt: skip


__all__ = [
    "UNTURNED", "UPWARD", "Body", "Drawing", "Exhibit", "Fact", "Point", "Rotation", "Shape", "Text", "Trace", "ahead",
    "exhibit_of", "heading", "matrix_of", "rolling", "velocity_arrow",
]  # fmt: skip
