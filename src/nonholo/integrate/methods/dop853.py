"""DOP853: Dormand and Prince's pair of order 8(5,3) with a continuous extension of order 7."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nonholo.integrate.compiled import inner, shift
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
    B,
    C,
    D5,
    D6,
    D7,
    D8,
    E3,
    E5,
)
from nonholo.integrate.rates import derivative

STAGES, DENSE_ROWS, END_ROW, SAMPLES = 16, 8, 12, 8


@inner
def attempt(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> tuple[float, float]:
    """One step from t to new_t: the new state, the error (accepted up to 1), the least pivot ratio met.

    ``err = |h| e5² / sqrt(n (e5² + 0.01 e3²))`` with e5, e3 the two estimates over ``atol + rtol |y|``.
    [Hairer, Nørsett, Wanner I, II.10 (10.18)]
    """
    n, h = spec[STATE], new_t - t
    y, new = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW])
    g = shift(real, spec[AT_GIVEN] + 1)
    w = spec[WIDTH]
    k1 = shift(real, spec[AT_STAGES])
    k2, k3, k4, k5 = shift(k1, w), shift(k1, 2 * w), shift(k1, 3 * w), shift(k1, 4 * w)
    k6, k7, k8, k9 = shift(k1, 5 * w), shift(k1, 6 * w), shift(k1, 7 * w), shift(k1, 8 * w)
    k10, k11, k12 = shift(k1, 9 * w), shift(k1, 10 * w), shift(k1, 11 * w)
    whole[CALLS] += 11
    for i in range(n):
        g[i] = y[i] + h * A2[0] * k1[i]
    least = derivative(spec, data, real, t + C[1] * h, 1)
    for i in range(n):
        g[i] = y[i] + h * (A3[0] * k1[i] + A3[1] * k2[i])
    least = _lesser(least, derivative(spec, data, real, t + C[2] * h, 2))
    for i in range(n):
        g[i] = y[i] + h * (A4[0] * k1[i] + A4[2] * k3[i])
    least = _lesser(least, derivative(spec, data, real, t + C[3] * h, 3))
    for i in range(n):
        g[i] = y[i] + h * (A5[0] * k1[i] + A5[2] * k3[i] + A5[3] * k4[i])
    least = _lesser(least, derivative(spec, data, real, t + C[4] * h, 4))
    for i in range(n):
        g[i] = y[i] + h * (A6[0] * k1[i] + A6[3] * k4[i] + A6[4] * k5[i])
    least = _lesser(least, derivative(spec, data, real, t + C[5] * h, 5))
    for i in range(n):
        g[i] = y[i] + h * (A7[0] * k1[i] + A7[3] * k4[i] + A7[4] * k5[i] + A7[5] * k6[i])
    least = _lesser(least, derivative(spec, data, real, t + C[6] * h, 6))
    for i in range(n):
        g[i] = y[i] + h * (A8[0] * k1[i] + A8[3] * k4[i] + A8[4] * k5[i] + A8[5] * k6[i] + A8[6] * k7[i])
    least = _lesser(least, derivative(spec, data, real, t + C[7] * h, 7))
    for i in range(n):
        g[i] = y[i] + h * (
            A9[0] * k1[i] + A9[3] * k4[i] + A9[4] * k5[i] + A9[5] * k6[i] + A9[6] * k7[i] + A9[7] * k8[i]
        )
    least = _lesser(least, derivative(spec, data, real, t + C[8] * h, 8))
    for i in range(n):
        g[i] = y[i] + h * (
            A10[0] * k1[i] + A10[3] * k4[i] + A10[4] * k5[i] + A10[5] * k6[i] + A10[6] * k7[i] + A10[7] * k8[i]
            + A10[8] * k9[i]
        )  # fmt: skip
    least = _lesser(least, derivative(spec, data, real, t + C[9] * h, 9))
    for i in range(n):
        g[i] = y[i] + h * (
            A11[0] * k1[i] + A11[3] * k4[i] + A11[4] * k5[i] + A11[5] * k6[i] + A11[6] * k7[i] + A11[7] * k8[i]
            + A11[8] * k9[i] + A11[9] * k10[i]
        )  # fmt: skip
    least = _lesser(least, derivative(spec, data, real, t + C[10] * h, 10))
    for i in range(n):
        g[i] = y[i] + h * (
            A12[0] * k1[i] + A12[3] * k4[i] + A12[4] * k5[i] + A12[5] * k6[i] + A12[6] * k7[i] + A12[7] * k8[i]
            + A12[8] * k9[i] + A12[9] * k10[i] + A12[10] * k11[i]
        )  # fmt: skip
    least = _lesser(least, derivative(spec, data, real, new_t, 11))
    fifth, third = 0.0, 0.0
    for i in range(n):
        new[i] = y[i] + h * (
            B[0] * k1[i] + B[5] * k6[i] + B[6] * k7[i] + B[7] * k8[i] + B[8] * k9[i] + B[9] * k10[i]
            + B[10] * k11[i] + B[11] * k12[i]
        )  # fmt: skip
        scale = 1.0 / (real[ATOL] + real[RTOL] * max(abs(y[i]), abs(new[i])))
        part = scale * (
            E5[0] * k1[i] + E5[5] * k6[i] + E5[6] * k7[i] + E5[7] * k8[i] + E5[8] * k9[i] + E5[9] * k10[i]
            + E5[10] * k11[i] + E5[11] * k12[i]
        )  # fmt: skip
        fifth += part * part
        part = scale * (
            E3[0] * k1[i] + E3[5] * k6[i] + E3[6] * k7[i] + E3[7] * k8[i] + E3[8] * k9[i] + E3[9] * k10[i]
            + E3[10] * k11[i] + E3[11] * k12[i]
        )  # fmt: skip
        third += part * part
    below = fifth + 0.01 * third
    if below == 0.0:
        return 0.0, least
    return abs(h) * fifth / (n * below) ** 0.5, least


@inner
def _lesser(a: float, b: float) -> float:
    """The lesser of two, nan if one is nan."""
    return a if a < b or a != a else b


@inner
def prepare(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> None:
    """Three more stages and the coefficients of the continuous extension. [Hairer, Nørsett, Wanner I, II.6 (6.21)]"""
    n, h = spec[STATE], new_t - t
    y, new = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW])
    g = shift(real, spec[AT_GIVEN] + 1)
    w = spec[WIDTH]
    k1 = shift(real, spec[AT_STAGES])
    k6, k7, k8, k9 = shift(k1, 5 * w), shift(k1, 6 * w), shift(k1, 7 * w), shift(k1, 8 * w)
    k10, k11, k12, k13 = shift(k1, 9 * w), shift(k1, 10 * w), shift(k1, 11 * w), shift(k1, 12 * w)
    k14, k15, k16 = shift(k1, 13 * w), shift(k1, 14 * w), shift(k1, 15 * w)
    whole[CALLS] += 3
    for i in range(n):
        g[i] = y[i] + h * (
            A14[0] * k1[i] + A14[6] * k7[i] + A14[7] * k8[i] + A14[8] * k9[i] + A14[9] * k10[i] + A14[10] * k11[i]
            + A14[11] * k12[i] + A14[12] * k13[i]
        )  # fmt: skip
    derivative(spec, data, real, t + C[13] * h, 13)
    for i in range(n):
        g[i] = y[i] + h * (
            A15[0] * k1[i] + A15[5] * k6[i] + A15[6] * k7[i] + A15[7] * k8[i] + A15[10] * k11[i] + A15[11] * k12[i]
            + A15[12] * k13[i] + A15[13] * k14[i]
        )  # fmt: skip
    derivative(spec, data, real, t + C[14] * h, 14)
    for i in range(n):
        g[i] = y[i] + h * (
            A16[0] * k1[i] + A16[5] * k6[i] + A16[6] * k7[i] + A16[7] * k8[i] + A16[8] * k9[i] + A16[12] * k13[i]
            + A16[13] * k14[i] + A16[14] * k15[i]
        )  # fmt: skip
    derivative(spec, data, real, t + C[15] * h, 15)
    dense = shift(real, spec[AT_DENSE])
    for i in range(n):
        rise = new[i] - y[i]
        row = shift(dense, DENSE_ROWS * i)
        row[0] = y[i]
        row[1] = rise
        row[2] = h * k1[i] - rise
        row[3] = 2.0 * rise - h * (k1[i] + k13[i])
        row[4] = h * (
            D5[0] * k1[i] + D5[5] * k6[i] + D5[6] * k7[i] + D5[7] * k8[i] + D5[8] * k9[i] + D5[9] * k10[i]
            + D5[10] * k11[i] + D5[11] * k12[i] + D5[12] * k13[i] + D5[13] * k14[i] + D5[14] * k15[i]
            + D5[15] * k16[i]
        )  # fmt: skip
        row[5] = h * (
            D6[0] * k1[i] + D6[5] * k6[i] + D6[6] * k7[i] + D6[7] * k8[i] + D6[8] * k9[i] + D6[9] * k10[i]
            + D6[10] * k11[i] + D6[11] * k12[i] + D6[12] * k13[i] + D6[13] * k14[i] + D6[14] * k15[i]
            + D6[15] * k16[i]
        )  # fmt: skip
        row[6] = h * (
            D7[0] * k1[i] + D7[5] * k6[i] + D7[6] * k7[i] + D7[7] * k8[i] + D7[8] * k9[i] + D7[9] * k10[i]
            + D7[10] * k11[i] + D7[11] * k12[i] + D7[12] * k13[i] + D7[13] * k14[i] + D7[14] * k15[i]
            + D7[15] * k16[i]
        )  # fmt: skip
        row[7] = h * (
            D8[0] * k1[i] + D8[5] * k6[i] + D8[6] * k7[i] + D8[7] * k8[i] + D8[8] * k9[i] + D8[9] * k10[i]
            + D8[10] * k11[i] + D8[11] * k12[i] + D8[12] * k13[i] + D8[13] * k14[i] + D8[14] * k15[i]
            + D8[15] * k16[i]
        )  # fmt: skip


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
