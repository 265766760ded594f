"""The verification suite of nonholo: the papers claim by claim, and the facts of the gallery.

``papers()``, ``claims(paper)`` and ``rests(paper)`` give the records; how to write a claim is in `claim`. Each paper is a
folder with one module per section; `facts` has one module per exhibit of the gallery. ``nonholo verify`` runs the checks
(`runner`); ``make pages`` writes the documentation's pages (`pages`) and the data that reports show (`published`).
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from nonholo.errors import ModelError, meant
from nonholo_papers.passages import PASSAGES

if TYPE_CHECKING:
    from nonholo_papers.claim import Claim, Counterexample
    from nonholo_papers.paper import Paper
    from nonholo_papers.section import Rest, Section


def names() -> tuple[str, ...]:
    """The names of the papers, as users type them.

    >>> "bmz" in names()
    True
    """
    return tuple(sorted(m.name for m in iter_modules(__path__) if m.ispkg and m.name not in ("facts", "figures")))


def folder_of(key: str) -> Path:
    """Where the modules of a paper are."""
    return Path(__file__).parent / key


def paper_of(key: str) -> Paper:
    """The record of one paper."""
    if key not in names():
        raise ModelError(f"there is no paper {key!r}; {meant(key, names(), 'it has ' + ', '.join(names()))}")
    found: Paper = import_module(f"nonholo_papers.{key}").PAPER
    return found


def papers() -> tuple[Paper, ...]:
    """The records of all papers."""
    return tuple(paper_of(key) for key in names())


@lru_cache
def claims(key: str) -> tuple[Claim, ...]:
    """The claims of one paper, in the order of its text, with the printed formulas filled in."""
    paper_of(key)
    index = formulas(key)
    cases = counterexamples(key)
    found = [_printed(claim, index) for section in _sections(key) for claim in section.claims]
    read = PASSAGES.get(key, {})
    return tuple(replace(c, counterexample=cases.get(c.label), passage=read.get(c.label, "")) for c in found)


@lru_cache
def counterexamples(key: str) -> dict[str, Counterexample]:
    """The counterexamples of a paper's errata, by the labels of the claims."""
    if not (folder_of(key) / f"_{key}_counterexamples.py").exists():
        return {}
    found: dict[str, Counterexample] = import_module(f"nonholo_papers.{key}._{key}_counterexamples").CASES
    return found


@lru_cache
def rests(key: str) -> tuple[Rest, ...]:
    """What of one paper needs no claim, with the reasons."""
    return tuple(rest for section in _sections(key) for rest in section.rests)


@lru_cache
def formulas(key: str) -> tuple[tuple[str, str, str], ...]:
    """Digest, number and (where a claim is about it) formula of every display of a paper."""
    path = folder_of(key) / "displays.json"
    return tuple(tuple(row) for row in json.loads(path.read_text("utf-8"))) if path.exists() else ()


def _sections(key: str) -> list[Section]:
    """Modules whose names do not begin with an underscore; ``s2_1_…`` come in the order of the numbers in their names."""
    return [import_module(f"nonholo_papers.{key}.{name}").section for name in modules(key)]


def modules(key: str) -> list[str]:
    """The names of a paper's sections, in order: ``s2_…`` before ``s10_…``.

    >>> modules("bmz")[0]
    's2_1_hamel'
    """
    found = [m.name for m in iter_modules([str(folder_of(key))]) if not m.name.startswith("_")]
    return sorted(found, key=lambda name: [int(e) if e.isdigit() else e for e in re.split(r"(\d+)", name)])


def _printed(claim: Claim, index: tuple[tuple[str, str, str], ...]) -> Claim:
    if claim.printed or not index:
        return claim
    shown = [index[int(re.sub(r"[a-z]+$", "", d)) - 1][2] for d in claim.displays]
    return replace(claim, printed=r" \\ ".join(shown))
