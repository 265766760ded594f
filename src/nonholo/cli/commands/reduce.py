"""The command reduce."""

from __future__ import annotations

from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.options import Json, System


@command(place=50, example="nonholo reduce chaplygin-sleigh")
def reduce(
    system: System,
    latex: Annotated[bool, typer.Option("--latex", help="The reduced equations as LaTeX.")] = False,
    json: Json = False,
) -> int:
    """The system modulo its symmetry: bases, connection, momentum equation, reduced equations."""
    from nonholo.cli.symmetry_answers import show_reduction

    return show_reduction(system, latex, json)
