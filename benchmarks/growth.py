"""How machine code, its derivatives and numbers grow with the system, in processor time of one run.

Chains of N blades (two speeds, N + 2 coordinates; their text has some N² terms, their program some 300 N operations) and Suslov's
problem on so(n). Compiling begins with reading the expressions, linear in their N² terms; the rest is linear in the operations.
``compile`` is what a first motion waits for, code made in a hurry; ``with care`` is the time of the code that replaces it.
"""

from __future__ import annotations

from math import log2
from time import thread_time
from typing import Any

import numpy as np
from symengine import sympify

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
from nonholo.model.files import load as read_file
from nonholo.program.jit import load
from nonholo.program.program import Program
from nonholo.program.translate import Order

SIZES = (8, 16, 32, 64, 128)
BICYCLE_LIMIT = 0.35
LINEAR = 1.1
"""The aim for exponents of what should be linear."""
SLOPES = (
    ("read (s)", ("terms",)), ("machine code (s)", ("operations",)), ("with care (s)", ("operations",)),
    ("compile (s)", ("terms", "operations")), ("compile (s)", ("operations",)),
)  # fmt: skip


def fitted(pairs: list[tuple[float, float]]) -> float:
    """The exponent of a power law through pairs (size, seconds), by least squares of logarithms."""
    size, taken = np.log(np.array(pairs)).T
    return float(np.polyfit(size, taken, 1)[0])


def operations(equations: Equations) -> int:
    """The length of the program of the rates."""
    return len(read(equations).operations)


def read(equations: Equations) -> Program:
    """The program of the rates, from the expressions."""
    names = input_symbols(equations)
    exprs = [*equations.kinematics, *entries_of(equations, True), *equations.force]
    return rates_program(equations, names, exprs, True, len(names) - len(equations.parameters))[0]


def terms(equations: Equations) -> int:
    """How many terms, factors and arguments the expressions have, each subexpression counted once."""
    order = Order({s: i for i, s in enumerate(input_symbols(equations))})
    for e in (*equations.kinematics, *entries_of(equations, True), *equations.force):
        order.read(sympify(e))
    return sum(map(len, order.parts))


def compiled(equations: Equations, repeats: int) -> dict[str, Any]:
    """The length of what is read and written, and processor times."""
    _, reading = seconds(lambda: read(equations), repeats)
    kernel, taken = seconds(lambda: compile_equations(equations), repeats)
    _, care = seconds(lambda: load(kernel.rates_code.text), repeats)
    return {
        "terms": terms(equations), "operations": operations(equations), "read (s)": reading, "compile (s)": taken,
        "machine code (s)": taken - reading, "with care (s)": care,
    }  # fmt: skip


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
    bicycle = hamel(read_file(BICYCLE))
    found = compiled(bicycle, 5)
    whole = found["read (s)"] + found["with care (s)"]
    rows.append(
        {"system": "Whipple bicycle", **found, "aim": BICYCLE_LIMIT, "met": max(whole, found["compile (s)"]) <= BICYCLE_LIMIT}
    )
    for n in (4, 5, 6, 7):
        rows.append({"system": f"Suslov on so({n})", **compiled(hamel(suslov(n).system), 5)})
    before: dict[str, Any] | None = None
    for size in sizes:
        equations, derived = derivation(size, 3 if size <= 32 else 2)
        state = {n: 0.1 + 0.01 * i for i, n in enumerate(equations.state)}
        values = {str(p): 1.0 + 0.1 * i for i, p in enumerate(equations.parameters)}
        _, rates = seconds(lambda e=equations, s=state, v=values: e.rates(s, v), 1)
        row: dict[str, Any] = {
            "system": f"chain of {size} blades",
            **compiled(equations, 3),
            "derive (s)": derived,
            "first rates (s)": rates,
        }
        if before is not None:
            growth = log2(derived / before["derive (s)"])
            row |= {"derive ~ N^": growth}
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
    every = rows[-len(sizes) - (len(chains) > 1) :][: len(sizes)]
    for key, by in SLOPES:
        slope = fitted([(sum(row[b] for b in by), row[key]) for row in every])
        words = f"exponent of {key.removesuffix(' (s)')} against {' + '.join(by)}, {min(sizes)} to {max(sizes)} blades"
        rows.append({"system": words, key: slope, "aim": LINEAR, "met": slope <= LINEAR})
    return rows
