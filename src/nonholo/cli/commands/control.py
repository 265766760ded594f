"""The command control: controllability, flatness and steering."""

from __future__ import annotations

from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import assignments, subject
from nonholo.cli.options import Json, Settings, Start, System
from nonholo.cli.terminal import as_json, say, working


@command(place=75, example="nonholo control snakeboard")
def control(
    system: System,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    kinematic: Annotated[
        bool, typer.Option("--kinematic", help="Take the independent speeds as inputs (kinematics only).")
    ] = False,
    json: Json = False,
) -> int:
    """Test whether the inputs can steer a system.

    Accessibility, local controllability, and what prevents them.
    """
    from nonholo.control.reachability.controllability import controllability

    chosen = subject(system, settings, start)
    state = {n: chosen.start[n] for n in assignments(start, "--start")} if start else None
    numbers = chosen.parameters if start or settings else None
    with working("control"):
        found = controllability(chosen.system, state, parameters=numbers, kinematic=True if kinematic else None)
    if json:
        linear = found.linear
        as_json(
            {
                "name": found.name,
                "reading": found.reading,
                "inputs": found.inputs,
                "state": found.names,
                "dimension": found.dimension,
                "accessible": found.accessible,
                "locally_controllable": found.locally_controllable,
                "linear": None if linear is None else {"rank": linear.rank, "dimension": linear.dimension},
                "findings": [f.as_json() for f in found.findings],
            }
        )
    else:
        say(str(found))
    return 0
