"""The command lyapunov."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import subject
from nonholo.cli.options import Json, Settings, Start, System, Until
from nonholo.cli.terminal import FIGURES, as_json, check_place, say, working


@command(place=90, example="nonholo lyapunov chaplygin-sleigh --start v=-1 --until 100")
def lyapunov(
    system: System,
    until: Until = None,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    figure: Annotated[Path | None, typer.Option(help="Write a figure of the running means (png, pdf, svg).")] = None,
    json: Json = False,
) -> int:
    """Compute Lyapunov exponents with errors.

    Zero exponents are attributed to flow, symmetry and integrals. Exit code 1 when the motion ends early.
    """
    from nonholo.analyse.chaos.lyapunov_spectrum import lyapunov
    from nonholo.model.files.toml_files import number

    check_place(figure, "--figure", FIGURES, "lyapunov")
    chosen = subject(system, settings, start)
    end = number(until, "--until") if until is not None else 20.0 * (chosen.system.until or 50.0)
    with working("lyapunov"):
        found = lyapunov(chosen.system, chosen.start, end, chosen.parameters)
        if figure is not None:
            found.plot(path=figure)
    if json:
        zeros = [{"kind": z.kind, "what": z.what, "exponent": z.exponent, "error": z.error} for z in found.zeros]
        table = {"name": found.name, "exponents": found.exponents, "errors": found.errors, "chaotic": found.chaotic}
        as_json({**table, "sum": found.sum, "divergence": found.divergence, "zeros": zeros, "outcome": str(found.outcome)})
    else:
        say(str(found))
        if figure is not None:
            say(f"wrote {figure}")
    return 0 if found.outcome.reached else 1
