"""Decide whether nonlinear constraints are homogeneous."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import jacobian, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.algebra.high_precision import evaluate_precisely
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.finding import Finding, Property, Verdict
from nonholo.geometry.distributions.numeric_rank import numeric_rank
from nonholo.notation.write import to_text

Values = Mapping[str, float]
ON = 1e-11
RADIAL = 1e-8


def cone(residuals: Sequence[Expr], velocities: Sequence[Any], samples: Sequence[Values]) -> tuple[Finding, ...]:
    """Whether ``(∂φ/∂v) v = 0`` at admissible velocities: then, and only then, the velocity is itself a virtual one.

    The first finding is the answer: when it holds, ideal reactions do no work [corrects Benenti 2008, Theorem 3].
    The others give the degree of each homogeneous residual.
    """
    claim = Property(
        "the constraints are homogeneous, so that ideal reactions do no work",
        "the constraints are not homogeneous: ideal reactions may do work",
    )
    names = sorted({str(s) for e in residuals for s in e.free_symbols} | {str(v) for v in velocities})
    slopes = jacobian(residuals, velocities)
    function = numeric_function([symbol(n) for n in names], [*residuals, *(e for row in slopes for e in row)])
    place = [names.index(str(v)) for v in velocities]
    worst, seen, flat = 0.0, 0, 0
    for k, here in enumerate(samples):
        state = np.array([here[n] for n in names])
        found = _admissible(function, state, place, len(residuals), k)
        if found is None:
            continue
        velocity, matrix = found
        size = np.linalg.norm(matrix, axis=1) * np.linalg.norm(velocity)
        if numeric_rank(matrix) < len(residuals) or np.any(size < ON):
            flat += 1
            continue
        seen += 1
        worst = max(worst, float(np.max(np.abs(matrix @ velocity) / size)))
    degrees = tuple(d for e in residuals for d in [_degree(e, velocities, samples)] if d is not None)
    if not seen:
        told = "the slopes vanish where the constraint holds" if flat else "no admissible velocity was found by Newton's method"
        return (Finding(claim, "unknown", None, told), *degrees)
    verdict: Verdict = "holds" if worst <= RADIAL else "fails"
    return (Finding(claim, verdict, worst, f"slope along the velocity at {seen} admissible states"), *degrees)


def _admissible(
    function: Any, state: NDArray[np.float64], place: list[int], count: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """A velocity near a random one where the residuals vanish, and their slopes there."""
    random = np.random.default_rng(40 + seed)
    state = state.copy()

    def residuals(velocity: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        state[place] = velocity
        numbers = np.asarray(function(state), dtype=float).reshape(-1)
        return numbers[:count], numbers[count:].reshape(count, len(place))

    for _ in range(4):
        with np.errstate(all="ignore"):
            velocity, _ = gauss_newton(residuals, random.uniform(-1.5, 1.5, len(place)), enough=0.0)
            values, matrix = residuals(velocity)
            length = np.linalg.norm(velocity)
            # beside slope times length, lest a velocity that shrinks to zero be taken for an admissible one
            if length > 1e-3 and np.all(np.abs(values) <= ON * np.linalg.norm(matrix, axis=1) * length):
                return velocity, matrix
    return None


def _degree(residual: Expr, velocities: Sequence[Any], samples: Sequence[Values]) -> Finding | None:
    """Euler's test ``v · ∂φ/∂v = k φ``."""
    (slopes,) = jacobian([residual], velocities)
    found = []
    for here in samples[:6]:
        value, radial = evaluate_precisely([residual, dot(slopes, velocities)], here)
        if not abs(value) > 1e-9 or not np.isfinite(radial):
            return None
        found.append(radial / value)
    exact = Fraction(float(np.mean(found))).limit_denominator(12)
    if max(abs(f - float(exact)) for f in found) > 1e-9:
        return None
    claim = f"{to_text(residual)} is homogeneous in the velocities of degree {exact}"
    return Finding(claim, "holds", float(exact), "Euler's test")
