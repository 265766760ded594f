"""Lagrange's equations with multipliers in plain coordinates: the independent witness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import (
    ONE,
    ZERO,
    along,
    energy_of,
    gradient,
    jacobian,
    lie_derivatives,
    substitute,
    symbol,
    symbols,
)
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, dot, multiply, transpose
from nonholo.derive.chart_coordinates import in_chart
from nonholo.derive.equations import Equations
from nonholo.derive.forms import form
from nonholo.derive.hamel import energy_in_frame, hamel, unconstrained
from nonholo.geometry.frames.frame import own_chart, rate
from nonholo.model.declared_words import Parametric, multiplier_names
from nonholo.model.system import TIME, System, force_covector, resolve, velocity_table
from nonholo.model.system_structure import structure
from nonholo.model.velocities.admissible import constraint_rows, named_velocities

Lagrange: TypeAlias = tuple[Matrix, tuple[Expr, ...], Expr]
_LAGRANGE: Cache[Lagrange] = Cache(32)


@form(
    "multipliers",
    title="Lagrange’s equations with multipliers",
    about="In plain coordinates; each constraint brings its reaction λ. The other forms are tested against this one.",
    place=2,
    witness=True,
    everywhere=True,
)
def multipliers(system: System, at: Mapping[str, float] | None = None) -> Equations:
    """Lagrange–d'Alembert with multipliers ``λ``: ``[[G, −Aᵀ], [A, 0]] (q̈, λ) = (f, −Ȧ q̇)``, ``A = ∂φ/∂q̇``.

    Works in plain coordinates; where the frame has group factors, in its chart (Euler angles, …), so that neither
    anchor nor brackets are shared with `hamel`. Nonlinear constraints are ideal in Chetaev's sense. Parametric
    velocities ``q̇ = ψ(q, z)`` are solved with their reactions ``R``, which satisfy ``R_i ∂ψ^i/∂z = 0``
    [Benenti 2008 (30)].

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> print(*nh.multipliers(sleigh.system).unknowns)
    lambda1
    """
    plain = in_chart(system)
    if plain.parametric is not None:
        return _parametric(plain, plain.parametric)
    q = symbols(plain.coordinates)
    v = symbols(rate(c) for c in plain.coordinates)
    metric, push, energy = lagrange(plain)
    rows = constraint_rows(plain)
    motion = {**dict(zip(q, v)), TIME: ONE}
    carry = along(rows.residuals, motion)
    slopes = rows.slopes
    count = len(slopes)
    mass = tuple((*row, *(-slopes[a][i] for a in range(count))) for i, row in enumerate(metric))
    mass += tuple((*row, *[ZERO] * count) for row in slopes)
    return Equations(
        name=system.name,
        origin="multipliers",
        coordinates=q,
        speeds=v,
        unknowns=symbols(multiplier_names(plain, count)),
        kinematics=v,
        mass=mass,
        force=(*push, *(-c for c in carry)),
        energy=energy,
        time=TIME,
        parameters=symbols(plain.parameters),
        inputs=symbols(plain.inputs),
        symmetric=count == 0,
        outputs=FrozenMap(chart_outputs(system, plain, {})),
        invariants=FrozenMap(
            {f"holonomic constraint {i + 1}": e for i, e in enumerate(plain.holonomic)}
            | dict(zip(rows.labels, rows.residuals))
        ),
    )


def lagrange(system: System) -> Lagrange:
    """``G``, ``f`` and the energy with ``G q̈ = f + reactions``: ``f = ∂L/∂q − (∂²L/∂q̇∂q) q̇ − ∂²L/∂q̇∂t + Q``."""
    return _LAGRANGE.get(structure(system), lambda: _lagrange(system))


def _lagrange(system: System) -> Lagrange:
    q = symbols(system.coordinates)
    v = symbols(rate(c) for c in system.coordinates)
    (lagrangian,) = resolve(system, [system.lagrangian], f"{system.name}: lagrangian")
    momenta = gradient(lagrangian, v)
    slopes = jacobian(momenta, v)
    every = range(len(v))
    metric = tuple(tuple(slopes[min(i, j)][max(i, j)] for j in every) for i in every)  # equal entries are one object
    carried = lie_derivatives(momenta, {**dict(zip(q, v)), TIME: ONE})
    applied = force_covector(system)
    slope = gradient(lagrangian, q)
    push = tuple(s + a - c for s, a, c in zip(slope, applied, carried))
    return metric, push, energy_of(lagrangian, v)


def _parametric(system: System, parametric: Parametric) -> Equations:
    names, table = parametric
    q, z = symbols(system.coordinates), symbols(names)
    v = symbols(system.velocities)
    velocity = tuple(table[n] for n in system.velocities)
    on_shell = dict(zip(v, velocity))
    metric, push, energy = lagrange(system)
    metric = tuple(substitute(row, on_shell) for row in metric)
    slope = jacobian(velocity, z)
    carry = tuple(dot(row, velocity) + t for row, t in zip(jacobian(velocity, q), gradient_in_time(velocity)))
    size = len(q)
    upper = multiply(metric, slope)
    mass = tuple((*row, *(-ONE if k == i else ZERO for k in range(size))) for i, row in enumerate(upper))
    mass += tuple((*[ZERO] * len(z), *column) for column in transpose(slope))
    pushed = substitute(push, on_shell)
    force = tuple(f - dot(row, carry) for f, row in zip(pushed, metric)) + (ZERO,) * len(z)
    return Equations(
        name=system.name,
        origin="multipliers",
        coordinates=q,
        speeds=z,
        unknowns=symbols(f"reaction_{c}" for c in system.coordinates),
        kinematics=velocity,
        mass=mass,
        force=force,
        energy=substitute([energy], on_shell)[0],
        time=TIME,
        parameters=symbols(system.parameters),
        inputs=symbols(system.inputs),
        symmetric=False,
        outputs=FrozenMap(chart_outputs(system, system, on_shell)),
    )


def gradient_in_time(exprs: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """``∂/∂t`` of each."""
    return tuple(row[0] for row in jacobian(exprs, (TIME,)))


def chart_outputs(
    system: System, plain: System, on_shell: dict[Any, Expr], speeds: tuple[Any, ...] | None = None
) -> dict[str, Expr]:
    """Every name of the system, as an expression of the chart's state."""
    result: dict[str, Expr] = {}
    if system is not plain:
        chart = own_chart(system.frame)
        result |= {c: e for c, e in zip(system.coordinates, chart.embedding) if str(e) != c}
        table = {
            **dict(zip(symbols(system.coordinates), chart.embedding)),
            **dict(zip(symbols(system.velocities), chart.velocities)),
        }
        rates = resolve(system, [symbol(rate(c)) for c in system.coordinates])
        result |= dict(zip((rate(c) for c in system.coordinates), substitute(rates, table)))
        result |= {str(s): e for s, e in velocity_table(plain).items()}
    else:
        result |= {str(s): e for s, e in velocity_table(plain).items()}
    result |= {str(s): s for s in symbols(plain.velocities)}
    own = {
        str(s)
        for s in (speeds if speeds is not None else (plain.parametric[0] if plain.parametric else plain.velocities))
    }
    names = [n for n in result if n not in own and n not in plain.coordinates]
    return dict(zip(names, substitute([result[n] for n in names], on_shell)))


def bordered(system: System) -> Equations:
    """``[[G, −Aᵀ], [A, 0]] (v̇, λ) = (f, −φ_x ẋ − φ_t)`` with ``A = ∂φ/∂v``, in the frame of the system.

    `hamel` chooses independent speeds and a long motion may need several choices; here the state is ``(x, v)`` whole, kept on
    the constraints by projection, and ``λ`` comes with the rates. Unlike `multipliers` it uses the frame and its brackets, so
    that no chart ends. Parametric velocities have no constraints to border with: for them it is `hamel`.

    >>> import nonholo as nh
    >>> equations = bordered(nh.gallery.get("rattleback").system)
    >>> print(*equations.speeds, *equations.unknowns)
    w1 w2 w3 xdot ydot lambda1 lambda2
    """
    if system.parametric is not None:
        return hamel(system)
    x, v = symbols(system.coordinates), symbols(system.velocities)
    metric, push = unconstrained(system)
    rows = constraint_rows(system)
    count = len(rows.slopes)
    carry = along(rows.residuals, {**dict(zip(x, system.frame.rates)), TIME: ONE})
    mass = tuple((*row, *(-slope[i] for slope in rows.slopes)) for i, row in enumerate(metric))
    mass += tuple((*slope, *[ZERO] * count) for slope in rows.slopes)
    own = set(system.velocities)
    invariants = {f"relation {i + 1}": e for i, e in enumerate(system.frame.relations)}
    invariants |= {f"holonomic constraint {i + 1}": e for i, e in enumerate(system.holonomic)}
    invariants |= {f"rate of {n}" if n in invariants else n: e for n, e in zip(rows.labels, rows.residuals)}
    return Equations(
        name=system.name,
        origin="bordered",
        coordinates=x,
        speeds=v,
        kinematics=tuple(system.frame.rates),
        mass=mass,
        force=(*push, *(-c for c in carry)),
        energy=energy_in_frame(system),
        time=TIME,
        unknowns=symbols(multiplier_names(system, count)),
        parameters=symbols(system.parameters),
        inputs=symbols(system.inputs),
        symmetric=False,
        outputs=FrozenMap({n: e for n, e in named_velocities(system, {}).items() if n not in own}),
        invariants=FrozenMap(invariants),
        system=system,
    )
