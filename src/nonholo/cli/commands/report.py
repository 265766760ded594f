"""The command report: one HTML file on a system."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import assignments, laws, subject
from nonholo.cli.interrupts import interrupts
from nonholo.cli.options import Laws, Settings, Start, System, Until
from nonholo.cli.terminal import say, working

Numbers = list[str]


@command(place=170, example="nonholo report chaplygin-sleigh --start omega=5 -o sleigh.html")
def report(
    system: System,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Output file; default: <name>.html.")
    ] = None,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    inputs: Laws = [],  # noqa: B006
    until: Until = None,
    chaos: Annotated[
        bool, typer.Option("--chaos", help="Add Lyapunov exponents with errors and a Poincaré section.")
    ] = False,
    event: Annotated[
        str | None, typer.Option("--event", help="Section where this passes zero, e.g. w1; default: chosen.")
    ] = None,
    steps: Annotated[bool, typer.Option("--steps", help="Add Benenti's nine steps as a worked sheet.")] = False,
    seen_from: Annotated[
        list[str], typer.Option("--seen-from", help="Add a film in a frame that moves along the symmetry group, e.g. turn=0.3.")
    ] = [],  # noqa: B006
) -> int:
    """Write a page: equations, checks, film, plots.

    The page is one HTML file that works without a network.
    """
    return write_report(system, out, settings, start, until, inputs, event if event is not None else chaos, steps, seen_from)


def write_report(
    name: str,
    out: Path | None,
    settings: Numbers,
    start: Numbers,
    until: str | None,
    inputs: Numbers,
    chaos: bool | str = False,
    steps: bool = False,
    seen_from: Numbers | None = None,
) -> int:
    """Make the page and say where it is; on a terminal the steps are shown while they run."""
    from nonholo.cli.field_commands import is_field, write_field_report
    from nonholo.model.files.toml_files import number

    if is_field(name):
        return write_field_report(name, out, settings, start, until, inputs)
    given, begin = assignments(settings, "--set"), assignments(start, "--start")
    end = None if until is None else number(until, "--until")
    asked: Any = subject(name).system if name == "-" else name
    signals = laws(inputs, asked if name == "-" else subject(name).system) if inputs else None
    with interrupts() as seen, working("report") as show:
        from nonholo.present.report.report_file import report as write

        def tell(step: str) -> None:
            if seen:  # in a motion, which returned what it had
                raise KeyboardInterrupt
            show(step)

        cores = min(2, os.cpu_count() or 1)
        place = write(
            asked, out, parameters=given, start=begin, until=end, inputs=signals, progress=tell, processes=cores, chaos=chaos,
            steps=steps, seen_from=assignments(seen_from, "--seen-from") if seen_from else None,
        )  # fmt: skip
    say(f"wrote {place}; open it in a browser: {place.resolve().as_uri()}")
    return 0
