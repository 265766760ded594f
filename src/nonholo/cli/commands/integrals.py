"""The command integrals."""

from __future__ import annotations

from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import subject
from nonholo.cli.options import Json, Settings, System
from nonholo.cli.terminal import as_json, finding_row, say, table, working
from nonholo.errors import StateError
from nonholo.model.rotation_axes import axes_of, met, with_letters


@command(place=60, example="nonholo integrals gauge-momentum --depends-on r")
def integrals(
    system: System,
    depends_on: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Variables of the coefficients of momenta: coordinates or sums of them."),
    ] = None,
    settings: Settings = [],  # noqa: B006
    certificate: Annotated[
        bool, typer.Option("--certificate", help="Print a proof of each integral, as JSON that another program can check.")
    ] = False,
    json: Json = False,
) -> int:
    """Find first integrals (conserved quantities).

    Each line says how the integral was found and whether it is proved.
    """
    from nonholo.model.velocities.admissible import admissible
    from nonholo.symmetry.integrals.integrals import integrals

    chosen = subject(system, settings)
    wanted = None if depends_on is None else [part.strip() for part in depends_on.split(",") if part.strip()]
    if wanted == []:
        raise StateError("--depends-on: name a coordinate or a sum of them, e.g. --depends-on theta.")
    admissible(chosen.system)  # constraints that depend on each other are bad input, not a question without answer
    with working("integrals"):
        findings = integrals(chosen.system, depends_on=wanted, parameters=chosen.parameters, start=chosen.start)
    if certificate:
        from nonholo.symmetry.certificate.certificates import certificates

        as_json({"name": chosen.system.name, "certificates": certificates(chosen.system, findings, chosen.parameters)})
        return 0
    if json:
        as_json({"name": chosen.system.name, "integrals": findings})
        return 0
    axes = axes_of(chosen.system)
    rows = [(sign, claim, number, f.method, why) for f in findings for sign, claim, number, why in [finding_row(f)]]
    texts = [tuple(with_letters(word, axes) for word in row) for row in rows]
    table(("", "claim", "number", "found by", "because"), texts)
    for axis in met(axes, " ".join(word for row in texts for word in row)):
        say(f"   {axis.name} = ({', '.join(axis.entries)})")
    found = sum(f.verdict == "holds" and f.expression is not None for f in findings)
    say(f"{chosen.system.name}: {found} integral{'' if found == 1 else 's'} found")
    return 0
