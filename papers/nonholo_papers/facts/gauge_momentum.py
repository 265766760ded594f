"""Momentum conserved in a stretched frame: published facts and closed forms, with their tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, substitute, symbol, symbols
from nonholo.algebra.linear_equations import evaluate
from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.model.system import System
from nonholo_papers.facts._random_states import flows, largest, largest_gap

Vector = Any


def functions(system: System) -> tuple[Any, Any]:
    """b(r) and V(r) as expressions, read back from the constraint and the Lagrangian."""
    (residual,) = system.constraints
    (slope,) = gradient(residual, symbols(("s1dot",)))
    (potential,) = substitute([-system.lagrangian], dict.fromkeys(symbols(("rdot", "s1dot", "s2dot")), ZERO))
    return -slope, potential


def _numbers(exhibit: Exhibit, r: Any) -> Any:
    """b, b′, V, V′ at r."""
    b, potential = functions(exhibit.system)
    place = symbol("r")
    exprs = [b, b.diff(place), potential, potential.diff(place)]
    return evaluate(exprs, {**exhibit.parameters, "r": float(np.real(r))})


def momentum_equation(exhibit: Exhibit) -> Finding:
    """With ``p = ∂L/∂ṡ1 + b ∂L/∂ṡ2 = ṡ1`` on the constraint."""

    def expected(s: Any, rates: Any) -> Any:
        b, slope, _, _ = _numbers(exhibit, s.r)
        return b * slope * s.s1dot * s.rdot

    moving = flows(exhibit.system, exhibit.parameters)
    gaps = [largest_gap(moving, lambda s: s.s1dot, expected)]
    for s, _ in moving:
        b = _numbers(exhibit, s.r)[0]
        gaps.append((1 - b**2) * s.s1dot + b * s.s2dot - s.s1dot)
    return bounded("p' = b b' p r'", largest(gaps), 1e-12)


def conserved(exhibit: Exhibit) -> Finding:
    """Along a motion."""
    from nonholo.integrate.motion.simulate import simulate

    run = simulate(exhibit.system, exhibit.start, exhibit.until, exhibit.parameters, rtol=1e-12, atol=1e-13).data
    b = np.array([_numbers(exhibit, r)[0] for r in run["r"].values])
    values = np.exp(-(b**2) / 2) * run["s1dot"].values
    spread = np.max(np.abs(run["s1dot"].values / run["s1dot"].values[0] - 1))
    evidence = f"{exhibit.until:g} s, while p itself changes by {spread:.2g} of its value"
    return bounded("exp(−b²/2) p is constant", float(np.max(np.abs(values / values[0] - 1))), 1e-9, evidence)


def stretched_frame(exhibit: Exhibit) -> Finding:
    """``[u1, u2] = −b b′ u2 + b′ exp(−b²/2) u3``, the others commute; ``∂l/∂v2 = exp(−b²) v2`` is constant."""
    from nonholo.geometry.frames.frame import structure_functions

    system = exhibit.variants["stretched frame"]
    table = structure_functions(system.frame)
    gaps = []
    for r in (0.4, -1.3):
        b, slope, _, _ = _numbers(exhibit, r)
        wanted = {(0, 1, 1): -b * slope, (0, 1, 2): slope * np.exp(-(b**2) / 2)}
        values = {**exhibit.parameters, "r": r, "s1": 0.2, "s2": 0.1}
        keys = sorted({*wanted, *table})
        found = evaluate([table.get(key, ZERO) for key in keys], values)
        gaps.append(found - np.array([wanted.get(key, 0.0) for key in keys]))

    def expected(s: Any, rates: Any) -> Any:
        b, slope, _, _ = _numbers(exhibit, s.r)
        return 2 * b * slope * s.v1 * s.v2

    gaps.append(np.array(largest_gap(flows(system, exhibit.parameters), lambda s: s.v2, expected)))
    return bounded("brackets, and exp(−b²) v2 constant", largest(gaps), 1e-12)


def amended(exhibit: Exhibit) -> Finding:
    """``r̈ = −V′ − b b′ p²`` with ``p = c exp(b²/2)``: SciPy's motion in one dimension against the whole system."""
    from scipy.integrate import solve_ivp

    from nonholo.integrate.motion.simulate import simulate

    start = exhibit.start
    level = start["s1dot"] * np.exp(-(_numbers(exhibit, start["r"])[0] ** 2) / 2)

    def flow(_: float, z: Vector) -> list[float]:
        b, slope, _, force = _numbers(exhibit, z[0])
        return [z[1], float(-force - b * slope * level**2 * np.exp(b**2))]

    other = solve_ivp(flow, (0, 4), [start["r"], start["rdot"]], method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
    final = simulate(exhibit.system, start, 4.0, exhibit.parameters, rtol=1e-11, atol=1e-13, t_eval="end").final
    return bounded(
        "r moves in V + ½ c² exp(b²)", largest([final["r"] - other[0], final["rdot"] - other[1]]), 1e-7, "after 4 s"
    )


FACTS = (
    Fact("ṗ = b b′ p ṙ", "BMZ 2009 §4.3", momentum_equation),
    Fact("exp(−b²/2) p is constant", "BMZ 2009 §4.3, (4.12)", conserved),
    Fact("brackets of the stretched frame, and momentum constant in it", "BMZ 2009 §4.3", stretched_frame),
    Fact("r moves in the potential V + ½ c² exp(b²)", "energy on the momentum level", amended),
)
