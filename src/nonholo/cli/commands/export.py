"""The command export: equations of motion in another language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import subject
from nonholo.cli.options import System
from nonholo.cli.terminal import say, working
from nonholo.errors import ModelError


@command(place=180, example="nonholo export chaplygin-sleigh --to c -o sleigh.c")
def export(
    system: System,
    to: Annotated[str | None, typer.Option("--to", help="Target: c, numpy, jax, casadi, wasm or sympy.")] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Output file; default: the system's name.")] = None,
    implicit: Annotated[bool, typer.Option("--implicit", help="Write residuals, not solved for the rates.")] = False,
) -> int:
    """Write the equations as code for other programs.

    Targets: C, NumPy, JAX, CasADi, WebAssembly, SymPy.
    """
    from nonholo.compile.export import export as write
    from nonholo.compile.portable_program import identifier
    from nonholo.compile.targets.registry import target, targets
    from nonholo.model.system import numbered

    found = subject(system)
    if to is None:
        raise ModelError(f"export: give --to and one of {', '.join(targets())}.")
    chosen = target(to)
    place = out or Path(f"{identifier(found.system.name)}{chosen.suffix}")
    if place.is_dir():
        raise ModelError(f"{place} is a folder; give the name of a file that ends in {chosen.suffix}.")
    with working("export"):
        files = write(numbered(found.system, {**found.system.parameters, **found.parameters}), to, place, implicit=implicit)
    say(f"wrote {', '.join(map(str, files))}: {chosen.title}")
    return 0
