"""Snakeboard: published facts and closed forms, with their tests."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.gallery.snakeboard import GAITS, SWING, gait_start, gait_torques
from nonholo_papers.facts._random_states import flows, largest, largest_gap
from nonholo_papers.facts._snakeboard_reduction import reduced_equations

Vector = Any


def kinematics(exhibit: Exhibit) -> Finding:
    """No velocity across the board; ``θ̇ = u sin φ``, forward ``l u cos φ``."""
    gaps = []
    for s, _ in flows(exhibit.system, exhibit.parameters):
        c, d = np.cos(s.theta), np.sin(s.theta)
        gaps += [
            s.ydot * c - s.xdot * d,
            s.xdot * c + s.ydot * d - s.l * s.u * np.cos(s.phi),
            s.thetadot - s.u * np.sin(s.phi),
        ]
    return bounded("the two wheel pairs leave one direction", largest(gaps), 1e-12)


def momentum_equation(exhibit: Exhibit) -> Finding:
    """``p = sin φ ∂L/∂θ̇ + l cos φ m v`` along the allowed direction; ``ṗ = φ̇ (cos φ ∂L/∂θ̇ − l sin φ m v)``."""

    def parts(s: Any) -> tuple[Any, Any]:
        turning = (s.J + s.Jr + 2 * s.Jw) * s.thetadot + s.Jr * s.psidot
        return turning, s.m * (s.xdot * np.cos(s.theta) + s.ydot * np.sin(s.theta))

    def momentum(s: Any) -> Any:
        turning, forward = parts(s)
        return np.sin(s.phi) * turning + s.l * np.cos(s.phi) * forward

    def expected(s: Any, r: Any) -> Any:
        turning, forward = parts(s)
        return s.phidot * (np.cos(s.phi) * turning - s.l * np.sin(s.phi) * forward)

    gap = largest_gap(flows(exhibit.system, exhibit.parameters), momentum, expected)
    return bounded("the momentum equation", gap, 1e-11)


def shape_equations(exhibit: Exhibit) -> Finding:
    """``J_r (θ̈ + ψ̈) = τ_ψ``, ``2 J_w φ̈ = τ_φ``."""
    gap = largest_gap(
        flows(exhibit.system, exhibit.parameters),
        lambda s: np.array([s.Jr * (s.thetadot + s.psidot), 2 * s.Jw * s.phidot]),
        lambda s, r: np.array([s.tau_psi, s.tau_phi]),
    )
    return bounded("the shape equations", gap, 1e-11)


def _end(exhibit: Exhibit, gait: str, swing: Mapping[str, float]) -> Mapping[str, float]:
    """After one common period of 2π seconds."""
    from nonholo.integrate.motion.simulate import simulate

    return simulate(
        exhibit.system,
        gait_start(gait, swing),
        2 * pi,
        exhibit.parameters,
        rtol=1e-12,
        atol=1e-15,
        t_eval="end",
        inputs=gait_torques(gait, swing),
    ).final


def swings(exhibit: Exhibit) -> Finding:
    """Rotor and wheels at their places after a third of the period, in all three gaits, with large swings."""
    from nonholo.integrate.motion.simulate import simulate

    gaps = []
    for gait, (rotor, wheels) in GAITS.items():
        times = np.linspace(0, 2 * pi, 7)
        run = simulate(
            exhibit.system,
            gait_start(gait, SWING),
            times[-1],
            exhibit.parameters,
            rtol=1e-11,
            atol=1e-13,
            t_eval=times,
            inputs=gait_torques(gait, SWING),
        ).data
        gaps += [
            run["psi"].values - SWING["psi"] * np.sin(rotor * times),
            run["phi"].values - SWING["phi"] * np.sin(wheels * times),
        ]
    return bounded("ψ and φ are the wanted sines", largest(gaps), 1e-8, "one period of each gait")


def _leading(exhibit: Exhibit, gait: str, name: str, law: Any) -> Finding:
    """A displacement against its leading order, at two small swings of the wheels: the error falls with their square."""
    v = exhibit.parameters
    k = v["Jr"] / (v["m"] * v["l"] ** 2)
    errors, others = [], []
    for small in (0.04, 0.02):
        end = _end(exhibit, gait, {"psi": 0.8, "phi": small})
        wanted = law(v["l"], k, small, 0.8)
        errors.append(abs(end[name] / wanted - 1))
        others.append(max(abs(end[n]) for n in ("x", "y", "theta") if n != name) / abs(wanted))
    falls = errors[0] / errors[1]
    holds = errors[1] < 5e-3 and 3.5 < falls < 4.5 and others[1] < 0.3
    evidence = f"{falls:.3g} times nearer for half the swing; the other displacements are {others[1]:.2g} of it"
    return Finding(f"{gait}: {name} to leading order", "holds" if holds else "fails", errors[1], evidence)


def drive(exhibit: Exhibit) -> Finding:
    """``u = k a_φ a_ψ (t/2 − sin 2t/4)`` with ``k = J_r/(m l²)``, so ``x(2π) = l k a_φ a_ψ π²``."""
    return _leading(exhibit, "drive", "x", lambda l, k, phi, psi: l * k * phi * psi * pi**2)


def rotate(exhibit: Exhibit) -> Finding:
    """``u = 2 k a_φ a_ψ (sin t − sin 3t/3)``, so ``θ(2π) = ∫ u φ dt = 2π k a_φ² a_ψ``."""
    return _leading(exhibit, "rotate", "theta", lambda l, k, phi, psi: 2 * pi * k * phi**2 * psi)


def parallel(exhibit: Exhibit) -> Finding:
    """``u = (9/2) k a_φ a_ψ (sin t − sin 5t/5)``, ``θ`` of second order, ``y(2π) = l ∫ u θ dt = (81π/8) l k² a_φ³ a_ψ²``."""
    return _leading(exhibit, "parallel", "y", lambda l, k, phi, psi: 81 * pi / 8 * l * k**2 * phi**3 * psi**2)


FACTS = (
    Fact(
        "both wheels allow θ̇ = u sin φ and speed l u cos φ, nothing else", "two rolling conditions", kinematics
    ),
    Fact("the momentum equation", "Notices 2005 (6); Bloch et al. 1996", momentum_equation),
    Fact(
        "the reduced equations with two shape variables",
        "BMZ 2009 (4.9)–(4.11), (4.9) as corrected",
        reduced_equations,
    ),
    Fact("rotor and wheels answer to their torques", "shape equations", shape_equations),
    Fact("the torques of a gait make the rotor and wheels swing as wanted", "inverse dynamics", swings),
    Fact("drive: forward by l k π² a_φ a_ψ in the first period", "leading order in the wheels' swing", drive),
    Fact("rotate: turns by 2π k a_φ² a_ψ a period", "leading order in the wheels' swing", rotate),
    Fact(
        "parallel: sideways by (81π/8) l k² a_φ³ a_ψ² a period", "leading order in the wheels' swing", parallel
    ),
)
