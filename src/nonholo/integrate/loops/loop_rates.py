"""Right-hand side inside the loops: inputs, machine code, solution of the mass matrix."""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.arguments.array_layout import (
    AT_GIVEN,
    AT_MATRIX,
    AT_SOLUTION,
    AT_TABLES,
    AT_VECTOR,
    COORDINATES,
    HIGH,
    INPUTS,
    RATES,
    RATES_DATA,
    STATE,
    SYMMETRIC,
    SYSTEM,
    TABLE,
    TABLE_COEFFICIENTS,
    TABLE_DEGREE,
    TABLE_KNOTS,
    TABLE_PIECES,
    WIDTH,
)
from nonholo.integrate.loops.compilation.loop_compiler import call_address, inner, reals, shift, wholes
from nonholo.integrate.loops.compilation.native import Routine
from nonholo.integrate.loops.implicit.small_linear import solve_definite, solve_general


@inner
def piece_at(knots: Any, pieces: int, t: float, below: bool) -> int:
    """The piece of a table at a time; on a knot the one that ends there if ``below``, else the next."""
    low, top = 0, pieces
    while top - low > 1:
        middle = (low + top) // 2
        edge = knots[middle]
        if edge < t or (edge == t and not below):
            low = middle
        else:
            top = middle
    return low


@inner
def set_inputs(spec: Any, data: Any, given: Any, t: float, high: float) -> None:
    """Write the inputs at time t into the input vector.

    Jumps lie on breaks and steps end at breaks: at ``t >= high``, the upper end of the step's span, the value from
    below is meant, elsewhere the value from above.
    """
    first = 1 + spec[STATE]
    for which in range(spec[INPUTS]):
        table = shift(spec, spec[AT_TABLES] + TABLE * which)
        knots = shift(data, table[TABLE_KNOTS])
        degree = table[TABLE_DEGREE]
        low = piece_at(knots, table[TABLE_PIECES], t, t >= high)
        left, right = knots[low], knots[low + 1]
        place = min(max(2.0 * (t - left) / (right - left) - 1.0, -1.0), 1.0)
        coefficients = shift(data, table[TABLE_COEFFICIENTS] + low * (degree + 1))
        value = coefficients[degree]
        for power in range(degree - 1, -1, -1):
            value = value * place + coefficients[power]
        given[first + which] = value


@inner
def set_point(spec: Any, data: Any, real: Any, t: float, y: Any) -> None:
    """Make ``(t, y)`` and the inputs at t the input vector of the machine code."""
    given = shift(real, spec[AT_GIVEN])
    given[0] = t
    for i in range(spec[STATE]):
        given[1 + i] = y[i]
    if spec[INPUTS] > 0:
        set_inputs(spec, data, given, t, real[HIGH])


@inner
def derivative(spec: Any, data: Any, real: Any, t: float, row: Any) -> float:
    """``(ẋ, ż)`` at time t and the state in the input vector, into a row of the stages.

    Returns a positive number on success, 0 where the mass matrix is singular, nan where it is not finite.
    """
    given = shift(real, spec[AT_GIVEN])
    given[0] = t
    if spec[INPUTS] > 0:
        set_inputs(spec, data, given, t, real[HIGH])
    call_address(spec[RATES], spec[RATES_DATA], row, given)
    size = spec[SYSTEM]
    answer = shift(row, spec[COORDINATES])
    if answer[size] > 0.0:
        return 1.0
    ratio: float = solve(spec, real, row)
    solution = shift(real, spec[AT_SOLUTION])
    for i in range(size):
        answer[i] = solution[i]
    return ratio


@inner
def solve(spec: Any, real: Any, row: Any) -> float:
    """Solve with the mass and force that the rates left behind the flag; returns the pivot ratio.

    Rates that left nothing there have solved by themselves, or could not.
    """
    size = spec[SYSTEM]
    if spec[WIDTH] == spec[COORDINATES] + size + 1:
        flag = row[spec[COORDINATES] + size]
        return 1.0 if flag > 0.0 else float(flag - flag)
    system = shift(row, spec[COORDINATES] + size + 1)
    matrix, vector = shift(real, spec[AT_MATRIX]), shift(real, spec[AT_VECTOR])
    solution = shift(real, spec[AT_SOLUTION])
    packed = spec[SYMMETRIC] == 1
    ratio: float = -1.0
    if packed:
        ratio = solve_definite(system, size, matrix, vector, solution)
    if ratio < 0.0:
        ratio = solve_general(system, size, packed, matrix, vector, solution)
    return ratio


@inner
def _rows(address: int) -> int:
    """Call machine code (address, data) on every row of a table: places of results and inputs, their widths, number of rows."""
    call = wholes(address)
    for k in range(call[6]):
        call_address(call[0], call[1], shift(reals(call[2]), k * call[4]), shift(reals(call[3]), k * call[5]))
    return 0


run_rows = Routine("rows", _rows)
"""As Python calls it: (code's address, its data, address of results, address of inputs, width of results, of inputs, rows)."""
