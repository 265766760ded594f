"""The page of the papers' figures: every plotted one, drawn by us, with our caption and the call that draws it."""

from __future__ import annotations

from pathlib import Path

from book.markdown import escaped


def write_figures(source: Path) -> None:
    """The page ``figures.md`` and the pictures beside it, in ``source``."""
    import matplotlib

    matplotlib.use("Agg")
    from nonholo.present.figures.paper_figures import PAPERS, entries, figures
    from nonholo.present.style.plot_style import save_figure

    folder = source / "paper-figures"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        "# The papers' figures",
        "",
        "Every plotted figure of the five papers, computed and redrawn, with our captions: "
        '`nonholo figure bmz 6.3 --out figure.pdf`, or `nh.figures("bmz", "6.3")`. Where a paper gives no numbers we chose them, '
        "and the caption says so.",
    ]
    for paper, title in PAPERS.items():
        lines += ["", f"## {title}"]
        for entry in entries(paper):
            name = f"{paper}-{entry.number}.png"
            found = figures(paper, entry.number)
            save_figure(found.figure, folder / name, dpi=110)
            found.close()
            caption = escaped(entry.caption)
            lines += ["", f"### Figure {entry.number}", "", f"![{caption}](paper-figures/{name})", "", caption]
    (source / "figures.md").write_text("\n".join([*lines, ""]), "utf-8")
