"""Many starts at once: the same completion as `complete_state`, on arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, symbol, symbols
from nonholo.algebra.numeric import numeric_function
from nonholo.derive.state import TOLERANCE, complete_state
from nonholo.errors import StateError
from nonholo.integrate.loops.linear import solve_each
from nonholo.model.admissible import constraint_rows, dependent_names
from nonholo.model.system import System, parameter_values, resolve

Array = np.ndarray[Any, np.dtype[np.float64]]
LEAST_PIVOT = 1e-6


def members(starts: Any, parameters: Mapping[str, Any], where: str) -> tuple[dict[str, Array], dict[str, Array], int]:
    """Starts and parameters as arrays of one length: from a list of dicts, or dicts of numbers and arrays."""
    if isinstance(starts, Mapping):
        table = {str(k): np.asarray(v, dtype=float) for k, v in starts.items()}
    else:
        rows = list(starts)
        if not rows:
            raise StateError(f"{where}: no starts; give a list of dicts, or a dict of arrays.")
        names = dict.fromkeys(n for row in rows for n in row)
        ragged = [n for n in names if any(n not in row for row in rows)]
        if ragged:
            raise StateError(f"{where}: {ragged[0]!r} is given for some starts only; give it for every one.")
        table = {str(n): np.array([row[n] for row in rows], dtype=float) for n in names}
    given = {str(k): np.asarray(v, dtype=float) for k, v in parameters.items()}
    lengths = {a.shape[0] for a in (*table.values(), *given.values()) if a.ndim == 1}
    if any(a.ndim > 1 for a in (*table.values(), *given.values())) or len(lengths) > 1:
        raise StateError(
            f"{where}: the arrays have different lengths ({sorted(lengths)}); give one value or one for each member."
        )
    count = lengths.pop() if lengths else 1
    spread = {n: np.broadcast_to(a, (count,)).copy() for n, a in table.items()}
    return spread, {n: np.broadcast_to(a, (count,)).copy() for n, a in given.items()}, count


@dataclass(frozen=True, eq=False)
class Starter:
    """All that is symbolic in the completion of starts with given names, done once for any number of them."""

    system: System
    starts: frozenset[str]
    parameters: frozenset[str]
    velocities: tuple[str, ...]
    """Those of the names that are rates or quasi-velocities."""
    names: tuple[str, ...]
    forms: Any
    """A function of the values of ``names``: slopes of constraints and of ``velocities`` by the velocities, right sides."""
    height: int
    every: tuple[str, ...]
    rest: Any
    """A function of the values of ``names`` and of all velocities: whatever follows from them, by the names ``every``."""
    order: tuple[int, ...]
    """The velocities that are zero when nothing is said of them, the first ones first."""


def starter(system: System, starts: Iterable[str], parameters: Iterable[str]) -> Starter | None:
    """The completion of starts with these names; None when each member needs a search of its own."""
    from nonholo.model.admissible import admissible

    given, known = list(starts), list(parameters)
    if system.frame is None or system.parametric is not None or _needs_search(system, given):
        return None
    rows = constraint_rows(system)
    if not rows.linear:
        return None
    velocities = [n for n in given if n not in system.coordinates and n not in (*system.inputs, "t")]
    names = list(
        dict.fromkeys(
            ("t", *system.inputs, *system.coordinates, *parameter_values(system, dict.fromkeys(known, 1.0)), *known)
        )
    )
    names += [n for n in given if n not in velocities and n not in names]
    v = symbols(system.velocities)
    slopes = [gradient(e, v) for e in resolve(system, [symbol(n) for n in velocities])]
    still = dict.fromkeys(v, 0)
    sides = [-r.xreplace(still) for r in rows.residuals]
    flat = [e for row in (*rows.slopes, *slopes) for e in row]
    every = tuple(dependent_names(system))
    place = {n: i for i, n in enumerate(system.velocities)}
    first = [] if system.quasivelocities else [place[str(s)] for s in admissible(system).speeds if str(s) in place]
    return Starter(
        system,
        frozenset(given),
        frozenset(known),
        tuple(velocities),
        tuple(names),
        numeric_function(symbols(names), [*flat, *sides, ZERO]),
        len(rows.slopes) + len(slopes),
        every,
        numeric_function(
            symbols([*names, *system.velocities]), [*resolve(system, [symbol(n) for n in every]), ZERO]
        ),
        (*first, *(j for j in range(len(v)) if j not in first)),
    )


def complete_states(
    system: System,
    starts: Mapping[str, Array],
    parameters: Mapping[str, Array],
    count: int,
    ready: Starter | None = None,
) -> tuple[dict[str, Array], list[str]]:
    """Full states of all members by name, and for each member what is wrong with its start ("" when nothing is).

    ``ready`` comes from `starter` for the same names, for callers who come again and again.
    """
    if ready is not None and (ready.starts, ready.parameters) == (frozenset(starts), frozenset(parameters)):
        return _linear(ready, starts, parameters, count)
    ready = starter(system, starts, parameters)
    if ready is None:
        return _one_by_one(system, starts, parameters, count)
    first = {n: float(a[0]) for n, a in starts.items()}
    numbers = {n: float(a[0]) for n, a in parameters.items()}
    problem = ""
    try:
        complete_state(system, first, numbers)
    except StateError as found:
        problem = str(found)
    if problem and "breaks" not in problem and "finite" not in problem and " is nan" not in problem:
        raise StateError(problem)
    return _linear(ready, starts, parameters, count)


def _needs_search(system: System, starts: Iterable[str]) -> bool:
    """Whether coordinates must be found from relations member by member."""
    if system.holonomic:
        return True
    return bool(system.frame.relations) and any(n in system.coordinates for n in starts)


def _one_by_one(
    system: System, starts: Mapping[str, Array], parameters: Mapping[str, Array], count: int
) -> tuple[dict[str, Array], list[str]]:
    problems, found = [], []
    for k in range(count):
        try:
            found.append(
                complete_state(system, {n: a[k] for n, a in starts.items()}, {n: a[k] for n, a in parameters.items()})
            )
            problems.append("")
        except StateError as problem:
            found.append({})
            problems.append(str(problem))
    names = next((list(f) for f in found if f), [])
    return {n: np.array([f.get(n, np.nan) for f in found]) for n in names}, problems


def _linear(
    ready: Starter, starts: Mapping[str, Array], parameters: Mapping[str, Array], count: int
) -> tuple[dict[str, Array], list[str]]:
    system = ready.system
    values: dict[str, Array] = {"t": np.zeros(count), **{n: np.zeros(count) for n in system.inputs}}
    values |= {n: np.full(count, h) for n, h in zip(system.coordinates, system.frame.home)}
    fixed = parameter_values(system, dict.fromkeys(parameters, 1.0))
    values |= {n: np.full(count, v) for n, v in fixed.items()}
    values |= dict(parameters)
    values |= {n: a for n, a in starts.items() if n not in ready.velocities}
    size, height = len(system.velocities), ready.height
    at = np.stack([values[n] for n in ready.names], axis=1)
    numbers = _evaluate(ready.forms, at)
    table = numbers[:, : height * size].reshape(count, height, size)
    given = [starts[n] for n in ready.velocities]
    wanted = np.hstack([numbers[:, height * size :], np.stack(given, axis=1) if given else np.zeros((count, 0))])
    table, wanted = _zero_the_rest(ready.order, table, wanted)
    velocity, gap = _solve(table, wanted)
    values |= {n: velocity[:, j] for j, n in enumerate(system.velocities)}
    found = _evaluate(ready.rest, np.hstack([at, velocity]))
    values |= {n: found[:, k] for k, n in enumerate(ready.every)}
    problems = [""] * count
    for k in np.flatnonzero(~(gap < TOLERANCE * (1 + np.max(np.abs(velocity), axis=1, initial=0.0)))):
        problems[k] = f"{system.name}: the start breaks the constraints by {gap[k]:.6g}."
    for n, a in reversed([*starts.items(), *parameters.items()]):
        for k in np.flatnonzero(~np.isfinite(a)):
            problems[k] = f"{system.name}: {n} is not finite."
    return {n: a for n, a in values.items() if n not in system.parameters}, problems


def _evaluate(function: Any, rows: Array) -> Array:
    """All expressions but the last on all rows."""
    if not len(rows):
        return np.empty((0, len(function(np.zeros(rows.shape[1]))) - 1))
    with np.errstate(all="ignore"):
        return np.asarray(function(rows), dtype=float).reshape(len(rows), -1)[:, :-1]


def _zero_the_rest(order: Sequence[int], table: Array, wanted: Array) -> tuple[Array, Array]:
    """Rows that set missing speeds to zero, chosen on the first finite member in the order of `complete_state`."""
    good = np.flatnonzero(np.all(np.isfinite(table), axis=(1, 2)))
    if not len(good):
        return table, wanted
    sample: Array = table[good[0]]
    extra = []
    for j in order:
        row = np.eye(table.shape[2])[j]
        bigger = np.vstack([sample, row])
        if np.linalg.matrix_rank(bigger, tol=1e-9) > (np.linalg.matrix_rank(sample, tol=1e-9) if len(sample) else 0):
            sample = bigger
            extra.append(row)
    if not extra:
        return table, wanted
    block = np.broadcast_to(np.array(extra), (len(table), len(extra), table.shape[2]))
    return np.concatenate([table, block], axis=1), np.hstack([wanted, np.zeros((len(table), len(extra)))])


def _solve(table: Array, wanted: Array) -> tuple[Array, Array]:
    """Least-squares solutions of all members and their largest residuals."""
    count, height, size = table.shape
    finite = np.all(np.isfinite(table), axis=(1, 2)) & np.all(np.isfinite(wanted), axis=1)
    velocity, hard = np.full((count, size), np.nan), finite
    if height == size and size:  # by elimination, unless it meets a small pivot, or a scale far from the others
        ratio = np.empty(count)
        systems = np.hstack([table.reshape(count, -1), wanted])
        solve_each(systems, np.empty(size * size), np.empty(size), velocity, ratio)
        hard = finite & ~(ratio > LEAST_PIVOT)
        velocity[~finite] = np.nan
    if np.any(hard):
        velocity[hard] = np.einsum("kij,kj->ki", np.linalg.pinv(table[hard]), wanted[hard])
    gap = np.max(np.abs(np.einsum("kij,kj->ki", table, velocity) - wanted), axis=1, initial=0.0)
    return velocity, np.where(finite, gap, np.nan)
