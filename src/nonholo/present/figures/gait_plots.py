"""The local connection as arrows over shape space, its curvature as a map with a gait's loop on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import StateError
from nonholo.present.style.plot_style import COLUMN, INK, handed_over, journal, new_axes

if TYPE_CHECKING:
    import xarray as xr

    from nonholo.control.gaits.gait import Gait


ARROWS = 17
"""Arrows along each axis."""
PEAK = 6.0
"""Curvature above so many times its median is drawn in the last colour: beside singular shapes it has no bound."""


def connection_plot(fields: xr.Dataset, quantity: str, *, loop: Gait | None = None, path: Any = None) -> Any:
    """The row of the connection that moves one quantity as a vector field over shape space: along it the quantity grows.

    >>> import nonholo as nh
    >>> board = nh.gallery.get("snakeboard")
    >>> fields = nh.control.connection(board.system, {"psi": (-1, 1), "phi": (0.2, 1)}, parameters=board.parameters, points=3)
    >>> nh.pictures.connection_plot(fields, "theta").get_xlabel()
    'psi'
    """
    a, b = _plane(fields, quantity)
    with journal():
        axes = new_axes(1.4 * COLUMN, 0.8)[1]
        steps = [max(1, fields.sizes[n] // ARROWS) for n in (a, b)]
        part = fields[quantity].isel({a: slice(None, None, steps[0]), b: slice(None, None, steps[1])})
        axes.quiver(part[a], part[b], part.sel(direction=a).values.T, part.sel(direction=b).values.T, angles="xy")
        _finish(axes, a, b, f"{quantity}: connection", loop)
    return handed_over(axes, "matplotlib", path, "connection")


def height_plot(heights: xr.Dataset, quantity: str, *, loop: Gait | None = None, path: Any = None) -> Any:
    """The curvature's component of one quantity over two shape variables: a loop moves it by the integral inside.

    >>> import nonholo as nh
    >>> board = nh.gallery.get("snakeboard")
    >>> heights = nh.control.height(board.system, {"psi": (-1, 1), "phi": (0.2, 1)}, parameters=board.parameters, points=3)
    >>> axes = nh.pictures.height_plot(heights, "theta")
    """
    a, b = _plane(heights, quantity)
    with journal():
        axes = new_axes(1.4 * COLUMN, 0.8)[1]
        values = heights[quantity].isel(pair=0).values.T
        middle, top = np.nanpercentile(np.abs(values), (50, 98))
        size = float(min(top, PEAK * middle) if middle > 0 else top) or 1.0
        drawn = axes.contourf(
            heights[a], heights[b], np.clip(values, -size, size), levels=np.linspace(-size, size, 21), cmap="RdBu_r"
        )
        axes.figure.colorbar(drawn, ax=axes)
        _finish(axes, a, b, f"{quantity}: curvature", loop)
    return handed_over(axes, "matplotlib", path, "height functions")


def _plane(table: xr.Dataset, quantity: str) -> tuple[str, str]:
    names = [str(n) for n in table.dims if n not in ("pair", "direction")]
    if len(names) != 2 or quantity not in table:
        found = f"{', '.join(map(str, table.data_vars))} over {', '.join(names)}"
        raise StateError(f"{quantity!r} over two shape variables is needed; the table has {found}.")
    return names[0], names[1]


def _finish(axes: Any, a: str, b: str, title: str, loop: Gait | None) -> None:
    if loop is not None:
        curve = loop.loop.values(np.linspace(0.0, loop.loop.period, 201))
        order = [loop.loop.shape.index(n) for n in (a, b)]
        axes.plot(curve[:, order[0]], curve[:, order[1]], color=INK)
    axes.set_xlabel(a)
    axes.set_ylabel(b)
    axes.set_title(title)
