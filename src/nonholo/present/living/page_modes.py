"""Contacts that change their modes on a living page: one program with all rows, from which the page makes every mode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypedDict

import symengine as se

from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import evaluate
from nonholo.analyse.force_arrows import contact_column
from nonholo.derive.contacts.contact_equations import Touch, held_labels, in_speeds, rows_of, state_of, touches
from nonholo.derive.equations import Equations
from nonholo.derive.multipliers import bordered
from nonholo.derive.states.consistent_state import complete_state
from nonholo.errors import ModelError
from nonholo.integrate.contacts.contact_formulation import TOUCH, without_contacts
from nonholo.integrate.contacts.contact_state import contact_numbers
from nonholo.integrate.contacts.impacts import REFUSALS
from nonholo.integrate.contacts.mode_changes import switching
from nonholo.model.scalars import Guess
from nonholo.model.system import System, force_covector, parameter_values
from nonholo.model.velocities.admissible import constraint_rows

MOST_TOUCHES = 8
"""With more contacts there are too many combinations for a page to try."""
UNDECIDED = (
    "No combination of the contacts is possible here, or several are: rigid bodies with dry friction do not decide (Painlevé). "
    "In Python nh.simulate names them and takes undecided=…."
)


class FrictionPlan(TypedDict):
    """A friction for a page: rows, whether it has a limit, where the state keeps the direction of a slip in the plane."""

    kind: str
    size: int
    limited: bool
    direction: int


class TouchPlan(TypedDict):
    """A contact for a page, with the places of what it holds among the invariants."""

    name: str
    parts: list[str]
    rolls: bool
    lifts: bool
    permanent: bool
    impact: str
    gap: int
    rate: int
    slips: list[list[int]]
    loose: list[int]
    """Coordinates by which a gap that is closed at the start stays closed: those that the start does not give."""
    frictions: list[FrictionPlan]


class SwitchPlan(TypedDict):
    """All contacts for a page whose solver changes their modes."""

    touches: list[TouchPlan]
    speeds: int
    own: list[int]
    power: bool
    undecided: str
    refused: dict[str, str]


@dataclass(frozen=True)
class PageModes:
    """The equations of a system without its contacts, in the state that every mode has, and the numbers of the contacts."""

    inner: System
    base: Equations
    equations: Equations
    """Mass and force are those of the speeds that are no works."""
    contacts: tuple[Touch, ...]
    survey: tuple[Expr, ...]

    @property
    def columns(self) -> list[str]:
        """Names of the quantities that it adds to a page."""
        laws = [one.law for one in self.contacts]
        parts = [("normal", *(law.directions if law.rolls else ()), "ratio", "slip") for law in laws]
        return [contact_column(part, law.name) for law, own in zip(laws, parts) for part in own]

    def plan(self, system: System, invariants: Sequence[str], closed: Sequence[int]) -> SwitchPlan:
        """The page's data, once the order of its invariants and the contacts ``closed`` at the start are known."""
        place = {name: k for k, name in enumerate(invariants)}
        own = set(self.base.invariants)
        state = [*map(str, self.equations.coordinates), *map(str, self.equations.speeds)]
        given = {n for n, e in system.start.items() if not isinstance(e, Guess)}
        table: list[TouchPlan] = []
        for one in self.contacts:
            rate, *slips = held_labels(one)
            ends = [sum(len(f.rates) for f in one.frictions[:k]) for k in range(len(one.frictions) + 1)]
            table.append(
                {
                    "name": one.law.name,
                    "parts": list(one.law.directions) if one.law.rolls else [],
                    "rolls": one.law.rolls,
                    "lifts": one.law.lifts,
                    "permanent": one.law.permanent,
                    "impact": one.law.impact,
                    "gap": place.get(f"gap of {one.law.name}", -1),
                    "rate": place.get(rate, -1),
                    "loose": [k for k, n in enumerate(state) if one.number in closed and n in _names(one.gap) - given],
                    "slips": [[place[n] for n in slips[low:high]] for low, high in pairwise(ends)],
                    "frictions": [
                        {
                            "kind": f.kind,
                            "size": len(f.rates),
                            "limited": f.static is not None,
                            "direction": state.index(str(one.direction(k)[0])) if len(f.rates) == 2 else -1,
                        }
                        for k, f in enumerate(one.frictions)
                    ],
                }
            )
        return {
            "touches": table,
            "speeds": len(self.base.speeds),
            "own": [k for name, k in place.items() if name in own],
            "power": bool(self.inner.forces),
            "undecided": UNDECIDED,
            "refused": {kind: f"At this impact {words}." for kind, words in REFUSALS.items()},
        }


def _names(e: Expr | None) -> set[str]:
    return set() if e is None else {str(s) for s in e.free_symbols}


def full_start(
    system: System, given: Mapping[str, float] | None = None, parameters: Any = None
) -> tuple[dict[str, float], System]:
    """A full start, and the system whose constraints completed it: contacts that slip or lift need not roll."""
    if not switching(system):
        return complete_state(system, given, parameters), system
    from nonholo.integrate.contacts.contact_motion import contact_problem

    made = contact_problem(system, given, parameters, {}).completed
    if made is None:
        raise ModelError(f"{system.name}: the start was not completed; give every coordinate and velocity.")
    return dict(made.full), made.system


def closed_at_start(system: System) -> list[int]:
    """The contacts that touch at the system's own start."""
    values = {**parameter_values(system, {}), **full_start(system)[0]}
    gaps = {k: law.gap for k, law in enumerate(system.contacts) if law.gap is not None}
    return [k for k, e in zip(gaps, evaluate(list(gaps.values()), values)) if e <= TOUCH]


def page_modes(system: System) -> PageModes:
    """Data of a page for a system whose contacts slip or lift; an error gives the reason when it cannot be solved there."""
    if len(system.contacts) > MOST_TOUCHES:
        raise ModelError(
            f"its {len(system.contacts)} contacts may slip or lift in more combinations than a page tries (at most "
            f"{MOST_TOUCHES} contacts). The film shows the motion recorded when the page was made, with the contacts marked that "
            "slide or are open; for other numbers run nonholo report with --set."
        )
    inner = without_contacts(system)
    if inner.parametric is not None or not constraint_rows(inner).linear:
        raise ModelError(
            "its contacts may slip or lift beside constraints that are not linear in the velocities. The film shows the motion "
            "recorded when the page was made."
        )
    base = bordered(inner)
    contacts = touches(system)
    directions, works = state_of(inner, contacts)
    invariants = dict(base.invariants)
    for one in contacts:
        gap, frictions = rows_of(base, inner, one)
        rate, *slips = held_labels(one)
        if gap is not None and one.gap is not None:
            invariants |= {f"gap of {one.law.name}": one.gap, rate: gap.value}
        invariants |= dict(zip(slips, (row.value for rows in frictions for row in rows)))
    equations = replace(
        base,
        coordinates=(*base.coordinates, *directions),
        kinematics=(*base.kinematics, *[ZERO] * len(directions)),
        speeds=(*base.speeds, *works),
        invariants=FrozenMap(invariants),
    )
    survey = contact_numbers(base, inner, contacts)
    if inner.forces:
        power = se.Add(*(q * v for q, v in zip(force_covector(inner), symbols(inner.velocities))))
        survey += in_speeds(base, inner, [power])
    return PageModes(inner, base, equations, contacts, tuple(survey))
