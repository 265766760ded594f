"""The classical Runge–Kutta method of order 4 with constant steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nonholo.integrate.loops.compiled import inner, shift
from nonholo.integrate.loops.hermite import DENSE_ROWS, interpolate, make_prepare
from nonholo.integrate.loops.layout import AT_GIVEN, AT_NEW, AT_STAGES, AT_Y, CALLS, STATE, WIDTH
from nonholo.integrate.loops.loop import make_loop
from nonholo.integrate.loops.rates import derivative
from nonholo.integrate.methods.base import Method, positive, register

STAGES, END_ROW, SAMPLES = 5, 4, 2


@inner
def attempt(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> tuple[float, float]:
    """One step from t to new_t: the new state, no error estimate, the least pivot ratio met. [Kutta 1901]"""
    n, h = spec[STATE], new_t - t
    y, new = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW])
    g = shift(real, spec[AT_GIVEN] + 1)
    w = spec[WIDTH]
    k1 = shift(real, spec[AT_STAGES])
    k2, k3, k4 = shift(k1, w), shift(k1, 2 * w), shift(k1, 3 * w)
    whole[CALLS] += 3
    for i in range(n):
        g[i] = y[i] + 0.5 * h * k1[i]
    first = derivative(spec, data, real, t + 0.5 * h, k2)
    for i in range(n):
        g[i] = y[i] + 0.5 * h * k2[i]
    second = derivative(spec, data, real, t + 0.5 * h, k3)
    for i in range(n):
        g[i] = y[i] + h * k3[i]
    third = derivative(spec, data, real, new_t, k4)
    size = 0.0
    for i in range(n):
        new[i] = y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])
        size += abs(new[i])
    # 0 for a finite state, nan for any other
    return size - size, min(first + 0.0 * second, second + 0.0 * third, third + 0.0 * first)


loop = make_loop(attempt, make_prepare(END_ROW), interpolate, END_ROW, 4, False, SAMPLES)


@register
@dataclass(frozen=True)
class RungeKutta4(Method):
    """Order 4 with constant steps; the last step before an end or a break is shortened.

    >>> RungeKutta4(step=0.01).adaptive
    False
    """

    step: float
    max_steps: int = 1_000_000_000

    name: ClassVar[str] = "rk4"
    order: ClassVar[int] = 4
    dense_order: ClassVar[int] = 3
    adaptive: ClassVar[bool] = False
    properties: ClassVar[tuple[str, ...]] = ("explicit", "constant step", "cubic Hermite continuous extension")
    stages: ClassVar[int] = STAGES
    dense_rows: ClassVar[int] = DENSE_ROWS
    samples: ClassVar[int] = SAMPLES
    loop: ClassVar[Any] = staticmethod(loop)

    def __post_init__(self) -> None:
        positive(self, "step", self.step)
        positive(self, "max_steps", self.max_steps)
