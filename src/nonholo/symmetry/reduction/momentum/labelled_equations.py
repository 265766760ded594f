"""The reduced equations by their labels in BMZ 2009, and the momentum equation in spatial form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ZERO, along, substitute, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import dot, evaluate_matrix, solve, transpose
from nonholo.algebra.subspaces import column_order
from nonholo.errors import ModelError
from nonholo.model.system import System, force_covector
from nonholo.model.velocities.admissible import samples_of
from nonholo.notation.write import to_text
from nonholo.symmetry.reduction.momentum.connection import Connection
from nonholo.symmetry.reduction.momentum.reduced_coefficients import momentum_side, shape_side
from nonholo.symmetry.reduction.quotient_data import natural_parts
from nonholo.symmetry.reduction.reduced_equations import lifted_columns
from nonholo.symmetry.reduction.reduction_record import ReductionRecord, check_reduction


@dataclass(frozen=True, repr=False)
class LabelledEquations:
    """Equations of the paper: what stands on the left, in words, and on the right, as expressions.

    A left side is ``d/dt ∂l/∂ṙ − ∂l/∂r`` or ``d/dt ∂l/∂Ω`` of ``lagrangian`` in these ``variables``, a momentum's rate, or the
    velocity ``ξ = g⁻¹ ġ``.
    """

    label: str
    left: tuple[str, ...]
    right: tuple[Expr, ...]
    lagrangian: Expr
    variables: tuple[Symbol, ...]

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return "\n".join(f"{self.label}  {one} = {to_text(e)}" for one, e in zip(self.left, self.right))


def labelled_equations(reduction: ReductionRecord) -> FrozenMap[str, LabelledEquations]:
    """(2.13)–(2.15) of a system without constraints, (4.2), (4.3), (4.6), (4.7), (4.9) and (4.10), corrected where misprinted.

    (4.6) to (4.10) are about the nonholonomic connection, and left out for another. Forces are no part of the paper.
    """
    linked, numbers = reduction.connection, reduction.coefficients
    if linked is None or numbers is None:
        raise ModelError(
            f"{reduction.system.name}: without dimension assumption there is no connection to write the equations in."
        )
    if reduction.data.driven or any(e != 0 for e in reduction.data.forces):
        raise ModelError(
            f"{reduction.system.name}: BMZ's equations are those of kinetic and potential energy; here forces, terms "
            "linear in the velocities or time act; reduction.equations has them."
        )
    m = linked.momenta
    free = m == len(linked.inertia)
    rates, p = symbols(reduction.rates), symbols(reduction.momenta)
    omega = symbols(reduction.turning)
    constrained = reduction.lagrangian
    shapes = [reduction.shape.names[c] for c in reduction.frame.rows]
    moving = tuple(f"d/dt ∂l/∂{r}dot - ∂l/∂{r}" for r in shapes)
    shape_part, momentum_part = connection_sides(linked, rates, omega)
    variables = (*symbols(shapes), *rates, *omega)
    first, second = ("(2.13)", "(2.14)") if free else ("(4.2)", "(4.3)")

    def equations(label: str, left: Sequence[str], right: Sequence[Expr], l: Expr, v: Sequence[Symbol]) -> LabelledEquations:
        return LabelledEquations(label, tuple(left), tuple(right), l, tuple(v))

    known = (*omega, *[ZERO] * (len(linked.inertia) - m))
    back = [w - dot(row, rates) for w, row in zip(known, linked.components)]
    found = [
        equations(first, moving, shape_part, constrained, variables),
        equations(second, [f"d/dt ∂l/∂{w}" for w in omega], momentum_part, constrained, variables),
        equations("(2.15)", [f"ξ[{n}]" for n in numbers.basis], back, constrained, variables),
    ]
    if not reduction.frame.cross:
        # Ω = I_S⁻¹ p; in (r, ṙ, p) the Lagrangian has ½ p I_S⁻¹ p, and the shape equation ∂_r I_S⁻¹ besides
        turned = dict(zip(omega, (dot(row, p) for row in numbers.inverse)))
        by_momenta = substitute([constrained], turned)[0]
        pairs = [(p[a] * p[b], e) for a, row in enumerate(numbers.inverse) for b, e in enumerate(row)]
        twice = [se.Add(*(w * e.diff(s) for w, e in pairs)) for s in symbols(shapes)]
        own = substitute(shape_part, turned)
        later = (*symbols(shapes), *rates, *p)
        turning = [f"d{n}/dt" for n in reduction.momenta]
        found += [
            equations("(4.6)", moving, [a - b for a, b in zip(own, twice)], by_momenta, later),
            equations("(4.7)", turning, substitute(momentum_part, turned), by_momenta, later),
            equations("(4.9)", moving, shape_side(numbers, p, rates), constrained, variables),
            equations("(4.10)", turning, momentum_side(numbers, p, rates), constrained, variables),
        ]
    return FrozenMap({one.label: one for one in found})


def connection_sides(
    linked: Connection, rates: Sequence[Symbol], omega: Sequence[Symbol]
) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """``−⟨∂l/∂Ω, B_αβ ṙ^β + E_αb Ω^b⟩`` and ``⟨∂l/∂Ω, C_ba Ω^b + E_αa ṙ^α⟩`` [(4.2), (4.3)], for any connection.

    ``∂l/∂Ω^A = I_Ab Ω^b + Λ_Aα ṙ^α`` is taken before ``Ω^U = 0``.
    """
    m = linked.momenta
    cross = (*(linked.cross or ((ZERO,) * len(rates),) * m), *linked.leaning)
    whole = [dot(row[:m], omega) + dot(lean, rates) for row, lean in zip(linked.inertia, cross)]
    C, E, B = linked.structure, linked.mixed, linked.curvature
    every = range(len(whole))
    bent = [[dot([B[x][y][c] for y in range(len(rates))], rates) for c in every] for x in range(len(rates))]
    mixed = [[dot([E[x][b][c] for b in range(m)], omega) for c in every] for x in range(len(rates))]
    shape = tuple(-dot(whole, [a + b for a, b in zip(bent[x], mixed[x])]) for x in range(len(rates)))
    turned = [[dot([C[b][a][c] for b in range(m)], omega) for c in every] for a in range(m)]
    moved = [[dot([E[x][a][c] for x in range(len(rates))], rates) for c in every] for a in range(m)]
    momentum = tuple(dot(whole, [a + b for a, b in zip(turned[i], moved[i])]) for i in range(m))
    return shape, momentum


def spatial_momenta(reduction: Any) -> FrozenMap[str, Expr]:
    """``J_b = K(q̇, ξ_b)`` for each generator, in the coordinates and frame velocities.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> print(*nh.studies.spatial_momenta(nh.reduce(sleigh.system)))
    shift_x shift_y turn
    """

    check_reduction(reduction)
    system: System = reduction.system
    metric = natural_parts(system)[0]
    v = symbols(system.velocities)
    lowered = [dot(row, v) for row in metric]
    return FrozenMap({n: dot(f, lowered) for n, f in zip(reduction.group.names, reduction.group.fields)})


def spatial_momentum_equation(reduction: Any) -> FrozenMap[str, Expr]:
    """``ṗ_a = J_b dη_a^b/dt + Q(γ_a)`` where ``γ_a = η_a^b ξ_b``, in the coordinates and admissible frame velocities.

    The momentum equation in spatial representation [Bloch, Krishnaprasad, Marsden and Murray 1996]: the generators
    conserve their momenta, and what S changes by is how it turns among them.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> print(*nh.studies.spatial_momentum_equation(nh.reduce(sleigh.system)))
    p1 p2
    """
    system: System = reduction.system
    weights, kept = generator_weights(reduction)
    momenta = spatial_momenta(reduction)
    chosen = [list(momenta.values())[b] for b in kept]
    motion = dict(zip(symbols(system.coordinates), system.frame.rates))
    columns = transpose(lifted_columns(reduction.shape, reduction.basis, reduction.frame))[reduction.frame.horizontal :]
    forces = force_covector(system)
    result = {}
    for a, name in enumerate(reduction.momenta):
        turned = along([row[a] for row in weights], motion)
        result[name] = dot(chosen, turned) + dot(columns[a], forces)
    return FrozenMap(result)


def generator_weights(reduction: Any) -> tuple[Any, list[int]]:
    """``η[b][a]`` with ``γ_a = η_a^b ξ_b``, and which generators are used (as many as the orbits have dimensions)."""
    system: System = reduction.system
    places = samples_of(system)
    fields = transpose(reduction.group.fields)
    numbers = evaluate_matrix(fields, places[0])
    order = column_order(numbers)
    kept = sorted(order[: reduction.group.rank])
    rows = column_order(numbers[:, kept].T)
    chosen = sorted(rows[: len(kept)])
    columns = lifted_columns(reduction.shape, reduction.basis, reduction.frame)
    h = reduction.frame.horizontal
    square = [[fields[i][b] for b in kept] for i in chosen]
    sides = [columns[i][h:] for i in chosen]
    return solve(square, sides, places), kept
