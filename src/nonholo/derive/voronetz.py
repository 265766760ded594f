"""Voronetz: constraints as an Ehresmann connection, its curvature, and the constrained Lagrangian."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nonholo.algebra.calculus import (
    ONE,
    ZERO,
    along,
    energy_of,
    gradient,
    jacobian,
    lie_derivatives,
    substitute,
    symbols,
)
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, dot
from nonholo.derive.chart_coordinates import in_chart
from nonholo.derive.equations import Equations
from nonholo.derive.forms import form
from nonholo.derive.multipliers import chart_outputs
from nonholo.errors import ModelError
from nonholo.model.system import TIME, System, force_covector, resolve
from nonholo.model.velocities.admissible import Admissible, admissible


@dataclass(frozen=True)
class Connection:
    """``ṡ^a = −A^a_α ṙ^α + γ^a`` over the base ``r`` with fibre ``s``, and its curvature ``B^a_αβ``."""

    base: tuple[str, ...]
    fibre: tuple[str, ...]
    coefficients: Matrix
    drift: tuple[Expr, ...]
    curvature: tuple[Matrix, ...]


def _split(system: System, at: Mapping[str, float] | None) -> tuple[System, Admissible, list[int], list[int]]:
    plain = in_chart(system)
    if plain.parametric is not None:
        raise ModelError(
            f"{system.name}: Voronetz's equations need constraints solved for rates; give constraints=[…], not parametric."
        )
    allowed = admissible(plain, at, frame_first=True)
    names = [str(s) for s in allowed.speeds] if allowed.explicit else _free(allowed)
    base = [i for i, v in enumerate(plain.velocities) if v in names]
    return plain, allowed, base, [i for i in range(len(plain.velocities)) if i not in base]


def _free(allowed: Admissible) -> list[str]:
    """The rates whose row of the basis is a unit row: the independent ones of a nonlinear constraint."""
    return [
        str(s)
        for s, row in zip(allowed.speeds, allowed.basis)
        if sorted(map(str, row)) == sorted(["1"] + ["0"] * (len(row) - 1))
    ][: len(allowed.basis[0])]


def connection(system: System, at: Mapping[str, float] | None = None) -> Connection:
    """The connection ``A`` of linear or affine constraints and its curvature [Notices 2005, after (4)].

    B^b_αβ = ∂A^b_α/∂r^β − ∂A^b_β/∂r^α + A^a_α ∂A^b_β/∂s^a − A^a_β ∂A^b_α/∂s^a

    >>> import nonholo as nh
    >>> particle = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    >>> nh.forms.connection(particle).fibre, nh.forms.connection(particle).coefficients
    (('z',), ((-y, 0),))
    """
    plain, allowed, base, fibre = _split(system, at)
    if not allowed.explicit:
        raise ModelError(f"{system.name}: nonlinear constraints have no linear connection; see classify.")
    q = symbols(plain.coordinates)
    r, s = [q[i] for i in base], [q[i] for i in fibre]
    order = [allowed.speeds.index(symbols([plain.velocities[i]])[0]) for i in base]
    a = tuple(tuple(-allowed.basis[i][k] for k in order) for i in fibre)
    drift = substitute([allowed.velocity[i] for i in fibre], dict.fromkeys(allowed.speeds, ZERO))
    names = plain.coordinates
    return Connection(tuple(names[i] for i in base), tuple(names[i] for i in fibre), a, drift, _curvature(a, r, s))


def _curvature(a: Matrix, r: Sequence[Symbol], s: Sequence[Symbol]) -> tuple[Matrix, ...]:
    """``B^b_αβ = D_β A^b_α − D_α A^b_β`` with ``D_α = ∂/∂r^α − A^a_α ∂/∂s^a``: one pass over all of ``A`` for each α."""
    flat, m = [e for row in a for e in row], range(len(r))
    lifts = [{r[alpha]: ONE, **{x: -row[alpha] for x, row in zip(s, a)}} for alpha in m]
    slopes = [lie_derivatives(flat, lift) for lift in lifts]
    return tuple(
        tuple(tuple(slopes[y][b * len(r) + x] - slopes[x][b * len(r) + y] for y in m) for x in m) for b in range(len(s))
    )


@form(
    "voronetz",
    title="Voronetz’s equations",
    about="In the rates of some coordinates, which give the others by the constraints; what distinguishes them from Lagrange’s "
    "equations is the curvature of the constraints. Chaplygin’s equations are a special case.",
    place=4,
)
def voronetz(system: System, at: Mapping[str, float] | None = None) -> Equations:
    """Motion of the constrained Lagrangian ``L_c`` with the connection's curvature as force.

        d/dt ∂L_c/∂ṙ^α − ∂L_c/∂r^α + A^a_α ∂L_c/∂s^a = −(∂L/∂ṡ^b) B^b_αβ ṙ^β        [Voronetz 1901; Notices 2005 (4)]

    For affine and nonlinear constraints ``ṡ = Ψ(q, ṙ, t)``, and those with explicit time, the right side is
    ``(∂L/∂ṡ^b) (d/dt ∂Ψ^b/∂ṙ^α − ∂Ψ^b/∂r^α − (∂Ψ^a/∂ṙ^α) ∂Ψ^b/∂s^a)``.

    >>> import nonholo as nh
    >>> particle = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    >>> print(nh.voronetz(particle))
    system: Voronetz's equations
    <BLANKLINE>
      d/dt z = y*xdot
      (1 + y**2)*xddot = -y*xdot*ydot
      yddot = 0
    """
    plain, allowed, base, fibre = _split(system, at)
    q, v = symbols(plain.coordinates), symbols(plain.velocities)
    (lagrangian,) = resolve(plain, [plain.lagrangian])
    applied = force_covector(plain)
    timed = any(TIME in e.free_symbols for row in allowed.basis for e in row)  # ∂A/∂t is no part of the curvature
    homogeneous = allowed.rows.linear and all(side == 0 for side in allowed.rows.sides) and not timed
    if not allowed.explicit:
        mass, force = _nonlinear(allowed, q, v, lagrangian, applied, base, fibre)
    else:
        mass, force = _explicit(
            allowed, q, v, lagrangian, applied, base, fibre, connection(system, at) if homogeneous else None
        )
    on_shell = dict(zip(v, allowed.velocity))
    invariants = {f"holonomic constraint {i + 1}": e for i, e in enumerate(plain.holonomic)}
    if not allowed.explicit:
        invariants |= dict(zip(allowed.rows.labels, allowed.rows.residuals))
    speeds = tuple(v[i] for i in base) if allowed.explicit else v
    return Equations(
        name=system.name,
        origin="voronetz",
        coordinates=q,
        speeds=speeds,
        kinematics=allowed.velocity,
        mass=mass,
        force=force,
        energy=substitute([energy_of(lagrangian, v)], on_shell)[0],
        time=TIME,
        parameters=symbols(plain.parameters),
        inputs=symbols(plain.inputs),
        symmetric=allowed.explicit,
        outputs=FrozenMap(chart_outputs(system, plain, on_shell, speeds)),
        invariants=FrozenMap(invariants),
    )


def _explicit(
    allowed: Admissible,
    q: Any,
    v: Any,
    lagrangian: Expr,
    applied: Any,
    base: list[int],
    fibre: list[int],
    bend: Connection | None,
) -> tuple[Matrix, tuple[Expr, ...]]:
    speeds = tuple(v[i] for i in base)
    on_shell = dict(zip(v, allowed.velocity))
    motion = {**dict(zip(q, allowed.velocity)), TIME: ONE}
    (constrained,) = substitute([lagrangian], on_shell)
    momenta = gradient(constrained, speeds)
    psi = [allowed.velocity[i] for i in fibre]
    lift = jacobian(psi, speeds)
    vertical = substitute(gradient(lagrangian, [v[i] for i in fibre]), on_shell)
    forces = substitute(applied, on_shell)
    change = along(momenta, motion)
    force = []
    for alpha, i in enumerate(base):
        column = [lift[a][alpha] for a in range(len(fibre))]
        lifted = {q[i]: ONE, **{q[j]: e for j, e in zip(fibre, column)}}
        value = lie_derivatives([constrained], lifted)[0] - change[alpha]
        value += forces[i] + dot(column, [forces[j] for j in fibre])
        if bend is not None:
            value -= dot(vertical, [dot(block[alpha], speeds) for block in bend.curvature])
        else:
            twist = zip(along(column, motion), lie_derivatives(psi, lifted))
            value += dot(vertical, [moved - bent for moved, bent in twist])
        force.append(value)
    return jacobian(momenta, speeds), tuple(force)


def _nonlinear(
    allowed: Admissible, q: Any, v: Any, lagrangian: Expr, applied: Any, base: list[int], fibre: list[int]
) -> tuple[Matrix, tuple[Expr, ...]]:
    """Implicit ``ṡ = Ψ(q, ṙ)``: derivatives through the constraint, ``Ψ_ṙ`` = the basis; state (q, ṙ, ṡ)."""
    rows = allowed.rows
    order = [next(k for k, e in enumerate(allowed.basis[i]) if e == 1) for i in base]
    lift = [[allowed.basis[j][k] for k in order] for j in fibre]
    # total derivatives along the constraint: D_α = ∂/∂ṙ^α + Ψ^a_α ∂/∂ṡ^a
    directions = [{v[i]: ONE, **{v[j]: lift[a][alpha] for a, j in enumerate(fibre)}} for alpha, i in enumerate(base)]
    momenta = [along([lagrangian], d)[0] for d in directions]
    vertical = [lagrangian.diff(v[j]) for j in fibre]
    motion = {**dict(zip(q, v)), TIME: ONE}
    mass, force = [], []
    for alpha, i in enumerate(base):
        row = [ZERO] * len(v)
        column = [lift[a][alpha] for a in range(len(fibre))]
        for k in range(len(v)):
            # d/dt of π_α − (∂L/∂ṡ) Ψ_α with (∂L/∂ṡ) held, so that only the accelerations of L itself remain
            row[k] = momenta[alpha].diff(v[k]) - dot(vertical, [c.diff(v[k]) for c in column])
        mass.append(tuple(row))
        change = along([momenta[alpha]], motion)[0] - dot(vertical, along(column, motion))
        value = lagrangian.diff(q[i]) + dot(column, [lagrangian.diff(q[j]) for j in fibre]) - change
        value += applied[i] + dot(column, [applied[j] for j in fibre])
        force.append(value)
    carry = along(rows.residuals, motion)
    return (*mass, *rows.slopes), (*force, *(-c for c in carry))
