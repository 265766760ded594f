"""The command section."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonholo.cli.command import command
from nonholo.cli.command_subject import assignments, subject
from nonholo.cli.options import Json, Settings, Start, System, Until
from nonholo.cli.terminal import FIGURES, as_json, check_place, say, working
from nonholo.errors import FileError, StateError

if TYPE_CHECKING:
    from nonholo.present.report.report_subject import Case


@command(place=80, example="nonholo section spherical-pendulum --event gamma1 --crossings 200")
def section(
    system: System,
    event: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Formula that is zero on the surface; default: chosen.")
    ] = None,
    crossings: Annotated[int, typer.Option(metavar="N", help="Crossings per start.")] = 1000,
    direction: Annotated[int, typer.Option(help="1: upward crossings, -1: downward, 0: both.")] = 0,
    starts: Annotated[str | None, typer.Option(metavar="NAME=FROM:TO:N", help="Many starts, e.g. y=-0.3:0.5:12.")] = None,
    level: Annotated[list[str], typer.Option(metavar="NAME=NUMBER", help="Level of the starts, energy=0.1; needs --solve.")] = [],  # noqa: B006
    solve: Annotated[list[str], typer.Option(metavar="NAME", help="Variable that is solved for to reach the level.")] = [],  # noqa: B006
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    until: Until = None,
    plot: Annotated[str | None, typer.Option(metavar="X,Y", help="Axes of the figure.")] = None,
    figure: Annotated[Path | None, typer.Option(help="Write a figure of the section (png, pdf, svg).")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the crossings to a NetCDF file.")] = None,
    json: Json = False,
) -> int:
    """Compute a Poincaré section.

    Records the states at which motions cross a surface. Exit code 1 when a start has fewer crossings than requested.
    """
    from nonholo.analyse.chaos.poincare_section import section
    from nonholo.model.files.toml_files import number

    check_place(figure, "--figure", FIGURES, "section")
    check_place(out, "-o", (".nc",), "section")
    names = [n.strip() for n in (plot or "").split(",") if n.strip()]
    if plot is not None and (len(names) != 2 or figure is None):
        raise StateError(f"--plot {plot}: name what is across and what is up, with --figure, e.g. --plot x,y --figure s.png.")
    chosen = subject(system, settings, start)
    with working("section") as tell:
        if event is None:
            tell("an event")
            event = _passing(chosen)
        tell("crossings")
        found = section(
            chosen.system,
            _starts(chosen, starts),
            event,
            crossings,
            parameters=chosen.parameters,
            direction=direction,
            level=assignments(level, "--level") or None,
            solve=solve or None,
            until=None if until is None else number(until, "--until"),
        )
        if out is not None:
            found.save(out)
        if figure is not None and found.counts.sum():
            found.plot(*names, path=figure)
    if json:
        columns = {str(n): found[str(n)] for n, v in found.data.data_vars.items() if v.dims == ("start", "crossing")}
        as_json({"name": found.name, "event": event, "outcome": list(found.outcomes), "crossings": found.counts, "data": columns})
    else:
        say(str(found))
        for place in (out, figure if found.counts.sum() else None):
            if place is not None:
                say(f"wrote {place}")
    return 0 if all(words.startswith("reached") for words in found.outcomes) else 1


def _starts(chosen: Case, along: str | None) -> dict[str, Any]:
    """The start, or many that differ in one value: ``y=-0.3:0.5:12``."""
    import numpy as np

    from nonholo.model.files.toml_files import number

    starts: dict[str, Any] = dict(chosen.start)
    if along is None:
        return starts
    name, _, text = along.partition("=")
    parts = text.split(":")
    if not name.strip() or len(parts) != 3 or not parts[2].strip().isdigit() or not 0 < int(parts[2]) <= 100_000:
        raise FileError(f"--starts {along}: write it as name=from:to:count, e.g. --starts y=-0.3:0.5:12.")
    low, high = (number(p, f"--starts {name}") for p in parts[:2])
    return starts | {name.strip(): np.linspace(low, high, int(parts[2]))}


def _passing(chosen: Case) -> str:
    """A variable that passes through zero again and again on the system's own motion."""
    from nonholo.analyse.chaos.poincare_section import default_section
    from nonholo.integrate.motion.simulate import simulate

    best = default_section(chosen.system, simulate(chosen.system, chosen.start, chosen.until, chosen.parameters, progress=False))
    if best is None:
        raise StateError(
            f"{chosen.system.name}: no variable passes through zero again and again on its own motion; say where to cut, e.g. "
            "--event x-1."
        )
    return best
