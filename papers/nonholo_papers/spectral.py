"""Spectral grids: Chebyshev points with their derivative, integral and antiderivative, and slopes of analytic functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = Any
STEP = 1e-30


@dataclass(frozen=True)
class Grid:
    """Points of an interval, ascending, with the matrices of differentiation and integration from the left end."""

    points: NDArray[np.float64]
    derivative: NDArray[np.float64]
    weights: NDArray[np.float64]
    integral: NDArray[np.float64]

    def d(self, values: Vector) -> Vector:
        """The derivative along the first axis."""
        return np.tensordot(self.derivative, values, (1, 0))

    def total(self, values: Vector) -> Vector:
        """The integral over the interval, along the first axis."""
        return np.tensordot(self.weights, values, (0, 0))


@lru_cache
def chebyshev(count: int, left: float = 0.0, right: float = 1.0) -> Grid:
    """Chebyshev points of the second kind; the weights are Clenshaw and Curtis's.

    >>> grid = chebyshev(12)
    >>> bool(abs(grid.total(np.exp(grid.points)) - np.e + 1) < 1e-13)
    True
    """
    n = count - 1
    x = -np.cos(np.pi * np.arange(count) / n)
    c = np.where((np.arange(count) == 0) | (np.arange(count) == n), 2.0, 1.0) * (-1.0) ** np.arange(count)
    gaps = x[:, None] - x[None, :] + np.eye(count)
    derivative = np.outer(c, 1 / c) / gaps
    derivative -= np.diag(derivative.sum(axis=1))
    scale = 2.0 / (right - left)
    orders = np.arange(count)
    moments = np.where(orders % 2 == 0, 2.0 / (1.0 - orders.astype(float) ** 2 + (orders == 1)), 0.0)
    table = np.cos(np.outer(orders, np.arccos(np.clip(x, -1, 1))))
    weights = np.linalg.solve(table, moments) / scale
    inverse = np.zeros((count, count))
    inverse[1:, 1:] = np.linalg.inv(derivative[1:, 1:] * scale)
    # an antiderivative that vanishes at the left end: its values on the other points from those of the function there
    return Grid(left + (x + 1) / scale, derivative * scale, weights, inverse)


def slope(function: Callable[[float], Vector], radius: float = 0.1, count: int = 10) -> Vector:
    """The derivative at 0 of a function of a real number, by interpolation at Chebyshev points on both sides.

    >>> bool(abs(slope(lambda h: np.exp(2 * h)) - 2) < 1e-12)
    True
    """
    nodes = np.cos(np.pi * (np.arange(count) + 0.5) / count)
    powers = np.vander(nodes, count, increasing=True)
    row = np.linalg.solve(powers.T, np.eye(count)[1])
    return sum(w * np.asarray(function(radius * x)) for w, x in zip(row, nodes)) / radius


def unit_circle(count: int) -> Vector:
    """The roots of unity."""
    return np.exp(2j * np.pi * np.arange(count) / count)


def partials(function: Callable[[Vector], Vector], place: Vector, radius: float = 0.1, count: int = 10) -> Vector:
    """The derivatives of a function of a vector along the unit vectors, by `slope`; the first axis counts them."""

    def one(way: Vector) -> Vector:
        return slope(lambda tau: function(place + tau * way), radius, count)

    return np.array([one(way) for way in np.eye(len(place))])


def along(function: Callable[..., Vector], places: tuple[Vector, ...], moves: tuple[Vector, ...]) -> Vector:
    """The derivative of a function of arrays along a direction, by a complex step: exact to rounding for analytic ones."""
    moved = [p + 1j * STEP * m for p, m in zip(places, moves)]
    return np.imag(function(*moved)) / STEP


def slopes(function: Callable[[Vector], Vector], places: Vector) -> Vector:
    """All partial derivatives of a function of vectors (last axis of ``places``), as a new last axis."""
    count = places.shape[-1]
    columns = [along(function, (places,), (np.eye(count)[k],)) for k in range(count)]
    return np.stack(columns, axis=-1)


def romberg(values: Sequence[float], order: int = 2) -> float:
    """The limit for h → 0 of values at h, h/2, h/4, … that have an expansion in powers of h^order.

    >>> round(romberg([1 + h**2 + h**4 for h in (0.4, 0.2, 0.1)]), 12)
    1.0
    """
    found = [float(e) for e in values]
    for level in range(1, len(found)):
        factor = 2.0 ** (order * level)
        found = [(factor * fine - coarse) / (factor - 1) for coarse, fine in pairwise(found)]
    return found[0]
