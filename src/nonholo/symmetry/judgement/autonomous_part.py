"""Autonomous parts of the state: the coordinates that the equations of the speeds contain, their dimension and integrals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, along, expand, gradient, symbol, symbols
from nonholo.algebra.expression_types import Expr, Quantity, Symbol
from nonholo.algebra.linear_equations import dot, evaluate, evaluate_matrix
from nonholo.algebra.prime.modular_arithmetic import fraction_of, null_space, rank
from nonholo.compile.rates_jacobian import slopes_table
from nonholo.errors import ModelError, NonholoError
from nonholo.finding import Finding, FirstIntegral
from nonholo.finding.conclusions import IntegrableByQuadratures
from nonholo.model.system import TIME, System, resolve
from nonholo.symmetry.exact.modular_states import Motion, on_shell
from nonholo.symmetry.exact.null_space_search import Sought, enough, vanishes
from nonholo.symmetry.exact.term_library import active
from nonholo.symmetry.group.shift_turn_algebra import Generator
from nonholo.symmetry.integrals.momentum_rates import momenta, states
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from nonholo.symmetry.measure.equilibrium_trace import lift_of
from nonholo.symmetry.vector_fields import complete_lift

STABLE = 12
"""States at which the changes of integrals by symmetries are compared."""
STEP = 1e-5
FAINT = 1e-6


@dataclass(frozen=True)
class Part:
    """States of some of the coordinates and all speeds, modulo a group of symmetries or not."""

    words: str
    coordinates: tuple[Symbol, ...]
    dimension: int
    group: tuple[Generator, ...] = ()


def parts(motion: Motion, group: Sequence[Generator], exprs: Sequence[Any] = ()) -> list[Part]:
    """The whole state, the part that the speeds' equations need, that part modulo the symmetries, and both with what the
    integrals hold besides.
    """
    quiet = Sought(motion, {}, True)
    everything = tuple(motion.equations.coordinates)
    acting = tuple(active(motion))
    # entries of a rotation that follow from those that act
    known = _size(quiet, acting)
    acting = tuple(c for c in everything if c in acting or (acting and _size(quiet, (*acting, c)) == known))
    count = len(motion.equations.speeds)
    if not motion.allowed.explicit:
        count -= len(motion.allowed.rows.residuals)
    if not motion.autonomous:
        count += 1  # where the laws change, time is part of the state
    found = [Part("state space", everything, _size(quiet, everything) + count)]
    closed = _closed(motion, acting, exprs)
    for chosen in dict.fromkeys((acting, closed)):
        found.append(Part("autonomous subsystem", chosen, _size(quiet, chosen) + count))
        found.append(_reduced(quiet, chosen, group, count))
    kept = _stabiliser(quiet, group, exprs)
    if kept and kept != tuple(group):
        found.append(_reduced(quiet, closed, kept, count))
    return found


def _reduced(quiet: Sought, chosen: Sequence[Any], group: Sequence[Generator], count: int) -> Part:
    """Some coordinates and all speeds modulo a group, with the coordinates that its action on these holds."""
    everything = quiet.motion.equations.coordinates
    held, lifts = set(chosen), lifts_of(quiet.motion.system, group) or ()
    speeds = {v for v, e in zip(symbols(quiet.motion.system.velocities), quiet.motion.allowed.velocity) if e == v}
    while group:
        moved = [e for field in group for c, e in zip(everything, field) if c in held]
        moved += [e for lift in lifts for v, e in lift.items() if v in speeds]
        more = {*_closed(quiet.motion, tuple(held), ()), *(s for e in moved for s in e.free_symbols if s in set(everything))}
        if more == held:
            break
        held = more
    part = tuple(c for c in everything if c in held)
    return Part("reduced state space", part, _size(quiet, part) + count - _orbit(quiet, part, group), tuple(group))


def _stabiliser(quiet: Sought, group: Sequence[Generator], exprs: Sequence[Any]) -> tuple[Generator, ...]:
    """The combinations of the fields that leave every integral alone: a subgroup, modulo which all integrals are left."""
    motion, lifts = quiet.motion, lifts_of(quiet.motion.system, group)
    inner = [se.sympify(e).xreplace(dict(motion.constants)) for e in exprs if not isinstance(e, NumericMomentum)]
    if not lifts or not inner:
        return ()
    changes = [on_shell(motion, along(inner, lift)) for lift in lifts]
    states = enough(quiet, STABLE, seed=7)
    rows = np.array([[states.points.value(e) for e in change] for change in changes])
    kernel = null_space(rows[:, :, states.good].reshape(len(lifts), -1).T)  # roots are known now
    found = []
    for _, vector in kernel:
        weights = [fraction_of(int(c)) for c in vector]
        exact = [se.Rational(c.numerator, c.denominator) for c in weights if c is not None]
        if len(exact) == len(weights):
            found.append(tuple(expand(dot(exact, column)) for column in zip(*group)))
    return tuple(found)


def _closed(motion: Motion, acting: Sequence[Any], exprs: Sequence[Any]) -> tuple[Any, ...]:
    """The acting coordinates, those in the integrals, and the coordinates that their rates contain."""
    everything = motion.equations.coordinates
    shells = [e for e in (in_speeds(motion, e) for e in exprs) if e is not None]
    held = {*acting, *(s for e in shells for s in e.free_symbols if s in set(everything))}
    steps = dict(zip(everything, motion.equations.kinematics))
    while True:
        more = held | {s for c in held for s in steps[c].free_symbols if s in set(everything)}
        if more == held:
            return tuple(c for c in everything if c in held)
        held = more


def quadrature_order(motion: Motion, part: Part) -> tuple[str, ...]:
    """The other coordinates in an order in which they follow by quadratures; empty where there is no such order."""
    everything = motion.equations.coordinates
    steps = dict(zip(everything, motion.equations.kinematics))
    known, order = set(part.coordinates), []
    left = [c for c in everything if c not in known]
    while left:
        ready = [c for c in left if steps[c].free_symbols & set(everything) <= known]
        if not ready:
            return ()
        order += ready
        known |= set(ready)
        left = [c for c in left if c not in known]
    return tuple(map(str, order))


def _size(quiet: Sought, coordinates: Sequence[Any]) -> int:
    """The dimension of the configuration space projected on these coordinates."""
    motion = quiet.motion
    system = motion.system
    rows = [row for c, row in zip(motion.equations.coordinates, system.frame.anchor) if c in coordinates]
    if not rows:
        return 0
    states = enough(quiet, 1, seed=5)
    k = int(np.flatnonzero(states.good)[0])
    held = [gradient(e, motion.equations.coordinates) for e in system.holonomic]
    columns = list(zip(*system.frame.anchor))
    fixed = [[dot(row, column) for column in columns] for row in held]
    numbers = np.array([[int(states.points.value(e)[k]) for e in row] for row in (*fixed, *rows)], dtype=np.int64)
    return rank(numbers) - (rank(numbers[: len(fixed)]) if fixed else 0)


def _orbit(quiet: Sought, coordinates: Sequence[Any], group: Sequence[Generator]) -> int:
    if not group:
        return 0
    motion = quiet.motion
    states = enough(quiet, 1, seed=6)
    k = int(np.flatnonzero(states.good)[0])
    chosen = [i for i, c in enumerate(motion.equations.coordinates) if c in coordinates]
    numbers = [[int(states.points.value(field[i])[k]) for i in chosen] for field in group]
    return rank(np.array(numbers, dtype=np.int64)) if chosen else 0


def integrals_on(quiet: Sought, part: Part, exprs: Sequence[Any]) -> list[Any]:
    """The integrals that are functions on a part: they contain no other coordinate, and are invariant under its group."""
    motion, lifts = quiet.motion, lifts_of(quiet.motion.system, part.group)
    others = set(motion.equations.coordinates) - set(part.coordinates)
    result = []
    for e in exprs:
        shell = in_speeds(motion, e)
        if shell is not None and (shell.free_symbols & others):
            continue
        if part.group and not is_invariant(quiet, lifts, e):
            continue
        result.append(e)
    return result


def in_speeds(motion: Motion, expr: Any) -> Expr | None:
    """An integral in coordinates and speeds; None for one that is known as numbers."""
    if isinstance(expr, NumericMomentum):
        return None
    return on_shell(motion, resolve(motion.system, [expr]))[0]


def slopes_at(motion: Motion, exprs: Sequence[Any], place: dict[str, float]) -> tuple[list[Any], list[Any]]:
    """Differentials of the constraints and of the integrals at a generic state, as numbers."""
    system = motion.system
    names = [str(c) for c in motion.equations.coordinates]
    speeds = [str(s) for s in motion.equations.speeds]
    anchor = evaluate_matrix(system.frame.anchor, place) if names else np.zeros((0, system.frame.size))
    ways = [dict(zip(names, column)) for column in anchor.T] if names else []
    ways += [{s: 1.0} for s in speeds]
    held = [*system.holonomic, *([] if motion.allowed.explicit else motion.allowed.rows.residuals)]
    return [_slopes(motion, e, place, ways) for e in held], [_slopes(motion, e, place, ways) for e in exprs]


def independent_count(held: Sequence[Any], slopes: Sequence[Any]) -> int:
    """How many differentials are independent of each other modulo those of the constraints."""
    sizes = []
    for part in (held, [*held, *slopes]):
        rows = [r / max(1e-12, float(np.max(np.abs(r)))) for r in part if np.all(np.isfinite(r))]
        sizes.append(int(np.linalg.matrix_rank(np.array(rows), tol=FAINT)) if rows else 0)
    return sizes[1] - sizes[0]


def _slopes(motion: Motion, expr: Any, place: dict[str, float], ways: Sequence[dict[str, float]]) -> Any:
    """The slopes along some ways: exact, or by differences of an integral that is known as numbers alone."""
    shell = in_speeds(motion, expr)
    if shell is not None:
        names = sorted(map(str, shell.free_symbols))
        arguments = symbols(names)
        try:
            table = slopes_table(arguments, [shell], arguments, motion.system.name)
        except NonholoError:  # no slopes, or no machine code: complex steps of a root, say
            return _differences(lambda spots: np.array([evaluate([shell], s)[0] for s in spots]), place, ways)
        slope = dict(zip(names, table(np.array([[place[n] for n in names]]))[0].tolist())) if names else {}
        return np.array([sum(slope.get(n, 0.0) * d for n, d in way.items()) for way in ways])
    return _differences(expr.many, place, ways)


def _differences(function: Any, place: dict[str, float], ways: Sequence[dict[str, float]]) -> Any:
    spots = [{**place, **{n: place[n] + step * d for n, d in way.items()}} for way in ways for step in (STEP, -STEP)]
    try:
        values = function(spots)
    except NonholoError:  # beyond where it is known
        return np.full(len(ways), np.nan)
    pairs = np.asarray(values, dtype=float).reshape(-1, 2)
    return (pairs[:, 0] - pairs[:, 1]) / (2 * STEP)


def depends_on_time(motion: Motion, expression: object) -> bool:
    """Whether an integral contains the time although the equations do not; it is no function on the states."""
    return motion.autonomous and TIME in getattr(expression, "free_symbols", ())


def generic_state(motion: Motion, values: Mapping[str, float]) -> dict[str, float]:
    """A random admissible state with the values of the parameters."""
    from nonholo.derive.laws.check import random_states

    system = motion.system
    known = {n: v for n, v in values.items() if n in system.parameters}
    hidden = {str(name): e for e, name in motion.constants.items()}
    for name, e in hidden.items():
        known[name] = float(e.xreplace({symbol(n): se.RealDouble(v) for n, v in values.items()}).n())
    try:
        found = momenta(system)
        return states(found, 1, known, seed=900)[0]
    except ModelError:
        state = next(iter(random_states(system, known, 1)))
        return {**state.parameters, **state.values}


def lifts_of(system: System, group: Sequence[Generator]) -> list[dict[Symbol, Expr]] | None:
    """The complete lifts of the fields of a group; None where a field is not tangent to the configurations."""
    try:
        return [complete_lift(system, field) for field in group]
    except ModelError:
        return None


def is_invariant(quiet: Sought, lifts: Sequence[Mapping[Symbol, Expr]] | None, expr: Any) -> bool:
    """Whether an integral is invariant under the group, exactly."""
    motion = quiet.motion
    if isinstance(expr, NumericMomentum):
        return True  # its coefficients depend on a shape variable, along invariant fields
    if lifts is None:
        return False
    inner = se.sympify(expr).xreplace(dict(motion.constants))
    return all(vanishes(quiet, on_shell(motion, along([inner], lift))) for lift in lifts)


@dataclass(frozen=True)
class IntegralCount:
    """The integrals that live on a part of the state, how many of them are independent, and whether all are formulas."""

    integrals: tuple[Quantity, ...]
    count: int
    exact: bool


def is_local(finding: Finding) -> bool:
    """Whether an integral is single valued only locally, so that it does not bound the dimension that a motion fills."""
    return isinstance(finding.data, FirstIntegral) and bool(finding.data.local)


def single_valued(motion: Motion, integrals: Sequence[Finding], local: bool = False) -> list[Finding]:
    """The integrals that are functions on the states; with the ``local`` ones, on states with angles counted beyond a turn."""
    found = [f for f in integrals if f and f.expression is not None and (local or not is_local(f))]
    return [f for f in found if not depends_on_time(motion, f.expression)]


def count_integrals(
    motion: Motion,
    spaces: Sequence[Part],
    kept: Sequence[Finding],
    values: Mapping[str, float],
) -> list[IntegralCount]:
    """For each part the number of independent integrals on it."""
    exprs = [f.expression for f in kept]
    held, slopes = slopes_at(motion, exprs, generic_state(motion, values))
    quiet = Sought(motion, {}, True)
    result = []
    for part in spaces:
        here = integrals_on(quiet, part, exprs)
        exact = all(not isinstance(e, NumericMomentum) for e in here)
        chosen = [slope for e, slope in zip(exprs, slopes) if any(e is other for other in here)]
        result.append(IntegralCount(tuple(here), independent_count(held, chosen), exact))
    return result


def by_local_integrals(
    motion: Motion, group: Mapping[str, Generator], integrals: Sequence[Finding], values: Mapping[str, float]
) -> IntegrableByQuadratures | None:
    """Whether the integrals leave curves together with local ones, where the angles of these are counted beyond a turn."""
    every = single_valued(motion, integrals, local=True)
    around = tuple(dict.fromkeys(n for f in every if isinstance(f.data, FirstIntegral) for n in f.data.local))
    if not around:
        return None
    spaces = parts(motion, list(group.values()), [f.expression for f in every])
    for part, found in zip(spaces, count_integrals(motion, spaces, every, values)):
        if part.dimension and found.count >= part.dimension - 1:
            rest = () if part.group else quadrature_order(motion, part)
            return IntegrableByQuadratures(part.words, part.dimension, found.count, found.exact, rest, around)
    return None


def descends(motion: Motion, density: Expr, part: Part) -> bool:
    """Whether the density holds no other coordinate, the rest of the coordinates does not spread, and the symmetries that the
    part is taken modulo leave the measure alone: ``ξ[ln f] + div ξ = 0``.

    A wheel that counts the way gives a sleigh the density ``exp(c o)``, which is none of the sleigh's own.
    """
    quiet = Sought(motion, {}, True)
    f = se.sympify(density).xreplace(dict(motion.constants))
    others = [c for c in motion.equations.coordinates if c not in set(part.coordinates)]
    steps = dict(zip(motion.equations.coordinates, motion.equations.kinematics))
    spread = sum((steps[c].diff(c) for c in others), ZERO)
    if f.free_symbols & set(others) or (spread != 0 and not vanishes(quiet, [spread])):
        return False
    for field in part.group:
        try:
            lift = lift_of(motion, "", field)
        except ModelError:
            return False
        moved = dict(zip(symbols(motion.system.coordinates), lift.steps)) | dict(zip(motion.equations.speeds, lift.speeds))
        if not vanishes(quiet, [along([se.log(f)], moved)[0] + lift.divergence]):
            return False
    return True
