"""The page of a machine where its author says nothing: how far sliders reach, and presets at rest and at twice the speed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import pi

from nonholo.geometry.frames.frame import rate
from nonholo.machines.dynamics.assembly import Assembly
from nonholo.machines.record_tables import Record
from nonholo.model.files.page_options import Page
from nonholo.model.start_guess import Guess
from nonholo.model.system import System

Range = tuple[float, float]
LEAN: Range = (-1.2, 1.2)
"""A thin disk that lies flat has no contact point."""
TURN: Range = (-pi, pi)
SHARES = {"friction": (0.0, 1.5), "restitution": (0.0, 1.0), "slope": (-0.6, 0.6)}
"""Of parameters that stand alone in a table, by its key."""


def default_page(parts: Assembly, system: System, start: Mapping[str, float]) -> Page:
    """What the author says, with defaults where nothing is said."""
    said = system.page or Page()
    known = {*system.coordinates, *system.velocities, *system.parameters}
    ranges = {n: e for n, e in (*_angles(parts), *_shares(parts), *_speeds(system, start)) if n in known}
    return replace(said, ranges={**ranges, **said.ranges}, presets=said.presets or _presets(system, start))


def _angles(parts: Assembly) -> Iterator[tuple[str, Range]]:
    """Headings and joints all round, leaning and steering not."""
    for one in parts.placed.values():
        free = len(one.motion.lengths) >= 2
        yield from ((angle, LEAN if free and k > 0 else TURN) for k, angle in enumerate(one.motion.angles))
    yield from ((w.steer, TURN if w.caster else LEAN) for w in parts.wheels if w.steer is not None)


def _shares(parts: Assembly) -> Iterator[tuple[str, Range]]:
    machine = parts.machine
    records: list[Record] = [*machine.contacts, *machine.wheels, *machine.casters]
    records += [machine.ground] if machine.ground is not None else []
    for record in records:
        for key, reach in SHARES.items():
            value = getattr(record, key, None)
            if isinstance(value, str) and value in parts.parameters:
                yield value, reach


def _speeds(system: System, start: Mapping[str, float]) -> Iterator[tuple[str, Range]]:
    """Velocities that the start gives, to three times their size both ways."""
    moving = {*system.velocities, *map(rate, system.coordinates), *system.quasivelocities}
    for name, value in start.items():
        if name in moving and not isinstance(value, Guess) and value:
            yield name, (-3 * abs(value), 3 * abs(value))


def _presets(system: System, start: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """From the place where the machine starts: at rest, and twice as fast."""
    told = {n: float(e) for n, e in start.items() if not isinstance(e, Guess) and n not in (*system.inputs, "t")}
    place = {n: e for n, e in told.items() if n in system.coordinates}
    speeds = {n: 2 * e for n, e in told.items() if n not in place}
    if not speeds:
        return {}
    return {"at rest": place or {system.coordinates[0]: 0.0}, "twice as fast": {**place, **speeds}}
