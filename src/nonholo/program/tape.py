"""Program -> tape: the numbers that the machine of `nonholo.program.register_machine` reads."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping, Sequence

from nonholo.program.fused_rounding import fused_pairs
from nonholo.program.llvm_jit import ordered, rounds_once
from nonholo.program.program import Program
from nonholo.program.register_machine import NUMBER

SINCOS = NUMBER["sincos"]


def tape(program: Program, outputs: Sequence[int], inputs: int, ready: Mapping[int, int], fused: bool | None = None) -> bytes:
    """The outputs of a program as a tape; values in ``ready`` are not computed but found at their places of the input vector.

    Registers are the inputs, the constants, then what each instruction makes, in their order.

    >>> p = Program(fixed=2)
    >>> x, y = (p.put("input", detail=i) for i in range(2))
    >>> struct.unpack("=4q1d10i", tape(p, [p.add(p.multiply(x, y), p.number(0.5))], 2, {}, fused=False))
    (2, 1, 1, 5, 0.5, 3, 0, 1, 1, 3, 2, 0, 4, 0, 0)
    """
    order = ordered(program, outputs, ready)
    pairs = fused_pairs(program, order, outputs, ready) if (rounds_once() if fused is None else fused) else {}
    absorbed = {pair.product for pair in pairs.values()}
    operations, values = program.operations, program.values
    place: dict[int, int] = {}
    needed: list[tuple[int, str, tuple[int, ...]]] = []
    wanted: dict[int, None] = {i: None for i in outputs if values[i] is not None}
    for i in order:
        kind, of, detail = operations[i]
        found = ready.get(i, int(detail) if kind == "input" else -1)
        if found >= 0:
            place[i] = found
        elif i not in absorbed:
            pair = pairs.get(i)
            if pair is not None:
                kind, of = "less_fused" if pair.minus_product else "fused_less" if pair.minus_other else "fused", pair.of
            elif kind in ("call", "compare"):
                kind = str(detail)
            needed.append((i, kind, of))
            for j in of:
                if values[j] is not None:
                    wanted[j] = None
    for k, i in enumerate(wanted):
        place[i] = inputs + k
    code = array("i")
    angles: dict[int, int] = {}
    last = inputs + len(wanted)
    for i, kind, of in needed:
        if kind in ("sin", "cos"):
            (angle,) = of
            if angle not in angles:
                code.extend((SINCOS, place[angle]))
                angles[angle] = last
                last += 2
            place[i] = angles[angle] + (kind == "cos")
            continue
        code.append(NUMBER[kind])
        code.extend([place[j] for j in of])
        place[i] = last
        last += 1
    code.append(NUMBER["end"])
    code.extend([place[i] for i in outputs])
    code.extend([0] * (len(code) % 2 + 2))  # the machine reads three places ahead
    numbers = [program.sure(i) for i in wanted]
    return struct.pack(f"=4q{len(numbers)}d", inputs, len(numbers), len(outputs), last, *numbers) + code.tobytes()
