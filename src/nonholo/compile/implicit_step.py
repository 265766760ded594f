"""Compile one step of an implicit scheme: residual, exact Jacobian, Newton correction, state update."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import symengine as se

from nonholo.algebra.calculus import expand
from nonholo.compile.schemes import scheme_named
from nonholo.compile.schemes.scheme import Step, Writer
from nonholo.derive.equations import Equations
from nonholo.program.derivative import jacobian
from nonholo.program.machine_code import NOTHING, MachineCode, loaded, prepared, refusal, undifferentiable
from nonholo.program.partials import NoDerivative
from nonholo.program.program import Program
from nonholo.program.translate import NoMachineCode

UNROLLED = 60
"""Up to so many unknowns Newton's equations are solved in straight-line code."""
LONGEST = 30_000
"""And only while there are no more operations than these."""


@dataclass(frozen=True)
class StepCode:
    """The machine code of a scheme for one set of equations, of the input vector of `Writer`.

    * ``newton`` gives ``[J⁻¹R (K), J by rows (K × K), R (K)]``; ``J⁻¹R`` is without pivoting and is not finite where there is
      no straight-line code for it. Its input vector goes on with what ``constants`` makes of it.
    * ``guess`` gives the first unknowns, ``change`` what they add to the state and what is to be remembered, ``first`` what is
      remembered at a start.
    """

    scheme: str
    unknowns: int
    memory: int
    stepwise: bool
    width: int
    times: tuple[float | str, ...]
    quadratic: bool
    """With ``τ = 1/2`` the scheme itself satisfies the relations of the coordinates."""
    kept: bool
    """They are satisfied for every τ."""
    newton: MachineCode
    constants: MachineCode
    guess: MachineCode
    change: MachineCode
    first: MachineCode


NO_STEP = StepCode("", 0, 0, False, 0, (), False, False, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)
"""Of methods for equations."""


def step_code(equations: Equations, name: str) -> StepCode:
    """Compile one step of a scheme."""
    if not name:
        return NO_STEP
    scheme, given = scheme_named(name), equations.covectors
    if scheme.bent and given is not None and given.principle == scheme_named(scheme.bent).covectors:
        scheme = scheme_named(scheme.bent)
    where = f"{equations.name}: a step of {name}"
    writer = Writer(equations, scheme.times, scheme.memory(equations))
    try:
        step = scheme.write(writer)
        outputs = newton(writer, step)
    except NoMachineCode as problem:
        flat = [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force]
        symbols = (equations.time, *equations.coordinates, *equations.speeds, *equations.inputs, *equations.parameters)
        raise refusal(symbols, flat, where) from problem
    except NoDerivative as problem:
        raise undifferentiable(problem, where) from problem
    program, width = writer.program, writer.width + writer.unknowns
    ready = prepared(program, outputs, width, 0, whole=60_000)
    quadratic = scheme.quadratic and _quadratic(equations, scheme.admissible)
    system = equations.system
    kept = scheme.kept and system is not None and not system.holonomic
    parts = (step.guess, np.concatenate([step.change, step.memory]), step.first)
    guess, change, first = ([v.place for v in part] for part in parts)
    return StepCode(
        name, writer.unknowns, writer.remembered, scheme.stepwise, width, scheme.times, quadratic, kept, ready.code,
        ready.constants, loaded(program, guess, width), loaded(program, change, width),
        loaded(program, first, width) if first else NOTHING,
    )  # fmt: skip


def newton(writer: Writer, step: Step) -> list[int]:
    """``[J⁻¹R, J, R]`` in the program."""
    program, count = writer.program, writer.unknowns
    residuals = [v.place for v in step.residuals]
    assert len(residuals) == len(step.guess) == count
    columns = [program.put("input", detail=writer.width + k) for k in range(count)]
    rows = jacobian(program, residuals, columns)
    flat = [i for row in rows for i in row]
    if count > UNROLLED or len(program.operations) > LONGEST:
        correction = [program.number(float("nan"))] * count
    else:
        correction = eliminated(program, rows, residuals)
    return [*correction, *flat, *residuals]


def eliminated(p: Program, rows: Sequence[Sequence[int]], side: Sequence[int]) -> list[int]:
    """The solution of linear equations by elimination along the diagonal; what is zero costs nothing.

    Pivots are those with the fewest products first. A small pivot spoils the solution: the caller checks
    whether Newton's method converges, and else solves with pivoting.
    """
    zero = p.number(0.0)
    table = [{j: e for j, e in enumerate(row) if e != zero} for row in rows]
    right = list(side)
    left = set(range(len(rows)))
    order: list[tuple[int, int]] = []
    while left:
        if len(p.operations) > LONGEST:
            return [p.number(float("nan"))] * len(rows)
        below = {k: [i for i in left if i != k and k in table[i]] for k in left if k in table[k]}
        if not below:
            return [p.number(float("nan"))] * len(rows)
        k = min(below, key=lambda k: (len(below[k]) * (len(table[k]) - 1), k))
        inverse = p.divide(p.number(1.0), table[k][k])
        for i in below[k]:
            factor = p.multiply(table[i].pop(k), inverse)
            for j, e in table[k].items():
                if j != k:
                    table[i][j] = p.subtract(table[i].get(j, zero), p.multiply(factor, e))
            right[i] = p.subtract(right[i], p.multiply(factor, right[k]))
        left.discard(k)
        order.append((k, inverse))
    solution = [zero] * len(rows)
    for k, inverse in reversed(order):
        value = right[k]
        for j, e in sorted(table[k].items()):
            if j != k:
                value = p.subtract(value, p.multiply(e, solution[j]))
        solution[k] = p.multiply(value, inverse)
    return solution


def _quadratic(equations: Equations, admissible: bool) -> bool:
    """Whether all invariants are polynomials of the coordinates of degree two at most; velocities may be ``admissible``
    anyway."""
    moving = set(equations.coordinates)
    others = {*equations.speeds, *equations.inputs, equations.time}
    for e in map(se.sympify, equations.invariants.values()):
        if e.free_symbols & others:
            if admissible:
                continue
            return False
        slopes = [se.diff(e, s) for s in e.free_symbols & moving]
        if any(expand(se.diff(d, s)).free_symbols & moving for d in slopes for s in d.free_symbols & moving):
            return False
    return True
