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
    spec: Annotated[Path, typer.Argument(metavar="SPEC.toml", help="What to vary.", autocompletion=offered_files)],
    out: Annotated[Path | None, typer.Option(help="Where the results go, a zarr store.")] = None,
    scheduler: Annotated[str | None, typer.Option(help="Address of a Dask scheduler.")] = None,
    resume: Annotated[bool, typer.Option(help="Go on where an earlier run stopped.")] = True,
    json: Json = False,
) -> int:
    """Many motions over a grid, here or on a cluster."""
    from nonholo.cli.motion_options import show_sweep

    return show_sweep(spec, out, scheduler, resume, json)
