"""The command section."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.options import Json, Settings, Start, System, Until


@command(place=80, example="nonholo section spherical-pendulum --event gamma1 --crossings 200")
def section(
    system: System,
    event: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What passes through zero; a variable that does so often unless given.")
    ] = None,
    crossings: Annotated[int, typer.Option(metavar="N", help="How many crossings of each start.")] = 1000,
    direction: Annotated[int, typer.Option(help="1 upwards, -1 downwards, 0 both.")] = 0,
    starts: Annotated[str | None, typer.Option(metavar="NAME=FROM:TO:N", help="Many starts, y=-0.3:0.5:12.")] = None,
    level: Annotated[list[str], typer.Option(metavar="NAME=NUMBER", help="Starts on a level, energy=0.1; with --solve.")] = [],  # noqa: B006
    solve: Annotated[list[str], typer.Option(metavar="NAME", help="The variable that puts a start on the level.")] = [],  # noqa: B006
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    until: Until = None,
    plot: Annotated[str | None, typer.Option(metavar="X,Y", help="The plane of the figure.")] = None,
    figure: Annotated[Path | None, typer.Option(help="The section as a picture (png, pdf, svg).")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the crossings as NetCDF.")] = None,
    json: Json = False,
) -> int:
    """A Poincaré section: where motions pass through a surface. Exit code 1 when a start has fewer crossings than requested."""
    from nonholo.cli.chaos_answers import Cut, show_section

    cut = Cut(event, crossings, direction, starts, level, solve, until, plot, figure, out)
    return show_section(system, settings, start, cut, json)
