"""A report on one system: a single HTML file that opens anywhere without a network."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from nonholo.errors import FileError
from nonholo.present.report.integral_drift import driven
from nonholo.present.report.parallel_sections import Makers, OtherProcess, make_sections
from nonholo.present.report.report_behaviour import behaviour_section
from nonholo.present.report.report_gaits import gaits_section
from nonholo.present.report.report_motion import (
    Motion,
    film,
    hint_notes,
    living_data,
    method_name,
    motion,
    motion_section,
    moving_section,
)
from nonholo.present.report.report_page import PLOT, escape, page
from nonholo.present.report.report_sections import (
    checks_section,
    constraints_section,
    equations_section,
    reproduce_section,
    system_section,
)
from nonholo.present.report.report_steps import steps_section
from nonholo.present.report.report_subject import Case, case, field_of
from nonholo.present.report.report_symmetry import SymmetryResults, symmetry
from nonholo.writing import place_of, write_text


def report(
    subject: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    until: float | None = None,
    progress: Callable[[str], None] | None = None,
    processes: int = 1,
    inputs: Mapping[str, Any] | None = None,
    command: str = "",
    chaos: bool | str = False,
    steps: bool = False,
    seen_from: Any = None,
) -> Path:
    """Write the report on a System, an Exhibit, a field, a gallery name or a TOML file, and return its path.

    ``path`` is ``<name>.html`` here unless given; numbers and inputs replace the subject's own; ``progress`` is called at each
    step. With two ``processes`` sections are made two at a time. ``chaos`` adds Lyapunov exponents and a
    Poincaré section (text says where it cuts) to the section on behaviour; ``steps`` adds Benenti's nine steps; ``seen_from``
    adds the film as seen from a frame that moves along the symmetry group, as `Trajectory.seen_from` takes it.

    >>> import nonholo as nh
    >>> nh.report("rattleback", "rattleback.html")  # doctest: +SKIP
    PosixPath('rattleback.html')
    """
    field = field_of(subject)
    if field is not None:
        from nonholo.present.fields.field_report import field_report

        target = _target(path, field.name)
        return ReportFile(write_text(target, field_report(field, parameters, start, until, inputs, command, progress)))
    chosen = case(subject, parameters, start, until, inputs)
    target = _target(path, _slug(chosen))
    if processes < 2:
        return ReportFile(write_text(target, report_page(chosen, progress, chaos, steps=steps, seen_from=seen_from)))
    given = (chaos, subject, parameters, start, until, inputs)
    with OtherProcess(tuple(_makers(chosen, chaos, _silent)), _makers_of, given) as beside:
        return ReportFile(write_text(target, report_page(chosen, progress, chaos, beside, steps, seen_from)))


class ReportFile(type(Path())):  # type: ignore[misc]
    """The path of a report; in a notebook the report itself."""

    def _repr_html_(self) -> str:
        page = html.escape(self.read_text(encoding="utf-8"), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:80vh;border:0" title="{html.escape(str(self))}"></iframe>'


def _target(path: str | os.PathLike[str] | None, slug: str) -> Path:
    """Where the page goes, if it can go there."""
    target = Path(path) if path is not None else Path(f"{slug}.html")
    if not target.resolve().parent.is_dir():
        raise FileError(f"{target}: there is no directory {target.parent}; create it first.")
    if target.is_dir():
        raise FileError(f"{target} is a directory; give the name of a file, e.g. {target / 'report.html'}.")
    place_of(target)  # what cannot be written is refused before the work
    return target


def _makers(chosen: Case, chaos: bool | str, tell: Callable[[str], None]) -> Makers:
    """How the sections are made that need nothing of the others, the longest first."""
    return {
        "behaviour": lambda: behaviour_section(chosen, chaos),
        "equations": lambda: equations_section(chosen, tell),
        "gaits": lambda: gaits_section(chosen),
        "checks": lambda: checks_section(chosen),
        "constraints": lambda: constraints_section(chosen),
        "system": lambda: system_section(chosen),
    }


def _makers_of(chaos: bool | str, *given: Any) -> Makers:
    """The same in a process of its own."""
    return _makers(case(*given), chaos, _silent)


def _silent(_: str) -> None:
    """No progress is reported."""


def report_page(
    chosen: Case,
    progress: Callable[[str], None] | None = None,
    chaos: bool | str = False,
    beside: OtherProcess | None = None,
    steps: bool = False,
    seen_from: Any = None,
) -> str:
    """The text of the page; ``beside`` is a process that makes some of the sections."""
    tell = progress or _silent
    makers = _makers(chosen, chaos, tell)
    tell("motion")
    found = motion(chosen)
    moving = [moving_section(chosen, found, seen_from)] if seen_from is not None else []
    tell("film")
    shown = film(chosen, found)
    group = symmetry(chosen, found.run, tell)
    tell("plots")
    moved = motion_section(chosen, found, group)
    method = method_name(found.run) if found.run is not None else None
    kicker = f'<p class="kicker">{escape(chosen.group)}</p>' if chosen.group else ""
    story = f'<p class="story">{escape(chosen.story)}</p>' if chosen.story else ""
    intro = story + ("" if chosen.exhibit is not None and not chosen.changed else hint_notes(found))
    tell("living")
    alive = living_data(chosen, found, group)
    made = make_sections(makers, tell) if beside is None else beside.made(makers, tell)
    sheet = [steps_section(chosen)] if steps else []
    order = [made["system"], made["constraints"], made["equations"], *sheet, made["checks"], group.section, made["behaviour"]]
    middle = [*order, made["gaits"], moved, *moving, reproduce_section(chosen, method)]
    sections = [one for one in middle if one is not None]
    head = f'<div class="title">{kicker}<h1>{escape(chosen.title)}</h1>{intro}<div class="stage">{shown or ""}{alive}</div></div>'
    films = shown is not None or bool(alive) or made["gaits"] is not None
    return page(chosen.title, head, sections, films=films, plots=any(PLOT in s.body for s in sections))


def _slug(chosen: Case) -> str:
    stem = Path(chosen.name).stem if chosen.named else chosen.name
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in stem.strip()).strip("-").lower() or "report"


def living_page(case: Case, found: Motion) -> str:
    """The page of a motion without its equations and without a search for symmetries."""
    group = SymmetryResults(energy=not driven(case.inputs) and not case.system.forces)
    shown = film(case, found, "auto")
    alive = living_data(case, found, group)
    sections = [motion_section(case, found, group)]
    sections.append(reproduce_section(case, method_name(found.run) if found.run is not None else None))
    head = f'<div class="title"><div class="stage">{shown or ""}{alive}</div></div>'
    films = shown is not None or bool(alive)
    return page(case.title, head, sections, films=films, plots=found.run is not None, kind="lean")
