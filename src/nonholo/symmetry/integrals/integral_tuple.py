"""A tuple of first integrals with a table for notebooks."""

from __future__ import annotations

from collections.abc import Iterable

from nonholo.finding import Finding
from nonholo.integrate.results.presenters import shown
from nonholo.model.rotation_axes import axes_of, with_meanings
from nonholo.model.system import System


class Integrals(tuple[Finding, ...]):
    """Findings on integrals: a tuple, and in a notebook a table with its formulas drawn in the notation of ``system``.

    >>> Integrals((Finding("the energy is constant", "holds"),))[0].verdict
    'holds'
    """

    system: System | None

    def __new__(cls, findings: Iterable[Finding] = (), system: System | None = None) -> Integrals:
        made = super().__new__(cls, findings)
        made.system = system
        return made

    def __str__(self) -> str:
        lines = "\n".join(map(str, self))
        return with_meanings(lines, axes_of(self.system)) if self.system is not None else lines

    def _repr_html_(self) -> str:
        return shown("shown_integrals", self)
