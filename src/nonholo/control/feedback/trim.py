"""Trim: inputs and states under which a system stays in a steady motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.flow.lifted_generators import lifted
from nonholo.analyse.linear.linearise import linearise
from nonholo.derive.states.consistent_state import complete_state
from nonholo.errors import ModelError, NonholoError, StateError, meant
from nonholo.integrate.model import prepare
from nonholo.model.scalars import finite, name_list
from nonholo.model.system import System, check_system, named, parameter_values

STEADY = 1e-9
"""A rate below this part of the forces' size (at least 1) is none."""
STEP = 1e-7


@dataclass(frozen=True)
class Trim:
    """A steady motion and the inputs that hold it. Made by `trim`."""

    name: str
    state: FrozenMap[str, float]
    """The full state: coordinates, rates and quasi-velocities."""
    inputs: FrozenMap[str, float]
    residual: float
    """The largest rate that should be zero."""
    moving: tuple[str, ...]
    """Ignorable coordinates that go on moving."""

    def __str__(self) -> str:
        listed = ", ".join(f"{n} = {e if abs(e) > 1e-12 else 0.0:.9g}" for n, e in self.inputs.items()) or "no inputs"
        goes = f"; {', '.join(self.moving)} go on" if self.moving else ""
        return f"{self.name}: steady with {listed} (other rates are at most {self.residual:.1e}{goes})"


def trim(
    system: System,
    hold: Mapping[str, Any],
    solve: Sequence[str] | Mapping[str, Any] | str,
    *,
    parameters: Mapping[str, Any] | None = None,
) -> Trim:
    """Find what of ``solve`` (inputs, coordinates or velocities, perhaps with guesses) makes the motion with ``hold`` steady.

    Steady means: every speed is constant, and so is every coordinate on which forces depend. Coordinates that no equation
    depends on may go on moving, and where coordinates are not independent whatever a symmetry moves. What is named nowhere is
    zero, or follows from the constraints.

    >>> import nonholo as nh
    >>> arm = nh.System(coordinates="q", lagrangian="qdot**2/2 + 9*cos(q)", forces={"q": "u"}, inputs="u")
    >>> round(nh.trim(arm, {"q": "pi/6"}, ["u"]).inputs["u"], 9)
    4.5
    """
    check_system(system)
    numbers = parameter_values(system, parameters)
    model = prepare(system, numbers)
    names = (*system.coordinates, *model.names, *model.kernel.equations.outputs, *system.inputs)
    kept = {n: finite(e, f"trim: hold {n}") for n, e in named(hold, "trim: hold", '{"v": 5.0}').items()}
    asked = name_list(solve, f"{system.name}: trim: solve", 'solve=["drive"]')
    first = solve if isinstance(solve, Mapping) else {}
    guess = {str(n): finite(first.get(n, 0.0), f"trim: solve {n}") for n in asked}
    for name in (*kept, *guess):
        if name not in names:
            hint = meant(name, dict.fromkeys(names), f"there are {', '.join(dict.fromkeys(names))}.")
            raise StateError(f"{system.name}: trim: nothing is called {name!r}; {hint}")
    both = sorted(kept.keys() & guess.keys())
    if both or not guess:
        found = f"{both[0]} is held and solved for" if both else "nothing to solve for"
        raise StateError(f"{system.name}: trim: {found}; give e.g. hold={{'v': 5}}, solve=['drive'].")
    unknown = tuple(guess)

    def split(x: Any) -> tuple[dict[str, float], dict[str, float]]:
        every = {**kept, **dict(zip(unknown, map(float, x)))}
        given = {n: every.get(n, 0.0) for n in model.inputs}
        return {n: e for n, e in every.items() if n not in system.inputs}, given

    def ignorable(x: Any) -> tuple[str, ...]:
        state, given = split(x)
        try:
            return linearise(system, state, inputs=given, parameters=numbers, leave_out="all").ignored
        except NonholoError:
            return ()

    start = np.array([guess[n] for n in unknown])
    free = ignorable(start + STEP * np.cos(np.arange(len(start))))
    watched = [n for n in model.names if n not in free]

    def rates(x: Any) -> Any:
        state, given = split(x)
        every = model.rates(state, given)
        return np.array([every[n] for n in watched])

    def comoving(x: Any) -> Any:
        """The rates without what the symmetry makes: a heading given by a vector turns, and the motion is steady."""
        state, given = split(x)
        every, full = model.rates(state, given), complete_state(system, state, numbers, inputs=given or None)
        values = [numbers[n] for n in model.kernel.parameters]
        row = [full.get("t", 0.0), *(full[n] for n in model.names), *given.values(), *values]
        flow, fields = np.array([every[n] for n in model.names]), lifted(system, model.kernel)(np.array([row]))[0][0].T
        return flow - fields @ np.linalg.lstsq(fields, flow, rcond=None)[0]

    from scipy.optimize import least_squares

    for lacking in (rates, comoving):
        try:
            solved = least_squares(lacking, start, x_scale="jac", xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=200)
        except ValueError as problem:
            raise ModelError(f"{system.name}: trim: no rates at the guess ({problem}); give another guess.") from None
        left = np.abs(lacking(solved.x))
        size = max(1.0, float(np.max(np.abs(solved.x), initial=0.0)))
        if np.max(left, initial=0.0) <= STEADY * size or not (system.holonomic or system.frame.relations):
            break
    if np.max(left, initial=0.0) > STEADY * size:
        watched = watched if lacking is rates else list(model.names)
        worst = watched[int(np.argmax(left))]
        raise ModelError(
            f"{system.name}: trim: no relative equilibrium near the guess: the least rate of {worst} is {np.max(left):.3g}; "
            "solve for more (an input, a coordinate), hold less, or give a guess, solve={'phi': 0.3}."
        )
    state, given = split(solved.x)
    full = complete_state(system, state, numbers, inputs=given or None)
    every = model.rates(state, given)
    moving = tuple(n for n in system.coordinates if abs(every[n]) > STEADY * size)
    plain = {n: float(e) for n, e in full.items() if n not in system.inputs and n != "t"}
    return Trim(system.name, FrozenMap(plain), FrozenMap(given), float(np.max(left, initial=0.0)), moving)
