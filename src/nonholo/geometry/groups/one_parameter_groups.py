"""The one-parameter groups of affine fields, in closed form: ``exp(c Â)`` for shifts, shears, turns and scalings."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.linear_equations import Matrix, multiply

SMALL = 1e-9


class NoFlow(Exception):
    """This field's group is not written in closed form here."""


@dataclass(frozen=True)
class Amount:
    """How far along a one-parameter group: the parameter itself, or (cos, sin) of it at a base frequency, or its exponential."""

    value: Expr | None = None
    base: float = 0.0
    cosine: Expr = ONE
    sine: Expr = ZERO
    growth: Expr | None = None

    def back(self) -> Amount:
        """The same way in the other direction."""
        return Amount(
            None if self.value is None else -self.value,
            self.base,
            self.cosine,
            -self.sine,
            None if self.growth is None else 1 / self.growth,
        )

    def wave(self, frequency: float) -> tuple[Expr, Expr]:
        """(cos ωc, sin ωc)."""
        if self.value is not None:
            angle = exact(frequency) * self.value
            return se.cos(angle), se.sin(angle)
        times = frequency / self.base if self.base else 0.0
        if self.growth is not None or abs(times - round(times)) > SMALL or not round(times):
            raise NoFlow
        c, s = ONE, ZERO
        for _ in range(abs(round(times))):
            c, s = c * self.cosine - s * self.sine, s * self.cosine + c * self.sine
        return (c, s) if times > 0 else (c, -s)

    def exponential(self, rate: float) -> Expr:
        """``exp(λ c)``."""
        if self.value is not None:
            return se.exp(exact(rate) * self.value)
        if self.growth is None:
            raise NoFlow
        return self.growth ** exact(rate / self.base)

    def power(self, degree: int) -> Expr:
        """``c^n``."""
        if self.value is not None:
            return self.value**degree
        if self.growth is not None:
            return (se.log(self.growth) / exact(self.base)) ** degree
        raise NoFlow


def exact(value: float) -> Expr:
    """The fraction that a number is, as far as it is one."""
    found = Fraction(float(value)).limit_denominator(48)
    if abs(float(found) - value) > SMALL:
        return se.RealDouble(float(value))
    return se.Rational(found.numerator, found.denominator)


def flow(matrix: Numbers, amount: Amount) -> Matrix:
    """``exp(c Â)`` on ``(x, 1)``, part by part of the coordinates that the field mixes."""
    size = len(matrix)
    result = [[ONE if i == j else ZERO for j in range(size)] for i in range(size)]
    for part in _parts(matrix[:-1, :-1]):
        inner, side = matrix[np.ix_(part, part)], matrix[part, -1]
        if not np.any(inner) and not np.any(side):
            continue
        for i, row in zip(part, _part_flow(inner, side, amount)):
            for j, e in zip((*part, size - 1), row):
                result[i][j] = e
    return tuple(map(tuple, result))


def _parts(matrix: Numbers) -> list[list[int]]:
    """Coordinates that are mixed, in groups."""
    left = set(range(len(matrix)))
    result = []
    while left:
        group, waiting = set(), [min(left)]
        while waiting:
            k = waiting.pop()
            if k in group:
                continue
            group.add(k)
            waiting += [j for j in left if j not in group and (matrix[k, j] or matrix[j, k])]
        left -= group
        result.append(sorted(group))
    return result


def _part_flow(inner: Numbers, side: Numbers, amount: Amount) -> list[list[Expr]]:
    size = len(inner)
    whole = np.zeros((size + 1, size + 1))
    whole[:-1, :-1], whole[:-1, -1] = inner, side
    powers = [np.eye(size + 1)]
    while np.max(np.abs(powers[-1])) > SMALL and len(powers) <= size + 2:
        powers.append(powers[-1] @ whole)
    if np.max(np.abs(powers[-1])) <= SMALL:  # nilpotent: a polynomial
        total: list[list[Expr]] = [[ZERO] * (size + 1) for _ in range(size)]
        factorial = 1
        for n, power in enumerate(powers[:-1]):
            factorial *= max(1, n)
            weight = amount.power(n) / factorial if n else ONE
            for i in range(size):
                for j in range(size + 1):
                    if abs(power[i, j]) > SMALL:
                        total[i][j] = total[i][j] + weight * exact(power[i, j])
        return total
    center = np.linalg.lstsq(inner, -side, rcond=None)[0]
    if np.max(np.abs(inner @ center + side)) > SMALL:
        raise NoFlow
    turned = _semisimple(inner, amount)
    offsets = [exact(e) for e in center]
    moved = [row[0] for row in multiply(turned, [[e] for e in offsets])] if np.any(center) else [ZERO] * size
    return [[*row, o - m] for row, o, m in zip(turned, offsets, moved)]


def _semisimple(matrix: Numbers, amount: Amount) -> Matrix:
    """``exp(c A)`` of a diagonalisable matrix with imaginary or with real eigenvalues."""
    values = np.linalg.eigvals(matrix)
    imaginary = np.max(np.abs(values.real)) < 1e-7
    if not imaginary and np.max(np.abs(values.imag)) > 1e-7:
        raise NoFlow
    sizes = _distinct(np.abs(values.imag) if imaginary else values.real)
    size = len(matrix)
    unit = np.eye(size)
    square = matrix @ matrix
    terms: list[tuple[Numbers, Expr]] = []
    for one in sizes:
        projector = unit
        for other in sizes:
            if other != one:
                factor = (
                    (square + other**2 * unit) / (other**2 - one**2)
                    if imaginary
                    else (matrix - other * unit) / (one - other)
                )
                projector = projector @ factor
        if not imaginary:
            terms.append((projector, amount.exponential(one) if one else ONE))
            continue
        if one == 0:
            terms.append((projector, ONE))
            if np.max(np.abs(matrix @ projector)) > 1e-7:
                raise NoFlow
            continue
        cosine, sine = amount.wave(one)
        terms += [(projector, cosine), (matrix @ projector / one, sine)]
    result = [[ZERO] * size for _ in range(size)]
    for numbers, weight in terms:
        for i in range(size):
            for j in range(size):
                if abs(numbers[i, j]) > 1e-8:
                    result[i][j] = result[i][j] + exact(numbers[i, j]) * weight
    return tuple(map(tuple, result))


def _distinct(values: Any) -> list[float]:
    found: list[float] = []
    for value in sorted(map(float, values)):
        clean = float(Fraction(value).limit_denominator(12))
        value = clean if abs(clean - value) < 1e-6 else value
        if not any(abs(value - other) < 1e-6 for other in found):
            found.append(value)
    return found


def frequencies(matrix: Numbers) -> list[float]:
    """The distinct nonzero frequencies of a field."""
    return [e for e in _distinct(np.abs(np.linalg.eigvals(matrix).imag)) if e > 1e-6]
