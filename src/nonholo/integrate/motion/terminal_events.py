"""Ends of motions that nobody asked for: states where the constraints lose rank, and edges of bodies that strike the ground.

Where the constraints lose rank the continuation is not unique. Where another edge of a body comes to the ground the contact point
jumps, and no law of impact is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import nodes
from nonholo.algebra.expression_types import Expr
from nonholo.errors import NonholoError, Remedy
from nonholo.integrate.inputs import rows_with_inputs
from nonholo.integrate.loops.arguments.workspace import Occurrences
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.integration import Path
from nonholo.integrate.motion.motion_pieces import Problem, WantedEvent, named_state
from nonholo.integrate.outcome import Outcome, not_unique
from nonholo.model.system import System
from nonholo.model.velocities.constraint_rank import Loss, rank_loss

Place = Mapping[str, float]
EDGE_TOUCHES = "another edge touches"
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



def edge_events(said: System | None) -> list[WantedEvent]:
    """Terminal events, named by their contacts, where the nearest point of a shape with edges changes."""
    if said is None or said.machine is None or not said.contacts:
        return []
    from nonholo.machines.contact_geometry import support_functions  # noqa: F401, registers the kinds of shapes
    from nonholo.machines.contact_geometry.shape_record import known_kind
    from nonholo.machines.machine_data import MachineData
    from nonholo.machines.machine_records import Shape

    if not isinstance(said.machine, MachineData):
        return []
    bodies = said.machine.bodies
    sharp = {b.name for b in bodies if isinstance(b.shape, Shape) and not known_kind(b.shape.kind, b.name).smooth}
    touching = [law for law in said.contacts if law.gap is not None and law.body in sharp]
    return [WantedEvent(law.name, e, 0, 1) for law in touching for e in dict.fromkeys(_borders(law.gap))]


def _borders(gap: Expr | None) -> Iterator[Expr]:
    """Expressions that vanish where the pieces of a gap meet."""
    for node in nodes([gap]) if gap is not None else ():
        if isinstance(node, se.Piecewise):  # values and conditions in turn
            yield from (one.args[0] - one.args[1] for one in node.args[1::2] if len(one.args) == 2)


def at_an_edge(
    outcome: Outcome, pieces: Sequence[tuple[InitialValue, Path]], edges: Sequence[WantedEvent], first: int
) -> Outcome:
    """The outcome of a motion that one of these events ended; ``first`` is the place of the first among all events."""
    index = pieces[-1][1].occurrences.index
    if outcome.kind != "event" or not len(index) or not first <= int(index[-1]) < first + len(edges):
        return outcome
    return edge_outcome(outcome, edges[int(index[-1]) - first].name)


def edge_outcome(outcome: Outcome, name: str) -> Outcome:
    """The outcome of a motion that ends where the contact of this name comes to another edge."""
    words = (
        f"The contact {name} comes from one edge or corner to another, which strikes: its point jumps there, and rigid bodies "
        "need a law of impact. Give the corners as contacts of their own (at = […]) with lifts = true and restitution, round the "
        "shape off (wheel with a tube, ellipsoid), or go on from the final state with velocities after the impact."
    )
    return replace(outcome, kind=EDGE_TOUCHES, remedy=Remedy(words))
