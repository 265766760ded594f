"""Chaplygin top (unbalanced ball): published facts and closed forms, with their tests."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.chaplygin_top import MOMENTS, OFFSET
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._newton_euler import agrees_with_newton
from nonholo_papers.facts._random_states import flows, largest_rate, vector
from nonholo_papers.so3 import matrix

GROWTH, VOLUME, BATCHES = 4000.0, 1000.0, 10
"""How long growth and volume are watched on the attractor, the latter in so many parts."""


def _contact(vertical: Any, values: Mapping[str, float]) -> Any:
    return -values["r"] * vertical - np.array([values[n] for n in OFFSET])


def newton(exhibit: Exhibit) -> Finding:
    """At generic attitudes and rates."""
    return agrees_with_newton(exhibit, _contact, lambda v: np.diag([v[n] for n in MOMENTS]))


def balanced(exhibit: Exhibit) -> Finding:
    """``R I w + m r e3 × ẋ`` with the centre of mass in the middle: the Chaplygin sphere."""

    def angular(s: Any) -> Any:
        inertia = np.diag([s.I1, s.I2, s.I3])
        return matrix(s) @ (inertia @ vector(s, "w1", "w2", "w3")) + s.m * s.r * np.array([-s.ydot, s.xdot, 0])

    moving = flows(exhibit.system, {**exhibit.parameters, **dict.fromkeys(OFFSET, 0.0)})
    return bounded("the angular momentum of the balanced ball", largest_rate(moving, angular), 1e-12)


def loaded(exhibit: Exhibit) -> Finding:
    """With ``a1 = a2 = 0`` and ``I1 = I2``: ``(I w)·ρ`` and ``w3 √(I1 I3 + m ρ·Iρ)``."""
    own = {**exhibit.parameters, "a1": 0.0, "a2": 0.0, "I2": exhibit.parameters["I1"]}

    def integrals(s: Any) -> Any:
        inertia, rho = np.diag([s.I1, s.I1, s.I3]), _contact(np.array([s.R31, s.R32, s.R33]), own)
        routh = s.w3 * (s.I1 * s.I3 + s.m * rho @ inertia @ rho) ** 0.5
        return np.array([inertia @ vector(s, "w1", "w2", "w3") @ rho, routh])

    return bounded("Jellett's and Routh's integrals", largest_rate(flows(exhibit.system, own), integrals), 1e-12)


def _growth(exhibit: Exhibit, state: Mapping[str, float]) -> float:
    """``Σ ∂ẇ_i/∂w_i``, the divergence of the flow: ẇ is quadratic in w, so unit differences give it exactly."""
    from nonholo.derive.hamel import hamel

    equations, values = hamel(exhibit.system), exhibit.parameters
    place = {n: state[n] for n in (*exhibit.system.coordinates, "w1", "w2", "w3")}
    total = 0.0
    for n in ("w1", "w2", "w3"):
        ends = [equations.rates({**place, n: place[n] + step}, values)[n] for step in (1.0, -1.0)]
        total += (ends[0] - ends[1]) / 2
    return total


def reversible(exhibit: Exhibit) -> Finding:
    """``ẇ(R, −w) = ẇ(R, w)``, so the divergence changes sign with the sense of turning."""
    from nonholo.derive.hamel import hamel

    equations, gaps = hamel(exhibit.system), []
    for s, r in flows(exhibit.system, exhibit.parameters):
        turned = {n: getattr(s, n) for n in exhibit.system.coordinates} | {n: -getattr(s, n) for n in ("w1", "w2", "w3")}
        found = equations.rates(turned, exhibit.parameters)
        gaps.append(max(abs(found[n] - getattr(r, n)) / (1 + abs(found[n])) for n in ("w1", "w2", "w3")))
        gaps.append(abs(_growth(exhibit, turned) + _growth(exhibit, vars(s))) / (1 + abs(_growth(exhibit, turned))))
    return bounded("turned round, the motion runs backwards", max(gaps), 1e-11)


def shrinks(exhibit: Exhibit) -> Finding:
    """From a state near it the motion has the mean divergence of the regular attractor, −0.27, and keeps its energy."""
    from nonholo.integrate.motion.simulate import simulate

    run = simulate(exhibit.system, exhibit.starts["regular attractor"], 60.0, exhibit.parameters, t_eval=601)
    names = (*exhibit.system.coordinates, "w1", "w2", "w3")
    late = [{n: float(run[n][k]) for n in names} for k in range(100, 601, 2)]
    mean = float(np.mean([_growth(exhibit, s) for s in late]))
    energy = run.drift("energy")
    holds = -0.35 < mean < -0.19 and energy < 1e-6
    evidence = "mean divergence over 50 s; −0.27 is expected"
    return Finding("the regular attractor shrinks volume", "holds" if holds else "fails", mean, evidence)


def chaos(exhibit: Exhibit) -> Finding:
    """Two motions of `simulate` from 1e-7 apart, brought together again every half second, from a generic start."""
    from nonholo.integrate.motion.simulate import simulate

    spins = ("w1", "w2", "w3")
    names = (*exhibit.system.coordinates, *spins)
    first = exhibit.starts["let go with a spin"]
    one = {**dict.fromkeys(names, 0.0), "R11": 1.0, "R22": 1.0, "R33": 1.0, **first}
    two, size, logs = {**one, "w1": one["w1"] + 1e-7}, 1e-7, []
    for _ in range(120):
        ends = [simulate(exhibit.system, s, 0.5, exhibit.parameters, t_eval="end").final for s in (one, two)]
        # spins and the vertical alone: the place and the heading only drift
        gap = {n: ends[1][n] - ends[0][n] for n in names}
        length = sqrt(sum(gap[n] ** 2 for n in (*spins, "R31", "R32", "R33")))
        logs.append(np.log(length / size) / 0.5)
        one = {n: float(ends[0][n]) for n in names}
        two = {n: float(ends[0][n] + gap[n] * size / length) for n in names}
    rate = float(np.mean(logs[20:]))
    return Finding("neighbours part exponentially", "holds" if 0.3 < rate < 1.4 else "fails", rate, "two trajectories for 60 s")


def strange(exhibit: Exhibit) -> Finding:
    """On the attractor the largest exponent is positive and the sum of all negative, each by more than three errors."""
    from nonholo.analyse.chaos.lyapunov_spectrum import lyapunov

    about = (exhibit.system, exhibit.start)
    largest = lyapunov(*about, GROWTH, exhibit.parameters, transient=0.0, integrals=(), count=1)
    whole = lyapunov(*about, VOLUME, exhibit.parameters, transient=0.0, integrals=())
    blocks = np.diff(whole.logs.sum(axis=1)).reshape(BATCHES, -1).sum(axis=1)
    doubt = float(np.std(blocks, ddof=1) * sqrt(BATCHES) / VOLUME)
    holds = largest.chaotic and whole.sum < -3 * doubt and abs(whole.sum - whole.divergence) < 1e-4
    evidence = (
        f"largest exponent {largest.exponents[0]:.3f} ± {largest.errors[0]:.3f} over {GROWTH:g} s; all of them sum to "
        f"{whole.sum:.3f} ± {doubt:.3f} over {VOLUME:g} s, and the mean divergence is {whole.divergence:.3f}"
    )
    return Finding("a strange attractor", "holds" if holds else "fails", float(largest.exponents[0]), evidence)


FACTS = (
    Fact("Newton's and Euler's laws give the same accelerations", "Newton–Euler with rolling contact", newton),
    Fact("balanced, its angular momentum about the contact is constant", "Chaplygin 1903", balanced),
    Fact("loaded on its axis of symmetry it has Jellett's and Routh's integrals", "Jellett 1872; Routh 1860", loaded),
    Fact("turned round, every motion runs backwards", "reversibility; Borisov et al. 2014", reversible),
    Fact("a regular motion attracts others, without friction", "measured; cf. Borisov et al. 2014", shrinks),
    Fact("neighbours part exponentially: chaos", "two trajectories; cf. Borisov et al. 2014", chaos),
    Fact("a strange attractor: neighbours part while volume shrinks", "measured; cf. Borisov et al. 2014", strange),
)
