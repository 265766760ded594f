"""Weights of input fields whose combination is decoupling, at every configuration.

``∇_Y Y`` of ``Y = h_1 Y_1 + h_2 Y_2`` lies in the span of the input fields exactly if ``h_1²⟨1:1⟩ + 2 h_1 h_2⟨1:2⟩ + h_2²⟨2:2⟩``
does: derivatives of the weights only add input fields. So at each configuration the weights are the common zeros of binary
quadratic forms, one for each direction across the inputs, and they may vary with the configuration. [Bullo and Lynch 2001]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.prime.modular_arithmetic import fraction_of, rank, root
from nonholo.algebra.prime.power_series import Coefficients, Series
from nonholo.geometry.distributions.lie_words import LieWords

SMALL = 50
"""Constant weights are written as fractions of whole numbers up to this."""
ROUNDING = 1e-10
"""Coefficients of forms in floating numbers that count as zero."""


class NoRoot(Exception):
    """A number is no square modulo the prime: another place is needed."""


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights ``h_1 : h_2`` of two inputs as series about a configuration."""

    first: Coefficients
    second: Coefficients
    radical: bool
    """Whether they need a square root, which may not be real."""

    @property
    def constant(self) -> bool:
        """Whether their ratio does not vary (one of them is 1)."""
        return not (np.any(self.first[1:]) or np.any(self.second[1:]))

    def whole(self, p: int) -> tuple[int, int] | None:
        """The weights as whole numbers, where they are constant fractions."""
        if not self.constant:
            return None
        found = [fraction_of(int(e[0]), p, SMALL) if e[0] else Fraction(0) for e in (self.first, self.second)]
        if found[0] is None or found[1] is None:
            return None
        below = lcm(found[0].denominator, found[1].denominator)
        return int(found[0] * below), int(found[1] * below)


Form = tuple[Coefficients, Coefficients, Coefficients]
"""``(a, b, c)`` of ``a h_1² + b h_1 h_2 + c h_2²``, as series."""


def quadratic_forms(words: LieWords, i: int, j: int, coordinates: int, degree: int) -> list[Form]:
    """The forms of inputs i and j (numbered from 1): components of the symmetric products across all input fields, at rest."""
    ring = _ring(words.jets.ring, degree)
    table = form_table(words, (i, j), coordinates, degree)
    return [(f[0, 0], np.asarray(ring.reduced(2 * f[0, 1])), f[1, 1]) for f in table]


def form_table(words: LieWords, inputs: Sequence[int], coordinates: int, degree: int) -> Coefficients:
    """The forms of some inputs (numbered from 1) that do not vanish, (form, input, input, coefficient)."""
    small = _ring(words.jets.ring, degree)
    still = at_rest(words, coordinates, degree)
    rows, count = words.dimension - coordinates, small.counts[degree]
    zero = np.zeros((rows, count), dtype=words.fields.dtype)

    def part(word: tuple[int, ...]) -> Coefficients:
        found = words.jet(word)
        return zero if found is None else np.where(still, found[coordinates:, :count], 0)

    across = _annihilators(small, [part((a,)) for a in range(1, words.count)], rows)
    size = len(inputs)
    table = np.zeros((len(across), size, size, count), dtype=words.fields.dtype)
    for a, i in enumerate(inputs):
        for b, j in enumerate(inputs[: a + 1]):
            product = part((j, 0, i))
            for r, functional in enumerate(across):
                table[r, a, b] = table[r, b, a] = _paired(small, functional, product)
    return table[np.max(np.abs(table), axis=(1, 2, 3), initial=0) > (0 if words.p else ROUNDING)]


def at_rest(words: LieWords, coordinates: int, degree: int) -> Coefficients:
    """Which monomials have no speed."""
    jets = words.jets
    moving = [k for k, j in enumerate(jets.variables) if j >= coordinates]
    return np.array([not any(m[k] for k in moving) for m in jets.ring.monomials[: jets.ring.counts[degree]]])


def _ring(ring: Series, degree: int) -> Series:
    from nonholo.algebra.prime.power_series import series_ring

    return series_ring(ring.variables, degree, ring.p)


def _paired(ring: Series, functional: Sequence[Coefficients], vector: Coefficients) -> Coefficients:
    total = ring.constant(0)
    for a, b in zip(functional, vector):
        if np.any(a) and np.any(b):
            total = ring.reduced(total + ring.product(a, b))
    return np.asarray(total)


def _annihilators(ring: Series, inputs: Sequence[Coefficients], rows: int) -> list[list[Coefficients]]:
    """Functionals that vanish on the inputs, one for each row without a pivot, by elimination in the ring."""
    left = [[row.copy() for row in field] for field in inputs]
    functionals = [[ring.constant(int(r == k)) for k in range(rows)] for r in range(rows)]
    free = list(range(rows))
    for _ in inputs:
        place = next(((f, r) for f in range(len(left)) for r in free if left[f][r][0]), None)
        if place is None:
            break
        field, pivot = left.pop(place[0]), place[1]
        free.remove(pivot)
        back = ring.reciprocal(field[pivot])
        for r in free:  # row r less its multiple of the pivot's row
            factor = ring.product(field[r], back)
            if np.any(factor):
                functionals[r] = [ring.reduced(e - ring.product(factor, d)) for e, d in zip(functionals[r], functionals[pivot])]
                for other in left:
                    other[r] = ring.reduced(other[r] - ring.product(factor, other[pivot]))
    return [functionals[r] for r in free]


def common_zeros(forms: Sequence[Form], ring: Series) -> list[Weights] | None:
    """The common zeros of binary quadratic forms at a generic place; None where every pair of weights is one."""
    independent: list[Form] = []
    for form in forms:
        heads = np.array([[e[0] for e in f] for f in (*independent, form)], dtype=np.int64)
        if rank(heads, ring.p) > len(independent):
            independent.append(form)
    if not independent:
        return None if not forms else []
    if len(independent) == 1:
        return _zeros(independent[0], ring)
    if len(independent) == 3:
        return []
    (a, b, c), (d, e, f) = independent

    def minor(x: Coefficients, y: Coefficients, u: Coefficients, v: Coefficients) -> Coefficients:
        return np.asarray(ring.reduced(ring.product(x, v) - ring.product(y, u)))

    squares = minor(b, c, e, f), minor(c, a, f, d), minor(a, b, d, e)  # h_1² : h_1 h_2 : h_2²
    if np.any(ring.reduced(ring.product(squares[1], squares[1]) - ring.product(squares[0], squares[2]))):
        return []
    first, second = (squares[0], squares[1]) if squares[0][0] else (squares[1], squares[2])
    return [_scaled(first, second, False, ring)]


def _zeros(form: Form, ring: Series) -> list[Weights]:
    """The zeros of one form: two, or one where its discriminant vanishes."""
    a, b, c = form
    one, zero = ring.constant(1), ring.constant(0)
    if not np.any(a):
        units = [Weights(one, zero, False)]
        return units if not np.any(b) else [*units, _scaled(ring.reduced(-c), b, False, ring)]
    if not np.any(c):
        return [Weights(zero, one, False), _scaled(ring.reduced(-b), a, False, ring)]
    inside = ring.reduced(ring.product(b, b) - 4 * ring.product(a, c))
    twice = ring.reduced(2 * a)
    if not np.any(inside):
        return [_scaled(ring.reduced(-b), twice, False, ring)]
    square = series_root(inside, ring)
    return [_scaled(ring.reduced(sign * square - b), twice, True, ring) for sign in (1, -1)]


def series_root(a: Coefficients, ring: Series) -> Coefficients:
    """A square root of a series modulo the prime, by Newton's iteration."""
    value, able = root(np.array([int(a[0])]), ring.p)
    if not able[0] or not a[0]:
        raise NoRoot
    found, half, reached = ring.constant(int(value[0])), pow(2, -1, ring.p), 0
    while reached < ring.degree:
        reached = 2 * reached + 1
        found = np.asarray(ring.reduced(half * ring.reduced(found + ring.product(a, ring.reciprocal(found)))))
    return found


def _scaled(first: Coefficients, second: Coefficients, radical: bool, ring: Series) -> Weights:
    """The weights with the first of them 1, unless it vanishes."""
    if first[0]:
        return Weights(ring.constant(1), ring.product(second, ring.reciprocal(first)), radical)
    return Weights(ring.product(first, ring.reciprocal(second)), ring.constant(1), radical)


COLUMNS = 600
"""Monomials of one degree up to which the ideal is looked at."""
POWERS = 3
"""Powers of the product of the weights that are looked for in it."""
STARTS = 16
"""Random weights from which zeros are sought in numbers."""
STEPS = 40
"""Newton steps from each of them."""
CLOSE = 1e-9
"""Residual of forms of size one at a zero, and the distance at which two zeros are one, squared."""
LEAST = 1e-3
"""A weight smaller than this, of weights of length one, counts as zero."""


def no_zeros(heads: Sequence[NDArray[np.int64]], p: int) -> bool | None:
    """Whether the forms have no common zero without vanishing weights; None where the ideal's degrees looked at do not say.

    >>> one, two = np.diag([1, 1, -2]), np.diag([1, -1, 0])
    >>> no_zeros([one, two], 101), no_zeros([one, two, np.diag([0, 0, 1])], 101)       # (1, ±1, ±1), and none
    (None, True)
    """
    count = len(heads[0])
    degree, power = count, 1
    while power <= POWERS and comb(count + degree - 1, degree) <= COLUMNS:
        monomials = _monomials(count, degree)
        place = {m: k for k, m in enumerate(monomials)}
        rows = np.zeros((len(heads) * comb(count + degree - 3, degree - 2) + 1, len(monomials)), dtype=np.int64)
        for r, (form, m) in enumerate((f, m) for f in heads for m in _monomials(count, degree - 2)):
            for a in range(count):
                for b in range(count):
                    made = tuple(e + (k == a) + (k == b) for k, e in enumerate(m))
                    rows[r, place[made]] = (rows[r, place[made]] + form[a, b]) % p
        known = rank(rows[:-1], p)
        rows[-1, place[(power,) * count]] = 1
        if rank(rows, p) == known:
            return True
        power, degree = power + 1, degree + count
    return None


def _monomials(count: int, degree: int) -> list[tuple[int, ...]]:
    chosen = combinations_with_replacement(range(count), degree)
    return [tuple(some.count(k) for k in range(count)) for some in chosen]


def real_zeros(heads: Numbers, seed: int, most: int = STARTS) -> list[Numbers]:
    """Real weights of length one, none of them zero, at which all forms vanish: those that random starts lead to, first few."""
    from scipy.optimize import least_squares

    heads = heads / max(float(np.max(np.abs(heads), initial=0.0)), 1e-300)
    random, found = np.random.default_rng(seed), list[Numbers]()
    if len(heads) == 1 and abs(int(np.sum(np.sign(np.linalg.eigvalsh(heads[0]))))) == heads.shape[1]:
        return found  # definite
    for _ in range(STARTS):
        begin = random.normal(size=heads.shape[1])
        end = least_squares(
            lambda h: np.append(np.einsum("rab,a,b->r", heads, h, h), h @ h - 1),
            begin / np.linalg.norm(begin),
            jac=lambda h: np.vstack([2 * np.einsum("rab,b->ra", heads, h), 2 * h]),
            xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=STEPS,
        )  # fmt: skip
        h = end.x / max(float(np.linalg.norm(end.x)), 1e-300) * (np.sign(end.x[0]) or 1.0)
        zero = np.max(np.abs(np.einsum("rab,a,b->r", heads, h, h))) < CLOSE and np.min(np.abs(h)) > LEAST
        if zero and all(float((h - other) @ (h - other)) > CLOSE for other in found):
            found.append(h)
        if len(found) >= most:
            break
    return found


def family_dimension(heads: Numbers, zero: Numbers) -> int:
    """The dimension of the zeros about one of them, as directions: 0 where it is isolated."""
    slopes = np.einsum("rab,b->ra", heads / max(float(np.max(np.abs(heads))), 1e-300), zero)
    return len(zero) - 1 - int(np.linalg.matrix_rank(slopes, tol=1e-6))


def whole_weights(zero: Numbers) -> tuple[int, ...] | None:
    """The weights as small whole numbers, where they are near such."""
    fractions = [Fraction(float(e / zero[0])).limit_denominator(SMALL) for e in zero]
    if max(abs(float(f) - e / zero[0]) for f, e in zip(fractions, zero)) > 1e-7:
        return None
    below = lcm(*(f.denominator for f in fractions))
    found = tuple(int(f * below) for f in fractions)
    return found if max(map(abs, found)) <= SMALL else None


def vanish(forms: Coefficients, weights: Sequence[int], ring: Series) -> bool:
    """Whether constant weights are a zero at every configuration: all coefficients of the forms, as series, vanish there."""
    total = np.zeros((len(forms), forms.shape[-1]), dtype=np.int64)
    for a, u in enumerate(weights):
        for b, v in enumerate(weights):
            total = ring.reduced(total + u * v * forms[:, a, b])
    return not np.any(total)


def varying_weights(forms: Coefficients, zero: Numbers, ring: Series) -> Coefficients | None:
    """The zero continued over the configurations, as series in floating numbers; None where it does not go on.

    Newton's iteration with the slopes at the start gains a degree in each step.
    """
    size = max(float(np.max(np.abs(forms))), 1e-300)
    forms = np.asarray(forms / size)
    back = np.linalg.pinv(2 * np.einsum("rab,b->ra", forms[..., 0], zero), rcond=1e-6)
    weights = np.array([ring.constant(e) for e in zero])
    for _ in range(ring.degree + 2):
        gaps = _values(forms, weights, ring)
        weights = weights - np.einsum("ar,rm->am", back, gaps)
    largest = float(np.max(np.abs(_values(forms, weights, ring))))
    return weights if largest < 1e-7 * max(1.0, float(np.max(np.abs(weights))) ** 2) else None


def _values(forms: Coefficients, weights: Coefficients, ring: Series) -> Coefficients:
    """The forms at weights that are series, (form, coefficient)."""
    size = range(len(weights))
    return np.array([
        sum(ring.product(ring.product(f[a, b], weights[a]), weights[b]) for a in size for b in size) for f in forms
    ])  # fmt: skip
