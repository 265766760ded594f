"""Equations as numbers, by name: for questions at single states (motion goes through machine code)."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import ONE, ZERO, along, symbols
from nonholo.algebra.numeric import numeric_function
from nonholo.derive.equations import Equations
from nonholo.errors import StateError
from nonholo.model.system import GRAVITY, finite

Numbers = NDArray[np.float64]


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


def rates(equations: Equations, state: Mapping[str, Any], parameters: Mapping[str, Any] | None) -> dict[str, float]:
    """See `Equations.rates`."""
    return solution(equations, state, parameters).rates


def solution(equations: Equations, state: Mapping[str, Any], parameters: Mapping[str, Any] | None) -> Solution:
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
    )


def state_vector(equations: Equations, state: Mapping[str, Any], parameters: Mapping[str, Any] | None) -> list[float]:
    """The numbers of the state variables, in their order, from any sufficient set of names."""
    inputs = dict.fromkeys(map(str, equations.inputs), 0.0)
    values = _values(equations, {**inputs, **state}, parameters)
    return [values[n] for n in equations.state]


class _Functions:
    """The compiled pieces of one Equations, on a vector of values by name."""

    def __init__(self, equations: Equations) -> None:
        self.names = [
            *equations.state,
            *map(str, equations.parameters),
            *map(str, equations.inputs),
            str(equations.time),
        ]
        arguments = list(symbols(self.names))
        size = len(equations.force)
        flat = [e for row in equations.mass for e in row]
        self._motion = numeric_function(arguments, [*flat, *equations.force, *equations.kinematics, ZERO], "lambda")
        self._size = size
        watched = [se.sympify(equations.energy), *(se.sympify(e) for e in equations.outputs.values())]
        variables = symbols(equations.state)
        flow = symbols(f"_flow_{n}" for n in equations.state)
        slopes = along(watched, {**dict(zip(variables, flow)), equations.time: ONE})
        self._outputs = numeric_function([*arguments, *flow], [*watched, *slopes], "lambda")
        self._count = len(watched)

    def _vector(self, values: Mapping[str, float]) -> list[float]:
        return [values[n] for n in self.names]

    def motion(self, values: Mapping[str, float]) -> tuple[Numbers, Numbers, Numbers]:
        with np.errstate(all="ignore"):
            flat = np.asarray(self._motion(np.array(self._vector(values), dtype=float))).reshape(-1)[:-1]
        size = self._size
        return (
            flat[: size * size].reshape(size, size),
            flat[size * size : size * size + size],
            flat[size * size + size :],
        )

    def outputs(self, values: Mapping[str, float], flow: Sequence[float]) -> tuple[Numbers, Numbers]:
        with np.errstate(all="ignore"):
            flat = np.asarray(self._outputs(np.array([*self._vector(values), *flow], dtype=float))).reshape(-1)
        return flat[: self._count], flat[self._count :]


@lru_cache(maxsize=64)
def _functions(equations: Equations) -> _Functions:
    return _Functions(equations)


def _values(equations: Equations, state: Mapping[str, Any], parameters: Mapping[str, Any] | None) -> dict[str, float]:
    where = equations.name
    known = {*equations.state, *equations.outputs, *map(str, equations.inputs), str(equations.time)}
    names = tuple(map(str, equations.parameters))
    values: dict[str, float] = {str(equations.time): 0.0}
    for name, number in (parameters or {}).items():
        if name not in names and name not in known:
            raise StateError(f"{where} has no parameter {name!r}{_hint(name, names)}")
        values[name] = finite(number, f"{where}: parameter {name}")
    for name in names:
        if name not in values:
            if name != "g":
                raise StateError(f'{where}: the parameter {name!r} has no value; give parameters={{"{name}": …}}.')
            values[name] = GRAVITY
    given: dict[str, float] = {}
    for name, number in state.items():
        if name not in known:
            raise StateError(f"{where} ({equations.origin}) has no state variable {name!r}{_hint(name, tuple(known))}")
        given[name] = finite(number, f"{where}: {name}")
    for name in map(str, equations.inputs):
        if name not in given and name not in values:
            raise StateError(f'{where}: the input {name!r} has no value; add "{name}": … to the state.')
    values.update(given)
    missing = [n for n in equations.state if n not in given]
    if missing:
        values.update(_find_missing(equations, values, given, missing))
    return values


def _hint(name: str, names: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(sorted(names)) or 'none'}."


def _find_missing(
    equations: Equations, values: Mapping[str, float], given: Mapping[str, float], missing: Sequence[str]
) -> dict[str, float]:
    """The missing state variables from the outputs that are given (rates, redundant coordinates), by least squares."""
    from scipy.optimize import least_squares

    targets = [n for n in equations.outputs if n in given]
    function = numeric_function(
        [*symbols(missing), *(symbols(n for n in values if n not in missing))],
        [*(equations.outputs[n] for n in targets), *equations.invariants.values(), ZERO],
    )
    fixed = [values[n] for n in values if n not in missing]
    wanted = np.array([given[n] for n in targets] + [0.0] * len(equations.invariants))

    def gap(guess: Numbers) -> Numbers:
        numbers: Numbers = np.asarray(function(np.array([*guess, *fixed], dtype=float)), dtype=float)
        return np.asarray(numbers.reshape(-1)[:-1] - wanted, dtype=np.float64)

    if len(wanted) >= len(missing):
        for attempt in range(6):
            start = np.random.default_rng(attempt).uniform(-0.7, 0.7, len(missing)) * (attempt > 0) + 1e-3
            found = least_squares(gap, start, xtol=1e-15, ftol=1e-15, gtol=1e-15)
            if np.max(np.abs(found.fun)) < 1e-9 and np.linalg.matrix_rank(found.jac, tol=1e-9) == len(missing):
                return dict(zip(missing, found.x.tolist()))
    raise StateError(
        f"{equations.name} ({equations.origin}): {', '.join(missing)} not given and not to be found from "
        f"{', '.join(given) or 'nothing'}; the state is {', '.join(equations.state)}."
    )
