"""Two-wheel robot with a caster: published facts and closed forms, with their tests."""

from __future__ import annotations

from math import atan, exp, pi, tan
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import flows, largest


def wheels(exhibit: Exhibit) -> Finding:
    """From the rolling of both wheels, at generic states."""
    moving = flows(exhibit.system, exhibit.parameters)
    gaps = [s.v - s.R * (s.rightdot + s.leftdot) / 2 for s, _ in moving]
    gaps += [s.omega - s.R * (s.rightdot - s.leftdot) / (2 * s.b) for s, _ in moving]
    return bounded("v and ω by the wheels", largest(gaps), 1e-11)


def _caster(v: Any, omega: Any, beta: Any, p: Any) -> tuple[Any, Any]:
    """The caster's absolute turning and its rolling: the pivot's velocity seen from the caster."""
    along = v * np.cos(beta) + p["c"] * omega * np.sin(beta)
    across = -v * np.sin(beta) + p["c"] * omega * np.cos(beta)
    return across / p["d"], along / p["rc"]


def caster(exhibit: Exhibit) -> Finding:
    """The pivot moves at (v, c ω) in the body; the contact, d behind it, must not move across."""
    gaps = []
    for s, r in flows(exhibit.system, exhibit.parameters):
        turning, rolling = _caster(s.v, s.omega, s.beta, exhibit.parameters)
        gaps += [r.beta - (turning - s.omega), r.chi - rolling]
    return bounded("β' and χ'", largest(gaps), 1e-10)


def without_caster(exhibit: Exhibit) -> Finding:
    """``(m + 2I/R²) v̇ = m a ω² + (τ_r + τ_l)/R``, ``(J + m a² + 2I b²/R²) ω̇ = −m a v ω + b (τ_r − τ_l)/R``."""
    gaps = []
    for s, r in flows(exhibit.system, {**exhibit.parameters, "Jc": 0.0, "Ic": 0.0}):
        spin = 2 * s.I / s.R**2
        gaps.append((s.m + spin) * r.v - s.m * s.a * s.omega**2 - (s.torque_r + s.torque_l) / s.R)
        turning = (s.J + s.m * s.a**2 + spin * s.b**2) * r.omega + s.m * s.a * s.v * s.omega
        gaps.append(turning - s.b * (s.torque_r - s.torque_l) / s.R)
    return bounded("the equations without a caster", largest(gaps), 1e-10)


def _partial(beta: Any, p: Any) -> Any:
    """Velocities of everything that has inertia, for unit v and unit ω: centre (along, across), body, wheels, caster."""
    rows = []
    for v, omega in ((1.0, 0.0), (0.0, 1.0)):
        turning, rolling = _caster(v, omega, beta, p)
        rows.append([v, p["a"] * omega, omega, (v + p["b"] * omega) / p["R"], (v - p["b"] * omega) / p["R"], turning, rolling])
    return np.array(rows).T


def by_kane(exhibit: Exhibit) -> Finding:
    """``Σ ∂v/∂z · (inertia × acceleration − torque) = 0``; the body's axes turn at ω, the rest by a complex step in β."""
    p = exhibit.parameters
    weights = np.array([p["m"], p["m"], p["J"], p["I"], p["I"], p["Jc"], p["Ic"]])
    gaps = []
    for s, r in flows(exhibit.system, p):
        z = np.array([s.v, s.omega])
        partial = _partial(s.beta, p)
        swing = _caster(s.v, s.omega, s.beta, p)[0] - s.omega
        change = np.imag(_partial(s.beta + 1e-30j * swing, p)) / 1e-30
        carried = change @ z
        along, across = (partial @ z)[:2]
        carried[:2] += s.omega * np.array([-across, along])
        torque = partial[3] * s.torque_r + partial[4] * s.torque_l
        exact = np.linalg.solve(partial.T @ (weights[:, None] * partial), torque - partial.T @ (weights * carried))
        gaps.append(np.array([r.v, r.omega]) - exact)
    return bounded("(v', ω') by Kane's method", largest(gaps), 1e-9)


def _coast(exhibit: Exhibit, v: float, beta: float, until: float) -> tuple[Any, float]:
    """Straight coasting with a massless caster, and the closed form's end."""
    from nonholo.integrate.motion.simulate import simulate

    values = {**exhibit.parameters, "Jc": 0.0, "Ic": 0.0}
    still = {"torque_r": 0.0, "torque_l": 0.0}
    data = simulate(exhibit.system, {"v": v, "beta": beta}, until, values, inputs=still, rtol=1e-12, atol=1e-13).data
    return data, 2 * atan(tan(beta / 2) * exp(-v * until / values["d"]))


def swings(exhibit: Exhibit) -> Finding:
    """``β̇ = −(v/d) sin β`` on a straight way."""
    v = 0.3
    data, _ = _coast(exhibit, v, 2.6, 1.5)
    t, d = data["t"].values, exhibit.parameters["d"]
    exact = 2 * np.arctan(tan(1.3) * np.exp(-v * t / d))
    return bounded("tan(β/2) = tan(β₀/2) exp(−v t/d)", largest([data["beta"].values - exact]), 1e-9)


def turns_round(exhibit: Exhibit) -> Finding:
    """From a hair's breadth off, β goes to π."""
    data, end = _coast(exhibit, -0.3, 0.01, 5.0)
    final = float(data["beta"].values[-1])
    return bounded("β → π", max(abs(final - end), 1e3 * max(0.0, abs(final - pi) - 1e-4)), 1e-8)


FACTS = (
    Fact("v = R (ψ̇_r + ψ̇_l)/2 and ω = R (ψ̇_r − ψ̇_l)/(2b)", "kinematics of the differential drive", wheels),
    Fact("β̇ = (c ω cos β − v sin β)/d − ω", "no slip under the caster, by hand", caster),
    Fact("without caster masses the equations of Fierro and Lewis", "Fierro and Lewis 1997", without_caster),
    Fact("with them, Kane's method in numbers", "partial velocities by hand", by_kane),
    Fact("the caster swings behind: tan(β/2) decays as exp(−v t/d)", "closed form", swings),
    Fact("backing up it swings round by half a turn", "the same with v < 0", turns_round),
)
