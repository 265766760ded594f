"""Random admissible states modulo a prime, with the rate of every expression along the motion."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ONE, ZERO, atoms, expand, from_below, gradient, larger_than, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.prime.modular_arithmetic import P, Residues, solve
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import own_hamel
from nonholo.errors import ModelError
from nonholo.geometry.distributions.random_configurations import NoPoints, place_groups, put_on, put_on_leaf
from nonholo.geometry.frames.frame import rate
from nonholo.geometry.groups.adjoint import rounded_algebra
from nonholo.model.specialise import replaced, with_fractions, without_value, written_formulas
from nonholo.model.system import TIME, System
from nonholo.model.velocities.admissible import Admissible
from nonholo.model.velocities.driven_coordinates import drivers
from nonholo.program.hash_consing import consed, shared

DRAWS = 24
"""The most draws of parameters until their roots exist."""
LARGEST = 12000
"""The most nodes of equations for which random states are computed."""


@dataclass(frozen=True)
class Held:
    """States of a kind: speeds that are zero, a residual that vanishes, all coordinates at home."""

    zero: tuple[Symbol, ...] = ()
    residual: Expr | None = None
    home: bool = False


@dataclass(frozen=True, eq=False)
class Formulas:
    """The expressions of a motion, hash-consed: equal parts are one object, which is found without comparing trees."""

    holonomic: tuple[Expr, ...]
    residuals: tuple[Expr, ...]
    """Constraints that are not solved for velocities."""
    velocity: tuple[Expr, ...]
    mass: tuple[Expr, ...]
    force: tuple[Expr, ...]
    kinematics: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Motion:
    """A system with its equations: what random states are made from."""

    system: System
    allowed: Admissible
    equations: Equations
    constants: Mapping[Expr, Expr] = field(default_factory=dict)
    """Functions of parameters alone, as ``sin(alpha)``, and roots of numbers; and the parameters that stand for them here."""

    @cached_property
    def formulas(self) -> Formulas:
        """What random states need of the equations."""
        equations, allowed = self.equations, self.allowed
        given = (
            self.system.holonomic, () if allowed.explicit else allowed.rows.residuals,
            allowed.velocity if allowed.explicit else (), [e for row in equations.mass for e in row], equations.force,
            equations.kinematics,
        )  # fmt: skip
        return Formulas(*(consed(map(se.sympify, exprs)) for exprs in given))

    @property
    def autonomous(self) -> bool:
        """Whether the equations do not depend on time."""
        equations = self.equations
        whole = [*equations.force, *equations.kinematics, *(e for row in equations.mass for e in row)]
        return not any(TIME in e.free_symbols for e in whole)

    def restored(self, expr: Expr) -> Expr:
        """An expression with the functions of parameters that the user wrote."""
        return expr.xreplace({name: e for e, name in self.constants.items()}) if self.constants else expr


@dataclass(frozen=True, eq=False)
class States:
    """Admissible states and the rates of coordinates, speeds and time there."""

    motion: Motion
    points: Points
    rates: Mapping[Symbol, Residues]
    known: dict[Expr, Residues | None] = field(default_factory=dict, init=False, repr=False)
    """Cached rates of expressions; None of what does not move."""

    @property
    def good(self) -> Any:
        return self.points.good

    def value(self, expr: Expr) -> Residues:
        """An expression in coordinates, frame velocities and speeds."""
        return self.points.value(expr)

    def rate(self, expr: Expr) -> Residues:
        """Its derivative along the motion by the chain rule from the leaves up, once for each node of the graph."""
        (whole,) = shared([expr])
        if whole not in self.known:
            self.points.value(whole)
            from_below([whole], self.known, self._rate, _varying)
        found = self.known[whole]
        return np.zeros(self.points.count, dtype=np.int64) if found is None else found

    def _rate(self, expr: Expr, parts: Sequence[Expr]) -> Residues | None:
        p, points = self.points.p, self.points
        if expr.is_Symbol:
            return self.rates.get(expr)
        moving = [self.known[part] for part in parts]
        if parts and all(step is None for step in moving):
            return None
        total = np.zeros(points.count, dtype=np.int64)
        if isinstance(expr, se.Add):
            for step in moving:
                if step is not None:
                    total += step
            return total % p
        if isinstance(expr, se.Mul):
            value = np.ones(points.count, dtype=np.int64)
            for own, step in zip(points.known(parts), moving):
                total = total * own % p
                if step is not None:
                    total = (total + value * step) % p
                value = value * own % p
            return total
        if parts:
            return next(points.value(_slope(expr)) * step % p for step in moving if step is not None)
        inside = expr.free_symbols
        steps = {s: step for s, step in self.rates.items() if s in inside}
        for s, step in steps.items():
            total = (total + points.value(expr.diff(s)) * step) % p
        return total if steps else None


def _varying(expr: Expr) -> Sequence[Expr]:
    """The arguments through which the chain rule goes; none where it stops."""
    if isinstance(expr, (se.Add, se.Mul)):
        return tuple(expr.args)
    if isinstance(expr, se.Pow):
        base, power = expr.args
        return (base,) if power.is_Number else (power,) if base == se.E else ()
    return tuple(expr.args) if isinstance(expr, (se.sin, se.cos)) else ()


def _slope(expr: Expr) -> Expr:
    """The derivative of a power, an exponential, a sine or a cosine by its argument."""
    if isinstance(expr, se.Pow):
        base, power = expr.args
        return power * base ** (power - 1) if power.is_Number else expr
    return se.cos(expr.args[0]) if isinstance(expr, se.sin) else -se.sin(expr.args[0])


_MOTIONS: WeakCache[Motion] = WeakCache(16)


def motion_of(system: System) -> Motion:
    """The equations of a system; NoPoints where there are none, or where they are too long."""
    return _MOTIONS.get(system, lambda: _motion_of(system))


def _motion_of(system: System) -> Motion:
    system, constants = algebraic(system)
    try:
        allowed, equations = own_hamel(system)
    except ModelError as problem:
        raise NoPoints(str(problem)) from None
    flat = [e for row in equations.mass for e in row] + list(equations.force)
    if larger_than(flat, LARGEST):
        raise NoPoints(f"its equations have more than {LARGEST} different terms")
    return Motion(system, allowed, equations, constants)


def parameters_left(motion: Motion, known: Collection[str]) -> tuple[str, ...]:
    """The parameters of the equations without a known value, those in its constants among them."""
    inside = {str(s): e for e, s in motion.constants.items()}
    left = without_value(motion.system, known)
    deeper = sorted({str(s) for n in left if n in inside for s in inside[n].free_symbols} - set(known))
    return tuple(dict.fromkeys([*(n for n in left if n not in inside), *deeper]))


def algebraic(system: System) -> tuple[System, dict[Expr, Expr]]:
    """The system with fractions for decimals and new parameters for functions of parameters; and what these stand for.

    Nothing is rounded on the way, and ``sin(alpha)`` is one number for all states.
    """
    system = with_fractions(system)
    turned = {f: e for f in atoms(written_formulas(system), se.sin, se.cos, se.tan) if (e := _without_pi(f)) != f}
    system = replaced(system, turned) if turned else system
    parts = written_formulas(system)
    still = set(symbols(system.parameters))
    found = {f for f in atoms(parts, se.sin, se.cos, se.tan, se.log, se.Pow) if _of(f, still)}
    free = (symbol(name) for k in count() if (name := f"constant_{k}_") not in system.parameters)
    names = dict(zip(sorted(found, key=lambda f: (-len(str(f)), str(f))), free))
    squared = tuple(_unrooted(e, set(symbols((*system.velocities, *map(rate, system.coordinates))))) for e in system.constraints)
    if not names and squared == tuple(system.constraints):
        return system, {}

    named = (*system.parameters, *map(str, names.values()))
    changed = replaced(replace(system, constraints=squared), names, parameters=named)
    return changed, names


def _without_pi(function: Expr) -> Expr:
    """``sin(x + π/3)`` by the addition theorem: modulo a prime nothing is known of π, but of ``sqrt(3)``.

    >>> x = se.Symbol("x")
    >>> _without_pi(se.sin(x + 2*se.pi/3)).subs({x: 0}), _without_pi(se.cos(2*x + se.pi/7))
    ((1/2)*sqrt(3), cos(2*x + (1/7)*pi))
    """
    mark = se.Symbol("_pi_")
    whole = expand(function.args[0].xreplace({se.pi: mark}))
    share, rest = whole.diff(mark), whole.xreplace({mark: ZERO})
    c, s = se.cos(share * se.pi), se.sin(share * se.pi)
    if share == 0 or not share.is_Rational or not rest.free_symbols or atoms([c, s], se.sin, se.cos):
        return function
    cosine, sine = se.cos(rest) * c - se.sin(rest) * s, se.sin(rest) * c + se.cos(rest) * s
    return sine if isinstance(function, se.sin) else cosine if isinstance(function, se.cos) else sine / cosine


def _unrooted(residual: Expr, velocities: set[Any]) -> Expr:
    """``a √P + b = 0`` with velocities in P as ``a² P − b² = 0``: roots exist at few points; virtual velocities are the same."""
    whole = se.sympify(residual)
    roots = [f for f in atoms([whole], se.Pow) if f.args[1] == se.Rational(1, 2) and f.free_symbols & velocities]
    if len(roots) != 1:
        return residual
    mark = se.Dummy()
    plain = whole.xreplace({roots[0]: mark})
    slope = plain.diff(mark)
    if mark in slope.free_symbols or (slope.free_symbols & velocities):
        return residual
    return slope**2 * roots[0].args[0] - plain.xreplace({mark: se.Integer(0)}) ** 2


def _of(function: Expr, parameters: set[Any]) -> bool:
    """Whether it is a function of parameters alone that is not rational in them, or a root of a number."""
    if not function.free_symbols:
        return isinstance(function, se.Pow) and function.args[0].is_Rational and function.args[1].is_Rational
    if not function.free_symbols <= parameters:
        return False
    return not (isinstance(function, se.Pow) and function.args[1].is_Integer)


def settle(points: Points, motion: Motion, seed: int, given: Mapping[str, Any] | None = None) -> None:
    """Parameters for all points, random where none are given (fractions, or arrays with a value for each point).

    What stands for a function of parameters has its value there, so that ``sin(α)² + cos(α)² = 1`` and the square of
    ``sqrt(1 + c²)`` is ``1 + c²``; other parameters are drawn until roots exist. Where all are given and a root does not
    exist, it is any number: then nothing is refuted at these points, as `Points.opaque` says.
    """
    given, p = given or {}, points.p
    named = {str(s): e for e, s in motion.constants.items() if str(s) not in given}
    own = [n for n in motion.system.parameters if n not in named]
    for attempt in range(1 if all(n in given for n in own) else DRAWS):
        drawn = {n: given[n] if n in given else int(points.random()[0]) for n in own}
        place = _functions(named, drawn, seed + 977 * attempt, p)
        if place is not None:
            break
    for n, value in drawn.items():
        _put(points, n, value)
    for n, e in named.items():
        points.set(symbol(n), _spread(int(points.random()[0]) if place is None else place.value(e)[0], points))
    points.opaque |= rounded_algebra(motion.system.frame)  # what is not zero may be rounding
    points.opaque |= bool(named) and (place is None or place.opaque)


def _functions(named: Mapping[str, Expr], drawn: Mapping[str, Any], seed: int, p: int) -> Points | None:
    """A place with these parameters where functions of them have values; None where one of them has none there."""
    place = Points(1, seed, p)
    for n, value in drawn.items():
        if isinstance(value, np.ndarray):
            return None
        _put(place, n, value)
    place.values(list(named.values()))
    return place if place.good[0] else None


def _put(points: Points, name: str, value: Any) -> None:
    """A parameter at all points; a fraction is known exactly."""
    if isinstance(value, Fraction):
        points.fix(symbol(name), value)
    else:
        points.set(symbol(name), _spread(value, points))


def _spread(value: Any, points: Points) -> Any:
    """A number at every point."""
    if isinstance(value, np.ndarray):
        return value
    return np.full(points.count, int(value) % points.p, dtype=np.int64)


def exact_states(
    motion: Motion,
    count: int,
    seed: int,
    parameters: Mapping[str, Any] | None = None,
    idle: bool = False,
    p: int = P,
    held: Held | None = None,
) -> States:
    """Random admissible states; parameters are the same at all of them, random or given (fractions, or arrays).

    ``idle`` holds the inputs at zero; otherwise they are random, so that what is constant is so whatever they do.
    ``held`` asks for states of one kind.
    """
    points = Points(count, seed, p)
    system, allowed, equations, formulas = motion.system, motion.allowed, motion.equations, motion.formulas
    settle(points, motion, seed, parameters)
    if idle:
        for name in system.inputs:
            points.set(symbol(name), np.zeros(count, dtype=np.int64))
    held = held or Held()
    for s in held.zero:
        points.rest(s)
    able = [s for s in allowed.speeds if s not in held.zero]
    if not equations.speeds:
        raise NoPoints("no velocity is free: the constraints let nothing move")
    try:
        if held.home:
            for c, h in zip(symbols(system.frame.coordinates), system.frame.home):
                points.rest(c, int(h))
        else:
            place_groups(points, system.frame)
        put_on_leaf(points, system.frame, formulas.holonomic)
        if held.residual is not None:
            put_on(points, [held.residual], able)
        if not allowed.explicit:
            put_on(points, formulas.residuals, able)
        else:
            velocities = points.values(formulas.velocity)
            for s, value in zip(symbols(system.velocities), velocities):
                if s not in allowed.speeds:
                    points.set(s, value)
        size = len(equations.speeds)
        mass = np.stack(points.values(formulas.mass), axis=1).reshape(count, size, size)
        force = np.stack(points.values(formulas.force), axis=1)
        pull, regular = solve(mass, force, p)
        points.good &= regular
        steps = points.values(formulas.kinematics)
    except Unsupported as problem:
        raise NoPoints(f"it holds {problem}") from None
    rates = dict(zip(equations.coordinates, steps))
    rates |= {s: pull[:, k] for k, s in enumerate(equations.speeds)}
    rates[TIME] = np.ones(count, dtype=np.int64)
    for name in drivers(system):  # they stand for rates of unknown functions, of whose own rates nothing is known
        rates[symbol(name)] = np.zeros(count, dtype=np.int64) if idle else points.random()
    return States(motion, points, rates)


def on_shell(motion: Motion, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
    """Expressions in coordinates and frame velocities, with the velocities that follow written in the speeds."""
    from nonholo.algebra.calculus import substitute

    system, allowed = motion.system, motion.allowed
    if motion.constants:
        exprs = [se.sympify(e).xreplace(dict(motion.constants)) for e in exprs]
    if not allowed.explicit:
        return tuple(exprs)
    table = {s: e for s, e in zip(symbols(system.velocities), allowed.velocity) if s != e}
    return substitute(exprs, table)


__all__ = ["LARGEST", "ONE", "Held", "Motion", "NoPoints", "States", "exact_states", "gradient", "motion_of", "on_shell"]
