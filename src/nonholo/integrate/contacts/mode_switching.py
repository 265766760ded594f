"""Where a motion with contacts is, in which mode, and how it goes on: decisions and impacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.contacts.contact_equations import FIXED, FREE, OPEN, STICK, Mode, changed_words, state_of, word
from nonholo.errors import Remedy, StateError
from nonholo.integrate.contacts.contact_formulation import NEAR, ContactFormulation, Witness
from nonholo.integrate.contacts.contact_state import (
    ContactState,
    Rows,
    coefficients,
    drifting_velocities,
    held_rows,
    impulsively_stopped,
    rank_deficient,
)
from nonholo.integrate.contacts.impacts import REFUSALS, Impact, impact, velocity
from nonholo.integrate.contacts.mode_changes import Change
from nonholo.integrate.contacts.mode_choice import (
    CONTRADICTIONS,
    ContactResponse,
    ModeCandidate,
    Place,
    Situation,
    admissible,
    only_mode,
    slip_ways,
)
from nonholo.integrate.inputs import Source, rows_with_inputs
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.integration import Path
from nonholo.integrate.motion.motion_pieces import Problem, named_state
from nonholo.integrate.outcome import Outcome
from nonholo.model.contact_reading import impossible_numbers
from nonholo.model.system import System
from nonholo.program.array_types import Array

STILL = 1e-9
"""Velocities below this fraction of their terms count as zero in a decision."""
TOUCHING = 1e-10
"""A gap below this is closed, in metres."""
LOW_BOUNCE = 1e-12
"""Bounces lower than this, in metres, are summed: the contact is closed when the series ends."""


@dataclass(frozen=True)
class ContactProblem(Problem):
    """A problem with contacts: that of the system without them, and the formulation of the contacts."""

    source: System
    kept: ContactFormulation | None = None
    together: bool = False
    undecided: str = "stop"


class ContactRun:
    """One motion as it goes: where it is, in which mode, and what has happened."""

    def __init__(self, problem: ContactProblem, kept: ContactFormulation, sources: Sequence[Source]) -> None:
        self.problem, self.kept, self.sources = problem, kept, sources
        self.base = problem.initial
        self.time = problem.time
        self.changes: list[Change] = []
        self.notes: list[str] = []
        self.contacts = kept.contacts
        self.lifts = tuple(one.law.lifts for one in self.contacts)
        self.laws = tuple(one.law.impact for one in self.contacts)
        equations = self.base.equations
        self.n, self.m = len(equations.coordinates), len(equations.speeds)
        self.planes = [(one.number, f) for one in self.contacts for f, q in enumerate(one.frictions) if len(q.rates) == 2]
        self.d = 2 * len(self.planes)
        place = self.base.state
        _, works = state_of(kept.inner, self.contacts)
        self.works = len(works)
        self.state = np.concatenate([place[: self.n], np.zeros(self.d), place[self.n :], np.zeros(self.works)])
        self.mode: Mode = tuple((OPEN,) for _ in self.contacts)
        self.last_hit = -np.inf
        self.last_impact: tuple[Sequence[int], Sequence[bool]] = (), ()
        self.impacts = 0
        self.near = NEAR

    def bare(self) -> Array:
        """The state of the equations without contacts."""
        return np.concatenate([self.state[: self.n], self.state[self.n + self.d : self.n + self.d + self.m]])

    def survey(self) -> ContactState:
        """The numbers of the contacts here."""
        kernel = self.base.kernel
        row = rows_with_inputs(kernel, self.sources, np.array([self.time]), self.bare()[None, :], self.problem.parameters)[0]
        return self.kept.survey(kernel)(row)

    def set_speeds(self, speeds: Array) -> None:
        """Change the speeds."""
        self.state = self.state.copy()
        self.state[self.n + self.d : self.n + self.d + self.m] = speeds

    def initial(self) -> InitialValue:
        """The equations of the present mode, at the present state."""
        several = sum(acting != (OPEN,) for acting in self.mode) > 1
        redundant = several and bool(rank_deficient(self.survey().several, self.mode)[0])
        kernel = self.kept.kernel(self.base.kernel, self.mode, redundant)
        return InitialValue(kernel, self.state, self.base.condition)

    def still(self, state: ContactState, more: frozenset[tuple[int, int]] = frozenset()) -> frozenset[tuple[int, int]]:
        """The frictions whose velocity is zero."""
        found = set(more)
        for k, contact in enumerate(state.contacts):
            for f, friction in enumerate(contact.frictions):
                smooth = self.kept.regular > 0 and bool(np.isfinite(friction.static))
                if not smooth and float(np.linalg.norm(friction.rows.values)) <= STILL * friction.rows.scale + 1e-12:
                    found.add((k, f))
        return frozenset(found)

    def decide(self, state: ContactState, situation: Situation, why: str, numbers: Mapping[str, float]) -> Outcome | None:
        """Choose the mode from here on; an outcome where none or several are possible."""
        chosen = self._chosen(state, situation)
        if isinstance(chosen, Outcome):
            return chosen
        self.enter(state, chosen, why, numbers)
        return None

    def _chosen(self, state: ContactState, situation: Situation) -> ModeCandidate | Outcome:
        tried = ContactResponse(state.several, situation).answers()
        possible = [answer for answer, taken in admissible(tried, self.mode) if taken[0]]
        chosen = possible[0] if len(possible) == 1 else self._preferred(possible)
        return self._painleve(tried, possible) if chosen is None else chosen

    def situation(self, state: ContactState, touching: tuple[bool, ...], still: frozenset[Place], **excluded: Any) -> Situation:
        """What is known where a decision is made."""
        forwards = frozenset(
            (k, f) for k, c in enumerate(state.contacts) for f, q in enumerate(c.frictions) if q.rows.values[0] > 0
        )
        return Situation(touching, self.lifts, still, forwards, regular=self.kept.regular, **excluded)

    def _preferred(self, possible: Sequence[ModeCandidate]) -> ModeCandidate | None:
        """The user's choice among several combinations: the first in which a contact is as wished."""
        wish = self.problem.undecided
        if not possible or wish == "stop":
            return None
        for answer in possible:
            if any(word(one, acting) == wish for one, acting in zip(self.contacts, answer.mode)):
                return answer
        return None

    def _painleve(self, tried: Sequence[ModeCandidate], possible: Sequence[ModeCandidate]) -> Outcome:
        """Painlevé's situation in words."""

        def told(answer: ModeCandidate) -> str:
            return ", ".join(f"{one.law.name} {word(one, acting)}" for one, acting in zip(self.contacts, answer.mode))

        def contradiction(broken: tuple[str, int, Any]) -> str:
            return CONTRADICTIONS[broken[0]].format(self.contacts[broken[1]].law.name)

        if possible:
            text = (
                f"Several combinations of the contacts are possible here ({'; '.join(map(told, possible))}): rigid bodies with "
                'dry friction do not decide (Painlevé). Choose one with undecided="rolling", "sliding" or "open".'
            )
        else:
            tried = [a for a in tried if a.exists[0]][:6]
            ways = "; ".join(f"{told(a)}: {', '.join(contradiction(b) for b in a.broken if b[2][0])}" for a in tried)
            text = (
                f"No combination of the contacts is possible here ({ways}): rigid bodies with dry friction have no motion "
                "from here on (Painlevé). Less friction, another start or an elastic contact has one."
            )
        return Outcome("undecided contact", self.time, Remedy(text))

    def enter(self, state: ContactState, answer: ModeCandidate, why: str, numbers: Mapping[str, float]) -> None:
        """Take a mode; changes go into the table."""
        for k, before, after, part in changed_words(self.contacts, self.mode, answer.mode):
            reason = "the slip reverses" if before == after else why
            forces = {} if part or before == after else {"normal": float(answer.normal[k][0])}
            self.note(k, before, after, reason, {**numbers, **forces}, part)
        self._take(state, answer.mode, answer.directions)

    def _take(self, state: ContactState, mode: Mode, directions: Mapping[Place, Array]) -> None:
        """Go on in a mode, with these directions of slips in the plane."""
        self.mode = mode
        self._hold(state.several)
        self.state = self.state.copy()
        for i, place in enumerate(self.planes):
            if place in directions and mode[place[0]] != (OPEN,):
                self.state[self.n + 2 * i : self.n + 2 * i + 2] = directions[place][0]

    def _hold(self, state: ContactState) -> None:
        """Remove what is left of velocities that the mode holds at zero, by the impulses of their contacts."""
        parts = held_rows(state, self.mode)
        if any(drifting_velocities(rows)[0] for _, rows in parts):
            self._stop(state, parts)

    def _stop(self, state: ContactState, parts: Sequence[tuple[int, Rows]]) -> None:
        """Stop velocities of contacts by impulses; the energy that is lost is counted."""
        speeds, lost = impulsively_stopped(state, [rows for _, rows in parts])
        self.set_speeds(speeds[0])
        for (k, _), energy in zip(parts, lost):
            self.state[self.n + self.d + self.m + 2 * k] += energy[0]

    def note(
        self, k: int, before: str, after: str, why: str, numbers: Mapping[str, float], part: str = "", time: float | None = None
    ) -> None:
        """Add a line to the table."""
        when = self.time if time is None else time
        self.changes.append(Change(when, self.contacts[k].law.name + part, before, after, why, FrozenMap(dict(numbers))))

    def begin(self) -> Outcome | None:
        """Choose the mode at the start; it is no change."""
        state = self.survey()
        touching = self._touching(state)
        still = self.still(state)
        for k, (one, contact) in enumerate(zip(self.contacts, state.contacts)):
            trouble = impossible_numbers(coefficients(one, contact))
            if trouble:
                raise StateError(f"{self.problem.name}: contact {one.law.name}: {trouble}.")
            for f, friction in enumerate(contact.frictions):
                if touching[k] and np.isinf(friction.static) and friction.kinetic == 0 and (k, f) not in still:
                    raise StateError(
                        f"{self.problem.name}: contact {one.law.name}: friction without limit admits no slip, and "
                        f"the start slips at {float(np.linalg.norm(friction.rows.values)):.3g} m/s; start rolling."
                    )
        closing = [k for k, here in enumerate(touching) if here and self._rate(state, k) < 0]
        if closing:
            return self._hit(state, closing)
        situation = self.situation(state, self._resting(state), still)
        only = only_mode(state.several, situation)
        if only is not None:
            self._take(state, only, slip_ways(state.several, situation))
            return None
        ended = self.decide(state, situation, "", {})
        self.changes.clear()
        return ended

    def _touching(self, state: ContactState) -> tuple[bool, ...]:
        """Contacts whose gap is closed."""
        return tuple(c.row is None or bool(c.gap <= TOUCHING) for c in state.contacts)

    def _rate(self, state: ContactState, k: int) -> float:
        """The speed at which a gap opens, zero where it is rounding."""
        row = state.contacts[k].row
        if row is None:
            return 0.0
        value = float(row.values[0])
        return value if abs(value) > STILL * row.scale + 1e-12 else 0.0

    def _resting(self, state: ContactState) -> tuple[bool, ...]:
        """Contacts that touch and do not separate; those of the present mode that are closed are."""
        near = self._touching(state)
        return tuple(
            acting != (OPEN,) or (here and self._rate(state, k) <= 0) for k, (here, acting) in enumerate(zip(near, self.mode))
        )

    def happened(self, witnesses: Sequence[Witness]) -> Outcome | None:
        """What follows from the witnesses that passed zero."""
        state = self.survey()
        near = {w for w in witnesses if w.kind in ("near", "grown")}
        if near == set(witnesses):
            for w in near:
                self._change_direction(state, w)
            return None
        gaps = [w.contact for w in witnesses if w.kind == "gap"]
        if gaps:
            touching = self._touching(state)
            free = [k for k, here in enumerate(touching) if (here or k in gaps) and self.mode[k] == (OPEN,)]
            closing = [k for k in free if self._rate(state, k) < 0]
            if closing:
                return self._hit(state, closing)
            resting = tuple(a or k in gaps for k, a in enumerate(self._resting(state)))
            numbers = {"gap": float(state.contacts[gaps[0]].gap)}
            return self.decide(
                state, self.situation(state, resting, self.still(state)), "the gap closes without speed", numbers
            )
        no_closed = frozenset(w.contact for w in witnesses if w.kind == "normal")
        no_stick = frozenset((w.contact, w.friction) for w in witnesses if w.kind == "cone")
        dead = frozenset((w.contact, w.friction) for w in witnesses if w.kind == "slip")
        for k, acting in enumerate(self.mode):
            dead |= {(k, f) for f, how in enumerate(acting) if how == STICK}
        why, numbers = self._reason(state, no_closed, no_stick, witnesses)
        touching = tuple(acting != (OPEN,) for acting in self.mode)
        still = self.still(state, dead)
        situation = self.situation(state, touching, still, no_stick=no_stick, no_closed=no_closed)
        return self.decide(state, situation, why, numbers)

    def _reason(
        self, state: ContactState, no_closed: frozenset[int], no_stick: frozenset[tuple[int, int]], witnesses: Sequence[Witness]
    ) -> tuple[str, dict[str, float]]:
        if no_closed:
            return "the normal force vanishes", {}
        if no_stick:
            k, f = next(iter(no_stick))
            return "the friction needed exceeds its limit", {"limit": float(state.contacts[k].frictions[f].static)}
        w = witnesses[0]
        return "the slip dies", {"friction": float(state.contacts[w.contact].frictions[w.friction].kinetic)}

    def _change_direction(self, state: ContactState, w: Witness) -> None:
        """Fix the direction of a nearly zero slip in the plane; a larger slip follows its velocity."""
        values = state.contacts[w.contact].frictions[w.friction].rows.values
        how = FIXED if w.kind == "near" else FREE
        acting = list(self.mode[w.contact])
        acting[w.friction] = how
        self.mode = tuple(tuple(acting) if k == w.contact else a for k, a in enumerate(self.mode))
        if how == FIXED:
            i = self.planes.index((w.contact, w.friction))
            self.state = self.state.copy()
            self.state[self.n + 2 * i : self.n + 2 * i + 2] = values / np.linalg.norm(values)

    def _hit(self, state: ContactState, closing: Sequence[int]) -> Outcome | None:
        """An impact, then the mode after it."""
        touching = [here or k in closing or self.mode[k] != (OPEN,) for k, here in enumerate(self._touching(state))]
        before = {k: float(velocity(state, k, state.speeds)[0]) for k in closing}
        self.last_impact, self.impacts = (closing, touching), self.impacts + 1
        found = impact(state, closing, touching, self.laws, self.problem.together, len(self.contacts))
        if found.refused is not None:
            said = REFUSALS[found.refused[0]].format(self.contacts[found.refused[1]].law.name)
            text = f'At this impact {said}; choose impact = "poisson", less restitution or less friction.'
            return Outcome("impact refused", self.time, Remedy(text))
        self.set_speeds(found.speeds)
        self._add_work(found)
        return self._after_impact(closing, before, found)

    def _add_work(self, found: Impact) -> None:
        first = self.n + self.d + self.m
        last = first + 2 * len(self.contacts)
        self.state[first:last:2] += found.dissipated
        self.state[first + 1 : last : 2] += found.work

    def _after_impact(self, closing: Sequence[int], before: Mapping[int, float], found: Impact) -> Outcome | None:
        state = self.survey()
        near = self._touching(state)
        closed = [acting != (OPEN,) or here or k in closing for k, (acting, here) in enumerate(zip(self.mode, near))]
        resting = tuple(here and self._rate(state, k) <= 0 for k, here in enumerate(closed))
        numbers = {"approach": -before[closing[0]], "impulse": float(found.impulses[closing[0]])}
        old = self.mode
        chosen = self._chosen(state, self.situation(state, resting, self.still(state)))
        if isinstance(chosen, Outcome):
            return chosen
        low = [k for k, here in enumerate(closed) if here and not resting[k] and self._low(state, chosen, k)]
        since, self.last_hit = self.time - self.last_hit, self.time
        if low:
            return self._settle(state, low, chosen, closed, since)
        self.enter(state, chosen, "impact", numbers)
        for k in closing:
            if old[k] == self.mode[k] == (OPEN,):
                self.note(k, OPEN, OPEN, "impact", {**numbers, "departure": self._rate(state, k)})
        return None

    def _low(self, state: ContactState, answer: ModeCandidate, k: int) -> bool:
        """Whether a bounce is lower than is worth following."""
        fall, rise = -float(answer.opening[k][0]), self._rate(state, k)
        return fall > 0 and rise**2 / (2 * fall) < LOW_BOUNCE

    def _settle(
        self, state: ContactState, low: Sequence[int], answer: ModeCandidate, closed: Sequence[bool], since: float
    ) -> Outcome | None:
        """Close contacts whose bounces are summed: their times make a geometric series, what is left of their speed is lost."""
        flight = max(2 * self._rate(state, k) / -float(answer.opening[k][0]) for k in low)
        rest = flight / (1 - min(flight / since, 0.9999))
        speed = max(self._rate(state, k) for k in low)
        whole = state.several
        parts = [(k, c.row) for k, c in enumerate(whole.contacts) if c.row is not None and closed[k]]
        low = [k for k, _ in parts]
        for k in low:  # slips as slow as the last bounces die with them
            parts += [(k, f.rows) for f in whole.contacts[k].frictions if float(np.linalg.norm(f.rows.values)) < 10 * speed]
        self._stop(whole, parts)
        after = self.survey()
        resting = tuple(here and (k in low or self._rate(after, k) <= 0) for k, here in enumerate(closed))
        when = self.time + rest
        count = len(self.changes)
        situation = self.situation(after, resting, self.still(after))
        ended = self.decide(after, situation, "bounces have accumulated", {"series": rest})
        self.changes[count:] = [replace(c, time=when) for c in self.changes[count:]]
        return ended

    def new_frame(self, path: Path) -> None:
        """Another choice of speeds where the present one degenerates."""
        kernel = self.base.kernel
        here = named_state(self.problem, self.base, self.time, self.bare(), self.sources, inputs=True)
        works = self.state[self.n + self.d + self.m :]
        old = InitialValue(kernel, self.bare(), self.base.condition)
        self.base = self.kept.formulation.better(here, self.problem.parameters, old)
        self.m = len(self.base.equations.speeds)
        directions = self.state[self.n : self.n + self.d]
        self.state = np.concatenate([self.base.state[: self.n], directions, self.base.state[self.n :], works])
