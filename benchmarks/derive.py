"""Text to (M, F): nonholo against SymPy's LagrangesMethod on the rattleback of 5 coordinates."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from benchmarks.systems import rattleback_in_angles, rattleback_texts
from nonholo.algebra.calculus import node_count
from nonholo.derive.hamel import hamel


def sympy_system() -> tuple[Any, list[Any], list[Any], list[Any]]:
    """The same rattleback in SymPy's words: L, coordinates, constraints, parameters."""
    import sympy as sp
    from sympy.physics.mechanics import dynamicsymbols

    texts = rattleback_texts()
    names = str(texts["coordinates"]).split()
    q = [dynamicsymbols(n) for n in names]
    parameters = [sp.Symbol(n) for n in str(texts["parameters"]).split()]
    table: dict[str, Any] = dict(zip(names, q)) | {f"{n}dot": c.diff() for n, c in zip(names, q)}
    table |= {str(p): p for p in parameters}
    read = [sp.sympify(t, locals=table) for t in (texts["lagrangian"], *texts["constraints"])]  # type: ignore[misc]
    return read[0], q, read[1:], parameters


def lagranges_method() -> Any:
    """SymPy's route: mass matrix and forcing of the multiplier form."""
    from sympy.physics.mechanics import LagrangesMethod

    lagrangian, q, constraints, _ = sympy_system()
    method = LagrangesMethod(lagrangian, q, nonhol_coneqs=constraints)
    method.form_lagranges_equations()
    return method.mass_matrix_full, method.forcing_full


def best(work: Any, times: int) -> float:
    """The least wall time of several runs."""
    spent = []
    for _ in range(times):
        began = perf_counter()
        work()
        spent.append(perf_counter() - began)
    return min(spent)


def table() -> list[dict[str, Any]]:
    """One row: seconds of both and the ratio; aim: at least 50."""
    ours = best(lambda: hamel(rattleback_in_angles()), 7)
    theirs = best(lagranges_method, 1)
    equations = hamel(rattleback_in_angles())
    nodes = node_count([e for row in equations.mass for e in row] + list(equations.force))
    return [
        {
            "what": "rattleback: text to (M, F)",
            "nonholo [s]": ours,
            "SymPy LagrangesMethod [s]": theirs,
            "ratio": theirs / ours,
            "aim": 50,
            "met": theirs / ours >= 50,
            "nodes": nodes,
        }
    ]
