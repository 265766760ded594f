"""A point whose direction is steered by its place and its velocity: f(x, ẋ) ẋ = g(x, ẋ) ẏ.

Benenti proposes to build it with a wheel on a motor that turns it as f and g say. When the law depends on the speed, the
virtual displacements ``∂ψ/∂z`` are no longer along the velocity: the ideal reaction (at right angles to ``∂ψ/∂z``, not
to the velocity) does work, while a wheel can only push across. The exhibit is the ideal constraint of the paper.
"""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace
from nonholo.model.system import System

TITLE = "Steered point, f(x, ẋ) ẋ = g(x, ẋ) ẏ"
GROUP = "Blades"
PAPERS = "Benenti 2008 §9"

SOURCE = "Benenti 2008"
LAW = "kappa*(xdot**2 + ydot**2) + sigma*y"
"""The direction the exhibit's law asks for, when none is given."""
ENERGY = "m/2*(xdot**2 + ydot**2) - k/2*(x**2 + y**2)"
VALUES = {"m": 0.9, "k": 1.6, "kappa": 0.35, "sigma": 0.8}


def exhibit(f: str = f"sin({LAW})", g: str = f"cos({LAW})") -> Exhibit:
    """The steering law by the texts ``f`` and ``g`` in x, y, xdot, ydot, t and the parameters m, k, kappa, sigma."""
    size = {"x": "xdot/2", "y": "ydot/2", "z": "0"}
    return Exhibit(
        name="steered-point",
        title=TITLE,
        group=GROUP,
        system=steered(f, g),
        parameters=VALUES,
        start={"x": 1.0, "y": 0.4, "xdot": 0.5},
        until=12.0,
        references=(f"{SOURCE}, §9, note (2); Theorems 1, 3 and 7",),
        units={"m": "kg", "k": "N/m", "kappa": "s²/m²", "sigma": "1/m", "x": "m", "y": "m", "xdot": "m/s", "ydot": "m/s"},
        drawing=Drawing(
            bodies=(
                Body("sphere", ("x", "y", "0.06"), size={"radius": "0.06"}, label="point"),
                Body("arrow", ("x", "y", "0.06"), size=size, colour="black", label="velocity"),
            ),
            traces=(Trace(("x", "y", "0"), "path"),),
            plots=(("x", "y"), ("t", "xdot"), ("t", "energy")),
        ),
        variants={"by the parameter z, ẋ = z cos β, ẏ = z sin β": by_speed()},
        story=(
            "A point on a spring that may move only where its steering points, and the steering looks at its place and at "
            "its speed. A rule about the place alone would put it on a rail; a rule about the speed is truly nonlinear, "
            "and what keeps it gives energy and takes it."
        ),
    )


def steered(f: str, g: str) -> System:
    """With the residual ``f ẋ − g ẏ``."""
    return System(
        name="steered point",
        coordinates="x y",
        parameters="m k kappa sigma",
        lagrangian=ENERGY,
        constraints=[f"({f})*xdot - ({g})*ydot"],
    )


def by_speed() -> System:
    """The default law in parametric form: the direction β = κ z² + σ y of the signed speed z."""
    beta = "kappa*z**2 + sigma*y"
    return System(
        name="steered point, parametric",
        coordinates="x y",
        parameters="m k kappa sigma",
        lagrangian=ENERGY,
        parametric=("z", {"xdot": f"z*cos({beta})", "ydot": f"z*sin({beta})"}),
    )
