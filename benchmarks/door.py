"""What stands between a user and the motion: second calls, single steps, changes of frame, the shell, the first trajectory.

Times are processor time of the thread that waits, the best of several: a busy machine makes clocks slow, not programs. What was
derived belongs to the structure of a system, so a second call has other values and another start than the first.
"""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import nonholo as nh
from benchmarks.first import kane_lambdify, ours

SHARED = Path(__file__).resolve().parents[1].parent / "shared" / "systems"
SKATE = {
    "name": "skate on a sphere",
    "coordinates": "th ph psi",
    "lagrangian": "J*(phdot*cos(th) + psidot)**2/2 + R**2*m*(phdot**2*sin(th)**2 + thdot**2)/2 - R*g*m*cos(th)",
    "constraints": ["thdot*sin(psi) - phdot*cos(psi)*sin(th)"],
    "parameters": {"m": 1.0, "R": 1.0, "J": 0.1, "g": 9.81},
    "start": {"th": 1.2, "psi": 1.2, "psidot": 2.0, "phdot": 1.0},
}


def best(work: Callable[[], Any], times: int) -> float:
    """The least processor time of some calls."""
    work()
    gc.collect()
    found = []
    for _ in range(times):
        began = process_time()
        work()
        found.append(process_time() - began)
    return min(found)


def bicycle() -> tuple[str, nh.System]:
    """The Whipple bicycle where its file is at hand, else our own chain of five sleighs, larger still."""
    for place in (SHARED, Path("/work/shared/systems")):
        if (place / "whipple-bicycle.toml").is_file():
            return "Whipple bicycle", nh.load(place / "whipple-bicycle.toml")
    from nonholo.gallery.sleigh_chain import exhibit

    chain = exhibit(5)
    return "chain of five sleighs", chain.system


def second_sleigh() -> float:
    """Seconds of the second `simulate` of the sleigh: 12 s, 401 points."""
    sleigh = nh.gallery.get("chaplygin-sleigh")
    nh.simulate(sleigh.system, {"omega": 1.1, "v": -0.7}, 12, sleigh.parameters)
    return best(lambda: nh.simulate(sleigh.system, {"omega": 1.5, "v": -1}, 12, {**sleigh.parameters, "m": 1.1}), 30)


def looked_at() -> float:
    """The same, and then its energy's drift and its reaction."""
    sleigh = nh.gallery.get("chaplygin-sleigh")

    def work() -> None:
        run = nh.simulate(sleigh.system, {"omega": 1.5, "v": -1}, 12, sleigh.parameters)
        run.drift("energy")
        run["lambda1"]

    return best(work, 30)


def second_rates(system: nh.System) -> tuple[float, float]:
    """Seconds of ``hamel(s).rates(…)``, the first time and, of some later derivations, the best."""
    state = nh.complete_state(system)
    spent = []
    for _ in range(4):
        began = process_time()
        nh.hamel(system).rates(state, system.parameters)
        spent.append(process_time() - began)
    return spent[0], min(spent[1:])


def shell() -> tuple[float, float]:
    """Processor seconds of ``nonholo simulate chaplygin-sleigh``, and how many of the heavy packages it imported."""
    command = [sys.executable, "-m", "nonholo", "simulate", "chaplygin-sleigh"]
    subprocess.run(command, check=True, capture_output=True, env=dict(os.environ))
    found = []
    for _ in range(4):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True, env=dict(os.environ))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    told = subprocess.run([sys.executable, "-X", "importtime", *command[1:]], check=True, capture_output=True, text=True)
    modules = {line.split("|")[-1].strip() for line in told.stderr.splitlines() if line.startswith("import time:")}
    return min(found), float(sum(m in modules for m in ("xarray", "pandas", "dask")))


def row(what: str, found: float, unit: str, aim: float, most: bool = True) -> dict[str, Any]:
    """One line: measured against target."""
    scale = {"ms": 1e3, "µs": 1e6, "s": 1.0, "times": 1.0, "": 1.0}[unit]
    met = found * scale <= aim if most else found * scale >= aim
    return {"what": what, "measured": found * scale, "unit": unit, "target": f"{'≤' if most else '≥'} {aim:g}", "met": met}


def arrays(model: Any, name: str, state: dict[str, float]) -> list[dict[str, Any]]:
    """Rates by name, rates and steps of many states, a step where the home frame fails, and trains of two lengths."""
    x = np.tile([state[n] for n in model.names], (20_000, 1))
    u = np.zeros((len(x), len(model.inputs)))
    folded = nh.System(coordinates="x y theta", lagrangian="(xdot**2 + ydot**2 + thetadot**2)/2",
                       constraints=["xdot*sin(theta) - ydot*cos(theta)"])  # fmt: skip
    skate = nh.prepare(folded)
    far = skate.step(nh.complete_state(folded, {"theta": 1.5707, "thetadot": 0.3, "ydot": 0.6}), 0.01)
    single = best(lambda: model.vector(x[0], u[0]), 300)
    trains = [train_work(n) for n in (10, 20)]
    return [
        row(f"model.rates, {name}: against model.vector", best(lambda: model.rates(state), 300) / single, "times", 6.0),
        row(f"model.vector on rows, {name}, each", best(lambda: model.vector(x, u), 3) / len(x), "µs", 1.0),
        row(f"model.step_many, {name}, 10 ms, each", best(lambda: model.step_many(x, 0.01, u), 3) / len(x), "µs", 60.0),
        row("model.step where the home frame fails", best(lambda: skate.step(far, 0.01), 300), "µs", 60.0),
        row("work of a driven train: 20 trailers against 10", trains[1] / trains[0], "times", 4.0),
    ]


def train_work(n: int) -> float:
    """The processor time of the work along a driven train."""
    from nonholo.gallery import n_trailer
    from nonholo.model.system import varied

    exhibit = n_trailer.exhibit(n)
    system = varied(exhibit.system, inputs=("u",), forces={"v": "u"})
    run = nh.simulate(system, exhibit.start, 2.0, exhibit.parameters, inputs={"u": "0.3*sin(t)"}, t_eval=20)
    began = process_time()
    _ = run.work
    return process_time() - began


def table() -> list[dict[str, Any]]:
    """Every target of the door, measured."""
    rows = [
        row("second simulate, sleigh, 12 s and 401 points", second_sleigh(), "ms", 1.5),
        row("the same, and then drift of energy and reaction", looked_at(), "ms", 3.0),
    ]
    name, bike = bicycle()
    nh.simulate(bike, until=2.0)
    other = nh.prepare(bike, {next(iter(bike.parameters)): 1.01 * next(iter(bike.parameters.values()))})
    rows.append(row(f"second simulate, {name}, 2 s", best(lambda: nh.simulate(bike, until=2.0), 10), "ms", 6.0))
    state = other.step(nh.complete_state(bike), 0.01)
    rows.append(row(f"model.step, {name}, 10 ms", best(lambda: other.step(state, 0.01), 300), "µs", 60.0))
    rows += arrays(other, name, state)
    first, second = second_rates(bike)
    rows.append(row(f"hamel(s).rates, {name}: second against first", second / first, "times", 1.25))
    skate = nh.System(**SKATE)  # type: ignore[arg-type]
    began = process_time()
    run = nh.simulate(skate, until=60.0)
    rows.append(row(f"60 s of a skate on a sphere, text to motion, {run.frames} frames", process_time() - began, "s", 0.5))
    spent, heavy = shell()
    rows.append(row("nonholo simulate chaplygin-sleigh, from the shell", spent, "s", 1.3))
    rows.append(row("of xarray, pandas and dask it imports", heavy, "", 0))
    ours()
    mine = best(ours, 5)
    peer = best(kane_lambdify, 1)
    rows.append(row("rattleback, text to first trajectory: KanesMethod's time over ours", peer / mine, "times", 15, most=False))
    return rows
