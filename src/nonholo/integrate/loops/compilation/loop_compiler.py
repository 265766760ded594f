"""The language of the loops: Python functions that Numba turns into LLVM's code when the package is built.

A process that runs motions never compiles them: there the functions below leave what they are given as it is, Numba is not
loaded, and `nonholo.integrate.loops.compilation.native` loads what `nonholo.integrate.loops.compilation.generate` made of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any

from nonholo.program.llvm_jit import FEW

GENERATING = "NONHOLO_GENERATING_LOOPS"
"""Environment variable set in the process in which Numba compiles; see `nonholo.integrate.loops.compilation.generate`."""
ir: Any = None
cgutils: Any = None
types: Any = None
njit: Any = None
DOUBLE: Any = None
WHOLE: Any = None
_intrinsic: Any = None
if GENERATING in os.environ:
    ir, cgutils, types = (import_module(name) for name in ("llvmlite.ir", "numba.core.cgutils", "numba.core.types"))
    njit, _intrinsic = import_module("numba").njit, import_module("numba.extending").intrinsic
    DOUBLE, WHOLE = ir.DoubleType(), ir.IntType(64)


def intrinsic(function: Callable[..., Any]) -> Any:
    """A function that writes LLVM's code itself."""
    return function if _intrinsic is None else _intrinsic(function)


def inner(function: Callable[..., Any]) -> Any:
    """A function that other functions of the loops call; it lands in their machine code."""
    return _compiled(function)


def written_in(function: Callable[..., Any]) -> Any:
    """As `inner`, for a function that is written into its one caller before anything is compiled: a link of a chain."""
    return _compiled(function, inline="always")


def _compiled(function: Callable[..., Any], **options: str) -> Any:
    if njit is None:
        return function
    return njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function)


@intrinsic
def wholes(typingctx: Any, address: Any) -> Any:
    """An address as a pointer to integers."""
    return types.CPointer(types.int64)(types.int64), _pointing


@intrinsic
def reals(typingctx: Any, address: Any) -> Any:
    """An address as a pointer to reals."""
    return types.CPointer(types.float64)(types.int64), _pointing


def _pointing(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.inttoptr(args[0], context.get_value_type(sig.return_type))


@intrinsic
def shift(typingctx: Any, start: Any, by: Any) -> Any:
    """The pointer ``by`` entries further on."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.gep(args[0], [args[1]])

    return start(start, types.int64), generate


@intrinsic
def call_address(typingctx: Any, address: Any, data: Any, out: Any, given: Any) -> Any:
    """Call ``void f(double *out, const double *in, void *data)`` by its address, known when the loop runs."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        double = ir.PointerType(ir.DoubleType())
        kind = ir.FunctionType(ir.VoidType(), [double, double, ir.IntType(64)])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), [args[2], args[3], args[1]])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, out, given), generate


def combination(weights: tuple[float, ...], based: bool = True) -> Any:
    """The compiled row of a Runge–Kutta table, ``target[i] = base[i] + h Σ_j weights[j] · stages[j · width + i]``.

    A function of ``(target, base, stages, width, n, h)``; if not ``based``, the base is left out. Written straight
    into machine code, four entries at a time and without the zero weights: a step has hundreds of such products, and
    Numba's type inference would take seconds for them. A few entries go one by one, so that none waits for the slowest
    of four: small systems spend their time in waiting.
    """
    terms = tuple((j, float(w)) for j, w in enumerate(weights) if w != 0.0)

    @intrinsic
    def combine(typingctx: Any, target: Any, base: Any, stages: Any, width: Any, n: Any, h: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            to, start, rows, wide, count, step = args
            whole = ir.IntType(64)

            def entries(lanes: int, i: Any) -> None:
                kind = ir.DoubleType() if lanes == 1 else ir.VectorType(ir.DoubleType(), lanes)

                def at(pointer: Any, place: Any) -> Any:
                    return builder.bitcast(builder.gep(pointer, [place]), ir.PointerType(kind))

                def spread(value: Any) -> Any:
                    if lanes == 1:
                        return value
                    result = ir.Constant(kind, ir.Undefined)
                    for lane in range(lanes):
                        result = builder.insert_element(result, value, ir.Constant(ir.IntType(32), lane))
                    return result

                def entry(j: int) -> Any:
                    return builder.load(at(rows, builder.add(builder.mul(wide, ir.Constant(whole, j)), i)), align=8)

                def fused(a: Any, b: Any, c: Any) -> Any:
                    product = builder.fmul(a, b, flags=("contract",))
                    return product if c is None else builder.fadd(product, c, flags=("contract",))

                total = None
                for j, weight in terms[:-1]:
                    constant = ir.Constant(kind, weight if lanes == 1 else [weight] * lanes)
                    total = fused(entry(j), constant, total)
                moved = builder.load(at(start, i), align=8) if based else None
                if total is not None:
                    moved = fused(total, spread(step), moved)
                # the last stage is the one just computed: all else is ready when it arrives
                j, weight = terms[-1]
                scaled = spread(builder.fmul(step, ir.Constant(ir.DoubleType(), weight)))
                builder.store(fused(entry(j), scaled, moved), at(to, i), align=8)

            few = builder.icmp_signed("<=", count, ir.Constant(whole, FEW))
            with builder.if_else(few) as (one_by_one, together):
                with one_by_one:
                    for lane in range(FEW):
                        with builder.if_then(builder.icmp_signed("<", ir.Constant(whole, lane), count)):
                            entries(1, ir.Constant(whole, lane))
                with together:
                    fours = builder.and_(count, ir.Constant(whole, -4))
                    with cgutils.for_range_slice(
                        builder, ir.Constant(whole, 0), fours, ir.Constant(whole, 4), whole
                    ) as (i, _):
                        entries(4, i)
                    pair = builder.and_(count, ir.Constant(whole, 2))
                    with builder.if_then(builder.icmp_signed("!=", pair, ir.Constant(whole, 0))):
                        entries(2, fours)
                    with builder.if_then(builder.trunc(count, ir.IntType(1))):
                        entries(1, builder.add(fours, pair))
            return context.get_dummy_value()

        return types.void(target, base, stages, types.int64, types.int64, types.float64), generate

    return combine
