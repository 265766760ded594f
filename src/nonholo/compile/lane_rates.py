"""Compile the rates of several motions at once with vector instructions."""

from __future__ import annotations

from nonholo.algebra.cache import KeptFor
from nonholo.compile.explicit_rates import rates_program
from nonholo.compile.kernel import Kernel, entries_of
from nonholo.compile.variational_rates import WHOLE_TANGENTS, TangentKernel, tangent_program
from nonholo.program.llvm_jit import WHOLE, listing, load
from nonholo.program.machine_code import MachineCode, checked, steady_values
from nonholo.program.program import Program

_KEPT: KeptFor[MachineCode] = KeptFor(64)


def wide_rates(kernel: Kernel, lanes: int) -> MachineCode:
    """What ``kernel.rates_code`` gives, for so many input vectors at once: every number stands ``lanes`` times side by side.

    Each lane has the very bits of ``rates_code``; what is made of parameters alone stands behind every input vector as it does
    there.

    >>> import nonholo as nh
    >>> from nonholo.compile import compile_equations
    >>> kernel = compile_equations(nh.hamel(nh.System(coordinates="q", lagrangian="qdot**2/2 + cos(q)")))
    >>> wide_rates(kernel, 4).outputs == 4 * kernel.rates_code.outputs
    True
    """
    return _KEPT.get(kernel, lambda: _wide(kernel, lanes))


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
    """Machine code of a program for so many lanes; what is made of parameters alone stands from ``start`` on."""
    steady = steady_values(program, outputs)
    text = listing(program, outputs, {value: start + k for k, value in enumerate(steady)}, whole=whole, lanes=lanes)
    address, owner = load(text)
    return MachineCode(address, 0, lanes * (start + len(steady)), lanes * len(outputs), owner)
