"""A second witness of linear growth: how what the symmetry leaves alone comes back after a time, by differences of motions.

It shares neither the equations (multiplier form in plain coordinates), nor the slopes (differences of whole motions), nor mode
shapes, group orbits and fits with `stability` and with `witness`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import nonholo as nh

Seen = Callable[[Mapping[str, Any]], Sequence[Any]]
"""The invariants of states, from their names."""
PUSH = 1e-5


def beside(
    system: Any, state: Mapping[str, float], parameters: Mapping[str, float], names: Sequence[str], pushed: Mapping[str, float]
) -> Any:
    """A whole state near a given one: coordinates and the speeds among these names, some pushed, put back on the constraints."""
    first = {n: state[n] + pushed.get(n, 0.0) for n in dict.fromkeys((*system.coordinates, *names))}
    return nh.complete_state(system, first, parameters, repair=True)


def seen_after(system: Any, start: Mapping[str, float], parameters: Mapping[str, float], seen: Seen, times: Any) -> Any:
    """(times, invariants) along a motion in multiplier form."""
    kept = {n: start[n] for n in (*system.coordinates, *(f"{n}dot" for n in system.coordinates)) if n in start}
    run = nh.simulate(
        system, kept, float(times[-1]), parameters, form="multipliers", rtol=1e-12, atol=1e-13, t_eval=times, progress=False
    )
    assert run.outcome.reached, run.outcome
    return np.array(seen({n: run[n] for n in kept})).T


def linear_return(
    system: Any, state: Mapping[str, float], parameters: Mapping[str, float], seen: Seen, names: Sequence[str], span: float
) -> Any:
    """The matrix by which small changes of the invariants are multiplied after a time, from pushes of these names both ways."""
    before, after = [], []
    for name in names:
        ends = [beside(system, state, parameters, names, {name: sign * PUSH}) for sign in (1, -1)]
        paths = [seen_after(system, end, parameters, seen, np.array([0.0, span])) for end in ends]
        before.append(paths[0][0] - paths[1][0])
        after.append(paths[0][1] - paths[1][1])
    return np.linalg.lstsq(np.array(before), np.array(after), rcond=None)[0].T


def rates(returned: Any, span: float) -> Any:
    """The eigenvalues of the linear flow, those with a frequency beyond half a turn in the time excepted."""
    found = np.log(np.linalg.eigvals(returned).astype(complex)) / span
    return found[np.argsort(-found.real)]
