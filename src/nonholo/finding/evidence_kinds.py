"""Why a finding should be believed: proved, measured, searched for, or a reason why nothing could be decided."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Evidence:
    """One piece of evidence; ``words`` say what it is, for a person."""

    words: str = ""


@dataclass(frozen=True)
class Proved(Evidence):
    """An exact computation or a theorem; ``words`` name it."""


@dataclass(frozen=True)
class Measured(Evidence):
    """Numbers at states or along motions; ``words`` say how they were found."""


@dataclass(frozen=True)
class Searched(Evidence):
    """A bounded search that found nothing; ``bounds`` say how far it went."""

    bounds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reason(Evidence):
    """Why something was not decided or does not apply."""


@dataclass(frozen=True)
class Counterexample(Evidence):
    """A state, with the parameters, at which what was asked fails; ``rate`` is how fast the quantity changes there."""

    state: tuple[tuple[str, float], ...] = ()
    parameters: tuple[tuple[str, float], ...] = ()
    rate: float = 0.0
