"""The snakeboard: a board with two steered wheel pairs, moved forward by a rotor that swings on it."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

from nonholo.errors import ModelError
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, ahead, heading, rolling
from nonholo.model.symmetry_declaration import planar_motion
from nonholo.model.system import System

TITLE = "Snakeboard"
GROUP = "Robots and vehicles"
PAPERS = "Notices 2005 (Momentum Equation); Lewis, Ostrowski, Murray, Burdick 1994"

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
            "rotor": "rad/s",
            "wheels": "rad/s",
        },
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
