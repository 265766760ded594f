"""Chaos in a report, on request: Lyapunov exponents with their errors and a Poincaré section."""

from __future__ import annotations

import numpy as np

from nonholo.analyse.chaos.lyapunov_spectrum import KEPT, Lyapunov
from nonholo.analyse.chaos.poincare_section import Section
from nonholo.dossier import Chaos
from nonholo.present.figures.interactive import section_figure
from nonholo.present.report.report_page import escape, plot_box, table
from nonholo.present.report.report_sections import note, number
from nonholo.present.report.report_subject import Case
from nonholo.present.style.mathml import mathml


def chaos_part(case: Case, event: str | None = None) -> str:
    """Exponents and a section, as HTML; what could not be computed is a message."""
    found = case.dossier.chaos(event, about=case.exhibit is not None and bool(case.exhibit.chaos))
    if found.value is None:
        return note(f"No Lyapunov exponents: {escape(found.trouble)}")
    text = _exponents(found.value.spectrum, found.value.largest)
    return text + _section(case, found.value, asked=event is not None)


def _exponents(found: Lyapunov, alone: Lyapunov) -> str:
    """The table of exponents, with the largest ``alone`` as it was measured over a longer time."""
    if len(found.times) < 2 or len(alone.times) < 2:
        return note(f"No Lyapunov exponents: {escape(found.outcome)}")
    reasons = [f"{z.kind}: {z.what}" for z in found.zeros]
    order = sorted(range(len(found.exponents)), key=lambda k: abs(float(found.exponents[k])))
    due = dict(zip(sorted(order[: len(reasons)]), reasons))
    rows = [
        [mathml(rf"{number(float(v), 4)} \pm {number(float(e), 2)}"), escape(due.get(k, ""))]
        for k, (v, e) in enumerate(zip(found.exponents, found.errors))
    ]
    largest, error = float(alone.exponents[0]), float(alone.errors[0])
    word = (
        "Neighbours part exponentially: by more than three errors the largest exponent is positive"
        if alone.chaotic
        else "No exponential growth of neighbours within the errors"
    )
    if alone.chaotic and found.sum < -KEPT * largest:
        word = f"A strange attractor, as far as numbers can tell: volume shrinks in the mean. {word}"
    span = f"t = {found.times[0]:g} … {found.times[-1]:g}"
    total, mean = (mathml(number(e, 4)) for e in (found.sum, found.divergence))
    volume = f"Their sum is {total}, the mean divergence along the motion {mean}."
    measured = note(f"Measured over {escape(span)}, not proved; the errors are standard errors of a mean over this time.")
    over = "" if alone is found else f", over t = {alone.times[0]:g} … {alone.times[-1]:g}"
    value = mathml(rf"{number(largest, 4)} \pm {number(error, 2)}")
    lines = f"<p>{word} ({value} 1/s{escape(over)}). {volume}</p>"
    return f'<p class="label">Lyapunov exponents, 1/s</p>{lines}{table(["exponent", "zero because of"], rows)}{measured}'


def _section(case: Case, chaos: Chaos, asked: bool) -> str:
    event, found = chaos.event, chaos.section
    if event is None:
        return note("No section: nothing passes through zero again and again on this motion.")
    if found.trouble is not None and asked:  # what the user wrote is no event
        raise found.trouble
    if found.value is None:
        return note(f"No section: {escape(found.trouble)}")
    count = int(np.sum(found.value.counts))
    if count < 3:
        return note(f"No section: {count} crossings of {escape(event)} = 0 until t = {chaos.span:g}.")
    figure = section_figure(found.value, *_across(case, found.value, event))
    words = f"{count} crossings of {event} = 0 upwards, from the start of this page."
    return plot_box(figure, escape(words))


def _across(case: Case, found: Section, event: str) -> tuple[str, ...]:
    """The first two coordinates and speeds that the symmetry does not move: what it moves wanders off and blurs the section."""
    symmetry = case.system.symmetry
    moved = {n for field in symmetry.generators.values() for n in field} if symmetry is not None else set()
    still = [n for n in (*case.system.coordinates, *case.system.velocities) if n not in moved and n != event and n in found.data]
    lively = [n for n in still if not moved or np.nanstd(found[n]) > 0]
    return tuple(lively[:2]) if moved and len(lively) > 1 else ()
