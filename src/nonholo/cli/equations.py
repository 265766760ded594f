"""Equations on a page: as they are when they are short, with names for what they share when they are long."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import symengine as se

from nonholo.algebra.calculus import substitute
from nonholo.algebra.numeric import private
from nonholo.algebra.text import to_latex, to_text
from nonholo.derive.display import latex, text
from nonholo.derive.equations import Equations

Expr = Any
Pair = tuple[Any, Expr]
LONG = 800
"""Equations with more parts than this, written out, are shown with abbreviations."""
SMALL = 6
"""What has no more parts than this, or occurs once, is not worth a name."""


def written_size(exprs: Sequence[Expr]) -> int:
    """How many parts the expressions have when nothing is shared, as on paper.

    >>> x = se.Symbol("x")
    >>> written_size([(x + 1) ** 2 + se.sin(x + 1)])
    10
    """
    sizes: dict[Expr, int] = {}

    def size(expr: Expr) -> int:
        if expr not in sizes:
            sizes[expr] = 1 + sum(size(part) for part in expr.args)
        return sizes[expr]

    return sum(size(se.sympify(e)) for e in exprs)


def abbreviated(equations: Equations) -> tuple[Equations, dict[str, Expr]]:
    """The equations in terms of shared parts ``k1, k2, …``, and what those stand for, each after those it uses."""
    size = len(equations.force)
    flat = [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force]
    if written_size(flat) <= LONG:
        return equations, {}
    own = sorted({s for e in flat for s in se.sympify(e).free_symbols}, key=str)
    hidden, renamed = private(own, flat)
    found, reduced = se.cse(renamed)
    found, reduced = _without_small(found, reduced)
    prefix = next(p for p in ("k", "K", "k_", "shared") if not any(re.fullmatch(rf"{p}\d+", str(s)) for s in own))
    names = {old: se.Symbol(f"{prefix}{i + 1}") for i, (old, _) in enumerate(found)}
    back = {**names, **dict(zip(hidden, own))}
    short = list(substitute(reduced, back))
    meaning = dict(zip(names.values(), substitute([e for _, e in found], back)))
    count = len(equations.kinematics)
    short[:count] = [meaning.get(e, e) for e in short[:count]]  # d/dt x = k1 would tell nothing
    rows = [tuple(short[count + i * size : count + (i + 1) * size]) for i in range(size)]
    shown = replace(
        equations, kinematics=tuple(short[:count]), mass=tuple(rows), force=tuple(short[count + size * size :])
    )
    return shown, {str(name): e for name, e in meaning.items()}


def _without_small(found: Sequence[Pair], reduced: Sequence[Expr]) -> tuple[list[Pair], list[Expr]]:
    """Parts that are too small or too rare to be named, put back."""
    uses: dict[Any, int] = {}
    for expr in (*(e for _, e in found), *reduced):
        for s in expr.free_symbols:
            uses[s] = uses.get(s, 0) + 1
    inside: dict[Any, Expr] = {}
    kept = []
    for name, expr in found:
        (whole,) = substitute([expr], inside)
        if written_size([whole]) <= SMALL or uses.get(name, 0) <= 1:
            inside[name] = whole
        else:
            kept.append((name, whole))
    return kept, list(substitute(reduced, inside))


def as_text(equations: Equations) -> str:
    """Lines of text; long equations with their abbreviations below."""
    shown, names = abbreviated(equations)
    if not names:
        return str(equations)
    return "\n".join([text(shown, 0.0), "", "where", *(f"  {n} = {to_text(e)}" for n, e in names.items())])


def as_latex(equations: Equations) -> str:
    """LaTeX; long equations with their abbreviations below."""
    shown, names = abbreviated(equations)
    if not names:
        return equations.latex()
    rates = {str(s) for s in equations.speeds if str(s).endswith("dot")}
    rows = [f"{to_latex(se.Symbol(n))} &= {to_latex(e, rates=rates)}" for n, e in names.items()]
    where = "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"
    return f"{latex(shown, 0.0)}\n\\quad\\text{{where}}\\quad\n{where}"


def as_table(equations: Equations) -> dict[str, Any]:
    """Plain data: names and texts; ``shared`` holds what the texts abbreviate, in order."""
    shown, names = abbreviated(equations)
    symbols = ("coordinates", "speeds", "unknowns", "parameters", "inputs")
    return {
        "name": shown.name,
        "form": shown.origin,
        **{key: [str(s) for s in getattr(shown, key)] for key in symbols},
        "kinematics": [to_text(e) for e in shown.kinematics],
        "mass": [[to_text(e) for e in row] for row in shown.mass],
        "force": [to_text(e) for e in shown.force],
        "shared": {n: to_text(e) for n, e in names.items()},
    }
