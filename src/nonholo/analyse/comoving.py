"""A steady motion seen from the symmetry that carries it: the field that is at rest there, and its slopes.

Where ``f(y) = c^a η_a(y)`` with ``η_a`` the generators of a symmetry on the states, ``f − c^a η_a`` rests, and its slopes are the constant
matrix of the motion in variables that move along. A generator X on the coordinates moves the speeds by ζ so that rates are
carried with them: ``(∂K/∂z) ζ = (∂X/∂x) K − (∂K/∂x) X`` with ``ẋ = K(x, z)``; its slopes follow by differentiating this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import gradient
from nonholo.algebra.kept import KeptFor
from nonholo.algebra.kinds import Expr
from nonholo.algebra.linear import dot
from nonholo.compile.rates_jacobian import jacobian_table
from nonholo.errors import StateError
from nonholo.integrate.one.derived import Derived
from nonholo.model.system import System
from nonholo.program.interpret import Interpreter
from nonholo.symmetry.reduction.action import action
from nonholo.symmetry.reduction.propose import proposed_symmetry

Numbers = NDArray[np.float64]
STEADY = 1e-7
"""Rates further than this part of the largest (at least 1) from all motions of the group are not steady."""


class Comoving(NamedTuple):
    """What is taken from rates and slopes, and how fast each generator carries the motion: (rows, …)."""

    rates: Numbers
    slopes: Numbers
    velocity: dict[str, Numbers]


class _Generators(NamedTuple):
    """Fields on the coordinates with their slopes, and the equations for what they do to the speeds, as numbers."""

    names: tuple[str, ...]
    fields: Interpreter
    carried: Interpreter


_KEPT: KeptFor[_Generators] = KeptFor(64)


def comoving(derived: Derived, system: System | None, rows: Numbers, flow: Numbers) -> Comoving:
    """The part of the flow at some states that is a motion of the symmetry group; a StateError when something is left."""
    if system is None:
        raise StateError(f"{derived.equations.name}: comoving: equations by hand have no symmetry; give the System.")
    ready = _KEPT.get(derived, lambda: _generators(derived, system))
    count, size = len(ready.names), len(derived.equations.state)
    if not count:
        raise StateError(f"{system.name}: comoving: no symmetry was declared or found; leave comoving out.")
    fields, slopes = _lifted(derived, ready, rows)
    rates, turned = np.empty_like(flow), np.empty((len(rows), size, size))
    speeds = np.empty((len(rows), count))
    for k in range(len(rows)):
        speeds[k] = np.linalg.lstsq(fields[k].T, flow[k], rcond=1e-9)[0]
        rates[k], turned[k] = speeds[k] @ fields[k], np.tensordot(speeds[k], slopes[k], axes=1)
    left = np.max(np.abs(flow - rates), axis=1)
    if np.any(left > STEADY * np.maximum(1.0, np.max(np.abs(flow), axis=1))):
        raise StateError(
            f"{system.name}: comoving: the state is no steady motion, its rates are {np.max(left):.3g} from every motion of the symmetry "
            f"({', '.join(ready.names)}); give a state that is one."
        )
    return Comoving(rates, turned, dict(zip(ready.names, speeds.T)))


def _on_coordinates(system: System) -> Mapping[str, Sequence[Expr]]:
    """The generators as fields on the coordinates: the declared ones, or those found."""
    symmetry = system.symmetry if system.symmetry is not None else proposed_symmetry(system)
    if symmetry is None:
        return {}
    group = action(system, symmetry)
    return {n: field for n, field in zip(group.names, group.on_coordinates) if any(e != 0 for e in field)}


def _generators(derived: Derived, system: System) -> _Generators:
    equations = derived.equations
    x, z = equations.coordinates, equations.speeds
    fields = _on_coordinates(system)
    zeta = [se.Symbol(f"ζ{k}") for k in range(len(z))]
    flat: list[Expr] = []
    carried: list[Expr] = []
    rows = [(rate, gradient(rate, x), gradient(rate, z)) for rate in equations.kinematics]
    for field in fields.values():
        flat += list(field)
        for component, (_, by_x, by_z) in zip(field, rows):
            carried.append(dot(by_z, zeta) - dot(gradient(component, x), equations.kinematics) + dot(by_x, field))
    where = f"{equations.name}: generators"
    state = (*x, *z)
    own = derived.symbols
    return _Generators(
        tuple(fields),
        jacobian_table(own, flat, state, where),
        jacobian_table((*own, *zeta), carried, (*state, *zeta), where),
    )


def _lifted(derived: Derived, ready: _Generators, rows: Numbers) -> tuple[Numbers, Numbers]:
    """The generators on the states (rows, generator, state), and their slopes (rows, generator, state, state)."""
    count, height = len(ready.names), len(derived.equations.coordinates)
    size, speeds = len(derived.equations.state), len(derived.equations.speeds)
    fields, slopes = np.zeros((len(rows), count, size)), np.zeros((len(rows), count, size, size))
    found = ready.fields(rows)
    cut = count * height
    fields[:, :, :height] = found[:, :cut].reshape(-1, count, height)
    slopes[:, :, :height] = found[:, cut:].reshape(-1, count, height, size)
    if not speeds:
        return fields, slopes
    still = _carried(ready, rows, np.zeros((len(rows), count, speeds)), height, size)
    pushed = np.array([[np.linalg.pinv(still.by_zeta[k, a]) for a in range(count)] for k in range(len(rows))])
    zeta = -np.einsum("kaij,kaj->kai", pushed, still.gap)
    moved = _carried(ready, rows, zeta, height, size)
    fields[:, :, height:] = zeta
    slopes[:, :, height:] = -pushed @ moved.by_state
    return fields, slopes


class _Gap(NamedTuple):
    gap: Numbers
    by_state: Numbers
    by_zeta: Numbers


def _carried(ready: _Generators, rows: Numbers, zeta: Numbers, height: int, size: int) -> _Gap:
    """How far each generator, with these changes of the speeds, is from carrying the rates; and its slopes."""
    count, speeds = zeta.shape[1:]
    gap = np.empty((len(rows), count, height))
    slopes = np.empty((len(rows), count, height, size + speeds))
    cut = count * height
    for a in range(count):
        found = ready.carried(np.hstack([rows, zeta[:, a]]))
        gap[:, a] = found[:, :cut].reshape(-1, count, height)[:, a]
        slopes[:, a] = found[:, cut:].reshape(-1, count, height, size + speeds)[:, a]
    return _Gap(gap, slopes[..., :size], slopes[..., size:])
