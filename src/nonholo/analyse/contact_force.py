"""The force at the contact point of a body that rolls on a horizontal plane: how hard it presses and pulls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import ONE, ZERO, along, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.compile.kernel import input_symbols
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.errors import StateError
from nonholo.integrate.results.named_quantities import evaluate_rows, solved_rows
from nonholo.model.system import System
from nonholo.model.velocities.admissible import constraint_rows

Numbers = NDArray[np.float64]


def contact_forces(
    run: Any, normal: Any = None, tangential: Sequence[str] | None = None
) -> tuple[Numbers, Numbers] | None:
    """Normal force and size of the tangential force along a motion, or None when the normal is not known.

    Names of quantities may be given. Else, for a system whose two constraints are ``ẋ + … = 0`` and ``ẏ + … = 0`` on a
    horizontal plane, the multipliers are the tangential force, and with ``g W(x)`` the potential energy and ``M`` the mass

        N = M g + d²W/dt²        (Newton's law for the height of the centre of mass)
    """
    if normal is not None:
        if not tangential:
            raise StateError(
                "reactions: a normal is given without tangential forces; name them, e.g. tangential=['lambda1']."
            )
        press = run[normal] if isinstance(normal, str) else np.asarray(normal, dtype=float)
        return press, _size(run, tangential)
    system: System | None = run.system
    heavy = weight(system) if system is not None else None
    if system is None or heavy is None or "lambda2" not in run.quantities or "lambda3" in run.quantities:
        return None
    equations = hamel(system)
    if equations.inputs or any(n not in run.quantities for n in equations.state):
        return None
    return _normal(run, equations, *heavy), _size(run, ("lambda1", "lambda2"))


def _size(run: Any, names: Sequence[str]) -> Numbers:
    return np.asarray(np.sqrt(sum(run[n] ** 2 for n in names)), dtype=np.float64)


def weight(system: System) -> tuple[Expr, Expr] | None:
    """``M`` and ``W`` of a body held by two constraints to roll on the plane of x and y; None for any other system."""
    if "g" not in system.parameters or not {"x", "y"} <= set(system.coordinates) or "z" in system.coordinates:
        return None
    if system.parametric is not None or system.holonomic or system.forces or system.magnetic:
        return None
    rows = constraint_rows(system)
    places = [system.velocities.index(n) for n in ("xdot", "ydot") if n in system.velocities]
    if len(rows.residuals) != 2 or len(places) != 2:
        return None
    if [[row[k] for k in places] for row in rows.slopes] != [[ONE, ZERO], [ZERO, ONE]]:
        return None
    g, rate = symbol("g"), symbol("xdot")
    still = substitute([system.lagrangian], dict.fromkeys(symbols(_velocities(system)), ZERO))[0]
    height = -still.diff(g)
    mass = system.lagrangian.diff(rate).diff(rate)
    if height == 0 or mass == 0 or height.diff(g) != 0 or height.free_symbols & set(symbols(("x", "y"))):
        return None
    return mass, height


def _velocities(system: System) -> list[str]:
    return [*system.velocities, *system.quasivelocities, *(f"{c}dot" for c in system.coordinates)]


def _normal(run: Any, equations: Equations, mass: Expr, height: Expr) -> Numbers:
    count = len(run["t"])
    numbers = run.system.values
    fixed = [np.full(count, float(numbers[str(p)])) for p in equations.parameters]
    rows = np.column_stack([run["t"], *(run[n] for n in equations.state), *fixed])
    velocity, solved = solved_rows(equations, rows)
    flow = symbols(f"_flow_{n}" for n in equations.state)
    once = along([height], dict(zip(equations.coordinates, equations.kinematics)))
    twice = along(once, dict(zip((*equations.coordinates, *equations.speeds), flow)))[0]
    extended = np.hstack([rows, velocity, solved[:, : len(equations.speeds)]])
    press = evaluate_rows([*input_symbols(equations), *flow], [mass * symbol("g") + twice], extended)[:, 0]
    return np.asarray(press, dtype=np.float64)
