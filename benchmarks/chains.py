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


def hitched_train(n: int) -> System:
    """The same train with a place and an angle for every link and hinges as holonomic constraints: text linear in ``n``."""
    links = range(n + 1)
    places = [name for i in links for name in (f"x{i}", f"y{i}", f"theta{i}")]
    energy = ["M/2*((x0dot - a*sin(theta0)*theta0dot)**2 + (y0dot + a*cos(theta0)*theta0dot)**2) + J/2*theta0dot**2"]
    energy += [f"m/2*(x{i}dot**2 + y{i}dot**2) + K/2*theta{i}dot**2" for i in links[1:]]
    hinges = [(f"x{i - 1} - l*cos(theta{i}) - x{i}", f"y{i - 1} - l*sin(theta{i}) - y{i}") for i in links[1:]]
    return System(
        name=f"car with {n} hitched trailers",
        coordinates=places,
        parameters={"M": 2.0, "J": 0.6, "a": 0.35, "m": 0.7, "K": 0.2, "l": 1.1},
        lagrangian=" + ".join(energy),
        holonomic=[text for pair in hinges for text in pair],
        constraints=[f"y{i}dot*cos(theta{i}) - x{i}dot*sin(theta{i})" for i in links],
        quasivelocities={"v": "x0dot*cos(theta0) + y0dot*sin(theta0)", "omega": "theta0dot"},
        forces={"v": "F", "omega": "T"},
        inputs={"F": "3*sin(t)", "T": "cos(2*t)/2"},
        start={f"x{i}": -1.1 * i for i in links} | {"v": 1.0},
    )
