"""Page of the living part of a report alone: film, controls, plots, and the text that reproduces them."""

from __future__ import annotations

from nonholo.present.report.integral_drift import driven
from nonholo.present.report.report_motion import Motion, film, live, method_name, motion_section
from nonholo.present.report.report_page import page
from nonholo.present.report.report_sections import reproduce_section
from nonholo.present.report.report_subject import Case
from nonholo.present.report.report_symmetry import SymmetryResults


def living_page(case: Case, found: Motion) -> str:
    """The page of a motion without what needs none: no equations, no search for symmetries."""
    group = SymmetryResults(energy=not driven(case.inputs) and not case.system.forces)
    shown = film(case, found, "auto")
    alive = live(case, found, group)
    sections = [motion_section(case, found, group)]
    sections.append(reproduce_section(case, method_name(found.run) if found.run is not None else None))
    head = f'<div class="title"><div class="stage">{shown or ""}{alive}</div></div>'
    films = shown is not None or bool(alive)
    return page(case.title, head, sections, films=films, plots=found.run is not None, kind="lean")
