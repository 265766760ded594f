"""Charts of behaviour: the largest Lyapunov exponent and quick indicators over two parameters or start values."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.errors import ModelError, StateError, meant
from nonholo.integrate.many.ensemble import OUTCOMES
from nonholo.integrate.many.sweep import sweep
from nonholo.integrate.many.tangent_growth import MEASURES
from nonholo.integrate.results.presenters import presenter
from nonholo.model.system import System, check_system, known_names

if TYPE_CHECKING:
    import xarray as xr

CHUNK = 256
"""Cells of one chunk: what is lost at most when a chart is killed."""


@dataclass(frozen=True, eq=False)
class ChaosChart:
    """Measures over a grid of two quantities. Made by `chart`.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2")
    >>> print(nh.chart(swing, {"q": [1.0, 2.0]}, until=10, measures=["fli"]))
    system: 2 q, until t = 10: 2 reached
    """

    name: str
    axes: tuple[str, ...]
    until: float
    data: xr.Dataset = field(repr=False)
    """An xarray Dataset over the axes: ``lyapunov``, ``megno``, ``fli``, ``outcome`` in a word, ``end_time``."""

    def __getitem__(self, name: str) -> Numbers:
        """One measure over the grid."""
        if name not in self.data:
            known = [str(n) for n in self.data.data_vars]
            near = meant(name, known, f"it has {', '.join(known)}.")
            raise StateError(f"{self.name}: the chart has no {name!r}; {near}")
        return np.asarray(self.data[name].values)

    def plot(self, *names: str, **options: Any) -> Any:
        """One measure over the plane of the two quantities (``lyapunov`` unless named): axes of a figure."""
        return presenter("plot")(self, *names, **options)

    def __str__(self) -> str:
        sizes = " × ".join(f"{len(self.data[n])} {n}" for n in self.axes)
        words, numbers = np.unique(self["outcome"].astype(str), return_counts=True)
        ended = ", ".join(f"{k} {w}" for w, k in zip(words.tolist(), numbers.tolist()))
        values = self["lyapunov"] if "lyapunov" in self.data else np.empty(0)
        high = f"; largest exponent {np.nanmax(values):.4g}" if np.any(np.isfinite(values)) else ""
        return f"{self.name}: {sizes}, until t = {self.until:g}: {ended}{high}"


def chart(
    system: System,
    over: Mapping[str, Any],
    until: float,
    *,
    start: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    solve: str | Sequence[str] = (),
    level: Mapping[str, float] | None = None,
    measures: Sequence[str] = ("lyapunov", "megno", "fli"),
    store: str | os.PathLike[str] | None = None,
    resume: bool = True,
    rtol: float = 1e-7,
    atol: float = 1e-9,
    chunk: int = CHUNK,
    threads: int | None = None,
    scheduler: Any = None,
    progress: bool | None = None,
) -> ChaosChart:
    """Measures of chaos over a grid: ``over={"delta": (0.1, 1.0, 100), "w3": (-5, 5, 100)}``, parameters or start values.

    Each axis is ``(from, to, count)`` or a list. An axis that is neither (``energy``, an integral) is a level on which every
    start is put by the variable in ``solve``; ``level`` fixes further ones. Every cell moves one tangent with its motion
    (`nonholo.integrate.many.tangent_growth`), many cells at a time. This is a `sweep`: with a ``store`` an interrupted chart
    continues where it stopped.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", parameters="c", lagrangian="qdot**2/2 + cos(q)", forces={"q": "-c*qdot"})
    >>> found = nh.chart(swing, {"c": [0.1, 0.3], "q": (0.5, 1.0, 3)}, until=200)
    >>> found["lyapunov"].round(2).tolist()
    [[-0.05, -0.05, -0.05], [-0.15, -0.15, -0.15]]
    """
    check_system(system)
    grid = {str(n): _axis(str(n), v) for n, v in over.items()} if isinstance(over, Mapping) else {}
    if not 1 <= len(grid) <= 2:
        example = 'over={"delta": (0, 1, 50), "w3": (-5, 5, 50)}'
        raise StateError(f"{system.name}: over = {str(over)[:60]}; give one or two axes, e.g. {example}.")
    known = {*known_names(system), *system.parameters}
    levels = {n: float(values[0]) for n, values in grid.items() if n not in known} | dict(level or {})
    names = [solve] if isinstance(solve, str) else list(solve)
    for n in grid:
        if n in levels and not names:
            near = meant(n, sorted(known), f"it has {', '.join(sorted(known))}.")
            raise StateError(
                f'{system.name}: over: {n!r} is no parameter and no variable ({near}); for a level say which variable to solve '
                'for, e.g. solve="w3".'
            )
    spec: dict[str, Any] = {
        "system": system, "until": until, "start": dict(system.start if start is None else start),
        "parameters": {n: v for n, v in dict(parameters or {}).items() if n not in grid}, "grid": grid,
        "record": {"final": [], "drift": [], "growth": list(measures)}, "rtol": rtol, "atol": atol, "chunk": chunk,
    }  # fmt: skip
    if levels:
        spec |= {"level": levels, "solve": names}
    if store is not None:
        result = sweep(spec, scheduler, resume, store, progress, threads).load()
    else:
        with TemporaryDirectory(prefix="nonholo-chart-") as place:
            result = sweep(spec, scheduler, resume, os.path.join(place, "chart.zarr"), progress, threads).load()
    return ChaosChart(system.name, tuple(grid), float(until), _over(result, grid, measures))


def _axis(name: str, value: Any) -> list[float]:
    if isinstance(value, tuple) and len(value) == 3 and isinstance(value[2], (int, np.integer)) and value[2] > 0:
        return [float(v) for v in np.linspace(float(value[0]), float(value[1]), int(value[2]))]
    try:
        found = [float(v) for v in value]
    except (TypeError, ValueError):
        found = []
    if not found:
        raise ModelError(f"chart: axis {name} = {str(value)[:60]}; give (from, to, count) or a list of numbers.")
    return found


def _over(result: Any, grid: Mapping[str, list[float]], measures: Sequence[str]) -> Any:
    """The members of the sweep as a grid."""
    import xarray as xr

    shape = tuple(len(v) for v in grid.values())
    words = np.array(OUTCOMES)[result["outcome"].values]
    data: dict[str, Any] = {n: (tuple(grid), result[n].values.reshape(shape)) for n in MEASURES if n in measures}
    data |= {"outcome": (tuple(grid), words.reshape(shape)), "end_time": (tuple(grid), result["end_time"].values.reshape(shape))}
    return xr.Dataset(data, coords={n: (n, v) for n, v in grid.items()}, attrs=dict(result.attrs))
