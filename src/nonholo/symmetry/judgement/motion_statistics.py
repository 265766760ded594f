"""Statistics of one motion: the dimension that its states fill, the torus that it winds round, the mean divergence along it.

The volume ``sqrt(det M) dx dz`` of the metric does not depend on the choice of the speeds, and its divergence

    div = u_j[V^j] + V^j div u_j + tr(M⁻¹ ∂F/∂z) + ½ tr(M⁻¹ Ṁ)

is regular where a choice of speeds degenerates. Along a motion that comes back its mean is the sum of the Lyapunov exponents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import along, gradient, larger_than
from nonholo.algebra.linear_equations import evaluate_all
from nonholo.derive.angle_coordinates import angle_coordinates
from nonholo.errors import NonholoError
from nonholo.finding import Finding, WindingTorus
from nonholo.integrate.motion.simulate import simulate
from nonholo.model.system import TIME, System
from nonholo.symmetry.exact.modular_states import Motion
from nonholo.symmetry.vector_fields import divergence

if TYPE_CHECKING:
    from nonholo.integrate.motion.trajectory import Trajectory


POINTS = 1500
STEPS = 50_000
"""The most steps of the long motion; one that needs more is near a singularity."""
STILL = 1e-6
"""What changes by less of its size along the long motion, whose tolerance is 1e-8, stands still."""
NEAR = 25
"""States closer in time than so many samples are not compared: they are neighbours on the same curve."""

PROBES, NEIGHBOURS = 200, 12
"""At so many states the tangent space is taken from so many neighbours."""


def correlation_dimension(states: NDArray[np.float64]) -> tuple[float, float]:
    """The slope of ``ln C(r)`` against ``ln r``, and how far the slopes of smaller and larger ``r`` are apart.

    ``C(r)`` is the share of pairs of states closer than ``r`` [Grassberger and Procaccia 1983].

    >>> t = np.linspace(0, 900, 1500)
    >>> torus = np.stack([np.cos(t), np.sin(t), np.cos(2**0.5 * t), np.sin(2**0.5 * t)], axis=1)
    >>> round(correlation_dimension(torus)[0])
    2
    """
    spread = np.std(states, axis=0)
    kept = states[:, spread > 1e-7 * (1e-300 + np.max(spread))]
    scaled = (kept - np.mean(kept, axis=0)) / np.std(kept, axis=0)
    count = len(scaled)
    first, second = np.triu_indices(count, NEAR)
    distance = np.sqrt(np.sum((scaled[first] - scaled[second]) ** 2, axis=1))
    distance = np.sort(distance[distance > 0])
    low, high = distance[max(60, len(distance) // 4000)], distance[len(distance) // 30]
    radii = np.exp(np.linspace(np.log(low), np.log(high), 16))
    share = np.log(np.searchsorted(distance, radii) / len(distance))
    size = np.log(radii)
    whole = float(np.polyfit(size, share, 1)[0])
    ends = [float(np.polyfit(size[part], share[part], 1)[0]) for part in (slice(0, 8), slice(8, 16))]
    return whole, abs(ends[0] - ends[1])


def beyond(states: NDArray[np.float64], dimension: int) -> float:
    """The share of the spread of near states that no plane of this dimension holds: near 0 on such a surface, else larger.

    The differences from a state to its nearest neighbours that are not near in time span the tangent space; the median over
    states of ``Σ_{i>k} s_i² / Σ s_i²`` with their singular values s. In m dimensions filled evenly it is ``(m − k)/m``.

    >>> t = np.linspace(0, 900, 1500)
    >>> torus = np.stack([np.cos(t), np.sin(t), np.cos(2**0.5 * t), np.sin(2**0.5 * t)], axis=1)
    >>> beyond(torus, 1) > 0.25, beyond(torus, 2) < 0.02, beyond(torus[:, :2], 1) < 0.02
    (True, True, True)
    """
    spread = np.std(states, axis=0)
    kept = states[:, spread > 1e-7 * (1e-300 + np.max(spread))]
    scaled = (kept - np.mean(kept, axis=0)) / np.std(kept, axis=0)
    shares = []
    for i in range(0, len(scaled), max(1, len(scaled) // PROBES)):
        far = np.sum((scaled - scaled[i]) ** 2, axis=1)
        far[max(0, i - NEAR) : i + NEAR + 1] = np.inf
        near = scaled[np.argsort(far, kind="stable")[:NEIGHBOURS]] - scaled[i]
        sizes = np.linalg.svd(near, compute_uv=False) ** 2
        shares.append(float(np.sum(sizes[dimension:]) / max(float(np.sum(sizes)), 1e-300)))
    return float(np.median(shares))


@dataclass(frozen=True)
class Filled:
    """The dimension that a long motion fills, with its spread; or why it could not be measured."""

    words: str
    dimension: float | None = None
    spread: float = 0.0
    run: Trajectory | None = None
    states: NDArray[np.float64] | None = None
    """States of a recurrent motion, angles as cosine and sine."""


def filled(
    system: Any, start: Any, parameters: Any, names: Sequence[str], angles: Sequence[str], longer: int = 1
) -> Filled:
    """The dimension that a long motion fills in these quantities; its states alone where it is to be so many times longer."""
    count = longer * POINTS
    try:
        short = simulate(system, start, 1.0, parameters, t_eval=5, progress=False, max_steps=STEPS)
        pace = max(float(np.ptp(np.asarray(short[n]))) for n in names)
        if not pace > 1e-9:
            return Filled("the motion stands still")
        until = longer * float(min(600.0, max(60.0, 120.0 / pace)))
        # multipliers never change their speeds on the way, which costs a compilation each time
        form = "multipliers" if system.frame.plain else "hamel"
        run = simulate(
            system, start, until, parameters, t_eval=count, rtol=1e-8, atol=1e-10, progress=False, form=form,
            max_steps=longer * STEPS,
        )  # fmt: skip
    except NonholoError as problem:
        return Filled(str(problem))
    if len(run.times) < count or not run.outcome.reached:
        return Filled("a long motion could not be computed")
    columns = []
    for n in names:
        values = np.asarray(run[n], dtype=float)
        columns += [np.cos(values), np.sin(values)] if n in angles else [values]
    states = np.stack(columns, axis=1)[count // 10 :]
    if not np.max(np.ptp(states, axis=0)) > STILL * np.max(np.abs(states)):
        return Filled("the motion stands still", run=run)
    half = len(states) // 2
    reach = np.ptp(states[:half], axis=0)
    if np.any(np.ptp(states, axis=0) > 1.6 * reach + 1e-6 * np.max(np.abs(states))):
        return Filled(f"the motion does not return within {until:.3g} s", run=run)
    if longer > 1:
        return Filled(f"a motion of {until:.3g} s", None, 0.0, run, states)
    return Filled(f"correlation dimension of a motion of {until:.3g} s", *correlation_dimension(states), run, states)


UNTIL, SAMPLES = 600.0, 6000
TURNS = 3.0
"""An angle that makes fewer turns than this in the time of the motion is not said to turn."""


def mean_rate(times: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    """The mean rate with a smooth window, which converges faster than any power for quasi-periodic rates [Das et al. 2017].

    >>> t = np.linspace(0, 300, 3000)
    >>> round(mean_rate(t, 2**0.5 * t + np.sin(t) + np.cos(1.7 * t)), 9)
    1.414213562
    """
    middle = (np.arange(len(times) - 1) + 0.5) / (len(times) - 1)
    weights = np.exp(-1 / (middle * (1 - middle)))
    return float(weights @ (np.diff(values) / np.diff(times)) / np.sum(weights))


def winding_torus(
    system: System, start: Mapping[str, float], parameters: Mapping[str, float], dimension: int
) -> Finding | None:
    """The torus of so many dimensions that a motion winds round, with its frequencies; None where that is not seen.

    So many angles must turn, and the other coordinates come back.
    """
    form = "multipliers" if system.frame.plain else "hamel"
    try:
        run = simulate(
            system, start, UNTIL, parameters, t_eval=SAMPLES, rtol=1e-9, atol=1e-11, progress=False, form=form, max_steps=STEPS
        )
    except NonholoError:
        return None
    if len(run.times) < SAMPLES or not run.outcome.reached:
        return None
    angles = angle_coordinates(system)
    times = np.asarray(run.times, dtype=float)
    rates: dict[str, float] = {}
    for name in system.coordinates:
        values = np.asarray(run[name], dtype=float)
        if name in angles and np.ptp(values) > 2 * np.pi * TURNS:
            rates[name] = mean_rate(times, values)
        elif np.ptp(values) > 1.2 * np.ptp(values[: SAMPLES // 2]) + 1e-9:
            return None
    if len(rates) != dimension:
        return None
    data = WindingTorus(dimension, tuple((n, abs(w)) for n, w in rates.items()))
    return Finding(data, "holds", None, f"mean rates of the angles along a motion of {UNTIL:g} s")


STATES = 600
"""So many states of a motion are looked at."""
LONGEST = 4000
"""Longer equations are left alone."""
LASTING = 4
"""So many times longer is the motion on which a rate is tried again."""
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


def lasts(motion: Motion, rate: float, longer: Any, parameters: Mapping[str, float]) -> bool:
    """Whether volumes shrink at this rate along a longer motion too; a mean that another time changes is no attraction."""
    found = None if longer is None else shrinking(motion, longer, parameters)
    return found is not None and abs(found - rate) < rate / 2


def divergence_along(motion: Motion, run: Any, parameters: Mapping[str, float]) -> NDArray[np.float64] | None:
    """The divergence at states of a motion, evenly spread in time; None where the equations are long or not of this kind."""
    equations, allowed = motion.equations, motion.allowed
    x, z = list(equations.coordinates), list(equations.speeds)
    mass = [e for row in equations.mass for e in row]
    if not allowed.explicit or larger_than([*mass, *equations.force], LONGEST) or any(e.free_symbols & set(z) for e in mass):
        return None
    slopes = [e for f in equations.force for e in gradient(f, z)]
    moved = along(mass, dict(zip(x, equations.kinematics)))  # not in time: volumes of states, whatever the mass
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
