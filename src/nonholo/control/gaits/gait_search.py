"""The best loop by SciPy's SLSQP with the exact sensitivities of the motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nonholo.control.gaits.driven_system import Loop, coefficient_names
from nonholo.control.gaits.gait_measure import Measure
from nonholo.errors import NonholoError

Array = NDArray[np.float64]
TIMES = 32
"""Times of the period of the highest harmonic at which the bounds are kept; between them the loop is shrunk into them."""
MOST = 40
"""Iterations of the search from each beginning."""
HELD = 1e-5
"""By how much a displacement that is held may differ from zero."""


def best_loop(
    measure: Measure, names: Sequence[str], harmonics: int, period: float, limits: Mapping[str, tuple[float, float]],
    first: Loop | None = None, effort: float = np.inf,
) -> tuple[Loop, dict[str, float]]:  # fmt: skip
    """The loop with the largest score: from a given one, else from ellipses of several phases and frequencies, the best two.

    ``effort`` is the most that a cycle may take. Where displacements are held at zero, the bounds are kept at the sampled times
    with the margin ``cos(π/TIMES)``, so that the loop keeps them at all times [Ehlich and Zeller 1964] and is not shrunk.
    """
    from scipy.optimize import minimize

    wanted = [n for row in coefficient_names(names, harmonics) for n in row]
    shape = (len(names), 1 + 2 * harmonics)
    sizes = np.array([(limits[n][1] - limits[n][0]) / 2 for n in names])
    middle = np.zeros(shape)
    middle[:, 0] = [sum(limits[n]) / 2 for n in names]

    def loop_of(x: Array) -> Loop:
        return Loop(tuple(names), middle + x.reshape(shape) * sizes[:, None], period)

    orders = np.concatenate([[0.0], np.repeat(np.arange(1, harmonics + 1), 2)]) * 2 * np.pi / period
    most = effort * measure.cycles

    def spent(x: Array) -> Array:
        """The slopes of the effort."""
        return loop_of(x).coefficients * orders**2 * period * measure.cycles * sizes[:, None]

    def allowed(x: Array) -> Array:
        """The loop within bounds and effort, shrunk where it is not."""
        fine = np.abs((loop_of(x).values(np.linspace(0.0, period, 16 * harmonics * TIMES)) - middle[:, 0]) / sizes)
        over = max(1.0, float(np.max(fine)), float(np.sqrt(measure.effort(loop_of(x)) / most)))
        return np.asarray(x / over)

    last: dict[bytes, tuple[Array, Array]] = {}

    def tried(x: Array) -> tuple[Array, Array]:
        """Displacements and slopes; the last ones are kept, for the constraints ask again."""
        if x.tobytes() not in last:
            last.clear()
            moved, slopes = _evaluate(measure, loop_of(x), wanted)
            last[x.tobytes()] = moved, (slopes.reshape(-1, *shape) * sizes[:, None]).reshape(len(slopes), -1)
        return last[x.tobytes()]

    def value(x: Array) -> tuple[float, Array]:
        loop = loop_of(x)
        (moved, *_), slopes = tried(x)
        if not np.isfinite(moved):
            return 0.0, np.zeros_like(x)
        score = measure.score(loop, moved)
        slope = slopes[0].reshape(shape)
        if measure.per == "effort":
            total = max(measure.effort(loop), 1e-12)
            slope = slope / total - moved / total**2 * spent(x)
        else:
            slope = slope / (measure.cycles * (period if measure.per == "time" else 1.0))
        return -score, -slope.ravel()

    basis = loop_of(np.zeros(shape[0] * shape[1])).basis(np.arange(harmonics * TIMES) * period / (harmonics * TIMES))[0]
    rows = np.kron(np.eye(len(names)), basis)
    both = np.vstack([-rows, rows])
    room = np.cos(np.pi / TIMES) if measure.held else 1.0
    inside = [{"type": "ineq", "fun": lambda x: room + both @ x, "jac": lambda x: both}]
    if measure.held:
        inside.append({"type": "eq", "fun": lambda x: np.nan_to_num(tried(x)[0][1:]), "jac": lambda x: tried(x)[1][1:]})
    if np.isfinite(most):
        frugal = {"fun": lambda x: 1 - measure.effort(loop_of(x)) / most, "jac": lambda x: -spent(x).ravel() / most}
        inside.append({"type": "ineq", **frugal})
    begun: list[tuple[float, Array]] = []
    given = [] if first is None else [((first.coefficients - middle) / sizes[:, None]).ravel()]
    for loops in (given, _ellipses(shape)):
        if max((score for score, _ in begun), default=0.0) > 0:  # a first loop may lead the other way
            break
        for x in map(allowed, loops):
            for y in (x, _mirrored(x, shape)) if len(names) > 1 else (x,):
                (moved, *_), slopes = tried(y)
                if np.isfinite(moved) and np.any(slopes):
                    begun.append((measure.score(loop_of(y), moved), y))
    begun.sort(key=lambda pair: -pair[0])
    best = None
    for begin, x in begun[:2]:
        found = minimize(value, x, jac=True, method="SLSQP", constraints=inside, options={"maxiter": MOST, "ftol": 1e-10})
        loop = loop_of(allowed(found.x))
        ends = _evaluate(measure, loop, ())[0]
        score = measure.score(loop, float(ends[0]))
        for reached, one in ((score, loop), (begin, loop_of(x))):
            if measure.held and (one is not loop or not np.max(np.abs(ends[1:])) <= HELD):
                continue
            if best is None or reached > best[0]:
                best = reached, one, begin
    if best is None:
        return loop_of(np.zeros(shape[0] * shape[1])), {}
    return best[1], {"first": best[2], "best": best[0]}


def _evaluate(measure: Measure, loop: Loop, wanted: Sequence[str]) -> tuple[Array, Array]:
    """The displacements and their slopes; not numbers where the loop meets a singular shape."""
    try:
        _, moved, slopes = measure.moved(loop, wanted)
    except NonholoError:
        count = 1 + len(measure.held)
        return np.full(count, np.nan), np.zeros((count, len(wanted)))
    return moved, slopes


def _ellipses(shape: tuple[int, int]) -> list[Array]:
    """Ellipses about several means: each variable at phase 0 or a quarter, at each of its first two frequencies."""
    count, width = shape
    result = []
    orders = range(1, min(2, (width - 1) // 2) + 1)
    for phase in (0, 1):
        for order in orders:
            for mean, size in ((0.0, 0.7), (0.25, 0.7), (0.55, 0.4)):
                x = np.zeros(shape)
                x[:, 0] = mean
                x[0, 2] = size
                for a in range(1, count):
                    x[a, 2 * order - 1 if phase and a % 2 else 2 * order] = size
                result.append(x.ravel())
    return result


def _mirrored(x: Array, shape: tuple[int, int]) -> Array:
    """The loop with its last variable mirrored: an ellipse in quadrature is passed the other way."""
    table = x.reshape(shape).copy()
    table[-1, 1:] *= -1
    return table.ravel()
