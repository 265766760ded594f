"""Equations in one choice of speeds with their compiled functions, each compiled once; accelerations and reactions by name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import symengine as se

from nonholo.algebra.cache import Cache, WeakCache
from nonholo.algebra.calculus import ONE, along, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import dot
from nonholo.compile.explicit_rates import UNROLLED
from nonholo.compile.kernel import Kernel, compile_equations
from nonholo.compile.rates_jacobian import JacobianTable, RatesJacobian, jacobian_table, rates_jacobian, slopes_table
from nonholo.compile.variational_rates import TangentKernel, tangent_kernel
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import unconstrained
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import rate
from nonholo.model.contact_reading import with_multipliers
from nonholo.model.declared_words import multiplier_names
from nonholo.model.system import System, known_names, resolve
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.read import expression
from nonholo.program.array_types import Array
from nonholo.program.machine_code import MachineCode, Sheet, machine_code

T = TypeVar("T")
MOST_ROWS_SOLVED = 8
"""Mass matrices with more rows are not solved in formulas."""
FEW = 1000
"""So many rows are called one by one: that takes a millisecond, a loop for all of them far longer to be loaded."""


class Columns(NamedTuple):
    """Names of quantities, a word on what each is, and the machine code that gives them from an input vector."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    code: MachineCode


@dataclass(frozen=True, eq=False)
class SystemKernel(Kernel):
    """The kernel of a system's equations in one choice of speeds, and further machine code, each compiled at first use.

    It knows the names of the system: `expression` reads a text in any of them, `columns` are the quantities of every motion,
    `jacobian`, `slopes` and `tangent_kernel` are derivatives of the rates. ``system`` is the system with its feedback laws put in
    (None for equations by hand), ``laws`` are those laws in the system's own names; the conditions (`guard`) tell how well the
    choice of speeds is conditioned. Made by `system_kernel`.
    """

    system: System | None = None
    laws: FrozenMap[str, Expr] = field(default_factory=FrozenMap)
    kinds: Mapping[str, str] = field(default_factory=FrozenMap)
    """What variables of the state are called that are neither coordinates nor speeds."""
    _watched: Cache[object] = field(default_factory=lambda: Cache(64), repr=False)
    _codes: Cache[MachineCode] = field(default_factory=lambda: Cache(64), repr=False)
    _tangents: Cache[TangentKernel] = field(default_factory=lambda: Cache(16), repr=False)

    @property
    def principle(self) -> str:
        """The implicit scheme whose step was compiled."""
        return self.step.scheme

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters in their order."""
        return tuple(map(str, self.equations.parameters))

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs in their order."""
        return tuple(map(str, self.equations.inputs))

    @cached_property
    def places(self) -> dict[str, int]:
        """Indices of time and state in the input vector."""
        return {n: k for k, n in enumerate(("t", *self.equations.state))}

    @cached_property
    def outputs(self) -> MachineCode:
        """Every name that follows from the state (rates, dependent quasi-velocities), in the order of the equations."""
        return machine_code(self.symbols, list(self.equations.outputs.values()), f"{self.equations.name}: velocities", 0)

    @cached_property
    def output_rates(self) -> MachineCode:
        """The rates of the outputs, of the input vector with the rates of the state behind it."""
        equations = self.equations
        flow = symbols(f"_flow_{n}" for n in equations.state)
        rates = along(list(equations.outputs.values()), {**dict(zip(symbols(equations.state), flow)), equations.time: ONE})
        return machine_code((*self.symbols, *flow), list(rates), f"{equations.name}: accelerations", 0)

    @cached_property
    def jacobian(self) -> RatesJacobian:
        """The derivatives of the rates by the state."""
        return rates_jacobian(self)

    @cached_property
    def slopes(self) -> JacobianTable:
        """The derivatives of the rates by state and inputs at many states at once, without compiling."""
        equations = self.equations
        return JacobianTable(self, (*equations.coordinates, *equations.speeds, *equations.inputs))

    @cached_property
    def rest_slopes(self) -> JacobianTable:
        """The derivatives of the rates by the coordinates where all speeds are zero, at many states at once."""
        return JacobianTable(self, self.equations.coordinates, zero=self.equations.speeds)

    @cached_property
    def kinematics_table(self) -> Sheet:
        """The rates of the coordinates and their derivatives by the state, at many states at once."""
        equations = self.equations
        by = symbols(equations.state)
        return jacobian_table(self.symbols, equations.kinematics, by, f"{equations.name}: derivatives of the kinematics")

    @cached_property
    def speed_places(self) -> tuple[int, ...]:
        """Which coordinates' rates the speeds are; shorter than the speeds where some are none."""
        rates = [rate(str(c)) for c in self.equations.coordinates]
        return tuple(rates.index(str(z)) for z in self.equations.speeds if str(z) in rates)

    @cached_property
    def constraint_table(self) -> Sheet | None:
        """The derivatives of linear constraints by coordinates and rates, of the input vector with the rates behind it.

        None where they do not determine all rates by the speeds: in quasi-velocities, or when they depend on each other.
        """
        equations, system = self.equations, self.system
        if system is None or system.parametric is not None or equations.origin != "hamel":
            return None
        x, v = equations.coordinates, symbols(map(rate, map(str, equations.coordinates)))
        rows = constraint_rows(system)
        if v != symbols(system.velocities) or len(self.speed_places) < len(equations.speeds) or not rows.linear:
            return None
        if len(rows.residuals) + len(equations.speeds) != len(v):
            return None
        moving = symbols(f"_flow_{c}" for c in x)
        residuals = substitute(rows.residuals, dict(zip(v, moving)))
        if not set().union(*(e.free_symbols for e in residuals)) <= {*self.symbols, *moving}:
            return None
        return slopes_table((*self.symbols, *moving), residuals, (*x, *moving), f"{equations.name}: slopes of the constraints")

    @cached_property
    def velocity_table(self) -> Sheet:
        """The derivatives of the rates of the coordinates by the speeds, at many states at once."""
        equations = self.equations
        return slopes_table(self.symbols, equations.kinematics, equations.speeds, f"{equations.name}: its velocities")

    @cached_property
    def all_slopes(self) -> JacobianTable:
        """The derivatives of the rates by state, inputs and parameters at many states at once, without compiling."""
        equations = self.equations
        return JacobianTable(
            self, (*equations.coordinates, *equations.speeds, *equations.inputs, *equations.parameters)
        )

    @cached_property
    def invariant_slopes(self) -> Sheet | None:
        """The derivatives of the invariants, in the kernel's order, by state, inputs and parameters at many states at once."""
        equations = self.equations
        if not self.invariants:
            return None
        exprs = [equations.invariants[k] for k in self.invariants]
        columns = (*equations.coordinates, *equations.speeds, *equations.inputs, *equations.parameters)
        return slopes_table(self.symbols, exprs, columns, f"{equations.name}: slopes of the invariants")

    def tangent_kernel(self, along: Sequence[str | None], row: Array) -> TangentKernel:
        """Machine code of the motion with a tangent for each entry: the name of a parameter or input that changes with it.

        At the input vector ``row`` it is seen whether the mass matrix is safely positive.
        """
        count, size = len(self.equations.coordinates), len(self.equations.mass)
        positive = self.symmetric and bool(not size or self.evaluate(row)[count + size] > 0.0 or size > UNROLLED)
        names = tuple(symbol(n) if n is not None else None for n in along)
        return self._tangents.get(
            (tuple(along), positive), lambda: tangent_kernel(self.equations, names, self.guard, positive)
        )

    @cached_property
    def columns(self) -> Columns:
        """What every motion shows beside its state: velocities, inputs, energy, residuals."""
        equations = self.equations
        exprs: dict[str, Expr] = dict(equations.outputs)
        kinds = dict.fromkeys(exprs, "velocity")
        for name in self.inputs:
            exprs[name], kinds[name] = symbol(name), "input"
        for name in self.laws:
            exprs[name], kinds[name] = self.expression(name, f"{equations.name}: input {name}"), "input"
        exprs["energy"], kinds["energy"] = equations.energy, "energy"
        for name, e in {**equations.invariants, **self._residuals()}.items():
            key = name.replace(" ", "_")
            if key not in exprs:
                exprs[key], kinds[key] = e, "residual"
        return Columns(
            tuple(exprs),
            tuple(kinds.values()),
            machine_code(self.symbols, list(exprs.values()), f"{equations.name}: record", 0),
        )

    def _residuals(self) -> dict[str, Expr]:
        """The constraints' residuals, on the velocities the equations give."""
        system = self.system
        if system is None or system.parametric is not None or self.equations.origin != "hamel":
            return {}
        rows = constraint_rows(system)
        outputs = self.equations.outputs
        table = {s: outputs[str(s)] for s in symbols(system.velocities) if str(s) in outputs}
        return dict(zip(rows.labels, substitute(rows.residuals, table)))

    def expression(self, text: Any, where: str, more: Mapping[str, Expr] = FrozenMap()) -> Expr:
        """An expression in any names of the system, its inputs and the equations, as a function of the equations' own state;
        ``more`` has meanings of further names. Accelerations and reactions have names: ``xddot``, ``omegadot``, ``lambda1``."""
        equations = self.equations
        own = (*equations.state, *equations.outputs, *self.parameters, *self.inputs, "t")
        known = dict.fromkeys((*(known_names(self.system) if self.system is not None else ()), *own, *self.laws, *more, "energy"))
        coordinates = self.system.coordinates if self.system is not None else ()
        quick = {n: v for n, v in acceleration_names(equations, coordinates).items() if n not in known}
        forces = [n for n in reaction_names(equations, self.system) if n not in known]
        if self.system is not None:
            text = with_multipliers(self.system, text, where)
        parsed = expression(text, (*known, *quick, *forces), where)
        inside = parsed.free_symbols
        wanted = [n for n in quick if symbol(n) in inside]
        if wanted:
            more = {**more, **dict(zip(wanted, accelerations(equations, [quick[n] for n in wanted], where)))}
        if self.system is not None and any(symbol(n) in inside for n in forces):
            more = {**more, **reaction_formulas(equations, self.system, where)}
        table: dict[Any, Expr] = {symbol(n): e for n, e in self.laws.items()}
        if "energy" not in self.parameters:
            table[symbol("energy")] = equations.energy
        parsed = substitute([parsed], table)[0]
        state = set(symbols(equations.state))
        shown = {s: e for s, e in zip(symbols(equations.outputs), equations.outputs.values()) if s not in state}
        (resolved,) = substitute([parsed], shown)
        named = {*equations.state, *self.parameters, *self.inputs, *more, "t"}
        if self.system is not None and {str(s) for s in resolved.free_symbols} - named:
            (resolved,) = substitute(resolve(self.system, [parsed]), shown)
        return substitute([resolved], {symbol(n): e for n, e in more.items()})[0] if more else resolved

    def code(self, texts: Sequence[Any], where: str) -> MachineCode:
        """Machine code of some expressions, in any names of the system."""
        key = (*map(str, texts), where)
        return self._codes.get(
            key, lambda: machine_code(self.symbols, [self.expression(e, f"{where} {e}") for e in texts], where, 0)
        )

    def watched(self, key: Hashable, make: Callable[[], T]) -> T:
        """Compiled events and tables of other expressions, cached by key."""
        return cast(T, self._watched.get(key, make))

    def row(self, time: float, state: Sequence[float], inputs: Sequence[float], parameters: Sequence[float]) -> Array:
        """The input vector ``[t, x…, z…, inputs…, parameters…]``."""
        return np.array([time, *state, *inputs, *parameters], dtype=float)

    def velocities(self, row: Array) -> dict[str, float]:
        """Every name that follows from the state."""
        code = self.outputs
        return dict(zip(self.equations.outputs, code(row).tolist())) if code.outputs else {}

    def condition(self, row: Array) -> float:
        """``1/(1 + Σ W²)`` of the basis: small when the chosen speeds degenerate; 1 without a choice."""
        return float(self.conditions(row)[0]) if self.guard else 1.0

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return system_kernel, (self.equations, self.system, self.laws, self.guard)  # compiled again where it lands


def system_kernel(
    equations: Equations,
    system: System | None = None,
    laws: Mapping[str, Expr] = FrozenMap(),
    guard: tuple[Expr, ...] = (),
    scheme: str = "",
) -> SystemKernel:
    """Compile equations in one choice of speeds, with the system that they were derived from and its feedback laws."""
    plain = compile_equations(equations, conditions=guard, scheme=scheme)
    return SystemKernel(**fields_of(plain), system=system, laws=FrozenMap(dict(laws)))


def fields_of(kernel: Kernel) -> dict[str, Any]:
    """The fields of a kernel by name, for one that knows more."""
    return {one.name: getattr(kernel, one.name) for one in fields(kernel)}


def on_rows(code: MachineCode, rows: Array) -> Array:
    """The outputs of machine code on every row."""
    if len(rows) <= FEW:
        return code.rows(rows)
    from nonholo.integrate.loops.loop_rates import run_rows

    code = code.after(len(rows))
    found = np.empty((len(rows), code.outputs))
    if code.outputs:
        given = np.ascontiguousarray(rows, dtype=float)
        places = code.address, code.data, found.ctypes.data, given.ctypes.data
        run_rows(np.array([*places, found.shape[1], given.shape[1], len(rows)], dtype=np.int64))
    return found


_INPUTS_FIXED: WeakCache[Cache[Equations]] = WeakCache(16)


def with_input_parameters(equations: Equations, names: Sequence[str]) -> Equations:
    """The equations in which some inputs are parameters, so that each of many motions has its own number."""
    kept = _INPUTS_FIXED.get(equations, lambda: Cache(8))
    fixed = tuple(s for s in equations.inputs if str(s) in names)
    rest = tuple(s for s in equations.inputs if str(s) not in names)
    return kept.get(fixed, lambda: replace(equations, inputs=rest, parameters=(*equations.parameters, *fixed)))


def acceleration_names(equations: Equations, coordinates: Iterable[str]) -> dict[str, str]:
    """The names of accelerations, and the velocity that each is the rate of."""
    rates = {rate(c): f"{c}ddot" for c in coordinates}
    velocities = dict.fromkeys((*map(str, equations.speeds), *equations.outputs, *rates))
    return {rates.get(v, f"{v}dot"): v for v in velocities if not v.startswith("_")}


def accelerations(equations: Equations, velocities: Sequence[str], where: str) -> list[Expr]:
    """The rates of velocities along the motion, with the mass matrix solved."""
    speeds, size = equations.speeds, len(equations.force)
    if size > MOST_ROWS_SOLVED:
        raise ModelError(f"{where}: accelerations of {size} speeds are not written as formulas; take run.data after the motion.")
    moving = se.DenseMatrix(size, size, [e for row in equations.mass for e in row])
    steps = dict(zip(equations.coordinates, equations.kinematics))
    if size:
        pulls = moving.LUsolve(se.DenseMatrix(size, 1, list(equations.force)))
        steps |= {z: pulls[k, 0] for k, z in enumerate(speeds)}
    found = []
    for velocity in velocities:
        expr = symbol(velocity) if symbol(velocity) in speeds else se.sympify(equations.outputs[velocity])
        inside = expr.free_symbols
        held = [u for u in equations.inputs if u in inside]
        if held:
            raise ModelError(
                f"{where}: the acceleration of {velocity} needs the rate of the input {held[0]}, which is not known."
            )
        found.append(se.Add(expr.diff(equations.time), *(expr.diff(s) * e for s, e in steps.items() if s in inside)))
    return found


def shows_reactions(equations: Equations, system: System | None) -> bool:
    """Whether reactions of the system's constraints follow from the accelerations that the equations give."""
    return (
        system is not None
        and equations.origin == "hamel"
        and all(v in equations.outputs or v in equations.state for v in system.velocities)
        and bool(system.constraints or system.holonomic or system.parametric)
    )


def reaction_names(equations: Equations, system: System | None) -> tuple[str, ...]:
    """The names of the reactions: ``lambda1, …`` of constraints, ``reaction_xdot, …`` of velocities by parameters."""
    if system is None or not shows_reactions(equations, system):
        return ()
    if system.parametric is not None:
        return tuple(f"reaction_{v}" for v in system.velocities)
    return multiplier_names(system, len(constraint_rows(system).slopes))


def reaction_formulas(equations: Equations, system: System, where: str) -> dict[str, Expr]:
    """The reactions by name: ``R = G v̇ − f`` and ``(A Aᵀ) λ = A R``, whose rows must be independent."""
    velocity = symbols(system.velocities)
    change = accelerations(equations, system.velocities, where)
    metric, push = unconstrained(system)
    names = reaction_names(equations, system)
    own = {s: equations.outputs[str(s)] for s in velocity if str(s) in equations.outputs}
    push = substitute(push, own)
    reaction = [dot(substitute(row, own), change) - f for row, f in zip(metric, push)]
    if system.parametric is not None:
        return dict(zip(names, reaction))
    rows = [substitute(row, own) for row in constraint_rows(system).slopes]
    count = len(rows)
    if count > MOST_ROWS_SOLVED:
        raise ModelError(f"{where}: reactions of {count} constraints are not written as formulas; take run.data when it is over.")
    gram = se.DenseMatrix(count, count, [dot(one, other) for one in rows for other in rows])
    found = gram.LUsolve(se.DenseMatrix(count, 1, [dot(row, reaction) for row in rows]))
    return {n: found[k, 0] for k, n in enumerate(names)}
