"""Interpret programs by a compiled register machine, for code that is called too rarely to compile.

LLVM takes some milliseconds for the shortest function; a tape is made in the time it takes to write it down, and gives the same
bits: the same products are rounded once (`nonholo.program.fused_rounding`), and sine and cosine are the same instructions
(`nonholo.program.sincos`).
Operations of one kind stand side by side in a tape, so that the processor foresees most of its jumps: an operation takes 2 ns.
The machine is compiled once in a process, in 10 ms. A second one takes 3 ns for `LANES` input vectors at once, each with the
bits that it has alone.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from nonholo.program.sincos import literal, sincos
from nonholo.program.vector_lanes import calls_by_lane, scalar_or_wide, wide_sincos

UNARY = (
    "fabs", "floor", "ceil", "trunc", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "log",
    "exp", "tgamma", "lgamma", "erf", "erfc",
)  # fmt: skip
BINARY = ("atan2", "pow", "fmax", "fmin")
COMPARISONS = ("oeq", "une", "ole", "olt", "oge", "ogt")
SIGNS = {"add": "fadd", "subtract": "fsub", "multiply": "fmul", "divide": "fdiv"}
FUSED = ("fused", "fused_less", "less_fused")
"""``a b + c``, ``a b − c``, ``c − a b``, each rounded once."""
WORDS = ("end", *SIGNS, *FUSED, "negate", "sqrt", "sincos", "choose", *COMPARISONS, *UNARY, *BINARY)
NUMBER = {word: k for k, word in enumerate(WORDS)}
"""What each instruction is called in a tape."""
HEAD = 4
"""A tape begins with how many inputs, constants, outputs and registers there are."""
LANES = 8
"""So many input vectors are computed at once."""


@cache
def machine() -> tuple[int, Any]:
    """The address of ``run(out, in, tape)`` and its owner; made once in a process."""
    from nonholo.program.llvm_jit import load, rounds_once

    return load(text(rounds_once()), level=0)


@cache
def wide_machine() -> tuple[int, Any]:
    """The address of ``work(registers, code)`` for `LANES` numbers in every register, and its owner."""
    from nonholo.program.llvm_jit import load, rounds_once

    return load(text(rounds_once(), LANES), "work", level=1)


def text(fast: bool, lanes: int = 1) -> str:
    """The machine in LLVM's language; ``fast`` where the processor multiplies and adds with one rounding."""
    kind, _, suffix = scalar_or_wide(lanes)
    cases = " ".join(f"i32 {k}, label %{word}" for word, k in NUMBER.items() if k)
    came = ", ".join(f"[%on.{word}, %do.{word}]" for word in WORDS[1:])
    declared = [f"declare double @{n}(double) memory(none) nounwind" for n in UNARY]
    declared += [f"declare double @{n}(double, double) memory(none) nounwind" for n in BINARY]
    declared += [wide_sincos(lanes, short=False, fast=fast)] if lanes > 1 else []
    return "\n".join(
        [
            sincos(set(), short=False, fast=fast),
            *declared,
            f"declare {kind} @llvm.sqrt.{suffix}({kind})",
            "define void @work(ptr noalias %value, ptr noalias readonly %code) nounwind {",
            "entry:",
            "br label %next",
            "next:",
            f"%pc = phi ptr [%code, %entry], {came}",
            "%word = load i32, ptr %pc",
            "%at = getelementptr i32, ptr %pc, i64 1",
            "%count = load i32, ptr %at",
            "%first = getelementptr i32, ptr %pc, i64 2",
            f"switch i32 %word, label %end [{cases}]",
            *(line for word in WORDS[1:] for line in _block(word, lanes)),
            "end:",
            "ret void",
            "}",
            *(RUN if lanes == 1 else ()),
        ]
    )


RUN = (
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "define void @run(ptr noalias %out, ptr noalias readonly %in, ptr noalias readonly %tape) nounwind {",
    "entry:",
    *(
        f"%at.{n} = getelementptr i64, ptr %tape, i64 {k}\n%{n} = load i64, ptr %at.{n}"
        for k, n in enumerate(("inputs", "constants", "outputs", "registers"))
    ),
    f"%numbers = getelementptr i64, ptr %tape, i64 {HEAD}",
    "%asked = getelementptr i64, ptr %numbers, i64 %constants",
    "%code = getelementptr i32, ptr %asked, i64 %outputs",
    "%value = alloca double, i64 %registers, align 64",
    "%given = mul i64 %inputs, 8",
    "call void @llvm.memcpy.p0.p0.i64(ptr %value, ptr %in, i64 %given, i1 false)",
    "%fixed = getelementptr double, ptr %value, i64 %inputs",
    "%known = mul i64 %constants, 8",
    "call void @llvm.memcpy.p0.p0.i64(ptr %fixed, ptr %numbers, i64 %known, i1 false)",
    "call void @work(ptr %value, ptr %code)",
    "br label %test",
    "test:",
    "%i = phi i64 [0, %entry], [%j, %copy]",
    "%more = icmp slt i64 %i, %outputs",
    "br i1 %more, label %copy, label %leave",
    "copy:",
    "%which = getelementptr i32, ptr %asked, i64 %i",
    "%place = load i32, ptr %which",
    "%wide = zext i32 %place to i64",
    "%source = getelementptr double, ptr %value, i64 %wide",
    "%found = load double, ptr %source",
    "%target = getelementptr double, ptr %out, i64 %i",
    "store double %found, ptr %target",
    "%j = add i64 %i, 1",
    "br label %test",
    "leave:",
    "ret void",
    "}",
)
"""Inputs and constants into registers, the work, and the outputs out of them."""


def width(word: str) -> int:
    """How many registers an instruction reads."""
    if word in FUSED or word == "choose":
        return 3
    return 2 if word in (*SIGNS, *COMPARISONS, *BINARY) else 1


def _block(word: str, lanes: int) -> list[str]:
    """So many instructions of a kind: load what each reads, compute, store (sine and cosine into two registers)."""
    kind, bit, suffix = scalar_or_wide(lanes)
    count = width(word)
    lines = [
        f"{word}:",
        f"br label %do.{word}",
        f"do.{word}:",
        f"%here.{word} = phi ptr [%first, %{word}], [%on.{word}, %do.{word}]",
        f"%left.{word} = phi i32 [%count, %{word}], [%less.{word}, %do.{word}]",
    ]
    for k in range(count + 1):
        lines += [
            f"%p{k}.{word} = getelementptr i32, ptr %here.{word}, i64 {k}",
            f"%n{k}.{word} = load i32, ptr %p{k}.{word}",
            f"%x{k}.{word} = zext i32 %n{k}.{word} to i64",
            f"%r{k}.{word} = getelementptr {kind}, ptr %value, i64 %x{k}.{word}",
        ]
    args = [f"%v{k}.{word}" for k in range(1, count + 1)]
    lines += [f"{name} = load {kind}, ptr %r{k}.{word}, align 8" for k, name in enumerate(args, 1)]
    given = ", ".join(f"{kind} {a}" for a in args)
    made = f"%w.{word}"
    if word in SIGNS:
        lines.append(f"{made} = {SIGNS[word]} {kind} {args[0]}, {args[1]}")
    elif word in FUSED:
        turned = {"fused_less": 2, "less_fused": 0}.get(word)
        if turned is not None:
            lines.append(f"%n.{word} = fneg {kind} {args[turned]}")
            args[turned] = f"%n.{word}"
        lines.append(f"{made} = call {kind} @llvm.fma.{suffix}({', '.join(f'{kind} {a}' for a in args)})")
    elif word == "negate":
        lines.append(f"{made} = fneg {kind} {args[0]}")
    elif word == "sincos":
        both = f"{{{kind}, {kind}}}"
        lines += [
            f"%both = call {both} @nonholo_{'wide_' if lanes > 1 else ''}sincos({given})",
            f"{made} = extractvalue {both} %both, 0",
            f"%cosine = extractvalue {both} %both, 1",
            f"%beside = getelementptr {kind}, ptr %r0.{word}, i64 1",
            f"store {kind} %cosine, ptr %beside, align 8",
        ]
    elif word == "choose":
        lines.append(f"%c.{word} = fcmp une {kind} {args[0]}, {literal(0.0, lanes)}")
        lines.append(f"{made} = select {bit} %c.{word}, {kind} {args[1]}, {kind} {args[2]}")
    elif word in COMPARISONS:
        lines.append(f"%c.{word} = fcmp {word} {kind} {args[0]}, {args[1]}")
        lines.append(f"{made} = uitofp {bit} %c.{word} to {kind}")
    elif word == "sqrt":
        lines.append(f"{made} = call {kind} @llvm.sqrt.{suffix}({given})")
    else:
        lines += calls_by_lane(made[1:], word, args, lanes) if lanes > 1 else [f"{made} = call double @{word}({given})"]
    return [
        *lines,
        f"store {kind} {made}, ptr %r0.{word}, align 8",
        f"%on.{word} = getelementptr i32, ptr %here.{word}, i64 {1 + count}",
        f"%less.{word} = sub i32 %left.{word}, 1",
        f"%more.{word} = icmp ne i32 %less.{word}, 0",
        f"br i1 %more.{word}, label %do.{word}, label %next",
    ]
