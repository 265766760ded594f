"""Sparse polynomials with rational coefficients, their work counted: every polynomial made is charged.

Their sums and products are what shortening an expression does most of the time, and most have a few terms, so they are plain
tables of whole numbers (and fractions, where there are any). Common divisors, quotients and factors are FLINT's. Divisors and
factors of polynomials of many letters and high degree are not tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm, prod
from operator import add
from typing import Any

from nonholo.algebra.budget import Repeated, TooLongError, charge
from nonholo.algebra.cache import Cache

Monomial = tuple[int, ...]
Number = int | Fraction

DENSE = 2_000_000
"""Polynomials whose degrees allow more terms than this are not searched for common divisors or factors."""

FACTORED = 40
"""What looking for factors is charged, for each term."""
DIVIDED, RAISED = 2, 6
"""What looking for a common divisor is charged, for each term and letter, and putting a sum for a square, for each term."""
_FACTORS: Repeated[list[tuple[Polynomial, int]]] = Repeated(4000)
"""Size of the cache; of 900 sums in a report on the rattleback 40 are different."""


_RINGS: Cache[Ring] = Cache(200)


class Ring:
    """The polynomials in some letters."""

    __slots__ = ("_flint", "gens", "ngens", "one", "symbols", "zero")

    def __init__(self, symbols: Iterable[str]) -> None:
        self.symbols = tuple(symbols)
        self._flint: Any = None
        count = self.ngens = len(self.symbols)
        self.zero = Polynomial(self, {})
        self.one = Polynomial(self, {(0,) * count: 1})
        self.gens = tuple(Polynomial(self, {(0,) * i + (1,) + (0,) * (count - i - 1): 1}) for i in range(count))

    @property
    def flint(self) -> Any:
        """FLINT's ring of the polynomials with whole coefficients."""
        if self._flint is None:
            from flint import Ordering, fmpz_mpoly_ctx

            self._flint = fmpz_mpoly_ctx.get([f"x{i}" for i in range(self.ngens)], Ordering.lex)
        return self._flint

    def __call__(self, given: dict[Monomial, Number] | Number) -> Polynomial:
        """A polynomial from its terms, or a number."""
        if isinstance(given, dict):
            return _made(self, {m: c for m, c in given.items() if c})
        return _made(self, {(0,) * self.ngens: given} if given else {})

    def clone(self, symbols: Sequence[str]) -> Ring:
        """The polynomials in other letters."""
        return ring_of(symbols)


class Polynomial:
    """Monomials, as the powers of all letters, and their coefficients; never changed once it is made."""

    __slots__ = ("_hash", "_sorted", "_terms", "ring")
    _hash: int
    _sorted: list[tuple[Monomial, Number]]

    def __init__(self, ring: Ring, terms: dict[Monomial, Number]) -> None:
        self.ring, self._terms = ring, terms

    def terms(self) -> list[tuple[Monomial, Number]]:
        """Monomials and coefficients, high powers of the first letters first."""
        try:
            return self._sorted
        except AttributeError:
            self._sorted = sorted(self._terms.items(), reverse=True)
            return self._sorted

    def items(self) -> Iterable[tuple[Monomial, Number]]:
        """Monomials and coefficients in no order."""
        return self._terms.items()

    def itermonoms(self) -> Iterator[Monomial]:
        """The monomials."""
        return iter(self._terms)

    def itercoeffs(self) -> Iterator[Number]:
        """The coefficients."""
        return iter(self._terms.values())

    def __len__(self) -> int:
        return len(self._terms)

    def __bool__(self) -> bool:
        return bool(self._terms)

    def __getitem__(self, monomial: Monomial) -> Number:
        return self._terms.get(monomial, 0)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Polynomial):
            return self._terms == other._terms
        if isinstance(other, (int, Fraction)):
            return self._terms == ({(0,) * self.ring.ngens: other} if other else {})
        return NotImplemented

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self._terms.items()))
            return self._hash

    def __repr__(self) -> str:
        words = []
        for monomial, coefficient in self.terms():
            powers = [f"{s}**{p}" if p > 1 else s for s, p in zip(self.ring.symbols, monomial) if p]
            number = [str(abs(coefficient))] if abs(coefficient) != 1 or not powers else []
            words.append(("- " if coefficient < 0 else "+ ") + "*".join(number + powers))
        text = " ".join(words) or "0"
        return text[2:] if text.startswith("+ ") else text.replace("- ", "-", 1) if text.startswith("- ") else text

    def __neg__(self) -> Polynomial:
        return _made(self.ring, {m: -c for m, c in self._terms.items()})

    def __add__(self, other: Polynomial | Number) -> Polynomial:
        return _made(self.ring, _sum(self._terms, self._as_terms(other), 1))

    __radd__ = __add__

    def __sub__(self, other: Polynomial | Number) -> Polynomial:
        return _made(self.ring, _sum(self._terms, self._as_terms(other), -1))

    def __rsub__(self, other: Number) -> Polynomial:
        return _made(self.ring, _sum(self._as_terms(other), self._terms, -1))

    def __mul__(self, other: Polynomial | Number) -> Polynomial:
        if isinstance(other, Polynomial):
            return _made(self.ring, _product(self._terms, other._terms))
        return _made(self.ring, {m: c * other for m, c in self._terms.items()} if other else {})

    __rmul__ = __mul__

    def __truediv__(self, number: int) -> Polynomial:
        return self.quo_ground(number)

    def __pow__(self, times: int) -> Polynomial:
        if len(self._terms) == 1:
            ((monomial, coefficient),) = self._terms.items()
            return _made(self.ring, {tuple([times * p for p in monomial]): coefficient**times})
        result = self.ring.one
        for _ in range(times):
            result = result * self if result is not self.ring.one else self
        return result

    def _as_terms(self, other: Polynomial | Number) -> dict[Monomial, Number]:
        if isinstance(other, Polynomial):
            return other._terms
        return {(0,) * self.ring.ngens: other} if other else {}

    @property
    def LC(self) -> Number:
        """The coefficient of the first term."""
        return self._terms[max(self._terms)] if self._terms else 0

    @property
    def is_ground(self) -> bool:
        """Whether it is a number."""
        return not self._terms or (len(self._terms) == 1 and not any(next(iter(self._terms))))

    def degrees(self) -> tuple[int, ...]:
        """The highest power of each letter."""
        return tuple(map(max, zip(*self._terms))) if self._terms else (0,) * self.ring.ngens

    def quo_ground(self, number: Number) -> Polynomial:
        """The polynomial divided by a number."""
        if number == 1:
            return self
        return _made(self.ring, {m: _ratio(c, number) for m, c in self._terms.items()})

    def primitive(self) -> tuple[Number, Polynomial]:
        """The greatest number, above zero, of which all coefficients are whole multiples, and the rest."""
        content = _content(self._terms.values())
        return content, (self.quo_ground(content) if content else self)

    def div(self, other: Polynomial) -> tuple[Polynomial, Polynomial]:
        """Quotient and rest; where something is left all is left."""
        scale, above = self._whole()
        under, below = other._whole()
        content = below.content()
        found, rest = divmod(above, below / content) if above else (above, above)
        if rest:
            return self.ring.zero, self
        return self._of(found, _ratio(under, scale * int(content))), self.ring.zero

    def exquo(self, other: Polynomial) -> Polynomial:
        """The quotient by a divisor."""
        found, rest = self.div(other)
        if rest:
            raise ArithmeticError(f"{other} does not divide {self}")
        return found

    def cofactors(self, other: Polynomial) -> tuple[Polynomial, Polynomial, Polynomial]:
        """Greatest common divisor, and what is left of both; the first coefficient is one where neither is a single term."""
        if not self or not other:
            zero, one = self.ring.zero, self.ring.one
            return (self, one, zero) if self else (other, zero, one)
        (scale, under), (common, one, two) = self._divided(other)
        first = int(common.leading_coefficient())
        number = _ratio(first, lcm(scale, under)) if min(len(self), len(other)) == 1 else 1
        return (
            self._of(common, _ratio(number, first)),
            self._of(one, _ratio(first, scale * number)),
            self._of(two, _ratio(first, under * number)),
        )

    def gcd(self, other: Polynomial) -> Polynomial:
        """The greatest common divisor."""
        return self.cofactors(other)[0]

    def cancel(self, other: Polynomial) -> tuple[Polynomial, Polynomial]:
        """Numerator and denominator without common divisors, whole numbers with none in common."""
        if not self:
            return self, self.ring.one
        (scale, under), (_, one, two) = self._divided(other)
        shared = gcd(scale, under)
        sign = 1 if two.leading_coefficient() > 0 else -1
        return self._of(one, sign * under // shared), self._of(two, sign * scale // shared)

    def _divided(self, other: Polynomial) -> tuple[tuple[int, int], tuple[Any, Any, Any]]:
        """What both are multiplied by to have whole coefficients, and their common divisor with what is left of both then."""
        _refuse_dense(self, other)
        if min(len(self), len(other)) > 1:
            charge(DIVIDED * (len(self) + len(other)) * self.ring.ngens)
        (scale, above), (under, below) = self._whole(), other._whole()
        common = above.gcd(below)
        return (scale, under), (common, above / common, below / common)

    def _whole(self) -> tuple[int, Any]:
        """The number that makes all coefficients whole, and the polynomial with them, as FLINT has it."""
        scale = lcm(*[c.denominator for c in self._terms.values()])
        return scale, self.ring.flint.from_dict({m: int(c * scale) for m, c in self._terms.items()})

    def _of(self, found: Any, scale: Number = 1) -> Polynomial:
        """What FLINT found, times a number, as a polynomial of the same ring."""
        return _made(self.ring, {tuple(map(int, m)): _whole(int(c) * scale) for m, c in found.to_dict().items()})

    def factor_list(self) -> tuple[Number, list[tuple[Polynomial, int]]]:
        """A number, and factors with their powers."""
        try:
            _refuse_dense(self, self)
        except TooLongError:
            return 1, [(self, 1)]
        charge(FACTORED * (10 + len(self)))
        number, rest = self.primitive()
        if rest.LC < 0:
            number, rest = -number, -rest
        key = (self.ring.ngens, frozenset(rest._terms.items()))
        return number, list(_FACTORS.get(key, rest._factors))

    def _factors(self) -> list[tuple[Polynomial, int]]:
        """The irreducible factors with their powers, those of low degree in the first letter first, then by coefficients."""
        found = [(self._of(factor), times) for factor, times in self._whole()[1].factor()[1]]
        found = [(-factor if factor.LC < 0 else factor, times) for factor, times in found]
        return sorted(found, key=lambda one: (one[0].degrees()[:1], one[1], _dense(one[0]._terms, self.ring.ngens)))


def ring_of(letters: Sequence[str]) -> Ring:
    """Polynomials with rational coefficients in these letters.

    >>> x, y = ring_of(["x", "y"]).gens
    >>> (x**2 - y**2).cancel(x - y)
    (x + y, 1)
    """
    return _RINGS.get(tuple(letters), lambda: Ring(letters))


def multiplied(terms: Iterable[tuple[Monomial, Number, int]], factor: Polynomial, most: int) -> Polynomial:
    """The sum of terms, each times so many powers of the factor; `TooLongError` when it has more than ``most`` terms.

    >>> x, y = ring_of(["x", "y"]).gens
    >>> multiplied([((1, 0), 2, 1), ((0, 2), 1, 0)], 1 - y**2, 10)
    -2*x*y**2 + 2*x + y**2
    """
    ring, terms = factor.ring, list(terms)
    charge(RAISED * len(terms))
    powers: list[dict[Monomial, Number]] = [ring.one._terms]
    total: dict[Monomial, Number] = {}
    for monomial, coefficient, times in terms:
        if not times:
            total[monomial] = total.get(monomial, 0) + coefficient
            continue
        while len(powers) <= times:
            powers.append(_product(powers[-1], factor._terms))
        for m, c in powers[times].items():
            key = tuple(map(add, monomial, m))
            total[key] = total.get(key, 0) + coefficient * c
    if len(total) > most and sum(1 for c in total.values() if c) > most:
        raise TooLongError
    return ring(total)


def _made(ring: Ring, terms: dict[Monomial, Number]) -> Polynomial:
    charge(1)
    return Polynomial(ring, terms)


def _sum(one: dict[Monomial, Number], two: dict[Monomial, Number], sign: int) -> dict[Monomial, Number]:
    found = dict(one)
    for m, c in two.items():
        total = found.get(m, 0) + sign * c
        if total:
            found[m] = total
        else:
            del found[m]
    return found


def _product(one: dict[Monomial, Number], two: dict[Monomial, Number]) -> dict[Monomial, Number]:
    if len(one) > len(two):
        one, two = two, one
    if len(one) == 1:
        ((m, c),) = one.items()
        if not any(m):
            return {n: c * d for n, d in two.items()} if c != 1 else two
        return {tuple(map(add, m, n)): c * d for n, d in two.items()}
    found: dict[Monomial, Number] = {}
    for m, c in one.items():
        for n, d in two.items():
            key = tuple(map(add, m, n))
            found[key] = found.get(key, 0) + c * d
    return {m: c for m, c in found.items() if c}


def _whole(number: Number) -> Number:
    """A whole number as such."""
    return number.numerator if number.denominator == 1 else number


def _ratio(above: Number, below: Number) -> Number:
    return _whole(Fraction(above) / below) if below != 1 else above


def _content(numbers: Iterable[Number]) -> Number:
    numbers = list(numbers)
    if all(type(n) is int for n in numbers):
        return gcd(*numbers)  # type: ignore[arg-type]
    return _whole(Fraction(gcd(*(n.numerator for n in numbers)), lcm(*(n.denominator for n in numbers))))


def _dense(terms: dict[Monomial, Number], letters: int) -> Any:
    """Coefficients by falling powers of the first letter, each again so by the next."""
    if not letters:
        return terms.get((), 0)
    rows: list[dict[Monomial, Number]] = [{} for _ in range(1 + max((m[0] for m in terms), default=0 if letters > 1 else -1))]
    for m, c in terms.items():
        rows[-1 - m[0]][m[1:]] = c
    return [_dense(row, letters - 1) for row in rows]


def _refuse_dense(one: Polynomial, two: Polynomial) -> None:
    charge(len(one) * len(two) // 4)
    if one and two and prod(max(a, b) + 1 for a, b in zip(one.degrees(), two.degrees())) > DENSE:
        raise TooLongError
