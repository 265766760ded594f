"""The heavy Suslov top: a rigid body about a fixed point, under gravity, that may not turn about one of its axes."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery._along import attitude, flows, largest, largest_rate
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Trace, matrix_of
from nonholo.geometry.frames.frame import Frame
from nonholo.geometry.groups.matrix_groups import SO3, Quaternion, Vertical
from nonholo.model.system import System

TITLE = "Heavy Suslov top"
GROUP = "Zenkov"
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
        facts=(
            Fact("d(ℐξ)/dt = ℐξ × ξ + m g γ × c + λe₃ with ξ₃ = 0", f"{SOURCE} (6.1), (6.4)", equations),
            Fact("the energy and |γ| are constant", f"{SOURCE} §6.1", constants),
            Fact("the reaction is the torque λ that keeps ξ₃ = 0, and does no work", "third component, by hand", reaction),
            Fact("a centre of mass across the axis: I₁c₁ξ₁ + I₂c₂ξ₂ is constant", "Kharlamova 1957", kharlamova),
            Fact("I₁ = I₂ and the centre on the axis: the spherical pendulum", f"{SOURCE} (6.5); Kozlov 1985", lagrange_case),
            Fact("hanging straight: two swings at sqrt(m g c₃/I)", "linearised by hand", swings),
        ),
        drawing=Drawing(
            bodies=(
                Body("ellipsoid", _turned("c1", "c2", "c3"), matrix_of("R"), {"a": "0.1", "b": "0.14", "c": "0.2"}, label="body"),
                Body("arrow", size=dict(zip("xyz", _turned("0", "0", "0.5"))), colour="black", label="axis without turning"),
            ),
            traces=(Trace(_turned("c1", "c2", "c3"), "centre of mass"),),
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


def _turned(*point: str) -> tuple[str, str, str]:
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


def _body(s: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """ℐ, ξ, the pull m g γ × c and γ of a state."""
    inertia = np.array([[getattr(s, name) for name in row] for row in INERTIA])
    if hasattr(s, "gamma1"):
        gamma = np.array([s.gamma1, s.gamma2, s.gamma3])
    elif hasattr(s, "R31"):
        gamma = np.array([s.R31, s.R32, s.R33])
    else:
        gamma = np.array(
            [2 * (s.q1 * s.q3 - s.q0 * s.q2), 2 * (s.q2 * s.q3 + s.q0 * s.q1), s.q0**2 - s.q1**2 - s.q2**2 + s.q3**2]
        )
    pull = s.m * s.g * np.cross(gamma, [s.c1, s.c2, s.c3])
    return inertia, np.array([s.xi1, s.xi2, 0.0]), pull, gamma


def equations(exhibit: Exhibit) -> Finding:
    """The first two components, solved for ξ̇ in numbers, in all three coordinates."""
    gaps = []
    for system in (exhibit.system, *exhibit.variants.values()):
        for s, f in flows(system, exhibit.parameters):
            inertia, xi, pull, _ = _body(s)
            exact = np.linalg.solve(inertia[:2, :2], (np.cross(inertia @ xi, xi) + pull)[:2])
            gaps.append(np.array([f.xi1, f.xi2]) - exact)
    return bounded("(6.1) with (6.4)", largest(gaps), 1e-10)


def constants(exhibit: Exhibit) -> Finding:
    """``½⟨ℐξ, ξ⟩ + m g ⟨γ, c⟩`` and ``⟨γ, γ⟩``."""

    def energy(s: Any) -> Any:
        kinetic = s.I1 * s.xi1**2 / 2 + s.I2 * s.xi2**2 / 2 + s.I12 * s.xi1 * s.xi2
        return kinetic + s.m * s.g * (s.c1 * s.gamma1 + s.c2 * s.gamma2 + s.c3 * s.gamma3)

    moving = flows(exhibit.variants["the vertical alone (γ)"], exhibit.parameters)
    worst = largest_rate(moving, energy, lambda s: s.gamma1**2 + s.gamma2**2 + s.gamma3**2)
    return bounded("energy and |γ|", worst, 1e-11)


def reaction(exhibit: Exhibit) -> Finding:
    """``λ = (ℐξ̇ − ℐξ × ξ − m g γ × c)₃``."""
    from nonholo.derive.laws.reactions import reactions

    found = reactions(exhibit.system)
    gaps = []
    for s, f in flows(exhibit.system, exhibit.parameters, 3):
        inertia, xi, pull, _ = _body(s)
        exact = (inertia @ [f.xi1, f.xi2, 0.0] - np.cross(inertia @ xi, xi) - pull)[2]
        names = [f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
        state = {**{n: getattr(s, n) for n in names}, "xi1": s.xi1, "xi2": s.xi2}
        at = found.at(state, exhibit.parameters)
        gaps += [at["lambda1"] - exact, at["power"]]
    return bounded("λ by hand, and no work", largest(gaps), 1e-9)


def _principal(**changed: float) -> dict[str, float]:
    """Values with e₃ a principal axis and the changes."""
    return {**VALUES, "I12": 0.0, "I13": 0.0, "I23": 0.0, **changed}


def kharlamova(exhibit: Exhibit) -> Finding:
    """e₃ principal and c₃ = 0: ``I₁ξ̇₁ = −m g c₂γ₃``, ``I₂ξ̇₂ = m g c₁γ₃``."""
    moving = flows(exhibit.system, _principal(c3=0.0))
    worst = largest_rate(moving, lambda s: s.I1 * s.c1 * s.xi1 + s.I2 * s.c2 * s.xi2)
    hand = largest(
        (s.I1 * f.xi1 + s.m * s.g * s.c2 * s.R33, s.I2 * f.xi2 - s.m * s.g * s.c1 * s.R33) for s, f in moving
    )
    return bounded("Kharlamova's integral", max(worst, hand), 1e-11)


def lagrange_case(exhibit: Exhibit) -> Finding:
    """``I ξ̇ = m g c₃ (γ₂, −γ₁)``, and ``⟨ξ, γ⟩`` is constant; with I₁ ≠ I₂ it is not."""
    even = flows(exhibit.system, _principal(I1=0.27, I2=0.27, c1=0.0, c2=0.0))
    worst = largest(
        (s.I1 * f.xi1 - s.m * s.g * s.c3 * s.R32, s.I1 * f.xi2 + s.m * s.g * s.c3 * s.R31) for s, f in even
    )

    def momentum(s: Any) -> Any:
        return s.I1 * s.xi1 * s.R31 + s.I2 * s.xi2 * s.R32

    kept = largest_rate(even, momentum)
    uneven = largest_rate(flows(exhibit.system, _principal(c1=0.0, c2=0.0)), momentum)
    if uneven < 1e-3:
        return Finding("⟨ℐξ, γ⟩ needs I₁ = I₂", "fails", uneven, "it is kept without")
    return bounded("the pendulum's equations and its momentum", max(worst, kept), 1e-11)


def swings(exhibit: Exhibit) -> Finding:
    """About γ = −e₃ (centre of mass below, c = c₃e₃): ``γ̈₁ = −(m g c₃/I₂) γ₁`` and ``γ̈₂ = −(m g c₃/I₁) γ₂``."""
    from nonholo.derive.hamel import hamel

    values = _principal(c1=0.0, c2=0.0)
    equations = hamel(exhibit.variants["the vertical alone (γ)"])
    step = 1e-5
    gaps = []
    for moved, speed, inertia in (("gamma1", "xi2", "I2"), ("gamma2", "xi1", "I1")):
        base = {"gamma1": 0.0, "gamma2": 0.0, "gamma3": -sqrt(1 - step**2), "xi1": 0.0, "xi2": 0.0, moved: step}
        stiff = equations.rates(base, values)[speed] / step
        still = {**base, "gamma3": -1.0, moved: 0.0, speed: step}
        lever = equations.rates(still, values)[moved] / step
        gaps.append(-stiff * lever - values["m"] * values["g"] * values["c3"] / values[inertia])
    return bounded("squares of the frequencies", largest(gaps) / values["g"], 1e-9)
