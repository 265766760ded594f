"""The reduced motion as `Equations`, in ``(r, ṙ, p)`` or in ``(r, y)`` with invariant quasi-velocities, and its reconstruction.

The reconstruction adds the kinematics of the group, ``ġ = g(Ω − A ṙ)`` [BMZ 2009 (2.15)].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, dot, multiply, solve
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import energy_in_frame
from nonholo.geometry.frames.brackets import shorten
from nonholo.model.rotation_axes import axes_of
from nonholo.model.system import TIME, System, known_names
from nonholo.model.velocities.admissible import named_velocities, samples_of
from nonholo.symmetry.reduction.momentum.conserving_bases import Aligned, velocities_in
from nonholo.symmetry.reduction.quotient_data import Quotient, force_terms, lagrangian_parts
from nonholo.symmetry.reduction.section.invariant_basis import Basis
from nonholo.symmetry.reduction.section.shape_space import Shape


def fresh(stem: str, count: int, taken: set[str], always: bool = False) -> tuple[str, ...]:
    """``p``, or ``p1 … pm``, with underscores while a name is taken."""
    names = (stem,) if count == 1 and not always else tuple(f"{stem}{i + 1}" for i in range(count))
    while any(n in taken for n in names):
        names = tuple(f"{n}_" for n in names)
    return names


def kinetic(metric: Matrix, w: Sequence[Any]) -> Expr:
    """``½ K_ij w^i w^j``."""
    return se.Add(*(metric[i][j] * w[i] * w[j] / 2 for i in range(len(w)) for j in range(len(w)) if metric[i][j] != 0))


def in_momenta(
    system: System,
    data: Quotient,
    frame: Aligned,
    momenta: Sequence[str],
    rates: Sequence[str],
    shape_force: Sequence[Expr],
    momentum: Sequence[Expr],
) -> Equations:
    """``G_αβ v̇^β = …``, ``ṗ_a = …`` [(4.9), (4.10) of BMZ 2009, corrected]."""
    p, v = symbols(momenta), symbols(rates)
    h, m = frame.horizontal, frame.vertical
    w = velocities_in(frame, p, v)
    metric = [[*row, *[ZERO] * m] for row in frame.shape_metric]
    unit = [[ZERO] * h + [ONE if i == j else ZERO for j in range(m)] for i in range(m)]
    return Equations(
        **_common(system, data),
        speeds=(*v, *p),
        kinematics=frame.data.rates(w),
        mass=tuple(map(tuple, (*metric, *unit))),
        force=(*shape_force, *momentum),
        energy=kinetic(frame.data.metric, w)
        + data.potential
        + substitute([frame.data.rest], dict(zip(frame.data.velocities, w)))[0],
    )


def in_velocities(
    system: System,
    data: Quotient,
    frame: Aligned | None,
    basis: Basis,
    momenta: Sequence[str] = (),
    rates: Sequence[str] = (),
) -> Equations:
    """``K_ij ẏ^j = T_jik y^j y^k + …``: Poincaré's equations on D/G; the momenta are among the outputs."""
    y = symbols(invariant_names(system, basis))
    swap = dict(zip(data.velocities, y))
    force = list(substitute(force_terms(data), swap))
    carried = data.carried([e for row in data.metric for e in row], y)
    for i in range(len(y)):
        force[i] -= dot(carried[i * len(y) : (i + 1) * len(y)], y)
    if data.linear:
        force = [f - b for f, b in zip(force, data.carried(data.linear, y))]
    outputs = {}
    if frame is not None:
        h, inner = frame.horizontal, multiply(data.metric, frame.matrix)
        lean = frame.data.linear[h:] or [ZERO] * len(momenta)
        outputs = {n: dot([row[h + a] for row in inner], y) + lean[a] for a, n in enumerate(momenta)}
        moving = data.rates(y)
        outputs |= {n: moving[c] for n, c in zip(rates, frame.rows) if n not in map(str, y)}
    return Equations(
        **_common(system, data),
        speeds=y,
        kinematics=data.rates(y),
        mass=data.metric,
        force=tuple(force),
        energy=kinetic(data.metric, y) + data.potential + substitute([data.rest], swap)[0],
        outputs=FrozenMap({n: shorten(e) for n, e in outputs.items()}),
    )


def _common(system: System, data: Quotient) -> dict[str, Any]:
    shape = data.shape
    return {
        "name": f"{system.name}, reduced",
        "origin": "reduction",
        "coordinates": symbols(shape.names),
        "time": TIME,
        "parameters": symbols(system.parameters),
        "inputs": symbols(system.inputs),
        "axes": axes_of(system),
        "invariants": FrozenMap({f"shape relation {i + 1}": e for i, e in enumerate(shape.relations)}),
    }


def invariant_names(system: System, basis: Basis) -> tuple[str, ...]:
    """The system's own speeds where the invariant basis is theirs, else new names."""
    return basis.names if basis.own else fresh("y", len(basis.names), set(known_names(system)), always=True)


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
