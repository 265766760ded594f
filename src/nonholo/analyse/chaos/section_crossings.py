"""Crossings of a surface by many motions, in blocks of the compiled loops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.errors import StateError
from nonholo.integrate.inputs import FunctionInput, Source, rows_with_inputs, source
from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.many.member_blocks import advance_many
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.integration import Event, Path, watch
from nonholo.integrate.motion.motion_pieces import WantedEvent, pieces_of, problem_of, sources_of, tables_of
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.integrate.outcome import MISSED, Outcome, missing
from nonholo.integrate.results.named_quantities import solved_rows
from nonholo.model.system import System

LONGER = 4.0
"""Each stage of a motion is so much longer than the one before."""
SILENT = 4
"""After so many stages without a crossing a motion is given up."""
STAGES = 40
STILL = 1e-8
"""Rates below this, beside the state, are those of a motion at rest."""


@dataclass(frozen=True, eq=False)
class Crossings:
    """The crossings of one motion, in the frames they happened in."""

    pieces: tuple[tuple[SystemKernel, Numbers, Numbers, Numbers, tuple[Source, ...]], ...]
    """Equations, times, states, signs and inputs."""
    outcome: Outcome
    silent: float | None = None
    """The time until which nothing more was found, for a motion that was given up."""
    problem: str = ""
    rest: float | None = None
    """The time after which the motion is at rest, so that further crossings are rounding."""

    @property
    def times(self) -> Numbers:
        """When it crossed."""
        return np.concatenate([np.empty(0), *(p[1] for p in self.pieces)])

    @staticmethod
    def nothing(kernel: SystemKernel, outcome: Outcome, problem: str = "") -> Crossings:
        """A motion without crossings."""
        n = len(kernel.equations.state)
        return Crossings(((kernel, np.empty(0), np.empty((0, n)), np.empty(0), ()),), outcome, None, problem)

    def cut(self, skip: int, most: int) -> Crossings:
        """Without the first ones, and with so many at most."""
        result, place = [], 0
        for kernel, times, states, signs, inputs in self.pieces:
            low, high = max(0, skip - place), max(0, skip + most - place)
            result.append((kernel, times[low:high], states[low:high], signs[low:high], inputs))
            place += len(times)
        return replace(self, pieces=tuple(result))

    def moving(self, given: Mapping[str, Numbers], member: int) -> Crossings:
        """Without what happens after the motion has come to rest."""
        numbers = {n: float(a[member]) for n, a in given.items()}
        for k, (kernel, times, states, signs, inputs) in enumerate(self.pieces):
            if not len(times):
                continue
            rows = _rows(kernel, times, states, inputs, numbers)
            kinematics, solved = solved_rows(kernel, rows)
            rates = np.hstack([kinematics, solved[:, : len(kernel.equations.speeds)]])
            still = np.max(np.abs(rates), axis=1, initial=0.0) < STILL * (1.0 + np.max(np.abs(states), axis=1, initial=0.0))
            if np.any(still):
                first = int(np.argmax(still))
                left = (*self.pieces[:k], (kernel, times[:first], states[:first], signs[:first], inputs))
                return replace(self, pieces=left, rest=float(times[first]))
        return self

    def columns(self, given: Mapping[str, Numbers], member: int) -> dict[str, Numbers]:
        """Every named quantity at the crossings."""
        numbers = {n: float(a[member]) for n, a in given.items()}
        parts = []
        for kernel, times, states, signs, inputs in self.pieces:
            rows = _rows(kernel, times, states, inputs, numbers)
            names, kinds, code = kernel.columns
            values = on_rows(code, rows)
            part = {"t": times, "sign": signs, **dict(zip(kernel.equations.state, states.T))}
            parts.append(part | {n: values[:, k] for k, (n, kind) in enumerate(zip(names, kinds)) if kind != "residual"})
        shared = [n for n in parts[0] if all(n in p for p in parts)]
        return {n: np.concatenate([p[n] for p in parts]) for n in shared}

    def words(self, wanted: int, event: str) -> str:
        """How it went: ``reached``, or why there are fewer crossings than wanted."""
        found = len(self.times)
        if self.problem:
            return self.problem
        if found >= wanted:
            return f"reached. {MISSED.python}" if self.outcome.missed else "reached"
        if self.rest is not None:
            return f"{found} crossings, then the motion is at rest on {event} = 0 (seen at t = {self.rest:.6g})"
        if self.silent is not None:
            last = f"{found} crossings, the last at t = {self.times[-1]:.6g}, then none" if found else "no crossing"
            return (
                f"{last} of {event} = 0 until t = {self.silent:.6g}; choose another event or start, or give a later until if it "
                "comes late"
            )
        if self.outcome.reached:
            return f"{found} crossings until t = {self.outcome.time:.6g}; raise until for more"
        return f"{found} crossings, then {self.outcome}"


def _rows(
    kernel: SystemKernel, times: Numbers, states: Numbers, inputs: tuple[Any, ...], numbers: Mapping[str, float]
) -> Numbers:
    sources = inputs if len(inputs) == len(kernel.inputs) else tuple([0.0] * len(kernel.inputs))
    return rows_with_inputs(kernel, sources, times, states, numbers)


def crossings_in_one_frame(
    initial: InitialValue,
    method: Method,
    time: float,
    full: Mapping[str, Numbers],
    given: Mapping[str, Numbers],
    inputs: Mapping[str, Any],
    event: Event,
    until: float | None,
    horizon: float,
    skip: NDArray[np.bool_],
    threads: int | None,
    name: str,
) -> list[Crossings | None]:
    """The crossings of all motions in one frame; None for those whose frame degenerates, or whose inputs see the state."""
    kernel, names = initial.kernel, initial.equations.state
    count = len(skip)
    result: list[Crossings | None] = [None] * count
    if getattr(method, "path", None) is not None or method.principle:
        return result
    states = np.stack([full.get(n, np.full(count, np.nan)) for n in names], axis=1)
    fixed = np.stack([given[n] for n in kernel.parameters], axis=1) if kernel.parameters else np.zeros((count, 0))
    watched = watch(kernel, [event])
    who = np.flatnonzero(~skip)
    seen: dict[int, list[tuple[SystemKernel, Numbers, Numbers, Numbers, tuple[Any, ...]]]] = {int(k): [] for k in who}
    quiet = np.zeros(count, dtype=int)
    blurred = np.zeros(count, dtype=bool)
    stage = _Stages(time, until, horizon)
    while len(who) and stage.next():
        signals = [source(n, inputs[n], stage.low, stage.high, None, name) for n in kernel.inputs]
        if any(isinstance(s, FunctionInput) for s in signals):
            return result
        paths = advance_many(
            kernel, method, stage.low, states[who], stage.high, fixed[who], tables_of(signals), None, watched,
            condition_thresholds=initial.thresholds, threads=threads,
        )  # fmt: skip
        left = []
        for row, k in enumerate(who.tolist()):
            happened = paths.occurrences[row]
            states[k] = paths.final_states[row]
            blurred[k] |= bool(paths.blurred[row])
            seen[k].append((kernel, happened.times, happened.states, happened.sign.astype(float), tuple(signals)))
            quiet[k] = 0 if len(happened.times) else quiet[k] + 1
            total, code = sum(len(p[1]) for p in seen[k]), int(paths.status[row])
            ended = paths.outcome(row)
            ended = missing(ended) if blurred[k] else ended
            if code == at.DEGENERATE:
                continue
            if total >= event.terminal or code not in (at.REACHED, at.EVENT):
                result[k] = Crossings(tuple(seen[k]), ended)
            elif stage.last:
                result[k] = Crossings(tuple(seen[k]), replace(ended, kind="reached", time=stage.high))
            elif quiet[k] >= SILENT:
                result[k] = Crossings(tuple(seen[k]), ended, stage.high)
            else:
                left.append(k)
        who = np.array(left, dtype=int)
    return result


def crossings_through_frames(
    system: System,
    start: Mapping[str, float],
    parameters: Mapping[str, float],
    inputs: dict[str, Any],
    method: Method,
    event: Event,
    until: float | None,
    horizon: float,
) -> Crossings:
    """The crossings of one motion through changes of frame."""
    problem = problem_of(system, dict(start), dict(parameters), "hamel", inputs, method.principle)
    surface = event.expression
    if callable(surface):
        raise StateError(f"{system.name}: a section needs an expression and found a function; write it in the state names.")
    wanted = WantedEvent(str(surface), surface, event.direction, event.terminal)
    seen: list[tuple[SystemKernel, Numbers, Numbers, Numbers, tuple[Any, ...]]] = []
    stage, quiet = _Stages(problem.time, until, horizon), 0
    outcome = Outcome("reached", problem.time)
    while stage.next():
        sources = sources_of(problem, method, stage.high, None)
        pieces, _, outcome = pieces_of(problem, method, stage.high, "end", [wanted], None, sources)
        fresh = 0
        for initial, path in pieces:
            seen.append(_piece(initial, path, sources))
            fresh += len(path.occurrences.times)
        total = sum(len(p[1]) for p in seen)
        quiet = 0 if fresh else quiet + 1
        initial, path = pieces[-1]
        if total >= event.terminal or not (outcome.reached or outcome.kind == "event"):
            break
        if stage.last:
            return Crossings(tuple(seen), replace(outcome, kind="reached", time=stage.high))
        if quiet >= SILENT:
            return Crossings(tuple(seen), outcome, stage.high)
        stage.stop(path.final_time)
        problem = replace(problem, initial=replace(initial, state=path.final_state), time=path.final_time)
    return Crossings(tuple(seen), outcome)


def _piece(initial: InitialValue, path: Path, sources: Any) -> tuple[SystemKernel, Numbers, Numbers, Numbers, tuple[Any, ...]]:
    happened = path.occurrences
    return initial.kernel, happened.times, happened.states, happened.sign.astype(float), tuple(sources)


class _Stages:
    """Longer and longer stretches of time, up to an end where one is given."""

    def __init__(self, time: float, until: float | None, horizon: float) -> None:
        self.low = self.high = time
        self.until, self.length, self.number = until, horizon, 0

    @property
    def last(self) -> bool:
        """Whether nothing comes after this stage."""
        return self.high == self.until or self.number >= STAGES

    def next(self) -> bool:
        """Go to the next stage, where there is one."""
        if self.last:
            return False
        self.low, self.number = self.high, self.number + 1
        self.high = self.low + self.length if self.until is None else self.until
        self.length *= LONGER
        return True

    def stop(self, time: float) -> None:
        """The stage ended before its time."""
        self.high = time
