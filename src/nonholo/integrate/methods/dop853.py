"""DOP853: Dormand and Prince's pair of order 8(5,3) with a continuous extension of order 7."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nonholo.integrate.loops.arguments.array_layout import (
    AT_DENSE,
    AT_GIVEN,
    AT_NEW,
    AT_STAGES,
    AT_Y,
    ATOL,
    CALLS,
    RTOL,
    STATE,
    WIDTH,
)
from nonholo.integrate.loops.compilation.loop_compiler import combination, inner, shift
from nonholo.integrate.loops.compilation.native import Routine
from nonholo.integrate.loops.lane_loop import make_lanes
from nonholo.integrate.loops.loop_rates import derivative
from nonholo.integrate.loops.method_hooks import Parts
from nonholo.integrate.methods.dop853_table import (
    A2,
    A3,
    A4,
    A5,
    A6,
    A7,
    A8,
    A9,
    A10,
    A11,
    A12,
    A14,
    A15,
    A16,
    D5,
    D6,
    D7,
    D8,
    E3,
    E5,
    B,
    C,
)
from nonholo.integrate.methods.method_record import Adaptive, Loop, register
from nonholo.integrate.methods.tableau import make_stages

STAGES, DENSE_ROWS, END_ROW, SAMPLES = 16, 8, 12, 8


COUPLING = (A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12)
stages = make_stages(C[:12], COUPLING)
stage14, stage15, stage16 = map(combination, (A14, A15, A16))
solution = combination(B)
fifth_order, third_order = (combination(row, based=False) for row in (E5, E3))
dense5, dense6, dense7, dense8 = (combination(row, based=False) for row in (D5, D6, D7, D8))


@inner
def attempt(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> tuple[float, float]:
    """One step from t to new_t: the new state, the error (accepted up to 1), the least pivot ratio.

    ``err = |h| e5² / sqrt(n (e5² + 0.01 e3²))`` with e5, e3 the two estimates over ``atol + rtol |y|``.
    [Hairer, Nørsett, Wanner I, II.10 (10.18)]
    """
    n, w, h = spec[STATE], spec[WIDTH], new_t - t
    y, new, k = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
    whole[CALLS] += 11
    least = stages(spec, data, real, t, new_t, h, n, w, shift(real, spec[AT_GIVEN] + 1), y, k)
    if not least > 0.0:
        return 0.0, least
    solution(new, y, k, w, n, h)
    e5, e3 = shift(k, 14 * w), shift(k, 15 * w)  # rows of the continuous extension, free as yet
    fifth_order(e5, y, k, w, n, 1.0)
    third_order(e3, y, k, w, n, 1.0)
    fifth, third = 0.0, 0.0
    for i in range(n):
        scale = 1.0 / (real[ATOL] + real[RTOL] * max(abs(y[i]), abs(new[i])))
        fifth += (e5[i] * scale) ** 2
        third += (e3[i] * scale) ** 2
    below = fifth + 0.01 * third
    if below == 0.0:
        return 0.0, least
    return abs(h) * fifth / (n * below) ** 0.5, least


@inner
def prepare(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> None:
    """Three more stages and the coefficients of the continuous extension. [Hairer, Nørsett, Wanner I, II.6 (6.21)]"""
    n, w, h = spec[STATE], spec[WIDTH], new_t - t
    y, new, k = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
    g, end = shift(real, spec[AT_GIVEN] + 1), shift(k, END_ROW * w)
    whole[CALLS] += 3
    stage14(g, y, k, w, n, h)
    derivative(spec, data, real, t + C[13] * h, shift(k, 13 * w))
    stage15(g, y, k, w, n, h)
    derivative(spec, data, real, t + C[14] * h, shift(k, 14 * w))
    stage16(g, y, k, w, n, h)
    derivative(spec, data, real, t + C[15] * h, shift(k, 15 * w))
    row = shift(real, spec[AT_DENSE])
    for i in range(n):
        rise = new[i] - y[i]
        row[i] = y[i]
        row[n + i] = rise
        row[2 * n + i] = h * k[i] - rise
        row[3 * n + i] = 2.0 * rise - h * (k[i] + end[i])
    dense5(shift(row, 4 * n), y, k, w, n, h)
    dense6(shift(row, 5 * n), y, k, w, n, h)
    dense7(shift(row, 6 * n), y, k, w, n, h)
    dense8(shift(row, 7 * n), y, k, w, n, h)


@inner
def interpolate(spec: Any, real: Any, place: float, point: Any) -> None:
    """The state at ``place`` in [0, 1] of the step."""
    n, r, rest = spec[STATE], shift(real, spec[AT_DENSE]), 1.0 - place
    for i in range(n):
        value = r[5 * n + i] + rest * (r[6 * n + i] + place * r[7 * n + i])
        value = r[3 * n + i] + rest * (r[4 * n + i] + place * value)
        point[i] = r[i] + place * (r[n + i] + rest * (r[2 * n + i] + place * value))


loop = Parts("dop853", attempt, prepare, interpolate, END_ROW, 8, True, SAMPLES)
lanes = make_lanes("dop853_lanes", C[:12], COUPLING, B, (E5, E3), END_ROW)


@register
@dataclass(frozen=True)
class DormandPrince8(Adaptive):
    """Order 8 with error control: the method of choice for smooth motion at any accuracy.

    >>> DormandPrince8(rtol=1e-6).order
    8
    """

    name: ClassVar[str] = "dop853"
    order: ClassVar[int] = 8
    dense_order: ClassVar[int] = 7
    properties: ClassVar[tuple[str, ...]] = ("explicit", "error control", "continuous extension of order 7")
    stages: ClassVar[int] = STAGES
    dense_rows: ClassVar[int] = DENSE_ROWS
    samples: ClassVar[int] = SAMPLES
    loop: ClassVar[Loop] = loop
    lanes: ClassVar[Routine | None] = lanes
