"""Symbolic part of completing starts, cached for all starts with the same names."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import gradient, jacobian, symbol, symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.numeric_functions import Formulas
from nonholo.derive.hamel import kinetic_metric
from nonholo.errors import ModelError
from nonholo.model.system import System, resolve
from nonholo.model.system_structure import bare, structure
from nonholo.model.velocities.admissible import Rows, admissible, constraint_rows, dependent_names

TOLERANCE = 1e-9
LEAST_PIVOT = 1e-6
"""A matrix nearer to a singular one (by its condition) is solved by least squares."""


class Completion:
    """Formulas of one system for starts that give these velocities; each is read when it is first needed.

    ``base`` names what velocities follow from: time, inputs, coordinates and parameters.
    """

    def __init__(self, system: System, given: Sequence[str]) -> None:
        self.system, self.given = system, tuple(given)
        self.base = ("t", *system.inputs, *system.coordinates, *system.parameters)
        self.size = len(system.velocities)
        self.squares: Cache[Numbers | None] = Cache(16)
        """Of single starts, by the coefficients of their equations: these with the rows of free velocities; None if not safe."""

    @cached_property
    def rows(self) -> Rows:
        """The velocity constraints."""
        return constraint_rows(self.system)

    @cached_property
    def needs_search(self) -> bool:
        """Whether each start must be searched for by itself: relations of the coordinates, nonlinear constraints."""
        system = self.system
        return system.parametric is not None or bool(system.holonomic) or not self.rows.linear

    @cached_property
    def relations(self) -> Formulas:
        """Relations of the coordinates, then their slopes by the coordinates."""
        exprs = (*self.system.frame.relations, *self.system.holonomic)
        slopes = jacobian(exprs, symbols(self.system.coordinates))
        return Formulas(self.base, [*exprs, *(e for row in slopes for e in row)])

    @cached_property
    def table(self) -> Formulas:
        """Slopes of the constraints (where linear) and of the given velocities by all velocities, then right sides."""
        v = symbols(self.system.velocities)
        forms = [gradient(e, v) for e in resolve(self.system, [symbol(n) for n in self.given])]
        rows = self.rows.slopes if self.rows.linear else ()
        return Formulas(self.base, [*(e for row in (*rows, *forms) for e in row), *self.rows.sides])

    @cached_property
    def residuals(self) -> Formulas:
        """The constraints, then their slopes, as functions of base and velocities."""
        rows = self.rows
        return Formulas(
            (*self.base, *self.system.velocities), [*rows.residuals, *(e for row in rows.slopes for e in row)]
        )

    @cached_property
    def metric(self) -> Formulas:
        """The kinetic metric as a function of base and velocities."""
        metric = kinetic_metric(self.system)
        return Formulas((*self.base, *self.system.velocities), [e for row in metric for e in row])

    @cached_property
    def every(self) -> tuple[str, ...]:
        """Every velocity name that a start may use."""
        return dependent_names(self.system)

    @cached_property
    def rest(self) -> Formulas:
        """``every`` as functions of base and velocities."""
        exprs = resolve(self.system, [symbol(n) for n in self.every])
        return Formulas((*self.base, *self.system.velocities), exprs)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The velocities that are zero by default, in order of priority."""
        system = self.system
        place = {n: i for i, n in enumerate(system.velocities)}
        first: list[int] = []
        if not system.quasivelocities:
            with contextlib.suppress(ModelError):  # parameters that are no numbers of this system's; what is wrong is said later
                first = [place[str(s)] for s in admissible(system).speeds if str(s) in place]
        return (*first, *(j for j in range(self.size) if j not in first))

    def resting_first(self, names: Sequence[str]) -> tuple[int, ...]:
        """The order with some velocities before all others."""
        first = [self.system.velocities.index(n) for n in names]
        return (*first, *(j for j in self.order if j not in first))


_KEPT: Cache[Completion] = Cache(128)


def completion(system: System, given: Iterable[str]) -> Completion:
    """The completion of starts that give these velocities."""
    names = tuple(given)
    return _KEPT.get((structure(system), names), lambda: Completion(bare(system), names))


def linear_velocities(
    ready: Completion, at: Numbers, wanted: Numbers, resting: Sequence[str] = ()
) -> tuple[Numbers, Numbers]:
    """Velocities of all starts under linear constraints, and how far each is from what it must fulfil.

    ``at`` has a row of base values, ``wanted`` a row of given velocities for each start. What is left free is zero:
    ``resting`` first, then in the order of the completion.
    """
    count, size = len(at), ready.size
    height = len(ready.rows.slopes) + len(ready.given)
    numbers = ready.table.rows(at) if count > 1 else ready.table.of(at[0].tolist())[None]
    if not np.any(numbers[:, height * size :]) and not np.any(wanted):  # nothing moves, whatever is left free
        fine = np.all(np.isfinite(numbers), axis=1)
        return np.where(fine[:, None], np.zeros((count, size)), np.nan), np.where(fine, 0.0, np.nan)
    order = ready.resting_first(resting)
    if count == 1:
        alone = _alone(ready, numbers[0], height * size, wanted[0], order)
        if alone is not None:
            return alone
    table = numbers[:, : height * size].reshape(count, height, size)
    sides = np.hstack([numbers[:, height * size :], wanted])
    velocity, gap = np.full((count, size), np.nan), np.full(count, np.nan)
    left = np.all(np.isfinite(table), axis=(1, 2)) & np.all(np.isfinite(sides), axis=1)
    while np.any(left):  # the rows chosen on one start serve most others; the rest choose for themselves
        first = int(np.argmax(left))
        extra = free_rows(table[first], order)
        chosen = np.flatnonzero(left)
        full = np.concatenate([table[chosen], np.broadcast_to(extra, (len(chosen), *extra.shape))], axis=1)
        right = np.hstack([sides[chosen], np.zeros((len(chosen), len(extra)))])
        found, good = _solved(full, right)
        good[0] = True
        velocity[chosen[good]] = found[good]
        with np.errstate(all="ignore"):
            off = np.abs(np.einsum("kij,kj->ki", full[good], found[good]) - right[good])
        gap[chosen[good]] = np.max(off, axis=1, initial=0.0)
        left[chosen[good]] = False
    return velocity, gap


def _alone(
    ready: Completion, numbers: Numbers, entries: int, wanted: Numbers, order: tuple[int, ...]
) -> tuple[Numbers, Numbers] | None:
    """`linear_velocities` of one start; None where its equations are not finite, square and well conditioned."""
    coefficients = numbers[:entries]

    def square() -> Numbers | None:
        table = coefficients.reshape(-1, ready.size)
        if not np.all(np.isfinite(table)):
            return None
        full = np.vstack([table, free_rows(table, order)])[None]
        good = _conditioned(full)
        return full if good is not None and good[0] else None

    full = ready.squares.get((coefficients.tobytes(), order), square)
    sides = np.zeros((1, ready.size))
    given = len(numbers) - entries
    if full is None:
        return None
    sides[0, :given], sides[0, given : given + len(wanted)] = numbers[entries:], wanted
    if not np.isfinite(sides.sum()):
        return None
    found = np.asarray(np.linalg.solve(full, sides[..., None])[..., 0], dtype=np.float64)
    return found, np.abs(np.einsum("kij,kj->ki", full, found) - sides).max(axis=1, initial=0.0)


def free_rows(table: Numbers, order: Sequence[int]) -> Numbers:
    """Unit rows that set free velocities to zero: each is taken that does not follow from the rows before it."""
    size = table.shape[1]
    basis: list[Numbers] = []

    def outside(row: Numbers) -> Numbers:
        for _ in range(2):  # twice is enough [Kahan, Parlett]
            for b in basis:
                row = row - (b @ row) * b
        return row

    for row in table:
        rest = outside(row)
        length = float(np.sqrt(rest @ rest))
        if length > TOLERANCE * max(1.0, float(np.sqrt(row @ row))):
            basis.append(rest / length)
    extra = []
    for j in order:
        if len(basis) >= size:
            break
        row = np.zeros(size)
        row[j] = 1.0
        rest = outside(row)
        length = float(np.sqrt(rest @ rest))
        if length > TOLERANCE:
            basis.append(rest / length)
            extra.append(row)
    return np.array(extra).reshape(len(extra), size)


def _solved(table: Numbers, sides: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
    """Solutions of all systems in the sense of least squares, and which of them are safely determined."""
    count, height, size = table.shape
    safe = _conditioned(table)
    if safe is not None and safe[0]:
        return np.asarray(np.linalg.solve(table, sides[..., None])[..., 0], dtype=float), safe
    sizes = np.linalg.svd(table, compute_uv=False)
    good = np.asarray(sizes[:, -1] > LEAST_PIVOT * sizes[:, 0]) if height >= size else np.zeros(count, dtype=np.bool_)
    found = np.zeros((count, size))
    if np.any(good):
        found[good] = np.einsum("kij,kj->ki", np.linalg.pinv(table[good]), sides[good])
    if not good[0]:
        found[0] = np.linalg.lstsq(table[0], sides[0], rcond=None)[0]
    return found, good


def _conditioned(table: Numbers) -> NDArray[np.bool_] | None:
    """Which matrices can be solved with safely; None where they are not square or one is singular."""
    if table.shape[1] != table.shape[2]:
        return None
    kinds = table[:1] if (table == table[:1]).all() else table  # of constant coefficients one is enough
    try:
        inverse = np.linalg.inv(kinds)
    except np.linalg.LinAlgError:
        return None
    good = np.max(np.abs(inverse), axis=(1, 2)) * np.max(np.abs(kinds), axis=(1, 2)) * LEAST_PIVOT < 1.0
    return np.repeat(good, len(table) // len(kinds))
