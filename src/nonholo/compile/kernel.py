"""Equations -> Kernel: everything the compiled loops call, as machine code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import symengine as se

from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.compile.explicit_rates import rates_program
from nonholo.compile.implicit_step import NO_STEP, StepCode, step_code
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError, StateError
from nonholo.program.array_types import Array
from nonholo.program.llvm_jit import FEW
from nonholo.program.machine_code import MachineCode, Ready, checked, loaded, machine_code, prepared, refusal, taped
from nonholo.program.translate import NoMachineCode, translate


@dataclass(frozen=True, eq=False)
class Kernel:
    """Machine code of one set of equations; made by `compile_equations`, compared by identity.

    Every function takes ``[t, x…, z…, inputs…, parameters…]`` (`symbols`):

    * ``rates_code`` gives ``[ẋ (N), ż and unknowns (K), flag, mass, force (K)]`` (`nonholo.compile.explicit_rates`); mass is the
      lower triangle by rows when ``symmetric``, else K × K. Its input vector goes on with a gap of K numbers and then
      what ``constants`` makes of the parameters.
    * ``monitors`` takes the vector followed by the solution ``(ż, unknowns)`` and gives the monitored expressions.
    * ``residuals`` gives the invariants, those of the coordinates alone first (``positions`` of them), then their
      derivatives by the state, row by row.
    * ``conditions`` gives numbers that the loops keep above a threshold.
    * ``step`` is one step of an implicit scheme, if one was asked for, see `nonholo.compile.implicit_step`.

    A kernel pickles as its sources and is compiled again where it lands.
    """

    equations: Equations
    monitored: FrozenMap[str, Expr]
    rates: tuple[Symbol, ...]
    guard: tuple[Expr, ...]
    """The expressions of the conditions."""
    symmetric: bool
    positions: int
    invariants: tuple[str, ...]
    rates_code: MachineCode = field(repr=False)
    constants: MachineCode = field(repr=False)
    monitors: MachineCode = field(repr=False)
    residuals: MachineCode = field(repr=False)
    conditions: MachineCode = field(repr=False)
    step: StepCode = field(repr=False, default=NO_STEP)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The input vector of every machine-code function: time, state, inputs, parameters."""
        equations = self.equations
        return (equations.time, *self.state, *equations.inputs, *equations.parameters)

    @property
    def state(self) -> tuple[Symbol, ...]:
        """The state variables, coordinates first."""
        return (*self.equations.coordinates, *self.equations.speeds)

    @property
    def dimension(self) -> int:
        """The number of state variables."""
        return len(self.state)

    @property
    def solved(self) -> int:
        """How many numbers ``(ż, unknowns)`` the rates give behind ``ẋ``."""
        return len(self.equations.mass)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _rebuild, (self.equations, self.monitored, self.rates, self.guard, self.step.scheme)

    def evaluate(self, values: Sequence[float] | Array) -> Array:
        """``rates_code`` at one input vector, from Python: ``[ẋ, ż and unknowns, flag, mass, force]``."""
        return Ready(self.rates_code, self.constants, self.solved)(values)

    def solve(self, values: Sequence[float] | Array) -> tuple[Array, Array]:
        """``(ż, unknowns)`` and the mass matrix, whole, at one input vector."""
        found = self.evaluate(values)
        count, size = len(self.equations.coordinates), len(self.equations.mass)
        flat, force = found[count + size + 1 : len(found) - size], found[len(found) - size :]
        mass = flat.reshape(size, size) if not self.symmetric else np.empty((size, size))
        if self.symmetric:
            below = np.tril_indices(size)
            mass[below] = mass.T[below] = flat
        if not size or found[count + size] > 0.0:
            return found[count : count + size], mass
        try:
            return np.asarray(np.linalg.solve(mass, force), dtype=np.float64), mass
        except np.linalg.LinAlgError:
            raise StateError(f"{self.equations.name}: the mass matrix is singular at this state.") from None

    def function(self, expressions: Sequence[Expr], what: str = "expression") -> MachineCode:
        """Machine code of more expressions of the same input vector (events, for example); of a saddle point also in unknowns."""
        where = f"{self.equations.name}: {what}"
        used = {s for e in expressions for s in se.sympify(e).free_symbols}
        if not (self.equations.saddle and used & set(self.equations.unknowns)):
            return machine_code(self.symbols, expressions, where)
        return with_unknowns(self.equations, self.symbols, expressions, where)


def with_unknowns(
    equations: Equations, symbols: Sequence[Symbol], expressions: Sequence[Expr], where: str, level: int = 1
) -> MachineCode:
    """Machine code of expressions in the unknowns, such as contact forces, which are solved for first."""
    motion = checked(symbols, [*equations.kinematics, *entries_of(equations, False), *equations.force], where)
    asked = checked((*symbols, *equations.unknowns), expressions, where)
    places = {s: i for i, s in enumerate(symbols)}
    try:
        program, outputs = rates_program(equations, symbols, motion, False, len(symbols))
        first = len(equations.coordinates) + len(equations.speeds)
        known = dict(zip(equations.unknowns, outputs[first : first + len(equations.unknowns)]))
        found = translate(program, places, asked, known)
    except NoMachineCode as problem:
        raise refusal((*symbols, *equations.unknowns), [*motion, *asked], where) from problem
    return loaded(program, found, len(symbols)) if level else taped(program, found, len(symbols))


def input_symbols(equations: Equations) -> tuple[Symbol, ...]:
    """The input vector ``[t, x…, z…, inputs…, parameters…]`` of the equations."""
    return (equations.time, *equations.coordinates, *equations.speeds, *equations.inputs, *equations.parameters)


def entries_of(equations: Equations, symmetric: bool) -> list[Expr]:
    """The mass matrix by rows: its lower triangle when it is taken as symmetric and positive."""
    size = len(equations.mass)
    return [equations.mass[i][j] for i in range(size) for j in range(i + 1 if symmetric else size)]


def compile_equations(
    equations: Equations,
    monitors: Mapping[str, Expr] | None = None,
    rates: Sequence[Symbol] = (),
    conditions: Sequence[Expr] = (),
    scheme: str = "",
) -> Kernel:
    """Compile ``ẋ = kinematics``, ``mass · (ż, unknowns) = force`` and whatever shall be watched.

    ``monitors`` may use the state, the unknowns, and ``ż`` by the symbols in ``rates`` (one for each speed).
    ``conditions`` are numbers that tell how far the frame is from degenerating (see `nonholo.integrate.motion.integration`);
    ``scheme`` names the implicit scheme whose step is wanted (`nonholo.compile.schemes`).
    """
    name = equations.name
    _check_shape(equations, rates)
    symbols = input_symbols(equations)
    # with unknowns the matrix is a saddle point, never positive: elimination without pivoting is no use
    symmetric = equations.symmetric and not equations.unknowns
    entries = entries_of(equations, symmetric)
    watched = FrozenMap(dict(monitors or {}))
    zdot = tuple(rates) if rates else tuple(se.Dummy(f"rate_{z}") for z in equations.speeds)
    ordered, positions = ordered_invariants(equations)
    state = (*equations.coordinates, *equations.speeds)
    invariants = [equations.invariants[k] for k in ordered]
    slopes = [se.diff(e, s) for e in invariants for s in state]
    motion, constants = _motion(equations, symbols, [*equations.kinematics, *entries, *equations.force], symmetric)
    return Kernel(
        equations=equations,
        monitored=watched,
        rates=tuple(rates),
        guard=tuple(conditions),
        symmetric=symmetric,
        positions=positions,
        invariants=ordered,
        rates_code=motion,
        constants=constants,
        monitors=machine_code(
            (*symbols, *zdot, *equations.unknowns), list(watched.values()), f"{name}: monitored expressions"
        ),
        residuals=machine_code(symbols, [*invariants, *slopes], f"{name}: invariants"),
        conditions=machine_code(symbols, list(conditions), f"{name}: conditions", 0),
        step=step_code(equations, scheme),
    )


def _motion(
    equations: Equations, symbols: Sequence[Symbol], expressions: Sequence[Expr], symmetric: bool
) -> tuple[MachineCode, MachineCode]:
    """The rates, and the constants they use."""
    where = f"{equations.name}: equations of motion"
    exprs = checked(symbols, expressions, where)
    fixed = len(symbols) - len(equations.parameters)
    try:
        program, outputs = rates_program(equations, symbols, exprs, symmetric, fixed)
    except NoMachineCode as problem:
        raise refusal(symbols, expressions, where) from problem
    together = 1 if len(equations.coordinates) + len(equations.speeds) <= FEW else 4
    ready = prepared(program, outputs, len(symbols), len(equations.mass), together, hurried=True)
    return ready.code, ready.constants


def _rebuild(
    equations: Equations, monitors: Mapping[str, Expr], rates: tuple[Symbol, ...], conditions: tuple[Expr, ...], scheme: str
) -> Kernel:
    return compile_equations(equations, monitors, rates, conditions, scheme)


def ordered_invariants(equations: Equations) -> tuple[tuple[str, ...], int]:
    """Names of the invariants, those without speeds first, and how many these are.

    Coordinates are corrected by the first kind alone: a speed must never repair a position.
    """
    speeds = set(equations.speeds)
    moving = {k: bool(speeds & set(se.sympify(e).free_symbols)) for k, e in equations.invariants.items()}
    first = [k for k in equations.invariants if not moving[k]]
    return (*first, *(k for k in equations.invariants if moving[k])), len(first)


def _check_shape(equations: Equations, rates: Sequence[Symbol]) -> None:
    name, speeds = equations.name, len(equations.speeds)
    size = speeds + len(equations.unknowns)
    if len(equations.kinematics) != len(equations.coordinates):
        raise ModelError(
            f"{name}: {len(equations.kinematics)} kinematic expressions for {len(equations.coordinates)} coordinates; "
            f"give one for each."
        )
    rows = [len(row) for row in equations.mass]
    if rows != [size] * size or len(equations.force) != size:
        raise ModelError(
            f"{name}: mass has rows of length {rows} and force {len(equations.force)} entries; {speeds} speeds and "
            f"{size - speeds} unknowns need {size} × {size} and {size}."
        )
    if rates and len(rates) != speeds:
        raise ModelError(f"{name}: {len(rates)} symbols for the rates of {speeds} speeds; give one for each, or none.")
