"""Steps for constraints ``φ(x, v) = 0`` that are not linear in the velocities, by Chetaev's rule: reactions along ``A = ∂φ/∂v``.

All velocities ``v`` of the frame are at the nodes, with their momenta ``p = ∂l/∂v`` and the forces ``f`` that change them:
``ṗ = f + Aᵀλ``.
"""

from __future__ import annotations

import numpy as np

from nonholo.compile.schemes.discrete_gradient import prepared, share
from nonholo.compile.schemes.scheme import Step, Writer, scheme, stacked
from nonholo.derive.mass_and_force import covectors_of
from nonholo.errors import ModelError


@scheme("hamel chetaev", covectors="chetaev")
def hamel(w: Writer) -> Step:
    """The discrete Hamel equations with virtual displacements that ``A(x_τ, ξ)`` annihilates.

        x' − x = h ψ(x_τ) ξ,    p(x_τ, ξ) − p(x, v) − (1 − τ) h f(x_τ, ξ) = A(x_τ, ξ)ᵀ λ,    φ(x_τ, ξ) = 0,
                                p(x', v') − p(x, v) − h f(x_τ, ξ)         = A(x_τ, ξ)ᵀ λ',   φ(x', v') = 0.

    Where the admissible velocities are given by parameters, ``v = V(x, z)``, the same with a basis ``∂V/∂z`` in place of
    reactions.
    """
    given = covectors_of(w.equations)
    n, count = len(w.z), 0 if given.basis else len(w.equations.mass) - len(w.z)
    move, xi, gain = w.unknown(len(w.x)), w.unknown(n), w.unknown(n)
    push, other = w.unknown(count), w.unknown(count)
    node, end = w.at(w.x, w.z, 0), w.at(w.x + move, w.z + gain, 2)
    within = w.at(w.x + w.tau * move, xi, 1)
    before = within.momenta - node.momenta - (1.0 - w.tau) * w.h * within.forces
    whole = end.momenta - node.momenta - w.h * within.forces
    if given.basis:
        before, whole = before @ within.basis, whole @ within.basis
    else:
        slopes = within.mass[n:, :n]
        before, whole = stacked(before - push @ slopes, within.residuals), stacked(whole - other @ slopes, end.residuals)
    return Step(
        stacked(w.h * w.x_rate, w.z + w.tau * w.h * w.z_rate, w.h * w.z_rate, 0.0 * push, 0.0 * other),
        stacked(move - w.h * within.kinematics, before, whole),
        stacked(move, gain),
    )


@scheme("energy_exact chetaev", covectors="chetaev", times=(0.0, 0.5, 1.0), memory=lambda equations: 1)
def energy_exact(w: Writer) -> Step:
    """The step of `nonholo.compile.schemes.discrete_gradient` in all velocities of the frame, with reactions.

        G(x')v' − G(x)v = h (ψ(x̄)ᵀD̄ + Γ(x̄, v̄)) + Āᵀλ,    φ(x', v') = 0,
        Ā = A(x̄, v̄) + (½(A v + A' v') − A(x̄, v̄) v̄) (G v̄)ᵀ/(v̄ᵀG v̄).

    The reaction's work in a step is ``λ Ā v̄ = ½ λ (A v + A' v')``. For constraints that are homogeneous in the velocities
    ``A v = k φ`` is zero at every node, so that no work is done and the energy is kept; for others it is what reactions do
    [Benenti 2008, Theorem 3, holds for homogeneous ones alone].
    """
    given = w.equations.covectors
    if given is None or given.basis:
        raise ModelError(
            f"{w.equations.name}: method energy_exact needs constraints that are not linear as residuals, and here are "
            'parametric velocities; write them as constraints, or choose method="hamel".'
        )
    parts = prepared(w)
    n, count = len(w.z), len(w.equations.mass) - len(w.z)
    move, gain, force = w.unknown(len(w.x)), w.unknown(n), w.unknown(count)
    node, end = w.at(w.x, w.z, 0), w.at(w.x + move, w.z + gain, 2)
    mean, new = w.z + 0.5 * gain, w.z + gain
    middle = w.at(w.x + 0.5 * move, mean, 1)
    turning, slope = parts.gyration(middle, mean), parts.mean_slopes(w, move, new)
    along_mean = middle.mass[:n, :n] @ mean
    power = 0.5 * (node.mass[n:, :n] @ w.z + end.mass[n:, :n] @ new)
    gap = (power - middle.mass[n:, :n] @ mean) / (mean @ along_mean)
    reaction = force @ middle.mass[n:, :n] + (force @ gap) * along_mean
    balance = end.mass[:n, :n] @ new - node.mass[:n, :n] @ w.z - w.h * (turning + slope @ parts.columns(middle)) - reaction
    if parts.steady:
        balance = balance - share(w, node, mean, along_mean) * along_mean
    return Step(
        stacked(w.h * w.x_rate, w.h * w.z_rate, 0.0 * force),
        stacked(move - w.h * middle.kinematics, balance, end.residuals),
        stacked(move, gain),
        np.array([w.memory[0] + w.h * (mean @ turning) + force @ power], dtype=object),
        node.of("energy"),
    )
