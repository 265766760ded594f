"""Gauss–Newton iteration, for one point and for many at once.

The loops alone have a projection of their own (`nonholo.integrate.loops.projection`): it is compiled into them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from nonholo.algebra.expression_types import Numbers

ROUNDING = 1e-13
"""Residuals below this that no longer fall are rounding."""
HALVINGS = 8
"""A step that makes matters twice as bad is halved so often at most."""
Step = Callable[[Numbers, Numbers], Numbers]


def least_change(slopes: Numbers, residual: Numbers) -> Numbers:
    """The least Euclidean step with ``slopes · step = residual``, in the sense of least squares."""
    return np.asarray(np.linalg.lstsq(slopes, residual, rcond=None)[0])


def gauss_newton(
    function: Callable[[Numbers], tuple[Numbers, Numbers]],
    start: Numbers,
    enough: float = 1e-15,
    most: int = 60,
    step: Step = least_change,
) -> tuple[Numbers, Numbers]:
    """The point to which ``point − step`` converges from ``start``, and the residuals there.

    ``function`` gives residuals and their slopes by the point. The search ends when the residuals are below ``enough``, no
    longer fall, are not finite, when a step no longer moves the point, or after ``most`` steps.

    >>> root, left = gauss_newton(lambda x: (x**2 - 2, np.diag(2 * x)), np.array([1.0]))
    >>> abs(float(root[0]) - 2**0.5) < 1e-15, abs(float(left[0])) < 1e-15
    (True, True)
    """
    point = np.array(start, dtype=float)
    residual, slopes = function(point)
    before = np.inf
    for _ in range(most):
        if not (np.all(np.isfinite(residual)) and np.all(np.isfinite(slopes))):
            break
        size = float(np.max(np.abs(residual), initial=0.0))
        if size < enough or not point.size or (size >= before and size < ROUNDING):
            break
        before = size
        change = step(slopes, residual)
        for _ in range(HALVINGS):
            residual, slopes = function(point - change)
            if np.max(np.abs(residual), initial=0.0) < 2 * size or size < ROUNDING:
                break
            change = change / 2
        point = point - change
        if np.max(np.abs(change), initial=0.0) < 1e-16:
            break
    return point, residual


def searched(
    function: Callable[[Numbers], tuple[Numbers, Numbers]], starts: Iterable[Numbers], tolerance: float
) -> tuple[Numbers, Numbers]:
    """`gauss_newton` from one start after another until the residuals are within the tolerance; else the best that was found."""
    found: list[tuple[float, Numbers, Numbers]] = []
    for start in starts:
        point, residual = gauss_newton(function, start)
        size = float(np.max(np.abs(np.nan_to_num(residual, nan=np.inf)), initial=0.0))
        found.append((size, point, residual))
        if size < tolerance:
            break
    _, point, residual = min(found, key=lambda one: one[0])
    return point, residual


def together(
    function: Callable[[Numbers], tuple[Numbers, Numbers]], starts: Numbers, enough: float, most: int, rcond: float = 1e-15
) -> Numbers:
    """Many points at once, a row each, by undamped steps of least change until all residuals are below ``enough``.

    ``function`` gives residuals (points, residuals) and slopes (points, residuals, variables); a point where they are not finite
    stays where it is.

    >>> roots = together(lambda x: (x**2 - 2, 2 * x[:, :, None]), np.array([[1.0], [-1.5]]), 1e-15, 8)
    >>> [round(float(r), 12) for r in roots[:, 0]]
    [1.414213562373, -1.414213562373]
    """
    points = np.array(starts, dtype=float)
    for _ in range(most):
        residual, slopes = function(points)
        finite = np.all(np.isfinite(residual), axis=1) & np.all(np.isfinite(slopes), axis=(1, 2))
        residual, slopes = np.where(finite[:, None], residual, 0.0), np.where(finite[:, None, None], slopes, 0.0)
        if np.all(np.abs(residual) < enough):
            break
        points -= np.einsum("kij,kj->ki", np.linalg.pinv(slopes, rcond=rcond), residual)
    return points
