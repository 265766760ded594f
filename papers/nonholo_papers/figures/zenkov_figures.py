"""Plotted figures of Zenkov 2016: the spherical pendulum by the Hamel integrator, and the quantities it conserves."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.present.figures.paper_figures import drawn_as
from nonholo.present.style.plot_style import COLUMN, GRID, new_axes
from nonholo_papers.figures._figure_motions import pendulum

STEPS = 10_000


def _path(run: Any) -> Any:
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(COLUMN, COLUMN * 0.95), layout="constrained")
    axes = figure.add_subplot(projection="3d")
    u, v = np.mgrid[0 : 2 * np.pi : 25j, 0 : np.pi : 13j]
    ball = [np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)]
    axes.plot_wireframe(*ball, color=GRID, lw=0.4)
    axes.plot(run["gamma1"], run["gamma2"], run["gamma3"], lw=0.8)
    axes.plot([run["gamma1"][0]], [run["gamma2"][0]], [run["gamma3"][0]], "o", ms=3, color="black")
    axes.set(xlabel=r"$\gamma^1$", ylabel=r"$\gamma^2$", zlabel=r"$\gamma^3$")
    axes.set_box_aspect((1, 1, 1))
    axes.view_init(18, -60)
    axes.set(xticks=(-1, 0, 1), yticks=(-1, 0, 1), zticks=(-1, 0, 1))
    axes.tick_params(labelsize=7, pad=-2)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.pane.fill = False
        axis._axinfo["grid"].update({"color": "#f2f2f2", "linewidth": 0.4})
    return figure


@drawn_as(
    "zenkov",
    "4a",
    "The spherical pendulum by the Hamel integrator, h = 0.2 s, from the paper's start: a quasi-periodic motion.",
)
def quasi_periodic() -> Any:
    """γ on the unit sphere."""
    return _path(pendulum({}, 600))


@drawn_as("zenkov", "4b", "The same integrator on a motion that crosses the equator (start ours): no chart, no poles.")
def over_the_equator() -> Any:
    """γ on the unit sphere."""
    return _path(pendulum({"xi1": 1.9, "xi2": 0.4}, 300))


def _error(values: Any, label: str) -> Any:
    figure, axes = new_axes(COLUMN, 0.62)
    axes.plot(np.arange(len(values)), values, lw=0.5)
    axes.set(xlabel="step", ylabel=label, xlim=(0, len(values) - 1))
    axes.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
    return figure


@drawn_as("zenkov", "5a", "Length of γ over 10,000 steps of the Hamel integrator: kept to rounding.")
def length() -> Any:
    """|γ| − 1."""
    run = pendulum({}, STEPS)
    size = np.sqrt(run["gamma1"] ** 2 + run["gamma2"] ** 2 + run["gamma3"] ** 2)
    return _error(size - 1, r"$\|\gamma\| - 1$")


@drawn_as("zenkov", "5b", "Energy over 10,000 steps of the Hamel integrator, relative to its start: kept to rounding.")
def energy() -> Any:
    """(E − E₀)/|E₀|."""
    run = pendulum({}, STEPS)
    values = np.asarray(run["energy"])
    return _error((values - values[0]) / abs(values[0]), "$(E - E_0)/|E_0|$")
