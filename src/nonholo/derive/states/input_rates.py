"""Inputs whose time derivatives enter the accelerations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonholo.algebra.calculus import gradient, substitute, symbols
from nonholo.algebra.linear_equations import dot, evaluate, transpose
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.errors import StateError
from nonholo.model.system import System
from nonholo.model.velocities.admissible import admissible, samples_of

FAINT = 1e-12


def rated_inputs(system: System, at: Mapping[str, float] | None = None, speeds: bool = True) -> tuple[str, ...]:
    """The inputs ``u`` with ``W_α^j ∂p_j/∂u ≠ 0`` on the admissible velocities ``V(x, z, u)``; then ``ż`` holds ``u̇``.

    Without ``speeds`` all velocities are the state, and every input in a constraint is one.

    >>> words = dict(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", inputs="u")
    >>> rated_inputs(System(constraints=["ydot - x*xdot - u"], **words)), rated_inputs(System(constraints=["ydot - u"], **words))
    (('u',), ())
    """
    parts = [*system.constraints, *(system.parametric[1].values() if system.parametric is not None else ())]
    held = {s for e in parts for s in e.free_symbols} & set(symbols(system.inputs))
    v = symbols(system.velocities)
    momenta = gradient(lagrangian_in_frame(system), v)
    held |= {s for e in momenta for s in e.free_symbols} & set(symbols(system.inputs))
    if not held:
        return ()
    allowed = admissible(system, at)
    if not speeds or not allowed.explicit:
        return tuple(n for n, s in zip(system.inputs, symbols(system.inputs)) if s in held)
    shell = substitute(momenta, dict(zip(v, allowed.velocity)))
    places = samples_of(system)
    result = []
    for name, s in zip(system.inputs, symbols(system.inputs)):
        slopes = [e.diff(s) for e in shell]
        terms = [dot(column, slopes) for column in transpose(allowed.basis)]
        if s in held and any(np.max(np.abs(evaluate(terms, p)), initial=0.0) > FAINT for p in places):
            result.append(name)
    return tuple(result)


def require_rates(
    system: System, inputs: Mapping[str, Any], at: Mapping[str, float] | None = None, speeds: bool = True
) -> None:
    """A StateError for inputs that are no numbers although their rates are needed; formulas are part of the system by now."""
    doubtful = [n for n, e in inputs.items() if not isinstance(e, (int, float, np.floating, np.integer))]
    if not doubtful:
        return
    rated = [n for n in rated_inputs(system, at, speeds) if n in doubtful]
    if rated:
        raise StateError(
            f"{system.name}: the input {rated[0]!r} stands in a constraint, so that its rate enters the accelerations, and the "
            "rate of a function, table or sampled value is not known; give it as a formula of time and state as text, e.g. "
            f'inputs={{"{rated[0]}": "0.3*sin(t)"}}, or as a number.'
        )
