"""Motions through states where the constraints lose rank and the continuation is not unique."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from nonholo.errors import NonholoError
from nonholo.integrate.inputs import rows_with_inputs
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.integration import Path
from nonholo.integrate.motion.motion_pieces import Problem, WantedEvent, named_state
from nonholo.integrate.motion.output_buffers import Occurrences
from nonholo.integrate.outcome import Outcome, not_unique
from nonholo.model.velocities.constraint_rank import Loss, rank_loss

Place = Mapping[str, float]
NEAR = 1e-5
"""Rows whose smallest singular value is below this, relative to their lengths at the start, are taken for dependent."""
MOST = 400
"""Number of passages that are examined."""


def transitions(problem: Problem) -> Loss | None:
    """What to look for along a motion; None where the constraints keep their rank."""
    system = problem.system
    return rank_loss(system if problem.formulation is None else problem.formulation.system) if system is not None else None


def passage(loss: Loss) -> WantedEvent:
    """The event that happens where the rank is lost, and elsewhere by chance."""
    return WantedEvent("rank", loss.passing, 0, 0)


def with_rank_loss(
    problem: Problem,
    loss: Loss,
    pieces: Sequence[tuple[InitialValue, Path]],
    number: int,
    sources: Sequence[Any],
    outcome: Outcome,
    slack: float,
) -> Outcome:
    """The outcome, extended by the time at which the rank was lost; ``number`` is the place of the `passage` among the events."""
    initial = problem.initial

    def named(initial: InitialValue, time: float, state: Any) -> dict[str, float]:
        return {**problem.parameters, **named_state(problem, initial, time, state, sources)}

    passages = [(t, partial(named, own, t, y)) for own, path in pieces for t, y in path.occurrences.of(number)]
    time = first_loss(loss, partial(named, initial, problem.time, initial.state), passages, slack)
    return outcome if time is None else not_unique(outcome, time)


def first_loss(
    loss: Loss, begin: Callable[[], Place], passages: Sequence[tuple[float, Callable[[], Place]]], slack: float
) -> float | None:
    """When the rank is lost, of times at which it may be, with the states there; lengths are measured by the start."""
    if not passages:
        return None
    try:
        scale = loss.scale(begin())
        for time, place in passages[:MOST]:
            if loss.smallest(place(), scale) < max(NEAR, slack):
                return time
    except NonholoError:  # a state where the slopes have no value tells nothing
        return None
    return None


def lost_ranks(
    loss: Loss, initial: InitialValue, sources: Sequence[Any], given: Mapping[str, Any], time: float, begins: Any,
    happened: Sequence[Occurrences], number: int, slack: float,
) -> Iterator[tuple[int, float]]:  # fmt: skip
    """The members of an ensemble that lose the rank on the way, and when: each is judged by itself, as by `with_rank_loss`."""
    kernel = initial.kernel
    for k, seen in enumerate(happened):
        passages = seen.of(number)
        if not passages:
            continue
        fixed = {n: float(a[k]) for n, a in given.items()}

        def named(t: float, y: Any, fixed: dict[str, float] = fixed) -> dict[str, float]:
            row = rows_with_inputs(kernel, sources, np.array([t]), y[None, :], fixed)[0]
            return {**fixed, "t": t, **dict(zip(kernel.equations.state, y.tolist())), **kernel.velocities(row)}

        states = [(t, partial(named, t, y)) for t, y in passages]
        lost = first_loss(loss, partial(named, time, begins[k]), states, slack)
        if lost is not None:
            yield k, lost
