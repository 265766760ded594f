"""What every method declares, and the list of methods by name."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypedDict, TypeVar

import numpy as np

from nonholo.errors import StateError
from nonholo.integrate.loops.compilation.native import Entry, Routine

REGISTERED: dict[str, type[Method]] = {}
"""The methods of all modules that were imported, by name."""
Kind = TypeVar("Kind", bound="type[Method]")


class MethodOptions(TypedDict, total=False):
    """Options of the methods by name; the fields of a method's record are those that it takes."""

    first_step: float | None
    max_step: float
    max_steps: int
    step: float
    compensated: bool
    gamma: float
    tolerance: float | None
    precision: str
    tau: float
    kinematics: str
    constraint: str


class Loop(Protocol):
    """What is a method's own in the compiled loop: a `nonholo.integrate.loops.method_hooks.Parts`."""

    name: str
    end_row: int
    order: int
    adaptive: int
    samples: int
    weights: list[float]

    @property
    def addresses(self) -> tuple[int, int, int]: ...

    @property
    def entries(self) -> tuple[Entry, ...]: ...

MOST_EQUAL_STEPS = 100_000_000
"""Default of ``max_steps`` with equal steps: minutes of work."""


@dataclass(frozen=True)
class Method:
    """A one-step method: its options are the record's fields, its nature is declared by the class."""

    name: ClassVar[str]
    order: ClassVar[int]
    dense_order: ClassVar[int]
    """Order of the continuous extension as a polynomial: its error is of one order more."""
    adaptive: ClassVar[bool]
    properties: ClassVar[tuple[str, ...]]
    stages: ClassVar[int]
    dense_rows: ClassVar[int]
    samples: ClassVar[int]
    """Number of parts of a step in which events are located."""
    principle: ClassVar[str] = ""
    """The discrete principle it needs covectors of, see `nonholo.derive.discrete_covectors`; empty for methods for equations."""
    slopes: ClassVar[bool] = False
    """Whether its steps need the Jacobian of the rates."""
    compiled: ClassVar[bool] = True
    """Whether it runs in the compiled loops; one that does not has a ``path`` of its own."""
    loop: ClassVar[Loop]
    """What is its own in the compiled loop."""
    lanes: ClassVar[Routine | None] = None
    """The compiled loop for several motions at once, see `nonholo.integrate.loops.lane_loop`; None where there is none."""

    def with_options(self, **options: Any) -> Method:
        """The method with what `simulate` was given beside it: nothing, for its options are those of its record."""
        if options:
            raise StateError(f"method: {self} is already built; give its options {sorted(options)} to its record.")
        return self


@dataclass(frozen=True)
class Adaptive(Method):
    """Steps chosen by an error estimate: its options are the same for every such method."""

    rtol: float = 1e-9
    atol: float = 1e-12
    first_step: float | None = None
    max_step: float = float("inf")
    max_steps: int = 10_000_000

    adaptive: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive(self, "rtol", self.rtol, zero=True)
        positive(self, "atol", self.atol, zero=self.rtol > 0)
        positive(self, "max_step", self.max_step, endless=True)
        positive(self, "max_steps", self.max_steps, endless=True)
        if self.first_step is not None:
            positive(self, "first_step", self.first_step)


def register(method: Kind) -> Kind:
    """Make a method known by its name."""
    REGISTERED[method.name] = method
    return method


def positive(method: Method, option: str, value: float, zero: bool = False, endless: bool = False) -> None:
    """Refuse an option that is not a positive and finite number; infinite where that means "no limit" (``endless``)."""
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool) and not math.isnan(value)
    if not real or value < 0 or (value == 0 and not zero) or (math.isinf(value) and not endless):
        kind = "number" if endless else "finite number"
        raise StateError(
            f"method {method.name}: {option} = {value!r} where a {kind} {'≥' if zero else '>'} 0 is needed; choose one."
        )
