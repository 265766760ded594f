"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from nonholo.cli.command_subject import offered, offered_inputs, offered_settings, offered_starts

System = Annotated[
    str,
    typer.Argument(
        metavar="SYSTEM", help="Gallery name, .toml file, or - for standard input.", autocompletion=offered
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]
Settings = Annotated[
    list[str],
    typer.Option(
        "--set", metavar="NAME=NUMBER", help="Value of a parameter; repeatable.", autocompletion=offered_settings
    ),
]
Start = Annotated[
    list[str],
    typer.Option(
        "--start", metavar="NAME=NUMBER", help="Value at the start; repeatable.", autocompletion=offered_starts
    ),
]
Laws = Annotated[
    list[str],
    typer.Option(
        "--input",
        metavar="NAME=LAW",
        help="An input: a number or a formula of time and state; repeatable.",
        autocompletion=offered_inputs,
    ),
]
Until = Annotated[
    str | None, typer.Option(metavar="T", help="End of the motion, in seconds; default: the system's own, else 10.")
]
