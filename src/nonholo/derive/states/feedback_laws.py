"""Substitute feedback laws for inputs in forces and constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import symengine as se

from nonholo.algebra.cache import Cache, WeakCache
from nonholo.algebra.calculus import ZERO, expand, gradient, substitute, symbol, symbols, vanishes
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.states.implicit_laws import solved_laws
from nonholo.errors import StateError
from nonholo.model.contact_reading import with_expressions, with_multipliers
from nonholo.model.declared_words import GivenInput, known_names, law_names
from nonholo.model.system import TIME, System, check_system, resolve, varied
from nonholo.model.system_structure import bare, structure, with_numbers_of
from nonholo.notation.read import expression, is_formula


@dataclass(frozen=True)
class Driven:
    """A system and what drives it: ``laws`` are part of ``closed``, the other inputs are still to be given."""

    closed: System
    """Without the inputs that are laws; values, start and symmetry are the system's own."""
    laws: FrozenMap[str, Expr]
    others: FrozenMap[str, GivenInput]


_CLOSED: Cache[System] = Cache(64)
"""Systems with laws put in, by structure: without numbers."""
_SOLVED: Cache[dict[str, Expr]] = Cache(64)
"""Laws of accelerations and reactions, solved."""
_OWN: WeakCache[Cache[System]] = WeakCache(64)
"""The same with the numbers of one system."""


def driven(system: System, inputs: Mapping[str, Any]) -> Driven:
    """Inputs that are formulas become part of the system; numbers, tables and functions stay inputs.

    Formulas of accelerations and reactions are solved for the input first (`solved_laws`). What is not given is as the
    system's own ``signals`` say.

    >>> cart = System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs={"u": "3 - x"})
    >>> driven(cart, {}).closed.forces, driven(cart, {"u": 2.0}).others
    ({'x': 3 - x}, {'u': 2.0})
    """
    check_system(system)
    given = {**system.signals, **inputs}
    stray = [n for n in given if n not in system.inputs]
    if stray:
        raise StateError(
            f"{system.name}: no input is called {stray[0]!r}; it has {', '.join(system.inputs) or 'none'}."
        )
    if not given:
        return Driven(system, FrozenMap(), FrozenMap())
    state = set(known_names(system))
    known = law_names(system)
    felt = set(known) - state
    laws: dict[str, Expr] = {}
    implicit: dict[str, Expr] = {}
    others: dict[str, GivenInput] = {}
    for name in system.inputs:
        if name not in given:
            continue
        source = given[name]
        if not is_formula(source):
            others[name] = source
            continue
        where = f"{system.name}: input {name}"
        law = expression(with_multipliers(system, source, where), known, where)
        if not law.free_symbols:  # a number is no part of the equations: another one needs no derivation
            others[name] = float(law.n())
        elif {str(s) for s in law.free_symbols} & felt:
            implicit[name] = law
        else:
            laws[name] = law
    if implicit:
        laws |= _solved(system, laws, implicit)
    if not laws:
        return Driven(system, FrozenMap(), FrozenMap(others))
    key = tuple(laws.items())
    closed = _OWN.get(system, lambda: Cache(8)).get(key, lambda: _closed(system, laws))
    return Driven(closed, FrozenMap(laws), FrozenMap(others))


def _solved(system: System, laws: Mapping[str, Expr], implicit: Mapping[str, Expr]) -> dict[str, Expr]:
    """Laws of accelerations and reactions as functions of the state, under the other laws."""
    if any(law.slips or law.lifts for law in system.contacts):
        raise StateError(
            f"{system.name}: input {min(implicit)} is a formula of accelerations or reactions, which jump where a contact slips "
            "or lifts; sample it (nh.controller with every=…)."
        )
    bound = _closed(system, laws) if laws else system
    key = (structure(bound), tuple(implicit.items()))
    return _SOLVED.get(key, lambda: solved_laws(bare(bound), implicit))


def _closed(system: System, laws: Mapping[str, Expr]) -> System:
    found = _CLOSED.get((structure(system), tuple(laws.items())), lambda: _put(bare(system), laws))
    return with_numbers_of(found, system)


def _put(system: System, laws: Mapping[str, Expr]) -> System:
    table = {symbol(n): e for n, e in laws.items()}

    def put(exprs: Any) -> tuple[Expr, ...]:
        return substitute(list(exprs), table)

    parametric = system.parametric
    lagrangian, forces = _outside_lagrangian(system, laws)
    return varied(
        system,
        inputs=tuple(n for n in system.inputs if n not in laws),
        signals={},
        drawing=None,
        lagrangian=put([lagrangian])[0],
        constraints=put(system.constraints),
        forces=dict(zip(forces, put(forces.values()))),
        magnetic=dict(zip(system.magnetic, put(system.magnetic.values()))),
        parametric=None if parametric is None else (parametric[0], dict(zip(parametric[1], put(parametric[1].values())))),
        contacts=tuple(with_expressions(law, lambda e: put([e])[0]) for law in system.contacts),
    )


def _outside_lagrangian(system: System, laws: Mapping[str, Expr]) -> tuple[Expr, dict[str, Expr]]:
    """The Lagrangian and the forces, with terms of the Lagrangian that hold inputs whose laws see the state as forces.

    An input is not varied: its force is ``∂L/∂q`` at a given input, not the slope of ``L`` with the law put in.
    """
    forces = dict(system.forces)
    fixed = {TIME, *symbols(system.parameters), *symbols(system.inputs)}
    seeing = {symbol(n) for n, law in laws.items() if law.free_symbols - fixed}
    if not system.lagrangian.free_symbols & seeing:
        return system.lagrangian, forces
    terms = se.Add.make_args(expand(system.lagrangian))
    acting = se.Add(*(e for e in terms if e.free_symbols & seeing))
    (resolved,) = resolve(system, [acting], f"{system.name}: lagrangian")
    if resolved.free_symbols & set(symbols(system.velocities)):
        name = min(str(s) for s in acting.free_symbols & seeing)
        raise StateError(
            f"{system.name}: input {name} stands beside velocities in the Lagrangian, where its rate would act, and its law sees "
            "the state; give what it does as forces={…}, or a law of time alone."
        )
    for name, slope in zip(system.coordinates, gradient(acting, symbols(system.coordinates))):
        if not vanishes(slope):
            forces[name] = forces.get(name, ZERO) + slope
    return se.Add(*(e for e in terms if not e.free_symbols & seeing)), forces
