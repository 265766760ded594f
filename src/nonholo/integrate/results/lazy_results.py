"""The result of an integration: paths in their frames, and quantities computed at first use."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ONE, ZERO, along, gradient, symbol
from nonholo.derive.equations import Equations
from nonholo.integrate.contacts.contact_formulation import ModeKernel
from nonholo.integrate.inputs import Source, rows_with_inputs
from nonholo.integrate.methods import method as method_by_name
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.integration import Path, advance
from nonholo.integrate.motion.motion_pieces import (
    FunctionEvent,
    Problem,
    WantedEvent,
    input_callback,
    named_state,
    tables_of,
)
from nonholo.integrate.motion.system_kernel import SystemKernel, system_kernel
from nonholo.integrate.results.contact_forces import contact_columns, contact_columns_of
from nonholo.integrate.results.named_quantities import quantities, reactions
from nonholo.integrate.results.quantity_arrays import Quantities, Quantity
from nonholo.integrate.sensitivity.tangent_motion import Bundle
from nonholo.model.declared_words import Formula
from nonholo.model.system import System, numbered, with_inputs
from nonholo.program.array_types import Array

WORK = symbol("_work_")
_KEPT: WeakCache[SystemKernel] = WeakCache(16)
Table = dict[str, tuple[Array, str]]
"""Quantities by name: their values and a word on what they are."""


def with_work(equations: Equations) -> Equations:
    """The equations with one more speed, the work ``W``: ``Ẇ − (∂E/∂z) ż = (∂E/∂x) ẋ + ∂E/∂t``.

    So ``E − W`` is constant on every true motion, whatever drives or brakes it; on a computed one it shows the error.
    """
    m, energy = len(equations.speeds), equations.energy
    flow = {**dict(zip(equations.coordinates, equations.kinematics)), equations.time: ONE}
    rows = [(*row[:m], ZERO, *row[m:]) for row in equations.mass]
    own = (*(-e for e in gradient(energy, equations.speeds)), ONE, *(ZERO for _ in equations.unknowns))
    known = (*equations.kinematics, *equations.force, *(e for row in equations.mass for e in row), energy)
    side = along([energy], {**flow, **dict.fromkeys(equations.speeds, ZERO)}, known)[0]
    return replace(
        equations,
        speeds=(*equations.speeds, WORK),
        mass=(*rows[:m], own, *rows[m:]),
        force=(*equations.force[:m], side, *equations.force[m:]),
        symmetric=False,
        saddle="",
        covectors=None,
    )


def _with_work(kernel: SystemKernel) -> SystemKernel:
    return _KEPT.get(kernel, lambda: system_kernel(with_work(kernel.equations), kernel.system, kernel.laws))


def work_along(
    problem: Problem, pieces: Sequence[tuple[InitialValue, Path]], sources: Sequence[Any], method: Method
) -> Array:
    """The work done until each time of a motion, by integrating every piece again with it.

    A method that discretises a principle knows no work: then the pieces are integrated by dop853.
    """
    if method.principle or not method.compiled:
        method = method_by_name("dop853", rtol=1e-11, atol=1e-13)
    found, total, time = [], 0.0, problem.time
    for initial, path in pieces:
        kernel = _with_work(initial.kernel)
        times = path.times
        numbers = [problem.parameters[n] for n in kernel.parameters]
        start = np.append(initial.state, total)
        again = advance(
            kernel, method, time, start, path.final_time, numbers, tables_of(sources),
            np.append(times, path.final_time), fill=input_callback(kernel, sources).get("fill"),
        )  # fmt: skip
        values = np.full(len(times) + 1, np.nan)
        values[: len(again.times)] = again.states[:, -1]
        found.append(values[:-1])
        total, time = float(again.final_state[-1]), path.final_time
    return np.concatenate(found)


@dataclass(frozen=True, eq=False)
class LazyResults:
    """The result of an integration: the paths of its pieces, and all quantities that follow, each computed at first use.

    A Trajectory holds it until it is pickled, saved or changed; what is known of a motion only while it is at hand (work,
    reactions, contact forces, hints) is computed from here.
    """

    problem: Problem
    pieces: Sequence[tuple[InitialValue, Path]]
    times: Array
    signals: Sequence[Source]
    watch: Mapping[str, Formula]
    units: Mapping[str, str]
    method: Method
    until: float
    events: Sequence[WantedEvent | FunctionEvent] = field(default=())
    directions: tuple[str, ...] = ()
    """Parameters and start values by which derivatives are integrated."""
    bundle: Bundle | None = None
    found: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Times of events that are Python functions."""

    @property
    def _filled(self) -> Sequence[tuple[InitialValue, Path]]:
        """The pieces with times in them, or the first."""
        return [piece for piece in self.pieces if len(piece[1].times)] or self.pieces[:1]

    @cached_property
    def plain(self) -> Table:
        """Every named quantity along the motion but the reactions, with a word on what it is."""
        pieces = ((p, self.rows(p, path.times, path.states)) for p, path in self._filled)
        return _joined_columns(quantities(p.kernel, rows, self.watch) for p, rows in pieces)

    @cached_property
    def columns(self) -> Table:
        """Every named quantity along the motion, with a word on what it is; reactions are compiled and computed here."""
        held = _joined_columns(reactions(p.kernel, self.rows(p, path.times, path.states)) for p, path in self.pieces)
        return {**self.plain, **held}

    @cached_property
    def quantities(self) -> Quantities:
        """The columns with their units, and the words on the motion."""
        units = self.units
        named = {
            n: Quantity(values, {"kind": kind} | ({"units": units[n]} if n in units else {}))
            for n, (values, kind) in self.columns.items()
        }
        return Quantities(named, self.times, self.attributes)

    @cached_property
    def contacts(self) -> dict[str, Array]:
        """The forces, slip and place of every contact, as arrays (time, contact)."""
        parts = []
        for initial, path in self.pieces:
            kernel, rows = initial.kernel, self.rows(initial, path.times, path.states)
            if isinstance(kernel, ModeKernel):
                parts.append(contact_columns_of(kernel, rows))
            elif kernel.system is not None and kernel.system.contacts:
                parts.append(contact_columns(kernel, kernel.system, rows))
            else:
                return {}
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def rows(self, initial: InitialValue, times: Array, states: Array) -> Array:
        """The input vectors along a piece, with the inputs as they were there."""
        return rows_with_inputs(initial.kernel, self.signals, times, states, self.problem.parameters)

    @cached_property
    def first(self) -> Mapping[str, float]:
        """Every named quantity at the start, also where it is no output time; reactions are computed at first access."""
        return LazyMapping(lambda: self._first(True), lambda: self._first(False))

    def _first(self, plain: bool) -> dict[str, float]:
        began = self.pieces[0][0]
        initial = began if isinstance(began.kernel, ModeKernel) else self.problem.initial
        rows = self.rows(initial, np.array([self.problem.time]), initial.state[None, :])
        part = quantities(initial.kernel, rows, self.watch) if plain else reactions(initial.kernel, rows)
        return {n: float(values[0]) for n, (values, _) in part.items()}

    @cached_property
    def driven(self) -> bool:
        """Whether inputs drive the motion."""
        return bool(self.problem.initial.kernel.inputs or self.problem.laws)

    @cached_property
    def work(self) -> Array:
        """The work done on the system until each time."""
        return work_along(self.problem, self.pieces, self.signals, self.method)

    def drifts(self) -> dict[str, float]:
        """The drift of energy less work, where inputs drive the motion or contacts dissipate."""
        works = [n for n, (_, kind) in self.plain.items() if kind == "work"] if len(self.times) else []
        said = self.problem.given_system
        moved = {str(s) for s in said.lagrangian.free_symbols} if said is not None else set()
        if works and not (self.driven and moved & {*self.problem.initial.kernel.inputs, *self.problem.laws}):
            balance = self.plain["energy"][0] - self.first["energy"]
            signs = {n: 1 if n.startswith("dissipated_") else -1 for n in works}
            balance = balance + sum(sign * (self.plain[n][0] - self.first[n]) for n, sign in signs.items())
            size = max(float(np.max(np.abs(self.plain[n][0]))) for n in ("energy", *works))
            return {"energy": float(np.max(np.abs(balance))) / (size or 1.0)}
        if not self.driven or not len(self.times):
            return {}
        energy, start = self.plain["energy"][0], self.first["energy"]
        change = float(np.max(np.abs(energy - start - self.work)))
        return {"energy": change / abs(start) if abs(start) > 1e-12 else change}

    def final(self) -> dict[str, float]:
        """The last state by name, with what the inputs do there."""
        initial, path = self.pieces[-1]
        time, state = path.final_time, path.final_state
        last = named_state(self.problem, initial, time, state, self.signals, inputs=True)
        if not self.problem.laws:
            return last
        row = self.rows(initial, np.array([time]), state[None, :])[0]
        laws = initial.kernel.code(list(self.problem.laws), f"{self.problem.name}: input")
        return {**last, **dict(zip(self.problem.laws, laws(row).tolist()))}

    def event_states(self) -> dict[str, list[dict[str, float]]]:
        """For each event the states at its times."""
        states: dict[str, list[dict[str, float]]] = {e.name: [] for e in self.events}
        formula_events = [e for e in self.events if isinstance(e, WantedEvent)]
        for initial, path in self.pieces:
            for t, y, k in zip(path.occurrences.times, path.occurrences.states, path.occurrences.index):
                if k >= len(formula_events):
                    continue
                states[formula_events[k].name].append(named_state(self.problem, initial, float(t), y, self.signals))
        return states

    @cached_property
    def attributes(self) -> dict[str, str]:
        """What one needs to compute the same motion again, besides its system."""
        problem = self.problem
        return {
            "system": problem.name,
            "parameters": json.dumps(dict(problem.parameters)),
            "start": json.dumps({n: float(e) for n, e in problem.start.items()}),
            "method": str(self.method),
            "form": problem.form,
        }

    @cached_property
    def system(self) -> System | None:
        """The system with the numbers of this motion; None for equations by hand."""
        said, problem = self.problem.given_system, self.problem
        if said is None:
            return None
        moved = with_inputs(said, problem.given_inputs)
        return numbered(moved, problem.parameters, problem.start, self.until, self.units)


def _joined_columns(parts: Iterable[Table]) -> Table:
    """One piece of the motion after the other: what all of them have."""
    first, *rest = parts
    return {n: (_in_a_row([v, *(p[n][0] for p in rest)]), kind) for n, (v, kind) in first.items() if all(n in p for p in rest)}


def _in_a_row(parts: Sequence[Array]) -> Array:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


class LazyMapping(Mapping[str, Any]):
    """A mapping computed at first access; of several parts a later one only when those before lack a key."""

    __slots__ = ("_items", "_makes")

    def __init__(self, *makes: Callable[[], Mapping[str, Any]]) -> None:
        self._makes = makes
        self._items: Mapping[str, Any] = {}

    def _next(self) -> None:
        first, *rest = self._makes
        made = first()
        self._items, self._makes = {**self._items, **made} if self._items else made, tuple(rest)

    def _made(self) -> Mapping[str, Any]:
        while self._makes:
            self._next()
        return self._items

    def __getitem__(self, key: str) -> Any:
        while self._makes and key not in self._items:
            self._next()
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made())

    def __len__(self) -> int:
        return len(self._made())

    def __repr__(self) -> str:
        return repr(dict(self._made()))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return dict, (dict(self._made()),)
