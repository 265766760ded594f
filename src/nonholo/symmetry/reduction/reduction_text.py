"""A reduction in words and formulas, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from nonholo.algebra.calculus import written_size
from nonholo.derive.display.equation_text import equations_notation
from nonholo.finding import Finding, Invariance, Measured, Part
from nonholo.model.rotation_axes import Axis, said, with_meanings
from nonholo.notation.names import Notation
from nonholo.notation.shortening.shorten import shortened
from nonholo.notation.write import to_text

BUDGET = 2.0
"""Units of work for shortening all that is shown."""
LONG = 5000
"""A formula with more symbols and operations than this, written out, is not written out."""
LINES = 40
"""Reduced equations are shown up to this many lines."""


def text(reduction: Any, budget: float = BUDGET, findings: bool = True) -> str:
    """The reduction as a page of text, with its findings unless they are shown elsewhere."""
    fields = {letter: reduction.bases.rates(letter) for letter in "HSNR"}
    linked = reduction.connection
    components = [e for row in linked.components for e in row] if linked is not None and reduction.rates else []
    shown = [*(e for row in fields.values() for e in row), *components, *reduction.momentum_equation.values()]
    spelling, axes = equations_notation(reduction.equations), reduction.equations.axes
    budget *= 3 if spelling.rotations else 1  # R Rᵀ = 1 makes them far shorter
    short = dict(zip(shown, shortened(shown, budget, spelling)[0]))
    lines = [
        f"{reduction.system.name} modulo {reduction.group_name}",
        f"  group: {', '.join(reduction.group.names)} (orbits of dimension {reduction.group.rank})",
        f"  shape: {_shape(reduction)}",
    ]
    for letter, found in fields.items():
        if found:
            lines.append(f"  {letter}: " + "; ".join(_short(short[e], spelling, axes) for e in found))
    if components:
        rows = [
            f"A^{a + 1}_{said(name.removesuffix('dot'), axes)} = {_short(short[e], spelling, axes)}"
            for a, row in enumerate(linked.components)
            for name, e in zip(reduction.rates, row)
        ]
        lines += [f"  connection: {row}" for row in rows]
    lines += [f"  d{name}/dt = {_short(short[e], spelling, axes)}" for name, e in reduction.momentum_equation.items()]
    page = with_meanings("\n".join(lines), axes)
    return "\n".join([page, *(f"  {finding}" for finding in gathered(reduction.findings))]) if findings else page


def gathered(findings: Iterable[Finding]) -> list[Finding]:
    """The findings; those that say of one generator after the other what is invariant become one."""
    rest: list[Finding] = []
    parts: dict[Part, None] = {}
    names: dict[str, None] = {}
    worst, place = 0.0, 0
    for finding in findings:
        if finding and isinstance(finding.data, Invariance):
            place = place if parts else len(rest)
            parts |= dict.fromkeys(finding.data.parts)
            names |= dict.fromkeys(finding.data.generators)
            worst = max(worst, finding.number)
        else:
            rest.append(finding)
    if parts:
        how = Measured("largest relative change at random states")
        rest.insert(place, Finding(Invariance(tuple(parts), tuple(names)), "holds", worst, how))
    return rest


def equations_text(reduction: Any) -> str:
    """The reduced equations, in rates and momenta or in invariant velocities, whichever is shorter, on a screen."""
    pages = [str(reduction.equations)]
    if reduction.equations is not reduction.invariant_equations and pages[0].count("\n") > LINES:
        pages.append(str(reduction.invariant_equations))
    page = min(pages, key=lambda p: (p.count("\n"), len(p)))
    lines = page.splitlines()
    if len(lines) <= LINES:
        return page
    return "\n".join([*lines[:LINES], f"  … and {len(lines) - LINES} more lines; reduction.equations has them all"])


def _shape(reduction: Any) -> str:
    shape = reduction.shape
    if not shape.names:
        return "none"
    return ", ".join(
        n if n in reduction.system.coordinates else f"{n} = {to_text(f)}" for n, f in zip(shape.names, shape.functions)
    )


def _short(expr: Any, spelling: Notation, axes: Sequence[Axis], limit: int = 160) -> str:
    size = written_size(expr)
    if size > LONG:
        return f"a formula of {float(size):.2g} symbols"
    found = said(to_text(expr, spelling), axes)
    return found if len(found) <= limit else f"{found[: limit - 2]} …"
