"""Subject of a command: a gallery name or a TOML file, with its numbers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonholo.cli.command import Answer
from nonholo.errors import FileError, ModelError, NonholoError, Passage, StateError, meant

if TYPE_CHECKING:
    from nonholo.finding import Finding
    from nonholo.integrate.results.motion_hints import MotionHint
    from nonholo.present.report.report_subject import Case

Key = tuple[str | int, ...]


def suggestion(name: str, known: Sequence[str]) -> str:
    """What the user may have meant."""
    return meant(name, known, f"it has {', '.join(known) or 'none'}.")


def subject(name: str, settings: Sequence[str] = (), start: Sequence[str] = ()) -> Case:
    """The case of a gallery name, a TOML file or standard input, with the numbers of ``--set`` and ``--start``."""
    from nonholo.machines.machine_files import loads
    from nonholo.present.report.report_subject import case, with_numbers

    found = case(loads(sys.stdin.read()) if name == "-" else name)
    given = assignments(settings, "--set")
    for parameter in given:
        if parameter not in found.system.parameters:
            hint = suggestion(parameter, tuple(found.system.parameters))
            raise StateError(f"--set {parameter}: {found.system.name} has no such parameter; {hint}")
    return with_numbers(found, given, assignments(start, "--start"))


def passage(name: str, key: Key, given: Sequence[str] = ()) -> Passage | None:
    """Position of an entry in the user's file; None for gallery names and for values given by options (``a=1``)."""
    from nonholo.model.files.mistake_places import place_in
    from nonholo.model.files.toml_files import file_text

    stated = {text.partition("=")[0].strip() for text in given}
    if not name.endswith(".toml") or not key or (len(key) > 1 and key[1] in stated):
        return None
    return place_in(file_text(name)[0], ModelError(key=key))


def hint_lines(name: str, hints: Iterable[MotionHint], given: Sequence[str] = ()) -> list[str]:
    """Hints with the line of the file that each is about, and a caret below it."""
    where = f"{name}: " if name.endswith(".toml") else ""
    return [ModelError(f"{where}{hint}", passage=passage(name, hint.key, given)).said("shell") for hint in hints]


def hint_places(name: str, findings: Iterable[Finding], given: Sequence[str] = ()) -> list[str]:
    """The lines of the file that the hints among some findings are about."""
    from nonholo.finding import Hint

    keys = dict.fromkeys(f.data.key for f in findings if isinstance(f.data, Hint))
    places = [place for key in keys if (place := passage(name, key, given)) is not None]
    return [f"{name}, {place.named()}:\n{place.shown()}" for place in places]


def in_file(function: Answer) -> Answer:
    """The command, whose errors about an entry of the system's file show its line."""

    @wraps(function)
    def answer(**options: Any) -> int:
        try:
            return function(**options)
        except NonholoError as trouble:
            name = options.get("system")
            if not isinstance(name, str) or trouble.passage is not None:
                raise
            place = passage(name, trouble.key, [*options.get("settings", ()), *options.get("start", ())])
            raise (trouble if place is None else trouble.altered(f"{name}: {trouble.message}", place)) from None

    return answer


def is_file(name: str) -> bool:
    """Whether the user means a file: gallery names have neither dots nor slashes."""
    return "." in name or "/" in name or os.path.exists(name)


def assignments(given: Sequence[str], option: str) -> dict[str, float]:
    """``["a=0.2", "b=pi/6"]`` as a table of numbers."""
    from nonholo.model.files.toml_files import number

    pairs = named(given, option, f"name=number, e.g. {option} a=0.2")
    return {name: number(value, f"{option} {name}") for name, value in pairs.items()}


def named(given: Sequence[str], option: str, wanted: str) -> dict[str, str]:
    """``["a=0.2", "b=pi/6"]`` as a table of texts."""
    table: dict[str, str] = {}
    for text in given:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise FileError(f"{option} {text}: write it as {wanted}.")
        table[name] = value
    return table


def laws(given: Sequence[str], system: Any) -> dict[str, Any]:
    """``["tau=0.5", "u=-2*xdot", "w=file.csv"]`` as numbers, feedback laws and tables for the inputs of a system."""
    from nonholo.model.files.time_tables import ENDINGS, read_table

    table: dict[str, Any] = dict(named(given, "--input", "name=number or name=law or name=file.csv, e.g. --input tau='-2*xdot'"))
    for name in table:
        if name not in system.inputs:
            raise StateError(f"--input {name}: {system.name} has no such input; {suggestion(name, system.inputs)}")
        if table[name].lower().endswith(ENDINGS):
            table[name] = read_table(table[name], name)
    return table


def offered(incomplete: str) -> list[str]:
    """Names for the shell to complete: the gallery's and the system files here."""
    return [n for n in (*offered_names(""), *offered_files("")) if n.startswith(incomplete)]


def offered_names(incomplete: str) -> list[str]:
    """Gallery names for the shell to complete."""
    from nonholo import gallery

    return [n for n in gallery.names() if n.startswith(incomplete)]


def offered_subjects(incomplete: str) -> list[str]:
    """Papers and gallery names for the shell to complete."""
    from nonholo.verification import available

    papers: tuple[str, ...] = ()
    if available():
        from nonholo_papers import names

        papers = names()
    return [n for n in (*papers, *offered_names("")) if n.startswith(incomplete)]


def offered_files(incomplete: str) -> list[str]:
    """TOML files here, for the shell to complete."""
    return sorted(n for n in map(str, Path().glob("*.toml")) if n.startswith(incomplete))


def offered_methods(incomplete: str) -> list[str]:
    """Methods of integration for the shell to complete."""
    from nonholo.integrate.methods import registered_methods

    return sorted(n for n in registered_methods() if n.startswith(incomplete))


def offered_forms(incomplete: str) -> list[str]:
    """Forms of the equations of motion for the shell to complete."""
    from nonholo.derive import form_files

    return [n for n in form_files() if n.startswith(incomplete)]


def offered_settings(ctx: Any, incomplete: str) -> list[str]:
    """``a=``, ``J=`` … of the system named before them on the line; nothing when there is none yet."""
    return _assignable(ctx, incomplete, lambda system: system.parameters)


def offered_starts(ctx: Any, incomplete: str) -> list[str]:
    """``theta=``, ``omega=`` … of the same system."""
    return _assignable(
        ctx, incomplete, lambda system: (*system.coordinates, *system.quasivelocities, *system.velocities)
    )


def offered_inputs(ctx: Any, incomplete: str) -> list[str]:
    """``tau=`` … of the same system."""
    return _assignable(ctx, incomplete, lambda system: system.inputs)


def _assignable(context: Any, incomplete: str, names: Callable[[Any], Iterable[str]]) -> list[str]:
    # while an option waits for its value click has not yet given the arguments their names
    name = context.params.get("system") or next(iter(context.args), None)
    if name is None:
        return []
    try:
        system = subject(name).system
    except NonholoError:
        return []
    return [f"{n}=" for n in dict.fromkeys(names(system)) if n.startswith(incomplete)]
