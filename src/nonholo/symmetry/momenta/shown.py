"""Integrals as a tuple that shows itself in a notebook."""

from __future__ import annotations

from nonholo.finding import Finding
from nonholo.integrate.one.presenters import shown


class Integrals(tuple[Finding, ...]):
    """Findings on integrals: a tuple, and in a notebook a table with its formulas drawn.

    >>> Integrals((Finding("the energy is constant", "holds"),))[0].verdict
    'holds'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return shown("shown_integrals", self)
