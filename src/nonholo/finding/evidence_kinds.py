"""Why a finding should be believed: proved, measured, searched for, or a reason why nothing could be decided."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Evidence:
    """One piece of evidence; ``words`` say what it is, for a person."""

    words: str = ""


@dataclass(frozen=True)
class Proved(Evidence):
    """An exact computation or a theorem; ``words`` name it. A certificate lets another program repeat it."""


@dataclass(frozen=True)
class Exact(Evidence):
    """An exact computation without a certificate: ranks and identities modulo a prime."""


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


@dataclass(frozen=True)
class Lasting(Evidence):
    """The claim is about motions during which contacts keep their mode; empty: about all motions.

    >>> bool(Lasting()), bool(Lasting(rolling=("wheel",)))
    (False, True)
    """

    rolling: tuple[str, ...] = ()
    """These roll: they could slip."""
    closed: tuple[str, ...] = ()
    """These stay closed: they could lift."""
    resisting: tuple[str, ...] = ()
    """The resistance of these to rolling and spin is left out."""

    def __bool__(self) -> bool:
        return self != Lasting()


@dataclass(frozen=True)
class AlmostAll(Evidence):
    """The claim is about almost all values of these parameters: it may fail for special ones; empty: about all values.

    >>> bool(AlmostAll()), bool(AlmostAll(parameters=("m",)))
    (False, True)
    """

    parameters: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parameters)


ALWAYS = Lasting()
"""No contact can leave its mode."""
