"""What methods share whose step is a scheme (`nonholo.compile.schemes`), solved by Newton's method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nonholo.errors import StateError
from nonholo.integrate.loops.implicit.cubic_extension import DENSE_ROWS
from nonholo.integrate.loops.implicit.newton_step import SAMPLES, STAGES, loop
from nonholo.integrate.methods.method_record import MOST_EQUAL_STEPS, Loop, Method, positive, register


@dataclass(frozen=True)
class Implicit(Method):
    """Equal steps of a scheme; ``compensated`` adds what rounding loses in one step to the next."""

    step: float
    compensated: bool = False
    max_steps: int = MOST_EQUAL_STEPS

    order: ClassVar[int] = 2
    dense_order: ClassVar[int] = 3
    adaptive: ClassVar[bool] = False
    properties: ClassVar[tuple[str, ...]] = ("implicit", "constant step", "discrete Lagrange–d'Alembert principle")
    stages: ClassVar[int] = STAGES
    dense_rows: ClassVar[int] = DENSE_ROWS
    samples: ClassVar[int] = SAMPLES
    loop: ClassVar[Loop] = loop

    def __post_init__(self) -> None:
        positive(self, "step", self.step)
        positive(self, "max_steps", self.max_steps, endless=True)


def within(method: Method, option: str, value: Any) -> None:
    """Refuse an option that is not a number from 0 to 1."""
    if isinstance(value, bool) or not (isinstance(value, (int, float)) and 0 <= value <= 1):
        raise StateError(f"method {method.name}: {option} = {value!r} where a number from 0 to 1 is needed; 0.5 is best.")


def by_scheme(name: str, about: str, *properties: str, order: int = 2, kind: type[Implicit] = Implicit) -> type[Implicit]:
    """The method whose step is the scheme of the same name, known by that name from now on.

    >>> by_scheme.__module__
    'nonholo.integrate.methods.scheme_methods'
    """
    words = {
        "__doc__": about,
        "__module__": __name__,
        "name": name,
        "principle": name,
        "order": order,
        "properties": (*properties, "constant step"),
    }
    made = type("".join(part.capitalize() for part in name.split("_")), (kind,), words)
    globals()[made.__name__] = made  # so that it can be pickled
    return register(made)
