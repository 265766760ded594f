"""Checks of equations by hand, which have no Lagrangian to derive them from again."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nonholo.algebra.calculus import along, gradient, symbols
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.derive.equations import Equations
from nonholo.finding import AccelerationsUnique, Finding, Findings, bounded

SMALLEST = 1e-9
"""A mass matrix whose smallest singular value is below this part of its largest does not determine the accelerations."""


def check_equations(equations: Equations, parameters: Mapping[str, float] | None, count: int) -> tuple[Finding, ...]:
    """Whether accelerations are unique at random states, and whether invariants stay zero along the flow."""
    states = [_state(equations, parameters, k) for k in range(count)]
    masses = [evaluate_matrix(equations.mass, s) for s in states] if equations.speeds else []
    sizes = [np.linalg.svd(m, compute_uv=False) for m in masses]
    least = min((float(s[-1] / max(s[0], 1e-300)) for s in sizes), default=1.0)
    words = f"smallest singular value of the mass matrix beside its largest, at {count} random states"
    found = [Finding(AccelerationsUnique(), "holds" if least > SMALLEST else "fails", least, words)]
    if equations.invariants and least > SMALLEST:
        gaps = [_drift(equations, s, m) for s, m in zip(states, masses)]
        words = f"largest relative rate at {count} random states"
        found.append(bounded("the flow keeps the constraints", max(gaps), 1e-8, words))
    return Findings(tuple(found))


def _state(equations: Equations, parameters: Mapping[str, float] | None, k: int) -> dict[str, float]:
    """A random state on the invariants, by shortest steps, with values for all parameters."""
    random = np.random.default_rng(700 + k)
    names, held = equations.state, list(equations.invariants.values())
    fixed = {str(p): float(random.uniform(0.6, 1.6)) for p in equations.parameters} | dict(parameters or {})
    fixed |= dict.fromkeys(map(str, equations.inputs), 0.0) | {str(equations.time): 0.3}
    at = random.uniform(0.1, 0.8, len(names))
    slopes = [gradient(e, symbols(names)) for e in held]
    for _ in range(20 if held else 0):
        place = {**fixed, **dict(zip(names, at.tolist()))}
        at = at - np.linalg.pinv(evaluate_matrix(slopes, place)) @ evaluate(held, place)
    return {**fixed, **dict(zip(names, at.tolist()))}


def _drift(equations: Equations, state: Mapping[str, float], mass: np.ndarray) -> float:
    """How fast the invariants change at a state, beside the rates themselves."""
    pull = np.linalg.solve(mass, evaluate(list(equations.force), state))[: len(equations.speeds)]
    rates = [*evaluate(list(equations.kinematics), state).tolist(), *pull.tolist()]
    flow = [f"_rate_{n}" for n in equations.state]
    held = along(list(equations.invariants.values()), dict(zip(symbols(equations.state), symbols(flow))))
    change = evaluate(list(held), {**state, **dict(zip(flow, rates))})
    return float(np.max(np.abs(change))) / (1.0 + max(map(abs, rates), default=0.0))
