"""A car with n trailers, each hitched to the axle before it, coasting under its own inertia."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.errors import ModelError
from nonholo.finding import Finding, bounded
from nonholo.gallery._along import flows, largest, largest_gap
from nonholo.gallery._links import Link, blades, kinetic_energy, place
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Trace, heading, rolling
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System

TITLE = "Car with n trailers"
GROUP = "Classics"
PAPERS = "Laumond 1991; Sørdalen 1993; Bravo-Doddoli and García-Naranjo 2015"

SOURCE = "Bravo-Doddoli and García-Naranjo 2015"


def exhibit(n: int = 2) -> Exhibit:
    """``n`` trailers behind a car whose centre of mass is ahead of its axle by a (a Chaplygin sleigh)."""
    if not isinstance(n, int) or n < 1:
        raise ModelError(f"n-trailer: n = {n!r}; give a whole number of trailers, at least 1.")
    links = train(n)
    bend = {link.angle: round(-0.7 * (i - 0.3) * (-0.8) ** i, 6) for i, link in enumerate(links)}
    wheel = {"radius": "l/6", "width": "l/20"}
    body = {"x": "1.2*l", "y": "l/2", "z": "l/5"}
    return Exhibit(
        name="n-trailer",
        title=TITLE,
        group=GROUP,
        system=trailers(n),
        parameters={"M": 2.0, "J": 0.6, "a": 0.35, "m": 0.7, "K": 0.2, "l": 1.1},
        start={**bend, "v": -1.0, "omega": 1.6},
        until=15.0,
        references=(
            "Laumond 1991, Nonholonomic motion planning versus controllability via the multibody car system example",
            "Sørdalen 1993, Conversion of the kinematics of a car with n trailers into a chained form",
            "Jean 1996, The car with n trailers: characterisation of the singular configurations",
            f"{SOURCE}, The dynamics of an articulated n-trailer vehicle",
        ),
        units={
            "M": "kg", "J": "kg m²", "a": "m", "m": "kg", "K": "kg m²", "l": "m", "x": "m", "y": "m", "v": "m/s",
            "omega": "rad/s", **{link.angle: "rad" for link in links},
        },
        starts={"straight ahead": {"v": 1.0}, "backing up, a little bent": {"theta1": 0.02, "v": -1.0}},
        facts=(
            Fact("v_i = v_{i−1} cos φ_i and θ̇_i = v_{i−1} sin φ_i/l", "Laumond 1991; Sørdalen 1993", kinematics),
            Fact("(J + M a²) ω̇ = −M a ω v: the trailers do not turn the car", "by hand", turning),
            Fact("μ v̇ + μ̇ v/2 = M a ω² with μ(φ) the mass the car feels", "by hand", pulling),
            Fact("two speeds reach everything: growth (2, 3, …, n + 3), slower when folded", "Laumond 1991; Jean 1996", growth),
            Fact("going straight decays as −v/l (n times) and −M a v/(J + M a²)", f"cf. {SOURCE}", straight),
        ),
        drawing=Drawing(
            bodies=tuple(
                part
                for i, link in enumerate(links)
                for part in (
                    Body(
                        "box",
                        _box(links, i),
                        heading(link.angle),
                        body,
                        colour="steelblue" if i else "firebrick",
                        label=f"trailer {i}" if i else "car",
                    ),
                    Body("wheel", _side(links, i, "l/3"), rolling(link.angle), wheel, colour="black"),
                    Body("wheel", _side(links, i, "-l/3"), rolling(link.angle), wheel, colour="black"),
                )
            ),
            traces=(Trace(("x", "y", "0"), "car"), Trace(place(links, links[-1].blade), "last axle", "grey")),
            plots=(("x", "y"), ("t", "v"), ("t", "omega"), ("t", links[-1].angle)),
        ),
        story=(
            "Parking with trailers is the classic riddle of motion planning: n + 3 coordinates, two speeds. Here nobody "
            "steers and nobody brakes. Going forward everything falls in line; backing up, the least bend grows until "
            "the train has folded itself around."
        ),
    )


def trailers(n: int) -> System:
    """The car and ``n`` trailers."""
    links = train(n)
    turn = {"x": "-y", "y": "x", **{link.angle: "1" for link in links}}
    return System(
        name=f"car with {n} trailer{'s' if n > 1 else ''}",
        coordinates=["x", "y", *(link.angle for link in links)],
        parameters="M J a m K l",
        lagrangian=kinetic_energy(links),
        constraints=blades(links),
        quasivelocities={"v": "xdot*cos(theta0) + ydot*sin(theta0)", "omega": "theta0dot"},
        symmetry=Symmetry({"shift_x": {"x": "1"}, "shift_y": {"y": "1"}, "turn": turn}, "SE(2)"),
    )


def train(n: int) -> tuple[Link, ...]:
    """The car (axle at its hinge, centre of mass a ahead) and the trailers (axle l behind the axle before it)."""
    car = Link("theta0", "0", "-a", "0", "M", "J")
    return (car, *(Link(f"theta{i + 1}", "l", "l", "l", "m", "K") for i in range(n)))


def _box(links: tuple[Link, ...], i: int) -> tuple[str, str, str]:
    return place(links[: i + 1], "-l/2" if i == 0 else "4*l/5", z="l/4")


def _side(links: tuple[Link, ...], i: int, out: str) -> tuple[str, str, str]:
    x, y, _ = place(links[: i + 1], links[i].blade)
    return f"{x} - ({out})*sin({links[i].angle})", f"{y} + ({out})*cos({links[i].angle})", "l/6"


def _count(exhibit: Exhibit) -> int:
    return len(exhibit.system.coordinates) - 3


def kinematics(exhibit: Exhibit) -> Finding:
    """With ``φ_i = θ_{i−1} − θ_i``."""
    gaps = []
    for s, r in flows(exhibit.system, exhibit.parameters):
        speed = s.v
        for i in range(1, _count(exhibit) + 1):
            bend = getattr(s, f"theta{i - 1}") - getattr(s, f"theta{i}")
            gaps.append(getattr(r, f"theta{i}") - speed * np.sin(bend) / s.l)
            speed *= np.cos(bend)
    return bounded("the kinematics of every trailer", largest(gaps), 1e-11)


def turning(exhibit: Exhibit) -> Finding:
    """Turning the car alone moves no trailer (each is hitched at an axle), so only the car's inertia enters."""
    moving = flows(exhibit.system, exhibit.parameters)
    worst = largest((s.J + s.M * s.a**2) * r.omega + s.M * s.a * s.omega * s.v for s, r in moving)
    return bounded("(J + M a²) ω' = −M a ω v", worst, 1e-11)


def pulling(exhibit: Exhibit) -> Finding:
    """``μ = M + Σ (m Π_{j≤i} cos²φ_j + (K/l²) sin²φ_i Π_{j<i} cos²φ_j)``: twice the energy at ω = 0, v = 1."""
    n = _count(exhibit)

    def felt(s: Any) -> Any:
        total, carried = s.M, 1.0
        for i in range(1, n + 1):
            bend = getattr(s, f"theta{i - 1}") - getattr(s, f"theta{i}")
            total = total + s.K / s.l**2 * np.sin(bend) ** 2 * carried
            carried = carried * np.cos(bend) ** 2
            total = total + s.m * carried
        return total

    moving = flows(exhibit.system, exhibit.parameters)
    # d/dt (√μ v) = (μ v̇ + μ̇ v/2)/√μ
    gap = largest_gap(
        moving, lambda s: np.sqrt(felt(s)) * s.v, lambda s, r: s.M * s.a * s.omega**2 / np.sqrt(felt(s))
    )
    return bounded("d(√μ v)/dt = M a ω²/√μ", gap, 1e-11)


def straight(exhibit: Exhibit) -> Finding:
    """The linearised bends and turning, by central differences of the rates, against the closed eigenvalues."""
    from nonholo.derive.hamel import hamel

    n, p, v, step = _count(exhibit), exhibit.parameters, 1.3, 1e-5
    equations = hamel(exhibit.system)
    names = [f"theta{i}" for i in range(n + 1)]

    def flow(bends: np.ndarray, omega: float) -> np.ndarray:
        angles = dict(zip(names, (-np.concatenate([[0.0], np.cumsum(bends)])).tolist()))
        r = equations.rates({**angles, "x": 0.0, "y": 0.0, "v": v, "omega": omega}, p)
        return np.array([*(r[names[i]] - r[names[i + 1]] for i in range(n)), r["omega"]])

    columns = []
    for k in range(n + 1):
        moved = np.eye(n + 1)[k] * step
        columns.append((flow(moved[:n], moved[n]) - flow(-moved[:n], -moved[n])) / (2 * step))
    found = np.sort(np.linalg.eigvals(np.array(columns).T).real)
    exact = np.sort([-p["M"] * p["a"] * v / (p["J"] + p["M"] * p["a"] ** 2), *[-v / p["l"]] * n])
    steady = largest([flow(np.zeros(n), 0.0)])
    # n equal eigenvalues in one block: a change δ of the matrix moves them by about δ^(1/n)
    characteristic = largest([np.poly(found) - np.poly(exact)])
    return bounded("characteristic polynomial", max(characteristic, steady), 1e-6)


def growth(exhibit: Exhibit) -> Finding:
    """One dimension for each bracket; two trailers with the first across the car need five steps (Fibonacci's F₅)."""
    from nonholo.geometry.distributions.distribution import Distribution, growth_vector
    from nonholo.model.velocities.admissible import constraint_rows

    def allowed(n: int) -> Distribution:
        system = trailers(n)
        return Distribution(system.frame, rows=constraint_rows(system).slopes, parameters=system.parameters)

    n = _count(exhibit)
    found = growth_vector(allowed(n))
    folded = {"theta0": 0.3 + np.pi / 2, "theta1": 0.3, "theta2": -0.2, "x": 0.1, "y": 0.4}
    slow = growth_vector(allowed(2), {**folded, **exhibit.parameters})
    good = found == tuple(range(2, n + 4)) and slow == (2, 3, 4, 4, 5)
    return Finding("growth vectors", "holds" if good else "fails", found, f"two trailers, the first across the car: {slow}")
