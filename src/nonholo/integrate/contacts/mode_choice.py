"""Choose how contacts go on: every combination is tried, those that contradict themselves are left out.

All numbers are arrays whose first axis counts states, so that many motions decide at once; one motion is many of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import islice, product
from typing import Any

import numpy as np

from nonholo.derive.contacts.contact_equations import AGAINST, ALONG, FIXED, FREE, OPEN, SMOOTH, STICK, Acting, Mode
from nonholo.integrate.contacts.contact_state import ContactState, least_solutions
from nonholo.integrate.contacts.slip_directions import held_within, radial_directions
from nonholo.program.array_types import Array, Mask

Place = tuple[int, int]
"""A friction: the number of its contact, and its own."""
SLACK = 1e-9
"""Forces and accelerations below this part of those that act count as zero in a decision."""
MOST = 4096
"""So many combinations are tried."""
CONTRADICTIONS = {
    "closing": "the gap of {} closes",
    "pulling": "{} pulls",
    "cone": "{} needs more friction than it has",
    "held": "static friction holds {}",
    "against": "{} is slowed in the direction in which it should begin to slide",
}
"""What can contradict a combination, in words with the contact's name."""


@dataclass(frozen=True)
class Situation:
    """What is known where a decision is made: who touches, whose slip is zero, and what is excluded."""

    touching: tuple[bool, ...]
    lifts: tuple[bool, ...]
    still: frozenset[Place]
    """Frictions whose velocity is zero."""
    forwards: frozenset[Place] = frozenset()
    """Frictions against a single velocity that is positive."""
    no_stick: frozenset[Place] = frozenset()
    no_closed: frozenset[int] = frozenset()
    regular: float = 0.0
    """The velocity of a regularised law of friction; zero for Coulomb's."""


@dataclass(frozen=True, eq=False)
class ModeCandidate:
    """One combination with its forces and accelerations at every state."""

    mode: Mode
    directions: Mapping[Place, Array]
    rates: Array
    normal: tuple[Array, ...]
    forces: Mapping[Place, Array]
    slips: Mapping[Place, Array]
    """Rates of the velocities that frictions act against."""
    opening: tuple[Array, ...]
    """Accelerations of the gaps."""
    exists: Mask
    """Where there is such a direction of slip at all."""
    broken: tuple[tuple[str, int, Mask], ...] = field(default=())
    """What contradicts it (a word of `CONTRADICTIONS`), at which contact, and at which states."""

    @cached_property
    def possible(self) -> Mask:
        """Where nothing contradicts it."""
        found = self.exists.copy()
        for _, _, where in self.broken:
            found &= ~where
        return found


def _fields(answer: ModeCandidate) -> dict[str, Any]:
    return {one.name: getattr(answer, one.name) for one in fields(answer)}


def slip_ways(state: ContactState, situation: Situation) -> dict[Place, Array]:
    """The directions of all slips that are not zero."""
    found = {}
    for k, contact in enumerate(state.contacts):
        for f, friction in enumerate(contact.frictions):
            if (k, f) not in situation.still:
                values = friction.rows.values
                found[k, f] = values / np.hypot(np.linalg.norm(values, axis=1), situation.regular)[:, None]
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
            plane = friction.rows.carry.shape[-1] == 2
            if (k, f) in situation.still:
                held = [] if (k, f) in situation.no_stick else [STICK]
                endless = bool(np.isinf(friction.static[0]))
                parts.append(held if endless else [*held, *([FIXED] if plane else [ALONG, AGAINST])])
            elif situation.regular:
                parts.append([SMOOTH])
            else:
                parts.append([FREE] if plane else [ALONG if (k, f) in situation.forwards else AGAINST])
        closed = [] if k in situation.no_closed else [tuple(part) for part in product(*parts)]
        choices.append([*closed, *([(OPEN,)] if situation.lifts[k] else [])])
    yield from islice(product(*choices), MOST)


def only_mode(state: ContactState, situation: Situation) -> Mode | None:
    """The mode that is left where nothing can contradict it: no contact that touches may lift, and no slip is zero."""
    if any(here and lifts for here, lifts in zip(situation.touching, situation.lifts)):
        return None
    if any(situation.touching[k] for k, _ in situation.still):
        return None
    return next(combinations(state, situation), None)


class ContactResponse:
    """Forces and accelerations of the contacts at some states, by the response of their velocities to forces on them."""

    def __init__(self, state: ContactState, situation: Situation) -> None:
        self.state, self.situation = state, situation
        self.gaps: list[int] = []
        self.rows: dict[Place, list[int]] = {}
        slopes: list[Array] = []
        carry: list[Array] = []
        for k, contact in enumerate(state.contacts):
            self.gaps.append(sum(a.shape[1] for a in carry) if contact.row is not None else -1)
            if contact.row is not None:
                slopes.append(contact.row.slopes)
                carry.append(contact.row.carry)
            for f, friction in enumerate(contact.frictions):
                first = sum(a.shape[1] for a in carry)
                self.rows[k, f] = list(range(first, first + friction.rows.carry.shape[1]))
                slopes.append(friction.rows.slopes)
                carry.append(friction.rows.carry)
        count, n = state.force.shape
        table = np.concatenate(slopes, axis=1) if slopes else np.zeros((count, 0, n))
        sides = np.concatenate([state.force[:, :, None], np.swapaxes(table, 1, 2)], axis=2)
        answers = np.linalg.solve(state.mass, sides)
        self.free, self.columns = answers[:, :, 0], answers[:, :, 1:]
        self.drift = (table @ self.free[:, :, None])[:, :, 0] + (np.concatenate(carry, axis=1) if carry else 0.0)
        self.response = table @ self.columns
        self._scales(table)

    def _scales(self, table: Array) -> None:
        """What forces and accelerations of each contact are measured by: those without contacts, term by term."""
        terms = (np.abs(table) @ np.abs(self.free)[:, :, None])[:, :, 0]
        self.normal_scale, self.opening_scale, self.slip_scale = [], [], {}
        for k, contact in enumerate(self.state.contacts):
            g = self.gaps[k]
            if contact.row is None:
                self.opening_scale.append(np.ones(len(self.free)))
                self.normal_scale.append(np.abs(contact.load))
            else:
                size = terms[:, g] + np.abs(contact.row.carry[:, 0])
                self.opening_scale.append(size)
                self.normal_scale.append(size / self.response[:, g, g])
            for f, friction in enumerate(contact.frictions):
                own = self.rows[k, f]
                size = np.max(terms[:, own] + np.abs(friction.rows.carry), axis=1)
                most = np.max(np.abs(self.response[:, own][:, :, own]), axis=(1, 2))
                self.slip_scale[k, f] = size + friction.kinetic * self.normal_scale[k] * most

    def _acting(
        self, mode: Mode, directions: Mapping[Place, Array], without: int = -1
    ) -> tuple[Array, Array, list[int], list[tuple[int, int, int]]]:
        """Forces along the rows as ``known + columns · unknowns``; the rows that are held, and what each unknown is."""
        count, total = self.drift.shape
        given, columns, held, names = np.zeros((count, total)), [], [], []
        for k, (contact, acting) in enumerate(zip(self.state.contacts, mode)):
            if acting == (OPEN,):
                continue
            column = np.zeros((count, total))
            for f, (friction, how) in enumerate(zip(contact.frictions, acting)):
                if how == STICK:
                    for i, row in enumerate(self.rows[k, f]):
                        columns.append(np.broadcast_to(np.eye(total)[row], (count, total)))
                        held.append(row)
                        names.append((k, f, i))
                elif k != without:
                    column[:, self.rows[k, f]] -= friction.kinetic[:, None] * directions[k, f]
            if k == without:
                continue
            if contact.row is None:
                given = given + contact.load[:, None] * column
                continue
            column[:, self.gaps[k]] = 1.0
            columns.append(column)
            held.append(self.gaps[k])
            names.append((k, -1, 0))
        return given, np.stack(columns, axis=2) if columns else np.zeros((count, total, 0)), held, names

    def solved(self, mode: Mode, directions: Mapping[Place, Array], exists: Mask) -> ModeCandidate:
        """Forces and accelerations of a mode with given directions of slip."""
        force, columns, held, names = self._acting(mode, directions)
        unknowns = np.zeros((len(force), 0))
        if held:
            table = self.response[:, held]
            side = -(self.drift[:, held] + (table @ force[:, :, None])[:, :, 0])
            unknowns = least_solutions(table @ columns, side)
            force = force + (columns @ unknowns[:, :, None])[:, :, 0]
        rates = self.drift + (self.response @ force[:, :, None])[:, :, 0]
        found = dict(zip(names, unknowns.T))
        zero = np.zeros(len(force))
        normal = tuple(
            zero if mode[k] == (OPEN,) else found.get((k, -1, 0), one.load) for k, one in enumerate(self.state.contacts)
        )
        accelerations = self.free + (self.columns @ force[:, :, None])[:, :, 0]
        return ModeCandidate(
            mode, dict(directions), accelerations, normal,
            {(k, f): force[:, own] for (k, f), own in self.rows.items() if mode[k] != (OPEN,)},
            {place: rates[:, own] for place, own in self.rows.items()},
            tuple(zero if g < 0 else rates[:, g] for g in self.gaps), exists & np.all(np.isfinite(accelerations), axis=1),
        )  # fmt: skip

    def judged(self, answer: ModeCandidate) -> ModeCandidate:
        """The answer with what contradicts it: pulling, too much friction, a slip against its friction, penetration."""
        broken: list[tuple[str, int, Mask]] = []
        for k, (contact, acting) in enumerate(zip(self.state.contacts, answer.mode)):
            if not self.situation.touching[k]:
                continue
            if acting == (OPEN,):
                broken.append(("closing", k, answer.opening[k] < -SLACK * self.opening_scale[k]))
                continue
            normal = answer.normal[k]
            if self.situation.lifts[k]:
                broken.append(("pulling", k, normal < -SLACK * self.normal_scale[k]))
            for f, (friction, how) in enumerate(zip(contact.frictions, acting)):
                if how == STICK and not np.isinf(friction.static[0]):
                    most = friction.static * np.maximum(normal, 0.0) * (1 + SLACK) + SLACK * self.normal_scale[k]
                    broken.append(("cone", k, np.linalg.norm(answer.forces[k, f], axis=1) > most))
                elif how != STICK and (k, f) in self.situation.still:
                    outwards = np.sum(answer.slips[k, f] * answer.directions[k, f], axis=1)
                    broken.append(("against", k, outwards < -SLACK * self.slip_scale[k, f]))
        return ModeCandidate(**{**_fields(answer), "broken": tuple(broken)})

    def answers(self) -> list[ModeCandidate]:
        """Every combination with its forces; those without contradictions are ``possible``."""
        known = slip_ways(self.state, self.situation)
        return self._held([
            self.judged(self.solved(mode, directions, exists))
            for mode in combinations(self.state, self.situation)
            for directions, exists in self._beginning(mode, known)
            if np.any(exists)
        ])  # fmt: skip

    def _held(self, found: list[ModeCandidate]) -> list[ModeCandidate]:
        """No slip begins where static friction above the kinetic one holds it: then both would be consistent."""
        possible: dict[Mode, Mask] = {}
        for answer in found:
            possible[answer.mode] = possible.get(answer.mode, np.zeros(len(self.free), dtype=bool)) | answer.possible
        for i, answer in enumerate(found):
            for k, f in self.situation.still:
                acting, friction = answer.mode[k], self.state.contacts[k].frictions[f]
                if acting == (OPEN,) or acting[f] == STICK:
                    continue
                sticking = tuple(STICK if g == f else how for g, how in enumerate(acting))
                held = possible.get((*answer.mode[:k], sticking, *answer.mode[k + 1 :]))
                if held is not None:
                    broken = ("held", k, held & (friction.static > friction.kinetic))
                    answer = found[i] = ModeCandidate(**{**_fields(answer), "broken": (*answer.broken, broken)})
        return found

    def _beginning(self, mode: Mode, known: Mapping[Place, Array]) -> Iterator[tuple[dict[Place, Array], Mask]]:
        """The directions in which slips can begin, together with those that are known, and at which states.

        A single slip begins along its sign, a slip in the plane as `slip_directions` says; where the force that holds is exactly
        at its limit, it begins against it.
        """
        ways, planes = dict(known), []
        count = len(self.free)
        everywhere = np.ones(count, dtype=bool)
        for k, acting in enumerate(mode):
            for f, how in enumerate(acting if acting != (OPEN,) else ()):
                if (k, f) in self.situation.still:
                    if how in (ALONG, AGAINST):
                        ways[k, f] = np.full((count, 1), 1.0 if how == ALONG else -1.0)
                    elif how == FIXED:
                        planes.append((k, f))
        if not planes:
            yield ways, everywhere
            return
        if len(planes) == 1 and np.all(held_within(*self._plane(mode, ways, planes[0]))):
            return
        held = tuple(
            acting if acting == (OPEN,) else tuple(STICK if (k, f) in planes else how for f, how in enumerate(acting))
            for k, acting in enumerate(mode)
        )
        sticking = self.solved(held, ways, everywhere)
        for place in planes:
            force = sticking.forces[place]
            length = np.linalg.norm(force, axis=1)[:, None]
            ways[place] = np.where(length > 0, -force / np.where(length > 0, length, 1.0), np.array([1.0, 0.0]))
        limit = self.solved(mode, ways, everywhere)
        edge = everywhere.copy()
        for place in planes:
            edge &= np.linalg.norm(limit.slips[place], axis=1) <= SLACK * self.slip_scale[place]
        yield dict(ways), edge
        if len(planes) == 1:
            way, found = self._radial(mode, ways, planes[0])
            for i in range(4):
                yield {**ways, planes[0]: way[:, i]}, found[:, i] & ~edge
            return
        moving = ~edge
        for _ in range(60):  # each in turn, the others held; what has come to rest stays
            before = np.concatenate([ways[p] for p in planes], axis=1)
            for place in planes:
                way, found = self._radial(mode, ways, place)
                nearest = np.argmax(np.where(found, np.sum(way * ways[place][:, None], axis=2), -2.0), axis=1)
                taken = moving & np.any(found, axis=1)
                ways[place] = np.where(taken[:, None], way[np.arange(count), nearest], ways[place])
            moving = moving & (np.max(np.abs(np.concatenate([ways[p] for p in planes], axis=1) - before), axis=1) >= 1e-13)
            if not np.any(moving):
                break
        yield ways, ~edge

    def _plane(self, mode: Mode, ways: Mapping[Place, Array], place: Place) -> tuple[Array, Array, Array]:
        """Rates of gap and slips of a contact without its own forces, their response to these, and its friction.

        A contact with a load has a normal force that nothing changes: the response ``N = −b_g`` of a gap that is none.
        """
        k, f = place
        contact, slide = self.state.contacts[k], self.rows[place]
        given, columns, held, _ = self._acting(mode, ways, without=k)
        other = [i for i, how in enumerate(mode[k]) if i != f and how != STICK]
        own = [self.gaps[k], *slide] if self.gaps[k] >= 0 else slide
        pushes = np.zeros((len(given), given.shape[1], len(own)))
        pushes[:, own, range(len(own))] = 1.0
        for g in other if self.gaps[k] >= 0 else ():  # other frictions of the contact act in proportion to its normal force
            pushes[:, self.rows[k, g], 0] -= contact.frictions[g].kinetic[:, None] * ways[k, g]
        for g in other if self.gaps[k] < 0 else ():
            given[:, self.rows[k, g]] -= (contact.load * contact.frictions[g].kinetic)[:, None] * ways[k, g]
        base, answer = self.drift + (self.response @ given[:, :, None])[:, :, 0], self.response @ pushes
        if held:
            table = self.response[:, held] @ columns
            sides = np.concatenate([base[:, held, None], answer[:, held]], axis=2)
            back = np.stack([least_solutions(table, sides[:, :, i]) for i in range(sides.shape[2])], axis=2)
            change = self.response @ (columns @ back)
            base, answer = base - change[:, :, 0], answer - change[:, :, 1:]
        base, answer = base[:, own], answer[:, own]
        if self.gaps[k] < 0:
            count = len(base)
            base = np.concatenate([-contact.load[:, None], base], axis=1)
            answer = np.concatenate([np.zeros((count, 2, 1)), answer], axis=2)
            answer = np.concatenate([np.broadcast_to([[1.0, 0.0, 0.0]], (count, 1, 3)), answer], axis=1)
        return base, answer, contact.frictions[f].kinetic

    def _radial(self, mode: Mode, ways: Mapping[Place, Array], place: Place) -> tuple[Array, Mask]:
        """The directions along which a slip in the plane, sliding along them, is accelerated outwards."""
        base, answer, friction = self._plane(mode, ways, place)
        way, found = radial_directions(base, answer, friction)
        spread = friction[:, None] * np.einsum("bj,bij->bi", answer[:, 0, 1:], way)
        with np.errstate(divide="ignore", invalid="ignore"):  # a direction in which nothing presses has no normal force
            normal = -base[:, :1] / (answer[:, :1, 0] - spread)
            rate = base[:, None, 1:] + normal[:, :, None] * (
                answer[:, None, 1:, 0] - friction[:, None, None] * np.einsum("bjk,bik->bij", answer[:, 1:, 1:], way)
            )
        return way, found & (np.sum(rate * way, axis=2) > 0)


def admissible(found: Sequence[ModeCandidate], before: Mode) -> list[tuple[ModeCandidate, Mask]]:
    """The answers with where each is taken into account: nothing contradicts it, and no earlier one accelerates alike.

    Of answers with equal accelerations the one that changes least is meant: contacts that touch share their forces.
    """
    if len(found) < 2:
        return [(answer, answer.possible) for answer in found]

    def changes(answer: ModeCandidate) -> tuple[int, int]:
        return sum(new == (OPEN,) for new in answer.mode), sum(old != new for old, new in zip(before, answer.mode))

    size = np.max([np.max(np.abs(np.where(a.exists[:, None], a.rates, 0.0)), axis=1, initial=0.0) for a in found], axis=0)
    kept: list[tuple[ModeCandidate, Mask]] = []
    for answer in sorted(found, key=changes):
        new = answer.possible
        for other, theirs in kept:
            apart = np.max(np.abs(answer.rates - other.rates), axis=1, initial=0.0) > 1e-7 * size
            new = new & (~theirs | apart)
        kept.append((answer, new))
    return kept
