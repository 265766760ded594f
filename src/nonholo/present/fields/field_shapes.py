"""Helpers for pictures of a field: kind, dimension, times to show, interpolation between nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

SNAPSHOTS = 9
SHADES = 0.55
"""How much of the scale from dark to light curves at several times take: lighter ones have no contrast with the page."""


def is_field(run: Any) -> bool:
    """Whether a motion is one of a field."""
    return "field" in run.attributes


def is_flow(run: Any) -> bool:
    """Whether it fills the plane."""
    return "vorticity" in run.quantities


def snapshots(count: int, most: int = SNAPSHOTS) -> Any:
    """Which times to show: evenly, the first and the last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def fine_curve(run: Any, k: int, points: int = 200) -> tuple[Any, Any]:
    """The curve at one time, by the polynomial through its nodes, which are few; equal nodes are those of a closed curve."""
    from nonholo.fields.function_grid import interpolation, trigonometric

    s = run["s"]
    if len(s) > 2 and np.ptp(np.diff(s)) < 1e-9 * s[-1]:
        length = float(s[-1] + s[1])
        at = trigonometric(len(s), np.linspace(0.0, length, points), length)
    else:
        at = interpolation(len(s), np.linspace(0.0, s[-1], points), float(s[-1]))
    return at @ run["x"][k], at @ run["y"][k]
