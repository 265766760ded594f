"""What derivatives cost beside a motion: processor time of the compiled loops with 1, 2 and 4 directions over that without.

The aim is (1 + directions) × 1.5. A motion with tangents takes shorter steps, because their error counts too.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from nonholo import gallery
from nonholo.integrate.methods import DormandPrince8
from nonholo.integrate.motion.integration import advance
from nonholo.integrate.motion.motion_pieces import problem_of
from nonholo.integrate.sensitivity.tangent_motion import Bundle, advance_tangents
from nonholo.program.machine_code import OFTEN

CASES = (("chaplygin-sleigh", 200.0), ("snakeboard", 40.0), ("rattleback", 5.0), ("tippe-top", 3.0))
FINE = 1e-12
"""The relative error of motion and tangents with which the rattleback's derivatives are right to 1e-8 over one reversal."""
REPEATS = 7


def least(function: Any) -> float:
    """Processor time of the quickest of some calls."""
    found = []
    for _ in range(REPEATS):
        began = time.process_time()
        function()
        found.append(time.process_time() - began)
    return min(found)


def table() -> list[dict[str, Any]]:
    """One row for each system and number of directions."""
    rows = []
    for name, until, rtol in (*((*case, 1e-9) for case in CASES), ("rattleback", 5.0, FINE)):
        exhibit = gallery.get(name)
        problem = problem_of(exhibit.system, exhibit.start, exhibit.parameters, "hamel", {})
        kernel, y = problem.initial.kernel, problem.initial.state
        numbers = [problem.parameters[n] for n in kernel.parameters]
        method = DormandPrince8(rtol=rtol, atol=1e-3 * rtol)
        kernel.rates_code.after(OFTEN)  # both sides by code made with care
        alone = advance(kernel, method, 0, y, until, numbers)
        base = least(lambda: advance(kernel, method, 0, y, until, numbers))  # noqa: B023
        for count in (1, 2, 4):
            along = kernel.parameters[:count]
            if len(along) < count:
                continue
            bundle = Bundle(np.zeros((len(y), count)), along)
            began = time.process_time()
            path = advance_tangents(kernel, method, 0, y, until, bundle, numbers)
            first = time.process_time() - began
            row = kernel.row(0.0, y.tolist(), [0.0] * len(kernel.inputs), list(numbers))
            kernel.tangent_kernel(bundle.along, row).rates_code.after(OFTEN)
            took = least(lambda: advance_tangents(kernel, method, 0, y, until, bundle, numbers))  # noqa: B023
            aim = (1 + count) * 1.5
            rows.append(
                {
                    "system": exhibit.system.name,
                    "rtol": rtol,
                    "directions": count,
                    "motion [ms]": 1e3 * base,
                    "with tangents [ms]": 1e3 * took,
                    "steps": f"{alone.accepted} → {path.accepted}",
                    "ratio": took / base,
                    "aim": aim,
                    "met": bool(took / base <= aim),
                    "first time, compiling [s]": first,
                }
            )
    return rows
