"""Sizes and options of one integration, from which the array layout is filled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.compile.implicit_step import NO_STEP, StepCode
from nonholo.errors import StateError
from nonholo.program.array_types import Array
from nonholo.program.machine_code import NOTHING, MachineCode, Ready

if TYPE_CHECKING:
    from nonholo.compile.kernel import Kernel
    from nonholo.integrate.methods.method_record import Method

Whole = np.ndarray[Any, np.dtype[np.int64]]
NO_SLOPES = Ready(NOTHING, NOTHING, 0)


@dataclass(frozen=True, eq=False)
class Watched:
    """Compiled events: machine code, wanted direction (-1, 0, 1) and terminal count (0: never) of each."""

    code: MachineCode = NOTHING
    direction: tuple[int, ...] = ()
    terminal: tuple[int, ...] = ()
    slow: bool = False
    """Whether they are forces and speeds of the motion itself, which change within a step no faster than the motion."""


@dataclass(frozen=True, eq=False)
class IntegrationPlan:
    """Motions of one kernel by one method from t0 to t1."""

    kernel: Kernel
    method: Method
    t0: float
    t1: float
    watched: Watched
    recording: bool
    hurried: bool = False
    """Whether code made in a hurry will do, to begin with."""

    def __post_init__(self) -> None:
        method = self.method
        if method.principle and self.kernel.step.scheme != method.principle:
            raise StateError(
                f"{self.kernel.equations.name}: method {method.name} needs the system itself, not equations derived before; "
                "give it a System."
            )

    @property
    def rates_code(self) -> MachineCode:
        """The machine code of the rates."""
        return self._made(self.kernel.rates_code)

    @property
    def conditions(self) -> MachineCode:
        """The machine code of the conditions."""
        return self._made(self.kernel.conditions)

    def _made(self, code: MachineCode) -> MachineCode:
        return code.after(0) if self.hurried else code.well

    @property
    def coordinates(self) -> int:
        """How many coordinates."""
        return len(self.kernel.equations.coordinates)

    @property
    def speeds(self) -> int:
        """How many speeds, and whatever else is no coordinate."""
        return self.state - self.coordinates

    @cached_property
    def state(self) -> int:
        """How many variables of state."""
        return self.kernel.dimension

    @cached_property
    def system(self) -> int:
        """Speeds and unknowns: the size of the mass matrix."""
        return self.kernel.solved

    @property
    def inputs(self) -> int:
        """How many inputs."""
        return len(self.kernel.equations.inputs)

    @property
    def parameters(self) -> int:
        """How many parameters."""
        return len(self.kernel.equations.parameters)

    @property
    def invariants(self) -> int:
        """How many invariants each step is projected onto."""
        return len(self.kernel.invariants)

    @property
    def events(self) -> int:
        """How many events are watched."""
        return len(self.watched.direction)

    @cached_property
    def hits(self) -> int:
        """Room that the events of one part of a step may need."""
        return self.events * (3 * self.method.samples + 1)

    @cached_property
    def step(self) -> StepCode:
        """The machine code of the method's implicit step, if it has one."""
        return self.kernel.step if self.method.principle else NO_STEP

    @property
    def substeps(self) -> tuple[tuple[float, float], ...]:
        """Of which parts an implicit step is made, and the place ``τ`` in each."""
        method = self.method
        return getattr(method, "composition", ((1.0, getattr(method, "tau", 0.5)),)) if method.principle else ()

    @cached_property
    def parts(self) -> list[float]:
        """The substeps, and the times within each at which inputs are evaluated; -1 for the substep's own."""
        times = [-1.0 if place == "tau" else float(place) for place in self.step.times]
        return [*(number for part in self.substeps for number in part), *times]

    @property
    def projecting(self) -> bool:
        """Whether steps are projected on the invariants: not where the scheme conserves quadratic ones by itself."""
        return not (self.step.kept or (self.step.quadratic and all(tau == 0.5 for _, tau in self.substeps)))

    @property
    def row(self) -> int:
        """Size of the input vector of an implicit step and of the constants from the parameters."""
        return self.step.width + self.step.constants.outputs + 1 if self.step.unknowns else 0

    @property
    def answer(self) -> int:
        """Room for what Newton's method is given, and its scratch."""
        unknowns = self.step.unknowns
        return unknowns * (unknowns + 4) + self.state + self.step.memory if unknowns else 0

    @cached_property
    def slopes(self) -> Ready:
        """Machine code of the Jacobian of the rates, for methods that need it."""
        if not self.method.slopes:
            return NO_SLOPES
        from nonholo.compile.rates_jacobian import flow_jacobian

        return flow_jacobian(self.kernel).code

    @property
    def pencil(self) -> int:
        """Size of a factored matrix (first the mass matrix), its row exchanges and one vector."""
        most = max(self.state, self.system)
        return most * (most + 2) if self.method.slopes else 0

    def option(self, name: str, default: float) -> float:
        """An option of the method, where it has one."""
        found = getattr(self.method, name, default)
        return default if found is None else found


Number = Callable[[IntegrationPlan], float]
Count = Callable[[IntegrationPlan], int]
Numbers = Callable[[IntegrationPlan], list[float]]
Code = Callable[[IntegrationPlan], MachineCode]


@dataclass(frozen=True, eq=False)
class Declared:
    """One of the flat arrays, as its declarations make it: single entries first, then rooms of several.

    A declaration gives the place of its entry, a constant of the compiled loops, and records how the entry is filled.
    """

    entries: list[Number | None] = field(default_factory=list)
    codes: list[tuple[int, Code, bool]] = field(default_factory=list)
    rooms: list[tuple[int, Count]] = field(default_factory=list)
    contents: list[tuple[int, Numbers]] = field(default_factory=list)

    def entry(self, value: Number | None = None) -> int:
        """The place of one number, which is 0 at first where no value is given."""
        self.entries.append(value)
        return len(self.entries) - 1

    def code(self, code: Code, inputs: bool = True) -> tuple[int, int]:
        """The places of machine code's address and data; ``inputs``: it reads the inputs."""
        address, data = self.entry(), self.entry()
        self.codes.append((address, code, inputs))
        return address, data

    def room(self, array: Declared, size: Count) -> int:
        """The index of the entry with the offset of a block of this size in another array; blocks are contiguous."""
        place = self.entry()
        array.rooms.append((place, size))
        return place

    def filled(self, array: Declared, content: Numbers) -> int:
        """As `room`, for numbers that are known in advance."""
        place = self.room(array, lambda plan: len(content(plan)))
        array.contents.append((place, content))
        return place


def filled(plan: IntegrationPlan, spec: Declared, real: Declared, whole: Declared) -> tuple[list[int], Array, Whole]:
    """The three arrays of a plan: constants of the loops, their state, their counters."""
    numbers = [0 if value is None else int(value(plan)) for value in spec.entries]
    for place, code, _ in spec.codes:
        found = code(plan)
        numbers[place], numbers[place + 1] = found.address, found.data
    lengths = []
    for array in (real, whole):
        length = len(array.entries)
        for place, size in array.rooms:
            numbers[place] = length
            length += size(plan)
        lengths.append(length)
    reals = np.zeros(lengths[0])
    for place, value in enumerate(real.entries):
        if value is not None:
            reals[place] = value(plan)
    for place, content in real.contents:
        known = content(plan)
        reals[numbers[place] : numbers[place] + len(known)] = known
    return numbers, reals, np.zeros(lengths[1], dtype=np.int64)
