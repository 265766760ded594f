"""Substitute feedback laws for inputs in forces and constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nonholo.algebra.cache import Cache, WeakCache
from nonholo.algebra.calculus import substitute, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import StateError
from nonholo.model.contact_reading import with_expressions
from nonholo.model.declared_words import GivenInput
from nonholo.model.system import System, check_system, known_names, varied
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
_OWN: WeakCache[Cache[System]] = WeakCache(64)
"""The same with the numbers of one system."""


def driven(system: System, inputs: Mapping[str, Any]) -> Driven:
    """Inputs that are formulas become part of the system; numbers, tables and functions stay inputs.

    What is not given is as the system's own ``signals`` say.

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
    known = tuple(n for n in known_names(system) if n not in system.inputs)
    felt = {f"{c}ddot" for c in system.coordinates} | {f"{v}dot" for v in system.quasivelocities or ()}
    felt = (felt | {f"lambda{k}" for k in range(1, 1 + len(system.constraints) + len(system.holonomic))}) - set(known)
    laws: dict[str, Expr] = {}
    others: dict[str, GivenInput] = {}
    for name in system.inputs:
        if name not in given:
            continue
        source = given[name]
        if not is_formula(source):
            others[name] = source
            continue
        law = expression(source, (*known, *felt), f"{system.name}: input {name}")
        loop = sorted({str(s) for s in law.free_symbols} & felt)
        if loop:
            raise StateError(
                f"{system.name}: input {name} uses {loop[0]}, which depends on the input itself; use the state, or a sampled "
                "function (nh.controller) that takes differences of speeds."
            )
        if not law.free_symbols:  # a number is no part of the equations: another one needs no derivation
            others[name] = float(law.n())
        else:
            laws[name] = law
    if not laws:
        return Driven(system, FrozenMap(), FrozenMap(others))
    key = tuple(laws.items())
    closed = _OWN.get(system, lambda: Cache(8)).get(key, lambda: _closed(system, laws))
    return Driven(closed, FrozenMap(laws), FrozenMap(others))


def _closed(system: System, laws: Mapping[str, Expr]) -> System:
    found = _CLOSED.get((structure(system), tuple(laws.items())), lambda: _put(bare(system), laws))
    return with_numbers_of(found, system)


def _put(system: System, laws: Mapping[str, Expr]) -> System:
    table = {symbol(n): e for n, e in laws.items()}

    def put(exprs: Any) -> tuple[Expr, ...]:
        return substitute(list(exprs), table)

    parametric = system.parametric
    return varied(
        system,
        inputs=tuple(n for n in system.inputs if n not in laws),
        signals={},
        drawing=None,
        lagrangian=put([system.lagrangian])[0],
        constraints=put(system.constraints),
        forces=dict(zip(system.forces, put(system.forces.values()))),
        magnetic=dict(zip(system.magnetic, put(system.magnetic.values()))),
        parametric=None if parametric is None else (parametric[0], dict(zip(parametric[1], put(parametric[1].values())))),
        contacts=tuple(with_expressions(law, lambda e: put([e])[0]) for law in system.contacts),
    )
