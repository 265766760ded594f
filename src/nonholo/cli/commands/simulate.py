"""The command simulate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import offered_methods
from nonholo.cli.options import Json, Laws, Settings, Start, System, Until

METHODS = "dop853, taylor, rk4, verlet, rattle, hamel"
"""The methods that the help names."""


@command(place=150, example="nonholo simulate chaplygin-sleigh --start omega=5 --plot x,y")
def simulate(
    system: System,
    until: Until = None,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    laws: Laws = [],  # noqa: B006
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"Method of integration: {METHODS} …; a wrong name is answered with all.",
            autocompletion=offered_methods,
        ),
    ] = "dop853",
    rtol: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Relative tolerance of adaptive methods, 1e-9 unless given.")
    ] = None,
    step: Annotated[str | None, typer.Option(metavar="NUMBER", help="Step of methods with a fixed one.")] = None,
    out: Annotated[Path | None, typer.Option(help="Keep the motion as NetCDF.")] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="X,Y", help="Draw y (or several, x,y,z) against x; t is time.")
    ] = None,
    plot_out: Annotated[Path | None, typer.Option(help="File of the picture (png, pdf, svg).")] = None,
    film: Annotated[
        Path | None, typer.Option(help="Film of the motion: .html to turn with the mouse, .mp4 or .gif.")
    ] = None,
    sensitivity: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Derivatives of the end by parameters and start values, m,omega.")
    ] = None,
    event: Annotated[
        list[str],
        typer.Option(metavar="FORMULA[:up|:down][:stop]", help="Times at which a formula passes zero; repeatable."),
    ] = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Compute a motion. Exit code 1 when it ends early."""
    from nonholo.cli import field_commands as field
    from nonholo.cli import motion_options as motion

    wishes = motion.MotionOptions(
        settings, start, laws, until, method, rtol, step, out, plot, plot_out, film, json, sensitivity,
        tuple(event),
    )  # fmt: skip
    if field.is_field(system):
        return field.show_field(system, wishes)
    return motion.show_motion(system, wishes)
