"""Derivatives of a completed start by start values and parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import gradient, jacobian, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.linear_equations import dot, evaluate, transpose
from nonholo.algebra.numeric_functions import Formulas
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.derive.states.start_completion import completion, free_rows
from nonholo.errors import StateError
from nonholo.model.system import System, resolve
from nonholo.model.system_structure import bare, structure
from nonholo.model.velocities.admissible import admissible, constraint_rows, samples_of

CLOSE = 1e-8
"""A change that leaves more than this part of the slopes unfulfilled is not possible."""


class StartSlopes:
    """Derivatives of the equations of a start in which the coordinates and velocities ``held`` are given.

    ``base`` is time, inputs, coordinates and parameters, ``moving`` the frame's velocities (or the velocity parameters).
    """

    def __init__(self, system: System, held: Sequence[str]) -> None:
        self.system = system
        self.fixed = tuple(n for n in system.coordinates if n in held)
        self.speeds = tuple(n for n in held if n not in system.coordinates)
        self.base = ("t", *system.inputs, *system.coordinates, *system.parameters)
        self.moving = system.parametric[0] if system.parametric is not None else system.velocities
        self.names = (*self.base, *self.moving)

    @cached_property
    def relations(self) -> Formulas:
        """The slopes of the relations of the coordinates by the base."""
        exprs = (*self.system.frame.relations, *self.system.holonomic)
        return Formulas(self.base, [e for row in jacobian(exprs, symbols(self.base)) for e in row])

    @cached_property
    def equations(self) -> Formulas:
        """The slopes of the velocity constraints, then of the given velocities, by base and velocities."""
        system = self.system
        rows = constraint_rows(system).residuals if system.parametric is None else ()
        return self._slopes([*rows, *self._shown(self.speeds)])

    @cached_property
    def every(self) -> tuple[str, ...]:
        """Every name that follows: the frame's velocities, and all others."""
        return (*self.system.velocities, *completion(self.system, self.speeds).every)

    @cached_property
    def rest(self) -> Formulas:
        """The slopes of ``every`` by base and velocities."""
        return self._slopes(self._shown(self.every))

    def _shown(self, names: Iterable[str]) -> list[Expr]:
        """Velocities by name as functions of base and ``moving``."""
        system = self.system
        if system.parametric is None:
            return list(resolve(system, [symbol(n) for n in names]))
        own, table = system.parametric
        on_shell = {symbol(v): table[v] for v in system.velocities}
        return [symbol(n) if n in own else resolve(system, [symbol(n)])[0].xreplace(on_shell) for n in names]

    def _slopes(self, exprs: Sequence[Expr]) -> Formulas:
        return Formulas(self.names, [e for row in jacobian(exprs, symbols(self.names)) for e in row])


_KEPT: Cache[StartSlopes] = Cache(64)


def start_slopes(
    system: System,
    held: Sequence[str],
    full: Mapping[str, float],
    parameters: Mapping[str, float],
    wanted: Sequence[str],
    resting: Sequence[str] = (),
) -> dict[str, Numbers]:
    """The derivatives of every name of a full state by the start values, inputs and parameters ``wanted``, in that order.

    ``held`` are the start values that were given; those wanted are held too. What they leave open follows from the constraints,
    and where these leave a choice, with the least change (what is zero because nothing was said of it stays zero,
    ``resting`` velocities before others).

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh").system
    >>> full = nh.complete_state(sleigh, {"theta": 0.0, "v": 2.0}, {"m": 1, "J": 1, "a": 1})
    >>> slopes = start_slopes(sleigh, ["theta", "v"], full, {"m": 1, "J": 1, "a": 1}, ["theta", "v", "a"])
    >>> slopes["xdot"].tolist(), slopes["ydot"].tolist()
    ([0.0, 1.0, 0.0], [2.0, 0.0, 0.0])
    """
    own = tuple(
        n for n in (*system.coordinates, *full) if (n in held or n in wanted) and n not in (*system.inputs, "t")
    )
    known = tuple(dict.fromkeys(own))
    ready = _KEPT.get((structure(system), known), lambda: StartSlopes(bare(system), known))
    values = {**parameters, **full}
    change = np.zeros((len(ready.names), len(wanted)))
    place = {n: k for k, n in enumerate(ready.names)}
    for k, name in enumerate(wanted):
        if name in ready.base:
            change[place[name], k] = 1.0
    _coordinates(ready, values, change, wanted)
    _velocities(ready, values, change, wanted, resting)
    rest = ready.rest.at(values).reshape(len(ready.every), len(ready.names)) @ change
    return {**{n: change[k] for n, k in place.items()}, **dict(zip(ready.every, rest))}


def _coordinates(ready: StartSlopes, values: Mapping[str, float], change: Numbers, wanted: Sequence[str]) -> None:
    """Coordinates that are not held follow from ``(∂h/∂q) δq + (∂h/∂p) δp = 0``."""
    system = ready.system
    if not (system.frame.relations or system.holonomic):
        return
    slopes = ready.relations.at(values).reshape(-1, len(ready.base))
    loose = [ready.base.index(n) for n in system.coordinates if n not in ready.fixed]
    gap = slopes @ change[: len(ready.base)]
    found = np.linalg.lstsq(slopes[:, loose], -gap, rcond=1e-10)[0] if loose else np.zeros((0, len(wanted)))
    left = slopes[:, loose] @ found + gap
    _check(ready, left, np.abs(slopes), wanted, "relations of the coordinates", ready.fixed)
    change[loose] += found


def _velocities(
    ready: StartSlopes, values: Mapping[str, float], change: Numbers, wanted: Sequence[str], resting: Sequence[str]
) -> None:
    system, count = ready.system, len(ready.base)
    height = len(constraint_rows(system).residuals) if system.parametric is None else 0
    table = ready.equations.at(values).reshape(height + len(ready.speeds), len(ready.names))
    slopes = table[:, count:]
    right = -table[:, :count] @ change[:count]
    for k, name in enumerate(wanted):
        if name in ready.speeds:
            right[height + ready.speeds.index(name), k] += 1.0
    whole, sides = slopes, right
    if system.parametric is None and constraint_rows(system).linear:
        extra = free_rows(slopes, completion(system, ready.speeds).resting_first(resting))
        whole, sides = np.vstack([slopes, extra]), np.vstack([right, np.zeros((len(extra), len(wanted)))])
    found = np.linalg.lstsq(whole, sides, rcond=1e-10)[0]
    if not np.all(np.isfinite(found)):
        raise StateError(f"{system.name}: the start has no finite slopes there; start elsewhere.")
    _check(ready, slopes @ found - right, np.abs(table), wanted, "velocity constraints", (*ready.fixed, *ready.speeds))
    change[count:] = found


def _check(
    ready: StartSlopes, left: Numbers, slopes: Numbers, wanted: Sequence[str], what: str, held: Sequence[str]
) -> None:
    """Refuse a start value that the others determine."""
    size = 1.0 + np.max(slopes, axis=1, initial=0.0)
    for k, name in enumerate(wanted):
        if np.max(np.abs(left[:, k]) / size, initial=0.0) > CLOSE:
            others = [n for n in held if n != name]
            advice = (
                f"leave out one of {', '.join(others)} from the start"
                if others
                else "the constraints allow no other value"
            )
            raise StateError(
                f"{ready.system.name}: sensitivity to {name!r}: it cannot change while the rest of the start is held ({what}); "
                f"{advice}."
            )


FAINT = 1e-12


def rated_inputs(system: System, at: Mapping[str, float] | None = None, speeds: bool = True) -> tuple[str, ...]:
    """The inputs ``u`` with ``W_α^j ∂p_j/∂u ≠ 0`` on the admissible velocities ``V(x, z, u)``; then ``ż`` holds ``u̇``.

    Without ``speeds`` all velocities are the state, and every input in a constraint is one.

    >>> words = dict(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", inputs="u")
    >>> rated_inputs(System(constraints=["ydot - x*xdot - u"], **words)), rated_inputs(System(constraints=["ydot - u"], **words))
    (('u',), ())
    """
    parts = [*system.constraints, *(system.parametric[1].values() if system.parametric is not None else ())]
    held = {s for e in parts for s in e.free_symbols} & set(symbols(system.inputs))
    v = symbols(system.velocities)
    momenta = gradient(lagrangian_in_frame(system), v)
    held |= {s for e in momenta for s in e.free_symbols} & set(symbols(system.inputs))
    if not held:
        return ()
    allowed = admissible(system, at)
    if not speeds or not allowed.explicit:
        return tuple(n for n, s in zip(system.inputs, symbols(system.inputs)) if s in held)
    shell = substitute(momenta, dict(zip(v, allowed.velocity)))
    places = samples_of(system)
    result = []
    for name, s in zip(system.inputs, symbols(system.inputs)):
        slopes = [e.diff(s) for e in shell]
        terms = [dot(column, slopes) for column in transpose(allowed.basis)]
        if s in held and any(np.max(np.abs(evaluate(terms, p)), initial=0.0) > FAINT for p in places):
            result.append(name)
    return tuple(result)


def require_rates(
    system: System, inputs: Mapping[str, Any], at: Mapping[str, float] | None = None, speeds: bool = True
) -> None:
    """A StateError for inputs that are no numbers although their rates are needed; formulas are part of the system by now."""
    doubtful = [n for n, e in inputs.items() if not isinstance(e, (int, float, np.floating, np.integer))]
    if not doubtful:
        return
    rated = [n for n in rated_inputs(system, at, speeds) if n in doubtful]
    if rated:
        raise StateError(
            f"{system.name}: the input {rated[0]!r} stands in a constraint, so that its rate enters the accelerations, and the "
            "rate of a function, table or sampled value is not known; give it as a formula of time and state as text, e.g. "
            f'inputs={{"{rated[0]}": "0.3*sin(t)"}}, or as a number.'
        )
