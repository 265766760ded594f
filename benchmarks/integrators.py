"""Integrators on problems for long: ``python -m benchmarks.integrators [steps] [problem …]`` measures, ``… begin`` looks at the
first 20,000 steps more closely, ``… page`` writes docs/integrators.md.

Every method goes through every problem with the problem's own step (dop853 with its own, at rtol 1e-10), and 2000 states are
looked at. What is
kept in ``benchmarks/data/integrators.json``: the largest relative error of the energy in bins of time, the outcome,
processor time, and how
many steps were truly made. A measurement with more steps replaces one with fewer; nothing else does. What costs least is
measured first, so that a run can be stopped at any time; asked again it goes on. Of ten million steps every five thousandth is
looked at; what happens at once, as on the way to an attractor, is seen in the first steps (``integrators_begin.json``).
"""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import nonholo as nh
from nonholo_papers import problems

DATA = Path(__file__).parent / "data" / "integrators.json"
BEGIN = DATA.with_name("integrators_begin.json")
PLAIN: dict[str, dict[str, Any]] = {
    "hamel": {}, "energy_exact": {}, "energy_exact4": {}, "gauss2": {}, "gauss4": {}, "dlagrange_dalembert": {}, "verlet": {},
    "rattle": {}, "gni": {}, "leapfrog": {}, "newmark": {}, "newmark_symmetric": {}, "midpoint_projected": {}, "rk4": {},
    "dop853": {},
}  # fmt: skip
FRAMED: dict[str, dict[str, Any]] = {
    "hamel": {}, "hamel exponential": {"kinematics": "exponential"}, "hamel cayley": {"kinematics": "cayley"},
    "hamel averaged": {"kinematics": "averaged"}, "energy_exact": {}, "energy_exact4": {}, "gauss2": {}, "gauss4": {}, "rk4": {},
    "dop853": {},
}  # fmt: skip
"""Methods for frames that are not plain coordinates."""
SAMPLES, BINS = 2000, 40
SLOW = 1500.0
"""Processor seconds beyond which a measurement is made with a tenth of the steps."""
FIRST = 20_000
"""Steps by which the cost of what was never measured is estimated."""


def methods_for(system: Any) -> dict[str, dict[str, Any]]:
    """Every method that can be asked to move a system."""
    return PLAIN if system.frame.plain else FRAMED


def measured(problem: Any, name: str, options: dict[str, Any], steps: int) -> dict[str, Any]:
    """One motion: the energy's envelope in time, outcome, cost."""
    by = name.split()[0]
    until = steps * problem.step
    own = {"rtol": 1e-10, "atol": 1e-12, "max_steps": 10**10}
    words: dict[str, Any] = own if by == "dop853" else {"step": problem.step, "max_steps": 10**10, **options}
    nh.simulate(problem.system, until=20 * problem.step, method=by, t_eval=2, progress=False, **words)
    began = time.process_time()
    run = nh.simulate(problem.system, until=until, method=by, t_eval=SAMPLES + 1, progress=False, **words)
    spent = time.process_time() - began
    energy = np.asarray(run["energy"])
    scale = max(abs(float(energy[0])), 1e-300)
    gap = np.abs(energy - energy[0]) / scale
    edges = np.unique(np.round(np.logspace(0, np.log10(SAMPLES), BINS + 1)).astype(int))
    bins = [float(np.max(gap[a:b])) if len(gap) > a else None for a, b in pairwise(edges)]
    made = int(run.steps)
    return {
        "steps": made, "asked": steps, "until": float(run.outcome.time), "outcome": run.outcome.kind, "seconds": spent,
        "edges": (edges[1:] * until / SAMPLES).tolist(), "energy": bins,
        "first": _most(gap[1 : SAMPLES // 10]), "last": _most(gap[-SAMPLES // 10 :]) if len(gap) > SAMPLES // 2 else None,
        "most": _most(gap),
    }  # fmt: skip


def _most(gap: Any) -> float | None:
    return float(np.max(gap)) if len(gap) and np.all(np.isfinite(gap)) else None


def load(path: Path = DATA) -> dict[str, dict[str, Any]]:
    """What was measured so far, by problem and method."""
    return json.loads(path.read_text()) if path.exists() else {}


def save(table: dict[str, dict[str, Any]], path: Path = DATA) -> None:
    """Written beside and renamed."""
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(table, indent=0, sort_keys=True))
    beside.replace(path)


def begin(names: list[str]) -> None:
    """The first steps of every method on every problem, where they were not looked at yet."""
    table = load(BEGIN)
    for name in names or problems.names():
        problem = problems.get(name)
        for method, options in methods_for(problem.system).items():
            if method not in table.setdefault(name, {}):
                table[name][method] = measured(problem, method, options, FIRST)
        save(table, BEGIN)
        print(name, flush=True)


def wanted(steps: int, names: list[str]) -> list[tuple[float, str, str]]:
    """What was not measured with so many steps yet: estimated processor seconds, problem, method; the cheapest first."""
    found, table = [], load()
    for name in names or problems.names():
        problem = problems.get(name)
        for method, options in methods_for(problem.system).items():
            old = table.get(name, {}).get(method)
            if old is not None and old["asked"] >= steps:
                continue
            known = old or measured(problem, method, options, min(FIRST, steps))
            found.append((known["seconds"] / max(known["asked"], 1) * steps, name, method))
    return sorted(found)


def measure(steps: int, names: list[str]) -> None:
    """Measure what was not measured with as many steps yet."""
    left = wanted(steps, names)
    print(f"{len(left)} motions, about {sum(cost for cost, _, _ in left):.0f} s of processor time", flush=True)
    for cost, name, method in left:
        problem = problems.get(name)
        count = steps if cost <= SLOW else steps // 10
        old = load().get(name, {}).get(method)
        if old is not None and old["asked"] >= count:
            continue
        found = measured(problem, method, methods_for(problem.system)[method], count)
        table = load()
        table.setdefault(name, {})[method] = found
        save(table)
        print(
            f"{name:22s} {method:20s} {found['steps']:>9d} steps {found['seconds']:7.1f} s  energy {found['most']}", flush=True
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["page"]:
        from benchmarks.integrators_page import write

        write()
    elif sys.argv[1:2] == ["begin"]:
        begin(sys.argv[2:])
    else:
        measure(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000, sys.argv[2:])
