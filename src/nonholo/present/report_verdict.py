"""One judgement on a page: every line proved, measured or open, and what follows."""

from __future__ import annotations

from nonholo.errors import NonholoError
from nonholo.present.report_page import Section, escape, table
from nonholo.present.report_sections import note
from nonholo.present.report_subject import Case


def verdict_section(case: Case) -> Section:
    """Symmetry, integrals, measure and Hamiltonisation as `nonholo.symmetry.judgement.verdict` finds them, and the conclusion."""
    from nonholo.symmetry.judgement.verdict import line, status, verdict

    try:
        found = verdict(case.system, case.parameters, case.start)
    except NonholoError as trouble:
        return Section("verdict", "Verdict", note(f"There is no verdict: {trouble}"))
    rows = [[f'<span class="status {status(f)}">{status(f)}</span>', escape(line(f))] for f in found.findings]
    text = found.conclusion
    body = f'<p class="conclusion">{escape(text[:1].upper() + text[1:])}.</p>{table(["", "what was found"], rows, "judged")}'
    return Section("verdict", "Verdict", body)
