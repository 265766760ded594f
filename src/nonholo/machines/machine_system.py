"""Make a System of a machine: its equations, what was written beside the bodies, its start."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import reduce
from math import isfinite, pi
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ZERO, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import Formulas as FormulaValues
from nonholo.errors import ModelError, about, meant
from nonholo.geometry.frames.frame import Euclidean, Frame, rate
from nonholo.machines.display.machine_drawing import machine_drawing
from nonholo.machines.display.name_meanings import name_words
from nonholo.machines.dynamics.assembly import Assembly, assembly_of, state_names
from nonholo.machines.dynamics.machine_symmetry import machine_symmetry
from nonholo.machines.dynamics.missing_inertia import check_inertia
from nonholo.machines.dynamics.sensor_outputs import dynamic_readings, sensor_outputs, spelled_out, state_outputs
from nonholo.machines.kinematics.formula_reading import Formulas, identifier
from nonholo.machines.machine_data import MachineData
from nonholo.machines.machine_outputs import expand_sensors
from nonholo.machines.machine_records import GROUND
from nonholo.machines.record_tables import Record
from nonholo.machines.starts.body_starts import body_words, closed_start
from nonholo.machines.starts.closed_configuration import plain_number
from nonholo.model.contact_reading import independent_rows
from nonholo.model.files.page_options import Page
from nonholo.model.scalars import Guess, finite, guessed
from nonholo.model.system import GRAVITY, System, numbered, varied
from nonholo.notation.write import to_text

FEW_DIGITS = 1e-6
"""Of lengths and angles in files, such as 1.5707963; loops that depend on each other only to this do."""


def assemble(machine: MachineData) -> System:
    """The system of a machine.

    >>> from nonholo.machines.machine import Machine
    >>> sleigh = assemble(Machine(world="plane", bodies=[{"name": "sleigh", "mass": "m", "inertia": "J", "center": ["a", 0]}],
    ...                           wheels=[{"body": "sleigh"}], parameters="m J a"))
    >>> sleigh.coordinates, len(sleigh.constraints)
    (('x', 'y', 'theta'), 1)
    """
    if not isinstance(machine, MachineData):
        raise ModelError(
            f"found {type(machine).__name__} where a Machine was needed; build one with nh.Machine(bodies=[…])."
        )
    parts = assembly_of(machine)
    system = system_of(parts)
    check_inertia(parts, system)
    sensor_outputs(parts, system)  # a mistake is told now
    with about("start"):
        start = said_start(parts, system)
    made = copy(numbered(system, start=start))
    later = _dynamic_laws(machine, parts)
    if later:
        made = varied(made, inputs={**made.inputs, **{name: expand_sensors(made, law) for name, law in later.items()}})
    object.__setattr__(made, "page", default_page(parts, made, start))  # of the assembler's own names
    return made


def system_of(parts: Assembly) -> System:
    """The System of an assembly with what was written beside the bodies.

    Its start is a first guess, where contact points need one: rows that depend on others are found near it.
    """
    machine = parts.machine
    said = machine.words()
    words: dict[str, Any] = {
        "name": machine.name,
        "parameters": _parameters(parts),
        "inputs": _inputs(machine, parts),
        "machine": machine,
    }
    frames = _merged(parts.frames)
    if not frames:
        raise ModelError(
            f"{machine.name}: nothing moves, every body is welded to the ground; give a joint or leave a body free (of a robot's "
            'file: base="free").'
        )
    if all(frame.plain for frame in frames):
        words["coordinates"] = parts.coordinates
    else:
        words["frame"] = reduce(lambda a, b: a * b, frames)
    words["quasivelocities"] = body_speeds(parts) | dict(machine.quasivelocities)
    words["units"], words["page"] = _told_names(parts, words)
    for key in ("magnetic", "symmetry", "until", "drawing"):
        if key in said:
            words[key] = said[key]
    words["contacts"] = [one.law for one in parts.contacts]
    words["constraints"] = [*parts.constraints, *_listed(machine.constraints)]
    words["holonomic"] = [*_closing(parts, words), *_listed(machine.holonomic)]
    known = (*state_names(parts.frames), *words["quasivelocities"], *parts.parameters, *parts.inputs, "t")
    text = Formulas(machine.name, tuple(dict.fromkeys(known)))
    further = ZERO if machine.lagrangian is None else text.number(machine.lagrangian, "lagrangian")
    words["lagrangian"] = parts.lagrangian + further
    words["forces"] = _forces(parts, machine.forces, text)
    words["start"] = _first_guess(parts, words["parameters"])
    system = System(**words)
    made = copy(system)  # the assembler's own drawing and symmetry need no reading
    if machine.drawing is None:
        object.__setattr__(made, "drawing", machine_drawing(parts))
    if machine.symmetry is None:
        object.__setattr__(made, "symmetry", machine_symmetry(parts, system))
    return made


def _told_names(parts: Assembly, words: Mapping[str, Any]) -> tuple[dict[str, str], Any]:
    """Units and meanings of the machine's names, and the declared page."""
    found = name_words(parts)
    units = {name: unit for name, (_, unit) in found.items()} | dict.fromkeys(words["quasivelocities"], "m/s")
    said = parts.machine.page
    page = dict(said) if isinstance(said, Mapping) else {}
    meanings = {name: f"speed {name}" for name in words["quasivelocities"]}
    meanings |= {name: meaning for name, (meaning, _) in found.items()} | dict(page.get("meanings", {}))
    known = {*state_names(parts.frames), *parts.parameters, *parts.inputs, *words["quasivelocities"]}
    return {**{n: u for n, u in units.items() if n in known}, **parts.machine.units}, {
        **page,
        "meanings": {n: m for n, m in meanings.items() if n in known},
    }


def _first_guess(parts: Assembly, values: Mapping[str, Any]) -> dict[str, float]:
    """Coordinates near the start with contact points near theirs; nothing where no contact point has coordinates."""
    guesses = {n: e for one in parts.contacts for n, e in (one.guess or {}).items()}
    known = {"g": GRAVITY, "t": 0.0} | {n: float(e) for n, e in values.items() if e is not None and not isinstance(e, str)}
    if not guesses or any(n not in known for n in parts.parameters):
        return {}
    home = {n: h for frame in parts.frames for n, h in zip(frame.coordinates, frame.home)}
    home |= {n: plain_number(e) for n, e in parts.machine.start.items() if n in home}
    known = {**known, **dict.fromkeys(parts.inputs, 0.0), **home}
    found = FormulaValues(tuple(known), list(guesses.values())).at(known)
    return {**home, **{n: float(e) for n, e in zip(guesses, found) if n not in parts.machine.start and isfinite(e)}}


def _closing(parts: Assembly, words: Mapping[str, Any]) -> list[Expr]:
    """The rows that close loops and place contact points, without those that depend on others.

    A hinge that closes a planar chain of links in space has five rows, of which two are independent.
    """
    if not parts.machine.loops:
        return list(parts.holonomic)
    near = {n: e for n, e in parts.machine.start.items() if n in parts.coordinates}
    bare = System(**{**words, "lagrangian": 0, "constraints": (), "contacts": (), "start": near})
    kept = independent_rows(bare, parts.holonomic, (), rounding=FEW_DIGITS)
    return [row for row, keep in zip(parts.holonomic, kept) if keep]


def body_speeds(parts: Assembly) -> dict[str, Expr]:
    """The speeds of a free body in the plane along its heading and to its left, where wheels hold it.

    In them the equations do not know the heading, and no choice of speeds fails where it turns.
    """
    if parts.machine.quasivelocities or not parts.wheels:
        return {}
    roots = [one for one in parts.placed.values() if one.parent == GROUND and len(one.motion.lengths) == 2]
    held = {one.law.body for one in parts.contacts}
    found: dict[str, Expr] = {}
    for one in roots:
        tag = "" if len(roots) == 1 else f"_{identifier(one.body.name)}"
        names = (f"forward{tag}", f"sideways{tag}")
        if one.body.name in held and not {*names} & {*parts.formulas.names}:
            u, v = (symbol(rate(n)) for n in one.motion.lengths)
            c, s = se.cos(one.heading), se.sin(one.heading)
            found |= dict(zip(names, (c * u + s * v, c * v - s * u)))
    return found


def _forces(parts: Assembly, said: Mapping[str, Any], text: Formulas) -> dict[str, Expr]:
    """Generalized forces of the machine and of the text, added."""
    own = {rate(c): c for c in parts.coordinates}
    result = {own.get(name, name): size for name, size in parts.forces.items()}
    for name, size in said.items():
        key = own.get(name, name)
        result[key] = result.get(key, ZERO) + text.number(size, f"force on {name}")
    return result


def said_start(parts: Assembly, system: System) -> dict[str, Any]:
    """The declared start in the system's names, and the coordinates that contacts and loops decide."""
    said = parts.machine.start
    moving = (*system.coordinates, *map(rate, system.coordinates), *system.velocities, *system.quasivelocities)
    known = (*dict.fromkeys(moving), *system.inputs, *body_words(system))
    for name in said:
        if name not in (*known, "t"):
            hint = meant(name, known, f"use {', '.join(known)}.")
            raise ModelError(f"{system.name}: start gives {name!r}, which is no state variable; {hint}")
    home = dict(zip(system.coordinates, system.frame.home))
    found = closed_start(system, said, movable=True).start
    kept = {n: e for n, e in found.items() if n in said or (n in home and e != home[n]) or n not in home}
    return {n: guessed(e, _number(system.name, n)) for n, e in kept.items()}


def _number(where: str, name: str) -> Callable[[Any], float]:
    return lambda value: finite(value, f"{where}: start {name}")


def _merged(frames: Sequence[Frame]) -> list[Frame]:
    """Plain coordinates that follow each other as one frame."""
    result: list[Frame] = []
    for frame in frames:
        if result and frame.plain and result[-1].plain:
            result[-1] = Euclidean((*result[-1].coordinates, *frame.coordinates))
        else:
            result.append(frame)
    return result


def _parameters(parts: Assembly) -> dict[str, Any]:
    """The parameters of the assembly with the numbers that the machine gives."""
    given = parts.machine.parameters
    return {n: given.get(n) if isinstance(given, Mapping) else None for n in parts.parameters}


def _inputs(machine: MachineData, parts: Assembly) -> dict[str, Any]:
    """Laws of the inputs; readings of sensors are spelled out in the state, those of accelerations later."""
    laws = {name: _laws(machine).get(name) for name in parts.inputs}
    if not machine.sensors or not any(isinstance(law, str) for law in laws.values()):
        return laws
    laws |= dict.fromkeys(_dynamic_laws(machine, parts))
    meanings = {name: to_text(e) for name, e in state_outputs(parts).items()}
    return {name: spelled_out(law, meanings) if isinstance(law, str) else law for name, law in laws.items()}


def _laws(machine: MachineData) -> Mapping[str, Any]:
    return machine.inputs if isinstance(machine.inputs, Mapping) else {}


def _dynamic_laws(machine: MachineData, parts: Assembly) -> dict[str, str]:
    """Laws of inputs that use readings of accelerations or forces."""
    felt = dict.fromkeys(dynamic_readings(parts), "")
    return {name: law for name, law in _laws(machine).items() if isinstance(law, str) and spelled_out(law, felt) != law}


def _listed(given: object) -> list[Any]:
    return [given] if isinstance(given, str) else list(given)  # type: ignore[call-overload]


Range = tuple[float, float]
LEAN: Range = (-1.2, 1.2)
"""A thin disk that lies flat has no contact point."""
TURN: Range = (-pi, pi)
SHARES = {"friction": (0.0, 1.5), "restitution": (0.0, 1.0), "slope": (-0.6, 0.6)}
"""Ranges of parameters that are single values of a table, by key."""


def default_page(parts: Assembly, system: System, start: Mapping[str, float]) -> Page:
    """The declared page, completed by defaults."""
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
