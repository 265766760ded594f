"""A car with n trailers, each hitched to the axle before it, coasting under its own inertia."""

from __future__ import annotations

from nonholo.errors import ModelError
from nonholo.gallery._links import Link, blades, hinge_place, kinetic_energy
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, heading, rolling
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System

TITLE = "Car with n trailers"
GROUP = "Robots and vehicles"
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
            traces=(Trace(("x", "y", "0"), "car"), Trace(hinge_place(links, links[-1].blade), "last axle", "grey")),
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
    return hinge_place(links[: i + 1], "-l/2" if i == 0 else "4*l/5", z="l/4")


def _side(links: tuple[Link, ...], i: int, out: str) -> tuple[str, str, str]:
    x, y, _ = hinge_place(links[: i + 1], links[i].blade)
    return f"{x} - ({out})*sin({links[i].angle})", f"{y} + ({out})*cos({links[i].angle})", "l/6"
