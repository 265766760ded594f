"""What derivatives cost: the Jacobian of all rates by the state against the rates themselves, in one run.

The rates are the function that the loops call, mass matrix solved; the Jacobian is had from the solution ``ż`` that they gave.
Compiling is in processor time. Forward differences would cost one evaluation of the rates for each column, and lose half the
digits.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rhs import seconds
from benchmarks.systems import rattleback_in_angles
from nonholo.compile import Kernel, compile_equations
from nonholo.compile.rates_jacobian import RatesJacobian, rates_jacobian
from nonholo.derive.hamel import hamel
from nonholo.gallery import get
from nonholo.model.files.toml_files import load
from nonholo.model.system import System

BICYCLE = Path(__file__).parents[1] / "tests" / "program" / "whipple-bicycle.toml"


def ratio(kernel: Kernel, slopes: RatesJacobian) -> tuple[float, float]:
    """Seconds of one call of the rates and of their Jacobian; the smallest of rounds that take turns."""
    given = np.random.default_rng(3).uniform(0.3, 1.2, len(kernel.symbols))
    solution, _ = kernel.solve(given)
    fixed = kernel.constants(given) if kernel.constants.outputs else np.empty(0)
    first = np.concatenate([given, np.zeros(len(solution)), fixed])
    fixed = slopes.code.constants(given) if slopes.code.constants.outputs else np.empty(0)
    second = np.concatenate([given, solution, fixed])
    rates = derivatives = np.inf
    for _ in range(3):
        rates = min(rates, seconds(kernel.rates_code.well.address, 0, kernel.rates_code.outputs, first))
        derivatives = min(derivatives, seconds(slopes.machine.address, 0, slopes.machine.outputs, second))
    return rates, derivatives


def subjects() -> list[tuple[System, float | None]]:
    """Systems, and how many times the rates the Jacobian may cost."""
    return [
        (get("chaplygin_sleigh").system, None),
        (get("snakeboard").system, None),
        (get("rattleback").system, 4.0),
        (rattleback_in_angles(), None),
        (get("tippe_top").system, None),
        (load(BICYCLE), 6.0),
    ]


def table() -> list[dict[str, Any]]:
    """One row for each system."""
    rows: list[dict[str, Any]] = []
    for system, limit in subjects():
        kernel = compile_equations(hamel(system))
        began = time.thread_time()
        slopes = rates_jacobian(kernel)
        compiling = time.thread_time() - began
        rates, derivatives = ratio(kernel, slopes)
        row: dict[str, Any] = {
            "system": system.name,
            "columns": len(slopes.columns),
            "rates (ns)": rates * 1e9,
            "Jacobian (ns)": derivatives * 1e9,
            "ratio": derivatives / rates,
            "compiling the Jacobian (s)": compiling,
        }
        if limit is not None:
            row |= {"aim": limit, "met": bool(derivatives / rates <= limit)}
        rows.append(row)
    return rows
