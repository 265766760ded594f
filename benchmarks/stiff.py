"""Stiff motion: `rodas` against SciPy's Radau and BDF and against dop853, on systems of the tests.

SciPy gets our machine code of rates and Jacobian by a Python call; steps and evaluations are printed beside the time, since those
calls cost it more than its arithmetic. Errors are against rodas (for the blade: Radau) with tolerances a thousand times smaller.
"""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np

import nonholo as nh
from tests.integrate import stiff

RTOL, ATOL, MOST = 1e-8, 1e-10, 200_000


def best(work: Any, times: int = 3) -> tuple[float, Any]:
    """The least processor time of several runs, and the result."""
    spent, result = float("inf"), None
    for _ in range(times):
        began = process_time()
        result = work()
        spent = min(spent, process_time() - began)
    return spent, result


def rows_of(name: str, system: nh.System) -> list[dict[str, Any]]:
    """One system by every method."""
    from scipy.integrate import solve_ivp

    form = "multipliers" if name == "robot" else "hamel"  # one frame does not serve the robot, and SciPy cannot change it
    model = nh.prepare(system, form=form)
    start = nh.simulate(system, method="rodas", t_eval=2, form=form)
    first, until = [start.first[n] for n in model.names], float(start.times[-1])

    def scipy(method: str, rtol: float = RTOL, atol: float = ATOL) -> Any:
        return solve_ivp(
            lambda t, x: model.vector(x, t=t), (0.0, until), first, method=method, rtol=rtol, atol=atol,
            jac=lambda t, x: model.jacobian(x, t=t),
        )  # fmt: skip

    exact = nh.simulate(system, method="rodas", rtol=1e-3 * RTOL, atol=1e-3 * ATOL, t_eval="end", form=form).final
    if name == "blade":
        exact = dict(zip(model.names, scipy("Radau", 1e-11, 1e-13).y[:, -1]))
    rows = []
    for method in ("rodas", "dop853"):
        spent, run = best(
            lambda m=method: nh.simulate(
                system, method=m, rtol=RTOL, atol=ATOL, t_eval="end", max_steps=MOST, form=form, progress=False
            )
        )
        gap = max(abs(run.final[n] - exact[n]) for n in model.names) if run.outcome.reached else float("nan")
        rows.append((method, spent, run.steps, run.calls, gap, str(run.outcome.kind)))
    for method in ("Radau", "BDF"):
        spent, found = best(lambda m=method: scipy(m), 1)
        gap = float(np.max(np.abs(found.y[:, -1] - [exact[n] for n in model.names])))
        rows.append((method, spent, len(found.t) - 1, found.nfev, gap, "reached" if found.success else found.message))
    ours = rows[0][1]
    return [
        {
            "system": system.name, "method": m, "ms": 1e3 * spent, "/ rodas": spent / ours, "steps": steps, "evaluations": calls,
            "error": gap, "outcome": how,
        }
        for m, spent, steps, calls, gap, how in rows
    ]  # fmt: skip


def table() -> list[dict[str, Any]]:
    """All systems."""
    return [row for name in ("belt", "ball", "motor", "robot", "blade") for row in rows_of(name, getattr(stiff, name)())]
