"""The command-line application: commands with their options, help and examples."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from nonholo import __version__
from nonholo.cli.command import commands, names
from nonholo.cli.command_subject import in_file


def application(arguments: list[str] | None = None) -> typer.Typer:
    """All commands, or the one that the arguments begin with alone: the others need not be read in for it."""
    app = typer.Typer(
        name="nonholo",
        help="Mechanics with velocity constraints: equations, checks and motion from a few lines of text.",
        epilog="Example: nonholo check chaplygin-sleigh",
        rich_markup_mode="rich" if sys.stdout.isatty() else None,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(front)
    one = arguments[:1] if arguments and arguments[0] in names() else None
    for each in commands(one):
        app.command(each.name, epilog=f"Example: {each.example}")(in_file(each.function))
    return app


def front(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    """Mechanics with velocity constraints: equations, checks and motion from a few lines of text."""
    if version:
        typer.echo(f"nonholo {__version__}")
        raise typer.Exit()
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
