"""How machine code, its derivatives and numbers grow with the system, in processor time of one run.

Chains of N blades (two speeds, N + 2 coordinates; their text has some N² terms, their program some 300 N operations) and Suslov's
problem on so(n); work, drift, reactions and checks of driven trains of trailers. Compiling begins
with reading the expressions, linear in their N² terms: so long is the text that is given. The rest is linear in the operations.
``compile`` is what a first motion waits for, code made in a hurry; ``with care`` is the time of the code that replaces it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import thread_time
from typing import Any

import numpy as np
from symengine import sympify

import nonholo as nh
from benchmarks.chains import driven_train, long_chain
from benchmarks.derivatives import BICYCLE
from nonholo.algebra.cache import forget
from nonholo.compile import compile_equations
from nonholo.compile.explicit_rates import rates_program
from nonholo.compile.kernel import entries_of, input_symbols
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.gallery import get
from nonholo.gallery.n_trailer import exhibit as trailers
from nonholo.gallery.suslov_n import exhibit as suslov
from nonholo.model.files.toml_files import load as read_file
from nonholo.program.llvm_jit import load
from nonholo.program.program import Program
from nonholo.program.translate import Order

SIZES = (8, 16, 32, 64, 128)
TRAINS = (5, 10, 20, 40)
BICYCLE_LIMIT = 0.35
LINEAR = 1.1
"""The aim for exponents of what should be linear, from 16 blades on: fewer are one function, which is not cut."""
SQUARE = 2.1
ROUNDS = 6
SLOPES = (
    ("read (s)", ("terms",), LINEAR), ("machine code (s)", ("operations",), LINEAR), ("with care (s)", ("operations",), LINEAR),
    ("compile (s)", ("terms", "operations"), LINEAR), ("compile (s)", ("operations",), None),
    ("operations", ("blades",), LINEAR), ("derive (s)", ("blades",), SQUARE),
)  # fmt: skip
"""What grows with what, and the aim. Compiling has none against operations alone: it begins with reading N² terms."""


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
    return {"terms": terms(equations), "operations": operations(equations), **times(reading, taken, care)}


def times(reading: float, taken: float, care: float) -> dict[str, float]:
    """Processor times by the names of their columns."""
    return {"read (s)": reading, "compile (s)": taken, "machine code (s)": taken - reading, "with care (s)": care}


def in_turns(every: Sequence[Equations], rounds: int = ROUNDS) -> list[dict[str, float]]:
    """Processor times of many compilations, the least of some rounds: a busy minute then falls on all of them alike."""
    least = np.full((len(every), 3), np.inf)
    for _ in range(rounds):
        for k, equations in enumerate(every):
            _, reading = seconds(lambda e=equations: read(e), 1)
            kernel, taken = seconds(lambda e=equations: compile_equations(e), 1)
            _, care = seconds(lambda c=kernel: load(c.rates_code.text), 1)
            least[k] = np.minimum(least[k], (reading, taken, care))
    return [times(*row) for row in least.tolist()]


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
    chains: list[Equations] = []
    for size in sizes:
        equations, derived = derivation(size, 3 if size <= 32 else 2)
        state = {n: 0.1 + 0.01 * i for i, n in enumerate(equations.state)}
        values = {str(p): 1.0 + 0.1 * i for i, p in enumerate(equations.parameters)}
        _, rates = seconds(lambda e=equations, s=state, v=values: e.rates(s, v), 1)
        found = {"terms": terms(equations), "operations": operations(equations), "blades": size}
        rows.append({"system": f"chain of {size} blades", **found, "derive (s)": derived, "first rates (s)": rates})
        chains.append(equations)
    for row, taken in zip(rows[-len(sizes) :], in_turns(chains)):
        row |= taken
    return [*rows, *slopes(rows[-len(sizes) :]), *trains()]


def trains(sizes: tuple[int, ...] = TRAINS) -> list[dict[str, Any]]:
    """What is asked of a driven train of N trailers: work and drift of 5 s, reactions at the end, all checks."""
    rows = []
    for n in sizes:
        forget()
        train, exhibit = driven_train(n), trailers(n)
        run, moved = seconds(lambda s=train, e=exhibit: nh.simulate(s, e.start, 5.0, e.parameters, progress=False), 1)
        row: dict[str, Any] = {"system": f"train of {n} trailers", "blades": n + 1, "first motion (s)": moved}
        row["work (s)"] = seconds(lambda r=run: r.work, 1)[1]
        row["drift (s)"] = seconds(lambda r=run: r.drift("energy"), 1)[1]
        end, values = run.final, exhibit.parameters
        row["reactions (s)"] = seconds(lambda s=train, x=end, v=values: nh.reactions(s).at(x, v), 1)[1]
        row["check (s)"] = seconds(lambda s=train: nh.check(s), 1)[1]
        rows.append(row)
    return rows


def slopes(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The exponents of power laws through the chains of 16 blades and more."""
    found = [row for row in rows if row["blades"] >= 16]
    if len(found) < 2:
        return []
    result: list[dict[str, Any]] = []
    for key, by, aim in SLOPES:
        slope = fitted([(sum(row[b] for b in by), row[key]) for row in found])
        words = f"{key.removesuffix(' (s)')} ~ ({' + '.join(by)})^"
        result.append({"system": words, key: slope} | ({"aim": aim, "met": slope <= aim} if aim else {}))
    return result
