"""Record of a closed orbit."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.flow.periodic_forcing import Clock
from nonholo.analyse.flow.zero_attribution import Zero
from nonholo.analyse.orbits.shooting import Shooting
from nonholo.analyse.steady.equilibrium_record import NOTHING
from nonholo.model.system import System

Numbers = NDArray[np.float64]
CLOSED = "closed"


@dataclass(frozen=True, eq=False)
class ClosedOrbit:
    """What is known of an orbit: how it closes, its multipliers, and the equations it solves."""

    name: str
    outcome: str
    """``closed``, or why no orbit was found; then the rest is what was computed last."""
    period: float
    shift: FrozenMap[str, float]
    """How far the group moves on in a period, by generator: the state after a period is ``exp(Σ s_a ξ_a)`` of the first."""
    turns: FrozenMap[str, int]
    """Whole turns of angles in a period."""
    state: FrozenMap[str, float] = field(repr=False)
    """Every name at one point of the orbit."""
    gap: float
    """By how much it does not close, in typical sizes."""
    verdict: str
    evidence: str
    multipliers: NDArray[np.complex128]
    """All on the manifold: the genuine ones, the largest first, then the others."""
    trivial: tuple[Zero, ...]
    """What each of the others is due to: ``flow``, ``symmetry``, ``family``, ``integral`` or ``degenerate``."""
    source: System = field(repr=False)
    parameters: FrozenMap[str, float] = field(default=NOTHING, repr=False)
    names: tuple[str, ...] = field(default=(), repr=False)
    shooting: Shooting | None = field(default=None, repr=False)
    unknowns: Numbers = field(default_factory=lambda: np.zeros(0), repr=False)
    free: int = 0
    """Dimension of the family of orbits, beyond the symmetry."""
    strokes: int = 0
    """How many periods of its drive it takes; 0 where nothing drives it by the time."""
    clock: Clock | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.outcome == CLOSED

    @property
    def genuine(self) -> NDArray[np.complex128]:
        """The multipliers that are not due to flow, symmetry, families or integrals."""
        return self.multipliers[: len(self.multipliers) - len(self.trivial)]
