"""Interactive figures as plain tables that the page's script draws."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from nonholo.present.style.plot_style import template

Words = dict[str, object]
"""A table in plotly's words, see its reference: text, numbers, arrays, lists and tables by name."""


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
    """What is said besides the axes."""

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
    """Numbers in single precision: half the size in the page, more than a screen can show."""
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
