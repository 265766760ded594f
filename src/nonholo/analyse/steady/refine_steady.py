"""Refine a given state to a steady motion, or say how far the nearest one is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.flow.state_flow import Flow, refuse_infinite
from nonholo.analyse.steady.steady_equations import Steady, typical_rates
from nonholo.errors import StateError

Numbers = NDArray[np.float64]
NEAR = 1e-5
"""A state whose rates beyond the group's are this small, beside typical ones, is moved to the steady motion next to it."""


def met(flow: Flow) -> tuple[Steady, Numbers]:
    """The equations of steady motions and their solution at the flow's home."""
    around = flow.home + np.random.default_rng(8).uniform(-0.3, 0.3, (12, flow.size))
    steady = Steady(flow, typical_rates(flow, around), len(flow.fields) > 0)
    rates = flow.rates(flow.home[None])
    refuse_infinite(flow, rates)
    unknowns = steady.starts(flow.home[None])
    gap = steady.value(unknowns)[0]
    if float(np.max(np.abs(gap), initial=0.0)) < 1e-12:
        return steady, unknowns[0]
    if float(np.max(np.abs(gap), initial=0.0)) < NEAR:
        found = steady.settled(unknowns)[0]
        if np.all(np.isfinite(found)) and np.max(np.abs(found - unknowns[0])) < 1e-3 * (1 + np.max(np.abs(unknowns))):
            return steady, found
        return steady, unknowns[0]
    raise StateError(_words(steady, unknowns[0], gap))


def _words(steady: Steady, unknowns: Numbers, gap: Numbers) -> str:
    flow, n = steady.flow, steady.flow.size
    off = gap[:n] * steady.rate
    worst = int(np.argmax(np.abs(gap[:n])))
    what = "beyond the motion of the symmetry " if steady.moving else ""
    near = _nearest(steady, unknowns)
    hint = (
        "and none was found nearby; look for one with relative_equilibria."
        if near is None
        else f"the nearest steady state that was found is {near}."
    )
    return f"{flow.name}: this is no steady motion: {flow.names[worst]} changes {what}at the rate {off[worst]:.6g}; {hint}"


def _nearest(steady: Steady, unknowns: Numbers) -> str | None:
    flow, n = steady.flow, steady.flow.size
    still = Steady(flow, steady.rate, False)
    candidates = []
    moving = steady.settled(unknowns[None], 200)[0][:n]
    resting = still.settled(unknowns[None, :n], 200)[0]
    for found in (moving, resting):
        if np.all(np.isfinite(found)):
            candidates.append((float(np.linalg.norm(found - unknowns[:n])), found))
    if not candidates:
        return None
    far, best = min(candidates, key=lambda c: c[0])
    shown = {m: f"{e:.6g}" for m, e in zip(flow.names, best) if abs(e) > 1e-4 * far}
    if not shown:
        return "all at zero"
    return "{" + ", ".join(f'"{m}": {e}' for m, e in shown.items()) + "}"
