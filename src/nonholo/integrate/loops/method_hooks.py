"""The part of the step loop that belongs to a method: three compiled functions and a few numbers.

The loop itself is the same machine code for every method; a method adds its step and its continuous extension.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import Any

from nonholo.integrate.loops.arguments.array_layout import ERROR, RATIO
from nonholo.integrate.loops.compilation.loop_compiler import inner, intrinsic, ir, reals, types, wholes
from nonholo.integrate.loops.compilation.native import Entry, address

PROBES = (0.1707, 0.6910)
"""Where samples of events are tried: at no simple ratio to them, so that a fast event cannot look like a slow one everywhere."""
STEP, POINT = "iiiidd", "iidi"
"""Arguments of a step and of its continuous extension: integers (addresses) and doubles."""


class Parts:
    """The compiled parts of a method, known to the installation by its ``name``.

    ``attempt(spec, data, real, whole, t, new_t) -> (error, pivot ratio)`` makes the new state from the first row of the stages;
    the loop then puts the derivative at the new state into ``end_row``. ``prepare`` makes the continuous extension and
    ``interpolate(spec, real, place, point)`` evaluates it. ``order`` is that of the error estimate, ``samples`` into how many
    parts a step is cut when events are looked for, ``weights`` how the samples tell the events at `PROBES`.
    """

    def __init__(
        self, name: str, attempt: Any, prepare: Any, interpolate: Any, end_row: int, order: int, adaptive: bool, samples: int
    ) -> None:
        self.name, self._functions = name, (attempt, prepare, interpolate)
        self.end_row, self.order, self.adaptive, self.samples = end_row, order, int(adaptive), samples
        self.weights = [weight for place in PROBES for weight in lagrange_weights(samples, place)]

    @cached_property
    def addresses(self) -> tuple[int, int, int]:
        """Those of attempt, prepare and interpolate, loaded at first use."""
        return address(self.name, "attempt"), address(self.name, "prepare"), address(self.name, "interpolate")

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What is to be compiled, as C would call it."""
        attempt, prepare, interpolate = self._functions
        return (
            Entry("attempt", _attempting(attempt), STEP),
            Entry("prepare", _preparing(prepare), STEP),
            Entry("interpolate", _interpolating(interpolate), POINT),
        )


def _attempting(attempt: Any) -> Any:
    @inner
    def code(spec: int, data: int, real: int, whole: int, t: float, new_t: float) -> None:
        memory = reals(real)
        memory[ERROR], memory[RATIO] = attempt(wholes(spec), reals(data), memory, wholes(whole), t, new_t)

    return code


def _preparing(prepare: Any) -> Any:
    @inner
    def code(spec: int, data: int, real: int, whole: int, t: float, new_t: float) -> None:
        prepare(wholes(spec), reals(data), reals(real), wholes(whole), t, new_t)

    return code


def _interpolating(interpolate: Any) -> Any:
    @inner
    def code(spec: int, real: int, place: float, point: int) -> None:
        interpolate(wholes(spec), reals(real), place, reals(point))

    return code


@intrinsic
def call_step(typingctx: Any, address: Any, spec: Any, data: Any, real: Any, whole: Any, t: Any, new_t: Any) -> Any:
    """Call a method's attempt or prepare by its address."""
    return types.void(types.int64, spec, data, real, whole, types.float64, types.float64), _calling


@intrinsic
def call_point(typingctx: Any, address: Any, spec: Any, real: Any, place: Any, point: Any) -> Any:
    """Call a method's interpolate by its address."""
    return types.void(types.int64, spec, real, types.float64, point), _calling


def _calling(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in args[1:]])
    builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
    return context.get_dummy_value()


def lagrange_weights(samples: int, place: float) -> tuple[float, ...]:
    """What each of equally spaced samples gives to their polynomial at a place in [0, 1]: Lagrange's weights.

    >>> lagrange_weights(2, 0.25)
    (0.375, 0.75, -0.125)
    """
    nodes = [j / samples for j in range(samples + 1)]
    return tuple(prod((place - b) / (a - b) for b in nodes if b != a) for a in nodes)
