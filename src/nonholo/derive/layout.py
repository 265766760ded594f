"""Equations of motion laid out as a person writes them: kinematics, dynamics and abbreviations, long lines broken."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import symengine as se

from nonholo.algebra.calculus import symbol
from nonholo.algebra.kinds import Expr
from nonholo.algebra.latex import apparent_width, to_latex
from nonholo.derive.display import Parts, equations_notation, joined, parts
from nonholo.derive.pair import Pair
from nonholo.derive.turning import entries, matrix_letters, turning

Row = tuple[str, str]
WIDE = 68
"""A right side that would be wider than so many letters is broken."""
LONG_LEFT = 48
"""Left sides wider than this are written as a matrix."""


@dataclass(frozen=True)
class Layout:
    """Rows of LaTeX, left and right side; ``complete`` is False when time ran out before all were shortened."""

    kinematics: tuple[Row, ...]
    dynamics: tuple[Row, ...]
    abbreviations: tuple[Row, ...]
    complete: bool = True

    @property
    def size(self) -> int:
        """How many characters of LaTeX."""
        return sum(len(a) + len(b) for a, b in (*self.kinematics, *self.dynamics, *self.abbreviations))


def laid_out(equations: Pair, found: Parts) -> Layout:
    """The shortened equations in rows."""
    show = printer(equations)
    return Layout(
        tuple(_kinematics(equations.coordinates, found.kinematics, show)),
        tuple(_dynamics(found.mass, found.unknown, found.force, show)),
        tuple(r for name, side in found.definitions for r in equation(show(name), show(side))),
        found.complete,
    )


def latex(equations: Pair, budget: float = 5.0) -> str:
    """The equations as a LaTeX ``aligned`` block."""
    found = laid_out(equations, parts(equations, budget, ("M", "F", "z")))
    rows = [f"{left} &{right}" for left, right in (*found.kinematics, *found.dynamics, *found.abbreviations)]
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


def printer(equations: Pair) -> Callable[[Expr], str]:
    """LaTeX of an expression in the names of the equations."""
    return partial(to_latex, spelling=equations_notation(equations))


def equation(left: str, right: str) -> list[Row]:
    """``left = right`` as rows, the right side broken between its terms where it is long."""
    lines = broken(right)
    return [(left, f"= {lines[0]}"), *(("", rf"\quad {line}") for line in lines[1:])]


def broken(latex: str, wide: int = WIDE) -> list[str]:
    """A sum on several lines, broken before a sign that stands outside all brackets.

    >>> broken("a + b - c", wide=4)
    ['a + b', '- c']
    """
    lines, current, width = [], "", 0
    for term in terms(latex):
        size = apparent_width(term)
        if current and width + size > wide:
            lines.append(current)
            current, width = "", 0
        current, width = f"{current} {term}".strip(), width + size
    return [*lines, current]


def terms(latex: str) -> list[str]:
    """The terms of a sum, each with its sign."""
    found, depth, begin = [], 0, 0
    for mark in re.finditer(r"\\left|\\right|[{}]|(?<=\s)[+-](?=\s)", latex):
        text = mark[0]
        if text in ("\\left", "{"):
            depth += 1
        elif text in ("\\right", "}"):
            depth -= 1
        elif depth == 0 and latex[begin : mark.start()].strip():
            found.append(latex[begin : mark.start()].strip())
            begin = mark.start()
    return [*found, latex[begin:].strip()]


def _kinematics(coordinates: Sequence[Any], rates: Sequence[Expr], show: Callable[[Expr], str]) -> list[Row]:
    table = dict(zip(map(str, coordinates), rates))
    rows: list[Row] = []
    for name in matrix_letters(table):
        found = turning(name, table)
        if found is None:
            continue
        letter = show(symbol(name))
        inside = r" \\ ".join(" & ".join(show(e) for e in row) for row in found.matrix)
        matrix = rf"\left(\begin{{matrix}} {inside} \end{{matrix}}\right)"
        rows.append((rf"\dot{{{letter}}}", f"= {matrix} {letter}" if found.in_space else f"= {letter} {matrix}"))
        table = {n: e for n, e in table.items() if n not in entries(name)}
    for name, rate in table.items():
        if str(rate) != f"{name}dot":
            rows += equation(show(symbol(f"{name}dot")), show(rate))
    return rows


def _dynamics(
    mass: Sequence[Sequence[Expr]], unknown: Sequence[Any], force: Sequence[Expr], show: Callable[[Expr], str]
) -> list[Row]:
    lefts = [_left(row, unknown, show) for row in mass]
    if max((apparent_width(left) for left in lefts), default=0) <= LONG_LEFT:
        return [r for left, side in zip(lefts, force) for r in equation(left, show(side))]
    return _matrix_form(mass, unknown, force, show)


def _left(row: Sequence[Expr], unknown: Sequence[Any], show: Callable[[Expr], str]) -> str:
    """``(J + m a²) ω̇ - m v̇``: brackets only around sums, signs between the terms."""
    found = []
    for coefficient, name in zip(row, unknown):
        value = se.sympify(coefficient)
        if value == 0:
            continue
        if value == 1 or value == -1:
            found.append(show(name) if value == 1 else f"- {show(name)}")
        elif isinstance(value, se.Add) or not _is_fraction(value):
            found.append(show(value * name))
        else:
            space = r" \," if show(name).startswith(r"\dot{\mathrm") else ""
            found.append(f"{show(value)}{space} {show(name)}")
    return joined(found) or "0"


def _is_fraction(expr: Expr) -> bool:
    factors = expr.args if isinstance(expr, se.Mul) else (expr,)
    return any(isinstance(f, se.Rational) and not isinstance(f, se.Integer) for f in factors) or any(
        isinstance(f, se.Pow) and isinstance(f.args[1], se.Rational) and f.args[1].is_negative for f in factors
    )


def _matrix_form(
    mass: Sequence[Sequence[Expr]], unknown: Sequence[Any], force: Sequence[Expr], show: Callable[[Expr], str]
) -> list[Row]:
    size = len(force)
    symmetric = all(mass[i][j] == mass[j][i] for i in range(size) for j in range(i))
    entry = "M_{{{}{}}}" if size < 10 else "M_{{{},{}}}"

    def name(i: int, j: int) -> str:
        i, j = (j, i) if symmetric and i > j else (i, j)
        value = mass[i][j]
        return show(value) if not se.sympify(value).args else entry.format(i + 1, j + 1)

    matrix = r" \\ ".join(" & ".join(name(i, j) for j in range(size)) for i in range(size))
    column = r" \\ ".join(map(show, unknown))
    sides = r" \\ ".join(show(f) if not se.sympify(f).args else f"F_{{{i + 1}}}" for i, f in enumerate(force))
    brackets = r"\left(\begin{{matrix}} {} \end{{matrix}}\right)".format
    rows: list[Row] = [("", f"{brackets(matrix)} {brackets(column)} = {brackets(sides)}")]
    for i, j in product(range(size), repeat=2):
        if se.sympify(mass[i][j]).args and not (symmetric and i > j):
            rows += equation(entry.format(i + 1, j + 1), show(mass[i][j]))
    for i, side in enumerate(force):
        if se.sympify(side).args:
            rows += equation(f"F_{{{i + 1}}}", show(side))
    return rows
