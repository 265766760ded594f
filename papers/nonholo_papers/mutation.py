"""Mutation of the checks: their formulas are edited one place at a time, and an edit that no check sees is a survivor.

The rules of editing are in `formula_edits`. Every edit has a fate:

- *seen*: a check that it concerns no longer agrees with its verdict;
- *equivalent*: it writes the same formula another way, by the tests of `equivalence`;
- *identity*: the equation holds identically in the value that it changes (a metric, a path, a start): the display has a letter
  there. The value is changed at random, and the residual, which is analytic in it and does change, still vanishes;
- *wrong form*: it changes only a form that is wrong on purpose, by the syntax of the check (`wrong_forms`) or since the residual
  of the trusted form is the same to the last digit;
- *survives*: none of these. A statement in words, whose residual is 0 or 1, has no letters: what it does not see survives.

A function that several checks call is edited once; it is enough that one of them sees it. A claim that sees no edit but those of
whole terms, though it has others, survives as a whole.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from types import FunctionType
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from nonholo.writing import write_text
from nonholo_papers import claims, names
from nonholo_papers.claim import Claim, Evidence
from nonholo_papers.equivalence import Letter, Nudge, Probe, same_equations
from nonholo_papers.evidence import watched
from nonholo_papers.formula_edits import (
    Edit,
    Functions,
    compiled,
    decorated,
    edits_of,
    function_around,
    functions_of,
    probed,
    replaced,
    rewritten,
)
from nonholo_papers.runner import run_one
from nonholo_papers.wrong_forms import within, wrong_spans

FATES = {
    "seen": "seen",
    "equivalent": "write the same formula",
    "identity": "hold identically in the value they change",
    "wrong form": "concern a wrong form only",
    "survives": "survive",
}
"""Fate -> words for a count, best first."""
ORDER = {fate: k for k, fate in enumerate(FATES)}
Key = tuple[str, str, int]


@dataclass(frozen=True)
class Mutant:
    """An edit, the claim whose check it concerns, and its fate."""

    paper: str
    label: str
    edit: Edit
    fate: str

    @property
    def key(self) -> Key:
        """The edit, whichever check runs it."""
        return self.edit.module, self.edit.function, self.edit.place

    def row(self) -> dict[str, Any]:
        """As plain data."""
        e = self.edit
        place = {"module": e.module, "function": e.function, "line": e.line, "before": e.before, "after": e.after}
        return {"paper": self.paper, "label": self.label, **place, "kind": e.kind, "fate": self.fate}

    def __str__(self) -> str:
        module = self.edit.module.removeprefix("nonholo_papers.")
        return f"{self.paper} {self.label} ({module}, line {self.edit.line}): {self.edit.before}  →  {self.edit.after}"


@dataclass(frozen=True)
class Survey:
    """Every edit once, with its fate, and the claims that see no edit inside their terms."""

    mutants: tuple[Mutant, ...]
    blunt: tuple[tuple[str, str], ...] = ()

    def of(self, fate: str) -> tuple[Mutant, ...]:
        """The edits with one fate."""
        return tuple(m for m in self.mutants if m.fate == fate)


def survey(about: Iterable[Claim], told: Any = lambda _: None, workers: int = 1) -> Survey:
    """Edit the checks of claims and run them; checks of one module stay together, so that an edit seen is not tried again."""
    groups: dict[str, list[Claim]] = {}
    for claim in about:
        if claim.check is not None:
            groups.setdefault(claim.check.__module__, []).append(claim)
    found: list[list[Mutant]] = []
    if workers > 1 and len(groups) > 1:
        jobs = [[(c.paper, c.label) for c in group] for group in groups.values()]
        with ProcessPoolExecutor(min(workers, len(jobs))) as pool:
            for job, result in zip(jobs, pool.map(_by_label, jobs)):
                told(f"{job[0][0]} {job[0][1]}")
                found.append(result)
    else:
        found = [_group(group, told) for group in groups.values()]
    return _once([m for group in found for m in group])


COUNTS = Path(__file__).with_name("mutation_counts.json")
"""Claims and edits by fate of each paper, as the last run of ``python -m nonholo_papers.mutation`` found them."""


def counts(key: str, found: Survey) -> dict[str, int]:
    """How many claims were edited, and how many edits have each fate."""
    checked = sum(c.check is not None for c in claims(key))
    return {"claims": checked, "edits": len(found.mutants), **{fate: len(found.of(fate)) for fate in FATES}}


def processors() -> int:
    """How many processes a survey may use here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _by_label(names: Sequence[tuple[str, str]]) -> list[Mutant]:
    return _group([c for paper, label in names for c in claims(paper) if c.label == label])


def _group(about: Sequence[Claim], told: Any = lambda _: None) -> list[Mutant]:
    found: list[Mutant] = []
    with catch_warnings(), np.errstate(all="ignore"):
        simplefilter("ignore")  # an edited formula may divide by zero
        for claim in about:
            told(f"{claim.paper} {claim.label}")
            found += mutated(claim)
    return found


def _once(found: Sequence[Mutant]) -> Survey:
    best: dict[Key, Mutant] = {}
    for m in found:
        if m.key not in best or ORDER[m.fate] < ORDER[best[m.key].fate]:
            best[m.key] = m
    inside: dict[tuple[str, str], list[Mutant]] = {}
    for m in found:
        if not m.edit.term and m.fate in ("seen", "identity", "survives"):
            inside.setdefault((m.paper, m.label), []).append(m)
    blunt = tuple(
        name
        for name, own in inside.items()
        if all(m.fate != "seen" for m in own) and sum(best[m.key].fate != "seen" for m in own) > 1
    )
    return Survey(tuple(best.values()), blunt)


def mutated(claim: Claim) -> Iterator[Mutant]:
    """Each edit of the functions of a check with its fate."""
    check = claim.check
    functions = functions_of(check) if check is not None else {}
    if check is None or check.__name__ not in functions:
        return
    with watched() as before:
        original = run_one(claim)
    if original.evidence is None:
        return

    def run(changed: Functions, **more: Any) -> tuple[Evidence | None, str]:
        result = run_one(replace(claim, check=compiled(check.__module__, changed, check.__name__, **more)))
        return result.evidence, result.trouble

    def free(results: Sequence[tuple[Evidence | None, str]]) -> bool:
        return _identically(claim, original.evidence, results)

    letters: dict[tuple[str, int], bool] = {}
    codes = [e.form.__code__ for e in before if isinstance(e.form, FunctionType)]
    forms = {code.co_firstlineno for code in codes if code.co_name != "<lambda>"}
    wrong = wrong_spans(functions, claim.verdict == "confirmed")
    for edit in edits_of(check, functions):
        with watched() as after:
            evidence, trouble = run(rewritten(functions, edit, replaced))
        if trouble or evidence is None:
            fate = "seen"
        elif within(edit.line, edit.column, wrong[edit.function]) or _wrong_form(claim, original.evidence, evidence):
            fate = "wrong form"
        elif same_equations(before, after):
            fate = "equivalent"
        else:
            fate = _fate(functions, edit, run, free, letters, forms)
        yield Mutant(claim.paper, claim.label, edit, fate)


Run = Callable[..., tuple[Evidence | None, str]]


Free = Callable[[Sequence[tuple[Evidence | None, str]]], bool]


def _fate(
    functions: Functions, edit: Edit, run: Run, free: Free, letters: dict[tuple[str, int], bool], forms: set[int]
) -> str:
    """What the numerical tests say of an edit that the check does not see.

    In a form, and in the body of a check, which draws states and compares numbers, a number may be a letter; another function is
    one as a whole or not at all.
    """
    probe = Probe()
    run(rewritten(functions, edit, probed), _probe_=probe)
    if probe.count == 0:
        return "wrong form"
    if probe.tells:
        return "equivalent"
    around = function_around(functions, edit)
    if not around.args.args or around.lineno in forms:
        nudges = [Nudge(seed) for seed in (1, 2, 3)]
        results = [run(rewritten(functions, edit, probed), _probe_=n) for n in nudges]
        return "identity" if all(n.done and not n.failed for n in nudges) and free(results) else "survives"
    key = edit.function, around.lineno
    if key not in letters:
        changed = decorated(functions, edit)
        tries = [Letter(seed) for seed in (1, 2)]
        results = [run(changed, _letter_=t) for t in tries]
        letters[key] = all(t.done and not t.failed for t in tries) and free(results)
    return "identity" if letters[key] else "survives"


def _trusted(claim: Claim, evidence: Evidence) -> float | None:
    return evidence.printed if claim.verdict == "confirmed" else evidence.right


def _identically(claim: Claim, before: Evidence | None, results: Sequence[tuple[Evidence | None, str]]) -> bool:
    """Whether the residual of the trusted form vanishes with other values at a place, and is made with them.

    A residual that is analytic in a value and vanishes at random ones vanishes at all: the equation is an identity in it. A
    residual that is exactly 0, as that of a statement in words, or that does not change, shows nothing.
    """
    found = [_trusted(claim, e) for e in (before, *(r for r, trouble in results if not trouble)) if e is not None]
    return len(found) == len(results) + 1 and 0.0 not in found and len(set(found)) > 1


def _wrong_form(claim: Claim, before: Evidence, after: Evidence) -> bool:
    """Whether only the residual of a wrong form has changed."""
    trusted = _trusted(claim, before), _trusted(claim, after)
    wrong = (before.mutant, after.mutant) if claim.verdict == "confirmed" else (before.printed, after.printed)
    return trusted[0] == trusted[1] != 0.0 and wrong[0] != wrong[1]


if __name__ == "__main__":
    tables = {key: counts(key, survey(claims(key), workers=processors())) for key in names()}
    write_text(COUNTS, json.dumps(tables, indent=1) + "\n")
