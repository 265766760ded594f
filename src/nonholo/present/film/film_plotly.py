"""Films without the viewer: the same scene as a plotly animation, for installations without Node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonholo.present.film.film_shapes import Line, Skin, Still, stills
from nonholo.present.film.scene import numbers
from nonholo.program.array_types import Array

FRAMES = 40
NO_SCRIPTS = (
    "this installation has no scripts for living pages, because Node or the npm registry was not there when it was made. "
    "Install Node 18 or later, then run in the folder of nonholo's sources: pip install ."
)
"""What is missing where the viewer was not built, and what to do."""
NOTE = f"A plain film without sliders: {NO_SCRIPTS}"


def plotly_fragment(scene: Mapping[str, Any], height: int = 480) -> str:
    """The scene as a plotly animation, with a line of text that gives the reason; the page must hold plotly's script."""
    from plotly.io import to_html

    figure = plotly_figure(scene)
    figure["layout"]["height"] = max(200, height - 24)
    page = to_html(figure, full_html=False, include_plotlyjs=False, auto_play=False, validate=False)
    note = f'<p style="margin:0;font:12px sans-serif;color:#6b7482">{NOTE}</p>'
    return f'<div class="nonholo-film" style="width:100%;height:{height}px">{page}{note}</div>\n'


def plotly_figure(scene: Mapping[str, Any], frames: int = FRAMES) -> dict[str, Any]:
    """A plotly figure as a table (its own classes take seconds), a frame per moment, with buttons and a slider."""
    times = numbers(scene["times"])
    chosen = np.unique(np.linspace(0, len(times) - 1, min(frames, len(times))).round().astype(int))
    parts = [stills(scene, int(k), coarse=True) for k in chosen]
    # bodies at rest are sent once
    moving = [i for i, first in enumerate(parts[0]) if any(not _unchanged(first, later[i]) for later in parts[1:])]
    moments = [f"{times[k]:.4g}" for k in chosen]
    low, high = _bounding_box(scene)
    span, unit = high - low, scene["unit"]
    axes = {
        f"{axis}axis": {
            "range": [float(low[i]), float(high[i])],
            "title": {"text": f"{axis} [{unit}]" if unit else axis},
            "backgroundcolor": "#f6f8fb",
        }
        for i, axis in enumerate("xyz")
    }
    return {
        "data": [_trace(part) for part in parts[0]],
        "frames": [
            {"data": [_places(picture[i]) for i in moving], "traces": moving, "name": name}
            for picture, name in zip(parts, moments)
        ],
        "layout": {
            "margin": {"l": 0, "r": 0, "t": 8, "b": 34},
            "showlegend": False,
            "scene": {
                **axes,
                "aspectmode": "manual",
                "aspectratio": dict(zip("xyz", (span / span.max()).tolist())),
                "camera": {"eye": dict(zip("xyz", (1.5 * np.array(scene["view"])).tolist()))},
            },
            "updatemenus": [_buttons(float(abs(times[-1] - times[0])), len(chosen))],
            "sliders": [_slider(moments)],
        },
    }


def _unchanged(one: Still, two: Still) -> bool:
    first, second = (part.points if isinstance(part, Line) else part.faces for part in (one, two))
    return first.shape == second.shape and np.array_equal(first, second)


def _places(part: Still) -> dict[str, Any]:
    """The part of a trace that changes from frame to frame."""
    points = part.points if isinstance(part, Line) else part.triangles()[0]
    digits = 5 - int(np.ceil(np.log10(max(float(np.abs(points).max()), 1e-12))))
    kind = "scatter3d" if isinstance(part, Line) else "mesh3d"
    return {"type": kind, **dict(zip("xyz", points.T.round(digits).tolist()))}


def _trace(part: Still) -> dict[str, Any]:
    look = {**_places(part), "opacity": part.opacity, "name": part.label, "hoverinfo": "name"}
    if isinstance(part, Line):
        return {**look, "mode": "lines", "line": {"color": part.colour, "width": 2 * part.width}}
    assert isinstance(part, Skin)
    triangles = dict(zip("ijk", part.triangles()[1].T.tolist()))
    return {**look, **triangles, "facecolor": [c for c in part.colours for _ in (0, 1)], "flatshading": True}


def _bounding_box(scene: Mapping[str, Any]) -> tuple[Array, Array]:
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
        "font": {"color": "rgba(0,0,0,0)"},  # no label at each step: the time is shown once
        "ticklen": 0,
        "minorticklen": 0,
        "currentvalue": {"prefix": "t = ", "suffix": " s", "xanchor": "right", "font": {"color": "#444"}},
        "steps": [{"label": m, "method": "animate", "args": [[m], jump]} for m in moments],
    }
