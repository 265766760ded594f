"""Numba's compiler as the loops use it: cached on disk, without the GIL, calling functions by address."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from types import CodeType
from typing import Any
from weakref import WeakSet

import numba
from llvmlite import ir
from numba.core import cgutils
from numba.core import types as untyped
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic

from nonholo.integrate.loops.object_cache import LoopCache
from nonholo.program.llvm_jit import FEW

types: Any = untyped
_NAMED: WeakSet[Callable[..., Any]] = WeakSet()


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function that other compiled functions call; it lands in their machine code."""
    return numba.njit(nogil=True, error_model="numpy")(_named(function))


def written_in(function: Callable[..., Any]) -> Any:
    """As `inner`, for a function that is written into its one caller before anything is compiled: a link of a chain."""
    return numba.njit(nogil=True, error_model="numpy", inline="always")(_named(function))


def outer(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, once and for all models, and keep it on disk where that is possible."""
    dispatcher = numba.njit(nogil=True, error_model="numpy")(_named(function))
    with suppress(RuntimeError, OSError):  # no writable place for the cache: compiled anew in every process
        dispatcher._cache = LoopCache(dispatcher.py_func, fingerprint)
    return dispatcher


def _named(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, named by its fingerprint: machine code is found by its name among all that a process has loaded.

    Numba numbers functions as they come in one process. Loops of two methods have the same name, and when two processes kept
    them on disk under the same number, a third that reads both would run one for the other.
    """
    function.__qualname__ = f"{function.__qualname__}_{fingerprint(function)[:20]}"
    _NAMED.add(function)
    return function


def fingerprint(function: Callable[..., Any]) -> str:
    """A digest of a function's byte code, of the constants it names and of all compiled functions it calls.

    These have their own digest in their name: what they call in turn is not walked through again.
    """
    digest = hashlib.sha256()
    seen: set[int] = set()

    def add(value: Any) -> None:
        if isinstance(value, Dispatcher):
            if value.py_func in _NAMED:
                digest.update(value.py_func.__qualname__.encode())
            else:
                add_function(value.py_func)
        elif isinstance(value, CodeType):
            digest.update(value.co_code)
            digest.update(repr(value.co_names + value.co_varnames).encode())
            for constant in value.co_consts:
                add(constant)
        elif isinstance(value, (int, float, str, tuple, frozenset, type(None))):
            digest.update(repr(value).encode())
        elif hasattr(value, "_defn"):  # an intrinsic
            add_function(value._defn)

    def add_function(inside: Callable[..., Any]) -> None:
        if id(inside) in seen:
            return
        seen.add(id(inside))
        code = inside.__code__
        add(code)
        names = [n for c in _codes(code) for n in c.co_names]
        for name in dict.fromkeys(names):
            add(inside.__globals__.get(name))
        for cell in inside.__closure__ or ():
            add(cell.cell_contents)

    add_function(function)
    return digest.hexdigest()


def _codes(code: CodeType) -> list[CodeType]:
    return [code, *(c for k in code.co_consts if isinstance(k, CodeType) for c in _codes(k))]


@intrinsic  # type: ignore[untyped-decorator]
def pointer(typingctx: Any, array: Any) -> Any:
    """The address of an array's first entry, which compiled functions index like the array.

    Arrays travel between compiled functions as seven words and a reference count; a pointer is one word.
    """

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).data

    return types.CPointer(array.dtype)(array), generate


@intrinsic  # type: ignore[untyped-decorator]
def shift(typingctx: Any, start: Any, by: Any) -> Any:
    """The pointer ``by`` entries further on."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.gep(args[0], [args[1]])

    return start(start, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def call_address(typingctx: Any, address: Any, data: Any, out: Any, given: Any) -> Any:
    """Call ``void f(double *out, const double *in, void *data)`` by its address, known when the loop runs."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        double = ir.PointerType(ir.DoubleType())
        kind = ir.FunctionType(ir.VoidType(), [double, double, ir.IntType(64)])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), [args[2], args[3], args[1]])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, out, given), generate


@outer
def call_rows(address: int, data: int, out: Any, given: Any) -> None:
    """Call machine code on each row of ``given``, into the rows of ``out``."""
    for k in range(given.shape[0]):
        call_address(address, data, shift(pointer(out), k * out.shape[1]), shift(pointer(given), k * given.shape[1]))


def combination(weights: tuple[float, ...], based: bool = True) -> Any:
    """The compiled row of a Runge–Kutta table, ``target[i] = base[i] + h Σ_j weights[j] · stages[j · width + i]``.

    A function of ``(target, base, stages, width, n, h)``; if not ``based``, the base is left out. Written straight
    into machine code, four entries at a time and without the zero weights: a step has hundreds of such products, and
    Numba's type inference would take seconds for them. A few entries go one by one, so that none waits for the slowest
    of four: small systems spend their time in waiting.
    """
    terms = tuple((j, float(w)) for j, w in enumerate(weights) if w != 0.0)

    @intrinsic  # type: ignore[untyped-decorator]
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
