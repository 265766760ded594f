"""Metric, brackets and potential of D/G as functions of the shape.

With an invariant basis ``X_i`` of D the constrained motion is [Poincaré's equations; MacDonnell 1997 (8.2), corrected]

    d/dt (K_ij y^j) = T_jik y^j y^k + ½ X_i[K_jk] y^j y^k − X_i[U] + Q_i,        T_ijk = K([X_i, X_j], X_k)

in which only shapes occur. No complement of D and no inverse is needed for it. Where the constraints are affine,
``v = X_0 + X_i y^i``, or the Lagrangian has a part ``β(v)`` linear in the velocities, ``K_ij y^j`` becomes ``K_ij y^j + b_i``
with ``b_i = K(X_i, X_0) + β(X_i)``, the potential ``U − ½ K(X_0, X_0) − β(X_0)``, and the right side has besides

    y^j (X_i[b_j] + (K X_0 + β)([X_j, X_i]) + K(X_j, [X_0 + ∂_t, X_i])) + (K X_0 + β)([X_0 + ∂_t, X_i])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, along, gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import Matrix, dot, evaluate, evaluate_all, multiply, transpose
from nonholo.derive.hamel import lagrangian_in_frame, symmetric_jacobian
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import shorten, shorten_matrix
from nonholo.model.system import TIME, System, force_covector
from nonholo.model.velocities.admissible import samples_of
from nonholo.symmetry.reduction.section.invariant_basis import Basis
from nonholo.symmetry.reduction.section.orbit_section import OrbitSection
from nonholo.symmetry.reduction.section.shape_space import Shape
from nonholo.symmetry.vector_fields import bracket, derivatives

Cube = tuple[tuple[tuple[Expr, ...], ...], ...]


@dataclass(frozen=True)
class Quotient:
    """The system on D/G in the basis ``X_i`` (velocities ``y``), all in shape variables.

    ``slopes[c][i] = X_i[r_c]``, ``metric = K(X_i, X_j)``, ``brackets[i][j][k] = K([X_i, X_j], X_k)``, ``potential``,
    ``forces`` (in ``r``, ``y``, time and inputs).
    """

    shape: Shape
    velocities: tuple[Symbol, ...]
    slopes: Matrix
    metric: Matrix
    brackets: Cube
    potential: Expr
    forces: tuple[Expr, ...]
    samples: tuple[dict[str, float], ...]
    drift: tuple[Expr, ...] = ()
    """``X_0[r_c]``, for affine constraints; empty when it vanishes."""
    linear: tuple[Expr, ...] = ()
    """``b_i``, the momenta at ``y = 0``; empty when they vanish."""
    rest: Expr = ZERO
    """The energy less ``½ K y y`` and ``potential``, in ``r`` and ``y``."""

    @property
    def driven(self) -> bool:
        """Whether something besides kinetic and potential energy is at work: drift, terms linear in velocities, time."""
        moving = {TIME}
        formulas = [self.potential, *(e for row in (*self.metric, *self.slopes) for e in row)]
        return bool(self.drift or self.linear or any(e.free_symbols & moving for e in formulas))

    def rates(self, w: Sequence[Expr]) -> tuple[Expr, ...]:
        """``ṙ`` at the velocities ``w``."""
        found = tuple(dot(row, w) for row in self.slopes)
        return tuple(f + d for f, d in zip(found, self.drift)) if self.drift else found

    def carried(self, exprs: Sequence[Expr], w: Sequence[Expr]) -> tuple[Expr, ...]:
        """The rates of functions of shape and time along a motion with velocities ``w``."""
        return along(exprs, {**dict(zip(symbols(self.shape.names), self.rates(w))), TIME: ONE})


def lagrangian_parts(system: System) -> tuple[Matrix, tuple[Expr, ...], Expr]:
    """Metric ``G``, the linear part ``β`` and the potential ``U`` of ``l = ½ G v v + β v − U``; a ModelError for others."""
    v = symbols(system.velocities)
    l = lagrangian_in_frame(system)
    momenta = gradient(l, v)
    metric = symmetric_jacobian(momenta, v)
    still = dict.fromkeys(v, ZERO)
    potential = -substitute([l], still)[0]
    linear = substitute(momenta, still)
    metric = tuple(substitute(row, still) for row in metric)
    rest = l + potential - dot(linear, v)
    rest = rest - sum((metric[i][j] * v[i] * v[j] / 2 for i in range(len(v)) for j in range(len(v))), ZERO)
    for place in samples_of(system):
        off, size = evaluate([rest, l], place)
        if not abs(off) < 1e-9 * (1 + abs(size)):
            raise ModelError(
                f"{system.name}: reduction needs a Lagrangian of second degree in the velocities; this one has terms "
                f"of other kinds (off by {abs(off):.2g} at a random state)."
            )
    small = all(np.max(np.abs(evaluate(list(linear), p)), initial=0.0) < 1e-12 for p in samples_of(system))
    return metric, tuple(ZERO for _ in v) if small else linear, potential


def natural_parts(system: System) -> tuple[Matrix, Expr]:
    """Metric ``G`` and potential ``U``."""
    metric, _, potential = lagrangian_parts(system)
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


def section_quotient(system: System, section: OrbitSection, inside: Matrix, drift: Sequence[Expr]) -> Quotient:
    """The reduced data from a basis of D on the section (by columns) and the affine field ``X_0`` there."""
    shape = section.shape
    metric, linear, potential = lagrangian_parts(system)
    metric = tuple(shape.reduce(row) for row in metric)
    linear, (potential,) = shape.reduce(linear), shape.reduce([potential])
    fields = transpose(inside)
    count = len(fields)
    affine, magnetic = any(e != 0 for e in drift), any(e != 0 for e in linear)
    s, a = section.parts(tuple((*row, d) for row, d in zip(inside, drift)) if affine else inside)
    parts = list(zip(transpose(s) if s else [()] * (count + affine), transpose(a)))
    still = parts.pop() if affine else ((ZERO,) * len(shape.names), (ZERO,) * len(parts[0][1]) if parts else ())
    lowered = [tuple(dot(row, field) for row in metric) for field in fields]
    covector = tuple(dot(row, drift) + b for row, b in zip(metric, linear))  # K X_0 + β
    pair = [[shorten(dot(fields[min(i, j)], lowered[max(i, j)])) for j in range(count)] for i in range(count)]
    offsets = tuple(shorten(dot(field, covector)) for field in fields)
    y = symbols(f"_y{i + 1}" for i in range(count))
    v = tuple(dot(row, y) + d for row, d in zip(inside, drift))
    pushing = shape.reduce(force_covector(system))
    pushing = substitute(pushing, dict(zip(symbols(system.velocities), v)))
    forces = [dot(field, pushing) for field in fields]
    cube = [[[ZERO] * count for _ in range(count)] for _ in range(count)]
    for i in range(count):
        for j in range(i + 1, count):
            field = section.whole(*section.bracket(parts[i], parts[j]))
            for k in range(count):
                value = shorten(dot(field, lowered[k]))
                cube[i][j][k], cube[j][i][k] = value, -value
            if affine or magnetic:
                lean = shorten(dot(field, covector))
                forces[j] += y[i] * lean
                forces[i] -= y[j] * lean
    r = symbols(shape.names)
    for i in range(count):
        changing = [e.diff(TIME) for e in fields[i]]
        if affine or any(e != 0 for e in changing):
            field = section.whole(*section.bracket(still, parts[i])) if affine else (ZERO,) * len(drift)
            field = tuple(e + d for e, d in zip(field, changing))
            forces[i] += dot(field, covector) + dot(y, [dot(field, low) for low in lowered])
        if affine or magnetic:
            forces[i] += dot(y, [dot(gradient(b, r), parts[i][0]) for b in offsets])
    pull = dot(linear, drift)
    weight = dot(drift, [dot(row, drift) for row in metric])
    rest = pull + weight + dot(y, [dot(low, drift) for low in lowered]) if affine else ZERO
    return Quotient(
        shape,
        y,
        s if not affine else tuple(row[:-1] for row in s),
        tuple(map(tuple, pair)),
        tuple(tuple(map(tuple, block)) for block in cube),
        shorten(potential - weight / 2 - pull),
        tuple(forces),
        section.samples,
        tuple(still[0]) if affine else (),
        offsets if any(e != 0 for e in offsets) else (),
        rest,
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
    if data.driven:
        # the basis changes by itself where the shape drifts, or with time
        still, moving = [ZERO] * len(data.velocities), [swap[s] for s in data.velocities]
        momenta = [dot(row, moving) for row in data.metric]
        forces = tuple(f + dot(data.carried(column, still), momenta) for f, column in zip(forces, columns))
        if data.linear:
            forces = tuple(f + dot(data.carried(column, moving), data.linear) for f, column in zip(forces, columns))
    return Quotient(
        data.shape,
        w,
        shorten_matrix(slopes),
        shorten_matrix(pair),
        tuple(map(shorten_matrix, cube)),
        data.potential,
        forces,
        data.samples,
        data.drift,
        tuple(shorten(dot(column, data.linear)) for column in columns) if data.linear else (),
        substitute([data.rest], swap)[0],
    )


def force_terms(data: Quotient) -> tuple[Expr, ...]:
    """``d/dt (K_ij w^j + b_i) = T_jik w^j w^k + ½ Y_i[K_jk] w^j w^k − Y_i[U] + Q_i`` for each i."""
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
