"""The one writer: every kind of statement and of evidence becomes English here, and nobody reads it back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

from nonholo.finding import statements as kinds
from nonholo.finding.evidence_kinds import Evidence, Searched
from nonholo.finding.statements import Condition, FindingData

Verdict = Literal["holds", "fails", "unknown"]
Kind = TypeVar("Kind", bound=FindingData)
_WRITERS: dict[type[FindingData], Callable[..., str]] = {}


def writes(kind: type[Kind]) -> Callable[[Callable[[Kind, Verdict], str]], Callable[[Kind, Verdict], str]]:
    """Register the function that writes the sentence of a kind for a verdict."""

    def register(function: Callable[[Kind, Verdict], str]) -> Callable[[Kind, Verdict], str]:
        _WRITERS[kind] = function
        return function

    return register


def sentence(data: FindingData, verdict: Verdict) -> str:
    """The sentence of a statement.

    >>> sentence(kinds.Freedom(3, 2), "holds")
    '3 velocities, 2 of them free'
    """
    return _WRITERS[type(data)](data, verdict)


def because(evidence: tuple[Evidence, ...]) -> str:
    """The evidence in words."""
    return "; ".join(words for words in map(_evidence, evidence) if words)


def _evidence(one: Evidence) -> str:
    if isinstance(one, Searched) and one.bounds:
        return f"tried {'; '.join(one.bounds)}"
    return one.words


def when(condition: Condition) -> str:
    """A condition as the end of a sentence.

    >>> when(Condition(steady=("u",))), when(Condition())
    (' while u is constant', '')
    """
    words = " when the inputs are zero" if condition.idle else ""
    for names, state in ((condition.zero, "zero"), (condition.steady, "constant")):
        if names:
            words += f" {'when' if state == 'zero' else 'while'} {', '.join(names)} {'is' if len(names) == 1 else 'are'} {state}"
    return words + (" for these values of the parameters" if condition.values else "")


@writes(kinds.Statement)
def _statement(data: kinds.Statement, verdict: Verdict) -> str:
    return data.text


@writes(kinds.FirstIntegral)
def _first_integral(data: kinds.FirstIntegral, verdict: Verdict) -> str:
    what = f"the energy {data.formula}".strip() if data.energy else data.formula
    return f"{what} is constant{when(data.when)}"


@writes(kinds.FurtherIntegrals)
def _further(data: kinds.FurtherIntegrals, verdict: Verdict) -> str:
    return "a further integral is known"


@writes(kinds.Invariance)
def _invariance(data: kinds.Invariance, verdict: Verdict) -> str:
    return f"{data.part} invariant under {data.generator}"


@writes(kinds.Agreement)
def _agreement(data: kinds.Agreement, verdict: Verdict) -> str:
    return f"{data.one} agrees with {data.other}"


@writes(kinds.AccelerationsUnique)
def _unique(data: kinds.AccelerationsUnique, verdict: Verdict) -> str:
    return "the accelerations are unique"


@writes(kinds.Involutive)
def _involutive(data: kinds.Involutive, verdict: Verdict) -> str:
    return "the admissible velocities are involutive"


@writes(kinds.Freedom)
def _freedom(data: kinds.Freedom, verdict: Verdict) -> str:
    return f"{data.velocities} velocities, {'all' if data.free == data.velocities else f'{data.free} of them'} free"


@writes(kinds.Symmetries)
def _symmetries(data: kinds.Symmetries, verdict: Verdict) -> str:
    return f"symmetries: {'; '.join(data.names)}" if data.names else "a shift or turn leaves the system as it is"


@writes(kinds.Measure)
def _measure(data: kinds.Measure, verdict: Verdict) -> str:
    return data.which


@writes(kinds.ReducedHamiltonian)
def _hamiltonian(data: kinds.ReducedHamiltonian, verdict: Verdict) -> str:
    if verdict != "holds":
        return "the reduced motion is Hamiltonian, perhaps in a new time"
    clock = f", dτ = N dt with N = {data.clock}" if data.clock else ""
    return f"the shape's motion is Hamiltonian ({data.theorem}){clock}"


@writes(kinds.MotionFills)
def _fills(data: kinds.MotionFills, verdict: Verdict) -> str:
    if data.dimension is None or verdict != "holds":
        return "a motion shows how many integrals there are"
    sure = "clear" if data.clear else "not clear-cut"
    return (
        f"a motion fills {data.dimension:.1f} ± {data.error:.1f} of {data.space} dimensions: as with {data.integrals} "
        f"integrals ({sure})"
    )
