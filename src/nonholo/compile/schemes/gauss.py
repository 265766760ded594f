"""Gauss–Legendre methods on the equations of motion in the adapted frame.

    k_i = f(y + h Σ_j a_ij k_j),    y' = y + h Σ_i b_i k_i,

with ``f`` in the form ``ẋ = kinematics``, ``M ż = F``: the unknowns are the ``k_i``, and M is not inverted. Symmetric; what
is quadratic in the
state is kept. [Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3, IV.2.1]
"""

from __future__ import annotations

from math import sqrt

from nonholo.compile.schemes.scheme import Step, Writer, scheme, stacked

ROOT = sqrt(3.0) / 6.0


def gauss(w: Writer, table: tuple[tuple[float, ...], ...], weights: tuple[float, ...]) -> Step:
    """A step by a table of coefficients."""
    n, m = len(w.x), len(w.z)
    rates = [(w.unknown(n), w.unknown(m)) for _ in weights]
    residuals = []
    for i, row in enumerate(table):
        x, z = w.x, w.z
        for factor, (fast, bend) in zip(row, rates):
            x, z = x + w.h * factor * fast, z + w.h * factor * bend
        point = w.at(x, z, i)
        fast, bend = rates[i]
        residuals += [fast - point.kinematics, point.mass @ bend - point.force]
    change = stacked(*(sum(b * rate[k] for b, rate in zip(weights, rates)) for k in (0, 1)))
    return Step(stacked(*[w.x_rate, w.z_rate] * len(weights)), stacked(*residuals), w.h * change)


@scheme("gauss2", times=(0.5,), quadratic=True)
def midpoint(w: Writer) -> Step:
    """One node: the implicit midpoint rule."""
    return gauss(w, ((0.5,),), (1.0,))


@scheme("gauss4", times=(0.5 - ROOT, 0.5 + ROOT), quadratic=True)
def two_nodes(w: Writer) -> Step:
    """Two nodes, order 4."""
    return gauss(w, ((0.25, 0.25 - ROOT), (0.25 + ROOT, 0.25)), (0.5, 0.5))


@scheme("midpoint_projected", covectors="rattle", times=(0.5, 1.0))
def projected(w: Writer) -> Step:
    """The implicit midpoint rule with multipliers, and a projection of the new velocity on the constraints.

        q' = q + h v̄,    ṽ = v + h a,    [M a − Aᵀλ, A a + Ȧ v̄] = [F, 0] at (q̄, v̄),    q̄ = (q + q')/2,  v̄ = (v + ṽ)/2,
        v' = ṽ + M⁻¹(q') Aᵀ(q') μ,    A(q') v' = 0.

    Unknown are a, λ, the change of v and μ. [IV.4: the standard projection, in the metric of the kinetic energy]
    """
    n, rows = len(w.x), len(w.equations.mass) - len(w.x)
    bend, force, gain, impulse = w.unknown(n), w.unknown(rows), w.unknown(n), w.unknown(rows)
    move = w.h * (w.z + 0.5 * w.h * bend)
    middle = w.at(w.x + 0.5 * move, w.z + 0.5 * w.h * bend, 0)
    end = w.at(w.x + move, w.z + gain, 1)
    kick = end.mass[:n, :n] @ (gain - w.h * bend)
    return Step(
        stacked(w.z_rate, 0.0 * force, w.h * w.z_rate, 0.0 * impulse),
        stacked(
            middle.mass @ stacked(bend, force) - middle.force,
            kick - impulse @ end.mass[n:, :n] if rows else kick,
            end.residuals,
        ),
        stacked(move, gain),
    )
