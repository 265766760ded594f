"""One implicit step, for every scheme: Newton's method with the exact Jacobian, in one or several parts of the step.

`nonholo.compile.implicit_step` compiles a first guess for the unknowns, the equations ``R(u) = 0`` with their Jacobian, the
correction ``J⁻¹R`` and the change of the state. This module iterates until the next correction would be rounding. Where
straight-line elimination fails, the same equations are solved with pivoting, from rest, and each correction is shortened until
the residual falls, so that a step may be much longer than the fastest oscillation.
"""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.arguments.array_layout import (
    AT_ANSWER,
    AT_BETWEEN,
    AT_CARRY,
    AT_GIVEN,
    AT_MATRIX,
    AT_MEMORY,
    AT_NEW,
    AT_PARTS,
    AT_ROW,
    AT_SOLUTION,
    AT_STAGES,
    AT_VECTOR,
    AT_Y,
    CALLS,
    CHANGE,
    CHANGE_DATA,
    COMPENSATED,
    FIRST,
    FIRST_DATA,
    GUESS,
    GUESS_DATA,
    HIGH,
    INPUTS,
    LEFT,
    LIVE,
    MEMORY,
    NEWTON,
    NEWTON_DATA,
    PARAMETERS,
    STATE,
    STEP_CONSTANTS,
    STEP_CONSTANTS_DATA,
    STEP_TIMES,
    STEP_WIDTH,
    STEPWISE,
    SUBSTEPS,
    UNKNOWNS,
    WIDTH,
)
from nonholo.integrate.loops.compilation.loop_compiler import call_address, inner, shift
from nonholo.integrate.loops.implicit.cubic_extension import interpolate, make_prepare
from nonholo.integrate.loops.implicit.small_linear import solve_general
from nonholo.integrate.loops.loop_rates import derivative, set_inputs, set_point
from nonholo.integrate.loops.method_hooks import Parts

STAGES, END_ROW, SAMPLES = 3, 1, 2
QUICK, MOST = 12, 60
"""Corrections by straight-line elimination before the other way is tried, and corrections there before a step is given up."""
ROUNDING, SOLVED = 2.3e-16, 1e-10
"""A step is solved when its next correction, relative to state and unknowns, is rounding, or it no longer falls and is below
the second."""
UNSOLVED = 2.0


@inner
def changed(spec: Any, real: Any) -> Any:
    """The change of the state that the unknowns mean."""
    target = shift(real, spec[AT_ANSWER] + spec[UNKNOWNS] * (spec[UNKNOWNS] + 4))
    call_address(spec[CHANGE], spec[CHANGE_DATA], target, shift(real, spec[AT_ROW]))
    return target


@inner
def fill_inputs(spec: Any, data: Any, real: Any, old: Any, t: float, h: float, tau: float) -> None:
    """The inputs at the scheme's times; those that see the state see it on the chord from the old state to the new one."""
    count, n = spec[INPUTS], spec[STATE]
    given, row = shift(real, spec[AT_GIVEN]), shift(real, spec[AT_ROW])
    times = shift(real, spec[AT_PARTS] + 2 * spec[SUBSTEPS])
    for k in range(spec[STEP_TIMES]):
        part = times[k] if times[k] >= 0.0 else tau
        given[0] = t + part * h
        if spec[LIVE] == 1:
            change = changed(spec, real)
            for i in range(n):
                given[1 + i] = old[i] + part * change[i]
            derivative(spec, data, real, given[0], shift(real, spec[AT_STAGES] + (STAGES - 1) * spec[WIDTH]))
        else:
            set_inputs(spec, data, given, given[0], real[HIGH])
        first = 3 + 2 * n + spec[MEMORY] + spec[PARAMETERS] + k * count
        for i in range(count):
            row[first + i] = given[1 + n + i]


@inner
def evaluate(spec: Any, data: Any, real: Any, whole: Any, old: Any, t: float, h: float, tau: float) -> float:
    """Correction, Jacobian and residuals at the unknowns; returns the size of the residuals."""
    if spec[LIVE] == 1:
        fill_inputs(spec, data, real, old, t, h, tau)
    answer, count = shift(real, spec[AT_ANSWER]), spec[UNKNOWNS]
    call_address(spec[NEWTON], spec[NEWTON_DATA], answer, shift(real, spec[AT_ROW]))
    whole[CALLS] += 1
    residual = shift(answer, count * (count + 1))
    total = 0.0
    for i in range(count):
        total += abs(residual[i])
    return total


@inner
def settled(spec: Any, change: float, before: float, size: float) -> bool:
    """Whether the next correction is rounding: by quadratic convergence, or linear where Python's inputs have no slope."""
    if change <= ROUNDING * size:
        return True
    if not before < 1e300:
        return False
    ratio = change / before
    ahead = change * ratio if spec[LIVE] == 1 else change * ratio * ratio
    return bool(ahead <= 1e-4 * ROUNDING * size or (ratio >= 1.0 and change <= SOLVED * size))


@inner
def quick(spec: Any, data: Any, real: Any, whole: Any, old: Any, t: float, h: float, tau: float) -> bool:
    """Newton's method by straight-line elimination from the first guess; with pivoting where that gives no number."""
    count = spec[UNKNOWNS]
    matrix, vector, solution = shift(real, spec[AT_MATRIX]), shift(real, spec[AT_VECTOR]), shift(real, spec[AT_SOLUTION])
    unknown, answer = shift(real, spec[AT_ROW] + spec[STEP_WIDTH] - count), shift(real, spec[AT_ANSWER])
    scale = 0.0
    for i in range(spec[STATE]):
        scale += abs(old[i])
    before = 1e300
    for _ in range(QUICK):
        evaluate(spec, data, real, whole, old, t, h, tau)
        if answer[0] != answer[0]:
            solve_general(shift(answer, count), count, False, matrix, vector, solution)
            for i in range(count):
                answer[i] = solution[i]
        change, size = 0.0, scale
        for i in range(count):
            change += abs(answer[i])
            unknown[i] -= answer[i]
            size += abs(unknown[i])
        if not change < 1e300:
            return False
        if settled(spec, change, before, size):
            return True
        before = change
    return False


@inner
def careful(spec: Any, data: Any, real: Any, whole: Any, old: Any, t: float, h: float, tau: float) -> bool:
    """Newton's method with pivoting; a correction is halved until the residual falls."""
    count = spec[UNKNOWNS]
    unknown, answer = shift(real, spec[AT_ROW] + spec[STEP_WIDTH] - count), shift(real, spec[AT_ANSWER])
    matrix, vector = shift(real, spec[AT_MATRIX]), shift(real, spec[AT_VECTOR])
    solution, kept = shift(real, spec[AT_SOLUTION]), shift(answer, count * (count + 2))
    scale = 0.0
    for i in range(spec[STATE]):
        scale += abs(old[i])
    before = 1e300
    residual = evaluate(spec, data, real, whole, old, t, h, tau)
    for _ in range(MOST):
        real[LEFT] = residual
        ratio = solve_general(shift(answer, count), count, False, matrix, vector, solution)
        if not ratio > 0.0:
            return False
        change, size = 0.0, scale
        for i in range(count):
            kept[i], kept[count + i] = unknown[i], solution[i]
            change += abs(solution[i])
            size += abs(unknown[i])
        part, found = 1.0, 1e301
        for _ in range(30):
            for i in range(count):
                unknown[i] = kept[i] - part * kept[count + i]
            found = evaluate(spec, data, real, whole, old, t, h, tau)
            if found <= residual or change <= SOLVED * size:
                break
            part *= 0.5
        if not found < 1e300:
            return False
        residual = found
        real[LEFT] = residual
        if part == 1.0 and settled(spec, change, before, size):
            return True
        before = change if part == 1.0 else 1e300
    return False


@inner
def remembered(spec: Any, real: Any, t: float, h: float) -> bool:
    """Bring to mind what the last step has left, if it was taken; false at a start, where there is nothing to remember yet."""
    count, memory = spec[MEMORY], shift(real, spec[AT_MEMORY])
    within, left, when = shift(memory, count), shift(memory, 2 * count), shift(memory, 3 * count)
    # a step is the difference of two times, whose last bits are lost where time is long
    same = abs(h - when[2]) <= 1e-9 * abs(h) + 1e-15 * abs(t)
    fit = when[2] != 0.0 and (spec[STEPWISE] == 0 or same)
    again = when[0] == t and when[1] != t  # this step was tried before
    if not fit or not (again or when[1] == t):
        return False
    for i in range(count):
        if not again:
            memory[i] = left[i]
        within[i] = memory[i]
    when[0] = t
    return True


@inner
def step(
    spec: Any, data: Any, real: Any, whole: Any, old: Any, slope: Any, t: float, h: float, tau: float, fresh: bool
) -> bool:
    """Solve one part of a step; the unknowns are then in the input vector. ``fresh``: there is nothing to remember yet."""
    n, count = spec[STATE], spec[UNKNOWNS]
    row, given = shift(real, spec[AT_ROW]), shift(real, spec[AT_GIVEN])
    width = spec[STEP_WIDTH]
    row[0], row[1], row[2] = h, tau, t
    for i in range(n):
        row[3 + i] = old[i]
        row[3 + n + i] = slope[i]
    first = 3 + 2 * n + spec[MEMORY]
    for i in range(spec[PARAMETERS]):
        row[first + i] = given[1 + n + spec[INPUTS] + i]
    if spec[INPUTS] > 0 and spec[LIVE] == 0:
        fill_inputs(spec, data, real, old, t, h, tau)
    unknown = shift(row, width - count)
    answer = shift(real, spec[AT_ANSWER])
    if spec[STEP_CONSTANTS] != 0:
        call_address(spec[STEP_CONSTANTS], spec[STEP_CONSTANTS_DATA], shift(row, width), row)
    if spec[MEMORY] > 0:
        memory = shift(real, spec[AT_MEMORY])
        within = shift(memory, spec[MEMORY])
        if fresh:
            call_address(spec[FIRST], spec[FIRST_DATA], memory, row)
            memory[3 * spec[MEMORY]] = t
        for i in range(spec[MEMORY]):
            within[i] = memory[i] if fresh else within[i]
            row[3 + 2 * n + i] = within[i]
    call_address(spec[GUESS], spec[GUESS_DATA], answer, row)
    for i in range(count):
        unknown[i] = answer[i]
    if quick(spec, data, real, whole, old, t, h, tau):
        return True
    for i in range(n):
        row[3 + n + i] = 0.0
    call_address(spec[GUESS], spec[GUESS_DATA], answer, row)
    for i in range(count):
        unknown[i] = answer[i]
    done: bool = careful(spec, data, real, whole, old, t, h, tau)
    return done


@inner
def attempt(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> tuple[float, float]:
    """A whole step, part by part."""
    n, h, parts = spec[STATE], new_t - t, shift(real, spec[AT_PARTS])
    new, slope = shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
    carry = shift(real, spec[AT_CARRY])
    pending = shift(carry, n)
    if spec[COMPENSATED] == 1:
        taken = carry[2 * n] == t
        for i in range(n):  # what the last step lost counts once that step was taken
            carry[i] = pending[i] if taken else carry[i]
            pending[i] = carry[i]
    fresh = spec[MEMORY] > 0 and not remembered(spec, real, t, h)
    old, now = shift(real, spec[AT_Y]), t
    last = spec[SUBSTEPS] - 1
    for k in range(last + 1):
        size = parts[2 * k] * h
        if k > 0:
            set_point(spec, data, real, now, old)
            slope = shift(real, spec[AT_STAGES] + END_ROW * spec[WIDTH])
            if not derivative(spec, data, real, now, slope) > 0.0:
                return UNSOLVED, 1.0
        if not step(spec, data, real, whole, old, slope, now, size, parts[2 * k + 1], fresh and k == 0):
            return UNSOLVED, 1.0
        change = changed(spec, real)
        target = new if k == last else shift(real, spec[AT_BETWEEN] + (k % 2) * n)
        if spec[COMPENSATED] == 1:
            for i in range(n):
                moved = change[i] + pending[i]
                total = old[i] + moved
                pending[i] = moved - (total - old[i])
                target[i] = total
        else:
            for i in range(n):
                target[i] = old[i] + change[i]
        if spec[MEMORY] > 0:
            within = shift(real, spec[AT_MEMORY] + spec[MEMORY])
            for i in range(spec[MEMORY]):
                within[i] = change[n + i]
        now += size
        old = target
    if spec[COMPENSATED] == 1:
        carry[2 * n] = new_t
    if spec[MEMORY] > 0:
        memory = shift(real, spec[AT_MEMORY])
        for i in range(spec[MEMORY]):
            memory[2 * spec[MEMORY] + i] = memory[spec[MEMORY] + i]
        memory[3 * spec[MEMORY] + 1], memory[3 * spec[MEMORY] + 2] = new_t, h
    return 0.0, 1.0


loop = Parts("implicit", attempt, make_prepare(END_ROW), interpolate, END_ROW, 2, False, SAMPLES)
