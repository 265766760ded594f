"""A motion for the claims: the multiplier form integrated by SciPy, which shares no code with our own integrators."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np


def integrated(
    system: Any,
    start: Mapping[str, float],
    times: Any,
    parameters: Mapping[str, float] | None = None,
    rtol: float = 1e-11,
) -> SimpleNamespace:
    """Coordinates and rates (or parameters of the velocities) at the times, by name, as arrays.

    >>> from nonholo import gallery
    >>> sleigh = gallery.get("balanced-sleigh")
    >>> found = integrated(sleigh.system, sleigh.start, np.array([0.0, 1.0]), sleigh.parameters)
    >>> bool(abs(found.theta[1] - 1.3) < 1e-9)
    True
    """
    from scipy.integrate import solve_ivp

    from nonholo.derive.multipliers import multipliers
    from nonholo.derive.states.consistent_state import complete_state

    equations = multipliers(system)
    names = list(equations.state)
    values = dict(parameters or {})
    full = complete_state(system, dict(start), values)

    def rates(_: float, state: Any) -> Any:
        found = equations.rates(dict(zip(names, state)), values)
        return np.array([found[n] for n in names])

    begun = [full[n] for n in names]
    run = solve_ivp(rates, (times[0], times[-1]), begun, "DOP853", np.asarray(times), rtol=rtol, atol=rtol / 10)
    return SimpleNamespace(t=run.t, **dict(zip(names, run.y)))
