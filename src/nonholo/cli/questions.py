"""Questions about a system: list, derive, check, classify, new."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from nonholo.cli.page import as_json, finding_row, finding_table, say, table, working
from nonholo.cli.subject import subject
from nonholo.errors import FileError


def show_list(json: bool) -> int:
    """The gallery: name, title, papers."""
    entries = catalogue()
    if json:
        as_json(entries)
        return 0
    ordered = sorted(entries.items(), key=lambda item: (item[1]["group"], item[0]))
    table(("name", "title", "group", "papers"), [(n, e["title"], e["group"], e["papers"]) for n, e in ordered])
    return 0


def catalogue() -> dict[str, dict[str, str]]:
    """The gallery without building its systems, so it is quick."""
    from nonholo.gallery import headlines

    return headlines()


PATIENCE = 5.0
"""Units of work for making equations shorter before they are shown."""


def show_equations(name: str, form: str, frame: str | None, latex: bool, json: bool) -> int:
    """The equations of motion in one form, in the velocities of ``frame`` when given."""
    from nonholo.derive.forms import form_named

    system = subject(name).system
    with working("derive"):
        if frame is None:
            equations = form_named(form, "--form")(system)
        else:
            from nonholo.cli.frames import equations_in_frame

            equations = equations_in_frame(system, form, frame)
        if not json:
            from nonholo.derive.display import text

            written = equations.latex() if latex else text(equations, PATIENCE)
    if json:
        as_json(equations_table(equations))
    else:
        say(written)
    return 0


def equations_table(equations: Any) -> dict[str, Any]:
    """Plain data: names and texts; ``shared`` holds what the texts of long equations abbreviate, in order."""
    from nonholo.algebra.text import to_text
    from nonholo.derive.display import shared_parts

    lists = ("coordinates", "speeds", "unknowns", "parameters", "inputs")
    names = {key: [str(s) for s in getattr(equations, key)] for key in lists}
    size, count = len(equations.force), len(equations.kinematics)
    flat = [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force]
    shared, flat = shared_parts(flat, [name for key in lists for name in names[key]])
    texts = [to_text(e) for e in flat]
    return {
        "name": equations.name,
        "form": equations.origin,
        **names,
        "kinematics": texts[:count],
        "mass": [texts[count + i * size : count + (i + 1) * size] for i in range(size)],
        "force": texts[count + size * size :],
        "shared": {str(name): to_text(side) for name, side in shared},
    }


def show_checks(name: str, settings: list[str], json: bool) -> int:
    """Everything that must hold, with its numbers; 1 when something fails."""
    from nonholo.derive.check import check

    chosen = subject(name, settings)
    with working("check"):
        findings = check(chosen.system, chosen.parameters)
    failed = sum(f.verdict == "fails" for f in findings)
    if json:
        as_json([finding_table(f) for f in findings])
        return 1 if failed else 0
    table(("", "claim", "number", "because"), [finding_row(f) for f in findings])
    unknown = sum(f.verdict == "unknown" for f in findings)
    held = len(findings) - failed - unknown
    say(f"{chosen.system.name}: {held} hold, {failed} fail, {unknown} unknown")
    return 1 if failed else 0


def show_class(name: str, json: bool) -> int:
    """What kind of constraints the system has, in words."""
    from nonholo.analyse.classify import classify

    with working("classify"):
        answer = classify(subject(name).system)
    if json:
        as_json({"words": str(answer), **{f.name: getattr(answer, f.name) for f in fields(answer)}})
    else:
        say(str(answer))
    return 0


def write_new(file: Path, sweep: bool) -> int:
    """A commented system (or sweep) to start from, in a file that does not exist yet."""
    from nonholo.cli.template import SWEEP, TEMPLATE

    if file.suffix != ".toml":
        raise FileError(f"{file}: give a name that ends in .toml, e.g. {file.name.rstrip('.') or 'sleigh'}.toml.")
    if not file.stem.isprintable() or '"' in file.stem or "\\" in file.stem:  # it stands in the file, too
        raise FileError(f"{str(file)!r}: such a name cannot stand in a file of TOML; choose a plainer one, e.g. sleigh.toml.")
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write((SWEEP if sweep else TEMPLATE).replace("NAME", file.stem))
    except FileExistsError:
        raise FileError(f"{file} exists already and is left as it is; choose another name.") from None
    except OSError as trouble:
        with suppress(OSError):
            file.unlink()
        raise FileError(f"{file} cannot be written: {trouble.strerror or trouble}.") from None
    say(f"wrote {file}; edit it, then: nonholo {'sweep' if sweep else 'check'} {file}")
    return 0
