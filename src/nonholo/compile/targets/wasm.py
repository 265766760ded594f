"""WebAssembly: LLVM's own object file, made a module by an export section; for browsers and Node.

Every section is a function ``name(out, in)`` of two addresses in the memory that the host brings as ``env.__linear_memory``;
``in`` holds ``[t, x…, u…, p…]`` as doubles (then ``[ẋ…, z…]`` for the residual). Functions that WebAssembly lacks are
imported from ``env`` under their C names: ``{...}`` of JavaScript's ``Math`` serves (``asin: Math.asin``, …). Long programs
import a stack, too: ``env.__stack_pointer``, a mutable global i32 with the end of the memory, where nothing else is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from nonholo.compile.portable_program import Portable
from nonholo.compile.targets.registry import Files, Target, inexpressible, register
from nonholo.program.llvm_jit import listing

IMPORTED = (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "log", "exp", "pow",
)  # fmt: skip
"""JavaScript's Math has these under the same names."""
ROUNDINGS = ("fabs", "floor", "ceil", "trunc")
EXTREMES = {"fmax": "ogt", "fmin": "olt"}
TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+sign-ext,+nontrapping-fptoint,+bulk-memory"
EXPORT, CODE, LINKING, SYMBOLS = 7, 10, b"linking", 8


def text(p: Portable) -> str:
    """LLVM's text of all sections."""
    bodies: list[str] = []
    heads: dict[str, None] = {}
    for section in p.sections:
        if not section.outputs:
            continue
        made = listing(p.program, section.outputs, together=1, whole=10**9, fused=False)
        head, _, body = made.partition("define void @run(")
        for part in _definitions(head):
            for own in _as_definition(part):
                heads[own] = None
        bodies.append(f"define void @{section.name}({body}")
    return "\n".join([*_merged(list(heads)), *bodies])


def _definitions(head: str) -> Iterator[str]:
    """Declarations and functions of a listing's head, one by one."""
    lines: list[str] = []
    for line in head.splitlines():
        lines.append(line)
        if (line.startswith("define") and "{double" in line) or (len(lines) > 1 and line != "}"):
            continue
        yield "\n".join(lines)
        lines = []


def _as_definition(part: str) -> list[str]:
    """A declaration as a definition, where WebAssembly has an instruction for the function."""
    name = part.removeprefix("declare double @").partition("(")[0]
    if name in ROUNDINGS:
        inner = f"llvm.{name}.f64"
        body = f"%r = call double @{inner}(double %a)\nret double %r"
        return [f"declare double @{inner}(double)", f"define linkonce_odr double @{name}(double %a) alwaysinline {{\n{body}\n}}"]
    if name in EXTREMES:  # not a number gives way to a number, as in C
        body = (
            f"%first = fcmp {EXTREMES[name]} double %a, %b\n%chosen = select i1 %first, double %a, double %b\n"
            "%none = fcmp uno double %b, %b\n%r = select i1 %none, double %a, double %chosen\nret double %r"
        )
        return [f"define linkonce_odr double @{name}(double %a, double %b) alwaysinline {{\n{body}\n}}"]
    return [part]


def _merged(heads: list[str]) -> list[str]:
    """One sine and cosine for all sections, though some would put it in place and others call it."""
    whole = [h for h in heads if h.startswith("define internal")]
    return [h for h in heads if not h.startswith("define internal")] + whole[:1]


@cache
def _machine() -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(features=FEATURES, opt=2, reloc="static")


def binary(p: Portable) -> bytes:
    """The module."""
    for kind, _, detail in p.program.operations:
        if kind == "call" and detail not in (*IMPORTED, *ROUNDINGS, *EXTREMES):
            raise inexpressible(f"{p.equations.name}: export", "WebAssembly", str(detail))
    machine = _machine()
    module = llvm.parse_assembly(f'target triple = "{TRIPLE}"\n{text(p)}')
    module.data_layout = str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=0)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    names = {s.name for s in p.sections}
    return exported(machine.emit_object(module), names)


def exported(data: bytes, names: set[str]) -> bytes:
    """An object file as a module: its symbols' indices, found in its ``linking`` section, become exports."""
    sections = list(_sections(data))
    places: dict[str, int] = {}
    for kind, body in sections:
        if kind == 0:
            size, at = _read(body, 0)
            if body[at : at + size] == LINKING:
                places = _symbols(body, at + size)
    entries = b"".join(_text(n) + b"\x00" + _number(places[n]) for n in sorted(names & places.keys()))
    exports = _number(len(names & places.keys())) + entries
    result = bytearray(data[:8])
    for kind, body in sections:
        if kind == 0:
            continue
        if kind == CODE:
            result += bytes([EXPORT]) + _number(len(exports)) + exports
        result += bytes([kind]) + _number(len(body)) + body
    return bytes(result)


def _sections(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 8
    while at < len(data):
        kind = data[at]
        size, at = _read(data, at + 1)
        yield kind, data[at : at + size]
        at += size


def _symbols(body: bytes, at: int) -> dict[str, int]:
    """Function symbols that are defined, with their indices. [WebAssembly tool conventions, Linking.md]"""
    found: dict[str, int] = {}
    _, at = _read(body, at)  # the version
    while at < len(body):
        kind = body[at]
        size, at = _read(body, at + 1)
        if kind == SYMBOLS:
            count, here = _read(body, at)
            for _ in range(count):
                what = body[here]
                flags, here = _read(body, here + 1)
                index, name = 0, ""
                if what in (0, 2, 4, 5):  # functions, globals, tags, tables
                    index, here = _read(body, here)
                    if not flags & 0x10 or flags & 0x40:
                        length, here = _read(body, here)
                        name, here = body[here : here + length].decode(), here + length
                    if what == 0 and not flags & 0x10:
                        found[name] = index
                elif what == 1:  # data
                    length, here = _read(body, here)
                    here += length
                    for _ in range(0 if flags & 0x10 else 3):
                        _, here = _read(body, here)
                else:  # a section
                    _, here = _read(body, here)
        at += size
    return found


def _read(data: bytes, at: int) -> tuple[int, int]:
    """A whole number in LEB128, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _number(value: int) -> bytes:
    result = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        result.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(result)


def _text(name: str) -> bytes:
    raw = name.encode()
    return _number(len(raw)) + raw


def _files(p: Portable, stem: str) -> Files:
    return {f"{stem}.wasm": binary(p)}


register(Target("wasm", "a WebAssembly module for browsers and Node", ".wasm", _files, binary))
