"""Taylor's method of high order, by heyoka: an optional extra, and an independent witness of the compiled loops."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, ClassVar

from nonholo.errors import ModelError, StateError
from nonholo.integrate.methods.method_record import Method, positive, register

PRECISIONS = ("double", "quad")


@register
@dataclass(frozen=True)
class Taylor(Method):
    """Power series in time, of an order that follows from the tolerance (20 in double precision), with large steps.

    ``tolerance`` is heyoka's own, relative where the state is larger than 1 and absolute where it is smaller; left
    out, it is the rounding of the precision (rtol and atol play no part). ``precision="quad"`` computes with 113 bits
    and gives states rounded to doubles. [Jorba, Zou, Experimental Mathematics 14 (2005) 99]
    """

    tolerance: float | None = None
    precision: str = "double"
    max_step: float = float("inf")
    max_steps: int = 10_000_000

    name: ClassVar[str] = "taylor"
    order: ClassVar[int] = 20
    dense_order: ClassVar[int] = 20
    adaptive: ClassVar[bool] = True
    properties: ClassVar[tuple[str, ...]] = ("explicit", "error control", "order by tolerance", "needs heyoka")
    stages: ClassVar[int] = 0
    dense_rows: ClassVar[int] = 0
    samples: ClassVar[int] = 1
    compiled: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.tolerance is not None:
            positive(self, "tolerance", self.tolerance)
        positive(self, "max_step", self.max_step, endless=True)
        positive(self, "max_steps", self.max_steps, endless=True)
        if self.precision not in PRECISIONS:
            raise StateError(
                f"method taylor: precision = {self.precision!r}; choose one of {', '.join(map(repr, PRECISIONS))}."
            )
        if find_spec("heyoka") is None:
            raise ModelError("method taylor: heyoka is not installed; install it with pip install 'nonholo[taylor]'.")

    @staticmethod
    def path(*given: Any, **words: Any) -> Any:
        """The motion, see `nonholo.integrate.taylor.taylor_motion.taylor_path`."""
        from nonholo.integrate.taylor.taylor_motion import taylor_path

        return taylor_path(*given, **words)
