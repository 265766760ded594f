"""MacDonnell's reduction to Q/G: with the momenta known as functions of the shape, the shape moves by itself.

In the basis κ (horizontal) and γ (along the orbits) with ``T_IJL = K([Y_I, Y_J], Y_L)`` and momenta ``p_a = I_ab Ω^b``:

    κ_j p_a = N_ja^c p_c,    N_ja^c = (T_jad + T_daj) I^dc                            [the adjoint equation (7.11)]
    (K̄_ij v^j)˙ − ½ κ_i K̄_jk v^j v^k + T_ijk v^j v^k − M̄_ij v^j + κ_i Ū = 0          [(8.11), corrected]
    Ū = U + ½ K(Ω, Ω),    M̄_ij = (L_κi K)(κ_j, Ω) = −(T_ija + T_iaj) Ω^a

The term ``T_ijk v^j v^k = K([κ_i, κ_j]_N, κ_k) v^j v^k`` is missing in MacDonnell 1997, Lemma 8.4.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, along, gradient, substitute, symbols
from nonholo.algebra.frozen import FrozenMap
from nonholo.algebra.kinds import Expr
from nonholo.algebra.linear import Matrix, dot, evaluate, evaluate_all
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.finding import Finding, bounded
from nonholo.model.admissible import samples_of
from nonholo.model.system import TIME, known_names
from nonholo.symmetry.reduction.quotient import Cube
from nonholo.symmetry.reduction.reduce import Reduction, check_reduction

LIMIT = 1e-9
PLACES = 5


def places_of(reduction: Reduction, count: int = PLACES) -> list[dict[str, float]]:
    """Random shapes with random parameters."""
    shape, system = reduction.shape, reduction.system
    result = []
    for place in samples_of(system, count=count):
        values = evaluate(list(shape.functions), place).tolist() if shape.names else []
        result.append(
            {**{n: place[n] for n in (*system.parameters, *system.inputs, "t")}, **dict(zip(shape.names, values))}
        )
    return result


def largest(exprs: Sequence[Expr], scale: Sequence[Expr], places: Sequence[dict[str, float]]) -> float:
    """The largest of the expressions at the places, relative to the largest of ``scale`` (the terms they are made of)."""
    numbers = np.abs(evaluate_all([*exprs, ZERO, *scale, ZERO], places))
    found, size = (np.max(part, axis=1) for part in (numbers[:, : len(exprs) + 1], numbers[:, len(exprs) + 1 :]))
    return float(np.max(np.where(size > 1e-12, found / np.maximum(size, 1e-12), found)))


def flatness(reduction: Reduction) -> tuple[Finding, Finding]:
    """The two conditions for ``ṗ`` to have only terms ``p ṙ``: γ preserves K on S and on H.

    K([γ_i, γ_j], γ_k) + K(γ_j, [γ_i, γ_k]) = 0,    K([γ_i, κ_j], κ_k) + K(κ_j, [γ_i, κ_k]) = 0    [(7.2), (7.3)]

    >>> import nonholo as nh
    >>> particle = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    >>> for finding in nh.studies.flatness(nh.reduce(particle, nh.translation("x"))):
    ...     print(finding.verdict)
    holds
    holds
    """
    check_reduction(reduction)
    h, m = reduction.frame.horizontal, reduction.frame.vertical
    T = reduction.frame.data.brackets
    places = places_of(reduction)
    found = []
    for label, what, others in (("(7.2)", "S", range(h, h + m)), ("(7.3)", "H", range(h))):
        sums, parts = [], []
        for a in range(h, h + m):
            for i in others:
                for j in others:
                    sums.append(T[a][i][j] + T[a][j][i])
                    parts.append(T[a][i][j])
        claim = f"flat {label}: the fields along the orbits preserve K on {what}"
        one = bounded(claim, largest(sums, parts, places), LIMIT, "relative, at random shapes")
        found.append(replace(one, method="flatness"))
    return found[0], found[1]


def adjoint(reduction: Reduction) -> Cube:
    """``N[j][a][c]`` of ``κ_j p_a = N_ja^c p_c`` [the adjoint equation (7.11)]."""
    h, m = reduction.frame.horizontal, reduction.frame.vertical
    T, inverse = reduction.frame.data.brackets, reduction.frame.inverse_inertia
    return tuple(
        tuple(
            tuple(
                sum(((T[j][h + a][h + d] + T[h + d][h + a][j]) * inverse[d][c] for d in range(m)), ZERO)
                for c in range(m)
            )
            for a in range(m)
        )
        for j in range(h)
    )


def derivative(reduction: Reduction, which: int, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
    """``κ_j`` of functions of the shape."""
    r = symbols(reduction.shape.names)
    moving = {s: row[which] for s, row in zip(r, reduction.frame.data.slopes) if row[which] != 0}
    return along(list(exprs), moving)


def integrable(reduction: Reduction) -> Finding:
    """Whether the adjoint equation has as many solutions as momenta: ``κ_i N_j − κ_j N_i + [N_j, N_i] = 0``."""
    h, m = reduction.frame.horizontal, reduction.frame.vertical
    claim = "the adjoint equation (7.11) is integrable"
    if h < 2 or m == 0:
        return Finding(claim, "holds", None, "one shape variable" if m else "no momenta")
    N = adjoint(reduction)
    moved = {(i, j): [derivative(reduction, i, row) for row in N[j]] for i in range(h) for j in range(h) if i != j}
    gaps, parts = [], []
    for i in range(h):
        for j in range(i + 1, h):
            for a in range(m):
                for c in range(m):
                    ones = [N[j][a][b] * N[i][b][c] for b in range(m)] + [moved[(i, j)][a][c]]
                    twos = [N[i][a][b] * N[j][b][c] for b in range(m)] + [moved[(j, i)][a][c]]
                    gaps.append(sum(ones, ZERO) - sum(twos, ZERO))
                    parts += [*ones, *twos]
    return bounded(claim, largest(gaps, parts, places_of(reduction)), LIMIT, "relative, at random shapes")


@dataclass(frozen=True)
class Reduced:
    """The motion of the shape alone, for momenta that are functions of it.

    ``momenta`` are ``p_a`` in the shape and the constants; where no closed form is known they are symbols that the
    equations carry along by the adjoint equation.
    """

    reduction: Reduction
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
        return next(f for f in self.findings if "Hamiltonian" in f.claim)


def reduced_system(
    reduction: Reduction, values: Sequence[float] | None = None, integrals: Sequence[Any] = ()
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
    check_reduction(reduction)
    frame = reduction.frame
    h, m = frame.horizontal, frame.vertical
    require_reducible(reduction)
    flat, solvable = flatness(reduction), integrable(reduction)
    for finding in (*flat, solvable):
        if finding.verdict != "holds":
            raise ModelError(
                f"{reduction.system.name}: the momenta are not functions of the shape alone, since this fails: "
                f"{finding.claim} ({finding.value:.2g}); use reduction.equations, where they are part of the state."
            )
    N = adjoint(reduction)
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
    told = (*flat, solvable, *_character(reduction, N, magnetic, gyroscopic))
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
        told,
    )


def require_reducible(reduction: Reduction) -> None:
    """Shape velocities are free and nothing pushes but the potential (inputs are zero); a ModelError else."""
    frame, name = reduction.frame, reduction.system.name
    if not reduction.shape.names:
        raise ModelError(f"{name}: there is no shape, the motion is on the group alone; use reduction.equations.")
    if frame.horizontal != reduction.shape.size:
        raise ModelError(
            f"{name}: constraints act on the shape itself (D + V is not all of TQ: {frame.horizontal} free velocities of "
            f"{reduction.shape.size} shape variables); MacDonnell's reduction to Q/G needs them free."
        )
    if reduction.data.driven:
        raise ModelError(
            f"{name}: the reduction to Q/G needs constraints without drift and a Lagrangian that is kinetic minus "
            "potential energy "
            "without time; use reduction.equations."
        )
    if pushed(reduction):
        raise ModelError(f"{name}: the reduction to Q/G needs a system without forces other than the potential's.")


def pushed(reduction: Reduction) -> bool:
    """Whether forces other than the potential's act while the inputs are zero."""
    idle = dict.fromkeys(symbols(reduction.system.inputs), ZERO)
    return any(e != 0 for e in substitute(reduction.frame.data.forces, idle))


def _momenta(reduction: Reduction, N: Cube, integrals: Sequence[Any]) -> tuple[tuple[Expr, ...], tuple[str, ...]]:
    """``p_a`` as functions of the shape and constants, and the constants' names (none: not known)."""
    m = reduction.frame.vertical
    if not m:
        return (), ()
    flat = [e for block in N for row in block for e in row]
    if largest(flat, [], places_of(reduction)) < LIMIT:
        return symbols(reduction.momenta), reduction.momenta
    if integrals:
        from nonholo.symmetry.quadrature.vertical import momenta_from_integrals

        taken = {*known_names(reduction.system), *reduction.shape.names, *reduction.momenta}
        names = tuple(f"C{a + 1}" for a in range(m))
        while any(n in taken for n in names):
            names = tuple(f"{n}_" for n in names)
        return momenta_from_integrals(reduction, integrals, symbols(names)), names
    return symbols(reduction.momenta), ()


def magnetic_form(reduction: Reduction) -> Matrix:
    """``M̄_ij`` in the shape and the momenta."""
    h, m = reduction.frame.horizontal, reduction.frame.vertical
    T = reduction.frame.data.brackets
    turning = [dot(row, symbols(reduction.momenta)) for row in reduction.frame.inverse_inertia]
    return tuple(
        tuple(-sum(((T[i][j][h + a] + T[i][h + a][j]) * turning[a] for a in range(m)), ZERO) for j in range(h))
        for i in range(h)
    )


def total_derivative(reduction: Reduction, N: Cube, which: int, exprs: Sequence[Expr]) -> list[Expr]:
    """``κ_j`` of functions of the shape and the momenta, these by the adjoint equation."""
    p = symbols(reduction.momenta)
    moved = derivative(reduction, which, exprs)
    rates = [dot(row, p) for row in N[which]] if p else []
    return [one + dot(gradient(e, p), rates) for one, e in zip(moved, exprs)]


def _character(reduction: Reduction, N: Cube, magnetic: Any, gyroscopic: Cube) -> tuple[Finding, ...]:
    """The gyroscopic term, closedness of M̄, and what follows."""
    h = reduction.frame.horizontal
    claim = "the reduced motion is Hamiltonian"
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
        "the gyroscopic term K([κ_i, κ_j]_N, κ_k) v^j v^k vanishes", size, LIMIT, "relative to K̄, at random shapes"
    )
    closed = []
    for i in range(h):
        for j in range(i + 1, h):
            for k in range(j + 1, h):
                turns = ((i, magnetic[j][k]), (j, magnetic[k][i]), (k, magnetic[i][j]))
                closed.append(sum((total_derivative(reduction, N, w, [e])[0] for w, e in turns), ZERO))
    gap = largest(closed, [e for row in magnetic for e in row], places)
    shut = bounded(
        "the reduced magnetic form is closed", gap, LIMIT, "two shape variables" if h == 2 else "at random shapes"
    )
    good = bool(twist) and bool(shut)
    why = "no gyroscopic term, closed form" if good else "not with K̄, Ū, M̄ in the time t; a change of time may help"
    value = None if good else (size if not twist else gap)
    return twist, shut, Finding(claim, "holds" if good else "fails", value, f"{why} [corrects MacDonnell 1997, 8.4.1]")


def _equations(
    reduction: Reduction,
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
    moved = [[derivative(reduction, k, row) for row in metric] for k in range(h)]
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
    kinetic = sum((metric[i][j] * v[i] * v[j] for i in range(h) for j in range(h)), ZERO) / 2
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
        energy=kinetic + hill[0],
        time=TIME,
        parameters=(*symbols(system.parameters), *(symbols(constants) if symbolic else ())),
        outputs=FrozenMap({**outputs, **{f"Omega_{a + 1}": e for a, e in enumerate(turning)}}),
        invariants=FrozenMap({f"shape relation {i + 1}": e for i, e in enumerate(shape.relations)}),
    )
