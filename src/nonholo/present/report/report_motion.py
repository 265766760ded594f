"""Section on the motion of a report: film and interactive plots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nonholo.errors import NonholoError, StateError
from nonholo.integrate.methods import called
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.present.film.film_page import film_fragment, living_fragment, viewer_script
from nonholo.present.report.integral_drift import ENERGY, with_integrals
from nonholo.present.report.report_contacts import contact_figures, mode_table
from nonholo.present.report.report_page import ReportSection, escape, plot_box
from nonholo.present.report.report_sections import note, number
from nonholo.present.report.report_subject import Case
from nonholo.present.report.report_symmetry import SymmetryResults
from nonholo.present.style.labels import html_name, unit_of
from nonholo.present.style.mathml import mathml

NONE = "not a formula"
CURVES = 4
"""At most so many curves in one plot of velocities."""


@dataclass(frozen=True)
class Motion:
    """A computed motion, or the error that prevented it."""

    run: Trajectory | None = None
    trouble: NonholoError | None = None

    @property
    def reason(self) -> str:
        """Why there is none, in words for a page."""
        return self.trouble.said("page") if self.trouble is not None else ""


def motion(case: Case) -> Motion:
    """The motion of the case; numbers of the user's own that make no sense are refused, not noted."""
    found = case.dossier.motion
    if found.trouble is None:
        return Motion(found.value)
    if case.changed and isinstance(found.trouble, StateError):
        raise found.trouble
    return Motion(None, found.trouble)


def film(case: Case, found: Motion, theme: str = "auto") -> str | None:
    """The film as HTML, or None when there is nothing to see in space; with the ``theme`` auto it follows the reader's."""
    from nonholo.present.film.scene import scene

    if found.run is None:
        return None
    try:
        made = scene(found.run)
    except NonholoError:
        return None
    if made is None:
        return None
    traced = ", ".join(t.label for t in case.drawing.traces if t.label) if case.drawing else ""
    words = " s of motion from the start below" + (f"; the lines are traces of: {traced}" if traced else "")
    words += ". Drag to turn it; click it and scroll to come nearer."
    words += _sketch_words(case, found.run)
    return (
        f'<figure><div class="film">{film_fragment(made, 460, theme, autoplay=True)}</div>'
        f'<figcaption class="caption"><span data-live="until">{case.until:.3g}</span>{escape(words)}</figcaption></figure>'
    )


def moving_section(case: Case, found: Motion, frame: Any) -> ReportSection:
    """The same motion in a film whose frame moves along the symmetry group. [pattern evocation, Marsden and Scheurle 1995]"""
    from nonholo.present.film.scene import scene

    title = "Moving frame"
    if found.run is None:
        return ReportSection("moving", title, note(found.reason))
    made = scene(found.run.seen_from(frame))
    if made is None:
        return ReportSection("moving", title, note("There is nothing to see in space: the system has no drawing."))
    if hasattr(frame, "moving_frame"):
        frame = frame.moving_frame()[1]
    speeds = ", ".join(f"{name} {float(speed):.6g} per second" for name, speed in frame.items())
    words = f"The motion with the numbers this page came with, seen from a frame that moves with the group: {speeds}."
    shown = f'<figure><div class="film">{film_fragment(made, 380, "auto", autoplay=False)}</div>'
    return ReportSection("moving", title, f'{shown}<figcaption class="caption">{escape(words)}</figcaption></figure>')


def _sketch_words(case: Case, run: Trajectory) -> str:
    """Which parts a sketch made from the text leaves out, and how to draw them."""
    from nonholo.model.drawing.sketch import undrawn
    from nonholo.model.drawing.sketch_links import slack
    from nonholo.present.film.scene import subject_of

    drawn = subject_of(run, None) if case.drawing is None else None
    if drawn is None:
        return ""
    springs = [f"the source of the potential energy with {k}" for k in slack(case.system, drawn[0])]
    missing = [*undrawn(case.system, drawn[0]), *springs]
    words = " This sketch was made from the text."
    if missing:
        words += f" It does not show {', '.join(missing)}: write what is missing as shapes under [drawing] (docs/files.md)."
    return words


def live(case: Case, found: Motion, group: SymmetryResults) -> str:
    """The controls that integrate the motion again, or a note with the reason why there are none; nothing without a motion."""
    from nonholo.present.film.scene import subject_of
    from nonholo.present.living.living_data import living

    if found.run is None or viewer_script() is None:
        return ""
    if case.driven:
        return note(f"This page cannot solve the motion again: what drives {', '.join(case.driven)} is no formula.")
    drawn = subject_of(found.run, None)
    known = set(found.run.quantities) | set(case.system.parameters)
    kept = {
        one.name: one.expression
        for one in group.kept
        if one.name != ENERGY and {str(s) for s in getattr(one.expression, "free_symbols", (NONE,))} <= known
    }
    presets = dict(case.exhibit.starts) if case.exhibit is not None else {}
    try:
        data = living(
            case.system,
            drawn[0] if drawn is not None else None,
            kept,
            case.name if case.named else "system.toml",
            presets,
            group.energy,
        )
    except NonholoError as trouble:
        return note(f"This page cannot solve the motion again: {trouble}")
    return living_fragment(data)


def hint_notes(found: Motion) -> str:
    """What the user may not have meant, for the top of the page."""
    hints = found.run.hints if found.run is not None else ()
    return "".join(note(f"Hint: {hint[:1].upper()}{hint[1:]}{'' if hint.endswith(('?', '.')) else '.'}") for hint in hints)


def motion_section(case: Case, found: Motion, group: SymmetryResults) -> ReportSection:
    """Where the motion went: path, velocities, drift of energy, integrals and constraints, reactions."""
    if found.run is None:
        return ReportSection("motion", "Motion", note(f"No motion was computed: {found.reason}"))
    run = with_integrals(found.run, group.kept)
    # friction in a contact takes energy: what a balance with its work keeps is not the energy
    energy = group.energy and not any(kind.kind == "work" for kind in run.quantities.values())
    advice = run.outcome.said("page")
    outcome = "reached the end" if run.outcome.reached else f"ended early ({run.outcome.kind})"
    outcome += f". {advice}" if advice else ""
    words = (
        f"<p data-live=\"motion\">{run.outcome.time:.4g} s of motion in {run.steps} steps (method {escape(method_name(run))}); "
        f"it {escape(outcome.rstrip('.'))}. {_energy(run, energy)}</p>"
    )
    figures = [*_chosen(case, run), *_always(run, energy, "energy" not in _names_drawn(case))]
    boxes = "".join(plot_box(figure, caption) for figure, caption in figures)
    return ReportSection("motion", "Motion", f'{words}<div class="plots">{boxes}</div>{mode_table(run)}')


def _energy(run: Any, constant: bool) -> str:
    if "energy" not in run.quantities or not len(run["energy"]):
        return ""
    if constant:
        return f"The energy changed by {mathml(number(run.drift('energy')))} of its value."
    unit = escape(unit_of(run, "energy"))
    first, last = (f"{mathml(number(float(run['energy'][k])))} {unit}".strip() for k in (0, -1))
    return f"The energy went from {first} to {last}."


def method_name(run: Any) -> str:
    """The name of the method of integration, without its settings."""
    return called(str(run.attributes.get("method", "")))


def _chosen(case: Case, run: Any) -> list[tuple[Any, str]]:
    """The pairs of the drawing; curves over time that share a unit share a plot. Without a drawing, x, y and the speeds."""
    from nonholo.present.figures.interactive import path_figure, time_figure

    names = set(run.quantities)
    pairs = [(a, b) for a, b in (case.drawing.plots if case.drawing else ()) if a in names and b in names]
    if not any(a != "t" for a, _ in pairs) and {"x", "y"} <= names:
        pairs.insert(0, ("x", "y"))
    timed = [b for a, b in pairs if a == "t"]
    if not timed:
        timed = list(run.of_kind("speed"))
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(timed):
        groups.setdefault(unit_of(run, name), []).append(name)
    figures = [
        (
            path_figure(run, a, b, drawing=case.drawing),
            "Path in the plane" if (a, b) == ("x", "y") else f"{html_name(b)} against {html_name(a)}",
        )
        for a, b in dict.fromkeys(pairs)
        if a != "t"
    ]
    for group in groups.values():
        for k in range(0, len(group), CURVES):
            part = group[k : k + CURVES]
            figures.append((time_figure(run, part), f"{', '.join(map(html_name, part))} in time"))
    return figures


def _names_drawn(case: Case) -> set[str]:
    return {b for a, b in (case.drawing.plots if case.drawing else ()) if a == "t"}


def _always(run: Any, energy: bool, draw_energy: bool = True) -> list[tuple[Any, str]]:
    """Drift and reactions; an energy that changes, and should, is drawn by itself."""
    from nonholo.analyse.force_arrows import contact_forces
    from nonholo.present.figures.interactive import conserved_names, drift_figure, reaction_figure, time_figure

    figures = []
    if "energy" in run.quantities and not energy and draw_energy:
        figures.append((time_figure(run, ["energy"]), "Energy, which is not conserved here"))
    names = [n for n in conserved_names(run) if energy or n != "energy"]
    exact = [n for n in names if not float(abs(run[n] - run[n][0]).max()) > 0]
    moving = [n for n in names if n not in exact]
    told = [html_name(n) for n in exact if run.quantities[n].kind != "residual"]
    words = "What should stay constant: change since the start, relative where it did not start at zero"
    if told:
        words += f". No change at all: {', '.join(told)}"
    if moving:
        figures.append((drift_figure(run, moving), words))
    touching = contact_figures(run)
    if touching:
        return [*touching, *figures]
    try:
        cone = contact_forces(run) is not None
        words = "Contact force, and the friction it needs" if cone else "Reactions of the constraints"
        figures.append((reaction_figure(run), words))
    except (StateError, ValueError):
        pass
    return figures
