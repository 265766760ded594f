"""Curves of steady motions: state, group velocity and the parameter that varies.

``f(y, c) − η_a ξ_a(y) = 0`` and ``g(y) = 0``, with ``h(y) − c = 0`` where an expression h is varied (a speed, the energy, a
momentum); where a parameter is, f depends on c. What else is free in the family is held.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.subspaces import kernel, span
from nonholo.analyse.flow.state_flow import Flow
from nonholo.analyse.stability.spectrum import Spectrum, cuts
from nonholo.analyse.steady.many_zeros import ENOUGH, corrected, polished_zeros
from nonholo.analyse.steady.steady_equations import Steady
from nonholo.analyse.steady.steady_families import free_variables, tangents
from nonholo.errors import StateError


@dataclass(frozen=True, eq=False)
class Curve:
    """The equations of a curve of steady motions."""

    steady: Steady
    along: str
    expression: Expr | None
    """What is varied, as a function of the state; None for a parameter."""
    place: int
    """Index of the parameter in ``flow.rest``."""
    reach: float
    """A typical size of what is varied."""
    still: int
    """How many zeros belong to the family."""

    @property
    def flow(self) -> Flow:
        """The flow at the start of the curve."""
        return self.steady.flow

    @property
    def size(self) -> Numbers:
        """A typical size of every unknown."""
        return np.append(self.steady.size, self.reach)

    def at(self, number: float) -> Steady:
        """The equations of steady motions where what is varied has this value."""
        if self.expression is not None:
            return self.steady
        parameters = {**self.flow.parameters, self.along: float(number)}
        changed = self.at_values(np.array([number]))
        return replace(changed, flow=replace(changed.flow, rest=changed.flow.rest[0], parameters=parameters))

    def at_values(self, numbers: Numbers) -> Steady:
        """The equations at many points, at each of which what is varied has its own value."""
        if self.expression is not None:
            return self.steady
        rest = np.tile(self.flow.rest, (len(numbers), 1))
        rest[:, self.place] = numbers
        return replace(self.steady, flow=replace(self.flow, rest=rest))

    def value(self, unknowns: Numbers) -> Numbers:
        """What must vanish, a row for each point."""
        if self.expression is None:
            return self.at_values(unknowns[:, -1]).value(unknowns[:, :-1])
        varied = self.flow.valued([self.expression], unknowns[:, : self.flow.size])[0]
        return np.hstack([self.steady.value(unknowns[:, :-1]), (varied - unknowns[:, -1:]) / self.reach])

    def slope(self, unknowns: Numbers) -> Numbers:
        """Its derivatives."""
        return self.both(unknowns)[1]

    def both(self, unknowns: Numbers) -> tuple[Numbers, Numbers]:
        """What must vanish and its derivatives."""
        if self.expression is None:
            here, states = self.at_values(unknowns[:, -1]), unknowns[:, :-1]
            value, inner = here.both(states)
            return value, np.concatenate([inner, here.slope_by(states, self.place)[:, :, None]], axis=2)
        value, inner = self.steady.both(unknowns[:, :-1])
        varied, slopes = self.flow.valued([self.expression], unknowns[:, : self.flow.size])
        found = np.zeros((len(unknowns), inner.shape[1] + 1, unknowns.shape[1]))
        found[:, :-1, :-1] = inner
        found[:, -1, : self.flow.size] = slopes[:, 0] / self.reach
        found[:, -1, -1] = -1.0 / self.reach
        return np.hstack([value, (varied - unknowns[:, -1:]) / self.reach]), found

    def solved(self, unknowns: Numbers, steps: int = 30) -> Numbers:
        """Points at the given values of what is varied; not a number where there is none nearby."""
        size = self.size
        size[-1] = 0.0
        return polished_zeros(self.both, unknowns, size, steps, tail=1e-8)

    def kernel(self, unknowns: Numbers) -> Numbers:
        """The directions (columns, in sizes) in which the equations vanish at a point, across the symmetry."""
        n = self.flow.size
        free = kernel(self.slope(unknowns[None])[0] * self.size, 1e-7)
        orbit = span((self.flow.generator_fields(unknowns[None, :n])[0][0] / self.size[:n]).T)
        seen = np.vstack([free[:n] - orbit @ (orbit.T @ free[:n]), free[-1:]])
        _, sizes, rows = np.linalg.svd(seen, full_matrices=False)
        return np.asarray(free @ rows[sizes > 1e-5].T)

    def tangent(self, unknowns: Numbers, before: Numbers | None = None) -> Numbers | None:
        """The direction of the curve (in sizes) at a point, across the symmetry; None where there is none."""
        ways = self.kernel(unknowns)
        if not ways.shape[1]:
            return None
        way = ways[:, 0] if before is None else ways @ (ways.T @ before)
        length = float(np.linalg.norm(way))
        return np.asarray(way / length) if length > 1e-3 else None

    def corrected(self, guess: Numbers, way: Numbers) -> Numbers | None:
        """The point of the curve in the plane across ``way`` through a guess (Keller's pseudo-arclength)."""
        return corrected(self.both, guess, way, self.size, ENOUGH)

    def sensible(self, unknowns: Numbers) -> bool:
        """Whether the equations make sense at a point."""
        return bool(np.all(np.isfinite(self.flow.rates(unknowns[None, : self.flow.size]))))

    def linear_flows(self, points: Numbers) -> list[Spectrum]:
        """The linear flow at each point."""
        n = self.flow.size
        flow, states = self.at_values(points[:, -1]).flow, points[:, :n]
        matrices = flow.slopes(states)
        fields, turned = flow.generator_fields(states)
        if self.steady.moving:
            matrices = matrices - np.einsum("ka,kaij->kij", points[:, n:-1], turned)
        bounds = flow.bound(states)[1]
        return cuts(matrices, bounds, fields, self.still)


def curve_of(
    steady: Steady, unknowns: Numbers, along: str, until: float, hold: Mapping[str, Any] | None
) -> tuple[Curve, Numbers, tuple[str, ...]]:
    """The curve through a steady motion along a parameter or an expression, its first point, and what is held."""
    flow, n = steady.flow, steady.flow.size
    tangent = tangents(steady, unknowns[None])[0]
    parameter = along in flow.parameters and along in flow.kernel.parameters
    expression = None if parameter else flow.expressions([along], "along")[0]
    basis = tangent.across
    if expression is not None:
        gradient = flow.valued([expression], unknowns[None, :n])[1][0, 0]
        change = basis.T @ gradient
        if not basis.shape[1] or np.linalg.norm(change) < 1e-9 * max(1.0, float(np.linalg.norm(gradient))):
            free = ", ".join(flow.names[i] for i in free_variables(steady, basis)) or "nothing"
            raise StateError(
                f"{flow.name}: {along} is constant along the family of this relative equilibrium, in which {free} is free; "
                f"vary one of these, or a parameter ({', '.join(flow.parameters) or 'none'})."
            )
    held = dict(hold or {})
    if hold is None:
        held = {flow.names[i]: None for i in _held(steady, basis, expression, unknowns)}
    exprs = flow.expressions(list(held), "hold")
    now = flow.valued(exprs, unknowns[None, :n])[0][0] if exprs else np.zeros(0)
    kept = replace(steady, fixed=tuple(exprs), targets=now)
    start = float(flow.valued([expression], unknowns[None, :n])[0][0, 0]) if expression is not None else flow.parameters[along]
    place = len(flow.kernel.inputs) + flow.kernel.parameters.index(along) if parameter else -1
    reach = max(abs(until - start) / 10, 1e-6)
    curve = Curve(kept, along, expression, place, reach, basis.shape[1])
    return curve, np.append(unknowns, start), tuple(held)


def _held(steady: Steady, basis: Numbers, expression: Expr | None, unknowns: Numbers) -> list[int]:
    """The free variables that stay as they are, so that one direction is left."""
    n = steady.flow.size
    if expression is None:
        return free_variables(steady, basis)
    gradient = steady.flow.valued([expression], unknowns[None, :n])[1][0, 0]
    change = basis.T @ gradient
    free = free_variables(steady, basis)
    if len(free) < 2:
        return []
    # the direction in which the varied quantity changes most stays free; variables that parametrise the others are held
    slopes = (basis @ np.linalg.inv(basis[free])).T @ gradient
    leave = int(np.argmax(np.abs(slopes)))
    assert len(change)
    return [i for k, i in enumerate(free) if k != leave]


MOST = 600
"""So many points are computed."""
LEAST = 1e-5
"""The shortest step (in sizes) before a curve is given up."""
LONGEST = 0.25
"""The longest step (in sizes)."""


class Followed(Protocol):
    """What must be known of a curve to follow it: unknowns are rows of numbers whose last is what is varied."""

    @property
    def along(self) -> str:
        """What is varied."""

    @property
    def reach(self) -> float:
        """A typical size of what is varied."""

    @property
    def size(self) -> Numbers:
        """A typical size of every unknown."""

    def tangent(self, unknowns: Numbers, before: Numbers | None = None) -> Numbers | None:
        """The direction of the curve (in sizes) at a point, the way before; None where there is none."""

    def corrected(self, guess: Numbers, way: Numbers) -> Numbers | None:
        """The point of the curve in the plane across ``way`` through a guess."""

    def solved(self, unknowns: Numbers, steps: int = 30) -> Numbers:
        """Points at the given values of what is varied; not a number where there is none nearby."""

    def sensible(self, unknowns: Numbers) -> bool:
        """Whether the equations make sense at a point."""

    def linear_flows(self, points: Numbers) -> list[Spectrum]:
        """The linear flow, or the linear return, at each point."""


def followed(
    curve: Followed,
    first: Numbers,
    goal: float,
    what: str,
    most: int = MOST,
    longest: float = LONGEST,
    ahead: Numbers | None = None,
) -> tuple[Numbers, str]:
    """Points of a curve by pseudo-arclength and how it ends; ``what`` is what the points are.

    First towards the goal, or in the direction ``ahead`` (in sizes).
    """
    found = [first]
    way = curve.tangent(first, ahead)
    if way is None:
        return np.array(found), f"no branch goes on from {curve.along} = {first[-1]:.6g}"
    if ahead is None:
        way = way if way[-1] * (goal - first[-1]) >= 0 else -way
    here, step, size = first, min(0.1, longest), curve.size
    for _ in range(most):
        trial = curve.corrected(here + step * way * size, way)
        turned = curve.tangent(trial, way) if trial is not None else None
        if trial is None or turned is None or not float(turned @ way) > 0.9 or not curve.sensible(trial):
            step /= 2
            if step < LEAST:
                return np.array(found), f"ends at {curve.along} = {here[-1]:.6g}: no {what} was found beyond"
            continue
        if (trial[-1] - goal) * (here[-1] - goal) <= 0 and trial[-1] != here[-1]:
            guess = here + (trial - here) * (goal - here[-1]) / (trial[-1] - here[-1])
            guess[-1] = goal
            last = curve.solved(guess[None])[0]
            if np.all(np.isfinite(last)):
                return np.array([*found, last]), "reached"
        found.append(trial)
        here, way = trial, turned
        if np.linalg.norm((here - first) / size) > 1e3:
            return np.array(found), f"ends at {curve.along} = {here[-1]:.6g}: the state grows without bound"
        if (here[-1] - first[-1]) * (goal - first[-1]) < -0.1 * (goal - first[-1]) ** 2:
            return np.array(found), f"turns back without reaching {curve.along} = {goal:.6g}"
        step = min(step * 1.4, longest) if float(turned @ way) > 0.99 else step
        if len(found) > 12 and np.linalg.norm((here - first) / size) < 0.5 * step:
            return np.array([*found, first]), f"comes back to its start without reaching {curve.along} = {goal:.6g}"
    return np.array(found), f"stopped after {most} points at {curve.along} = {here[-1]:.6g}; ask for a nearer end"
