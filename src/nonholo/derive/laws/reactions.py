"""Constraint forces and energy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import dot, evaluate
from nonholo.derive.chart_coordinates import in_chart
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.derive.multipliers import multipliers
from nonholo.derive.states.consistent_state import complete_state
from nonholo.derive.states.equation_values import solution
from nonholo.model.system import System, parameter_values
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.write import to_text


@dataclass(frozen=True, repr=False)
class Reactions:
    """The forces that keep the constraints: ``R_i = λ_a ∂φ^a/∂q̇^i``, by coordinate, in the multipliers' symbols.

    >>> import nonholo as nh
    >>> bead = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - 9*y", constraints=["ydot - xdot"])
    >>> nh.reactions(bead).at({"x": 0, "y": 0, "xdot": 1})["y"]
    4.5
    """

    system: System
    equations: Equations
    forces: FrozenMap[str, Expr]
    """By coordinate of the plain chart: an expression in the state and the multipliers."""

    def __repr__(self) -> str:
        rows = ", ".join(f"{name}: {to_text(e)}" for name, e in self.forces.items())
        return f"<Reactions of {self.system.name}: {rows if len(rows) < 400 else ', '.join(self.forces)}>"

    @property
    def multipliers(self) -> tuple[str, ...]:
        """The multipliers' names, one for each constraint (declared ones first, then holonomic ones)."""
        return tuple(map(str, self.equations.unknowns))

    def at(
        self, state: Mapping[str, Any], parameters: Mapping[str, Any] | None = None, inputs: Mapping[str, Any] | None = None
    ) -> dict[str, float]:
        """Multipliers and reaction forces at a state, and ``power``, the power that the reactions do.

        ``inputs`` are numbers or formulas; those in the state (as in ``run.final``) count where none are given.
        """
        values = parameter_values(self.system, parameters)
        full = complete_state(self.system, state, parameters, inputs=inputs)
        known = {*self.equations.state, *self.equations.outputs, *self.system.inputs, "t"}
        found = solution(self.equations, {n: e for n, e in full.items() if n in known}, values)
        everything = {**values, **full, **found.state, **found.outputs, **found.unknowns}
        forces = dict(zip(self.forces, evaluate(list(self.forces.values()), everything).tolist()))
        velocity = [found.rates[c] for c in self.forces]
        return {**found.unknowns, **forces, "power": float(np.dot(list(forces.values()), velocity))}


def reactions(system: System) -> Reactions:
    """The constraint forces of a system; ``reactions(s).at(state, parameters)`` gives numbers.

    They do no work when the constraints are linear or homogeneous; affine and other constraints may give or take
    energy [corrects Benenti 2008, Theorem 3].

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> nh.reactions(sleigh.system)
    <Reactions of Chaplygin sleigh: theta: 0, x: -lambda1*sin(theta), y: lambda1*cos(theta)>
    """
    equations = multipliers(system)
    plain = in_chart(system)
    if plain.parametric is not None:
        forces = dict(zip(plain.coordinates, equations.unknowns))
    else:
        rows = constraint_rows(plain)
        forces = {c: dot(equations.unknowns, [row[i] for row in rows.slopes]) for i, c in enumerate(plain.coordinates)}
    return Reactions(system, equations, FrozenMap(forces))


def energy(system: System) -> Expr:
    """``E = p_j v^j − l`` on the admissible velocities, in the coordinates and the speeds of `hamel`.

    >>> import nonholo as nh
    >>> print(nh.energy(nh.System(coordinates="x", lagrangian="xdot**2/2 - 9*x**2/2")).expand())
    (9/2)*x**2 + (1/2)*xdot**2
    """
    return hamel(system).energy
