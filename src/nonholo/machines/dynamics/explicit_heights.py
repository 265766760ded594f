"""Coordinates that a machine's contacts give in closed form, put into its Lagrangian: the height of a coin by its tilt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, nodes, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import Formulas
from nonholo.geometry.frames.frame import Euclidean, Frame, rate
from nonholo.machines.starts.body_starts import parts_of
from nonholo.model.system import GRAVITY, TIME, System, known_parameters, varied


def with_explicit_heights(system: System) -> System:
    """The system of a machine without the coordinates that a holonomic constraint ``z − h(x) = 0`` gives.

    A system in formulas, one with forces, or one whose constraints are of another form stays as it is. Roots ``√(u²)`` become
    u or −u, whichever is positive at the start: the system is meant as far as u does not vanish.

    >>> from nonholo.machines.machine_files import loads
    >>> disk = '{kind = "disk", radius = 2}'
    >>> coin = loads(f'bodies = [{{name = "c", mass = 1, free = "x y z yaw roll pitch", shape = {disk}, contact = {{}}}}]')
    >>> with_explicit_heights(coin).coordinates
    ('x', 'y', 'yaw', 'roll', 'pitch')
    """
    parts = parts_of(system)
    if parts is None or system.forces or system.magnetic:
        return system
    given: dict[str, Expr] = {}
    left: list[Expr] = []
    for row in system.holonomic:
        row = substitute([row], {symbol(n): e for n, e in given.items()})[0]
        name = next((n for n in _plain(parts.frames) if n not in given and row.diff(symbol(n)) in (ONE, -ONE)), None)
        if name is None:
            left.append(row)
        else:
            height = -row.diff(symbol(name)) * substitute([row], {symbol(name): ZERO})[0]
            given = {n: substitute([e], {symbol(name): height})[0] for n, e in given.items()} | {name: height}
    if not given:
        return system
    moving = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    known = {symbol(n): e for n, e in given.items()}
    known |= {symbol(rate(n)): e for n, e in zip(given, along(list(given.values()), moving))}
    lagrangian, *rows = _rooted(system, substitute([system.lagrangian, *system.constraints], known))
    frames = [_without(frame, given) for frame in parts.frames]
    frame = reduce(lambda one, other: one * other, [frame for frame in frames if frame is not None])
    return varied(
        system,
        frame=frame,
        coordinates=frame.coordinates,
        lagrangian=lagrangian,
        constraints=tuple(rows),
        holonomic=tuple(left),
        start={n: e for n, e in system.start.items() if n not in given and n not in map(rate, given)},
        units={n: e for n, e in system.units.items() if n not in given and n not in map(rate, given)},
        contacts=(),
        page=None,
    )


def _rooted(system: System, exprs: Sequence[Expr]) -> list[Expr]:
    """Expressions with ``√(u²)`` as ``±u``, by the sign at the start."""
    roots = [e for e in nodes(exprs) if isinstance(e, se.Pow) and isinstance(e.args[0], se.Pow) and e.args[0].args[1] == 2]
    if not roots:
        return list(exprs)
    values = {"g": GRAVITY, **dict.fromkeys(system.parameters, 1.0), **known_parameters(system), "t": 0.0}
    place = {**values, **dict(zip(system.coordinates, system.frame.home)), **system.start}
    signs = np.sign(Formulas(tuple(place), [e.args[0].args[0] for e in roots]).at(place))
    table = {e: (s * e.args[0].args[0]) ** (2 * e.args[1]) for e, s in zip(roots, signs.astype(int).tolist()) if s}
    return [e.xreplace(table) for e in exprs]


def _plain(frames: tuple[Frame, ...]) -> list[str]:
    return [n for frame in frames if frame.plain for n in frame.coordinates]


def _without(frame: Frame, names: dict[str, Expr]) -> Frame | None:
    if not frame.plain:
        return frame
    rest = [n for n in frame.coordinates if n not in names]
    return Euclidean(rest) if rest else None
