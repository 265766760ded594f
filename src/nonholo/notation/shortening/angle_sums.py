"""Sines and cosines of sums of angles as polynomials in those of single angles, or of differences of angles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.notation.names import natural

Form = dict[Expr, int]
"""An angle as a sum of whole multiples of others."""
Chart = dict[Expr, Form]
"""Every angle that occurs, by the angles in whose sines and cosines all is to be written."""
MULTIPLE = 4
"""Angles with larger multiples are left as they are."""


def charts(letters: Sequence[Expr]) -> list[Chart]:
    """Ways to choose the angles: as they are, single ones, differences of neighbours (a rotation of all drops out)."""
    angles = list(dict.fromkeys(e.args[0] for e in letters if isinstance(e, (se.sin, se.cos))))
    if not angles:
        return [{}]
    found: list[Chart] = [{a: {a: 1} for a in angles}]
    forms = [_linear(a) for a in angles]
    if any(f is None for f in forms):
        return found
    single = {a: f for a, f in zip(angles, forms) if f is not None}
    atoms = sorted({s for f in single.values() for s in f}, key=lambda s: natural(str(s)))
    if not all(isinstance(a, se.Symbol) for a in angles):
        found.append(single)
    if len(angles) > len(atoms):  # they depend on each other
        found = found[1:]
    if 2 <= len(atoms) <= 5:
        found.append({a: _by_differences(f, atoms) for a, f in single.items()})
    return found


def _linear(angle: Expr) -> Form | None:
    """The angle as whole multiples of symbols, or None."""
    result: Form = {}
    for term in angle.args if isinstance(angle, se.Add) else (angle,):
        factors = term.args if isinstance(term, se.Mul) else (se.Integer(1), term)
        if len(factors) != 2 or not isinstance(factors[0], se.Integer) or not isinstance(factors[1], se.Symbol):
            return None
        if abs(int(factors[0])) > MULTIPLE:
            return None
        result[factors[1]] = int(factors[0])
    return result


def _by_differences(form: Form, atoms: Sequence[Expr]) -> Form:
    """By a₁ - a₂, a₂ - a₃, …, aₙ: the multiples are the partial sums."""
    result: Form = {}
    total = 0
    for atom, following in zip(atoms, (*atoms[1:], None)):
        total += form.get(atom, 0)
        if total:
            result[atom if following is None else atom - following] = total
    return result


def expanded(form: Form, sines: dict[Expr, tuple[Any, Any]]) -> tuple[Any, Any]:
    """Sine and cosine of the angle from those of its parts, by the addition theorem.

    >>> s, c, a = *se.symbols("s c"), se.Symbol("a")
    >>> expanded({a: 2}, {a: (s, c)}) == (2 * s * c, c**2 - s**2)
    True
    """
    sine: Any = None
    cosine: Any = None
    for angle, times in form.items():
        s, c = sines[angle]
        for _ in range(abs(times)):
            s_next = s if times > 0 else -s
            sine, cosine = (s_next, c) if cosine is None else (sine * c + cosine * s_next, cosine * c - sine * s_next)
    return sine, cosine
