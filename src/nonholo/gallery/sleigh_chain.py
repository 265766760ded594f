"""A chain of sleighs: N links hinged end to end on a plane, each with one blade; two degrees of freedom for any N."""

from __future__ import annotations

from nonholo.errors import ModelError
from nonholo.gallery._links import Link, blades, hinge_place, kinetic_energy
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, heading
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System

TITLE = "Chain of N sleighs, one blade each"
GROUP = "Blades"
PAPERS = "Chaplygin 1911; Borisov, Kilin, Mamaev 2015"


def exhibit(n: int = 4) -> Exhibit:
    """``n`` equal links behind each other; the first alone (n = 1) is the Chaplygin sleigh."""
    if not isinstance(n, int) or n < 1:
        raise ModelError(f"sleigh-chain: n = {n!r}; give a whole number of links, at least 1.")
    links = chain(n)
    first = links[0].angle
    bend = {link.angle: round(0.9 * (-0.6) ** i, 6) for i, link in enumerate(links)}
    plank = {"x": "l", "y": "l/6", "z": "l/16"}
    return Exhibit(
        name="sleigh-chain",
        title=TITLE,
        group=GROUP,
        system=chain_system(n),
        parameters={"m": 1.2, "J": 0.11, "l": 1.0, "b": 0.63, "c": 0.42},
        start={**bend, "omega": 1.9, "v": 0.8},
        until=15.0,
        references=(
            "Chaplygin 1911 (one link)",
            "Borisov, Kilin, Mamaev 2015, On the Hadamard–Hamel problem and the dynamics of wheeled vehicles",
        ),
        units={
            "m": "kg", "J": "kg m²", "l": "m", "b": "m", "c": "m", "x": "m", "y": "m", "v": "m/s", "omega": "rad/s",
            **{link.angle: "rad" for link in links},
        },
        drawing=Drawing(
            bodies=tuple(
                body
                for i, link in enumerate(links)
                for body in (
                    Body(
                        "box", hinge_place(links[: i + 1], "l/2", z="l/7"), heading(link.angle), plank, label=f"link {i + 1}"
                    ),
                    Body("sphere", hinge_place(links[: i + 1], "0", z="l/7"), size={"radius": "l/14"}, colour="grey"),
                    Body("blade", hinge_place(links[: i + 1], "b"), heading(link.angle), {"length": "l/2"}, colour="black"),
                )
            ),
            traces=(Trace(("x", "y", "0"), "head"), Trace(hinge_place(links, "l"), "tail", "grey")),
            plots=(("x", "y"), ("t", "v"), ("t", "omega"), ("t", first)),
        ),
        story=(
            "Sleighs hinged nose to tail. However many there are, the blades leave only two speeds free, the head's pace "
            "and its turning; the rest of the snake follows. Moving ahead with the masses before the blades it calms "
            "down and stretches out, without any friction."
        ),
    )


def chain(n: int) -> tuple[Link, ...]:
    """The links, with common sizes."""
    return tuple(Link(f"theta{i + 1}", "b", "c", "l", "m", "J") for i in range(n))


def chain_system(n: int) -> System:
    """``n`` links as a System; its text grows like n², its equations have two speeds."""
    links = chain(n)
    turn = {"x": "-y", "y": "x", **{link.angle: "1" for link in links}}
    return System(
        name=f"chain of {n} sleighs",
        coordinates=["x", "y", *(link.angle for link in links)],
        parameters="m J l b c",
        lagrangian=kinetic_energy(links),
        constraints=blades(links),
        quasivelocities={"v": "xdot*cos(theta1) + ydot*sin(theta1)", "omega": "theta1dot"},
        symmetry=Symmetry({"shift_x": {"x": "1"}, "shift_y": {"y": "1"}, "turn": turn}, "SE(2)"),
    )
