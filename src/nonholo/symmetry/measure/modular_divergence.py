"""Divergence of the motion modulo a prime.

    div = u_j[V^j] + V^j div u_j + ∂ż^α/∂z^α

Nonlinear constraints φ given by residuals keep all velocities as speeds, and ``φ̇ = 0`` holds identically: the same sum is
then the divergence on ``φ = 0`` for the volume ``dx dv/dφ``, and so it is for holonomic constraints.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nonholo.algebra.calculus import gradient
from nonholo.algebra.prime.modular_arithmetic import Residues, solve
from nonholo.symmetry.exact.modular_states import Motion, States
from nonholo.symmetry.vector_fields import divergence


def divergence_of(motion: Motion) -> Callable[[States], Residues]:
    """The divergence at states, as residues."""
    equations = motion.equations
    on_configurations = divergence(motion.system.frame, motion.allowed.velocity)
    force_slopes = [gradient(e, equations.speeds) for e in equations.force]
    size = len(equations.speeds)
    mass_slopes = [[gradient(e, equations.speeds) for e in row] for row in equations.mass]
    bent = any(g != 0 for row in mass_slopes for e in row for g in e)

    def source(states: States) -> Residues:
        points, p = states.points, states.points.p
        count = points.count
        mass = np.stack(points.values([e for row in equations.mass for e in row]), axis=1).reshape(count, size, size)
        total = points.value(on_configurations)
        for a in range(size):
            right = np.stack(points.values([row[a] for row in force_slopes]), axis=1)
            if bent:
                for j in range(size):
                    step = states.rates[equations.speeds[j]]
                    for i in range(size):
                        right[:, i] = (right[:, i] - points.value(mass_slopes[i][j][a]) * step) % p
            column, regular = solve(mass, right, p)
            points.good &= regular
            total = (total + column[:, a]) % p
        return total

    return source
