"""Program -> tape: the numbers that the machine of `nonholo.program.register_machine` reads."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nonholo.program.fused_rounding import fused_pairs
from nonholo.program.llvm_jit import rounds_once
from nonholo.program.program import Program
from nonholo.program.register_machine import HEAD, NUMBER

SINCOS = NUMBER["sincos"]
_Step = tuple[int, int, int, tuple[int, ...]]
"""Minus the distance from the outputs, the instruction, the number of the operation, and what it reads."""


class Parts(NamedTuple):
    """A tape's numbers, the places of its outputs, its instructions, and how many registers they need."""

    constants: NDArray[np.float64]
    places: NDArray[np.int32]
    code: NDArray[np.int32]
    registers: int


def parts_of(numbers: NDArray[np.uint8]) -> Parts:
    """The parts of a tape, without copying it."""
    _, constants, outputs, registers = numbers[: 8 * HEAD].view(np.int64).tolist()
    places = 8 * (HEAD + constants)
    code = places + 4 * outputs
    fixed, asked = numbers[8 * HEAD : places].view(np.float64), numbers[places:code].view(np.int32)
    return Parts(fixed, asked, numbers[code:].view(np.int32), registers)


def tape(program: Program, outputs: Sequence[int], inputs: int, ready: Mapping[int, int], fused: bool | None = None) -> bytes:
    """The outputs of a program as a tape; values in ``ready`` are not computed but found at their places of the input vector.

    Registers are the inputs, the constants, then values, whose registers are used again when nobody needs them any more. The
    places of the outputs come first, then for each run of equal operations the instruction, how many there are, and for each
    where its result goes and what it reads. What is farthest from the outputs comes first, and of that equal operations together.

    >>> p = Program(fixed=2)
    >>> x, y = (p.put("input", detail=i) for i in range(2))
    >>> struct.unpack("=4q1d13i", tape(p, [p.add(p.multiply(x, y), p.number(0.5))], 2, {}, fused=False))
    (2, 1, 1, 4, 0.5, 3, 3, 1, 3, 0, 1, 1, 1, 3, 3, 2, 0, 0)
    """
    operations, values = program.operations, program.values
    far = _distances(program, outputs, ready)
    made = [i for i, steps in enumerate(far) if steps >= 0]
    pairs = fused_pairs(program, made, outputs, ready) if (rounds_once() if fused is None else fused) else {}
    absorbed = {pair.product for pair in pairs.values()}
    place: dict[int, int] = {}
    needed: list[_Step] = []
    wanted: dict[int, None] = {i: None for i in outputs if values[i] is not None}
    for i in made:
        kind, of, detail = operations[i]
        if kind == "input" or i in ready:
            place[i] = ready[i] if i in ready else int(detail)
        elif i not in absorbed and kind != "number":
            pair = pairs.get(i)
            if pair is not None:
                kind, of = "less_fused" if pair.minus_product else "fused_less" if pair.minus_other else "fused", pair.of
            elif kind in ("call", "compare"):
                kind = str(detail)
            needed.append((-far[i], SINCOS if kind in ("sin", "cos") else NUMBER[kind], i, of))
            for j in of:
                if values[j] is not None:
                    wanted[j] = None
    for k, i in enumerate(wanted):
        place[i] = inputs + k
    needed.sort()
    code, registers = _code(program, needed, outputs, place, inputs + len(wanted))
    numbers = [program.sure(i) for i in wanted]
    head = struct.pack(f"=4q{len(numbers)}d", inputs, len(numbers), len(outputs), registers, *numbers)
    return head + array("i", [place[i] for i in outputs]).tobytes() + code.tobytes()


def _distances(program: Program, outputs: Sequence[int], ready: Mapping[int, int]) -> list[int]:
    """How many operations lie at most between each and the outputs; −1 for what they do not need."""
    operations = program.operations
    far = [-1] * (max(outputs, default=-1) + 1)
    for i in outputs:
        far[i] = 0
    for i in range(len(far) - 1, -1, -1):
        steps = far[i] + 1
        if steps and i not in ready:
            for j in operations[i].of:
                if far[j] < steps:
                    far[j] = steps
    return far


def _code(
    program: Program, needed: Sequence[_Step], outputs: Sequence[int], place: dict[int, int], top: int
) -> tuple[array[int], int]:
    """The instructions, and how many registers there are; fills in the places of what they make."""
    last: dict[int, int] = {}
    for k, (_, _, _, of) in enumerate(needed):
        for j in of:
            last[j] = k
    for j in (*place, *outputs):  # never given away
        last[j] = -1
    code = array("i")
    angles: dict[int, int] = {}
    free: list[int] = []
    run, size, count = -1, 0, 0
    for k, (_, word, i, of) in enumerate(needed):
        if word == SINCOS and of[0] in angles:
            place[i] = angles[of[0]] + (program.operations[i].kind == "cos")
            continue
        if word != run:
            if size:
                code[size] = count
            code.extend((word, 0))
            run, size, count = word, len(code) - 1, 0
        count += 1
        if word == SINCOS:
            (angle,) = of
            code.extend((top, place[angle]))
            angles[angle] = top
            place[i] = top + (program.operations[i].kind == "cos")
            last[i] = -1
            top += 2
            continue
        read = [place[j] for j in of]
        for j in of:
            if last[j] == k:
                last[j] = -1  # once, though it be read twice
                free.append(place[j])
        if free:
            to = free.pop()
        else:
            to, top = top, top + 1
        place[i] = to
        code.append(to)
        code.extend(read)
    if size:
        code[size] = count
    code.extend((NUMBER["end"], 0))
    return code, top
