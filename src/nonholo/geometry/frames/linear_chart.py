"""Charts of matrix groups: a frame whose fields are affine in its coordinates gets one from their one-parameter groups."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, expand, gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import DependentRows, dot, evaluate_matrix, multiply, solve, transpose
from nonholo.geometry.frames.brackets import sample
from nonholo.geometry.frames.frame_words import Chart, rate
from nonholo.geometry.groups.one_parameter_groups import Amount, NoFlow, exact, flow


def linear_chart(frame: Any) -> Chart | None:
    """A chart around home where the frame's fields are affine in the coordinates, as those of a matrix group are.

    ``x = exp(y_1 A_1) … exp(y_n A_n) home`` with the matrices of the fields; None when they are not affine with constant
    numbers, or their groups are not known in closed form.
    """
    x = symbols(frame.coordinates)
    size = len(x)
    matrices = []
    for column in transpose(frame.anchor):
        parts = [(*(expand(p) for p in gradient(e, x)), e.xreplace(dict.fromkeys(x, ZERO))) for e in column]
        if any(not p.is_Number for row in parts for p in row):
            return None
        matrices.append(np.array([*([float(p) for p in row] for row in parts), [0.0] * (size + 1)]))
    names = tuple(f"{v}_y" for v in frame.velocities)
    point: list[list[Expr]] = [[exact(float(h))] for h in (*frame.home, 1.0)]
    try:
        for name, matrix in reversed(list(zip(names, matrices))):
            point = [list(row) for row in multiply(flow(matrix, Amount(value=symbols([name])[0])), point)]
    except NoFlow:
        return None
    embedding = tuple(row[0] for row in point[:-1])
    moving = [dot(gradient(e, symbols(names)), symbols(rate(n) for n in names)) for e in embedding]
    anchor = [substitute(row, dict(zip(x, embedding))) for row in frame.anchor]
    columns = transpose(frame.anchor)
    gram = multiply(columns, frame.anchor)
    places = [sample(frame, k) for k in range(2)]
    numbers = [evaluate_matrix(gram, p) for p in places]
    sides = [[dot(column, moving)] for column in transpose(anchor)]
    if all(np.allclose(g, np.diag(np.diag(numbers[0])), atol=1e-12) for g in numbers):
        forms = tuple(row[0] / exact(float(length)) for row, length in zip(sides, np.diag(numbers[0])))
    else:
        spots = [dict(zip(names, 0.1 + 0.2 * np.arange(len(names)) * (-1) ** k)) for k in range(2)]
        inner = [substitute(row, dict(zip(x, embedding))) for row in gram]
        try:
            forms = tuple(row[0] for row in solve(inner, sides, spots))
        except DependentRows:
            return None
    return Chart(names, embedding, forms, (0.0,) * len(names), 0.6)
