"""JAX through its foreign function interface: our machine code inside ``jit``, with exact derivatives, compiled in no time.

XLA sees one call where the pure form (target ``jax``) has thousands of scalar operations. The handler that XLA calls is LLVM's
text like everything else: it reads XLA's call frame, moves rows into lanes and calls the program's code.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

from nonholo.compile.kernel import input_symbols
from nonholo.compile.portable_program import Portable, portable
from nonholo.compile.targets.registry import Files, Target, missing, register
from nonholo.errors import ModelError
from nonholo.program.llvm_jit import listing, load

LANES = 8
"""Rows that are computed side by side."""
_NUMBERS = count()


@dataclass(frozen=True, eq=False)
class ForeignFunctions:
    """The rates of a system for JAX: ``rates(t, x, u, p)`` works under jit, vmap, jvp, vjp, grad and jacobian (once)."""

    state: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    rates: Callable[..., object]
    jacobian: Callable[..., object]
    """``d rates / d (t, x…, u…, p…)``, a row for each state variable."""
    owners: list[object] = field(repr=False)
    """Owner of the machine code; that of the derivatives is compiled at first use."""


def _handler(code: int, width: int, outputs: int, version: tuple[int, int]) -> Iterator[str]:
    """LLVM text of XLA's handler: metadata on request, else all rows of the first buffer into the result."""
    yield "define ptr @handler(ptr %frame) nounwind {"
    yield "entry:"
    yield f"%in = alloca double, i64 {width * LANES}, align 64"
    yield f"%out = alloca double, i64 {outputs * LANES}, align 64"
    yield from _loaded("extension", "%frame", 8, "ptr")
    yield "%asked = icmp ne ptr %extension, null"
    yield "br i1 %asked, label %maybe, label %work"
    yield "maybe:"
    yield from _loaded("kind", "%extension", 8, "i32")
    yield "%meta = icmp eq i32 %kind, 1"
    yield "br i1 %meta, label %tell, label %work"
    yield "tell:"
    yield from _loaded("metadata", "%extension", 24, "ptr")
    for name, offset, value in (("major", 24, version[0]), ("minor", 28, version[1]), ("traits", 32, 0)):
        yield f"%{name} = getelementptr i8, ptr %metadata, i64 {offset}"
        yield f"store i32 {value}, ptr %{name}"
    yield "ret ptr null"
    yield "work:"
    yield from _loaded("args", "%frame", 72, "ptr")
    yield from _loaded("given", "%args", 0, "ptr")
    yield from _loaded("source", "%given", 24, "ptr")
    yield from _loaded("dims", "%given", 40, "ptr")
    yield from _loaded("rows", "%dims", 0, "i64")
    yield from _loaded("rets", "%frame", 112, "ptr")
    yield from _loaded("result", "%rets", 0, "ptr")
    yield from _loaded("target", "%result", 24, "ptr")
    yield f"%run = inttoptr i64 {code} to ptr"
    yield "br label %block"
    yield "block:"
    yield "%first = phi i64 [0, %work], [%next, %stored]"
    yield "%more = icmp slt i64 %first, %rows"
    yield "br i1 %more, label %fill, label %end"
    yield from _copying("fill", "block", "compute", width, fill=True)
    yield "compute:"
    yield "call void %run(ptr %out, ptr %in, ptr null)"
    yield "br label %drain"
    yield from _copying("drain", "compute", "stored", outputs, fill=False)
    yield "stored:"
    yield f"%next = add i64 %first, {LANES}"
    yield "br label %block"
    yield "end:"
    yield "ret ptr null"
    yield "}"


def _loaded(name: str, base: str, offset: int, kind: str) -> Iterator[str]:
    yield f"%{name}_at = getelementptr i8, ptr {base}, i64 {offset}"
    yield f"%{name} = load {kind}, ptr %{name}_at"


def _copying(name: str, before: str, after: str, width: int, fill: bool) -> Iterator[str]:
    """A loop over lanes and numbers: rows into lanes (the last row repeated), or lanes back into the rows that there are."""
    yield f"{name}:"
    yield f"%{name}_k = phi i64 [0, %{before}], [%{name}_k1, %{name}_went]"
    yield f"%{name}_more = icmp slt i64 %{name}_k, {width * LANES}"
    yield f"br i1 %{name}_more, label %{name}_one, label %{after}"
    yield f"{name}_one:"
    yield f"%{name}_lane = urem i64 %{name}_k, {LANES}"
    yield f"%{name}_number = udiv i64 %{name}_k, {LANES}"
    yield f"%{name}_row = add i64 %first, %{name}_lane"
    yield f"%{name}_inside = icmp slt i64 %{name}_row, %rows"
    yield f"%{name}_last = sub i64 %rows, 1"
    yield f"%{name}_taken = select i1 %{name}_inside, i64 %{name}_row, i64 %{name}_last"
    yield f"%{name}_start = mul i64 %{name}_taken, {width}"
    yield f"%{name}_place = add i64 %{name}_start, %{name}_number"
    if fill:
        yield f"%{name}_from = getelementptr double, ptr %source, i64 %{name}_place"
        yield f"%{name}_to = getelementptr double, ptr %in, i64 %{name}_k"
        yield f"br label %{name}_move"
    else:
        yield f"%{name}_from = getelementptr double, ptr %out, i64 %{name}_k"
        yield f"%{name}_to = getelementptr double, ptr %target, i64 %{name}_place"
        yield f"br i1 %{name}_inside, label %{name}_move, label %{name}_went"
    yield f"{name}_move:"
    yield f"%{name}_value = load double, ptr %{name}_from"
    yield f"store double %{name}_value, ptr %{name}_to"
    yield f"br label %{name}_went"
    yield f"{name}_went:"
    yield f"%{name}_k1 = add i64 %{name}_k, 1"
    yield f"br label %{name}"


def _version(jax: Any) -> tuple[int, int]:
    """The version of XLA's interface, from its own header."""
    header = (Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h").read_text()
    major, minor = (re.search(rf"#define XLA_FFI_API_{word} (\d+)", header) for word in ("MAJOR", "MINOR"))
    if major is None or minor is None:
        raise ModelError("export: this jaxlib does not say the version of its foreign function interface; use the target jax.")
    return int(major[1]), int(minor[1])


def _registered(
    jax: Any, p: Portable, outputs: Sequence[int], width: int, level: int = 1
) -> tuple[Callable[[Any], Any], tuple[object, ...]]:
    """A function of rows (count, width) -> (count, outputs) that XLA calls."""
    address, owner = load(listing(p.program, outputs, lanes=LANES), level=level)
    text = "\n".join(_handler(address, width, len(outputs), _version(jax)))
    place, handler = load(text, "handler")
    name = f"nonholo_{p.name}_{next(_NUMBERS)}"
    jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(ctypes.c_void_p(place)), platform="cpu", api_version=1)
    jnp = jax.numpy

    def call(rows: Any) -> Any:
        kind = jax.ShapeDtypeStruct((rows.shape[0], len(outputs)), jnp.float64)
        return jax.ffi.ffi_call(name, kind)(rows)

    return call, (owner, handler)


def _by_rows(jax: Any, call: Callable[[], Callable[[Any], Any]]) -> Any:
    """A function of one row that ``vmap`` turns into one call for all of them."""
    one = jax.custom_batching.custom_vmap(lambda row: call()(row[None])[0])
    one.def_vmap(lambda size, batched, rows: (call()(rows), True))
    return one


def foreign_functions(p: Portable) -> ForeignFunctions:
    """Machine code of the rates and of all their derivatives behind JAX's primitives."""
    if find_spec("jax") is None:
        raise missing("jax", "jax")
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    symbols = input_symbols(p.equations)
    width, size = len(symbols), len(p.state)
    rates_rows, owner = _registered(jax, p, p.section("rates").outputs, width)
    owners: list[object] = [owner]
    jnp = jax.numpy
    lengths = (1, size, len(p.inputs), len(p.parameters))
    spans = {"state": slice(1, 1 + size), "all": slice(0, width)}

    @cache
    def slopes(by: str) -> Callable[[Any], Any]:
        """Derivatives by the state, which the portable program has, or by everything; compiled at first use."""
        part = p if by == "state" else portable(p.equations, columns=symbols)
        found, kept = _registered(jax, part, part.section("jacobian").outputs, width, 0)  # ready in half the time, as quick
        owners.append(kept)
        return found

    plain = _by_rows(jax, lambda: rates_rows)
    sloped = {by: _by_rows(jax, partial(slopes, by)) for by in spans}
    flow = jax.custom_jvp(lambda *parts: plain(jnp.concatenate(parts)))

    def pushed(primals: Any, tangents: Any) -> Any:
        row = jnp.concatenate(primals)
        still = [isinstance(change, jax.custom_derivatives.SymbolicZero) for change in tangents]
        by = "state" if still[0] and still[2] and still[3] else "all"
        changes = [jnp.zeros(n) if quiet else change for n, change, quiet in zip(lengths, tangents, still)]
        return plain(row), sloped[by](row).reshape(size, -1) @ jnp.concatenate(changes)[spans[by]]

    flow.defjvp(pushed, symbolic_zeros=True)

    def parts_of(*given: Any) -> list[Any]:
        return [jnp.reshape(jnp.asarray(e, dtype=float), (n,)) for e, n in zip(given, lengths)]

    def rates(t: Any, x: Any, u: Any = (), p: Any = ()) -> Any:
        """The rates of the state; batches by ``jax.vmap``."""
        return flow(*parts_of(t, x, u, p))

    def jacobian(t: Any, x: Any, u: Any = (), p: Any = ()) -> Any:
        """The derivatives of the rates by time, state, inputs and parameters."""
        return sloped["all"](jnp.concatenate(parts_of(t, x, u, p))).reshape(size, width)

    return ForeignFunctions(p.state, p.inputs, p.parameters, rates, jacobian, owners)


def _files(p: Portable, stem: str) -> Files:
    raise ModelError(f"{p.equations.name}: export: machine code of this process cannot be written; export to jax for a file.")


register(Target("jax_ffi", "JAX with our machine code behind its foreign function interface", ".py", _files, foreign_functions))
