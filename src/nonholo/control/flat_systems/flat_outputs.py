"""Flat systems: outputs from which state and inputs follow by differentiation, and the maps both ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.control.flat_systems import configuration_flatness
from nonholo.control.flat_systems.chained_form import ChainedForm, chained_form
from nonholo.control.flat_systems.derived_flags import derived_flag, generic_fields, linearising_flag
from nonholo.control.reachability.control_affine import ControlAffine, control_affine
from nonholo.control.reachability.linear_tests import linear_velocities
from nonholo.errors import ModelError
from nonholo.model.system import System, check_system, parameter_values
from nonholo.notation.write import to_text

Maps = dict[str, Expr]


@dataclass(frozen=True, eq=False)
class Flatness:
    """Whether a system is flat, its outputs, and the maps. Made by `flatness`."""

    name: str
    flat: bool | None
    """None: not flat by these tests, which is no proof."""
    why: str
    outputs: tuple[Expr, ...] = ()
    """``y1, y2 …`` as functions of the state."""
    state: FrozenMap[str, Expr] | None = None
    """State variables as functions of the outputs and their derivatives: ``y1``, ``y1_1``, ``y1_2`` …"""
    inputs: FrozenMap[str, Expr] | None = None
    """Inputs likewise."""
    orders: tuple[int, ...] = ()
    """How often each output is differentiated."""
    control: ControlAffine | None = None

    def __bool__(self) -> bool:
        return self.flat is True

    def __str__(self) -> str:
        word = {True: "flat", False: "not flat", None: "not flat by these tests"}[self.flat]
        rows = [f"  y{k} = {to_text(e)}" for k, e in enumerate(self.outputs, 1)]
        return "\n".join([f"{self.name}: {word} ({self.why})", *rows])

    def to_flatsys(self, parameters: Mapping[str, Any] | None = None) -> Any:
        """As `control.flatsys.FlatSystem` of python-control; forwards inputs count as constant."""
        try:
            import control.flatsys
        except ImportError:
            raise ModelError(f"{self.name}: python-control is not installed here; `pip install control`.") from None
        forward, reverse, names, given = flag_functions(self, parameters)
        update, output = _python_update(forward, names)
        return control.flatsys.FlatSystem(
            forward.flag, reverse, update, output, inputs=list(given), outputs=[f"y{k + 1}" for k in range(len(self.outputs))],
            states=list(names), name=self.name.replace(" ", "_").replace(".", "_"),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Forward:
    """State and inputs to flags and rates, in numbers."""

    flags: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    rates: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    orders: tuple[int, ...]

    def flag(self, x: Any, u: Any, params: Any = None) -> list[Any]:
        values = np.asarray(self.flags(np.array([[*x, *u]], dtype=float)), dtype=float).ravel()
        ends = np.cumsum([0, *(k + 1 for k in self.orders)])
        return [values[a:b] for a, b in pairwise(ends)]


def flag_functions(
    found: Flatness, parameters: Mapping[str, Any] | None
) -> tuple[_Forward, Any, tuple[str, ...], tuple[str, ...]]:
    """Numeric maps from state and inputs to the outputs' derivatives, and back."""
    control = found.control
    if not found.flat or found.state is None or found.inputs is None or control is None:
        raise ModelError(f"{found.name}: no closed maps of flat outputs: {found.why}.")
    numbers = {symbol(n): e for n, e in parameter_values(control.system, parameters).items()}
    x, u = control.state, control.inputs
    field = explicit_field(control, u)
    flags: list[Expr] = []
    for h, order in zip(found.outputs, found.orders):
        one = h
        for k in range(order + 1):
            flags.append(one.xreplace(numbers))
            one = se.Add(*(one.diff(s) * e for s, e in zip(x, field))) if k < order else one
    forward = numeric_function([*x, *u], flags, "flat")
    rates = numeric_function([*x, *u], [e.xreplace(numbers) for e in field], "rates")
    names = [symbol(_flag(k, d)) for k, order in enumerate(found.orders) for d in range(order + 1)]
    back = [*found.state.values(), *found.inputs.values()]
    inverse = numeric_function(names, [e.xreplace(numbers) for e in back], "inverse")

    def reverse(zflag: Any, params: Any = None) -> tuple[Any, Any]:
        row = np.concatenate([np.asarray(z, dtype=float)[: order + 1] for z, order in zip(zflag, found.orders)])
        values = np.asarray(inverse(row[None]), dtype=float).ravel()
        return values[: len(x)], values[len(x) :]

    return _Forward(forward, rates, found.orders), reverse, control.names, tuple(map(str, u))


def _python_update(forward: _Forward, names: Sequence[str]) -> tuple[Any, Any]:
    def update(t: float, x: Any, u: Any, params: Any = None) -> Any:
        return np.asarray(forward.rates(np.array([[*x, *u]], dtype=float)), dtype=float).ravel()

    def output(t: float, x: Any, u: Any, params: Any = None) -> Any:
        return np.array([flag[0] for flag in forward.flag(x, u)])

    return update, output


def flatness(
    system: System, kinematic: bool | None = None, *, outputs: Sequence[Any] | None = None, near: Mapping[str, Any] | None = None
) -> Flatness:
    """Flat outputs where known theory finds them, with maps both ways; else what the theory says.

    Driftless with two inputs: flat exactly if the derived flag grows by one [Martin and Rouchon 1994], by its chained form.
    One input: flat exactly if static feedback linearises it [Charlet, Lévine and Marino 1989]; several: flat if it does
    [Jakubczyk and Respondek 1980]. An input for every free speed: flat if the constraints are, with the same outputs; without
    constraints the coordinates are flat outputs. One input fewer than coordinates, no constraints: flat outputs on
    configurations [Rathinam and Murray 1998].

    >>> import nonholo as nh
    >>> unicycle = nh.control.kinematic_system("x y th", {"x": "v*cos(th)", "y": "v*sin(th)", "th": "w"}, "v w")
    >>> found = nh.control.flatness(unicycle)
    >>> found.flat, found.outputs, found.state["th"]
    (True, (x, y), atan(y2_1/y1_1))
    """
    check_system(system)
    control = control_affine(system, kinematic)
    name = system.name
    if control.relations:
        return Flatness(name, None, "its coordinates are not independent", control=control)
    if control.driftless:
        return _driftless(control, system, kinematic, outputs, near)
    if control.reading == "dynamic" and not control.extended and _square(control) and len(control.inputs) > 1:
        return _actuated(control, system, outputs, near)
    linear = _linearised(control, near)
    if linear is not None:
        return linear
    if configuration_flatness.applies(control):
        return _underactuated(control, near)
    return Flatness(name, None, "no static feedback linearises it, and no other test for several inputs applies", control=control)


def _flag(k: int, order: int) -> str:
    """``y1``, ``y1_1``, ``y1_2`` …: output k (from 0) and its derivatives."""
    return f"y{k + 1}" + (f"_{order}" if order else "")


def _total(expr: Expr, count: int, most: int) -> Expr:
    """The time derivative of a function of the outputs and their derivatives."""
    pairs = [(symbol(_flag(k, d)), symbol(_flag(k, d + 1))) for k in range(count) for d in range(most)]
    return se.Add(*(expr.diff(a) * b for a, b in pairs if a in expr.free_symbols))


def _driftless(
    control: ControlAffine, system: System, kinematic: bool | None, outputs: Sequence[Any] | None, near: Mapping[str, Any] | None
) -> Flatness:
    name, size, count = system.name, len(control.state), len(control.inputs)
    if count >= size:
        return Flatness(name, None, "as many inputs as coordinates: steer every coordinate by itself", control=control)
    if count != 2:
        return Flatness(name, None, f"no test for {count} inputs without drift", control=control)
    jets = generic_fields(control, max(2, size - 1), {})
    dimensions, _ = derived_flag(jets, list(jets.fields[1:]))
    if dimensions != list(range(2, size + 1)):
        why = f"its derived flag has dimensions {', '.join(map(str, dimensions))}, Martin–Rouchon"
        return Flatness(name, False, why, control=control)
    try:
        form = chained_form(system, kinematic, outputs=outputs, near=near)
    except ModelError as problem:
        return Flatness(name, True, f"derived flag, Martin–Rouchon; {problem}", control=control)
    state, given, _ = _chain_maps(form, size)
    ends = (form.coordinates[0], form.coordinates[-1])
    frozen = (None, None) if state is None or given is None else (FrozenMap(state), FrozenMap(given))
    return Flatness(name, True, "chained form, Martin–Rouchon", ends, frozen[0], frozen[1], (size - 1, size - 1), control)


def _chain_maps(form: ChainedForm, size: int) -> tuple[Maps | None, Maps | None, list[Expr]]:
    """State and inputs by the outputs' derivatives: each coordinate of the chain is a rate per rate of the first."""
    pace = symbol(_flag(0, 1))
    chain = [symbol(_flag(1, 0))]
    for _ in range(size - 2):
        chain.append(_total(chain[-1], 2, size) / pace)
    values = [symbol(_flag(0, 0)), *chain[::-1]]
    speed = _total(values[1], 2, size)
    if form.state is None:
        return None, None, values
    table = dict(zip(symbols(f"x{k}" for k in range(1, size + 1)), values))
    state = {n: e.xreplace(table) for n, e in form.state.items()}
    where = {symbol(n): e for n, e in state.items()} | {symbol("v1"): pace, symbol("v2"): speed}
    return state, {n: e.xreplace(where) for n, e in form.given.items()}, values


def explicit_field(control: ControlAffine, inputs: Sequence[Expr]) -> list[Expr]:
    """``f + Σ u_i g_i`` with the mass matrix solved."""
    move = [se.Add(k[0], *(u * e for u, e in zip(inputs, k[1:]))) for k in zip(*control.kinematics)]
    if not control.speeds:
        return move
    pull = [se.Add(k[0], *(u * e for u, e in zip(inputs, k[1:]))) for k in zip(*control.forces)]
    size = len(control.mass)
    solved = se.DenseMatrix(size, size, [e for row in control.mass for e in row]).LUsolve(se.DenseMatrix(size, 1, pull))
    return [*move, *(solved[k, 0] for k in range(len(control.speeds)))]


def _square(control: ControlAffine) -> bool:
    """Whether every free speed has its input, and velocities are linear in the speeds."""
    still = not any(e != 0 for row in control.kinematics[1:] for e in row)
    return still and len(control.inputs) == len(control.speeds) == len(control.mass) and linear_velocities(control)


def _actuated(
    control: ControlAffine, system: System, outputs: Sequence[Any] | None, near: Mapping[str, Any] | None
) -> Flatness:
    """An input for every free speed: outputs of the constraints alone, then inverse dynamics."""
    name, speeds, size = system.name, control.speeds, len(control.coordinates)
    if size == len(speeds):
        ends: tuple[Expr, ...] = control.coordinates
        state: Maps | None = {str(s): symbol(_flag(k, 0)) for k, s in enumerate(control.coordinates)}
        move = se.DenseMatrix(size, size, [e.diff(z) for e in control.kinematics[0] for z in speeds])
        quick = move.LUsolve(se.DenseMatrix(size, 1, [symbol(_flag(k, 1)) for k in range(size)]))
        place = {s: symbol(_flag(k, 0)) for k, s in enumerate(control.coordinates)}
        fast: Maps | None = {str(z): quick[k, 0].xreplace(place) for k, z in enumerate(speeds)}
        orders, why = (2,) * size, "an input for every coordinate"
    else:
        inner = _driftless(control_affine(system, kinematic=True), system, True, outputs, near)
        if not inner.flat:
            word = "the constraints are not flat" if inner.flat is False else inner.why
            return Flatness(name, None, f"an input for every free speed, but {word}", control=control)
        ends, orders, why = inner.outputs, tuple(k + 1 for k in inner.orders), "an input for every free speed, flat constraints"
        state = None if inner.state is None else dict(inner.state)
        fast = None if inner.inputs is None else dict(inner.inputs)
    if state is None or fast is None:
        return Flatness(name, True, why, ends, None, None, orders, control)
    whole = {**state, **fast}
    table = {symbol(n): e for n, e in whole.items()}
    most = max(orders)
    pulls = [_total(fast[str(z)], len(ends), most) for z in speeds]
    count = len(speeds)
    mass = [[e.xreplace(table) for e in row] for row in control.mass]
    rest = [se.Add(*(a * b for a, b in zip(row, pulls))) - f.xreplace(table) for row, f in zip(mass, control.forces[0])]
    entries = [control.forces[k][j].xreplace(table) for j in range(count) for k in range(1, count + 1)]
    matrix = se.DenseMatrix(count, count, entries)
    solved = matrix.LUsolve(se.DenseMatrix(count, 1, rest))
    given = {str(u): solved[k, 0] for k, u in enumerate(control.inputs)}
    return Flatness(name, True, why, ends, FrozenMap(whole), FrozenMap(given), orders, control)


def _linearised(control: ControlAffine, near: Mapping[str, Any] | None) -> Flatness | None:
    """Static feedback linearisation, with coordinates as outputs where such serve; None where that says nothing."""
    from nonholo.control.flat_systems.chained_form import vanishing
    from nonholo.control.flat_systems.inverse_map import inverted

    name, size, count = control.system.name, len(control.state), len(control.inputs)
    answer = linearising_flag(control)
    if answer is not True:
        if count > 1:
            return None
        why = "the conditions of Jakubczyk and Respondek fail" if answer is False else "brackets too long"
        return Flatness(name, answer, why, control=control)
    zero = dict.fromkeys(control.inputs, se.Integer(0))
    field = explicit_field(control, control.inputs)
    drift = [e.xreplace(zero) for e in field]

    def rate(h: Expr, along: Sequence[Expr]) -> Expr:
        return se.Add(*(h.diff(s) * e for s, e in zip(control.state, along)))

    fields = [[e.diff(u) for e in field] for u in control.inputs]
    chains: list[tuple[list[Expr], list[Expr]]] = []
    for h in control.coordinates:
        chain, slopes = [h], [rate(h, g) for g in fields]
        while len(chain) < size and all(vanishing(control, e) for e in slopes):
            chain.append(rate(chain[-1], drift))
            slopes = [rate(chain[-1], g) for g in fields]
        chains.append((chain, slopes))
    for some in combinations(chains, count):
        matrix = se.DenseMatrix(count, count, [e for _, slopes in some for e in slopes])
        if sum(len(chain) for chain, _ in some) != size or vanishing(control, matrix.det()):
            continue
        orders, outputs = tuple(len(chain) for chain, _ in some), tuple(chain[0] for chain, _ in some)
        functions = [e for chain, _ in some for e in chain]
        flags = [symbol(_flag(k, d)) for k, order in enumerate(orders) for d in range(order)]
        state = inverted(functions, flags, list(control.state), {str(n): float(e) for n, e in (near or {}).items()})
        why = "static feedback linearisation"
        if state is None:
            return Flatness(name, True, why, outputs, None, None, orders, control)
        rest = [symbol(_flag(k, order)) - rate(some[k][0][-1], drift) for k, order in enumerate(orders)]
        solved = matrix.LUsolve(se.DenseMatrix(count, 1, rest))
        given = FrozenMap({str(u): solved[k, 0].xreplace(state) for k, u in enumerate(control.inputs)})
        maps = FrozenMap({str(s): state[s] for s in control.state})
        return Flatness(name, True, why, outputs, maps, given, orders, control)
    return Flatness(name, True, "conditions of Jakubczyk and Respondek; no coordinate is a flat output", control=control)


def _underactuated(control: ControlAffine, near: Mapping[str, Any] | None) -> Flatness:
    """One input fewer than coordinates: functions of the coordinates as outputs, by dynamic feedback."""
    from nonholo.control.flat_systems.inverse_map import inverted

    name, q = control.system.name, control.coordinates
    outputs, why = configuration_flatness.flat_coordinates(control)
    if outputs is None:
        return Flatness(name, None, why, control=control)
    count, orders = len(outputs), (4,) * len(outputs)
    flags = [[symbol(_flag(k, d)) for k in range(count)] for d in range(3)]
    equation = configuration_flatness.free_equation(control, outputs, flags)
    if equation is None:
        return Flatness(name, None, "the equation without inputs does not give the coordinate that is left", control=control)
    close = {str(n): float(e) for n, e in (near or {}).items()}
    found = inverted([*outputs, equation], [*flags[0], se.Integer(0)], list(q), close)
    if found is None:
        return Flatness(name, True, why, tuple(outputs), None, None, orders, control)
    state = {str(s): found[s] for s in q}
    fast = {str(v): _total(found[s], count, 4) for s, v in zip(q, control.speeds)}
    pulls = [_total(e, count, 4) for e in fast.values()]
    table = {symbol(n): e for n, e in (state | fast).items()}
    given = configuration_flatness.inverse_dynamics(control, table, pulls)
    return Flatness(name, True, why, tuple(outputs), FrozenMap(state | fast), FrozenMap(given), orders, control)
