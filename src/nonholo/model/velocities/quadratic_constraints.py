"""Quadratic constraints: a real zero set that is a linear subspace, or two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import symengine as se

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import ZERO, expand, gradient, node_count, substitute, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.high_precision import evaluate_matrix_precisely, evaluate_precisely
from nonholo.algebra.linear_equations import dot

Values = Mapping[str, float]
Answer = tuple[Literal["all", "one"], tuple[Expr, ...], str]
RANK = 1e-9
SAME = 1e-11


def split_quadratic(residual: Expr, velocities: Sequence[Any], samples: Sequence[Values]) -> Answer | None:
    """The linear parts of ``vᵀ Q v + b·v + c``, made homogeneous by a further variable ``s`` equal to 1.

    When the form is semidefinite it vanishes where all of its squares do; when it has rank two and both signs it is a
    product of two real linear forms. None when it is neither, is not quadratic, or changes its type from one
    configuration to another.

    >>> x, y, z = se.symbols("xdot ydot zdot")
    >>> spots = [{"xdot": 0.3, "ydot": -0.8, "zdot": 0.4}, {"xdot": 1.2, "ydot": 0.5, "zdot": -0.7}]
    >>> split_quadratic(x**2 - 2 * x * y + y**2 + z**2, (x, y, z), spots)[:2]
    ('all', (xdot - ydot, zdot))
    """
    form = _matrix(residual, velocities)
    if form is None:
        return None
    numbers = [evaluate_matrix_precisely(form, s) for s in samples]
    signs = {_signature(m) for m in numbers if np.all(np.isfinite(m))}
    if len(signs) != 1:
        return None
    ((positive, negative),) = signs
    one = symbol("_one")
    variables = (*velocities, one)
    if positive * negative == 0 and positive + negative:
        squares = _squares(form, variables, numbers[0])
        if squares is None or not _adds_up(form, variables, squares, samples):
            return None
        message = "a square" if len(squares) == 1 else f"a sum of {len(squares)} squares"
        reason = f"{residual} is {message} up to its sign, for positive parameters"
        return "all", tuple(_shown(e, one) for _, e in squares), reason
    if positive == negative == 1:
        pair = _pair(form, variables, numbers[0], samples)
        if pair is None:
            return None
        return "one", tuple(_shown(e, one) for e in pair), f"{residual} is a product of two real linear forms"
    return None


def changes_type(residual: Expr, velocities: Sequence[Any], samples: Sequence[Values]) -> bool:
    """Whether a quadratic constraint has other signs of its squares at one configuration than at another."""
    form = _matrix(residual, velocities)
    if form is None:
        return False
    numbers = [evaluate_matrix_precisely(form, s) for s in samples]
    signs = {_signature(m) for m in numbers if np.all(np.isfinite(m))}
    return len({frozenset((s, s[::-1])) for s in signs}) > 1


def _matrix(residual: Expr, velocities: Sequence[Any]) -> list[list[Expr]] | None:
    """The symmetric matrix of the form in (velocities, 1), or None when the residual is not quadratic."""
    inner = set(velocities)
    for form in (residual, expand(residual)):
        slopes = gradient(form, velocities)
        second = [gradient(e, velocities) for e in slopes]
        if any(e.free_symbols & inner for row in second for e in row):
            continue
        still = dict.fromkeys(velocities, ZERO)
        middle = substitute(slopes, still)
        rows = [[*(e / 2 for e in row), m / 2] for row, m in zip(second, middle)]
        return [*rows, [*(m / 2 for m in middle), substitute([form], still)[0]]]
    return None


def _signature(matrix: Any) -> tuple[int, int]:
    """How many eigenvalues are positive and how many negative."""
    values = np.linalg.eigvalsh((matrix + matrix.T) / 2)
    limit = RANK * max(float(np.max(np.abs(values))), 1e-300)
    return int(np.sum(values > limit)), int(np.sum(values < -limit))


def _squares(form: list[list[Expr]], variables: Sequence[Any], numbers: Any) -> list[tuple[Expr, Expr]] | None:
    """Completing squares: ``Q = Σ d_k ℓ_k²`` as pairs ``(d_k, ℓ_k)``; pivots by size at one configuration."""
    form = [list(row) for row in form]
    numbers = np.array(numbers)
    scale = float(np.max(np.abs(numbers)))
    found: list[tuple[Expr, Expr]] = []
    while True:
        p = int(np.argmax(np.abs(np.diag(numbers))))
        if abs(numbers[p, p]) <= RANK * scale:
            return found if np.max(np.abs(numbers)) <= RANK * scale else None
        d, row = form[p][p], form[p]
        found.append((d, dot([e / d for e in row], variables)))
        form = [[e - row[i] * row[j] / d for j, e in enumerate(line)] for i, line in enumerate(form)]
        numbers = numbers - np.outer(numbers[p], numbers[p]) / numbers[p, p]
        if len(found) == len(variables):
            return found


def _pair(
    form: list[list[Expr]], variables: Sequence[Any], numbers: Any, samples: Sequence[Values]
) -> tuple[Expr, Expr] | None:
    """Two real linear forms whose product is the form of rank two."""
    size = len(variables)
    scale = float(np.max(np.abs(numbers)))
    if np.max(np.abs(np.diag(numbers))) <= RANK * scale:
        i, j = np.unravel_index(int(np.argmax(np.abs(numbers))), (size, size))
        return dot(form[i], variables), dot(form[j], variables)
    squares = _squares(form, variables, numbers)
    if squares is None or len(squares) != 2 or not _adds_up(form, variables, squares, samples, same_sign=False):
        return None
    (d, one), (e, two) = squares
    ratio = _root(-e / d)
    checks = [evaluate_precisely([ratio**2 + e / d], s)[0] for s in samples]
    return (one - ratio * two, one + ratio * two) if all(abs(c) < SAME for c in checks) else None


def _root(ratio: Expr) -> Expr:
    """The square root, without a root where the ratio is a square."""

    def work() -> Expr:
        import sympy

        above, below = sympy.fraction(sympy.factor(sympy.together(sympy.sympify(ratio))))
        plain = {s: sympy.Symbol(s.name, positive=True) for s in ratio._sympy_().free_symbols}
        back = {p: s for s, p in plain.items()}
        result = sympy.sqrt(above.xreplace(plain)) / sympy.sqrt(below.xreplace(plain))
        return se.sympify(result.xreplace(back))

    return (within(1.0, work) if node_count([ratio]) < 200 else None) or se.sqrt(ratio)


def _adds_up(
    form: list[list[Expr]],
    variables: Sequence[Any],
    squares: Sequence[tuple[Expr, Expr]],
    samples: Sequence[Values],
    same_sign: bool = True,
) -> bool:
    """Whether ``Σ d_k ℓ_k²`` is the form at every sample, and its ``d_k`` have one sign (or two)."""
    total = dot(variables, [dot(row, variables) for row in form]) - se.Add(*(d * e**2 for d, e in squares))
    for here in samples:
        values = {**here, "_one": 0.8317}
        if not abs(evaluate_precisely([total], values)[0]) < SAME:
            return False
        signs = {bool(d > 0) for d in evaluate_precisely([d for d, _ in squares], values)}
        if (len(signs) == 1) != same_sign:
            return False
    return True


def _shown(form: Expr, one: Any) -> Expr:
    """The linear form with its denominators multiplied out, where that makes it shorter."""
    plain = form.xreplace({one: se.Integer(1)})

    def work() -> Expr:
        import sympy

        above, _ = sympy.fraction(sympy.cancel(sympy.together(sympy.sympify(plain))))
        return se.sympify(sympy.factor_terms(above, radical=True))

    short = within(1.0, work) if node_count([plain]) < 200 else None
    return plain if short is None or node_count([short]) > node_count([plain]) else short
