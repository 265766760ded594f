"""Operations -> LLVM -> machine code in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

# The text of LLVM is written here, not built with llvmlite.ir: that makes an object for every instruction and then the same
# text from them, which took 20 times as long for a function of 5000 sums and products; and a reader can compare text.
import llvmlite.binding as llvm

from nonholo.program.fused_rounding import FusedPair, fused_pairs
from nonholo.program.program import Operation, Program
from nonholo.program.sincos import literal, sincos
from nonholo.program.vector_lanes import calls_by_lane, scalar_or_wide, wide_sincos

FEW = 6
"""Up to so many state variables are unrolled: see `nonholo.integrate.loops.compilation.loop_compiler.combination`."""
WHOLE = 3000
"""Up to so many operations are one function."""
PART = 120
"""Longer programs are cut into functions of so many: LLVM's time is then linear in the length, and half of what it was
for the bicycle's equations; their speed is the same. (With 250 a value took up to half again as long where there are many, since
LLVM's allocator grows faster than a function; with 60 there are more calls and values left for others.)"""
BINARY = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "divide": "fdiv"}
NOWHERE: Mapping[int, Any] = {}
POINTERS = "ptr noalias nocapture %out, ptr noalias nocapture readonly %in"


def listing(
    program: Program,
    outputs: Sequence[int],
    ready: Mapping[int, int] | None = None,
    together: int = 4,
    whole: int = WHOLE,
    fused: bool | None = None,
    strides: tuple[int, int] | None = None,
    lanes: int = 1,
    part: int = PART,
) -> str:
    """LLVM's text of ``void run(double *out, const double *in, void *data)``.

    Values in ``ready`` are not computed but found at their places of the input vector. So many outputs are stored
    ``together`` as their reader loads at once. What is longer than ``whole`` is cut into functions of ``part`` operations.
    ``fused`` says whether the processor multiplies and adds with one rounding; which pairs do is decided here
    (`nonholo.program.fused_rounding`), so that bits depend neither on where a program is cut nor on how carefully it is compiled.
    With ``strides`` (inputs, outputs) there is also ``void rows(double *out, const double *in, int64 count)``. With ``lanes``
    every number stands so many times side by side, in and out: one for each of so many input vectors.
    """
    found = dict(ready or {})
    order = ordered(program, outputs, found)
    length = len(order)
    if length <= WHOLE:  # then the order in which they were written keeps more in registers
        order.sort()
    quick = rounds_once() if fused is None else fused
    pairs = fused_pairs(program, order, outputs, found) if quick else {}
    absorbed = {pair.product for pair in pairs.values()}
    order = [i for i in order if i not in absorbed]
    writer = _Writer(program, found, lanes, pairs)
    if length <= whole:
        lines = list(writer.body(order))
        together = together if lanes == 1 else 1
        for place in range(0, len(outputs), together):
            lines += writer.store(place, [writer.operand(i) for i in outputs[place : place + together]])
        texts = [_function("void @run", f"{POINTERS}, ptr %data", lines, writer.frame)]
    else:
        texts = _in_parts(program, outputs, order, writer, part)
    heads = [
        f"declare double @{n}({', '.join(['double'] * k)}) memory(none) nounwind" for n, k in sorted(writer.functions)
    ]
    if pairs and not writer.angles:  # sine and cosine declare it themselves
        heads.append(f"declare {writer.kind} @llvm.fma.{writer.suffix}({', '.join([writer.kind] * 3)})")
    if writer.angles:
        heads.append(sincos(writer.functions, short=len(writer.angles) <= 8 and lanes == 1, fast=quick))
        heads += [wide_sincos(lanes, short=len(writer.angles) <= 8, fast=quick)] if lanes > 1 else []
    texts += [_rows(*strides)] if strides else []
    return "\n".join([*heads, f"declare {writer.kind} @llvm.sqrt.{writer.suffix}({writer.kind})", *texts])


def ordered(program: Program, outputs: Sequence[int], ready: Mapping[int, int]) -> list[int]:
    """The operations that outputs need, each just before the first that needs it; sine and cosine of an angle together."""
    order: list[int] = []
    seen: set[int] = set()
    for output in outputs:
        work = [(output, 0)]
        while work:
            i, k = work.pop()
            if i in seen:
                continue
            kind, of, _ = program.operations[i]
            if i not in ready and k < len(of):
                work.append((i, k + 1))
                if of[k] not in seen:
                    work.append((of[k], 0))
                continue
            seen.add(i)
            if kind != "number":
                order.append(i)
    used = set(order)
    result: dict[int, None] = {}
    for i in order:
        result[i] = None
        kind, of, _ = program.operations[i]
        if kind in ("sin", "cos") and i not in ready:
            other = program.known.get(Operation("cos" if kind == "sin" else "sin", of), -1)
            if other in used and other not in ready:
                result[other] = None
    return list(result)


@dataclass
class _Here:
    """The values that one function computes, those it loads from the shared buffer, and those it has so far."""

    own: set[int]
    room: Mapping[int, int]
    done: set[int] = field(default_factory=set)
    angles: set[int] = field(default_factory=set)


class _Writer:
    """Writes operations as LLVM's text; remembers which functions and angles occur."""

    def __init__(
        self, program: Program, ready: Mapping[int, int], lanes: int = 1, pairs: Mapping[int, FusedPair] = NOWHERE
    ) -> None:
        self.program, self.ready, self.lanes, self.pairs = program, ready, lanes, pairs
        self.kind, self.bit, self.suffix = scalar_or_wide(lanes)
        self.frame = f"alignstack({8 * lanes})" if lanes > 1 else ""
        """Values on the stack would straddle cache lines: a quarter of the time of a long program."""
        self.functions: set[tuple[str, int]] = set()
        self.angles: set[int] = set()

    def operand(self, i: int) -> str:
        """A value by its name, or a number."""
        value = self.program.value(i)
        return f"%v{i}" if value is None else literal(value, self.lanes)

    def body(
        self, order: Sequence[int], room: Mapping[int, int] = NOWHERE, out: Mapping[int, Sequence[int]] = NOWHERE
    ) -> Iterator[str]:
        """The lines of these operations; values in the ``room``, a shared buffer, are loaded or stored."""
        here = _Here(set(order), room)
        for i in order:
            yield from self._value(i, here)
            if i in room:
                yield f"%k{i} = getelementptr {self.kind}, ptr %to, i64 {room[i]}"
                yield f"store {self.kind} %v{i}, ptr %k{i}, align 8"
            for place in out.get(i, ()):
                yield from self.store(place, [f"%v{i}"])

    def _value(self, i: int, here: _Here) -> Iterator[str]:
        kind, of, detail = self.program.operations[i]
        if i in here.done or kind == "number":
            return
        here.done.add(i)
        kind_of = self.kind
        place = self.ready.get(i, int(detail) if kind == "input" else -1)
        if place >= 0 or (i in here.room and i not in here.own):
            source, place = ("%in", place) if place >= 0 else ("%from", here.room[i])
            yield f"%p{i} = getelementptr {kind_of}, ptr {source}, i64 {place}"
            yield f"%v{i} = load {kind_of}, ptr %p{i}, align 8"
            return
        pair = self.pairs.get(i)
        for j in of if pair is None else pair.of:
            if j not in here.done:
                yield from self._value(j, here)
        if pair is not None:
            yield from self._fused(i, pair)
            return
        args = [self.operand(j) for j in of]
        if kind in BINARY:
            yield f"%v{i} = {BINARY[kind]} {kind_of} {args[0]}, {args[1]}"
        elif kind == "negate":
            yield f"%v{i} = fneg {kind_of} {args[0]}"
        elif kind == "sqrt":
            yield f"%v{i} = call {kind_of} @llvm.sqrt.{self.suffix}({kind_of} {args[0]})"
        elif kind in ("sin", "cos"):
            both = f"{{{kind_of}, {kind_of}}}"
            if of[0] not in here.angles:
                here.angles.add(of[0])
                self.angles.add(of[0])
                name = "nonholo_sincos" if self.lanes == 1 else "nonholo_wide_sincos"
                yield f"%a{of[0]} = call {both} @{name}({kind_of} {args[0]})"
            yield f"%v{i} = extractvalue {both} %a{of[0]}, {int(kind == 'cos')}"
        elif kind == "compare":
            yield f"%v{i} = fcmp {detail} {kind_of} {args[0]}, {args[1]}"
        elif kind == "choose":
            yield f"%v{i} = select {self.bit} {args[0]}, {kind_of} {args[1]}, {kind_of} {args[2]}"
        else:
            self.functions.add((str(detail), len(of)))
            if self.lanes > 1:
                yield from calls_by_lane(f"v{i}", str(detail), args, self.lanes)
            else:
                yield f"%v{i} = call double @{detail}({', '.join('double ' + a for a in args)})"

    def _fused(self, i: int, pair: FusedPair) -> Iterator[str]:
        """``± a b ± c`` with one rounding; a change of sign is exact, and part of the instruction."""
        args = [self.operand(j) for j in pair.of]
        for k, turned in ((0, pair.minus_product), (2, pair.minus_other)):
            if turned:
                yield f"%n{i} = fneg {self.kind} {args[k]}"
                args[k] = f"%n{i}"
        given = ", ".join(f"{self.kind} {a}" for a in args)
        yield f"%v{i} = call {self.kind} @llvm.fma.{self.suffix}({given})"

    def of(self, i: int) -> Iterator[int]:
        """The operands of a value, through comparisons, which every part computes for itself."""
        pair = self.pairs.get(i)
        for j in self.program.operations[i].of if pair is None else pair.of:
            if self.program.operations[j].kind == "compare":
                yield from self.of(j)
            else:
                yield j

    def store(self, place: int, values: Sequence[str]) -> list[str]:
        """Store up to four outputs at once: who then loads four at once need not wait for four stores."""
        lines = [f"%o{place} = getelementptr {self.kind}, ptr %out, i64 {place}"]
        if len(values) == 1:
            return [*lines, f"store {self.kind} {values[0]}, ptr %o{place}, align 8"]
        last, kind = "undef", f"<{len(values)} x double>"
        for lane, value in enumerate(values):
            lines.append(f"%l{place + lane} = insertelement {kind} {last}, double {value}, i32 {lane}")
            last = f"%l{place + lane}"
        return [*lines, f"store {kind} {last}, ptr %o{place}, align 8"]


def _in_parts(
    program: Program, outputs: Sequence[int], order: Sequence[int], writer: _Writer, size: int
) -> list[str]:
    """``run`` as a row of calls of its parts, which exchange values in a buffer on the stack.

    Comparisons have no place there: each part makes its own.
    """
    computed = [
        i for i in order if i not in writer.ready and program.operations[i].kind not in ("input", "compare")
    ]
    parts = [computed[k : k + size] for k in range(0, len(computed), size)]
    home = {i: k for k, part in enumerate(parts) for i in part}
    room: dict[int, int] = {}
    for i in computed:
        for j in writer.of(i):
            if j in home and home[j] != home[i]:
                room.setdefault(j, len(room))
    out: dict[int, list[int]] = {}
    loose: list[str] = []
    seen: set[int] = set()
    for place, i in enumerate(outputs):
        if i in home:
            out.setdefault(i, []).append(place)
        else:
            loose += writer.body([i]) if i not in seen else ()
            seen.add(i)
            loose += writer.store(place, [writer.operand(i)])
    pointers = f"{POINTERS}, ptr noalias nocapture readonly %from, ptr noalias nocapture %to"
    texts, calls = [], []
    for k, part in enumerate(parts):
        lines = list(writer.body(part, room, out))
        texts.append(_function(f"internal void @part{k}", pointers, lines, f"noinline {writer.frame}"))
        calls.append(f"call void @part{k}(ptr %out, ptr %in, ptr %room, ptr %room)")
    start = f"%room = alloca {writer.kind}, i64 {max(len(room), 1)}"
    return [*texts, _function("void @run", f"{POINTERS}, ptr %data", [start, *calls, *loose], writer.frame)]


def _function(name: str, arguments: str, lines: Sequence[str], attributes: str = "") -> str:
    return "\n".join([f"define {name}({arguments}) nounwind {attributes} {{", *lines, "ret void", "}"])


def _rows(inputs: int, outputs: int) -> str:
    """Call ``run`` for every row of a table."""
    return f"""define void @rows(ptr %out, ptr %in, i64 %count) nounwind {{
entry:
br label %test
test:
%i = phi i64 [0, %entry], [%next, %work]
%more = icmp slt i64 %i, %count
br i1 %more, label %work, label %end
work:
%a = mul i64 %i, {inputs}
%b = mul i64 %i, {outputs}
%from = getelementptr double, ptr %in, i64 %a
%to = getelementptr double, ptr %out, i64 %b
call void @run(ptr %to, ptr %from, ptr null)
%next = add i64 %i, 1
br label %test
end:
ret void
}}"""


@cache
def _processor() -> tuple[Any, str, str, bool]:
    """This processor: its kind, its name, all it can do, and whether it multiplies and adds with one rounding."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    target = llvm.Target.from_default_triple()
    fused = bool(features.get("fma")) or target.name.startswith(("aarch64", "arm64"))
    return target, llvm.get_host_cpu_name(), features.flatten(), fused


def rounds_once() -> bool:
    """Whether this processor multiplies and adds with one rounding."""
    return _processor()[3]


@cache
def _passes() -> tuple[Any, ...]:
    """What LLVM does with every text, made once: each builder of passes leaves some 3 kB behind when it is gone."""
    target, cpu, features, _ = _processor()
    machine = target.create_target_machine(cpu=cpu, features=features, opt=1, jit=True)
    options = llvm.create_pipeline_tuning_options(speed_level=0)
    builder = llvm.create_pass_builder(machine, options)
    return builder.getModulePassManager(), builder, options, machine


def load(text: str, name: str = "run", level: int = 1) -> tuple[int, Any]:
    """Compile LLVM's text; returns the address of a function and its owner.

    Subexpressions are shared already, so LLVM's optimiser is left out but for putting sines and cosines in place:
    it would take a third of the time and gain nothing. Its code generator gains nothing beyond level 1 either; at level 0 it
    takes a fifth of the time for code that runs half as fast, right for what is called seldom.
    """
    target, cpu, features, _ = _processor()
    machine = target.create_target_machine(cpu=cpu, features=features, opt=level, jit=True)  # the engine will own it
    module = llvm.parse_assembly(text)
    module.triple = llvm.get_default_triple()
    module.data_layout = str(machine.target_data)
    passes, builder, *_ = _passes()
    passes.run(module, builder)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return int(engine.get_function_address(name)), engine


def processor() -> str:
    """Name and features of this processor and the version of LLVM: what machine code depends on beside its source."""
    _, cpu, features, _ = _processor()
    return f"{llvm.get_default_triple()} {cpu} {features} {llvm.llvm_version_info}"


def object_code(bitcode: bytes) -> bytes:
    """LLVM's bitcode, which is optimised already but for no processor in particular, as object code for this one."""
    target, cpu, features, _ = _processor()
    placed = "static" if target.name.startswith("x86") else "default"  # constants are found by their address, without a sum
    machine = target.create_target_machine(cpu=cpu, features=features, opt=3, reloc=placed, jit=True)
    module = llvm.parse_bitcode(bitcode)
    module.triple = llvm.get_default_triple()
    module.data_layout = str(machine.target_data)
    return bytes(machine.emit_object(module))


def load_object(code: bytes) -> Callable[[str], int]:
    """Object code in this process: a function that returns the addresses of its functions and owns them."""
    target, cpu, features, _ = _processor()
    machine = target.create_target_machine(cpu=cpu, features=features, opt=0, jit=True)  # the engine will own it
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()

    def address(name: str) -> int:
        return int(engine.get_function_address(name))

    return address
