"""Equations of motion in every mode of a system's contacts, derived and compiled at first use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import symengine as se

from nonholo.algebra.cache import Cache, WeakCache
from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.numeric_functions import Formulas
from nonholo.compile.kernel import compile_equations, with_unknowns
from nonholo.derive.contacts.contact_equations import (
    AGAINST,
    ALONG,
    FIXED,
    FREE,
    OPEN,
    STICK,
    WORK_OF_FORCES,
    Mode,
    Touch,
    friction_force,
    in_speeds,
    mode_equations,
    rows_of,
    touches,
)
from nonholo.derive.equations import Equations
from nonholo.derive.states.consistent_state import completed, completed_coordinates
from nonholo.errors import ModelError, StateError
from nonholo.integrate.contacts.contact_state import ContactCode
from nonholo.integrate.motion.formulation import Formulation, formulation_of
from nonholo.integrate.motion.integration import Event
from nonholo.integrate.motion.system_kernel import SystemKernel, fields_of
from nonholo.model.contact_reading import own_rows
from nonholo.model.contacts import CONTACT_WORDS, ContactLaw
from nonholo.model.system import System, resolve, varied
from nonholo.model.system_structure import bare, structure
from nonholo.program.machine_code import MachineCode, machine_code

TOUCH = 1e-10
"""A gap below this is closed, in metres."""
BAND = 1e-13
"""Witnesses are watched this far beyond zero, so that one that begins there by rounding is none."""


COLUMNS = 19
"""Numbers of each contact in `ModeKernel.contact_code`."""


@dataclass(frozen=True)
class Witness:
    """An event at which a mode may end: of which contact and friction, and what happens there."""

    kind: str
    contact: int
    friction: int = -1


def without_contacts(system: System) -> System:
    """The system in which every contact is open."""
    constraints, holonomic = own_rows(system)
    return varied(system, constraints=constraints, holonomic=holonomic, contacts=())


def speaks_of_contacts(text: object) -> bool:
    """Whether a text uses forces, slips or gaps of contacts by name.

    >>> speaks_of_contacts("normal(front wheel) - 3"), speaks_of_contacts("sin(x)")
    (True, False)
    """
    return isinstance(text, str) and CONTACT_WORDS.search(text) is not None


def without_contact_words(text: Any, names: Sequence[str], where: str) -> Any:
    """The text with a number in the place of each force, slip or gap of a contact; a name that no contact has is refused."""

    def number(found: re.Match[str]) -> str:
        if found[2].strip() not in names:
            raise StateError(f"{where}: no contact is called {found[2].strip()!r}; the contacts are {', '.join(names)}.")
        return "1"

    return CONTACT_WORDS.sub(number, text) if isinstance(text, str) else text


@dataclass(frozen=True, eq=False)
class ModeKernel(SystemKernel):
    """The kernel of one mode of the contacts; it knows their forces, slips and gaps by name. Made by `mode_kernel`."""

    contacts: tuple[Touch, ...] = ()
    mode: Mode = ()

    @cached_property
    def forces(self) -> dict[str, Expr]:
        """What texts call ``normal(floor)``, ``along(floor)``, ``ratio(floor)``, ``slip(floor)``, …, in state and unknowns."""
        found: dict[str, Expr] = {}
        for k, one in enumerate(self.contacts):
            normal, first, second, along, across, gap = self._contact_expressions[COLUMNS * k : COLUMNS * k + 6]
            found[f"normal({one.law.name})"] = normal
            sideways = len(one.law.slip) == 1 and bool(one.law.across) and not one.law.along
            found[f"along({one.law.name})"], found[f"across({one.law.name})"] = (second, first) if sideways else (first, second)
            found[f"ratio({one.law.name})"] = se.sqrt(first**2 + second**2) / normal if normal != 0 else ZERO
            found[f"slip({one.law.name})"] = se.sqrt(along**2 + across**2) if across != 0 else abs(along)
            found[f"gap({one.law.name})"] = gap
        return found

    def expression(self, text: Any, where: str, more: Mapping[str, Expr] = FrozenMap()) -> Expr:
        """As of any equations; forces, slips and gaps of contacts are known too."""
        if not isinstance(text, str) or not speaks_of_contacts(text):
            return super().expression(text, where, more)
        without_contact_words(text, [one.law.name for one in self.contacts], where)
        names: dict[str, Expr] = dict(more)

        def put(found: re.Match[str]) -> str:
            names[f"_said_{len(names)}"] = self.forces[f"{found[1]}({found[2].strip()})"]
            return f"_said_{len(names) - 1}"

        return super().expression(CONTACT_WORDS.sub(put, text), where, names)

    def code(self, texts: Sequence[Any], where: str) -> MachineCode:
        """Machine code of some expressions, in any names of the system and of its contacts."""
        exprs = [self.expression(e, f"{where} {e}") for e in texts]
        return self._codes.get((*map(str, texts), where), lambda: self._solved_code(exprs, where))

    def _solved_code(self, exprs: Sequence[Expr], where: str) -> MachineCode:
        if not self.equations.unknowns:
            return machine_code(self.symbols, exprs, where, 0)
        return with_unknowns(self.equations, self.symbols, exprs, where, 0)

    @cached_property
    def contact_code(self) -> MachineCode:
        """Normal force, tangential forces, slips, gap, friction, place and axes of every contact, `COLUMNS` numbers each."""
        return self._solved_code(self._contact_expressions, f"{self.equations.name}: forces of contacts")

    @cached_property
    def _contact_expressions(self) -> list[Expr]:
        exprs: list[Expr] = []
        equations, inner = self.equations, self.system
        if inner is None:
            raise StateError(f"{equations.name}: equations without a system have no contacts.")
        for one, acting in zip(self.contacts, self.mode):
            normal, forces, slips, friction = ZERO, [ZERO, ZERO], [ZERO, ZERO], one.law.kinetic
            if acting != (OPEN,):
                normal = one.pressure(equations, inner)
            if one.law.rolls:
                _, frictions = rows_of(equations, inner, one)
                values = [row.value for row in frictions[0]]
                slips[: len(values)] = values
                friction = one.law.static if acting[0] == STICK else one.law.kinetic
                if acting != (OPEN,):
                    forces[: len(values)] = friction_force(one, 0, acting[0], frictions[0], normal, equations, inner)
            exprs += [normal, *forces, *slips, one.gap if one.gap is not None else ZERO]
            exprs += in_speeds(equations, inner, resolve(inner, [friction if friction is not None else ZERO]))
            for vector in (one.law.point, *one.law.axes):
                exprs += in_speeds(equations, inner, resolve(inner, vector)) or (ZERO,) * 3
        return exprs

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return mode_kernel, (self.equations, self.system, self.laws, self.guard, self.contacts, self.mode)


def mode_kernel(
    equations: Equations, system: System | None, laws: Mapping[str, Expr], guard: tuple[Expr, ...],
    contacts: tuple[Touch, ...], mode: Mode,
) -> ModeKernel:  # fmt: skip
    """Compile the equations of one mode of the contacts."""
    plain = fields_of(compile_equations(equations, conditions=guard))
    kinds = {str(s): "work" for one in contacts for s in (one.dissipated, one.work)} | {str(WORK_OF_FORCES): "work"}
    return ModeKernel(**plain, system=system, laws=FrozenMap(dict(laws)), kinds=kinds, contacts=contacts, mode=mode)


class ContactFormulation:
    """A system with contacts that slip or lift: its formulation without contacts, and the kernels of every mode met so far."""

    def __init__(self, system: System, laws: Mapping[str, Expr], regular: float = 0.0) -> None:
        self.system, self.regular = bare(system), regular
        self.inner = without_contacts(self.system)
        self.formulation: Formulation = formulation_of(self.inner, laws)
        self.contacts: tuple[Touch, ...] = touches(self.system, regular)
        self._starts: Cache[System] = Cache(32)
        self._surveys: WeakCache[ContactCode] = WeakCache(16)
        self._modes: WeakCache[Cache[ModeKernel]] = WeakCache(16)
        self._witnesses: WeakCache[Cache[tuple[list[Witness], list[Event]]]] = WeakCache(16)
        if any(law.gap is None and law.load is None and law.slips for law in self.system.contacts):
            raise ModelError(f"{system.name}: a contact that slips needs a gap or a load.")

    def survey(self, base: SystemKernel) -> ContactCode:
        """The numbers of the contacts in one frame."""
        return self._surveys.get(base, lambda: ContactCode(base, self.inner, self.contacts))

    def kernel(self, base: SystemKernel, mode: Mode, redundant: bool) -> ModeKernel:
        """The equations of a mode in the frame of ``base``."""
        if not base.equations.symmetric:
            raise StateError(
                f"{self.system.name}: contacts change their modes only beside constraints that are linear in the velocities."
            )

        def made() -> ModeKernel:
            equations = mode_equations(base.equations, self.inner, self.contacts, mode, redundant)
            return mode_kernel(equations, self.inner, base.laws, base.guard, self.contacts, mode)

        return self._modes.get(base, lambda: Cache(256)).get((mode, redundant), made)

    def witnesses(self, base: SystemKernel, mode: Mode, near: float) -> tuple[list[Witness], list[Event]]:
        """The events at which a mode may end, in the equations' own names and unknowns; ``near`` is a slow slip in the plane."""
        return self._witnesses.get(base, lambda: Cache(256)).get((mode, near), lambda: self._made(base, mode, near))

    def _made(self, base: SystemKernel, mode: Mode, near: float) -> tuple[list[Witness], list[Event]]:
        found: list[Witness] = []
        events: list[Event] = []

        def watch(kind: str, expression: Expr, contact: int, friction: int = -1) -> None:
            found.append(Witness(kind, contact, friction))
            events.append(Event(expression, -1, 1))

        equations = base.equations
        for one, acting in zip(self.contacts, mode):
            k = one.number
            if acting == (OPEN,):
                if one.gap is not None:
                    watch("gap", one.gap + BAND, k)
                continue
            if one.law.lifts:
                watch("normal", one.normal + BAND, k)
            load = one.pressure(equations, self.inner)
            _, frictions = rows_of(equations, self.inner, one)
            for f, (friction, how, rows) in enumerate(zip(one.frictions, acting, frictions)):
                if how == STICK and friction.static is not None:
                    (most,) = in_speeds(equations, self.inner, [friction.static])
                    size = se.sqrt(se.Add(*(e**2 for e in one.forces(f)))) if len(rows) > 1 else abs(one.forces(f)[0])
                    watch("cone", most * load * (1 + 1e-12) - size + BAND, k, f)
                elif how in (ALONG, AGAINST):
                    watch("slip", (rows[0].value if how == ALONG else -rows[0].value) + BAND, k, f)
                elif how == FIXED:
                    speed = se.Add(*(c * row.value for c, row in zip(one.direction(f), rows)))
                    watch("slip", speed + BAND, k, f)
                    watch("grown", 2 * near - speed, k, f)
                elif how == FREE:
                    watch("near", se.Add(*(row.value**2 for row in rows)) - near**2, k, f)
        return found, events

    def _held(self, rolling: Sequence[ContactLaw], gaps: tuple[Expr, ...]) -> System:
        """The system with some contacts rolling and some gaps closed, to complete starts by."""
        rows = tuple(e for law in rolling for e in law.slip if e in self.system.constraints)  # none that depend on others
        if not rows and not gaps:
            return self.inner
        words = {"constraints": (*self.inner.constraints, *rows), "holonomic": (*self.inner.holonomic, *gaps)}
        return self._starts.get((rows, gaps), lambda: varied(self.inner, **words))

    def start(self, given: Mapping[str, float], parameters: Mapping[str, float]) -> tuple[dict[str, float], System]:
        """A full start, and the system by which it was completed.

        Gaps that would be negative are closed, and stay closed where the given velocities allow it.
        """
        for held in self.held_systems(given, parameters):
            try:
                found = completed(held, given, parameters)
            except (StateError, ModelError):
                continue
            if self.depth({**parameters, **found}) < TOUCH:
                return found, held
        plain = self._held(self._always, ())
        first = completed(plain, given, parameters)
        depth = self.depth({**parameters, **first})
        if depth > TOUCH:
            raise StateError(
                f"{self.system.name}: the start is {depth:.3g} m inside the ground (a gap is negative); move it out, or leave "
                "out the coordinate that shall follow from the contact."
            )
        return first, plain

    @property
    def _always(self) -> list[ContactLaw]:
        return [law for law in self.system.contacts if law.rolls and not law.slips and not law.lifts]

    def depth(self, values: Mapping[str, float]) -> float:
        """How deep the deepest contact is in the ground."""
        return max((-e for e in self._gaps.at(values).tolist()), default=0.0)

    @cached_property
    def _gaps(self) -> Formulas:
        gaps = [law.gap for law in self.system.contacts if law.gap is not None]
        return Formulas(sorted({str(s) for e in gaps for s in e.free_symbols}), gaps)

    def held_systems(self, given: Mapping[str, float], parameters: Mapping[str, float]) -> Iterator[System]:
        """The systems by which a start may be completed, with as many gaps closed as possible first."""
        laws, always = self.system.contacts, self._always
        touching = [law for law in laws if law.gap is not None]
        if any(law.lifts for law in laws):
            values = {**parameters, **completed_coordinates(self._held(always, ()), given, parameters)}
            touching = [law for law, gap in zip(touching, self._gaps.at(values).tolist()) if gap <= TOUCH]
        closed = [law.gap for law in touching if law.gap is not None]
        rolling = [law for law in touching if law.rolls and not law.slips and law not in always]
        for size in range(len(closed), 0, -1):
            for kept in combinations(closed, size):
                yield self._held([*always, *rolling], kept)
        yield self._held(always, ())


NEAR = 1e-7
"""Slips in the plane below this, in m/s, are taken to zero along their direction."""
NEAR_WITH_TANGENTS = 2e-5
"""The same for motions with tangents, in whose rates rounding is divided by the square of the slip."""


_CORES: Cache[ContactFormulation] = Cache(32)


def contact_formulation(system: System, laws: Mapping[str, Expr], regular: float = 0.0) -> ContactFormulation:
    """The cached formulation of a system with contacts whose feedback ``laws`` have been put in."""
    return _CORES.get((structure(system), tuple(laws.items()), regular), lambda: ContactFormulation(system, laws, regular))
