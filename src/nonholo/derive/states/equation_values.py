"""Evaluate equations at single states by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import atoms, jacobian, symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.algebra.numeric_functions import Formulas
from nonholo.derive.mass_and_force import MassAndForce
from nonholo.errors import StateError, give_parameter, meant
from nonholo.model.reading import plain_key
from nonholo.model.system import GRAVITY, finite

LEAVING, HOLDING = 1e-5, 1e-9
"""Rates that change an invariant by more than this part of their terms leave it, where it holds as closely as the second."""


@dataclass(frozen=True)
class Solution:
    """Everything at one state: rates of the state and of all outputs, unknowns, energy and its rate."""

    state: dict[str, float]
    rates: dict[str, float]
    unknowns: dict[str, float]
    outputs: dict[str, float]
    energy: float
    energy_rate: float
    mass: Numbers
    force: Numbers


def rates(equations: MassAndForce, state: Mapping[str, Any], parameters: Mapping[str, Any] | None) -> dict[str, float]:
    """See `Equations.rates`."""
    found = solution(equations, state, parameters)
    return {**found.rates, **found.unknowns}


def solution(equations: MassAndForce, state: Mapping[str, Any], parameters: Mapping[str, Any] | None) -> Solution:
    """Solve ``M (ż, unknowns) = F`` at one state and differentiate every output along the motion."""
    values = _values(equations, state, parameters)
    functions = _functions(equations)
    count = len(equations.speeds)
    mass, force, kinematics = functions.motion(values)
    try:
        solved = np.linalg.solve(mass, force)
    except np.linalg.LinAlgError:
        solved = np.full(len(force), np.nan)
    if not np.all(np.isfinite(solved)) or not np.all(np.isfinite(kinematics)):
        raise StateError(
            f"{equations.name}: the {equations.origin} equations have no unique accelerations at this state (singular mass "
            "matrix or division by zero); choose another state, other speeds, or give every direction kinetic energy."
        )
    if functions.left(values, kinematics):
        raise StateError(
            f"{equations.name}: the speeds {', '.join(map(str, equations.speeds))} of these {equations.origin} equations do not "
            "determine the velocities at this state (a division by zero); derive the equations there, with at=state, or ask "
            "nh.prepare(system), which chooses speeds by itself."
        )
    names = equations.state
    flow = dict(zip(names, (*kinematics.tolist(), *solved[:count].tolist())))
    outputs, output_rates = functions.outputs(values, [flow[n] for n in names])
    keys = ("_energy", *equations.outputs)
    named = dict(zip(keys, outputs.tolist()))
    named_rates = dict(zip(keys, output_rates.tolist()))
    return Solution(
        state={n: values[n] for n in names},
        rates={**flow, **{n: named_rates[n] for n in equations.outputs}},
        unknowns=dict(zip(map(str, equations.unknowns), solved[count:].tolist())),
        outputs={n: named[n] for n in equations.outputs},
        energy=named["_energy"],
        energy_rate=named_rates["_energy"],
        mass=mass,
        force=force,
    )


def state_vector(equations: MassAndForce, state: Mapping[str, Any], parameters: Mapping[str, Any] | None) -> list[float]:
    """The numbers of the state variables, in their order, from any sufficient set of names."""
    values = _values(equations, state, parameters)
    return [values[n] for n in equations.state]


def filled(equations: MassAndForce, given: Mapping[str, Any]) -> dict[str, Any]:
    """A start of equations by hand: what is not given is 0, as in a system, unless constraints tie it or rates are given."""
    state = equations.state
    if equations.invariants or not set(given) <= {*state, "t"}:
        return dict(given)
    return {**dict.fromkeys(state, 0.0), **given}


class _Functions:
    """Formulas of one Equations, each read when it is first needed."""

    def __init__(self, equations: MassAndForce) -> None:
        # what is kept must not hold the equations it is kept for
        self._parts = (equations.mass, equations.force, equations.kinematics, equations.energy, equations.outputs)
        self._state, self._time = equations.state, equations.time
        speeds = set(equations.speeds)
        held = [e for e in map(se.sympify, equations.invariants.values()) if not e.free_symbols & speeds]
        self._bounds = [e for e in held if not atoms([e], se.Max, se.Min, se.Abs, se.Piecewise)]  # kinks have no slope
        self._sought: dict[Any, Formulas] = {}
        self.names = (*equations.state, *map(str, (*equations.parameters, *equations.inputs, equations.time)))

    @cached_property
    def _motion(self) -> Formulas:
        mass, force, kinematics, *_ = self._parts
        return Formulas(self.names, [*(e for row in mass for e in row), *force, *kinematics])

    @cached_property
    def _outputs(self) -> Formulas:
        *_, energy, outputs = self._parts
        watched = [se.sympify(energy), *(se.sympify(e) for e in outputs.values())]
        flow = {n: f"_flow_{n}" for n in self._state}
        return Formulas((*self.names, *flow.values()), watched, {**flow, str(self._time): 1.0})

    @cached_property
    def _bounding(self) -> Formulas:
        coordinates = symbols(self._state[: len(self._parts[2])])
        slopes = [*jacobian(self._bounds, coordinates), [e.diff(self._time) for e in self._bounds]]
        return Formulas(self.names, [*self._bounds, *(e for row in slopes for e in row)])

    def left(self, values: Mapping[str, float], kinematics: Numbers) -> bool:
        """Whether these rates of the coordinates leave invariants of the configuration that hold at the state."""
        count = len(self._bounds)
        if not count:
            return False
        flat = self._bounding.at(values)
        slopes = flat[count : count + count * len(kinematics)].reshape(count, -1) * kinematics
        moving = flat[count + count * len(kinematics) :]
        size = np.sum(np.abs(slopes), axis=1) + np.abs(moving)
        gone = np.abs(np.sum(slopes, axis=1) + moving) > LEAVING * np.maximum(size, 1e-300)
        return bool(np.any(gone & (size > LEAVING) & (np.abs(flat[:count]) < HOLDING)))

    def sought(
        self, exprs: Sequence[Any], missing: tuple[str, ...], others: tuple[str, ...], targets: tuple[str, ...]
    ) -> Formulas:
        """Outputs and invariants with their slopes along the state variables that are to be found from them."""
        key = (missing, others, targets)
        if key not in self._sought:
            slopes = jacobian(exprs, symbols(missing))
            self._sought[key] = Formulas((*missing, *others), [*exprs, *(e for row in slopes for e in row)])
        return self._sought[key]

    def motion(self, values: Mapping[str, float]) -> tuple[Numbers, Numbers, Numbers]:
        flat, size = self._motion.at(values), len(self._parts[1])
        mass, force, kinematics = np.split(flat, [size * size, size * size + size])
        return mass.reshape(size, size), force, kinematics

    def outputs(self, values: Mapping[str, float], flow: Sequence[float]) -> tuple[Numbers, Numbers]:
        flat = self._outputs.of([*(values[n] for n in self.names), *flow])
        return flat[: len(flat) // 2], flat[len(flat) // 2 :]


_KEPT: WeakCache[_Functions] = WeakCache(64)


def _functions(equations: MassAndForce) -> _Functions:
    return _KEPT.get(equations, lambda: _Functions(equations))


def _values(equations: MassAndForce, state: Mapping[str, Any], parameters: Mapping[str, Any] | None) -> dict[str, float]:
    where = equations.name
    known = {*equations.state, *equations.outputs, *map(str, equations.inputs), str(equations.time)}
    names = tuple(map(str, equations.parameters))
    values: dict[str, float] = {str(equations.time): 0.0}
    for key, number in (parameters or {}).items():
        name = key if key in names else plain_key(key)
        if name not in names and name not in known:
            raise StateError(f"{where} has no parameter {name!r}{_hint(name, names)}")
        if number is not None:
            values[name] = finite(number, f"{where}: parameter {name}")
    for name in names:
        if name not in values:
            if name != "g":
                raise StateError(f"{where}: the parameter {name!r} has no value;", remedy=give_parameter(name))
            values[name] = GRAVITY
    given: dict[str, float] = {}
    for key, number in state.items():
        name = key if key in known else plain_key(key)
        if name not in known:
            raise StateError(f"{where} ({equations.origin}) has no state variable {name!r}{_hint(name, tuple(known))}")
        given[name] = finite(number, f"{where}: {name}")
    for name in map(str, equations.inputs):
        values.setdefault(name, 0.0)
    values.update(given)
    missing = [n for n in equations.state if n not in given]
    if missing:
        values.update(_find_missing(equations, values, given, missing))
    return values


def _hint(name: str, names: Sequence[str]) -> str:
    return "; " + meant(name, names, f"it has {', '.join(sorted(names)) or 'none'}.")


def _find_missing(
    equations: MassAndForce, values: Mapping[str, float], given: Mapping[str, float], missing: Sequence[str]
) -> dict[str, float]:
    """The missing state variables from the outputs that are given (rates, redundant coordinates), by least squares."""
    targets = [n for n in equations.outputs if n in given]
    exprs = [*(equations.outputs[n] for n in targets), *equations.invariants.values()]
    wanted = np.array([given[n] for n in targets] + [0.0] * len(equations.invariants))
    count = len(wanted)
    if count >= len(missing):
        others = [n for n in values if n not in missing]
        formulas = _functions(equations).sought(exprs, tuple(missing), tuple(others), tuple(targets))
        fixed = [values[n] for n in others]

        def function(guess: Numbers) -> tuple[Numbers, Numbers]:
            numbers = formulas.of([*guess.tolist(), *fixed])
            return numbers[:count] - wanted, numbers[count:].reshape(count, len(missing))

        for attempt in range(6):
            start = np.random.default_rng(attempt).uniform(-0.7, 0.7, len(missing)) * (attempt > 0) + 1e-3
            found, residual = gauss_newton(function, start)
            if np.max(np.abs(residual), initial=0.0) < 1e-9:
                # a direction that changes nothing the system has a name for may be anything (a turn about the vertical of γ)
                whole = len(targets) == len(equations.outputs)
                if whole or np.linalg.matrix_rank(function(found)[1], tol=1e-9) == len(missing):
                    return dict(zip(missing, found.tolist()))
    raise StateError(
        f"{equations.name} ({equations.origin}): {', '.join(missing)} not given and not to be found from "
        f"{', '.join(given) or 'nothing'}; the state is {', '.join(equations.state)}."
    )
