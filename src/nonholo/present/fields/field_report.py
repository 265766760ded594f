"""The report on a field: its equations, its motion with film and plots, its published facts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nonholo.errors import NonholoError
from nonholo.fields.field_trajectory import UNITS
from nonholo.finding import Finding
from nonholo.gallery.field_exhibit import FieldExhibit
from nonholo.gallery.published import facts_on
from nonholo.notation.latex import to_latex
from nonholo.notation.read import expression
from nonholo.present.fields.field_film import film_fragment
from nonholo.present.fields.field_interactive import figure_of
from nonholo.present.fields.field_living import living_section
from nonholo.present.figures.interactive import drift_figure
from nonholo.present.report.report_page import ReportSection, escape, listed, page, plot_box, table
from nonholo.present.report.report_sections import copyable, facts_list, findings_table, number, references
from nonholo.present.style.labels import html_name
from nonholo.present.style.mathml import mathml

CONSERVED = ("energy", "momentum_x", "momentum_y", "angular_momentum", "enstrophy")
SYMBOLS = {"theta": r"\theta", "omega": r"\Omega"}
GIVEN = {
    **UNITS, "length": "m", "density": "kg/m", "gravity": "m/s²", "mass": "kg", "inertia": "kg m²", "offset": "m",
    "center": "m", "velocity": "m/s", "speed": "m/s", "front": "rad",
}  # fmt: skip
"""Units of the parameters of fields and of what their starts give."""


def field_report(
    exhibit: FieldExhibit,
    parameters: Mapping[str, Any] | None,
    start: Mapping[str, Any] | None,
    until: float | None,
    inputs: Mapping[str, Any] | None,
    command: str,
    progress: Callable[[str], None] | None,
) -> str:
    """The page on a field, with other numbers, start or inputs where they are given."""
    chosen = exhibit.having(**(parameters or {}))
    chosen = replace(chosen, start={**chosen.start, **(start or {})}, inputs={**chosen.inputs, **(inputs or {})})
    if progress is not None:
        progress("motion")
    run = chosen.simulate(until=until)
    return field_page(chosen, run, command or f"nonholo report {exhibit.name}", progress)


def field_page(exhibit: FieldExhibit, run: Any, command: str, progress: Callable[[str], None] | None = None) -> str:
    """The text of the page."""
    tell = progress or (lambda _: None)
    tell("film")
    film = _film(run)
    tell("facts")
    living = living_section(exhibit)
    lives = 'class="nonholo-film"' in living.body
    sections = [*([] if lives else [living]), _field(exhibit), _facts(exhibit)]
    tell("plots")
    kicker = f'<p class="kicker">{escape(exhibit.group)}</p>'
    caption = f"{run.outcome.time:.3g} s of motion; the dotted lines are traces of the ends."
    if "vorticity" in run.quantities:
        caption = f"Vorticity during {run.outcome.time:.3g} s."
    shown = f'<figure><div class="film">{film}</div><figcaption class="caption">{escape(caption)}</figcaption></figure>'
    sections += [_motion(exhibit, run, shown if lives else ""), _reproduce(command)]
    head = (
        f'<div class="title">{kicker}<h1>{escape(exhibit.title)}</h1><p class="story">{escape(exhibit.story)}</p>'
        f"{living.body if lives else shown}</div>"
    )
    return page(exhibit.title, head, sections, films=lives, plots=True, at_once=True)


def _field(exhibit: FieldExhibit) -> ReportSection:
    rows = "".join(f'<div class="formula">{mathml(line)}</div>' for line in exhibit.equations)
    given = ("parameter", exhibit.parameters, escape), ("at the start", exhibit.start, _name)
    tables = "".join(
        table([what, "value", "unit"], [[name(n), _value(v), GIVEN.get(n, "")] for n, v in values.items()])
        for what, values, name in given
    )
    sources = references(exhibit.references)
    return ReportSection("field", "Field", f"{rows}{tables}{sources}")


def _name(name: str) -> str:
    """A quantity of a field as in the legends of its plots."""
    return mathml(SYMBOLS[name]) if name in SYMBOLS else html_name(name)


def _value(value: Any) -> str:
    """A number or pair of numbers, and a formula in s, x and y as mathematics; else the text as it is."""
    if isinstance(value, str):
        try:
            return mathml(to_latex(expression(value, ("s", "x", "y", "t"), "start")))
        except NonholoError:
            return f"<code>{escape(value)}</code>"
    if isinstance(value, (tuple, list)):
        return "none" if not value else escape(", ".join(f"{e:g}" if isinstance(e, float) else str(e) for e in value))
    return mathml(number(value, 6)) if isinstance(value, float) else escape(value)


def _facts(exhibit: FieldExhibit) -> ReportSection:
    found = []
    for fact in exhibit.facts:
        try:
            finding = fact(exhibit)
            found.append(Finding(f"{fact.claim} ({fact.source})", finding.verdict, finding.value, finding.evidence))
        except NonholoError as trouble:
            found.append(Finding(fact.claim, "fails", None, str(trouble)))
    if not found:
        return ReportSection("facts", "Facts", facts_list(facts_on(exhibit.name)))
    return ReportSection("facts", "Facts", findings_table(found))


def _motion(exhibit: FieldExhibit, run: Any, film: str) -> ReportSection:
    """The recorded motion; its film is in this section when the head of the page shows another one."""
    ended = "reached the end" if run.outcome.reached else str(run.outcome)
    kept = [n for n in CONSERVED if n in run.quantities]
    drifts = listed([f"{_name(n)} {mathml(number(run.drift(n), 2))}" for n in kept])
    words = (
        f"<p>{run.outcome.time:.4g} s of motion in {run.steps} steps (method {escape(run.attributes['method'])}); it "
        f"{escape(ended)}. Largest change since the start, relative where it is not zero: {drifts}.</p>"
    )
    boxes = [_box(run, group) for group in exhibit.plots]
    constant = [n for n in kept if run.drift(n) < 1e-3 and float(abs(run[n] - run[n][0]).max()) > 0]
    if constant:
        boxes.append(plot_box(drift_figure(run, constant), "What should stay constant: change since the start"))
    return ReportSection("motion", "Motion", f'{words}{film}<div class="plots" data-recorded>{"".join(boxes)}</div>')


def _box(run: Any, group: tuple[str, ...]) -> str:
    """A plot to point at; maps, which the page's script cannot draw, as pictures."""
    if len(group) == 1 and run[group[0]].ndim > 1:
        picture = b64encode(run.plot(*group, backend="png", title="")).decode()
        source = f"data:image/png;base64,{picture}"
        caption = f'<figcaption class="caption">{_caption(group)}</figcaption>'
        return f'<figure class="plot"><img alt="{escape(group[0])}" style="width:100%" src="{source}"/>{caption}</figure>'
    return plot_box(figure_of(run, group), _caption(group))


def _film(run: Any) -> str:
    """A moving curve as an animation one can stop; a flow as a moving picture."""
    if "vorticity" not in run.quantities:
        return film_fragment(run, 520)
    with TemporaryDirectory() as folder:
        place = Path(folder) / "flow.gif"
        run.film(place, seconds=6, fps=10, dpi=80, size=(5.6, 4.4), progress=False)
        picture = b64encode(place.read_bytes()).decode()
    return f'<img alt="vorticity in time" style="width:100%;max-width:640px" src="data:image/gif;base64,{picture}"/>'


def _caption(group: tuple[str, ...]) -> str:
    if group == ("x", "y"):
        return "The curve at several times"
    if group == ("vorticity",):
        return "Vorticity at several times"
    names = ", ".join(_name(n) for n in group if n != "t")
    names = names[:1].upper() + names[1:]
    return f"{names} in time" if group[0] == "t" or group[0] in CONSERVED else f"{names} along the string and in time"


def _reproduce(command: str) -> ReportSection:
    versions = ", ".join(f"{p} {version(p)}" for p in ("nonholo", "numpy", "scipy"))
    return ReportSection(
        "reproduce", "Reproduce", f'{copyable(command)}<p class="caption">{escape(versions)}</p>'
    )
