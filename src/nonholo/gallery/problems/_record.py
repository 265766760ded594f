"""What a problem is: a system with numbers and a start, a step to compare methods with, and what is known of its motion."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.model.system import System


@dataclass(frozen=True)
class Problem:
    """A system with values and start of its own, the step at which methods are compared, and where the problem is from.

    ``turns_back`` says that reversing all velocities gives a motion of the same family (the same torus, where there are
    tori): then a
    symmetric method has little choice but to keep the energy nearly. It is our judgement of the problem, not a measurement.
    """

    name: str
    title: str
    system: System
    step: float
    turns_back: bool
    source: str


def from_gallery(name: str, title: str, step: float, turns_back: bool, source: str, **start: float) -> Problem:
    """A problem on an exhibit of the gallery, at its own start or another."""
    from nonholo import gallery

    exhibit = gallery.get(name)
    begin = FrozenMap({**dict(exhibit.start), **start})
    system = replace(exhibit.system, values=FrozenMap(dict(exhibit.parameters)), start=begin)
    return Problem(name, title, system, step, turns_back, source)
