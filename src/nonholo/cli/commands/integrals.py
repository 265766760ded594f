"""The command integrals."""

from __future__ import annotations

from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.options import Json, Settings, System


@command(place=60, example="nonholo integrals gauge-momentum --depends-on r")
def integrals(
    system: System,
    depends_on: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="What the coefficients of momenta depend on: coordinates or sums of them."),
    ] = None,
    settings: Settings = [],  # noqa: B006
    certificate: Annotated[
        bool, typer.Option("--certificate", help="What proves each integral, as JSON that another program can check.")
    ] = False,
    json: Json = False,
) -> int:
    """The quantities that stay constant, with how they were found."""
    from nonholo.cli.symmetry_answers import show_integrals

    return show_integrals(system, depends_on, settings, json, certificate)
