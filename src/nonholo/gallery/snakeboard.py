"""The snakeboard: a board with two steered wheel pairs, moved forward by a rotor that swings on it."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi
from typing import Any

import numpy as np

from nonholo.errors import ModelError
from nonholo.finding import Finding, bounded
from nonholo.gallery._along import flows, largest, largest_gap
from nonholo.gallery._snakeboard_reduction import reduced_equations
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Trace, ahead, heading, rolling
from nonholo.model.symmetry_declaration import planar_motion
from nonholo.model.system import System

TITLE = "Snakeboard"
GROUP = "Bloch–Marsden–Zenkov"
PAPERS = "Notices 2005 (Momentum Equation); Lewis, Ostrowski, Murray, Burdick 1994"

Vector = Any
GAITS = {"drive": (1, 1), "rotate": (2, 1), "parallel": (3, 2)}
"""How often the rotor and the wheels swing in a common period of 2π seconds."""
SWING = {"psi": 1.1, "phi": 0.4}
"""Amplitudes of rotor and wheels, in radians."""


def exhibit(gait: str = "drive") -> Exhibit:
    """Board (x, y, θ), rotor ψ, wheels φ in front and −φ behind; torques on rotor and wheels; ``gait`` says how they swing."""
    if gait not in GAITS:
        raise ModelError(f"snakeboard: gait {gait!r}; choose from {', '.join(GAITS)}.")
    along = "(xdot*cos(theta) + ydot*sin(theta))"
    system = System(
        name="snakeboard",
        coordinates="x y theta psi phi",
        parameters="m l J Jr Jw",
        inputs="tau_psi tau_phi",
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + Jr/2*(thetadot + psidot)**2 + Jw*(thetadot**2 + phidot**2)",
        constraints=[
            "-sin(theta + phi)*xdot + cos(theta + phi)*ydot + l*cos(phi)*thetadot",
            "-sin(theta - phi)*xdot + cos(theta - phi)*ydot - l*cos(phi)*thetadot",
        ],
        quasivelocities={"u": f"thetadot*sin(phi) + {along}*cos(phi)/l", "rotor": "psidot", "wheels": "phidot"},
        forces={"psi": "tau_psi", "phi": "tau_phi"},
        symmetry=planar_motion("x", "y", "theta"),
    )
    values = {"m": 6.0, "l": 0.3, "J": 0.2, "Jr": 0.17, "Jw": 0.013}
    return Exhibit(
        name="snakeboard",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters=values,
        start=gait_start(gait, SWING),
        starts={name: gait_start(name, SWING) for name in GAITS},
        inputs=gait_torques(gait, SWING),
        until=8 * pi,
        references=(
            "Notices 2005, Momentum Equation",
            "Lewis, Ostrowski, Murray and Burdick 1994",
            "Bloch, Krishnaprasad, Marsden and Murray 1996",
        ),
        units={
            "m": "kg",
            "l": "m",
            "J": "kg m²",
            "Jr": "kg m²",
            "Jw": "kg m²",
            "x": "m",
            "y": "m",
            "theta": "rad",
            "psi": "rad",
            "phi": "rad",
            "tau_psi": "N m",
            "tau_phi": "N m",
            "u": "1/s",
        },
        facts=(
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
        ),
        drawing=Drawing(
            bodies=(
                Body(
                    "box",
                    ("x", "y", "0.4*l"),
                    heading("theta"),
                    {"x": "2*l", "y": "0.2*l", "z": "0.1*l"},
                    label="board",
                ),
                Body(
                    "rod",
                    ("x", "y", "0.7*l"),
                    heading("theta + psi"),
                    {"length": "1.6*l"},
                    colour="firebrick",
                    label="rotor",
                ),
                *(
                    Body(
                        "sphere",
                        ahead(end, z="0.7*l", angle="theta + psi"),
                        size={"radius": "0.1*l"},
                        colour="firebrick",
                    )
                    for end in ("0.8*l", "-0.8*l")
                ),
                *_wheels("l", "theta + phi", "front wheels"),
                *_wheels("-l", "theta - phi", "back wheels"),
            ),
            traces=(Trace(("x", "y", "0"), "centre"),),
            plots=(("x", "y"), ("t", "theta"), ("t", "psi"), ("t", "phi")),
        ),
        story=(
            "A rider who never touches the ground: swinging the body and the feet in step drives the board forward, in double "
            "time it turns on the spot, three against two it parks sideways. Momentum is made by the wheels, not kept."
        ),
    )


def _wheels(along: str, angle: str, label: str) -> tuple[Body, ...]:
    """A foot plate and, on its axle, two wheels."""
    x, y, _ = ahead(along)
    size = {"radius": "0.13*l", "width": "0.06*l"}
    places = (ahead("0", out, "0.13*l", angle, x, y) for out in ("0.25*l", "-0.25*l"))
    return (
        Body("rod", (x, y, "0.13*l"), heading(f"{angle} + pi/2"), {"length": "0.5*l"}, colour="grey"),
        Body(
            "box",
            (x, y, "0.5*l"),
            heading(angle),
            {"x": "0.3*l", "y": "0.5*l", "z": "0.08*l"},
            colour="black",
            label=label,
        ),
        *(Body("wheel", place, rolling(angle), size, colour="black") for place in places),
    )


def gait_start(gait: str, swing: Mapping[str, float]) -> dict[str, float]:
    """At rest but for rotor and wheels, which swing through their middle."""
    rotor, wheels = GAITS[gait]
    return {"rotor": swing["psi"] * rotor, "wheels": swing["phi"] * wheels}


def gait_torques(gait: str, swing: Mapping[str, float]) -> dict[str, str]:
    """Torques, as feedback laws, for ``ψ = a_ψ sin(rotor t)`` and ``φ = a_φ sin(wheels t)``.

    ``2 J_w φ̈ = τ_φ`` and ``J_r (θ̈ + ψ̈) = τ_ψ``, where ``θ̈ = u̇ sin φ + u cos φ φ̇`` follows from the momentum equation:
    ``(J_t sin²φ + m l² cos²φ) u̇ = −(J_t − m l²) u sin φ cos φ φ̇ − J_r ψ̈ sin φ``, ``J_t = J + J_r + 2 J_w``.
    """
    rotor, wheels = GAITS[gait]
    rotor_push = f"(-({swing['psi']!r})*{rotor**2}*sin({rotor}*t))"
    whole = "(J + Jr + 2*Jw)"
    gain = (
        f"((-({whole} - m*l**2)*u*sin(phi)*cos(phi)*phidot - Jr*{rotor_push}*sin(phi))"
        f"/({whole}*sin(phi)**2 + m*l**2*cos(phi)**2))"
    )
    return {
        "tau_psi": f"Jr*({rotor_push} + {gain}*sin(phi) + u*cos(phi)*phidot)",
        "tau_phi": f"-2*Jw*({swing['phi']!r})*{wheels**2}*sin({wheels}*t)",
    }


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
