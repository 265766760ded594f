"""The almost-Poisson Hamiltonian form: momenta on the constraint submanifold and their bracket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, along, expand, gradient, jacobian, substitute, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import DependentRows, Matrix, dot, evaluate, identity, solve, transpose
from nonholo.derive.equations import Equations
from nonholo.derive.forms import form
from nonholo.errors import ModelError
from nonholo.finding import Finding, Property
from nonholo.geometry.frames.frame import structure_functions
from nonholo.model.system import TIME, System, force_covector, resolve
from nonholo.model.velocities.admissible import Admissible, admissible, named_velocities, samples_of
from nonholo.notation.read import expression
from nonholo.notation.shortening.shorten import neat
from nonholo.notation.write import to_text


@dataclass(frozen=True, repr=False)
class AlmostPoisson:
    """``(ẋ, p̃̇) = J_M ∇H_M + drift`` on the constraint submanifold [Notices 2005 (8)–(10)]."""

    coordinates: tuple[Symbol, ...]
    momenta: tuple[Symbol, ...]
    hamiltonian: Expr
    matrix: Matrix
    drift: tuple[Expr, ...]
    """What is not Hamiltonian: applied forces, and the moving part of affine constraints."""
    speeds: tuple[Symbol, ...]
    speeds_by_momenta: tuple[Expr, ...]
    momenta_by_speeds: tuple[Expr, ...]

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        """The Hamiltonian and the brackets that are not zero."""
        names = (*self.coordinates, *self.momenta)
        lines = [f"H = {to_text(neat(self.hamiltonian))}"]
        for a, b in combinations(range(len(names)), 2):
            if self.matrix[a][b] != ZERO:
                lines.append(f"{{{names[a]}, {names[b]}}} = {to_text(neat(self.matrix[a][b]))}")
        lines += [f"drift of {n}: {to_text(e)}" for n, e in zip(names, self.drift) if e != ZERO]
        return "\n".join(lines)


def momentum_name(speed: str) -> str:
    """``thetadot`` -> ``p_theta``, ``omega`` -> ``p_omega``."""
    return f"p_{speed[:-3] if speed.endswith('dot') else speed}"


def almost_poisson(system: System, at: Mapping[str, float] | None = None) -> AlmostPoisson:
    """The bracket matrix ``J_M`` and the constrained Hamiltonian of linear or affine constraints.

    With ``X_α = W_α^j u_j`` spanning the admissible velocities, ``p̃_α = ∂L_c/∂z^α`` and all momenta
    ``p_a = ∂l/∂v^a`` restricted to the submanifold,

        {x, p̃_α} = X_α,    {p̃_α, p̃_β} = −[X_α, X_β]^a p_a        [van der Schaft–Maschke 1994; Notices 2005 (9)]

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> nh.forms.almost_poisson(sleigh.system).momenta
    (p_omega, p_v)
    """
    allowed = admissible(system, at)
    if not allowed.explicit or any(e.free_symbols & set(allowed.speeds) for row in allowed.basis for e in row):
        raise ModelError(
            f"{system.name}: the almost-Poisson bracket needs linear or affine constraints; these are nonlinear."
        )
    x, v = symbols(system.coordinates), symbols(system.velocities)
    z = allowed.speeds
    on_shell = dict(zip(v, allowed.velocity))
    (lagrangian,) = resolve(system, [system.lagrangian])
    (constrained,) = substitute([lagrangian], on_shell)
    by_speeds = gradient(constrained, z)
    p = symbols(momentum_name(str(s)) for s in z)
    speeds = _legendre(system, by_speeds, z, p)
    to_p = dict(zip(z, speeds))
    hamiltonian = dot(p, speeds) - substitute([constrained], to_p)[0]
    momenta = substitute(substitute(gradient(lagrangian, v), on_shell), to_p)
    fields, coordinate_fields = _fields(system, allowed)
    size, count = len(x), len(z)
    block = [[ZERO] * count for _ in range(count)]
    for a, b in combinations(range(count), 2):
        value = -dot(_field_bracket(system, fields, coordinate_fields, a, b), momenta)
        block[a][b], block[b][a] = value, -value
    upper = [(*[ZERO] * size, *(coordinate_fields[a][i] for a in range(count))) for i in range(size)]
    lower = [(*(-coordinate_fields[a][i] for i in range(size)), *block[a]) for a in range(count)]
    drift = _drift(system, allowed, fields, coordinate_fields, momenta, to_p, on_shell)
    return AlmostPoisson(x, p, hamiltonian, (*upper, *lower), drift, z, speeds, by_speeds)


def _legendre(system: System, by_speeds: tuple[Expr, ...], z: tuple[Any, ...], p: tuple[Any, ...]) -> tuple[Expr, ...]:
    metric = jacobian(by_speeds, z)
    inner = set(z)
    if any(e.free_symbols & inner for row in metric for e in row):
        metric = tuple(tuple(expand(e) for e in row) for row in metric)
        if any(e.free_symbols & inner for row in metric for e in row):
            raise ModelError(f"{system.name}: the Hamiltonian form needs a Lagrangian quadratic in the velocities.")
    offset = substitute(by_speeds, dict.fromkeys(z, ZERO))
    try:
        solution = solve(metric, [[s - o] for s, o in zip(p, offset)], samples_of(system))
    except DependentRows:
        message = f"{system.name}: the Lagrangian has no kinetic energy in some admissible direction."
        raise ModelError(message, key=("lagrangian",)) from None
    return tuple(row[0] for row in solution)


def _fields(system: System, allowed: Admissible) -> tuple[list[tuple[Expr, ...]], list[tuple[Expr, ...]]]:
    """``X_α`` in the frame and on the coordinates; last the affine field ``X_0`` (zero for linear constraints)."""
    rest = substitute(allowed.velocity, dict.fromkeys(allowed.speeds, ZERO))
    fields = [*transpose(allowed.basis), rest]
    return fields, [tuple(dot(row, field) for row in system.frame.anchor) for field in fields]


def _field_bracket(system: System, fields: Any, coordinate_fields: Any, a: int, b: int) -> tuple[Expr, ...]:
    """``[X_a, X_b]`` in the frame: ``W_a^i W_b^j c_ij^m + X_a[W_b^m] − X_b[W_a^m]``; the affine field also moves t."""
    x = symbols(system.coordinates)
    affine = len(fields) - 1

    def motion(k: int) -> dict[Any, Expr]:
        return {**dict(zip(x, coordinate_fields[k])), **({TIME: ONE} if k == affine else {})}

    total = [f - g for f, g in zip(along(fields[b], motion(a)), along(fields[a], motion(b)))]
    for (i, j, m), c in structure_functions(system.frame).items():
        total[m] += c * (fields[a][i] * fields[b][j] - fields[a][j] * fields[b][i])
    return tuple(total)


def _drift(
    system: System, allowed: Admissible, fields: Any, coordinate_fields: Any, momenta: Any, to_p: Any, on_shell: Any
) -> tuple[Expr, ...]:
    forces = substitute(substitute(force_covector(system), on_shell), to_p)
    affine = len(fields) - 1
    pushed = []
    moving = any(e != 0 for e in fields[affine]) or any(TIME in e.free_symbols for f in fields for e in f)
    for a in range(affine):
        value = dot(fields[a], forces)
        if moving:
            value += dot(_field_bracket(system, fields, coordinate_fields, affine, a), momenta)
        pushed.append(value)
    return (*coordinate_fields[affine], *pushed)


@form(
    "hamilton",
    title="Hamilton’s equations",
    about="In momenta of the constrained system, with an almost Poisson bracket: Jacobi’s identity fails where the "
    "constraints are nonholonomic.",
    place=5,
    chosen_speeds=True,
    shortening=0.5,
)
def hamilton(system: System, at: Mapping[str, float] | None = None) -> Equations:
    """Motion in ``(x, p̃)``: ``(ẋ, p̃̇) = J_M ∇H_M + forces``; for ``ds + A dr`` this is Theorem 5 of Notices 2005.

    Nonlinear constraints are not of this form: for them the state is ``(x, p)`` with all momenta, and the reaction
    ``λ ∂φ/∂v`` is solved together with ``ṗ``.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> print(*nh.hamilton(sleigh.system).state)
    theta x y p_omega p_v
    """
    allowed = admissible(system, at)
    if not allowed.explicit:
        return _with_multipliers(system, allowed)
    poisson = almost_poisson(system, at)
    variables = (*poisson.coordinates, *poisson.momenta)
    slope = gradient(poisson.hamiltonian, variables)
    motion = [dot(row, slope) + d for row, d in zip(poisson.matrix, poisson.drift)]
    size, count = len(poisson.coordinates), len(poisson.momenta)
    to_p = dict(zip(poisson.speeds, poisson.speeds_by_momenta))
    velocity = dict(zip(symbols(system.velocities), substitute(allowed.velocity, to_p)))
    invariants = {f"relation {i + 1}": e for i, e in enumerate(system.frame.relations)}
    invariants |= {f"holonomic constraint {i + 1}": e for i, e in enumerate(system.holonomic)}
    outputs = named_velocities(system, velocity)
    outputs |= {str(s): e for s, e in to_p.items()}
    return Equations(
        name=system.name,
        origin="hamilton",
        coordinates=poisson.coordinates,
        speeds=poisson.momenta,
        kinematics=tuple(motion[:size]),
        mass=identity(count),
        force=tuple(motion[size:]),
        energy=_true_energy(system, velocity) if any(d != 0 for d in poisson.drift) else poisson.hamiltonian,
        time=TIME,
        parameters=symbols(system.parameters),
        inputs=symbols(system.inputs),
        outputs=FrozenMap(outputs),
        invariants=FrozenMap(invariants),
    )


def _true_energy(system: System, velocity: Mapping[Any, Expr]) -> Expr:
    """``p_j v^j − l``; it differs from ``H_M`` when the constraints are affine."""
    v = symbols(system.velocities)
    (lagrangian,) = resolve(system, [system.lagrangian])
    return substitute([dot(gradient(lagrangian, v), v) - lagrangian], velocity)[0]


def _with_multipliers(system: System, allowed: Admissible) -> Equations:
    """``ṗ_j = c_ij^a p_a v^i − u_j[H] + Q_j + λ_a ∂φ^a/∂v^j`` on the whole phase space, subject to ``φ = 0``."""
    x, v = symbols(system.coordinates), symbols(system.velocities)
    (lagrangian,) = resolve(system, [system.lagrangian])
    by_velocity = gradient(lagrangian, v)
    p = symbols(momentum_name(n) for n in system.velocities)
    velocity = _legendre(system, by_velocity, v, p)
    to_p = dict(zip(v, velocity))
    hamiltonian = dot(p, velocity) - substitute([lagrangian], to_p)[0]
    slope = gradient(hamiltonian, x)
    columns = transpose(system.frame.anchor)
    push = [-dot(column, slope) for column in columns]
    for (i, j, a), c in structure_functions(system.frame).items():
        push[j] += c * p[a] * velocity[i]
        push[i] -= c * p[a] * velocity[j]
    push = [f + q for f, q in zip(push, substitute(force_covector(system), to_p))]
    slopes = tuple(substitute(row, to_p) for row in allowed.rows.slopes)
    residuals = substitute(allowed.rows.residuals, to_p)
    rates = substitute(system.frame.rates, to_p)
    carry = along(residuals, {**dict(zip(x, rates)), TIME: ONE})
    reach = jacobian(residuals, p)
    count = len(slopes)
    mass = tuple(
        (*(ONE if i == j else ZERO for j in range(len(p))), *(-slopes[a][i] for a in range(count)))
        for i in range(len(p))
    )
    mass += tuple((*row, *[ZERO] * count) for row in reach)
    from nonholo.model.declared_words import multiplier_names

    return Equations(
        name=system.name,
        origin="hamilton",
        coordinates=x,
        speeds=p,
        unknowns=symbols(multiplier_names(system, count)),
        kinematics=rates,
        mass=mass,
        force=(*push, *(-c for c in carry)),
        energy=hamiltonian,
        time=TIME,
        parameters=symbols(system.parameters),
        inputs=symbols(system.inputs),
        symmetric=False,
        outputs=FrozenMap(named_velocities(system, to_p)),
        invariants=FrozenMap(dict(zip(allowed.rows.labels, residuals))),
    )


def bracket(system: System, first: Any, second: Any) -> Expr:
    """``{F, G}_M = ∇Fᵀ J_M ∇G`` of two functions of the coordinates and the momenta ``p_…`` [Notices 2005].

    >>> from nonholo.model.system import System
    >>> free = System(coordinates="x", parameters="m", lagrangian="m/2*xdot**2")
    >>> bracket(free, "x", "p_x")
    1
    """
    return bracket_in(almost_poisson(system), first, second, (*system.parameters, "t"), f"{system.name}: bracket")


def bracket_in(poisson: AlmostPoisson, first: Any, second: Any, names: Sequence[str], where: str) -> Expr:
    """``∇Fᵀ J ∇G`` of two functions of the variables of an almost-Poisson structure."""
    variables = (*poisson.coordinates, *poisson.momenta)
    known = (*map(str, variables), *names)
    one, two = (gradient(expression(e, known, where), variables) for e in (first, second))
    return dot(one, [dot(row, two) for row in poisson.matrix])


def jacobiator(system: System) -> Finding:
    """Whether the bracket satisfies Jacobi's identity; it does exactly when the constraints are holonomic.

    ``value`` is the largest ``{{f, g}, h} + cyclic`` over all triples of variables at generic points.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> print(nh.forms.jacobiator(sleigh.system).verdict)
    fails
    """
    return jacobi_identity(almost_poisson(system), samples_of(system, count=3))


def jacobi_identity(poisson: AlmostPoisson, places: Sequence[Mapping[str, float]]) -> Finding:
    """Whether ``{{f, g}, h} + cyclic`` vanishes for all triples of variables at these places and random momenta."""
    variables = (*poisson.coordinates, *poisson.momenta)
    matrix = poisson.matrix
    size = len(variables)
    slopes = [[gradient(matrix[i][j], variables) for j in range(size)] for i in range(size)]
    terms: dict[tuple[str, str, str], Expr] = {}
    for i, j, k in combinations(range(size), 3):
        total = ZERO
        for a, b, c in ((i, j, k), (j, k, i), (k, i, j)):
            total += dot(slopes[a][b], [matrix[m][c] for m in range(size)])
        if total != 0:
            terms[(str(variables[i]), str(variables[j]), str(variables[k]))] = total
    worst, where = 0.0, ""
    for k, place in enumerate(places):
        random = np.random.default_rng(k)
        values = {**place} | dict(zip(map(str, poisson.momenta), random.uniform(-1, 1, len(poisson.momenta))))
        for triple, number in zip(terms, np.abs(evaluate(list(terms.values()), values))):
            if number > worst:
                worst, where = float(number), ", ".join(triple)
    holds = worst < 1e-9
    return Finding(
        Property("the bracket satisfies Jacobi's identity", "the bracket does not satisfy Jacobi's identity"),
        "holds" if holds else "fails",
        worst,
        "largest cyclic sum at 3 generic points" + ("" if holds else f", for ({where})"),
        method="{{f, g}, h} + cyclic",
    )
