"""Rewrite a system in plain coordinates, using the charts of its group factors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nonholo.algebra.calculus import substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.derive.mass_and_force import MassAndForce
from nonholo.geometry.frames.frame import Euclidean, linear_form, own_chart, rate
from nonholo.model.rotation_axes import matrices
from nonholo.model.system import System, check_system, resolve, varied
from nonholo.notation.rotation_matrices import Turning, matrix_letters, same_rates, turning


def in_chart(system: System) -> System:
    """The system on the chart's coordinates ``y``: ``x = X(y)``, ``v`` linear in ``ẏ``; no anchor, no brackets.

    The frame's velocities become declared quasi-velocities, so every name keeps its meaning.
    """
    check_system(system)
    if system.frame.plain:
        return system
    chart = own_chart(system.frame)
    plain = Euclidean(chart.names)
    place = dict(zip(symbols(system.coordinates), chart.embedding))
    forms = dict(zip(system.velocities, chart.velocities))
    table = {**place, **dict(zip(symbols(system.velocities), chart.velocities))}

    def carry(expr: Expr) -> Expr:
        return substitute(resolve(system, [expr]), table)[0]

    rates = symbols(rate(n) for n in chart.names)
    names = {**forms}
    for name, form in system.quasivelocities.items():
        names[name] = carry(form)
    names = {n: e for n, e in names.items() if n not in plain.velocities}
    for name, form in names.items():
        linear_form(form, rates, f"{system.name}: {name} in the chart")
    # the preferred speeds come first, as in the system itself
    ordered = {n: names[n] for n in (*system.quasivelocities, *names) if n in names}
    forces, magnetic = _forces_by_velocity(system, carry)
    return varied(
        system,
        coordinates=chart.names,
        frame=replace(plain, home=chart.center),
        lagrangian=carry(system.lagrangian),
        constraints=tuple(carry(c) for c in system.constraints),
        holonomic=tuple(substitute([h], place)[0] for h in system.holonomic),
        quasivelocities=ordered,
        forces=forces,
        magnetic=magnetic,
        symmetry=None,
        start={},
    )


def _forces_by_velocity(system: System, carry: Any) -> tuple[dict[str, Expr], dict[tuple[str, str], Expr]]:
    """Rewrite forces and 2-forms on coordinates that the chart eliminates in the velocities they pair with."""
    from nonholo.model.system import force_covector

    kept = {v[:-3] if v.endswith("dot") and v[:-3] in system.coordinates else v for v in system.velocities}
    if set(system.forces) <= kept | set(system.quasivelocities) and not system.magnetic:
        return {n: carry(e) for n, e in system.forces.items()}, {}
    total = force_covector(system)
    names = [v[:-3] if v.endswith("dot") and v[:-3] in system.coordinates else v for v in system.velocities]
    return {n: carry(q) for n, q in zip(names, total) if q != 0}, {}


def turns_of(equations: MassAndForce) -> dict[str, Turning]:
    """The letters of rotation matrices and their angular velocities, also where constraints tie these to the matrix itself."""
    table = dict(zip(map(str, equations.coordinates), equations.kinematics))
    found: dict[str, Turning] = {}
    for letter in matrix_letters(table):
        turn = turning(letter, table) or _by_frame(equations, letter, table)
        if turn is not None:
            found[letter] = turn
    return found


def _by_frame(equations: MassAndForce, letter: str, table: dict[str, Expr]) -> Turning | None:
    """The frame's rates, each as the equations have it, when the matrix turns by them."""
    system = equations.system
    whole = matrices(system.coordinates, system.frame.rates).get(letter) if system is not None else None
    if whole is None:
        return None
    known = {str(s): s for s in equations.speeds} | dict(equations.outputs)
    one, two, three = (known.get(str(e), symbol(str(e))) for e in whole.rates)
    found = Turning((one, two, three), whole.in_space)
    return found if same_rates(table, found.entries(letter)) else None
