"""One judgement on a page: ``nonholo verdict``."""

from __future__ import annotations

from collections.abc import Sequence

from nonholo.cli.command import command
from nonholo.cli.command_subject import subject
from nonholo.cli.options import Json, Settings, System
from nonholo.cli.terminal import as_json, say, working


def show_verdict(name: str, settings: Sequence[str], json: bool) -> int:
    """Every line proved, measured or open, and the conclusion."""
    from nonholo.model.velocities.admissible import admissible
    from nonholo.symmetry.judgement.verdict import verdict

    chosen = subject(name, settings)
    admissible(chosen.system)  # constraints that depend on each other are bad input, not a question without answer
    with working("verdict"):
        found = verdict(chosen.system, chosen.parameters, chosen.start)
    if json:
        as_json(found)
    else:
        say(str(found))
    return 0


@command(place=110, example="nonholo verdict chaplygin-sleigh")
def verdict(system: System, settings: Settings = [], json: Json = False) -> int:  # noqa: B006
    """One judgement: symmetry, integrals, measure, Hamiltonisation; each line proved, measured or open."""
    return show_verdict(system, settings, json)
