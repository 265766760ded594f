"""Figures of the papers by paper and number; the package ``nonholo_papers`` draws them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, overload

from nonholo.errors import StateError, meant
from nonholo.present.style.plot_style import journal, save_figure
from nonholo.verification import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAPERS = {
    "bmz": "Bloch, Marsden, Zenkov 2009",
    "zenkov": "Zenkov 2016",
    "benenti": "Benenti 2008",
    "macdonnell": "MacDonnell 1997",
    "notices": "Bloch, Marsden, Zenkov, Notices 2005",
}


@dataclass(frozen=True)
class FigureEntry:
    """One figure of a paper: its number and its content, in our words."""

    paper: str
    number: str
    caption: str
    draw: Callable[[], Figure] = field(repr=False)

    def __str__(self) -> str:
        return f"{self.paper} {self.number}: {self.caption}"


@dataclass(frozen=True)
class PaperFigure:
    """A figure of a paper, drawn."""

    entry: FigureEntry
    figure: Figure = field(repr=False)

    @property
    def caption(self) -> str:
        """What it shows, in our words."""
        return self.entry.caption

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it as PDF, SVG or PNG."""
        return save_figure(self.figure, path)

    def close(self) -> None:
        """Let it go: matplotlib keeps every figure of pyplot until then."""
        import matplotlib.pyplot as plt

        plt.close(self.figure)

    def _repr_png_(self) -> bytes:
        from nonholo.present.style.plot_style import picture_bytes

        return picture_bytes(self.figure)


_KNOWN: dict[tuple[str, str], FigureEntry] = {}


def drawn_as(paper: str, number: str, caption: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register a function that draws a figure of a paper."""

    def register(draw: Callable[[], Any]) -> Callable[[], Any]:
        _KNOWN[paper, number] = FigureEntry(paper, number, caption, draw)
        return draw

    return register


def entries(paper: str | None = None) -> tuple[FigureEntry, ...]:
    """All figures, or those of a paper, in their order."""
    require()
    folder = import_module("nonholo_papers.figures")
    for module in iter_modules(folder.__path__):
        import_module(f"nonholo_papers.figures.{module.name}")
    order = list(PAPERS)
    chosen = [e for e in _KNOWN.values() if paper is None or e.paper == paper]
    return tuple(sorted(chosen, key=lambda e: (order.index(e.paper), _key(e.number))))


def _key(number: str) -> tuple[Any, ...]:
    digits = number.rstrip("ab")
    return (*(int(part) for part in digits.split(".")), number)


@overload
def figures(paper: str | None = None, number: None = None) -> tuple[FigureEntry, ...]: ...
@overload
def figures(paper: str, number: str | float, *, path: str | os.PathLike[str] | None = None) -> PaperFigure: ...
def figures(
    paper: str | None = None, number: str | float | None = None, *, path: str | os.PathLike[str] | None = None
) -> tuple[FigureEntry, ...] | PaperFigure:
    """A plotted figure of one of the five papers, drawn anew; without a number the list of them.

    Papers are ``bmz``, ``zenkov``, ``benenti``, ``macdonnell`` and ``notices``; ``path`` writes it too.

    >>> [str(e.number) for e in figures("bmz")]
    ['6.2', '6.3', '6.4']
    >>> figures("bmz", "6.2").caption[:20]
    'Momentum plane of th'
    """
    if paper is not None and paper not in PAPERS:
        known_papers = list(PAPERS)
        hint = meant(str(paper), known_papers, f"choose {', '.join(known_papers)}.")
        raise StateError(f"figures: no paper {paper!r}; {hint}")
    if number is None:
        return entries(paper)
    known = {e.number: e for e in entries(paper)}
    wanted = f"{number:g}" if isinstance(number, (int, float)) else str(number).strip().lower()
    if wanted not in known:
        listed = ", ".join(known)
        raise StateError(f"figures: {paper} has no plotted figure {wanted}; it has {listed}.")
    with journal():
        found = PaperFigure(known[wanted], known[wanted].draw())
    if path is not None:
        found.save(path)
    return found
