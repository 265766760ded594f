"""A reduction in words and formulas, for a terminal."""

from __future__ import annotations

from typing import Any

from nonholo.algebra.text import to_text
from nonholo.geometry.structure import shorten


def text(reduction: Any) -> str:
    """The reduction as a page of text."""
    lines = [
        f"{reduction.system.name} modulo {reduction.symmetry.name or ', '.join(reduction.group.names)}",
        f"  group: {', '.join(reduction.group.names)} (orbits of dimension {reduction.group.rank})",
        f"  shape: {_shape(reduction)}",
    ]
    for letter in "HSNR":
        fields = reduction.bases.rates(letter)
        if fields:
            lines.append(f"  {letter}: " + "; ".join(_short(e) for e in fields))
    if reduction.connection is not None and reduction.rates:
        rows = [
            f"A^{a + 1}_{name.removesuffix('dot')} = {_short(e)}"
            for a, row in enumerate(reduction.connection.components)
            for name, e in zip(reduction.rates, row)
        ]
        lines += [f"  connection: {row}" for row in rows]
    lines += [f"  d{name}/dt = {_short(e)}" for name, e in reduction.momentum_equation.items()]
    lines += [f"  {finding}" for finding in reduction.findings]
    return "\n".join(lines)


def _shape(reduction: Any) -> str:
    shape = reduction.shape
    if not shape.names:
        return "none"
    return ", ".join(
        n if n in reduction.system.coordinates else f"{n} = {to_text(f)}" for n, f in zip(shape.names, shape.functions)
    )


def _short(expr: Any, limit: int = 160) -> str:
    found = to_text(shorten(expr))
    return found if len(found) <= limit else f"{found[: limit - 2]} …"
