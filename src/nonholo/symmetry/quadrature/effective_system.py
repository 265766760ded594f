"""MacDonnell's reduction to Q/G: with the momenta known as functions of the shape, the shape moves by itself.

In the basis κ (horizontal) and γ (along the orbits) with ``T_IJL = K([Y_I, Y_J], Y_L)`` and momenta ``p_a = I_ab Ω^b``:

    κ_j p_a = N_ja^c p_c,    N_ja^c = (T_jad + T_daj) I^dc                            [the adjoint equation (7.11)]
    (K̄_ij v^j)˙ − ½ κ_i K̄_jk v^j v^k + T_ijk v^j v^k − M̄_ij v^j + κ_i Ū = 0          [(8.11), corrected]
    Ū = U + ½ K(Ω, Ω),    M̄_ij = (L_κi K)(κ_j, Ω) = −(T_ija + T_iaj) Ω^a

The term ``T_ijk v^j v^k = K([κ_i, κ_j]_N, κ_k) v^j v^k`` is missing in MacDonnell 1997, Lemma 8.4.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, dot
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError, Remedy
from nonholo.finding import Finding, Property, ReducedHamiltonian, bounded
from nonholo.model.system import TIME, known_names
from nonholo.symmetry.quadrature.adjoint_equation import (
    LIMIT,
    flatness,
    integrable,
    largest,
    places_of,
    require_reducible,
)
from nonholo.symmetry.quadrature.vertical_velocity import momenta_from_integrals
from nonholo.symmetry.reduction.momentum.conserving_bases import adjoint_matrices, along_shape
from nonholo.symmetry.reduction.quotient_data import Cube
from nonholo.symmetry.reduction.reduced_equations import kinetic
from nonholo.symmetry.reduction.reduction_record import ReductionRecord, require_orthogonal


@dataclass(frozen=True)
class Reduced:
    """The motion of the shape alone, for momenta that are functions of it.

    ``momenta`` are ``p_a`` in the shape and the constants; where no closed form is known they are symbols that the
    equations carry along by the adjoint equation.
    """

    reduction: ReductionRecord
    metric: Matrix
    potential: Expr
    """``Ū``."""
    magnetic: Matrix
    """``M̄_ij``."""
    gyroscopic: Cube
    """``T_ijk = K([κ_i, κ_j]_N, κ_k)``."""
    momenta: tuple[Expr, ...]
    constants: tuple[str, ...]
    """Names of the constants that the momenta contain; parameters of the equations."""
    equations: Equations
    findings: tuple[Finding, ...]

    @property
    def hamiltonian(self) -> Finding:
        """Whether the reduced motion is that of the Lagrangian ``½ K̄ − Ū`` in the closed field M̄."""
        return next(f for f in self.findings if isinstance(f.data, ReducedHamiltonian))


def reduced_system(
    reduction: ReductionRecord, values: Sequence[float] | None = None, *, integrals: Sequence[Any] = ()
) -> Reduced:
    """The reduced motion on Q/G; ``values`` are those of the momenta's constants, symbols unless given.

    The constants are the momenta themselves where these are constant, else the values of the ``integrals`` given
    (findings or expressions linear in the velocities, as many as momenta); with neither the momenta stay in the state.

    >>> import nonholo as nh
    >>> planet = nh.System(coordinates="r phi", lagrangian="(rdot**2 + r**2*phidot**2)/2 + 1/r", symmetry=nh.rotation("phi"))
    >>> print(nh.studies.reduced_system(nh.reduce(planet)).equations)
    system, shape alone: reduction to Q/G
    <BLANKLINE>
      rddot = (p**2 - r)/r**3
    """
    require_orthogonal(reduction)
    frame = reduction.frame
    h, m = frame.horizontal, frame.vertical
    require_reducible(reduction)
    flat, solvable = flatness(reduction), integrable(reduction)
    for finding in (*flat, solvable):
        if finding.verdict != "holds":
            raise ModelError(
                f"{reduction.system.name}: the momenta are not functions of the shape alone, because {finding.claim};",
                remedy=Remedy("use reduction.equations, where they are part of the state", "", ""),
            )
    N = adjoint_matrices(reduction.frame)
    momenta, constants = _momenta(reduction, N, integrals)
    given = FrozenMap(dict(zip(symbols(constants), map(float, values or ()))))
    if values is not None and len(values) != m:
        raise ModelError(f"{reduction.system.name}: {len(values)} values where there are {m} momenta.")
    if values is not None and not constants and m:
        raise ModelError(
            f"{reduction.system.name}: no closed form of the momenta is known; give them at the start instead."
        )
    free = symbols(reduction.momenta)
    turning = [dot(row, free) for row in frame.inverse_inertia]
    potential = frame.data.potential + dot(free, turning) / 2
    T = frame.data.brackets
    magnetic = magnetic_form(reduction)
    gyroscopic = tuple(tuple(tuple(T[i][j][:h]) for j in range(h)) for i in range(h))
    slopes = [total_derivative(reduction, N, i, [potential])[0] for i in range(h)]
    findings = (*flat, solvable, *_character(reduction, N, magnetic, gyroscopic))
    table = dict(zip(free, substitute(momenta, given))) if constants else {}
    put = [substitute(row, table) for row in magnetic]
    equations = _equations(reduction, N, substitute([potential, *slopes], table), put, table, values is None, constants)
    return Reduced(
        reduction,
        reduction.metric,
        substitute([potential], table)[0],
        tuple(put),
        gyroscopic,
        tuple(table.values()) or free,
        constants if values is None else (),
        equations,
        findings,
    )


def _momenta(reduction: ReductionRecord, N: Cube, integrals: Sequence[Any]) -> tuple[tuple[Expr, ...], tuple[str, ...]]:
    """``p_a`` as functions of the shape and constants, and the constants' names (none: not known)."""
    m = reduction.frame.vertical
    if not m:
        return (), ()
    flat = [e for block in N for row in block for e in row]
    if largest(flat, [], places_of(reduction)) < LIMIT:
        return symbols(reduction.momenta), reduction.momenta
    if integrals:
        taken = {*known_names(reduction.system), *reduction.shape.names, *reduction.momenta}
        names = tuple(f"C{a + 1}" for a in range(m))
        while any(n in taken for n in names):
            names = tuple(f"{n}_" for n in names)
        return momenta_from_integrals(reduction, integrals, symbols(names)), names
    return symbols(reduction.momenta), ()


def magnetic_form(reduction: ReductionRecord) -> Matrix:
    """``M̄_ij`` in the shape and the momenta."""
    h, m = reduction.frame.horizontal, reduction.frame.vertical
    T = reduction.frame.data.brackets
    turning = [dot(row, symbols(reduction.momenta)) for row in reduction.frame.inverse_inertia]
    return tuple(
        tuple(-sum(((T[i][j][h + a] + T[i][h + a][j]) * turning[a] for a in range(m)), ZERO) for j in range(h))
        for i in range(h)
    )


def total_derivative(reduction: ReductionRecord, N: Cube, which: int, exprs: Sequence[Expr]) -> list[Expr]:
    """``κ_j`` of functions of the shape and the momenta, these by the adjoint equation."""
    p = symbols(reduction.momenta)
    moved = along_shape(reduction.frame, which, exprs)
    rates = [dot(row, p) for row in N[which]] if p else []
    return [one + dot(gradient(e, p), rates) for one, e in zip(moved, exprs)]


def _character(reduction: ReductionRecord, N: Cube, magnetic: Any, gyroscopic: Cube) -> tuple[Finding, ...]:
    """The gyroscopic term, closedness of M̄, and what follows."""
    h = reduction.frame.horizontal
    claim = ReducedHamiltonian(new_time=False)
    if h == 1:
        return (Finding(claim, "holds", None, "one shape variable"),)
    places = places_of(reduction)
    random = np.random.default_rng(3)
    for place in places:
        place |= {n: float(random.uniform(-1, 1)) for n in reduction.momenta}
    both = [gyroscopic[i][j][k] + gyroscopic[i][k][j] for i in range(h) for j in range(h) for k in range(h)]
    metric = [e for row in reduction.metric for e in row]
    size = largest(both, metric, places)
    twist = bounded(
        Property("the gyroscopic term K([κ_i, κ_j]_N, κ_k) v^j v^k vanishes", "there is a gyroscopic term"),
        size,
        LIMIT,
        "relative to K̄, at random shapes",
    )
    closed = []
    for i in range(h):
        for j in range(i + 1, h):
            for k in range(j + 1, h):
                turns = ((i, magnetic[j][k]), (j, magnetic[k][i]), (k, magnetic[i][j]))
                closed.append(sum((total_derivative(reduction, N, w, [e])[0] for w, e in turns), ZERO))
    gap = largest(closed, [e for row in magnetic for e in row], places)
    shut = bounded(
        Property("the reduced magnetic form is closed", "the reduced magnetic form is not closed"),
        gap,
        LIMIT,
        "two shape variables" if h == 2 else "at random shapes",
    )
    good = bool(twist) and bool(shut)
    why = "no gyroscopic term, closed form" if good else "not with K̄, Ū, M̄ in the time t; a change of time may help"
    value = None if good else (size if not twist else gap)
    return twist, shut, Finding(claim, "holds" if good else "fails", value, f"{why} [corrects MacDonnell 1997, 8.4.1]")


def _equations(
    reduction: ReductionRecord,
    N: Cube,
    hill: Sequence[Expr],
    magnetic: Sequence[Sequence[Expr]],
    table: Any,
    symbolic: bool,
    constants: tuple[str, ...],
) -> Equations:
    frame, shape, system = reduction.frame, reduction.shape, reduction.system
    h = frame.horizontal
    v, p = symbols(reduction.rates), symbols(reduction.momenta)
    metric, T = reduction.metric, frame.data.brackets
    moved = [[along_shape(reduction.frame, k, row) for row in metric] for k in range(h)]
    force = []
    for i in range(h):
        total = dot(magnetic[i], v) - hill[1 + i]
        for j in range(h):
            for k in range(h):
                total += (moved[i][j][k] / 2 - moved[j][i][k] - T[i][j][k]) * v[j] * v[k]
        force.append(total)
    kinematics = [dot(row[:h], v) for row in frame.data.slopes]
    carried = () if table or not p else p
    for a in range(len(carried)):
        kinematics.append(sum((dot(N[j][a], p) * v[j] for j in range(h)), ZERO))
    turning = [dot(row, substitute(p, table)) for row in frame.inverse_inertia]
    constant = symbolic and constants == reduction.momenta
    outputs = {} if carried or constant else dict(zip(reduction.momenta, table.values()))
    return Equations(
        name=f"{system.name}, shape alone",
        origin="reduction to Q/G",
        coordinates=(*symbols(shape.names), *carried),
        speeds=v,
        kinematics=tuple(kinematics),
        mass=metric,
        force=tuple(force),
        energy=kinetic(metric, v) + hill[0],
        time=TIME,
        parameters=(*symbols(system.parameters), *(symbols(constants) if symbolic else ())),
        outputs=FrozenMap({**outputs, **{f"Omega_{a + 1}": e for a, e in enumerate(turning)}}),
        invariants=FrozenMap({f"shape relation {i + 1}": e for i, e in enumerate(shape.relations)}),
    )
