"""The string without its tension: Hamilton's principle on polynomials θ(s), the second way to the same motion.

The angle is a polynomial through the nodes, points of the curve come from integrating ``e^{iθ}`` on nearly twice as many
points, and the kinetic energy ``½ρ∫|z_t|² ds`` is a quadratic form in Ω. Nothing here knows the equation of the tension.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from nonholo.errors import StateError
from nonholo.fields.field_steppers import NOT_FINITE, REACHED
from nonholo.fields.function_grid import chebyshev, interpolation
from nonholo.program.array_types import AnyArray

Found = tuple[AnyArray, AnyArray, int, float, int, int]
ITERATIONS = 200


@dataclass(frozen=True, eq=False)
class Polynomials:
    """``finer`` takes θ from the nodes to the fine points; ``curve`` takes a tangent there to points of the curve.

    With no end held the curve is measured from its centre of mass, else from the first held end. Per unit of density.
    """

    finer: AnyArray
    curve: AnyArray
    weights: AnyArray
    closing: AnyArray
    """Row that gives the other held end, where both are; empty otherwise."""
    gravity: float

    def parts(self, theta: AnyArray, omega: AnyArray) -> tuple[AnyArray, AnyArray, AnyArray]:
        """Tangent, turning and velocity on the fine points."""
        tangent, turning = np.exp(1j * (self.finer @ theta)), self.finer @ omega
        return tangent, turning, self.curve @ (1j * tangent * turning)

    def back(self, tangent: AnyArray, covector: AnyArray) -> AnyArray:
        """``Re ∫ conj(∂z/∂θ_j) α ds``: a force field on the curve as a covector of θ."""
        carried = self.curve.T @ (self.weights * covector)
        return np.asarray(self.finer.T @ (np.conj(1j * tangent) * carried).real)

    def momenta(self, theta: AnyArray, omega: AnyArray) -> AnyArray:
        """``p = ∂l/∂Ω``."""
        tangent, _, moving = self.parts(theta, omega)
        return self.back(tangent, moving)

    def slope(self, theta: AnyArray, omega: AnyArray) -> AnyArray:
        """``∂l/∂θ``, with ``l = ∫ (½|z_t|² − g y) ds``."""
        tangent, turning, moving = self.parts(theta, omega)
        carried = self.curve.T @ (self.weights * moving)
        turned = self.finer.T @ (np.conj(-tangent * turning) * carried).real
        return np.asarray(turned + self.back(tangent, np.full(len(tangent), -1j * self.gravity)))

    def mass(self, theta: AnyArray) -> AnyArray:
        """``∂²l/∂Ω²``."""
        angle = self.finer @ theta
        across, along = (self.curve @ (part[:, None] * self.finer) for part in (np.sin(angle), np.cos(angle)))
        return np.asarray((across.T * self.weights) @ across + (along.T * self.weights) @ along)

    def turning_rate(self, theta: AnyArray, omega: AnyArray) -> AnyArray:
        """``Ω_t`` by d'Alembert's principle: ``Re ∫ conj(∂z/∂θ_j)(z_tt + i g) ds = 0``, the far end kept where it is held."""
        tangent, turning, _ = self.parts(theta, omega)
        left = self.curve @ (-tangent * turning**2)
        force = -self.back(tangent, left + 1j * self.gravity)
        matrix = self.mass(theta)
        if not len(self.closing):
            return np.asarray(np.linalg.solve(matrix, force))
        row = self.closing @ ((1j * tangent)[:, None] * self.finer)
        rows = np.stack([row.real, row.imag])
        rest = -(self.closing @ (-tangent * turning**2))
        whole = np.block([[matrix, rows.T], [rows, np.zeros((2, 2))]])
        return np.asarray(np.linalg.solve(whole, np.concatenate([force, [rest.real, rest.imag]]))[: len(force)])


@lru_cache(maxsize=16)
def polynomials(nodes: int, length: float, gravity: float, held: tuple[str, ...]) -> Polynomials:
    """The principle's matrices for a string."""
    fine = chebyshev(2 * nodes - 1, length)  # every second of these is a node
    integral = fine.integral
    if not held:
        curve = integral - fine.weights @ integral / length
    else:
        curve = integral if held[0] == "start" else integral - integral[-1]
    closing = integral[-1] if len(held) == 2 else np.zeros(0)
    # the fall of a free string is that of its centre of mass
    return Polynomials(
        interpolation(nodes, fine.points, length), curve, fine.weights, closing, gravity if held else 0.0
    )


def space_of(string: Any) -> Polynomials:
    """The variational space of a String."""
    return polynomials(string.nodes, string.length, string.gravity, string.held)


def motion(string: Any, theta: AnyArray, omega: AnyArray, times: AnyArray, step: float) -> Found:
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
    rows: list[AnyArray] = []
    calls, steps = 0, 0
    momentum = space.momenta(theta, omega)
    t, now = 0.0, omega
    for wanted in times:
        while t + step <= wanted * (1 + 1e-12) or wanted - t > step:
            found = _step(space, theta, momentum, step, now)
            if found is None:
                return _solution(string, rows, NOT_FINITE, t, steps, calls)
            theta, momentum, now, took = found
            t, steps, calls = t + step, steps + 1, calls + took
        if wanted - t > 1e-12 * max(1.0, wanted):  # a shorter step, not kept
            ahead = _step(space, theta, momentum, wanted - t, now)
            if ahead is None:
                return _solution(string, rows, NOT_FINITE, t, steps, calls)
            rows.append(np.concatenate([ahead[0], _velocity(space, ahead[0], ahead[1])]))
        else:
            rows.append(np.concatenate([theta, _velocity(space, theta, momentum)]))
    return _solution(string, rows, REACHED, float(times[-1]), steps, calls)


def _velocity(space: Polynomials, theta: AnyArray, momentum: AnyArray) -> AnyArray:
    return np.asarray(np.linalg.solve(space.mass(theta), momentum))


def _step(
    space: Polynomials, theta: AnyArray, momentum: AnyArray, step: float, guess: AnyArray
) -> tuple[AnyArray, AnyArray, AnyArray, int] | None:
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


def galerkin(string: Any, theta: AnyArray, omega: AnyArray, times: AnyArray, tolerances: tuple[float, float]) -> Found:
    """The same space with SciPy's DOP853: shares neither tension, nor collocation, nor integrator with the compiled way."""
    from scipy.integrate import solve_ivp

    space, n = space_of(string), string.nodes

    def flow(_: float, y: AnyArray) -> AnyArray:
        return np.concatenate([y[n:], space.turning_rate(y[:n], y[n:])])

    start = np.concatenate([theta, omega])
    end = float(times[-1])
    path = solve_ivp(flow, (0.0, end), start, method="DOP853", rtol=tolerances[0], atol=tolerances[1], t_eval=times)
    status = REACHED if path.status == 0 else NOT_FINITE
    return _solution(string, list(path.y.T), status, float(path.t[-1]), len(path.t), int(path.nfev))


def _solution(string: Any, rows: list[AnyArray], status: int, end: float, steps: int, calls: int) -> Found:
    n = string.nodes
    tensions = [string.turning_rate(row[:n], row[n:])[1] for row in rows]
    return np.array(rows).reshape(len(rows), 2 * n), np.array(tensions).reshape(len(rows), n), status, end, steps, calls
