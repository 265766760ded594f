"""Operations -> LLVM -> machine code in this process."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from nonholo.algebra.program import Program


def _literal(value: float) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


SIN = (
    -0.16666666666666666, 0.008333333333330901, -0.00019841269836686008, 2.7557316064986773e-06,
    -2.505112403138208e-08, 1.59175674789068e-10,
)  # fmt: skip
"""(sin r / r − 1) / r² in powers of r², for |r| ≤ π/4, to 2e-17 (a Chebyshev fit)."""
COS = (
    0.041666666666666664, -0.0013888888888887367, 2.480158729872029e-05, -2.7557317248229367e-07,
    2.0876141380294955e-09, -1.1382280957702634e-11,
)  # fmt: skip
"""(cos r − 1 + r²/2) / r⁴ in powers of r², for |r| ≤ π/4, to 1e-18."""
QUARTERS = float.fromhex("0x1.45f306dc9c883p-1")
"""2/π."""
QUARTER = tuple(float.fromhex(p) for p in ("0x1.921fb54400000p+0", "0x1.0b4611a600000p-34", "0x1.3198a2e037073p-69"))
"""π/2 in parts of 33, 33 and 53 bits, so that their products with small whole numbers are exact. [Cody, Waite 1980]"""
QUARTER_TWICE = (float.fromhex("0x1.921fb54442d18p+0"), float.fromhex("0x1.1a62633145c07p-54"))
"""π/2 in two parts of 53 bits, for processors that multiply and add with one rounding."""
SHIFT = _literal(6755399441055744.0)
"""1.5 · 2^52: adding it rounds to a whole number, whose last bits are the last bits of the sum."""
FEW = 6
"""Up to so many state variables are moved one by one: see `nonholo.integrate.loops.compiled.combination`."""
FAR = 1e5
"""Beyond this the C library reduces the angle."""
BINARY = {"add": "fadd contract", "subtract": "fsub contract", "multiply": "fmul contract", "divide": "fdiv"}


def listing(
    program: Program, outputs: Sequence[int], ready: Mapping[int, int] | None = None, together: int = 4
) -> str:
    """LLVM's text of ``void run(double *out, const double *in, void *data)``.

    Values in ``ready`` are not computed but found at their places of the input vector. So many outputs are stored
    ``together`` as their reader loads at once.
    """
    loaded = dict(ready or {})
    body: list[str] = []
    functions: set[tuple[str, int]] = set()
    angles: set[int] = set()
    needed = _needed(program, outputs, loaded)
    for i, (kind, of, detail) in enumerate(program.operations):
        if i not in needed or kind == "number":
            continue
        args = [_operand(program, j) for j in of]
        if kind == "input" or i in loaded:
            place = loaded.get(i, detail)
            body += [f"%p{i} = getelementptr double, ptr %in, i64 {place}", f"%v{i} = load double, ptr %p{i}"]
        elif kind in BINARY:
            body.append(f"%v{i} = {BINARY[kind]} double {args[0]}, {args[1]}")
        elif kind == "negate":
            body.append(f"%v{i} = fneg double {args[0]}")
        elif kind == "sqrt":
            body.append(f"%v{i} = call double @llvm.sqrt.f64(double {args[0]})")
        elif kind in ("sin", "cos"):
            if of[0] not in angles:
                angles.add(of[0])
                body.append(f"%a{of[0]} = call {{double, double}} @nonholo_sincos(double {args[0]})")
            body.append(f"%v{i} = extractvalue {{double, double}} %a{of[0]}, {int(kind == 'cos')}")
        elif kind == "compare":
            body.append(f"%v{i} = fcmp {detail} double {args[0]}, {args[1]}")
        elif kind == "choose":
            body.append(f"%v{i} = select i1 {args[0]}, double {args[1]}, double {args[2]}")
        else:
            functions.add((str(detail), len(of)))
            body.append(f"%v{i} = call double @{detail}({', '.join('double ' + a for a in args)})")
    for place in range(0, len(outputs), together):
        body += _store(place, [_operand(program, i) for i in outputs[place : place + together]])
    heads = [f"declare double @{n}({', '.join(['double'] * k)}) memory(none) nounwind" for n, k in sorted(functions)]
    if angles:
        heads.append(_sincos(functions, short=len(angles) <= 8, fast=_processor()[3]))
    return "\n".join(
        [
            *heads,
            "declare double @llvm.sqrt.f64(double)",
            "define void @run(ptr noalias nocapture %out, ptr noalias nocapture readonly %in, ptr %data) nounwind {",
            *(f"  {line}" for line in body),
            "  ret void",
            "}",
        ]
    )


def _store(place: int, values: Sequence[str]) -> list[str]:
    """Store up to four outputs at once: who then loads four at once need not wait for four stores."""
    lines = [f"%o{place} = getelementptr double, ptr %out, i64 {place}"]
    if len(values) == 1:
        return [*lines, f"store double {values[0]}, ptr %o{place}, align 8"]
    last, kind = "undef", f"<{len(values)} x double>"
    for lane, value in enumerate(values):
        lines.append(f"%l{place + lane} = insertelement {kind} {last}, double {value}, i32 {lane}")
        last = f"%l{place + lane}"
    return [*lines, f"store {kind} {last}, ptr %o{place}, align 8"]


def _operand(program: Program, i: int) -> str:
    value = program.value(i)
    return f"%v{i}" if value is None else _literal(value)


def _needed(program: Program, outputs: Sequence[int], loaded: Mapping[int, int]) -> set[int]:
    found: set[int] = set()
    work = list(outputs)
    while work:
        i = work.pop()
        if i not in found:
            found.add(i)
            if i not in loaded:
                work.extend(program.operations[i].of)
    return found


def _sincos(functions: set[tuple[str, int]], short: bool, fast: bool) -> str:
    """Sine and cosine together, without a call for ordinary angles; right to two units in the last place."""

    def fused(name: str, a: str, b: str, c: str) -> str:
        return f"%{name} = call double @llvm.fmuladd.f64(double {a}, double {b}, double {c})"

    def polynomial(label: str, coefficients: tuple[float, ...]) -> list[str]:
        """By pairs, for a short chain: (c0 + c1 z) + z² ((c2 + c3 z) + z² (c4 + c5 z))."""
        c = [_literal(x) for x in coefficients]
        return [
            fused(f"{label}0", c[1], "%z", c[0]),
            fused(f"{label}1", c[3], "%z", c[2]),
            fused(f"{label}2", c[5], "%z", c[4]),
            fused(f"{label}3", f"%{label}2", "%zz", f"%{label}1"),
            fused(f"{label}4", f"%{label}3", "%zz", f"%{label}0"),
        ]

    if fast:
        reduction = [
            f"%whole = call double @llvm.fma.f64(double %x, double {_literal(QUARTERS)}, double {SHIFT})",
            "%bits = bitcast double %whole to i64",
            f"%k = fsub double %whole, {SHIFT}",
            "%m = fneg double %k",
            f"%r1 = call double @llvm.fma.f64(double %m, double {_literal(QUARTER_TWICE[0])}, double %x)",
            f"%r = call double @llvm.fma.f64(double %m, double {_literal(QUARTER_TWICE[1])}, double %r1)",
        ]
    else:
        reduction = [
            f"%turn = fmul double %x, {_literal(QUARTERS)}",
            f"%whole = fadd double %turn, {SHIFT}",
            "%bits = bitcast double %whole to i64",
            f"%k = fsub double %whole, {SHIFT}",
            f"%k1 = fmul double %k, {_literal(QUARTER[0])}",
            "%r1 = fsub double %x, %k1",
            f"%k2 = fmul double %k, {_literal(QUARTER[1])}",
            "%r2 = fsub double %r1, %k2",
            f"%k3 = fmul double %k, {_literal(QUARTER[2])}",
            "%r = fsub double %r2, %k3",
        ]
    declared = [f"declare double @{f}(double) memory(none) nounwind" for f in ("sin", "cos") if (f, 1) not in functions]
    lines = [
        "entry:",
        "%size = call double @llvm.fabs.f64(double %x)",
        f"%near = fcmp ole double %size, {_literal(FAR)}",
        "br i1 %near, label %quick, label %slow, !prof !0",
        "slow:",
        "%fs = call double @sin(double %x)",
        "%fc = call double @cos(double %x)",
        "%f0 = insertvalue {double, double} undef, double %fs, 0",
        "%f1 = insertvalue {double, double} %f0, double %fc, 1",
        "ret {double, double} %f1",
        "quick:",
        *reduction,
        "%z = fmul double %r, %r",
        "%zz = fmul double %z, %z",
        *polynomial("s", SIN),
        *polynomial("c", COS),
        "%rz = fmul double %r, %z",
        "%sine = call double @llvm.fmuladd.f64(double %rz, double %s4, double %r)",
        f"%hz = fmul double %z, {_literal(0.5)}",
        f"%w = fsub double {_literal(1.0)}, %hz",
        f"%lost0 = fsub double {_literal(1.0)}, %w",
        "%lost = fsub double %lost0, %hz",
        "%tail = call double @llvm.fmuladd.f64(double %zz, double %c4, double %lost)",
        "%cosine = fadd double %w, %tail",
        "%odd0 = and i64 %bits, 1",
        "%odd = icmp ne i64 %odd0, 0",
        "%first = select i1 %odd, double %cosine, double %sine",
        "%second = select i1 %odd, double %sine, double %cosine",
        "%next = add i64 %bits, 1",
        "%flip0 = shl i64 %bits, 62",
        "%flip1 = shl i64 %next, 62",
        "%sign0 = and i64 %flip0, -9223372036854775808",
        "%sign1 = and i64 %flip1, -9223372036854775808",
        "%i0 = bitcast double %first to i64",
        "%i1 = bitcast double %second to i64",
        "%j0 = xor i64 %i0, %sign0",
        "%j1 = xor i64 %i1, %sign1",
        "%d0 = bitcast i64 %j0 to double",
        "%d1 = bitcast i64 %j1 to double",
        "%o0 = insertvalue {double, double} undef, double %d0, 0",
        "%o1 = insertvalue {double, double} %o0, double %d1, 1",
        "ret {double, double} %o1",
    ]
    return "\n".join(
        [
            *declared,
            "declare double @llvm.fabs.f64(double)",
            "declare double @llvm.fmuladd.f64(double, double, double)",
            "declare double @llvm.fma.f64(double, double, double)",
            '!0 = !{!"branch_weights", i32 100000, i32 1}',
            f"define internal {{double, double}} @nonholo_sincos(double %x) nounwind {'alwaysinline' if short else ''} {{",
            *lines,
            "}",
        ]
    )


@cache
def _processor() -> tuple[Any, str, str, bool]:
    """This processor: its kind, its name, all it can do, and whether it multiplies and adds with one rounding."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    target = llvm.Target.from_default_triple()
    fused = bool(features.get("fma")) or target.name.startswith(("aarch64", "arm64"))
    return target, llvm.get_host_cpu_name(), features.flatten(), fused


def load(text: str) -> tuple[int, Any]:
    """Compile LLVM's text; returns the address of ``run`` and the owner that keeps it alive.

    Subexpressions are shared already, so LLVM's optimiser is left out but for putting sines and cosines in place:
    it would take a third of the time and gain nothing. Its code generator gains nothing beyond level 1 either.
    """
    target, cpu, features, _ = _processor()
    machine = target.create_target_machine(cpu=cpu, features=features, opt=1, jit=True)  # the engine will own it
    module = llvm.parse_assembly(text)
    module.triple = llvm.get_default_triple()
    module.data_layout = str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=0)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return int(engine.get_function_address("run")), engine
