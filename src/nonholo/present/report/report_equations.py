"""Equations of motion and Lagrangians in a report, with names for repeated parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import symengine as se

from nonholo.algebra.cache import Cache, key_of
from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr
from nonholo.derive.display.equation_layout import Layout, Row, broken, equation, laid_out, printer, terms
from nonholo.derive.display.equation_text import common_parts, free_letter, parts
from nonholo.derive.display.equation_text import distinct_nodes as counted
from nonholo.derive.display.vector_lines import axis_rows, latex_style
from nonholo.derive.equations import Equations
from nonholo.model.rotation_axes import Axis, axes_of, matrices, system_notation
from nonholo.notation.latex import to_latex
from nonholo.notation.shortening.length import written_nodes
from nonholo.notation.shortening.shorten import shortened

__all__ = [
    "Layout", "Row", "abbreviated", "axes_in", "axis_formulas", "broken", "distinct_nodes", "equation", "layout", "on_rotations",
    "printer", "system_printer", "terms",
]  # fmt: skip

MOST_NODES = 2500
"""Equations that have more nodes than this, repeated parts counted once, fill many pages and are not written out."""
FEW_LINES, SHORT = 220, 9
"""Nodes of a few lines, and of parts too short for a name, when a Lagrangian is abbreviated."""


def layout(equations: Equations, budget: float = 1.0) -> Layout | None:
    """The equations in rows, shortened by at most about ``budget`` units of work; None when they fill too many pages."""
    flat = [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force]
    if distinct_nodes(flat) > MOST_NODES:
        return None
    return laid_out(equations, parts(equations, budget, ("M", "F", "z")))


def distinct_nodes(exprs: Sequence[Expr]) -> int:
    """How many nodes the expressions have together, equal parts counted once."""
    return counted(exprs, MOST_NODES)


def abbreviated(exprs: Sequence[Expr], taken: Sequence[str]) -> tuple[list[tuple[Any, Expr]], list[Expr]]:
    """Like `nonholo.derive.display.equation_text.shared_parts`, already when the expressions fill more than a few lines."""
    if sum(written_nodes(e, FEW_LINES) for e in exprs) <= FEW_LINES:
        return [], list(exprs)
    shared, reduced = common_parts(exprs)
    letter = free_letter(taken)
    names: dict[Any, Expr] = {}
    kept: list[tuple[Any, Expr]] = []
    for old, side in shared:
        side = side.subs(names)
        if written_nodes(side, SHORT) <= SHORT:  # a name would be no shorter
            names[old] = side
        else:
            names[old] = symbol(f"{letter}{len(kept) + 1}")
            kept.append((names[old], side))
    return kept, [e.subs(names) for e in reduced]


def system_printer(system: Any) -> Callable[[Expr], str]:
    """LaTeX in the names of a system, in the order in which it declares them."""
    return partial(to_latex, spelling=system_notation(system))


def on_rotations(system: Any, exprs: Sequence[Expr], budget: float = 0.3) -> list[Expr]:
    """Expressions of a system, those with entries of rotation matrices made shorter by R Rᵀ = 1; others as they are."""
    key = key_of(system, tuple(exprs), budget)
    if key is None:
        return _on_rotations(system, exprs, budget)
    return list(_turned.get(key, lambda: _on_rotations(system, exprs, budget)))


_turned: Cache[list[Expr]] = Cache(8)
"""Cache: two sections of a report use the same Lagrangian and constraints."""


def _on_rotations(system: Any, exprs: Sequence[Expr], budget: float) -> list[Expr]:
    spelling = system_notation(system)
    entries = {n for axis in axes_of(system) for n in axis.entries}
    chosen = [e for e in exprs if any(str(s) in entries for s in se.sympify(e).free_symbols)]
    short = dict(zip(chosen, shortened(chosen, budget, spelling)[0]))
    return [short.get(e, e) for e in exprs]


def axes_in(system: Any, exprs: Sequence[Expr]) -> list[Axis]:
    """The axes of which a component or its rate occurs in the expressions."""
    names = {str(s) for e in exprs for s in se.sympify(e).free_symbols}
    return [a for a in axes_of(system) if names & {f"{n}{dots}" for n in a.entries for dots in ("", "dot")}]


def axis_formulas(system: Any, exprs: Sequence[Expr], named_axes: Sequence[Axis] = ()) -> list[Row]:
    """Definitions of axes that occur in the expressions and are not among ``told``: ``γ = Rᵀ e₃``, and their rates."""
    axes = [a for a in axes_in(system, exprs) if a not in named_axes]
    turns = matrices(system.coordinates, system.frame.rates)
    return [(left, f"= {right}") for left, right in axis_rows(system, turns, axes, latex_style(system_notation(system)))]
