"""Plotted figures of Benenti 2008: two points with parallel velocities, on an incline (4–8) and with a spring (10–32)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import pi
from typing import Any

import numpy as np

from nonholo.gallery.parallel_points import FIGURES, Figure
from nonholo.present.figures.paper_figures import drawn_as
from nonholo.present.style.plot_style import COLOURS, COLUMN, FAINT, new_axes
from nonholo_papers.figures._figure_motions import FAR, INCLINE, INCLINED, incline, spring, turning_back

CASES = {
    "A": "opposite velocities across P₁P₂", "B": "equal directions across P₁P₂", "C": "opposite velocities inclined to P₁P₂",
    "D": "equal directions inclined to P₁P₂",
}  # fmt: skip


@dataclass(frozen=True)
class View:
    """How a motion is shown."""

    until: float = 12.0
    equal: bool = True
    """The same scale on both axes."""
    zoom: tuple[float, float, float, float] | None = None
    """x and y of a window."""


VIEWS = {
    15: View(equal=False), 16: View(20.0), 17: View(6.0), 18: View(8.0), 23: View(20.0), 25: View(20.0), 26: View(8.0),
    27: View(8.0), 28: View(30.0), 29: View(30.0), 30: View(30.0), 31: View(30.0, equal=False), 32: View(2.5),
}  # fmt: skip


def _orbits(run: Any, view: View) -> Any:
    figure, axes = new_axes(COLUMN, 0.8)
    links = np.linspace(0, len(run["t"]) - 1, 9).round().astype(int)
    for k in links:
        axes.plot([run["x1"][k], run["x2"][k]], [run["y1"][k], run["y2"][k]], color=FAINT, lw=0.3, alpha=0.6)
    for i, colour in ((1, COLOURS[0]), (2, COLOURS[1])):
        x, y = run[f"x{i}"], run[f"y{i}"]
        axes.plot(x, y, color=colour, label=f"$P_{i}$")
        axes.plot(x[0], y[0], "o", ms=3.5, color=colour)
        axes.annotate(
            "", xy=(x[0] + 0.5 * run[f"x{i}dot"][0], y[0] + 0.5 * run[f"y{i}dot"][0]), xytext=(x[0], y[0]),
            arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 0.9, "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip
    axes.set(xlabel="$x$", ylabel="$y$")
    if view.equal:
        axes.set_aspect("equal", "datalim")
    if view.zoom is not None:
        axes.set(xlim=view.zoom[:2], ylim=view.zoom[2:])
    axes.margins(0.08)
    axes.legend(loc="best")
    return figure


def _incline(number: int) -> Any:
    return _orbits(incline(number), View())


def _spring(shown: Figure, view: View) -> Any:
    return _orbits(spring(shown, view.until), view)


def _zoom() -> Any:
    """Near P₁ of figures 29 and 31: it first follows its velocity, for a short way."""
    run = turning_back()
    figure, axes = new_axes(COLUMN, 0.8)
    x, y = np.asarray(run["x1"]), np.asarray(run["y1"])
    axes.plot(x, y)
    axes.plot(x[0], y[0], "o", ms=3.5, color=COLOURS[0], label="$P_1$ at the start")
    reach = 2.2 * float(np.max(np.abs(np.hypot(x, y)[: np.argmax(np.diff(np.hypot(x, y)) < 0) + 1])))
    axes.annotate(
        "", xy=(reach / 2 * np.cos(pi - INCLINED), reach / 2 * np.sin(pi - INCLINED)), xytext=(0, 0),
        arrowprops={"arrowstyle": "-|>", "color": COLOURS[1], "lw": 0.9, "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip
    axes.set(xlabel="$x$", ylabel="$y$", xlim=(-2 * reach, 2 * reach), ylim=(-2 * reach, 2 * reach))
    axes.set_aspect("equal")
    axes.legend(loc="best")
    return figure


def _times(ratio: float) -> str:
    """A factor before a letter: nothing for 1, a sign for −1."""
    size = "" if abs(ratio) == 1 else f"{abs(ratio):g}"
    return f"−{size}" if ratio < 0 else size


def _register() -> None:
    for number, (words, *_) in INCLINE.items():
        note = " (lengths and gravity ours)" if number == 8 else " (start, lengths and gravity ours)"
        drawn_as("benenti", str(number), f"Two points with parallel velocities on an incline: {words}{note}.")(
            partial(_incline, number)
        )
    for number, shown in {**FIGURES, 30: FAR, 31: FAR}.items():
        view = replace(VIEWS.get(number, View()))
        same = "; start ours" if number not in (30, 31) else "; the paper's numbers are lost, these are ours"
        scale = "" if view.equal else ", axes to different scales"
        words = (
            f"Two points with parallel velocities and a spring, case {shown.case} ({CASES[shown.case]}): "
            f"v₂ = {_times(shown.second / shown.first)}v₁, "
            f"m₂ = {_times(shown.ratio)}m₁, distance {shown.distance:g}{scale}{same}."
        )
        drawn_as("benenti", str(number), words)(partial(_spring, shown, view))
    words = "The neighbourhood of P₁ in figures 29 and 31: it sets out along its velocity and turns back; angle ours."
    drawn_as("benenti", "32", words)(_zoom)


_register()
