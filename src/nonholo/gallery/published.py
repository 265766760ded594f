"""Published facts about exhibits, by name and source, and errata of the papers: plain data for reports.

``published.json`` is written by ``python -m nonholo_papers.published`` from the claims and facts of that package.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("published.json")


@dataclass(frozen=True)
class Erratum:
    """One entry of the errata: where, what is printed, what is right, and the evidence."""

    paper: str
    label: str
    kind: str
    """``error``, ``condition``, ``convention``, ``slip`` or ``reading``; what they mean is in docs/errata.md."""
    printed: str
    right: str
    evidence: str
    exhibits: tuple[str, ...] = ()
    harm: int = 0
    breaks: str = ""
    because: str = ""
    """A derivation."""
    passage: str = ""
    """Where it stands in the paper and why it is of its kind."""
    counterexample: str = ""
    """A case with numbers, tested."""


@cache
def _published() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


REMEDIES = {
    "error": "should read",
    "condition": "holds when",
    "convention": "right in the convention",
    "slip": "should read",
    "reading": "reads probably",
}
"""What stands before the right form of an entry, by its kind."""


def facts_on(exhibit: str) -> tuple[tuple[str, str], ...]:
    """Claim and source of every fact about an exhibit.

    >>> facts_on("suslov")[1]
    ('the spatial momentum moves by λ a^R', 'BMZ 2009 (5.7)')
    """
    return tuple((claim, source) for claim, source in _published()["facts"].get(exhibit, ()))


def errata_on(exhibit: str) -> tuple[Erratum, ...]:
    """The errata that concern an exhibit, by the harm they do."""
    rows = [row for row in _published()["errata"] if exhibit in row["exhibits"]]
    return tuple(Erratum(**{**row, "exhibits": tuple(row["exhibits"])}) for row in rows)


def short_title(paper: str) -> str:
    """A paper as it is cited.

    >>> short_title("bmz")
    'BMZ 2009'
    """
    return str(_published()["papers"][paper])
