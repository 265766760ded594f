"""Numba's compiler as the loops use it: cached on disk, without the GIL, calling functions by address."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from types import CodeType
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils
from numba.core import types as untyped
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic

types: Any = untyped


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function that other compiled functions call; it lands in their machine code."""
    return numba.njit(nogil=True, error_model="numpy")(function)


def outer(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, once and for all models, and keep it on disk where that is possible."""
    dispatcher = numba.njit(nogil=True, error_model="numpy")(function)
    with suppress(RuntimeError, OSError):  # no writable place for the cache: compiled anew in every process
        dispatcher._cache = _FingerprintCache(dispatcher.py_func)
    return dispatcher


class _FingerprintCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache on disk, whose key covers every function and number the machine code is made of.

    Numba alone looks at the file of the outermost function and would keep stale code when a callee in another
    file changes.
    """

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (sig, codegen.magic_tuple(), fingerprint(self._py_func))

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):  # a full disk costs the next process some seconds, no more
            super().save_overload(sig, data)


def fingerprint(function: Callable[..., Any]) -> str:
    """A digest of a function's byte code, of the constants it names and of all compiled functions it calls."""
    digest = hashlib.sha256()
    seen: set[int] = set()

    def add(value: Any) -> None:
        if isinstance(value, Dispatcher):
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


def weighted(weights: tuple[float, ...]) -> Any:
    """The compiled sum ``Σ_j weights[j] · stages[j · width + i]`` as a function of ``(stages, width, i)``.

    Written straight into machine code, without the zero weights: a Runge–Kutta step has hundreds of such products,
    and Numba's type inference would take seconds for them.
    """
    terms = tuple((j, float(w)) for j, w in enumerate(weights) if w != 0.0)

    @intrinsic  # type: ignore[untyped-decorator]
    def total(typingctx: Any, stages: Any, width: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            result = None
            for j, weight in terms:
                place = builder.add(builder.mul(args[1], ir.Constant(ir.IntType(64), j)), args[2])
                entry = builder.load(builder.gep(args[0], [place]))
                product = builder.fmul(entry, ir.Constant(ir.DoubleType(), weight))
                result = product if result is None else builder.fadd(result, product)
            return result

        return types.float64(stages, types.int64, types.int64), generate

    return total
