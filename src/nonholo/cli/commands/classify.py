"""The command classify."""

from __future__ import annotations

from dataclasses import fields

from nonholo.cli.command import command
from nonholo.cli.command_subject import subject
from nonholo.cli.options import Json, System
from nonholo.cli.terminal import as_json, say, working


@command(place=40, example="nonholo classify chaplygin-sleigh")
def classify(system: System, json: Json = False) -> int:
    """Say whether the constraints are holonomic; growth vector."""
    from nonholo.analyse.constraints.classify_constraints import classify
    from nonholo.model.contacts import holding_words

    chosen = subject(system).system
    with working("classify"):
        answer = classify(chosen)
    if json:
        as_json({"words": str(answer), **{f.name: getattr(answer, f.name) for f in fields(answer)}})
    else:
        held = holding_words(chosen.contacts)
        say(f"{held}: {answer}" if held else str(answer))
    return 0
