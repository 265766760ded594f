"""A system and its states modulo a prime as plain text and integers, for a program that shares nothing with this one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import symengine as se
import sympy

from nonholo.algebra.calculus import ZERO, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.prime.modular_arithmetic import power, root
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.algebra.prime.rational_reconstruction import decimal_fractions
from nonholo.derive.angle_coordinates import angle_coordinates
from nonholo.derive.hamel import hamel, lagrangian_in_frame
from nonholo.geometry.distributions.random_configurations import NoPoints, place_groups, put_on_leaf
from nonholo.geometry.frames.frame import structure_functions
from nonholo.model.system import System, force_covector, resolve, varied
from nonholo.model.velocities.admissible import admissible, constraint_rows
from nonholo.symmetry.exact.modular_states import Held, Motion, States, algebraic, exact_states, settle

INVERSE = (sympy.log, sympy.atan, sympy.atan2, sympy.atanh, sympy.asin, sympy.acos, sympy.asinh, sympy.acosh)
"""Functions of which slopes are known and any number stands for the value."""
FUNCTIONS = {"sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "exp", "sqrt", *(f.__name__ for f in INVERSE)}
TRIES = 6
"""Sets of parameters that are drawn until a state exists at which all roots are real."""
DRAWN = 24


def stated_motion(system: System) -> Motion:
    """The equations of a system, however long; sines of parameters stand with their cosines, by the units of their angles."""
    exact, constants = algebraic(system)
    still, units = set(symbols(system.parameters)), dict[tuple[str, Any], int]()
    for f in constants:
        if isinstance(f, (se.sin, se.cos, se.tan)) or (isinstance(f, se.Pow) and f.args[0] == se.E and f.free_symbols <= still):
            _note(units, "growth" if isinstance(f, se.Pow) else "circle", sympy.sympify(f.args[-1]))
    names = dict(constants)
    for e in (se.sympify(e) for e in _units(units).values()):
        names.setdefault(e, symbol(f"constant_{len(names)}_unit_"))
    return Motion(exact, admissible(exact), hamel(exact), names)


def without_forces(system: System) -> System:
    """The system with a plain kinetic energy and nothing else: the same admissible velocities."""
    energy = se.Add(*(v**2 for v in symbols(system.frame.velocities))) / 2
    return varied(system, lagrangian=energy, forces={}, magnetic={})


@dataclass(frozen=True, eq=False)
class Stated:
    """A system as a certificate states it: ``idle`` inputs are zero, ``steady`` ones are constant, ``values`` are numbers."""

    motion: Motion
    idle: bool = False
    steady: tuple[str, ...] = ()
    values: FrozenMap[str, Fraction] = field(default_factory=FrozenMap)
    kinematic: bool = False
    """Without its Lagrangian and forces, where velocities alone matter."""
    energy: Expr | None = None
    """The Lagrangian that is stated nevertheless."""

    @property
    def system(self) -> System:
        return self.motion.system

    def expression(self, expr: Expr, named: bool = False) -> Any:
        """In coordinates, velocities of the frame (or ``named`` speeds) and parameters, as SymPy writes it."""
        whole = self.motion.restored(se.sympify(expr) if named else resolve(self.system, [se.sympify(expr)])[0])
        if self.idle:
            whole = whole.xreplace(dict.fromkeys(symbols(self.system.inputs), ZERO))
        given = {symbol(n): se.Rational(v.numerator, v.denominator) for n, v in self.values.items()}
        return sympy.sympify(whole.xreplace(decimal_fractions([whole])).xreplace(given))

    def texts(self, exprs: Iterable[Expr], named: bool = False) -> list[str]:
        return [str(self.expression(e, named)) for e in exprs]

    @property
    def driven(self) -> dict[str, str]:
        """Inputs that may change, by the names of their rates."""
        return {} if self.idle else {n: f"{n}_rate_" for n in self.system.inputs if n not in self.steady}

    @cached_property
    def record(self) -> dict[str, object]:
        """The frame, the Lagrangian, the constraints and the forces."""
        system, frame = self.system, self.system.frame
        residuals = constraint_rows(system).residuals
        declared = residuals[: len(residuals) - len(system.holonomic)]
        parametric = system.parametric
        names = () if parametric is None else tuple(map(str, self.motion.allowed.speeds))
        still: Sequence[Expr] = [ZERO] * frame.size
        lagrangian = self.energy if self.energy is not None else ZERO if self.kinematic else lagrangian_in_frame(system)
        return {
            "coordinates": list(system.coordinates), "velocities": list(frame.velocities), "time": "t",
            "anchor": [self.texts(row) for row in frame.anchor], "inputs": self.driven,
            "brackets": [[i, j, a, *self.texts([c])] for (i, j, a), c in structure_functions(frame).items()],
            "relations": self.texts(frame.relations), "angles": list(angle_coordinates(system)) if system.coordinates else [],
            "lagrangian": self.texts([lagrangian])[0],
            "constraints": self.texts(declared if parametric is None else ()), "holonomic": self.texts(system.holonomic),
            "forces": self.texts(still if self.kinematic else force_covector(system)),
            "parameters_of_velocity": list(names), "velocity": self.texts(self.motion.allowed.velocity if names else ()),
        }  # fmt: skip

    @property
    def speeds(self) -> dict[str, str]:
        """The speeds with their forms in the velocities."""
        allowed = self.motion.allowed
        if self.system.parametric is not None:
            return {str(s): str(s) for s in allowed.speeds}
        return dict(zip(map(str, allowed.speeds), self.texts(allowed.forms)))

    def states(
        self,
        count: int,
        formulas: Sequence[str],
        held: Held | None = None,
        seed: int = 41,
        same: Sequence[Symbol] | None = None,
        loose: bool = False,
    ) -> list[FrozenMap[str, int]]:
        """Admissible states with numbers for all functions in the system and in the texts ``formulas``.

        Those with the ``same`` coordinates have the same parameters, too; with ``same`` none of them, speeds are drawn freely.
        Velocities of ``loose`` states need not be admissible.
        """
        names = _Atoms([*_flat(self.record), *formulas])
        if same is not None:
            return self._fibre(count, same, names, seed)
        result = []
        for k in range(count):
            for attempt in range(TRIES):
                drawn = self._drawn(seed + 7 * k + 101 * attempt, held)
                found = self._picked(self._loosened(drawn) if loose else drawn, names)
                if found is not None:
                    result.append(found)
                    break
            else:
                raise NoPoints("too few states with real roots")
        return result

    def _drawn(self, seed: int, held: Held | None) -> States:
        try:
            return exact_states(self.motion, DRAWN, seed, dict(self.values) or None, self.idle, held=held)
        except (NoPoints, Unsupported):
            if not self.kinematic:
                raise
        system, points = self.system, Points(DRAWN, seed)  # at rest: no equation of motion is needed
        settle(points, self.motion, seed)
        place_groups(points, system.frame)
        try:
            put_on_leaf(points, system.frame, system.holonomic)
        except NoPoints:
            for c, h in zip(symbols(system.coordinates), system.frame.home):
                points.rest(c, int(h))
            points = points.copy_with({})
            for e in system.holonomic:
                points.good &= points.value(e) == 0
        for s in symbols(system.velocities):
            points.rest(s)
        for e in constraint_rows(system).residuals:
            points.good &= points.value(e) == 0
        return States(self.motion, points, {})

    def _loosened(self, states: States) -> States:
        """The same places with any velocities."""
        points = states.points
        return States(self.motion, points.copy_with({v: points.random() for v in symbols(self.system.velocities)}), {})

    def _fibre(self, count: int, same: Sequence[Symbol], names: _Atoms, seed: int) -> list[FrozenMap[str, int]]:
        for attempt in range(TRIES):
            points = Points(2 * count, seed + 101 * attempt)
            settle(points, self.motion, seed + 101 * attempt)
            place_groups(points, self.system.frame)
            for s in same:
                points.set(s, np.full(points.count, int(points.random()[0])))
                points.share(s)
            forms = dict(zip(symbols(self.system.velocities), self.motion.allowed.velocity))
            own = {v: points.value(e) for v, e in forms.items() if v != e}
            found = self._all_picked(States(self.motion, points.copy_with(own), {}), names)
            if len(found) >= count:
                return found[:count]
        raise NoPoints("too few states with real roots")

    def _picked(self, states: States, names: _Atoms) -> FrozenMap[str, int] | None:
        return next(iter(self._all_picked(states, names)), None)

    def _all_picked(self, states: States, names: _Atoms) -> list[FrozenMap[str, int]]:
        points = states.points
        numbers = names.values(points, self.motion)
        for n, rate in self.driven.items():
            numbers[rate] = states.rates.get(symbol(n), points.random())
        return [FrozenMap({n: int(v[k]) for n, v in sorted(numbers.items())}) for k in np.flatnonzero(points.good)]


def _flat(record: object) -> list[str]:
    """All texts in a record."""
    if isinstance(record, str):
        return [record]
    if isinstance(record, Mapping):
        return [t for part in record.values() for t in _flat(part)]
    return [t for part in record for t in _flat(part)] if isinstance(record, (list, tuple)) else []


class _Atoms:
    """The atoms of texts that have a number at a state: symbols, sines and exponentials of units, roots, other functions."""

    def __init__(self, texts: Sequence[str]) -> None:
        exprs = [_read(t) for t in dict.fromkeys(texts)]
        self.named: dict[str, Any] = {}
        units: dict[tuple[str, Any], int] = {}
        for e in {part for whole in exprs for part in sympy.preorder_traversal(whole)}:
            if e.is_Symbol or isinstance(e, INVERSE):
                self.named[str(e)] = e
                for base in _roots_of(e):
                    self.named[str(sympy.sqrt(base))] = sympy.sqrt(base)
            elif e.is_Pow and e.exp.is_Rational and e.exp.q == 2:
                self.named[str(sympy.sqrt(e.base))] = sympy.sqrt(e.base)
            elif e.is_Pow and e.exp.is_Rational and e.exp.q > 2:
                name = e.base ** sympy.Rational(1, e.exp.q)
                self.named[str(name)] = name
            elif e.is_Pow and e.base != sympy.E and not e.exp.is_Rational:
                rest = e.exp.as_coeff_Add()[1]
                self.named[str(e.base**rest)] = e.base**rest
            elif isinstance(e, (sympy.sin, sympy.cos, sympy.tan, sympy.cot, sympy.sec, sympy.csc)):
                _note(units, "circle", e.args[0])
            elif isinstance(e, (sympy.exp, sympy.sinh, sympy.cosh, sympy.tanh)) or (e.is_Pow and e.base == sympy.E):
                _note(units, "growth", e.exp if e.is_Pow else e.args[0])
        self.named |= _units(units)

    def values(self, points: Points, motion: Motion) -> dict[str, Any]:
        table, found = dict(motion.constants), {}
        for n, e in sorted(self.named.items()):
            if e.is_Pow and e.exp.is_Rational and e.exp.q > 2:
                found[n] = _higher_root(points, se.sympify(e.base).xreplace(table), int(e.exp.q))
            else:
                found[n] = points.value(se.sympify(e).xreplace(table))
        return found


def _higher_root(points: Points, base: Expr, q: int) -> Any:
    """``base^(1/q)``: square roots of square roots, and roots by exponents that have an inverse modulo ``p - 1``."""
    value, p = points.value(base), points.p
    while q % 2 == 0:
        value, exists = root(value, p)
        points.good &= exists
        q //= 2
    if math.gcd(q, p - 1) != 1:
        raise Unsupported(f"a root of degree {q} modulo {p}")
    return power(value, pow(q, -1, p - 1), p)


def _roots_of(e: Any) -> list[Any]:
    """The radicands in the slope of an inverse function, as SymPy writes it."""
    x = e.args[0] if e.args else e
    if isinstance(e, sympy.acosh):
        return [x - 1, x + 1]
    return [x**2 + 1] if isinstance(e, sympy.asinh) else [1 - x**2] if isinstance(e, (sympy.asin, sympy.acos)) else []


def _read(text: str) -> Any:
    """A text as a checker reads it: every name that is no function is a symbol."""
    words = set(re.findall(r"[A-Za-z_]\w*", text)) - FUNCTIONS
    if any(re.search(rf"\b{word}\(", text) for word in words):
        raise Unsupported(f"a function that certificates do not know: {text}")
    return sympy.parse_expr(text, local_dict={n: sympy.Symbol(n) for n in words})


def _units(units: Mapping[tuple[str, Any], int]) -> dict[str, Any]:
    """Sines and cosines, or exponentials, of the units by their names; ``(kind, 1)`` has the common divisor of all numbers."""
    found: dict[str, Any] = {}
    for (kind, base), part in units.items():
        for function in (sympy.cos, sympy.sin) if kind == "circle" else (sympy.exp,):
            found[f"{function.__name__}({base / part})"] = function(base / part)
    return found


def _note(units: dict[tuple[str, Any], int], kind: str, argument: Any) -> None:
    for term in sympy.Add.make_args(sympy.expand(argument)):
        factor, base = term.as_coeff_Mul()
        if base == 1 and factor:
            units[(kind, base)] = 1 / sympy.gcd(abs(factor), 1 / units.get((kind, base), 1 / abs(factor)))
        elif factor.is_Rational:
            units[(kind, base)] = math.lcm(units.get((kind, base), 1), int(factor.q))
