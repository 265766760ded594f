"""Phase portraits: many motions in the plane of two quantities, with equilibria marked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonholo.analyse.portrait.portrait import Portrait, portrait
from nonholo.present.figures.phase_drawing import draw_portrait
from nonholo.present.style.plot_style import save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class PortraitFigure(Portrait):
    """A phase portrait and the axes it is drawn in."""

    axes: Axes = field(kw_only=True)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the figure as PDF, SVG or PNG."""
        return save_figure(self.axes.figure, path)


def phase_portrait(
    system: Any,
    x: str | None = None,
    y: str | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    at: Mapping[str, Any] | None = None,
    x_range: Any = None,
    y_range: Any = None,
    starts: Sequence[Any] | None = None,
    levels: Sequence[float] | None = None,
    until: float | None = None,
    spacing: float = 0.06,
    field: bool = False,
    marks: bool = True,
    inputs: Mapping[str, Any] | None = None,
    labels: tuple[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    title: str = "",
    width: float | None = None,
    axes: Any = None,
) -> PortraitFigure:
    """The motions of a System, Equations or Exhibit in the plane of ``x`` and ``y`` (names, or expressions as text).

    Motions go both ways in time from ``starts`` (pairs in the plane, or tables of names), or through the curves of
    energy ``levels``, or evenly over the window when neither is given (``starts=()`` for none); ``at`` says where the
    other variables stand. ``field`` adds the arrows of the flow. Equilibria are looked for by numbers: filled dots are
    stable, empty ones unstable, squares centres, by the eigenvalues of the linear part; lines of equilibria are drawn as
    lines. They are equilibria of the plane's own flow: relative equilibria when the plane leaves out the group variables.

    >>> from nonholo import gallery
    >>> portrait = phase_portrait(gallery.get("chaplygin-sleigh"), "omega", "v", levels=[0.5, 1.5])
    >>> len(portrait.motions), len(portrait.lines), sorted({e.kind for e in portrait.equilibria})
    (4, 1, ['stable', 'unstable'])
    """
    found = portrait(
        system, x, y, parameters, at=at, x_range=x_range, y_range=y_range, starts=starts, levels=levels, until=until,
        spacing=spacing, marks=marks, inputs=inputs,
    )  # fmt: skip
    told = {**getattr(system, "units", {}), **(units or {})}
    drawn = draw_portrait(
        found, axes=axes, field=field, labels=labels or found.names, units=told, title=title, width=width
    )
    return PortraitFigure(**vars(found), axes=drawn)
