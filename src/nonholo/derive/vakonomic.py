"""Equations of the variational (vakonomic) problem, for comparison with d'Alembert's principle."""

from __future__ import annotations

from collections.abc import Mapping

from nonholo.algebra.calculus import ONE, ZERO, gradient, jacobian, symbols
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import dot
from nonholo.derive.chart_coordinates import in_chart
from nonholo.derive.equations import Equations
from nonholo.derive.forms import form
from nonholo.derive.multipliers import chart_outputs
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import rate
from nonholo.model.system import TIME, System, force_covector, resolve
from nonholo.model.velocities.admissible import constraint_rows


@form(
    "vakonomic",
    title="Vakonomic equations",
    about="Constraints imposed before the variation: a variational problem, not the motion of a mechanical system.",
    place=9,
    dalembert=False,
    everywhere=True,
)
def vakonomic(system: System, at: Mapping[str, float] | None = None) -> Equations:
    """Extremals of ``∫ (L + μ_a φ^a) dt``, with the multipliers ``μ`` as state [Notices 2005, introduction].

    ``[[G + μ φ_vv, φ_vᵀ], [φ_v, 0]] (q̈, μ̇) = (∂(L + μφ)/∂q − …, −φ_q q̇)``. These are *not* the equations of
    mechanics with ideal constraints (Lagrange–d'Alembert): they agree only for holonomic constraints and special starts.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> print(*nh.forms.vakonomic(sleigh.system).state)
    theta x y thetadot xdot ydot mu1
    """
    plain = in_chart(system)
    if plain.parametric is not None:
        raise ModelError(
            f"{system.name}: vakonomic motion needs constraints as residuals; rewrite parametric as constraints=[…]."
        )
    q, v = symbols(plain.coordinates), symbols(rate(c) for c in plain.coordinates)
    rows = constraint_rows(plain)
    mu = symbols(f"mu{a + 1}" for a in range(len(rows.residuals)))
    (lagrangian,) = resolve(plain, [plain.lagrangian])
    total = lagrangian + dot(mu, rows.residuals)
    momenta = gradient(total, v)
    metric = jacobian(momenta, v)
    cross = jacobian(momenta, (*q, TIME))
    applied = force_covector(plain)
    push = tuple(s + a - dot(c, (*v, ONE)) for s, a, c in zip(gradient(total, q), applied, cross))
    carry = tuple(dot(row, (*v, ONE)) for row in jacobian(rows.residuals, (*q, TIME)))
    count = len(mu)
    mass = tuple((*row, *(rows.slopes[a][i] for a in range(count))) for i, row in enumerate(metric))
    mass += tuple((*row, *[ZERO] * count) for row in rows.slopes)
    energy = dot(gradient(lagrangian, v), v) - lagrangian
    return Equations(
        name=system.name,
        origin="vakonomic",
        coordinates=q,
        speeds=(*v, *mu),
        kinematics=v,
        mass=mass,
        force=(*push, *(-c for c in carry)),
        energy=energy,
        time=TIME,
        parameters=symbols(plain.parameters),
        inputs=symbols(plain.inputs),
        symmetric=count == 0,
        outputs=FrozenMap(chart_outputs(system, plain, {})),
        invariants=FrozenMap(dict(zip(rows.labels, rows.residuals))),
    )
