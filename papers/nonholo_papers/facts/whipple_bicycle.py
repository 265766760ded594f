"""Whipple bicycle (benchmark): published facts and closed forms, with their tests."""

from __future__ import annotations

from math import pi

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact

WEAVE, CAPSIZE = 4.29238253634111, 6.02426201538837
EIGENVALUES = {
    0.0: (3.13164324790656, -3.13164324790656, 5.53094371765393, -5.53094371765393),
    5.0: (-0.77534188219585 + 4.46486771378823j, -0.77534188219585 - 4.46486771378823j, -14.07838969279822, -0.32286642900409),
}
"""Meijaard et al. 2007, Table 2."""


def eigenvalues(exhibit: Exhibit) -> Finding:
    """The four of lean and steer, linearised about straight rolling."""
    from nonholo.analyse.linear.linearise import linearise

    gap = 0.0
    for v, wanted in EIGENVALUES.items():
        found = list(linearise(exhibit.system, {"v": v}, parameters=exhibit.parameters, leave_out="all").eigenvalues)
        for one in wanted:
            best = min(found, key=lambda e: abs(e - one))
            gap = max(gap, abs(best - one))
            found.remove(best)
    return bounded("eigenvalues of lean and steer", float(gap), 1e-9)


def speeds(exhibit: Exhibit) -> Finding:
    """Where the weave pair and the capsize mode pass zero, along the branch of straight rolling."""
    from nonholo.analyse.continuation.branch import branch

    found = branch(exhibit.system, {"v": 4.0}, along="v", until=6.3, parameters=exhibit.parameters).special
    kinds = [one.kind for one in found]
    if kinds != ["Hopf point", "branch point"]:
        return Finding("weave and capsize speeds", "fails", None, f"found {kinds} where a Hopf and a branch point were to be")
    gap = max(abs(found[0].value - WEAVE), abs(found[1].value - CAPSIZE))
    return bounded("weave and capsize speeds, m/s", gap, 1e-10)


def accelerations(exhibit: Exhibit) -> Finding:
    """Table 1 there: heading θ = ψ, lean ψ = π/2 − φ, pitch φ = θ + π, steer ψ_f = −δ, wheels β against frame and fork."""
    from nonholo.derive.hamel import hamel
    from nonholo.derive.states.consistent_state import complete_state

    spin, pitching = 8.9129896614890, -0.0119185528069
    state = {
        "phi": pi / 2 - 0.9501292851472, "delta": -0.2311385135743, "leaning": -0.6068425835418, "steering": -0.4859824687093,
        "v": exhibit.parameters["rR"] * (spin + pitching),
    }  # fmt: skip
    full = complete_state(exhibit.system, state, exhibit.parameters)
    rates = hamel(exhibit.system).rates(full, dict(exhibit.parameters))
    told = {"psidot": 0.7830033527065, "thetadot": pitching, "wfdot": 8.0133620584155, "theta": 3.1257073014894 - pi}
    wanted = {"phidot": 7.8555281128244, "deltadot": 4.6198904039403, "psidot": 0.8353281706379, "thetadot": 0.1205543897884}
    gaps = [abs(full[n] - e) for n, e in told.items()] + [abs(rates[n] - e) for n, e in wanted.items()]
    gaps += [abs(rates["wrdot"] - rates["thetadot"] - 1.8472554144217), abs(rates["wfdot"] - 2.4548072904550)]
    return bounded("velocities and accelerations", max(gaps), 1e-11)


def normal_force(exhibit: Exhibit) -> Finding:
    """``N = g Σ m x/w`` under the front wheel: the multiplier of the holonomic constraint, at any speed of straight rolling."""
    from nonholo.derive.laws.reactions import reactions

    p = exhibit.parameters
    wanted = p["g"] * (p["mB"] * p["xB"] + p["mH"] * p["xH"] + p["mF"] * p["w"]) / p["w"]
    found = reactions(exhibit.system).at({"v": 3.7}, p)
    force = [e for n, e in found.items() if n.startswith("lambda")]
    return bounded("load on the front wheel, N", min(abs(abs(e) - wanted) for e in force), 1e-9)


FACTS = (
    Fact("the eigenvalues at 0 and 5 m/s", "Meijaard et al. 2007, Table 2", eigenvalues),
    Fact("self-stable between the weave and the capsize speed", "Meijaard et al. 2007, §4", speeds),
    Fact("the accelerations at a generic state", "Basu-Mandal et al. 2007, Table 1", accelerations),
    Fact("upright the front wheel carries what the lever says", "statics", normal_force),
)
