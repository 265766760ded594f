"""Heights on a regular grid as a formula: the interpolating bicubic spline, twice differentiable everywhere.

    z(x, y) = Σ c_ij B_i(x) B_j(y)

with the cubic B-splines of the grid's knots; the third derivative has no jump at the last but one knot ("not a knot").
Beyond the edge the cubics of the last cells go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.errors import ModelError
from nonholo.program.array_types import Array

LEAST, MOST = 4, 400
"""Points along each side, and heights in all: more of them make a formula too long to differentiate."""


def grid_height(given: Any, cell: float, corner: Sequence[float] | None, where: str) -> Expr:
    """The height ``z`` as an expression in x, y; ``given[i][j]`` is at ``corner + cell·(i, j)``, by default with the middle at 0.

    >>> from nonholo.algebra.linear_equations import evaluate
    >>> bowl = [[(i - 2) ** 2 + (j - 2) ** 2 for j in range(5)] for i in range(5)]
    >>> round(float(evaluate([grid_height(bowl, 1.0, None, "ground")], {"x": 0.5, "y": 0.25})[0]), 12)
    0.3125
    """
    heights = _heights(given, where)
    if not cell > 0:
        raise ModelError(f"{where}: cell = {cell:g}; give the distance of the grid's points in m.")
    if corner is not None and len(corner) != 2:
        raise ModelError(f"{where}: corner has {len(corner)} numbers; give [x, y] of the first height.")
    low = [-(n - 1) * cell / 2 for n in heights.shape] if corner is None else [float(e) for e in corner]
    x, y = symbols(("x", "y"))
    across = [_basis((s - a) / cell, n) for s, a, n in zip((x, y), low, heights.shape)]
    weights = _coefficients(_coefficients(heights).T).T
    inner = [se.Add(*(se.RealDouble(float(c)) * b for c, b in zip(row, across[1]))) for row in weights]
    return se.Add(*(a * e for a, e in zip(across[0], inner)))


def _heights(given: Any, where: str) -> Array:
    if isinstance(given, str):
        path = Path(given)
        try:
            given = np.load(path) if path.suffix == ".npy" else np.loadtxt(path, delimiter="," if path.suffix == ".csv" else None)
        except (OSError, ValueError) as problem:
            raise ModelError(f"{where}: grid = {str(path)!r} cannot be read ({problem}); give .npy, .csv or .txt.") from None
    try:
        heights = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        heights = np.empty(0)
    if heights.ndim != 2 or min(heights.shape) < LEAST or not np.all(np.isfinite(heights)):
        raise ModelError(f"{where}: grid has the shape {heights.shape}; give finite heights, at least {LEAST} rows and columns.")
    if heights.size > MOST:
        raise ModelError(f"{where}: grid has {heights.size} heights; at most {MOST} are used, take every second or third one.")
    return heights


def _coefficients(values: Array) -> Array:
    """Coefficients of the cubic B-splines along the first axis: ``(c_{i−1} + 4 c_i + c_{i+1})/6 = f_i``; no knot at the ends."""
    count = len(values)
    matrix = np.zeros((count + 2, count + 2))
    for i in range(count):
        matrix[i + 1, i : i + 3] = 1 / 6, 4 / 6, 1 / 6
    third = np.array([1.0, -4.0, 6.0, -4.0, 1.0])  # the jump of the third derivative at a knot
    matrix[0, :5], matrix[-1, -5:] = third, third
    nothing = np.zeros((1, values.shape[1]))
    return np.asarray(np.linalg.solve(matrix, np.vstack([nothing, values, nothing])))


def _basis(place: Expr, count: int) -> list[Expr]:
    """The ``count + 2`` B-splines on the knots 0 … count − 1, as functions of the place in cells."""
    pieces: list[list[tuple[Expr, int]]] = [[] for _ in range(count + 2)]
    for cell in range(count - 1):
        s = place - cell
        rest = 1 - s
        for i, e in enumerate((rest**3, 3 * s**3 - 6 * s**2 + 4, 3 * rest**3 - 6 * rest**2 + 4, s**3)):
            pieces[cell + i].append((e / 6, cell))
    result = []
    for own in pieces:
        first, last = own[0][1], own[-1][1]
        before = [(ZERO, place < se.Integer(first))] if first > 0 else []
        inside = [(e, place < se.Integer(cell + 1)) for e, cell in own]
        if last == count - 2:
            inside[-1] = (inside[-1][0], True)
        result.append(se.Piecewise(*before, *inside, *([] if last == count - 2 else [(ZERO, True)])))
    return result
