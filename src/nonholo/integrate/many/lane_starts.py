"""Complete the starts of many motions with contacts: configurations once for all that have the same, velocities as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonholo.derive.states.consistent_state import completed, guesses, read_start
from nonholo.derive.states.start_completion import TOLERANCE, completion, linear_velocities
from nonholo.errors import NonholoError
from nonholo.integrate.contacts.contact_formulation import TOUCH, ContactFormulation
from nonholo.machines.starts.spoken_starts import spoken_names
from nonholo.model.start_guess import Guess
from nonholo.model.system import System

Array = np.ndarray[Any, np.dtype[Any]]


def lane_starts(
    system: System, kept: ContactFormulation, table: Mapping[str, Array], given: Mapping[str, Array], names: tuple[str, ...]
) -> tuple[Array, Array]:
    """Full states of all members in the order of ``names``, and which of them must start by themselves."""
    count = len(next(iter({**table, **given}.values())))
    states, alone = np.full((count, len(names)), np.nan), np.ones(count, dtype=bool)
    if any(n in spoken_names(system) for n in table) or system.parametric is not None:
        return states, alone
    gaps = [law.gap for law in system.contacts if law.gap is not None]
    tied = {str(s) for e in (*system.frame.relations, *system.holonomic, *gaps) for s in e.free_symbols}
    moving = [n for n in table if n not in system.coordinates and n not in (*system.inputs, "t")]
    fixed = {n: a for n, a in table.items() if n not in moving} | {n: a for n, a in given.items() if n in tied}
    finite = np.all([np.isfinite(a) for a in (*table.values(), *given.values())], axis=0)
    key = np.column_stack([np.zeros(count), *fixed.values()])
    _, group = np.unique(key, axis=0, return_inverse=True)
    group = np.asarray(group).reshape(-1)
    for g in range(int(group.max()) + 1):
        members = np.flatnonzero((group == g) & finite)
        if len(members):
            _complete(system, kept, table, given, names, moving, members, states, alone)
    return states, alone


def _complete(
    system: System, kept: ContactFormulation, table: Mapping[str, Array], given: Mapping[str, Array], names: tuple[str, ...],
    moving: list[str], members: Array, states: Array, alone: Array,
) -> None:  # fmt: skip
    """The states of members with one configuration; those that need other gaps open than the first ones are tried again."""
    left = members
    while len(left):
        first = int(left[0])
        numbers = {n: float(a[first]) for n, a in given.items()}
        try:
            told = read_start(system, {n: float(a[first]) for n, a in table.items()}, numbers)
            start = {**guesses(system), **{n: e for n, e in told.items() if n not in system.inputs}}
            candidates = list(kept.held_systems(start, numbers))
        except NonholoError:
            left = left[1:]
            continue
        done = np.zeros(len(left), dtype=bool)
        for held in candidates:
            ready = completion(held, moving)
            if not ready.rows.linear:
                return
            some = left[~done]
            try:  # the configuration alone: velocities of the first member may be none of those that this system allows
                place = completed(held, {n: e for n, e in start.items() if n not in moving}, numbers)
            except NonholoError:
                continue
            if kept.depth({**numbers, **place}) >= TOUCH:
                continue
            values = {n: np.full(len(some), e) for n, e in place.items()} | {n: a[some] for n, a in given.items()}
            base = np.column_stack([values[n] for n in ready.base])
            wanted = np.column_stack([table[n][some] for n in moving]) if moving else np.zeros((len(some), 0))
            resting = [n for n, e in start.items() if isinstance(e, Guess) and n not in (*system.coordinates, *moving)]
            velocity, gap = linear_velocities(ready, base, wanted, resting)
            good = gap < TOLERANCE * (1 + np.max(np.abs(velocity), axis=1, initial=0.0))
            found = ready.rest.rows(np.hstack([base, velocity])[good])
            values |= {n: found[:, k] for k, n in enumerate(ready.every)}
            fill = {n: velocity[good][:, j] for j, n in enumerate(held.velocities)} | {
                n: found[:, k] for k, n in enumerate(ready.every)
            }
            taken = some[good]
            for k, n in enumerate(names):
                states[taken, k] = fill[n] if n in fill else values[n][good]
            alone[taken] = False
            done[np.flatnonzero(~done)[good]] = True
            if np.all(done):
                break
        done[0] = True  # what no system completes starts by itself, where its mistake is told
        left = left[~done]
