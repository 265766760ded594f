"""Commands about fields, which have no System: simulate and report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonholo.cli.command_subject import named
from nonholo.cli.terminal import as_json, say, short, table, working
from nonholo.errors import StateError

if TYPE_CHECKING:
    from nonholo.cli.motion_options import MotionOptions
    from nonholo.gallery.field_exhibit import FieldExhibit

PAIRS = ("center", "velocity", "at")
USUAL = "dop853"
"""Default of the option --method."""


def is_field(name: str) -> bool:
    """Whether the user means a field of the gallery."""
    from nonholo import gallery

    return name in gallery.field_names()


def chosen_field(name: str, settings: Sequence[str], start: Sequence[str], laws: Sequence[str]) -> FieldExhibit:
    """The exhibit with the numbers of ``--set``, the texts of ``--start`` and the laws of ``--input``."""
    from dataclasses import replace
    from typing import cast

    from nonholo import gallery

    found = cast("FieldExhibit", gallery.get(name))
    numbers = {n: _value(v, getattr(found.field, n, None), f"--set {n}") for n, v in _pairs(settings, "--set").items()}
    found = found.having(**numbers)
    texts = {n: _start(n, v) for n, v in _pairs(start, "--start").items()}
    known = tuple(getattr(found.field, "inputs", ()))
    given = _pairs(laws, "--input")
    for law in given:
        if law not in known:
            raise StateError(f"--input {law}: {name} has no such input; it has {', '.join(known) or 'none'}.")
    kept = {} if {"x", "y"} & set(texts) else dict(found.start)  # a curve replaces the angles
    if getattr(found.field, "held", ()):  # what is held has no centre to set in motion
        kept = {n: v for n, v in kept.items() if n not in ("center", "velocity")}
    return replace(found, start={**kept, **texts}, inputs={**found.inputs, **given})


def _pairs(given: Sequence[str], option: str) -> dict[str, str]:
    return named(given, option, f"name=value, e.g. {option} nodes=64")


def _value(text: str, now: Any, where: str) -> Any:
    from nonholo.model.files.toml_files import number

    if isinstance(now, tuple):
        return () if text in ("none", "()") else tuple(part.strip() for part in text.split(","))
    value = number(text, where)
    return int(value) if isinstance(now, int) and float(value).is_integer() else value


def _start(name: str, text: str) -> Any:
    if name not in PAIRS:
        return text
    parts = [part.strip() for part in text.strip("()").split(",")]
    if len(parts) != 2:
        raise StateError(f"--start {name}={text}: write a point as two numbers, e.g. --start {name}=0,1.")
    return tuple(parts)


def show_field(name: str, wishes: MotionOptions) -> int:
    """Compute the motion of a field, show its totals, keep it and draw it; 1 when it ends early."""
    from nonholo.cli.motion_options import check_options, draw_picture
    from nonholo.model.files.toml_files import number

    exhibit = chosen_field(name, wishes.settings, wishes.start, wishes.laws)
    names = check_options(wishes)
    options: dict[str, Any] = {} if wishes.method == USUAL else {"method": wishes.method}
    for key in ("rtol", "step"):
        if getattr(wishes, key) is not None:
            options[key] = number(getattr(wishes, key), f"--{key}")
    if wishes.sensitivity is not None:
        options["sensitivity"] = wishes.sensitivity
    _accepted(exhibit, options)
    with working("simulate"):
        run = exhibit.simulate(until=None if wishes.until is None else number(wishes.until, "--until"), **options)
    if wishes.out is not None:
        run.save(wishes.out)
    picture = draw_picture(run, names, wishes.plot_out, name) if names else None
    if wishes.film is not None:
        run.film(path=wishes.film)
    answer = _answer(run, exhibit, picture, wishes)
    if wishes.json:
        as_json(answer)
        return 0 if run.outcome.reached else 1
    ended = f"reached t = {short(run.outcome.time)}" if run.outcome.reached else str(run.outcome)
    say(f"{exhibit.name} ({answer['method']}, {run.steps} steps): {ended}")
    totals = answer["totals"]
    table(("", "start", "end", "drift"), [(n, short(a), short(b), f"{d:.2g}") for n, (a, b, d) in totals.items()])
    for key in ("out", "plot", "film"):
        if answer[key]:
            say(f"wrote {answer[key]}")
    return 0 if run.outcome.reached else 1


def _accepted(exhibit: FieldExhibit, options: dict[str, Any]) -> None:
    """Options that this field's motion does not take are refused in words."""
    from inspect import signature

    known = signature(exhibit.field.simulate).parameters
    for option in options:
        if option not in known:
            raise StateError(f"--{option}: the motion of {exhibit.name} takes no {option}; leave it out.")


def _answer(run: Any, exhibit: FieldExhibit, picture: Path | None, wishes: MotionOptions) -> dict[str, Any]:
    totals = {
        str(n): (float(run[n][0]), float(run[n][-1]), run.drift(str(n)))
        for n in run.names
        if run[n].ndim == 1 and len(run["t"])
    }
    return {
        "system": exhibit.name,
        "method": run.attributes["method"],
        "outcome": run.outcome.kind,
        "time": run.outcome.time,
        "advice": run.outcome.said("shell"),
        "steps": run.steps,
        "parameters": exhibit.parameters,
        "start": {n: v if isinstance(v, (int, float)) else str(v) for n, v in exhibit.start.items()},
        "totals": totals,
        "out": None if wishes.out is None else str(wishes.out),
        "plot": None if picture is None else str(picture),
        "film": None if wishes.film is None else str(wishes.film),
    }


def write_field_report(
    name: str, out: Path | None, settings: Sequence[str], start: Sequence[str], until: str | None, laws: Sequence[str]
) -> int:
    """One page on a field."""
    from nonholo.model.files.toml_files import number
    from nonholo.present.report.report_file import report

    exhibit = chosen_field(name, settings, start, laws)
    given = [f"--set {t}" for t in settings] + [f"--start '{t}'" for t in start] + [f"--input '{t}'" for t in laws]
    given += [] if until is None else [f"--until {until}"]
    end = None if until is None else number(until, "--until")
    with working("report") as tell:
        place = report(exhibit, out, until=end, progress=tell, command=" ".join([f"nonholo report {name}", *given]))
    say(f"wrote {place}; open it in a browser: {place.resolve().as_uri()}")
    return 0
