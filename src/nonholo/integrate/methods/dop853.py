"""DOP853: Dormand and Prince's pair of order 8(5,3) with a continuous extension of order 7."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nonholo.integrate.compiled import inner, shift, weighted
from nonholo.integrate.layout import (
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
from nonholo.integrate.loops import make_loop
from nonholo.integrate.methods.base import Method, positive, register
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
from nonholo.integrate.rates import derivative

STAGES, DENSE_ROWS, END_ROW, SAMPLES = 16, 8, 12, 8


stage2, stage3, stage4, stage5, stage6, stage7 = map(weighted, (A2, A3, A4, A5, A6, A7))
stage8, stage9, stage10, stage11, stage12 = map(weighted, (A8, A9, A10, A11, A12))
stage14, stage15, stage16 = map(weighted, (A14, A15, A16))
solution, fifth_order, third_order = map(weighted, (B, E5, E3))
dense5, dense6, dense7, dense8 = map(weighted, (D5, D6, D7, D8))


@inner
def attempt(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> tuple[float, float]:
    """One step from t to new_t: the new state, the error (accepted up to 1), the least pivot ratio met.

    ``err = |h| e5² / sqrt(n (e5² + 0.01 e3²))`` with e5, e3 the two estimates over ``atol + rtol |y|``.
    [Hairer, Nørsett, Wanner I, II.10 (10.18)]
    """
    n, w, h = spec[STATE], spec[WIDTH], new_t - t
    y, new, k = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
    g = shift(real, spec[AT_GIVEN] + 1)
    whole[CALLS] += 11
    least = 1.0
    for stage in range(1, 12):
        at = new_t
        if stage == 1:
            for i in range(n):
                g[i] = y[i] + h * stage2(k, w, i)
            at = t + C[1] * h
        elif stage == 2:
            for i in range(n):
                g[i] = y[i] + h * stage3(k, w, i)
            at = t + C[2] * h
        elif stage == 3:
            for i in range(n):
                g[i] = y[i] + h * stage4(k, w, i)
            at = t + C[3] * h
        elif stage == 4:
            for i in range(n):
                g[i] = y[i] + h * stage5(k, w, i)
            at = t + C[4] * h
        elif stage == 5:
            for i in range(n):
                g[i] = y[i] + h * stage6(k, w, i)
            at = t + C[5] * h
        elif stage == 6:
            for i in range(n):
                g[i] = y[i] + h * stage7(k, w, i)
            at = t + C[6] * h
        elif stage == 7:
            for i in range(n):
                g[i] = y[i] + h * stage8(k, w, i)
            at = t + C[7] * h
        elif stage == 8:
            for i in range(n):
                g[i] = y[i] + h * stage9(k, w, i)
            at = t + C[8] * h
        elif stage == 9:
            for i in range(n):
                g[i] = y[i] + h * stage10(k, w, i)
            at = t + C[9] * h
        elif stage == 10:
            for i in range(n):
                g[i] = y[i] + h * stage11(k, w, i)
            at = t + C[10] * h
        elif stage == 11:
            for i in range(n):
                g[i] = y[i] + h * stage12(k, w, i)
        ratio = derivative(spec, data, real, at, stage)
        if not ratio > 0.0:
            return 0.0, ratio
        least = min(least, ratio)
    fifth, third = 0.0, 0.0
    for i in range(n):
        new[i] = y[i] + h * solution(k, w, i)
        scale = 1.0 / (real[ATOL] + real[RTOL] * max(abs(y[i]), abs(new[i])))
        part = scale * fifth_order(k, w, i)
        fifth += part * part
        part = scale * third_order(k, w, i)
        third += part * part
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
    for i in range(n):
        g[i] = y[i] + h * stage14(k, w, i)
    derivative(spec, data, real, t + C[13] * h, 13)
    for i in range(n):
        g[i] = y[i] + h * stage15(k, w, i)
    derivative(spec, data, real, t + C[14] * h, 14)
    for i in range(n):
        g[i] = y[i] + h * stage16(k, w, i)
    derivative(spec, data, real, t + C[15] * h, 15)
    for i in range(n):
        row = shift(real, spec[AT_DENSE] + DENSE_ROWS * i)
        rise = new[i] - y[i]
        row[0] = y[i]
        row[1] = rise
        row[2] = h * k[i] - rise
        row[3] = 2.0 * rise - h * (k[i] + end[i])
        row[4] = h * dense5(k, w, i)
        row[5] = h * dense6(k, w, i)
        row[6] = h * dense7(k, w, i)
        row[7] = h * dense8(k, w, i)


@inner
def interpolate(spec: Any, real: Any, place: float, point: Any) -> None:
    """The state at ``place`` in [0, 1] of the step."""
    dense, rest = shift(real, spec[AT_DENSE]), 1.0 - place
    for i in range(spec[STATE]):
        r = shift(dense, DENSE_ROWS * i)
        point[i] = r[0] + place * (
            r[1] + rest * (r[2] + place * (r[3] + rest * (r[4] + place * (r[5] + rest * (r[6] + place * r[7])))))
        )


loop = make_loop(attempt, prepare, interpolate, END_ROW, 8, True, SAMPLES)


@register
@dataclass(frozen=True)
class DormandPrince8(Method):
    """Order 8 with error control: the method of choice for smooth motion at any accuracy.

    >>> DormandPrince8(rtol=1e-6).order
    8
    """

    rtol: float = 1e-9
    atol: float = 1e-12
    first_step: float | None = None
    max_step: float = float("inf")
    max_steps: int = 10_000_000

    name: ClassVar[str] = "dop853"
    order: ClassVar[int] = 8
    dense_order: ClassVar[int] = 7
    adaptive: ClassVar[bool] = True
    properties: ClassVar[tuple[str, ...]] = ("explicit", "error control", "continuous extension of order 7")
    stages: ClassVar[int] = STAGES
    dense_rows: ClassVar[int] = DENSE_ROWS
    samples: ClassVar[int] = SAMPLES
    loop: ClassVar[Any] = staticmethod(loop)

    def __post_init__(self) -> None:
        positive(self, "rtol", self.rtol, zero=True)
        positive(self, "atol", self.atol, zero=self.rtol > 0)
        positive(self, "max_step", self.max_step)
        positive(self, "max_steps", self.max_steps)
        if self.first_step is not None:
            positive(self, "first_step", self.first_step)
