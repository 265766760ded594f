"""The command lyapunov."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.options import Json, Settings, Start, System, Until


@command(place=90, example="nonholo lyapunov chaplygin-sleigh --start v=-1 --until 100")
def lyapunov(
    system: System,
    until: Until = None,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    figure: Annotated[Path | None, typer.Option(help="Running means as a picture (png, pdf, svg).")] = None,
    json: Json = False,
) -> int:
    """Lyapunov exponents with errors, and what their zeros are due to. Exit code 1 when the motion ends early."""
    from nonholo.cli.chaos_answers import show_exponents

    return show_exponents(system, settings, start, until, figure, json)
