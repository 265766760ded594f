"""Evaluate a motion at more times, for films of bodies that turn quickly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nonholo.errors import NonholoError

if TYPE_CHECKING:
    from nonholo.integrate.motion.trajectory import Trajectory

STEPS = 100_000
"""A motion that takes more steps is not computed a second time."""
NEAR = 1e-3
"""Both motions must agree by this part of each coordinate's range, at the moments they share."""


def denser(run: Trajectory, count: int) -> Trajectory | None:
    """The motion computed again from its remembered start at about ``count`` moments; None unless it is the same motion.

    A motion remembers inputs that were formulas, in its system, and no others; one whose states differ from those
    recorded (another method, another tolerance, chaos) is left as it was recorded.
    """
    from nonholo.integrate.motion.simulate import simulate

    times, system = run["t"], run.system
    known = system is not None and None not in system.inputs.values() and system.start
    if system is None or not known or len(times) < 2 or not np.all(np.isfinite(times)):
        return None
    first, last = float(times[0]), float(times[-1])
    parts = max(2, round(count / (len(times) - 1)))
    wanted = np.interp(np.arange(parts * (len(times) - 1) + 1) / parts, np.arange(len(times)), times)
    try:
        found = simulate(
            system,
            {**system.start, "t": first},
            last,
            t_eval=wanted,
            max_steps=STEPS,
            progress=False,
        )
    except NonholoError:
        return None
    return found if _same_motion(run, found) else None


def _same_motion(run: Trajectory, found: Trajectory) -> bool:
    names = run.of_kind("coordinate")
    parts, rest = divmod(len(found["t"]) - 1, len(run["t"]) - 1)
    if not names or rest or any(n not in found.names for n in names):
        return False
    shared = slice(None, None, parts)
    gaps = [np.abs(found[n][shared] - run[n]).max() / (np.ptp(run[n]) or 1.0) for n in names]
    return bool(np.all(np.isfinite(gaps)) and max(gaps) < NEAR)
