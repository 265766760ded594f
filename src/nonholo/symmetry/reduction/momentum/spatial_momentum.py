"""The momentum equation in space: momenta along the generators, driven by how S turns among them."""

from __future__ import annotations

from typing import Any

from nonholo.algebra.calculus import along, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import dot, evaluate_matrix, solve, transpose
from nonholo.algebra.subspaces import column_order
from nonholo.model.system import System, force_covector
from nonholo.model.velocities.admissible import samples_of
from nonholo.symmetry.reduction.quotient_data import natural_parts
from nonholo.symmetry.reduction.reconstruct import lifted_columns


def spatial_momenta(reduction: Any) -> FrozenMap[str, Expr]:
    """``J_b = K(q̇, ξ_b)`` for each generator, in the coordinates and frame velocities.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> print(*nh.studies.spatial_momenta(nh.reduce(sleigh.system)))
    shift_x shift_y turn
    """
    from nonholo.symmetry.reduction.reduction_record import check_reduction

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
