"""Figures of chaos: Poincaré sections, running Lyapunov exponents, charts over two quantities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import StateError
from nonholo.present.style.labels import math_label, math_name
from nonholo.present.style.plot_style import COLOURS, COLUMN, FAINT, INK, handed_over, journal, new_axes
from nonholo.program.array_types import Array

if TYPE_CHECKING:
    from nonholo.analyse.chaos.indicator_chart import ChaosChart
    from nonholo.analyse.chaos.lyapunov_spectrum import Lyapunov
    from nonholo.analyse.chaos.poincare_section import Section

SYMBOLS = {"lyapunov": "largest exponent, 1/s", "megno": "MEGNO", "fli": "fast Lyapunov indicator", "end_time": "end, s"}

FIXED = 3
"""A quantity with at most so many values is fixed by the section: an angle at 0 and ±π where its sine vanishes."""


def plot_section(
    section: Section,
    *names: str,
    axes: Any = None,
    backend: str = "matplotlib",
    width: float | None = None,
    title: str | None = None,
    path: Any = None,
) -> Any:
    """Points of a section in the plane of two quantities, a colour for each start (one ink where there are many).

    Coordinates that are angles are shown between −π and π.
    """
    x, y = plane(section, names)
    across, up = (wrapped(section, name) for name in (x, y))
    with journal():
        panel = axes if axes is not None else new_axes(width or 1.2 * COLUMN, 0.8)[1]
        number = int(np.isfinite(across).sum())
        size = float(np.clip(2.2e3 / max(number, 1), 0.05, 4.0))
        for k in range(len(across)):
            colour = COLOURS[k % 6] if len(across) <= 24 else INK
            panel.scatter(across[k], up[k], s=size, color=colour, linewidths=0, rasterized=True)
        panel.set_xlabel(math_label(x))
        panel.set_ylabel(math_label(y))
        panel.set_title(title if title is not None else f"{section.name}: {math_label(section.event)} = 0")
    return handed_over(panel, backend, path, "a section")


def plot_exponents(
    found: Lyapunov,
    *names: str,
    axes: Any = None,
    backend: str = "matplotlib",
    width: float | None = None,
    title: str | None = None,
    path: Any = None,
) -> Any:
    """Running means of all exponents against the time; at the end each with its error."""
    if names:
        raise StateError(f"plot: exponents are drawn all together, found {', '.join(names)}; leave the names out.")
    with journal():
        panel = axes if axes is not None else new_axes(width or 1.2 * COLUMN, 0.66)[1]
        spent = found.times - found.times[0]
        panel.axhline(0, color=FAINT, lw=0.6, zorder=1)
        for k, (value, error) in enumerate(zip(found.exponents, found.errors)):
            colour = COLOURS[k % len(COLOURS)]
            if len(spent) > 2:
                panel.plot(found.times[2:], found.logs[2:, k] / spent[2:], color=colour, lw=0.9)
            panel.errorbar(found.times[-1:], [value], yerr=[error], color=colour, capsize=2, marker="o", ms=2.5, lw=0.9)
        if len(spent) > 20:
            settled = found.logs[20:] / spent[20:, None]
            low, high = float(np.min(settled)), float(np.max(settled))
            margin = 0.08 * (high - low) + float(np.nanmax(found.errors, initial=0.0))
            panel.set_ylim(low - margin, high + margin)
        panel.set_xlabel(math_name("t"))
        panel.set_ylabel("Lyapunov exponents, 1/s")
        panel.set_title(title if title is not None else found.name)
    return handed_over(panel, backend, path, "exponents")


def plot_chart(
    chart: ChaosChart,
    *names: str,
    axes: Any = None,
    backend: str = "matplotlib",
    width: float | None = None,
    title: str | None = None,
    path: Any = None,
) -> Any:
    """One measure over two axes as colours (over one axis as a line); cells without a number stay grey."""
    if len(names) > 1:
        raise StateError(f"plot: a chart is drawn by one measure, found {', '.join(names)}; give one name or none.")
    name = names[0] if names else next(str(n) for n in chart.data.data_vars if n != "outcome")
    values = chart[name].astype(np.float64)
    with journal():
        panel = axes if axes is not None else new_axes(width or 1.35 * COLUMN, 0.8)[1]
        first = np.asarray(chart.data[chart.axes[0]].values)
        if len(chart.axes) == 1:
            panel.plot(first, values, color=COLOURS[0], lw=0.9, marker=".", ms=2)
            panel.axhline(0, color=FAINT, lw=0.6)
            panel.set_ylabel(SYMBOLS.get(name, name))
        else:
            second = np.asarray(chart.data[chart.axes[1]].values)
            _coloured(panel, first, second, values, name)
            panel.set_ylabel(math_label(chart.axes[1]))
        panel.set_xlabel(math_label(chart.axes[0]))
        panel.set_title(title if title is not None else chart.name)
    return handed_over(panel, backend, path, "a chart")


def _coloured(panel: Any, first: Array, second: Array, values: Array, name: str) -> None:
    import matplotlib.pyplot as plt
    from matplotlib.colors import TwoSlopeNorm

    panel.set_facecolor("#d9d9d9")
    finite = values[np.isfinite(values)]
    low, high = (np.quantile(finite, [0.005, 0.995]) if len(finite) else (0.0, 1.0))
    options: dict[str, Any] = {"vmin": float(low), "vmax": float(high), "cmap": "magma"}
    if name == "lyapunov":
        reach = max(float(high), -float(low), 1e-12)
        options = {"cmap": "RdBu_r", "norm": TwoSlopeNorm(0.0, min(float(low), -0.02 * reach), max(float(high), 0.02 * reach))}
    drawn = panel.pcolormesh(first, second, np.ma.masked_invalid(values.T), shading="nearest", rasterized=True, **options)
    bar = plt.colorbar(drawn, ax=panel, pad=0.02, extend="both")
    bar.set_label(SYMBOLS.get(name, name))
    bar.outline.set_linewidth(0.5)


def plane(section: Section, names: tuple[str, ...]) -> tuple[str, str]:
    """Two quantities to draw: those named, or the first that vary and their rates."""
    if len(names) == 2:
        return names[0], names[1]
    if names:
        raise StateError(f"plot: a section is drawn in a plane, found {', '.join(names)}; give two names or none.")
    data = section.data
    vary = []
    for n in map(str, data.data_vars):
        values = wrapped(section, n)
        if data[n].dims != ("start", "crossing") or n in ("t", "sign", "energy") or not np.any(np.isfinite(values)):
            continue
        if len(np.unique(np.round(values[np.isfinite(values)] / (1 + np.nanmax(np.abs(values))), 6))) > FIXED:
            vary.append(n)
    if len(vary) < 2:
        raise StateError(f"{section.name}: fewer than two quantities vary at the crossings; name two to draw.")
    paired = [(n, f"{n}dot") for n in vary if f"{n}dot" in vary and not n[-1:].isdigit()]
    return paired[0] if paired else (vary[0], vary[1])


def wrapped(section: Section, name: str) -> Array:
    """A quantity at the crossings; a coordinate that is an angle between −π and π."""
    values = section[name]
    if name not in str(section.data.attrs.get("angles", "")).split():
        return values
    return np.asarray((values + np.pi) % (2 * np.pi) - np.pi)

