"""Degenerate sleigh (motion not determined): published facts and closed forms, with their tests."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from nonholo.errors import ModelError
from nonholo.finding import AccelerationsUnique, Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import flows, largest

SOURCE = "Zenkov 2016"
STEERED = "heading prescribed by its rate u"


def refused(exhibit: Exhibit) -> Finding:
    """The equation of ω is 0 = 0; `hamel` says which direction has no kinetic energy, `simulate` says the same."""
    from nonholo.derive.hamel import hamel
    from nonholo.integrate.motion.simulate import simulate

    claim = "no equations and no motion are given"
    said = []
    for ask in (lambda: hamel(exhibit.system), lambda: simulate(exhibit.system, exhibit.start, 1.0, exhibit.parameters)):
        try:
            ask()
        except ModelError as problem:
            said.append(str(problem))
    good = len(said) == 2 and all("no kinetic energy along omega" in text for text in said)
    return Finding(claim, "holds" if good else "fails", None, said[0] if said else "an answer was given")


def reported(exhibit: Exhibit) -> Finding:
    """The witness finds a singular matrix at every admissible state."""
    from nonholo.derive.laws.check import check

    failing = [f for f in check(exhibit.system, exhibit.parameters) if f.verdict == "fails"]
    good = any(isinstance(f.data, AccelerationsUnique) for f in failing)
    return Finding("check says so", "holds" if good else "fails", None, "; ".join(f.claim for f in failing) or "nothing failed")


def constant_speed(exhibit: Exhibit) -> Finding:
    """With the heading's rate given, ``v̇ = 0`` at generic states and rates."""
    moving = flows(exhibit.variants[STEERED], exhibit.parameters)
    worst = largest((r.v, r.theta - s.u) for s, r in moving)
    turning = min(abs(s.u) for s, _ in moving)
    if turning < 1e-3:
        return Finding("v' = 0", "fails", turning, "the states do not turn")
    return bounded("v' = 0 for any u", worst, 1e-12)


def _steered(exhibit: Exhibit, u: str, until: float) -> Any:
    from nonholo.integrate.motion.simulate import simulate

    start = {"theta": exhibit.start["theta"], "v": exhibit.start["v"]}
    return simulate(
        exhibit.variants[STEERED], start, until, exhibit.parameters, inputs={"u": u}, rtol=1e-11, atol=1e-12
    ).data


def two_motions(exhibit: Exhibit) -> Finding:
    """Headings that agree at the start, and with all derivatives there, end metres apart: both obey every equation."""
    straight = _steered(exhibit, "0", 6.0)
    late = _steered(exhibit, "Piecewise((0, t < 1), (exp(-1/(t - 1)), True))", 6.0)
    early = np.max(np.abs(straight["y"].values - late["y"].values)[straight["t"].values <= 1.0])
    apart = float(np.hypot(straight["x"][-1] - late["x"][-1], straight["y"][-1] - late["y"][-1]))
    good = early < 1e-10 and apart > 1.0
    return Finding("the same until t = 1, then apart", "holds" if good else "fails", apart, "metres at t = 6")


def follows(exhibit: Exhibit) -> Finding:
    """u = w gives a circle, ``z = z₀ − i(ξ/w) e^{iθ₀}(e^{iwt} − 1)``; and any θ(t) the integral of ``ξ e^{iθ}``."""
    w, v, theta = 0.7, exhibit.start["v"], exhibit.start["theta"]
    data = _steered(exhibit, str(w), 2 * pi / w)
    exact = -1j * v / w * np.exp(1j * theta) * (np.exp(1j * w * data["t"].values) - 1)
    gap = largest([data["x"].values + 1j * data["y"].values - exact])
    wave = _steered(exhibit, "cos(2*t)", 3.0)
    turned = theta + np.sin(2 * wave["t"].values) / 2
    return bounded("paths of given headings", max(gap, largest([wave["theta"].values - turned])), 1e-9)


def regularised(exhibit: Exhibit) -> Finding:
    """With J > 0 (2.6) says ``ω̇ = 0``, ``v̇ = 0``; J drops out, so J → 0 picks no motion that J = 0 would forbid."""
    from nonholo.model.system import varied

    worst = 0.0
    for inertia in ("1/10", "1/1000000"):
        kinetic = f"m/2*(xdot**2 + ydot**2) + {inertia}/2*thetadot**2"
        moving = flows(varied(exhibit.system, lagrangian=kinetic), exhibit.parameters)
        worst = max(worst, largest((r.v, r.omega) for _, r in moving))
    return bounded("ω' = v' = 0 for every J > 0", worst, 1e-9)


FACTS = (
    Fact("nonholo refuses to choose: no kinetic energy along ω", f"{SOURCE} Example 4.1", refused),
    Fact("check finds that the accelerations are not unique", f"{SOURCE} Example 4.1", reported),
    Fact("ξ̇ = 0 whatever the heading does", f"{SOURCE} Example 4.1", constant_speed),
    Fact("two motions from one start", f"{SOURCE} Example 4.1", two_motions),
    Fact("ż = e^{iθ} ξ for any θ(t)", f"{SOURCE} Example 4.1, closed form", follows),
    Fact("any moment of inertia, however small, makes it turn uniformly", f"{SOURCE} (2.6)", regularised),
)
