"""The command verdict: symmetry, integrals, measure and Hamiltonisation of a system in one answer."""

from __future__ import annotations

from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import hint_places, subject
from nonholo.cli.options import Json, Settings, System
from nonholo.cli.terminal import as_json, say, working


@command(place=110, example="nonholo verdict chaplygin-sleigh")
def verdict(
    system: System,
    settings: Settings = [],  # noqa: B006
    latex: Annotated[bool, typer.Option("--latex", help="Answer as LaTeX, with formulas and theorems.")] = False,
    certificate: Annotated[
        bool, typer.Option("--certificate", help="Print the proofs as JSON that another program can check.")
    ] = False,
    json: Json = False,
) -> int:
    """Judge whether a system is integrable.

    Lists symmetries, integrals, measure and Hamiltonisation; each line says whether it is proved, measured or open.
    """
    from nonholo.model.velocities.admissible import admissible
    from nonholo.symmetry.judgement.verdict import verdict

    chosen = subject(system, settings)
    admissible(chosen.system)  # constraints that depend on each other are bad input, not a question without answer
    with working("verdict"):
        found = verdict(chosen.system, chosen.parameters, start=chosen.start)
    if certificate:
        from nonholo.symmetry.certificate.certificates import certificates

        as_json({"name": found.system.name, "certificates": certificates(found.system, found.findings, chosen.parameters)})
    elif latex:
        from nonholo.symmetry.certificate.judgement_latex import judgement_latex

        say(judgement_latex(found))
    elif json:
        as_json(found)
    else:
        say(str(found))
        for place in hint_places(system, found.findings, settings):
            say(place)
    return 0
