"""Hamel's formalism on function spaces made finite. [Zenkov 2016, §3.2 and §4.2]

A velocity substitution ``q̇ = Ψ_q ξ`` takes the place of a frame. Functions are arrays of values on a `Grid`, real or complex;
spaces are paired by ``⟨a, b⟩ = ∫ Re(ā b) ds``, so covectors are functions too. Derivatives of Ψ are given in closed form by the
substitution; the tests compare every formula here with numeric derivatives of the action, which use none of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nonholo.fields.function_grid import Grid
from nonholo.program.array_types import AnyArray

Operator = Callable[[AnyArray, AnyArray], AnyArray]


@dataclass(frozen=True, eq=False)
class Substitution:
    """A linear velocity substitution ``q̇ = Ψ_q ξ`` (3.1).

    ``velocity(q, ξ)`` is ``Ψ_q ξ``, ``components(q, q̇)`` its inverse, ``changed(q, v, ξ)`` is ``v[Ψ_q] ξ``, the derivative of the
    operator along ``v`` (3.12), and ``dual(q, α)`` is ``Ψ_q* α``.
    """

    grid: Grid
    velocity: Operator
    components: Operator
    changed: Callable[[AnyArray, AnyArray, AnyArray], AnyArray]
    dual: Operator


def bracket(by: Substitution, q: AnyArray, xi: AnyArray, eta: AnyArray) -> AnyArray:
    """``[ξ, η]_q`` with ``Ψ_q [ξ, η]_q = [Ψξ, Ψη](q) = (Ψξ)[Ψη] − (Ψη)[Ψξ]``. (3.2)

    >>> from nonholo.fields.function_grid import chebyshev
    >>> grid = chebyshev(16)
    >>> s, by = grid.points, tangential(grid)
    >>> found = bracket(by, np.exp(1j * s), s**2 + 0j, 1j * s)  # (3.15): ξ_s η − ξ η_s = 2s (is) − s² i
    >>> bool(abs(found - 1j * s**2).max() < 1e-11)
    True
    """
    along, across = by.velocity(q, xi), by.velocity(q, eta)
    return by.components(q, by.changed(q, along, eta) - by.changed(q, across, xi))


def dual_bracket(by: Substitution, q: AnyArray, xi: AnyArray, alpha: AnyArray) -> AnyArray:
    """``[ξ, α]*_q`` with ``⟨[ξ, α]*_q, η⟩ = ⟨α, [ξ, η]_q⟩`` for every η, found one function of the grid after the other."""
    grid = by.grid
    found = np.zeros(len(grid.points), dtype=complex if np.iscomplexobj(q) else float)
    for k in range(len(found)):
        for unit in (1.0, 1j) if np.iscomplexobj(q) else (1.0,):
            eta = np.zeros_like(found)
            eta[k] = unit
            found[k] += unit * grid.pair(alpha, bracket(by, q, xi, eta)) / grid.weights[k]
    return found


def variation(by: Substitution, q: AnyArray, xi: AnyArray, eta: AnyArray, eta_rate: AnyArray) -> AnyArray:
    """``δξ = η̇ + [ξ, η]_q`` for the variation ``δq = Ψ_q η``. (3.9)"""
    return eta_rate + bracket(by, q, xi, eta)


def hamel_force(by: Substitution, q: AnyArray, xi: AnyArray, momentum: AnyArray, slope: AnyArray) -> AnyArray:
    """The right-hand side of Hamel's equations, ``d/dt δl/δξ = [ξ, δl/δξ]*_q + Ψ_q* δl/δq``. (3.11)"""
    return dual_bracket(by, q, xi, momentum) + by.dual(q, slope)


def weak_hamel(
    by: Substitution, q: AnyArray, xi: AnyArray, momentum: AnyArray, momentum_rate: AnyArray, slope: AnyArray, eta: AnyArray
) -> float:
    """The integrand of the weak form, ``⟨Ψ* δl/δq + [ξ, δl/δξ]* − d/dt δl/δξ, η⟩``. (3.10)"""
    paired = by.grid.pair
    return paired(slope, by.velocity(q, eta)) + paired(momentum, bracket(by, q, xi, eta)) - paired(momentum_rate, eta)


def constrained_force(
    by: Substitution, q: AnyArray, xi: AnyArray, momentum: AnyArray, slope: AnyArray, kept: Callable[[AnyArray], AnyArray]
) -> AnyArray:
    """``([ξ^D, δl/δξ]* + Ψ* δl/δq)_D`` of the constrained equations (4.4); ``kept`` is the projection onto W^D.

    All of δl/δξ enters, taken before the constraint is imposed; ``ξ`` lies in W^D.
    """
    return kept(hamel_force(by, q, xi, momentum, slope))


def derivative_of(functional: Callable[[AnyArray], float], at: AnyArray, grid: Grid, step: float = 1e-5) -> AnyArray:
    """``δF/δq`` of a functional by central differences, as a function on the grid.

    A functional is any Python function of an array: there is no program to differentiate. It is the witness of closed forms.
    """
    found = np.zeros_like(at)
    for k in range(len(at)):
        for unit in (1.0, 1j) if np.iscomplexobj(at) else (1.0,):
            moved = np.zeros_like(at)
            moved[k] = unit * step
            found[k] += unit * (functional(at + moved) - functional(at - moved)) / (2 * step * grid.weights[k])
    return found


def tangential(grid: Grid) -> Substitution:
    """``ż = z_s ξ`` of the string: ξ has the tangential velocity as real and the normal one as imaginary part. (3.14)

    Its bracket is ``ξ_s η − ξ η_s`` (3.15).
    """
    d = grid.derivative
    return Substitution(
        grid,
        velocity=lambda z, xi: np.asarray((d @ z) * xi),
        components=lambda z, v: np.asarray(v / (d @ z)),
        changed=lambda z, v, xi: (d @ v) * xi,
        dual=lambda z, alpha: np.conj(d @ z) * alpha,
    )


def turned(grid: Grid) -> Substitution:
    """``ż = (z_s/|z_s|) ξ``, which gives the same equations where ``|z_s| = 1``, by another bracket. (Remark 3.2)"""
    d = grid.derivative

    def unit(z: AnyArray) -> AnyArray:
        return np.asarray((d @ z) / np.abs(d @ z))

    def changed(z: AnyArray, v: AnyArray, xi: AnyArray) -> AnyArray:
        e, size = unit(z), np.abs(d @ z)
        # the derivative of z_s/|z_s| is the part of v_s across z_s
        return np.asarray(1j * e * (np.conj(e) * (d @ v)).imag / size * xi)

    return Substitution(
        grid,
        velocity=lambda z, xi: unit(z) * xi,
        components=lambda z, v: v / unit(z),
        changed=changed,
        dual=lambda z, alpha: np.conj(unit(z)) * alpha,
    )


def carried(grid: Grid) -> Substitution:
    """``q̇ = ξ∘q`` for maps q of a circle onto itself, ξ a spatial velocity given on the circle. (Example 3.1, in one dimension)

    The bracket is the one of vector fields, ``[ξ, η]_q = ξ η' − η ξ'``, whatever q.
    """
    d, count = grid.derivative, len(grid.points)
    length = float(np.sum(grid.weights))
    waves = np.fft.fftfreq(count, 1 / count) * (2 * np.pi / length)

    def at(q: AnyArray, f: AnyArray) -> AnyArray:
        return np.asarray((np.exp(1j * np.outer(q, waves)) @ (np.fft.fft(f) / count)).real)

    def matrix(q: AnyArray) -> AnyArray:
        return np.stack([at(q, e) for e in np.eye(count)], axis=1)

    return Substitution(
        grid,
        velocity=at,
        components=lambda q, v: np.linalg.solve(matrix(q), v),
        changed=lambda q, v, xi: at(q, d @ xi) * v,
        dual=lambda q, alpha: matrix(q).T @ (grid.weights * alpha) / grid.weights,
    )


def string_lagrangian(grid: Grid, z: AnyArray, xi: AnyArray, tension: AnyArray) -> float:
    """``l = ∫ ½(z̄_s z_s ξ̄ ξ − λ(z̄_s z_s − 1)) ds``, before (3.15)."""
    size = np.abs(grid.derivative @ z) ** 2
    return float(np.sum(grid.weights * 0.5 * (size * np.abs(xi) ** 2 - tension * (size - 1))))


def string_momentum(grid: Grid, z: AnyArray, xi: AnyArray) -> AnyArray:
    """``δl/δξ = |z_s|² ξ``."""
    return np.asarray(np.abs(grid.derivative @ z) ** 2 * xi)


def string_force(grid: Grid, z: AnyArray, xi: AnyArray, tension: AnyArray) -> AnyArray:
    """``ξ_t = ξ ξ̄_s + λ_s + iκ(λ − ξ̄ξ)`` of the inextensible string, κ = θ_s. (3.17)"""
    d = grid.derivative
    curvature = (np.conj(d @ z) * (d @ (d @ z))).imag
    return np.asarray(xi * (d @ np.conj(xi)) + d @ tension + 1j * curvature * (tension - np.abs(xi) ** 2))


@dataclass(frozen=True)
class DiscretePoint:
    """What one step contributes to the discrete equations: ξ_{k,k+1}, μ = D₂l, and ψ = Ψ* D₁l, all at ``q_{k+τ}``."""

    q: AnyArray
    xi: AnyArray
    momentum: AnyArray
    slope: AnyArray


def discrete_hamel(
    by: Substitution, before: DiscretePoint, after: DiscretePoint, step: float, tau: float = 0.5
) -> AnyArray:
    """The left-hand side of the discrete Hamel equations (5.6), zero along a discrete motion.

    ``(μ_{k−1,k} − μ_{k,k+1})/h + τ ψ_{k−1+τ} + (1 − τ) ψ_{k+τ} + τ [ξ, μ]*_{k−1+τ} + (1 − τ) [ξ, μ]*_{k+τ}``
    """
    total = (before.momentum - after.momentum) / step
    for share, point in ((tau, before), (1 - tau, after)):
        total = total + share * (by.dual(point.q, point.slope) + dual_bracket(by, point.q, point.xi, point.momentum))
    return total
