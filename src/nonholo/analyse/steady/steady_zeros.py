"""Zeros of the equations of steady motions: refine one state, or find further ones by deflation.

Deflation repels the search from known zeros. With ``η_i(u)`` the squared distance from a known zero, measured mostly across the
directions in which its family goes on,

    G(u) = Π_i (1 + 1/η_i(u)) F(u)

has the zeros of F except the known ones [Farrell, Birkisson, Funke 2015, for isolated zeros].
"""

from __future__ import annotations

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.analyse.flow.state_flow import Flow, refuse_infinite
from nonholo.analyse.steady.many_zeros import newton_zeros
from nonholo.analyse.steady.steady_equations import Steady, typical_rates, wrapped
from nonholo.analyse.steady.steady_families import tangents
from nonholo.errors import StateError

NEAR = 1e-5
"""A state whose rates beyond the group's are this small, beside typical ones, is moved to the steady motion next to it."""
ALONG = 0.02
"""Distances along a family count by this part: nearby members are deflated with the known one."""
KNOWN = 40
"""So many known zeros are deflated at most."""
NEW = 1e-4
"""What is nearer than this to a known zero is no other."""


def steady_at_home(flow: Flow) -> tuple[Steady, Numbers]:
    """The equations of steady motions and their solution at the flow's home."""
    around = flow.home + np.random.default_rng(8).uniform(-0.3, 0.3, (12, flow.size))
    steady = Steady(flow, typical_rates(flow, around), len(flow.fields) > 0)
    rates = flow.rates(flow.home[None])
    refuse_infinite(flow, rates)
    unknowns = steady.starts(flow.home[None])
    gap = steady.value(unknowns)[0]
    if float(np.max(np.abs(gap), initial=0.0)) < 1e-12:
        return steady, unknowns[0]
    if float(np.max(np.abs(gap), initial=0.0)) < NEAR:
        found = steady.newton_zeros(unknowns)[0]
        if np.all(np.isfinite(found)) and np.max(np.abs(found - unknowns[0])) < 1e-3 * (1 + np.max(np.abs(unknowns))):
            return steady, found
        return steady, unknowns[0]
    raise StateError(_residual_words(steady, unknowns[0], gap))


def _residual_words(steady: Steady, unknowns: Numbers, gap: Numbers) -> str:
    flow, n = steady.flow, steady.flow.size
    off = gap[:n] * steady.rate
    worst = int(np.argmax(np.abs(gap[:n])))
    what = "beyond the motion of the symmetry " if steady.moving else ""
    near = _nearest(steady, unknowns)
    hint = (
        "and none was found nearby; look for one with relative_equilibria."
        if near is None
        else f"the nearest steady state that was found is {near}."
    )
    moves = f"{flow.names[worst]} changes {what}at the rate {off[worst]:.6g}"
    return f"{flow.name}: this state is not a relative equilibrium: {moves}; {hint}"


def _nearest(steady: Steady, unknowns: Numbers) -> str | None:
    flow, n = steady.flow, steady.flow.size
    still = Steady(flow, steady.rate, False)
    candidates = []
    moving = steady.newton_zeros(unknowns[None], 200)[0][:n]
    resting = still.newton_zeros(unknowns[None, :n], 200)[0]
    for found in (moving, resting):
        if np.all(np.isfinite(found)):
            candidates.append((float(np.linalg.norm(found - unknowns[:n])), found))
    if not candidates:
        return None
    far, best = min(candidates, key=lambda c: c[0])
    shown = {m: f"{e:.6g}" for m, e in zip(flow.names, best) if abs(e) > 1e-4 * far}
    if not shown:
        return "all variables zero"
    return "{" + ", ".join(f'"{m}": {e}' for m, e in shown.items()) + "}"


class Deflated:
    """The deflated equations of steady motions; coordinates that turn are compared within a turn."""

    def __init__(self, steady: Steady, known: Numbers, period: Numbers) -> None:
        n = steady.flow.size
        self.steady, self.known, self.period = steady, known[:KNOWN], period
        self.size = steady.size[:n]
        self.metrics = np.array([self._metric(t.whole) for t in tangents(steady, self.known)]).reshape(-1, n, n)

    def _metric(self, ways: Numbers) -> Numbers:
        """Of differences in sizes: 1 across the family, little along it."""
        basis = np.linalg.qr(ways / self.size[:, None])[0] if ways.size else np.zeros((len(self.size), 0))
        along = basis @ basis.T
        return np.asarray(np.eye(len(self.size)) - (1 - ALONG) * along)

    def factors(self, unknowns: Numbers) -> tuple[Numbers, Numbers]:
        """``Π (1 + 1/η_i)`` and the slope of its logarithm."""
        n = len(self.size)
        gap = wrapped(unknowns[:, None, :n] - self.known[None, :, :n], self.period) / self.size
        pulled = np.einsum("iab,kib->kia", self.metrics, gap)
        eta = np.maximum(np.einsum("kia,kia->ki", pulled, gap), 1e-24)
        slope = np.zeros_like(unknowns)
        slope[:, :n] = -2 * np.einsum("ki,kia->ka", 1 / (eta * (1 + eta)), pulled) / self.size
        return np.exp(np.minimum(np.sum(np.log1p(1 / eta), axis=1), 200.0)), slope

    def both(self, unknowns: Numbers) -> tuple[Numbers, Numbers]:
        """G, a row for each start, and ∂G/∂u."""
        factor, slope = self.factors(unknowns)
        value, own = self.steady.both(unknowns)
        return factor[:, None] * value, factor[:, None, None] * (own + value[:, :, None] * slope[:, None, :])


def further_zeros(steady: Steady, known: Numbers, starts: Numbers, period: Numbers, steps: int = 60) -> Numbers:
    """Zeros that are not among the known ones nor on their families' tangents, from some starts (unknowns, a row each)."""
    if not len(known):
        return starts[:0]
    deflated = Deflated(steady, known, period)
    size = steady.size
    if steady.still:
        size[len(steady.flow.kernel.equations.coordinates) :] = 0.0
    with np.errstate(all="ignore"):
        found = newton_zeros(deflated.both, starts, size, 1e-5, steps)
    found = found[np.all(np.isfinite(found), axis=1)]
    found = steady.newton_zeros(found, 20) if len(found) else found
    found = found[np.all(np.isfinite(found), axis=1)]
    return found[deflated.factors(found)[0] < 1 / NEW**2] if len(found) else found
