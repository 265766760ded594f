"""Accelerations and reactions by name, as functions of the state: ``xddot`` of a coordinate x, ``omegadot`` of a
quasi-velocity omega, ``lambda1`` of the first constraint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import symengine as se

from nonholo.algebra.calculus import substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import unconstrained
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import rate
from nonholo.model.declared_words import multiplier_names
from nonholo.model.system import System
from nonholo.model.velocities.admissible import constraint_rows

MOST = 8
"""Mass matrices with more rows are not solved in formulas."""


def acceleration_names(equations: Equations, coordinates: Iterable[str]) -> dict[str, str]:
    """The names of accelerations, and the velocity that each is the rate of."""
    rates = {rate(c): f"{c}ddot" for c in coordinates}
    velocities = dict.fromkeys((*map(str, equations.speeds), *equations.outputs, *rates))
    return {rates.get(v, f"{v}dot"): v for v in velocities if not v.startswith("_")}


def accelerations(equations: Equations, velocities: Sequence[str], where: str) -> list[Expr]:
    """The rates of velocities along the motion, with the mass matrix solved."""
    speeds, size = equations.speeds, len(equations.force)
    if size > MOST:
        raise ModelError(f"{where}: accelerations of {size} speeds are not written as formulas; take run.data after the motion.")
    moving = se.DenseMatrix(size, size, [e for row in equations.mass for e in row])
    steps = dict(zip(equations.coordinates, equations.kinematics))
    if size:
        pulls = moving.LUsolve(se.DenseMatrix(size, 1, list(equations.force)))
        steps |= {z: pulls[k, 0] for k, z in enumerate(speeds)}
    found = []
    for velocity in velocities:
        expr = symbol(velocity) if symbol(velocity) in speeds else se.sympify(equations.outputs[velocity])
        inside = expr.free_symbols
        held = [u for u in equations.inputs if u in inside]
        if held:
            raise ModelError(
                f"{where}: the acceleration of {velocity} needs the rate of the input {held[0]}, which is not known."
            )
        found.append(se.Add(expr.diff(equations.time), *(expr.diff(s) * e for s, e in steps.items() if s in inside)))
    return found


def shows_reactions(equations: Equations, system: System | None) -> bool:
    """Whether reactions of the system's constraints follow from the accelerations that the equations give."""
    return (
        system is not None
        and equations.origin == "hamel"
        and all(v in equations.outputs or v in equations.state for v in system.velocities)
        and bool(system.constraints or system.holonomic or system.parametric)
    )


def reaction_names(equations: Equations, system: System | None) -> tuple[str, ...]:
    """The names of the reactions: ``lambda1, …`` of constraints, ``reaction_xdot, …`` of velocities by parameters."""
    if system is None or not shows_reactions(equations, system):
        return ()
    if system.parametric is not None:
        return tuple(f"reaction_{v}" for v in system.velocities)
    return multiplier_names(system, len(constraint_rows(system).slopes))


def reaction_formulas(equations: Equations, system: System, where: str) -> dict[str, Expr]:
    """The reactions by name: ``R = G v̇ − f`` and ``(A Aᵀ) λ = A R``, whose rows must be independent."""
    velocity = symbols(system.velocities)
    change = accelerations(equations, system.velocities, where)
    metric, push = unconstrained(system)
    names = reaction_names(equations, system)
    own = {s: equations.outputs[str(s)] for s in velocity if str(s) in equations.outputs}
    push = substitute(push, own)
    reaction = [dot(substitute(row, own), change) - f for row, f in zip(metric, push)]
    if system.parametric is not None:
        return dict(zip(names, reaction))
    rows = [substitute(row, own) for row in constraint_rows(system).slopes]
    count = len(rows)
    if count > MOST:
        raise ModelError(f"{where}: reactions of {count} constraints are not written as formulas; take run.data when it is over.")
    gram = se.DenseMatrix(count, count, [dot(one, other) for one in rows for other in rows])
    found = gram.LUsolve(se.DenseMatrix(count, 1, [dot(row, reaction) for row in rows]))
    return {n: found[k, 0] for k, n in enumerate(names)}
