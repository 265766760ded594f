"""The numbers at one state from which modes are chosen and impacts computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr
from nonholo.derive.contacts.contact_equations import OPEN, STICK, Mode, Row, Touch, in_speeds, rows_of
from nonholo.derive.equations import Equations
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.model.system import System
from nonholo.program.array_types import Array, Mask
from nonholo.program.machine_code import MachineCode, machine_code

Which = np.ndarray[Any, np.dtype[Any]] | None
"""Select some of several states; None adds an axis."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Velocities ``values = slopes z + drift`` and their change ``carry`` at constant speeds."""

    values: Array
    slopes: Array
    carry: Array
    drift: Array
    speeds: Array

    @cached_property
    def scale(self) -> Array:
        """Size of the terms of the velocities: what is below rounding of it is zero."""
        terms = np.abs(self.slopes * self.speeds[..., None, :]).sum(axis=-1) + np.abs(self.drift)
        return np.asarray(terms.max(axis=-1, initial=0.0))


@dataclass(frozen=True, eq=False)
class FrictionNumbers:
    """One friction at a state."""

    rows: Rows
    static: Array
    kinetic: Array


@dataclass(frozen=True, eq=False)
class ContactNumbers:
    """One contact at a state."""

    gap: Array
    row: Rows | None
    load: Array
    frictions: tuple[FrictionNumbers, ...]
    restitution: Array


@dataclass(frozen=True, eq=False)
class ContactState:
    """Mass, force and speeds of the system without its contacts, and every contact, at one state or at several.

    At several states every array has one more axis, the first.
    """

    mass: Array
    force: Array
    speeds: Array
    contacts: tuple[ContactNumbers, ...]
    again: Callable[[Which], ContactState]
    """The numbers of some of the states, or with another axis."""

    def solve(self, sides: Array) -> Array:
        """``M⁻¹`` of columns, at one state."""
        return np.asarray(np.linalg.solve(self.mass, sides), dtype=float)

    @cached_property
    def several(self) -> ContactState:
        """One state as several."""
        return self.again(None)

    def part(self, which: Which) -> ContactState:
        """Some of several states; a number picks one."""
        return self.again(which)


def least_solutions(matrix: Array, side: Array) -> Array:
    """The solutions of linear systems, the least one where a matrix is singular."""
    regular = np.abs(matrix[:, 0, 0]) > 0 if matrix.shape[1] == 1 else _regular(matrix)
    if regular.all():
        return np.asarray(np.linalg.solve(matrix, side[:, :, None])[:, :, 0])
    found = np.empty_like(side)
    found[regular] = np.linalg.solve(matrix[regular], side[regular][:, :, None])[:, :, 0]
    for k in np.flatnonzero(~regular):
        found[k] = np.linalg.lstsq(matrix[k], side[k], rcond=1e-11)[0] if np.all(np.isfinite(matrix[k])) else np.nan
    return found


def _regular(matrix: Array) -> Mask:
    """Which matrices, scaled by their diagonals, have a condition in the maximum norm below 1e11."""
    scale = np.sqrt(np.abs(matrix.diagonal(axis1=1, axis2=2)))
    scale = np.where(scale > 0, scale, 1.0)
    scaled = matrix / (scale[:, :, None] * scale[:, None, :])
    try:
        inverse = np.linalg.inv(scaled)
    except np.linalg.LinAlgError:  # one of them is singular, to the last bit
        with np.errstate(all="ignore"):
            return np.asarray(np.linalg.cond(scaled, np.inf) < 1e11)
    return np.asarray(np.abs(scaled).sum(axis=2).max(axis=1) * np.abs(inverse).sum(axis=2).max(axis=1) < 1e11)


def drifting_velocities(rows: Rows) -> Mask:
    """At which states velocities that a mode holds at zero are farther from it than rounding, which steps remove."""
    return np.asarray((np.abs(rows.values) > 1e-13 * rows.scale[:, None]).any(axis=1))


def impulsively_stopped(state: ContactState, rows: Sequence[Rows]) -> tuple[Array, list[Array]]:
    """The speeds at several states after impulses on these rows have stopped them, and the energy that each takes."""
    if not rows:
        return state.speeds, []
    table = np.concatenate([one.slopes for one in rows], axis=1)
    values = np.concatenate([one.values for one in rows], axis=1)
    columns = np.linalg.solve(state.mass, np.swapaxes(table, 1, 2))
    pushes = least_solutions(table @ columns, -values)
    lost = np.split(-pushes * values / 2, np.cumsum([one.values.shape[1] for one in rows])[:-1], axis=1)
    return state.speeds + (columns @ pushes[:, :, None])[:, :, 0], [np.sum(one, axis=1) for one in lost]


def held_rows(state: ContactState, mode: Mode) -> list[tuple[int, Rows]]:
    """The rows that a mode holds at zero, with their contacts."""
    parts: list[tuple[int, Rows]] = []
    for k, (contact, acting) in enumerate(zip(state.contacts, mode)):
        if acting != (OPEN,):
            parts += [(k, contact.row)] if contact.row is not None else []
            parts += [(k, f.rows) for f, how in zip(contact.frictions, acting) if how == STICK]
    return parts


def rank_deficient(state: ContactState, mode: Mode) -> Mask:
    """At which of several states the rows that a mode holds depend on each other."""
    rows = [one.slopes for _, one in held_rows(state, mode)]
    if len(rows) < 2:
        return np.zeros(len(state.force), dtype=bool)
    table = np.concatenate(rows, axis=1)
    lengths = np.linalg.norm(table, axis=2)[:, :, None]
    return np.asarray(np.linalg.matrix_rank(table / np.where(lengths > 0, lengths, 1.0), tol=1e-9) < table.shape[1])


def coefficients(one: Touch, numbers: ContactNumbers) -> dict[str, float]:
    """The coefficients of a contact at a state, named as in `ContactLaw.numbers`."""
    found: dict[str, float] = {}
    for friction, here in zip(one.frictions, numbers.frictions):
        if friction.kind != "slip":
            found[friction.kind] = float(here.kinetic)
            continue
        found |= {"static friction": float(here.static)} if np.isfinite(here.static) else {}
        found |= {"kinetic friction": float(here.kinetic)} if one.law.kinetic is not None else {}
    found |= {"restitution": float(numbers.restitution)} if one.law.restitution is not None else {}
    return found | ({"load": float(numbers.load)} if one.load is not None else {})


def contact_numbers(equations: Equations, system: System, contacts: Sequence[Touch]) -> list[Expr]:
    """What decisions and impacts need of each contact: gap and its row, load, restitution, rows and coefficients of frictions.

    A row is value, drift, carry and slopes; what a contact has no number for is zero.
    """
    exprs: list[Expr] = []

    def add(row: Row) -> None:
        exprs.extend((row.value, row.drift, row.carry, *row.slopes))

    for one in contacts:
        gap, frictions = rows_of(equations, system, one)
        exprs.append(one.gap if one.gap is not None else ZERO)
        if gap is not None:
            add(gap)
        numbers = [one.load, one.law.restitution]
        exprs.extend(in_speeds(equations, system, [e if e is not None else ZERO for e in numbers]))
        for friction, parts in zip(one.frictions, frictions):
            for part in parts:
                add(part)
            static = friction.static if friction.static is not None else ZERO
            exprs.extend(in_speeds(equations, system, [static, friction.kinetic]))
    return exprs


class ContactCode:
    """Machine code of all numbers of `ContactState` in one frame."""

    def __init__(self, kernel: SystemKernel, system: System, contacts: Sequence[Touch]) -> None:
        equations = kernel.equations
        self.count = len(equations.speeds)
        self.first = 1 + len(equations.coordinates)
        self.shape = [tuple(len(f.rates) for f in one.frictions) for one in contacts]
        exprs = [*(e for row in equations.mass for e in row), *equations.force, *contact_numbers(equations, system, contacts)]
        self.limited = [tuple(f.static is not None for f in one.frictions) for one in contacts]
        self.gaps = [one.gap is not None for one in contacts]
        self.code: MachineCode = machine_code(kernel.symbols, exprs, f"{equations.name}: contacts", 0)

    def __call__(self, row: Array) -> ContactState:
        """The numbers at an input vector of the equations without contacts."""
        return self._numbers(self.code(row), row[self.first : self.first + self.count].copy())

    def rows(self, rows: Array) -> ContactState:
        """The numbers at several input vectors."""
        return self._numbers(on_rows(self.code, rows), rows[:, self.first : self.first + self.count])

    def _numbers(self, found: Array, speeds: Array) -> ContactState:
        n, lead = self.count, found.shape[:-1]

        def rows(first: int, size: int) -> Rows:
            block = found[..., first : first + size * (3 + n)].reshape((*lead, size, 3 + n))
            return Rows(block[..., 0], block[..., 3:], block[..., 2], block[..., 1], speeds)

        mass, force, place = found[..., : n * n].reshape((*lead, n, n)), found[..., n * n : n * n + n], n * n + n
        contacts = []
        for has_gap, sizes, limited in zip(self.gaps, self.shape, self.limited):
            gap = found[..., place]
            row = rows(place + 1, 1) if has_gap else None
            place += 1 + has_gap * (3 + n)
            load, restitution = found[..., place], found[..., place + 1]
            place += 2
            frictions = []
            for size, limit in zip(sizes, limited):
                part = rows(place, size)
                place += size * (3 + n)
                static = found[..., place] if limit else np.full(lead, np.inf)
                frictions.append(FrictionNumbers(part, static, found[..., place + 1]))
                place += 2
            contacts.append(ContactNumbers(gap, row, load, tuple(frictions), restitution))
        return ContactState(mass, force, speeds, tuple(contacts), lambda which: self._numbers(found[which], speeds[which]))
