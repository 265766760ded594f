"""Plotted figures of Bloch, Marsden and Zenkov 2009: momentum plane of the sleigh, the sleigh with an oscillator."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo import gallery
from nonholo.present.figures.paper_figures import drawn_as
from nonholo.present.figures.phase_portrait import momentum_plane
from nonholo.present.style.plot_style import COLUMN, FAINT, PAGE, new_axes
from nonholo_papers.figures._figure_motions import oscillator


@drawn_as(
    "bmz",
    "6.2",
    "Momentum plane of the unbalanced Chaplygin sleigh: arcs of ellipses from the lower to the upper half of the p₂-axis.",
)
def sleigh_momenta() -> Any:
    """(6.1)."""
    return momentum_plane(gallery.get("chaplygin-sleigh")).axes.figure


@drawn_as(
    "bmz", "6.3", "Reduced motions of the sleigh with an oscillator in (r, p₁, p₂), from four starts: closed curves."
)
def reduced_motions() -> Any:
    """Each is 2τ-periodic."""
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(COLUMN * 1.15, COLUMN * 1.0), layout="constrained")
    axes = figure.add_subplot(projection="3d")
    for turning in (0.3, 0.6, 0.9, 1.2):
        run = oscillator({"u": 0.7, "Omega1": turning, "Omega2": 0.5}, 14.0)
        axes.plot(run["r"], run["p1"], run["p2"], lw=1.0)
        axes.plot([0.0], [run["p1"][0]], [run["p2"][0]], "o", ms=2.5, color="black")
    axes.set(xlabel="$r$", ylabel="$p_1$", zlabel="$p_2$")
    axes.view_init(22, -58)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.pane.fill = False
        axis._axinfo["grid"].update({"color": "#e4e4e4", "linewidth": 0.5})
    axes.tick_params(labelsize=7, pad=-2)
    return figure


@drawn_as(
    "bmz",
    "6.4",
    "Paths of the contact point of the sleigh with an oscillator, from six starts: each turn is the last one moved.",
)
def contact_paths() -> Any:
    """g(t + 2τ) = h g(t)."""
    figure, axes = new_axes(PAGE, 0.95, rows=2, columns=3)
    starts = [(0.7, 0.3, 0.5), (0.7, 0.9, 0.5), (1.4, 0.6, 0.4), (2.2, 0.8, 0.3), (1.0, 1.1, -0.6), (2.6, 1.3, 0.9)]
    for axis, (rate, turning, speed) in zip(np.ravel(axes), starts):
        run = oscillator({"u": rate, "Omega1": turning, "Omega2": speed}, 48.0)
        axis.plot(run["x"], run["y"], lw=0.7)
        axis.plot(run["x"][0], run["y"][0], "o", ms=2.5, color="black")
        axis.set_aspect("equal", "datalim")
        axis.set_title(
            rf"$\dot r_0 = {rate:g}$, $\Omega_1 = {turning:g}$, $\Omega_2 = {speed:g}$", fontsize=7.5, color=FAINT
        )
        axis.tick_params(labelsize=7)
        axis.set(xlabel="$x$", ylabel="$y$")
    return figure


@drawn_as(
    "notices",
    "4",
    "Phase portrait of the Chaplygin sleigh in its momenta, with the field of directions: p₂ > 0 attracts.",
)
def sleigh_portrait() -> Any:
    """The positive p₂-axis attracts all motions."""
    return momentum_plane(gallery.get("chaplygin-sleigh"), field=True).axes.figure
