"""Choose a default Poincaré section."""

from __future__ import annotations

import numpy as np

from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.model.system import System

LEAST = 4
"""A variable that passes less often is not taken."""


def passing(system: System, run: Trajectory) -> str | None:
    """The variable that changes its sign most often along a motion, as the text of an event; the first of equals.

    Where none does, one that passes its own mean, as ``"y - 0.3"``; None where nothing comes back at all.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2 + 3*q", start={"q": 2.5})
    >>> passing(swing, nh.simulate(swing, until=30.0))
    'qdot'
    >>> passing(swing, nh.simulate(swing, until=0.1)) is None
    True
    """
    own = dict.fromkeys((*system.coordinates, *system.quasivelocities, *system.velocities))
    rates = dict.fromkeys(f"{x}dot" for x in system.coordinates)
    for names in (own, rates):
        counts = {name: _passages(run[name]) for name in names if name in run.names}
        if counts and max(counts.values()) >= LEAST:
            return max(counts, key=lambda name: counts[name])
    for name in (n for n in own if n in run.names):
        values = run[name]
        middle = float(f"{(np.max(values) + np.min(values)) / 2:.3g}")
        if np.ptp(values) > 1e-3 * (1e-3 + abs(middle)) and _passages(values - middle) >= LEAST:
            return f"{name} - {middle:g}" if middle >= 0 else f"{name} + {-middle:g}"
    return None


def _passages(values: np.ndarray) -> int:
    signs = np.sign(values[np.abs(values) > 1e-9 * (1e-300 + float(np.max(np.abs(values), initial=0.0)))])
    return int(np.sum(np.diff(signs) != 0))
