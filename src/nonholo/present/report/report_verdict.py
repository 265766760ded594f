"""One judgement on a page: every line proved, measured or open, and what follows."""

from __future__ import annotations

from nonholo.algebra.expression_types import is_expression
from nonholo.finding import Finding, FirstIntegral
from nonholo.finding.sentences import headline
from nonholo.present.report.report_equations import axis_formulas, system_printer
from nonholo.present.report.report_page import Section, escape, table
from nonholo.present.report.report_sections import details, formulas, note
from nonholo.present.report.report_subject import Case
from nonholo.present.report.report_symmetry import quantity
from nonholo.present.style.typeset import typeset
from nonholo.symmetry.judgement.verdict import line, status


def verdict_section(case: Case) -> Section:
    """Symmetry, integrals, measure and Hamiltonisation as `nonholo.symmetry.judgement.verdict` finds them, and the conclusion."""
    found = case.dossier.verdict.value
    if found is None:
        return Section("verdict", "Verdict", note(f"There is no verdict: {case.dossier.verdict.trouble}"))
    show = system_printer(case.system)

    def told(finding: Finding) -> str:
        if finding and isinstance(finding.data, FirstIntegral):
            return quantity(case.system, finding, show, lead="constant: ")
        return typeset(line(finding, case.system), case.system) + details(finding, case.system)

    rows = [[f'<span class="status {status(f)}">{status(f)}</span>', told(f)] for f in found.findings]
    body = f'<p class="conclusion">{escape(headline(found.conclusion))}</p>{table(["", "what was found"], rows, "judged")}'
    known = [f.expression for f in found.findings if is_expression(f.expression)]
    axes = axis_formulas(case.system, known)
    body += f'<p class="label">Axes</p>{formulas(axes)}' if axes else ""
    return Section("verdict", "Verdict", body)
