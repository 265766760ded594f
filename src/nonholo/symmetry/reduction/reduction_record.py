"""What `reduce` finds, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.finding import Finding
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System
from nonholo.symmetry.group.group_action import Action
from nonholo.symmetry.reduction.momentum.aligned_basis import Aligned
from nonholo.symmetry.reduction.momentum.connection import Connection
from nonholo.symmetry.reduction.momentum.orbit_distributions import Bases
from nonholo.symmetry.reduction.momentum.reduced_coefficients import Coefficients
from nonholo.symmetry.reduction.quotient_data import Quotient
from nonholo.symmetry.reduction.section.invariant_basis import Basis
from nonholo.symmetry.reduction.section.shape_space import Shape


@dataclass(frozen=True, repr=False)
class Modulo:
    """A system modulo its symmetry; a `Reduction` is one that can be asked, see there."""

    system: System
    symmetry: Symmetry
    group: Action
    shape: Shape
    basis: Basis
    frame: Aligned
    data: Quotient
    bases: Bases
    connection: Connection | None
    coefficients: Coefficients | None
    momenta: tuple[str, ...]
    rates: tuple[str, ...]
    """Names of the horizontal velocities ``ṙ``."""
    turning: tuple[str, ...]
    """Names of ``Ω`` along S."""
    lagrangian: Expr
    """``l_c(r, ṙ, Ω)``, the constrained reduced Lagrangian; ``Ω`` are called ``Omega_1 …``."""
    momentum_equation: FrozenMap[str, Expr]
    """``ṗ_a`` in ``(r, ṙ, p)``."""
    equations: Equations
    invariant_equations: Equations
    """The same motion in ``(r, y)``, regular also where the momenta's basis is not."""
    reconstruction: Equations
    findings: tuple[Finding, ...]

    @property
    def curvature(self) -> Any:
        """``B_αβ^c``, or None without a connection."""
        return None if self.connection is None else self.connection.curvature

    @property
    def inertia(self) -> Matrix:
        """``I_S`` as a function of the shape."""
        h = self.frame.horizontal
        return tuple(row[h:] for row in self.frame.data.metric[h:])

    @property
    def metric(self) -> Matrix:
        """``G_c``, the constrained metric on shape velocities; also MacDonnell's reduced metric K̄."""
        return self.frame.shape_metric

    @property
    def group_name(self) -> str:
        """The symmetry's own name, or its generators where it has none."""
        return ", ".join(self.group.names) if self.symmetry.name in ("", "found") else str(self.symmetry.name)


def check_reduction(value: Any) -> None:
    """Refuse what is no Reduction, and say how to get one."""
    if not isinstance(value, Modulo):
        hint = "reduce it first, nh.reduce(system)" if isinstance(value, System) else "give nh.reduce(system)"
        raise ModelError(f"found {type(value).__name__} where a Reduction was needed; {hint}.")


def require_orthogonal(value: Modulo) -> None:
    """Refuse a reduction whose horizontal space is not orthogonal to S: what follows is about the nonholonomic connection."""
    check_reduction(value)
    if value.frame.cross:
        raise ModelError(
            f"{value.system.name}: this question is about the nonholonomic connection; reduce without connection=… to ask it."
        )
