"""A field of one's own: a Lagrangian density, a velocity map Ψ, constraints, forces and ends, in text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nonholo.fields.density.field_facts import facts
from nonholo.fields.density.field_record import FieldRecord
from nonholo.fields.density.field_steps import motion, semidiscrete
from nonholo.fields.density.semidiscrete import Semidiscrete
from nonholo.fields.integration_tools import Trajectory
from nonholo.finding import Finding


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
        """What a motion kept: energy and momenta that the density conserves, and the constraints."""
        return facts(self, run)
