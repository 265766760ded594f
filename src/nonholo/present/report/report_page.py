"""HTML page around the sections of a report: one file that contains its styles, fonts and scripts."""

from __future__ import annotations

import html
import logging
from base64 import b64encode
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from nonholo.present.figures.interactive import Figure
from nonholo.present.film.film_page import embedded, viewer_script, with_policy
from nonholo.present.film.film_plotly import NO_SCRIPTS

HERE = Path(__file__).parents[1]
PLOT = '<figure class="plot"'
"""How every interactive figure begins."""
FONTS = {
    "math.woff2": ("Report Math", "normal", 400),
    "text.woff2": ("Report Text", "normal", 400),
    "text-italic.woff2": ("Report Text", "italic", 400),
    "text-bold.woff2": ("Report Text", "normal", 600),
}
"""File in ``assets`` -> family, style and weight; where a file is missing the reader's own fonts serve."""


@dataclass(frozen=True)
class ReportSection:
    """A part of a report with its heading; ``key`` is its anchor."""

    key: str
    title: str
    body: str


def page(
    title: str, head: str, sections: list[ReportSection], films: bool, plots: bool, kind: str = "", at_once: bool = False
) -> str:
    """The whole page; the film's viewer and plotly are inside once, when needed. A ``lean`` one has no bar.

    Plotly is read only when a plot comes near: it is at the end as text, so that film and controls come first; where
    plotly draws the film too, it is needed ``at_once``.
    """
    entries = "".join(f'<li><a href="#{s.key}">{escape(s.title)}</a></li>' for s in sections)
    parts = "\n".join(
        f'<section id="{s.key}"><h2><a class="anchor" href="#{s.key}">{escape(s.title)}</a></h2>\n{s.body}\n</section>'
        for s in sections
    )
    viewer = viewer_script() if films else None
    if films and viewer is None:
        logging.getLogger("nonholo").warning("The page has a plain film and no sliders: %s", NO_SCRIPTS)
    at_once = at_once or (films and viewer is None)
    scripts = [s for s in (viewer, _escaped(plotly_script()) if at_once else None) if s is not None]
    loaded = "\n".join(f"<script>{s}</script>" for s in scripts)
    waiting = f'<script type="text/plain" id="plotly">{_escaped(plotly_script())}</script>' if plots and not at_once else ""
    return with_policy(f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="nonholo">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<style>
{fonts()}{_asset("report.css")}
</style>
{loaded}
</head>
<body{kind and f' class="{kind}"'}>
<header class="bar"><div><a class="name" href="#top">{escape(title.partition(" (")[0])}</a>
<button class="menu" aria-label="Contents" aria-expanded="false">☰</button>
<nav><ol>{entries}</ol></nav></div></header>
<main id="top">
{head}
{parts}
</main>
{waiting}
<script>
{_asset("report.js")}
</script>
</body>
</html>
""")


def escape(text: object) -> str:
    """Text that HTML shows as it is."""
    return html.escape(str(text), quote=True)


def listed(items: Sequence[str]) -> str:
    """Pieces of HTML with commas between them; no line begins with a comma, as one could after a formula."""
    *before, last = items or [""]
    return "".join(f'<span class="together">{one},</span> ' for one in before) + last


def table(columns: list[str], rows: list[list[str]], kind: str = "", unprinted: Collection[int] = ()) -> str:
    """A table whose cells are HTML; rows with the numbers ``unprinted`` are left out on paper."""
    top = "".join(f"<th>{c}</th>" for c in columns)
    opened = ('<tr class="unprinted">' if k in unprinted else "<tr>" for k in range(len(rows)))
    body = "".join(begin + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for begin, row in zip(opened, rows))
    head = f"<thead><tr>{top}</tr></thead>" if any(columns) else ""
    return f'<div class="scroll"><table class="{kind}">{head}<tbody>{body}</tbody></table></div>'


def fold(title: str, body: str, is_open: bool = False) -> str:
    """A part that opens with a click; ``title`` and ``body`` are HTML."""
    state = " open" if is_open else ""
    return f'<details{state}><summary>{title}</summary>\n<div class="inside">{body}</div></details>'


def plot_box(figure: Figure, caption: str) -> str:
    """An interactive figure as a piece of the page; ``caption`` is HTML."""
    data = embedded(figure.table())
    return (
        f'{PLOT}><script type="application/json">{data}</script><div></div>'
        f'<figcaption class="caption">{caption}</figcaption></figure>'
    )


@lru_cache(maxsize=1)
def fonts() -> str:
    """The fonts that the viewer's build has brought, as CSS."""
    rules = ""
    for file, (family, style, weight) in FONTS.items():
        place = HERE / "assets" / file
        if place.is_file():
            data = b64encode(place.read_bytes()).decode()
            rules += (
                f'@font-face {{ font-family: "{family}"; font-style: {style}; font-weight: {weight}; '
                f"src: url(data:font/woff2;base64,{data}) format('woff2'); }}\n"
            )
    return rules


def plotly_script() -> str:
    """Plotly: the small one beside the viewer, or the whole of it, which also draws films, where there is no viewer."""
    small = HERE / "assets" / "plotly.js"
    return _script(small if small.is_file() and viewer_script() is not None else None)


@lru_cache(maxsize=2)
def _script(place: Path | None) -> str:
    if place is not None:
        return place.read_text(encoding="utf-8")
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def _asset(name: str) -> str:
    return (HERE / "page" / name).read_text(encoding="utf-8")


def _escaped(script: str) -> str:
    return script.replace("</script", "<\\/script")
