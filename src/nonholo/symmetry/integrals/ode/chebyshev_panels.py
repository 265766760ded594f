"""Fundamental matrices of ``y' = N(s) y`` on Chebyshev panels up to singular points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Rates = Callable[[Numbers], Numbers]
ORDER = 20
TAIL = 3e-14
"""Largest last coefficients of a panel, relative to its largest one."""
SHORTEST = 1e-9
COUNT = 600


@dataclass(frozen=True, eq=False)
class Panels:
    """``Y(s)`` with ``Y' = N Y``, ``Y(origin) = 1``, as Chebyshev series on panels in increasing order."""

    origin: float
    edges: Numbers
    series: tuple[Numbers, ...]

    @property
    def interval(self) -> tuple[float, float]:
        """Where the solution is known."""
        return float(self.edges[0]), float(self.edges[-1])

    def __call__(self, s: Any) -> Numbers:
        """``Y`` at each value; not a number outside the interval."""
        values = np.atleast_1d(np.asarray(s, dtype=float))
        size = self.series[0].shape[1]
        result = np.full((len(values), size, size), np.nan)
        slack = 1e-13 * (1 + abs(self.edges[0]) + abs(self.edges[-1]))
        inside = (values >= self.edges[0] - slack) & (values <= self.edges[-1] + slack)
        place = np.clip(np.searchsorted(self.edges, values, side="right") - 1, 0, len(self.series) - 1)
        for k in set(place[inside].tolist()):
            here = inside & (place == k)
            a, b = self.edges[k], self.edges[k + 1]
            result[here] = np.moveaxis(chebyshev.chebval((2 * values[here] - a - b) / (b - a), self.series[k]), -1, 0)
        return result


def panels(rates: Rates, size: int, origin: float, reach: tuple[float, float]) -> Panels | None:
    """Collocation panel after panel away from the origin; None when the ODE is singular there.

    A panel is halved until its series has died out; where it would become shorter than 1e-9 a singular point is near
    and the interval ends.

    >>> import numpy as np
    >>> turn = panels(lambda s: np.tile([[0.0, 1.0], [-1.0, 0.0]], (len(s), 1, 1)), 2, 0.0, (-3.0, 7.0))
    >>> bool(abs(turn(5.0)[0, 0, 0] - np.cos(5.0)) < 1e-13)
    True
    """
    if size == 0:
        return Panels(origin, np.array(reach, dtype=float), (np.zeros((1, 0, 0)),))
    sides = [_march(rates, size, origin, end) for end in reach]
    signs = (-1.0) ** np.arange(ORDER + 1)
    left = [(b, a, np.asarray(series * signs[:, None, None])) for a, b, series in reversed(sides[0])]
    found = [*left, *sides[1]]
    if not found:
        return None
    return Panels(origin, np.array([found[0][0], *(p[1] for p in found)]), tuple(p[2] for p in found))


def _march(rates: Rates, size: int, origin: float, end: float) -> list[tuple[float, float, Numbers]]:
    t = -np.cos(np.pi * np.arange(ORDER + 1) / ORDER)
    inverse = np.linalg.inv(chebyshev.chebvander(t, ORDER))
    slope = np.array([chebyshev.chebval(t, chebyshev.chebder(unit)) for unit in np.eye(ORDER + 1)]).T @ inverse
    found: list[tuple[float, float, Numbers]] = []
    here, value = origin, np.eye(size)
    step = min(abs(end - origin), 0.5) * (1 if end > origin else -1)
    while abs(end - here) > 0 and len(found) < COUNT:
        step = step if abs(step) < abs(end - here) else end - here
        solved = _panel(rates, slope, t, here, step, value)
        if solved is not None:
            series = np.tensordot(inverse, solved, axes=(1, 0))
            if np.max(np.abs(series[-2:])) <= TAIL * np.max(np.abs(series)):
                found.append((here, here + step, series))
                here, value, step = here + step, solved[-1], 1.5 * step
                continue
        step /= 2
        if abs(step) < SHORTEST:
            break
    return found


def _panel(rates: Rates, slope: Numbers, t: Numbers, here: float, step: float, value: Numbers) -> Numbers | None:
    """``Y`` at the points of one panel by collocation, or None where the ODE is singular."""
    size, count = len(value), len(t)
    matrices = rates(here + step * (1 + t) / 2) * step / 2
    if not np.all(np.isfinite(matrices)):
        return None
    whole = np.kron(slope, np.eye(size))
    for j in range(count):
        whole[j * size : (j + 1) * size, j * size : (j + 1) * size] -= matrices[j]
    try:
        solved = np.linalg.solve(whole[size:, size:], -whole[size:, :size] @ value)
    except np.linalg.LinAlgError:
        return None
    result = np.concatenate([value[None], solved.reshape(count - 1, size, size)])
    return result if np.all(np.isfinite(result)) else None
