"""Equations of a system in one mode of its contacts: each rolls, slides or is open.

A closed contact has a normal force ``N`` that keeps its gap; a sliding one moreover the tangential force ``−μ N u/|u|``, so that
with ``g`` the slopes of the gap and ``S`` those of the slips

    M ż = F + Σ (g − μ Sᵀ u/|u|) N + Σ Sᵀ λ,    g ż = −ġ…,    S ż = −Ṡ…   (rolling)

is solved together for accelerations and forces; sliding makes it unsymmetric.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, gradient, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.kinks import smooth
from nonholo.derive.equations import Equations
from nonholo.model.contacts import ContactLaw
from nonholo.model.system import TIME, System, force_covector, resolve

OPEN = "open"
STICK, ALONG, AGAINST, FREE, FIXED, SMOOTH = "stick", "+", "-", "free", "fixed", "smooth"
"""How one friction of a closed contact acts: it holds; it resists a single slip of this sign; it resists slip in the plane, whose
direction is that of the velocity or, where that vanishes, fixed in the state; it is regularised, ``u/√(u² + ε²)``."""
Acting = tuple[str, ...]
"""The frictions of a closed contact, or (OPEN,)."""
Mode = tuple[Acting, ...]
"""For each contact how it acts."""


@dataclass(frozen=True)
class Friction:
    """One friction of a contact: against slip, drilling or rolling; its ``rates`` are velocities in ``(x, v, t)``."""

    contact: int
    kind: str
    rates: tuple[Expr, ...]
    static: Expr | None
    """Greatest force in parts of the normal force while it holds; None for no limit."""
    kinetic: Expr


@dataclass(frozen=True)
class Touch:
    """A contact in the frame of a system: gap, its load where there is no gap, its frictions, and where its work is counted."""

    law: ContactLaw
    number: int
    gap: Expr | None
    load: Expr | None
    frictions: tuple[Friction, ...]
    moving: bool
    """Whether the ground moves, so that forces of the contact do work that is not dissipated."""
    regular: float = 0.0
    """The velocity ``ε`` of a regularised law; zero for Coulomb's."""

    @property
    def label(self) -> str:
        """The name as part of names of quantities."""
        return "".join(c if c.isalnum() else "_" for c in self.law.name)

    @property
    def normal(self) -> Symbol:
        """The unknown normal force."""
        return symbol(f"_normal_{self.number}")

    def pressure(self, equations: Equations, system: System) -> Expr:
        """The normal force of the closed contact: unknown, or its load; nothing is known of it where there is neither."""
        if self.gap is None and self.load is None:
            return ZERO
        return self.normal if self.load is None else in_speeds(equations, system, [self.load])[0]

    def forces(self, friction: int) -> tuple[Symbol, ...]:
        """The unknown forces of a friction that holds."""
        return symbols(f"_force_{self.number}_{friction}_{i}" for i in range(len(self.frictions[friction].rates)))

    def direction(self, friction: int) -> tuple[Symbol, ...]:
        """The state variables with the direction of a slip in the plane."""
        return symbols(f"_direction_{self.number}_{friction}_{i}" for i in range(2))

    @property
    def dissipated(self) -> Symbol:
        """The work that the contact has dissipated."""
        return symbol(f"dissipated_{self.label}")

    @property
    def work(self) -> Symbol:
        """The work that a moving ground has done through the contact."""
        return symbol(f"work_{self.label}" if self.moving else f"_work_{self.number}")


def touches(system: System, regular: float = 0.0) -> tuple[Touch, ...]:
    """The contacts of a system in its frame; ``regular`` is the velocity of a regularised law."""
    found = []
    for k, law in enumerate(system.contacts):
        where = f"{system.name}: contact {law.name}"

        def read(e: Expr, where: str = where) -> Expr:
            return resolve(system, [e], where)[0]

        frictions = []
        if law.rolls:
            static = None if law.static is None or not law.slips else read(law.static)
            kinetic = ZERO if law.kinetic is None else read(law.kinetic)
            frictions.append(Friction(k, "slip", tuple(map(read, law.slip)), static, kinetic))
        for kind, one in (("spin", law.spin), ("rolling", law.rolling)):
            if one is not None:
                size = read(one.coefficient)
                frictions.append(Friction(k, kind, tuple(map(read, one.rates)), size, size))
        load = None if law.load is None else read(law.load)
        rates = [e for f in frictions for e in f.rates]
        moving = any(e != 0 for e in substitute(rates, dict.fromkeys(symbols(system.velocities), ZERO)))
        moving = moving or (law.gap is not None and TIME in law.gap.free_symbols)
        gap = None if law.gap is None else smooth(law.gap, where)
        found.append(Touch(law, k, gap, load, tuple(frictions), moving, regular))
    return tuple(found)


WORK_OF_FORCES = symbol("work_forces")


def state_of(system: System, contacts: Sequence[Touch]) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]]:
    """What every mode adds to the state: directions of slips in the plane (coordinates), works (speeds).

    The works are those of the contacts, two each, and that of the applied forces where there are any.
    """
    directions = tuple(
        s for one in contacts for k, f in enumerate(one.frictions) if len(f.rates) == 2 for s in one.direction(k)
    )
    works = tuple(s for one in contacts for s in (one.dissipated, one.work))
    return directions, (*works, WORK_OF_FORCES) if system.forces else works


@dataclass(frozen=True)
class Row:
    """A velocity ``slopes · z + drift`` in the speeds of some equations, and how it changes when they do not."""

    value: Expr
    slopes: tuple[Expr, ...]
    drift: Expr
    carry: Expr


def row_of(equations: Equations, value: Expr) -> Row:
    """A velocity in ``(x, z, t)`` as a row."""
    motion = {**dict(zip(equations.coordinates, equations.kinematics)), TIME: ONE}
    slopes = gradient(value, equations.speeds)
    (drift,) = substitute([value], dict.fromkeys(equations.speeds, ZERO))
    (carry,) = along([value], {**motion, **dict.fromkeys(equations.speeds, ZERO)})
    return Row(value, slopes, drift, carry)


def rows_of(equations: Equations, system: System, one: Touch) -> tuple[Row | None, tuple[tuple[Row, ...], ...]]:
    """The rows of a contact: of its gap, and of each friction."""
    motion = {**dict(zip(equations.coordinates, equations.kinematics)), TIME: ONE}
    gap = row_of(equations, along([one.gap], motion)[0]) if one.gap is not None else None
    return gap, tuple(tuple(row_of(equations, e) for e in in_speeds(equations, system, f.rates)) for f in one.frictions)


def in_speeds(equations: Equations, system: System, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
    """Expressions in the velocities of the frame as expressions in the speeds of the equations."""
    own = {str(s) for s in equations.speeds}
    table = {symbol(v): equations.outputs[v] for v in system.velocities if v not in own}
    return substitute(exprs, table)


def mode_equations(equations: Equations, system: System, contacts: Sequence[Touch], mode: Mode, redundant: bool) -> Equations:
    """The equations of a mode, from those of the system without its contacts.

    The state is the same in every mode: coordinates, directions of slips in the plane, speeds, works. Gaps and slips that
    are held are invariants.
    """
    directions, works = state_of(system, contacts)
    speeds = (*equations.speeds, *works)
    count = len(equations.speeds)
    force = [*equations.force, *[ZERO] * len(works)]
    if system.forces:
        power = se.Add(*(q * v for q, v in zip(force_covector(system), symbols(system.velocities))))
        (force[-1],) = in_speeds(equations, system, [power])
    unknowns: list[Symbol] = []
    columns: list[list[Expr]] = []
    rows: list[tuple[Expr, ...]] = []
    sides: list[Expr] = []
    invariants = dict(equations.invariants)

    def hold(name: Symbol, row: Row, column: list[Expr], label: str) -> None:
        unknowns.append(name)
        columns.append(column)
        rows.append((*row.slopes, *[ZERO] * len(works)))
        sides.append(-row.carry)
        invariants[label] = row.value

    for one, acting in zip(contacts, mode):
        if acting == (OPEN,):
            continue
        lost, gained = count + 2 * one.number, count + 2 * one.number + 1
        gap, frictions = rows_of(equations, system, one)
        column = [*(gap.slopes if gap is not None else [ZERO] * count), *[ZERO] * len(works)]
        if gap is not None:
            column[gained] -= gap.drift
        held: list[tuple[Symbol, Row]] = []
        for k, (friction, state, parts) in enumerate(zip(one.frictions, acting, frictions)):
            if state == STICK:
                held += zip(one.forces(k), parts)
                continue
            (size,) = in_speeds(equations, system, [friction.kinetic])
            for part, share in zip(parts, _direction(one, k, state, parts)):
                for i, slope in enumerate(part.slopes):
                    column[i] -= size * share * slope
                column[lost] += size * share * part.value
                column[gained] += size * share * part.drift
        if gap is not None and one.gap is not None:
            hold(one.normal, gap, column, held_labels(one)[0])
            invariants[f"gap of {one.law.name}"] = one.gap
        elif one.load is not None:
            (load,) = in_speeds(equations, system, [one.load])
            force = [f + load * e for f, e in zip(force, column)]
        for i, (name, row) in enumerate(held):
            pushed = [*row.slopes, *[ZERO] * len(works)]
            pushed[gained] -= row.drift
            hold(name, row, pushed, held_labels(one)[1 + i])
    extra = len(works)
    mass = [(*row, *[ZERO] * extra) for row in equations.mass]
    mass += [tuple(ONE if j == count + i else ZERO for j in range(count + extra)) for i in range(extra)]
    whole = [(*row, *(-column[i] for column in columns)) for i, row in enumerate(mass)]
    whole += [(*row, *[ZERO] * len(unknowns)) for row in rows]
    return replace(
        equations,
        origin="contact mode",
        coordinates=(*equations.coordinates, *directions),
        speeds=speeds,
        kinematics=(*equations.kinematics, *[ZERO] * len(directions)),
        mass=tuple(whole),
        force=(*force, *sides),
        unknowns=tuple(unknowns),
        symmetric=not unknowns,
        saddle=("redundant" if redundant else "positive") if unknowns else "",
        invariants=FrozenMap(invariants),
        covectors=None,
        system=None,
    )


def held_labels(one: Touch) -> tuple[str, ...]:
    """What velocities that a contact holds are called among the invariants: its gap rate, then slips."""
    slips = sum(len(f.rates) for f in one.frictions)
    return (f"gap rate of {one.law.name}", *(f"slip {i + 1} of {one.law.name}" for i in range(slips)))


def _direction(one: Touch, friction: int, state: str, parts: Sequence[Row]) -> tuple[Expr, ...]:
    """The direction of a slip, of length one."""
    if state == FIXED:
        return one.direction(friction)
    if state in (ALONG, AGAINST):
        return (ONE if state == ALONG else -ONE,)
    soft = [se.RealDouble(one.regular**2)] if state == SMOOTH else []
    speed = se.sqrt(se.Add(*soft, *(part.value**2 for part in parts)))
    return tuple(part.value / speed for part in parts)


def friction_force(
    one: Touch, friction: int, state: str, parts: Sequence[Row], normal: Expr, equations: Equations, system: System
) -> tuple[Expr, ...]:
    """The force of a friction of a closed contact along its rates."""
    if state == STICK:
        return one.forces(friction)
    (size,) = in_speeds(equations, system, [one.frictions[friction].kinetic])
    return tuple(-size * normal * share for share in _direction(one, friction, state, parts))


def word(one: Touch, acting: Acting) -> str:
    """How a contact is called: rolling, sliding or open."""
    if acting == (OPEN,):
        return OPEN
    return "rolling" if one.law.rolls and acting[0] == STICK else "sliding"


def changed_words(contacts: Sequence[Touch], old: Mode, new: Mode) -> list[tuple[int, str, str, str]]:
    """What changes from one mode to another: contact, before, after, and which friction where it is not the slip itself."""
    found: list[tuple[int, str, str, str]] = []
    for one, a, b in zip(contacts, old, new):
        before, after = word(one, a), word(one, b)
        if before != after:
            found.append((one.number, before, after, ""))
        for f, friction in enumerate(one.frictions if (OPEN,) not in (a, b) else ()):
            if friction.kind != "slip" and (a[f] == STICK) != (b[f] == STICK):
                words = ("held", "turning") if a[f] == STICK else ("turning", "held")
                found.append((one.number, *words, f" ({friction.kind})"))
            elif before == after == "sliding" and friction.kind == "slip" and {a[f], b[f]} == {ALONG, AGAINST}:
                found.append((one.number, before, after, ""))
    return found
