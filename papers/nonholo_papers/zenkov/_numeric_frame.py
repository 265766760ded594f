"""A generic frame, Lagrangian and motion on R³, in numbers: nothing of them is special, so no error can hide."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.spectral import Vector, along, chebyshev, slopes

INTERVAL = chebyshev(36, 0.0, 1.0)


def operator(q: Vector) -> Vector:
    """``Ψ_q``: column i is the field u_i."""
    x, y, z = q[..., 0], q[..., 1], q[..., 2]
    one = np.ones_like(x)
    rows = [
        [one + 0.3 * y * z, 0.4 * np.sin(x), -0.2 * z],
        [0.5 * x, 1.2 + 0.3 * np.cos(z), 0.35 * x * y],
        [0.6 * y, -0.3 * z**2, 0.9 + 0.2 * np.sin(y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def coordinate_operator(q: Vector) -> Vector:
    """``Ψ_q = 1``: the coordinate frame."""
    return np.broadcast_to(np.eye(3), (*q.shape[:-1], 3, 3)) + 0 * q[..., :1, None]


def lagrangian(q: Vector, velocity: Vector) -> Vector:
    """A metric that varies, terms linear in the velocity, and a potential."""
    x, y, z = q[..., 0], q[..., 1], q[..., 2]
    a, b, c = velocity[..., 0], velocity[..., 1], velocity[..., 2]
    kinetic = (1.3 + 0.2 * np.sin(y)) * a**2 / 2 + (0.9 + 0.1 * x**2) * b**2 / 2 + (1.1 + 0.3 * z * x) * c**2 / 2
    kinetic = kinetic + 0.25 * np.cos(z) * a * b - 0.15 * y * b * c + 0.2 * x * a * c
    return kinetic + 0.4 * y * a - 0.3 * x * z * b + 0.7 * np.sin(x) * c - 0.8 * np.cos(x + 0.5 * y) - 0.3 * z**2 * x


def legendre(q: Vector, velocity: Vector) -> Vector:
    """``∂L/∂q̇``; L is quadratic in the velocity, so that differences are exact (and complex steps go through)."""
    rows = [(lagrangian(q, velocity + e) - lagrangian(q, velocity - e)) / 2 for e in np.eye(3)]
    return np.stack(rows, axis=-1)


def velocity_of(q: Vector, xi: Vector, frame: Any = operator) -> Vector:
    """``q̇ = Ψ_q ξ``."""
    return np.einsum("...ki,...i->...k", frame(q), xi)


def in_frame(q: Vector, xi: Vector, frame: Any = operator) -> Vector:
    """``l(q, ξ) = L(q, Ψ_q ξ)``."""
    return lagrangian(q, velocity_of(q, xi, frame))


def brackets(q: Vector, frame: Any = operator) -> Vector:
    """``c[i, j, a]`` with ``[u_i, u_j] = c_ij^a u_a``."""
    psi = frame(q)
    move = slopes(frame, q)  # [k, i, l] = ∂_l u_i^k
    change = np.einsum("...li,...kjl->...ijk", psi, move)
    return np.einsum("...ak,...ijk->...ija", np.linalg.inv(psi), change - np.swapaxes(change, -3, -2))


def bracket(c: Vector, xi: Vector, eta: Vector) -> Vector:
    """``[ξ, η]_q``."""
    return np.einsum("...ija,...i,...j->...a", c, xi, eta)


def dual(c: Vector, xi: Vector, alpha: Vector) -> Vector:
    """``[ξ, α]*_q``, with ``⟨[ξ, α]*, η⟩ = ⟨α, [ξ, η]⟩``."""
    return np.einsum("...ija,...i,...a->...j", c, xi, alpha)


def gradient(function: Any, q: Vector, other: Vector, which: int) -> Vector:
    """``∂/∂q`` (0) or ``∂/∂ξ`` (1) of a function of both, by complex steps."""
    still = np.zeros(3)
    columns = []
    for e in np.eye(3):
        moves = (e, still) if which == 0 else (still, e)
        columns.append(along(function, (q, other), moves))
    return np.stack(columns, axis=-1)


def curve(seed: int = 1, vanish: bool = True, frame: Any = operator) -> SimpleNamespace:
    """A curve that is not a motion, with a variation δq = Ψ η (zero at the ends), on the grid of times."""
    random = np.random.default_rng(seed)
    t = INTERVAL.points
    a, b, c = random.uniform(-0.7, 0.7, (3, 3))
    q = a + np.outer(np.sin(1.3 * t), b) + np.outer(t**2 - 0.4 * t**3, c)
    d, e = random.uniform(-0.9, 0.9, (2, 3))
    bump = t * (1 - t) if vanish else 1 + 0 * t
    eta = bump[:, None] * (d + np.outer(np.cos(2.1 * t), e))
    psi = frame(q)
    dot = INTERVAL.d(q)
    xi = np.einsum("tik,tk->ti", np.linalg.inv(psi), dot)
    shift = velocity_of(q, eta, frame)
    return SimpleNamespace(seed=seed, t=t, q=q, dot=dot, xi=xi, eta=eta, shift=shift, psi=psi, c=brackets(q, frame))


def action(path: SimpleNamespace, tau: complex) -> Any:
    """``∫ L dt`` along the varied curve, straight from the Lagrangian in coordinates."""
    q = path.q + tau * path.shift
    return INTERVAL.total(lagrangian(q, INTERVAL.d(q)))


def variation(path: SimpleNamespace) -> float:
    """``δ ∫ L dt``, by a complex step in the size of the variation."""
    step = 1e-30
    return float(np.imag(action(path, 1j * step)) / step)


def pair(alpha: Vector, eta: Vector) -> float:
    """``∫ ⟨α, η⟩ dt``."""
    return float(INTERVAL.total(np.sum(alpha * eta, axis=-1)))


def directional(c: SimpleNamespace, frame: Any = operator) -> Vector:
    """``u_j[l]`` at fixed ξ, along a curve."""
    change = gradient(lambda q, xi: in_frame(q, xi, frame), c.q, c.xi, 0)
    return np.einsum("...ki,...k->...i", c.psi, change)


def momenta(c: SimpleNamespace, frame: Any = operator) -> Vector:
    """``∂l/∂ξ`` along a curve."""
    return gradient(lambda q, xi: in_frame(q, xi, frame), c.q, c.xi, 1)


TEXT = (
    "(1.3 + 0.2*sin(y))*xdot**2/2 + (0.9 + 0.1*x**2)*ydot**2/2 + (1.1 + 0.3*z*x)*zdot**2/2 + 0.25*cos(z)*xdot*ydot"
    " - 0.15*y*ydot*zdot + 0.2*x*xdot*zdot + 0.4*y*xdot - 0.3*x*z*ydot + 0.7*sin(x)*zdot - 0.8*cos(x + 0.5*y) - 0.3*z**2*x"
)
"""The same Lagrangian for the multiplier form."""
CONSTRAINT = "zdot - (0.5*y + 0.3*x**2)*xdot - (0.4*sin(x) - 0.2*z)*ydot"


def adapted(q: Vector) -> Vector:
    """A frame whose first two fields span the distribution of `CONSTRAINT`."""
    x, y, z = q[..., 0], q[..., 1], q[..., 2]
    one = np.ones_like(x)
    a, b = 0.5 * y + 0.3 * x**2, 0.4 * np.sin(x) - 0.2 * z
    rows = [
        [one + 0.2 * np.sin(z), 0.4 * x, 0.2 * one],
        [0.3 * y, 1.1 * one, 0.1 * z],
        [a * (1 + 0.2 * np.sin(z)) + 0.3 * y * b, 0.4 * x * a + 1.1 * b, 1 + 0.3 * x * y],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def constrained() -> Any:
    """The generic system with its linear constraint, for the multiplier form."""
    from nonholo.model.system import System

    return System(name="generic", coordinates="x y z", lagrangian=TEXT, constraints=[CONSTRAINT])


def place(s: Any) -> tuple[Vector, Vector]:
    """Coordinates and velocities of a state."""
    return np.array([s.x, s.y, s.z]), np.array([s.xdot, s.ydot, s.zdot])


def adapted_momenta(s: Any) -> Vector:
    """``∂l/∂ξ = Ψ* ∂L/∂q̇`` in the adapted frame."""
    q, dot = place(s)
    return adapted(q).T @ legendre(q, dot)


def left_over(p: Any) -> tuple[Vector, Vector, Vector]:
    """The three terms of Hamel's equations along a motion: d/dt ∂l/∂ξ, −c ∂l/∂ξ ξ, −u[l]; all of them in the frame."""
    q, dot = place(p)
    psi = adapted(q)
    xi = np.linalg.solve(psi, dot)
    change = gradient(lambda a, b: in_frame(a, b, adapted), q, xi, 0)
    return p.dot(adapted_momenta), -dual(brackets(q, adapted), xi, adapted_momenta(p)), -psi.T @ change
