"""The same operations on several numbers side by side, as LLVM's text: one lane for each of several motions.

Every lane has the very bits that it would have alone: all operations are by lane, in the order of the single program, and
functions of the C library are called for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nonholo.program.sincos import FAR, literal, quick

_LITERAL = re.compile(r"0x[0-9A-F]{16}")
_WHOLE = re.compile(r", (-?[0-9]+)$")


def scalar_or_wide(lanes: int) -> tuple[str, str, str]:
    """LLVM's words for numbers, truth values and the names of its functions, for so many lanes.

    >>> scalar_or_wide(8)
    ('<8 x double>', '<8 x i1>', 'v8f64')
    """
    if lanes == 1:
        return "double", "i1", "f64"
    return f"<{lanes} x double>", f"<{lanes} x i1>", f"v{lanes}f64"


def widened(line: str, lanes: int) -> str:
    """A line on one number as the line on many.

    >>> widened("%z = fmul double %r, %r", 4)
    '%z = fmul <4 x double> %r, %r'
    """
    kind, bit, suffix = scalar_or_wide(lanes)
    if "i64" in line:
        line = _WHOLE.sub(lambda m: f", <{', '.join([f'WHOLE {m[1]}'] * lanes)}>", line)
    line = _LITERAL.sub(lambda m: f"<{', '.join([f'ONE {m[0]}'] * lanes)}>", line)
    line = line.replace(".f64", f".{suffix}").replace("double", kind).replace("i64", f"<{lanes} x i64>")
    return re.sub(r"(?<!%)\bi1\b", bit, line).replace("ONE ", "double ").replace("WHOLE ", "i64 ")


def calls_by_lane(name: str, function: str, arguments: Sequence[str], lanes: int) -> Iterator[str]:
    """A function of the C library for each lane."""
    kind, last = scalar_or_wide(lanes)[0], "undef"
    for lane in range(lanes):
        for k, argument in enumerate(arguments):
            yield f"%{name}a{k}l{lane} = extractelement {kind} {argument}, i32 {lane}"
        given = ", ".join(f"double %{name}a{k}l{lane}" for k in range(len(arguments)))
        yield f"%{name}r{lane} = call double @{function}({given})"
        to = f"%{name}" if lane == lanes - 1 else f"%{name}i{lane}"
        yield f"{to} = insertelement {kind} {last}, double %{name}r{lane}, i32 {lane}"
        last = to


def wide_sincos(lanes: int, short: bool, fast: bool) -> str:
    """Sine and cosine of all lanes; where one angle is far (or no number) each lane by the single function."""
    kind, bit, suffix = scalar_or_wide(lanes)
    pair, mask = f"{{{kind}, {kind}}}", f"i{lanes}"
    slow, sine, cosine = [], "undef", "undef"
    for lane in range(lanes):
        slow += [
            f"%x{lane} = extractelement {kind} %x, i32 {lane}",
            f"%f{lane} = call {{double, double}} @nonholo_sincos(double %x{lane})",
            f"%fs{lane} = extractvalue {{double, double}} %f{lane}, 0",
            f"%fc{lane} = extractvalue {{double, double}} %f{lane}, 1",
            f"%s_{lane} = insertelement {kind} {sine}, double %fs{lane}, i32 {lane}",
            f"%c_{lane} = insertelement {kind} {cosine}, double %fc{lane}, i32 {lane}",
        ]
        sine, cosine = f"%s_{lane}", f"%c_{lane}"
    lines = [
        "entry:",
        f"%size = call {kind} @llvm.fabs.{suffix}({kind} %x)",
        f"%each = fcmp ole {kind} %size, {literal(FAR, lanes)}",
        f"%bitmask = bitcast {bit} %each to {mask}",
        f"%near = icmp eq {mask} %bitmask, -1",
        "br i1 %near, label %quick, label %slow, !prof !0",
        "slow:",
        *slow,
        f"%g0 = insertvalue {pair} undef, {kind} {sine}, 0",
        f"%g1 = insertvalue {pair} %g0, {kind} {cosine}, 1",
        f"ret {pair} %g1",
        "quick:",
        *(widened(line, lanes) for line in quick(fast)),
        f"%o0 = insertvalue {pair} undef, {kind} %d0, 0",
        f"%o1 = insertvalue {pair} %o0, {kind} %d1, 1",
        f"ret {pair} %o1",
    ]
    heads = [
        f"declare {kind} @llvm.{name}.{suffix}({', '.join([kind] * count)})"
        for name, count in (("fabs", 1), ("fmuladd", 3), ("fma", 3))
    ]
    inside = "alwaysinline" if short else ""
    head = f"define internal {pair} @nonholo_wide_sincos({kind} %x) nounwind {inside} {{"
    return "\n".join([*heads, head, *lines, "}"])
