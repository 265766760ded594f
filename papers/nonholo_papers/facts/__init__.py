"""The facts of the gallery: one module per exhibit, whose ``FACTS`` are published or closed-form claims with their tests.

A fact is tested on an Exhibit, from something independent of our own derivation: Newton's laws, a closed form, a cited
number. `Exhibit.facts` finds them here by the exhibit's name; modules that begin with an underscore are shared.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nonholo.gallery.exhibit import Fact
    from nonholo.gallery.field_exhibit import FieldFact


def facts_on(exhibit: str) -> tuple[Fact, ...]:
    """The facts about an exhibit of the gallery; none when it has no module.

    >>> facts_on("suslov")[1].source
    'BMZ 2009 (5.7)'
    """
    found: tuple[Fact, ...] = _facts(exhibit)
    return found


def field_facts_on(exhibit: str) -> tuple[FieldFact, ...]:
    """The facts about a field of the gallery."""
    found: tuple[FieldFact, ...] = _facts(exhibit)
    return found


def _facts(exhibit: str) -> Any:
    module = f"{__name__}.{exhibit.replace('-', '_')}"
    return import_module(module).FACTS if find_spec(module) else ()
