"""The command sweep."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import offered_files
from nonholo.cli.options import Json


@command(place=160, example="nonholo new --sweep g.toml && nonholo sweep g.toml --out g.zarr")
def sweep(
    spec: Annotated[Path, typer.Argument(metavar="SPEC.toml", help="The grid: what is varied.", autocompletion=offered_files)],
    out: Annotated[Path | None, typer.Option(help="Zarr store for the results.")] = None,
    scheduler: Annotated[str | None, typer.Option(help="Address of a Dask scheduler.")] = None,
    resume: Annotated[bool, typer.Option(help="Continue where an earlier run stopped.")] = True,
    json: Json = False,
) -> int:
    """Simulate many motions over a grid, here or on a cluster."""
    from nonholo.cli.motion_options import show_sweep

    return show_sweep(spec, out, scheduler, resume, json)
