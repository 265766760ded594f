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
            help=f"Method of integration: {METHODS} …; all: nonholo methods.",
            autocompletion=offered_methods,
        ),
    ] = "dop853",
    rtol: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Relative tolerance of adaptive methods; 1e-9 unless given.")
    ] = None,
    step: Annotated[str | None, typer.Option(metavar="NUMBER", help="Step of fixed-step methods, in seconds.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the motion to a NetCDF file.")] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="X,Y", help="Draw y (or several: x,y,z) against x; t is time.")
    ] = None,
    plot_out: Annotated[Path | None, typer.Option(help="Output file of the plot (png, pdf, svg).")] = None,
    film: Annotated[
        Path | None, typer.Option(help="Write a film: .html (turns with the mouse), .mp4 or .gif.")
    ] = None,
    sensitivity: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Derivatives of the final state, e.g. by m,omega.")
    ] = None,
    event: Annotated[
        list[str],
        typer.Option(metavar="FORMULA[:up|:down][:stop]", help="Report the times at which a formula passes zero; repeatable."),
    ] = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Simulate a motion.

    Exit code 1 when the motion ends early.
    """
    from nonholo.cli import field_commands as field
    from nonholo.cli import motion_options as motion

    wishes = motion.MotionOptions(
        settings, start, laws, until, method, rtol, step, out, plot, plot_out, film, json, sensitivity,
        tuple(event),
    )  # fmt: skip
    if field.is_field(system):
        return field.show_field(system, wishes)
    return motion.show_motion(system, wishes)
