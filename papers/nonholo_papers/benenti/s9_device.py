"""Benenti 2008, §9: a tentative project of a device."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.benenti._parallel import pulled
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, holds, identity, moving_system
from nonholo_papers.section import Section
from nonholo_papers.spectral import unit_circle

Vector = Any
section = Section("benenti", "9 A tentative project of a device")
section.uncheckable("Figure 35", ("Figure 35", "Figure 36"), "drawings without numbers", "Device A, in section and from above.")
section.uncheckable("Figure 37", "Figure 37", "a drawing without numbers", "Device B.")


def _thread(rods: float, radius: float, opening: float, skew: float = 1.0) -> float:
    """The length of the thread around four equal discs at the corners of a rhombus (``skew``: of a kite), as a convex hull."""
    corners = rods * np.array([0, 1, 1 + np.exp(1j * opening), skew * np.exp(1j * opening)])
    around = np.add.outer(corners, radius * unit_circle(4000)).ravel()
    from scipy.spatial import ConvexHull

    hull = ConvexHull(np.stack([around.real, around.imag], axis=1))
    return float(hull.area)  # in the plane the perimeter


@section.confirmed(
    "§9, the thread", printed="whatever configuration assumes the rhombus, the length of the thread does not change"
)
def thread_length() -> Evidence:
    """Four straight pieces as long as the rods and one whole turn of a disc: 4 rods + 2πr for every opening of the rhombus."""
    rods, radius = 1.7, 0.3
    exact = 4 * rods + 2 * np.pi * radius
    worst = max(gap(_thread(rods, radius, a), exact) for a in (0.5, 1.2, 2.3))
    kite = [_thread(rods, radius, a, 0.5) for a in (0.5, 2.3)]
    rounded = worst < 1e-5  # the discs are polygons with 4000 corners
    return holds(
        ("the perimeter of the hull of four discs is 4 rods + 2πr to 1e-5", rounded),
        against=[("also where one rod is shorter and its ends are not hinged", abs(kite[0] - kite[1]) < 1e-3)],
    )


@section.confirmed("§9, the ticks stay parallel", printed="the four discs rotate of a same angle")
def parallel_discs() -> Evidence:
    """The thread runs along each rod with the speed r(θ̇ − φ̇) of both discs at its ends, φ̇ the rod's turning: all θ̇ are equal."""
    random = np.random.default_rng(4)
    first, turns = 0.8, random.normal(size=2)
    rods = np.array([turns[0], turns[1], turns[0], turns[1]])  # opposite rods of a rhombus turn alike

    def spread(radii: Vector) -> float:
        """Rates of the discs from no slip along the first three rods; how far they, and the fourth rod, are from equal rates."""
        rates = [first]
        for k in range(3):
            rates.append(rods[k] + radii[k] * (rates[k] - rods[k]) / radii[k + 1])
        last = radii[3] * (rates[3] - rods[3]) - radii[0] * (rates[0] - rods[3])
        return float(max(np.ptp(rates), abs(last)))

    equal, other = spread(np.full(4, 0.3)), spread(np.array([0.3, 0.35, 0.3, 0.3]))
    return Evidence(equal, None, other, "no slip along four rods that turn anyhow; the mutant has one larger disc")


@section.confirmed(
    "§9, the limits",
    printed="not the same location, and not a distance greater than the double of the length of the rods",
)
def limits() -> Evidence:
    """Opposite corners of the rhombus are 2ℓ cos(β/2) apart, between 0 and 2ℓ."""
    openings = np.linspace(0.001, 3.1406, 50)
    apart = np.abs(1 + np.exp(1j * openings)) * 1.7
    return holds(
        ("2ℓ cos(β/2)", gap(apart, 3.4 * np.cos(openings / 2)) < 1e-12),
        ("between 0 and 2ℓ", bool(np.all((apart > 0) & (apart < 3.4)))),
        ("as near to both as one likes", bool(apart.min() < 0.01 and apart.max() > 3.39)),
        against=[("also below ℓ√2 only", bool(np.all(apart < 1.7 * np.sqrt(2))))],
    )


def _device(inertia: float) -> Any:
    """Two skates whose headings are kept parallel: the heading is a coordinate, the wheels are linear constraints."""
    from nonholo.model.system import System

    return System(
        name="two skates kept parallel",
        coordinates="x1 y1 x2 y2 th",
        parameters="m1 m2 g I",
        lagrangian="m1/2*(x1dot**2 + y1dot**2) + m2/2*(x2dot**2 + y2dot**2) + I/2*thdot**2 + g*(m1*x1 + m2*x2)",
        constraints=["y1dot*cos(th) - x1dot*sin(th)", "y2dot*cos(th) - x2dot*sin(th)"],
        quasivelocities={"v1": "x1dot*cos(th) + y1dot*sin(th)", "v2": "x2dot*cos(th) + y2dot*sin(th)", "w": "thdot"},
    )


def _heading_rate(p: Any) -> Any:
    """θ̇ by (53)."""
    return -p.g * np.sin(p.th) * (p.m1 * p.v1 + p.m2 * p.v2) / (p.m1 * p.v1**2 + p.m2 * p.v2**2)


@section.refuted(
    "§9, the device realises the system of 8.3",
    printed="a possible concrete realization of two mass-points moving on the plane with parallel velocities",
    right="the constraint alone is meant, that the velocities are parallel, and not the ideal reactions of §4",
    reason="The wheels keep the velocities parallel, but push each point across its own velocity and do not turn the heading: "
    "with any moment of inertia of discs and wheels, however small, θ̈ = 0. The ideal reaction of (50) obeys v₁R₁ + v₂R₂ = 0 "
    "and sets θ̇ by (52).",
    harm=4,
    breaks="built and put on an inclined plane, the device turns uniformly, whatever (53) says",
    exhibits=("parallel-points",),
    kind="condition",
)
def realisation() -> Evidence:
    """The combined devices move as the two points with parallel velocities and ideal constraints."""
    wrong, right = [], []
    for s in pulled("incline", {"m1": 1.3, "m2": 0.45, "g": 2.7}):  # the ideal system has the heading rate of (53)
        s.th = s.theta
        right.append(abs(float(s.rate("theta") - _heading_rate(s))))
    for inertia in (0.2, 1e-4):
        for p in moving_system(_device(inertia), {"m1": 1.3, "m2": 0.45, "g": 2.7, "I": inertia}):
            # started with the heading rate of (53), the device must keep it as (53) asks
            asked = p.dot(_heading_rate)
            wrong.append(abs(p.rate("w") - asked) / abs(asked))
            right.append(abs(p.rate("w")))
            pull = [p.g * np.cos(p.th)] * 2
            right.append(float(np.max(np.abs(np.array([p.rate("v1"), p.rate("v2")]) - pull))))
    return Evidence(
        min(wrong),
        max(right),
        None,
        "two skates with one heading on an incline, by the multiplier form: θ̈ = 0, v̇ = g cos θ",
    )


def _steered(speed: float) -> Any:
    """A point whose direction is β = speed z² + σy, on a spring, by its signed speed z."""
    from nonholo.gallery.steered_point import VALUES, by_speed

    return moving_system(by_speed(), {**VALUES, "kappa": speed})


@section.conditional(
    "§9, note (2)",
    139,
    right="the direction of the velocity does not depend on the speed",
    reason="A wheel pushes across the velocity, the ideal reaction across ∂ψ/∂z; these differ where the direction "
    "depends on the speed, and the motor of the ideal system does work.",
    harm=4,
    breaks="a law that looks at the speed: the wheel gives ż = A·e/m, the ideal constraint something else",
    exhibits=("steered-point",),
)
def steering() -> Evidence:
    """A steered wheel realises f(x, ẋ)ẋ = g(x, ẋ)ẏ as an ideal constraint, for almost arbitrary f and g,
    without spending energy.
    """

    def gap(speed: float) -> float:
        worst = 0.0
        for p in _steered(speed):
            beta = p.kappa * p.z**2 + p.sigma * p.y
            wheel = -p.k * (p.x * np.cos(beta) + p.y * np.sin(beta)) / p.m
            worst = max(worst, abs(p.rate("z") - wheel) / abs(wheel))
        return worst

    return Evidence(
        gap(0.35),
        gap(0.0),
        None,
        "ż of the multiplier form against that of a wheel that does no work, κ = 0.35 and κ = 0",
    )


@section.confirmed("§9, note (2), the law", printed=r"f\,\dot x = g\,\dot y \text{ says the direction of the velocity}")
def direction() -> Evidence:
    """A point with the constraint f ẋ = g ẏ moves along (g, f), whatever f and g depend on: velocities completed by nonholo."""
    from nonholo import complete_state
    from nonholo.gallery.steered_point import VALUES, steered

    laws: tuple[tuple[str, str, Callable[[Any], tuple[float, float]]], ...] = (
        ("1 + y**2", "2 - x", lambda s: (1 + s.y**2, 2 - s.x)),
        ("sin(xdot + y)", "cos(xdot + y)", lambda s: (np.sin(s.xdot + s.y), np.cos(s.xdot + s.y))),
        ("x*xdot + 1", "y + 2", lambda s: (s.x * s.xdot + 1, s.y + 2)),
    )

    def terms(law: Any, swapped: bool = False) -> list[float]:
        first, second, values = law
        state = SimpleNamespace(**complete_state(steered(first, second), {"x": 0.7, "y": 0.4, "xdot": 0.6}, VALUES))
        f, g = values(state)[::-1] if swapped else values(state)
        return [f * state.xdot, -g * state.ydot]

    return identity(laws, terms, mutants=[lambda law: terms(law, True)], words="three laws, of the place and of the velocity")


section.uncheckable(
    "§9, note (1)",
    (),
    "a statement about hardware; the singular state of the constraint, which it mentions, is tested in §8.3",
    "The device does not work very well when both velocities are zero, in agreement with the singular state of the constraint.",
)
section.uncheckable(
    "§9, mercury",
    (),
    "properties of materials; a word is missing in ‘the pivoting is without, thanks to the ball bearings’ (friction)",
    "A cylinder filled with mercury is a mass point without rotational effects.",
)
