"""Substitute numbers for parameters and formulas for inputs."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import symengine as se

from nonholo.algebra.calculus import atoms, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.prime.rational_reconstruction import decimal_fraction, decimal_fractions
from nonholo.geometry.frames.frame import Frame
from nonholo.model.contact_reading import with_expressions
from nonholo.model.system import System, known_inputs, parameter_values, varied


def specialised(system: System, given: Mapping[str, Any]) -> System:
    """The system for these values of some of its parameters, which it has no more: decimals become fractions.

    Parameters of the frame stay. Entries of the drawing and page about the parameters are dropped.

    >>> from nonholo.notation.write import to_text
    >>> spring = System(coordinates="x", parameters="m k", lagrangian="m*xdot**2/2 - k*x**2/2")
    >>> print(to_text(specialised(spring, {"k": 0.5}).lagrangian))
    m*xdot**2/2 - x**2/4
    """
    known = {str(n): e for n, e in given.items() if e is not None}
    numbers = parameter_values(system, {**dict.fromkeys(system.parameters, 1.0), **known})
    fixed = [n for n in system.parameters if n in known and n not in system.frame.parameters]
    table = {symbol(n): decimal_fraction(numbers[n]) for n in fixed}
    return replaced(system, table, parameters={n: e for n, e in system.parameters.items() if n not in fixed})


def with_fractions(system: System) -> System:
    """The system with fractions for the decimals of its formulas, so that nothing is rounded in what is computed from them.

    >>> spring = System(coordinates="x", lagrangian="0.35*xdot**2 - 0.1*x**2")
    >>> 4 * with_fractions(spring).lagrangian.diff(symbol("x"), 2)
    -4/5
    """
    table = decimal_fractions(written_formulas(system))
    frame = _frame_with_fractions(system.frame)
    if frame is not system.frame:
        system = varied(system, frame=frame, drawing=system.drawing, page=system.page, contacts=system.contacts)
    return replaced(system, table, drawing=system.drawing, page=system.page) if table else system


def _frame_with_fractions(frame: Frame) -> Frame:
    """The same for the anchor, the brackets and the relations of a frame."""
    brackets: Mapping[Any, Expr] = frame.brackets or {}
    table = decimal_fractions([*(e for row in frame.anchor for e in row), *brackets.values(), *frame.relations])
    if not table:
        return frame
    return dataclasses.replace(
        frame,
        anchor=tuple(tuple(e.xreplace(table) for e in row) for row in frame.anchor),
        brackets=None if frame.brackets is None else FrozenMap({k: e.xreplace(table) for k, e in brackets.items()}),
        relations=tuple(e.xreplace(table) for e in frame.relations),
        checked=True,
    )


def written_formulas(system: System) -> list[Expr]:
    """The Lagrangian, constraints, forces and definitions of a system."""
    parts = [system.lagrangian, *system.constraints, *system.holonomic, *system.forces.values(), *system.magnetic.values()]
    parts += [*system.quasivelocities.values(), *(system.parametric[1].values() if system.parametric is not None else ())]
    return [se.sympify(e) for e in parts]


def without_value(system: System, known: Collection[str] = ()) -> tuple[str, ...]:
    """The parameters that occur in the equations and are not among those whose value is known.

    >>> spring = System(coordinates="x", parameters="m k c", lagrangian="m*xdot**2/2 - k*x**2/2")
    >>> without_value(spring, {"m": 1.0})
    ('k',)
    """
    used = {str(s) for e in written_formulas(system) for s in e.free_symbols} | set(system.frame.parameters)
    return tuple(n for n in system.parameters if n in used and n not in known)


def laws_of(system: System) -> dict[Symbol, Expr]:
    """What the inputs do, as expressions: numbers as fractions."""
    return {symbol(n): decimal_fraction(e) if isinstance(e, (int, float)) else e for n, e in known_inputs(system).items()}


def driven_by_laws(system: System) -> System:
    """The system with its inputs replaced by their laws, where they occur in constraints and the laws are formulas."""
    parts = [*system.constraints, *(system.parametric[1].values() if system.parametric is not None else ())]
    held = {s for e in parts for s in e.free_symbols} & set(symbols(system.inputs))
    others = set(symbols(system.inputs))
    laws = laws_of(system)
    known = {s for s in held if s in laws and not laws[s].free_symbols & others}
    if not known:
        return system
    table = {s: laws[s] for s in known}
    inputs = tuple(n for n in system.inputs if symbol(n) not in known)
    return replaced(with_fractions(system), table, inputs=inputs)


def angles_apart(system: System) -> System:
    """The system with ``sin(th + alpha)`` of a parameter ``alpha`` written by the addition formulas: one angle, and constants.

    >>> from nonholo.notation.write import to_text
    >>> tilted = System(coordinates="th", parameters="al", lagrangian="thdot**2/2 + cos(th - al)")
    >>> print(to_text(angles_apart(tilted).lagrangian))
    cos(al)*cos(th) + sin(al)*sin(th) + thdot**2/2
    """
    table = addition_formulas(written_formulas(system), tuple(system.parameters))
    return replaced(system, table, drawing=system.drawing, page=system.page) if table else system


def addition_formulas(exprs: Sequence[Expr], parameters: Sequence[str]) -> dict[Expr, Expr]:
    """Sines and cosines of sums with parameters in the expressions, and what the addition formulas make of them."""
    still = set(symbols(parameters))
    table = {f: _added(f, still) for f in atoms(exprs, se.sin, se.cos)}
    return {f: e for f, e in table.items() if e != f}


def _added(function: Expr, parameters: set[Any]) -> Expr:
    """A sine or cosine of a sum by the addition formula, where a part of it is in parameters or numbers alone."""
    (argument,) = function.args
    if not argument.is_Add:
        return function
    fixed = se.Add(*(e for e in argument.args if e.free_symbols <= parameters))
    moving = argument - fixed
    if fixed == 0 or moving == 0 or atoms([fixed], se.RealDouble):
        return function
    if isinstance(function, se.sin):
        return se.sin(fixed) * se.cos(moving) + se.cos(fixed) * se.sin(moving)
    return se.cos(fixed) * se.cos(moving) - se.sin(fixed) * se.sin(moving)


def replaced(system: System, table: Mapping[Any, Expr], **words: Any) -> System:
    """The system with expressions in the place of names, and other words."""

    def one(e: Expr) -> Expr:
        return substitute([e], table)[0]

    def many(part: Mapping[Any, Expr]) -> dict[Any, Expr]:
        return {k: one(e) for k, e in part.items()}

    parametric = system.parametric
    return varied(
        system,
        **{
            "lagrangian": one(system.lagrangian),
            "constraints": tuple(map(one, system.constraints)),
            "holonomic": tuple(map(one, system.holonomic)),
            "quasivelocities": many(system.quasivelocities),
            "parametric": None if parametric is None else (parametric[0], many(parametric[1])),
            "forces": many(system.forces),
            "magnetic": many(system.magnetic),
            "inputs": {n: e if e is None or isinstance(e, float) else one(e) for n, e in system.inputs.items()},
            "contacts": tuple(with_expressions(law, one) for law in system.contacts),
            "drawing": None,
            "page": None,
            **words,
        },
    )


def with_parameters(system: System, names: tuple[str, ...]) -> System:
    """The system in which some inputs are parameters, so that each member has its own number."""
    if not names:
        return system
    return varied(
        system,
        inputs=tuple(n for n in system.inputs if n not in names),
        parameters=(*system.parameters, *names),
        start={n: e for n, e in system.start.items() if n not in names},
        drawing=None,
        contacts=system.contacts,
    )
