"""Chaplygin's quadratures of his ball in elliptic coordinates [MacDonnell 1997, 13.6].

With ``A_i = J_i + m r²``, ``D = m r²`` and the vertical γ in the body, the momentum about the contact is
``M = A ω − D γ (γ·ω)``. The elliptic coordinates u, v are the roots of ``Σ J_i γ_i²/(1 − λ A_i) = 0``: the eigenvalues of the
energy beside ``F = M²`` on the plane across γ. Where ``M·γ = 0``,
with ``P(s) = (1 − s D)(s F − 2H) Π(1 − s A_i)/s²`` and ``dτ = 2 u v √((1 − uD)(1 − vD)/(J₁J₂J₃)) dt``,

    du/√P(u) ± dv/√P(v) = 0,        (u − v) du/√P(u) = ± dτ

Where ``M·γ = c ≠ 0`` a linear change of the two vectors that stand still in space removes it. The forms
``G = ((F, c), (c, 1))`` of their products and ``diag(2H, 1/D)`` are diagonal together in a basis ``M̃, γ̃`` with ``|γ̃| = 1``;
there the products are ``diag(F̃, 1)`` and the other form is ``diag(2H̃, 1/D̃)``. With
``M = p M̃ + q γ̃`` and ``γ = r M̃ + s γ̃``, ``ω̃ = ω/λ`` for
``λ = p + D r (γ·ω)`` is the angular velocity of the ball with the same A and the load D̃, momentum M̃ and vertical γ̃, in the time
``dt̃ = λ dt``: its ``M̃·γ̃`` is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.errors import ModelError, StateError


@dataclass(frozen=True)
class Levelled:
    """A motion of a ball in the variables of another whose momentum has no vertical part; one row for each state."""

    ball: ChaplyginBall
    gamma: Numbers
    omega: Numbers
    clock: Numbers
    """``λ = dt̃/dt``."""


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

    def levelled(self, gamma: Any, omega: Any) -> Levelled:
        """The same motion as that of a ball with ``M̃·γ̃ = 0``, whose quadratures are those of u and v.

        >>> ball = chaplygin_ball((0.2, 0.5, 0.9), 1.1, 0.7)
        >>> level = ball.levelled([0.0, 0.6, 0.8], [0.1, 0.2, 0.9])
        >>> bool(abs(level.ball.momentum(level.gamma, level.omega) @ level.gamma[0]) < 1e-12)
        True
        """
        from scipy.linalg import eigh

        try:
            g, w = (np.atleast_2d(np.asarray(e, dtype=float)) for e in (gamma, omega))
        except (TypeError, ValueError):
            raise StateError("Chaplygin's ball: found text or ragged rows where rows of three numbers were needed.") from None
        if g.shape != w.shape or g.shape[1] != 3 or not len(g) or not np.all(np.isfinite([g, w])):
            raise StateError("Chaplygin's ball: the vertical and the angular velocity need three finite numbers for each state.")
        if np.max(np.abs(np.sum(g * g, axis=1) - 1)) > 1e-6:
            raise StateError("Chaplygin's ball: the vertical in the ball must have length 1.")
        m = self.momentum(g, w)
        square, vertical, energy = float(m[0] @ m[0]), float(m[0] @ g[0]), float(m[0] @ w[0])
        if square - vertical**2 <= 1e-12 * square:
            raise StateError(
                "Chaplygin's ball: the momentum about the contact is vertical or zero, so the vertical stands still in the ball "
                "and there is nothing to integrate; give an angular velocity with another direction."
            )
        products = np.array([[square, vertical], [vertical, 1.0]])
        # both forms are diagonal on these columns; the larger value, 1/D̃, belongs to γ̃
        values, columns = eigh(np.diag([energy, 1 / self.load]), products)
        columns = columns * np.where(np.diag(columns) < 0, -1.0, 1.0)
        columns[:, 0] *= np.sqrt(square)
        (p, _), (r, _) = np.linalg.inv(columns.T)
        load = 1 / float(values[1])
        other = ChaplyginBall(tuple((self.about_contact - load).tolist()), load)
        clock = p + self.load * r * np.sum(g * w, axis=1)
        still = columns[0, 1] * m + columns[1, 1] * g
        return Levelled(other, still, w / clock[:, None], clock)

    def constants(self, gamma: Any, omega: Any) -> tuple[float, float]:
        """``F = M²`` and ``2H = M·ω`` at the first state."""
        m, w = self.momentum(gamma, omega)[0], np.atleast_2d(omega)[0]
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
        """``u̇²`` and ``v̇²`` by the quadratures, one row for each state, where the momentum has no vertical part."""
        u, v = np.atleast_2d(elliptic).T
        both = 4 * (u * v) ** 2 * (1 - u * self.load) * (1 - v * self.load) / ((u - v) ** 2 * float(np.prod(self.moments)))
        return np.stack([both * self.polynomial(u, square, energy), both * self.polynomial(v, square, energy)], axis=1)

    def along(self, times: Any, gamma: Any, omega: Any) -> tuple[float, float]:
        """How far a motion is from ``u̇²`` and ``v̇²``, relative to the largest, and from ``|du|/√P(u) = |dv|/√P(v)``.

        Rates of u and v are taken from the motion by a spline; a momentum with a vertical part is levelled first.
        """
        from scipy.interpolate import CubicSpline

        level = self.levelled(gamma, omega)
        ball, place = level.ball, level.ball.elliptic(level.gamma)
        square, energy = ball.constants(level.gamma, level.omega)
        rates = CubicSpline(np.asarray(times, dtype=float), place).derivative()(times) / level.clock[:, None]
        wanted = ball.squared_rates(place, square, energy)
        first = float(np.max(np.abs(rates**2 - wanted)) / np.max(np.abs(wanted)))
        roots = [np.maximum(ball.polynomial(place[:, k], square, energy), 0.0) for k in (0, 1)]
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
