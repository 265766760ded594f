"""Text to first trajectory: everything from the words of the rattleback to two seconds of its motion."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.derive import best, sympy_system
from benchmarks.kane import NAMES, body_rates, kanes_matrices
from benchmarks.systems import RATTLEBACK_VALUES, rattleback_in_angles
from nonholo.algebra.cache import forget
from nonholo.integrate.loops.compilation import object_cache
from nonholo.integrate.loops.compilation.native import bitcode, fingerprint
from nonholo.integrate.methods import registered_methods
from nonholo.integrate.motion.simulate import simulate

START = {"phi": 0.1, "theta": 0.05, "psidot": -2.0}
UNTIL = 2.0


def ours() -> Any:
    """nonholo: text, derivation, machine code, motion, its last state by name; nothing is kept from before."""
    forget()
    run = simulate(rattleback_in_angles(), START, UNTIL, RATTLEBACK_VALUES)
    run.final["psi"]
    return run


def lagranges_matrices() -> tuple[Any, Any, list[Any], list[Any]]:
    """SymPy's full mass matrix and forcing, with plain symbols for the state."""
    import sympy as sp
    from sympy.physics.mechanics import LagrangesMethod

    lagrangian, q, constraints, parameters = sympy_system()
    method = LagrangesMethod(lagrangian, q, nonhol_coneqs=constraints)
    method.form_lagranges_equations()
    state = [*q, *(c.diff() for c in q)]
    plain = [sp.Symbol(f"s{i}") for i in range(len(state))]
    table = dict(zip(reversed(state), reversed(plain)))  # rates first, or their coordinates are replaced inside them
    return method.mass_matrix_full.subs(table), method.forcing_full.subs(table), plain, parameters


def _integrate(matrices: Callable[[Any, Any], tuple[Any, Any]], start: list[float]) -> Any:
    from scipy.integrate import solve_ivp

    numbers = list(RATTLEBACK_VALUES.values())

    def flow(t: float, y: Any) -> Any:
        mass, forcing = matrices(y, numbers)
        return np.linalg.solve(mass, np.asarray(forcing).ravel())[: len(start)]

    return solve_ivp(flow, (0, UNTIL), start, method="DOP853", rtol=1e-9, atol=1e-12)


def full_start() -> dict[str, float]:
    """The same consistent start for the peers."""
    from nonholo.derive.states.consistent_state import complete_state

    return dict(complete_state(rattleback_in_angles(), START, RATTLEBACK_VALUES))


def ours_start() -> list[float]:
    """The start in coordinates and rates."""
    full = full_start()
    return [*(full[n] for n in NAMES), *(full[f"{n}dot"] for n in NAMES)]


def kane_lambdify() -> Any:
    """SymPy KanesMethod, lambdify with shared subexpressions, SciPy's DOP853."""
    import sympy as sp

    mass, forcing, state, parameters = kanes_matrices()
    function = sp.lambdify([*state, *parameters], [mass, forcing], cse=True)
    full = full_start()
    return _integrate(lambda y, p: function(*y, *p), [*(full[n] for n in NAMES), *body_rates(full)])


def sympy_lambdify() -> Any:
    """SymPy LagrangesMethod, lambdify with shared subexpressions, SciPy's DOP853."""
    import sympy as sp

    mass, forcing, state, parameters = lagranges_matrices()
    function = sp.lambdify([*state, *parameters], [mass, forcing], cse=True)
    return _integrate(lambda y, p: function(*y, *p), ours_start())


def pydy_cython() -> Any:
    """The same matrices through PyDy's Cython generator."""
    from pydy.codegen.cython_code import CythonMatrixGenerator

    mass, forcing, state, parameters = lagranges_matrices()
    function = CythonMatrixGenerator([state, parameters], [mass, forcing], prefix="nonholo_bench").compile()
    room = np.zeros(mass.shape[0] * mass.shape[1]), np.zeros(forcing.shape[0])

    def matrices(y: Any, p: Any) -> tuple[Any, Any]:
        m, f = function(np.asarray(y, dtype=float), np.asarray(p, dtype=float), *room)
        return np.asarray(m).reshape(mass.shape), f

    return _integrate(matrices, ours_start())


ALONE = """
import sys, time
import nonholo as nh
sleigh = nh.gallery.get("chaplygin-sleigh").system
nh.simulate(sleigh, until=0.2, method=sys.argv[1], **({"step": 0.01} if len(sys.argv) > 2 else {}))
print(time.process_time())
"""
FIRST_AIM = 3.0
"""Seconds of processor time of the first motion after an installation, imports included."""


def after_installation() -> list[dict[str, Any]]:
    """The first motion of a new process, with an empty cache of machine code and with what it left there: processor time.

    In a checkout the loops' bitcode is generated before, since that is a part of installing.
    """
    rows = []
    for by, step in (("dop853", ()), ("rk4", ("step",)), ("rodas", ()), ("hamel", ("step",))):
        bitcode(registered_methods()[by].loop.name)
        with tempfile.TemporaryDirectory() as cache:
            for unit in ("loop", registered_methods()[by].loop.name):  # what a checkout has generated is part of its installation
                object_cache_copy(unit, Path(cache))
            words, settings = [sys.executable, "-c", ALONE, by, *step], {**os.environ, "XDG_CACHE_HOME": cache}
            first, second = (float(subprocess.run(words, env=settings, capture_output=True, check=True).stdout) for _ in range(2))
        rows.append(
            {"what": f"first simulate after installation, {by}", "nonholo [s]": first, "again [s]": second, "aim": FIRST_AIM,
             "met": first < FIRST_AIM}
        )  # fmt: skip
    return rows


def object_cache_copy(unit: str, cache: Path) -> None:
    """Bitcode that this checkout has generated into another cache; nothing where the package holds it."""
    place = object_cache.directory()
    for path in place.glob(f"{unit}.{fingerprint()[:32]}.bitcode.loop") if place else ():
        target = cache / "nonholo" / "compiled"
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy(path, target)


def table() -> list[dict[str, Any]]:
    """Seconds to the first trajectory and ratios; the ends of the motions must agree. Aim: at least 50."""
    ours()  # the loops' own cache, which every later call on a machine has
    run = ours()
    mine = best(ours, 3)
    rows = after_installation()
    for name, peer in (
        ("SymPy LagrangesMethod + lambdify + solve_ivp", sympy_lambdify),
        ("SymPy KanesMethod + lambdify + solve_ivp", kane_lambdify),
        ("PyDy Cython + solve_ivp", pydy_cython),
    ):
        began = perf_counter()
        try:
            path = peer()
        except Exception as problem:  # a peer that cannot be installed or built is reported, not hidden
            rows.append(
                {
                    "what": f"text to first trajectory, against {name}",
                    "note": f"did not run: {type(problem).__name__}: {problem}"[:120],
                }
            )
            continue
        spent = perf_counter() - began
        gap = max(abs(path.y[i, -1] - run.final[n]) for i, n in enumerate(NAMES))
        rows.append(
            {"what": f"text to first trajectory, against {name}", "nonholo [s]": mine, "peer [s]": spent, "ratio": spent / mine,
             "aim": 50, "met": spent / mine >= 50, "ends differ by": gap}
        )  # fmt: skip
    return rows
