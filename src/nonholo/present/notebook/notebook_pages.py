"""HTML of reductions, integrals and exhibits for notebooks, with the same formulas as in a report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nonholo.algebra.expression_types import is_expression
from nonholo.finding import Finding
from nonholo.present.report.report_equations import axis_formulas, system_printer
from nonholo.present.report.report_page import escape, table
from nonholo.present.report.report_sections import details, formulas, number, system_section, verdict_mark
from nonholo.present.report.report_subject import case
from nonholo.present.report.report_symmetry import quantity, reduction_parts, without_long_formula
from nonholo.present.style.mathml import mathml
from nonholo.present.style.typeset import typeset

LOOK = (
    "<style>.nonholo-answer { max-width: 56rem } .nonholo-answer .formula, .nonholo-answer .scroll { overflow-x: auto } "
    ".nonholo-answer .formula { padding-left: 1em; border-left: 2px solid #e2e5e8; margin: .4em 0 } "
    ".nonholo-answer mtable.aligned > mtr > mtd { padding: .3em .12em; text-align: left } "
    ".nonholo-answer mtable.aligned > mtr > mtd.left { text-align: right; text-align: -webkit-right } "
    ".nonholo-answer math { text-align: left } .nonholo-answer .formula math { display: inline math } "
    ".nonholo-answer td, .nonholo-answer th { text-align: left } "
    ".nonholo-answer .holds { color: #1a7f4b } .nonholo-answer .fails { color: #b3261e } "
    ".nonholo-answer .unknown, .nonholo-answer .fact { color: #5d6770 } "
    ".nonholo-answer small { color: #5d6770; display: block }</style>"
)
LONG = 400
"""Formulas with more characters are described, not typeset."""


def reduction_html(reduction: Any) -> str:
    """A Reduction as in the section on symmetry of a report."""
    name = escape(f"{reduction.system.name} modulo {reduction.group_name}")
    return _answer(f"<h4>{name}</h4>" + "".join(reduction_parts(reduction.system, reduction)))


def exhibit_html(exhibit: Any) -> str:
    """An Exhibit: its story, the system in formulas, its numbers and what they mean, where it was published."""
    story = f"<p>{escape(exhibit.story)}</p>" if exhibit.story else ""
    return _answer(f"<h4>{escape(exhibit.title)}</h4>{story}{system_section(case(exhibit)).body}")


def integrals_html(findings: Iterable[Finding]) -> str:
    """Integrals with their formulas, in the notation of their system; what was not found comes last."""
    system = getattr(findings, "system", None)
    order = sorted(findings, key=lambda f: f.verdict != "holds")
    expressions = [f.expression for f in order if is_expression(f.expression)]
    axes = axis_formulas(system, expressions) if system is not None else []
    page = table(["", "quantity", "number"], [_row(f, system) for f in order], "checks")
    return _answer(page + (formulas(axes) if axes else ""))


def _row(finding: Finding, system: Any) -> list[str]:
    sign = verdict_mark(finding)
    shown = mathml(number(finding.value)) if isinstance(finding.value, float) else ""
    names = [str(s) for s in getattr(finding.expression, "free_symbols", ())]
    if finding and names and len(str(finding.expression)) < LONG and system is not None:
        return [sign, quantity(system, finding, system_printer(system), lead="constant: "), shown]
    small = details(finding, system)
    words = typeset(without_long_formula(finding).claim, system, names)
    return [sign, words + small, shown]


def _answer(body: str) -> str:
    return f'{LOOK}<div class="nonholo-answer">{body}</div>'
