"""The command figure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nonholo.cli.command import command
from nonholo.cli.options import Json
from nonholo.cli.terminal import as_json, say, table


@command(place=125, example="nonholo figure bmz 6.3 --out sleigh.pdf")
def figure(
    paper: Annotated[str | None, typer.Argument(help="Paper: bmz, zenkov, benenti, macdonnell or notices.")] = None,
    number: Annotated[str | None, typer.Argument(help="Number of the figure.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Output file (pdf, svg, png).")] = None,
    json: Json = False,
) -> int:
    """Redraw a figure of one of the five papers.

    Without a number: list the paper's figures.
    """
    from nonholo.present.figures.paper_figures import entries, figures

    if paper is None or number is None:
        listed = figures(paper) if paper is not None else entries()
        if json:
            as_json({"figures": [{"paper": e.paper, "number": e.number, "caption": e.caption} for e in listed]})
        else:
            table(("paper", "figure", "caption"), [[e.paper, e.number, e.caption] for e in listed])
        return 0
    import matplotlib

    matplotlib.use("Agg")
    path = out if out is not None else Path(f"{paper}-{number}.pdf")
    found = figures(paper, number, path=path)
    found.close()
    if json:
        as_json({"paper": paper, "number": number, "caption": found.caption, "path": str(path)})
    else:
        say(f"wrote {path}: {found.caption}")
    return 0
