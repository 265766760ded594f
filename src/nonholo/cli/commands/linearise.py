"""The command linearise: the linear system about a state."""

from __future__ import annotations

from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import laws as input_laws
from nonholo.cli.command_subject import subject
from nonholo.cli.options import Json, Laws, Settings, Start, System
from nonholo.cli.terminal import as_json, say, working


@command(place=72, example="nonholo linearise chaplygin-sleigh --start omega=0 --start v=2")
def linearise(
    system: System,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    laws: Laws = [],  # noqa: B006
    output: Annotated[list[str], typer.Option(metavar="FORMULA", help="An output in the system's names; repeatable.")] = [],  # noqa: B006
    comoving: Annotated[bool, typer.Option("--comoving", help="As seen by an observer whom the symmetry carries along.")] = False,
    json: Json = False,
) -> int:
    """Linearise a system about its start.

    Prints A, B, C and D with their names, and the eigenvalues.
    """
    from nonholo.analyse.linear.linearise import linearise

    chosen = subject(system, settings, start)
    inputs = input_laws(laws, chosen.system) or None
    with working("linearise"):
        lin = linearise(
            chosen.system, chosen.start or None, inputs=inputs, outputs=list(output) or None,
            parameters=chosen.parameters, comoving=comoving,
        )
    if json:
        matrices = {n: getattr(lin, n) for n in ("A", "B", "C", "D")}
        values = [[v.real, v.imag] for v in lin.eigenvalues.tolist()]
        labels = {"names": lin.names, "inputs": lin.inputs, "outputs": lin.outputs, "ignored": lin.ignored}
        as_json({"name": lin.name, **labels, **matrices, "eigenvalues": values, "residual": lin.residual})
        return 0
    say(str(lin))
    return 0
