"""A report on one system: a single HTML file that opens anywhere without a network."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nonholo.errors import FileError
from nonholo.present.film import write_text
from nonholo.present.report_motion import film, method_name, motion, motion_section
from nonholo.present.report_page import escape, page
from nonholo.present.report_sections import (
    checks_section,
    constraints_section,
    equations_section,
    reproduce_section,
    system_section,
)
from nonholo.present.report_subject import Case, case
from nonholo.present.report_symmetry import symmetry_section


def report(
    subject: Any,
    path: str | os.PathLike[str] | None = None,
    parameters: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    until: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Path:
    """Write the report on a System, an Exhibit, a gallery name or a TOML file, and say where it is.

    ``path`` is ``<name>.html`` here unless given; numbers replace the subject's own; ``progress`` is told each step.
    """
    chosen = case(subject, parameters, start, until)
    target = Path(path) if path is not None else Path(f"{_slug(chosen)}.html")
    if not target.resolve().parent.is_dir():
        raise FileError(f"{target}: there is no directory {target.parent}; create it first.")
    if target.is_dir():
        raise FileError(f"{target} is a directory; give the name of a file, e.g. {target / 'report.html'}.")
    return write_text(target, report_page(chosen, progress))


def report_page(chosen: Case, progress: Callable[[str], None] | None = None) -> str:
    """The text of the page."""
    tell = progress or (lambda _: None)
    tell("motion")
    found = motion(chosen)
    tell("film")
    shown = film(chosen, found)
    tell("system")
    sections = [system_section(chosen)]
    tell("constraints")
    sections.append(constraints_section(chosen))
    sections.append(equations_section(chosen, tell))
    tell("checks")
    sections.append(checks_section(chosen))
    symmetry = symmetry_section(chosen, tell)
    sections += [symmetry] if symmetry is not None else []
    tell("plots")
    sections.append(motion_section(chosen, found))
    method = method_name(found.run) if found.run is not None else None
    sections.append(reproduce_section(chosen, method))
    kicker = f'<p class="kicker">{escape(chosen.group)}</p>' if chosen.group else ""
    story = f'<p class="story">{escape(chosen.story)}</p>' if chosen.story else ""
    head = f'<div class="title">{kicker}<h1>{escape(chosen.title)}</h1>{story}{shown or ""}</div>'
    return page(chosen.title, head, sections, films=shown is not None, plots=found.run is not None)


def _slug(chosen: Case) -> str:
    stem = Path(chosen.name).stem if chosen.named else chosen.name
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in stem.strip()).strip("-").lower() or "report"
