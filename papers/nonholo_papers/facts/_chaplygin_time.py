"""Shared by the facts of the Chaplygin sphere: its reduced motion on S² and the change of time that makes it Hamiltonian."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo.gallery._rolling import attitude
from nonholo.gallery.exhibit import Exhibit
from nonholo_papers.facts._random_states import STEP, Vector, at_states, rate, vector
from nonholo_papers.so3 import matrix

UP = np.array([0.0, 0.0, 1.0])


def vertical(s: Any) -> Vector:
    """``γ = Wᵀ e3``."""
    return UP @ matrix(s)


def moments(s: Any) -> Vector:
    """``J``, diagonal."""
    return np.diag(vector(s, "J1", "J2", "J3"))


def density(up: Vector, s: Any) -> Any:
    """``1 − m r² γ·(J + m r²)⁻¹ γ``."""
    arm = s.m * s.r**2
    return 1 - arm * np.sum(up**2 / (vector(s, "J1", "J2", "J3") + arm))


def _up(q: Vector) -> Vector:
    return np.array([np.sin(q[0]) * np.cos(q[1]), np.sin(q[0]) * np.sin(q[1]), np.cos(q[0])])


def _metric(q: Vector, s: Any) -> Vector:
    """The reduced kinetic energy in the angles of ``γ = _up(a, b)``: ``K̄(γ̇) = ω_H·Jω_H + m r² γ̇²``, ``ω_H ⟂ γ`` in K."""
    (a, b), up, J = q, _up(q), moments(s)
    steps = np.array([_up(np.array([a + np.pi / 2, b])), [-up[1], up[0], 0]])
    spins = np.array([np.cross(step, up) for step in steps])
    spins = np.array([w - (up @ J @ w) / (up @ J @ up) * up for w in spins])
    return spins @ J @ spins.T + s.m * s.r**2 * steps @ steps.T


def _angles(s: Any) -> Vector:
    up = vertical(s)
    return np.array([np.arccos(up[2]), np.arctan(up[1] / up[0])])


def _angle_rates(s: Any) -> Vector:
    up = vertical(s)
    change = np.cross(up, vector(s, "w1", "w2", "w3"))
    level = up[0] ** 2 + up[1] ** 2
    return np.array([-change[2] / np.sqrt(level), (up[0] * change[1] - up[1] * change[0]) / level])


def gyroscopic(exhibit: Exhibit, power: float) -> tuple[Vector, float]:
    """The gyroscopic coefficient B on S² in the time ``dτ = N dt``, ``N = (1 − m r² γ·(J + m r²)⁻¹γ)^power``.

    In that time Lagrange's equations of ``L = N² K̄(q', q')/2 − Ū``, ``Ū = C²/(2 γ·Jγ)``, hold up to a force that does
    no work: ``B (q2', −q1')``. It is Hamiltonian when B depends on the place (and C) alone. Returned are B for several
    velocities at one place and with one C, and the force's power (which must vanish).
    """
    place = attitude(0.4, 1.1, 0.7)
    values, momentum = exhibit.parameters, 0.13
    s = SimpleNamespace(**values, **place)
    up = vertical(s)
    inertia = moments(s)
    starts = []
    for w in np.random.default_rng(4).uniform(-2, 2, (4, 3)):
        w = w + (momentum - up @ inertia @ w) / (up @ inertia @ up) * up
        starts.append({**place, **{f"w{i + 1}": float(e) for i, e in enumerate(w)}})
    found, work = [], 0.0
    for s, r in at_states(exhibit.system, values, starts):
        q, velocity = _angles(s), _angle_rates(s)
        acceleration = rate(_angle_rates, s, r)

        def scale(q: Vector, s: Any = s) -> Any:
            return density(_up(q), s) ** power

        def mass(q: Vector, s: Any = s, scale: Any = scale) -> Vector:
            return scale(q) ** 2 * _metric(q, s)

        def hill(q: Vector, s: Any = s) -> Any:
            return momentum**2 / (2 * _up(q) @ moments(s) @ _up(q))

        units = np.eye(2)
        slopes = [np.imag(mass(q + 1j * STEP * e)) / STEP for e in units]
        hills = np.array([np.imag(hill(q + 1j * STEP * e)) / STEP for e in units])
        n, n_slope = scale(q), np.imag(scale(q + 1j * STEP * velocity)) / STEP
        prime = velocity / n
        second = (acceleration - n_slope * prime) / n**2
        moving = sum(v * k for v, k in zip(prime, slopes)) @ prime + mass(q) @ second
        force = moving - np.array([prime @ k @ prime for k in slopes]) / 2 + hills
        found.append((force[0] * prime[1] - force[1] * prime[0]) / (prime @ prime))
        work = max(work, abs(force @ prime))
    return np.array(found), work
