"""Tori that motions wind round: the mean rates of the angles along a motion, where local integrals leave curves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nonholo.derive.angle_coordinates import angle_coordinates
from nonholo.errors import NonholoError
from nonholo.finding import Finding, WindingTorus
from nonholo.integrate.motion.simulate import simulate
from nonholo.model.system import System

UNTIL, SAMPLES = 600.0, 6000
TURNS = 3.0
"""An angle that makes fewer turns than this in the time of the motion is not said to turn."""


def mean_rate(times: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """The mean rate with a smooth window, which converges faster than any power for quasi-periodic rates [Das et al. 2017].

    >>> t = np.linspace(0, 300, 3000)
    >>> round(mean_rate(t, 2**0.5 * t + np.sin(t) + np.cos(1.7 * t)), 9)
    1.414213562
    """
    middle = (np.arange(len(times) - 1) + 0.5) / (len(times) - 1)
    weights = np.exp(-1 / (middle * (1 - middle)))
    return float(weights @ (np.diff(values) / np.diff(times)) / np.sum(weights))


def winding_torus(
    system: System, start: Mapping[str, float], parameters: Mapping[str, float], dimension: int
) -> Finding | None:
    """The torus of so many dimensions that a motion winds round, with its frequencies; None where that is not seen.

    So many angles must turn, and the other coordinates come back.
    """
    form = "multipliers" if system.frame.plain else "hamel"
    try:
        run = simulate(system, start, UNTIL, parameters, t_eval=SAMPLES, rtol=1e-9, atol=1e-11, progress=False, form=form)
    except NonholoError:
        return None
    if len(run.times) < SAMPLES or not run.outcome.reached:
        return None
    angles = angle_coordinates(system)
    times = np.asarray(run.times, dtype=float)
    rates: dict[str, float] = {}
    for name in system.coordinates:
        values = np.asarray(run[name], dtype=float)
        if name in angles and np.ptp(values) > 2 * np.pi * TURNS:
            rates[name] = mean_rate(times, values)
        elif np.ptp(values) > 1.2 * np.ptp(values[: SAMPLES // 2]) + 1e-9:
            return None
    if len(rates) != dimension:
        return None
    data = WindingTorus(dimension, tuple((n, abs(w)) for n, w in rates.items()))
    return Finding(data, "holds", None, f"mean rates of the angles along a motion of {UNTIL:g} s")
