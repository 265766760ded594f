"""Hamel's equations with multipliers in a frame: (3.6), the multipliers by (3.8), reactions as components in the frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, along, expand, gradient, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import DependentRows, Matrix, dot, evaluate, multiply, solve, transpose
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import energy_in_frame, force_terms, in_frame, lagrangian_in_frame, symmetric_jacobian
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import shorten, shorten_matrix
from nonholo.geometry.frames.frame import Frame
from nonholo.model.declared_words import multiplier_names
from nonholo.model.system import TIME, System, check_system
from nonholo.model.velocities.admissible import constraint_rows, named_velocities, samples_of
from nonholo.notation.write import to_text


@dataclass(frozen=True, repr=False)
class FrameMultipliers:
    """``d/dt ∂l/∂v = [v, ∂l/∂v]* + u[l] + Q + λ_s a^s``, ``⟨a, v⟩ = 0`` [BMZ 2009 (3.6)].

    ``λ = −(⟨μ, ḃ⟩ + ⟨[v, μ]* + u[l] + Q, b⟩) ⟨a, b⟩⁻¹`` with ``b = G⁻¹ a`` and ``μ = G v`` [(3.8)].
    """

    system: System
    forms: Matrix
    """``a^s`` by rows, in the frame."""
    duals: Matrix
    """``b^s = G⁻¹ a^s`` by rows."""
    products: Matrix
    """``⟨a^s, b^t⟩``."""
    names: tuple[str, ...]
    multipliers: tuple[Expr, ...]
    """``λ_s`` in coordinates and velocities of the frame."""
    equations: Equations
    """All velocities of the frame as speeds, the multipliers put in."""

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = [f"{n} = {to_text(e)}" for n, e in zip(self.names, self.multipliers)]
        return "\n".join([*lines, *(f"reaction[{n}] = {to_text(e)}" for n, e in self.reactions.items())])

    @property
    def reactions(self) -> FrozenMap[str, Expr]:
        """``λ_s a^s_j``, the reaction by its components in the frame."""
        found = [dot(self.multipliers, column) for column in transpose(self.forms)]
        return FrozenMap(dict(zip(self.system.velocities, found)))

    def at(self, state: Mapping[str, float], parameters: Mapping[str, float]) -> dict[str, float]:
        """Multipliers and reactions as numbers at a state given in the velocities of the frame."""
        values = {**parameters, "t": 0.0, **state}
        table: dict[str, Any] = dict(zip(self.names, self.multipliers)) | {f"reaction_{n}": e for n, e in self.reactions.items()}
        return dict(zip(table, evaluate(list(table.values()), values).tolist()))


def hamel_multipliers(system: System, frame: Frame | None = None) -> FrameMultipliers:
    """Hamel's equations with multipliers, in the system's frame or another one, for constraints linear in the velocities.

    >>> import nonholo as nh
    >>> blade = nh.System(coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2",
    ...     constraints=["xdot*sin(th) - ydot*cos(th)"])
    >>> found = nh.forms.hamel_multipliers(blade, nh.SE2("th x y", rates="w u v"))
    >>> found.reactions["v"], found.duals
    (u*w, ((0, 0, -1),))
    """
    check_system(system)
    own = system if frame is None else in_frame(system, frame)
    if own.parametric is not None or not constraint_rows(own).linear:
        raise ModelError(
            f"{system.name}: multipliers in a frame need constraints that are linear in the velocities, by residuals."
        )
    rows = constraint_rows(own)
    places = samples_of(own)
    if any(np.max(np.abs(evaluate(list(rows.sides), p)), initial=0.0) > 1e-12 for p in places):
        raise ModelError(f"{system.name}: (3.8) is about homogeneous constraints; these have a part without velocities.")
    x, v = symbols(own.coordinates), symbols(own.velocities)
    l = lagrangian_in_frame(own)
    momenta = gradient(l, v)
    metric = symmetric_jacobian(momenta, v)
    if any(e.free_symbols & set(v) for row in metric for e in row):
        metric = tuple(tuple(expand(e) for e in row) for row in metric)
        if any(e.free_symbols & set(v) for row in metric for e in row):
            raise ModelError(f"{system.name}: (3.8) is about Lagrangians of second degree in the velocities.")
    forms = shorten_matrix(rows.slopes)
    terms = force_terms(own)
    push = [sum(parts, ZERO) for parts in zip(*terms.values())]  # G v̇ = push + λ a
    names = multiplier_names(own, len(forms))
    try:
        duals = transpose(solve(metric, transpose(forms), places)) if forms else ()
        duals = shorten_matrix(duals)
        products = shorten_matrix(multiply(forms, transpose(duals))) if forms else ()
        multipliers = _multipliers(own, momenta, duals, products, terms, x, v, places) if forms else ()
    except DependentRows:
        raise ModelError(f"{system.name}: the kinetic energy or the constraints are singular in this frame.") from None
    reactions = [dot(multipliers, column) for column in transpose(forms)] if forms else [ZERO] * len(v)
    on_shell: dict[Symbol, Expr] = dict(zip(v, v))
    equations = Equations(
        name=system.name,
        system=own,
        origin="hamel with multipliers",
        coordinates=x,
        speeds=v,
        kinematics=own.frame.rates,
        mass=metric,
        force=tuple(p + r for p, r in zip(push, reactions)),
        energy=energy_in_frame(own),
        time=TIME,
        parameters=symbols(own.parameters),
        inputs=symbols(own.inputs),
        outputs=FrozenMap({n: e for n, e in named_velocities(own, on_shell).items() if n not in own.velocities}),
        invariants=FrozenMap(dict(zip(rows.labels, rows.residuals))),
    )
    return FrameMultipliers(own, forms, duals, products, names, multipliers, equations)


def _multipliers(
    system: System, momenta: Any, duals: Matrix, products: Matrix, terms: Any, x: Any, v: Any, places: Any
) -> tuple[Expr, ...]:
    """(3.8): the derivative of ``⟨μ, b⟩ = 0`` along the motion; a part of the momenta without velocities is left out of μ."""
    motion = {**dict(zip(x, system.frame.rates)), TIME: ONE}
    still = dict.fromkeys(v, ZERO)
    offset = [e.xreplace(still) for e in momenta]
    own = [m - o for m, o in zip(momenta, offset)]
    pulled = [sum(parts, ZERO) for parts in zip(terms["brackets"], terms["slope"], terms["applied"])]
    pulled = [p - o for p, o in zip(pulled, along(offset, motion))]
    sides = []
    for b in duals:
        sides.append([-(dot(own, along(b, motion)) + dot(pulled, b))])
    return tuple(shorten(row[0]) for row in solve(products, sides, places))
