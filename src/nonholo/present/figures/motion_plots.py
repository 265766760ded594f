"""Figures of a motion for a paper, by matplotlib; ``run.plot(...)`` comes here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonholo.analyse.continuation.branch import Branch
from nonholo.analyse.orbits.orbit import Orbit
from nonholo.analyse.orbits.orbit_family import OrbitFamily
from nonholo.errors import StateError
from nonholo.present.fields.field_plots import plot_field
from nonholo.present.fields.field_shapes import is_field
from nonholo.present.figures.chaos_plot import plot_chart, plot_exponents, plot_section
from nonholo.present.figures.family_plots import plot_branch, plot_orbits
from nonholo.present.figures.plane_path import drawing_of, headings, is_place, smooth_path
from nonholo.present.style.labels import axis_label, math_name, shared_label, unit_of
from nonholo.present.style.plot_style import COLOURS, COLUMN, FAINT, INK, PAGE, journal, new_axes, picture_bytes

BACKENDS = ("matplotlib", "plotly", "png")
GLYPHS = 14
"""Heading marks along a path."""
LEVEL, ROUNDING = 1e-6, 1e-12
"""Relative changes below the first are drawn as a level line, below the second as none."""
CHAOS: dict[str, Any] = {"Lyapunov": plot_exponents, "Section": plot_section, "ChaosChart": plot_chart}
"""Records that are drawn elsewhere, by the names of their classes: what makes them is not loaded for a figure of a motion."""
SHEET = 4
"""A sheet has at most this many panels."""


def plot(
    run: Any,
    *names: str,
    axes: Any = None,
    backend: str = "matplotlib",
    drawing: Any = None,
    glyphs: int = GLYPHS,
    width: float | None = None,
    title: str | None = None,
    path: Any = None,
    limits: tuple[float, float] | None = None,
) -> Any:
    """A figure of a motion: ``"x", "y"`` one against the other, ``"t", "omega", "v"`` over time, ``"energy"`` over time.

    A path in the plane has equal axes, marks at start and end and ``glyphs`` heading marks where a heading is known.
    Without names: the default plots of the system's drawing, else path and speeds. Returns the
    axes, or an array of axes for a sheet of several panels; ``path`` also writes the figure (PDF, SVG, PNG).
    A `Branch` is drawn by its eigenvalues, ``limits`` being those of the vertical axis, or by one quantity; an `Orbit` and an
    `OrbitFamily` by their multipliers, a family also by one quantity; a `Section` in the plane of two quantities, a `ChaosChart`
    by one of its columns, `Lyapunov` by running means.
    ``backend="plotly"`` gives the interactive figure (a list of them for a sheet), ``"png"`` the bytes of a small picture.
    """
    if backend not in BACKENDS:
        raise StateError(f"plot: backend {backend!r}; choose one of {', '.join(BACKENDS)}.")
    if isinstance(run, (Branch, Orbit, OrbitFamily)):
        if len(names) > 1:
            raise StateError(f"plot: a branch is drawn by one quantity, found {', '.join(names)}; give one name or none.")
        drawn = names[0] if names else None
        way: Any = plot_branch if isinstance(run, Branch) else plot_orbits
        return way(run, drawn, axes=axes, backend=backend, width=width, title=title, path=path, limits=limits)
    chaos = CHAOS.get(type(run).__name__)
    if chaos is not None:
        return chaos(run, *names, axes=axes, backend=backend, width=width, title=title, path=path)
    if is_field(run):
        return plot_field(run, *names, axes=axes, backend=backend, title=title, path=path)
    groups = [_against(names)] if names else _default_panels(run, drawing_of(run, drawing))
    for name in {n for group in groups for n in group}:
        run[name]  # refuses a name the motion does not have, with a suggestion
    if backend == "plotly":
        figures = [_interactive(run, group, drawing, glyphs) for group in groups]
        return figures[0] if names else figures
    with journal():
        panels = _panels(run, groups, axes, width)
        for panel, group in zip(panels, groups):
            _draw(run, group, panel, drawing, glyphs)
        _entitle(panels, run, title)
    figure = panels[0].figure
    if path is not None:
        from nonholo.present.style.plot_style import save_figure

        save_figure(figure, path)
    if backend == "png":
        import matplotlib.pyplot as plt

        content = picture_bytes(figure)
        plt.close(figure)
        return content
    return panels[0] if len(panels) == 1 else np.array(panels, dtype=object)


def _against(names: Sequence[str]) -> tuple[str, ...]:
    """One name alone is drawn over time."""
    return tuple(names) if len(names) > 1 else ("t", *names)


def _default_panels(run: Any, drawing: Any) -> list[tuple[str, ...]]:
    """Panels worth seeing: those of the drawing, quantities of one unit over time together; else path and speeds."""
    pairs = [p for p in (drawing.plots if drawing is not None else ()) if all(n in run.quantities for n in p)]
    if not pairs:
        kinds = {n: run.quantities[n].kind for n in run.names}
        coordinates = [n for n, k in kinds.items() if k == "coordinate"]
        place = [(a, b) for a in coordinates for b in coordinates if a < b and is_place(run, a, b)]
        speeds = [n for n, k in kinds.items() if k == "speed"]
        pairs = [*place[:1], *(("t", n) for n in [*speeds, *coordinates][:SHEET])]
        pairs = pairs or [("t", n) for n in run.names[:1]]
    groups: list[tuple[str, ...]] = []
    for x, y in pairs:
        alike = [
            k
            for k, g in enumerate(groups)
            if x == g[0] == "t" and unit_of(run, g[1]) == unit_of(run, y) and (unit_of(run, y) or _same_kind(g[1], y))
        ]
        if alike:
            groups[alike[0]] += (y,)
        else:
            groups.append((x, y))
    return groups[:SHEET]


def _same_kind(one: str, two: str) -> bool:
    return one.rstrip("0123456789") == two.rstrip("0123456789")


def _interactive(run: Any, group: tuple[str, ...], drawing: Any, glyphs: int) -> Any:
    from nonholo.present.figures.interactive import path_figure, time_figure

    if group[0] == "t":
        return time_figure(run, group[1:]).plotly()
    return path_figure(run, group[0], group[1], drawing, glyphs).plotly()


def _panels(run: Any, groups: Sequence[tuple[str, ...]], axes: Any, width: float | None) -> list[Any]:
    if axes is not None:
        given = list(np.atleast_1d(np.asarray(axes, dtype=object)).ravel())
        if len(given) < len(groups):
            raise StateError(
                f"plot: {len(groups)} panels into {len(given)} axes; give as many axes or name what to plot."
            )
        return given[: len(groups)]
    if len(groups) == 1:
        flat = is_place(run, *groups[0][:2]) and len(groups[0]) == 2
        return [new_axes(width or COLUMN, _shape(run, groups[0]) if flat else 0.66)[1]]
    columns = 2
    rows = -(-len(groups) // columns)
    figure, table = new_axes(width or PAGE, 0.66, rows, columns)
    panels = list(np.ravel(table))
    for spare in panels[len(groups) :]:
        figure.delaxes(spare)
    return panels[: len(groups)]


def _shape(run: Any, group: tuple[str, ...]) -> float:
    """Height by width of a figure that a path in the plane fills, within reason."""
    across, up = (float(np.ptp(v)) if len(v := run[n][np.isfinite(run[n])]) else 1.0 for n in group)
    return float(np.clip((up + 0.12 * across) / (1.12 * across) if across > 0 else 2, 0.3, 1.15))


def _draw(run: Any, group: tuple[str, ...], axes: Any, drawing: Any, glyphs: int) -> None:
    x, *others = group
    for k, name in enumerate(others):
        label = math_name(name) if len({unit_of(run, n) for n in others}) == 1 else axis_label(run, name)
        across, up = smooth_path(run, x, name) if x != "t" else (run[x], run[name])
        alone = "o" if np.count_nonzero(np.isfinite(across) & np.isfinite(up)) == 1 else None  # one point is no line
        # what is named first is on top
        axes.plot(across, up, label=label, lw=_thickness(up), marker=alone, ms=4, zorder=2.5 - 0.1 * k)
    axes.set_xlabel(axis_label(run, x))
    axes.set_ylabel(shared_label(run, others))
    if len(others) > 1:
        _legend(axes, len(others))
    elif x == "t":
        _level_limits(axes, run[others[0]])
    else:
        _mark_ends(run, x, others[0], axes)
        if is_place(run, x, others[0]):
            axes.set_aspect("equal", adjustable="datalim")
            axes.locator_params(nbins=6)
            _glyphs(run, x, others[0], axes, drawing, glyphs)
    if x == "t" and len(run["t"]):
        axes.set_xlim(*sorted((float(run["t"][0]), float(run["t"][-1]) + (0.0 if len(run["t"]) > 1 else 1.0))))


def _legend(axes: Any, count: int) -> None:
    """A legend in a strip of its own above the curves, where it hides none of them."""
    low, high = axes.get_ylim()
    rows = -(-count // 4)
    axes.set_ylim(low, high + 0.13 * rows * (high - low))
    axes.legend(loc="upper center", ncol=min(count, 4), columnspacing=1.2, borderaxespad=0.1)


def _thickness(values: Any) -> float:
    """Thin lines for quantities that oscillate often; oscillations below one per cent do not count."""
    finite = values[np.isfinite(values)]
    span = float(np.ptp(finite)) if len(finite) else 0.0
    if not np.isfinite(span) or span <= LEVEL * float(np.max(np.abs(finite), initial=0.0)):
        return 1.1
    steps = np.diff(np.round(finite / (0.01 * span)))
    steps = steps[steps != 0]
    turns = int(np.count_nonzero(np.diff(np.sign(steps))))
    return 1.1 if turns < 30 else 0.8 if turns < 80 else 0.5


def _level_limits(axes: Any, values: Any) -> None:
    """A constant drawn as a level line with the part by which it varies, not as its rounding errors."""
    finite = values[np.isfinite(values)]
    size = float(np.max(np.abs(finite), initial=0.0))
    if not len(finite) or not np.isfinite(size) or np.ptp(finite) > LEVEL * size:
        return
    middle = float(np.mean(finite))
    axes.set_ylim(middle - 0.05 * (abs(middle) or 1), middle + 0.05 * (abs(middle) or 1))
    part = float(np.ptp(finite)) / size if size else 0.0
    if len(finite) > 1 and part > ROUNDING:
        words = {"ha": "right", "va": "top", "fontsize": 8, "color": FAINT}
        axes.text(0.98, 0.97, f"constant to {part:.0e}", transform=axes.transAxes, **words)


def _mark_ends(run: Any, x: str, y: str, axes: Any) -> None:
    good = np.flatnonzero(np.isfinite(run[x]) & np.isfinite(run[y]))
    if not len(good):
        return
    marks = {"ms": 4.2, "mec": INK, "mew": 0.9, "ls": "none", "zorder": 4}
    axes.plot(run[x][good[:1]], run[y][good[:1]], "o", mfc="white", label="start", **marks)
    axes.plot(run[x][good[-1:]], run[y][good[-1:]], "o", mfc=INK, label="end", **marks)


def _glyphs(run: Any, x: str, y: str, axes: Any, drawing: Any, count: int) -> None:
    """Small darts that look the way the body looks."""
    if count < 1 or (found := headings(run, x, y, drawing, count)) is None:
        return
    at, angle = found
    axes.quiver(
        run[x][at], run[y][at], np.cos(angle), np.sin(angle),
        angles="uv", pivot="mid", color=COLOURS[1], scale_units="inches", scale=1 / 0.13, units="inches",
        width=0.012, headwidth=6, headlength=6.5, headaxislength=5.5, zorder=3, label="heading",
    )  # fmt: skip


def _entitle(panels: Sequence[Any], run: Any, title: str | None) -> None:
    text = str(run.attributes.get("system", "")) if title is None else title
    if not text:
        return
    if len(panels) == 1:
        panels[0].set_title(text)
    else:
        panels[0].figure.suptitle(text, fontsize=9)
