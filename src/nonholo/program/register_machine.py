"""Interpret programs by a compiled register machine, for code that is called too rarely to compile.

LLVM takes some milliseconds for the shortest function; a tape is made in the time it takes to write it down, and gives the same
bits: the same products are rounded once (`nonholo.program.fused_rounding`), and sine and cosine are the same instructions
(`nonholo.program.sincos`).
The machine itself is compiled once in a process, in 8 ms.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from nonholo.program.sincos import sincos

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


@cache
def machine() -> tuple[int, Any]:
    """The address of the machine and its owner; made once in a process."""
    from nonholo.program.llvm_jit import load, rounds_once

    return load(text(rounds_once()), level=0)


def text(fast: bool) -> str:
    """The machine in LLVM's language; ``fast`` where the processor multiplies and adds with one rounding."""
    blocks = [line for word in WORDS[1:] for line in _block(word)]
    cases = " ".join(f"i32 {k}, label %{word}" for word, k in NUMBER.items() if k)
    came = ", ".join(f"[%pc.{word}, %{word}]" for word in WORDS[1:])
    went = came.replace("%pc", "%to")
    declared = [f"declare double @{n}(double) memory(none) nounwind" for n in UNARY]
    declared += [f"declare double @{n}(double, double) memory(none) nounwind" for n in BINARY]
    return "\n".join(
        [
            sincos(set(), short=False, fast=fast),
            "declare double @llvm.sqrt.f64(double)",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
            *declared,
            "define void @run(ptr noalias %out, ptr noalias readonly %in, ptr noalias readonly %tape) nounwind {",
            "entry:",
            *(f"%at.{n} = getelementptr i64, ptr %tape, i64 {k}\n%{n} = load i64, ptr %at.{n}" for k, n in enumerate(
                ("inputs", "constants", "outputs", "registers"))),
            f"%numbers = getelementptr i64, ptr %tape, i64 {HEAD}",
            "%code = getelementptr i64, ptr %numbers, i64 %constants",
            "%value = alloca double, i64 %registers, align 64",
            "%given = mul i64 %inputs, 8",
            "call void @llvm.memcpy.p0.p0.i64(ptr %value, ptr %in, i64 %given, i1 false)",
            "%fixed = getelementptr double, ptr %value, i64 %inputs",
            "%known = mul i64 %constants, 8",
            "call void @llvm.memcpy.p0.p0.i64(ptr %fixed, ptr %numbers, i64 %known, i1 false)",
            "%start = getelementptr double, ptr %fixed, i64 %constants",
            "br label %next",
            "next:",
            f"%pc = phi ptr [%code, %entry], {came}",
            f"%to = phi ptr [%start, %entry], {went}",
            "%word = load i32, ptr %pc",
            *(f"%p{k} = getelementptr i32, ptr %pc, i64 {k}\n%n{k} = load i32, ptr %p{k}\n%x{k} = zext i32 %n{k} to i64\n"
              f"%r{k} = getelementptr double, ptr %value, i64 %x{k}" for k in (1, 2, 3)),
            f"switch i32 %word, label %end [{cases}]",
            *blocks,
            "end:",
            "%asked = getelementptr i32, ptr %pc, i64 1",
            "br label %test",
            "test:",
            "%i = phi i64 [0, %end], [%j, %copy]",
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
        ]
    )  # fmt: skip


def width(word: str) -> int:
    """How many registers an instruction reads."""
    if word in FUSED or word == "choose":
        return 3
    return 2 if word in (*SIGNS, *COMPARISONS, *BINARY) else 1


def _block(word: str) -> list[str]:
    """One instruction: load what it reads, compute, store into the next register (two of them for sine and cosine)."""
    lines = [f"{word}:"]
    args = [f"%v{k}.{word}" for k in range(1, width(word) + 1)]
    lines += [f"{name} = load double, ptr %r{k}" for k, name in enumerate(args, 1)]
    made, used = f"%w.{word}", 1
    if word in SIGNS:
        lines.append(f"{made} = {SIGNS[word]} double {args[0]}, {args[1]}")
    elif word in FUSED:
        turned = {"fused_less": 2, "less_fused": 0}.get(word)
        if turned is not None:
            lines.append(f"%n.{word} = fneg double {args[turned]}")
            args[turned] = f"%n.{word}"
        lines.append(f"{made} = call double @llvm.fma.f64({', '.join(f'double {a}' for a in args)})")
    elif word == "negate":
        lines.append(f"{made} = fneg double {args[0]}")
    elif word == "sincos":
        lines += [
            f"%both = call {{double, double}} @nonholo_sincos(double {args[0]})",
            f"{made} = extractvalue {{double, double}} %both, 0",
            "%cosine = extractvalue {double, double} %both, 1",
            "%beside = getelementptr double, ptr %to, i64 1",
            "store double %cosine, ptr %beside",
        ]
        used = 2
    elif word == "choose":
        lines.append(f"%c.{word} = fcmp une double {args[0]}, 0.0")
        lines.append(f"{made} = select i1 %c.{word}, double {args[1]}, double {args[2]}")
    elif word in COMPARISONS:
        lines.append(f"%c.{word} = fcmp {word} double {args[0]}, {args[1]}")
        lines.append(f"{made} = uitofp i1 %c.{word} to double")
    else:
        name = "llvm.sqrt.f64" if word == "sqrt" else word
        lines.append(f"{made} = call double @{name}({', '.join(f'double {a}' for a in args)})")
    return [
        *lines,
        f"store double {made}, ptr %to",
        f"%to.{word} = getelementptr double, ptr %to, i64 {used}",
        f"%pc.{word} = getelementptr i32, ptr %pc, i64 {1 + width(word)}",
        "br label %next",
    ]
