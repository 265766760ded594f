"""Expressions and their slopes modulo a prime, and linear equations there: SymPy reads, Python's integers do the rest."""

from __future__ import annotations

import re
from typing import Any

import sympy

FUNCTIONS = (
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "atan", "atan2", "atanh",
    "asin", "acos", "asinh", "acosh", "Integer", "Rational", "Symbol", "Float", "Pow",
)  # fmt: skip
NAMES = {n: getattr(sympy, n) for n in FUNCTIONS}
PARTS = range(1, 25)
"""An angle is given by the sine and cosine of the angle itself, or of one of these parts of it."""


class Wrong(Exception):
    """The certificate does not prove its claim."""


def need(held: bool, words: str) -> None:
    if not held:
        raise Wrong(words)


def read(text: str) -> Any:
    words = set(re.findall(r"[A-Za-z_]\w*", text)) - set(NAMES)
    return sympy.parse_expr(text, local_dict={n: sympy.Symbol(n) for n in words}, global_dict=dict(NAMES))


def inverse(a: int, p: int) -> int:
    need(a % p != 0, "a division by zero")
    return pow(a, -1, p)


def solve(matrix: list[list[int]], right: list[int], p: int) -> list[int]:
    """The one solution; more rows than unknowns are allowed, and must agree."""
    n = len(matrix[0]) if matrix else 0
    rows = [[*row, b] for row, b in zip(matrix, right)]
    for k in range(n):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k] % p), None)
        if pivot is None:
            raise Wrong("a singular matrix")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        factor = pow(rows[k][k], -1, p)
        rows[k] = [e * factor % p for e in rows[k]]
        for i in range(len(rows)):
            if i != k and rows[i][k]:
                times = rows[i][k]
                rows[i] = [(a - times * b) % p for a, b in zip(rows[i], rows[k])]
    return [row[n] for row in rows]


def rank(rows: list[list[int]], p: int) -> int:
    rows, found = [list(r) for r in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column] % p), None)
        if pivot is not None:
            rows[found], rows[pivot] = rows[pivot], rows[found]
            factor = pow(rows[found][column], -1, p)
            for i in range(found + 1, len(rows)):
                times = rows[i][column] * factor % p
                if times:
                    rows[i] = [(a - times * b) % p for a, b in zip(rows[i], rows[found])]
            found += 1
    return found


def kernel(rows: list[list[int]], n: int, p: int) -> list[list[int]]:
    """A basis of what all rows send to zero."""
    rows, pivots = [list(r) for r in rows], []
    for column in range(n):
        found = next((i for i in range(len(pivots), len(rows)) if rows[i][column] % p), None)
        if found is None:
            continue
        k = len(pivots)
        rows[k], rows[found] = rows[found], rows[k]
        factor = pow(rows[k][column], -1, p)
        rows[k] = [e * factor % p for e in rows[k]]
        for i in range(len(rows)):
            if i != k and rows[i][column]:
                times = rows[i][column]
                rows[i] = [(a - times * b) % p for a, b in zip(rows[i], rows[k])]
        pivots.append(column)
    result = []
    for column in range(n):
        if column not in pivots:
            vector = [0] * n
            vector[column] = 1
            for k, pivot in enumerate(pivots):
                vector[pivot] = -rows[k][column] % p
            result.append(vector)
    return result


class Jets:
    """Values of expressions at a state, with their slopes in a direction: ``direction`` gives the slope of each symbol."""

    def __init__(self, state: dict[str, int], direction: dict[str, int], p: int) -> None:
        self.state, self.direction, self.p = state, direction, p
        self.known: dict[Any, tuple[int, int]] = {}

    def of(self, e: Any) -> tuple[int, int]:
        if e not in self.known:
            self.known[e] = self._of(e)
        return self.known[e]

    def _of(self, e: Any) -> tuple[int, int]:
        p = self.p
        if e.is_Rational:
            return int(e.p) * inverse(int(e.q), p) % p, 0
        if e.is_Symbol:
            return self._given(str(e)), self.direction.get(str(e), 0)
        if e.is_Add:
            parts = [self.of(a) for a in e.args]
            return sum(a for a, _ in parts) % p, sum(b for _, b in parts) % p
        if e.is_Mul:
            value, slope = 1, 0
            for a, b in map(self.of, e.args):
                value, slope = value * a % p, (slope * a + value * b) % p
            return value, slope
        if isinstance(e, sympy.exp) or (e.is_Pow and e.base == sympy.E):
            value = self._exponential(e.args[0] if isinstance(e, sympy.exp) else e.exp)
            return value, value * self._slope(e.args[0] if isinstance(e, sympy.exp) else e.exp) % p
        return self._power(e) if e.is_Pow else self._function(e)

    def _given(self, name: str) -> int:
        need(name in self.state, f"no number for {name}")
        return self.state[name]

    def _slope(self, e: Any) -> int:
        """Of an argument, whose value is not asked for."""
        if not any(self.direction.get(str(s), 0) for s in e.free_symbols):
            return 0
        return self.of(e)[1]

    def _power(self, e: Any) -> tuple[int, int]:
        p = self.p
        base, slope = self.of(e.base)
        if e.exp.is_Integer:
            n = int(e.exp)
            below = base if n > 0 else inverse(base, p)
            return pow(below, abs(n), p), n * (pow(base, n - 1, p) if n - 1 >= 0 or base else 0) * slope % p
        if e.exp.is_Rational and e.exp.q == 2:
            own = self._given(str(sympy.sqrt(e.base)))
            need(own * own % p == base, f"{sympy.sqrt(e.base)} is no root")
            value = pow(own, int(e.exp.p), p)
            return value, int(e.exp.p) * value * slope * inverse(2 * base, p) % p
        if e.exp.is_Rational:
            own, q = self._given(str(e.base ** sympy.Rational(1, e.exp.q))), int(e.exp.q)
            need(pow(own, q, p) == base, f"the power {e}")
            half = self.state.get(str(sympy.sqrt(e.base))) if q % 2 == 0 else None
            need(half in (None, pow(own, q // 2, p)), f"two roots of {e.base}")
            value = pow(own, int(e.exp.p), p)
            return value, int(e.exp.p) * value * slope * inverse(q * base, p) % p
        number, rest = e.exp.as_coeff_Add()
        need(not self._slope(e.exp) and rest != 0, f"the power {e}")
        if number != 0:
            return self.of(sympy.Mul(e.base**number, sympy.Pow(e.base, rest, evaluate=False), evaluate=False))
        value = self._given(str(e))
        return value, value * self.of(e.exp)[0] * slope * inverse(base, p) % p

    def _function(self, e: Any) -> tuple[int, int]:
        p = self.p
        if isinstance(e, (sympy.sin, sympy.cos)):
            c, s = self._angle(e.args[0])
            slope = self._slope(e.args[0])
            return (s, c * slope % p) if isinstance(e, sympy.sin) else (c, -s * slope % p)
        if isinstance(e, (sympy.tan, sympy.cot, sympy.sec, sympy.csc)):
            s, c = sympy.sin(e.args[0]), sympy.cos(e.args[0])
            return self.of({sympy.tan: s / c, sympy.cot: c / s, sympy.sec: 1 / c, sympy.csc: 1 / s}[type(e)])
        if isinstance(e, (sympy.sinh, sympy.cosh, sympy.tanh)):
            return self.of(e.rewrite(sympy.exp))
        if isinstance(e, (sympy.asin, sympy.acos, sympy.asinh, sympy.acosh)):
            return self._inverse(e)
        need(isinstance(e, (sympy.log, sympy.atan, sympy.atan2, sympy.atanh)), f"the function {e}")
        value = self._given(str(e))
        if not any(self.direction.get(str(s), 0) for s in e.free_symbols):
            return value, 0
        inner, slope = self.of(e.args[0])
        if isinstance(e, sympy.log):
            return value, slope * inverse(inner, p) % p
        if isinstance(e, sympy.atanh):
            return value, slope * inverse(1 - inner * inner, p) % p
        below, down = self.of(e.args[1]) if isinstance(e, sympy.atan2) else (1, 0)
        return value, (below * slope - inner * down) * inverse(inner * inner + below * below, p) % p

    def _inverse(self, e: Any) -> tuple[int, int]:
        """``d asinh(x) = dx/√(x² + 1)`` and its like."""
        x, slope = e.args[0], self._slope(e.args[0])
        roots = {sympy.asinh: [x**2 + 1], sympy.acosh: [x - 1, x + 1]}.get(type(e), [1 - x**2])
        for base in roots if slope else ():
            slope = slope * inverse(self.of(sympy.sqrt(base))[0], self.p) % self.p
        return self._given(str(e)), (-slope if isinstance(e, sympy.acos) else slope) % self.p

    def _parts(self, e: Any, word: str) -> list[tuple[str, int]]:
        """A sum as whole multiples of units whose sine or exponential is given."""
        result = []
        for term in sympy.Add.make_args(sympy.expand(e)):
            factor, base = term.as_coeff_Mul()
            need(factor.is_Rational, f"the angle {e}")
            names = [f"{word}({base / part})" for part in PARTS]
            if base == 1:  # of numbers, any fraction of a radian
                names = [n for n in self.state if re.fullmatch(word + r"\(\d+(/\d+)?\)", n)]
            for part, name in zip(PARTS, names):
                part = part if base != 1 else 1 / sympy.Rational(name[len(word) + 1 : -1])
                if name in self.state:
                    need((factor * part).is_Integer, f"no number for {word}({term})")
                    result.append((name, int(factor * part)))
                    break
            else:
                raise Wrong(f"no number for {word}({term})")
        return result

    def _angle(self, e: Any) -> tuple[int, int]:
        p = self.p
        c, s = 1, 0
        for name, times in self._parts(e, "cos") if e != 0 else []:
            a, b = self._given(name), self._given(f"sin{name[3:]}") * (1 if times > 0 else -1)
            for bit in reversed(bin(abs(times))[2:]):
                if bit == "1":
                    c, s = (c * a - s * b) % p, (s * a + c * b) % p
                a, b = (a * a - b * b) % p, 2 * a * b % p
        return c, s

    def _exponential(self, e: Any) -> int:
        value = 1
        for name, times in self._parts(e, "exp") if e != 0 else []:
            value = value * pow(self._given(name), times, self.p) % self.p
        return value
