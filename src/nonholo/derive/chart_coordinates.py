"""Rewrite a system in plain coordinates, using the charts of its group factors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nonholo.algebra.calculus import substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.geometry.frames.frame import Euclidean, linear_form, own_chart, rate
from nonholo.model.system import System, check_system, resolve, varied


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
