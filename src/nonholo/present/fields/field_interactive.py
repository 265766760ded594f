"""Interactive figures (plotly) and films of a field's motion."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.present.fields.field_shapes import SHADES, fine_curve, is_flow, snapshots
from nonholo.present.figures.interactive import Figure, small, time_figure, titled
from nonholo.present.film.film_plotly import _buttons, _slider
from nonholo.present.style.labels import axis_label, html_name
from nonholo.present.style.plot_style import COLOURS, FAINT

FRAMES = 80
FLOW_FRAMES = 50


def figure_of(run: Any, group: tuple[str, ...]) -> Figure:
    """One group of names as an interactive figure."""
    if group == ("x", "y"):
        from plotly.colors import sample_colorscale

        figure = titled(*(axis_label(run, n, html=True) for n in group))
        t = run["t"]
        for k in snapshots(len(t)):
            x, y = fine_curve(run, int(k))
            colour = sample_colorscale("Viridis", [SHADES * k / max(1, len(t) - 1)])[0]
            curve = {"x": small(x), "y": small(y), "mode": "lines", "line": {"color": colour}, "name": f"t = {t[k]:.3g} s"}
            figure.data.append({"type": "scatter", **curve})
        figure.yaxis.update({"scaleanchor": "x", "scaleratio": 1})
        return figure
    values = run[group[-1]]
    if values.ndim == 3:
        return _map(run["x"], run["y"], run[group[-1]][-1].T, "x [m]", "y [m]", axis_label(run, group[-1], html=True))
    if values.ndim == 2:
        return _map(run["t"], run["s"], run[group[-1]].T, "t [s]", "s [m]", axis_label(run, group[-1], html=True))
    return time_figure(run, [n for n in group if n != "t"])


def _map(across: Any, up: Any, values: Any, x: str, y: str, name: str) -> Figure:
    some = np.unique(np.linspace(0, values.shape[1] - 1, min(200, values.shape[1])).round().astype(int))
    reach = float(np.abs(values).max()) or 1.0
    signed = float(values.min()) < -1e-9 * reach
    look = (
        {"colorscale": "RdBu", "reversescale": True, "zmin": -reach, "zmax": reach}
        if signed
        else {"colorscale": "Viridis"}
    )
    figure = titled(x, y)
    numbers = {"x": small(np.asarray(across)[some]), "y": small(up), "z": small(values[:, some])}
    figure.data.append({"type": "heatmap", **numbers, "colorbar": {"title": {"text": name}}, **look})
    return figure


def film_figure(run: Any, frames: int = FRAMES) -> dict[str, Any]:
    """The moving curve, or the flow, as a plotly animation with buttons and a slider: a table, its classes would take seconds."""
    t = run["t"]
    chosen = snapshots(len(t), min(frames, FLOW_FRAMES) if is_flow(run) else frames)
    moments = [f"{t[k]:.4g}" for k in chosen]
    pictures = [_flow(run, int(k)) if is_flow(run) else _curve(run, int(k)) for k in chosen]
    layout = {
        "margin": {"l": 56, "r": 16, "t": 16, "b": 90}, "showlegend": False, "paper_bgcolor": "white", "plot_bgcolor": "white",
        **_axes(run),
        "updatemenus": [{**_buttons(float(t[-1] - t[0]), len(chosen)), "x": 0.0, "y": -0.16, "yanchor": "top"}],
        "sliders": [{**_slider(moments), "y": -0.1, "x": 0.14, "len": 0.84}],
    }  # fmt: skip
    still = [] if is_flow(run) else _trails(run)
    moving = list(range(len(still), len(still) + len(pictures[0])))
    return {
        "data": [*still, *pictures[0]],
        "frames": [{"data": picture, "traces": moving, "name": name} for picture, name in zip(pictures, moments)],
        "layout": layout,
    }


def _axes(run: Any) -> dict[str, Any]:
    look = {"showgrid": True, "gridcolor": "#e4e4e4", "zeroline": False, "ticks": "outside"}
    if is_flow(run):
        return {
            "xaxis": {**look, "range": [0, 2 * np.pi], "title": {"text": "x [m]"}, "constrain": "domain"},
            "yaxis": {
                **look,
                "range": [0, 2 * np.pi],
                "title": {"text": "y [m]"},
                "scaleanchor": "x",
                "constrain": "domain",
            },
        }
    ranges = {}
    for name in "xy":
        low, high = float(run[name].min()), float(run[name].max())
        spare = 0.08 * max(high - low, 0.2)
        ranges[f"{name}axis"] = {**look, "range": [low - spare, high + spare], "title": {"text": f"{name} [m]"}}
    ranges["yaxis"]["scaleanchor"] = "x"
    return ranges


def _rounded(values: Any) -> list[Any]:
    reach = float(np.abs(values).max()) or 1.0
    return np.round(np.asarray(values, dtype=float), 4 - int(np.floor(np.log10(reach)))).tolist()


def _trails(run: Any) -> list[dict[str, Any]]:
    """Where both ends went."""
    return [
        {"type": "scatter", "mode": "lines", "x": _rounded(run["x"][:, k]), "y": _rounded(run["y"][:, k]),
         "line": {"color": FAINT, "width": 1, "dash": "dot"}, "hoverinfo": "skip"}
        for k in (0, -1)
    ]  # fmt: skip


def _curve(run: Any, k: int) -> list[dict[str, Any]]:
    x, y = fine_curve(run, k, 120)
    parts = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": _rounded(x),
            "y": _rounded(y),
            "line": {"color": COLOURS[0], "width": 4},
        },
        {
            "type": "scatter",
            "mode": "markers",
            "x": [float(x[0])],
            "y": [float(y[0])],
            "marker": {"color": "#1a1a1a", "size": 8},
        },
    ]
    if "heading" in run.quantities:
        bx, by = sleigh_outline(run, k)
        parts.append(
            {
                "type": "scatter",
                "mode": "lines",
                "x": _rounded(bx),
                "y": _rounded(by),
                "fill": "toself",
                "line": {"color": COLOURS[1]},
            }
        )
    return parts


def sleigh_outline(run: Any, k: int) -> tuple[Any, Any]:
    """A dart that looks along the blade."""
    size = 0.16 * float(run["s"][-1])
    dart = size * np.array([-0.6 + 0.45j, 1.0, -0.6 - 0.45j, -0.35, -0.6 + 0.45j])
    at = run["x"][k, 0] + 1j * run["y"][k, 0] + dart * np.exp(1j * run["heading"][k])
    return at.real, at.imag


def _flow(run: Any, k: int) -> list[dict[str, Any]]:
    values = run["vorticity"]
    reach = float(np.abs(values).max()) or 1.0
    step = max(1, values.shape[1] // 96)
    at = _rounded(run["x"][::step])
    return [
        {
            "type": "heatmap", "x": at, "y": at, "z": np.round(values[k, ::step, ::step].T / reach, 3).tolist(),
            "zmin": -1, "zmax": 1,
            "zsmooth": "best", "colorscale": "RdBu", "reversescale": True, "hoverinfo": "skip",
            "colorbar": {"title": {"text": f"{html_name('vorticity')} / {reach:.3g}"}},
        }
    ]  # fmt: skip
