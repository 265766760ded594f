"""The start of a string: angle and turning, or a curve and its velocity, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import symengine as se

from nonholo.errors import StateError
from nonholo.fields.field_starts import formula, known_keys, pair, sampled
from nonholo.fields.function_grid import Grid
from nonholo.program.array_types import Array

KEYS = ("theta", "omega", "x", "y", "xdot", "ydot", "center", "velocity", "at")
UNDETERMINED = (
    "string: the tension is not determined here, as in a straight string between two held ends; choose a start that "
    "hangs or bends."
)
TOLERANCE = 1e-9
"""How exactly a given curve must keep its length."""


def angles(start: Mapping[str, Any], grid: Grid, where: str) -> tuple[Array, Array]:
    """θ and Ω on the grid, from texts for ``theta`` and ``omega``, or for ``x``, ``y``, ``xdot``, ``ydot``."""
    if "x" in start or "y" in start:
        return _from_curve(start, grid, where)
    if "xdot" in start or "ydot" in start:
        raise StateError(f"{where}: xdot and ydot belong to a curve x, y; give these too, or omega instead.")
    theta = _values(start.get("theta", "0"), grid, f"{where}: theta")
    return theta, _values(start.get("omega", "0"), grid, f"{where}: omega")


def _values(value: Any, grid: Grid, where: str) -> Array:
    given = np.asarray(value) if isinstance(value, (list, tuple, np.ndarray)) else None
    if given is not None and given.ndim == 1:
        if given.shape != grid.points.shape or given.dtype.kind not in "fi":
            raise StateError(
                f"{where}: found {given.shape[0]} values where {len(grid.points)} nodes are; give one each."
            )
        return np.ascontiguousarray(given, dtype=float)
    return sampled(formula(value, ("s",), where), ("s",), where, grid.points)


def _from_curve(start: Mapping[str, Any], grid: Grid, where: str) -> tuple[Array, Array]:
    """From ``x(s), y(s)``: ``|z_s| = 1`` makes it a curve of the string's length, and ``Re(z̄_s ż_s) = 0`` keeps it one."""
    if "theta" in start or "omega" in start:
        raise StateError(f"{where}: give either theta and omega or the curve x, y and xdot, ydot, not both.")
    s = se.Symbol("s")
    slope, moving = (
        sum(
            factor
            * sampled(se.diff(formula(start.get(name, "0"), ("s",), f"{where}: {name}"), s), ("s",), name, grid.points)
            for name, factor in names
        )
        for names in ((("x", 1), ("y", 1j)), (("xdot", 1), ("ydot", 1j)))
    )
    speed = np.abs(slope)
    worst = int(np.argmax(np.abs(speed - 1)))
    length, wanted = float(grid.weights @ speed), float(grid.points[-1])
    if abs(speed[worst] - 1) > TOLERANCE:
        raise StateError(
            f"{where}: the start is not a curve of length {wanted:g} in its arc length s: |dz/ds| = {speed[worst]:.6g} at "
            f"s = {grid.points[worst]:.4g} where 1 is needed (its length is {length:.6g}); give x(s) and y(s) with "
            f"x_s² + y_s² = 1, or the angle theta."
        )
    stretch = np.abs((np.conj(slope) * moving).real)
    if np.max(stretch) > TOLERANCE * max(1.0, float(np.max(np.abs(moving)))):
        raise StateError(
            f"{where}: xdot, ydot would stretch the string at the rate {np.max(stretch):.3g} at s = "
            f"{grid.points[int(np.argmax(stretch))]:.4g}; a velocity must keep x_s² + y_s² = 1, as omega does by itself."
        )
    return np.unwrap(np.angle(slope)), (np.conj(slope) * moving).imag


def places(start: Mapping[str, Any], grid: Grid, held: tuple[str, ...], where: str) -> tuple[complex, complex]:
    """Where the centre of mass is and how it moves; for a held string where its first held end is, and 0."""
    if held:
        for name in ("center", "velocity"):
            if name in start:
                raise StateError(
                    f"{where}: {name} belongs to a free string; this one is held at its {held[0]}: give at=(x, y), the place "
                    "of that end."
                )
        given = "at" in start or "x" not in start
        return (pair(start.get("at", (0, 0)), f"{where}: at") if given else _end(start, grid, held, where)), 0j
    if "at" in start:
        raise StateError(f"{where}: at is the place of a held end, and this string is free; give center=(x, y).")
    if "x" in start or "y" in start:
        total = [_mean(start, names, grid, where) for names in (("x", "y"), ("xdot", "ydot"))]
        return (
            pair(start["center"], f"{where}: center") if "center" in start else total[0],
            pair(start["velocity"], f"{where}: velocity") if "velocity" in start else total[1],
        )
    return pair(start.get("center", (0, 0)), f"{where}: center"), pair(
        start.get("velocity", (0, 0)), f"{where}: velocity"
    )


def _curve(start: Mapping[str, Any], names: tuple[str, str], grid: Grid, where: str) -> Any:
    x, y = (sampled(formula(start.get(n, "0"), ("s",), f"{where}: {n}"), ("s",), n, grid.points) for n in names)
    return x + 1j * y


def _mean(start: Mapping[str, Any], names: tuple[str, str], grid: Grid, where: str) -> complex:
    return complex(grid.weights @ _curve(start, names, grid, where) / grid.points[-1])


def _end(start: Mapping[str, Any], grid: Grid, held: tuple[str, ...], where: str) -> complex:
    return complex(_curve(start, ("x", "y"), grid, where)[0 if held[0] == "start" else -1])


def read(
    start: Mapping[str, Any] | None, grid: Grid, held: tuple[str, ...], where: str
) -> tuple[Array, Array, complex, complex]:
    """θ, Ω, place and velocity of a start."""
    given = known_keys(start, KEYS, where)
    theta, omega = angles(given, grid, where)
    place, velocity = places(given, grid, held, where)
    if len(held) == 2:
        if abs(complex(grid.weights @ np.exp(1j * theta))) > float(grid.points[-1]) * (1 - 1e-10):
            raise StateError(UNDETERMINED)
        parting = abs(complex(grid.weights @ (1j * omega * np.exp(1j * theta))))
        if parting > 1e-7 * max(1.0, float(np.max(np.abs(omega)))):
            raise StateError(
                f"{where}: both ends are held, but this omega moves them apart at {parting:.3g} m/s; choose omega with "
                "∫ omega cos(theta) ds = ∫ omega sin(theta) ds = 0, e.g. 0."
            )
    return theta, omega, place, velocity
