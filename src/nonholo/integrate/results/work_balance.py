"""Work of inputs and forces along a motion, integrated beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nonholo.algebra.cache import KeptFor
from nonholo.algebra.calculus import ONE, ZERO, along, gradient, symbol
from nonholo.derive.equations import Equations
from nonholo.integrate.methods import method as method_by_name
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.compiled_equations import Derived
from nonholo.integrate.motion.integration import Path, advance
from nonholo.integrate.motion.motion_pieces import Problem, filling, tables_of
from nonholo.integrate.motion.motion_setup import Prepared

Array = np.ndarray[Any, np.dtype[np.float64]]
WORK = symbol("_work_")
_KEPT: KeptFor[Derived] = KeptFor(16)


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


def _with_work(derived: Derived) -> Derived:
    return _KEPT.get(derived, lambda: Derived(with_work(derived.equations), derived.system, derived.laws))


def work_along(
    problem: Problem, pieces: Sequence[tuple[Prepared, Path]], sources: Sequence[Any], method: Method
) -> Array:
    """The work done until each time of a motion, by integrating every piece again with it.

    A method that discretises a principle knows no work: then the pieces are integrated by dop853.
    """
    if method.principle or not method.compiled:
        method = method_by_name("dop853", rtol=1e-11, atol=1e-13)
    found, total, time = [], 0.0, problem.time
    for prepared, path in pieces:
        derived = _with_work(prepared.derived)
        times = path.times
        numbers = [problem.parameters[n] for n in derived.parameters]
        start = np.append(prepared.state, total)
        again = advance(
            derived.kernel, method, time, start, path.final_time, numbers, tables_of(sources),
            np.append(times, path.final_time), fill=filling(derived, sources).get("fill"),
        )  # fmt: skip
        values = np.full(len(times) + 1, np.nan)
        values[: len(again.times)] = again.states[:, -1]
        found.append(values[:-1])
        total, time = float(again.final_state[-1]), path.final_time
    return np.concatenate(found)

