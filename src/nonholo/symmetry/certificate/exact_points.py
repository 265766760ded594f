"""States of a system in plain coordinates modulo a prime: sines, roots and exponentials are numbers that obey their relations."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import sympy

PRIME = 2**31 - 1
"""It leaves 3 when divided by 4, so that a root is a power."""
DRAWS = 60
"""So many states are drawn until roots exist at one."""
Residue = int


class NoPoint(Exception):
    """There is no state of this form: a function without a rule, or an equation that is not solved here."""


class _NoRoot(Exception):
    """This state has no root; another one may."""


class Point:
    """Numbers modulo a prime for symbols and functions; those that are missing are drawn when they are asked for."""

    def __init__(self, random: Random, prime: int = PRIME) -> None:
        self.random, self.prime = random, prime
        self.values: dict[str, Residue] = {}

    def draw(self) -> Residue:
        return self.random.randrange(2, self.prime - 1)

    def value(self, expr: Any) -> Residue:
        """The value of an expression."""
        p = self.prime
        if expr.is_Rational:
            return int(expr.p) * pow(int(expr.q), -1, p) % p
        if expr.is_Symbol:
            return self.values.setdefault(str(expr), self.draw())
        if expr.is_Add:
            return sum(self.value(e) for e in expr.args) % p
        if expr.is_Mul:
            result = 1
            for e in expr.args:
                result = result * self.value(e) % p
            return result
        if expr.is_Pow:
            return self._power(*expr.args)
        return self._function(expr)

    def _power(self, base: Any, exponent: Any) -> Residue:
        p = self.prime
        if not exponent.is_Rational or exponent.q not in (1, 2):
            raise NoPoint(f"the power {base}**{exponent}")
        if exponent.q == 1:
            below = self.value(base)
            if below == 0 and exponent < 0:
                raise _NoRoot
            return pow(below, int(exponent), p)
        name = str(sympy.sqrt(base))
        if name not in self.values:
            square = self.value(base)
            root = pow(square, (p + 1) // 4, p)
            if root * root % p != square or root == 0:
                raise _NoRoot
            self.values[name] = root
        return pow(self.values[name], int(exponent.p), p)

    def _function(self, expr: Any) -> Residue:
        p, name = self.prime, str(expr)
        if name in self.values:
            return self.values[name]
        argument = expr.args[0] if len(expr.args) == 1 else None
        if isinstance(expr, (sympy.sin, sympy.cos)) and argument is not None and argument.is_Symbol:
            t = self.draw()
            below = pow(1 + t * t, -1, p)
            self.values[f"sin({argument})"] = 2 * t * below % p
            self.values[f"cos({argument})"] = (1 - t * t) * below % p
            return self.values[name]
        if isinstance(expr, (sympy.exp, sympy.log, sympy.atan)) and argument is not None:
            return self.values.setdefault(name, self.draw())
        raise NoPoint(f"the function {name}")


def plain_form(expr: Any) -> Any:
    """An expression in sines and cosines of single symbols, exponentials, roots and fractions."""
    whole = sympy.sympify(expr)
    whole = whole.xreplace({f: sympy.Rational(str(f)) for f in whole.atoms(sympy.Float)})
    whole = whole.replace(lambda e: isinstance(e, (sympy.tan, sympy.cot, sympy.sec, sympy.csc)), _by_sine)
    whole = whole.replace(lambda e: isinstance(e, (sympy.sinh, sympy.cosh, sympy.tanh)), lambda e: e.rewrite(sympy.exp))
    whole = sympy.expand_trig(whole)
    return whole.replace(
        lambda e: isinstance(e, sympy.exp) and e.args[0].could_extract_minus_sign(), lambda e: 1 / sympy.exp(-e.args[0])
    )


def _by_sine(e: Any) -> Any:
    s, c = sympy.sin(e.args[0]), sympy.cos(e.args[0])
    return {sympy.tan: s / c, sympy.cot: c / s, sympy.sec: 1 / c, sympy.csc: 1 / s}[type(e)]


def solved(matrix: Sequence[Sequence[Residue]], right: Sequence[Residue], p: int) -> list[Residue] | None:
    """The solution of a square system modulo a prime; None where it is singular."""
    rows = [[*row, b] for row, b in zip(matrix, right)]
    n = len(rows)
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] % p), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        inverse = pow(rows[k][k], -1, p)
        rows[k] = [e * inverse % p for e in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [(a - factor * b) % p for a, b in zip(rows[i], rows[k])]
    return [row[n] for row in rows]


class Plain:
    """A system in plain coordinates as SymPy's expressions: L, constraints (their slopes free of velocities), forces."""

    def __init__(
        self,
        coordinates: Sequence[str],
        lagrangian: Any,
        constraints: Sequence[Any],
        holonomic: Sequence[Any],
        forces: Sequence[Any],
    ) -> None:
        self.q = [sympy.Symbol(c) for c in coordinates]
        self.v = [sympy.Symbol(f"{c}dot") for c in coordinates]
        self.t = sympy.Symbol("t")
        self.lagrangian, self.forces = plain_form(lagrangian), [plain_form(f) for f in forces]
        self.holonomic = [plain_form(h) for h in holonomic]
        self.constraints = [plain_form(c) for c in constraints]
        self.rows = [*self.constraints, *(self.along(h) for h in self.holonomic)]
        self.slopes = [[r.diff(v) for v in self.v] for r in self.rows]
        if any(e.has(v) for row in self.slopes for e in row for v in self.v):
            raise NoPoint("constraints nonlinear in the velocities")
        momenta = [self.lagrangian.diff(v) for v in self.v]
        n, m = len(self.q), len(self.rows)
        metric = [[p.diff(v) for v in self.v] for p in momenta]
        self.matrix = [[*metric[i], *(-self.slopes[a][i] for a in range(m))] for i in range(n)]
        self.matrix += [[*self.slopes[a], *[sympy.Integer(0)] * m] for a in range(m)]
        self.right = [self.lagrangian.diff(q) + f - self.along(p) for q, f, p in zip(self.q, self.forces, momenta)]
        self.right += [-self.along(r) for r in self.rows]

    def along(self, expr: Any) -> Any:
        """``v ∂_q + ∂_t`` of an expression."""
        return sympy.Add(*(expr.diff(q) * v for q, v in zip(self.q, self.v)), expr.diff(self.t))

    def point(self, seed: int, asked: Sequence[Any] = ()) -> Point:
        """A random admissible state at which all that is asked for has a value."""
        for attempt in range(DRAWS):
            point = Point(Random(f"{seed} {attempt}"))
            try:
                self._place(point)
                self._move(point)
                for e in (*(e for row in self.matrix for e in row), *self.right, *asked):
                    point.value(e)
            except (_NoRoot, ValueError):  # ValueError: division by zero modulo the prime
                continue
            if self.acceleration(point) is not None:
                return point
        raise NoPoint("too few states with roots")

    def _place(self, point: Point) -> None:
        """Coordinates on the holonomic constraints: each gives one coordinate, by an equation of degree two at most."""
        used: list[Any] = []
        for k, h in enumerate(self.holonomic):
            before = self.holonomic[:k]
            free = [c for c in self.q if h.has(c) and c not in used and not any(b.has(c) for b in before)]
            chosen = next((c for c in free if h.is_polynomial(c) and sympy.degree(h, c) <= 2), None)
            if chosen is None:
                raise NoPoint("a holonomic constraint that no coordinate solves by a square root")
            used.append(chosen)
            c0, c1, c2 = self._powers(point, h, chosen)
            p = point.prime
            if c2 == 0:
                root = -c0 * pow(c1, -1, p) % p
            else:
                half = c1 * pow(2 * c2, -1, p) % p
                inside = (half * half - c0 * pow(c2, -1, p)) % p
                own = pow(inside, (p + 1) // 4, p)
                if own * own % p != inside:
                    raise _NoRoot
                root = (own - half) % p
            point.values[str(chosen)] = root

    def _powers(self, point: Point, h: Any, c: Any) -> tuple[Residue, Residue, Residue]:
        parts = sympy.Poly(h, c).all_coeffs()[::-1]
        numbers = [*(point.value(sympy.sympify(e)) for e in parts), 0, 0]
        return numbers[0], numbers[1], numbers[2]

    def _move(self, point: Point) -> None:
        """Velocities on the constraints: pivots follow from the others."""
        p, n = point.prime, len(self.v)
        still = dict.fromkeys(self.v, sympy.Integer(0))
        rows = [[point.value(e) for e in row] + [-point.value(r.xreplace(still)) % p] for row, r in zip(self.slopes, self.rows)]
        pivots: list[int] = []
        for k, row in enumerate(rows):
            column = next((j for j in range(n) if row[j] % p), None)
            if column is None:
                raise NoPoint("constraints that depend on each other")
            pivots.append(column)
            inverse = pow(row[column], -1, p)
            rows[k] = row = [e * inverse % p for e in row]
            for i, other in enumerate(rows):
                if i != k and other[column]:
                    factor = other[column]
                    rows[i] = [(a - factor * b) % p for a, b in zip(other, row)]
        for j, v in enumerate(self.v):
            if j not in pivots:
                point.values[str(v)] = point.draw()
        for row, column in zip(rows, pivots):
            rest = sum(row[j] * point.values[str(self.v[j])] for j in range(n) if j not in pivots)
            point.values[str(self.v[column])] = (row[n] - rest) % p

    def changed(self, point: Point, place: Sequence[Residue], speed: Sequence[Residue]) -> list[Residue] | None:
        """How ``q̈`` and the multipliers change with the state in a direction, from ``δM u + M δu = δb``."""
        p, u = point.prime, self.acceleration(point)
        if u is None:
            return None
        state = [*self.q, *self.v]
        steps = [*place, *speed]

        def slope(e: Any) -> Residue:
            return sum(point.value(e.diff(s)) * d for s, d in zip(state, steps) if d) % p

        matrix = [[point.value(e) for e in row] for row in self.matrix]
        right = [
            (slope(b) - sum(slope(e) * x for e, x in zip(row, u))) % p for row, b in zip(self.matrix, self.right)
        ]
        return solved(matrix, right, p)

    def acceleration(self, point: Point) -> list[Residue] | None:
        """``q̈`` and the multipliers."""
        matrix = [[point.value(e) for e in row] for row in self.matrix]
        return solved(matrix, [point.value(e) for e in self.right], point.prime)
