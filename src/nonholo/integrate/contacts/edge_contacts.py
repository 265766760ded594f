"""Stop motions where another edge of a body comes to the ground: the contact point jumps, and no law of impact is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import symengine as se

from nonholo.algebra.calculus import nodes
from nonholo.algebra.expression_types import Expr
from nonholo.errors import Remedy
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.integration import Path
from nonholo.integrate.motion.motion_pieces import WantedEvent
from nonholo.integrate.outcome import Outcome
from nonholo.model.system import System

KIND = "another edge touches"


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
    return replace(outcome, kind=KIND, remedy=Remedy(words))
