"""Periodic forcing as an additional angle.

With the phase ``s``, ``ṡ = ω`` and ``t = s/ω`` nothing depends on the time any more, and a motion that repeats after n strokes
of the drive is an orbit on which s makes n turns. Its return at a fixed phase has the same multipliers but for the phase's 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, expand, substitute, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate
from nonholo.derive.states.feedback_laws import driven
from nonholo.errors import ModelError, StateError
from nonholo.geometry.frames.frame import Euclidean, product
from nonholo.model.system import TIME, System, check_system, known_names, varied

COMMON = 60
"""Two frequencies have a common period when their ratio is a fraction with a denominator up to this."""


@dataclass(frozen=True, eq=False)
class Clock:
    """A driven system with the phase of its drive among the coordinates."""

    system: System
    phase: str
    """The name of the phase."""
    stroke: float
    """The period of the drive, at the parameters for which it was made."""
    tied: frozenset[str] = frozenset()
    """Parameters that cannot be varied: the drive has several frequencies that have a common period for these values alone."""


def has_time(system: System) -> bool:
    """Whether the time enters a system's equations or what its inputs do.

    >>> has_time(System(coordinates="q", lagrangian="qdot**2/2", forces={"q": "cos(3*t)"}))
    True
    """
    check_system(system)
    return any(TIME in e.free_symbols for e in _formulas(driven(system, {}).closed))


def clock_of(system: System, parameters: Mapping[str, float], period: float | None) -> Clock:
    """The system with the phase of its drive; ``period`` is the length of a period where the formulas do not determine it."""
    closed = driven(system, {}).closed
    frequencies = list(dict.fromkeys(f for e in _formulas(closed) for f in _frequencies(e)))
    told = None not in frequencies
    rate: Expr
    tied: frozenset[str] = frozenset()
    if told:
        known = {str(s) for f in frequencies if f is not None for s in f.free_symbols}
        told = known <= set(closed.parameters)
    if told:
        rate, tied = _common(system, [f for f in frequencies if f is not None], parameters)
    elif period is not None:
        rate = se.RealDouble(2 * np.pi / period)
    else:
        raise ModelError(
            f"{system.name}: its equations depend on the time not only by sines and cosines of it, so that it is not known when "
            "they repeat; give period=…, or follow motions with simulate."
        )
    phase = next(n for n in ("phase", *(f"phase{k}" for k in range(1, 99))) if n not in known_names(closed))
    return Clock(_driven_by(closed, phase, rate), phase, float(2 * np.pi / evaluate([rate], parameters)[0]), tied)


def strokes(clock: Clock, period: float) -> int:
    """How many strokes of the drive a period has."""
    count = round(period / clock.stroke)
    if count < 1 or abs(period / clock.stroke - count) > 1e-6:
        raise StateError(
            f"{clock.system.name}: period {period:.9g} where a multiple of the drive's {clock.stroke:.9g} is needed; leave it "
            "out to have it found."
        )
    return count


def _formulas(system: System) -> list[Expr]:
    """Every formula that decides the equations."""
    parts: list[Any] = [system.lagrangian, *system.constraints, *system.holonomic, *system.forces.values()]
    parts += system.magnetic.values()
    if system.parametric is not None:
        parts += system.parametric[1].values()
    return [se.sympify(e) for e in parts if e is not None]


def _frequencies(expr: Expr) -> Iterator[Expr | None]:
    """The frequencies of the sines and cosines through which the time enters; None where it enters otherwise."""
    if TIME not in expr.free_symbols:
        return
    if expr == TIME:
        yield None
        return
    if isinstance(expr, (se.sin, se.cos)):
        rate = expand(se.diff(expr.args[0], TIME))
        if rate != ZERO and TIME not in rate.free_symbols:
            yield rate
            return
    for part in expr.args:
        yield from _frequencies(part)


def _common(system: System, rates: list[Expr], parameters: Mapping[str, float]) -> tuple[Expr, frozenset[str]]:
    """The largest frequency of which all are multiples; and which parameters must stay for it."""
    numbers = [float(e) for e in evaluate(rates, parameters)]
    if not all(np.isfinite(numbers)) or min(map(abs, numbers)) == 0.0:
        raise StateError(f"{system.name}: the drive has the frequency {min(numbers, key=abs):g}; give one that is not zero.")
    shares = [Fraction(n / numbers[0]).limit_denominator(COMMON) for n in numbers]
    if any(abs(float(f) - n / numbers[0]) > 1e-9 for f, n in zip(shares, numbers)):
        listed = ", ".join(f"{n:.6g}" for n in numbers)
        raise ModelError(f"{system.name}: the drive has frequencies without a common period ({listed}): no motion repeats.")
    share = Fraction(gcd(*(f.numerator for f in shares)), lcm(*(f.denominator for f in shares)))
    sign = 1 if numbers[0] > 0 else -1
    for rate, told in zip(rates, shares):
        ratio = expand(rate / rates[0])
        if not ratio.free_symbols and abs(float(ratio) - float(told)) < 1e-12:
            continue
        return se.RealDouble(abs(numbers[0]) * float(share)), frozenset(str(s) for e in rates for s in e.free_symbols)
    return rates[0] * se.Integer(sign * share.numerator) / se.Integer(share.denominator), frozenset()


def _driven_by(system: System, phase: str, rate: Expr) -> System:
    """The system with ``t = s/ω`` and ``ṡ = ω``."""
    table = {TIME: symbol(phase) / rate}

    def put(exprs: Any) -> tuple[Expr, ...]:
        return substitute(list(exprs), table)

    words: dict[str, Any] = {
        "lagrangian": put([system.lagrangian])[0],
        "holonomic": put(system.holonomic),
        "forces": dict(zip(system.forces, put(system.forces.values()))),
        "magnetic": dict(zip(system.magnetic, put(system.magnetic.values()))),
        "constraints": (*put(system.constraints), symbol(f"{phase}dot") - rate),
    }
    if system.parametric is not None:
        names, velocities = system.parametric
        words["parametric"] = (names, {**dict(zip(velocities, put(velocities.values()))), f"{phase}dot": rate})
        words["constraints"] = put(system.constraints)
    frame = product(system.frame, Euclidean((phase,)))
    return varied(system, frame=frame, coordinates=frame.coordinates, drawing=None, until=None, **words)
