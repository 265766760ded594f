"""The string without its tension: Hamilton's principle on polynomials θ(s), the second way to the same motion.

The angle is a polynomial through the nodes, points of the curve come from integrating ``e^{iθ}`` on nearly twice as many
points, and the kinetic energy ``½ρ∫|z_t|² ds`` is a quadratic form in Ω. Nothing here knows the equation of the tension.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from nonholo.fields.function_grid import chebyshev, interpolation

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, eq=False)
class Polynomials:
    """``finer`` takes θ from the nodes to the fine points; ``curve`` takes a tangent there to points of the curve.

    With no end held the curve is measured from its centre of mass, else from the first held end. Per unit of density.
    """

    finer: Array
    curve: Array
    weights: Array
    closing: Array
    """Row that gives the other held end, where both are; empty otherwise."""
    gravity: float

    def parts(self, theta: Array, omega: Array) -> tuple[Array, Array, Array]:
        """Tangent, turning and velocity on the fine points."""
        tangent, turning = np.exp(1j * (self.finer @ theta)), self.finer @ omega
        return tangent, turning, self.curve @ (1j * tangent * turning)

    def back(self, tangent: Array, covector: Array) -> Array:
        """``Re ∫ conj(∂z/∂θ_j) α ds``: a force field on the curve as a covector of θ."""
        carried = self.curve.T @ (self.weights * covector)
        return np.asarray(self.finer.T @ (np.conj(1j * tangent) * carried).real)

    def momenta(self, theta: Array, omega: Array) -> Array:
        """``p = ∂l/∂Ω``."""
        tangent, _, moving = self.parts(theta, omega)
        return self.back(tangent, moving)

    def slope(self, theta: Array, omega: Array) -> Array:
        """``∂l/∂θ``, with ``l = ∫ (½|z_t|² − g y) ds``."""
        tangent, turning, moving = self.parts(theta, omega)
        carried = self.curve.T @ (self.weights * moving)
        turned = self.finer.T @ (np.conj(-tangent * turning) * carried).real
        return np.asarray(turned + self.back(tangent, np.full(len(tangent), -1j * self.gravity)))

    def mass(self, theta: Array) -> Array:
        """``∂²l/∂Ω²``."""
        angle = self.finer @ theta
        across, along = (self.curve @ (part[:, None] * self.finer) for part in (np.sin(angle), np.cos(angle)))
        return np.asarray((across.T * self.weights) @ across + (along.T * self.weights) @ along)

    def turning_rate(self, theta: Array, omega: Array) -> Array:
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
