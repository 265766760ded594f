"""The implicit midpoint rule on the equations with multipliers, and a projection of the new velocity on the constraints.

    q' = q + h v̄,    ṽ = v + h a,    [M a − Aᵀλ, A a + Ȧ v̄] = [F, 0] at (q̄, v̄),    q̄ = (q + q')/2,  v̄ = (v + ṽ)/2,
    v' = ṽ + M⁻¹(q') Aᵀ(q') μ,    A(q') v' = 0.

[Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.4: the standard projection, in the metric of the kinetic energy]
"""

from __future__ import annotations

from nonholo.compile.schemes.scheme import Step, Writer, joined, scheme


@scheme("midpoint_projected", covectors="rattle", times=(0.5, 1.0))
def projected(w: Writer) -> Step:
    """Unknown are a, λ, the change of v and the impulse μ."""
    n, rows = len(w.x), len(w.equations.mass) - len(w.x)
    bend, force, gain, impulse = w.unknown(n), w.unknown(rows), w.unknown(n), w.unknown(rows)
    move = w.h * (w.z + 0.5 * w.h * bend)
    middle = w.at(w.x + 0.5 * move, w.z + 0.5 * w.h * bend, 0)
    end = w.at(w.x + move, w.z + gain, 1)
    kick = end.mass[:n, :n] @ (gain - w.h * bend)
    return Step(
        joined(w.z_rate, 0.0 * force, w.h * w.z_rate, 0.0 * impulse),
        joined(
            middle.mass @ joined(bend, force) - middle.force,
            kick - impulse @ end.mass[n:, :n] if rows else kick,
            end.residuals,
        ),
        joined(move, gain),
    )
