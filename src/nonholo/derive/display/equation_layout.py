"""Lay out equations for people: kinematics, dynamics, abbreviations, broken lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import symengine as se

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr
from nonholo.derive.display.equation_text import Parts, equations_notation, joined, parts
from nonholo.derive.display.vector_lines import Style, axis_rows, latex_style, pair_axes, turning_vectors, vector_rows
from nonholo.derive.mass_and_force import MassAndForce
from nonholo.notation.latex import apparent_width, to_latex
from nonholo.notation.names import latex_name
from nonholo.notation.rotation_matrices import entries

Row = tuple[str, str]
WIDE = 60
"""A right side that would be wider than so many letters is broken."""
LONG_LEFT = 54
"""Left sides wider than this are written as a matrix."""
PAGE = 66
"""Where left and right side together are wider than this, the right side goes below the left."""


@dataclass(frozen=True)
class Layout:
    """Rows of LaTeX, left and right side; ``complete`` is False when time ran out before all were shortened."""

    kinematics: tuple[Row, ...]
    dynamics: tuple[Row, ...]
    abbreviations: tuple[Row, ...]
    complete: bool = True
    vectors: tuple[Row, ...] = ()
    """The same as one vector equation, where that is proved."""

    @property
    def size(self) -> int:
        """How many characters of LaTeX."""
        return sum(len(a) + len(b) for a, b in (*self.kinematics, *self.dynamics, *self.abbreviations, *self.vectors))


def laid_out(equations: MassAndForce, found: Parts) -> Layout:
    """The shortened equations in rows."""
    show, style = printer(equations), latex_style(equations_notation(equations))
    vectors = vector_rows(equations, style)
    return Layout(
        tuple(_kinematics(equations, found, vectors, show, style)),
        tuple(_dynamics(found.mass, found.unknown, found.force, show)),
        tuple(r for name, side in found.definitions for r in equation(show(name), show(side))),
        found.complete,
        tuple(r for left, right in vectors for r in equation(left, right)),
    )


def latex(equations: MassAndForce, budget: float = 5.0) -> str:
    """The equations as a LaTeX ``aligned`` block."""
    found = laid_out(equations, parts(equations, budget, ("M", "F", "z")))
    rows = [f"{left} &{right}" for left, right in (*found.kinematics, *found.dynamics, *found.abbreviations, *found.vectors)]
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


def printer(equations: MassAndForce) -> Callable[[Expr], str]:
    """LaTeX of an expression in the names of the equations."""
    return partial(to_latex, spelling=equations_notation(equations))


def equation(left: str, right: str) -> list[Row]:
    """``left = right`` as rows, the right side broken between its terms where it is long."""
    lines = broken(right)
    return [(left, f"= {lines[0]}"), *(("", rf"\quad {line}") for line in lines[1:])]


def _below(rows: Sequence[Row]) -> list[Row]:
    """The left side on a line of its own, the lines of the right side below it."""
    (left, first), *rest = rows
    return [("", left), ("", rf"\quad {first}"), *(("", rf"\quad {line}") for _, line in rest)]


def broken(latex: str, wide: float = WIDE) -> list[str]:
    """A sum on several lines, broken before a sign outside all brackets, or inside the brackets of a term that is wide alone.

    >>> broken("a + b - c", wide=4)
    ['a + b', '- c']
    >>> for line in broken(r"k \\left(a + b + c\\right)^{2} - d", wide=6):
    ...     print(line)
    k \\left(a + b \\right.
    \\left. + c\\right)^{2}
    - d
    """
    lines: list[str] = []
    current, width = "", 0.0
    for term in terms(latex):
        size = apparent_width(term)
        if current and width + size > wide:
            lines.append(current)
            current, width = "", 0.0
        if not current and size > wide:
            *opened, term = _opened(term, wide)
            lines += opened
            size = apparent_width(term)
        current, width = f"{current} {term}".strip(), width + size
    return [*lines, current]


def _opened(term: str, wide: float) -> list[str]:
    """A product with a wide sum in brackets on several lines; whole where it has none outside fractions, roots and matrices."""
    groups, depth, begin = [], 0, 0
    for mark in re.finditer(r"\\left\(?|\\right\)?|[{}]", term):
        if mark[0] in (r"\left(", r"\left", "{"):
            begin = mark.end() if depth == 0 and mark[0] == r"\left(" else begin if depth else -1
            depth += 1
        else:
            depth -= 1
            if depth == 0 and begin >= 0 and mark[0] == r"\right)" and r"\begin{" not in term[begin : mark.start()]:
                groups.append((begin, mark.start()))
    if not groups:
        return [term]
    begin, end = max(groups, key=lambda g: (apparent_width(term[g[0] : g[1]]), -g[0]))
    head, tail = term[:begin], term[end:]
    first, *rest = broken(term[begin:end], max(wide - apparent_width(head.removesuffix(r"\left(")), wide // 2))
    if not rest:
        return [term]
    closed = [rf"\left. {line} \right." for line in rest[:-1]]
    return [rf"{head}{first} \right.", *closed, rf"\left. {rest[-1]}{tail}"]


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


def _kinematics(
    equations: MassAndForce, found: Parts, vectors: Sequence[Row], show: Callable[[Expr], str], style: Style
) -> list[Row]:
    table = dict(zip(map(str, equations.coordinates), found.kinematics))
    whole, told = dict(table), set[str]()
    rows: list[Row] = []
    for name, turn in found.turns.items():
        letter = latex_name(name)
        inside = r" \\ ".join(" & ".join(show(e) for e in row) for row in turn.matrix)
        matrix = rf"\left(\begin{{matrix}} {inside} \end{{matrix}}\right)"
        rows.append((rf"\dot{{{letter}}}", f"= {matrix} {letter}" if turn.in_space else f"= {letter} {matrix}"))
        told |= set(entries(name))
    axes = pair_axes(equations)
    turned = turning_vectors(equations, table, axes, told, style)
    told |= {name for _, names in turned.values() for name in names}
    shown = [*found.kinematics, *(e for row in found.mass for e in row), *found.force, *(e for _, e in found.definitions)]
    used = {str(s) for n, e in zip(whole, shown) if n not in told for s in e.free_symbols}
    used |= {str(s) for e in shown[len(whole) :] for s in e.free_symbols} | {n for n in whole if n not in told}
    told_of = "".join(left + right for left, right in vectors)
    named = [
        a
        for a in axes
        if used & {f"{n}{dots}" for n in a.entries for dots in ("", "dot")}
        or a.name in turned
        or any(v in told_of for v in (style.vector(a.name), *map(latex_name, a.components)))
    ]
    meant = axis_rows(equations.system, found.turns, named, style)
    rows += [(left, f"= {right}") for left, right in (*meant, *(row for row, _ in turned.values()))]
    for name, rate in table.items():
        if name not in told and str(rate) != f"{name}dot":
            rows += equation(show(symbol(f"{name}dot")), show(rate))
    return rows


def _dynamics(
    mass: Sequence[Sequence[Expr]], unknown: Sequence[Any], force: Sequence[Expr], show: Callable[[Expr], str]
) -> list[Row]:
    lefts = [_left(row, unknown, show) for row in mass]
    widest = max((apparent_width(left) for left in lefts), default=0)
    if widest <= LONG_LEFT:
        rows = [equation(left, show(side)) for left, side in zip(lefts, force)]
        right = max((apparent_width(line) for side in rows for _, line in side), default=0)
        return [r for side in rows for r in (_below(side) if widest + right > PAGE else side)]
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
