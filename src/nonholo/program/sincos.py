"""Sine and cosine together, as LLVM's text: right to two units in the last place, without a call for ordinary angles."""

from __future__ import annotations

import struct


def literal(value: float, lanes: int = 1) -> str:
    """A number as LLVM writes it, exact in every bit; a vector of so many of them."""
    one = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    return one if lanes == 1 else f"<{', '.join([f'double {one}'] * lanes)}>"


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
SHIFT = literal(6755399441055744.0)
"""1.5 · 2^52: adding it rounds to a whole number, whose last bits are the last bits of the sum."""
INLINE = "alwaysinline"
"""What has sine and cosine put in the place of every call."""
FAR = 1e5
"""Beyond this the C library reduces the angle."""


def quick(fast: bool) -> list[str]:
    """The lines that make ``%d0 = sin`` and ``%d1 = cos`` of an ordinary angle ``%x``; ``fast`` with fused operations."""

    def fused(name: str, a: str, b: str, c: str) -> str:
        return f"%{name} = call double @llvm.fmuladd.f64(double {a}, double {b}, double {c})"

    def polynomial(label: str, coefficients: tuple[float, ...]) -> list[str]:
        """By pairs, for a short chain: (c0 + c1 z) + z² ((c2 + c3 z) + z² (c4 + c5 z))."""
        c = [literal(x) for x in coefficients]
        return [
            fused(f"{label}0", c[1], "%z", c[0]),
            fused(f"{label}1", c[3], "%z", c[2]),
            fused(f"{label}2", c[5], "%z", c[4]),
            fused(f"{label}3", f"%{label}2", "%zz", f"%{label}1"),
            fused(f"{label}4", f"%{label}3", "%zz", f"%{label}0"),
        ]

    if fast:
        reduction = [
            f"%whole = call double @llvm.fma.f64(double %x, double {literal(QUARTERS)}, double {SHIFT})",
            "%bits = bitcast double %whole to i64",
            f"%k = fsub double %whole, {SHIFT}",
            "%m = fneg double %k",
            f"%r1 = call double @llvm.fma.f64(double %m, double {literal(QUARTER_TWICE[0])}, double %x)",
            f"%r = call double @llvm.fma.f64(double %m, double {literal(QUARTER_TWICE[1])}, double %r1)",
        ]
    else:
        reduction = [
            f"%turn = fmul double %x, {literal(QUARTERS)}",
            f"%whole = fadd double %turn, {SHIFT}",
            "%bits = bitcast double %whole to i64",
            f"%k = fsub double %whole, {SHIFT}",
            f"%k1 = fmul double %k, {literal(QUARTER[0])}",
            "%r1 = fsub double %x, %k1",
            f"%k2 = fmul double %k, {literal(QUARTER[1])}",
            "%r2 = fsub double %r1, %k2",
            f"%k3 = fmul double %k, {literal(QUARTER[2])}",
            "%r = fsub double %r2, %k3",
        ]
    return [
        *reduction,
        "%z = fmul double %r, %r",
        "%zz = fmul double %z, %z",
        *polynomial("s", SIN),
        *polynomial("c", COS),
        "%rz = fmul double %r, %z",
        "%sine = call double @llvm.fmuladd.f64(double %rz, double %s4, double %r)",
        f"%hz = fmul double %z, {literal(0.5)}",
        f"%w = fsub double {literal(1.0)}, %hz",
        f"%lost0 = fsub double {literal(1.0)}, %w",
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
    ]


def sincos(functions: set[tuple[str, int]], short: bool, fast: bool) -> str:
    """Sine and cosine together, without a call for ordinary angles; right to two units in the last place."""
    declared = [f"declare double @{f}(double) memory(none) nounwind" for f in ("sin", "cos") if (f, 1) not in functions]
    lines = [
        "entry:",
        "%size = call double @llvm.fabs.f64(double %x)",
        f"%near = fcmp ole double %size, {literal(FAR)}",
        "br i1 %near, label %quick, label %slow, !prof !0",
        "slow:",
        "%fs = call double @sin(double %x)",
        "%fc = call double @cos(double %x)",
        "%f0 = insertvalue {double, double} undef, double %fs, 0",
        "%f1 = insertvalue {double, double} %f0, double %fc, 1",
        "ret {double, double} %f1",
        "quick:",
        *quick(fast),
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
            f"define internal {{double, double}} @nonholo_sincos(double %x) nounwind {INLINE if short else ''} {{",
            *lines,
            "}",
        ]
    )
