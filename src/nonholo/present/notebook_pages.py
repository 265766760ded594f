"""A reduction, integrals and an exhibit in a notebook: as they stand in a report, with formulas drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nonholo.algebra.latex import to_latex
from nonholo.algebra.names import notation
from nonholo.finding import Finding
from nonholo.present.mathml import mathml
from nonholo.present.report_page import escape, table
from nonholo.present.report_sections import SIGNS, number, system_section
from nonholo.present.report_subject import case
from nonholo.present.report_symmetry import reduction_parts

LOOK = (
    "<style>.nonholo-answer { max-width: 56rem } .nonholo-answer .formula, .nonholo-answer .scroll { overflow-x: auto } "
    ".nonholo-answer .formula { padding-left: 1em; border-left: 2px solid #e2e5e8; margin: .4em 0 } "
    ".nonholo-answer mtable.aligned > mtr > mtd { padding: .3em .12em; text-align: left } "
    ".nonholo-answer mtable.aligned > mtr > mtd.left { text-align: right; text-align: -webkit-right } "
    ".nonholo-answer math { text-align: left } .nonholo-answer td, .nonholo-answer th { text-align: left } "
    ".nonholo-answer .holds { color: #1a7f4b } .nonholo-answer .fails { color: #b3261e } "
    ".nonholo-answer .unknown { color: #8a6d00 } .nonholo-answer small { color: #5d6770; display: block }</style>"
)
LONG = 400
"""Formulas with more characters are told, not drawn."""


def reduction_html(reduction: Any) -> str:
    """A Reduction as in the section on symmetry of a report."""
    name = escape(f"{reduction.system.name} modulo {reduction.group_name}")
    return _answer(f"<h4>{name}</h4>" + "".join(reduction_parts(reduction.system, reduction)))


def exhibit_html(exhibit: Any) -> str:
    """An Exhibit: its story, the system in formulas, its numbers and what they mean, where it was published."""
    story = f"<p>{escape(exhibit.story)}</p>" if exhibit.story else ""
    return _answer(f"<h4>{escape(exhibit.title)}</h4>{story}{system_section(case(exhibit)).body}")


def integrals_html(findings: Iterable[Finding]) -> str:
    """Integrals with their formulas; what was looked for in vain comes last."""
    order = sorted(findings, key=lambda f: f.verdict != "holds")
    return _answer(table(["", "quantity", "number"], [_row(f) for f in order], "checks"))


def _row(finding: Finding) -> list[str]:
    sign = f'<span class="{finding.verdict}" title="{finding.verdict}">{SIGNS[finding.verdict]}</span>'
    names = [str(s) for s in getattr(finding.expression, "free_symbols", ())]
    small = f"<small>{escape(finding.method or finding.evidence)}</small>"
    words = escape(finding.claim if len(finding.claim) < LONG else f"{finding.claim[:LONG]} …")
    if finding and names and len(str(finding.expression)) < LONG:
        drawn = mathml(to_latex(finding.expression, spelling=notation(rates=[n for n in names if n.endswith("dot")])))
        words = f'<div class="scroll">{drawn} {"is constant" if finding.claim.endswith(" is constant") else ""}</div>'
    shown = mathml(number(finding.value)) if isinstance(finding.value, float) else ""
    return [sign, words + small, shown]


def _answer(body: str) -> str:
    return f'{LOOK}<div class="nonholo-answer">{body}</div>'
