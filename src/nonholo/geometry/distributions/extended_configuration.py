"""Configuration space with time added, where affine and time-dependent constraints become a distribution."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from nonholo.algebra.calculus import ONE, ZERO, symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.geometry.frames.brackets import structure_functions
from nonholo.geometry.frames.frame_record import Frame

JETS = 8
"""Number of distinguished derivatives of an input; brackets of that order are never reached."""


def with_time(frame: Frame, inputs: Sequence[str] = (), taken: Collection[str] = ()) -> Frame:
    """The frame on configurations and time, with one velocity more, ``ṫ``, last.

    An affine constraint ``A v + a = 0`` is the row ``(A, a)`` there. Inputs are unknown functions of time:
    ``ṫ`` moves each to its derivative, and that to the next one.

    >>> from nonholo.geometry.frames.frame import Euclidean
    >>> with_time(Euclidean("x y")).velocities
    ('xdot', 'ydot', 'tdot')
    """
    jets = [tuple(f"{u}_{k}" if k else u for k in range(JETS + 1)) for u in inputs]
    names = ("t", *(name for jet in jets for name in jet))
    busy = {*frame.velocities, *frame.parameters, *frame.coordinates, *taken}
    clock = "tdot"
    while clock in busy:
        clock += "_"
    below = (ZERO,) * frame.size
    rows = [*((*row, ZERO) for row in frame.anchor), (*below, ONE)]
    for jet in jets:
        rows += [*((*below, symbol(after)) for after in jet[1:]), (*below, ZERO)]
    return Frame(
        coordinates=(*frame.coordinates, *names),
        velocities=(*frame.velocities, clock),
        anchor=tuple(rows),
        brackets=FrozenMap(dict(structure_functions(frame))),
        parameters=frame.parameters,
        relations=frame.relations,
        home=(*frame.home, *(0.5 for _ in names)),
        checked=True,
    )
