"""The continuous extension of methods that know a step's ends alone: Hermite's cubic."""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.arguments.array_layout import AT_DENSE, AT_NEW, AT_STAGES, AT_Y, STATE, WIDTH
from nonholo.integrate.loops.compilation.loop_compiler import inner, shift

DENSE_ROWS = 4


def make_prepare(end_row: int) -> Any:
    """The compiled ``prepare`` of a loop whose derivative at the end of a step is row ``end_row`` of the stages."""

    @inner
    def prepare(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> None:
        """Hermite's cubic through both ends and their slopes."""
        h = new_t - t
        y, new = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW])
        first = shift(real, spec[AT_STAGES])
        last = shift(first, end_row * spec[WIDTH])
        for i in range(spec[STATE]):
            row = shift(real, spec[AT_DENSE] + DENSE_ROWS * i)
            rise = new[i] - y[i]
            row[0] = y[i]
            row[1] = rise
            row[2] = h * first[i] - rise
            row[3] = 2.0 * rise - h * (first[i] + last[i])

    return prepare


@inner
def interpolate(spec: Any, real: Any, place: float, point: Any) -> None:
    """The state at ``place`` in [0, 1] of the step."""
    dense, rest = shift(real, spec[AT_DENSE]), 1.0 - place
    for i in range(spec[STATE]):
        r = shift(dense, DENSE_ROWS * i)
        point[i] = r[0] + place * (r[1] + rest * (r[2] + place * r[3]))
