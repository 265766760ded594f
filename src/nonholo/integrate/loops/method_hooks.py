"""The part of the step loop that belongs to a method: three compiled functions and a few numbers.

The loop itself is the same machine code for every method, compiled once; a method adds its step and its continuous extension.
"""

from __future__ import annotations

from math import prod
from threading import Lock
from typing import Any

from llvmlite import ir
from numba.core import types as untyped
from numba.extending import intrinsic

from nonholo.integrate.loops.array_layout import ERROR, RATIO
from nonholo.integrate.loops.loop_compiler import outer

types: Any = untyped
PROBES = (0.1707, 0.6910)
"""Where samples of events are tried: at no simple ratio to them, so that a fast event cannot look like a slow one everywhere."""
_MAKING = Lock()


class Parts:
    """The parts of a method, as `nonholo.integrate.loops.step_loop.make_loop` is given them; called, it is the method's loop.

    ``order`` is that of the error estimate, ``end_row`` where the slope at the end of a step stands, ``samples`` into how many
    parts a step is cut when events are looked for, ``weights`` how the samples tell the events at `PROBES`.
    """

    def __init__(
        self, run: Any, attempt: Any, prepare: Any, interpolate: Any, end_row: int, order: int, adaptive: bool, samples: int
    ) -> None:
        self._run, self._functions = run, (attempt, prepare, interpolate)
        self._addresses: tuple[int, int, int] | None = None
        self._kept: list[Any] = []
        self.end_row, self.order, self.adaptive, self.samples = end_row, order, int(adaptive), samples
        self.weights = [weight for place in PROBES for weight in lagrange_weights(samples, place)]

    def __call__(self, *arrays: Any) -> int:
        """Up to a number of steps of every member, see `nonholo.integrate.loops.step_loop.loop`."""
        status: int = self._run(*arrays)
        return status

    @property
    def addresses(self) -> tuple[int, int, int]:
        """Those of attempt, prepare and interpolate, compiled when they are first asked for."""
        found = self._addresses
        if found is None:
            with _MAKING:
                found = self._addresses
                if found is None:
                    attempt, prepare, interpolate = self._functions
                    first, second = self._address(_attempting(attempt), STEP), self._address(_preparing(prepare), STEP)
                    found = self._addresses = first, second, self._address(_interpolating(interpolate), POINT)
        return found

    def _address(self, dispatcher: Any, signature: Any) -> int:
        """The address of the machine code as C would call it; the dispatcher is kept, and with it the code."""
        dispatcher.compile(signature)
        self._kept.append(dispatcher)
        made = dispatcher.overloads[signature.args]
        return int(made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name))


STEP = types.void(types.int64, types.int64, types.int64, types.int64, types.float64, types.float64)
POINT = types.void(types.int64, types.int64, types.float64, types.int64)


@intrinsic  # type: ignore[untyped-decorator]
def _wholes(typingctx: Any, address: Any) -> Any:
    """An address as a pointer to integers."""
    return types.CPointer(types.int64)(types.int64), _pointing


@intrinsic  # type: ignore[untyped-decorator]
def _reals(typingctx: Any, address: Any) -> Any:
    """An address as a pointer to reals."""
    return types.CPointer(types.float64)(types.int64), _pointing


def _pointing(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.inttoptr(args[0], context.get_value_type(sig.return_type))


def _attempting(attempt: Any) -> Any:
    @outer
    def code(spec: int, data: int, real: int, whole: int, t: float, new_t: float) -> None:
        memory = _reals(real)
        memory[ERROR], memory[RATIO] = attempt(_wholes(spec), _reals(data), memory, _wholes(whole), t, new_t)

    return code


def _preparing(prepare: Any) -> Any:
    @outer
    def code(spec: int, data: int, real: int, whole: int, t: float, new_t: float) -> None:
        prepare(_wholes(spec), _reals(data), _reals(real), _wholes(whole), t, new_t)

    return code


def _interpolating(interpolate: Any) -> Any:
    @outer
    def code(spec: int, real: int, place: float, point: int) -> None:
        interpolate(_wholes(spec), _reals(real), place, _reals(point))

    return code


@intrinsic  # type: ignore[untyped-decorator]
def call_step(typingctx: Any, address: Any, spec: Any, data: Any, real: Any, whole: Any, t: Any, new_t: Any) -> Any:
    """Call a method's attempt or prepare by its address."""
    return types.void(types.int64, spec, data, real, whole, types.float64, types.float64), _calling


@intrinsic  # type: ignore[untyped-decorator]
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
