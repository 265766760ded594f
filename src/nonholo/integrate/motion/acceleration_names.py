"""Accelerations by name: ``xddot`` for a coordinate x, ``omegadot`` for a quasi-velocity omega, as functions of the state."""

from __future__ import annotations

from collections.abc import Iterable

import symengine as se

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import rate

MOST = 8
"""Mass matrices with more rows are not solved in formulas."""


def acceleration_names(equations: Equations, coordinates: Iterable[str]) -> dict[str, str]:
    """The names of accelerations, and the velocity that each is the rate of."""
    rates = {rate(c): f"{c}ddot" for c in coordinates}
    velocities = dict.fromkeys((*map(str, equations.speeds), *equations.outputs, *rates))
    return {rates.get(v, f"{v}dot"): v for v in velocities if not v.startswith("_")}


def acceleration(equations: Equations, velocity: str, where: str) -> Expr:
    """The rate of a velocity along the motion, with the mass matrix solved."""
    speeds, size = equations.speeds, len(equations.force)
    if size > MOST:
        raise ModelError(f"{where}: accelerations of {size} speeds are not written as formulas; take run.data after the motion.")
    moving = se.DenseMatrix(size, size, [e for row in equations.mass for e in row])
    steps = dict(zip(equations.coordinates, equations.kinematics))
    if size:
        pulls = moving.LUsolve(se.DenseMatrix(size, 1, list(equations.force)))
        steps |= {z: pulls[k, 0] for k, z in enumerate(speeds)}
    expr = symbol(velocity) if symbol(velocity) in speeds else se.sympify(equations.outputs[velocity])
    held = [u for u in equations.inputs if u in expr.free_symbols]
    if held:
        raise ModelError(f"{where}: the acceleration of {velocity} needs the rate of the input {held[0]}, which is not known.")
    inside = expr.free_symbols
    return se.Add(expr.diff(equations.time), *(expr.diff(s) * e for s, e in steps.items() if s in inside))
