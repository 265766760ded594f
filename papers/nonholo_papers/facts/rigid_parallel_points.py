"""Two points at a fixed distance with parallel velocities: published facts and closed forms, with their tests."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin

import numpy as np

from nonholo.errors import StateError
from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.gallery.rigid_parallel_points import ALONG, SOURCE, STARTS, STATES, segment
from nonholo_papers.facts._random_states import flows, largest

TINY = 1e-9


def branches(exhibit: Exhibit, state: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """The accelerations of every type that is admissible at a state, given by x, y, φ and their rates.

    Two entries mean a transitional state: nothing in the model chooses between them.
    """
    from nonholo.derive.multipliers import multipliers

    along = state["xdot"] * cos(state["phi"]) + state["ydot"] * sin(state["phi"])
    size = TINY * (1 + abs(state["xdot"]) + abs(state["ydot"]) + abs(state["phidot"]))
    open_types = [kind for kind, value in (("I", along), ("II", state["phidot"])) if abs(value) < size]
    names = ("xdot", "ydot", "phidot")
    result = {}
    for kind in open_types:
        rates = multipliers(segment(kind)).rates(state, exhibit.parameters)
        result[kind] = {n: rates[n] for n in names}
    return result


def _velocities(s: Mapping[str, float], l: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """v₁, v₂ by the motion of the points (a complex step of their places), and the segment's direction."""
    step = 1e-30j
    turned = s["phi"] + step * s["phidot"]
    moved = np.array([s["x"] + step * s["xdot"], s["y"] + step * s["ydot"]])
    far = moved + l * np.array([np.cos(turned), np.sin(turned)])
    return moved.imag / 1e-30, far.imag / 1e-30, np.array([cos(s["phi"]), sin(s["phi"])])


def projections(exhibit: Exhibit) -> Finding:
    """``v₁ · d = v₂ · d = ẋ cos φ + ẏ sin φ``."""
    gaps = []
    for s in STATES:
        one, two, d = _velocities(s, exhibit.parameters["l"])
        along = s["xdot"] * cos(s["phi"]) + s["ydot"] * sin(s["phi"])
        gaps += [one @ d - along, two @ d - along]
    return bounded("v₁ · d = v₂ · d = τ", largest(gaps), 1e-12)


def centre(exhibit: Exhibit) -> Finding:
    """``C = P₁ + k × v₁/φ̇``; then ``v₂ = φ̇ k × CP₂``. In type I it lies on the line of the segment."""
    l, gaps = exhibit.parameters["l"], []
    for s in STATES:
        one, two, d = _velocities(s, l)
        arm = l * d - np.array([-one[1], one[0]]) / s["phidot"]
        gaps.append(two - s["phidot"] * np.array([-arm[1], arm[0]]))
    for state, _ in flows(segment("I"), exhibit.parameters):
        across = np.array([-state.ydot, state.xdot]) / state.phidot
        gaps.append(np.array([across[0] * sin(state.phi) - across[1] * cos(state.phi)]))
    return bounded("v_P = φ' k × CP", largest(gaps), 1e-11)


def factors(exhibit: Exhibit) -> Finding:
    """The determinant of the velocities, and each linear constraint makes it vanish."""
    l, gaps = exhibit.parameters["l"], []
    for s in STATES:
        one, two, d = _velocities(s, l)
        gaps.append(one[0] * two[1] - one[1] * two[0] - l * (one @ d) * s["phidot"])
        across = {**s, "xdot": 0.6 * sin(s["phi"]), "ydot": -0.6 * cos(s["phi"])}
        for admissible in (across, {**s, "phidot": 0.0}):
            one, two, _ = _velocities(admissible, l)
            gaps.append(one[0] * two[1] - one[1] * two[0])
    return bounded("v₁ × v₂ = l τ φ'", largest(gaps), 1e-12)


def type_one(exhibit: Exhibit) -> Finding:
    """``v̇ = g sin φ``, ``ω̇ = 0``: (49) corrected, with the weights of both points."""
    moving = flows(segment("I"), exhibit.parameters)
    return bounded("v' = g sin φ, ω' = 0", largest((r.v - s.g * np.sin(s.phi), r.omega) for s, r in moving), 1e-11)


def type_two(exhibit: Exhibit) -> Finding:
    """``ẍ = g``, ``ÿ = 0``, ``φ̇ = 0``."""
    moving = flows(segment("II"), exhibit.parameters)
    worst = largest((r.xdot - s.g, r.ydot, r.phi, r.phidot) for s, r in moving)
    return bounded("x'' = g, y'' = 0, φ = const", worst, 1e-12)


def same_motion(exhibit: Exhibit) -> Finding:
    """With the slope of (60) as the reaction's direction, on each branch away from the other."""
    from nonholo.derive.hamel import hamel

    gaps = []
    for s in STATES:
        across = {**s, "xdot": 0.6 * sin(s["phi"]), "ydot": -0.6 * cos(s["phi"])}
        for kind, state in (("I", across), ("II", {**s, "phidot": 0.0})):
            found = hamel(segment("both, (60)"), at=state).rates(state, exhibit.parameters)
            (only,) = branches(exhibit, state).items()
            gaps += [found[n] - e for n, e in only[1].items()] + [float(only[0] != kind)]
    return bounded("(60) moves as I or II", largest(gaps), 1e-11)


def transitional_state(phi: float, speed: float) -> dict[str, float]:
    """Moving across the segment without turning: admissible for both types."""
    return {"x": 0.0, "y": 0.0, "phi": phi, "xdot": speed * sin(phi), "ydot": -speed * cos(phi), "phidot": 0.0}


def transitional(exhibit: Exhibit) -> Finding:
    """The accelerations of (60) are refused, and both types are reported; on the slope they differ."""
    from nonholo.derive.hamel import hamel

    state = transitional_state(0.7, 0.6)
    claim = "both types are admissible, and neither is chosen"
    found = branches(exhibit, state)
    apart = max(abs(found["I"][n] - found["II"][n]) for n in found["I"]) if len(found) == 2 else 0.0
    try:
        hamel(segment("both, (60)"), at=STATES[0]).rates(state, exhibit.parameters)
    except StateError as said:
        return Finding(claim, "holds" if apart > 1e-3 else "fails", apart, f"difference of accelerations; {said}")
    return Finding(claim, "fails", apart, "accelerations were given at a transitional state")


def when(exhibit: Exhibit) -> Finding:
    """``τ = τ₀ + g cos φ t``, found by the event τ = 0 along the motion of type II."""
    from nonholo.integrate.motion.simulate import simulate

    start = STARTS["II"]
    before = start["u"] * cos(start["phi"]) + start["w"] * sin(start["phi"])
    exact = -before / (exhibit.parameters["g"] * cos(start["phi"]))
    run = simulate(segment("II"), start, 4.0, exhibit.parameters, events=[ALONG], rtol=1e-11, atol=1e-12)
    times = np.asarray(next(iter(run.events.values())), dtype=float).ravel()
    gap = abs(times[0] - exact) if len(times) == 1 else float("nan")
    return bounded("the transitional state's time", float(gap), 1e-9)


FACTS = (
    Fact("both velocities have the projection τ on the segment", f"{SOURCE} (57), (58)", projections),
    Fact("the velocities are φ̇ k × CP about an instantaneous centre", f"{SOURCE} (59)", centre),
    Fact("v₁ × v₂ = l τ φ̇: the constraint falls into two linear ones", f"{SOURCE} (60)–(62)", factors),
    Fact("type I is the segment moving across itself", f"{SOURCE} §8.4 and (49), corrected", type_one),
    Fact("type II is translation: φ stays, and both points fall freely", f"{SOURCE} §8.4", type_two),
    Fact("each type is the motion of (60) wherever the other factor is not zero", "Chetaev", same_motion),
    Fact("at a transitional state (60) has no slope, and nonholo says so", f"{SOURCE} §8.4", transitional),
    Fact("type II on the slope meets its transitional state at −τ₀/(g cos φ)", "closed form", when),
)
