"""Long subjects: chains of blades of any length, Suslov's problem on so(n)."""

from __future__ import annotations

from functools import reduce
from operator import add

from nonholo.gallery._links import blades, kinetic_energy
from nonholo.gallery.n_trailer import trailers
from nonholo.gallery.sleigh_chain import chain
from nonholo.model.system import System, varied
from nonholo.notation.read import expression


def long_chain(n: int) -> System:
    """The gallery's chain of ``n`` sleighs; its Lagrangian is read link by link, since its text would be too long."""
    links = chain(n)
    known = ["x", "y", *(link.angle for link in links), "m", "J", "l", "b", "c"]
    known += [f"{name}dot" for name in known[: n + 2]]
    text = kinetic_energy(links)
    parts = [part if part.startswith("m/2") else f"m/2{part}" for part in text.split(" + m/2")]
    return System(
        name=f"chain of {n} sleighs",
        coordinates=known[: n + 2],
        parameters="m J l b c",
        lagrangian=reduce(add, (expression(part, known, "link") for part in parts)),
        constraints=blades(links),
        quasivelocities={"v": "xdot*cos(theta1) + ydot*sin(theta1)", "omega": "theta1dot"},
    )


def driven_train(n: int) -> System:
    """The gallery's car with ``n`` trailers under a driving force and a steering torque that vary in time."""
    return varied(trailers(n), forces={"v": "F", "omega": "T"}, inputs={"F": "3*sin(t)", "T": "cos(2*t)/2"})
