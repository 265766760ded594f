"""A reduction in words and formulas, for a terminal."""

from __future__ import annotations

from typing import Any

from nonholo.algebra.names import Notation
from nonholo.algebra.neat import shortened
from nonholo.algebra.text import to_text
from nonholo.derive.display import equations_notation

BUDGET = 2.0
"""Seconds for shortening all that is shown."""


def text(reduction: Any, budget: float = BUDGET) -> str:
    """The reduction as a page of text."""
    fields = {letter: reduction.bases.rates(letter) for letter in "HSNR"}
    linked = reduction.connection
    components = [e for row in linked.components for e in row] if linked is not None and reduction.rates else []
    shown = [*(e for row in fields.values() for e in row), *components, *reduction.momentum_equation.values()]
    spelling = equations_notation(reduction.equations)
    short = dict(zip(shown, shortened(shown, budget, spelling)[0]))
    lines = [
        f"{reduction.system.name} modulo {reduction.group_name}",
        f"  group: {', '.join(reduction.group.names)} (orbits of dimension {reduction.group.rank})",
        f"  shape: {_shape(reduction)}",
    ]
    for letter, found in fields.items():
        if found:
            lines.append(f"  {letter}: " + "; ".join(_short(short[e], spelling) for e in found))
    if components:
        rows = [
            f"A^{a + 1}_{name.removesuffix('dot')} = {_short(short[e], spelling)}"
            for a, row in enumerate(linked.components)
            for name, e in zip(reduction.rates, row)
        ]
        lines += [f"  connection: {row}" for row in rows]
    lines += [f"  d{name}/dt = {_short(short[e], spelling)}" for name, e in reduction.momentum_equation.items()]
    lines += [f"  {finding}" for finding in reduction.findings]
    return "\n".join(lines)


def _shape(reduction: Any) -> str:
    shape = reduction.shape
    if not shape.names:
        return "none"
    return ", ".join(
        n if n in reduction.system.coordinates else f"{n} = {to_text(f)}" for n, f in zip(shape.names, shape.functions)
    )


def _short(expr: Any, spelling: Notation, limit: int = 160) -> str:
    found = to_text(expr, spelling)
    return found if len(found) <= limit else f"{found[: limit - 2]} …"
