"""The numbers at one state from which modes are chosen and impacts computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr
from nonholo.derive.contacts.contact_equations import Row, Touch, in_speeds, rows_of
from nonholo.integrate.motion.compiled_equations import Derived
from nonholo.model.system import System
from nonholo.program.machine_code import MachineCode, machine_code

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Rows:
    """Velocities ``values = slopes z + drift`` and their change ``carry`` at constant speeds."""

    values: Array
    slopes: Array
    carry: Array
    scale: float
    """Size of the terms of the velocities: what is below rounding of it is zero."""


@dataclass(frozen=True, eq=False)
class FrictionNumbers:
    """One friction at a state."""

    rows: Rows
    static: float
    kinetic: float


@dataclass(frozen=True, eq=False)
class ContactNumbers:
    """One contact at a state."""

    gap: float
    row: Rows | None
    load: float
    frictions: tuple[FrictionNumbers, ...]
    restitution: float


@dataclass(frozen=True, eq=False)
class ContactState:
    """Mass, force and speeds of the system without its contacts, and every contact, at one state."""

    time: float
    mass: Array
    force: Array
    speeds: Array
    contacts: tuple[ContactNumbers, ...]

    def solve(self, sides: Array) -> Array:
        """``M⁻¹`` of columns."""
        return np.asarray(np.linalg.solve(self.mass, sides), dtype=float)


def coefficients(one: Touch, numbers: ContactNumbers) -> dict[str, float]:
    """The coefficients of a contact at a state, named as in `ContactLaw.numbers`."""
    found: dict[str, float] = {}
    for friction, here in zip(one.frictions, numbers.frictions):
        if friction.kind != "slip":
            found[friction.kind] = here.kinetic
            continue
        found |= {"static friction": here.static} if np.isfinite(here.static) else {}
        found |= {"kinetic friction": here.kinetic} if one.law.kinetic is not None else {}
    found |= {"restitution": numbers.restitution} if one.law.restitution is not None else {}
    return found | ({"load": numbers.load} if one.load is not None else {})


class Surveyor:
    """Machine code of all numbers of `ContactState` in one frame."""

    def __init__(self, derived: Derived, system: System, contacts: Sequence[Touch]) -> None:
        equations = derived.equations
        self.count = len(equations.speeds)
        self.first = 1 + len(equations.coordinates)
        self.shape = [tuple(len(f.rates) for f in one.frictions) for one in contacts]
        exprs: list[Expr] = [*(e for row in equations.mass for e in row), *equations.force]
        self.limited: list[tuple[bool, ...]] = []

        def add(row: Row) -> None:
            exprs.extend((row.value, row.drift, row.carry, *row.slopes))

        for one in contacts:
            gap, frictions = rows_of(equations, system, one)
            exprs.append(one.gap if one.gap is not None else ZERO)
            if gap is not None:
                add(gap)
            exprs.extend(in_speeds(equations, system, [one.load if one.load is not None else ZERO]))
            restitution = one.law.restitution
            exprs.extend(in_speeds(equations, system, [restitution if restitution is not None else ZERO]))
            for friction, parts in zip(one.frictions, frictions):
                for part in parts:
                    add(part)
                static = friction.static if friction.static is not None else ZERO
                exprs.extend(in_speeds(equations, system, [static, friction.kinetic]))
            self.limited.append(tuple(f.static is not None for f in one.frictions))
        self.gaps = [one.gap is not None for one in contacts]
        self.code: MachineCode = machine_code(derived.symbols, exprs, f"{equations.name}: contacts", 0)

    def __call__(self, row: Array) -> ContactState:
        """The numbers at an input vector of the equations without contacts."""
        n = self.count
        numbers = iter(self.code(row).tolist())
        speeds = row[self.first : self.first + n]

        def take(size: int) -> list[float]:
            return [next(numbers) for _ in range(size)]

        def rows(size: int) -> Rows:
            parts = [take(3 + n) for _ in range(size)]
            slopes = np.array([p[3:] for p in parts]).reshape(size, n)
            scale = max((float(np.sum(np.abs(s * speeds))) + abs(p[1]) for s, p in zip(slopes, parts)), default=0.0)
            return Rows(np.array([p[0] for p in parts]), slopes, np.array([p[2] for p in parts]), scale)

        mass, force = np.array(take(n * n)).reshape(n, n), np.array(take(n))
        found = []
        for has_gap, sizes, limited in zip(self.gaps, self.shape, self.limited):
            (gap,) = take(1)
            row_ = rows(1) if has_gap else None
            load, restitution = take(2)
            frictions = []
            for size, limit in zip(sizes, limited):
                part = rows(size)
                static, kinetic = take(2)
                frictions.append(FrictionNumbers(part, static if limit else np.inf, kinetic))
            found.append(ContactNumbers(gap, row_, load, tuple(frictions), restitution))
        return ContactState(float(row[0]), mass, force, speeds.copy(), tuple(found))
