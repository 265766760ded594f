"""The heavy Suslov top: a rigid body about a fixed point, under gravity, that may not turn about one of its axes."""

from __future__ import annotations

from nonholo.gallery._rolling import attitude
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, matrix_of
from nonholo.geometry.frames.frame import Frame
from nonholo.geometry.groups.matrix_groups import SO3, Quaternion, Vertical
from nonholo.model.system import System

TITLE = "Heavy Suslov top"
GROUP = "Tops and pendulums"
PAPERS = "Zenkov 2016 §6.1, (6.1)–(6.5); Suslov 1946; Kharlamova 1957; Kozlov 1985"

SOURCE = "Zenkov 2016"
RATES = "xi1 xi2 xi3"
INERTIA = (("I1", "I12", "I13"), ("I12", "I2", "I23"), ("I13", "I23", "I3"))
PARAMETERS = "m g I1 I2 I3 I12 I13 I23 c1 c2 c3"
VALUES = {
    "m": 0.9, "g": 9.81, "I1": 0.31, "I2": 0.24, "I3": 0.2, "I12": 0.03, "I13": 0.05, "I23": -0.04,
    "c1": 0.05, "c2": 0.11, "c3": 0.3,
}  # fmt: skip


def exhibit() -> Exhibit:
    """Body rates ξ with ξ₃ = 0, the vertical γ = Rᵀe₃ in the body, the centre of mass at c."""
    return Exhibit(
        name="heavy-suslov-top",
        title=TITLE,
        group=GROUP,
        system=top(SO3("R", rates=RATES), ("R31", "R32", "R33")),
        parameters=VALUES,
        start={**attitude(0.3, 2.2, 0.5), "xi1": 2.0, "xi2": -1.0},
        until=10.0,
        references=(
            f"{SOURCE}, (6.1)–(6.5)",
            "Suslov 1946, Theoretical Mechanics",
            "Kharlamova 1957 (centre of mass across the axis)",
            "Kozlov 1985, On the integration theory of equations of nonholonomic mechanics",
        ),
        units={
            "m": "kg", "g": "m/s²", "c1": "m", "c2": "m", "c3": "m", "xi1": "rad/s", "xi2": "rad/s", "xi3": "rad/s",
            **{name: "kg m²" for row in INERTIA for name in row},
        },
        starts={"hanging, pushed": {**attitude(0.0, 3.0, 0.0), "xi1": 0.5}},
        drawing=Drawing(
            bodies=(
                Body("ellipsoid", _space("c1", "c2", "c3"), matrix_of("R"), {"a": "0.1", "b": "0.14", "c": "0.2"}, label="body"),
                Body("arrow", size=dict(zip("xyz", _space("0", "0", "0.5"))), colour="black", label="axis without turning"),
            ),
            traces=(Trace(_space("c1", "c2", "c3"), "centre of mass"),),
            ground="none",
            plots=(("t", "xi1"), ("t", "xi2"), ("t", "R33")),
        ),
        variants={
            "the vertical alone (γ)": top(Vertical("gamma", rates=RATES), ("gamma1", "gamma2", "gamma3")),
            "quaternion": top(Quaternion("q", rates=RATES), _quaternion_row()),
        },
        story=(
            "A rigid body hung from a point, with a skate that forbids it to turn about one of its own axes. With its mass "
            "spread evenly about that axis it is a spherical pendulum; with its mass askew it is something else, and only "
            "its energy is kept."
        ),
    )


def _space(*point: str) -> tuple[str, str, str]:
    """A point of the body in space."""
    rows = (" + ".join(f"R{i}{j + 1}*({e})" for j, e in enumerate(point)) for i in (1, 2, 3))
    one, two, three = rows
    return one, two, three


def _quaternion_row() -> tuple[str, str, str]:
    """The last row of the rotation matrix."""
    return ("2*(q1*q3 - q0*q2)", "2*(q2*q3 + q0*q1)", "q0**2 - q1**2 - q2**2 + q3**2")


def top(frame: Frame, vertical: tuple[str, str, str]) -> System:
    """``l = ½⟨ℐξ, ξ⟩ − m g ⟨γ, c⟩`` with ξ₃ = 0."""
    rates = RATES.split()
    kinetic = " + ".join(
        f"{INERTIA[i][j]}*{rates[i]}*{rates[j]}/{2 if i == j else 1}" for i in range(3) for j in range(i, 3)
    )
    fall = " + ".join(f"c{i + 1}*({e})" for i, e in enumerate(vertical))
    return System(
        name="heavy Suslov top",
        frame=frame,
        parameters=PARAMETERS,
        lagrangian=f"{kinetic} - m*g*({fall})",
        constraints=["xi3"],
    )
