"""Shape of a towed string from the path of the blade."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.errors import Remedy
from nonholo.fields.field_starts import sampled
from nonholo.fields.function_grid import chebyshev, interpolation
from nonholo.fields.integration_tools import Outcome

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, eq=False)
class Tow:
    """Sleigh and string at the times: heading, v, ω, v̇ of the sleigh; θ, its rate, places and velocities of the string."""

    times: Array
    sense: float
    heading: Array
    v: Array
    omega: Array
    v_rate: Array
    theta: Array
    turning: Array
    z: Array
    moving: Array


def ending_of(run: Any) -> Outcome:
    """The outcome of the sleigh's motion, in words about the string."""
    if run.outcome.kind != "event":
        return run.outcome
    advice = "The sleigh stands still here and would run back into its string, ahead of it; push it on, or stop here."
    return Outcome("string ahead", run.outcome.time, Remedy(advice))


def tow(sleigh: Any, run: Any, shape: Any, sense: float, times: Array) -> Tow:
    """The string at the ``times`` that the run reached.

    The point at s was where the blade was when its path was shorter by s: ``θ(s, t) = φ(t') + π``, ``ℓ(t') = ℓ(t) − s``.
    Path and heading between the run's many times are cubics through values and slopes. What the path has not reached
    yet keeps the shape of the start.
    """
    import symengine as se
    from scipy.interpolate import CubicHermiteSpline, make_interp_spline

    at = run["t"]
    heading, v, omega = run["heading"], run["v"], run["omega"]
    blade, speed = run["x"] + 1j * run["y"], v * np.exp(1j * heading)
    gone = CubicHermiteSpline(at, sense * run["sigma"], sense * v)
    turned = CubicHermiteSpline(at, heading, omega)
    path = CubicHermiteSpline(at, blade, speed)
    v_rate = make_interp_spline(at, v, k=5).derivative()(at)

    times = times[times <= at[-1] * (1 + 1e-12)]
    if run.outcome.kind == "event" and (not len(times) or times[-1] < at[-1]):
        times = np.append(times, at[-1])
    behind = np.pi if sense > 0 else 0.0
    k = np.searchsorted(at, times).clip(max=len(at) - 1)
    points = sleigh.grid.points
    target = gone(times)[:, None] - points
    on_path = target >= 0
    then = _when(gone, at, np.where(on_path, target, 0.0))
    pace = np.abs(gone(then, 1))
    follow = np.divide(turned(then, 1) * np.abs(v[k])[:, None], pace, out=np.zeros_like(pace), where=pace > 0)
    rest = np.where(on_path, 0.0, -target)
    start_angle = sampled(shape, ("s",), "theta", rest)
    start_slope = sampled(se.diff(shape, se.Symbol("s")), ("s",), "theta", rest)
    theta = np.where(on_path, turned(then) + behind, start_angle)
    turning = np.where(on_path, follow, -np.abs(v[k])[:, None] * start_slope)
    z = np.where(on_path, path(then), blade[0] + _start_curve(sleigh, shape, rest))
    moving = -np.abs(v[k])[:, None] * np.exp(1j * theta)
    return Tow(times, sense, heading[k], v[k], omega[k], v_rate[k], theta, turning, z, moving)


def _when(gone: Any, at: Array, target: Array) -> Array:
    """The times at which the path had these lengths, by Newton's method from the table."""
    table = gone(at)
    t = np.interp(target, table, at)
    for _ in range(6):
        rate = gone(t, 1)
        t = np.clip(t - np.divide(gone(t) - target, rate, out=np.zeros_like(t), where=rate > 1e-9), at[0], at[-1])
    return np.asarray(t)


def _start_curve(sleigh: Any, shape: Any, places: Array) -> Array:
    """``∫₀ e^{iθ} ds`` of the start's shape at any places on the string."""
    count = 2 * sleigh.nodes
    fine = chebyshev(count, sleigh.length)
    curve = fine.integral @ np.exp(1j * sampled(shape, ("s",), "theta", fine.points))
    inside = np.clip(places, 0.0, sleigh.length)
    return np.asarray((interpolation(count, inside.ravel(), sleigh.length) @ curve).reshape(places.shape))
