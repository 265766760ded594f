"""Two points on a plane whose velocities stay parallel: a constraint that is truly nonlinear."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

from nonholo.errors import ModelError
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, heading
from nonholo.model.system import System

KINETIC = "m1/2*(x1dot**2 + y1dot**2) + m2/2*(x2dot**2 + y2dot**2)"
POTENTIALS = {"free": "0", "incline": "-m1*g*x1 - m2*g*x2", "spring": "k/2*((x1 - x2)**2 + (y1 - y2)**2)"}
NEEDS = {"free": "", "incline": " g", "spring": " k"}
PARALLEL = (
    "v1 v2 theta",
    {"x1dot": "v1*cos(theta)", "y1dot": "v1*sin(theta)", "x2dot": "v2*cos(theta)", "y2dot": "v2*sin(theta)"},
)

TITLE = "Two points with parallel velocities"
GROUP = "Blades"
PAPERS = "Benenti 2008 §8.3; Zekovich 1991"

SOURCE = "Benenti 2008"


def parallel(force: str) -> System:
    """In the parametric form of the paper, (51)."""
    where = {"free": "", "incline": " on an incline", "spring": " and a spring"}[force]
    return System(
        name="two points with parallel velocities" + where,
        coordinates="x1 y1 x2 y2",
        parameters="m1 m2" + NEEDS[force],
        lagrangian=f"{KINETIC} - ({POTENTIALS[force]})",
        parametric=PARALLEL,
    )


@dataclass(frozen=True)
class Figure:
    """The start of one of the paper's figures: velocities across the segment P₁P₂ (cases A, B) or inclined to it (C, D)."""

    case: str
    first: float
    second: float
    ratio: float
    distance: float

    @property
    def start(self) -> dict[str, float]:
        """The state; the paper gives lengths and speeds only for figures 28 and 29, the others are ours."""
        across = self.case in "AB"
        left = 0.0 if self.distance >= 10 and self.case == "D" else -self.distance / 2
        angle = pi / 2 if across else pi / 3
        return {"x1": left, "x2": left + self.distance, "v1": self.first, "v2": self.second, "theta": angle}


FIGURES = {
    10: Figure("A", 1, -1, 1, 2.0), 11: Figure("A", 1, -1, 2, 2.0), 12: Figure("A", 1, -2, 1, 2.0),
    13: Figure("A", 1, -2, 2, 1.2), 14: Figure("A", 1, -2, 2, 2.2), 15: Figure("A", 1, -2, 3, 2.2),
    16: Figure("A", 1, -2, 2, 5.0), 17: Figure("B", 1, 1, 1, 2.0), 18: Figure("B", 1, 2, 1, 2.0),
    19: Figure("C", 1, -1, 1, 2.0), 20: Figure("C", 1, -1, 2, 2.0), 21: Figure("C", 1, -2, 1, 0.6),
    22: Figure("C", 1, -2, 1, 2.0), 23: Figure("C", 1, -2, 1, 5.0), 24: Figure("C", 1, -2, 2, 1.2),
    25: Figure("C", 1, -2, 2, 4.0), 26: Figure("D", 1, 1, 1, 2.0), 27: Figure("D", 1, 1, 4, 2.0),
    28: Figure("D", 1, 2, 1, 10.0), 29: Figure("D", 1, 2, 3, 15.0),
}  # fmt: skip
"""Figures 10 to 29, all with the spring: case, v₁, v₂, m₂/m₁ and the distance at the start."""


def exhibit(force: str = "spring", figure: int = 14) -> Exhibit:
    """``force`` is "free", "incline" (§8.3.1) or "spring" (§8.3.2); ``figure`` (10 to 29) sets the start and m₂/m₁."""
    if force not in POTENTIALS:
        raise ModelError(f"parallel-points: force = {force!r}; choose from {', '.join(POTENTIALS)}.")
    if figure not in FIGURES:
        raise ModelError(f"parallel-points: figure = {figure!r}; the paper's starts with a spring are figures 10 to 29.")
    shown = FIGURES[figure]
    values = {"m1": 1.0, "m2": shown.ratio, "k": 1.0, "g": 3.0}
    system = parallel(force)
    return Exhibit(
        name="parallel-points",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={n: values[n] for n in system.parameters},
        start=shown.start,
        until=20.0,
        references=(f"{SOURCE}, §8.3, (50)–(55), figures 10–29", "Zekovich 1991, Moscow Univ. Math. Bull. 46, 44"),
        units={
            "m1": "kg", "m2": "kg", "k": "N/m", "g": "m/s²", "x1": "m", "y1": "m", "x2": "m", "y2": "m", "v1": "m/s",
            "v2": "m/s", "theta": "rad",
        },
        starts={f"case {f.case}, figure {number} (m2 = {f.ratio:g} m1)": f.start for number, f in FIGURES.items()},
        drawing=_drawing(force),
        variants={
            **{f"force: {other}": parallel(other) for other in POTENTIALS if other != force},
            "the constraint (50) as it stands": implicit(force),
        },
        story=(
            "Two masses, a spring between them, and one strange rule: they must always move in parallel. Wheels with one "
            "common heading keep the rule, but not this motion: they leave the heading alone, the ideal constraint turns it. "
            "Pulled together by the spring the masses may never meet; two that start side by side at the same speed do not "
            "even notice it."
        ),
    )


def implicit(force: str) -> System:
    """With the quadratic constraint (50) as a residual; virtual displacements are Chetaev's."""
    return System(
        name="two points with parallel velocities, implicitly",
        coordinates="x1 y1 x2 y2",
        parameters="m1 m2" + NEEDS[force],
        lagrangian=f"{KINETIC} - ({POTENTIALS[force]})",
        constraints=["x1dot*y2dot - x2dot*y1dot"],
    )


def _drawing(force: str) -> Drawing:
    points = tuple(
        body
        for i, colour in ((1, "firebrick"), (2, "steelblue"))
        for body in (
            Body("sphere", (f"x{i}", f"y{i}", "0.1"), size={"radius": "0.1"}, colour=colour, label=f"P{i}"),
            Body("blade", (f"x{i}", f"y{i}", "0"), heading("theta"), {"length": "0.4"}, colour="black"),
            Body(
                "arrow",
                (f"x{i}", f"y{i}", "0.1"),
                size={"x": f"x{i}dot/2", "y": f"y{i}dot/2", "z": "0"},
                colour=colour,
                label=f"velocity of P{i}",
            ),
        )
    )
    middle = ("x1 + s*(x2 - x1)", "y1 + s*(y2 - y1)", "0.1")
    spring = Body("wire", size={"s0": "0", "s1": "1"}, points=middle, colour="grey", label="spring")
    return Drawing(
        bodies=(*points, spring) if force == "spring" else points,
        traces=(Trace(("x1", "y1", "0"), "P1"), Trace(("x2", "y2", "0"), "P2", "steelblue")),
        plots=(("x1", "y1"), ("x2", "y2"), ("t", "v1"), ("t", "v2"), ("t", "theta")),
    )
