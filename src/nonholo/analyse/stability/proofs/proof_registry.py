"""Proofs of stability: their argument, their result, and the registry.

    @proof("Lyapunov's first method", place=10)
    def positive_eigenvalue(situation: Situation) -> Proof | None: ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nonholo.algebra.expression_types import Numbers
from nonholo.analyse.flow.state_flow import Flow
from nonholo.analyse.stability.conserved_expansions import Conserved
from nonholo.analyse.stability.spectrum import Spectrum
from nonholo.analyse.steady.steady_families import Tangents

UNSTABLE, ASYMPTOTIC, PARTIAL = "unstable", "asymptotically stable", "partially asymptotically stable"
STABLE, FLAT = "orbitally stable", "stable up to drift along its family"


@dataclass(frozen=True, eq=False)
class Situation:
    """A steady motion with its linear flow, its family and the integrals known near it."""

    flow: Flow
    state: Numbers
    parts: Spectrum
    tangent: Tangents
    known: tuple[Conserved, ...]
    limit: float
    """Real parts below this count as zero."""

    @property
    def family(self) -> int:
        """Dimension of the family of steady motions, across the symmetry."""
        return int(self.tangent.across.shape[1])

    @property
    def modulo(self) -> str:
        """Words where the symmetry moves the state."""
        return " modulo the symmetry" if self.parts.orbit.shape[1] else ""


@dataclass(frozen=True)
class Proof:
    """A verdict, the sentence that proves it, and details for an expert."""

    verdict: str
    words: str
    details: str = ""


@dataclass(frozen=True)
class Rule:
    """A registered proof."""

    name: str
    place: int
    prove: Callable[[Situation], Proof | None]


_RULES: dict[str, Rule] = {}


def proof(name: str, place: int) -> Callable[[Callable[[Situation], Proof | None]], Callable[[Situation], Proof | None]]:
    """Register a proof under the name of its theorem; those with a lower place are tried first."""

    def register(prove: Callable[[Situation], Proof | None]) -> Callable[[Situation], Proof | None]:
        _RULES[name] = Rule(name, place, prove)
        return prove

    return register


def proofs() -> tuple[Rule, ...]:
    """All proofs in the order in which they are tried.

    >>> import nonholo.analyse.stability.proofs
    >>> [rule.name for rule in proofs()][0]
    "Lyapunov's first method"
    """
    return tuple(sorted(_RULES.values(), key=lambda rule: (rule.place, rule.name)))


def times(count: int, what: str) -> str:
    """A number of things in words: ``one zero``, ``3 zeros``."""
    return f"one {what}" if count == 1 else f"{count} {what}s"
