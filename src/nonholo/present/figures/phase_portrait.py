"""Phase portraits: many motions in the plane of two quantities, with equilibria marked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.analyse.portrait.portrait import Portrait, portrait
from nonholo.derive.hamilton import hamilton
from nonholo.errors import ModelError
from nonholo.gallery.exhibit import Exhibit
from nonholo.model.system import System
from nonholo.present.style.labels import math_name, with_unit
from nonholo.present.style.plot_style import (
    COLUMN,
    FAINT,
    INK,
    NEUTRAL,
    STABLE,
    UNSTABLE,
    journal,
    new_axes,
    save_figure,
)
from nonholo.program.array_types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nonholo.analyse.portrait.plane_equilibria import Line
    from nonholo.analyse.portrait.portrait import Portrait


_DOTS: dict[str, dict[str, Any]] = {
    "stable": {"marker": "o", "mfc": STABLE, "mec": STABLE},
    "unstable": {"marker": "o", "mfc": "white", "mec": UNSTABLE},
    "centre": {"marker": "s", "mfc": NEUTRAL, "mec": NEUTRAL},
    "degenerate": {"marker": "D", "mfc": "white", "mec": FAINT},
}
_LINES: dict[str, dict[str, Any]] = {
    "stable": {"color": STABLE, "ls": "-"},
    "unstable": {"color": UNSTABLE, "ls": (0, (4, 2))},
    "centre": {"color": NEUTRAL, "ls": "-"},
    "degenerate": {"color": FAINT, "ls": ":"},
}
_FLOW = "#5b6b7a"
_UNITS = {"rad/s": "kg m²/s", "m/s": "kg m/s", "1/s": "kg m²/s"}
"""The unit of a momentum, by that of its velocity: joules divided by it."""


def draw_portrait(
    portrait: Portrait,
    axes: Any,
    field: bool,
    labels: Sequence[str],
    units: Mapping[str, str],
    title: str,
    width: float | None,
) -> Any:
    """Draw into the axes, or new ones of a column's width; the portrait with its axes."""
    with journal():
        axes = axes if axes is not None else new_axes(width or COLUMN, 0.92)[1]
        (left, right), (bottom, top) = portrait.window
        axes.set(xlim=(left, right), ylim=(bottom, top))
        if field:
            _arrows(portrait, axes)
        for points in portrait.motions:
            axes.plot(*points.T, color=_FLOW, lw=0.75, zorder=2)
            _head(axes, points, portrait)
        for points in portrait.separatrices:
            axes.plot(*points.T, color=INK, lw=1.1, zorder=2.2)
            _head(axes, points, portrait, INK)
        for line in portrait.lines:
            _line(axes, line)
        _dots(axes, portrait)
        if portrait.still:
            place = {"transform": axes.transAxes, "ha": "center", "va": "center", "color": FAINT}
            axes.text(0.5, 0.5, "every point is an equilibrium", **place)
        axes.set_xlabel(_label(labels[0], units))
        axes.set_ylabel(_label(labels[1], units))
        if title:
            axes.figure.suptitle(title, fontsize=9)
        _legend(axes, portrait)
    return axes


def _label(name: str, units: Mapping[str, str]) -> str:
    return with_unit(math_name(name) if name.isidentifier() else name, units.get(name, ""))


def _arrows(portrait: Portrait, axes: Any) -> None:
    """Arrows of the flow; their length grows with the root of the speed, so that slow places can be read too."""
    points, flow = portrait.arrows
    (left, right), (bottom, top) = portrait.window
    scaled = flow / np.array([right - left, top - bottom])
    size = np.linalg.norm(scaled, axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        drawn = np.where(size > 0, scaled / size * np.sqrt(size / np.nanmax(size)), 0.0)
    drawn = drawn * np.array([right - left, top - bottom])
    cell = 1.05 / np.sqrt(len(points))
    colour = "#c4ccd5" if portrait.motions else "#8d9bab"
    axes.quiver(
        *points.T, *(drawn * cell).T, angles="xy", scale_units="xy", scale=1, pivot="mid", color=colour,
        width=0.0035, headwidth=4.5, headlength=5, headaxislength=4.5, zorder=1,
    )  # fmt: skip


def _head(axes: Any, points: Array, portrait: Portrait, colour: str = _FLOW) -> None:
    """An arrowhead in the middle of the part that is seen."""
    (left, right), (bottom, top) = portrait.window
    size = np.array([right - left, top - bottom])
    inside = np.all((points >= [left, bottom]) & (points <= [right, top]), axis=1)
    pieces = np.split(points, np.flatnonzero(inside[1:] != inside[:-1]) + 1)
    seen = max(pieces[0 if inside[0] else 1 :: 2], key=len, default=points[:0]) / size
    if len(seen) < 4:
        return
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(seen, axis=0), axis=1))])
    if length[-1] < 0.05:
        return
    middle = 0.5 * length[-1] if length[-1] < 2.5 else 0.4  # what winds round and round: near its beginning
    k = int(np.clip(np.searchsorted(length, middle), 1, len(seen) - 1))
    tail, head = seen[k - 1] * size, seen[k] * size
    look = {
        "arrowstyle": "-|>,head_length=0.32,head_width=0.13",
        "color": colour,
        "lw": 0.75,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    axes.annotate("", xy=head, xytext=tail, zorder=2.5, arrowprops=look)


def _line(axes: Any, line: Line) -> None:
    """Each run of one kind as one stroke, up to where the next begins."""
    kinds = np.array(line.kinds)
    breaks = [0, *(np.flatnonzero(kinds[1:] != kinds[:-1]) + 1).tolist(), len(kinds)]
    for begin, end in pairwise(breaks):
        axes.plot(
            *line.points[begin : end + 1].T, lw=1.5, zorder=3, gid=f"line {kinds[begin]}", **_LINES[str(kinds[begin])]
        )


def _dots(axes: Any, portrait: Portrait) -> None:
    for kind, look in _DOTS.items():
        points = np.array([e.point for e in portrait.equilibria if e.kind == kind]).reshape(-1, 2)
        if len(points):
            axes.plot(*points.T, ls="none", ms=4.2, mew=1.1, zorder=4, label=kind, clip_on=False, **look)


def _legend(axes: Any, portrait: Portrait) -> None:
    """Legend of the dots; where there are only curves of equilibria, of the curves."""
    from matplotlib.lines import Line2D

    handles = axes.get_legend_handles_labels()[0]
    if not handles:
        kinds = [k for k in _LINES if any(line.kinds.count(k) > 2 for line in portrait.lines)]
        handles = [Line2D([], [], lw=1.5, label=kind, **_LINES[kind]) for kind in kinds]
    if handles:
        place = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
        axes.legend(
            handles=handles, ncols=len(handles), handletextpad=0.4, columnspacing=1.2, borderaxespad=0.2, **place
        )


@dataclass(frozen=True, eq=False, repr=False)
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
    all_units = {**getattr(system, "units", {}), **(units or {})}
    drawn = draw_portrait(
        found, axes=axes, field=field, labels=labels or found.names, units=all_units, title=title, width=width
    )
    return PortraitFigure(**vars(found), axes=drawn)


def momentum_plane(
    system: System | Exhibit,
    parameters: Mapping[str, Any] | None = None,
    *,
    which: tuple[int, int] = (1, 2),
    **options: Any,
) -> PortraitFigure:
    """The motions in the plane of two nonholonomic momenta ``p_a = ∂l_c/∂v^a`` (the first and second by default).

    For the Chaplygin sleigh this is Figure 6.2 of BMZ 2009, and with ``field=True, starts=()`` Figure 4 of Notices 2005:

        ṗ1 = −a p1 p2/(J + m a²),   ṗ2 = m a p1²/(J + m a²)²        [BMZ 2009 (6.1)]

    ``options`` go to `phase_portrait`; ranges and starts are in the momenta.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> nh.pictures.momentum_plane(sleigh).names
    ('p_omega', 'p_v')
    """
    units: dict[str, str] = {}
    if isinstance(system, Exhibit):
        parameters = {**system.parameters, **(parameters or {})}
        units, system = dict(system.units), system.system
    equations = hamilton(system)
    if not 1 <= min(which) < max(which) <= len(equations.speeds):
        raise ModelError(
            f"{system.name}: momenta {which}; it has {len(equations.speeds)}, choose two different ones, counted from 1."
        )
    names = [str(equations.speeds[k - 1]) for k in which]
    labels = tuple(f"p{k}" for k in which)
    known = {p: _UNITS.get(units.get(n.removeprefix("p_"), ""), "") for p, n in zip(labels, names)}
    given = {"labels": labels, "units": {**known, **options.pop("units", {})}, **options}
    return phase_portrait(equations, names[0], names[1], parameters=parameters, **given)
