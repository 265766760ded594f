"""A field of one's own: a Lagrangian density, a velocity map Ψ, constraints, forces and ends, in text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.fields.density.density_equations import DensityEquations, derived
from nonholo.fields.density.field_words import FieldWords, read_field
from nonholo.fields.field_starts import number, whole
from nonholo.fields.function_grid import Grid, chebyshev, fourier
from nonholo.fields.integration_tools import Trajectory
from nonholo.model.declared_words import Formula, Formulas, Names

if TYPE_CHECKING:
    from nonholo.fields.density.semidiscrete import Semidiscrete
    from nonholo.finding import Finding

EndTable = Mapping[str, object]
LEAST, MOST = 5, 256


@dataclass(frozen=True, repr=False)
class Field:
    """A field on ``0 ≤ s ≤ length``: functions of s and t that make the action of a density stationary. [Zenkov 2016 §3–4]

    ``lagrangian`` is a density in the unknowns and their derivatives (``x``, ``x_s``, ``x_ss``), in rates (``xdot``) or
    components of velocity and their derivatives (``u``, ``u_s``), in ``s`` and ``t``. ``velocity`` is the map ``q̇ = Ψ_q ξ``:
    names of components and a table of rates, linear in them; without one the components are the rates. ``constraint`` are
    residuals linear in the velocities (d'Alembert's principle, (4.4)), ``holonomic`` residuals without velocities. ``forces``
    are densities by unknown or component. ``ends``: ``"free"``, ``"held"``, ``"periodic"``, or a table for ``"start"`` and
    ``"end"``: names of held unknowns, or a table of values and slopes in t (``{"y": "0.1*sin(t)", "y_s": 0}``), of ``held``
    ones and of the ``lagrangian`` of a body there.

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

    unknowns: Names
    lagrangian: Formula
    velocity: tuple[Names, Mapping[str, Formula]] | None = None
    constraint: Formulas = ()
    forces: Mapping[str, Formula] | None = None
    ends: str | EndTable | None = None
    holonomic: Formulas = ()
    parameters: Mapping[str, float] | None = None
    inputs: Names = ()
    length: float = 1.0
    nodes: int = 24
    name: str = "field"

    def __post_init__(self) -> None:
        values = {str(k): number(v, f"{self.name}: {k}") for k, v in dict(self.parameters or {}).items()}
        object.__setattr__(self, "parameters", FrozenMap(values))
        object.__setattr__(self, "length", number(self.length, f"{self.name}: length", 0.0))
        why = f"fewer than {LEAST} nodes cannot carry a function"
        object.__setattr__(self, "nodes", whole(self.nodes, f"{self.name}: nodes", LEAST, MOST, why))
        if self.words.periodic and self.nodes % 2 == 0:
            object.__setattr__(self, "nodes", self.nodes + 1)

    @cached_property
    def words(self) -> FieldWords:
        """What was understood."""
        return read_field(self)

    @property
    def values(self) -> dict[str, float]:
        """The parameters by name."""
        return dict(self.parameters or {})

    @cached_property
    def equations(self) -> DensityEquations:
        """Hamel's equations of the field, weak and strong, as expressions."""
        w = self.words
        return derived(w.unknowns, w.components, w.velocity, w.density, w.forces, w.constraints, w.holonomic)

    @property
    def grid(self) -> Grid:
        """The points and their matrices: Chebyshev–Lobatto, or equal ones where it is periodic."""
        return fourier(self.nodes, self.length) if self.words.periodic else chebyshev(self.nodes, self.length)

    def discretised(self, inputs: Mapping[str, Any] | None = None) -> Semidiscrete:
        """The finite system on the grid, with inputs as texts in s and t, numbers or functions ``f(t, s)``."""
        from nonholo.fields.density.field_steps import semidiscrete

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
        from nonholo.fields.density.field_steps import motion

        return motion(self, start or {}, until, method, (rtol, atol), t_eval, inputs or {}, max_steps)

    def facts(self, run: Trajectory) -> tuple[Finding, ...]:
        """What a motion kept: energy and momenta that the density conserves, and the constraints."""
        from nonholo.fields.density.field_facts import facts

        return facts(self, run)

    def __repr__(self) -> str:
        return f"<Field {self.name}: {', '.join(self.words.unknowns)} over s, {self.nodes} nodes>"
