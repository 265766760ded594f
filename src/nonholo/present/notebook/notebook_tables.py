"""Answers as small HTML tables, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from nonholo.finding import Finding

_SIGNS = {"holds": ("✓", "#009E73"), "fails": ("✗", "#D55E00"), "unknown": ("?", "#8a8a8a")}


@dataclass(frozen=True)
class Findings:
    """Findings that show themselves as a table: ``findings_table(nh.check(system))`` at the end of a notebook's cell."""

    findings: tuple[Finding, ...]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))

    def _repr_html_(self) -> str:
        return "<table>" + "".join(map(_row, self.findings)) + "</table>"


def findings_table(findings: Iterable[Finding]) -> Findings:
    """The findings as a table, for a notebook or a page.

    >>> table = findings_table([Finding("energy < 2 is conserved", "holds", 1e-13, "5 states")])
    >>> "✓" in table._repr_html_(), "energy &lt; 2" in table._repr_html_()
    (True, True)
    """
    return Findings(tuple(findings))


def finding_html(finding: Finding) -> str:
    """One finding as HTML."""
    return f"<table>{_row(finding)}</table>"


def _row(finding: Finding) -> str:
    sign, colour = _SIGNS[finding.verdict]
    value = (
        ""
        if finding.value is None
        else f"{finding.value:.3g}"
        if isinstance(finding.value, float)
        else str(finding.value)
    )
    cells = (escape(finding.claim), escape(value), escape(finding.evidence))
    style = "text-align:left"
    return (
        f'<tr><td style="color:{colour}" title="{finding.verdict}">{sign}</td>'
        + "".join(f'<td style="{style}">{cell}</td>' for cell in cells)
        + "</tr>"
    )
