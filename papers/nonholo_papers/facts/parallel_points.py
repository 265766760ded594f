"""Two points with parallel velocities: published facts and closed forms, with their tests."""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import Any

import numpy as np

from nonholo.errors import StateError
from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.gallery.parallel_points import SOURCE, parallel
from nonholo.model.system import System, varied
from nonholo_papers.facts._random_states import flows, largest, largest_rate

STATES = (
    {"x1": 0.3, "y1": -0.2, "x2": 1.4, "y2": 0.9, "v1": 0.7, "v2": -1.6, "theta": 0.8},
    {"x1": -1.1, "y1": 0.5, "x2": 0.2, "y2": -0.6, "v1": -0.4, "v2": 1.3, "theta": 2.3},
    {"x1": 0.6, "y1": 1.2, "x2": -0.8, "y2": 0.1, "v1": 1.9, "v2": 0.5, "theta": -1.2},
)
MASSES = {"m1": 1.3, "m2": 0.45}


def _compare(system: System, values: dict[str, float], exact: Any) -> float:
    """The largest gap between the rates of (v₁, v₂, θ) and ``exact(state)``."""
    from nonholo.derive.hamel import hamel

    equations = hamel(system)
    worst = 0.0
    for state in STATES:
        found = equations.rates(state, values)
        worst = max(worst, *(abs(found[n] - e) for n, e in zip(("v1", "v2", "theta"), exact(state))))
    return worst


def metric(exhibit: Exhibit) -> Finding:
    """``G = diag(m₁, m₂, m₁v₁² + m₂v₂²)`` at generic states."""
    from nonholo.algebra.linear_equations import evaluate_matrix
    from nonholo.derive.hamel import hamel

    mass = hamel(exhibit.system).mass
    worst = 0.0
    for state in STATES:
        values = {**exhibit.parameters, **MASSES, **state}
        m1, m2, v1, v2 = (values[n] for n in ("m1", "m2", "v1", "v2"))
        worst = max(worst, largest([evaluate_matrix(mass, values) - np.diag([m1, m2, m1 * v1**2 + m2 * v2**2])]))
    return bounded("G = diag(m₁, m₂, m₁v₁² + m₂v₂²)", worst, 1e-12)


def any_forces(exhibit: Exhibit) -> Finding:
    """(52), with four forces as inputs."""
    from nonholo.derive.hamel import hamel

    names = ("A1", "A2", "A3", "A4")
    free = parallel("free")
    pushed = varied(free, inputs=names, forces=dict(zip(free.coordinates, names)))
    equations = hamel(pushed)
    worst = 0.0
    for state, forces in zip(STATES, ((0.4, -1.2, 0.9, 2.0), (1.5, 0.3, -0.8, 0.6), (-0.7, -0.9, 1.1, 0.2))):
        found = equations.rates({**state, **dict(zip(names, forces))}, MASSES)
        c, s = cos(state["theta"]), sin(state["theta"])
        (a1, a2, a3, a4), (m1, m2), (v1, v2) = forces, MASSES.values(), (state["v1"], state["v2"])
        turning = (v1 * (a2 * c - a1 * s) + v2 * (a4 * c - a3 * s)) / (m1 * v1**2 + m2 * v2**2)
        exact = ((a1 * c + a2 * s) / m1, (a3 * c + a4 * s) / m2, turning)
        worst = max(worst, *(abs(found[n] - e) for n, e in zip(("v1", "v2", "theta"), exact)))
    return bounded("(52)", worst, 1e-12)


def inclined(exhibit: Exhibit) -> Finding:
    """(53) with different masses, and (54) with equal ones."""
    worst = 0.0
    for m1, m2 in ((1.3, 0.45), (0.8, 0.8)):
        g = 2.7

        def exact(s: dict[str, float], m1: float = m1, m2: float = m2, g: float = g) -> tuple[float, float, float]:
            v1, v2 = s["v1"], s["v2"]
            if m1 == m2:
                turning = -g * sin(s["theta"]) * (v1 + v2) / (v1**2 + v2**2)
            else:
                turning = -g * sin(s["theta"]) * (m1 * v1 + m2 * v2) / (m1 * v1**2 + m2 * v2**2)
            return g * cos(s["theta"]), g * cos(s["theta"]), turning

        worst = max(worst, _compare(parallel("incline"), {"m1": m1, "m2": m2, "g": g}, exact))
    return bounded("(53) and (54)", worst, 1e-12)


def spring(exhibit: Exhibit) -> Finding:
    """(55)."""
    m1, m2, k = *MASSES.values(), 1.7

    def exact(s: dict[str, float]) -> tuple[float, float, float]:
        c, sine, v1, v2 = cos(s["theta"]), sin(s["theta"]), s["v1"], s["v2"]
        dx, dy = s["x2"] - s["x1"], s["y2"] - s["y1"]
        size = m1 * v1**2 + m2 * v2**2
        turning = k * v1 * (dy * c - dx * sine) / size + k * v2 * (-dy * c + dx * sine) / size
        return k * (dx * c + dy * sine) / m1, k * (-dx * c - dy * sine) / m2, turning

    return bounded("(55)", _compare(parallel("spring"), {**MASSES, "k": k}, exact), 1e-12)


def at_rest(exhibit: Exhibit) -> Finding:
    """``v₁ = v₂ = 0``: the direction of both velocities is lost, and the accelerations are not unique."""
    from nonholo.derive.hamel import hamel

    claim = "v₁ = v₂ = 0 has no unique accelerations"
    try:
        hamel(exhibit.system).rates({**STATES[0], "v1": 0.0, "v2": 0.0}, exhibit.parameters)
    except StateError as said:
        return Finding(claim, "holds", None, str(said))
    return Finding(claim, "fails", None, "accelerations were given")


def free(exhibit: Exhibit) -> Finding:
    """Without forces nothing changes but the places."""
    worst = _compare(parallel("free"), MASSES, lambda s: (0.0, 0.0, 0.0))
    return bounded("v₁, v₂ and θ are constant", worst, 1e-12)


def _size(s: Any) -> Any:
    return np.sqrt(s.m1 * s.v1**2 + s.m2 * s.v2**2)


def incline_constants(exhibit: Exhibit) -> Finding:
    """With ``Π = sqrt(m₁v₁² + m₂v₂²) e(θ)`` (53) gives ``Π̇ = g (m₁v₁ + m₂v₂) e_x/|Π|``, so ``Π_y`` stays."""
    moving = flows(parallel("incline"), {**MASSES, "g": 2.7})
    worst = largest_rate(moving, lambda s: s.v1 - s.v2, lambda s: _size(s) * np.sin(s.theta))
    return bounded("v₁ − v₂ and sqrt(m₁v₁² + m₂v₂²) sin θ", worst, 1e-11)


def spring_constants(exhibit: Exhibit) -> Finding:
    """``Π̇ = −k (v₂ − v₁) Δ/|Π|`` and ``Δ̇ = (v₂ − v₁) Π/|Π|`` with ``Δ = P₁P₂``, so ``Π × Δ`` stays."""
    moving = flows(parallel("spring"), {**MASSES, "k": 1.7})
    worst = largest_rate(
        moving,
        lambda s: s.m1 * s.v1 + s.m2 * s.v2,
        lambda s: _size(s) * (np.cos(s.theta) * (s.y2 - s.y1) - np.sin(s.theta) * (s.x2 - s.x1)),
        lambda s: _size(s) ** 2 + s.k * ((s.x2 - s.x1) ** 2 + (s.y2 - s.y1) ** 2),
    )
    return bounded("m₁v₁ + m₂v₂, sqrt(m₁v₁² + m₂v₂²) e × P₁P₂ and the energy", worst, 1e-11)


def straight(exhibit: Exhibit) -> Finding:
    """Figure 17: the spring pulls across the common direction, where nothing may move."""
    from nonholo.derive.hamel import hamel

    equations = hamel(parallel("spring"))
    worst = 0.0
    for m1, m2 in ((1.0, 1.0), (1.3, 0.45)):
        state = {"x1": 0.2, "y1": 0.1, "x2": 0.2 - 1.4 * sin(0.7), "y2": 0.1 + 1.4 * cos(0.7), "theta": 0.7}
        state |= {"v1": 0.9, "v2": 0.9}
        found = equations.rates(state, {"m1": m1, "m2": m2, "k": 1.7})
        worst = max(worst, *(abs(found[n]) for n in ("v1", "v2", "theta")))
    return bounded("v₁' = v₂' = θ' = 0", worst, 1e-12)


def _motion(values: dict[str, float], start: dict[str, float], until: float) -> Any:
    from nonholo.integrate.motion.simulate import simulate

    return simulate(parallel("spring"), start, until, values, rtol=1e-12, atol=1e-13).data


def _segment(data: Any) -> Any:
    return data["x2"].values - data["x1"].values + 1j * (data["y2"].values - data["y1"].values)


def harmonic(exhibit: Exhibit) -> Finding:
    """``Δ = Δ₀ cos w t + (Δ̇₀/w) sin w t`` with ``w² = k (1/m₁ + 1/m₂)``: the constraint needs no reaction."""
    m1, m2, k = *MASSES.values(), 1.7
    worst = 0.0
    for theta in (np.pi / 2, np.pi / 3):  # figure 10 (case A) and figure 19 (case C)
        start = {"x1": -1.0, "x2": 1.0, "v1": 1.1, "v2": -1.1 * m1 / m2, "theta": theta}
        data = _motion({**MASSES, "k": k}, start, 6.0)
        w, t = sqrt(k * (1 / m1 + 1 / m2)), data["t"].values
        exact = 2.0 * np.cos(w * t) + (start["v2"] - start["v1"]) * np.exp(1j * theta) / w * np.sin(w * t)
        worst = max(worst, largest([_segment(data) - exact]))
    return bounded("P₁P₂ as without the constraint", worst, 1e-9)


def ellipse(exhibit: Exhibit) -> Finding:
    """In the time τ, ``Δ'' = −k Δ``: with Δ₀ and ``B = Π₀/sqrt k`` every Δ is ``Δ₀ cos σ + B sin σ``."""
    start = {"x1": -1.1, "x2": 1.1, "v1": 1.0, "v2": -2.0, "theta": 1.1}
    m1, m2, k = *MASSES.values(), 1.7
    data = _motion({**MASSES, "k": k}, start, 12.0)
    size = sqrt(m1 * start["v1"] ** 2 + m2 * start["v2"] ** 2)
    begin, other = np.array([2.2, 0.0]), size / sqrt(k) * np.array([cos(1.1), sin(1.1)])
    places = _segment(data)
    parts = np.linalg.solve(np.column_stack([begin, other]), np.vstack([places.real, places.imag]))
    return bounded("cos² σ + sin² σ = 1 in the conjugate axes", largest([np.sum(parts**2, axis=0) - 1]), 1e-9)


def threshold(exhibit: Exhibit) -> Finding:
    """``v₂ − v₁ = 0`` where ``k Δ² = 2E − (m₁v₁ + m₂v₂)²/(m₁ + m₂)``; the largest |Δ| of case A is d or ``|Π₀|/sqrt k``."""
    m1, m2, k = 1.0, 2.0, 1.0
    limit = abs(m1 * 1.0 + m2 * -2.0) / sqrt(k * (m1 + m2))
    turned = []
    for distance in (0.97 * limit, 1.03 * limit):
        start = {"x1": -distance / 2, "x2": distance / 2, "v1": 1.0, "v2": -2.0, "theta": np.pi / 2}
        data = _motion({"m1": m1, "m2": m2, "k": k}, start, 60.0)
        turned.append(bool(np.max(data["v2"].values - data["v1"].values) > 0))
    good = turned == [True, False]
    return Finding("turns back below the threshold, goes round above it", "holds" if good else "fails", limit, f"{turned}")


FACTS = (
    Fact("the matrix G is diag(m₁, m₂, m₁v₁² + m₂v₂²)", f"{SOURCE} after (51)", metric),
    Fact("the equations for any active forces A₁ … A₄", f"{SOURCE} (52)", any_forces),
    Fact("the inclined plane", f"{SOURCE} (53), (54)", inclined),
    Fact("the spring", f"{SOURCE} (55)", spring),
    Fact("both at rest is a singular state, and said to be", f"{SOURCE} after (52)", at_rest),
    Fact("free points keep v₁, v₂ and their direction", f"{SOURCE} (52) with A = 0", free),
    Fact("v₁ − v₂ and sqrt(m₁v₁² + m₂v₂²) sin θ are constant on the incline", "from (53)", incline_constants),
    Fact("m₁v₁ + m₂v₂ and sqrt(m₁v₁² + m₂v₂²) e × P₁P₂ stay with the spring", "from (55)", spring_constants),
    Fact("case B with v₁ = v₂: parallel straight lines, whatever the masses", f"{SOURCE} figure 17", straight),
    Fact("m₁v₁ + m₂v₂ = 0: the free harmonic motion (figures 10 and 19)", "closed form", harmonic),
    Fact("P₁P₂ moves on an ellipse about 0", "dτ = (v₂ − v₁) dt/sqrt(m₁v₁² + m₂v₂²)", ellipse),
    Fact("case A: P₁P₂ goes round iff k d² > (m₁v₁ + m₂v₂)²/(m₁ + m₂)", "from the ellipse", threshold),
)
