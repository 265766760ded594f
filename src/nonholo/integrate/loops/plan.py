"""What is to be integrated, and how long that makes everything: what the declarations of `layout` are filled from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import StateError
from nonholo.program.machine_code import NOTHING, MachineCode, Ready

if TYPE_CHECKING:
    from nonholo.compile.kernel import Kernel
    from nonholo.integrate.methods.base import Method

Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
NO_SLOPES = Ready(NOTHING, NOTHING, 0)


@dataclass(frozen=True, eq=False)
class Watched:
    """Compiled events: machine code, wanted direction (-1, 0, 1) and terminal count (0: never) of each."""

    code: MachineCode = NOTHING
    direction: tuple[int, ...] = ()
    terminal: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Plan:
    """Motions of one kernel by one method from t0 to t1."""

    kernel: Kernel
    method: Method
    t0: float
    t1: float
    watched: Watched
    recording: bool

    def __post_init__(self) -> None:
        given, method = self.kernel.equations.covectors, self.method
        if method.principle and (given is None or given.principle != method.principle):
            raise StateError(
                f"{self.kernel.equations.name}: method {method.name} needs the system itself, not equations derived before; "
                "give it a System."
            )

    @property
    def coordinates(self) -> int:
        """How many coordinates."""
        return len(self.kernel.equations.coordinates)

    @property
    def speeds(self) -> int:
        """How many speeds."""
        return len(self.kernel.equations.speeds)

    @property
    def state(self) -> int:
        """How many variables of state."""
        return self.coordinates + self.speeds

    @property
    def system(self) -> int:
        """Speeds and unknowns: the size of the mass matrix."""
        return len(self.kernel.equations.mass)

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

    @property
    def hits(self) -> int:
        """Room that the events of one part of a step may need."""
        return self.events * (3 * self.method.samples + 1)

    @property
    def rank(self) -> int:
        """How many components the covectors have that the method's discrete principle needs; 0 without one."""
        given = self.kernel.equations.covectors
        return len(given.momenta) if self.method.principle and given is not None else 0

    @property
    def paired(self) -> bool:
        """Whether a basis goes with those covectors."""
        given = self.kernel.equations.covectors
        return bool(self.method.principle and given is not None and given.basis)

    @property
    def implicit(self) -> int:
        """Room for one evaluation, a mass with a right-hand side, the start's momenta and basis, covectors of both ends."""
        rank, speeds, size = self.rank, self.speeds, self.system
        return self.kernel.discrete.outputs + size * (size + 1) + 3 * speeds + rank * speeds + 4 * rank if rank else 0

    @property
    def slopes(self) -> Ready:
        """Machine code of the Jacobian of the rates, for methods that need it."""
        from nonholo.compile.rates_jacobian import flow_jacobian

        return flow_jacobian(self.kernel).code if self.method.slopes else NO_SLOPES

    @property
    def pencil(self) -> int:
        """Room for a matrix in factors (the mass matrix stands there first), its row exchanges and one vector."""
        most = max(self.state, self.system)
        return most * (most + 2) if self.method.slopes else 0

    def option(self, name: str, default: float) -> float:
        """An option of the method, where it has one."""
        found = getattr(self.method, name, default)
        return default if found is None else found


Number = Callable[[Plan], float]
Count = Callable[[Plan], int]
Code = Callable[[Plan], MachineCode]


@dataclass(frozen=True, eq=False)
class Declared:
    """One of the flat arrays, as its declarations make it: single entries first, then rooms of several.

    A declaration gives the place of its entry, a constant of the compiled loops, and keeps how the entry is filled.
    """

    entries: list[Number | None] = field(default_factory=list)
    codes: list[tuple[int, Code, bool]] = field(default_factory=list)
    rooms: list[tuple[int, Count]] = field(default_factory=list)

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
        """The place of the number that says where in another array a room of this size begins; rooms follow each other."""
        place = self.entry()
        array.rooms.append((place, size))
        return place


def filled(plan: Plan, spec: Declared, real: Declared, whole: Declared) -> tuple[list[int], Floats, Whole]:
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
    return numbers, reals, np.zeros(lengths[1], dtype=np.int64)
