"""One implicit step of a discrete variational principle, for all of them: momenta at the nodes, one unknown velocity.

With ``x' = x + h ẋ(x_τ, ξ)``, ``x_τ = (1 − τ) x + τ x'`` and the covectors ``p`` (momenta) and ``f`` (forces) taken at
``(x_τ, ξ)``, a step solves

    W(x)ᵀ (p − (1 − τ) h f) = π,        π' = W(x')ᵀ (p + τ h f),

where ``π`` are the momenta along the virtual displacements at the node. Eliminating ``π`` gives the two-step equations
(5.11) of Zenkov 2016 when the covectors are those of the adapted frame (and ``W`` is left out), and the principle of Cortés and
Martínez when they are ``∂L/∂q̇`` and ``∂L/∂q`` and ``W`` is a basis of D.
"""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.compiled import call_address, inner, shift
from nonholo.integrate.loops.hermite import interpolate, make_prepare
from nonholo.integrate.loops.layout import (
    AT_DISCRETE,
    AT_GIVEN,
    AT_HALF,
    AT_MATRIX,
    AT_NEW,
    AT_SOLUTION,
    AT_STAGES,
    AT_VECTOR,
    AT_Y,
    CALLS,
    COORDINATES,
    DISCRETE,
    DISCRETE_DATA,
    HIGH,
    INPUTS,
    PAIRED,
    RANK,
    SPEEDS,
    TAU,
)
from nonholo.integrate.loops.linear import solve_definite, solve_general
from nonholo.integrate.loops.loop import make_loop
from nonholo.integrate.loops.rates import set_inputs

STAGES, END_ROW, SAMPLES = 2, 1, 2
MOST = 100
"""Iterations before a step is given up."""
ROUNDING, SOLVED = 2.3e-16, 1e-10
"""A step is solved when its last change, relative to the state, is rounding, or no longer falls and is below the second."""
UNSOLVED = 2.0


@inner
def evaluate(spec: Any, data: Any, real: Any, whole: Any, t: float) -> None:
    """Kinematics, mass and covectors at time t and the state in the input vector."""
    given = shift(real, spec[AT_GIVEN])
    given[0] = t
    if spec[INPUTS] > 0:
        set_inputs(spec, data, given, t, real[HIGH])
    call_address(spec[DISCRETE], spec[DISCRETE_DATA], shift(real, spec[AT_DISCRETE]), given)
    whole[CALLS] += 1


@inner
def solved(spec: Any, real: Any, triangle: Any, room: Any, side: Any) -> float:
    """Solve with the mass matrix at ``triangle``; the answer is in ``AT_SOLUTION``, returned is the pivot ratio."""
    size = spec[SPEEDS]
    count = size * (size + 1) // 2
    for i in range(count):
        room[i] = triangle[i]
    for i in range(size):
        room[count + i] = side[i]
    matrix, vector = shift(real, spec[AT_MATRIX]), shift(real, spec[AT_VECTOR])
    solution = shift(real, spec[AT_SOLUTION])
    ratio: float = solve_definite(room, size, matrix, vector, solution)
    if ratio < 0.0:
        ratio = solve_general(room, size, True, matrix, vector, solution)
    return ratio


@inner
def along_basis(spec: Any, basis: Any, covector: Any, target: Any) -> None:
    """``Wᵀ covector``, or the covector itself where it has one component for each speed."""
    m = spec[SPEEDS]
    if spec[PAIRED] == 0:
        for a in range(m):
            target[a] = covector[a]
        return
    for a in range(m):
        total = 0.0
        for j in range(spec[RANK]):
            total += basis[j * m + a] * covector[j]
        target[a] = total


@inner
def step(
    spec: Any, data: Any, real: Any, whole: Any, old: Any, new: Any, t: float, h: float, tau: float
) -> tuple[float, float]:
    """One step of size h from the state ``old``: the state ``new``, 0 or that it is not solved, the least pivot ratio met."""
    n, m, rank = spec[COORDINATES], spec[SPEEDS], spec[RANK]
    given, solution = shift(real, spec[AT_GIVEN] + 1), shift(real, spec[AT_SOLUTION])
    count = m * (m + 1) // 2
    rates = shift(real, spec[AT_DISCRETE])
    triangle = shift(rates, n)
    momenta = shift(triangle, count)
    forces = shift(momenta, rank)
    basis = shift(forces, rank)
    room = shift(basis, rank * m if spec[PAIRED] == 1 else 0)
    node, side = shift(room, count + m), shift(room, count + 2 * m)
    start = shift(side, m)
    end = shift(start, rank * m)
    for i in range(n + m):
        given[i] = old[i]
    evaluate(spec, data, real, whole, t)
    if spec[PAIRED] == 1:
        for i in range(rank * m):
            start[i] = basis[i]
    along_basis(spec, start, momenta, node)
    for i in range(n):
        given[i] = old[i] + tau * h * rates[i]
    for a in range(m):
        given[n + a] = new[n + a]
    before, least = 1e300, 1.0
    done = False
    for turn in range(MOST):
        evaluate(spec, data, real, whole, t + tau * h)
        for j in range(rank):
            end[j] = momenta[j] - (1.0 - tau) * h * forces[j]
        along_basis(spec, start, end, side)
        for a in range(m):
            side[a] -= node[a]
        ratio = solved(spec, real, triangle, room, side)
        if not ratio > 0.0:  # later on the iteration has run away, and the mass is that of another place
            return (0.0, ratio) if turn == 0 else (UNSOLVED, least)
        least = min(least, ratio)
        change = size = 0.0
        for i in range(n):
            place = old[i] + tau * h * rates[i]
            change += abs(place - given[i])
            size += abs(place)
            given[i] = place
        for a in range(m):
            change += abs(solution[a])
            size += abs(given[n + a])
            given[n + a] -= solution[a]
        if not change < 1e300:
            return UNSOLVED, least
        if change <= ROUNDING * size or (change >= before and change <= SOLVED * size):
            done = True
            break
        before = change
    if not done:
        return UNSOLVED, least
    evaluate(spec, data, real, whole, t + tau * h)
    for i in range(n):
        new[i] = old[i] + h * rates[i]
    for j in range(rank):
        end[j] = momenta[j] + tau * h * forces[j]
    for a in range(m):
        new[n + a] = given[n + a]
    for i in range(n):
        given[i] = new[i]
    evaluate(spec, data, real, whole, t + h)
    along_basis(spec, basis, end, node)
    along_basis(spec, basis, momenta, side)
    for a in range(m):
        side[a] = node[a] - side[a]
    ratio = solved(spec, real, triangle, room, side)
    if not ratio > 0.0:
        return 0.0, ratio
    for a in range(m):
        new[n + a] += solution[a]
    return 0.0, min(least, ratio)


@inner
def attempt(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> tuple[float, float]:
    """A whole step with one place ``τ``; for ``τ < 0`` half a step with the place at its start, then half with it at its end.

    The guess for the velocity within the step stands where the new state will be.
    """
    n, m, h, tau = spec[COORDINATES], spec[SPEEDS], new_t - t, real[TAU]
    y, new, slope = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
    for a in range(m):
        new[n + a] = y[n + a] + 0.5 * h * slope[n + a]
    if tau >= 0.0:
        whole_step: tuple[float, float] = step(spec, data, real, whole, y, new, t, h, tau)
        return whole_step
    middle = shift(real, spec[AT_HALF])
    for a in range(m):
        middle[n + a] = new[n + a]
    error, ratio = step(spec, data, real, whole, y, middle, t, 0.5 * h, 0.0)
    if not (error <= 1.0 and ratio > 0.0):
        return error, ratio
    for a in range(m):
        new[n + a] = middle[n + a]
    second, other = step(spec, data, real, whole, middle, new, t + 0.5 * h, 0.5 * h, 1.0)
    return second, min(ratio, other) if other > 0.0 else other


loop = make_loop(attempt, make_prepare(END_ROW), interpolate, END_ROW, 2, False, SAMPLES)
