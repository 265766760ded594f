"""Drift and input fields about a state, as power series modulo a prime."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.prime.modular_arithmetic import P, inverse, root
from nonholo.algebra.prime.modular_arithmetic import solve as solve_many
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.control.reachability.control_affine import ControlAffine
from nonholo.control.reachability.power_series import Coefficients, Series, series_ring
from nonholo.geometry.distributions.random_configurations import NoPoints, place_groups, put_on_leaf

LANES = 24
"""Random places of which the first that has all roots is taken."""
NEAR = 1e-12
"""A number this near to a multiple of π/12, or to a fraction of small denominator, is meant to be it."""
SMALL = 10**6
SINGULAR = 1e12
"""A matrix of numbers with a larger condition is singular; a larger number is a division by zero."""


@dataclass(frozen=True, eq=False)
class Place:
    """A state modulo a prime."""

    points: Points
    shifts: Mapping[Symbol, Expr]
    """Variables at multiples of π, written as that multiple plus a variable at zero."""

    @property
    def p(self) -> int:
        return self.points.p

    @property
    def opaque(self) -> bool:
        """Whether random numbers stand for functions of which nothing is known here."""
        return self.points.opaque

    def prepare(self, exprs: Sequence[Expr]) -> None:
        """Evaluate the expressions on all lanes, so that all lanes without real roots are known."""
        self.points.values(exprs)
        if any(isinstance(key, tuple) and key[0] == se.pi for key in self.points._circles):
            raise Unsupported("a fraction of π")

    def value(self, expr: Expr) -> int:
        """An expression at the first lane where all roots exist."""
        found = self.points.value(expr)
        lane = int(np.argmax(self.points.good))
        if not self.points.good[lane]:
            raise Unsupported("no real roots there")
        return int(found[lane])


@dataclass(frozen=True, eq=False)
class NumericPlace:
    """A state in floating numbers."""

    numbers: Mapping[Symbol, float]
    shifts: Mapping[Symbol, Expr] = field(default_factory=dict)
    p: int = 0
    opaque: bool = True

    def prepare(self, exprs: Sequence[Expr]) -> None:
        """Nothing to prepare: numbers have no lanes."""

    def value(self, expr: Expr) -> float:
        found = complex(se.sympify(expr).xreplace(self.numbers).n(53, real=False))
        if not abs(found) < SINGULAR or abs(found.imag) > NEAR * max(1.0, abs(found)):
            raise Unsupported("an expression without a finite real value")
        return found.real


def random_place(control: ControlAffine, parameters: Mapping[str, float], rest: bool, seed: int = 31, p: int = P) -> Place:
    """A random state (at rest: speeds and inputs that joined the state are zero); parameters without a value are random."""
    points = Points(LANES, seed, p)
    shifts = _settled(points, {n: parameters[n] for n in parameters})
    _constants(points, [n for n in map(str, _free_names(control)) if n not in parameters and n not in control.names])
    frame = control.system.frame
    place_groups(points, frame)
    put_on_leaf(points, frame, control.system.holonomic)
    for s in (*control.speeds, *map(symbol, control.extended)) if rest else ():
        points.rest(s)
    _check_relations(points, [e.xreplace(shifts) for e in control.relations])
    return Place(points, shifts)


def state_place(
    control: ControlAffine, state: Mapping[str, float], parameters: Mapping[str, float], seed: int = 31, p: int = P
) -> Place:
    """The given state, exactly: numbers as decimals, multiples of π/12 as such; what has no value is random."""
    points = Points(LANES, seed, p)
    given = {**parameters, **state}
    shifts = _settled(points, given)
    _constants(points, [n for n in map(str, _free_names(control)) if n not in given])
    _check_relations(points, [e.xreplace(shifts) for e in control.relations])
    return Place(points, shifts)


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


def _settled(points: Points, given: Mapping[str, float]) -> dict[Any, Expr]:
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

    def __init__(self, control: ControlAffine, place: Place | NumericPlace, degree: int) -> None:
        self.control, self.degree, self.place, self.p = control, degree, place, place.p
        flat = [e.xreplace(place.shifts) for part in (*control.mass, *control.kinematics, *control.forces) for e in part]
        used = {s for e in flat for s in e.free_symbols}
        self.variables = [k for k, s in enumerate(control.state) if s in used]
        self.ring: Series = series_ring(len(self.variables), degree, self.p)
        self._slopes: dict[Any, list[Any]] = {}
        place.prepare(flat)
        self._known: dict[Any, Coefficients] = {
            control.state[k]: self.ring.variable(j, place.value(control.state[k])) for j, k in enumerate(self.variables)
        }
        values = self._series(flat)
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

    def _series(self, exprs: Sequence[Expr]) -> list[Coefficients]:
        known = self._known
        stack = list(exprs)[::-1]
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            if not node.args:
                known[node] = self.ring.constant(self.place.value(node))
                continue
            parts = _parts(node)
            waiting = [a for a in parts if a not in known]
            if waiting:
                stack += waiting
                continue
            known[node] = self._computed(node, parts)
            stack.pop()
        return [known[e] for e in exprs]

    def _computed(self, node: Any, parts: Sequence[Any]) -> Coefficients:
        known, ring = self._known, self.ring
        if isinstance(node, se.Add):
            return np.asarray(ring.reduced(sum(known[a] for a in parts)))
        if isinstance(node, se.Mul):
            return reduce(self._times, (known[a] for a in parts))
        inner = known[parts[0]]
        if not np.any(inner[1:]):
            return ring.constant(self.place.value(node))
        if isinstance(node, se.Pow) and node.args[1].is_Integer:
            exponent = int(node.args[1])
            base = ring.reciprocal(inner) if exponent < 0 else inner
            return reduce(ring.product, [base] * abs(exponent))
        return ring.compose(self._taylor(node, parts[0]), inner)

    def _times(self, a: Coefficients, b: Coefficients) -> Coefficients:
        """A product, in which constants are common."""
        if not np.any(a[1:]):
            return np.asarray(self.ring.reduced(a[0] * b))
        return np.asarray(self.ring.reduced(b[0] * a)) if not np.any(b[1:]) else self.ring.product(a, b)

    def _taylor(self, node: Any, inner: Any) -> list[Any]:
        """The Taylor coefficients of the outer function of a node at its argument."""
        if node not in self._slopes:
            bare = se.Dummy()
            if isinstance(node, se.Pow):
                outer = se.E**bare if node.args[0] == se.E else bare ** node.args[1]
            else:
                outer = node.func(bare)
            found: list[Any] = []
            ring = self.ring
            for k in range(self.degree + 1):
                value = self.place.value(outer.xreplace({bare: inner}))
                found.append(ring.reduced(value * ring.inverse(math.factorial(k))))
                outer = outer.diff(bare)
            self._slopes[node] = found
        return self._slopes[node]


def _parts(node: Any) -> tuple[Any, ...]:
    if isinstance(node, (se.Add, se.Mul)):
        return tuple(node.args)
    if isinstance(node, se.Pow):
        if node.args[0] == se.E:
            return (node.args[1],)
        if node.args[1].free_symbols:
            raise Unsupported("a power with a variable exponent")
        return (node.args[0],)
    if len(node.args) == 1 and not isinstance(node, se.Abs):
        return tuple(node.args)
    raise Unsupported(f"the function {type(node).__name__}")
