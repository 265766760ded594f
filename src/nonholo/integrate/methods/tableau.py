"""An explicit Runge–Kutta method is a tableau: numbers, from which its compiled step and its record are made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from nonholo.errors import ModelError
from nonholo.integrate.loops.arguments.array_layout import (
    AT_GIVEN,
    AT_NEW,
    AT_STAGES,
    AT_Y,
    ATOL,
    CALLS,
    RTOL,
    STATE,
    WIDTH,
)
from nonholo.integrate.loops.compilation.loop_compiler import combination, inner, shift, written_in
from nonholo.integrate.loops.implicit.cubic_extension import DENSE_ROWS, interpolate, make_prepare
from nonholo.integrate.loops.loop_rates import derivative
from nonholo.integrate.loops.method_hooks import Parts
from nonholo.integrate.methods.method_record import MOST_EQUAL_STEPS, Adaptive, Method, positive, register

Row = tuple[float, ...]
SAMPLES = 2


@dataclass(frozen=True)
class Tableau:
    """Nodes c, coupling a (row i has i entries), weights b of a method; ``error`` are those of its error estimate, ``b − b̂``.

    The error may have one entry more, for the slope at the end of the step. With an error the steps are chosen by it, without
    they are equal.
    """

    name: str
    order: int
    nodes: Row
    coupling: tuple[Row, ...]
    weights: Row
    error: Row = ()
    about: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        size = len(self.nodes)
        shape = [len(row) for row in self.coupling] == list(range(1, size)) and len(self.weights) == size
        if not shape or (self.error and len(self.error) not in (size, size + 1)) or self.nodes[0] != 0.0:
            raise ModelError(
                f"method {self.name}: {size} nodes need coupling rows of 1 … {size - 1} numbers, {size} weights and, if any, "
                f"{size} or {size + 1} numbers for the error; the first node is 0."
            )
        for row, node in zip(self.coupling, self.nodes[1:]):
            if abs(sum(row) - node) > 1e-14 * (1 + sum(map(abs, row))):
                raise ModelError(f"method {self.name}: a row of the coupling sums to {sum(row)} where its node is {node}.")


@inner
def lesser(a: float, b: float) -> float:
    """The lesser of two, nan if one of them is."""
    return a if a < b or a != a else b


@inner
def _no_stage(
    spec: Any, data: Any, real: Any, t: float, new_t: float, h: float, n: int, w: int, given: Any, y: Any, k: Any
) -> float:
    return 1.0


def make_stages(nodes: Row, coupling: tuple[Row, ...]) -> Any:
    """The compiled stages after the first: rows 1, 2, … of the stages from those before; returns the least pivot ratio.

    A function of ``(spec, data, real, t, new_t, h, n, w, given, y, k)``: common values are loaded once.
    """
    run = _no_stage
    for k, (node, row) in enumerate(zip(nodes[1:], coupling), 1):
        run = _stage(run, combination(row), node, k)
    return run


def _stage(before: Any, combine: Any, node: float, index: int) -> Any:
    at_end = node == 1.0

    @written_in
    def run(
        spec: Any, data: Any, real: Any, t: float, new_t: float, h: float, n: int, w: int, given: Any, y: Any, k: Any
    ) -> float:
        least = before(spec, data, real, t, new_t, h, n, w, given, y, k)
        combine(given, y, k, w, n, h)
        place = new_t if at_end else t + node * h
        found: float = lesser(least, derivative(spec, data, real, place, shift(k, index * w)))
        return found

    return run


def make_attempt(tableau: Tableau) -> Any:
    """One step from t to new_t: the new state, its error (accepted up to 1; 0 without an estimate), the least pivot ratio."""
    size = len(tableau.nodes)
    stages, solution = make_stages(tableau.nodes, tableau.coupling), combination(tableau.weights)
    if not tableau.error:

        @inner
        def constant(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> tuple[float, float]:
            n, w, h = spec[STATE], spec[WIDTH], new_t - t
            y, new, k = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
            whole[CALLS] += size - 1
            least = stages(spec, data, real, t, new_t, h, n, w, shift(real, spec[AT_GIVEN] + 1), y, k)
            solution(new, y, k, w, n, h)
            total = 0.0
            for i in range(n):
                total += abs(new[i])
            return total - total, least  # 0 for a finite state, nan for any other

        return constant
    wrong, with_end = combination(tableau.error, based=False), len(tableau.error) > size

    @inner
    def controlled(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> tuple[float, float]:
        n, w, h = spec[STATE], spec[WIDTH], new_t - t
        y, new, k = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
        given = shift(real, spec[AT_GIVEN] + 1)
        whole[CALLS] += size - 1
        least = stages(spec, data, real, t, new_t, h, n, w, given, y, k)
        solution(new, y, k, w, n, h)
        if with_end:
            for i in range(n):
                given[i] = new[i]
            whole[CALLS] += 1
            least = lesser(least, derivative(spec, data, real, new_t, shift(k, size * w)))
        gap = shift(k, (size + 1) * w)
        wrong(gap, y, k, w, n, h)
        total = 0.0
        for i in range(n):
            total += (gap[i] / (real[ATOL] + real[RTOL] * max(abs(y[i]), abs(new[i])))) ** 2
        return (total / n) ** 0.5, least

    return controlled


class _Loop:
    """The compiled loop of a tableau, compiled at first use."""

    def __init__(self, tableau: Tableau) -> None:
        self.tableau = tableau
        self.made: Any = None

    def __get__(self, method: Any, owner: Any = None) -> Any:
        if self.made is None:
            t, end = self.tableau, len(self.tableau.nodes)
            self.made = Parts(t.name, make_attempt(t), make_prepare(end), interpolate, end, t.order, bool(t.error), SAMPLES)
        return self.made


@dataclass(frozen=True)
class Explicit(Method):
    """What methods by a tableau share."""

    tableau: ClassVar[Tableau]
    dense_order: ClassVar[int] = 3
    dense_rows: ClassVar[int] = DENSE_ROWS
    samples: ClassVar[int] = SAMPLES


@dataclass(frozen=True)
class Constant(Explicit):
    """Equal steps; the last step before an end or a break is shortened."""

    step: float
    max_steps: int = MOST_EQUAL_STEPS

    adaptive: ClassVar[bool] = False
    properties: ClassVar[tuple[str, ...]] = ("explicit", "constant step", "cubic Hermite continuous extension")

    def __post_init__(self) -> None:
        positive(self, "step", self.step)
        positive(self, "max_steps", self.max_steps, endless=True)


@dataclass(frozen=True)
class Controlled(Adaptive, Explicit):
    """Steps chosen by the error estimate."""

    properties: ClassVar[tuple[str, ...]] = ("explicit", "error control", "cubic Hermite continuous extension")


def explicit(tableau: Tableau) -> Any:
    """The method of a tableau, known by its name from now on."""
    base = Controlled if tableau.error else Constant
    words = {
        "__doc__": tableau.about,
        "__module__": __name__,
        "tableau": tableau,
        "name": tableau.name,
        "order": tableau.order,
        "stages": len(tableau.nodes) + 2,
        "loop": _Loop(tableau),
    }
    made = type(f"{tableau.name.capitalize()}", (base,), words)
    globals()[made.__name__] = made  # so that it can be pickled
    return register(made)


RungeKutta4 = explicit(
    Tableau(
        "rk4",
        order=4,
        nodes=(0.0, 0.5, 0.5, 1.0),
        coupling=((0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)),
        weights=(1 / 6, 1 / 3, 1 / 3, 1 / 6),
        about="The classical method of order 4 with equal steps. [Kutta 1901]",
    )
)

Heun3 = explicit(
    Tableau(
        "heun3",
        order=3,
        nodes=(0.0, 1 / 3, 2 / 3),
        coupling=((1 / 3,), (0.0, 2 / 3)),
        weights=(1 / 4, 0.0, 3 / 4),
        about="Order 3 with three stages and equal steps. [Heun 1900]",
    )
)

BogackiShampine3 = explicit(
    Tableau(
        "bs3",
        order=3,
        nodes=(0.0, 1 / 2, 3 / 4),
        coupling=((1 / 2,), (0.0, 3 / 4)),
        weights=(2 / 9, 1 / 3, 4 / 9),
        error=(2 / 9 - 7 / 24, 1 / 3 - 1 / 4, 4 / 9 - 1 / 3, -1 / 8),
        about="Order 3(2) with error control, for low accuracy. [Bogacki and Shampine, Appl. Math. Lett. 2 (1989) 321]",
    )
)

DormandPrince5 = explicit(
    Tableau(
        "dopri5",
        order=5,
        nodes=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0),
        coupling=(
            (1 / 5,),
            (3 / 40, 9 / 40),
            (44 / 45, -56 / 15, 32 / 9),
            (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
            (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        ),
        weights=(35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
        error=(71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),
        about="Order 5(4) with error control. [Dormand and Prince, J. Comp. Appl. Math. 6 (1980) 19]",
    )
)
