"""Common style of pictures: matplotlib figures for journals, and a plotly template with the same look."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nonholo.errors import FileError, StateError
from nonholo.writing import write_bytes

COLUMN = 3.4
"""Width of one column, in inches."""
PAGE = 7.0
"""Width of two columns, in inches."""
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""Okabe and Ito 2008: distinguishable with any common colour blindness, ordered by contrast on white."""
INK, FAINT, GRID = "#1a1a1a", "#8a8a8a", "#e4e4e4"
STABLE, UNSTABLE, NEUTRAL = COLOURS[0], COLOURS[1], COLOURS[2]

_SETTINGS: dict[str, Any] = {
    "font.family": "STIXGeneral",
    "mathtext.fontset": "stix",
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "legend.handlelength": 1.6,
    "axes.linewidth": 0.6,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "axes.formatter.limits": (-2, 4),
    "axes.formatter.useoffset": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "xtick.minor.size": 1.6,
    "ytick.minor.size": 1.6,
    "xtick.direction": "out",
    "ytick.direction": "out",
    "lines.linewidth": 1.1,
    "lines.solid_capstyle": "round",
    "figure.dpi": 150,
    "savefig.dpi": 300,
    "figure.constrained_layout.use": True,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "nonholo",
}


@contextmanager
def journal() -> Iterator[None]:
    """Inside this context matplotlib draws in the house style."""
    import matplotlib
    from cycler import cycler

    settings: Any = {**_SETTINGS, "axes.prop_cycle": cycler(color=list(COLOURS))}
    interactive = matplotlib.is_interactive()
    try:
        with matplotlib.rc_context(settings):
            try:
                yield
            finally:
                interactive = matplotlib.is_interactive()
    finally:
        # a notebook's backend switches this on when it is loaded, with the first figure: no figure would be shown later
        matplotlib.interactive(interactive)


def new_axes(width: float = COLUMN, ratio: float = 0.72, rows: int = 1, columns: int = 1, **options: Any) -> Any:
    """A figure of a journal's width and its axes (one, or an array of several)."""
    import matplotlib.pyplot as plt

    return plt.subplots(rows, columns, figsize=(width, width / columns * ratio * rows), **options)


def picture_bytes(figure: Any, format: str = "png", dpi: float = 110) -> bytes:
    """The figure as the bytes of a file."""
    stream = io.BytesIO()
    with journal():
        figure.savefig(stream, format=format, dpi=dpi, bbox_inches="tight")
    return stream.getvalue()


def handed_over(panel: Any, backend: str, path: Any, what: str) -> Any:
    """The axes, or with the backend ``"png"`` the picture's bytes; ``path`` writes the figure too."""
    if backend not in ("matplotlib", "png"):
        raise StateError(f"plot of {what}: backend {backend!r}; choose matplotlib or png.")
    if path is not None:
        save_figure(panel.figure, path)
    if backend != "png":
        return panel
    import matplotlib.pyplot as plt

    picture = picture_bytes(panel.figure)
    plt.close(panel.figure)  # pyplot would keep it for ever
    return picture


def save_figure(figure: Any, path: str | os.PathLike[str], dpi: float = 300) -> Path:
    """Write a figure as PDF, SVG or PNG (by its ending), fonts embedded; written beside and renamed."""
    target = Path(path)
    kind = target.suffix.lstrip(".").lower() or "png"
    try:
        content = picture_bytes(figure, kind, dpi)
    except ValueError as trouble:  # an ending that is no picture
        raise FileError(f"{target} cannot be written: {trouble}.") from None
    return write_bytes(target, content)


def template() -> dict[str, Any]:
    """The plotly template of every interactive figure, as a table."""
    axis = {
        "showline": True,
        "linecolor": INK,
        "linewidth": 1,
        "ticks": "outside",
        "ticklen": 4,
        "gridcolor": GRID,
        "zeroline": False,
        "automargin": True,
        "title": {"standoff": 8},
    }
    return {
        "layout": {
            "font": {"family": "Georgia, 'STIX Two Text', 'Times New Roman', serif", "size": 14, "color": INK},
            "colorway": list(COLOURS),
            "paper_bgcolor": "white",
            "plot_bgcolor": "white",
            "margin": {"l": 56, "r": 16, "t": 34, "b": 48},
            "xaxis": axis,
            "yaxis": axis,
            "hovermode": "closest",
            "legend": {"orientation": "h", "x": 0, "yref": "container", "y": 0.01, "yanchor": "bottom"},  # the tool bar is above
        }
    }
