"""Roller racer: published facts and closed forms, with their tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import at_states, flows, largest, largest_gap

SOURCE = "Krishnaprasad and Tsakiris 2001"

SWING = "-30*(phi - 0.3*cos(4*t)) - 4*(phidot + 1.2*sin(4*t))"
"""A torque that keeps the bar near 0.3 cos 4t."""


def _reach(s: Any) -> Any:
    return s.d1 * np.cos(s.phi) + s.d2


def _p(s: Any) -> Any:
    """``p = m (d₁ cos φ + d₂) v + [(I₁ + I₂) ω + I₂ φ̇] sin φ``, along the symmetry that the wheels allow."""
    return s.m * _reach(s) * s.v + ((s.I1 + s.I2) * s.omega + s.I2 * s.phidot) * np.sin(s.phi)


def _moving(exhibit: Exhibit) -> list[Any]:
    """Generic states within half a turn of the bar."""
    bent = (
        {"phi": 0.4, "v": 0.8, "phidot": -1.1, "theta": 0.5, "tau": 0.7},
        {"phi": -0.9, "v": -0.5, "phidot": 1.4, "theta": 2.1, "tau": -0.4},
        {"phi": 1.3, "v": 1.2, "phidot": 0.6, "theta": -1.0, "tau": 0.2},
    )
    return at_states(exhibit.system, exhibit.parameters, bent)


def kinematics(exhibit: Exhibit) -> Finding:
    """The front axle's velocity across itself is ``−v sin φ + d₁ω cos φ + d₂(ω + φ̇)``."""
    worst = largest(
        _reach(s) * s.omega - s.v * np.sin(s.phi) + s.d2 * s.phidot
        for s, _ in [*_moving(exhibit), *flows(exhibit.system, exhibit.parameters)]
    )
    return bounded("(d₁ cos φ + d₂) ω = v sin φ − d₂ φ'", worst, 1e-11)


def momentum(exhibit: Exhibit) -> Finding:
    """``ṗ = ⟨∂l/∂ξ, d/dt ξ^S + [ξ, ξ^S]⟩``, ``ξ^S = (sin φ, d₁ cos φ + d₂, 0)``; the bracket is across, where ∂l/∂ξ = 0."""

    def push(s: Any, r: Any) -> Any:
        turning = (s.I1 + s.I2) * s.omega + s.I2 * s.phidot
        return s.phidot * (turning * np.cos(s.phi) - s.m * s.d1 * s.v * np.sin(s.phi))

    return bounded("the momentum equation", largest_gap(_moving(exhibit), _p, push), 1e-11)


def momentum_closed(exhibit: Exhibit) -> Finding:
    """``ṗ = A₁ p φ̇ + A₂ φ̇²``.

    ``Δ = (I₁ + I₂) sin²φ + m (d₁ cos φ + d₂)²``, ``A₁ = ((I₁ + I₂) cos φ − m d₁ (d₁ cos φ + d₂)) sin φ/Δ``,
    ``A₂ = m (d₁ + d₂ cos φ)(I₂ d₁ cos φ − I₁ d₂)/Δ``.
    """

    def push(s: Any, r: Any) -> Any:
        sine, cosine, reach = np.sin(s.phi), np.cos(s.phi), _reach(s)
        total = (s.I1 + s.I2) * sine**2 + s.m * reach**2
        first = ((s.I1 + s.I2) * cosine - s.m * s.d1 * reach) * sine / total
        second = s.m * (s.d1 + s.d2 * cosine) * (s.I2 * s.d1 * cosine - s.I1 * s.d2) / total
        return first * _p(s) * s.phidot + second * s.phidot**2

    return bounded("p' = A₁ p φ' + A₂ φ'²", largest_gap(_moving(exhibit), _p, push), 1e-11)


def thrust(exhibit: Exhibit) -> Finding:
    """At φ = 0 with p = 0: v = 0 and ``ω = −d₂φ̇/(d₁ + d₂)``."""
    moving = at_states(exhibit.system, exhibit.parameters, [{"phidot": 1.3, "v": 0.0, "tau": 0.4}])
    gap = largest_gap(moving, _p, lambda s, r: (s.I2 * s.d1 - s.I1 * s.d2) / (s.d1 + s.d2) * s.phidot**2)
    return bounded("p' = (I₂d₁ − I₁d₂) φ'²/(d₁ + d₂)", gap, 1e-11)


def propulsion(exhibit: Exhibit) -> Finding:
    """The same swing with I₂ large and with I₂ small ends in opposite directions."""
    from nonholo.integrate.motion.simulate import simulate

    speeds = []
    for inertia in (0.35, 0.02):
        values = {**exhibit.parameters, "I2": inertia}
        run = simulate(exhibit.system, {"phi": 0.3}, 12.0, values, inputs={"tau": SWING}, rtol=1e-9, atol=1e-11)
        late = run.data["t"].values > 8
        speeds.append(float(run.data["v"].values[late].mean()))
    own = exhibit.parameters
    ahead = [value * own["d1"] - own["I1"] * own["d2"] > 0 for value in (0.35, 0.02)]
    good = ahead == [True, False] and speeds[0] > 0.02 and speeds[1] < -0.02
    return Finding("forward and backward", "holds" if good else "fails", speeds[0], f"mean speeds {speeds}")


def circle(exhibit: Exhibit) -> Finding:
    """Where φ̇ = 0: ``v = ω (d₁ cos φ + d₂)/sin φ`` and ``ṗ = 0``, whatever the torque."""
    bent = [{"phi": phi, "phidot": 0.0, "v": 0.9, "tau": 0.3} for phi in (0.4, 1.1, -0.8)]
    moving = at_states(exhibit.system, exhibit.parameters, bent)
    gaps = [s.v - s.omega * _reach(s) / np.sin(s.phi) for s, _ in moving]
    still = largest_gap(moving, _p, lambda s, r: 0.0)
    return bounded("radius (d₁ cos φ + d₂)/sin φ, and p' = 0", max(largest(gaps), still), 1e-11)


FACTS = (
    Fact("(d₁ cos φ + d₂) ω = v sin φ − d₂ φ̇", f"{SOURCE}, kinematics", kinematics),
    Fact("ṗ = φ̇ ([(I₁ + I₂) ω + I₂ φ̇] cos φ − m d₁ v sin φ)", "BMZ 2009 (2.17), by hand", momentum),
    Fact("the same in p, φ and φ̇ alone", f"{SOURCE}, momentum equation", momentum_closed),
    Fact("from rest the first pull gives ṗ = (I₂d₁ − I₁d₂)/(d₁ + d₂) φ̇²", f"{SOURCE}, at φ = 0", thrust),
    Fact("a swing of the bar moves it ahead iff I₂d₁ > I₁d₂", "from the thrust", propulsion),
    Fact("with the bar held at φ it goes around a circle of radius (d₁ cos φ + d₂)/sin φ", "closed form", circle),
)
