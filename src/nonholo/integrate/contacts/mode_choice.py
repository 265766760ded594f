"""Choose how contacts go on at a state: every combination is tried, those that contradict themselves are left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, product
from typing import Any

import numpy as np

from nonholo.derive.contacts.contact_equations import AGAINST, ALONG, FIXED, FREE, OPEN, STICK, Acting, Mode
from nonholo.integrate.contacts.contact_state import ContactState

Array = np.ndarray[Any, np.dtype[np.float64]]
SLACK = 1e-9
"""Forces and accelerations below this part of those that act count as zero in a decision."""
MOST = 4096
"""So many combinations are tried."""
ANGLES = 72
CONTRADICTIONS = {
    "closing": "the gap of {} closes",
    "pulling": "{} pulls",
    "cone": "{} needs more friction than it has",
    "against": "{} is slowed in the direction in which it should begin to slide",
}
"""What can contradict a combination, in words with the contact's name."""


@dataclass(frozen=True)
class Situation:
    """What is known where a decision is made: who touches, whose slip is zero, and what is excluded."""

    touching: tuple[bool, ...]
    lifts: tuple[bool, ...]
    still: frozenset[tuple[int, int]]
    """Frictions (contact, number) whose velocity is zero."""
    no_stick: frozenset[tuple[int, int]] = frozenset()
    no_closed: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class Answer:
    """One combination with its forces and accelerations."""

    mode: Mode
    directions: Mapping[tuple[int, int], Array]
    rates: Array
    normal: tuple[float, ...]
    forces: Mapping[tuple[int, int], Array]
    slips: Mapping[tuple[int, int], Array]
    """Rates of the velocities that frictions act against."""
    opening: tuple[float, ...]
    """Accelerations of the gaps."""
    broken: tuple[tuple[str, int], ...] = field(default=())
    """What contradicts it (a word of `CONTRADICTIONS`), and at which contact."""


def directions_of(state: ContactState, situation: Situation) -> dict[tuple[int, int], Array]:
    """The directions of all slips that are not zero."""
    found = {}
    for k, contact in enumerate(state.contacts):
        for f, friction in enumerate(contact.frictions):
            if (k, f) not in situation.still:
                found[k, f] = friction.rows.values / np.linalg.norm(friction.rows.values)
    return found


def combinations(state: ContactState, situation: Situation) -> Iterator[Mode]:
    """Every mode that the situation allows."""
    choices: list[list[Acting]] = []
    for k, contact in enumerate(state.contacts):
        if not situation.touching[k]:
            choices.append([(OPEN,)])
            continue
        parts: list[list[str]] = []
        for f, friction in enumerate(contact.frictions):
            plane = len(friction.rows.values) == 2
            if (k, f) in situation.still:
                held = [] if (k, f) in situation.no_stick else [STICK]
                parts.append(held if np.isinf(friction.static) else [*held, *([FIXED] if plane else [ALONG, AGAINST])])
            else:
                parts.append([FREE] if plane else [ALONG if friction.rows.values[0] > 0 else AGAINST])
        closed = [] if k in situation.no_closed else [tuple(part) for part in product(*parts)]
        choices.append([*closed, *([(OPEN,)] if situation.lifts[k] else [])])
    yield from islice(product(*choices), MOST)


def solved(state: ContactState, mode: Mode, directions: Mapping[tuple[int, int], Array]) -> Answer:
    """Forces and accelerations of a mode with given directions of slip."""
    size = len(state.force)
    force, columns, rows, sides, names = state.force.copy(), [], [], [], []
    for k, (contact, acting) in enumerate(zip(state.contacts, mode)):
        if acting == (OPEN,):
            continue
        column = contact.row.slopes[0].copy() if contact.row is not None else np.zeros(size)
        for f, (friction, how) in enumerate(zip(contact.frictions, acting)):
            if how != STICK:
                column = column - friction.kinetic * (directions[k, f] @ friction.rows.slopes)
        if contact.row is not None:
            columns.append(column)
            rows.append(contact.row.slopes[0])
            sides.append(-contact.row.carry[0])
            names.append((k, -1, 0))
        else:
            force = force + contact.load * column
        for f, (friction, how) in enumerate(zip(contact.frictions, acting)):
            if how == STICK:
                for i in range(len(friction.rows.values)):
                    columns.append(friction.rows.slopes[i])
                    rows.append(friction.rows.slopes[i])
                    sides.append(-friction.rows.carry[i])
                    names.append((k, f, i))
    free = state.solve(force)
    if columns:
        answers = state.solve(np.array(columns).T)
        table = np.array(rows)
        unknowns = _least(table @ answers, np.array(sides) - table @ free)
        rates = free + answers @ unknowns
    else:
        unknowns, rates = np.zeros(0), free
    found = dict(zip(names, unknowns.tolist()))
    normal = tuple(
        0.0 if mode[k] == (OPEN,) else found.get((k, -1, 0), one.load) for k, one in enumerate(state.contacts)
    )
    forces, slips = {}, {}
    for k, (contact, acting) in enumerate(zip(state.contacts, mode)):
        for f, friction in enumerate(contact.frictions):
            slips[k, f] = friction.rows.slopes @ rates + friction.rows.carry
            if acting != (OPEN,):
                stuck = acting[f] == STICK
                forces[k, f] = (
                    np.array([found[k, f, i] for i in range(len(friction.rows.values))])
                    if stuck
                    else -friction.kinetic * normal[k] * directions[k, f]
                )
    opening = tuple(
        0.0 if c.row is None else float(c.row.slopes[0] @ rates + c.row.carry[0]) for c in state.contacts
    )
    return Answer(mode, dict(directions), rates, normal, forces, slips, opening)


def _least(matrix: Array, side: Array) -> Array:
    """The solution of a linear system, the least one where it is singular."""
    scale = np.sqrt(np.abs(np.diag(matrix)))
    scale = np.where(scale > 0, scale, 1.0)
    if np.linalg.cond(matrix / np.outer(scale, scale)) < 1e11:
        return np.asarray(np.linalg.solve(matrix, side), dtype=float)
    return np.asarray(np.linalg.lstsq(matrix, side, rcond=1e-11)[0], dtype=float)


@dataclass(frozen=True)
class Scales:
    """Sizes of forces and accelerations, below parts of which something counts as zero."""

    normal: tuple[float, ...]
    opening: tuple[float, ...]
    slips: Mapping[tuple[int, int], float]


def scales_of(state: ContactState) -> Scales:
    """What forces and accelerations of each contact are measured by: those without contacts, term by term."""
    free = np.abs(state.solve(state.force))
    inverse = state.solve(np.eye(len(state.force)))
    normal, opening, slips = [], [], {}
    for k, contact in enumerate(state.contacts):
        if contact.row is None:
            normal.append(abs(contact.load))
            opening.append(1.0)
        else:
            g = contact.row.slopes[0]
            size = float(np.abs(g) @ free) + abs(float(contact.row.carry[0]))
            opening.append(size)
            normal.append(size / float(g @ inverse @ g))
        for f, friction in enumerate(contact.frictions):
            rows = friction.rows
            slips[k, f] = max(float(np.abs(s) @ free) + abs(float(c)) for s, c in zip(rows.slopes, rows.carry))
            slips[k, f] += friction.kinetic * normal[k] * float(np.max(np.abs(rows.slopes @ inverse @ rows.slopes.T)))
    return Scales(tuple(normal), tuple(opening), slips)


def judged(state: ContactState, answer: Answer, situation: Situation, scales: Scales) -> Answer:
    """The answer with what contradicts it: pulling, too much friction, a slip against its friction, penetration."""
    broken: list[tuple[str, int]] = []
    for k, (contact, acting) in enumerate(zip(state.contacts, answer.mode)):
        if not situation.touching[k]:
            continue
        if acting == (OPEN,):
            if answer.opening[k] < -SLACK * scales.opening[k]:
                broken.append(("closing", k))
            continue
        normal = answer.normal[k]
        if situation.lifts[k] and normal < -SLACK * scales.normal[k]:
            broken.append(("pulling", k))
        for f, (friction, how) in enumerate(zip(contact.frictions, acting)):
            if how == STICK:
                most = friction.static * max(normal, 0.0) if np.isfinite(friction.static) else np.inf
                if float(np.linalg.norm(answer.forces[k, f])) > most * (1 + SLACK) + SLACK * scales.normal[k]:
                    broken.append(("cone", k))
            elif (k, f) in situation.still:
                way = answer.directions[k, f]
                if float(answer.slips[k, f] @ way) < -SLACK * scales.slips[k, f]:
                    broken.append(("against", k))
    return Answer(**{**vars(answer), "broken": tuple(broken)})


def answers(state: ContactState, situation: Situation) -> list[Answer]:
    """Every combination with its forces; those without contradictions have nothing ``broken``."""
    scales = scales_of(state)
    known = directions_of(state, situation)
    found = []
    for mode in combinations(state, situation):
        for directions in _beginning(state, mode, known, situation, scales):
            try:
                found.append(judged(state, solved(state, mode, directions), situation, scales))
            except np.linalg.LinAlgError:
                continue
    return found


def _beginning(
    state: ContactState, mode: Mode, known: Mapping[tuple[int, int], Array], situation: Situation, scales: Scales
) -> list[dict[tuple[int, int], Array]]:
    """The directions in which slips can begin, together with those that are known.

    A single slip begins along its sign. In the plane the direction ``e`` is one in which the dynamics of sliding along ``e``
    accelerates the slip along ``e`` [Antali and Stépán, Nonlinear Dyn. 95 (2019)]; where the force that holds is exactly at its
    limit, the slip begins against it.
    """
    ways = dict(known)
    planes: list[tuple[int, int]] = []
    for k, acting in enumerate(mode):
        for f, how in enumerate(acting if acting != (OPEN,) else ()):
            if (k, f) not in situation.still:
                continue
            if how in (ALONG, AGAINST):
                ways[k, f] = np.array([1.0 if how == ALONG else -1.0])
            elif how == FIXED:
                planes.append((k, f))
    if not planes:
        return [ways]
    held = tuple(
        acting if acting == (OPEN,) else tuple(STICK if (k, f) in planes else how for f, how in enumerate(acting))
        for k, acting in enumerate(mode)
    )
    sticking = solved(state, held, ways)
    start = {}
    for place in planes:
        force = sticking.forces[place]
        length = float(np.linalg.norm(force))
        start[place] = -force / length if length > 0 else np.array([1.0, 0.0])
    limit = solved(state, mode, {**ways, **start})
    if all(float(np.linalg.norm(limit.slips[p])) <= SLACK * scales.slips[p] for p in planes):
        return [{**ways, **start}]
    if len(planes) == 1:
        return [{**ways, planes[0]: way} for way in _radial(state, mode, ways, planes[0])]
    for _ in range(60):  # each in turn, the others held
        before = np.concatenate([start[p] for p in planes])
        for place in planes:
            choices = _radial(state, mode, {**ways, **start}, place)
            if choices:
                start[place] = max(choices, key=lambda way, place=place: float(way @ start[place]))  # type: ignore[misc]
        if np.max(np.abs(np.concatenate([start[p] for p in planes]) - before)) < 1e-13:
            break
    return [{**ways, **start}]


def _radial(
    state: ContactState, mode: Mode, ways: Mapping[tuple[int, int], Array], place: tuple[int, int]
) -> list[Array]:
    """The directions along which a slip in the plane, sliding along them, is accelerated outwards."""

    def slip(angle: float) -> tuple[float, float, Array]:
        way = np.array([np.cos(angle), np.sin(angle)])
        rate = solved(state, mode, {**ways, place: way}).slips[place]
        return float(way[0] * rate[1] - way[1] * rate[0]), float(way @ rate), way

    angles = np.linspace(-np.pi, np.pi, ANGLES + 1)
    values = [slip(a) for a in angles]
    found = []
    for (low, high), (first, second) in zip(pairwise(angles), pairwise(values)):
        if first[0] == 0 or first[0] * second[0] < 0:
            a, b, fa = float(low), float(high), first[0]
            for _ in range(80):
                middle = (a + b) / 2
                value = slip(middle)[0]
                a, b, fa = (middle, b, value) if value * fa > 0 else (a, middle, fa)
            _, outward, way = slip((a + b) / 2)
            if outward > 0:
                found.append(way)
    return found


def admissible(found: Sequence[Answer], before: Mode) -> list[Answer]:
    """The answers without contradictions; of those with equal accelerations the one that changes least."""
    kept: list[Answer] = []
    size = max((float(np.max(np.abs(a.rates), initial=0.0)) for a in found), default=0.0)

    def changes(answer: Answer) -> tuple[int, int]:
        """Contacts that touch share their forces: of equal motions the one with fewest open is meant."""
        return sum(new == (OPEN,) for new in answer.mode), sum(old != new for old, new in zip(before, answer.mode))

    for answer in sorted(found, key=changes):
        if answer.broken:
            continue
        if all(float(np.max(np.abs(answer.rates - other.rates), initial=0.0)) > 1e-7 * size for other in kept):
            kept.append(answer)
    return kept
