"""Interactive figures as plain tables that the page's script draws: motions, drifts, branches, Poincaré sections."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.force_arrows import NORMAL
from nonholo.errors import StateError
from nonholo.integrate.results.quantity_arrays import departure
from nonholo.present.figures.chaos_plot import plane, wrapped
from nonholo.present.figures.family_plots import ROUNDING, SHADE, stretches, windows
from nonholo.present.figures.plane_path import heading_source, headings, is_place, smooth_path
from nonholo.present.living.solver_plan import TANGENTIAL
from nonholo.present.style.labels import axis_label, html_name, shared_label, unit_of, with_unit
from nonholo.present.style.plot_style import COLOURS, FAINT, INK, template
from nonholo.program.array_types import Array

if TYPE_CHECKING:
    from nonholo.analyse.chaos.poincare_section import Section
    from nonholo.analyse.continuation.branch import Branch


Words = dict[str, object]
"""A table in plotly's words, see its reference: text, numbers, arrays, lists and tables by name."""
MOST = 1000
"""A curve has at most this many points."""
MOST_CONSTRAINTS = 3
FLOOR = 1e-18
"""Departures below this are rounding of rounding and are not shown."""
FRICTION = (0.2, 0.4, 0.8)
"""Coefficients whose cones are drawn unless others are given."""
MARKS = {"fold": "square", "branch point": "diamond", "Hopf point": "circle", "collision": "triangle-up"}
ZERO = 1e-9
"""Values that are nearer to each other, or to zero, than this part of the figure's width are merged into one."""
NEAR = 0.09
"""Array above the figure that are nearer than this part of its width are stacked."""


@dataclass(frozen=True)
class Figure:
    """Curves and a layout. Plotly's own classes are slow to load and to fill, and a page needs none of them.

    >>> figure = titled("t [s]", "x [m]")
    >>> line(figure, [0, 1], [2, 3], "x")
    >>> figure.table()["data"][0]["y"]
    {'dtype': 'f4', 'bdata': 'AAAAQAAAQEA='}
    """

    xaxis: Words
    yaxis: Words
    data: list[Words] = field(default_factory=list)
    layout: Words = field(default_factory=dict)
    """The caption beside the axes."""

    def table(self) -> dict[str, Any]:
        """The figure ready for JSON; arrays are packed as plotly's script reads them."""
        found: dict[str, Any] = _packed({"data": self.data, "layout": self._layout()})
        return found

    def plotly(self) -> Any:
        """The figure as plotly's own, for notebooks and one's own changes."""
        import plotly.graph_objects as go

        return go.Figure(data=self.data, layout=self._layout())

    def _layout(self) -> Words:
        return {"template": template(), "xaxis": self.xaxis, "yaxis": self.yaxis, **self.layout}


def titled(x: str, y: str) -> Figure:
    """A figure without curves whose axes have titles."""
    return Figure({"title": {"text": x}}, {"title": {"text": y}})


def small(values: Any) -> Any:
    """Array in single precision: half the size in the page, more than a screen can show."""
    return np.asarray(values, dtype=np.float32)


def line(figure: Figure, x: Any, y: Any, name: str, **options: Any) -> None:
    """Add a curve, or with ``mode="markers"`` points."""
    look = {"simplify": False, **options.pop("line", {})}  # simplified curves show their corners
    mode = options.pop("mode", "lines")
    figure.data.append({"type": "scatter", "x": small(x), "y": small(y), "name": name, "mode": mode, "line": look, **options})


def _packed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _packed(e) for k, e in value.items()}
    if isinstance(value, (list, tuple)):
        return [_packed(e) for e in value]
    if isinstance(value, float):
        return value if isfinite(value) else None  # JSON has no other numbers
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype != np.float32 or not value.size:
        return _packed(value.tolist())
    shape = {"shape": ", ".join(map(str, value.shape))} if value.ndim > 1 else {}
    return {"dtype": "f4", "bdata": b64encode(np.ascontiguousarray(value, dtype="<f4").tobytes()).decode("ascii"), **shape}


def thinned_indices(count: int, most: int = MOST) -> NDArray[np.intp]:
    """Which of ``count`` points to keep: at most ``most``, evenly, the first and the last among them.

    >>> thinned_indices(5).tolist(), thinned_indices(9, 3).tolist()
    ([0, 1, 2, 3, 4], [0, 4, 8])
    """
    return np.unique(np.round(np.linspace(0, max(count - 1, 0), min(count, most))).astype(np.intp))


def path_figure(run: Any, x: str = "x", y: str = "y", drawing: Any = None, glyphs: int = 12) -> Figure:
    """One quantity against another; equal axes and heading marks for a path in the plane, start and end marked."""
    some = thinned_indices(len(run["t"]))
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


def _smooth(run: Any, x: str, y: str, some: Any) -> tuple[Array, Array, Array]:
    """The path at some moments, or at more where it would show corners."""
    fine = smooth_path(run, x, y)
    if len(fine[0]) == len(run["t"]):
        return run[x][some], run[y][some], run["t"][some]
    moments = np.linspace(0, len(run["t"]) - 1, len(fine[0]))
    return (*fine, np.interp(moments, np.arange(len(run["t"])), run["t"]))


def time_figure(run: Any, names: Sequence[str]) -> Figure:
    """Quantities against time."""
    names = [names] if isinstance(names, str) else list(names)
    some = thinned_indices(len(run["t"]))
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
    some = thinned_indices(len(run["t"]))
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
    some = thinned_indices(len(press))
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


def branch_figure(branch: Branch, unit: str = "") -> Figure:
    """Growth (lines) and frequency (dashes) of the modes along a branch; stable stretches are shaded, special points marked."""
    x, values, along = branch.values, branch.eigenvalues, _label(branch.along)
    growth, fast = windows(branch)
    size = max(float(np.max(np.abs(values), initial=0.0)), 1e-300)
    turns = fast is None and bool(np.any(values.imag > ROUNDING * size))
    figure = titled(with_unit(along, unit), "growth, frequency [1/s]" if turns else "growth [1/s]")
    shown = {"growth": False, "frequency": False}

    def curve(kind: str, numbers: Any, **look: Any) -> None:
        hover = f"{along} = %{{x:.4g}}: {kind} %{{y:.4g}} 1/s<extra></extra>"
        rank = 1 + list(shown).index(kind)
        more = {"hovertemplate": hover, "legendgroup": kind, "legendrank": rank, "showlegend": not shown[kind]}
        line(figure, x, numbers, kind, line=look, **more)
        shown[kind] = True

    for k in range(values.shape[1]):
        turning = np.where(values[:, k].imag > ROUNDING * size, values[:, k].imag, np.nan)
        if np.any(np.isfinite(turning)):
            curve("frequency", turning, color=COLOURS[1], width=1.5, dash="6px,4px")
            figure.data[-1].update({} if fast is None else {"yaxis": "y2"})
    for k in range(values.shape[1]):
        curve("growth", values[:, k].real, color=COLOURS[0], width=2)
    lines = _special(figure, branch)
    shade = {"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "fillcolor": SHADE, "line": {"width": 0}, "layer": "below"}
    figure.layout["shapes"] = [*({**shade, "x0": low, "x1": high} for low, high in stretches(branch)), *lines]
    figure.xaxis.update({"range": [float(np.min(x)), float(np.max(x))]})
    if fast is not None:
        title = {"text": "frequency [rad/s]", "font": {"color": COLOURS[1]}}
        second = {"title": title, "range": list(fast), "overlaying": "y", "side": "right", "showgrid": False, "tickmode": "auto"}
        figure.layout["yaxis2"] = second
    figure.yaxis.update({"range": list(growth), "zeroline": True, "zerolinecolor": INK, "zerolinewidth": 1})
    figure.layout["showlegend"] = True
    return figure


def _special(figure: Figure, branch: Branch) -> list[Words]:
    """A mark on the axis for each special point, by kind, with its value above; and dotted lines to draw."""
    lines: list[Words] = []
    numbers: list[Words] = []
    width = float(np.ptp(branch.values)) or 1.0
    before, raised = -np.inf, False
    for kind in dict.fromkeys(one.kind for one in branch.special):
        at = [one.value for one in branch.special if one.kind == kind]
        look = {"symbol": MARKS[kind], "size": 8, "color": "white", "line": {"color": INK, "width": 1.5}}
        hover = f"{kind} at %{{x:.6g}}<extra></extra>"
        line(figure, at, np.zeros(len(at)), kind, mode="markers", marker=look, hovertemplate=hover, cliponaxis=False)
    values = sorted(one.value for one in branch.special)
    for value in (v for k, v in enumerate(values) if not k or v - values[k - 1] > ZERO * width):
        raised = not raised and value - before < NEAR * width
        before = value
        dots = {"color": INK, "width": 0.7, "dash": "dot"}
        lines.append({"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": value, "x1": value, "line": dots})
        told = f"{value if abs(value) > ZERO * width else 0.0:.4g}".replace("-", "−")
        text = {"text": told, "showarrow": False, "font": {"size": 11}}
        numbers.append({**text, "x": value, "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 12 if raised else 0})
    figure.layout["annotations"] = numbers
    return lines


def section_figure(section: Section, *names: str) -> Figure:
    """Points of a section in the plane of two quantities, a colour for each start."""
    x, y = plane(section, names)
    figure = titled(_label(x), _label(y))
    across, up = (wrapped(section, name) for name in (x, y))
    size = float(np.clip(120 / np.sqrt(max(int(np.isfinite(across).sum()), 1)), 2.0, 6.0))
    hover = f"{_label(x)} = %{{x:.4g}}, {_label(y)} = %{{y:.4g}}<extra></extra>"
    for k in range(len(across)):
        look = {"size": size, "color": COLOURS[k % 6]}
        line(figure, across[k], up[k], f"start {k + 1}", mode="markers", marker=look, hovertemplate=hover, showlegend=False)
    return figure


def _label(name: str) -> str:
    return html_name(name) if name.isidentifier() else escape(name)
