"""Numeric Lie brackets, for fields whose symbolic brackets are too large.

A directional derivative is a central difference with 120 digits: a step of 1e-45 leaves an error of 1e-75, and even the
third bracket upon another keeps 30 digits. (Programs compute with doubles; ranks of brackets of brackets need more.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import substitute, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.geometry.frames.frame_record import Frame
from nonholo.geometry.frames.frame_words import Brackets

Point = Mapping[Any, Any]
Probe = Callable[[Point], list[Any]]
"""A field as a function: from a configuration to its components along the frame's velocities."""
BITS = 400
STEP_SIZES = ("1e-45", "1e-25", "1e-15")
"""The differences' steps, for brackets of symbolic fields, of such brackets, and of these again."""


def precise_point(values: Mapping[str, float]) -> dict[Any, Any]:
    """The values with 120 digits."""
    return {symbol(name): se.RealMPFR(repr(float(value)), BITS) for name, value in values.items()}


def probe(field: Sequence[Expr]) -> Probe:
    """A symbolic field as a function."""
    return lambda point: list(substitute(field, point))


def bracket_probe(frame: Frame, table: Brackets, one: Probe, two: Probe, depth: int) -> Probe:
    """``[X, Y]^a = X[Y^a] − Y[X^a] + c_ij^a X^i Y^j`` as a function."""
    x = [symbol(c) for c in frame.coordinates]
    step = se.RealMPFR(STEP_SIZES[depth], BITS)

    def rate(of: Probe, along: Sequence[Any], anchor: Sequence[Sequence[Any]], point: Point) -> list[Any]:
        shift = [step * sum((e * v for e, v in zip(row, along)), se.Integer(0)) for row in anchor]
        ahead = of({**point, **{s: point[s] + d for s, d in zip(x, shift)}})
        behind = of({**point, **{s: point[s] - d for s, d in zip(x, shift)}})
        return [(a - b) / (2 * step) for a, b in zip(ahead, behind)]

    def value(point: Point) -> list[Any]:
        first, second = one(point), two(point)
        flat = substitute([e for row in frame.anchor for e in row], point)
        anchor = [flat[k * frame.size : (k + 1) * frame.size] for k in range(len(x))]
        total = [a - b for a, b in zip(rate(two, first, anchor, point), rate(one, second, anchor, point))]
        for (i, j, a), e in zip(table, substitute(list(table.values()), point)):
            total[a] += e * (first[i] * second[j] - first[j] * second[i])
        return total

    return value


def numbers_of(probes: Sequence[Probe], point: Point, size: int) -> NDArray[np.float64]:
    """The components of every field, as doubles; not a number where they are not real."""
    found = np.full((len(probes), size), np.nan)
    for k, field in enumerate(probes):
        try:
            found[k] = [float(e.n(BITS, real=True)) for e in field(point)]
        except (RuntimeError, TypeError, ValueError):
            continue
    return found
