"""Reduced potentials: the curve, where it is level, and where a motion of given energy turns back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonholo.errors import StateError
from nonholo.present.style.labels import math_name, with_unit
from nonholo.present.style.plot_style import COLOURS, COLUMN, FAINT, STABLE, UNSTABLE, journal, new_axes, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Numbers = NDArray[np.float64]
POINTS = 801


@dataclass(frozen=True, eq=False)
class PotentialFigure:
    """What the figure of a potential shows, as numbers, and its axes."""

    r: Numbers
    potential: Numbers
    minima: tuple[tuple[float, float], ...]
    maxima: tuple[tuple[float, float], ...]
    turning: tuple[float, ...]
    """Where the potential is the given energy."""
    axes: Axes = field(kw_only=True)

    def save(self, path: Any) -> Any:
        """Write the figure as PDF, SVG or PNG."""
        return save_figure(self.axes.figure, path)


def potential_figure(
    r: Any,
    potential: Any,
    energy: float | None = None,
    *,
    label: str = "r",
    unit: str = "",
    momentum: str = "",
    top: float | None = None,
    width: float = COLUMN,
    axes: Any = None,
    path: Any = None,
) -> PotentialFigure:
    """The potential over one shape variable: minima filled (stable), maxima empty, turning points of a motion of ``energy``.

    ``potential`` is a function of an array, or the values at ``r`` (then places between are by a cubic through them).
    """
    across = np.asarray(r, dtype=float)
    if across.ndim != 1 or len(across) < 4 or np.any(np.diff(across) <= 0):
        raise StateError("potential: r must be at least four growing numbers.")
    function = potential if callable(potential) else _through(across, np.asarray(potential, dtype=float))
    with np.errstate(all="ignore"):
        values = np.asarray(function(across), dtype=float) * np.ones(len(across))
    if values.shape != across.shape or not np.any(np.isfinite(values)):
        raise StateError("potential: no finite values over the range of r; choose another range.")
    minima, maxima = (_extrema(function, across, values, sign) for sign in (1, -1))
    turning = _crossings(function, across, values, energy) if energy is not None else ()
    with journal():
        axes = axes if axes is not None else new_axes(width, 0.72)[1]
    found = PotentialFigure(across, values, minima, maxima, turning, axes=axes)
    _draw(found, energy, label, unit, momentum, top)
    if path is not None:
        save_figure(axes.figure, path)
    return found


def _through(r: Numbers, values: Numbers) -> Callable[[Any], Any]:
    from scipy.interpolate import CubicSpline

    good = np.isfinite(values)
    if values.shape != r.shape or np.count_nonzero(good) < 4:
        raise StateError(f"potential: {values.shape} values for {len(r)} places; give one number for each.")
    spline = CubicSpline(r[good], values[good], extrapolate=False)
    return lambda at: spline(at)


def _extrema(function: Any, r: Numbers, values: Numbers, sign: int) -> tuple[tuple[float, float], ...]:
    from scipy.optimize import minimize_scalar

    result = []
    level = sign * values
    for k in range(1, len(r) - 1):
        if level[k] < level[k - 1] and level[k] <= level[k + 1]:
            best = minimize_scalar(
                lambda at: sign * float(function(at)),
                bounds=(r[k - 1], r[k + 1]),
                method="bounded",
                options={"xatol": 1e-12},
            )
            result.append((float(best.x), float(function(best.x))))
    return tuple(result)


def _crossings(function: Any, r: Numbers, values: Numbers, energy: float) -> tuple[float, ...]:
    from scipy.optimize import brentq

    above = values - energy
    places = [k for k in range(len(r) - 1) if np.isfinite(above[k : k + 2]).all() and above[k] * above[k + 1] < 0]
    return tuple(float(brentq(lambda at: float(function(at)) - energy, r[k], r[k + 1], xtol=1e-13)) for k in places)


def _draw(
    found: PotentialFigure, energy: float | None, label: str, unit: str, momentum: str, top: float | None
) -> None:
    axes: Any = found.axes
    with journal():
        axes.plot(found.r, found.potential, color=COLOURS[0], label=momentum or None)
        axes.set_xlim(float(found.r[0]), float(found.r[-1]))
        axes.set_ylim(*_window(found, energy, top))
        if energy is not None:
            axes.axhline(energy, color=FAINT, lw=0.8, ls=(0, (4, 2)))
            axes.annotate(
                "$E$",
                (1, energy),
                xycoords=("axes fraction", "data"),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
            )
            axes.fill_between(
                found.r, found.potential, energy, where=found.potential < energy, color=COLOURS[4], alpha=0.18, lw=0
            )
            axes.plot(
                found.turning, [energy] * len(found.turning), "|", color=FAINT, ms=9, mew=1.2, label="turning points"
            )
        marks = (("minimum", found.minima, STABLE, STABLE), ("maximum", found.maxima, "white", UNSTABLE))
        for name, points, face, edge in marks:
            if points:
                axes.plot(*np.array(points).T, "o", ms=4.5, mfc=face, mec=edge, mew=1.1, label=name, zorder=4)
        axes.set_xlabel(with_unit(math_name(label), unit))
        axes.set_ylabel("reduced potential" + (" [J]" if unit else ""))
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="best")


def _window(found: PotentialFigure, energy: float | None, top: float | None) -> tuple[float, float]:
    """Walls that rise without bound are cut well above what matters: the extrema and the energy."""
    finite = found.potential[np.isfinite(found.potential)]
    low = float(finite.min())
    matters = [*(u for _, u in (*found.minima, *found.maxima)), *([energy] if energy is not None else [])]
    high = float(finite.max())
    if matters and top is None:
        span = max(max(matters) - min(low, *matters), 0.15 * float(np.median(finite) - low), 1e-12)
        high = min(high, max(matters) + 1.2 * span)
    high = high if top is None else top
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room
