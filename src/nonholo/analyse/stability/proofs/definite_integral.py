"""The energy–momentum method: a combination of integrals that is definite on their level [Zenkov, Bloch and Marsden 1998].

``F = Σ c_k I_k`` with ``dF = 0`` on the tangent; where ``d²F`` is definite on ``{dI_k = 0}`` across the orbit of the symmetry,
``F + K Σ (I_k − I_k⁰)²`` is a strict Lyapunov function modulo the symmetry for large K [Zenkov, Bloch and Marsden 1998].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.subspaces import kernel, outside
from nonholo.analyse.flow.state_flow import Flow
from nonholo.analyse.stability.conserved_expansions import Conserved, second_derivatives
from nonholo.analyse.stability.proofs.proof_registry import FLAT, STABLE, Proof, Situation, proof, times
from nonholo.analyse.stability.spectrum import Spectrum

DEFINITE = 1e-6
"""The smallest second derivative must be this part of the largest, with the sign of all."""
STATIONARY = 1e-7
"""Slopes of unit length count as none below this."""
TRIES = 400
"""So many combinations are tried where several are stationary."""


@proof("energy–momentum method", place=40)
def definite_integral(situation: Situation) -> Proof | None:
    """Orbitally stable when the second variation is definite; stable up to drift where it is flat along the family only."""
    found = definite(situation.flow, situation.state, situation.known, situation.parts, situation.tangent.across)
    if found is None:
        return None
    sure = "" if found.proved else "; not every integral used is proved"
    words = f"{found.combination} has a {'minimum' if found.minimum else 'maximum'} here"
    words += " among states with the same values of the integrals" if found.level else ""
    words += ", apart from the symmetry" if situation.modulo else ""
    exact = f"energy–momentum method: {found.combination} is stationary, and its second variation is definite"
    exact += f" on the level set of the integrals{situation.modulo}"
    if found.flat:
        details = f"{exact}, except in {times(found.flat, 'direction')} of the family"
        return Proof(FLAT, f"{words}, except along the family of equilibria itself{sure}", details)
    return Proof(STABLE, f"{words}{sure}", exact)


@dataclass(frozen=True, eq=False)
class Definite:
    """A combination of integrals whose second variation is definite on their level."""

    weights: tuple[tuple[str, float], ...]
    smallest: float
    """The smallest second derivative beside the largest, without sign."""
    flat: int
    """Directions of the family in which it does not change; 0 when it is definite in all."""
    proved: bool
    minimum: bool = True
    """Whether it is smallest here, or else largest."""
    level: bool = False
    """Whether it is so only among states with the same values of the integrals."""

    @property
    def combination(self) -> str:
        """What is extremal here, for a person."""
        used = [n for n, w in self.weights if abs(w) > 1e-9]
        return f"the {used[0]}" if used == ["energy"] else self.words

    @property
    def words(self) -> str:
        """The combination."""
        parts = [f"{w:+.4g}·({n})" for n, w in self.weights if abs(w) > 1e-9]
        return " ".join(parts).removeprefix("+").removeprefix("1·")


def definite(flow: Flow, state: Numbers, known: Sequence[Conserved], parts: Spectrum, family: Numbers) -> Definite | None:
    """A definite combination of the integrals at a steady motion, or None."""
    if not known:
        return None
    T = parts.tangent
    slopes = np.array([one.slope for one in known])
    bends = np.array([np.linalg.norm(one.second, 2) for one in known])
    size = np.maximum(np.linalg.norm(slopes, axis=1) + bends, 1e-300)  # a slope is small beside what a unit step makes of it
    on_tangent = slopes @ T / size[:, None]
    stationary, level = (kernel(one, STATIONARY, absolute=True) for one in (on_tangent.T, on_tangent))
    level = T @ level
    across = outside(level, parts.orbit, 1e-6)
    if not stationary.shape[1]:
        return None
    seconds = _second_variations(flow, state, known, size)
    inner = np.einsum("ia,kij,jb->kab", across, seconds, across)
    flat = outside(across.T @ family, np.zeros((across.shape[1], 0)), 1e-6) if family.shape[1] else None
    for weights in _candidates(stationary):
        found = np.einsum("k,kab->ab", weights, inner)
        smallest, idle = _definiteness(found, flat)
        if smallest > DEFINITE:
            lead = weights / size
            scale = lead[0] if abs(lead[0]) > 1e-9 * np.max(np.abs(lead)) else np.max(np.abs(lead))
            lead, minimum = lead / scale, bool(np.trace(found) * scale >= 0)
            named = tuple((one.name, float(w)) for one, w in zip(known, lead))
            used = all(one.proved for one, w in zip(known, lead) if abs(w) > 1e-9)
            return Definite(named, smallest, idle, used, minimum, stationary.shape[1] < len(known))
    return None


def _second_variations(flow: Flow, state: Numbers, known: Sequence[Conserved], size: Numbers) -> Numbers:
    """``d²(I_k − μ_j g_j)`` with ``dI_k − μ_j dg_j`` as small as can be: second derivatives on the manifold."""
    bound = list(flow.kernel.equations.invariants.values())
    result = []
    if bound:
        _, slopes, seconds = second_derivatives(flow, bound, state)
    for one, scale in zip(known, size):
        second = one.second
        if bound:
            weights = np.linalg.lstsq(slopes.T, one.slope, rcond=None)[0]
            second = second - np.einsum("j,jab->ab", weights, seconds)
        result.append(second / scale)
    return np.array(result)


def _candidates(stationary: Numbers) -> list[Numbers]:
    """Combinations to try: the energy as far as it is one, each basis vector, then many others; the same every time."""
    first = stationary @ stationary.T[:, 0]
    found = [v for v in (first, *stationary.T) if np.linalg.norm(v) > 1e-9]
    if stationary.shape[1] > 1:
        random = np.random.default_rng(17).normal(size=(TRIES, stationary.shape[1]))
        found += [stationary @ w for w in random]
    return [v / np.linalg.norm(v) for v in found]


def _definiteness(matrix: Numbers, flat: Numbers | None) -> tuple[float, int]:
    """The smallest eigenvalue beside the largest when all have one sign (else 0), and how many of a family's are zero."""
    if not len(matrix):
        return 1.0, 0
    values = np.linalg.eigvalsh(matrix)
    top = max(float(np.max(np.abs(values))), 1e-300)
    same = np.all(values > 0) or np.all(values < 0)
    if same and float(np.min(np.abs(values))) > DEFINITE * top:
        return float(np.min(np.abs(values))) / top, 0
    if flat is None or not flat.shape[1] or np.max(np.abs(matrix @ flat)) > 1e-6 * top:
        return 0.0, 0
    rest = outside(np.eye(len(matrix)), flat)
    smallest, _ = _definiteness(rest.T @ matrix @ rest, None)
    return smallest, flat.shape[1]
