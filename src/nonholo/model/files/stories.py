"""The story of a living page: instants of its motion, shown in slow motion with a caption each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nonholo.errors import ModelError
from nonholo.model.files.exercises import Number, listed_records
from nonholo.notation.parse import parse

WORDS = ("text", "at", "when", "speed", "forces")
SPEED = 0.25


@dataclass(frozen=True)
class Stop:
    """One instant: ``at`` a time, or ``when`` an expression next passes through zero; how fast the film comes to it.

    >>> Stop("It turns round.", when="w3").speed
    0.25
    """

    text: str
    at: float | None = None
    when: str = ""
    speed: float = SPEED
    forces: bool = False
    """Whether the film shows forces there."""


def story_of(given: Any, known: Sequence[str], where: str, number: Number) -> tuple[Stop, ...]:
    """The stops of a file, each a table.

    >>> story_of([{"text": "Now."}], ("x",), "story", lambda e, where: float(e))
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: story 1: a stop needs a time (at = 1.5) or an expression that passes through zero (when = "w3").
    """
    return listed_records(given, Stop, "story", WORDS, where, lambda e, here: _stop(e, known, here, number))


def _stop(given: Any, known: Sequence[str], where: str, number: Number) -> Stop:
    text, when = str(given.get("text", "")), str(given.get("when", ""))
    if not text:
        raise ModelError(f"{where}: a stop needs text, what is said there.")
    if ("at" in given) == bool(when):
        raise ModelError(
            f'{where}: a stop needs a time (at = 1.5) or an expression that passes through zero (when = "w3").'
        )
    if when:
        parse(when, known, f"{where}: when")
    speed = number(given.get("speed", SPEED), f"{where}: speed")
    if not speed > 0:
        raise ModelError(f"{where}: speed is {speed:g}; give a positive part of real time, e.g. 0.2.")
    at = number(given["at"], f"{where}: at") if "at" in given else None
    return Stop(text, at, when, speed, bool(given.get("forces", False)))


def stop_table(one: Stop) -> dict[str, Any]:
    """The stop as plain data, for a file."""
    when: dict[str, Any] = {"when": one.when} if one.when else {"at": one.at}
    more = {"speed": one.speed} if one.speed != SPEED else {}
    return {**when, "text": one.text, **more, **({"forces": True} if one.forces else {})}
