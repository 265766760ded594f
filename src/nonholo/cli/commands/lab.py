"""The command lab: a local page with an editor."""

from __future__ import annotations

from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import offered_files
from nonholo.cli.terminal import say


@command(place=190, example="nonholo lab sleigh.toml")
def lab(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="A .toml file (it may be new), a gallery name, or a link shared by a lab.",
            autocompletion=offered_files,
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(metavar="NUMBER", help="Port on 127.0.0.1; 0: one that belongs to the folder.", min=0, max=65535)
    ] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address; do not open a browser.")] = False,
    limit: Annotated[
        int, typer.Option(metavar="SECONDS", help="Processor time for each part of a study.", min=1, max=86400)
    ] = 60,
    memory: Annotated[int, typer.Option(metavar="MB", help="Memory for a study.", min=100, max=1_000_000)] = 2000,
) -> int:
    """Open an editor with a living page in the browser.

    Equations, motion and conservation laws follow the text.
    """
    import webbrowser

    from nonholo.lab.server import serve
    from nonholo.lab.workbench import Limits

    serve(file, port, Limits(limit, memory * 1_000_000), say, None if no_browser else webbrowser.open)
    return 0
