"""Motions of the string from the variational space: discrete Hamel in time, or the same space with SciPy's integrator."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.errors import StateError
from nonholo.fields.field_steppers import NOT_FINITE, REACHED
from nonholo.fields.strings.variational_string import Polynomials, polynomials

Array = np.ndarray[Any, np.dtype[Any]]
Found = tuple[Array, Array, int, float, int, int]
ITERATIONS = 200


def space_of(string: Any) -> Polynomials:
    """The variational space of a String."""
    return polynomials(string.nodes, string.length, string.gravity, string.held)


def motion(string: Any, theta: Array, omega: Array, times: Array, step: float) -> Found:
    """Discrete Hamel with τ = ½ in ``q = θ``, ``ξ = Ω``. [Zenkov 2016, (5.6)]

    The velocity substitution is ``θ̇ = Ω``, so the bracket is zero and (5.6) reads

        μ_{k−1,k} − μ_{k,k+1} + (h/2)(ψ_{k−½} + ψ_{k+½}) = 0,      μ = ∂l/∂Ω,  ψ = ∂l/∂θ  at  θ_{k+½},

    kept as momenta at the nodes of time. Turning the string is a symmetry of the discrete Lagrangian, so the angular momentum
    about the centre is kept to rounding. A time between
    steps is reached by a shorter step that is not kept.
    """
    if len(string.held) == 2:
        raise StateError(
            "string: method hamel moves a string with at most one end held; for both use method dop853 or galerkin."
        )
    space = space_of(string)
    rows: list[Array] = []
    calls, steps = 0, 0
    momentum = space.momenta(theta, omega)
    t, now = 0.0, omega
    for wanted in times:
        while t + step <= wanted * (1 + 1e-12) or wanted - t > step:
            found = _step(space, theta, momentum, step, now)
            if found is None:
                return _found(string, rows, NOT_FINITE, t, steps, calls)
            theta, momentum, now, took = found
            t, steps, calls = t + step, steps + 1, calls + took
        if wanted - t > 1e-12 * max(1.0, wanted):  # a shorter step, not kept
            ahead = _step(space, theta, momentum, wanted - t, now)
            if ahead is None:
                return _found(string, rows, NOT_FINITE, t, steps, calls)
            rows.append(np.concatenate([ahead[0], _velocity(space, ahead[0], ahead[1])]))
        else:
            rows.append(np.concatenate([theta, _velocity(space, theta, momentum)]))
    return _found(string, rows, REACHED, float(times[-1]), steps, calls)


def _velocity(space: Polynomials, theta: Array, momentum: Array) -> Array:
    return np.asarray(np.linalg.solve(space.mass(theta), momentum))


def _step(
    space: Polynomials, theta: Array, momentum: Array, step: float, guess: Array
) -> tuple[Array, Array, Array, int] | None:
    """``Ω`` with ``p_k = μ − (h/2) ψ`` at the middle, by iteration with the mass there; then the next θ and p."""
    omega, last = guess, np.inf
    for k in range(ITERATIONS):
        middle = theta + 0.5 * step * omega
        new = np.linalg.solve(space.mass(middle), momentum + 0.5 * step * space.slope(middle, omega))
        change = float(np.max(np.abs(new - omega)))
        omega = new
        if not np.isfinite(change):
            return None
        size = max(1.0, float(np.max(np.abs(omega))))
        # the finest shapes weigh so little that rounding moves them: what no longer shrinks is solved
        if change <= 1e-14 * size or (change >= 0.5 * last and change < 1e-7 * size):
            middle = theta + 0.5 * step * omega
            after = momentum + step * space.slope(middle, omega)
            return theta + step * omega, after, omega, k + 1
        last = change
    return None


def galerkin(string: Any, theta: Array, omega: Array, times: Array, tolerances: tuple[float, float]) -> Found:
    """The same space with SciPy's DOP853: shares neither tension, nor collocation, nor integrator with the compiled way."""
    from scipy.integrate import solve_ivp

    space, n = space_of(string), string.nodes

    def flow(_: float, y: Array) -> Array:
        return np.concatenate([y[n:], space.turning_rate(y[:n], y[n:])])

    start = np.concatenate([theta, omega])
    end = float(times[-1])
    path = solve_ivp(flow, (0.0, end), start, method="DOP853", rtol=tolerances[0], atol=tolerances[1], t_eval=times)
    status = REACHED if path.status == 0 else NOT_FINITE
    return _found(string, list(path.y.T), status, float(path.t[-1]), len(path.t), int(path.nfev))


def _found(string: Any, rows: list[Array], status: int, end: float, steps: int, calls: int) -> Found:
    n = string.nodes
    tensions = [string.turning_rate(row[:n], row[n:])[1] for row in rows]
    return np.array(rows).reshape(len(rows), 2 * n), np.array(tensions).reshape(len(rows), n), status, end, steps, calls
