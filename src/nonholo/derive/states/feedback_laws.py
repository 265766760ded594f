"""Substitute feedback laws for inputs in forces and constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.cache import Cache, WeakCache
from nonholo.algebra.calculus import ONE, ZERO, along, expand, gradient, jacobian, substitute, symbol, symbols, vanishes
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, dot, evaluate_matrix, multiply, transpose
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.derive.multipliers import bordered
from nonholo.errors import StateError
from nonholo.model.contact_reading import with_expressions, with_multipliers
from nonholo.model.declared_words import GivenInput, acceleration_words, known_names, law_names
from nonholo.model.system import TIME, System, check_system, known_inputs, resolve, varied
from nonholo.model.system_structure import bare, structure, with_numbers_of
from nonholo.model.velocities.admissible import constraint_rows, samples_of
from nonholo.notation.read import expression, is_formula

FAINT = 1e-11
"""A matrix whose singular values are below this part of the largest counts as singular."""


def solved_laws(system: System, laws: Mapping[str, Expr]) -> dict[str, Expr]:
    """The inputs ``u`` as functions of the state where laws ``u = k + a·v̇ + b·λ`` use accelerations and reactions.

    The equations ``M (v̇, λ) = F + B u`` are linear in these, so that with ``Yᵀ = (a, b) M⁻¹`` the inputs solve
    ``(1 − Yᵀ B) u = k + Yᵀ F``. ``M`` is bordered by the constraints and its pivots are taken in an order in which none
    vanishes where the motion is determined.

    >>> cart = System(coordinates="x", parameters="m", lagrangian="m*xdot**2/2", forces={"x": "u - x"}, inputs="u")
    >>> solved_laws(cart, {"u": se.sympify("-3*xddot")})["u"].subs({"m": 2, "x": 5})
    3
    """
    _check_applies(system, laws)
    names, equations = symbols(laws), bordered(system)
    unknown = (*symbols(f"_change_{s}" for s in equations.speeds), *equations.unknowns)
    meanings = _meanings(system, equations, unknown)
    told = resolve(system, substitute(list(laws.values()), meanings), f"{system.name}: inputs")
    told = substitute(told, {s: se.sympify(equations.outputs[str(s)]) for s in symbols(equations.outputs)})
    places = samples_of(system)
    mass, force = _regular(equations, places)
    feedback = jacobian(told, unknown)
    direct, acting = jacobian(told, names), jacobian(force, names)
    bent = {*unknown, *names}
    for name, law, *slopes in zip(laws, laws.values(), feedback, direct):
        if any(e.free_symbols & bent for row in slopes for e in row):
            raise StateError(
                f"{system.name}: input {name} = {law} is not linear in accelerations and reactions, so that the input it asks "
                "for may not exist or not be the only one; write it as k + a*xddot, or sample it (nh.controller with every=…)."
            )
    if any(e.free_symbols & bent for row in acting for e in row):
        raise StateError(
            f"{system.name}: a law of accelerations or reactions for {', '.join(laws)} needs forces that are linear in it; "
            "sample the law (nh.controller with every=…) instead."
        )
    still = dict.fromkeys((*unknown, *names), ZERO)
    adjoint = _eliminated(transpose(mass), transpose(feedback))
    start = [k + dot(column, substitute(force, still)) for k, column in zip(substitute(told, still), zip(*adjoint))]
    loop = multiply(transpose(adjoint), acting)
    matrix = tuple(
        tuple((ONE if i == j else ZERO) - direct[i][j] - loop[i][j] for j in range(len(names))) for i in range(len(names))
    )
    if _singular(matrix, places):
        raise StateError(
            f"{system.name}: the law of {', '.join(laws)} holds for every input or for none: what it feeds back is the input "
            "itself (as u = m*xddot where m*xddot = u); change a gain, or sample it (nh.controller with every=…)."
        )
    found = _eliminated(matrix, [(e,) for e in start])
    return dict(zip(laws, (row[0] for row in found)))


def _check_applies(system: System, laws: Mapping[str, Expr]) -> None:
    """Refuse velocities by parameters, and inputs whose own rates enter what is fed back."""
    if system.parametric is not None:
        raise StateError(
            f"{system.name}: the law of {', '.join(laws)} uses accelerations or reactions, which laws of systems with velocities "
            "by parameters cannot; give the constraints as residuals, or sample the law (nh.controller with every=…)."
        )
    momenta = gradient(lagrangian_in_frame(system), symbols(system.velocities))
    held = {s for e in (*momenta, *constraint_rows(system).residuals) for s in e.free_symbols}
    rated = [n for n in system.inputs if symbol(n) in held]
    if rated:
        raise StateError(
            f"{system.name}: the law of {', '.join(laws)} uses accelerations or reactions, which depend on the rate of "
            f"{rated[0]}, an input in a constraint or a momentum; sample the law (nh.controller with every=…) instead."
        )


def _meanings(system: System, equations: Equations, unknown: Sequence[Symbol]) -> dict[Any, Expr]:
    """Names of accelerations, in state and unknowns; reactions are unknowns themselves."""
    flow = {**dict(zip(equations.coordinates, equations.kinematics)), **dict(zip(equations.speeds, unknown)), TIME: ONE}
    own = {str(s): s for s in equations.speeds} | {n: se.sympify(e) for n, e in equations.outputs.items()}
    named = {n: v for n, v in acceleration_words(system).items() if v in own}
    return dict(zip(symbols(named), along([own[v] for v in named.values()], flow)))


def _regular(equations: Equations, places: Sequence[Mapping[str, float]]) -> tuple[Matrix, tuple[Expr, ...]]:
    """``M`` and ``F`` whose leading minors are positive where ``M`` is regular: the constraints complete missing inertias.

    Where ``G`` is singular but positive on the admissible velocities, ``G + AᵀA`` is positive: the rows of the constraints,
    times ``Aᵀ``, are added to those above.
    """
    mass, force, size = equations.mass, equations.force, len(equations.speeds)
    if _singular(mass, places):
        raise StateError(
            f"{equations.name}: a law uses accelerations or reactions that are not determined (dependent constraints, or "
            "velocities without inertia); remove what is redundant, or sample the law (nh.controller with every=…)."
        )
    if not _singular(tuple(row[:size] for row in mass[:size]), places):
        return mass, force
    added = multiply(transpose([row[:size] for row in mass[size:]]), [(*row, f) for row, f in zip(mass[size:], force[size:])])
    upper = [tuple(a + b for a, b in zip((*row, f), more)) for row, f, more in zip(mass, force, added)]
    return (*(row[:-1] for row in upper), *mass[size:]), (*(row[-1] for row in upper), *force[size:])


def _singular(matrix: Matrix, places: Sequence[Mapping[str, float]]) -> bool:
    """Whether a matrix is singular at every one of some generic places."""

    def low(place: Mapping[str, float]) -> bool:
        numbers = evaluate_matrix(matrix, place)
        if not np.all(np.isfinite(numbers)):
            return True
        sizes = np.linalg.svd(numbers, compute_uv=False)
        return bool(len(sizes) and sizes[-1] <= FAINT * sizes[0])

    return all(map(low, places))


def _eliminated(matrix: Matrix, sides: Sequence[Sequence[Expr]]) -> Matrix:
    """``matrix⁻¹ sides`` by elimination in the given order, zeros skipped."""
    size = len(matrix)
    work = [[*row, *side] for row, side in zip(matrix, sides)]
    for k in range(size):
        for i in range(k + 1, size):
            if not vanishes(work[i][k]):
                factor = work[i][k] / work[k][k]
                work[i] = [a if vanishes(b) else a - factor * b for a, b in zip(work[i], work[k])]
                work[i][k] = ZERO
    for k in reversed(range(size)):
        solved = [(j, work[k][j]) for j in range(k + 1, size) if not vanishes(work[k][j])]
        for c in range(size, len(work[k])):
            terms = [work[k][c], *(-e * work[j][c] for j, e in solved if not vanishes(work[j][c]))]
            work[k][c] = se.Add(*terms) / work[k][k]
    return tuple(tuple(row[size:]) for row in work)


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
    system's own ``inputs`` say.

    >>> cart = System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs={"u": "3 - x"})
    >>> driven(cart, {}).closed.forces, driven(cart, {"u": 2.0}).others
    ({'x': 3 - x}, {'u': 2.0})
    """
    check_system(system)
    given = {**known_inputs(system), **inputs}
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
        inputs=dict.fromkeys(n for n in system.inputs if n not in laws),
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
