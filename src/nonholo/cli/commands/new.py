"""The command new."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.terminal import say
from nonholo.errors import FileError


@command(place=140, example="nonholo new sleigh.toml")
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="A file that does not exist yet.")],
    sweep: Annotated[bool, typer.Option("--sweep", help="An example of a sweep.")] = False,
    machine: Annotated[bool, typer.Option("--machine", help="An example of a machine of bodies, joints and wheels.")] = False,
) -> int:
    """Write a commented example file to start from."""
    from nonholo.cli.template import MACHINE, SWEEP, TEMPLATE

    if sweep and machine:
        raise FileError("--sweep and --machine: a file holds one of them; give one option.")

    if file.suffix != ".toml":
        raise FileError(f"{file}: give a name that ends in .toml, e.g. {file.name.rstrip('.') or 'sleigh'}.toml.")
    if not file.stem.isprintable() or '"' in file.stem or "\\" in file.stem:  # it stands in the file, too
        raise FileError(f"{str(file)!r}: such a name cannot stand in a file of TOML; choose a plainer one, e.g. sleigh.toml.")
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write((SWEEP if sweep else MACHINE if machine else TEMPLATE).replace("NAME", file.stem))
    except FileExistsError:
        raise FileError(f"{file} exists already and is left as it is; choose another name.") from None
    except OSError as trouble:
        with suppress(OSError):
            file.unlink()
        raise FileError(f"{file} cannot be written: {trouble.strerror or trouble}.") from None
    say(f"wrote {file}; edit it, then: nonholo {'sweep' if sweep else 'check'} {file}")
    return 0
