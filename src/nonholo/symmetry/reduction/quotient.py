"""Everything the reduced motion needs, as functions of the shape: the metric, the brackets, the potential on D/G.

With an invariant basis ``X_i`` of D the constrained motion is [Poincaré's equations; MacDonnell 1997 (8.2), corrected]

    d/dt (K_ij y^j) = T_jik y^j y^k + ½ X_i[K_jk] y^j y^k − X_i[U] + Q_i,        T_ijk = K([X_i, X_j], X_k)

in which only shapes occur. No complement of D and no inverse is needed for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, substitute, symbols
from nonholo.algebra.kinds import Expr
from nonholo.algebra.linear import Matrix, dot, evaluate, evaluate_all, multiply, transpose
from nonholo.derive.hamel import lagrangian_in_frame, symmetric_jacobian
from nonholo.errors import ModelError
from nonholo.geometry.structure import shorten
from nonholo.model.admissible import samples_of
from nonholo.model.system import System, force_covector
from nonholo.symmetry.reduction.invariant import Basis
from nonholo.symmetry.reduction.shape import Shape
from nonholo.symmetry.vectors import bracket, derivatives

Cube = tuple[tuple[tuple[Expr, ...], ...], ...]


@dataclass(frozen=True)
class Quotient:
    """The system on D/G in the basis ``X_i`` (velocities ``y``), all in shape variables.

    ``slopes[c][i] = X_i[r_c]``, ``metric = K(X_i, X_j)``, ``brackets[i][j][k] = K([X_i, X_j], X_k)``, ``potential``,
    ``forces`` (in ``r``, ``y``, time and inputs).
    """

    shape: Shape
    velocities: tuple[Any, ...]
    slopes: Matrix
    metric: Matrix
    brackets: Cube
    potential: Expr
    forces: tuple[Expr, ...]
    samples: tuple[dict[str, float], ...]


def natural_parts(system: System) -> tuple[Matrix, Expr]:
    """Metric ``G`` and potential ``U`` of ``l = ½ G v v − U``; a ModelError for any other Lagrangian."""
    v = symbols(system.velocities)
    l = lagrangian_in_frame(system)
    metric = symmetric_jacobian(gradient(l, v), v)
    still = dict.fromkeys(v, ZERO)
    potential = -substitute([l], still)[0]
    metric = tuple(substitute(row, still) for row in metric)
    rest = l + potential - sum((metric[i][j] * v[i] * v[j] / 2 for i in range(len(v)) for j in range(len(v))), ZERO)
    for place in samples_of(system):
        off, size = evaluate([rest, l], place)
        if not abs(off) < 1e-9 * (1 + abs(size)):
            raise ModelError(
                f"{system.name}: reduction needs a Lagrangian that is kinetic minus potential energy, quadratic in the "
                "velocities; this one has other terms (write what is linear in the velocities as a magnetic form)."
            )
    if any(str(s) == "t" for e in [*(m for row in metric for m in row), potential] for s in e.free_symbols):
        raise ModelError(f"{system.name}: reduction needs a Lagrangian without explicit time.")
    return metric, potential


def quotient(system: System, basis: Basis, shape: Shape) -> Quotient:
    """The reduced data, computed on Q and read off on the section."""
    frame = system.frame
    metric, potential = natural_parts(system)
    fields = basis.fields
    count = len(fields)
    lowered = [tuple(dot(row, field) for row in metric) for field in fields]
    pair = [[ZERO] * count for _ in range(count)]
    for i in range(count):
        for j in range(i, count):
            pair[i][j] = pair[j][i] = dot(fields[i], lowered[j])
    cube = [[[ZERO] * count for _ in range(count)] for _ in range(count)]
    for i in range(count):
        for j in range(i + 1, count):
            field = bracket(frame, fields[i], fields[j])
            for k in range(count):
                value = dot(field, lowered[k])
                cube[i][j][k], cube[j][i][k] = value, -value
    slopes = transpose([derivatives(frame, field, shape.functions) for field in fields]) if shape.names else ()
    y = symbols(f"_y{i + 1}" for i in range(count))
    on_shell = dict(zip(symbols(system.velocities), (dot(row, y) for row in basis.columns)))
    forces = substitute([dot(field, force_covector(system)) for field in fields], on_shell)

    def down(exprs: Any) -> tuple[Expr, ...]:
        return tuple(shorten(e) for e in shape.reduce(list(exprs)))

    samples = []
    for place in samples_of(system, count=3):
        values = dict(zip(shape.names, evaluate(list(shape.functions), place).tolist())) if shape.names else {}
        samples.append({**{n: place[n] for n in (*system.parameters, *system.inputs, "t")}, **values})
    return Quotient(
        shape,
        y,
        tuple(down(row) for row in slopes),
        tuple(down(row) for row in pair),
        tuple(tuple(down(row) for row in block) for block in cube),
        down([potential])[0],
        down(forces),
        tuple(samples),
    )


def changed(data: Quotient, matrix: Matrix) -> Quotient:
    """The same in the basis ``Y_I = X_i Z_I^i(r)`` (fewer or as many fields), so ``y = Z w``.

    ``K([Y_I, Y_J], Y_L) = Z Z Z T + (Y_I[Z_J^k] − Y_J[Z_I^k]) K_kl Z_L^l``.
    """
    columns = transpose(matrix)
    count = len(columns)
    r = symbols(data.shape.names)
    slopes = multiply(data.slopes, matrix) if data.slopes else ()
    lowered = [tuple(dot(row, column) for row in data.metric) for column in columns]
    pair = tuple(tuple(dot(columns[i], lowered[j]) for j in range(count)) for i in range(count))

    def moved(which: int, exprs: Any) -> tuple[Expr, ...]:
        speed = [row[which] for row in slopes]
        return tuple(dot(gradient(e, r), speed) for e in exprs)

    cube = [[[ZERO] * count for _ in range(count)] for _ in range(count)]
    size = len(matrix)
    for i in range(count):
        for j in range(i + 1, count):
            turn = [a - b for a, b in zip(moved(i, columns[j]), moved(j, columns[i]))]
            minors = {
                (p, q): columns[i][p] * columns[j][q] - columns[i][q] * columns[j][p]
                for p in range(size)
                for q in range(p + 1, size)
            }
            inner = [dot(list(minors.values()), [data.brackets[p][q][l] for p, q in minors]) for l in range(size)]
            for k in range(count):
                value = dot(inner, columns[k]) + dot(turn, lowered[k])
                cube[i][j][k], cube[j][i][k] = value, -value
    w = symbols(f"_w{i + 1}" for i in range(count))
    swap = dict(zip(data.velocities, (dot(row, w) for row in matrix)))
    old_forces = substitute(data.forces, swap)
    forces = tuple(dot(column, old_forces) for column in columns)
    return Quotient(
        data.shape,
        w,
        tuple(tuple(shorten(e) for e in row) for row in slopes),
        tuple(tuple(shorten(e) for e in row) for row in pair),
        tuple(tuple(tuple(shorten(e) for e in row) for row in block) for block in cube),
        data.potential,
        forces,
        data.samples,
    )


def force_terms(data: Quotient) -> tuple[Expr, ...]:
    """``T_jik w^j w^k + ½ Y_i[K_jk] w^j w^k − Y_i[U] + Q_i`` for each i."""
    w, r = data.velocities, symbols(data.shape.names)
    count = len(w)
    result = []
    slope = gradient(data.potential, r)
    for i in range(count):
        speed = [row[i] for row in data.slopes]
        total = data.forces[i] - dot(slope, speed)
        for j in range(count):
            for k in range(count):
                weight = data.brackets[j][i][k]
                if any(e != 0 for e in speed):
                    weight = weight + dot(gradient(data.metric[j][k], r), speed) / 2
                if weight != 0:
                    total += weight * w[j] * w[k]
        result.append(total)
    return tuple(result)


def is_small(exprs: Any, samples: Any, limit: float = 1e-9) -> bool:
    """Whether all expressions vanish at the samples."""
    return bool(np.max(np.abs(evaluate_all(list(exprs), samples)), initial=0.0) < limit)
