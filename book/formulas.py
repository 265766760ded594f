"""Formulas of the book as MathML, which browsers draw without a script; the fonts of the reports."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

_LAYOUT = re.compile(r"\\(?:begin|end)\{(?:aligned|split|equation\*?|align\*?)\}|\\(?:label|tag)\{[^}]*\}|\\nonumber")

LONG = 60
"""Formulas in a line of text with more characters than this scroll where the line ends."""


def formula(latex: str, display: bool) -> str:
    """A formula as a ``<math>`` element; rows of an alignment each on their line.

    >>> formula("a", False)
    '<math><mi>a</mi></math>'
    """
    from nonholo.present.style.mathml import mathml

    rows = [latex]
    if "\\begin{aligned}" in latex or "\\begin{split}" in latex:
        rows = [row.replace("&", "") for row in re.split(r"\\\\", _LAYOUT.sub("", latex)) if row.strip()]
    text = "<br>".join(mathml(_LAYOUT.sub("", row).strip(), display) for row in rows)
    if display:
        return f'<div class="formula">{text}</div>'
    return f'<span class="wide">{text}</span>' if len(latex) > LONG else text


def _inline(translator: Any, node: Any) -> None:
    from docutils.nodes import SkipNode

    translator.body.append(_drawn(node, False))
    raise SkipNode


def _block(translator: Any, node: Any) -> None:
    from docutils.nodes import SkipNode

    translator.body.append(_drawn(node, True))
    raise SkipNode


def _drawn(node: Any, display: bool) -> str:
    try:
        return formula(node.astext(), display)
    except Exception as trouble:
        from sphinx.util import logging

        logging.getLogger(__name__).warning("formula %r cannot be drawn (%s)", node.astext(), trouble, location=node)
        return f"<code>{escape(node.astext())}</code>"


def _fonts(app: Any, _: Any) -> None:
    from nonholo.present.report.report_page import fonts

    if app.builder.format == "html":
        (Path(app.outdir) / "_static" / "fonts.css").write_text(fonts(), "utf-8")


def setup(app: Any) -> None:
    """Tell Sphinx."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("build-finished", _fonts)
