"""Chaplygin's quadratures of his ball in elliptic coordinates, for momenta without a vertical part [MacDonnell 1997, 13.6].

With ``A_i = J_i + m r²``, ``D = m r²`` and the vertical γ in the body, the momentum about the contact is
``M = A ω − D γ (γ·ω)``. The elliptic coordinates u, v are the roots of ``Σ J_i γ_i²/(1 − λ A_i) = 0``: the eigenvalues of the
energy beside ``F = M²`` on the plane across γ. Where ``M·γ = 0``,
with ``P(s) = (1 − s D)(s F − 2H) Π(1 − s A_i)/s²`` and ``dτ = 2 u v √((1 − uD)(1 − vD)/(J₁J₂J₃)) dt``,

    du/√P(u) ± dv/√P(v) = 0,        (u − v) du/√P(u) = ± dτ
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.errors import ModelError, StateError

Numbers = NDArray[np.float64]
ACROSS = 1e-8
"""A momentum with a vertical part larger than this part of itself is not across."""


@dataclass(frozen=True)
class ChaplyginBall:
    """A balanced ball with moments ``J`` about its centre and ``load = m r²`` that rolls on a plane."""

    moments: tuple[float, float, float]
    load: float

    @property
    def about_contact(self) -> Numbers:
        """``A_i = J_i + m r²``."""
        return np.array(self.moments) + self.load

    def momentum(self, gamma: Any, omega: Any) -> Numbers:
        """``M = A ω − D γ (γ·ω)``, one row for each state."""
        g, w = np.atleast_2d(gamma), np.atleast_2d(omega)
        return np.asarray(w * self.about_contact - self.load * g * np.sum(g * w, axis=1, keepdims=True))

    def constants(self, gamma: Any, omega: Any) -> tuple[float, float]:
        """``F = M²`` and ``2H = M·ω`` at the first state; a StateError where M has a vertical part."""
        m, w = self.momentum(gamma, omega)[0], np.atleast_2d(omega)[0]
        across = abs(float(m @ np.atleast_2d(gamma)[0]))
        if across > ACROSS * float(np.linalg.norm(m)):
            raise StateError(
                f"Chaplygin's ball: the momentum has the vertical part {across:.3g}; these quadratures are those of M·γ = "
                "0, so start "
                "with an angular velocity for which it vanishes."
            )
        return float(m @ m), float(m @ w)

    def elliptic(self, gamma: Any) -> Numbers:
        """The elliptic coordinates ``u >= v`` of each vertical, one row each."""
        g = np.atleast_2d(np.asarray(gamma, dtype=float))
        a, j = self.about_contact, np.array(self.moments)
        weight = j * g**2
        # Σ_i weight_i Π_{k≠i} (1 − λ A_k) = 0, of second degree in λ
        pairs = [(1, 2), (0, 2), (0, 1)]
        two = sum(weight[:, i] * a[k] * a[l] for i, (k, l) in enumerate(pairs))
        one = -sum(weight[:, i] * (a[k] + a[l]) for i, (k, l) in enumerate(pairs))
        zero = np.sum(weight, axis=1)
        root = np.sqrt(np.maximum(one**2 - 4 * two * zero, 0.0))
        return np.stack([(-one + root) / (2 * two), (-one - root) / (2 * two)], axis=1)

    def polynomial(self, s: Any, square: float, energy: float) -> Numbers:
        """``P(s)`` of the quadratures for the constants ``F`` and ``2H``."""
        s = np.asarray(s, dtype=float)
        product = np.prod([1 - s * a for a in self.about_contact], axis=0)
        return np.asarray((1 - s * self.load) * (s * square - energy) * product / s**2)

    def squared_rates(self, elliptic: Any, square: float, energy: float) -> Numbers:
        """``u̇²`` and ``v̇²`` by the quadratures, one row for each state."""
        u, v = np.atleast_2d(elliptic).T
        both = 4 * (u * v) ** 2 * (1 - u * self.load) * (1 - v * self.load) / ((u - v) ** 2 * float(np.prod(self.moments)))
        return np.stack([both * self.polynomial(u, square, energy), both * self.polynomial(v, square, energy)], axis=1)

    def along(self, times: Any, gamma: Any, omega: Any) -> tuple[float, float]:
        """How far a motion is from ``u̇²`` and ``v̇²``, relative to the largest, and from ``|du|/√P(u) = |dv|/√P(v)``.

        Rates of u and v are taken from the motion by a spline.
        """
        from scipy.interpolate import CubicSpline

        square, energy = self.constants(gamma, omega)
        place = self.elliptic(gamma)
        rates = CubicSpline(np.asarray(times, dtype=float), place).derivative()(times)
        wanted = self.squared_rates(place, square, energy)
        first = float(np.max(np.abs(rates**2 - wanted)) / np.max(np.abs(wanted)))
        roots = [np.maximum(self.polynomial(place[:, k], square, energy), 0.0) for k in (0, 1)]
        gap = np.abs(rates[:, 0] ** 2 * roots[1] - rates[:, 1] ** 2 * roots[0])
        return first, float(np.max(gap) / np.max(wanted[:, 0] * roots[1]))


def chaplygin_ball(moments: Sequence[float], mass: float, radius: float) -> ChaplyginBall:
    """Chaplygin's ball: its elliptic coordinates, constants and quadratures, to be compared with motions.

    >>> ball = chaplygin_ball((0.07, 0.11, 0.15), 1.2, 0.5)
    >>> ball.elliptic([0.6, 0.0, 0.8]).round(6).tolist()
    [[2.586428, 2.439024]]
    """
    found = [float(e) for e in moments]
    if len(found) != 3 or min(found) <= 0 or float(mass) <= 0 or float(radius) <= 0:
        raise ModelError("Chaplygin's ball needs three positive moments of inertia, a positive mass and a positive radius.")
    return ChaplyginBall((found[0], found[1], found[2]), float(mass) * float(radius) ** 2)
