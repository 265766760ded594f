"""Gaits in a report: connection, curvature, the best loop on both, and a place to draw loops of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonholo.present.figures.interactive import Figure, line, titled
from nonholo.present.film.film_page import embedded, viewer_script
from nonholo.present.report.report_page import ReportSection, plot_box, table
from nonholo.present.report.report_sections import note, number
from nonholo.present.report.report_subject import Case
from nonholo.present.style.labels import html_name
from nonholo.present.style.mathml import mathml
from nonholo.present.style.plot_style import COLOURS, INK

if TYPE_CHECKING:
    from nonholo.control.gaits.gait import Gait
    from nonholo.control.gaits.gait_map import GaitMap

ARROWS, LEVELS = 13, 13
"""Arrows along each axis; level lines, from the largest negative height to the largest positive one."""


def gaits_section(case: Case) -> ReportSection | None:
    """Loops in one or two shape variables and where they lead; None for systems without such variables."""
    gaits = case.dossier.gaits
    if gaits.trouble is not None:
        return ReportSection("gaits", "Gaits", note(f"No map of gaits: {gaits.trouble}"))
    found = gaits.value
    if found is None:
        return None
    from nonholo.control.gaits.gait_map import SWING, GaitMap

    if not isinstance(found, GaitMap):
        return _swing_section(found)
    quantity = found.gait.quantity if found.gait is not None else found.group[0]
    a, b, moved = (html_name(name) for name in (*found.shape, quantity))
    words = (
        f"<p>A gait is a loop in the shape variables {a} and {b}. "
        + ("The shape alone decides where it leads. " if found.kinematic else MOMENTUM if found.momentum else GEOMETRIC)
        + f"Along the arrows of the connection {moved} grows; a small loop moves the system by its area times the curvature.</p>"
    )
    parts = [words, _numbers(found.gait) if found.gait is not None else "", _draw(found, quantity)]
    parts.append(plot_box(connection_figure(found, quantity), f"Connection: along the arrows {moved} grows."))
    turning = [c for c in dict.fromkeys((quantity, *found.pose[2:])) if np.max(np.abs(_heights(found, c))) > 1e-12]
    for c in turning:
        caption = (
            f"Curvature for {html_name(c)}: how far a small loop from {a} to {b} moves it, for each unit of area; "
            "thick lines are high, grey is zero."
        )
        parts.append(plot_box(height_figure(found, c), caption))
    if found.gait is not None and (case.system.page is None or case.system.page.gait is None):
        parts.append(note(f"The loop is the best of one harmonic within ±{SWING}, started from rest."))
    return ReportSection("gaits", "Gaits", "\n".join(part for part in parts if part))


MOMENTUM = (
    "Connection and curvature show the geometric part of the motion, which needs no momentum. A gait also gives the system "
    "momentum, which carries it on: drawn paths show the whole motion, from rest, in the rhythm in which they are drawn. "
)
GEOMETRIC = (
    "Connection, curvature and drawn paths show the geometric part of the motion, which needs no momentum. A gait also gives "
    "the system momentum, which carries it on. "
)


def _draw(found: GaitMap, quantity: str) -> str:
    """A place to draw loops of one's own."""
    if viewer_script() is None:
        return ""
    table = {**found.table(), "quantity": quantity, "labels": {n: html_name(n) for n in (*found.shape, *found.group)}}
    best = "The dashed loop is the one of the table. " if found.gait is not None else ""
    return (
        f"<p>Draw a loop with mouse or finger: the path beside it is where three cycles lead. {best}</p>"
        f'<div class="nonholo-gait"><script type="application/json">{embedded(table)}</script></div>\n'
        "<script>window.nonholoViewer.gait(document.currentScript.previousElementSibling);</script>"
    )


def _swing_section(swing: Gait) -> ReportSection:
    """One joint: no loop encloses an area, so that all of the motion is by momentum."""
    (joint,) = swing.loop.shape
    times = np.linspace(0.0, swing.loop.period, 201)
    figure = titled("t", html_name(joint))
    line(figure, times, swing.loop.values(times)[:, 0], joint, line={"color": INK, "width": 2})
    name = html_name(joint)
    parts = [f"<p>A swing of {name} alone encloses no area: the momentum that it pumps in moves the system.</p>", _numbers(swing)]
    parts.append(plot_box(figure, f"The best swing of {name} that was found, over one cycle."))
    if {"x", "y"} <= set(map(str, swing.run.data)):
        path = titled("x", "y")
        line(path, swing.run["x"], swing.run["y"], "path", line={"color": COLOURS[0], "width": 2})
        parts.append(plot_box(path, f"Where {swing.cycles} cycles lead, from rest."))
    return ReportSection("gaits", "Gaits", "\n".join(parts))


def _numbers(gait: Gait) -> str:
    cycles = f"{gait.cycles} cycles" if gait.cycles > 1 else "one cycle"
    cycle = f"{html_name(gait.quantity)} in {cycles} of {mathml(number(gait.loop.period))} s"
    rows = [
        [cycle, mathml(number(gait.displacement, 4))],
        ["geometric part", mathml(number(gait.geometric, 4))],
        ["part by momentum", mathml(number(gait.dynamic, 4))],
    ]
    rows += [["integral of the curvature inside the loop", mathml(number(gait.area, 4))]] if gait.area is not None else []
    return table(["best loop found", ""], rows, "numbers")


def _heights(found: GaitMap, quantity: str) -> NDArray[np.float64]:
    return np.asarray(found.height[..., found.group.index(quantity)])


def connection_figure(found: GaitMap, quantity: str) -> Figure:
    """The row of the connection that moves a quantity, as arrows; the loop on it."""
    figure = titled(*map(html_name, found.shape))
    field = found.connection[..., found.group.index(quantity), :]
    steps = [max(1, len(axis) // ARROWS) for axis in found.axes]
    x, y = (axis[::step] for axis, step in zip(found.axes, steps))
    part = field[:: steps[0], :: steps[1]]
    longest = float(np.nanmax(np.linalg.norm(part, axis=-1))) or 1.0
    scale = 1.2 * min(float(np.ptp(x)) / len(x), float(np.ptp(y)) / len(y)) / longest
    xs, ys = [], []
    for i, first in enumerate(x):
        for j, second in enumerate(y):
            du, dv = scale * part[i, j]
            tip = np.array([first + du, second + dv])
            wings = [tip - 0.35 * np.array([c * du - s * dv, s * du + c * dv]) for c, s in ((0.87, 0.5), (0.87, -0.5))]
            xs += [first, tip[0], wings[0][0], np.nan, tip[0], wings[1][0], np.nan]
            ys += [second, tip[1], wings[0][1], np.nan, tip[1], wings[1][1], np.nan]
    line(figure, xs, ys, "connection", line={"color": COLOURS[0], "width": 1.2}, hoverinfo="skip")
    _loop(figure, found)
    return figure


def height_figure(found: GaitMap, quantity: str) -> Figure:
    """The curvature's component of a quantity as level lines, by sign and height; the loop on it."""
    from contourpy import contour_generator

    figure = titled(*map(html_name, found.shape))
    values = _heights(found, quantity)
    size = float(np.nanpercentile(np.abs(values), 98)) or 1.0
    levels = contour_generator(*found.axes, values.T)
    for part in np.linspace(-1.0, 1.0, LEVELS):
        lines: Any = levels.lines(size * part)
        pieces = [np.asarray(piece, dtype=float) for piece in lines if len(piece) > 1]
        if not pieces:
            continue
        joined = np.concatenate([np.vstack([piece, [np.nan, np.nan]]) for piece in pieces])
        colour = "#888888" if abs(part) < 1e-9 else COLOURS[1] if part > 0 else COLOURS[0]
        hover = f"{size * part:.3g}<extra></extra>"
        line(figure, joined[:, 0], joined[:, 1], "", line={"color": colour, "width": 0.8 + 1.8 * abs(part)}, hovertemplate=hover)
    _loop(figure, found)
    return figure


def _loop(figure: Figure, found: GaitMap) -> None:
    curve = found.loop()
    if len(curve):
        line(figure, curve[:, 0], curve[:, 1], "best loop", line={"color": INK, "width": 2})
    figure.layout["showlegend"] = False
