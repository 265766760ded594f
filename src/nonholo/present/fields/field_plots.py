"""Plots of a field's motion: successive curves, maps over space and time, time series of totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonholo.errors import StateError
from nonholo.present.fields.field_shapes import SHADES, fine_curve, is_flow, snapshots
from nonholo.present.style.labels import axis_label, math_name, shared_label
from nonholo.present.style.plot_style import COLUMN, INK, PAGE, journal, new_axes, picture_bytes

PANELS = 4
"""Pictures of a flow beside each other."""


def plot_field(
    run: Any,
    *names: str,
    axes: Any = None,
    backend: str = "matplotlib",
    title: str | None = None,
    path: Any = None,
    **_: Any,
) -> Any:
    """A figure of a field's motion.

    ``"x", "y"`` draws curves at several times, ``"tension"`` a map over s and t, ``"s", "tension"`` profiles, ``"energy"`` a
    course. Without names a sheet: the curves, the tension, energy and momenta; for a flow its vorticity at several times.
    """
    groups = [tuple(names)] if names else default_panels(run)
    for name in {n for group in groups for n in group}:
        run[name]  # refuses a name the motion does not have, with a suggestion
        _check(run, names)
    if backend == "plotly":
        from nonholo.present.fields.field_interactive import figure_of

        figures = [figure_of(run, group).plotly() for group in groups]
        return figures[0] if names else figures
    with journal():
        panels = _panels(groups, axes)
        for panel, group in zip(panels, groups):
            draw(run, group, panel)
        text = str(run.attributes.get("system", "")) if title is None else title
        if text and len(panels) > 1:
            panels[0].figure.suptitle(text, fontsize=9)
        elif text:
            panels[0].set_title(text)
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


def _check(run: Any, names: Sequence[str]) -> None:
    if len(names) > 1 and is_flow(run) and any(run[n].ndim > 1 for n in names):
        raise StateError(f"plot: {', '.join(names)}: a flow is drawn alone, plot('vorticity'), or its totals over t.")


def default_panels(run: Any) -> list[tuple[str, ...]]:
    """The default quantities to plot."""
    names = list(run.quantities)
    momenta = tuple(n for n in names if n.startswith("momentum_"))
    if is_flow(run):
        return [("vorticity",), ("energy",), ("enstrophy",) if "enstrophy" in names else ("t", *momenta)]
    known = [n for n in ("reaction", "tension") if n in names]
    others = [n for n in names if n not in ("x", "y", "s", "t") and run[n].ndim == 2]
    return [("x", "y"), *((n,) for n in (known or others)[:1]), ("energy",), ("t", *momenta)]


def _panels(groups: Sequence[tuple[str, ...]], axes: Any) -> list[Any]:
    if axes is not None:
        return list(np.atleast_1d(np.asarray(axes, dtype=object)).ravel())
    if len(groups) == 1:
        return [new_axes(COLUMN, 0.85)[1]]
    rows = -(-len(groups) // 2)
    _, grid = new_axes(PAGE, 0.72, rows, 2)
    flat = list(np.asarray(grid, dtype=object).ravel())
    for spare in flat[len(groups) :]:
        spare.set_visible(False)
    return flat[: len(groups)]


def draw(run: Any, group: tuple[str, ...], panel: Any) -> None:
    """One group of names into matplotlib axes."""
    if group == ("vorticity",) or group == ("stream",):
        _flow(run, group[0], panel)
    elif group == ("x", "y"):
        _curves(run, panel)
    elif group[0] == "s":
        _profiles(run, group[1:], panel)
    elif len(group) == 1 and run[group[0]].ndim == 2:
        _map(run, group[0], panel)
    else:
        _courses(run, group, panel)


def _curves(run: Any, panel: Any) -> None:
    import matplotlib as mpl

    t, some = run["t"], snapshots(len(run["t"]))
    colours = mpl.colormaps["viridis"]
    span = max(float(t[-1] - t[0]), 1e-300)
    for k in some:
        x, y = fine_curve(run, int(k))
        panel.plot(x, y, color=colours(SHADES * (t[k] - t[0]) / span), lw=1.3)
        panel.plot(x[:1], y[:1], "o", ms=2.5, color=INK)
    panel.set_aspect("equal", adjustable="datalim")
    panel.set_xlabel(axis_label(run, "x"))
    panel.set_ylabel(axis_label(run, "y"))
    shades = mpl.cm.ScalarMappable(mpl.colors.Normalize(t[0], t[0] + span / SHADES), colours)
    bar = panel.figure.colorbar(shades, ax=panel, shrink=0.85, boundaries=np.linspace(t[0], t[-1], 100))
    bar.set_label("$t$ [s]")
    bar.set_ticks(np.linspace(t[0], t[-1], 5))
    bar.ax.tick_params(labelsize=7)


def _map(run: Any, name: str, panel: Any) -> None:
    values = run[name]
    signed = float(values.min()) < -1e-9 * float(np.abs(values).max() or 1)
    reach = float(np.abs(values).max()) or 1.0
    look = {"cmap": "RdBu_r", "vmin": -reach, "vmax": reach} if signed else {"cmap": "viridis"}
    shown = panel.pcolormesh(run["t"], run["s"], values.T, shading="gouraud", rasterized=True, **look)
    panel.figure.colorbar(shown, ax=panel, shrink=0.85).set_label(axis_label(run, name))
    panel.set_xlabel(axis_label(run, "t"))
    panel.set_ylabel(axis_label(run, "s"))


def _profiles(run: Any, names: Sequence[str], panel: Any) -> None:
    for name in names:
        for k in snapshots(len(run["t"]), 5):
            panel.plot(run["s"], run[name][k], label=f"$t = {run['t'][k]:.3g}$ s")
    panel.set_xlabel(axis_label(run, "s"))
    panel.set_ylabel(shared_label(run, names))
    panel.legend(fontsize=7)


def _courses(run: Any, group: tuple[str, ...], panel: Any) -> None:
    names = group[1:] if group[0] == "t" else group
    if group[0] != "t" and len(group) > 1:
        raise StateError(
            f"plot: {', '.join(group)}: draw totals over t, plot('t', …), fields over s, plot('s', …), or alone."
        )
    for name in names:
        if run[name].ndim != 1:
            raise StateError(f"plot: {name} varies along the field too; plot({name!r}) draws it over s and t.")
        panel.plot(run["t"], run[name], label=math_name(name))
    panel.set_xlabel(axis_label(run, "t"))
    panel.set_ylabel(shared_label(run, names))
    if len(names) > 1:
        panel.legend()
        return
    values = run[names[0]]
    if float(np.ptp(values)) < 1e-6 * float(np.abs(values).max() or 1.0):
        middle, reach = float(np.mean(values)), 0.05 * (float(np.abs(values).max()) or 1.0)
        panel.set_ylim(middle - reach, middle + reach)
        panel.text(
            0.97,
            0.95,
            f"constant to {run.drift(names[0]):.0e}",
            transform=panel.transAxes,
            ha="right",
            va="top",
            fontsize=8,
        )


def _flow(run: Any, name: str, panel: Any) -> None:
    """Pictures of the flow beside each other in one panel."""
    values, some = run[name], snapshots(len(run["t"]), PANELS)
    reach = float(np.abs(values).max()) or 1.0
    side, gap = 2 * np.pi, 0.5
    for place, k in enumerate(some):
        column, row = place % 2, place // 2
        left, low = column * (side + gap), -row * (side + gap + 0.6)
        shown = panel.imshow(
            values[k].T, origin="lower", extent=(left, left + side, low, low + side), cmap="RdBu_r", vmin=-reach, vmax=reach,
            interpolation="bicubic",
        )  # fmt: skip
        panel.text(left, low + side + 0.1, f"$t = {run['t'][k]:.3g}$ s", fontsize=7, va="bottom")
    panel.set_xlim(-0.2, 2 * side + gap + 0.2)
    panel.set_ylim(-((len(some) - 1) // 2) * (side + gap + 0.6) - 0.2, side + 1.0)
    panel.set_aspect("equal")
    panel.axis("off")
    panel.figure.colorbar(shown, ax=panel, shrink=0.7).set_label(axis_label(run, name))
