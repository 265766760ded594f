"""Records of what a user wrote and of what was read, the names that expressions may use, and units."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Protocol, TypeAlias

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError, meant
from nonholo.geometry.frames.frame import Frame, rate
from nonholo.model.contacts import ContactLaw
from nonholo.model.drawing.shapes import Drawing
from nonholo.model.files.page_options import Page
from nonholo.model.symmetry_declaration import Symmetry

Formula: TypeAlias = str | float | Expr
"""An expression as a user gives it: text, a number, SymPy or SymEngine."""
Formulas: TypeAlias = Sequence[Formula] | str
Names: TypeAlias = str | Sequence[Any]
"""Names as a user gives them: words of a text, or a list of text or symbols."""
Parametric: TypeAlias = tuple[tuple[str, ...], FrozenMap[str, Expr]]
"""The parameters of the velocities, and each velocity in them."""
GivenInput: TypeAlias = object
"""An input as a user gives it: a number, a law, a table, an array, a function; `nonholo.integrate.inputs` looks which."""
Option: TypeAlias = object
"""An option of a method as a user gives it; the method itself looks at it."""
NOTHING: FrozenMap[Any, Any] = FrozenMap()


class Part(Protocol):
    """A part of a machine, as checkers see it: its name."""

    @property
    def name(self) -> str:
        """What the author called it."""
        ...


class Blueprint:
    """What a system was assembled from; `nonholo.machines.machine.Machine`, the one kind, has all of its words."""

    name: str
    world: str
    bodies: Sequence[Part]
    joints: Sequence[Part]
    loops: Sequence[Part]
    contacts: Sequence[Part]
    wheels: Sequence[Part]
    casters: Sequence[Part]
    sensors: Sequence[Part]
    notes: Sequence[str]


class Written(SimpleNamespace):
    """What the user wrote, as it was written, by the names of the fields of `Understood`: texts, numbers, SymPy, anything."""


@dataclass(frozen=True)
class Understood:
    """What was understood: the fields of a System."""

    name: str
    coordinates: tuple[str, ...]
    lagrangian: Expr
    parameters: FrozenMap[str, float | None]
    """The number of each; None where none is given."""
    constraints: tuple[Expr, ...]
    quasivelocities: FrozenMap[str, Expr]
    frame: Frame
    parametric: Parametric | None
    holonomic: tuple[Expr, ...]
    forces: FrozenMap[str, Expr]
    magnetic: FrozenMap[tuple[str, str], Expr]
    inputs: FrozenMap[str, Expr | float | None]
    """The law of each, a number or an expression; None where none is given."""
    symmetry: Symmetry | None
    start: FrozenMap[str, float]
    until: float | None
    """Default end of the motion."""
    units: FrozenMap[str, str]
    drawing: Drawing | None
    page: Page | None
    """Units and meanings on a living page."""
    machine: Blueprint | None
    """The record it was assembled from; None for a system in formulas."""
    contacts: tuple[ContactLaw, ...]
    """Contacts; the rows of all of them, closed and rolling, are among ``holonomic`` and ``constraints``."""


class Vocabulary(Protocol):
    """Whatever has names that an expression may use: a System, and one that is being read."""

    @property
    def name(self) -> str: ...
    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def frame(self) -> Frame: ...
    @property
    def quasivelocities(self) -> FrozenMap[str, Expr]: ...
    @property
    def parameters(self) -> Collection[str]: ...
    @property
    def inputs(self) -> Mapping[str, Any]: ...


def rate_table(system: Vocabulary) -> dict[Any, Expr]:
    """Rates of the coordinates in the frame's velocities, ``ẋ = ψ v``."""
    if system.frame.plain:
        return {}
    own = set(system.frame.velocities)
    return {symbol(rate(c)): e for c, e in zip(system.coordinates, system.frame.rates) if rate(c) not in own}


def known_names(system: Vocabulary) -> tuple[str, ...]:
    """Every name an expression of this system may use."""
    rates = tuple(rate(c) for c in system.coordinates)
    own = tuple(v for v in system.frame.velocities if v not in rates)
    return (*system.coordinates, *rates, *own, *system.quasivelocities, *system.parameters, *system.inputs, "t")


def acceleration_words(system: Understood) -> dict[str, str]:
    """The names of accelerations that a law may use, and the velocity that each is the rate of."""
    rates = {rate(c): f"{c}ddot" for c in system.coordinates}
    speeds = system.parametric[0] if system.parametric is not None else ()
    velocities = dict.fromkeys((*rates, *system.frame.velocities, *system.quasivelocities, *speeds))
    known = set(known_names(system))
    return {n: v for v in velocities if (n := rates.get(v, f"{v}dot")) not in known}


def multiplier_names(system: Understood, count: int) -> tuple[str, ...]:
    """``lambda1, lambda2, …``, with an underscore where the system uses such a name itself."""
    taken = {*system.parameters, *system.coordinates, *system.inputs, *system.quasivelocities}
    return tuple(f"lambda{i + 1}" if f"lambda{i + 1}" not in taken else f"lambda_{i + 1}_" for i in range(count))


def law_names(system: Understood) -> tuple[str, ...]:
    """Every name that the law of an input may use: time, state, parameters, accelerations and reactions."""
    known = tuple(n for n in known_names(system) if n not in system.inputs)
    if system.parametric is not None:
        reactions = tuple(f"reaction_{v}" for v in system.frame.velocities)
    else:
        reactions = multiplier_names(system, len(system.constraints) + len(system.holonomic))
    return (*known, *acceleration_words(system), *reactions)


RESERVED = {
    "energy": "the energy of a motion",
    "work": "the work done by forces and inputs",
    "member": "the number of a motion in an ensemble",
    "time": "the time of an event",
    "outcome": "how a motion ended",
    "advice": "what to do about a motion's end",
    "end_time": "when a motion ended",
    "occurrence": "the number of an event",
}
"""Names of what is computed with every motion; nothing else that moves may have them."""
PREFIXES = ("final_", "start_", "parameter_", "event_", "least_", "greatest_", "drift_", "path_", "constraint_", "lambda_")
"""Beginnings of names that ensembles, sweeps and reactions give to what they compute."""


def check_reserved(where: str, names: Sequence[str]) -> None:
    """Refuse names of what moves that results need for themselves; two arrays of one name would be mixed up.

    >>> check_reserved("sleigh", ["x", "energy"])
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: sleigh: the name 'energy' stands for the energy of a motion in every result; rename it.
    """
    for name in names:
        if name in RESERVED:
            raise ModelError(f"{where}: the name {name!r} stands for {RESERVED[name]} in every result; rename it.")
        for prefix in PREFIXES:
            if name.startswith(prefix) and name[len(prefix) :] in names:
                raise ModelError(
                    f"{where}: the name {name!r} is what an ensemble calls a value of {name[len(prefix) :]!r}; rename one."
                )


NEAR = 0.85
"""A name this like one of the system's own is taken for a slip."""


def read_units(given: Mapping[str, str], known: Iterable[str], where: str) -> FrozenMap[str, str]:
    """Units as text by name; a name that is nearly one of the system's own is refused, any other may be watched later.

    >>> read_units({"theta": "rad", "lift": "N"}, ["theta", "thetadot"], "kite")
    {'theta': 'rad', 'lift': 'N'}
    >>> read_units({"thetadt": "rad/s"}, ["theta", "thetadot"], "kite")
    Traceback (most recent call last):
    nonholo.errors.ModelError: kite: units: it has no name 'thetadt'; did you mean 'thetadot'? \
The unit of a quantity of your own is given where it is watched: simulate(…, watch=…, units=…).
    """
    names = [*map(str, known), "energy", "t"]
    for name in map(str, given):
        question = "" if name in names else meant(name, names, likeness=NEAR)
        if question:
            raise ModelError(
                f"{where}: units: it has no name {name!r}; {question} The unit of a quantity of your own is "
                "given where it is watched: simulate(…, watch=…, units=…)."
            )
    return FrozenMap({str(k): str(v) for k, v in given.items()})
