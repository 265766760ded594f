"""Brackets of fields at one state by power series: words of drift and input fields, and the flag of a distribution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import Protocol

import numpy as np

from nonholo.algebra.calculus import symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import rank
from nonholo.algebra.prime.power_series import (
    Coefficients,
    ExactPlace,
    Expansion,
    NumericPlace,
    Place,
    Series,
    pair_count,
    series_ring,
)
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.geometry.distributions.random_configurations import NoPoints, place_groups
from nonholo.geometry.frames.frame import Frame, structure_functions

Word = tuple[int, ...]
"""``(i, j, k)`` stands for ``[X_i, [X_j, X_k]]``; field 0 is the drift."""
Type = tuple[int, ...]
"""How often each field occurs."""
DEGREES = (2, 4, 6)
"""Series for flags are taken to these degrees, one after the other, until the flag ends."""
LANES = 12
PAIRS = 150_000
"""Products of series with more pairs of terms than this are not taken."""
BRACKETS = 5000
"""Not more brackets than this are taken at one state."""
ROUNDING = 1e-7
"""A vector of numbers whose part outside a span is smaller than this is in it."""


class Jets(Protocol):
    """Series of fields, the drift first."""

    @property
    def fields(self) -> Coefficients: ...
    @property
    def ring(self) -> Series: ...
    @property
    def variables(self) -> list[int]: ...
    @property
    def degree(self) -> int: ...
    @property
    def p(self) -> int: ...


class TooManyBrackets(Exception):
    """The search has spent its brackets."""


def directional(
    ring: Series, variables: Sequence[int], rates: Coefficients, field: Coefficients, degree: int
) -> Coefficients:
    """``Σ_j rates_j ∂_j field`` up to a degree below that of the field; ``variables`` are the places of the ring's variables."""
    count = ring.counts[degree]
    total = np.zeros((len(field), count), dtype=field.dtype)
    for k, j in enumerate(variables):
        along = rates[j, :count]
        if not np.any(along):
            continue
        slope = ring.derivative(field, k, degree)
        rows = np.flatnonzero(np.any(slope, axis=1))
        if len(rows):
            total[rows] = ring.reduced(total[rows] + ring.product(slope[rows], along[None], degree))
    return total


class LieWords:
    """Values of iterated brackets at the state of the jets, up to one more field than the degree of the jets.

    Brackets nested to the right span all brackets of the same type [Dynkin]. A bracket whose series vanishes is zero in all
    further brackets, too, and is not followed.
    """

    def __init__(self, jets: Jets, drift: Coefficients | None = None) -> None:
        self.jets, self.p = jets, jets.p
        self.longest = jets.degree + 1
        fields = jets.fields if drift is None else np.concatenate([drift[None], jets.fields[1:]])
        self.fields = fields
        self.count, self.dimension = len(fields), fields.shape[1]
        self._kept: dict[Word, Coefficients | None] = {}

    def jet(self, word: Word) -> Coefficients | None:
        """The series of a bracket, None where it vanishes; it has one degree less for each further field."""
        if word not in self._kept:
            if len(word) == 1:
                found = self.fields[word[0]]
            else:
                found = self._bracket(word[:1], word[1:])
                if len(self._kept) > BRACKETS:
                    raise TooManyBrackets
            self._kept[word] = found if found is not None and np.any(found) else None
        return self._kept[word]

    def _bracket(self, first: Word, rest: Word) -> Coefficients | None:
        """``[X, Y]^i = Σ_j X^j ∂_j Y^i − Y^j ∂_j X^i``."""
        if first == rest:
            return None
        x, y = self.jet(first), self.jet(rest)
        if x is None or y is None:
            return None
        ring, degree, moving = self.jets.ring, self.longest - 1 - len(rest), self.jets.variables
        return ring.reduced(directional(ring, moving, x, y, degree) - directional(ring, moving, y, x, degree))

    def value(self, word: Word) -> Coefficients:
        """The bracket at the state."""
        found = self.jet(word)
        return np.zeros(self.dimension, dtype=self.fields.dtype) if found is None else found[:, 0]

    def words(self, kind: Type) -> Iterator[Word]:
        """The brackets of a type that do not vanish by an inner part of theirs, shorter inner parts first."""
        if sum(kind) == 1:
            yield (kind.index(1),)
            return
        for k, times in enumerate(kind):
            if not times:
                continue
            less = tuple(e - (j == k) for j, e in enumerate(kind))
            if sum(less) == 1 and less.index(1) <= k:
                continue  # [X, X], or the other sign of one that is there
            for rest in self.words(less):
                if self.jet(rest) is not None:
                    yield (k, *rest)

    def span(self, kind: Type) -> list[Coefficients]:
        """The values of all brackets of a type."""
        return [v for v in (self.value(w) for w in self.words(kind)) if np.any(v)]

    def bracket(self, word: Word, names: Sequence[str]) -> str:
        """A bracket as text: ``[g1, [g1, f]]``."""
        text = names[word[-1]]
        for k in reversed(word[:-1]):
            text = f"[{names[k]}, {text}]"
        return text


def types(fields: int, length: int) -> Iterator[Type]:
    """All types of brackets with so many fields.

    >>> list(types(2, 2))
    [(2, 0), (1, 1), (0, 2)]
    """
    for bars in combinations(range(length + fields - 1), fields - 1):
        ends = (-1, *bars, length + fields - 1)
        yield tuple(b - a - 1 for a, b in pairwise(ends))[::-1] if fields > 1 else (length,)


class Span:
    """A growing span of vectors, modulo a prime or (``p = 0``) by singular values."""

    def __init__(self, dimension: int, p: int) -> None:
        self.p, self.dimension = p, dimension
        self.rows: Coefficients = np.zeros((0, dimension), dtype=np.int64 if p else np.float64)

    @property
    def size(self) -> int:
        return len(self.rows)

    def add(self, vectors: Sequence[Coefficients]) -> None:
        """Keep those that are not in the span yet."""
        for v in vectors:
            if v not in self:
                self.rows = np.concatenate([self.rows, self._normal(v)[None]])

    def _normal(self, vector: Coefficients) -> Coefficients:
        """Residues as they are; numbers without their part in the span, of length one."""
        if self.p:
            return np.asarray(vector % self.p)
        left = vector - self.rows.T @ (self.rows @ vector)
        left = left - self.rows.T @ (self.rows @ left)
        return np.asarray(left / np.linalg.norm(left))

    def __contains__(self, vector: Coefficients) -> bool:
        if self.p:
            if not np.any(vector % self.p) or self.size == self.dimension:
                return True
            return rank(np.concatenate([self.rows, vector[None] % self.p]), self.p) == self.size
        length = float(np.linalg.norm(vector))
        left = vector - self.rows.T @ (self.rows @ vector)
        return bool(np.linalg.norm(left) <= ROUNDING * max(length, 1.0))

    def copy(self) -> Span:
        other = Span(self.dimension, self.p)
        other.rows = self.rows
        return other


@dataclass(frozen=True)
class Growth:
    """Dimensions of the span of brackets up to each length, brackets that make it, and whether longer ones add nothing."""

    dimensions: tuple[int, ...]
    basis: tuple[Word, ...]
    complete: bool

    @property
    def rank(self) -> int:
        return self.dimensions[-1]


def generic_growth(words: LieWords, most: int) -> Growth:
    """The growth at a generic state, where brackets of dependent fields are dependent: only new ones are followed."""
    whole, basis, dimensions = Span(words.dimension, words.p), list[Word](), list[int]()
    last: list[Word] = []
    for length in range(1, words.longest + 1):
        singles: list[Word] = [(k,) for k in range(words.count)]
        fresh = singles if length == 1 else [(k, *w) for w in last for k in range(words.count)]
        new: list[Word] = []
        for word in fresh:
            if words.value(word) not in whole:
                whole.add([words.value(word)])
                new.append(word)
        basis += new
        last = new
        if not new:
            return Growth(tuple(dimensions), tuple(basis), True)
        dimensions.append(whole.size)
        if whole.size == most:
            return Growth(tuple(dimensions), tuple(basis), True)
    return Growth(tuple(dimensions), tuple(basis), False)


def growth_at(words: LieWords, most: int) -> Growth:
    """The growth at a special state: all brackets up to the longest, until they span ``most`` dimensions."""
    whole, basis, dimensions = Span(words.dimension, words.p), list[Word](), list[int]()
    try:
        for length in range(1, words.longest + 1):
            for kind in types(words.count, length):
                for word in words.words(kind) if whole.size < most else ():
                    if words.value(word) not in whole:
                        whole.add([words.value(word)])
                        basis.append(word)
            dimensions.append(whole.size)
            if whole.size == most:
                break
    except TooManyBrackets:
        dimensions.append(whole.size)
    return Growth(tuple(dimensions), tuple(basis), whole.size == most)


@dataclass(frozen=True, eq=False)
class FrameSeries:
    """Fields by their components in a frame, with the frame's anchor and structure functions, as series about a place."""

    ring: Series
    variables: tuple[int, ...]
    fields: Coefficients
    anchor: Coefficients
    """``(coordinates, velocities)``."""
    table: Mapping[tuple[int, int, int], Coefficients]

    def bracket(self, one: Coefficients, two: Coefficients, degree: int) -> Coefficients:
        """``[X, Y]^m = X[Y^m] − Y[X^m] + c_ij^m (X^i Y^j − X^j Y^i)`` up to a degree below that of both fields."""
        ring, count = self.ring, self.ring.counts[degree]
        total = self._along(one, two, degree) - self._along(two, one, degree)
        one, two = one[:, :count], two[:, :count]
        for (i, j, m), c in self.table.items():
            minor = ring.reduced(ring.product(one[i], two[j], degree) - ring.product(one[j], two[i], degree))
            total[m] = total[m] + ring.product(c[:count], minor, degree)
        return np.asarray(ring.reduced(total))

    def _along(self, field: Coefficients, other: Coefficients, degree: int) -> Coefficients:
        ring, count = self.ring, self.ring.counts[degree]
        rates = ring.reduced(sum(ring.product(self.anchor[:, a, :count], e[None, :count], degree) for a, e in enumerate(field)))
        return directional(ring, self.variables, rates, other, degree)


def frame_series(frame: Frame, fields: Sequence[Sequence[Expr]], place: Place, degree: int) -> FrameSeries:
    """The series of fields on a frame."""
    x, table = symbols(frame.coordinates), structure_functions(frame)
    anchor = [e for row in frame.anchor for e in row]
    flat = [*anchor, *table.values(), *(e for f in fields for e in f)]
    used = {s for e in flat for s in e.free_symbols}
    variables = tuple(k for k, s in enumerate(x) if s in used)
    if pair_count(len(variables), degree) > PAIRS:
        raise Unsupported("series with too many terms")
    ring = series_ring(len(variables), degree, place.p)
    found = Expansion(ring, place, [x[k] for k in variables]).series(flat)
    own = np.array(found[len(anchor) + len(table) :]).reshape(len(fields), frame.size, -1)
    rows = np.array(found[: len(anchor)]).reshape(len(x), frame.size, -1)
    return FrameSeries(ring, variables, own, rows, dict(zip(table, found[len(anchor) :])))


def flag_dimensions(
    frame: Frame, fields: Sequence[Sequence[Expr]], most: int, derived: bool = False, at: Mapping[str, float] | None = None
) -> tuple[tuple[int, ...], bool] | None:
    """The dimensions of the flag at almost all configurations up to ``most``, and whether it ends there; None where undecided.

    Each step brackets the last one with the fields, or with all before it where ``derived``. The place is random modulo a prime;
    where that cannot be had, ``at`` in floating numbers.

    >>> from nonholo.geometry.frames.frame import Euclidean
    >>> x, y, z = symbols("xyz")
    >>> flag_dimensions(Euclidean("x y z"), [(x**0, 0 * x, y), (0 * x, x**0, 0 * x)], 3)
    ((2, 3), True)
    """
    if not fields or not frame.coordinates:
        return None if fields else ((0,), True)
    found: tuple[tuple[int, ...], bool] | None = None
    for exact, degree in product((True, False) if at is not None else (True,), DEGREES):
        if found is not None and (found[1] or not exact):
            break
        try:
            place = _random_place(frame) if exact else NumericPlace({symbol(n): e for n, e in (at or {}).items()})
            dimensions = _flag(frame_series(frame, fields, place, degree), most, derived)
        except (NoPoints, Unsupported, ValueError, ZeroDivisionError):
            continue
        if not (exact and place.opaque):
            found = dimensions
    return found


def _random_place(frame: Frame) -> Place:
    points = Points(LANES, 23)
    place_groups(points, frame)
    return ExactPlace(points)


def _flag(series: FrameSeries, most: int, derived: bool) -> tuple[tuple[int, ...], bool]:
    whole = Span(series.fields.shape[1], series.ring.p)
    dimensions: list[int] = []
    every: list[Coefficients] = []
    first: list[Coefficients] = []
    leads = list(series.fields)
    for degree in range(series.ring.degree, -1, -1):
        last = []
        for lead in leads:
            if lead[:, 0] not in whole:
                whole.add([lead[:, 0]])
                last.append(lead)
        if dimensions and not last:
            return tuple(dimensions), True
        dimensions.append(whole.size)
        if whole.size >= most or not last:
            return tuple(dimensions), True
        first, every = first or last, [*every, *last]
        partners = every if derived else first
        pairs = {frozenset((id(a), id(b))): (a, b) for a in partners for b in last if a is not b}
        leads = [series.bracket(a, b, degree - 1) for a, b in pairs.values()] if degree else []
    return tuple(dimensions), False
