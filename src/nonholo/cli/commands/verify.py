"""The command verify: the papers claim by claim, and every published fact of the gallery, by the package ``nonholo_papers``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import offered_subjects
from nonholo.cli.options import Json
from nonholo.verification import require


@command(place=130, example="nonholo verify chaplygin-sleigh")
def verify(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="A paper or a gallery name; default: all.", autocompletion=offered_subjects
        ),
    ] = None,
    label: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Only this claim, e.g. 6.18 or 'Theorem 4.4'.")
    ] = None,
    note: Annotated[
        bool, typer.Option("--note", help="Print a note on a paper: errors with derivations, conditions, conventions, slips.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="File for the note: .md, .html, .pdf, .tex, .json or .bib; default: the terminal.")
    ] = None,
    mutate: Annotated[
        bool, typer.Option("--mutate", help="Change the checked formulas one by one; list undetected changes.")
    ] = False,
    json: Json = False,
) -> int:
    """Test the claims of the papers and the gallery's facts.

    Exit code 1 if a result disagrees with its record.
    """
    require()
    from nonholo_papers.verify_answers import show_survivors, show_verdicts, write_note

    if mutate:
        return show_survivors(name, label, json)
    if note or out is not None:
        return write_note(name, out, json)
    return show_verdicts(name, label, json)
