"""Interactive figures (plotly) of a motion: path, time courses, drift, reactions against the friction cone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.force_arrows import NORMAL
from nonholo.analyse.integrators.method_comparison import departure
from nonholo.errors import StateError
from nonholo.present.figures.figure_table import Figure, line, small, titled
from nonholo.present.figures.plane_path import heading_source, headings, is_place, smooth_path
from nonholo.present.living.solver_plan import TANGENTIAL
from nonholo.present.style.labels import axis_label, html_name, shared_label, unit_of
from nonholo.present.style.plot_style import COLOURS, FAINT, INK

Numbers = NDArray[np.float64]
MOST = 1000
"""A curve has at most this many points."""
MOST_CONSTRAINTS = 3
FLOOR = 1e-18
"""Departures below this are rounding of rounding and are not shown."""
FRICTION = (0.2, 0.4, 0.8)
"""Coefficients whose cones are drawn unless others are given."""


def kept(count: int, most: int = MOST) -> NDArray[np.intp]:
    """Which of ``count`` points to keep: at most ``most``, evenly, the first and the last among them.

    >>> kept(5).tolist(), kept(9, 3).tolist()
    ([0, 1, 2, 3, 4], [0, 4, 8])
    """
    return np.unique(np.round(np.linspace(0, max(count - 1, 0), min(count, most))).astype(np.intp))


def path_figure(run: Any, x: str = "x", y: str = "y", drawing: Any = None, glyphs: int = 12) -> Figure:
    """One quantity against another; equal axes and heading marks for a path in the plane, start and end marked."""
    some = kept(len(run["t"]))
    figure = titled(axis_label(run, x, html=True), axis_label(run, y, html=True))
    across, up, t = _smooth(run, x, y, some)
    hover = f"{html_name(x)} = %{{x:.4g}}, {html_name(y)} = %{{y:.4g}}, t = %{{customdata:.4g}} s<extra></extra>"
    line(
        figure, across, up, "path", customdata=small(t), hovertemplate=hover, line={"width": 2}, showlegend=False,
        meta={"x": x, "y": y},
    )  # fmt: skip
    if is_place(run, x, y):
        figure.yaxis.update({"scaleanchor": "x", "scaleratio": 1})
        found = headings(run, x, y, drawing, glyphs)
        if found is not None:
            at, angle = found
            turned = small((270 - np.degrees(angle)) % 360 - 180)  # plotly's angle goes from the vertical, clockwise
            line(
                figure, run[x][at], run[y][at], "heading", mode="markers", hoverinfo="skip", showlegend=False,
                marker={"symbol": "arrow-wide", "size": 11, "angle": turned, "color": COLOURS[1]},
                meta={"x": x, "y": y, **heading_source(run, x, y, drawing)},
            )  # fmt: skip
    if np.any(np.isfinite(across)):
        # plotly leaves room beside points, none beside lines: unseen points where the curve goes farthest keep it whole
        ends = [int(np.nanargmin(across)), int(np.nanargmax(across))]
        line(
            figure, across[ends], up[ends], "", mode="markers", marker={"size": 1, "opacity": 0}, hoverinfo="skip",
            showlegend=False, meta={"x": x, "y": y, "farthest": True},
        )  # fmt: skip
    for place, name, symbol in ((0, "start", "circle-open"), (-1, "end", "circle")):
        if len(across):
            mark = {"symbol": symbol, "size": 9, "color": INK, "line": {"width": 2}}
            line(
                figure, [across[place]], [up[place]], name, mode="markers", marker=mark,
                hovertemplate=f"{name}<extra></extra>", meta={"x": x, "y": y, "at": place},
            )  # fmt: skip
    return figure


def _smooth(run: Any, x: str, y: str, some: Any) -> tuple[Numbers, Numbers, Numbers]:
    """The path at some moments, or at more where it would show corners."""
    fine = smooth_path(run, x, y)
    if len(fine[0]) == len(run["t"]):
        return run[x][some], run[y][some], run["t"][some]
    moments = np.linspace(0, len(run["t"]) - 1, len(fine[0]))
    return (*fine, np.interp(moments, np.arange(len(run["t"])), run["t"]))


def time_figure(run: Any, names: Sequence[str]) -> Figure:
    """Quantities against time."""
    names = [names] if isinstance(names, str) else list(names)
    some = kept(len(run["t"]))
    figure = titled(axis_label(run, "t", html=True), shared_label(run, names, html=True))
    for name in names:
        label = html_name(name) if len({unit_of(run, n) for n in names}) == 1 else axis_label(run, name, html=True)
        line(figure, run["t"][some], run[name][some], label, meta={"x": "t", "y": name})
    figure.layout.update(hovermode="x unified", showlegend=len(names) > 1)
    return figure


def conserved_names(run: Any) -> list[str]:
    """What should stay where it began: energy, watched quantities, residuals of constraints.

    Of the many relations of a rotation matrix, and of more than three constraints, the worst.
    """
    kinds = {n: run.quantities[n].kind for n in run.names}
    kept = [n for kind in ("energy", "watched") for n, k in kinds.items() if k == kind]
    residuals = [n for n, k in kinds.items() if k == "residual"]
    relations = [n for n in residuals if n.startswith("relation_")]
    constraints = [n for n in residuals if n not in relations]
    if len(constraints) > MOST_CONSTRAINTS:
        constraints = [max(constraints, key=run.drift)]
    return [*kept, *([max(relations, key=run.drift)] if relations else []), *constraints]


def drift_figure(run: Any, names: Sequence[str] | None = None) -> Figure:
    """How far conserved quantities depart from their start, on a logarithmic axis.

    Relative to the start, or to the size of the terms of an integral; absolute for what starts at zero.
    """
    names = conserved_names(run) if names is None else [names] if isinstance(names, str) else list(names)
    some = kept(len(run["t"]))
    figure = titled(axis_label(run, "t", html=True), "departure from the start")
    highest = 0.0
    for name in names:
        terms = run.quantities[name].words.get("size")
        gap, _ = departure(run[name], terms)
        shown = np.where(gap > 0, gap, np.nan)[some]
        highest = max(highest, float(np.nanmax(shown, initial=0.0)))
        line(
            figure, run["t"][some], shown, html_name(name), connectgaps=True, line={"width": 1.5},
            meta={"x": "t", "y": name, "drift": True, **({"size": float(terms)} if terms is not None else {})},
        )  # fmt: skip
    figure.yaxis.update({"type": "log", "exponentformat": "power", "dtick": 2})
    if highest > FLOOR:
        figure.yaxis["range"] = [float(np.log10(FLOOR)), float(np.log10(highest)) + 0.5]
    figure.layout.update(showlegend=True, hovermode="x unified")
    return figure


def reaction_figure(
    run: Any, mu: Sequence[float] = FRICTION, normal: Any = None, tangential: Sequence[str] | None = None
) -> Figure:
    """The contact force, tangential against normal, with friction cones ``|T| = μ N``; without a normal, reactions over time.

    ``normal`` and ``tangential`` name quantities of the motion; left out, they are found for a body that rolls on a
    horizontal plane (see `nonholo.analyse.force_arrows.contact_forces`). Above the line of μ the contact would slip.
    """
    from nonholo.analyse.force_arrows import contact_forces

    found = contact_forces(run, normal, tangential)
    if found is None:
        names = list(run.of_kind("reaction"))
        if not names:
            raise StateError(
                f"{run.attributes.get('system', 'the motion')}: it has no constraints, hence no reactions."
            )
        return time_figure(run, names)
    press, pull = found
    some = kept(len(press))
    figure = titled("normal force [N]", "tangential force [N]")
    top = float(np.nanmax(press)) * 1.05
    for k, value in enumerate(sorted(mu)):
        line(
            figure, [0.0, top], [0.0, value * top], f"μ = {value:g}", hoverinfo="skip", meta={"slope": value},
            line={"color": FAINT, "width": 1, "dash": ("dot", "dash", "solid", "dashdot")[k % 4]},
        )  # fmt: skip
    hover = "N = %{x:.4g} N, T = %{y:.4g} N, t = %{customdata:.4g} s<extra></extra>"
    line(
        figure, press[some], pull[some], "contact force", customdata=small(run["t"][some]), hovertemplate=hover,
        line={"color": COLOURS[0], "width": 2}, meta={"x": NORMAL, "y": TANGENTIAL},
    )  # fmt: skip
    figure.layout["showlegend"] = True
    return figure
