"""Section on the motion of a report: film, interactive plots, forces and modes of contacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.linear_equations import evaluate
from nonholo.analyse.force_arrows import contact_column
from nonholo.errors import NonholoError, StateError
from nonholo.integrate.contacts.mode_changes import Change, switching
from nonholo.integrate.methods import called
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.model.contacts import ContactLaw
from nonholo.model.system import known_parameters
from nonholo.present.figures.interactive import Figure, line, thinned_indices, titled
from nonholo.present.film.film_page import film_fragment, living_fragment, viewer_script
from nonholo.present.report.integral_drift import ENERGY, with_integrals
from nonholo.present.report.report_page import ReportSection, escape, plot_box
from nonholo.present.report.report_sections import note, number
from nonholo.present.report.report_subject import Case
from nonholo.present.report.report_symmetry import SymmetryResults
from nonholo.present.style.labels import html_name, unit_of
from nonholo.present.style.mathml import mathml
from nonholo.present.style.plot_style import COLOURS, FAINT

NONE = "not a formula"
CURVES = 4
"""At most so many curves in one plot of velocities."""
MOST_CONTACTS = 4
"""Contacts in one figure."""
MOST_CHANGES = 40
"""Changes of contacts that are listed."""
MODES = {"rolling": COLOURS[0], "sliding": COLOURS[1], "open": FAINT, "closed": COLOURS[0]}


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
    traced = [t.label for t in case.drawing.traces if t.label not in ("", "path")] if case.drawing else []
    words = " s of motion" + (f"; drawn {'path' if len(traced) == 1 else 'paths'}: {', '.join(traced)}" if traced else "")
    words += ". Drag to turn the view, click and scroll to come nearer."
    words += _sketch_words(case, found.run)
    length = abs(found.run.times[-1] - found.run.times[0])
    return (
        f'<figure><div class="film">{film_fragment(made, 460, theme, autoplay=True)}</div>'
        f'<figcaption class="caption"><span data-live="until">{length:.3g}</span>{escape(words)}</figcaption></figure>'
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


def living_data(case: Case, found: Motion, group: SymmetryResults) -> str:
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
    if len(run.modes):  # integrals of a motion whose contacts all hold need not be constant while they slip or are open
        names = [n for n in names if run.quantities[n].kind != "watched"]
    exact = [n for n in names if not float(abs(run[n] - run[n][0]).max()) > 0]
    moving = [n for n in names if n not in exact]
    exact_names = [html_name(n) for n in exact if run.quantities[n].kind != "residual"]
    words = "What should stay constant: its change since the start, relative unless it started at zero"
    if exact_names:
        words += f". No change at all: {', '.join(exact_names)}"
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


def contact_figures(run: Trajectory) -> list[tuple[Figure, str]]:
    """Normal and tangential forces over time, their ratio beside the coefficient of friction, and the modes, with captions."""
    columns, system = run.contact_columns, run.system
    if system is None or not columns:
        return []
    laws = list(enumerate(system.contacts))
    figures = []
    for part in (laws[k : k + MOST_CONTACTS] for k in range(0, len(laws), MOST_CONTACTS)):
        names = ", ".join(law.name for _, law in part)
        if forces := _forces(run, part):
            figures.append((forces, f"Forces at the contacts: {names}; normal as lines, along dashed, across dotted"))
        if ratio := _ratio(run, part):
            limits = "; dashed, the coefficient of friction" * any(_limit(run, law) is not None for _, law in part)
            figures.append((ratio, f"Friction used, tangential over normal force: {names}{limits}"))
    if len(run.modes):
        words = "When each contact rolls, slides or is open, in the motion recorded with the page"
        figures.append((_timeline(run, [law.name for _, law in laws]), words))
    return figures


def _forces(run: Trajectory, laws: list[tuple[int, ContactLaw]]) -> Figure | None:
    figure, some = titled("<i>t</i> [s]", "force [N]"), thinned_indices(len(run.times))
    for k, law in laws:
        for part, dash in (("normal", "solid"), ("along", "dash"), ("across", "dot")):
            values = run.contact_columns[part][:, k]
            if np.isfinite(values).any():
                look = {"color": COLOURS[k % len(COLOURS)], "dash": dash}
                meta = {"x": "t", "y": contact_column(part, law.name)}
                named = part == "normal" or len(laws) == 1  # dashes are told below the figure
                line(figure, run.times[some], values[some], f"{law.name}: {part}", line=look, meta=meta, showlegend=named)
    figure.layout.update(hovermode="x unified", showlegend=True)
    return figure if figure.data else None


def _ratio(run: Trajectory, laws: list[tuple[int, ContactLaw]]) -> Figure | None:
    figure, some = titled("<i>t</i> [s]", "tangential / normal"), thinned_indices(len(run.times))
    ends = [float(run.times[0]), float(run.times[-1])]
    for k, law in laws:
        values, press = run.contact_columns["ratio"][:, k], run.contact_columns["normal"][:, k]
        # without a load the ratio is rounding over rounding
        values = np.where(np.abs(press) > 1e-9 * np.nanmax(np.abs(press), initial=0.0), values, np.nan)
        if not np.isfinite(values).any():
            continue
        colour = COLOURS[k % len(COLOURS)]
        meta = {"x": "t", "y": contact_column("ratio", law.name)}
        line(figure, run.times[some], values[some], law.name, line={"color": colour}, meta=meta)
        limit = _limit(run, law)
        if limit is not None:
            look = {"color": colour, "dash": "dash", "width": 1}
            line(figure, ends, [limit, limit], f"μ of {law.name}", line=look, hoverinfo="skip")
    figure.yaxis["rangemode"] = "tozero"
    figure.layout.update(hovermode="x unified", showlegend=True)
    return figure if figure.data else None


def _limit(run: Trajectory, law: ContactLaw) -> float | None:
    """The coefficient of static friction, where it is a number."""
    system = run.system
    known = known_parameters(system) if system is not None else {}
    if law.static is None or not {str(s) for s in law.static.free_symbols} <= set(known):
        return None
    return float(evaluate([law.static], known)[0])


def _timeline(run: Trajectory, names: list[str]) -> Figure:
    """A bar for each contact, coloured by its mode."""
    figure = titled("<i>t</i> [s]", "")
    first, last, seen = float(run.times[0]), float(run.times[-1]), set[str]()
    for row, name in enumerate(names):
        changes = [c for c in run.modes if c.contact == name]
        begin, mode = first, changes[0].before if changes else str(run.contact_columns["mode"][0, row])
        for change in [*changes, None]:
            end = change.time if change is not None else last
            look = {"color": MODES.get(mode, FAINT), "width": 14}
            line(
                figure, [begin, end], [row, row], mode, line=look, showlegend=mode not in seen, legendgroup=mode,
                hovertemplate=f"{name}: {mode}, {begin:.4g} to {end:.4g} s<extra></extra>",
            )  # fmt: skip
            seen.add(mode)
            if change is not None:
                begin, mode = change.time, change.after
    figure.yaxis.update(tickvals=list(range(len(names))), ticktext=names, range=[-0.6, len(names) - 0.4], showgrid=False)
    figure.layout.update(showlegend=True)
    return figure


def mode_table(run: Trajectory) -> str:
    """The changes of the contacts' modes, as a table."""
    if not len(run.modes) and (run.system is None or not switching(run.system)):
        return ""
    rows = "".join(
        f"<tr><td>{c.time:.6g}</td><td>{escape(c.contact)}</td><td>{c.before} → {c.after}</td>"
        f"<td>{escape(c.why)}{_decided(c)}</td></tr>"
        for c in run.modes[:MOST_CHANGES]
    )
    more = f"… and {len(run.modes) - MOST_CHANGES} more." if len(run.modes) > MOST_CHANGES else ""
    head = "<tr><th>t</th><th>contact</th><th>mode</th><th>why</th></tr>"
    table = f'<div class="changes"><table><thead>{head}</thead><tbody data-live="modes">{rows}</tbody></table></div>'
    return f'<h3>Changes of the contacts</h3>{table}<p data-live="more modes">{more}</p>'


def _decided(change: Change) -> str:
    """The numbers that decided a change."""
    return f" ({escape(', '.join(f'{n} = {e:.4g}' for n, e in change.numbers.items()))})" if change.numbers else ""
