"""Searches for first integrals: each file registers one; they are tried in order of their cost."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from nonholo.symmetry.integrals.searches.integral_question import CHEAP, Question, Search, searches

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["Question", "Search", "found_by_all", "searches"]


def found_by_all(question: Question) -> None:
    """Run every search that applies; the costly ones only where the integrals found by the cheap ones leave more than curves."""
    for search in searches():
        if search.cost > CHEAP and question.complete:
            return
        if search.applies(question):
            question.findings += search.run(question)
