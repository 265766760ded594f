"""The discrete spherical pendulum (6.6), (6.7) in plain numbers, and two methods to compare it with."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np

from nonholo_papers.spectral import Vector

START = ((0.6, 0.0), (0.3, 0.2, -sqrt(1 - 0.3**2 - 0.2**2)))
"""ξ_0 and γ_0 of §6.3."""
Rows = tuple[Vector, Vector]


def discrete(
    steps: int,
    half: float = 0.5,
    h: float = 0.2,
    pull: float = 1.0,
    start: tuple[tuple[float, ...], ...] = START,
    late: bool = False,
) -> Rows:
    """ξ_{k,k+1} and γ_{k+1/2} with (6.6) (``half`` = ½, or 1 as printed) and (6.7); ``pull`` is g/r.

    ``late`` takes γ_{k+1/2} alone in (6.7) in place of the mean. γ follows from ξ by Cayley's formula, ξ by iteration.
    """
    (a, b), (x, y, z) = start
    rows = [(a, b, x, y, z)]
    force = h * pull * half
    for _ in range(steps):
        c, d, u, v, w = a, b, x, y, z
        for _ in range(60):
            last = (u, v, w)
            c, d = a + force * (v + y), b - force * (u + x)
            p, q = h * (a + c) / 4, h * (b + d) / 4
            if late:
                p, q = 2 * p, 2 * q
                u, v, w = _turned(x, y, z, p, q)
            else:
                u, v, w = _turned(x - z * q, y + z * p, z + x * q - y * p, p, q)
            if abs(u - last[0]) + abs(v - last[1]) + abs(w - last[2]) < 1e-16:
                break
        a, b, x, y, z = c, d, u, v, w
        rows.append((a, b, x, y, z))
    table = np.array(rows)
    return table[:, :2], table[:, 2:]


def _turned(x: float, y: float, z: float, p: float, q: float) -> tuple[float, float, float]:
    """The solution of ``γ − γ × (p, q, 0) = (x, y, z)``."""
    size = 1 + p * p + q * q
    dot = x * p + y * q
    # (1 − [· × w])⁻¹ b = (b + b × w + (b·w) w)/(1 + w²)
    return (x - z * q + dot * p) / size, (y + z * p + dot * q) / size, (z + x * q - y * p) / size


def energy(xi: Vector, gamma: Vector, pull: float = 1.0, potential: float = 1.0) -> Vector:
    """``(K + U)/(m r²)``; with ``potential`` = 2, K + 2U."""
    return np.sum(xi**2, axis=1) / 2 + potential * pull * gamma[:, 2]


def drift(values: Vector) -> float:
    """The largest departure from the start, relative."""
    return float(np.max(np.abs(values - values[0])) / max(1.0, abs(float(values[0]))))


def rattle(steps: int, h: float = 0.2) -> Vector:
    """Energies over m r² of a point on the unit sphere by RATTLE, from the same height, fall and momentum."""
    q, v = _as_point()
    down = np.array([0.0, 0.0, -1.0])
    found = [v @ v / 2 + q[2]]
    for _ in range(steps):
        free = v + h / 2 * down
        reached = q + h * free
        # |q + h(free − λq)| = 1 with λ the smaller root
        along = q @ reached
        push = along - sqrt(along**2 - reached @ reached + 1)
        following = reached - push * q
        middle = free - push / h * q
        loose = middle + h / 2 * down
        v = loose - (loose @ following) * following
        q = following
        found.append(v @ v / 2 + q[2])
    return np.array(found)


def verlet(steps: int, h: float = 0.2) -> Vector:
    """Energies over m r² by Störmer and Verlet in the polar angle, with the azimuth's momentum."""
    q, v = _as_point()
    theta = float(np.arccos(q[2]))
    momentum = q[0] * v[1] - q[1] * v[0]
    rate = -v[2] / sin(theta)

    def pull(angle: float) -> float:
        return float(momentum**2 * cos(angle) / sin(angle) ** 3 + sin(angle))

    found = []
    for _ in range(steps + 1):
        found.append(rate**2 / 2 + momentum**2 / (2 * sin(theta) ** 2) + cos(theta))
        rate += h / 2 * pull(theta)
        theta += h * rate
        rate += h / 2 * pull(theta)
    return np.array(found)


def _as_point() -> Rows:
    """A point of the unit sphere with the height, its rate and the vertical momentum of the start."""
    (a, b), (x, y, z) = START
    wide = sqrt(1 - z**2)
    fall, turn = x * b - y * a, a * x + b * y
    return np.array([wide, 0.0, z]), np.array([-z * fall / wide, turn / wide, fall])
