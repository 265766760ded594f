"""Starts in words for bodies: tilt, heading, speed, rolling at 4 m/s; and a configuration that closes every contact.

``{"tilt": 0.4, "speed": 3}`` is about the first free body, ``{"ball": {"speed": 3}}`` of the body of that name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.numeric_functions import Formulas
from nonholo.errors import StateError, meant
from nonholo.geometry.frames.frame import rate
from nonholo.machines.dynamics.assembly import Assembly, assembly_of
from nonholo.machines.dynamics.missing_inertia import check_masses
from nonholo.machines.dynamics.space_contacts import contact_names
from nonholo.machines.kinematics.kinematic_tree import Placed
from nonholo.machines.machine_data import MachineData
from nonholo.machines.machine_records import GROUND
from nonholo.machines.starts.closed_configuration import Settled, known_values, plain_number, settled
from nonholo.model.scalars import finite
from nonholo.model.system import System, covector
from nonholo.model.velocities.admissible import Rows, constraint_rows
from nonholo.program.array_types import Array

WORDS = ("heading", "tilt", "pitch", "position", "speed", "rolling", "turning")
"""Start values of a free body."""
_PARTS: WeakCache[Assembly] = WeakCache(64)


@dataclass(frozen=True)
class Forward:
    """A speed of a body along its heading: the size, and the direction by rates."""

    size: float
    direction: dict[str, float]


def parts_of(system: System) -> Assembly | None:
    """The machine of a system taken apart; None for a system in formulas."""
    machine = system.machine
    return _PARTS.get(machine, lambda: assembly_of(machine)) if isinstance(machine, MachineData) else None


def body_words(system: System) -> tuple[str, ...]:
    """Words and names of bodies that a start of this system may use beside its own names."""
    machine = system.machine
    if not isinstance(machine, MachineData):
        return ()
    return tuple(n for n in (*WORDS, *(body.name for body in machine.bodies)) if n not in system.coordinates)


def named_start(
    system: System, given: Mapping[str, Any], parameters: Mapping[str, float] | None = None
) -> dict[str, Any]:
    """A start in the system's own names, with every given coordinate unchanged."""
    return closed_start(system, given, parameters).start


def closed_start(
    system: System, given: Mapping[str, Any], parameters: Mapping[str, float] | None = None, movable: bool = False
) -> Settled:
    """A start in the system's own names: words for bodies become coordinates and velocities, contacts and loops are closed.

    Given coordinates that leave a contact or loop open are changed to the nearest configuration that closes it if ``movable``,
    else refused.
    """
    words = body_words(system)
    parts = parts_of(system)
    if parts is not None and parameters is not None and any(e < 0 for e in parameters.values()):
        check_masses(parts, parameters)
    if parts is None or all(name in given for name in system.coordinates):
        return Settled(dict(given))
    start = {name: value for name, value in given.items() if name not in words}
    said = {name: value for name, value in given.items() if name in words}
    speeds: list[Forward] = []
    if said:
        places, speeds = spoken(parts, said, given)
        start = {**places, **start}
    values = known_values(system, parameters)
    found = settled(parts, system, start, values, movable)
    if not speeds:
        return found
    return Settled(found.start | rolling_velocities(parts, system, found.start, values, speeds), found.moved)


def spoken(parts: Assembly, said: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[dict[str, Any], list[Forward]]:
    """Start values of bodies: coordinates and rates, and speeds ahead."""
    free = {name: one for name, one in parts.placed.items() if one.parent == GROUND and len(one.motion.lengths) >= 2}
    tables: dict[str, dict[str, Any]] = {}
    for name, value in said.items():
        if name in parts.placed:
            if not isinstance(value, Mapping):
                raise StateError(
                    f"{parts.machine.name}: start {name} = {value!r}; give a table: {{tilt = 0.1, speed = 2}}."
                )
            tables.setdefault(name, {}).update(value)
        elif not free:
            raise StateError(f"{parts.machine.name}: start {name}: no body is free; give the joints' coordinates.")
        else:
            tables.setdefault(next(iter(free)), {})[name] = value
    found: dict[str, Any] = {}
    speeds: list[Forward] = []
    for name, table in tables.items():
        if name not in free:
            raise StateError(
                f"{parts.machine.name}: start of {name!r}, which hangs on a joint; say it of {' or '.join(free) or 'none'} "
                f"or give {', '.join(parts.placed[name].motion.coordinates) or 'other coordinates'}."
            )
        found |= _of_body(parts, free[name], table, given, speeds)
    return found, speeds


def _of_body(
    parts: Assembly, body: Placed, table: Mapping[str, Any], given: Mapping[str, Any], speeds: list[Forward]
) -> dict[str, Any]:
    """Coordinates and rates of one free body; its speed ahead is added to ``speeds``."""
    where = f"{parts.machine.name}: start of {body.body.name!r}"
    for word in table:
        if word not in WORDS:
            raise StateError(f"{where}: unknown word {word!r}; {meant(word, WORDS, f'say {chr(44).join(WORDS)}.')}")
    motion = body.motion
    number = {w: finite(e, f"{where}: {w}") for w, e in table.items() if w not in ("position", "speed", "rolling")}
    found: dict[str, Any] = {}
    if "position" in table:
        place = table["position"]
        if isinstance(place, str) or len(place) > len(motion.lengths):
            raise StateError(f"{where}: position = {place!r}; give {len(motion.lengths)} numbers.")
        found |= dict(zip(motion.lengths, (finite(e, f"{where}: position") for e in place)))
    if parts.machine.plane:
        if "tilt" in table or "pitch" in table:
            raise StateError(f"{where}: the plane is seen from above; it has a heading, no tilt.")
        found |= {motion.angles[0]: number["heading"]} if "heading" in number else {}
        heading = found.get(motion.angles[0], given.get(motion.angles[0], 0.0))
    elif motion.angles:
        names = dict(zip(("heading", "tilt", "pitch"), motion.angles))
        found |= {names[w]: number[w] for w in names if w in number}
        heading = found.get(names["heading"], given.get(names["heading"], 0.0))
    else:
        if {"heading", "tilt", "pitch"} & number.keys():
            found |= _attitude(body, *(number.get(w, 0.0) for w in ("heading", "tilt", "pitch")))
        heading = number.get("heading", 0.0)
    heading = float(heading)
    if "turning" in table:
        if not motion.angles:
            raise StateError(
                f"{where}: give the body rates {', '.join(motion.frames[-1].velocities)} in the place of turning."
            )
        found[rate(motion.angles[0])] = number["turning"]
    for word in ("speed", "rolling"):
        if word in table:
            ahead = (float(np.cos(heading)), float(np.sin(heading)))
            speeds.append(Forward(_speed(table[word], f"{where}: {word}"), dict(zip(map(rate, motion.lengths), ahead))))
    return found


def _speed(value: Any, where: str) -> float:
    """A speed in m/s: a number, or ``"4 m/s"``, ``"at 4 m/s"``, ``"14.4 km/h"``."""
    if isinstance(value, str):
        match = re.fullmatch(r"\s*(?:at\s+)?([-+\d.eE]+)\s*(m/s|km/h)?\s*", value)
        if match is not None:
            return finite(match[1], where) / (3.6 if match[2] == "km/h" else 1.0)
    return finite(value, where)


def _attitude(body: Placed, heading: float, tilt: float, pitch: float) -> dict[str, float]:
    """``R = Rz(heading) Rx(tilt) Ry(pitch)`` as matrix or quaternion."""
    halves = np.array([heading, tilt, pitch]) / 2
    (c, a, p), (s, b, q) = np.cos(halves), np.sin(halves)
    turn, lean, nod = (c, 0.0, 0.0, s), (a, b, 0.0, 0.0), (p, 0.0, q, 0.0)
    w, x, y, z = _times(_times(turn, lean), nod)
    names = body.motion.frames[-1].coordinates
    if len(names) == 4:
        return dict(zip(names, (w, x, y, z)))
    matrix = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return dict(zip(names, (float(e) for row in matrix for e in row)))


def _times(p: tuple[float, ...], q: tuple[float, ...]) -> tuple[float, ...]:
    a, b, c, d = p
    w, x, y, z = q
    return (
        float(a * w - b * x - c * y - d * z), float(a * x + b * w + c * z - d * y),
        float(a * y - b * z + c * w + d * x), float(a * z + b * y - c * x + d * w),
    )  # fmt: skip


def resting_velocities(system: System) -> tuple[str, ...]:
    """Velocities of a machine that are zero by default, in order of priority; a wheel's spin is not among them."""
    parts = parts_of(system)
    return () if parts is None else tuple(n for n in _still(parts) if n in system.velocities)


def rolling_velocities(
    parts: Assembly, system: System, start: Mapping[str, Any], values: Mapping[str, float] | None, speeds: list[Forward]
) -> dict[str, float]:
    """All velocities for a speed ahead: given ones first, then joints other than wheels are at rest as far as possible.

    Conditions are taken one after the other, each where it is independent of the constraints and of those before it.
    """
    if values is None:
        raise StateError(
            f"{system.name}: start: a speed needs the values of all parameters; give them in [parameters]."
        )
    rows, owners = _without_sliding(parts, system)
    names = system.velocities
    home = dict(zip(system.coordinates, system.frame.home))
    place = {
        **values,
        **home,
        **{n: float(plain_number(start[n])) for n in home if n in start},
        **dict.fromkeys(names, 0.0),
    }
    said = {n: float(plain_number(start[n])) for n in start if n not in home and n not in (*system.inputs, "t")}
    zeros = [n for n in _resting(parts, system) if n not in said]
    forms = [covector(system, n) for n in (*said, *zeros)]
    rates = {n: covector(system, n) for one in speeds for n in one.direction}
    size, height = len(names), len(rows.slopes)
    table = [e for row in (*rows.slopes, *forms, *rates.values()) for e in row]
    numbers = Formulas(tuple(place), [*table, *rows.sides]).at(place)
    matrix = numbers[: len(table)].reshape(-1, size)
    sides = [*numbers[len(table) :], *said.values()]
    kept = [*matrix[: height + len(said)]]
    ahead = dict(zip(rates, matrix[height + len(forms) :]))
    for one in speeds:
        kept.append(np.sum([part * ahead[n] for n, part in one.direction.items()], axis=0))
        sides.append(one.size)
    for row in matrix[height + len(said) : height + len(forms)]:
        if np.linalg.matrix_rank(np.array([*kept, row]), tol=1e-9) > np.linalg.matrix_rank(np.array(kept), tol=1e-9):
            kept.append(row)
            sides.append(0.0)
    found = np.linalg.lstsq(np.array(kept), np.array(sides), rcond=None)[0]
    left = float(np.max(np.abs(np.array(kept) @ found - np.array(sides))))
    if not left < 1e-8 * (1 + float(np.max(np.abs(found)))):
        ahead_rows = np.array(kept[height + len(said) : height + len(said) + len(speeds)])
        held = _holding(owners, np.array(kept[:height]), ahead_rows)
        if held:
            raise StateError(
                f"{system.name}: start: {', '.join(held)} together allow no speed ahead here, since their axles do not meet in "
                "one point; turn them so that they do, leave one out, or let it slip (slips = true)."
            )
        raise StateError(
            f"{system.name}: start: the constraints do not allow this speed (off by {left:.3g} m/s); turn its wheels along its "
            "heading, or say less of its velocities."
        )
    return {n: float(e) if abs(e) > 1e-14 else 0.0 for n, e in zip(names, found)}


def _holding(owners: list[str], held: Array, ahead: Array) -> list[str]:
    """The contacts whose rows together exclude a speed ahead; none where they leave one."""
    if not len(held):
        return []
    shares, *_ = np.linalg.lstsq(held.T, ahead.T, rcond=None)
    excluded = np.max(np.abs(held.T @ shares - ahead.T), axis=0) < 1e-9
    found = [name for name, part in zip(owners, shares[:, excluded]) if name and np.any(np.abs(part) > 1e-9)]
    return list(dict.fromkeys(found)) if len(set(found)) > 2 else []


def _without_sliding(parts: Assembly, system: System) -> tuple[Rows, list[str]]:
    """The constraints without the slips of contacts that slide from the beginning; the contact of each row, or nothing."""
    rows, machine = constraint_rows(system), parts.machine
    sliding = {name for contact, name in zip(machine.contacts, contact_names(machine)) if contact.kind == "sliding"}
    free = {e for law in system.contacts if law.name in sliding for e in law.slip}
    kept = [k for k in range(len(rows.slopes)) if k >= len(system.constraints) or system.constraints[k] not in free]
    sides = tuple(rows.sides[k] for k in kept) if rows.sides else ()
    owner = {e: law.name for law in system.contacts for e in law.slip}
    owners = [owner.get(system.constraints[k], "") if k < len(system.constraints) else "" for k in kept]
    return replace(rows, slopes=tuple(rows.slopes[k] for k in kept), sides=sides), owners


def _resting(parts: Assembly, system: System) -> list[str]:
    """Velocities in the order in which they should be zero: joints that are no wheels, leaning, turning, the rest.

    In the plane turning comes before joints: a trailer follows a car that goes straight on.
    """
    first, spinning = _still(parts), _spinning(parts)
    return [*first, *(v for v in system.velocities if v not in (*first, *spinning)), *spinning]


def _spinning(parts: Assembly) -> list[str]:
    """The rates of joints about whose axes bodies roll, and of those that gears and belts tie to them."""
    touching = {one.law.body for one in parts.contacts}
    found = [
        n
        for name, one in parts.placed.items()
        if name in touching and one.axis is not None and not _free(one)
        for n in one.motion.coordinates
    ]
    gears = [gear.joints for gear in parts.machine.gears]
    for _ in gears:
        found += [n for names in gears if {*names} & {*found} for n in names if n not in found]
    return [rate(n) for n in found]


def _free(one: Placed) -> bool:
    return len(one.motion.lengths) >= 2 and one.parent == GROUND


def _still(parts: Assembly) -> list[str]:
    """Rates of joints, leaning and turning, in the plane of steering, turning and joints."""
    leaning = [w.steer for w in parts.wheels if w.steer is not None and not w.caster]
    joints: list[str] = []
    turning: list[str] = []
    spinning = _spinning(parts)
    for one in parts.placed.values():
        motion = one.motion
        if _free(one):
            leaning += motion.angles[1:2]
            turning += [n for n in motion.angles if n not in leaning]
        else:
            joints += [n for n in (*motion.angles, *motion.lengths) if rate(n) not in spinning]
    return [rate(n) for n in ((*leaning, *turning, *joints) if parts.machine.plane else (*joints, *leaning, *turning))]
