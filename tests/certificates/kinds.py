"""What the checks of all kinds of certificates share; nothing of nonholo is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from tests.certificates.equations import At, Equations
from tests.certificates.residues import need, read

Formulas = dict[str, Any]
CHECKS: dict[str, Callable[[Equations, list[At], Formulas], None]] = {}


def proves(kind: str) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        CHECKS[kind] = function
        return function

    return register


def several(states: list[At], count: int = 2) -> None:
    need(len(states) >= count, "too few states")


def forms_of(formulas: Formulas) -> list[Any]:
    return [read(e) for e in formulas["speeds"].values()]


def fields_of(formulas: Formulas) -> list[list[Any]]:
    return [[read(e) for e in field] for field in formulas["components"]]


def slope(eq: Equations, field: list[Any], e: Any) -> Any:
    return sympy.Add(*(c * eq.along(j, e) for j, c in enumerate(field) if c != 0))


def bracket(eq: Equations, one: list[Any], two: list[Any]) -> list[Any]:
    total = [slope(eq, one, b) - slope(eq, two, a) for a, b in zip(one, two)]
    for i, j, m, c in eq.brackets:
        total[m] += c * (one[i] * two[j] - one[j] * two[i])
    return total
