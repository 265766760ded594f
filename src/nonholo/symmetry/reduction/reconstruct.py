"""From the reduced motion back to all coordinates: ``ġ = g(Ω − A ṙ)`` [BMZ 2009 (2.15)] beside the reduced equations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nonholo.algebra.calculus import gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, dot, multiply, solve
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import energy_in_frame
from nonholo.model.system import System
from nonholo.model.velocities.admissible import named_velocities, samples_of
from nonholo.symmetry.reduction.momentum.aligned_basis import Aligned, velocities_in
from nonholo.symmetry.reduction.quotient_data import lagrangian_parts
from nonholo.symmetry.reduction.section.invariant_basis import Basis
from nonholo.symmetry.reduction.section.shape_space import Shape


def full_equations(
    system: System,
    shape: Shape,
    basis: Basis,
    frame: Aligned | None,
    reduced: Equations,
    momenta: Sequence[str],
    rates: Sequence[str],
) -> Equations:
    """The reduced equations as they are, with the kinematics of every coordinate driven by them."""
    speeds = reduced.speeds
    if frame is None or tuple(map(str, speeds)) != (*rates, *momenta):
        velocity = tuple(dot(row, speeds) for row in basis.columns)
    else:
        columns = lifted_columns(shape, basis, frame)
        w = shape.lift(velocities_in(frame, symbols(momenta), symbols(rates)))
        velocity = tuple(dot(row, w) for row in columns)
    if basis.drift:
        velocity = tuple(e + d for e, d in zip(velocity, basis.drift))
    on_shell = dict(zip(symbols(system.velocities), velocity))
    own = {str(s) for s in speeds}
    outputs = {n: e for n, e in named_velocities(system, on_shell).items() if n not in own}
    outputs |= dict(zip(reduced.outputs, shape.lift(list(reduced.outputs.values()))))
    outputs |= {n: f for n, f in zip(shape.names, shape.functions) if n not in system.coordinates}
    return Equations(
        name=system.name,
        system=system,
        origin="reduction and reconstruction",
        coordinates=symbols(system.coordinates),
        speeds=speeds,
        kinematics=substitute(system.frame.rates, on_shell),
        mass=tuple(shape.lift(row) for row in reduced.mass),
        force=shape.lift(reduced.force),
        energy=substitute([energy_in_frame(system)], on_shell)[0],
        time=reduced.time,
        parameters=reduced.parameters,
        inputs=reduced.inputs,
        symmetric=reduced.symmetric,
        outputs=FrozenMap(outputs),
        invariants=FrozenMap(
            {
                **{f"relation {i + 1}": e for i, e in enumerate(system.frame.relations)},
                **{f"holonomic constraint {i + 1}": e for i, e in enumerate(system.holonomic)},
            }
        ),
    )


def lifted_columns(shape: Shape, basis: Basis, frame: Aligned) -> Matrix:
    """κ and γ on Q, by columns in the system's frame."""
    return multiply(basis.columns, tuple(shape.lift(row) for row in frame.matrix))


def speeds_of(reduction: Any, equations: Equations | None = None) -> dict[str, Expr]:
    """Every speed of the reduced motion as an expression in the coordinates and frame velocities of the system."""
    system: System = reduction.system
    shape, basis, frame = reduction.shape, reduction.basis, reduction.frame
    speeds = tuple(map(str, (equations or reduction.equations).speeds))
    metric, linear, _ = lagrangian_parts(system)
    v, x = symbols(system.velocities), symbols(system.coordinates)
    moving = [s - d for s, d in zip(v, basis.drift)] if basis.drift else v
    if speeds != (*reduction.rates, *reduction.momenta):
        lowered = [dot(row, moving) for row in metric]
        inertia = [shape.lift(row) for row in reduction.data.metric]
        found = solve(inertia, [[dot(field, lowered)] for field in basis.fields], samples_of(system))
        return {n: row[0] for n, row in zip(speeds, found)}
    columns = lifted_columns(shape, basis, frame)
    lowered = [dot(row, v) + b for row, b in zip(metric, linear)]
    result = {
        name: dot(gradient(shape.functions[row], x), system.frame.rates)
        for name, row in zip(reduction.rates, frame.rows)
    }
    for a, name in enumerate(reduction.momenta):
        result[name] = dot([r[frame.horizontal + a] for r in columns], lowered)
    return result
