"""Configuration flatness of mechanical systems with one input fewer than coordinates. [Rathinam and Murray 1998]

Let ``ξ`` annihilate the forces of the inputs. Outputs ``y(q)``, one fewer than coordinates, are flat exactly if the equation
without inputs, ``g(ξ, ∇q̇ q̇ + grad U) = 0``, holds no rates along the fibres of ``y``. With ``V`` tangent to the fibres this is
``g(ξ, V) = 0`` and ``g(∇_X ξ, V) = 0`` for every ``X``, linear in ``V``; the outputs are first integrals of ``V``. Along them
that equation gives the last coordinate by ``y, ẏ, ÿ``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import atoms, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import fraction_of, null_space
from nonholo.algebra.prime.modular_arithmetic import residue as residue_of
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.control.flat_systems.chained_form import independent_part, shorter, vanishing
from nonholo.control.reachability.control_affine import ControlAffine

MOST = 4
"""Coordinates of a system for which this is tried."""
LIBRARY = 60
"""Functions of which the outputs may be sums."""
SMALL = 12
"""Numbers in their coefficients, beside products of parameters."""
Matrix = list[list[Expr]]


def applies(control: ControlAffine) -> bool:
    """Velocities as speeds, no constraints, one input fewer than coordinates, forces of inputs that depend on the place only."""
    speeds, size = control.speeds, len(control.coordinates)
    plain = len(speeds) == size == len(control.inputs) + 1 <= MOST and tuple(control.kinematics[0]) == tuple(speeds)
    if not plain or control.extended or control.relations or any(e != 0 for k in control.kinematics[1:] for e in k):
        return False
    return not any(e.free_symbols & set(speeds) for k in control.forces[1:] for e in k)


def flat_coordinates(control: ControlAffine) -> tuple[list[Expr] | None, str]:
    """Flat outputs as functions of the coordinates, verified for all parameters; or None, and why not."""
    xi = annihilator(control)
    rows = _conditions(control, xi)
    names = sorted({str(s) for row in rows for e in row for s in e.free_symbols} & set(control.system.parameters))
    values = {n: Fraction(31 + 6 * k, 29 + 12 * k) for k, n in enumerate(names)}
    library = _library(control, rows)
    points = Points(len(library) + 12, 29)
    for n, value in values.items():
        points.set(symbol(n), np.full(points.count, residue_of(value, points.p), dtype=np.int64))
    size = len(control.coordinates)
    try:
        table = np.array([points.values(row) for row in rows])
        slopes = np.array([points.values([e.diff(s) for s in control.coordinates]) for e in library])
    except Unsupported:
        return None, "its metric cannot be evaluated modulo a prime"
    moved = []
    for k in np.flatnonzero(points.good):
        fibres = null_space(table[:, :, k].astype(np.int64), points.p)
        if not fibres:
            return None, "not configuration flat, Rathinam–Murray"
        along = np.asarray(fibres[0][1])
        moved.append([int(np.sum(along * slopes[e, :, k] % points.p) % points.p) for e in range(len(library))])
    found: list[Expr] = []
    for step in (1, -1):
        for _, vector in null_space(np.array(moved, dtype=np.int64)[:, ::step], points.p):
            one = _recognised(np.asarray(vector)[::step], library, values, points.p)
            if one is not None and one not in found:
                found.append(one)
    found.sort(key=lambda e: len(str(e)))
    for some in combinations(found, size - 1):
        fibre = _minors([[e.diff(s) for s in control.coordinates] for e in some])
        if not all(vanishing(control, e) for e in fibre) and all(vanishing(control, _dot(row, fibre)) for row in rows):
            return list(some), "configuration flat, Rathinam–Murray"
    return None, "configuration flatness needs first integrals that are no sums of sines, cosines and coordinates"


def annihilator(control: ControlAffine) -> list[Expr]:
    """``ξ`` on which the forces of all inputs vanish."""
    return [shorter(e) for e in _minors([list(k) for k in control.forces[1:]])]


def _conditions(control: ControlAffine, xi: Sequence[Expr]) -> Matrix:
    """``g(ξ, ·)`` and ``g(∇_j ξ, ·)`` of each coordinate's direction."""
    q, mass = control.coordinates, control.mass
    size = range(len(q))
    rows = [[_dot(row, xi) for row in mass]]
    for j in size:
        slope = [e.diff(q[j]) for e in xi]
        row = []
        for i in size:
            christoffel = [(mass[i][k].diff(q[j]) + mass[i][j].diff(q[k]) - mass[j][k].diff(q[i])) / 2 for k in size]
            row.append(_dot(mass[i], slope) + _dot(christoffel, xi))
        rows.append(row)
    return rows


def free_equation(control: ControlAffine, outputs: Sequence[Expr], flags: Sequence[Sequence[Expr]]) -> Expr | None:
    """The equation without inputs in the coordinates and ``ẏ, ÿ``; None where it holds rates, or not the place, on the fibres."""
    q, speeds = control.coordinates, control.speeds
    size = len(q)
    xi = annihilator(control)
    slopes = [[e.diff(s) for s in q] for e in outputs]
    fibre = _minors(slopes)
    k = next(k for k in range(size) if not vanishing(control, fibre[k]))
    others = [i for i in range(size) if i != k]
    inner = se.DenseMatrix(size - 1, size - 1, [slopes[r][i] for r in range(size - 1) for i in others])
    row = [_dot(m, xi) for m in control.mass]
    parts = inner.T.LUsolve(se.DenseMatrix(size - 1, 1, [row[i] for i in others]))
    weights = [parts[r, 0] for r in range(size - 1)]
    bent = [_dot([_dot([e.diff(s) for s in q], speeds) for e in one], speeds) for one in slopes]
    rest = -_dot(xi, control.forces[0]) - _dot(weights, bent)
    if not vanishing(control, _dot([rest.diff(v) for v in speeds], fibre)):
        return None
    lift = inner.LUsolve(se.DenseMatrix(size - 1, 1, list(flags[1])))
    table = {speeds[k]: se.Integer(0)} | {speeds[i]: lift[r, 0] for r, i in enumerate(others)}
    first = next(e for e in weights if not vanishing(control, e))
    terms = [shorter(independent_part(control, e / first)) for e in (*weights, rest.xreplace(table))]
    below = [shorter(independent_part(control, e.diff(f))) for e in [terms[-1]] for f in flags[1]]
    still = shorter(independent_part(control, terms[-1].xreplace(dict.fromkeys(flags[1], se.Integer(0)))))
    if all(vanishing(control, e) for e in below):
        terms[-1] = still
    whole = se.Add(*(a * b for a, b in zip(terms, (*flags[2], se.Integer(1)))))
    return None if vanishing(control, _dot([whole.diff(s) for s in q], fibre)) else whole


def _dot(a: Sequence[Expr], b: Sequence[Expr]) -> Expr:
    return se.Add(*(x * y for x, y in zip(a, b)))


def _minors(rows: Matrix) -> list[Expr]:
    """The vector on which rows, one fewer than columns, vanish."""
    size = len(rows[0])
    found = []
    for k in range(size):
        kept = [row[j] for row in rows for j in range(size) if j != k]
        found.append((-1) ** k * se.DenseMatrix(size - 1, size - 1, kept).det())
    return found


def _library(control: ControlAffine, rows: Matrix) -> list[Expr]:
    """Coordinates, sines and cosines of angles, and products of two of these."""
    waves = [f for row in rows for f in atoms(row, se.sin, se.cos)]
    angles = sorted({s for f in waves for s in f.free_symbols} - set(symbols(control.system.parameters)), key=str)
    plain = [s for s in control.coordinates if s not in angles]
    round_ = [f(s) for s in angles for f in (se.cos, se.sin)]
    sums = [f(a + b) for a, b in combinations(angles, 2) for f in (se.cos, se.sin)]
    products = [a * b for a in plain for b in (*round_, *plain)] + [a * b for a, b in combinations(round_, 2)]
    return [*control.coordinates, *round_, *sums, *dict.fromkeys(products)][:LIBRARY]


def _recognised(vector: Any, library: Sequence[Expr], values: Mapping[str, Fraction], p: int) -> Expr | None:
    """A sum of the library whose coefficients are small fractions times powers of parameters; None where one is not."""
    scale = pow(int(vector[np.flatnonzero(vector)[0]]), -1, p)
    terms = []
    for weight, e in zip(vector, library):
        residue = int(weight) * scale % p
        part = _coefficient(residue, values, p) if residue else se.Integer(0)
        if part is None:
            return None
        terms.append(part * e)
    return se.Add(*terms)


def _coefficient(residue: int, values: Mapping[str, Fraction], p: int) -> Expr | None:
    for powers in sorted(product((0, 1, -1, 2, -2), repeat=len(values)), key=lambda e: (sum(map(abs, e)), e)):
        number, word = residue, se.Integer(1)
        for (name, value), power in zip(values.items(), powers):
            number = number * pow(residue_of(value, p), -power, p) % p
            word = word * symbol(name) ** power
        plain = fraction_of(number, p, SMALL)
        if plain is not None:
            return se.Rational(plain.numerator, plain.denominator) * word
    return None


def inverse_dynamics(control: ControlAffine, table: Mapping[Any, Expr], pulls: Sequence[Expr]) -> dict[str, Expr]:
    """Inputs by coordinates, speeds and accelerations as expressions: equations enough to have all of them."""
    count = len(control.inputs)
    mass, free = control.mass, control.forces[0]
    for rows in combinations(range(len(control.speeds)), count):
        matrix = se.DenseMatrix(count, count, [control.forces[k][r] for r in rows for k in range(1, count + 1)])
        if not vanishing(control, matrix.det()):
            needed = [(_dot(mass[r], pulls) - free[r]).xreplace(dict(table)) for r in rows]
            here = se.DenseMatrix(count, count, [e.xreplace(dict(table)) for e in matrix])
            solved = here.LUsolve(se.DenseMatrix(count, 1, needed))
            return {str(u): solved[k, 0] for k, u in enumerate(control.inputs)}
    return {}


