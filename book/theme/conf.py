"""Sphinx's settings: Furo, Markdown, formulas as MathML, nothing from the network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from book.formulas import setup as _formulas  # noqa: E402
from nonholo import __version__  # noqa: E402

project = "nonholo"
author = "The nonholo authors"
project_copyright = "2026, The nonholo authors"
release = version = __version__
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
myst_dmath_double_inline = True
smartquotes = False
html_theme = "furo"
html_title = f"nonholo {__version__}"
html_static_path = [str(HERE / "static")]
html_css_files = ["fonts.css", "book.css"]
html_js_files = ["excerpts.js"]
html_search_scorer = str(HERE / "scorer.js")
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # a page from disk may not read its neighbours: static/excerpts.js
html_use_index = False
html_domain_indices = False
html_math_renderer = "mathml"
pygments_style = "tango"
pygments_dark_style = "monokai"
html_theme_options = {"top_of_page_buttons": []}


def setup(app: Any) -> None:
    """What Sphinx asks for."""
    _formulas(app)
