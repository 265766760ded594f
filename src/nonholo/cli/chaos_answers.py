"""Answers of the commands section and lyapunov."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonholo.cli.command_subject import assignments, subject
from nonholo.cli.terminal import as_json, say, working
from nonholo.errors import FileError, StateError

if TYPE_CHECKING:
    from nonholo.present.report.report_subject import Case

FIGURES = (".png", ".pdf", ".svg")


@dataclass(frozen=True)
class Cut:
    """Options of a section."""

    event: str | None
    crossings: int
    direction: int
    along: str | None
    level: list[str]
    solve: list[str]
    until: str | None
    plot: str | None
    figure: Path | None
    out: Path | None


def show_section(name: str, settings: Sequence[str], start: Sequence[str], cut: Cut, json: bool) -> int:
    """The crossings of a surface; 1 when a start has fewer than requested."""
    from nonholo.analyse.chaos.poincare_section import section
    from nonholo.model.files.toml_files import number

    _check(cut.figure, "--figure", FIGURES)
    _check(cut.out, "-o", (".nc",))
    names = [n.strip() for n in (cut.plot or "").split(",") if n.strip()]
    if cut.plot is not None and (len(names) != 2 or cut.figure is None):
        raise StateError(f"--plot {cut.plot}: name what is across and what is up, with --figure, e.g. --plot x,y --figure s.png.")
    chosen = subject(name, settings, start)
    with working("section") as tell:
        event = cut.event
        if event is None:
            tell("an event")
            event = _passing(chosen)
        tell("crossings")
        found = section(
            chosen.system,
            _starts(chosen, cut.along),
            event,
            cut.crossings,
            parameters=chosen.parameters,
            direction=cut.direction,
            level=assignments(cut.level, "--level") or None,
            solve=cut.solve or None,
            until=None if cut.until is None else number(cut.until, "--until"),
        )
        if cut.out is not None:
            found.save(cut.out)
        if cut.figure is not None and found.counts.sum():
            found.plot(*names, path=cut.figure)
    if json:
        columns = {str(n): found[str(n)] for n, v in found.data.data_vars.items() if v.dims == ("start", "crossing")}
        as_json({"name": found.name, "event": event, "outcome": list(found.outcomes), "crossings": found.counts, "data": columns})
    else:
        say(str(found))
        for place in (cut.out, cut.figure if found.counts.sum() else None):
            if place is not None:
                say(f"wrote {place}")
    return 0 if all(words.startswith("reached") for words in found.outcomes) else 1


def _check(place: Path | None, option: str, endings: tuple[str, ...]) -> None:
    if place is None:
        return
    if place.suffix.lower() not in endings:
        raise FileError(f"{option} {place}: the name must end in {', '.join(endings)}, e.g. {option} section{endings[0]}.")
    if not place.resolve().parent.is_dir():
        raise FileError(f"{option} {place}: there is no directory {place.parent}; create it first.")


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
    from nonholo.analyse.chaos.poincare_section import passing
    from nonholo.integrate.motion.simulate import simulate

    best = passing(chosen.system, simulate(chosen.system, chosen.start, chosen.until, chosen.parameters, progress=False))
    if best is None:
        raise StateError(
            f"{chosen.system.name}: no variable passes through zero again and again on its own motion; say where to cut, e.g. "
            "--event x-1."
        )
    return best


def show_exponents(
    name: str, settings: Sequence[str], start: Sequence[str], until: str | None, figure: Path | None, json: bool
) -> int:
    """The Lyapunov spectrum; 1 when the motion ends early."""
    from nonholo.analyse.chaos.lyapunov_spectrum import lyapunov
    from nonholo.model.files.toml_files import number

    _check(figure, "--figure", FIGURES)
    chosen = subject(name, settings, start)
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
