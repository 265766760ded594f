"""Read the words of a field: unknowns, density, velocity map, constraints, forces, ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nonholo.algebra.calculus import ZERO, gradient, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.kinks import smooth
from nonholo.algebra.linear_equations import dot
from nonholo.errors import ModelError, meant
from nonholo.fields.density.density_equations import psi_matrix
from nonholo.fields.density.jets import Jets, jet, jet_name
from nonholo.fields.density.semidiscrete import PLACES, RATES
from nonholo.notation.read import expression, names_of

ENDS = ("start", "end")
TAKEN = ("s", "t")


@dataclass(frozen=True)
class EndWords:
    """What happens at an end: held unknowns, prescribed values and slopes, a Lagrangian of a body there and its constraints."""

    held: tuple[str, ...] = ()
    prescribed: tuple[tuple[Expr, Expr], ...] = ()
    """A jet, and what it equals, in t."""
    lagrangian: Expr = ZERO
    constraints: tuple[Expr, ...] = ()
    """Velocity constraints there, in place of those along the line."""


@dataclass(frozen=True)
class FieldWords:
    """What was understood, all in the jets of unknowns and components."""

    unknowns: tuple[str, ...]
    components: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    velocity: dict[str, Expr]
    psi: tuple[tuple[Expr, ...], ...]
    density: Expr
    constraints: tuple[Expr, ...]
    holonomic: tuple[Expr, ...]
    forces: dict[str, Expr]
    start: EndWords
    end: EndWords
    periodic: bool


def read_field(field: Any) -> FieldWords:
    """The words of a field, checked."""
    where = field.name
    unknowns = names_of(field.unknowns, f"{where}: unknowns")
    if not unknowns:
        raise ModelError(f'{where}: no unknown; give functions of s, e.g. unknowns="x y".')
    parameters, inputs = tuple(field.parameters), names_of(field.inputs, f"{where}: inputs")
    rates = tuple(f"{u}dot" for u in unknowns)
    if field.velocity is None:
        components, table = rates, {u: jet(r, 0) for u, r in zip(unknowns, rates)}
    else:
        components, table = _velocity(field, unknowns, (*parameters, *inputs))
    fresh = (*unknowns, *components, *parameters, *inputs)
    clash = next((n for n in fresh if n in TAKEN or "_s" in n or fresh.count(n) > 1), None)
    if clash is not None:
        raise ModelError(
            f"{where}: the name {clash!r} would mean two things (s is the place, x_s a derivative); choose another."
        )
    jets = Jets((*unknowns, *components))
    places = [jet_name(u, k) for u in unknowns for k in PLACES]
    speeds = [jet_name(n, k) for n in (*components, *rates) for k in RATES]
    known = (*places, *speeds, *parameters, *inputs, "s", "t")
    own = {jet(f"{u}dot", k): jets.total(table[u], k) for u in unknowns for k in RATES if field.velocity is not None}

    def read(value: object, what: str, names: Sequence[str] = known) -> Expr:
        found = smooth(expression(value, names, f"{where}: {what}"), f"{where}: {what}")
        return substitute([found], own)[0] if own else found

    psi = psi_matrix(unknowns, components, table)
    density = read(field.lagrangian, "lagrangian")
    constraints = tuple(read(c, f"constraint {k + 1}") for k, c in enumerate(_listed(field.constraint)))
    holonomic = tuple(
        read(c, f"holonomic constraint {k + 1}", (*places, *parameters, "s", "t"))
        for k, c in enumerate(_listed(field.holonomic))
    )
    forces = _forces(field, unknowns, components, read)
    first, last, periodic = _end_conditions(field, unknowns, parameters, read)
    words = FieldWords(
        unknowns,
        components,
        inputs,
        parameters,
        table,
        psi,
        density,
        constraints,
        holonomic,
        forces,
        first,
        last,
        periodic,
    )
    _check(where, words, jets)
    return words


def _velocity(field: Any, unknowns: Sequence[str], others: Sequence[str]) -> tuple[tuple[str, ...], dict[str, Expr]]:
    where = f"{field.name}: velocity"
    if (
        not isinstance(field.velocity, (tuple, list))
        or len(field.velocity) != 2
        or not isinstance(field.velocity[1], Mapping)
    ):
        raise ModelError(
            f'{where}: give component names and a table, e.g. ("u w", {{"xdot": "u*cos(th) - w*sin(th)", …}}).'
        )
    components = names_of(field.velocity[0], where)
    known = (*(jet_name(u, k) for u in unknowns for k in PLACES), *components, *others, "s", "t")
    table = {}
    for u in unknowns:
        if f"{u}dot" not in field.velocity[1]:
            raise ModelError(f"{where}: no {u}dot; Ψ gives the rate of every unknown.")
        table[u] = smooth(expression(field.velocity[1][f"{u}dot"], known, f"{where} {u}dot"), where)
    return components, table


def _forces(field: Any, unknowns: Sequence[str], components: Sequence[str], read: Any) -> dict[str, Expr]:
    found = {}
    for name, value in dict(field.forces or {}).items():
        if name not in (*unknowns, *components):
            hint = meant(name, (*unknowns, *components), f"use {', '.join((*unknowns, *components))}.")
            raise ModelError(f"{field.name}: force on {name!r}, which is no unknown and no component; {hint}")
        found[name] = read(value, f"force on {name}")
    return found


def _end_conditions(field: Any, unknowns: Sequence[str], parameters: Sequence[str], read: Any) -> tuple[EndWords, EndWords, bool]:
    given = field.ends
    if given == "periodic":
        return EndWords(), EndWords(), True
    if given is None or given == "free":
        return EndWords(), EndWords(), False
    if given == "held":
        return EndWords(tuple(unknowns)), EndWords(tuple(unknowns)), False
    if not isinstance(given, Mapping) or any(e not in ENDS for e in given):
        raise ModelError(
            f'{field.name}: ends = {given!r}; give "free", "held", "periodic", or a table for "start" and "end".'
        )
    first, last = (_end(field, given.get(e, "free"), e, unknowns, parameters, read) for e in ENDS)
    return first, last, False


def _end(field: Any, given: Any, end: str, unknowns: Sequence[str], parameters: Sequence[str], read: Any) -> EndWords:
    where = f"{field.name}: {end}"
    if given == "free":
        return EndWords()
    if given == "held":
        return EndWords(tuple(unknowns))
    if isinstance(given, Mapping):
        table = dict(given)
        body = read(table.pop("lagrangian", 0), f"{end} lagrangian")
        bound = tuple(read(c, f"{end} constraint") for c in _listed(table.pop("constraint", ())))
        held = names_of(table.pop("held", ()), where)
        rows = []
        for name, value in table.items():
            if name not in [jet_name(u, k) for u in unknowns for k in (0, 1)]:
                raise ModelError(f"{where}: {name!r} is no unknown or slope of one ({', '.join(unknowns)}).")
            rows.append((symbol(name), expression(value, (*parameters, "t"), f"{where} {name}")))
    else:
        held, rows, body, bound = names_of(given, where), [], ZERO, ()
    stray = [u for u in held if u not in unknowns]
    if stray:
        raise ModelError(f"{where}: {stray[0]!r} is no unknown ({', '.join(unknowns)}).")
    return EndWords(held, tuple(rows), body, bound)


def _listed(given: Any) -> list[Any]:
    return [given] if isinstance(given, str) or not isinstance(given, (list, tuple)) else list(given)


def _check(where: str, words: FieldWords, jets: Jets) -> None:
    """Refuse what the discretisation cannot treat, in one line."""
    xi = [jet(c, k) for c in words.components for k in RATES]
    driven = set(symbols(words.inputs))
    for e in (words.density, words.start.lagrangian, words.end.lagrangian):
        if any(g.free_symbols & driven for g in gradient(e, xi)):
            raise ModelError(
                f"{where}: an input in the kinetic energy changes momenta at a rate nobody gives; put it elsewhere."
            )
    for k, c in enumerate((*words.constraints, *words.start.constraints, *words.end.constraints)):
        slopes = gradient(c, xi)
        if any(e.free_symbols & set(xi) for e in slopes):
            raise ModelError(
                f"{where}: constraint {k + 1} ({c} = 0) is not linear in the velocities; fields take linear ones."
            )
        if all(e == ZERO for e in slopes):
            raise ModelError(f"{where}: constraint {k + 1} ({c} = 0) holds no velocity; give it as holonomic.")
        if c.free_symbols & driven:
            raise ModelError(f"{where}: constraint {k + 1} holds an input; its rate is not known.")
    if jets.order([words.density], words.unknowns[0]) > max(PLACES):
        raise ModelError(f"{where}: derivatives of unknowns beyond the second do not occur in densities here.")
    energy = [e for e in gradient(words.density, xi) if e != ZERO]
    if not energy and words.start.lagrangian == ZERO and words.end.lagrangian == ZERO:
        raise ModelError(f"{where}: the density has no velocity ({', '.join(words.components)}); nothing has mass.")


def rate_of(words: FieldWords, unknown: str) -> Expr:
    """q̇ of an unknown in the components."""
    return dot(words.psi[words.unknowns.index(unknown)], symbols(words.components))
