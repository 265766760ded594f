"""From bodies to equations, machine code and a first motion: the bicycle, and snakes of growing length.

``python -m benchmarks machines.derivation``. Each row is a process of its own, after ``import nonholo``; seconds are processor
time, the least of three processes, and the right-hand side is the machine code of the rates called in a loop.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

LINKS = (10, 25, 50, 100)
ROUNDS = 3
SNAKE = """
import nonholo as nh
from itertools import pairwise
names = [f"link {{k}}" for k in range(1, {links} + 1)]
machine = nh.Machine(
    world="plane", parameters={{"m": 1.1, "J": 0.2, "l": 0.6, "b": 0.35, "c": 0.25}},
    bodies=[nh.Body(name, mass="m", inertia="J", center=["-c", 0]) for name in names],
    joints=[nh.Joint(name=f"b{{k}}", parent=a, child=b, at=["-l", 0]) for k, (a, b) in enumerate(pairwise(names), 1)],
    wheels=[nh.Wheel(name, at=["-b", 0]) for name in names],
)
start = {{"forward": 0.8, "thetadot": 0.1, "b1": 0.2}}
"""
BICYCLE = """
import nonholo as nh
from tests.machines.test_bicycle_in_bodies import BICYCLE
from nonholo.machines.machine_files import machine_of
from nonholo.model.files.toml_text import toml_table
machine, start = machine_of(toml_table(BICYCLE, "bicycle")), {"roll": 0.1, "rolling": "5 m/s"}
"""
MEASURED = """
import json
from time import process_time
from nonholo.compile.kernel import compile_equations
begin = process_time()
system = nh.assemble(machine)
equations = nh.hamel(system)
derived = process_time()
kernel = compile_equations(equations)
compiled = process_time()
run = nh.simulate(system, start, 1.0)
moved = process_time()
import numpy as np
from benchmarks.rhs import seconds
values = {**nh.complete_state(system, start), **system.parameters, "g": 9.81, "t": 0.0}
given = np.array([values[str(s)] for s in kernel.symbols])
fixed = kernel.constants(given) if kernel.constants.outputs else np.empty(0)
wide = np.concatenate([given, np.zeros(len(equations.mass)), fixed])
code = kernel.rates_code.well
call = seconds(code.address, code.data, code.outputs, wide)
print(json.dumps([derived - begin, compiled - derived, moved - begin, 1e6 * call]))
"""


def table() -> list[dict[str, Any]]:
    """One row for each machine."""
    texts = {"bicycle": BICYCLE} | {f"snake of {n} links": SNAKE.format(links=n) for n in LINKS}
    return [_row(name, text) for name, text in texts.items()]


def _row(name: str, text: str) -> dict[str, Any]:
    rounds = [
        json.loads(subprocess.run([sys.executable, "-c", text + MEASURED], check=True, capture_output=True, text=True).stdout)
        for _ in range(ROUNDS)
    ]
    derive, code, motion, call = (min(column) for column in zip(*rounds))
    row = {"machine": name, "derive [s]": derive, "compile [s]": code, "first motion [s]": motion, "right-hand side [µs]": call}
    aims = {
        "bicycle": {"derive < 0.3 s": derive < 0.3, "first motion < 1 s": motion < 1.0},
        "snake of 50 links": {"derive and compile < 5 s": derive + code < 5.0, "right-hand side < 10 µs": call < 10.0},
    }
    told = ", ".join(f"{aim}: {'met' if met else 'MISSED'}" for aim, met in aims.get(name, {}).items())
    return {**row, "aims": told}
