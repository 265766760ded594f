"""The right-hand side in machine code against ``gcc -O3`` on the same expressions.

Both are given kinematics, mass and force as SymEngine has them. For gcc they are written as C with SymEngine's shared
subexpressions, which is what a careful person would hand to it. The time with the mass matrix solved is shown too.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import symengine as se

from benchmarks.systems import RATTLEBACK_VALUES, rattleback_in_angles
from nonholo.algebra.numeric_functions import private
from nonholo.compile import compile_equations
from nonholo.compile.kernel import input_symbols
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.derive.multipliers import multipliers
from nonholo.gallery import get
from nonholo.program.llvm_jit import load
from nonholo.program.machine_code import machine_code

FLAGS = {"gcc -O3": ("-O3",), "gcc -O3 -march=native": ("-O3", "-march=native")}
LIMIT = 1.5


REPEAT = """define void @repeat(ptr %code, ptr %out, ptr %in, ptr %data, i64 %count) nounwind {
entry:
br label %work
work:
%i = phi i64 [0, %entry], [%next, %work]
call void %code(ptr %out, ptr %in, ptr %data)
%next = add i64 %i, 1
%more = icmp slt i64 %next, %count
br i1 %more, label %work, label %end
end:
ret void
}"""
_ADDRESS, _OWNER = load(REPEAT, "repeat")
_repeat = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 5)(_ADDRESS)


def seconds(address: int, data: int, outputs: int, given: np.ndarray) -> float:
    """Time of one call: the best of many rounds, in processor time, so that a busy machine disturbs it little."""
    out, best = np.zeros(outputs), np.inf
    count = 2000
    for _ in range(40):
        began = time.thread_time()
        _repeat(address, out.ctypes.data, given.ctypes.data, data, count)
        best = min(best, (time.thread_time() - began) / count)
    return best


def c_source(symbols: Sequence[Any], expressions: Sequence[Any]) -> str:
    """The expressions as a C function, with SymEngine's shared subexpressions."""
    hidden, renamed = private(symbols, expressions)
    shared, reduced = se.cse(renamed)
    lines = ["#include <math.h>", "void run(double *restrict out, const double *restrict in, void *data) {"]
    lines += [f"const double {s} = in[{i}];" for i, s in enumerate(hidden)]
    lines += [f"const double {s} = {se.ccode(e)};" for s, e in shared]
    lines += [f"out[{i}] = {se.ccode(e)};" for i, e in enumerate(reduced)]
    return "\n".join([*lines, "}"])


def with_gcc(source: str, flags: Sequence[str], folder: Path) -> tuple[int, Any]:
    """The address of the compiled C function, and its library."""
    name = folder / f"rhs{abs(hash((source, tuple(flags))))}"
    name.with_suffix(".c").write_text(source)
    library = name.with_suffix(".so")
    subprocess.run(
        ["gcc", *flags, "-shared", "-fPIC", str(name.with_suffix(".c")), "-o", str(library), "-lm"], check=True
    )
    loaded = ctypes.CDLL(str(library))
    return ctypes.cast(loaded.run, ctypes.c_void_p).value or 0, loaded


def subjects() -> list[Equations]:
    """From a few operations to a thousand."""
    rattleback = rattleback_in_angles()
    return [
        hamel(get("chaplygin_sleigh").system),
        hamel(get("snakeboard").system),
        hamel(rattleback),
        multipliers(rattleback),
    ]


def table() -> list[dict[str, Any]]:
    """One row for each system: nanoseconds per call and the ratio to gcc."""
    if shutil.which("gcc") is None:
        raise ImportError("gcc is not installed")
    rows = []
    random = np.random.default_rng(3)
    with tempfile.TemporaryDirectory() as folder:
        for equations in subjects():
            symbols = input_symbols(equations)
            size = len(equations.mass)
            entries = [
                equations.mass[i][j] for i in range(size) for j in range(i + 1 if equations.symmetric else size)
            ]
            expressions = [*equations.kinematics, *entries, *equations.force]
            given = np.array([RATTLEBACK_VALUES.get(str(s), random.uniform(0.3, 1.2)) for s in symbols])
            began = time.thread_time()
            ours = machine_code(symbols, expressions, "benchmark")
            compiling = time.thread_time() - began
            kernel = compile_equations(equations)
            fixed = kernel.constants(given) if kernel.constants.outputs else np.empty(0)
            wide = np.concatenate([given, np.zeros(size), fixed])
            row: dict[str, Any] = {
                "system": f"{equations.name}, {equations.origin}",
                "outputs": len(expressions),
                "compile (ms)": compiling * 1e3,
                "ours (ns)": 1e9 * seconds(ours.address, ours.data, ours.outputs, given),
                "solved too (ns)": 1e9 * seconds(kernel.rates_code.well.address, 0, kernel.rates_code.outputs, wide),
            }
            source = c_source(symbols, expressions)
            for name, flags in FLAGS.items():
                address, library = with_gcc(source, flags, Path(folder))
                found = np.empty(len(expressions))
                _repeat(address, found.ctypes.data, given.ctypes.data, 0, 1)
                np.testing.assert_allclose(found, ours(given), rtol=1e-8, atol=1e-10)
                row[f"{name} (ns)"] = 1e9 * seconds(address, 0, len(expressions), given)
                del library
            row["ours / best gcc"] = row["ours (ns)"] / min(row[f"{name} (ns)"] for name in FLAGS)
            row[f"under {LIMIT}"] = bool(row["ours / best gcc"] < LIMIT)
            rows.append(row)
    return rows
