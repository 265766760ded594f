"""Answers as small HTML tables, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from nonholo.finding.answer import Finding

STYLE = "text-align:left;vertical-align:top"


def html_table(rows: Iterable[Sequence[str]], head: Sequence[str] = (), caption: str = "") -> str:
    """Rows of cells that are HTML already, below their headings.

    >>> html_table([["1"]])
    '<table><tr><td style="text-align:left;vertical-align:top">1</td></tr></table>'
    """
    titles = "".join(f'<th style="{STYLE}">{escape(name)}</th>' for name in head)
    body = "".join("<tr>" + "".join(f'<td style="{STYLE}">{cell}</td>' for cell in row) + "</tr>" for row in rows)
    name = f"<caption><b>{escape(caption)}</b></caption>" if caption else ""
    return f"<table>{name}{f'<tr>{titles}</tr>' if titles else ''}{body}</table>"


def finding_cells(finding: Finding) -> list[str]:
    """Mark, sentence with its details folded, and number."""
    value = finding.value
    shown = "" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)
    mark = f'<span style="color:{finding.colour}" title="{finding.verdict}">{finding.sign}</span>'
    return [mark, f"{escape(finding.claim)}{folded(finding.details)}", escape(shown)]


def folded(lines: Sequence[str]) -> str:
    """Details that open on a click."""
    inner = "<br>".join(map(escape, lines))
    return f"<details><summary><small>details</small></summary><small>{inner}</small></details>" if inner else ""


class Findings(tuple[Finding, ...]):
    """Findings that print as lines and show themselves as a table in a notebook.

    >>> found = Findings([Finding("energy < 2 is conserved", "holds", 1e-13, "5 states")])
    >>> found
    ✓ energy < 2 is conserved: 1e-13 (5 states)
    >>> "✓" in found._repr_html_(), "energy &lt; 2" in found._repr_html_()
    (True, True)
    """

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(map(finding_cells, self))
