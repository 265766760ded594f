"""Motions through states where the constraints lose their rank: what comes next is not unique, and the outcome says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nonholo.errors import NonholoError
from nonholo.integrate.one.advance import Path
from nonholo.integrate.one.motion import Problem, WantedEvent, named_state
from nonholo.integrate.one.prepare import Prepared
from nonholo.integrate.outcome import Outcome
from nonholo.model.rank import Loss, rank_loss

NEAR = 1e-5
"""Rows whose smallest singular value is below this, relative to their lengths at the start, are taken for dependent."""
MOST = 400
"""So many passages are looked at."""


def transitions(problem: Problem) -> Loss | None:
    """What to look for along a motion; None where the constraints keep their rank."""
    system = problem.system
    return rank_loss(system if problem.core is None else problem.core.system) if system is not None else None


def passage(loss: Loss) -> WantedEvent:
    """The event that happens where the rank is lost, and elsewhere by chance."""
    return WantedEvent("rank", loss.passing, 0, 0)


def told(
    problem: Problem,
    loss: Loss,
    pieces: Sequence[tuple[Prepared, Path]],
    number: int,
    sources: Sequence[Any],
    outcome: Outcome,
    slack: float,
) -> Outcome:
    """The outcome, which says when the rank was lost on the way; ``number`` is the place of the `passage` among the events."""
    prepared = problem.prepared
    try:
        begin = named_state(problem, prepared, problem.time, prepared.state, sources)
        scale = loss.scale({**problem.parameters, **begin})
        looked = 0
        for prepared, path in pieces:
            for t, y, k in zip(path.occurrences.times, path.occurrences.states, path.occurrences.index):
                if k != number or looked >= MOST:
                    continue
                looked += 1
                state = {**problem.parameters, **named_state(problem, prepared, float(t), y, sources)}
                if loss.smallest(state, scale) < max(NEAR, slack):
                    return replace(outcome, advice=f"{_words(float(t))} {outcome.advice}".strip())
    except NonholoError:  # a state where the slopes have no value tells nothing
        return outcome
    return outcome


def _words(time: float) -> str:
    return (
        f"At t = {time:.10g} the constraints lose their rank (the slope of one vanishes or depends on the others), so the "
        "continuation from there is not unique: this motion is one of several. Say which is meant by a constraint that keeps "
        "its rank."
    )
