"""Test claims before they are called proved; a claim that a motion contradicts becomes a defect with the system attached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from nonholo.algebra.cache import Cache, key_of
from nonholo.errors import NonholoError
from nonholo.finding import Defect, Finding
from nonholo.finding.answer import kind_name
from nonholo.model.system import System
from nonholo.symmetry.witness.multiplier_flow import MultiplierFlow, NoTrial


@dataclass(frozen=True)
class Claim:
    """What is about to be called proved: one frozen subclass for each kind."""


@dataclass(frozen=True)
class Contradiction:
    """A computed motion that a claim does not describe: by how much, with which rounding, and how it was found."""

    gap: float
    error: float
    how: str


C = TypeVar("C", bound=Claim)
Trial = Callable[[MultiplierFlow, Any], Contradiction | None]
_TRIALS: dict[type[Claim], Trial] = {}
_flows: Cache[MultiplierFlow] = Cache(4)
_tried: Cache[Contradiction | None] = Cache(128)


def trial(
    kind: type[C],
) -> Callable[
    [Callable[[MultiplierFlow, C], Contradiction | None]], Callable[[MultiplierFlow, C], Contradiction | None]
]:
    """Register the trial of a kind of claim."""

    def register(
        function: Callable[[MultiplierFlow, C], Contradiction | None],
    ) -> Callable[[MultiplierFlow, C], Contradiction | None]:
        _TRIALS[kind] = function
        return function

    return register


def contradiction(system: System, values: Mapping[str, float], claim: Claim) -> Contradiction | None:
    """What computed motions say against a claim; None where they agree, or where there is nothing to compare with."""
    key = key_of(system, values, claim)
    if key is None:
        return _contradiction(system, values, claim)
    return _tried.get(key, lambda: _contradiction(system, values, claim))


def _contradiction(system: System, values: Mapping[str, float], claim: Claim) -> Contradiction | None:
    key = key_of(system, values)
    try:
        flow = (
            MultiplierFlow(system, values) if key is None else _flows.get(key, lambda: MultiplierFlow(system, values))
        )
        return _TRIALS[type(claim)](flow, claim)
    except (NoTrial, NonholoError, np.linalg.LinAlgError, RuntimeError):  # RuntimeError: SymEngine has no number for it
        return None


def larger(gap: float, error: float, limit: float) -> bool:
    """Whether a gap is no rounding: above the limit, and far above the error of the motion."""
    return bool(np.isfinite(gap)) and gap > limit and gap > 100 * error


def confirmed(system: System, values: Mapping[str, float], finding: Finding, claim: Claim) -> Finding:
    """The finding itself, or a `Defect` where a computed motion contradicts what is called proved."""
    if not finding.proved:
        return finding
    found = contradiction(system, values, claim)
    return finding if found is None else defect(system, finding, found)


def defect(system: System, finding: Finding, found: Contradiction) -> Finding:
    """A contradiction as a finding of its own: never proved, and with all that is needed to look into it."""
    from nonholo.machines.machine_files import dumps

    try:
        text = dumps(system)
    except NonholoError:
        text = ""
    words = f"{found.how}: {found.gap:.1e}, the motion is computed to {found.error:.0e}"
    return Finding(Defect(kind_name(finding.data), finding.claim, text), "unknown", None, words)
