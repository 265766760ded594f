"""A particle in space whose velocity obeys ż = y ẋ: the smallest example of MacDonnell's reduction."""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, velocity_arrow
from nonholo.model.symmetry_declaration import translation
from nonholo.model.system import System

TITLE = "Nonholonomically constrained particle, ż = y ẋ"
GROUP = "Particles"
PAPERS = "MacDonnell 1997 §§6–8"

SOURCE = "MacDonnell 1997"


def exhibit() -> Exhibit:
    """The particle of MacDonnell 1997, in the basis aligned with the symmetry: q̇ = v (0, 1, 0) + Ω (1, 0, y)."""
    system = System(
        name="constrained particle",
        coordinates="x y z",
        lagrangian="(xdot**2 + ydot**2 + zdot**2)/2",
        constraints=["zdot - y*xdot"],
        quasivelocities={"v": "ydot", "Omega": "(xdot + y*zdot)/(1 + y**2)"},
        symmetry=translation("x", "z"),
    )
    metres = {"x": "m", "y": "m", "z": "m", "v": "m/s", "Omega": "m/s"}
    return Exhibit(
        name="constrained-particle",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={},
        start={"x": -2.0, "y": -2.0, "z": 1.0, "v": 0.5, "Omega": 0.4},
        until=8.0,
        references=(f"{SOURCE}, §§6.1–6.3, 7.2, 7.3, 7.5, 8.4", "Rosenberg 1977", "Bates and Śniatycki 1993"),
        units=metres,
        drawing=Drawing(
            bodies=(
                Body("sphere", ("x", "y", "z"), size={"radius": "0.13"}, label="particle"),
                velocity_arrow(("x", "y", "z"), ("xdot", "ydot", "zdot")),
            ),
            traces=(Trace(("x", "y", "z"), "path"), Trace(("x", "y", "0"), "shadow", "grey")),
            ground="plane",
            plots=(("x", "z"), ("t", "xdot"), ("t", "zdot"), ("y", "Omega")),
        ),
        story=(
            "A free particle that may climb only as fast as its height over the x-axis allows, ż = y ẋ. Nothing in the "
            "Lagrangian depends on x or z, and yet neither momentum is kept: what is kept is a mixture that varies with y."
        ),
    )
