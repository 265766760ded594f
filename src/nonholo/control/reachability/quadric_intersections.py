"""Decoupling combinations of three inputs or more: common zeros of quadratic forms in the weights. [Bullo and Lewis 2004, ch. 8]

At each configuration ``Σ h_a h_b ⟨Y_a : Y_b⟩`` must lie in the span of the inputs: one quadratic form in the weights for each
direction across them. That no real or complex weights, none of them zero, solve them is proved by Hilbert's theorem of zeros:
a power of the product of the weights is in the ideal of the forms. Otherwise real zeros are sought in numbers, and those that
are fractions of small whole numbers are proved modulo the prime.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.prime.modular_arithmetic import rank
from nonholo.control.reachability.decoupling_weights import SMALL
from nonholo.control.reachability.power_series import Coefficients, Series

Array = NDArray[np.float64]
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


def real_zeros(heads: Array, seed: int, most: int = STARTS) -> list[Array]:
    """Real weights of length one, none of them zero, at which all forms vanish: those that random starts lead to, first few."""
    from scipy.optimize import least_squares

    heads = heads / max(float(np.max(np.abs(heads), initial=0.0)), 1e-300)
    random, found = np.random.default_rng(seed), list[Array]()
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


def family_dimension(heads: Array, zero: Array) -> int:
    """The dimension of the zeros about one of them, as directions: 0 where it is isolated."""
    slopes = np.einsum("rab,b->ra", heads / max(float(np.max(np.abs(heads))), 1e-300), zero)
    return len(zero) - 1 - int(np.linalg.matrix_rank(slopes, tol=1e-6))


def whole_weights(zero: Array) -> tuple[int, ...] | None:
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


def varying_weights(forms: Coefficients, zero: Array, ring: Series) -> Coefficients | None:
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
