"""Growth rates of tangent vectors for many motions, by exact variational equations.

From the logarithm ``L(t)`` of the tangent's length at even times follow

- ``lyapunov``: the slope of L over the second half, by least squares: the largest Lyapunov exponent of a finite time;
- ``megno``: the mean exponential growth factor of nearby orbits, ``Y = 2 (L(T) − mean L)``, averaged over the second half:
  2 for regular motion, ``λ T / 2`` for chaos [Cincotta, Simó 2000];
- ``fli``: the fast Lyapunov indicator, the largest ``L(t)`` [Froeschlé, Lega, Gonczi 1997].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nonholo.errors import NonholoError, Remedy
from nonholo.integrate.inputs import rows_with_inputs
from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.many.member_blocks import advance_many
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.motion_pieces import pieces_of, problem_of, sources_of
from nonholo.integrate.outcome import Outcome
from nonholo.integrate.sensitivity.tangent_motion import Bundle, check_carries, projected_tangents
from nonholo.model.system import System
from nonholo.program.array_types import Array

MEASURES = ("lyapunov", "megno", "fli")
STAGES, SAMPLES = 10, 24
"""Tangents have unit length again after each stage; in each their length is taken at so many times."""


def measures(times: Array, logs: Array) -> dict[str, Array]:
    """The measures from logarithms (member, time) at even times, the first of which is 0.

    >>> times = np.linspace(0.0, 100.0, 2001)
    >>> found = measures(times, np.array([0.2 * times, np.log(1 + times)]))
    >>> {name: values.round(1).tolist() for name, values in found.items()}
    {'lyapunov': [0.2, 0.0], 'megno': [15.0, 1.9], 'fli': [20.0, 4.6]}
    """
    spent = times - times[0]
    half = len(times) // 2
    steps, centred = np.diff(spent), spent[half:] - spent[half:].mean()
    area = np.concatenate([np.zeros((len(logs), 1)), np.cumsum((logs[:, 1:] + logs[:, :-1]) / 2 * steps, axis=1)], axis=1)
    with np.errstate(all="ignore"):
        growth = 2 * (logs - area / np.where(spent != 0, spent, 1.0))
    return {
        "lyapunov": (logs[:, half:] @ centred) / abs(centred @ spent[half:]),
        "megno": growth[:, half:].mean(axis=1),
        "fli": logs.max(axis=1),
    }


def grown(
    system: System,
    initial: InitialValue,
    method: Method,
    starts: Array,
    parameters: Array,
    until: float,
    named: tuple[Mapping[str, Array], Mapping[str, Array]],
    skip: np.ndarray[Any, np.dtype[np.bool_]],
    threads: int | None,
) -> tuple[dict[str, Array], list[Outcome], Array]:
    """The measures of every member, how each ended and when; members whose frame changes, or that have inputs, go one by one.

    ``starts`` and ``parameters`` have a row for each member, in the order of the prepared equations; ``named`` are the same by
    name, as the user gave them.
    """
    check_carries(method, system.name, "variational equations")
    kernel, (count, n) = initial.kernel, starts.shape
    time = float(named[0].get("t", np.zeros(1))[0])
    times = np.linspace(time, until, STAGES * SAMPLES + 1)
    logs = np.full((count, len(times)), np.nan)
    ends = np.full(count, time)
    outcomes = [Outcome("bad start", time)] * count
    driven = bool(kernel.inputs)
    if not (np.all(skip) or driven):
        first = int(np.argmin(skip))
        row = kernel.row(time, starts[first].tolist(), (), parameters[first].tolist())
        extended = kernel.tangent_kernel((None,), row)
        states, tangents, total = starts.copy(), _directions(initial, starts, parameters), np.zeros(count)
        logs[~skip, 0] = 0.0
        going = ~skip
        for stage in range(STAGES):
            here = slice(stage * SAMPLES + 1, (stage + 1) * SAMPLES + 1)
            low = times[stage * SAMPLES]
            who = np.flatnonzero(going)
            if not len(who):
                break
            paths = advance_many(
                extended, method, low, np.hstack([states[who], tangents[who]]), times[here][-1], parameters[who],
                (), times[here], condition_thresholds=initial.thresholds, threads=threads,
            )  # fmt: skip
            with np.errstate(all="ignore"):
                logs[who, here] = total[who, None] + np.log(np.linalg.norm(paths.states[:, :, n:], axis=2))
            ends[who] = paths.final_times
            for row_, k in enumerate(who.tolist()):
                outcomes[k] = paths.outcome(row_)
            going[who] = (paths.status == at.REACHED) & np.isfinite(logs[who, here][:, -1])
            kept = np.flatnonzero(going[who])
            states[who[kept]] = paths.final_states[kept, :n]
            total[who[kept]] = logs[who[kept], here][:, -1]
            wild = paths.final_states[kept, n:]
            tangents[who[kept]] = _unit_tangents(initial, states[who[kept]], parameters[who[kept]], wild)
    for k in [k for k in range(count) if outcomes[k].kind == "frame degenerates" or (driven and not skip[k])]:
        logs[k], outcomes[k], ends[k] = _alone(system, method, k, named, until, times)
    return measures(times, logs), outcomes, ends


def _directions(initial: InitialValue, starts: Array, parameters: Array) -> Array:
    """A generic direction of the manifold at each start, always the same one."""
    wild = np.tile(np.random.default_rng(2).normal(size=starts.shape[1]), (len(starts), 1))
    return _unit_tangents(initial, starts, parameters, wild)


def _unit_tangents(initial: InitialValue, states: Array, parameters: Array, tangents: Array) -> Array:
    """Tangents of unit length in the tangent space of the invariants."""
    kernel, count = initial.kernel, len(states)
    rows = np.hstack([np.zeros((count, 1)), states, parameters])
    good = np.isfinite(rows).all(axis=1) & np.isfinite(tangents).all(axis=1)
    result = np.full(tangents.shape, np.nan)
    if np.any(good):
        found = projected_tangents(kernel, rows[good], Bundle(tangents[good][:, :, None], (None,)))[:, :, 0]
        result[good] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return result


def _alone(
    system: System, method: Method, k: int, named: tuple[Mapping[str, Array], Mapping[str, Array]], until: float, times: Array
) -> tuple[Array, Outcome, float]:
    """One member with changes of frame on the way, in the same stages."""
    start = {n: float(a[k]) for n, a in named[0].items() if n not in system.inputs}
    logs = np.full(len(times), np.nan)
    try:
        problem = problem_of(system, start, {n: float(a[k]) for n, a in named[1].items()}, "hamel", {})
        sources = sources_of(problem, method, until, times)
        initial = problem.initial
        wild = np.random.default_rng(2).normal(size=(1, len(initial.state), 1))
        rows = rows_with_inputs(initial.kernel, sources, times[:1], initial.state[None], problem.parameters)
        found = projected_tangents(initial.kernel, rows, Bundle(wild, (None,)))[0]
        bundle = Bundle(found / np.linalg.norm(found), (None,))
    except NonholoError as trouble:
        return logs, Outcome("bad start", float(times[0]), Remedy(str(trouble))), float(times[0])
    logs[0], total = 0.0, 0.0
    for stage in range(STAGES):
        here = np.arange(stage * SAMPLES + 1, (stage + 1) * SAMPLES + 1)
        pieces, _, outcome = pieces_of(problem, method, float(times[here[-1]]), times[here], [], None, sources, bundle)
        values = [np.linalg.norm(path.tangents.values[:, :, 0], axis=1) for _, path in pieces if path.tangents is not None]
        lengths = np.concatenate(values)
        with np.errstate(all="ignore"):
            logs[here[: len(lengths)]] = total + np.log(lengths)
        initial, path = pieces[-1]
        if not outcome.reached or path.tangents is None:
            break
        size, total = float(np.linalg.norm(path.tangents.final)), float(logs[here[-1]])
        bundle = Bundle(path.tangents.final / size, (None,))
        problem = replace(problem, initial=replace(initial, state=path.final_state), time=path.final_time)
    return logs, outcome, float(path.final_time)
