"""A field of one's own: a Lagrangian density, a velocity map Ψ, constraints, forces and ends, in text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, expand, symbol, symbols
from nonholo.fields.density.field_record import FieldRecord
from nonholo.fields.density.field_steps import motion, semidiscrete
from nonholo.fields.density.field_words import FieldWords
from nonholo.fields.density.jets import jet
from nonholo.fields.density.semidiscrete import Semidiscrete
from nonholo.finding import Finding, bounded
from nonholo.integrate.motion.trajectory import Trajectory

BOUND = 1e-6


@dataclass(frozen=True, repr=False)
class Field(FieldRecord):
    """A field on ``0 ≤ s ≤ length``: functions of s and t that make the action of a density stationary. [Zenkov 2016 §3–4]

    ``lagrangian`` is a density in the unknowns and their derivatives (``x``, ``x_s``, ``x_ss``), in rates (``xdot``) or
    components of velocity and their derivatives (``u``, ``u_s``), in ``s`` and ``t``. ``velocity`` is the map ``q̇ = Ψ_q ξ``:
    names of components and a table of rates, linear in them; without one the components are the rates. ``constraint`` are
    residuals linear in the velocities (d'Alembert's principle, (4.4)), ``holonomic`` residuals without velocities. ``forces``
    are densities by unknown or component. ``ends``: ``"free"``, ``"held"``, ``"periodic"``, or a table for ``"start"`` and
    ``"end"``: names of held unknowns, or a table of values and slopes in t (``{"y": "0.1*sin(t)", "y_s": 0}``), of ``held``
    ones, of the ``lagrangian`` of a body there and its ``constraint``, which takes the place of the line's at that end.

    >>> import numpy as np
    >>> wave = Field("u", "udot**2/2 - c**2*u_s**2/2", ends="held", parameters={"c": 2.0}, nodes=20)
    >>> run = wave.simulate({"u": "sin(pi*s)"}, until=1.0, t_eval=3)
    >>> bool(abs(run["u"][-1] - np.sin(np.pi * wave.grid.points)).max() < 1e-6)
    True
    >>> print(wave.equations)
    Hamel's equations
    <BLANKLINE>
      d/dt u = udot
      d/dt (udot) = c**2*u_ss
      at a free end: 0 = -c**2*u_s
    """

    def discretised(self, inputs: Mapping[str, Any] | None = None) -> Semidiscrete:
        """The finite system on the grid, with inputs as texts in s and t, numbers or functions ``f(t, s)``."""
        return semidiscrete(self, inputs or {})

    def simulate(
        self,
        start: Mapping[str, Any] | None = None,
        until: float = 1.0,
        method: str = "dop853",
        rtol: float = 1e-9,
        atol: float = 1e-11,
        t_eval: Any = None,
        inputs: Mapping[str, Any] | None = None,
        max_steps: int = 200_000,
    ) -> Trajectory:
        """The motion from ``start`` at t = 0: unknowns, and components or rates, as texts in ``s``; what is missing is 0.

        ``method``: ``"dop853"``, or ``"radau"`` for stiff fields (bending, stretching with many nodes). The Dataset has unknowns,
        components and multipliers over (time, s), energy and momenta over time.
        """
        return motion(self, start or {}, until, method, (rtol, atol), t_eval, inputs or {}, max_steps)

    def facts(self, run: Trajectory) -> tuple[Finding, ...]:
        """Conservation along a motion: energy and momenta that the density conserves, and the constraints."""
        return facts(self, run)


def facts(field: FieldRecord, run: Trajectory) -> tuple[Finding, ...]:
    """Findings on a motion: what should hold for this density, and the error of the motion."""
    w = field.words
    found = []
    if conserves_energy(w):
        found.append(bounded("energy is conserved", float(run.drift("energy")), BOUND, f"{field.nodes} nodes"))
    for unknown in w.unknowns:
        if conserves_momentum(w, unknown):
            values = np.asarray(run[f"momentum_{unknown}"])
            size = max(1.0, float(np.max(np.abs(values))))
            claim = f"the momentum of {unknown} is conserved"
            found.append(
                bounded(claim, float(np.ptp(values)) / size, BOUND, f"{unknown} occurs by its derivatives alone")
            )
    if "constraint_residual" in run.quantities:
        worst = float(np.max(np.asarray(run["constraint_residual"])))
        found.append(bounded("the constraints hold", worst, BOUND, "largest residual at the times asked for"))
    return tuple(found)


def conserves_energy(w: FieldWords) -> bool:
    """Whether nothing does work: no force, input, explicit time, affine constraint or moving end."""
    time = symbol("t")
    formulas = (w.density, *w.constraints, *w.holonomic, *w.velocity.values(), w.start.lagrangian, w.end.lagrangian)
    if w.forces or any(e.free_symbols & {time, *symbols(w.inputs)} for e in formulas):
        return False
    rest = dict.fromkeys([jet(c, k) for c in w.components for k in (0, 1)], ZERO)
    bound = (*w.constraints, *w.start.constraints, *w.end.constraints)
    if any(expand(c.xreplace(rest)) != ZERO or time in c.free_symbols for c in bound):
        return False
    return not any(right.free_symbols & {time} for end in (w.start, w.end) for _, right in end.prescribed)


def conserves_momentum(w: FieldWords, unknown: str) -> bool:
    """Whether a shift of the unknown changes nothing and is allowed: Noether's theorem with free ends."""
    formulas = [w.density, *w.holonomic, w.start.lagrangian, w.end.lagrangian, *(e for row in w.psi for e in row)]
    bound = w.constraints or w.start.constraints or w.end.constraints
    if any(jet(unknown, 0) in e.free_symbols for e in formulas) or bound or w.forces:
        return False
    for end in (w.start, w.end):
        if unknown in end.held or any(left == jet(unknown, 0) for left, _ in end.prescribed):
            return False
    return True
