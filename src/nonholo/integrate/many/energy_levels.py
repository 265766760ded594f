"""Starts on levels of energy or other quantities, solved for one variable each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import symbols
from nonholo.compile.rates_jacobian import slopes_table
from nonholo.derive.states.feedback_laws import driven
from nonholo.derive.states.start_derivatives import start_slopes
from nonholo.errors import StateError, meant
from nonholo.integrate.many.start_arrays import complete_states, members
from nonholo.integrate.motion.formulation import formulation_of
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.model.system import GRAVITY, System, check_system, known_parameters
from nonholo.program.array_types import Array

MOST = 80
"""Steps of Newton's method."""
EXACT = 1e-11
"""Relative tolerance of a level."""
HALVINGS = 12
"""A step that does not come nearer is halved so often at most."""


def on_level(
    system: System,
    starts: Any,
    level: Mapping[str, Any],
    solve: str | Sequence[str],
    *,
    parameters: Mapping[str, Any] | None = None,
) -> dict[str, Array]:
    """Starts on the level ``{"energy": 0.125}`` of any quantities, by the variables in ``solve``, one for each quantity.

    A start that gives a value to such a variable begins there, which chooses among roots; others begin at 1. A start for which
    there is no root is not a number there.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2")
    >>> nh.on_level(swing, {"q": [0.0, 0.6, 2.0]}, {"energy": 0.5}, "qdot")["qdot"].round(12).tolist()
    [1.0, 0.8, nan]
    """
    check_system(system)
    numbers = known_parameters(system, parameters)
    if "g" in system.parameters:
        numbers.setdefault("g", GRAVITY)
    table, given, count = members(starts, numbers, system.name)
    found, missed = solved_levels(system, table, given, count, level, solve)
    off = np.array(missed, dtype=bool)
    for name in [solve] if isinstance(solve, str) else solve:
        found[name] = np.where(off, np.nan, found[name])
    return found


def solved_levels(
    system: System,
    table: Mapping[str, Array],
    given: Mapping[str, Array],
    count: int,
    level: Mapping[str, Any],
    solve: Any,
) -> tuple[dict[str, Array], list[str]]:
    """The starts with what was solved for, and for each what is wrong with it ("" when nothing is)."""
    names = [solve] if isinstance(solve, str) else list(solve or ())
    if not isinstance(level, Mapping) or not level:
        raise StateError(
            f'{system.name}: level = {str(level)[:60]!r}; give quantities and values, e.g. level={{"energy": 1.0}}.'
        )
    if len(names) != len(level):
        raise StateError(
            f"{system.name}: {len(level)} quantities on a level and {len(names)} variables to solve for; name one variable for "
            'each, e.g. level={"energy": 1.0}, solve="w3".'
        )
    known = [*system.coordinates, *system.velocities, *(system.quasivelocities or ())]
    for name in names:
        if name not in known and not (name.endswith("dot") and name[:-3] in system.coordinates):
            near = meant(str(name), known, f"it has {', '.join(known)}.")
            raise StateError(f"{system.name}: solve: no variable is called {name!r}; {near}")
    wanted = np.array([np.broadcast_to(np.asarray(v, dtype=float), (count,)) for v in level.values()]).T
    values = np.stack([table.get(n, np.ones(count)) for n in names], axis=1)
    values = np.where(values == 0.0, 1.0, values)
    quantity = _Quantities(system, {n: a for n, a in table.items() if n not in names}, given, count, names, list(level))
    size = 1.0 + np.abs(wanted)
    gap = quantity(values) - wanted
    for _ in range(MOST):
        open_ = ~(np.max(np.abs(gap) / size, axis=1) < 1e-15)
        if not np.any(open_ & np.isfinite(gap).all(axis=1)):
            break
        slopes = quantity.slopes(values, open_)
        change = np.einsum("kij,kj->ki", np.linalg.pinv(np.nan_to_num(slopes)), np.nan_to_num(gap))
        for _ in range(HALVINGS):
            trial = quantity(values - change) - wanted
            worse = ~(np.max(np.abs(trial), axis=1) < np.max(np.abs(gap), axis=1))
            if not np.any(worse & open_):
                break
            change = np.where(worse[:, None], change / 2, change)
        better = open_ & (np.max(np.abs(trial), axis=1) < np.max(np.abs(gap), axis=1))
        if not np.any(better):
            break
        values, gap = np.where(better[:, None], values - change, values), np.where(better[:, None], trial, gap)
    off = np.max(np.abs(gap) / size, axis=1)
    listed = ", ".join(map(str, names))
    problems = []
    for k in range(count):
        near = ", ".join(f"{n} = {w:g} (nearest: {w + g:.6g})" for n, w, g in zip(level, wanted[k], gap[k]))
        problems.append("" if off[k] < EXACT else f"{system.name}: no value of {listed} was found that gives {near}")
    return {**table, **dict(zip(map(str, names), values.T))}, problems


class _Quantities:
    """The quantities of the level at starts that differ in some variables."""

    def __init__(
        self,
        system: System,
        table: Mapping[str, Array],
        given: Mapping[str, Array],
        count: int,
        names: Sequence[str],
        asked: list[str],
    ) -> None:
        moved = driven(system, {})
        self.system, self.table, self.given, self.count = moved.closed, dict(table), given, count
        self.names, self.asked, self.laws = list(names), asked, moved.laws
        self.kernel: SystemKernel | None = None

    def __call__(self, values: Array) -> Array:
        """The quantities, a row for each start; not a number where it cannot be completed."""
        kernel, full, bad = self._completed(values)
        code = kernel.code(self.asked, f"{self.system.name}: level")
        found = on_rows(code, self._rows(kernel, full))
        found[bad] = np.nan
        return found

    def slopes(self, values: Array, wanted: Any) -> Array:
        """How the quantities change with the variables, where ``wanted``: (starts, quantities, variables)."""
        kernel, full, bad = self._completed(values)
        system, state = self.system, kernel.equations.state
        exprs = [kernel.expression(e, f"{system.name}: level") for e in self.asked]
        table = kernel.watched(
            ("level", *exprs), lambda: slopes_table(kernel.symbols, exprs, symbols(state), f"{system.name}: level")
        )
        result = np.zeros((self.count, len(self.asked), len(self.names)))
        chosen = np.flatnonzero(np.asarray(wanted) & ~bad)
        inner = table(self._rows(kernel, full)[chosen]).reshape(len(chosen), len(self.asked), len(state))
        for k, slope in zip(chosen, inner):
            here = {n: float(a[k]) for n, a in full.items()}
            numbers = {n: float(a[k]) for n, a in self.given.items()}
            with suppress(StateError):  # a variable that the others hold fast changes nothing
                moved = start_slopes(system, [*self.table, *self.names], here, numbers, self.names)
                result[k] = slope @ np.array([moved[n] for n in state])
        return result

    def _rows(self, kernel: SystemKernel, full: Mapping[str, Array]) -> Array:
        columns = [full.get(n, np.zeros(self.count)) for n in ("t", *kernel.equations.state, *kernel.inputs)]
        return np.ascontiguousarray(np.stack([*columns, *(self.given[n] for n in kernel.parameters)], axis=1))

    def _completed(self, values: Array) -> tuple[SystemKernel, dict[str, Array], NDArray[np.bool_]]:
        """The equations, the full states, and which starts cannot be completed."""
        table = {**self.table, **dict(zip(self.names, values.T))}
        full, problems = complete_states(self.system, table, self.given, self.count)
        bad = np.array(problems, dtype=bool)
        if bad.all():
            raise StateError(f"{self.system.name}: no start can be completed; the first says: {problems[0]}")
        if self.kernel is None:
            first = int(np.argmin(bad))
            place = {n: float(a[first]) for n, a in {**self.given, **full}.items()}
            self.kernel = formulation_of(self.system, self.laws).kernel(place)
        return self.kernel, full, bad
