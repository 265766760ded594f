"""A witness for symmetries: a computed motion, moved by the flow of a field, is compared with the motion from the moved start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import symengine as se
from scipy.integrate import solve_ivp

import nonholo as nh


def moved_motion_gap(
    system: nh.System, field: Sequence[Any], start: Mapping[str, float], parameters: Mapping[str, float], step: float = 0.4
) -> float:
    """The largest distance between the moved motion and the motion from the moved start, for a field on plain coordinates.

    The flow and its tangent map are integrated by SciPy; constraints are checked by completing the moved start, which must
    not need a correction.
    """
    names = system.coordinates
    x = [se.Symbol(c) for c in names]
    numbers = {se.Symbol(n): float(e) for n, e in parameters.items()}
    flat = [se.sympify(e).subs(numbers) for e in field]
    slopes = [e.diff(s) for e in flat for s in x]
    evaluate = se.Lambdify(x, [*flat, *slopes])
    n = len(names)

    def flow(q: Any, v: Any) -> tuple[Any, Any]:
        def rates(_: float, state: Any) -> Any:
            found = np.asarray(evaluate(state[:n]), dtype=float)
            return np.concatenate([found[:n], found[n:].reshape(n, n) @ state[n:]])

        end = solve_ivp(rates, (0.0, step), np.concatenate([q, v]), rtol=1e-11, atol=1e-12).y[:, -1]
        return end[:n], end[n:]

    times = np.linspace(0.0, 0.8, 5)
    words = {"parameters": dict(parameters), "until": 0.8, "t_eval": times, "rtol": 1e-10, "atol": 1e-11}
    run = nh.simulate(system, start=dict(start), **words)
    rates = [f"{c}dot" for c in names]
    there = [flow(*state) for state in zip(_rows(run, names), _rows(run, rates))]
    again = nh.simulate(system, start=dict(zip([*names, *rates], np.concatenate(there[0]).tolist())), **words)
    expected = np.array([np.concatenate(pair) for pair in there])
    found = np.concatenate([_rows(again, names), _rows(again, rates)], axis=1)
    return float(np.max(np.abs(found - expected)))


def _rows(run: Any, names: Sequence[str]) -> Any:
    return np.stack([np.asarray(run[n], dtype=float) for n in names], axis=1)
