"""The command derive."""

from __future__ import annotations

from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import offered_forms, subject
from nonholo.cli.options import Json, System
from nonholo.cli.terminal import as_json, equations_table, say, working

PATIENCE = 5.0
"""Units of work for making equations shorter before they are shown."""


@command(place=20, example="nonholo derive chaplygin-sleigh --frame 'u=2*v, w=omega'")
def derive(
    system: System,
    form: Annotated[
        str,
        typer.Option(
            metavar="FORM", help=f"Which equations: {', '.join(offered_forms(''))}.", autocompletion=offered_forms
        ),
    ] = "hamel",
    frame: Annotated[
        str | None,
        typer.Option(metavar="FRAME", help="Quasi-velocities, as 'u=xdot*cos(theta), …', or body, spatial or coordinates."),
    ] = None,
    latex: Annotated[bool, typer.Option("--latex", help="Answer as LaTeX.")] = False,
    json: Json = False,
) -> int:
    """Print the equations of motion."""
    from nonholo.derive.forms import form_named
    from nonholo.model.contacts import holding_words

    chosen = subject(system).system
    with working("derive"):
        if frame is None:
            equations = form_named(form, "--form")(chosen)
        else:
            from nonholo.cli.frames import equations_in_frame

            equations = equations_in_frame(chosen, form, frame)
        if not json:
            from nonholo.derive.display.equation_text import text

            written = equations.latex() if latex else text(equations, PATIENCE)
    if json:
        as_json(equations_table(equations))
    else:
        held = holding_words(chosen.contacts)
        say(written if latex or not held else f"{held}:\n{written}")
    return 0
