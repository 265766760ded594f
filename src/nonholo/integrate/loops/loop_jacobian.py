"""Jacobian of the rates inside the loops."""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.array_layout import (
    ACCEPTED,
    AT_CONSTANTS,
    AT_GIVEN,
    AT_PENCIL,
    AT_SLOPES,
    AT_TABLES,
    CALLS,
    CONSTANTS_COUNT,
    COORDINATES,
    HIGH,
    INPUTS,
    JACOBIAN,
    JACOBIAN_CONSTANTS,
    JACOBIAN_CONSTANTS_DATA,
    JACOBIAN_DATA,
    PARAMETERS,
    SLOPES_OF,
    SPEEDS,
    STATE,
    SYMMETRIC,
    SYSTEM,
    TABLE,
    TABLE_COEFFICIENTS,
    TABLE_DEGREE,
    TABLE_KNOTS,
    TABLE_PIECES,
)
from nonholo.integrate.loops.loop_compiler import call_address, inner, shift
from nonholo.integrate.loops.loop_rates import derivative, piece_at, set_point
from nonholo.integrate.loops.lu import factor, substitute


@inner
def input_slope(spec: Any, data: Any, which: int, t: float, high: float) -> float:
    """How fast an input changes at time t; from below at ``t >= high``, elsewhere from above, as in `set_inputs`."""
    table = shift(spec, spec[AT_TABLES] + TABLE * which)
    knots = shift(data, table[TABLE_KNOTS])
    degree, below = table[TABLE_DEGREE], t >= high
    low = piece_at(knots, table[TABLE_PIECES], t, below)
    left, right = knots[low], knots[low + 1]
    place = 2.0 * (t - left) / (right - left) - 1.0
    outside = place > 1.0 or place < -1.0 or (place == 1.0 and not below) or (place == -1.0 and below)
    if outside:
        return 0.0
    coefficients = shift(data, table[TABLE_COEFFICIENTS] + low * (degree + 1))
    value = 0.0
    for power in range(degree, 0, -1):
        value = value * place + power * coefficients[power]
    return float(value * 2.0 / (right - left))


@inner
def evaluate(spec: Any, data: Any, real: Any, whole: Any, t: float, y: Any, first: Any, row: Any) -> bool:
    """The Jacobian at ``(t, y)``, once for each step however often it is tried; its time column is the whole change in time.

    ``first`` are the rates there, ``row`` is scratch for them. An entry that is not finite (the slope of a root at zero) is taken
    as 0: the error estimate sees what is lost by that. Returns False where the mass matrix cannot be solved.
    """
    if whole[SLOPES_OF] == whole[ACCEPTED] + 1:
        return True
    given, slopes = shift(real, spec[AT_GIVEN]), shift(real, spec[AT_SLOPES])
    n, size, count, inputs = spec[STATE], spec[SYSTEM], spec[COORDINATES], spec[INPUTS]
    width = n + 1 + inputs
    if whole[SLOPES_OF] == 0 and spec[JACOBIAN_CONSTANTS] != 0:
        after = shift(real, spec[AT_CONSTANTS] + spec[CONSTANTS_COUNT])
        call_address(spec[JACOBIAN_CONSTANTS], spec[JACOBIAN_CONSTANTS_DATA], after, given)
    set_point(spec, data, real, t, y)
    rest = size > spec[SPEEDS]  # what is solved for beside the rates is not kept from step to step
    if rest:
        whole[CALLS] += 1
        if not derivative(spec, data, real, t, row) > 0.0:
            return False
    gap = shift(given, 1 + n + inputs + spec[PARAMETERS])
    for k in range(size):
        gap[k] = row[count + k] if rest else first[count + k]
    call_address(spec[JACOBIAN], spec[JACOBIAN_DATA], slopes, given)
    if size > 0 and not slopes[(count + size) * width] > 0.0:
        if not rest:
            whole[CALLS] += 1
            if not derivative(spec, data, real, t, row) > 0.0:
                return False
        mass, order = shift(real, spec[AT_PENCIL]), shift(real, spec[AT_PENCIL] + size * size)
        system = shift(row, count + size + 1)
        for i in range(size):
            for j in range(size):
                if spec[SYMMETRIC] == 1:
                    a, b = (i, j) if i >= j else (j, i)
                    mass[i * size + j] = system[a * (a + 1) // 2 + b]
                else:
                    mass[i * size + j] = system[i * size + j]
        if not factor(mass, size, order):
            return False
        for j in range(width):
            substitute(mass, size, order, shift(slopes, count * width + j), width)
    for i in range(n):
        line = shift(slopes, i * width)
        for k in range(inputs):
            line[n] += line[n + 1 + k] * input_slope(spec, data, k, t, real[HIGH])
        for j in range(n + 1):
            if line[j] - line[j] != 0.0:
                line[j] = 0.0
    whole[SLOPES_OF] = whole[ACCEPTED] + 1
    return True
