"""Many motions with contacts at once: those in the same mode move together, and those with the same events decide together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nonholo.derive.contacts.contact_equations import FIXED, FREE, OPEN, STICK, Mode, changed_words
from nonholo.errors import Remedy
from nonholo.integrate.contacts.contact_formulation import NEAR, ContactFormulation, Witness
from nonholo.integrate.contacts.contact_motion import EDGE, SHARED, STALLED, watched_in
from nonholo.integrate.contacts.contact_state import (
    ContactState,
    drifting_velocities,
    held_rows,
    impulsively_stopped,
    rank_deficient,
)
from nonholo.integrate.contacts.mode_choice import ContactResponse, ModeCandidate, Situation, admissible
from nonholo.integrate.contacts.mode_switching import STILL, TOUCHING, ContactProblem, ContactRun
from nonholo.integrate.inputs import Source
from nonholo.integrate.loops.arguments.piecewise_signals import Signal
from nonholo.integrate.many.member_blocks import Paths, advance_many
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.motion_pieces import WantedEvent, tables_of
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.integrate.outcome import Outcome, adding
from nonholo.program.array_types import AnyArray

REACHED, EVENT = "reached", "event"


class ModeLanes:
    """Members of an ensemble on their way: time, state, mode and outcome of each.

    ``alone`` are members that must be computed by themselves: a frame that degenerates, a start that hits, a decision that
    rigid bodies leave open.
    """

    def __init__(
        self, problem: ContactProblem, kept: ContactFormulation, parameters: AnyArray, states: AnyArray, method: Method,
        until: float, times: AnyArray, events: Sequence[WantedEvent], sources: Sequence[Source], threads: int | None,
        alone: AnyArray,
    ) -> None:  # fmt: skip
        self.problem, self.kept, self.base, self.method = problem, kept, problem.initial, method
        self.until, self.times, self.events, self.sources, self.threads = until, times, events, sources, threads
        self.parameters, self.contacts = parameters, kept.contacts
        self.course = ContactRun(problem, kept, sources)
        n, d, m = self.course.n, self.course.d, self.course.m
        count = len(states)
        self.state = np.zeros((count, n + d + m + self.course.works))
        self.state[:, :n], self.state[:, n + d : n + d + m] = states[:, :n], states[:, n:]
        self.time = np.full(count, problem.time)
        self.modes: list[Mode] = [tuple((OPEN,) for _ in self.contacts)] * count
        self.last_hit = np.full(count, -np.inf)
        self.along = np.full((count, len(times), self.state.shape[1]), np.nan)
        self.emitted, self.changes, self.stalled = (np.zeros(count, dtype=int) for _ in range(3))
        self.outcomes: list[Outcome | None] = [None] * count
        self.shared, self.alone = np.zeros(count, dtype=bool), alone.copy()
        self.hits: list[list[list[float]]] = [[[] for _ in events] for _ in range(count)]
        self.lifts = tuple(one.law.lifts for one in self.contacts)
        self.frictions = [(one.number, f) for one in self.contacts for f in range(len(one.frictions))]
        self.begin(np.flatnonzero(~alone))

    def rows(self, kernel: SystemKernel, members: AnyArray, whole: bool) -> AnyArray:
        """Input vectors of members: of a mode's equations, or of those without contacts."""
        n, d, m = self.course.n, self.course.d, self.course.m
        state = self.state[members]
        if not whole:
            state = np.hstack([state[:, :n], state[:, n + d : n + d + m]])
        times = self.time[members]
        inputs = [s.values(times) if isinstance(s, Signal) else np.full(len(times), float(s)) for s in self.sources]  # type: ignore[arg-type]
        return np.column_stack([times, state, *inputs, self.parameters[members]])

    def survey(self, members: AnyArray) -> ContactState:
        """The numbers of the contacts of members."""
        return self.kept.survey(self.base.kernel).rows(self.rows(self.base.kernel, members, False))

    def still(self, state: ContactState) -> AnyArray:
        """Which frictions of which members have no velocity: (member, friction)."""
        columns = []
        for k, f in self.frictions:
            rows = state.contacts[k].frictions[f].rows
            columns.append(np.linalg.norm(rows.values, axis=1) <= STILL * rows.scale + 1e-12)
        return np.column_stack(columns) if columns else np.zeros((len(state.force), 0), dtype=bool)

    def begin(self, members: AnyArray) -> None:
        """Choose the modes at the start."""
        state = self.survey(members)
        resting, bad = np.ones((len(members), len(self.contacts)), dtype=bool), np.zeros(len(members), dtype=bool)
        still = self.still(state)
        for k, contact in enumerate(state.contacts):
            if contact.row is not None:
                rate = contact.row.values[:, 0]
                rate = np.where(np.abs(rate) > STILL * contact.row.scale + 1e-12, rate, 0.0)
                touching = contact.gap <= TOUCHING
                bad |= touching & (rate < 0)
                resting[:, k] = touching & (rate <= 0)
            bad |= ~((contact.load >= 0) & (contact.restitution >= 0) & (contact.restitution <= 1))
            for f, friction in enumerate(contact.frictions):
                endless = np.isinf(friction.static) & (friction.kinetic == 0) & ~still[:, self.frictions.index((k, f))]
                bad |= endless | ~((friction.kinetic >= 0) & (friction.static >= friction.kinetic))
        self.alone[members[bad]] = True
        keep = ~bad
        self.decide(members[keep], state.part(keep), resting[keep], still[keep], [frozenset()] * 2, first=True)

    def decide(
        self, members: AnyArray, state: ContactState, touching: AnyArray, still: AnyArray, excluded: Sequence[frozenset[Any]],
        first: bool = False,
    ) -> None:  # fmt: skip
        """Choose the modes from here on, of members that were in one mode."""
        forwards = np.zeros_like(still)
        for i, (k, f) in enumerate(self.frictions):
            forwards[:, i] = state.contacts[k].frictions[f].rows.values[:, 0] > 0
        for some in _equal_rows(np.hstack([touching, still, forwards])):
            one = some[0]
            situation = Situation(
                tuple(touching[one].tolist()), self.lifts, self._places(still[one]), self._places(forwards[one]),
                no_stick=excluded[0], no_closed=excluded[1],
            )  # fmt: skip
            here = state.part(some)
            before = self.modes[members[one]]
            found = admissible(ContactResponse(here, situation).answers(), before)
            number = np.sum([taken for _, taken in found], axis=0) if found else np.zeros(len(some))
            self.alone[members[some[number != 1]]] = True
            for answer, taken in found:
                chosen = np.flatnonzero(taken & (number == 1))
                if len(chosen):
                    self.enter(members[some[chosen]], here.part(chosen), answer, chosen, before, first)

    def _places(self, flags: AnyArray) -> frozenset[tuple[int, int]]:
        return frozenset(place for place, flag in zip(self.frictions, flags) if flag)

    def enter(
        self, members: AnyArray, state: ContactState, answer: ModeCandidate, where: AnyArray, before: Mode, first: bool
    ) -> None:  # fmt: skip
        """Take a mode; what is left of velocities that it holds is removed."""
        mode, course = answer.mode, self.course
        self.changes[members] += 0 if first else len(changed_words(self.contacts, before, mode))
        for k in members.tolist():
            self.modes[k] = mode
        parts = held_rows(state, mode)
        off = np.zeros(len(members), dtype=bool)
        for _, rows in parts:
            off |= drifting_velocities(rows)
        if np.any(off):
            some = state.part(off)
            parts = held_rows(some, mode)
            speeds, lost = impulsively_stopped(some, [rows for _, rows in parts])
            n, d, m = course.n, course.d, course.m
            self.state[members[off], n + d : n + d + m] = speeds
            for (k, _), energy in zip(parts, lost):
                self.state[members[off], n + d + m + 2 * k] += energy
        for i, place in enumerate(course.planes):
            if place in answer.directions and mode[place[0]] != (OPEN,):
                self.state[members, course.n + 2 * i : course.n + 2 * i + 2] = answer.directions[place][where]

    def run(self) -> None:
        """Every member to its end, or to where it must go on alone."""
        while True:
            moving = np.array([k for k, o in enumerate(self.outcomes) if o is None and not self.alone[k]], dtype=int)
            if not len(moving):
                return
            groups: dict[Mode, list[int]] = {}
            for k in moving.tolist():
                groups.setdefault(self.modes[k], []).append(k)
            for mode, members in groups.items():
                for some, redundant in self._by_rank(mode, np.array(members)):
                    self.advance(mode, redundant, some)

    def _by_rank(self, mode: Mode, members: AnyArray) -> Iterator[tuple[AnyArray, bool]]:
        """Members by whether the rows that the mode holds depend on each other."""
        if sum(acting != (OPEN,) for acting in mode) < 2:
            yield members, False
            return
        dependent = rank_deficient(self.survey(members), mode)
        for flag in (False, True):
            if np.any(dependent == flag):
                yield members[dependent == flag], flag

    def advance(self, mode: Mode, redundant: bool, members: AnyArray) -> None:
        """One piece of members in the same mode, and what happens at its end."""
        kernel = self.kept.kernel(self.base.kernel, mode, redundant)
        watched = watched_in(self.problem, self.kept, self.base.kernel, mode, kernel, self.events)
        witnesses, _ = self.kept.witnesses(self.base.kernel, mode, NEAR)
        if witnesses:
            values = on_rows(watched.code, self.rows(kernel, members, True))[:, len(self.events) :]
            edge = np.min(values, axis=1) <= EDGE
            edge |= self.stalled[members] > STALLED
            self.alone[members[edge]] = True
            members = members[~edge]
        if not len(members):
            return
        self.shared[members] |= redundant
        initial = InitialValue(kernel, self.state[members[0]], self.base.condition)
        paths = advance_many(
            initial.kernel, self.method, self.problem.time, self.state[members], self.until,
            self.parameters[members], tables_of(self.sources), self.times, watched, condition_thresholds=initial.thresholds,
            threads=self.threads, side_by_side=not any(FIXED in acting for acting in mode), begins=self.time[members],
            emitted=self.emitted[members],
        )  # fmt: skip
        self._store(members, paths)
        passed: dict[tuple[int, ...], list[int]] = {}
        for row, k in enumerate(members.tolist()):
            seen = paths.occurrences[row]
            own = len(self.events)
            for t, j in zip(seen.times.tolist(), seen.index.tolist()):
                if j < own:
                    self.hits[k][j].append(t)
            last = tuple(j - own for j in seen.index[seen.times == paths.final_times[row]].tolist() if j >= own)
            outcome = paths.outcome(row)
            if outcome.kind == EVENT and last:
                passed.setdefault(last, []).append(k)
            elif outcome.kind in (REACHED, EVENT):
                self.outcomes[k] = adding(outcome, Remedy(SHARED)) if self.shared[k] else outcome
            else:
                self.alone[k] = True
        for last, some in passed.items():
            self._happened(mode, np.array(some), [witnesses[j] for j in last])

    def _store(self, members: AnyArray, paths: Paths) -> None:
        """Store the states at the output times and the members' current states."""
        for row, k in enumerate(members.tolist()):
            first, last = int(self.emitted[k]), int(paths.emitted[row])
            self.along[k, first:last] = paths.states[row, first:last]
        moved = paths.final_times != self.time[members]
        self.stalled[members] = np.where(moved, 0, self.stalled[members] + 1)
        self.time[members], self.state[members], self.emitted[members] = paths.final_times, paths.final_states, paths.emitted

    def _happened(self, mode: Mode, members: AnyArray, witnesses: Sequence[Witness]) -> None:
        """What follows from the witnesses that passed zero."""
        kinds = {w.kind for w in witnesses}
        if "gap" in kinds:
            for k in members.tolist():
                self._one(k, witnesses)
            return
        state = self.survey(members)
        if kinds <= {"near", "grown"}:
            for w in witnesses:
                self._change_direction(members, state, w)
            return
        flags = self.still(state)
        dead = {(w.contact, w.friction) for w in witnesses if w.kind == "slip"}
        dead |= {(k, f) for k, acting in enumerate(mode) for f, how in enumerate(acting) if how == STICK}
        for i, place in enumerate(self.frictions):
            flags[:, i] |= place in dead
        touching = np.broadcast_to([acting != (OPEN,) for acting in mode], (len(members), len(mode)))
        no_stick = frozenset((w.contact, w.friction) for w in witnesses if w.kind == "cone")
        no_closed = frozenset(w.contact for w in witnesses if w.kind == "normal")
        self.decide(members, state, touching, flags, [no_stick, no_closed])
        self._end(members)

    def _end(self, members: AnyArray) -> None:
        """End members that have come to the last time with a change of mode."""
        for k in members[self.time[members] >= self.until].tolist():
            if not self.alone[k]:
                self.outcomes[k] = Outcome(REACHED, self.until)

    def _change_direction(self, members: AnyArray, state: ContactState, w: Witness) -> None:
        """As `Course` does, for members in one mode."""
        how = FIXED if w.kind == "near" else FREE
        for k in members.tolist():
            acting = list(self.modes[k][w.contact])
            acting[w.friction] = how
            self.modes[k] = tuple(tuple(acting) if i == w.contact else a for i, a in enumerate(self.modes[k]))
        if how == FIXED:
            values = state.contacts[w.contact].frictions[w.friction].rows.values
            i = self.course.n + 2 * self.course.planes.index((w.contact, w.friction))
            self.state[members, i : i + 2] = values / np.linalg.norm(values, axis=1)[:, None]

    def _one(self, k: int, witnesses: Sequence[Witness]) -> None:
        """One member by itself where a gap closes."""
        numbers = dict(zip(self.base.kernel.parameters, self.parameters[k].tolist()))
        course = ContactRun(replace(self.problem, parameters=numbers, time=float(self.time[k])), self.kept, self.sources)
        course.state, course.mode, course.last_hit = self.state[k].copy(), self.modes[k], float(self.last_hit[k])
        ended = course.happened(witnesses)
        self.state[k], self.modes[k], self.last_hit[k] = course.state, course.mode, course.last_hit
        self.changes[k] += len(course.changes)
        if ended is not None:
            self.outcomes[k] = ended
        self._end(np.array([k]))


def _equal_rows(flags: AnyArray) -> Iterator[AnyArray]:
    """The rows of a table of flags that are the same, as groups of their places."""
    _, group = np.unique(flags, axis=0, return_inverse=True)
    group = np.asarray(group).reshape(-1)
    for g in range(int(group.max()) + 1 if len(group) else 0):
        yield np.flatnonzero(group == g)
