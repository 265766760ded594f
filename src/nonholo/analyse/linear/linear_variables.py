"""Independent variables of a linear system: ignorable coordinates and charts of the constraints.

All computations are numeric: slopes of rates and invariants at the given states and at a few generic ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.subspaces import kernel
from nonholo.errors import StateError

NEAR = (1e-40, 1e-280)
"""Distances from their zeros at which variables are evaluated: their powers that do not underflow exceed all ordinary slopes."""
BEYOND = 1e12
NOTHING = 1e-10
"""A slope below this part of the largest in its row (at least 1) is taken as zero."""
DEPENDENT = 1e-9
"""Constraints whose slopes are this near to those of others are redundant."""
NEARLY_BEST = 0.25
"""An earlier variable is preferred to a later one when it is this good (in squares)."""
WORST = 1e-8
"""A variable this near (in squares) to a function of those already chosen is none to add to a chart."""


def infinite(slopes: Callable[[Numbers], Numbers], rows: Numbers, size: int, rooted: bool = True) -> bool:
    """Whether slopes at input vectors are none, or grow without bound as variables that are zero there leave it.

    The state, of this size, follows the time. Where a slope jumps (at a kink) it is finite; without roots and powers
    (``rooted``) it cannot grow without being infinite there.
    """
    here = slopes(rows)
    if not np.all(np.isfinite(here)):
        return True
    random, state = np.random.default_rng(3), slice(1, 1 + size)
    zero = rows[:, state] == 0.0
    if not rooted or not np.any(zero):
        return False
    limit = BEYOND * (1.0 + np.max(np.abs(here), axis=(1, 2), initial=0.0))
    for far in NEAR:
        for side in (1.0, -1.0):
            beside = rows.copy()
            beside[:, state] += np.where(zero, side * far * random.uniform(0.5, 1.5, zero.shape), 0.0)
            with np.errstate(all="ignore"):
                found = np.abs(slopes(beside))
            if np.any(np.max(np.where(np.isnan(found), 0.0, found), axis=(1, 2), initial=0.0) > limit):
                return True
    return False


def vanishing(slopes: Numbers) -> NDArray[np.bool_]:
    """Where slopes (states, rates, variables) are zero at every state that has finite ones.

    >>> vanishing(np.array([[[0.0, 1.0]], [[1e-14, 2.0]]])).tolist()
    [[True, False]]
    """
    finite = slopes[np.all(np.isfinite(slopes), axis=(1, 2))]
    if not len(finite):
        return np.zeros(slopes.shape[1:], dtype=np.bool_)
    sizes = np.maximum(1.0, np.max(np.abs(finite), axis=2, keepdims=True, initial=0.0))
    return np.asarray(np.all(np.abs(finite) <= NOTHING * sizes, axis=0))


def ignorable(zero: NDArray[np.bool_], candidates: Sequence[int]) -> list[int]:
    """Variables that no rate of the others needs, in the order in which they may be left out.

    ``zero[i, j]``: the rate of i does not depend on j. A heading that only the rates of x and y need may go after them.

    >>> ignorable(np.array([[True, False, True], [True, True, False], [True, True, False]]), [0, 1])
    [0, 1]
    """
    left: list[int] = []
    kept = list(range(len(zero)))
    while True:
        free = [j for j in candidates if j in kept and all(zero[i, j] for i in kept)]
        if not free:
            return left
        left.append(free[0])
        kept.remove(free[0])


def removable_group(zero: NDArray[np.bool_], free: Sequence[int]) -> list[int]:
    """Those of ``free`` that may be left out as one: nothing that stays depends on any of them.

    >>> removable_group(np.array([[True, False, True], [False, True, True], [True, True, False]]), [0, 1])
    [0, 1]
    >>> removable_group(np.array([[True, False, True], [False, True, True], [True, False, False]]), [0, 1])
    []
    """
    left = list(free)
    while True:
        staying = [i for i in range(len(zero)) if i not in left]
        fewer = [j for j in left if all(zero[i, j] for i in staying)]
        if len(fewer) == len(left):
            return left
        left = fewer


def leaving(zero: NDArray[np.bool_], free: Sequence[int], moving: Collection[int]) -> list[int]:
    """Those ignorable variables that move, and those whose rates depend on one that does."""
    gone = {j for j in free if j in moving}
    while True:
        more = {i for i in free if i not in gone and any(not zero[i, j] for j in gone)}
        if not more:
            return sorted(gone)
        gone |= more


def chart(name: str, variables: Sequence[str], slopes: Numbers) -> tuple[list[int], Numbers]:
    """Independent variables that serve at every state, and the slopes of all variables by them (states, all, chosen).

    ``slopes`` (states, invariants, variables) are those of expressions that stay zero; the tangent is what they leave. Of all
    subsets one is found by pivoting, in the given order where several are as good: with ``E`` the result, ``G E = 0``
    and ``E`` is the unit matrix on the chosen rows.
    """
    count, _, size = slopes.shape
    bases = [kernel(one, DEPENDENT, least=1.0) for one in slopes]
    widths = sorted({b.shape[1] for b in bases})
    if len(widths) > 1:
        raise StateError(
            f"{name}: the constraints leave {widths[0]} directions at some of the states and {widths[-1]} at others; linearise "
            "about them one by one."
        )
    tangent = np.array(bases).reshape(count, size, widths[0])
    rest = tangent.copy()
    chosen: list[int] = []
    for _ in range(widths[0]):
        score = np.min(np.sum(rest**2, axis=2), axis=0)
        score[chosen] = -1.0
        best = float(np.max(score))
        if best < WORST:
            raise StateError(
                f"{name}: no {widths[0]} of {', '.join(variables)} are independent at all {count} states; linearise "
                "about fewer of them at a time."
            )
        pick = int(np.flatnonzero(score >= NEARLY_BEST * best)[0])
        chosen.append(pick)
        unit = rest[:, pick] / np.linalg.norm(rest[:, pick], axis=1, keepdims=True)
        rest = rest - np.einsum("kij,kj->ki", rest, unit)[..., None] * unit[:, None, :]
    chosen.sort()
    slopes_by_chosen = tangent @ np.linalg.inv(tangent[:, chosen])
    slopes_by_chosen[:, chosen] = np.eye(len(chosen))
    return chosen, slopes_by_chosen
