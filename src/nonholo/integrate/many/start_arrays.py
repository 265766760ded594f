"""Read and complete many starts as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from nonholo.derive.states.consistent_state import NO_NUMBERS, check_start_names, completed, read_start
from nonholo.derive.states.start_completion import TOLERANCE, completion, linear_velocities
from nonholo.errors import StateError
from nonholo.machines.starts.body_starts import body_words, resting_velocities
from nonholo.model.system import System, finite
from nonholo.program.array_types import Array


def members(starts: Any, parameters: Mapping[str, Any], where: str) -> tuple[dict[str, Array], dict[str, Array], int]:
    """Starts and parameters as arrays of one length: from a list of dicts, or dicts of numbers and arrays."""
    if isinstance(starts, Mapping):
        table = {str(k): _numbers(v, f"{where}: start {k}") for k, v in starts.items()}
    else:
        rows = list(starts) if isinstance(starts, Iterable) and not isinstance(starts, str) else [starts]
        if not all(isinstance(row, Mapping) for row in rows):
            raise StateError(f"{where}: starts = {str(starts)[:60]}; give a list of dicts, or a dict of arrays.")
        if not rows:
            raise StateError(f"{where}: no starts; give a list of dicts, or a dict of arrays.")
        names = dict.fromkeys(n for row in rows for n in row)
        ragged = [n for n in names if any(n not in row for row in rows)]
        if ragged:
            raise StateError(f"{where}: {ragged[0]!r} is given for some starts only; give it for every one.")
        table = {str(n): _numbers([row[n] for row in rows], f"{where}: start {n}") for n in names}
    given = {str(k): _numbers(v, f"{where}: parameter {k}") for k, v in parameters.items()}
    lengths = {a.shape[0] for a in (*table.values(), *given.values()) if a.ndim == 1}
    if any(a.ndim > 1 for a in (*table.values(), *given.values())) or len(lengths) > 1:
        raise StateError(
            f"{where}: the arrays have different lengths ({sorted(lengths)}); give one value or one for each member."
        )
    count = lengths.pop() if lengths else 1
    if not count:
        raise StateError(f"{where}: no starts, the arrays are empty; give one value or one for each member.")
    spread = {n: np.broadcast_to(a, (count,)).copy() for n, a in table.items()}
    return spread, {n: np.broadcast_to(a, (count,)).copy() for n, a in given.items()}, count


def _numbers(value: Any, where: str) -> Array:
    if isinstance(value, str):
        return np.array(finite(value, where))
    try:
        return np.array([finite(v, where) for v in value] if _has_text(value) else value, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{where}: {str(value)[:60]} where a number or an array of numbers is needed.") from None


def _has_text(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(isinstance(v, str) for v in value)


def complete_states(
    system: System, starts: Mapping[str, Array], parameters: Mapping[str, Array], count: int
) -> tuple[dict[str, Array], list[str]]:
    """Full states of all members by name, and for each member what is wrong with its start ("" when nothing is).

    ``parameters`` has a value for every parameter of the system.
    """
    check_start_names(system, starts)
    spoken = any(n in body_words(system) for n in starts)
    moving = [n for n in starts if n not in system.coordinates and n not in (*system.inputs, "t")]
    ready = completion(system, [] if spoken else moving)
    searched = bool(system.frame.relations) and any(n in system.coordinates for n in starts)
    if spoken or ready.needs_search or searched:
        return _one_by_one(system, starts, parameters, count)
    values: dict[str, Array] = {"t": np.zeros(count), **{n: np.zeros(count) for n in system.inputs}}
    values |= {n: np.full(count, h) for n, h in zip(system.coordinates, system.frame.home)}
    values |= {n: a for n, a in {**parameters, **starts}.items() if n not in moving}
    at = np.stack([values[n] for n in ready.base], axis=1)
    wanted = np.stack([starts[n] for n in moving], axis=1) if moving else np.zeros((count, 0))
    resting = [n for n in resting_velocities(system) if n not in moving]
    velocity, gap = linear_velocities(ready, at, wanted, resting)
    values |= {n: velocity[:, j] for j, n in enumerate(system.velocities)}
    found = ready.rest.rows(np.hstack([at, velocity]))
    values |= {n: found[:, k] for k, n in enumerate(ready.every)}
    problems = [""] * count
    for k in np.flatnonzero(~(gap < TOLERANCE * (1 + np.max(np.abs(velocity), axis=1, initial=0.0)))):
        reason = f"the start breaks the constraints by {gap[k]:.6g}." if np.isfinite(gap[k]) else NO_NUMBERS
        problems[k] = f"{system.name}: {reason}"
    for n, a in reversed([*starts.items(), *parameters.items()]):
        for k in np.flatnonzero(~np.isfinite(a)):
            problems[k] = f"{system.name}: {n} is not finite."
    return {n: a for n, a in values.items() if n not in system.parameters}, problems


def _one_by_one(
    system: System, starts: Mapping[str, Array], parameters: Mapping[str, Array], count: int
) -> tuple[dict[str, Array], list[str]]:
    problems, found = [], []
    for k in range(count):
        try:
            numbers = {n: float(a[k]) for n, a in parameters.items()}
            start = read_start(system, {n: a[k] for n, a in starts.items()}, numbers)
            found.append(completed(system, start, numbers))
            problems.append("")
        except StateError as problem:
            found.append({})
            problems.append(str(problem))
    names = next((list(f) for f in found if f), [])
    return {n: np.array([f.get(n, np.nan) for f in found]) for n in names}, problems
