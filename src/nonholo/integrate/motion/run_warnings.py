"""What a motion that came to its end should still say: events that were never a number, singularities passed over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, substitute
from nonholo.errors import Remedy
from nonholo.integrate.inputs import Source, rows_with_inputs
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.integration import Path
from nonholo.integrate.motion.motion_pieces import Problem, WantedEvent
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.integrate.outcome import Outcome, adding
from nonholo.model.system import TIME, System
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.program.array_types import Array

LOOKED = 32
"""Number of states at which an event that never occurred is evaluated."""
JUMP = 0.1
"""Tolerated change of a conserved energy between two states, relative to the largest kinetic energy."""


def without_a_number(
    problem: Problem, pieces: Sequence[tuple[InitialValue, Path]], sources: Sequence[Source], events: Sequence[WantedEvent],
    happened: dict[str, list[float]],
) -> list[str]:  # fmt: skip
    """The names of events that are not a number at any state that is known of the motion."""
    names = []
    for event in events:
        if happened[event.name]:
            continue
        numbers = 0
        for initial, path in pieces:
            kernel = initial.kernel
            some = slice(None, None, 1 + len(path.times) // LOOKED)
            times, states = np.append(path.times[some], path.final_time), np.vstack([path.states[some], path.final_state])
            rows = rows_with_inputs(kernel, sources, times, states, problem.parameters)
            with np.errstate(all="ignore"):
                numbers += int(np.sum(~np.isnan(kernel.code([event.source], f"{problem.name}: event").rows(rows))))
        if not numbers:
            names.append(event.name)
    return names


def no_number(ended: Outcome, names: Sequence[str]) -> Outcome:
    """An outcome that names events which were never a number."""
    if not names:
        return ended
    some = ", ".join(names)
    return adding(
        ended,
        Remedy(
            f"The event {some} is not a number anywhere along the motion, so that it cannot occur; look for the root or "
            "logarithm of a negative number in it."
        ),
    )


def passed_over(
    problem: Problem, method: Method, pieces: Sequence[tuple[InitialValue, Path]], ended: Outcome
) -> Outcome:
    """The outcome of equal steps, extended by the time at which a conserved energy jumped: a step was too long there."""
    system = problem.system
    if method.adaptive or not ended.reached or system is None or not _keeps_energy(system):
        return ended
    jumps: list[tuple[float, float]] = []
    largest, begin = 0.0, problem.time
    for initial, path in pieces:
        times = np.concatenate([[begin], path.times, [path.final_time]])
        states = np.vstack([initial.state, path.states, path.final_state])
        begin = path.final_time
        rows = rows_with_inputs(initial.kernel, [], times, states, problem.parameters)
        with np.errstate(all="ignore"):
            energy, moving = _energies(initial.kernel, rows).T
        largest = max(largest, float(np.max(np.abs(moving))))
        change = np.abs(np.diff(energy))
        worst = int(np.argmax(change))
        jumps.append((float(change[worst]), float(times[worst])))
    if not jumps or not max(jumps)[0] > JUMP * largest:
        return ended
    size, time = max(jumps)
    said = (
        f"The energy, which this system keeps, jumps by {size:.3g} near t = {time:.6g}: the step is too long there, and a "
        "singularity (a collision) may have been passed over."
    )
    return adding(
        ended,
        Remedy(
            f'{said} Take a smaller step, or method="dop853", which stops there.',
            f"{said} Take a smaller --step, or --method dop853, which stops there.",
            f"{said} Take a smaller step.",
        ),
    )


def _energies(kernel: SystemKernel, rows: Array) -> Any:
    """The energy, and its part from the motion, on every row."""
    equations = kernel.equations

    def made() -> Any:
        still = substitute([equations.energy], dict.fromkeys(equations.speeds, ZERO))[0]
        return kernel.function([equations.energy, equations.energy - still], "energies")

    return on_rows(kernel.watched("energies", made), rows)


def _keeps_energy(system: System) -> bool:
    """Whether nothing does work: no forces, inputs or time, and constraints that are linear and homogeneous."""
    if system.forces or system.inputs or system.parametric is not None:
        return False
    rows = constraint_rows(system)
    exprs = (system.lagrangian, *rows.residuals, *system.holonomic)
    return rows.linear and all(e == 0 for e in rows.sides) and not any(TIME in e.free_symbols for e in exprs)
