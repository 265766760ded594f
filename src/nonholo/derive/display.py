"""Equations for a person: text and LaTeX, shortened within a time budget."""

from __future__ import annotations

from typing import Any

from nonholo.algebra.calculus import node_count, symbol
from nonholo.algebra.text import to_latex, to_text
from nonholo.derive.equations import Equations

Expr = Any
READABLE = 400
"""Expressions with more nodes than this are not offered to SymPy's simplifier."""


def shortened(exprs: list[Expr], budget: float) -> list[Expr]:
    """The expressions, simplified by SymPy where they are small and time remains; never slower than the budget allows."""
    from time import perf_counter

    import symengine as se
    import sympy

    end = perf_counter() + budget
    result = []
    for expr in exprs:
        if perf_counter() > end or node_count([expr]) > READABLE or not expr.args:
            result.append(expr)
            continue
        short = se.sympify(sympy.trigsimp(sympy.factor_terms(sympy.sympify(expr)))) if node_count([expr]) < 60 else expr
        if node_count([expr]) < 60 and perf_counter() < end:
            tried = se.sympify(sympy.simplify(sympy.sympify(expr)))
            short = min((short, tried), key=lambda e: len(str(e)))
        result.append(min((expr, short), key=lambda e: len(str(e))))
    return result


def _lines(equations: Equations, budget: float) -> list[tuple[list[tuple[Expr, Expr]], Expr]]:
    """Each equation as (terms of the left side: coefficient and unknown, right side)."""
    unknown = [
        *(symbol(f"{s}dot") if not str(s).endswith("dot") else symbol(f"{str(s)[:-3]}ddot") for s in equations.speeds),
        *equations.unknowns,
    ]
    size = len(equations.force)
    flat = shortened([e for row in equations.mass for e in row] + list(equations.force), budget)
    rows = []
    for i in range(size):
        terms = [(flat[i * size + j], unknown[j]) for j in range(size) if flat[i * size + j] != 0]
        rows.append((terms, flat[size * size + i]))
    return rows


def text(equations: Equations, budget: float = 2.0) -> str:
    """The equations as lines of text."""
    lines = [f"{equations.name}: {equations.origin}", ""]
    kinematics = shortened(list(equations.kinematics), budget / 2)
    for coordinate, velocity in zip(equations.coordinates, kinematics):
        if str(velocity) != f"{coordinate}dot":
            lines.append(f"  d/dt {coordinate} = {to_text(velocity)}")
    for terms, side in _lines(equations, budget):
        left = " + ".join(str(u) if c == 1 else f"({to_text(c)})*{u}" for c, u in terms) or "0"
        lines.append(f"  {left} = {to_text(side)}")
    return "\n".join(lines)


def latex(equations: Equations, budget: float = 5.0) -> str:
    """The equations as a LaTeX ``aligned`` block."""
    names = {str(c) for c in equations.coordinates} | {str(s) for s in equations.speeds}
    rates = {f"{n}dot" for n in names} | {f"{n}ddot" for n in names} | {n for n in names if n.endswith("dot")}
    rates |= {f"{n[:-3]}ddot" for n in names if n.endswith("dot")}

    def show(expr: Expr) -> str:
        return to_latex(expr, rates=rates)

    rows = []
    for coordinate, velocity in zip(equations.coordinates, shortened(list(equations.kinematics), budget / 2)):
        if str(velocity) != f"{coordinate}dot":
            rows.append(f"{show(symbol(f'{coordinate}dot'))} &= {show(velocity)}")
    for terms, side in _lines(equations, budget):
        left = " + ".join(show(u) if c == 1 else rf"\left({show(c)}\right) {show(u)}" for c, u in terms) or "0"
        rows.append(f"{left} &= {show(side)}")
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"
