"""Second-order ODEs solved by powers of polynomials, with exponents from a quadratic equation in the parameters.

This is the first case of Kovacic's algorithm [Kovacic 1986] as far as it is needed here: every finite singular point and
infinity are regular, conjugate points have the same exponents, and all exponents lie in one quadratic extension
``Q(parameters)(√D)``. A homogeneous ball whose centre moves on a paraboloid of revolution is such a case: its momenta are
cosines and sines of ``κ ln(1 + k² ρ²)`` [Routh 1905; Borisov, Mamaev and Kilin 2002].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import isqrt
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate
from nonholo.symmetry.integrals.gauge.function_field import Element, FunctionField
from nonholo.symmetry.integrals.ode.closed_form import ClosedForm, linear_relations, positive, somewhere

DEGREE = 6
"""Polynomials beside the powers have at most this degree."""
PLACES = 3
"""ODEs with more singular points than this (conjugate ones count once) are left alone."""
Matrix = tuple[tuple[Element, ...], ...]


@dataclass(frozen=True)
class _Exponents:
    """Both exponents at the zeros of ``base`` (None for infinity): ``half ± root``, or ``half ± root·√D`` when ``bent``."""

    base: Element | None
    half: Element
    root: Element
    bent: bool


@dataclass(frozen=True)
class _Ansatz:
    """``y = Π base^(plain + bent·√D) · polynomial`` with its logarithmic derivative ``λ_0 + λ_1 √D``."""

    square: Element
    powers: tuple[tuple[Element, Element, Element], ...]
    """(base, plain, bent)."""
    slopes: tuple[Element, Element]
    degree: int


def power_solutions(F: FunctionField, N: Matrix) -> list[ClosedForm]:
    """Solutions ``y_i = Π p_j(s)^{e_j} · polynomial`` of a 2 x 2 system ``y' = N y``, with the other component."""
    if len(N) != 2:
        return []
    for i, j in ((1, 0), (0, 1)):
        if N[i][j] == 0:
            continue
        log = F.reduced(F.derivative(N[i][j]) / N[i][j])
        a = F.reduced(-(N[i][i] + N[j][j] + log))
        b = F.reduced(N[i][i] * N[j][j] - N[i][j] * N[j][i] - F.derivative(N[i][i]) + N[i][i] * log)
        found: list[ClosedForm] = []
        for one in _ansaetze(F, a, b):
            found += _solutions(F, N, i, a, b, one)
            if len(found) > 1:  # conjugate ones come together
                return found[:2]
        if found:
            return found
    return []


def _ansaetze(F: FunctionField, a: Element, b: Element) -> list[_Ansatz]:
    """The choices of exponents that leave room for a polynomial, for ``y'' + a y' + b y = 0``."""
    if any(_moving(F, e) for e in (a, b)):
        return []
    found = {p: None for e in (a, b) for p, _ in e.denom.factor_list()[1]}
    bases = [F.field.new(p, F.field.ring.one) for p in found]
    bases = [p for p in bases if not F.steady(p)]
    logs = [F.reduced(F.derivative(p) / p) for p in bases]
    if not bases or len(bases) > PLACES:
        return []
    weights = next((w for w in linear_relations(F, [[a], *([e] for e in logs)]) if w[0] != 0), None)
    if weights is None:  # a pole of higher order, or one that grows towards infinity
        return []
    firsts = [-w / weights[0] for w in weights[1:]]
    seconds = [_double_pole(F, b, p) for p in bases]
    sizes = [_degree(F, p) for p in bases]
    end = _at_infinity(F, b)
    if end is None or any(e is None for e in seconds):
        return []
    firsts.append(sum((w * n for w, n in zip(firsts, sizes)), F.zero))
    local = [((1 - A) / 2, F.reduced((1 - A) ** 2 / 4 - B)) for A, B in zip(firsts, [*seconds, end])]
    D = next((square for _, square in local if square != 0 and square_root(F, square) is None), F.one)
    exponents = []
    for (half, square), base in zip(local, [*bases, None]):
        plain = F.zero if square == 0 else square_root(F, square)
        root = plain if plain is not None else square_root(F, square / D)
        if root is None:
            return []
        exponents.append(_Exponents(base, half, root, plain is None))
    return _chosen(F, D, exponents, logs, sizes)


def _chosen(
    F: FunctionField, D: Element, exponents: Sequence[_Exponents], logs: Sequence[Element], sizes: Sequence[int]
) -> list[_Ansatz]:
    result = []
    for signs in product((1, -1), repeat=len(exponents)):
        if any(e.root == 0 and sign < 0 for e, sign in zip(exponents, signs)):
            continue
        plain = [e.half + (F.zero if e.bent else sign * e.root) for e, sign in zip(exponents, signs)]
        bent = [sign * e.root if e.bent else F.zero for e, sign in zip(exponents, signs)]
        if bent[-1] != sum((w * n for w, n in zip(bent, sizes)), F.zero):
            continue
        degree = _whole(plain[-1] - sum((w * n for w, n in zip(plain, sizes)), F.zero))
        if degree is None or not 0 <= degree <= DEGREE:
            continue
        slopes = [F.reduced(sum((w * log for w, log in zip(part, logs)), F.zero)) for part in (plain, bent)]
        powers = [(e.base, p, w) for e, p, w in zip(exponents, plain, bent) if e.base is not None]
        result.append(_Ansatz(D, tuple(powers), (slopes[0], slopes[1]), degree))
    return result


def _solutions(F: FunctionField, N: Matrix, i: int, a: Element, b: Element, one: _Ansatz) -> list[ClosedForm]:
    """The polynomials ``P_0 + P_1 √D`` for which the ansatz solves the ODE, as solutions of the system."""
    D, (flat, bent) = one.square, one.slopes
    twisted = any(w != 0 for _, _, w in one.powers)
    bases = [base for base, _, _ in one.powers]
    first, second = 2 * flat + a, _added(F, [F.derivative(flat), flat * (flat + a), bent**2 * D, b], bases)
    outer = F.derivative(bent) + 2 * flat * bent + a * bent

    def own(f: Element) -> Element:
        slope = F.derivative(f)
        return F.reduced(F.derivative(slope) + first * slope + second * f)

    def across(f: Element) -> Element:
        return F.reduced(2 * bent * F.derivative(f) + outer * f)

    library = [F.s**k for k in range(one.degree + 1)]
    columns = [[own(f), across(f)] for f in library]
    if twisted:
        columns += [[D * across(f), own(f)] for f in library]
    result: list[ClosedForm] = []
    for weights in linear_relations(F, columns)[:1]:
        size = len(library)
        P = [
            F.reduced(sum((w * f for w, f in zip(weights[k : k + size], library)), F.zero))
            for k in (range(0, 2 * size, size) if twisted else (0,))
        ]
        P = P if twisted else [P[0], F.zero]
        slopes = [F.derivative(P[0]) + flat * P[0] + D * bent * P[1], F.derivative(P[1]) + flat * P[1] + bent * P[0]]
        others = [F.reduced((slope - N[i][i] * p) / N[i][1 - i]) for slope, p in zip(slopes, P)]
        vectors = [tuple((p, o) if i == 0 else (o, p)) for p, o in zip(P, others)]
        result += _real(F, one, vectors)
    return result


def _added(F: FunctionField, terms: Sequence[Element], bases: Sequence[Element]) -> Element:
    """A sum of fractions whose denominators hold powers of the bases: these are divided out before what is left is cancelled."""
    total = F.zero
    for term in terms:
        if total == 0 or term == 0:
            total = total + term
            continue
        above, below = total.numer * term.denom + term.numer * total.denom, total.denom * term.denom
        for base in (e.numer for e in bases if not e.numer.is_ground):
            while above and not above.rem(base) and not below.rem(base):
                above, below = above.exquo(base), below.exquo(base)
        total = F.field(above) / F.field(below)
    return total


def _real(F: FunctionField, one: _Ansatz, vectors: Sequence[tuple[Element, ...]]) -> list[ClosedForm]:
    """Real solutions: two for conjugate exponents, by powers where ``D > 0`` and by cosine and sine where it is not."""
    outside, logs = ONE, []
    for base, plain, bent in one.powers:
        shown = positive(F, base)
        outside *= shown ** F.expression(plain, True)
        if bent != 0:
            logs.append((shown, F.expression(bent, True)))
    if not logs:
        return [ClosedForm(((outside, vectors[0]),), "an ODE solved by powers")]
    D = F.expression(one.square, True)
    straight = bool(evaluate([D], somewhere(F, 0.31))[0] > 0)
    kappa = se.sqrt(D if straight else -D)
    word = "an ODE solved by powers whose exponents are roots of a quadratic equation"
    if straight:
        result = []
        for sign in (1, -1):
            factor = outside * se.Mul(*(p ** (sign * kappa * w) for p, w in logs))
            terms = _terms((factor, vectors[0]), (sign * kappa * factor, vectors[1]))
            result.append(ClosedForm(terms, word, factor, D))
        return result
    angle = kappa * se.Add(*(w * se.log(p) for p, w in logs))
    waves = ((se.cos(angle), -se.sin(angle)), (se.sin(angle), se.cos(angle)))
    word = "an ODE solved by powers whose exponents are complex: cosines and sines of logarithms"
    return [
        ClosedForm(_terms((outside * f, vectors[0]), (outside * kappa * g, vectors[1])), word) for f, g in waves
    ]


def _terms(*terms: tuple[Expr, tuple[Element, ...]]) -> tuple[tuple[Expr, tuple[Element, ...]], ...]:
    return tuple((factor, vector) for factor, vector in terms if any(e != 0 for e in vector))


def _moving(F: FunctionField, value: Element) -> bool:
    """Whether another function of ``s`` than ``s`` itself stands in it."""
    own = {F.field.gens.index(g) for g in F.functions} - {F.field.gens.index(F.s)}
    return any(m[k] for part in (value.numer, value.denom) for m in part.monoms() for k in own)


def _degree(F: FunctionField, polynomial: Element) -> int:
    place = F.field.gens.index(F.s)
    return max(int(m[place]) for m in polynomial.numer.monoms())


def _double_pole(F: FunctionField, b: Element, base: Element) -> Element | None:
    """``B`` with ``b ~ B (p'/p)²`` at every zero of ``p``; None where it is not the same at all, or the pole is worse."""
    scaled = F.reduced(b * base**2)
    if _degree_in(scaled.denom, base.numer) > 0:
        return None
    top, bottom = (F.field.new(p, F.field.ring.one) for p in (scaled.numer, scaled.denom))
    other = F.derivative(base) ** 2 * bottom
    size = max(_degree(F, e) if e != 0 else 0 for e in (top, other)) - _degree(F, base)
    rest = [[base * F.s**k] for k in range(size + 1)]
    for weights in linear_relations(F, [[top], [other], *rest]):
        if weights[0] != 0:
            return F.reduced(-weights[1] / weights[0])
    return None


def _degree_in(polynomial: Any, base: Any) -> int:
    """How often a polynomial is divided by another."""
    count = 0
    while polynomial and not polynomial.rem(base):
        polynomial, count = polynomial.quo(base), count + 1
    return count


def _at_infinity(F: FunctionField, b: Element) -> Element | None:
    """``lim s² b``; None where there is none."""
    if b == 0:
        return F.zero
    top, bottom = (F.field.new(p, F.field.ring.one) for p in (b.numer, b.denom))
    above = _degree(F, top) + 2 - _degree(F, bottom)
    if above:
        return None if above > 0 else F.zero
    parts = [F.coefficients(e) for e in (top, bottom)]
    leads = [max(part.items(), key=lambda item: item[0][-1])[1] for part in parts]
    return F.reduced(leads[0] / leads[1])


def _whole(value: Element) -> int | None:
    """The whole number that an element is, if it is one."""
    if value == 0:
        return 0
    if not (value.numer.is_ground and value.denom.is_ground):
        return None
    number = value.numer.LC / value.denom.LC
    return int(number.numerator) if number.denominator == 1 else None


def square_root(F: FunctionField, value: Element) -> Element | None:
    """The square root of a rational function of the parameters, where it is one."""
    result = F.one
    for polynomial, sign in ((value.numer, 1), (value.denom, -1)):
        content, parts = polynomial.factor_list()
        top, bottom = int(content.numerator), int(content.denominator)
        if top < 0 or isqrt(top) ** 2 != top or isqrt(bottom) ** 2 != bottom or any(power % 2 for _, power in parts):
            return None
        result *= (F.field.ground_new(isqrt(top)) / isqrt(bottom)) ** sign
        for part, power in parts:
            result *= F.field.new(part, F.field.ring.one) ** (sign * power // 2)
    return result
