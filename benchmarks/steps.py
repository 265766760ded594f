"""Implicit steps per second: the compiled loop, and the same scheme with the same Newton equations in NumPy.

The sleigh is started again and again, so that it turns all the time; processor time of the best of several rounds, which
knows nothing of other work on the machine. The scheme in NumPy is generated from the very program that is compiled: its
residuals and their exact Jacobian as straight-line NumPy, solved by ``numpy.linalg.solve``, to the same accuracy.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from nonholo import gallery
from nonholo.compile.implicit_step import newton
from nonholo.compile.schemes import scheme_named
from nonholo.compile.schemes.scheme import Writer
from nonholo.compile.targets.numpy import NUMPY
from nonholo.compile.targets.straight_lines import lines
from nonholo.derive.equations import Equations
from nonholo.integrate.methods import method
from nonholo.integrate.motion.model_step import Launcher
from nonholo.integrate.motion.motion_pieces import problem_of

ROUNDS = 7
AIMS = {("chaplygin-sleigh", "hamel"): 400_000.0, ("rattleback", "hamel"): 60_000.0}
CASES = (
    ("chaplygin-sleigh", 0.01, 400, ("hamel", "dlagrange_dalembert", "verlet", "rattle", "energy_exact", "energy_exact4")),
    ("rattleback", 0.002, 1000, ("hamel", "energy_exact", "energy_exact4")),
)


def table() -> list[dict[str, Any]]:
    """One row for each system and method."""
    rows = []
    for name, h, steps, methods in CASES:
        for by in methods:
            rate, slow, gap = measured(name, by, h, steps)
            row: dict[str, Any] = {
                "system": name, "method": by, "step [s]": h, "steps/s": round(rate), "NumPy steps/s": round(slow),
                "ratio": rate / slow, "difference after 20 steps": gap,
            }  # fmt: skip
            if (name, by) in AIMS:
                row |= {"aim": round(AIMS[(name, by)]), "": rate >= AIMS[(name, by)]}
            rows.append(row)
    return rows


def measured(name: str, by: str, h: float, steps: int) -> tuple[float, float, float]:
    """Steps per second of the loop and in NumPy, and by how much the two differ after some steps."""
    exhibit = gallery.get(name)
    chosen = method(by, step=h)
    problem = problem_of(exhibit.system, exhibit.start, exhibit.parameters, "hamel", {}, chosen.principle)
    initial = problem.initial
    values = [problem.parameters[n] for n in initial.kernel.parameters]
    launcher = Launcher(initial.kernel, chosen, 0.0, steps * h, values)
    turns = max(1, 40_000 // steps)
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(turns):
            assert launcher(initial.state).status == 2
        best = min(best, (time.process_time() - began) / (turns * steps))
    parts = getattr(chosen, "composition", ((1.0, getattr(chosen, "tau", 0.5)),))
    step = in_numpy(initial.equations, chosen.principle, np.array(values))
    few, slow = 20, float("inf")
    for _ in range(3):
        state, began = initial.state.copy(), time.process_time()
        for k in range(few):
            state = step(state, k * h, h, parts)
        slow = min(slow, (time.process_time() - began) / few)
    end = Launcher(initial.kernel, chosen, 0.0, few * h, values)(initial.state).state
    return 1.0 / best, 1.0 / slow, float(np.max(np.abs(end - state)))


def in_numpy(equations: Equations, name: str, values: Any) -> Callable[..., Any]:
    """One step of a scheme as NumPy: the first guess is the state itself, Newton's method runs until rounding."""
    scheme = scheme_named(name)
    writer = Writer(equations, scheme.times, scheme.memory(equations))
    written = scheme.write(writer)
    count, outputs = writer.unknowns, newton(writer, written)[writer.unknowns :]
    equations_of = generated(writer, outputs)
    guess, change, left, first = (
        generated(writer, [v.place for v in part]) for part in (written.guess, written.change, written.memory, written.first)
    )
    size = writer.size
    memory = np.zeros(writer.remembered)

    def step(state: Any, t: float, h: float, parts: Any) -> Any:
        for k, (part, tau) in enumerate(parts):
            row = np.concatenate([[part * h, tau, t], state, np.zeros(size), memory, values, np.zeros(count)])
            if t == 0.0 and k == 0:
                memory[:] = first(row)
                row[3 + 2 * size : 3 + 2 * size + len(memory)] = memory
            row[-count:] = guess(row)
            for _ in range(20):
                found = np.array(equations_of(row), dtype=float)
                correction = np.linalg.solve(found[: count * count].reshape(count, count), found[count * count :])
                row[-count:] -= correction
                if np.sum(np.abs(correction)) < 1e-12 * np.sum(np.abs(row[3:])):
                    break
            memory[:] = left(row)
            state, t = state + np.array(change(row), dtype=float), t + part * h
        return state

    return step


def generated(writer: Writer, outputs: list[int]) -> Any:
    """A program's outputs as a NumPy function of the input vector."""
    body, results = lines(writer.program, outputs, lambda i: f"row[{i}]", NUMPY, "benchmark")
    text = "\n".join(["def function(row):", *body, f"    return [{', '.join(results)}]"])
    space: dict[str, Any] = {"np": np}
    exec(compile(text, "generated", "exec"), space)  # our own text
    return space["function"]
