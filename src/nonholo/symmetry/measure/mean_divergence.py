"""The mean divergence along a motion, as numbers: the rate at which volumes of neighbouring states grow or shrink.

The volume ``sqrt(det M) dx dz`` of the metric does not depend on the choice of the speeds, and its divergence

    div = u_j[V^j] + V^j div u_j + tr(M⁻¹ ∂F/∂z) + ½ tr(M⁻¹ Ṁ)

is regular where a choice of speeds degenerates. Along a motion that comes back its mean is the sum of the Lyapunov exponents.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import ONE, along, gradient, larger_than
from nonholo.algebra.linear_equations import evaluate_all
from nonholo.errors import NonholoError
from nonholo.model.system import TIME
from nonholo.symmetry.exact.modular_states import Motion
from nonholo.symmetry.vector_fields import divergence

STATES = 600
"""So many states of a motion are looked at."""
LONGEST = 4000
"""Longer equations are left alone."""
SHRUNK = 3.0
"""A volume that shrinks by a factor exp(−3) in the time of a motion shrinks."""


def shrinking(motion: Motion, run: Any, parameters: Mapping[str, float]) -> float | None:
    """The rate at which volumes shrink along the second half of a motion; None where they do not, or where it is not known.

    >>> from nonholo.integrate.motion.simulate import simulate
    >>> from nonholo.model.system import System
    >>> from nonholo.symmetry.exact.modular_states import motion_of
    >>> damped = System(coordinates="x", lagrangian="xdot**2/2 - x**2/2", forces={"x": "(1 - x**2)*xdot"})
    >>> rate = shrinking(motion_of(damped), simulate(damped, {"x": 0.5, "xdot": 0}, 40, t_eval=400), {})
    >>> round(rate, 1)
    1.1
    """
    try:
        values = divergence_along(motion, run, parameters)
    except (KeyError, NonholoError):
        return None
    if values is None or not np.all(np.isfinite(values)):
        return None
    late = values[len(values) // 2 :]
    halves = [float(np.mean(part)) for part in np.array_split(late, 2)]
    mean, error = sum(halves) / 2, abs(halves[1] - halves[0])
    span = (run.times[-1] - run.times[0]) / 2
    return -mean if mean * span < -SHRUNK and -mean > 2 * error else None


def divergence_along(motion: Motion, run: Any, parameters: Mapping[str, float]) -> NDArray[np.float64] | None:
    """The divergence at states of a motion, evenly spread in time; None where the equations are long or not of this kind."""
    equations, allowed = motion.equations, motion.allowed
    x, z = list(equations.coordinates), list(equations.speeds)
    mass = [e for row in equations.mass for e in row]
    if not allowed.explicit or larger_than([*mass, *equations.force], LONGEST) or any(e.free_symbols & set(z) for e in mass):
        return None
    slopes = [e for f in equations.force for e in gradient(f, z)]
    moved = along(mass, {**dict(zip(x, equations.kinematics)), TIME: ONE})
    flat = [motion.restored(e) for e in (divergence(motion.system.frame, allowed.velocity), *mass, *slopes, *moved)]
    names = sorted({str(s) for e in flat for s in e.free_symbols} - set(parameters))
    chosen = np.unique(np.linspace(0, len(run.times) - 1, STATES).astype(int))
    columns = {n: np.asarray(run.times if n == str(TIME) else run[n], dtype=float)[chosen] for n in names}
    places = [{**parameters, **{n: float(c[k]) for n, c in columns.items()}} for k in range(len(chosen))]
    numbers = evaluate_all(flat, places)
    m = len(z)
    tables = numbers[:, 1:].reshape(len(chosen), 3, m, m)
    inverse = np.linalg.inv(tables[:, 0])
    return np.asarray(numbers[:, 0] + np.einsum("kij,kji->k", inverse, tables[:, 1] + tables[:, 2] / 2))
