"""The same motion at the same tolerance: SciPy on SymPy's lambdified right-hand side, and diffrax on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import nonholo as nh
from benchmarks.derive import best
from benchmarks.systems import RATTLEBACK_VALUES, rattleback_in_angles
from nonholo.integrate.methods import DormandPrince8
from nonholo.integrate.motion.formulation import formulation_of
from nonholo.integrate.motion.integration import advance

CASES = {
    "sleigh, 20 s": (
        lambda: nh.gallery.get("chaplygin-sleigh").system,
        {"omega": 1.5, "v": -1.0},
        20.0,
        {"m": 1.3, "J": 0.7, "a": 0.4},
    ),
    "rattleback, 1 s": (rattleback_in_angles, {"phi": 0.1, "theta": 0.05, "psidot": -2.0}, 1.0, RATTLEBACK_VALUES),
}
AIM = 50


def lambdified(equations: Any, numbers: list[float], modules: str) -> Callable[[Any], Any]:
    """``(ẋ, M, F)`` of a state by SymPy's lambdify with shared subexpressions."""
    import sympy as sp

    size = len(equations.force)
    entries = [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force]
    symbols = [sp.Symbol(str(s)) for s in (*equations.coordinates, *equations.speeds, *equations.parameters)]
    function = sp.lambdify(
        symbols, [e._sympy_() if hasattr(e, "_sympy_") else e for e in entries], cse=True, modules=modules
    )
    count = len(equations.kinematics)

    def parts(y: Any) -> Any:
        values = function(*y, *numbers)
        return (
            values[:count],
            [values[count + i * size : count + (i + 1) * size] for i in range(size)],
            values[count + size * size :],
        )

    return parts


def scipy_motion(parts: Callable[[Any], Any], start: Any, until: float, tolerance: float) -> Any:
    """The end of the motion by solve_ivp's DOP853."""
    from scipy.integrate import solve_ivp

    def flow(t: float, y: Any) -> Any:
        kinematics, mass, force = parts(y)
        return np.concatenate([kinematics, np.linalg.solve(mass, force)])

    return solve_ivp(flow, (0.0, until), start, method="DOP853", rtol=tolerance, atol=tolerance).y[:, -1]


def diffrax_motion(parts: Callable[[Any], Any], start: Any, until: float, tolerance: float) -> Callable[[], Any]:
    """A compiled diffrax Dopri8 motion; compilation is not counted."""
    import diffrax
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def flow(t: Any, y: Any, arguments: Any) -> Any:
        kinematics, mass, force = parts(y)
        rates = jnp.linalg.solve(jnp.array([jnp.stack(row) for row in jnp.array(mass)]), jnp.array(force))
        return jnp.concatenate([jnp.array(kinematics), rates])

    controller = diffrax.PIDController(rtol=tolerance, atol=tolerance)

    @jax.jit
    def run(y: Any) -> Any:
        return diffrax.diffeqsolve(
            diffrax.ODETerm(flow),
            diffrax.Dopri8(),
            0.0,
            until,
            None,
            y,
            stepsize_controller=controller,
            max_steps=100_000,
        ).ys[-1]

    first = jnp.array(start)
    run(first).block_until_ready()
    return lambda: np.asarray(run(first).block_until_ready())


def table() -> list[dict[str, Any]]:
    """Seconds at the same tolerance, the ratios, and how far the ends lie from a tight reference."""
    rows = []
    for name, (make, start, until, values) in CASES.items():
        system = make()
        initial = formulation_of(system, {}).start(nh.complete_state(system, start, values), values)
        numbers = [values[str(p)] for p in initial.equations.parameters]
        truth = advance(
            initial.kernel, DormandPrince8(rtol=1e-13, atol=1e-14), 0.0, initial.state, until, numbers
        ).final_state
        parts = lambdified(initial.equations, numbers, "math")
        for tolerance in (1e-6, 1e-8, 1e-10, 1e-12):
            method = DormandPrince8(rtol=tolerance, atol=tolerance)

            def ours(
                method: Any = method, initial: Any = initial, until: float = until, numbers: Any = numbers
            ) -> Any:
                return advance(initial.kernel, method, 0.0, initial.state, until, numbers).final_state

            def scipys(
                tolerance: float = tolerance, parts: Any = parts, initial: Any = initial, until: float = until
            ) -> Any:
                return scipy_motion(parts, initial.state, until, tolerance)

            mine, theirs = best(ours, 50), best(scipys, 3)
            row: dict[str, Any] = {"what": name, "tolerance": tolerance, "nonholo [s]": mine}
            row |= {"lambdify + solve_ivp / nonholo": theirs / mine, "aim": AIM, "met": theirs / mine >= AIM}
            row |= {
                "our error": float(np.max(np.abs(ours() - truth))),
                "its error": float(np.max(np.abs(scipys() - truth))),
            }
            if name.startswith("sleigh"):
                try:
                    run = diffrax_motion(
                        lambdified(initial.equations, numbers, "jax"), initial.state, until, tolerance
                    )
                    row["diffrax / nonholo"] = best(run, 20) / mine
                except Exception as problem:  # a peer that cannot be installed or run is reported, not hidden
                    row["diffrax / nonholo"] = f"did not run: {type(problem).__name__}"
            rows.append(row)
    return rows
