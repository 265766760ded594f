"""The film without the viewer: the same scene as a plotly animation, plainer, for machines that lack Node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonholo.present.film_shapes import Line, Skin, Still, stills
from nonholo.present.scene import Numbers, numbers

FRAMES = 60
NOTE = "Drawn with plotly, since the viewer has not been built; with Node installed, <code>make run</code> builds it."


def plotly_fragment(scene: Mapping[str, Any], height: int = 480) -> str:
    """The scene as a plotly animation, with a line of text that says why; the page must hold plotly's script."""
    figure = plotly_figure(scene)
    figure.update_layout(height=max(200, height - 24))
    page = figure.to_html(full_html=False, include_plotlyjs=False, auto_play=False)
    note = f'<p style="margin:0;font-size:12px;color:#6b7482">{NOTE}</p>'
    return f'<div class="nonholo-film" style="width:100%;height:{height}px">{page}{note}</div>\n'


def plotly_figure(scene: Mapping[str, Any], frames: int = FRAMES) -> Any:
    """A plotly Figure with a frame per moment, play and pause buttons and a slider."""
    import plotly.graph_objects as go

    times = numbers(scene["times"])
    chosen = np.unique(np.linspace(0, len(times) - 1, min(frames, len(times))).round().astype(int))
    parts = [stills(scene, int(k), coarse=True) for k in chosen]
    # what stands still is sent once
    moving = [i for i, first in enumerate(parts[0]) if any(not _same(first, later[i]) for later in parts[1:])]
    moments = [f"{times[k]:.4g}" for k in chosen]
    figure = go.Figure(
        data=[_trace(go, part) for part in parts[0]],
        frames=[
            go.Frame(data=[_trace(go, picture[i]) for i in moving], traces=moving, name=name)
            for picture, name in zip(parts, moments)
        ],
    )
    low, high = _room(scene)
    span = high - low
    axes = {
        axis: {"range": [float(low[i]), float(high[i])], "title": axis, "backgroundcolor": "#f6f8fb"}
        for i, axis in enumerate("xyz")
    }
    eye = np.array(scene["view"]) * 1.9
    figure.update_layout(
        margin={"l": 0, "r": 0, "t": 8, "b": 0},
        showlegend=False,
        scene={
            **{f"{axis}axis": table for axis, table in axes.items()},
            "aspectmode": "manual",
            "aspectratio": dict(zip("xyz", (span / span.max()).tolist())),
            "camera": {"eye": dict(zip("xyz", eye.tolist()))},
        },
        updatemenus=[_buttons(float(abs(times[-1] - times[0])), len(chosen))],
        sliders=[_slider(moments)],
    )
    return figure


def _same(one: Still, two: Still) -> bool:
    first, second = (part.points if isinstance(part, Line) else part.faces for part in (one, two))
    return first.shape == second.shape and np.array_equal(first, second)


def _trace(go: Any, part: Still) -> Any:
    if isinstance(part, Line):
        x, y, z = part.points.T
        line = {"color": part.colour, "width": 2 * part.width}
        return go.Scatter3d(
            x=x, y=y, z=z, mode="lines", line=line, opacity=part.opacity, name=part.label, hoverinfo="name"
        )
    assert isinstance(part, Skin)
    corners, triangles = part.triangles()
    x, y, z = corners.T.round(6)
    i, j, k = triangles.T
    table = {"x": x, "y": y, "z": z, "i": i, "j": j, "k": k, "opacity": part.opacity, "name": part.label}
    doubled = [colour for colour in part.colours for _ in (0, 1)]
    return go.Mesh3d(**table, facecolor=doubled, hoverinfo="name", flatshading=True)


def _room(scene: Mapping[str, Any]) -> tuple[Numbers, Numbers]:
    """The box of everything, never flat."""
    low, high = np.array(scene["low"]), np.array(scene["high"])
    middle, half = (low + high) / 2, (high - low) / 2
    half = np.maximum(1.05 * half, 0.15 * half.max())
    return middle - half, middle + half


def _buttons(duration: float, count: int) -> dict[str, Any]:
    wait = 1000 * min(max(duration, 4.0), 20.0) / max(1, count)
    play = {"frame": {"duration": wait, "redraw": True}, "transition": {"duration": 0}, "fromcurrent": True}
    pause = {"frame": {"duration": 0, "redraw": False}, "mode": "immediate"}
    return {
        "type": "buttons",
        "direction": "left",
        "x": 0.02,
        "y": 0.02,
        "xanchor": "left",
        "yanchor": "bottom",
        "buttons": [
            {"label": "▶", "method": "animate", "args": [None, play]},
            {"label": "❚❚", "method": "animate", "args": [[None], pause]},
        ],
    }


def _slider(moments: list[str]) -> dict[str, Any]:
    jump = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}
    return {
        "x": 0.16,
        "len": 0.8,
        "y": 0.06,
        "pad": {"t": 0, "b": 4},
        "currentvalue": {"prefix": "t = ", "suffix": " s", "xanchor": "right"},
        "steps": [{"label": m, "method": "animate", "args": [[m], jump]} for m in moments],
    }
