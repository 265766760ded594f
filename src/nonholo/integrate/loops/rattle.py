"""One step of RATTLE: constraints kept at the nodes by reactions there, the Lagrangian taken at both ends of the step.

With ``L_d = h/2 (L(q, v) + L(q', v))``, ``q' = q + h v``, a step solves for the velocity ``v`` and the reactions ``λ``

    (∂L/∂q̇(q, v) + ∂L/∂q̇(q', v))/2 − h/2 ∂L/∂q(q, v) = p + Aᵀ(q) λ,        (φ(q, v) + φ(q', v))/2 = 0,

and then for the new velocity and reactions ``λ'`` at the other end

    p' = (∂L/∂q̇(q, v) + ∂L/∂q̇(q', v))/2 + h/2 ∂L/∂q(q', v) + Aᵀ(q') λ',        φ(q', v') = 0.

For relations of the coordinates that are quadratic, as lengths are, the first condition on ``φ`` says that they hold at ``q'``.
[Andersen 1983; Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.1; Marsden and West 2001, section 3.5]
"""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.compiled import inner, shift
from nonholo.integrate.loops.hermite import interpolate, make_prepare
from nonholo.integrate.loops.implicit import END_ROW, MOST, ROUNDING, SAMPLES, SOLVED, UNSOLVED, evaluate
from nonholo.integrate.loops.layout import (
    AT_DISCRETE,
    AT_GIVEN,
    AT_MATRIX,
    AT_NEW,
    AT_SOLUTION,
    AT_STAGES,
    AT_VECTOR,
    AT_Y,
    COORDINATES,
    SYSTEM,
)
from nonholo.integrate.loops.linear import solve_general
from nonholo.integrate.loops.loop import make_loop


@inner
def attempt(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> tuple[float, float]:
    """One step from t to new_t: the new state, 0 or that the step is not solved, the least pivot ratio met."""
    n, size, h = spec[COORDINATES], spec[SYSTEM], new_t - t
    y, new, given = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_GIVEN] + 1)
    slope, solution = shift(real, spec[AT_STAGES]), shift(real, spec[AT_SOLUTION])
    matrix, vector = shift(real, spec[AT_MATRIX]), shift(real, spec[AT_VECTOR])
    mass = shift(real, spec[AT_DISCRETE] + n)
    momenta = shift(mass, size * size)
    forces = shift(momenta, n)
    gaps = shift(forces, n)
    saddle = shift(gaps, size - n)
    side = shift(saddle, size * size)
    node = shift(side, size)
    first, second = shift(node, n), shift(node, 2 * n)
    for i in range(2 * n):
        given[i] = y[i]
    evaluate(spec, data, real, whole, t)
    for i in range(size * size):
        saddle[i] = mass[i]
    for i in range(n):
        node[i] = momenta[i]
        new[n + i] = y[n + i] + 0.5 * h * slope[n + i]
    before, least = 1e300, 1.0
    done = False
    for turn in range(MOST):
        for i in range(n):
            given[i] = y[i]
            given[n + i] = new[n + i]
        evaluate(spec, data, real, whole, t)
        for i in range(n):
            first[i] = 0.5 * momenta[i]
            second[i] = 0.5 * h * forces[i]
            given[i] = y[i] + h * new[n + i]
        for a in range(size - n):
            side[n + a] = 0.5 * gaps[a]
        evaluate(spec, data, real, whole, new_t)
        for i in range(n):
            first[i] += 0.5 * momenta[i]
            side[i] = first[i] - second[i] - node[i]
        for a in range(size - n):
            side[n + a] += 0.5 * gaps[a]
        if done:
            break
        ratio = solve_general(saddle, size, False, matrix, vector, solution)
        if not ratio > 0.0:
            return (0.0, ratio) if turn == 0 else (UNSOLVED, least)
        least = min(least, ratio)
        change = scale = 0.0
        for i in range(n):
            change += abs(solution[i])
            scale += abs(new[n + i]) + abs(y[i]) / abs(h)
            new[n + i] -= solution[i]
        if not change < 1e300:
            return UNSOLVED, least
        done = change <= ROUNDING * scale or (change >= before and change <= SOLVED * scale)
        before = change
    if not done:
        return UNSOLVED, least
    for i in range(n):
        new[i] = y[i] + h * new[n + i]
        side[i] = first[i] + 0.5 * h * forces[i] - momenta[i]
    for a in range(size - n):
        side[n + a] = -gaps[a]
    for i in range(size * size):
        saddle[i] = mass[i]
    ratio = solve_general(saddle, size, False, matrix, vector, solution)
    if not ratio > 0.0:
        return 0.0, ratio
    for i in range(n):
        new[n + i] += solution[i]
    return 0.0, min(least, ratio)


loop = make_loop(attempt, make_prepare(END_ROW), interpolate, END_ROW, 2, False, SAMPLES)
