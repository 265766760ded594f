"""Functions of one variable as elements of a differential field with exact zero tests.

The field is ``Q(parameters)(s, g_1, g_2, …)``: roots and sines are generators with ``g² = polynomial``, exponentials
and logarithms are free ones. Every element is brought to ``Σ a_k g^k / polynomial in s``, so that what is zero is
seen to be zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from nonholo.algebra.calculus import atoms, expand, substitute
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.rational_reconstruction import decimal_fractions

Element = Any
FACTORED = 60
"""Polynomials with more terms than this are left as they are."""


class Unsupported(Exception):
    """An expression that is not a function of the field's kind."""


class FunctionField:
    """The smallest field that holds the given expressions and their derivatives by ``variable``."""

    def __init__(self, variable: Any, exprs: Sequence[Expr]) -> None:
        from sympy import QQ
        from sympy.polys.fields import field
        from sympy.polys.orderings import lex

        self.variable = variable
        self._atoms: dict[Any, str] = {}
        found = [_plain(e) for e in exprs]
        self._growth = _growth_units(found)
        parameters = sorted({s for e in found for s in e.free_symbols} - {variable}, key=str)
        for e in found:
            self._collect(e)
        names = [*(f"_g{i}" for i in range(len(self._atoms))), "_s", *(f"_p{i}" for i in range(len(parameters)))]
        self.field, *gens = field(names, QQ, lex)
        count = len(self._atoms)
        self._gens: dict[Any, Element] = dict(zip(self._atoms, gens[:count]))
        self._gens |= dict(zip((variable, *parameters), gens[count:]))
        self.parameters = parameters
        self.s = self._gens[variable]
        self.zero, self.one = self.field.zero, self.field.one
        self._squares: list[tuple[Element, Element]] = []
        for atom in reversed(list(self._atoms)):
            if atom[0] == "root":
                self._squares.append((self._gens[atom], self.element(atom[1])))
            elif atom[0] == "sin":
                self._squares.append((self._gens[atom], 1 - self._gens[("cos", atom[1])] ** 2))
        self._squares.reverse()  # outer roots first: what they leave may hold inner ones
        self._rates: dict[Any, Element] = {}
        for atom in self._atoms:
            inner = self.element(atom[1].diff(variable)) if variable in atom[1].free_symbols else self.zero
            one = self._gens[atom]
            if atom[0] == "root":
                self._rates[atom] = inner / (2 * one)
            elif atom[0] == "exp":
                self._rates[atom] = one * inner
            elif atom[0] == "log":
                self._rates[atom] = inner / self.element(atom[1])
            elif atom[0] == "sin":
                self._rates[atom] = self._gens[("cos", atom[1])] * inner
            elif atom[0] == "cos":
                self._rates[atom] = -self._gens[("sin", atom[1])] * inner

    def _collect(self, e: Expr) -> None:
        """Name the atoms, inner ones last: a root's square must be a polynomial in what comes after it."""
        for atom in self._kinds(e):
            if atom not in self._atoms:
                self._collect(atom[1])
                self._collect(atom[1].diff(self.variable))
                self._atoms = {atom: "", **self._atoms}
        if not (isinstance(e, se.Pow) and e.args[0] == se.E):
            for part in e.args:
                self._collect(part)

    def _kinds(self, e: Expr) -> list[Any]:
        if isinstance(e, se.Pow):
            base, power = e.args
            if base == se.E:
                return [("exp", self._unit(power))]
            if power.is_Integer:
                return []
            if not power.is_Number or not (2 * power).is_Integer:
                raise Unsupported(str(e))
            return [("root", base)]
        if isinstance(e, (se.sin, se.cos)):
            return [("sin", e.args[0]), ("cos", e.args[0])]
        if isinstance(e, se.log):
            return [("log", e.args[0])]
        if e.is_Symbol or e.is_Number or isinstance(e, (se.Add, se.Mul)):
            return []
        raise Unsupported(str(e))

    def _unit(self, exponent: Expr) -> Expr:
        return next((u for u in self._growth if _whole_ratio(exponent, u) is not None), exponent)

    def element(self, expr: Expr) -> Element:
        """An expression as an element of the field."""
        return self.reduced(self._element(_plain(expr)))

    def _element(self, e: Expr) -> Element:
        from sympy import QQ

        if e.is_Number:
            return self.field.ground_new(QQ.from_sympy(e._sympy_()))
        if e.is_Symbol:
            if e not in self._gens:
                raise Unsupported(str(e))
            return self._gens[e]
        if isinstance(e, se.Add):
            return self._sum([self._element(part) for part in e.args])
        if isinstance(e, se.Mul):
            parts = [self._element(part) for part in e.args]
            top, bottom = self.field.ring.one, self.field.ring.one
            for part in parts:
                top, bottom = top * part.numer, bottom * part.denom
            return self.field.new(top, bottom)
        if isinstance(e, se.Pow):
            base, power = e.args
            if base == se.E:
                unit = self._unit(power)
                return self._gens[("exp", unit)] ** int(_whole_ratio(power, unit) or 1)
            if power.is_Integer:
                return self.reduced(self._element(base)) ** int(power)
            return self._gens[("root", base)] ** int(2 * power)
        for kind, name in ((se.sin, "sin"), (se.cos, "cos"), (se.log, "log")):
            if isinstance(e, kind):
                return self._gens[(name, e.args[0])]
        raise Unsupported(str(e))

    def _sum(self, parts: Sequence[Element]) -> Element:
        """A sum with one cancellation for each denominator, not for each term."""
        tops: dict[Any, Any] = {}
        for part in parts:
            tops[part.denom] = tops.get(part.denom, self.field.ring.zero) + part.numer
        total = self.zero
        for bottom, top in tops.items():
            total += self.field.new(top, bottom)
        return total

    def reduced(self, value: Element) -> Element:
        """The same element with every ``g²`` replaced, and no root in the denominator."""
        for root, square in self._squares:
            top, bottom = self._split(value.numer, root, square), self._split(value.denom, root, square)
            if bottom[1] == 0:
                value = (top[0] + top[1] * root) / bottom[0]
            else:
                norm = bottom[0] ** 2 - bottom[1] ** 2 * square
                first = top[0] * bottom[0] - top[1] * bottom[1] * square
                value = (first + (top[1] * bottom[0] - top[0] * bottom[1]) * root) / norm
        return value

    def _split(self, polynomial: Any, root: Element, square: Element) -> tuple[Element, Element]:
        """``a + b g`` from a polynomial in ``g``."""
        place = self.field.gens.index(root)
        parts = [self.zero, self.zero]
        powers: dict[int, Any] = {}
        for monomial, coefficient in polynomial.terms():
            degree = monomial[place]
            rest = (*monomial[:place], 0, *monomial[place + 1 :])
            powers.setdefault(degree, []).append((rest, coefficient))
        for degree, terms in powers.items():
            piece = self.field.ring.from_dict(dict(terms))
            parts[degree % 2] += self.field.new(piece, self.field.ring.one) * square ** (degree // 2)
        return parts[0], parts[1]

    def derivative(self, value: Element) -> Element:
        """``d/ds``."""
        total = value.diff(self.s)
        for atom, rate in self._rates.items():
            total += value.diff(self._gens[atom]) * rate
        return self.reduced(total)

    def expression(self, value: Element, factored: bool = False) -> Expr:
        """The element as an expression, for people with numerator and denominator in factors."""
        top, bottom = value.numer, value.denom
        if sum(c < 0 for c in bottom.coeffs()) * 2 > len(bottom.coeffs()):
            top, bottom = -top, -bottom
        return self._read(top, factored) / self._read(bottom, factored)

    def _read(self, polynomial: Any, factored: bool) -> Expr:
        if polynomial.is_ground:
            return se.sympify(self.field.domain.to_sympy(polynomial.coeff(1)))
        names = {se.Symbol(str(g)): _atom(k) for k, g in self._gens.items()}
        if not factored or len(polynomial) > FACTORED:
            return substitute([se.sympify(polynomial.as_expr())], names)[0]
        content, parts = polynomial.factor_list()
        result = se.sympify(self.field.domain.to_sympy(content))
        for part, power in parts:
            if sum(c < 0 for c in part.coeffs()) * 2 > len(part.coeffs()):
                part, result = -part, result * (-1) ** power
            result *= substitute([se.sympify(part.as_expr())], names)[0] ** power
        return result

    def coefficients(self, value: Element) -> dict[tuple[int, ...], Element]:
        """The numerator by monomials in ``s`` and the atoms that change; the coefficients do not depend on ``s``."""
        moving = [k for k, a in enumerate(self._atoms) if self._rates[a] != 0] + [len(self._atoms)]
        found: dict[tuple[int, ...], Any] = {}
        for monomial, coefficient in value.numer.terms():
            key = tuple(monomial[k] for k in moving)
            rest = tuple(0 if k in moving else p for k, p in enumerate(monomial))
            found.setdefault(key, {})[rest] = coefficient
        ring = self.field.ring
        return {k: self.field.new(ring.from_dict(p), ring.one) for k, p in found.items()}

    def steady(self, value: Element) -> bool:
        """Whether the element, as `reduced` leaves it, depends on the parameters alone: no function of ``s`` stands in it."""
        moving = [k for k, a in enumerate(self._atoms) if self._rates[a] != 0] + [len(self._atoms)]
        return not any(m[k] for part in (value.numer, value.denom) for m in part.monoms() for k in moving)

    @property
    def functions(self) -> list[Element]:
        """The generators that change with ``s``."""
        return [self._gens[a] for a in self._atoms if self._rates[a] != 0] + [self.s]


def _atom(key: Any) -> Expr:
    if not isinstance(key, tuple):
        return key
    kind, inner = key
    return {"root": se.sqrt, "exp": se.exp, "sin": se.sin, "cos": se.cos, "log": se.log}[kind](inner)


def _plain(e: Expr) -> Expr:
    """Decimal numbers as fractions, tangents as quotients."""
    e = se.sympify(e)
    table = decimal_fractions([e])
    table |= {n: se.sin(n.args[0]) / se.cos(n.args[0]) for n in atoms([e], se.tan)}
    table |= {n: se.cos(n.args[0]) / se.sin(n.args[0]) for n in atoms([e], se.cot)}
    table |= {n: 1 / se.cos(n.args[0]) for n in atoms([e], se.sec)}
    table |= {n: 1 / se.sin(n.args[0]) for n in atoms([e], se.csc)}
    e = e.xreplace(table) if table else e
    turned = {f: _turned(f) for f in atoms([e], se.sin, se.cos) if f.args[0].has(se.pi)}
    return e.xreplace(turned) if turned else e


def _turned(wave: Expr) -> Expr:
    """``sin(a + k π)`` and ``cos(a + k π)`` by the addition theorem: no π is left in an argument."""
    terms = expand(wave.args[0])
    parts = terms.args if isinstance(terms, se.Add) else (terms,)
    still = se.Add(*(p for p in parts if p.has(se.pi) and not p.free_symbols))
    rest = terms - still
    if isinstance(wave, se.sin):
        return se.sin(rest) * se.cos(still) + se.cos(rest) * se.sin(still)
    return se.cos(rest) * se.cos(still) - se.sin(rest) * se.sin(still)


def _growth_units(exprs: Sequence[Expr]) -> list[Expr]:
    """Exponents of which all others are whole multiples."""
    exponents = {p.args[1] for p in atoms(exprs, se.Pow) if p.args[0] == se.E}
    units: list[Expr] = []
    for exponent in sorted(exponents, key=lambda e: len(str(e))):
        if all(_whole_ratio(exponent, u) is None for u in units):
            units = [u for u in units if _whole_ratio(u, exponent) is None] + [exponent]
    return units


def _whole_ratio(one: Expr, unit: Expr) -> Expr | None:
    ratio = expand(one / unit)
    return ratio if ratio.is_Integer else None
