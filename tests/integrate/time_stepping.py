"""Moreau's time-stepping for plane and spatial contacts: an independent witness that knows no events and no modes.

Positions are carried explicitly; velocities and impulses of one step solve

    M (v⁺ − v) = h f + Σ gᵀ p + Sᵀ q,    0 ≤ p ⟂ g v⁺ + e g v ≥ 0,    q ∈ −μ p ∂|S v⁺|

by projected Gauss–Seidel [Moreau 1988; Jean 1999]. It converges with order one in the step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
Function = Callable[[Array, Array, float], Array]


@dataclass(frozen=True)
class Touching:
    """A contact by functions of (q, t): gap, its slopes (n), slip slopes (d, n) and drift (d)."""

    gap: Callable[[Array, float], float]
    normal: Callable[[Array, float], Array]
    slip: Callable[[Array, float], Array]
    drift: Callable[[Array, float], Array]
    friction: float
    restitution: float = 0.0


def stepped(
    mass: Callable[[Array], Array], force: Function, contacts: list[Touching], q: Array, v: Array, until: float, steps: int
) -> tuple[Array, Array]:
    """Position and velocity at the end."""
    h, t = until / steps, 0.0
    q, v = np.array(q, dtype=float), np.array(v, dtype=float)
    for _ in range(steps):
        middle, now = q + h / 2 * v, t + h / 2
        m = mass(middle)
        inverse = np.linalg.inv(m)
        new = v + h * inverse @ force(middle, v, now)
        active = [c for c in contacts if c.gap(middle, now) <= 0]
        parts = []
        for c in active:
            g, s = c.normal(middle, now), c.slip(middle, now)
            s = s if c.friction > 0 else s[:0]
            parts.append((c, g, s, c.drift(middle, now)[: len(s)], 1 / (g @ inverse @ g), g @ v))
        p, impulses = [0.0] * len(parts), [np.zeros(len(part[2])) for part in parts]
        for _ in range(400 if len(parts) > 1 else 120):
            before = new.copy()
            for i, (c, g, s, drift, weight, coming) in enumerate(parts):
                pressed = max(0.0, p[i] - weight * (g @ new + c.restitution * min(coming, 0.0)))
                new = new + inverse @ g * (pressed - p[i])
                p[i] = pressed
                if len(s):
                    inner = s @ inverse @ s.T
                    trial = impulses[i] - np.linalg.solve(inner, s @ new + drift)
                    size = float(np.linalg.norm(trial))
                    if size > c.friction * p[i]:
                        trial = _slid(inner, s @ new + drift - inner @ impulses[i], c.friction * p[i])
                    new = new + inverse @ s.T @ (trial - impulses[i])
                    impulses[i] = trial
            if np.max(np.abs(new - before)) < 1e-15 * (1 + np.max(np.abs(new))):
                break
        q, v, t = middle + h / 2 * new, new, t + h
    return q, v


def _slid(inner: Array, free: Array, most: float) -> Array:
    """The impulse of length ``most`` against the slip that it leaves: ``q = −most u/|u|`` with ``u = free + inner q``."""
    if len(free) == 1 or most == 0:
        return -most * free / (np.linalg.norm(free) or 1.0)
    impulse = -most * free / np.linalg.norm(free)
    for _ in range(100):
        slip = free + inner @ impulse
        new = -most * slip / (np.linalg.norm(slip) or 1.0)
        if np.max(np.abs(new - impulse)) < 1e-15 * most:
            break
        impulse = (new + impulse) / 2
        impulse *= most / np.linalg.norm(impulse)
    return impulse
