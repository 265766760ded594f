"""A scheme: one step of a method as equations for unknowns, written as on paper and compiled with its exact Jacobian.

A scheme is a function of a `Writer` that gives a `Step`: the equations ``R(u) = 0`` of its unknowns ``u``, a first guess for
them, and the change of the state that they mean. The compiled loop solves the equations by Newton's method; it is the same
for all schemes (`nonholo.integrate.loops.implicit.newton_step`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Expr
from nonholo.derive.equations import Equations
from nonholo.derive.mass_and_force import covectors_of
from nonholo.program.program import Program
from nonholo.program.program_values import Value, Values, inlined, inputs, values
from nonholo.program.translate import translate

_KNOWN: dict[str, Scheme] = {}
NOTHING: Values = np.empty(0, dtype=object)


@dataclass(frozen=True)
class Step:
    """One step: ``residuals`` vanish at the right unknowns, ``guess`` is where to look first, ``change`` is ``y' − y``.

    A scheme of two steps has a memory: ``memory`` is what the next step shall remember, ``first`` what there is to remember at
    a start.
    """

    guess: Values
    residuals: Values
    change: Values
    memory: Values = field(default_factory=lambda: NOTHING)
    first: Values = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True)
class Scheme:
    """A scheme by name: how it is written, which covectors it needs, and the times within a step at which it evaluates inputs.

    ``times`` are parts of the step, or "tau" for the place the user chooses. ``quadratic`` says that with ``τ = 1/2`` it keeps
    whatever relation of the coordinates is quadratic, so that nothing needs to be projected; ``admissible`` that its
    velocities at
    the nodes obey the constraints where these are invariants; ``kept`` that relations of the frame are kept at every place.
    ``memory``
    tells how much a step remembers, ``stepwise`` that a step of another size cannot use it. ``bent`` is the scheme that
    takes its place where constraints are not linear in the velocities; without one they are refused.
    """

    name: str
    write: Callable[[Writer], Step]
    covectors: str = ""
    times: tuple[float | str, ...] = (0.0, "tau", 1.0)
    quadratic: bool = False
    admissible: bool = False
    kept: bool = False
    memory: Callable[[Equations], int] = lambda equations: 0
    stepwise: bool = False
    bent: str = ""


def scheme(name: str, **words: Any) -> Callable[[Callable[[Writer], Step]], Callable[[Writer], Step]]:
    """Make a scheme known by its name; ``words`` are the fields of its record."""

    def register(write: Callable[[Writer], Step]) -> Callable[[Writer], Step]:
        _KNOWN[name] = Scheme(name, write, **words)
        return write

    return register


def registered_schemes() -> dict[str, Scheme]:
    """Every scheme by name."""
    return dict(_KNOWN)


@dataclass
class Point:
    """A state at which the functions of the equations are evaluated, each written at first use."""

    writer: Writer
    arguments: list[Value]

    def of(self, name: str) -> Values:
        """The values of the expressions of a name, see `Writer.expressions`."""
        source, outputs = self.writer.written(name)
        return inlined(source, outputs, self.arguments) if outputs else values(self.writer.program, [])

    @cached_property
    def kinematics(self) -> Values:
        """ẋ."""
        return self.of("kinematics")

    @cached_property
    def momenta(self) -> Values:
        """p."""
        return self.of("momenta")

    @cached_property
    def forces(self) -> Values:
        """What drives the momenta."""
        return self.of("forces")

    @cached_property
    def residuals(self) -> Values:
        """The velocity constraints, for principles with reactions."""
        return self.of("residuals")

    @cached_property
    def basis(self) -> Values:
        """Virtual displacements, one in each column."""
        return self.of("basis").reshape(-1, len(self.writer.equations.speeds))

    @cached_property
    def mass(self) -> Values:
        """M."""
        size = len(self.writer.equations.mass)
        return self.of("mass").reshape(size, size)

    @cached_property
    def force(self) -> Values:
        """F."""
        return self.of("force")


@dataclass
class Writer:
    """What a scheme is written with: the step, the state where it begins and the functions of the equations.

    The input vector is ``[h, τ, t, y…, ẏ…, memory…, parameters…, inputs at the first time…, at the next…, unknowns…]``.
    """

    equations: Equations
    times: tuple[float | str, ...]
    remembered: int = 0
    more: dict[str, tuple[Expr, ...]] = field(default_factory=dict)
    """Expressions that only this scheme needs, by name."""
    _written: dict[str, tuple[Program, list[int]]] = field(default_factory=dict)
    unknowns: int = 0

    def __post_init__(self) -> None:
        n, size = len(self.equations.coordinates), self.size
        first = self.own
        self.program = Program(first, first + len(self.equations.parameters))
        self.h, self.tau, self.t = inputs(self.program, 0, 3)
        state, slope = inputs(self.program, 3, size), inputs(self.program, 3 + size, size)
        self.x, self.z, self.x_rate, self.z_rate = state[:n], state[n:], slope[:n], slope[n:]
        self.memory = inputs(self.program, 3 + 2 * size, self.remembered)
        self.parameters = inputs(self.program, first, len(self.equations.parameters))

    @property
    def size(self) -> int:
        """The number of state variables."""
        return len(self.equations.coordinates) + len(self.equations.speeds)

    @property
    def own(self) -> int:
        """Offset of the parameters in the input vector."""
        return 3 + 2 * self.size + self.remembered

    @property
    def width(self) -> int:
        """The length of the input vector before the unknowns."""
        return self.own + len(self.equations.parameters) + len(self.times) * len(self.equations.inputs)

    def unknown(self, count: int) -> Values:
        """So many new unknowns."""
        made = inputs(self.program, self.width + self.unknowns, count)
        self.unknowns += count
        return made

    def part(self, which: int) -> Value:
        """The time of a place, as a part of the step."""
        place = self.times[which]
        return self.tau if place == "tau" else Value(self.program, self.program.number(float(place)))

    def at(self, x: Values, z: Values, time: int) -> Point:
        """The functions of the equations at a state, at one of the scheme's times."""
        count = len(self.equations.inputs)
        first = self.own + len(self.equations.parameters) + time * count
        now = self.t + self.part(time) * self.h
        return Point(self, [now, *x, *z, *inputs(self.program, first, count), *self.parameters])

    def expressions(self, name: str) -> Sequence[Expr]:
        """The expressions of a name: functions of time, state, inputs and parameters."""
        own = self.equations
        if name in self.more:
            return self.more[name]
        if name in ("kinematics", "force"):
            return tuple(getattr(own, name))
        if name == "mass":
            return [e for row in own.mass for e in row]
        given = covectors_of(own)
        if name == "basis":
            return [e for row in given.basis for e in row]
        return tuple(getattr(given, name))

    def written(self, name: str) -> tuple[Program, list[int]]:
        """The expressions of a name as a program of ``[t, x…, z…, inputs…, parameters…]``."""
        if name not in self._written:
            own = self.equations
            symbols = (own.time, *own.coordinates, *own.speeds, *own.inputs, *own.parameters)
            program = Program(fixed=len(symbols))
            outputs = translate(program, {s: i for i, s in enumerate(symbols)}, self.expressions(name))
            self._written[name] = program, outputs
        return self._written[name]


def stacked(*parts: Values) -> Values:
    """Several rows of values as one."""
    return np.concatenate(parts)
