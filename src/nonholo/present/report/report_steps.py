"""Benenti's nine steps in a report, on request."""

from __future__ import annotations

from nonholo.derive.display.equation_layout import equation
from nonholo.errors import NonholoError
from nonholo.notation.latex import to_latex
from nonholo.notation.shortening.shorten import shortened
from nonholo.present.report.report_equations import distinct_nodes
from nonholo.present.report.report_page import ReportSection, escape
from nonholo.present.report.report_sections import formulas, note
from nonholo.present.report.report_subject import Case

MOST_NODES = 1500
"""A step with more nodes than this is named and left out."""


def steps_section(case: Case) -> ReportSection:
    """The worked sheet of `nonholo.gibbs_appell(s).steps`, step by step."""
    title = "The nine steps"
    form = next(f for f in case.dossier.forms if f.name == "gibbs_appell")
    found = case.dossier.equations(form)
    if found.value is None:
        return ReportSection("steps", title, note(str(found.trouble)))
    try:
        sheet = found.value.steps
    except NonholoError as trouble:
        return ReportSection("steps", title, note(str(trouble)))
    parts = ["<p>Benenti 2008, §3, with the term that (17) lacks there.</p>"]
    for step in sheet.sheet():
        parts.append(f'<p class="label">{step.number}. {escape(step.title)} {escape(step.label)}</p>')
        exprs = [e for _, _, e in step.entries]
        if not exprs or distinct_nodes(exprs) > MOST_NODES:
            parts.append(note("Left out here: solved at numbers, or too long to be written down."))
            continue
        short, _ = shortened(exprs, 0.4)
        rows = [row for (_, name, _), e in zip(step.entries, short) for row in equation(name, to_latex(e))]
        parts.append(formulas(rows))
    return ReportSection("steps", title, "\n".join(parts))
