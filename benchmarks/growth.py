"""How machine code, its derivatives and numbers grow with the system, in processor time of one run.

Chains of N blades (two speeds, N + 2 coordinates; their text has some N² terms, their program some 300 N operations) and Suslov's
problem on so(n). Compiling begins with reading the expressions, linear in their N² terms; the rest is linear in the operations.
"""

from __future__ import annotations

from math import log2
from time import thread_time
from typing import Any

import numpy as np

from benchmarks.chains import long_chain
from benchmarks.derivatives import BICYCLE
from nonholo.algebra.kept import forget
from nonholo.compile import compile_equations
from nonholo.compile.kernel import entries_of, input_symbols
from nonholo.compile.rates import rates_program
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.gallery import get
from nonholo.gallery.suslov_n import exhibit as suslov
from nonholo.model.files import load

SIZES = (8, 16, 32, 64, 128)
BICYCLE_LIMIT = 0.35


def operations(equations: Equations) -> int:
    """The length of the program of the rates."""
    names = input_symbols(equations)
    exprs = [*equations.kinematics, *entries_of(equations, True), *equations.force]
    program, _ = rates_program(equations, names, exprs, True, len(names) - len(equations.parameters))
    return len(program.operations)


def seconds(work: Any, repeats: int) -> tuple[Any, float]:
    """A result, and the least processor time it took."""
    best = np.inf
    for _ in range(repeats):
        began = thread_time()
        result = work()
        best = min(best, thread_time() - began)
    return result, float(best)


def derivation(size: int, repeats: int) -> tuple[Equations, float]:
    """The equations of a chain, and the least processor time from its System to them; nothing is kept from before."""
    best = np.inf
    for _ in range(repeats):
        forget()
        system = long_chain(size)
        equations, taken = seconds(lambda system=system: hamel(system), 1)
        best = min(best, taken)
    return equations, float(best)


def table(sizes: tuple[int, ...] = SIZES) -> list[dict[str, Any]]:
    """The bicycle, then so(3) to so(7), then the chains."""
    compile_equations(hamel(get("rattleback").system))  # loads what is loaded once
    rows: list[dict[str, Any]] = []
    bicycle = hamel(load(BICYCLE))
    _, taken = seconds(lambda: compile_equations(bicycle), 5)
    rows.append(
        {"system": "Whipple bicycle", "operations": operations(bicycle), "compile (s)": taken, "aim": BICYCLE_LIMIT}
        | {"met": taken <= BICYCLE_LIMIT}
    )
    for n in (4, 7):
        equations = hamel(suslov(n).system)
        _, taken = seconds(lambda equations=equations: compile_equations(equations), 3)
        rows.append({"system": f"Suslov on so({n})", "operations": operations(equations), "compile (s)": taken})
    before: dict[str, Any] | None = None
    for size in sizes:
        equations, derived = derivation(size, 3 if size <= 32 else 2)
        _, compiled = seconds(lambda equations=equations: compile_equations(equations), 3 if size <= 16 else 1)
        state = {n: 0.1 + 0.01 * i for i, n in enumerate(equations.state)}
        values = {str(p): 1.0 + 0.1 * i for i, p in enumerate(equations.parameters)}
        _, rates = seconds(lambda e=equations, s=state, v=values: e.rates(s, v), 1)
        row: dict[str, Any] = {
            "system": f"chain of {size} blades",
            "operations": operations(equations),
            "derive (s)": derived,
            "compile (s)": compiled,
            "first rates (s)": rates,
        }
        if before is not None:
            growth = log2(derived / before["derive (s)"])
            longer = row["operations"] / before["operations"]
            row |= {"derive ~ N^": growth, "compile / operations": compiled / before["compile (s)"] / longer}
        rows.append(row)
        before = row
    chains = {size: row for size, row in zip(sizes, rows[-len(sizes) :]) if size >= 16}
    if len(chains) > 1:
        least, most = min(chains), max(chains)
        whole = {
            key: log2(chains[most][key] / chains[least][key]) / log2(most / least)
            for key in ("derive (s)", "operations", "compile (s)")
        }
        rows.append(
            {"system": f"exponents from {least} to {most}", "derive ~ N^": whole["derive (s)"], "operations": whole["operations"]}
            | {"compile (s)": whole["compile (s)"], "aim": "derive 2, operations 1"}
            | {"met": whole["derive (s)"] <= 2.1 and whole["operations"] <= 1.1}
        )  # fmt: skip
    return rows
