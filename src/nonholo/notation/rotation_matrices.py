"""Find rotation matrices among the coordinates by their kinematics ``Ṙ = R Ω`` or ``Ṙ = Ω R``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import symengine as se

from nonholo.algebra.calculus import expand, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate
from nonholo.notation.shortening.collect import negated
from nonholo.notation.shortening.length import written_nodes

SHORT = 800
"""Rates with fewer nodes are compared exactly."""


@dataclass(frozen=True)
class Turning:
    """Angular velocity ``rates`` in the body, or in space."""

    rates: tuple[Expr, Expr, Expr]
    in_space: bool

    @property
    def matrix(self) -> list[list[Expr]]:
        """The skew matrix Ω."""
        one, two, three = self.rates
        zero = se.Integer(0)
        return [[zero, negated(three), two], [three, zero, negated(one)], [negated(two), one, zero]]

    def entries(self, letter: str) -> dict[str, Expr]:
        """The rate of every entry of the rotation matrix."""
        r = [[symbol(f"{letter}{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)]
        one, two = (self.matrix, r) if self.in_space else (r, self.matrix)
        return {
            f"{letter}{i + 1}{j + 1}": se.Add(*(one[i][k] * two[k][j] for k in range(3)))
            for i, j in product(range(3), repeat=2)
        }


def entries(letter: str) -> list[str]:
    """The names R11, R12, …, R33."""
    return [f"{letter}{i}{j}" for i, j in product((1, 2, 3), repeat=2)]


def matrix_letters(names: Mapping[str, Any] | Sequence[str]) -> list[str]:
    """The letters R for which all of R11, R12, …, R33 are among the names."""
    letters = [n[:-2] for n in names if n.endswith("11") and n != "11"]
    return [letter for letter in letters if all(n in names for n in entries(letter))]


def turning(letter: str, rates: Mapping[str, Expr]) -> Turning | None:
    """How the matrix turns when its entries have these rates; None when they are not those of a rotation.

    >>> table = {"R11": 0, "R12": "w*R13", "R13": "-w*R12", "R21": 0, "R22": "w*R23", "R23": "-w*R22",
    ...          "R31": 0, "R32": "w*R33", "R33": "-w*R32"}
    >>> turning("R", {n: se.sympify(e) for n, e in table.items()}).rates
    (w, 0, 0)
    """
    given = {n: se.sympify(rates[n]) for n in entries(letter)}
    r = {n: symbol(n) for n in given}
    at = letter.__add__
    body = (
        given[at("12")].diff(r[at("13")]),
        -given[at("11")].diff(r[at("13")]),
        given[at("11")].diff(r[at("12")]),
    )
    space = (
        -given[at("21")].diff(r[at("31")]),
        given[at("11")].diff(r[at("31")]),
        -given[at("11")].diff(r[at("21")]),
    )
    for found in (Turning(body, False), Turning(space, True)):
        if any(e.free_symbols & set(r.values()) for e in found.rates):
            continue
        if same_rates(given, found.entries(letter)):
            return found
    return None


def same_rates(given: Mapping[str, Expr], two: Mapping[str, Expr]) -> bool:
    """Whether the second table's rates are those of the first: term by term where they are short, else at random points."""
    one = {n: given[n] for n in two}
    if sum(written_nodes(e, SHORT) for e in one.values()) <= SHORT:
        return all(expand(one[n] - two[n]) == 0 for n in one)
    letters = sorted({str(s) for e in (*one.values(), *two.values()) for s in e.free_symbols})
    for seed in (1, 2):
        random = Random(seed)
        values = {name: random.uniform(0.3, 0.9) for name in letters}
        first, second = (evaluate([table[n] for n in one], values) for table in (one, two))
        if any(abs(a - b) > 1e-9 * (1 + abs(a)) for a, b in zip(first, second)):
            return False
    return True
