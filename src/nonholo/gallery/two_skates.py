"""Two skates with one common heading: the device that was to realise two points with parallel velocities."""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, heading
from nonholo.model.system import System

TITLE = "Two skates with a common heading"
GROUP = "Blades"
PAPERS = "Benenti 2008 §9"

SOURCE = "Benenti 2008"


def exhibit() -> Exhibit:
    """Two loads on sharp wheels whose heading θ a belt keeps parallel, and a spring between them; J is what turns with θ."""
    return Exhibit(
        name="two-skates",
        title=TITLE,
        group=GROUP,
        system=device(),
        parameters={"m1": 1.0, "m2": 2.0, "J": 0.15, "k": 1.0},
        start={"x1": -1.0, "x2": 1.2, "theta": 1.2, "v1": 1.0, "v2": -0.7, "omega": 0.4},
        until=20.0,
        references=(f"{SOURCE}, §9, figures 35 to 37",),
        units={
            "m1": "kg",
            "m2": "kg",
            "J": "kg m²",
            "k": "N/m",
            "x1": "m",
            "y1": "m",
            "x2": "m",
            "y2": "m",
            "theta": "rad",
            "v1": "m/s",
            "v2": "m/s",
            "omega": "rad/s",
        },
        starts={"heading at rest": {"x1": -1.0, "x2": 1.2, "theta": 1.2, "v1": 1.0, "v2": -0.7}},
        drawing=_drawing(),
        story=(
            "Two loads on sharp wheels, a belt that keeps the wheels parallel, a spring between the loads. The velocities are "
            "parallel, as the strange rule of the nonlinear constraint wants it. But the wheels steer: their heading has a "
            "momentum of its own that no wheel changes, and turns at a constant rate whatever the spring does. The ideal "
            "nonlinear constraint would turn it; the device realises the set of velocities and not the motion."
        ),
    )


def device() -> System:
    """Linear constraints on each skate, with the heading a coordinate."""
    return System(
        name="two skates with a common heading",
        coordinates="x1 y1 x2 y2 theta",
        parameters="m1 m2 J k",
        lagrangian=(
            "m1/2*(x1dot**2 + y1dot**2) + m2/2*(x2dot**2 + y2dot**2) + J/2*thetadot**2"
            " - k/2*((x1 - x2)**2 + (y1 - y2)**2)"
        ),
        constraints=["y1dot*cos(theta) - x1dot*sin(theta)", "y2dot*cos(theta) - x2dot*sin(theta)"],
        quasivelocities={
            "v1": "x1dot*cos(theta) + y1dot*sin(theta)",
            "v2": "x2dot*cos(theta) + y2dot*sin(theta)",
            "omega": "thetadot",
        },
    )


def _drawing() -> Drawing:
    skates = tuple(
        body
        for i, colour in ((1, "firebrick"), (2, "steelblue"))
        for body in (
            Body("sphere", (f"x{i}", f"y{i}", "0.12"), size={"radius": "0.12"}, colour=colour, label=f"load {i}"),
            Body("blade", (f"x{i}", f"y{i}", "0"), heading("theta"), {"length": "0.5"}, colour="black"),
        )
    )
    middle = ("x1 + s*(x2 - x1)", "y1 + s*(y2 - y1)", "0.12")
    spring = Body("wire", size={"s0": "0", "s1": "1"}, points=middle, colour="grey", label="spring")
    return Drawing(
        bodies=(*skates, spring),
        traces=(Trace(("x1", "y1", "0"), "load 1"), Trace(("x2", "y2", "0"), "load 2", "steelblue")),
        plots=(("x1", "y1"), ("x2", "y2"), ("t", "theta"), ("t", "v1"), ("t", "v2")),
    )
