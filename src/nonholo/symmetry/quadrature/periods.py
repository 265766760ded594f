"""Motions of one shape variable by quadrature: periods, and the advance of the group in each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import dot, evaluate
from nonholo.errors import StateError
from nonholo.model.velocities.admissible import samples_of
from nonholo.symmetry.quadrature.reduced_potential import ReducedPotential
from nonholo.symmetry.quadrature.vertical_velocity import compiled, shape_state
from nonholo.symmetry.reduction.reduce import Reduction
from nonholo.symmetry.reduction.reduced_equations import lifted_columns
from nonholo.symmetry.reduction.reduction_record import ReductionRecord

POINTS = (32, 64, 128, 256, 512, 1024)
TOLERANCE = 1e-13
CLEAR = 0.02
"""Where ``E − Ū`` is this part of both it is their difference: no digit that matters cancels."""


@dataclass(frozen=True)
class Cycle:
    """One period of the shape: from turning point to turning point and back, or once through all shapes."""

    energy: float
    turning: tuple[float, float]
    period: float
    advance: Mapping[str, float] = field(default_factory=FrozenMap)
    """How much each angle or position of the group that moves at a rate of the shape alone goes on in one period."""
    error: float = 0.0
    """Difference of the period to that with half as many points, relative."""

    def rotation_number(self, name: str) -> float:
        """Turns of an angle in one period."""
        return self.advance[name] / (2 * np.pi)


def cycle(
    potential: ReducedPotential | Reduction,
    start: Mapping[str, Any] | float,
    *,
    near: float | None = None,
    low: float | None = None,
    high: float | None = None,
) -> Cycle:
    """The oscillation through a start (its shape and energy), between the turning points next to it.

        T = 2 ∫_a^b sqrt(K̄ / 2(E − Ū)) dr,    r = (a + b)/2 − (b − a)/2 cos φ

    In φ the integrand is smooth and periodic, so equal steps converge faster than any power (Gauss–Chebyshev). With a
    number for ``start`` it is the energy, and the well is that of the shape ``near`` (the potential's origin). A Reduction
    stands for its potential with the start's momenta.

    >>> import nonholo as nh
    >>> planet = nh.System(coordinates="r phi", lagrangian="(rdot**2 + r**2*phidot**2)/2 + 1/r", symmetry=nh.rotation("phi"))
    >>> start = {"r": 1, "rdot": 0.3, "phidot": 1}
    >>> well = nh.reduce(planet).potential(start)
    >>> round(nh.studies.cycle(well, start).period, 6)
    7.237987
    """
    if isinstance(potential, Reduction):
        if not isinstance(start, Mapping):
            raise StateError(f"{potential.system.name}: a cycle of a Reduction needs a start, which says what the momenta are.")
        return cycle(potential.potential(start), start, near=near, low=low, high=high)
    reduction = potential.reduction
    if isinstance(start, Mapping):
        place = shape_state(reduction, start, potential.vertical.parameters)[potential.variable]
        energy = potential.energy(start)
    else:
        place, energy = potential.vertical.origin if near is None else float(near), float(start)
    a, b = well(potential, energy, place, low, high)
    angles = invariant_angles(reduction)
    rates = compiled(reduction, list(angles.values())) if angles else None
    previous, found, error = np.full(1 + len(angles), np.inf), np.zeros(1 + len(angles)), np.inf
    for count in POINTS:
        found = _integrals(potential, a, b, count, rates)
        error = abs(found[0] - previous[0]) / found[0]
        if error < TOLERANCE:
            break
        previous = found
    return Cycle(energy, (a, b), float(found[0]), FrozenMap(dict(zip(angles, found[1:].tolist()))), float(error))


def well(
    potential: ReducedPotential, energy: float, place: float, low: float | None = None, high: float | None = None
) -> tuple[float, float]:
    """The turning points on either side of a shape; a StateError where the motion does not come back."""
    name = f"{potential.reduction.system.name}: with energy {energy:.6g}"
    points = potential.turning_points(energy, low, high)
    slack = 1e-9 * (1 + abs(place))
    below = [q for q in points if q <= place + slack and potential.derivative(q) < 0]
    above = [q for q in points if q >= place - slack and potential.derivative(q) > 0]
    if not below or not above or below[-1] >= above[0]:
        side = "below" if not below else "above"
        raise StateError(
            f"{name} and {potential.variable} = {place:.6g} there is no oscillation: no turning point {side}; look at the "
            "potential's extrema."
        )
    return below[-1], above[0]


def _integrals(potential: ReducedPotential, a: float, b: float, count: int, rates: Any) -> Numbers:
    """The period and the advances, by ``count`` points in half a turn of φ."""
    phi = (np.arange(count) + 0.5) * np.pi / count
    r, speed, pace = clock(potential, a, b, phi)
    time = pace * np.pi / count
    result = [2 * np.sum(time)]
    if rates is not None:
        # each shape is passed twice in a period
        there = rates(potential.vertical.rows(r, speed))
        back = rates(potential.vertical.rows(r, -speed))
        result += ((there + back) * time[:, None]).sum(axis=0).tolist()
    return np.array(result)


def clock(potential: ReducedPotential, a: float, b: float, phi: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """``r``, ``|ṙ|`` and ``dt/dφ`` for φ from 0 to π, regular at the turning points.

    ``E − Ū`` comes from integrating Ū' from the nearer turning point, so that nothing cancels, however small the
    oscillation; far from the turning points, where nothing cancels either, from Ū itself, which may have a wall nearby.
    """
    nodes, weights = np.polynomial.legendre.leggauss(24)
    left, right = (b - a) * np.sin(phi / 2) ** 2, (b - a) * np.cos(phi / 2) ** 2
    near = phi <= np.pi / 2
    reach = np.where(near, left, right)
    inside = reach[:, None] * (1 + nodes) / 2
    places = np.where(near[:, None], a + inside, b - inside)
    slopes = potential.derivative(places.ravel()).reshape(places.shape)
    push = np.where(near, -1.0, 1.0) * (slopes @ weights) / 2
    r = np.where(near, a + left, b - right)
    here, level = potential(r), np.where(near, potential(a), potential(b))
    clear = level - here > CLEAR * (np.abs(level) + np.abs(here))
    push = np.where(clear, (level - here) / reach, push)
    mass = potential.mass(r)
    speed = np.sqrt(2 * push * reach / mass)
    pace = np.sqrt(np.where(near, right, left) * mass / (2 * push))
    return r, speed, np.asarray(pace)


def after_period(
    potential: ReducedPotential, found: Cycle, *, rtol: float = 1e-13, atol: float = 1e-14
) -> dict[str, float]:
    """Where a period takes the system that starts on the section (positions zero) at the lower turning point.

    The group element of one period, ``ġ = g ξ`` along the shape's motion: by the reconstruction's equations, since
    turns and shifts that do not commute have no quadrature.

    >>> import nonholo as nh
    >>> planet = nh.System(coordinates="r phi", lagrangian="(rdot**2 + r**2*phidot**2)/2 + 1/r", symmetry=nh.rotation("phi"))
    >>> start = {"r": 1, "rdot": 0.3, "phidot": 1}
    >>> well = nh.reduce(planet).potential(start)
    >>> round(nh.studies.after_period(well, nh.studies.cycle(well, start))["phi"], 6)
    6.283185
    """
    from nonholo.integrate.motion.simulate import simulate

    reduction, system = potential.reduction, potential.reduction.system
    begin = potential.vertical.states(found.turning[0])
    start = {n: float(begin[n][0]) for n in system.coordinates}
    start |= dict(zip(reduction.momenta, potential.vertical.momenta(found.turning[0])[0].tolist()))
    start |= dict.fromkeys(reduction.rates, 0.0)
    equations, values = reduction.reconstruction, potential.vertical.parameters
    run = simulate(equations, start, found.period, values, rtol=rtol, atol=atol, t_eval="end")
    return {n: float(run.final[n]) for n in system.coordinates}


def invariant_angles(reduction: ReductionRecord) -> dict[str, Expr]:
    """Rates, in ``(r, ṙ, p)``, of the coordinates and Euler angles of the group that move at a rate of the shape alone.

    For a rotation matrix whose R33 is the shape, ``R = R_z(precession) R_y(θ) R_z(spin)``.
    """
    system, shape, frame = reduction.system, reduction.shape, reduction.frame
    x = symbols(system.coordinates)
    candidates: dict[str, tuple[Expr, ...]] = {}
    inside = {str(s) for f in shape.functions for s in f.free_symbols}
    blocks = [[[f"{n[:-2]}{i}{j}" for j in (1, 2, 3)] for i in (1, 2, 3)] for n in shape.names if n.endswith("33")]
    blocks = [block for block in blocks if all(n in system.coordinates for row in block for n in row)]
    entries = {n for block in blocks for row in block for n in row}
    for c in system.coordinates:
        if c not in inside and c not in entries:
            candidates[c] = tuple(se.Integer(int(str(s) == c)) for s in x)
    for block in blocks:
        tag = "" if len(blocks) == 1 else f" of {block[0][0][:-2]}"
        s = [[se.Symbol(n) for n in row] for row in block]
        candidates[f"precession{tag}"] = _angle_slopes(s[1][2], s[0][2], x)
        candidates[f"spin{tag}"] = _angle_slopes(s[2][1], -s[2][0], x)
    turning = [dot(shape.lift(row), symbols(reduction.momenta)) for row in frame.inverse_inertia]
    velocity = [
        dot(row, (*symbols(reduction.rates), *turning)) for row in lifted_columns(shape, reduction.basis, frame)
    ]
    moved = substitute(system.frame.rates, dict(zip(symbols(system.velocities), velocity)))
    speeds = {n: 0.4 + 0.3 * k for k, n in enumerate((*reduction.rates, *reduction.momenta))}
    result = {}
    for name, slopes in candidates.items():
        rate = dot(slopes, moved)
        here = shape.reduce([rate])[0]
        if _invariant(reduction, rate, here, speeds):
            result[name] = here
    return result


def _angle_slopes(y: Expr, x: Expr, coordinates: Any) -> tuple[Expr, ...]:
    """The gradient of ``atan2(y, x)``."""
    size = x**2 + y**2
    return tuple((x * dy - y * dx) / size for dx, dy in zip(gradient(x, coordinates), gradient(y, coordinates)))


def _invariant(reduction: ReductionRecord, rate: Expr, here: Expr, speeds: Mapping[str, float]) -> bool:
    """Whether a function on Q is the same on the section."""
    shape = reduction.shape
    for place in samples_of(reduction.system, count=4):
        values = {**place, **speeds}
        values |= dict(zip(shape.names, evaluate(list(shape.functions), place).tolist()))
        one, two = evaluate([rate, here], values)
        if not abs(one - two) <= 1e-9 * (1 + abs(one)):
            return False
    return True
