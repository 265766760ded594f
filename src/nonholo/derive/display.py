"""Equations for a person: text and LaTeX, shortened within a time budget, long ones with shared parts named."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import symengine as se

from nonholo.algebra.calculus import substitute, symbol, tidy
from nonholo.algebra.latex import to_latex
from nonholo.algebra.numeric import private
from nonholo.algebra.text import to_text
from nonholo.algebra.written import written_nodes
from nonholo.derive.equations import Equations

Expr = Any
READABLE = 120
"""Expressions that, written out, have more nodes than this are not offered to SymPy's simplifier."""
SMALL = 9
"""Shared parts with at most this many nodes get no name."""
LONG = 1500
"""Equations that, written out, have more nodes than this are shown with their shared parts named."""


def shortened(exprs: Sequence[Expr], budget: float) -> list[Expr]:
    """The expressions, simplified by SymPy where they are small and time remains."""
    import sympy

    end = perf_counter() + budget
    result = []
    for expr in map(tidy, exprs):
        if not expr.args or perf_counter() > end or written_nodes(expr, READABLE) > READABLE:
            result.append(expr)
            continue
        plain = sympy.sympify(expr)
        tried = [expr, se.sympify(sympy.trigsimp(plain))]
        if perf_counter() < end:
            tried.append(se.sympify(sympy.simplify(plain)))
        result.append(min(tried, key=lambda e: len(str(e))))
    return result


def shared_parts(exprs: Sequence[Expr], taken: Sequence[str]) -> tuple[list[tuple[Any, Expr]], list[Expr]]:
    """Repeated parts as definitions ``k1, k2, …`` and the expressions in them; nothing when all is short."""
    if sum(written_nodes(e, LONG) for e in exprs) <= LONG:
        return [], list(exprs)
    arguments = sorted({s for e in exprs for s in se.sympify(e).free_symbols}, key=str)
    hidden, renamed = private(arguments, exprs)
    definitions, reduced = se.cse(renamed)
    letter = next(
        c
        for c in ("k", "q", "h", "part", "shared")
        if not any(t.startswith(c) and t[len(c) :].isdigit() for t in taken)
    )
    small: dict[Any, Expr] = {}
    kept: list[tuple[Any, Expr]] = []
    for old, side in definitions:
        (side,) = substitute([side], small)
        if written_nodes(side, SMALL) <= SMALL:  # a name would be no shorter
            small[old] = side
        else:
            kept.append((old, side))
    names = {old: symbol(f"{letter}{i + 1}") for i, (old, _) in enumerate(kept)}
    back = {**dict(zip(hidden, arguments)), **names}
    sides = substitute([side for _, side in kept], back)
    return list(zip(names.values(), sides)), list(substitute(substitute(reduced, small), back))


def _parts(
    equations: Equations, budget: float
) -> tuple[list[tuple[Any, Expr]], list[Expr], list[list[tuple[Expr, Any]]], list[Expr]]:
    """Definitions, kinematics, the left sides as (coefficient, unknown) and the right sides."""
    size, count = len(equations.force), len(equations.kinematics)
    flat = [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force]
    taken = [*equations.state, *map(str, equations.parameters), *map(str, equations.inputs)]
    definitions, flat = shared_parts(shortened(flat, budget), taken)
    unknown = [*(symbol(_acceleration(str(s))) for s in equations.speeds), *equations.unknowns]
    entries = flat[count : count + size * size]
    left = [
        [(entries[i * size + j], unknown[j]) for j in range(size) if entries[i * size + j] != 0] for i in range(size)
    ]
    return definitions, flat[:count], left, flat[count + size * size :]


def _acceleration(speed: str) -> str:
    return f"{speed[:-3]}ddot" if speed.endswith("dot") else f"{speed}dot"


def text(equations: Equations, budget: float = 2.0) -> str:
    """The equations as lines of text."""
    definitions, kinematics, left, right = _parts(equations, budget)
    lines = [f"{equations.name}: {equations.origin}", ""]
    for coordinate, velocity in zip(equations.coordinates, kinematics):
        if str(velocity) != f"{coordinate}dot":
            lines.append(f"  d/dt {coordinate} = {to_text(velocity)}")
    for terms, side in zip(left, right):
        whole = " + ".join(str(u) if c == 1 else f"({to_text(c)})*{u}" for c, u in terms) or "0"
        lines.append(f"  {whole} = {to_text(side)}")
    if definitions:
        lines += ["", "with", *(f"  {name} = {to_text(side)}" for name, side in definitions)]
    return "\n".join(lines)


def latex(equations: Equations, budget: float = 5.0) -> str:
    """The equations as a LaTeX ``aligned`` block."""
    names = [*equations.state, *equations.outputs]
    rates = {f"{n}dot" for n in names} | {_acceleration(n) for n in names} | {n for n in names if n.endswith("dot")}

    def show(expr: Expr) -> str:
        return to_latex(expr, rates=rates)

    definitions, kinematics, left, right = _parts(equations, budget)
    rows = []
    for coordinate, velocity in zip(equations.coordinates, kinematics):
        if str(velocity) != f"{coordinate}dot":
            rows.append(f"{show(symbol(f'{coordinate}dot'))} &= {show(velocity)}")
    for terms, side in zip(left, right):
        whole = " + ".join(show(u) if c == 1 else rf"\left({show(c)}\right) {show(u)}" for c, u in terms) or "0"
        rows.append(f"{whole} &= {show(side)}")
    rows += [f"{show(name)} &= {show(side)}" for name, side in definitions]
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"
