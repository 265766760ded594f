"""Small motions of a string about a steady one: equilibrium, or rigid rotation of the free string."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.errors import StateError
from nonholo.fields.strings.inextensible_string import String
from nonholo.fields.strings.string_start import read
from nonholo.program.array_types import AnyArray


@dataclass(frozen=True, eq=False)
class Modes:
    """Circular frequencies in rising order, the shapes θ(s) of the modes (rows), and the fastest growth that was found."""

    frequencies: AnyArray
    shapes: AnyArray
    growth: float


def modes(string: String, start: Mapping[str, Any] | None = None, step: float = 1e-3) -> Modes:
    """The linear oscillations about a steady motion, from the slopes of the rates on the nodes.

    By differences of order 4: the rates of a string solve for its tension with NumPy and are no program.

    About rigid rotation of the free string ``ω_n² = ½ Ω² n (n + 3)``, with derivatives of Legendre polynomials as shapes.

    >>> import nonholo as nh
    >>> found = modes(nh.fields.String(nodes=16), {"omega": "2"})
    >>> [round(float(w) ** 2, 6) for w in found.frequencies[:3]]
    [8.0, 20.0, 36.0]
    """
    theta, omega, _, _ = read(start, string.grid, string.held, "modes")
    n = string.nodes
    rate = string.turning_rate(theta, omega)[0]
    uneven = float(np.ptp(omega)) if not string.held else float(np.max(np.abs(omega)))
    scale = max(1.0, float(np.max(np.abs(omega))) ** 2, abs(string.gravity) / string.length)
    if max(float(np.max(np.abs(rate))), uneven**2) > 1e-6 * scale:
        raise StateError(
            f"modes: the start is not steady (omega changes at {np.max(np.abs(rate)):.3g}); give an equilibrium, or a free "
            "string that turns as one straight piece."
        )

    def flow(y: AnyArray) -> AnyArray:
        return np.concatenate([y[n:], string.turning_rate(y[:n], y[n:])[0]])

    state = np.concatenate([theta, omega])
    columns = []
    for moved in np.eye(2 * n) * step:
        near = flow(state + moved) - flow(state - moved)
        far = flow(state + 2 * moved) - flow(state - 2 * moved)
        columns.append((8 * near - far) / (12 * step))
    values, vectors = np.linalg.eig(np.array(columns).T)
    swinging = np.flatnonzero(values.imag > 1e-3 * np.sqrt(scale))
    order = swinging[np.argsort(values.imag[swinging])]
    shapes = []
    for k in order:
        shape = vectors[:n, k]
        turned = (shape / shape[np.argmax(np.abs(shape))]).real
        shapes.append(turned)
    return Modes(values.imag[order], np.array(shapes), float(np.max(values.real)))
