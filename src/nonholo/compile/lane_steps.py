"""Equal steps of the classical Runge–Kutta method for many motions side by side, in vector instructions.

The loop is LLVM's text around the wide rates (`nonholo.compile.lane_steps`): for learning and sampling, where the same short span
is integrated millions of times and nothing else is asked of it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nonholo.algebra.cache import WeakCache
from nonholo.compile.explicit_rates import rates_program
from nonholo.compile.kernel import Kernel, entries_of
from nonholo.compile.variational_rates import WHOLE_TANGENTS, TangentKernel, tangent_program
from nonholo.errors import ModelError
from nonholo.program.array_types import Array
from nonholo.program.llvm_jit import WHOLE, listing, load
from nonholo.program.machine_code import MachineCode, checked, steady_values
from nonholo.program.program import Program

_CALL = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_double
)
_KEPT: WeakCache[LaneSteps] = WeakCache(64)


@dataclass(frozen=True, eq=False)
class LaneSteps:
    """Runge–Kutta steps of blocks of ``lanes`` motions; made by `lane_steps`.

    A block is the input vector ``[t, x…, z…, inputs…, parameters…, gap, constants…]`` with every number ``lanes`` times side by
    side. The state in it is moved in place; ``worst`` has the least flag of the mass matrix that each lane has met.
    """

    kernel: Kernel
    lanes: int
    width: int
    """Array in the input vector."""
    rates: MachineCode
    address: int
    owner: object
    scratch: int

    def __call__(self, blocks: Array, worst: Array, count: int, step: float) -> None:
        """``count`` steps of every block, (block, number, lane); the caller's thread does not hold the interpreter's lock."""
        room = np.zeros(self.scratch + 8)
        place = room.ctypes.data + (-room.ctypes.data % 64)
        _CALL(self.address)(blocks.ctypes.data, worst.ctypes.data, place, len(blocks), count, step)

    def blocks(self, members: int, parameters: Array) -> Array:
        """Room for so many members with these parameters, on the boundary of a cache line."""
        count = -(-members // self.lanes)
        raw = np.zeros(count * self.width * self.lanes + 8)
        ahead = -(raw.ctypes.data // 8) % 8
        table = raw[ahead : ahead + count * self.width * self.lanes].reshape(count, self.width, self.lanes)
        symbols, kernel = len(self.kernel.symbols), self.kernel
        first = symbols - len(parameters)
        row = np.zeros(symbols)
        row[first:] = parameters
        table[:, first:symbols] = parameters[:, None]
        table[:, symbols + kernel.solved :] = np.asarray(kernel.constants(row))[:, None] if kernel.constants.outputs else 0.0
        return table


def lane_steps(kernel: Kernel, lanes: int) -> LaneSteps:
    """The loop for one set of equations; their mass matrix must be positive, solved in straight-line code."""
    if not kernel.symmetric or kernel.equations.unknowns:
        raise ModelError(f"{kernel.equations.name}: equal steps side by side need a positive mass matrix; use model.step_many.")
    return _KEPT.get(kernel, lambda: _compiled_steps(kernel, lanes))


def _compiled_steps(kernel: Kernel, lanes: int) -> LaneSteps:
    rates = wide_rates(kernel, lanes)
    width, outputs = rates.inputs // lanes, rates.outputs // lanes
    flag = len(kernel.equations.coordinates) + kernel.solved
    text = "\n".join(_text(kernel.dimension, flag, width, outputs, lanes, rates.address))
    address, owner = load(text, "steps")
    return LaneSteps(kernel, lanes, width, rates, address, (owner, rates), lanes * (outputs + kernel.dimension))


def _text(n: int, flag: int, width: int, outputs: int, lanes: int, rates: int) -> Iterator[str]:
    """LLVM's text of ``void steps(double *blocks, double *worst, double *scratch, int64 count, int64 steps, double h)``."""
    kind = f"<{lanes} x double>"
    yield f"declare {kind} @llvm.minnum.v{lanes}f64({kind}, {kind})"
    yield "define void @steps(ptr %blocks, ptr %worst, ptr %scratch, i64 %count, i64 %steps, double %h) nounwind {"
    yield "entry:"
    yield f"%yroom = alloca {kind}, i64 {n}, align {8 * lanes}"
    yield f"%rates = inttoptr i64 {rates} to ptr"
    yield f"%acc = getelementptr double, ptr %scratch, i64 {outputs * lanes}"
    for name, part in (("half", 0.5), ("third", 1 / 3), ("sixth", 1 / 6), ("full", 1.0)):
        yield f"%{name}s = fmul double %h, {_hex(part)}"
        yield f"%{name}0 = insertelement {kind} undef, double %{name}s, i32 0"
        yield f"%{name} = shufflevector {kind} %{name}0, {kind} undef, <{lanes} x i32> zeroinitializer"
    yield "br label %block"
    yield "block:"
    yield "%b = phi i64 [0, %entry], [%bnext, %done]"
    yield "%bmore = icmp slt i64 %b, %count"
    yield "br i1 %bmore, label %begin, label %end"
    yield "begin:"
    yield f"%offset = mul i64 %b, {width * lanes}"
    yield "%in = getelementptr double, ptr %blocks, i64 %offset"
    yield f"%woffset = mul i64 %b, {lanes}"
    yield "%w = getelementptr double, ptr %worst, i64 %woffset"
    yield "br label %step"
    yield "step:"
    yield "%s = phi i64 [0, %begin], [%snext, %work]"
    yield "%smore = icmp slt i64 %s, %steps"
    yield "br i1 %smore, label %work, label %done"
    yield "work:"
    for i in range(n):
        yield f"%from{i} = getelementptr double, ptr %in, i64 {(1 + i) * lanes}"
        yield f"%keep{i} = getelementptr {kind}, ptr %yroom, i64 {i}"
        yield f"%y{i} = load {kind}, ptr %from{i}, align {8 * lanes}"
        yield f"store {kind} %y{i}, ptr %keep{i}, align {8 * lanes}"
        yield f"%a{i} = getelementptr double, ptr %acc, i64 {i * lanes}"
        yield f"%k{i} = getelementptr double, ptr %scratch, i64 {i * lanes}"
    yield f"%flag = getelementptr double, ptr %scratch, i64 {flag * lanes}"
    for stage, (weight, ahead) in enumerate((("sixth", "half"), ("third", "half"), ("third", "full"), ("sixth", ""))):
        yield "call void %rates(ptr %scratch, ptr %in, ptr null)"
        yield f"%f{stage} = load {kind}, ptr %flag, align {8 * lanes}"
        yield f"%w{stage} = load {kind}, ptr %w, align 8"
        yield f"%m{stage} = call {kind} @llvm.minnum.v{lanes}f64({kind} %f{stage}, {kind} %w{stage})"
        yield f"store {kind} %m{stage}, ptr %w, align 8"
        if stage in (0, 2):
            yield f"%t{stage} = load {kind}, ptr %in, align {8 * lanes}"
            yield f"%u{stage} = fadd {kind} %t{stage}, %half"
            yield f"store {kind} %u{stage}, ptr %in, align {8 * lanes}"
        for i in range(n):
            tag = f"{stage}_{i}"
            yield f"%r{tag} = load {kind}, ptr %k{i}, align {8 * lanes}"
            base = f"%p{tag}"
            yield f"{base} = load {kind}, ptr %{'keep' if stage == 0 else 'a'}{i}, align {8 * lanes}"
            yield f"%d{tag} = fmul {kind} %r{tag}, %{weight}"
            yield f"%n{tag} = fadd {kind} {base}, %d{tag}"
            if ahead:
                yield f"store {kind} %n{tag}, ptr %a{i}, align {8 * lanes}"
                yield f"%q{tag} = load {kind}, ptr %keep{i}, align {8 * lanes}"
                yield f"%e{tag} = fmul {kind} %r{tag}, %{ahead}"
                yield f"%g{tag} = fadd {kind} %q{tag}, %e{tag}"
                yield f"store {kind} %g{tag}, ptr %from{i}, align {8 * lanes}"
            else:
                yield f"store {kind} %n{tag}, ptr %from{i}, align {8 * lanes}"
    yield "%snext = add i64 %s, 1"
    yield "br label %step"
    yield "done:"
    yield "%bnext = add i64 %b, 1"
    yield "br label %block"
    yield "end:"
    yield "ret void"
    yield "}"


def _hex(value: float) -> str:
    """A double in LLVM's spelling."""
    return f"0x{np.float64(value).view(np.uint64):016X}"


_WIDE: WeakCache[MachineCode] = WeakCache(64)


def wide_rates(kernel: Kernel, lanes: int) -> MachineCode:
    """What ``kernel.rates_code`` gives, for so many input vectors at once: every number is repeated ``lanes`` times contiguously.

    Each lane has the very bits of ``rates_code``; constants from the parameters follow every input vector as they do
    there.

    >>> import nonholo as nh
    >>> from nonholo.compile import compile_equations
    >>> kernel = compile_equations(nh.hamel(nh.System(coordinates="q", lagrangian="qdot**2/2 + cos(q)")))
    >>> wide_rates(kernel, 4).outputs == 4 * kernel.rates_code.outputs
    True
    """
    return _WIDE.get(kernel, lambda: _wide(kernel, lanes))


def _wide(kernel: Kernel, lanes: int) -> MachineCode:
    if isinstance(kernel, TangentKernel):
        return _loaded(*tangent_program(kernel), len(kernel.symbols) + kernel.solved, lanes, WHOLE_TANGENTS)
    equations, symbols = kernel.equations, kernel.symbols
    expressions = [*equations.kinematics, *entries_of(equations, kernel.symmetric), *equations.force]
    exprs = checked(symbols, expressions, f"{equations.name}: equations of motion")
    fixed = len(symbols) - len(equations.parameters)
    program, outputs = rates_program(equations, symbols, exprs, kernel.symmetric, fixed)
    return _loaded(program, outputs, len(symbols) + len(equations.mass), lanes)


def _loaded(program: Program, outputs: list[int], start: int, lanes: int, whole: int = WHOLE) -> MachineCode:
    """Machine code of a program for so many lanes; constants from the parameters begin at ``start``."""
    steady = steady_values(program, outputs)
    text = listing(program, outputs, {value: start + k for k, value in enumerate(steady)}, whole=whole, lanes=lanes)
    address, owner = load(text)
    return MachineCode(address, 0, lanes * (start + len(steady)), lanes * len(outputs), owner)
