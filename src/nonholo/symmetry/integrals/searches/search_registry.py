"""The list of searches for first integrals.

    @search("products of powers", cost=70, applies=anything_may_depend)
    def products_of_powers(question: Question) -> list[Finding]: ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nonholo.finding import Finding
from nonholo.symmetry.integrals.searches.integral_question import Question

CHEAP = 30
"""Searches up to this cost always run; those above it are left out once the integrals found leave curves alone."""
Run = Callable[[Question], list[Finding]]


@dataclass(frozen=True)
class Search:
    """A registered search: whether it applies to a question, and what it finds beyond the findings before."""

    name: str
    cost: int
    applies: Callable[[Question], bool]
    run: Run


_SEARCHES: dict[str, Search] = {}


def any_question(question: Question) -> bool:
    """Every question."""
    return True


def unrestricted(question: Question) -> bool:
    """Questions that do not name the variables on which coefficients may depend."""
    return question.depends_on is None


def search(name: str, cost: int, applies: Callable[[Question], bool] = unrestricted) -> Callable[[Run], Run]:
    """Register a search; those with a lower cost are tried first."""

    def register(run: Run) -> Run:
        _SEARCHES[name] = Search(name, cost, applies, run)
        return run

    return register


def searches() -> tuple[Search, ...]:
    """All searches in the order in which they are tried.

    >>> import nonholo.symmetry.integrals.searches
    >>> [one.name for one in searches()][:2]
    ['energy', 'leaves of the constraints']
    """
    return tuple(sorted(_SEARCHES.values(), key=lambda one: (one.cost, one.name)))
