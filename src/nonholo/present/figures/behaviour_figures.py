"""Interactive figures of behaviour for a page: eigenvalues along a branch, and points of a Poincaré section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.present.figures.branch_plot import ROUNDING, SHADE, stretches, windows
from nonholo.present.figures.chaos_plot import plane, wrapped
from nonholo.present.figures.figure_table import Figure, Words, line, titled
from nonholo.present.report.report_page import escape
from nonholo.present.style.labels import html_name
from nonholo.present.style.plot_style import COLOURS, INK

if TYPE_CHECKING:
    from nonholo.analyse.chaos.poincare_section import Section
    from nonholo.analyse.continuation.branch import Branch

MARKS = {"fold": "square", "branch point": "diamond", "Hopf point": "circle", "collision": "triangle-up"}
ZERO = 1e-9
"""Values that are nearer to each other, or to zero, than this part of the figure's width are told as one."""
NEAR = 0.09
"""Numbers above the figure that are nearer than this part of its width stand one above the other."""


def branch_figure(branch: Branch) -> Figure:
    """Growth (lines) and frequency (dashes) of the modes along a branch; stable stretches are shaded, special points marked."""
    x, values, along = branch.values, branch.eigenvalues, _label(branch.along)
    growth, fast = windows(branch)
    figure = titled(along, "growth, frequency [1/s]" if fast is None else "growth [1/s]")
    size = max(float(np.max(np.abs(values), initial=0.0)), 1e-300)
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
