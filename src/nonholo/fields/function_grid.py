"""Function spaces made finite: Chebyshev–Lobatto points on an interval, equal points on a circle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nonholo.program.array_types import AnyArray


@dataclass(frozen=True, eq=False)
class Grid:
    """Points ``s``, and differentiation, integration from the first point, and quadrature as matrices and weights.

    All three are exact for the polynomials (the trigonometric ones on a circle) that the points determine.
    """

    points: AnyArray
    derivative: AnyArray
    integral: AnyArray
    weights: AnyArray

    def pair(self, a: AnyArray, b: AnyArray) -> float:
        """``⟨a, b⟩ = ∫ Re(ā b) ds``, which makes W its own dual."""
        return float(np.sum(self.weights * (np.conj(a) * b).real))


@lru_cache(maxsize=32)
def chebyshev(count: int, length: float = 1.0) -> Grid:
    """``count`` Chebyshev–Lobatto points ``s_j = L (1 − cos(πj/(count − 1)))/2`` from 0 to ``length``.

    >>> grid = chebyshev(12, 2.0)
    >>> bool(abs(grid.derivative @ grid.points**3 - 3 * grid.points**2).max() < 1e-12)
    True
    """
    from numpy.polynomial import chebyshev as series

    order = count - 1
    j = np.arange(count)
    angle = np.pi * j / order
    # s_i − s_j by sines, so that near points do not cancel  [Don and Solomonoff 1995]
    gap = length * np.sin((angle[:, None] + angle) / 2) * np.sin((angle[:, None] - angle) / 2)
    scale = np.where((j == 0) | (j == order), 2.0, 1.0) * (-1.0) ** j
    derivative = scale[:, None] / scale / (gap + np.eye(count))
    np.fill_diagonal(derivative, 0.0)
    np.fill_diagonal(derivative, -derivative.sum(axis=1))  # a constant has no slope, to the last digit
    places = -np.cos(angle)
    to_series = np.linalg.inv(series.chebvander(places, order))
    raised = np.array([np.pad(c := series.chebint(e, lbnd=-1), (0, count + 1 - len(c))) for e in np.eye(count)])
    integral = series.chebvander(places, count) @ raised.T @ to_series * (length / 2)
    integral[0] = 0.0
    points = length * np.sin(angle / 2) ** 2
    return _frozen(points, derivative, integral, integral[-1])


@lru_cache(maxsize=32)
def fourier(count: int, length: float = 2 * np.pi) -> Grid:
    """``count`` (odd) equal points on a circle of this length.

    The integral from the first point is exact for functions without mean.
    """
    points = length * np.arange(count) / count
    waves = np.fft.fftfreq(count, 1 / count) * (2 * np.pi / length)
    spectrum = np.fft.fft(np.eye(count), axis=0)
    derivative = np.fft.ifft(1j * waves[:, None] * spectrum, axis=0).real
    inverse = np.divide(1.0, 1j * waves, out=np.zeros(count, complex), where=waves != 0)
    integral = np.fft.ifft(inverse[:, None] * spectrum, axis=0).real
    return _frozen(points, derivative, integral - integral[0], np.full(count, length / count))


def interpolation(count: int, onto: AnyArray, length: float = 1.0) -> AnyArray:
    """The matrix that takes values at Chebyshev–Lobatto points to values anywhere on [0, ``length``]. (barycentric form)"""
    grid = chebyshev(count, length)
    weight = (-1.0) ** np.arange(count)
    weight[[0, -1]] /= 2
    gap = np.asarray(onto, dtype=float)[:, None] - grid.points
    hit = gap == 0
    part = weight / np.where(hit, 1.0, gap)
    part[hit.any(axis=1)] = 0.0
    part[hit] = 1.0
    return np.asarray(part / part.sum(axis=1, keepdims=True))


def trigonometric(count: int, onto: AnyArray, length: float = 2 * np.pi) -> AnyArray:
    """The matrix that takes values at ``count`` (odd) equal points of a circle to values anywhere on it.

    >>> at = trigonometric(5, np.array([0.3]))
    >>> bool(abs(at @ np.sin(2 * fourier(5).points) - np.sin(0.6)).max() < 1e-14)
    True
    """
    gap = np.pi * (np.asarray(onto, dtype=float)[:, None] / length - np.arange(count) / count)
    small = np.abs(np.sin(gap)) < 1e-14
    return np.asarray(np.where(small, 1.0, np.sin(count * gap) / (count * np.where(small, 1.0, np.sin(gap)))))


def _frozen(*arrays: AnyArray) -> Grid:
    own = [np.ascontiguousarray(a) for a in arrays]
    for a in own:
        a.setflags(write=False)
    return Grid(*own)
