"""Solve pairs of ODEs that become simple in a rotating basis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import symengine as se

from nonholo.symmetry.integrals.gauge.function_field import Element, FunctionField, Unsupported
from nonholo.symmetry.integrals.gauge.prolongation import GaugeOde

Square = tuple[tuple[Element, ...], ...]


def turned_solutions(ode: GaugeOde, solved: Callable[[GaugeOde], list[Any]]) -> list[Any]:
    """``y = R(±s) u`` with ``u' = (RᵀNR − RᵀR') u``, solved by the way given, for two coefficients of an angle.

    Coefficients along axes that stay, of what turns with the variable (the normal of a cylinder), are of this kind.
    """
    F = ode.field
    if len(ode.matrix) != 2:
        return []
    try:
        cosine, sine = F.element(se.cos(F.variable)), F.element(se.sin(F.variable))
    except (Unsupported, KeyError):  # the ODE holds no sines
        return []
    for sign in (1, -1):
        turn: Square = ((cosine, -sign * sine), (sign * sine, cosine))
        back: Square = ((cosine, sign * sine), (-sign * sine, cosine))
        inner = _product(F, back, _product(F, ode.matrix, turn))
        steady = _product(F, back, tuple(tuple(F.derivative(e) for e in row) for row in turn))
        moved = tuple(tuple(F.reduced(a - b) for a, b in zip(*rows)) for rows in zip(inner, steady))
        found = solved(replace(ode, matrix=moved))
        if found:
            return [_turned_back(F, one, turn) for one in found]
    return []


def _turned_back(F: FunctionField, one: Any, turn: Square) -> Any:
    terms = tuple((factor, tuple(row[0] for row in _product(F, turn, [[e] for e in vector]))) for factor, vector in one.terms)
    return replace(one, terms=terms, method=f"{one.method}, in axes that turn with the variable")


def _product(F: FunctionField, left: Sequence[Sequence[Element]], right: Sequence[Sequence[Element]]) -> Square:
    return tuple(
        tuple(F.reduced(sum((a * b for a, b in zip(row, column)), F.zero)) for column in zip(*right)) for row in left
    )
