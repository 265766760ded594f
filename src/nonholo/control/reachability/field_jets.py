"""Drift and input fields about a state, as power series modulo a prime."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import P, inverse, root
from nonholo.algebra.prime.modular_arithmetic import solve as solve_many
from nonholo.algebra.prime.power_series import (
    Coefficients,
    ExactPlace,
    Expansion,
    NumericPlace,
    Place,
    Series,
    series_ring,
)
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.control.reachability.control_affine import ControlAffine
from nonholo.geometry.distributions.random_configurations import NoPoints, place_groups, put_on_leaf

LANES = 24
"""Random places of which the first that has all roots is taken."""
NEAR = 1e-12
"""A number this near to a multiple of π/12, or to a fraction of small denominator, is meant to be it."""
SMALL = 10**6
SINGULAR = 1e12
"""A matrix of numbers with a larger condition is singular."""


def random_place(control: ControlAffine, parameters: Mapping[str, float], rest: bool, seed: int = 31, p: int = P) -> ExactPlace:
    """A random state (at rest: speeds and inputs that joined the state are zero); parameters without a value are random."""
    points = Points(LANES, seed, p)
    shifts = _set_numbers(points, {n: parameters[n] for n in parameters})
    _constants(points, [n for n in map(str, _free_names(control)) if n not in parameters and n not in control.names])
    frame = control.system.frame
    place_groups(points, frame)
    put_on_leaf(points, frame, control.system.holonomic)
    for s in (*control.speeds, *map(symbol, control.extended)) if rest else ():
        points.rest(s)
    _check_relations(points, [e.xreplace(shifts) for e in control.relations])
    return ExactPlace(points, shifts)


def state_place(
    control: ControlAffine, state: Mapping[str, float], parameters: Mapping[str, float], seed: int = 31, p: int = P
) -> ExactPlace:
    """The given state, exactly: numbers as decimals, multiples of π/12 as such; what has no value is random."""
    points = Points(LANES, seed, p)
    given = {**parameters, **state}
    shifts = _set_numbers(points, given)
    _constants(points, [n for n in map(str, _free_names(control)) if n not in given])
    _check_relations(points, [e.xreplace(shifts) for e in control.relations])
    return ExactPlace(points, shifts)


def numeric_place(control: ControlAffine, parameters: Mapping[str, float], rest: bool, seed: int = 31) -> NumericPlace:
    """A random state in floating numbers at which the fields have values; parameters without a value are random."""
    if control.relations:
        raise Unsupported("random states in floating numbers on a curved state space")
    still = {*control.speeds, *map(symbol, control.extended)} if rest else set()
    random = np.random.default_rng(seed)
    for _ in range(LANES):
        numbers = {s: float(random.uniform(0.2, 1.4)) for s in (*_free_names(control), *control.state)}
        place = NumericPlace(numbers | dict.fromkeys(still, 0.0) | {symbol(n): float(e) for n, e in parameters.items()})
        try:
            FieldJets(control, place, 0)
        except (Unsupported, ValueError, ZeroDivisionError):
            continue
        return place
    raise Unsupported("no random state at which the fields have values")


def _free_names(control: ControlAffine) -> list[Any]:
    flat = [e for part in (*control.mass, *control.kinematics, *control.forces) for e in part]
    return sorted({s for e in (*flat, *control.relations) for s in e.free_symbols}, key=str)


def _constants(points: Points, names: Sequence[str]) -> None:
    """Parameters without a value: one random number for all lanes."""
    for n in names:
        points.set(symbol(n), np.full(points.count, int(points.random()[0]), dtype=np.int64))
        points.share(symbol(n))


def _set_numbers(points: Points, given: Mapping[str, float]) -> dict[Any, Expr]:
    """Set the given numbers; returns the shifts of those that are multiples of π/12."""
    shifts: dict[Any, Expr] = {}
    exact: dict[str, Fraction] = {}
    for name, value in given.items():
        turns = value * 12 / math.pi
        if value == 0:
            points.rest(symbol(name))
        elif abs(turns - round(turns)) < NEAR * max(1.0, abs(turns)) and round(turns) and abs(turns) <= 96:
            shifts[symbol(name)] = se.pi * se.Rational(round(turns), 12) + symbol(name)
            points.rest(symbol(name))
        else:
            exact[name] = fraction_near(value)
    if shifts:
        _right_angles(points)
    if exact:
        below = reduce(math.lcm, (f.denominator for f in exact.values()))
        whole = {n: int(f * below) for n, f in exact.items()}
        unit = reduce(math.gcd, (abs(k) for k in whole.values()))
        for n, k in whole.items():
            points.multiple(symbol(n), exact[n], k // unit, "unit")
    return shifts


def fraction_near(value: float) -> Fraction:
    """The fraction that a number stands for: one of small denominator that is near, or its decimals.

    >>> fraction_near(9.81), fraction_near(1 / 3)
    (Fraction(981, 100), Fraction(1, 3))
    """
    small = Fraction(value).limit_denominator(SMALL)
    return small if abs(float(small) - value) <= NEAR * max(1e-3, abs(value)) else Fraction(repr(float(value)))


def _right_angles(points: Points) -> None:
    """The exact sine and cosine of π/12; π itself is transcendental, and any number stands for it."""
    p, ones = points.p, np.ones(points.count, dtype=np.int64)
    six, two = (root(k * ones, p)[0] for k in (6, 2))
    quarter = inverse(4 * ones, p)
    points.set(se.pi, points.random())
    if np.any((root(3 * ones, p)[0] * two - six) % p):  # √6 = √2 √3 needs the same signs
        six = -six % p
    points._circles[se.pi] = ((six + two) % p * quarter % p, (six - two) % p * quarter % p)


def _check_relations(points: Points, relations: Sequence[Expr]) -> None:
    for e in relations:
        if np.any(points.value(e)[points.good]):
            raise NoPoints("the state satisfies the constraints only to rounding, not exactly")


class FieldJets:
    """Series of the fields ``f, g_1 …`` at a place: coordinates first, then speeds; in the variables on which they depend."""

    def __init__(self, control: ControlAffine, place: Place, degree: int) -> None:
        self.control, self.degree, self.place, self.p = control, degree, place, place.p
        flat = [e.xreplace(place.shifts) for part in (*control.mass, *control.kinematics, *control.forces) for e in part]
        used = {s for e in flat for s in e.free_symbols}
        self.variables = [k for k, s in enumerate(control.state) if s in used]
        self.ring: Series = series_ring(len(self.variables), degree, self.p)
        values = Expansion(self.ring, place, [control.state[k] for k in self.variables]).series(flat)
        size, count, rows, width = len(control.speeds), 1 + len(control.inputs), len(control.mass), len(control.coordinates)
        mass, rest = np.array(values[: rows * rows]), values[rows * rows :]
        kinematics = np.array(rest[: width * count]).reshape(count, width, -1)
        self.fields: Coefficients = kinematics
        if rows:
            pulls = np.array(rest[width * count :]).reshape(count, rows, -1)
            solved = self._solved(mass.reshape(rows, rows, -1), pulls)
            self.fields = np.concatenate([kinematics, solved[:, :size]], axis=1)

    @property
    def exact(self) -> bool:
        """Whether ranks of these series are those of the true fields."""
        return bool(self.p) and not self.place.opaque

    def _solved(self, mass: Coefficients, pulls: Coefficients) -> Coefficients:
        """``M⁻¹F`` order by order: ``X ← X + M_0⁻¹ (F − M X)``."""
        ring, rows = self.ring, len(mass)
        back = self._inverse(mass[:, :, 0])
        found = np.zeros_like(pulls)
        for _ in range(self.degree + 1):
            made, step = np.zeros_like(pulls), np.zeros_like(found)
            for j in range(rows):
                made = ring.reduced(made + ring.product(mass[:, j][None], found[:, j][:, None]))
            missing = ring.reduced(pulls - made)
            for j in range(rows):
                step = ring.reduced(step + ring.reduced(back[:, j][None, :, None] * missing[:, j][:, None]))
            found = ring.reduced(found + step)
        return found

    def _inverse(self, matrix: Coefficients) -> Coefficients:
        if not self.p:
            if np.linalg.cond(matrix) > SINGULAR:
                raise Unsupported("a mass matrix that is singular there")
            return np.asarray(np.linalg.inv(matrix))
        unit = np.eye(len(matrix), dtype=np.int64)
        columns = [solve_many(matrix[None], unit[:, k][None], self.p) for k in range(len(matrix))]
        if not all(good[0] for _, good in columns):
            raise Unsupported("a mass matrix that is singular there")
        return np.stack([x[0] for x, _ in columns], axis=1)
