"""The command check."""

from __future__ import annotations

from nonholo.cli.command import command
from nonholo.cli.command_subject import hint_places, subject
from nonholo.cli.options import Json, Settings, System
from nonholo.cli.terminal import as_json, finding_row, say, table, working


@command(place=30, example="nonholo check chaplygin-sleigh --set a=0.2")
def check(system: System, settings: Settings = [], json: Json = False) -> int:  # noqa: B006
    """Compare all derivations and test the system.

    Tests also that constraints are independent and energy is balanced. Exit code 1 if a check fails.
    """
    from nonholo.derive.laws.check import check
    from nonholo.model.velocities.admissible import admissible

    chosen = subject(system, settings)
    admissible(chosen.system)  # constraints that depend on each other are bad input
    with working("check"):
        findings = check(chosen.system, chosen.parameters)
    failed = sum(f.verdict == "fails" for f in findings)
    if json:
        as_json(findings)
        return 1 if failed else 0
    table(("", "claim", "number", "because"), [finding_row(f) for f in findings])
    for place in hint_places(system, findings, settings):
        say(place)
    unknown = sum(f.verdict == "unknown" for f in findings)
    held = len(findings) - failed - unknown
    say(f"{chosen.system.name}: {held} hold, {failed} fail, {unknown} unknown")
    return 1 if failed else 0
