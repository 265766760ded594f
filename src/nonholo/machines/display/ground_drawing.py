"""The ground of a machine as a piece of surface around a motion, for drawings that the machine has made itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import symengine as se

from nonholo.algebra.calculus import symbol, written_size
from nonholo.algebra.expression_types import Expr
from nonholo.machines.contact_geometry.surfaces import CHART, Surface, read_ground
from nonholo.machines.display.machine_drawing import LONGEST, point_text, rotation_text
from nonholo.machines.machine_data import MachineData
from nonholo.machines.record_tables import table_of
from nonholo.model.drawing.shapes import Body

BEYOND = 0.75
"""The ground is drawn to so many widths of the motion on each side of its middle."""
LEAST = 0.5
"""Half a width in metres of the ground below a motion that goes nowhere."""


def ground_drawing(
    machine: MachineData, parameters: Sequence[str], path: Sequence[npt.NDArray[np.float64]]
) -> tuple[Body, ...]:
    """The ground where a motion goes, whose places are the arrays ``path`` of x, y and z; nothing for a level plane.

    >>> car = MachineData(ground={"height": "x**2/2"}, bodies=[{"name": "ball", "mass": 1}])
    >>> (sheet,) = ground_drawing(car, (), [np.array([0.0, 2.0]), np.array([0.0, 1.0]), np.array([0.0, 2.0])])
    >>> sheet.points, sheet.size["s0"], sheet.size["r1"]
    (('s', 'r', 's**2/2'), '-0.5', '2.0')
    """
    words = table_of(machine.ground) if machine.ground is not None else {}
    if not {*words} - {"turning", "moving", "inside"}:
        return ()
    surface, pose = read_ground(words, parameters, machine.name)
    middle = [(float(np.min(along)) + float(np.max(along))) / 2 for along in path]
    half = BEYOND * max(float(np.ptp(along)) for along in path) or LEAST
    found = _patch(surface, middle, half)
    if found is None or max(map(written_size, found[0])) > LONGEST:
        return ()
    points, (s0, s1, r0, r1) = found
    size = {"s0": repr(s0), "s1": repr(s1), "r0": repr(r0), "r1": repr(r1)}
    place, attitude = point_text(pose.origin), rotation_text(pose.rotation)
    return (Body("surface", place, attitude, size, point_text(points), "wheat", "ground"),)


def _patch(surface: Surface, middle: Sequence[float], half: float) -> tuple[tuple[Expr, ...], tuple[float, ...]] | None:
    """Points of a surface in s and r, and their ranges; a half of what is closed, so that one can look inside."""
    s, r = symbol("s"), symbol("r")
    x, y, z = middle
    level = (x - half, x + half, y - half, y + half)
    if surface.plane is not None:
        normal = surface.plane.normal
        return (s, r, -(normal[0] * s + normal[1] * r) / normal[2]), level
    if surface.shape is not None:  # a sphere
        radius = surface.shape.sizes["radius"]
        down = -se.cos(s) if surface.inside else se.cos(s)
        return (radius * se.sin(s) * se.cos(r), radius * se.sin(s) * se.sin(r), radius * down), (
            0.0,
            np.pi / 2,
            0.0,
            2 * np.pi,
        )
    if surface.chart is None:
        return None
    points = tuple(e.xreplace({CHART[0]: s, CHART[1]: r}) for e in surface.chart.point)
    if surface.chart.names == ("x", "y"):
        return points, level
    turned = float(np.arctan2(y, x))
    if surface.chart.names == ("angle", "height"):
        return points, (turned - np.pi / 2, turned + np.pi / 2, z - half, z + half)
    return points, (0.0, 2 * np.pi, 0.0, 2 * (half + float(np.hypot(x, y))))
