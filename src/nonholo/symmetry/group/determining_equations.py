"""Changes of the equations of motion along fields on the coordinates, at random admissible jets modulo a prime.

With ``E_j = d/dt p_j − c_ij^a p_a v^i − u_j[l] − Q_j`` the work ``S = w^j E_j`` is a function of ``(x, v, v̇, w)``. A field ξ is a
symmetry of the equations when its lift leaves S alone for all admissible ``(x, v, v̇)`` and all virtual ``w``, and carries
admissible velocities and configurations to such:

    ξ[S] + δv ∂S/∂v + δv̇ ∂S/∂v̇ + δw ∂S/∂w = 0,        ξ[φ] + δv ∂φ/∂v = 0,        ξ[h] = 0        where φ = 0, h = 0

The Lagrangian itself may change by a total derivative and by what the constraints make zero [Olver 1993, 4.4].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ONE, ZERO, along, gradient, jacobian, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.prime.modular_arithmetic import P, Residues, null_space
from nonholo.algebra.prime.random_points import Points
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.geometry.frames.frame import structure_functions
from nonholo.model.system import TIME, System, force_covector
from nonholo.symmetry.exact.modular_states import Motion, exact_states

Slopes = tuple[Residues, Residues, Residues, Residues]
"""Derivatives by ``x``, ``v``, ``v̇`` and ``w``, each ``(points, components)``."""


@dataclass(frozen=True)
class Prolonged:
    """``S`` and the names of ``v̇`` and ``w`` in it, with the derivatives of S by ``x``, ``v``, ``v̇`` and ``w``."""

    accelerations: tuple[Symbol, ...]
    virtual: tuple[Symbol, ...]
    slopes: tuple[tuple[Expr, ...], ...]


_PROLONGED: WeakCache[Prolonged] = WeakCache(64)


def prolonged(system: System) -> Prolonged:
    """``S = w^j E_j`` by derivatives of the Lagrangian in the direction ``w``; cached by system."""
    return _PROLONGED.get(system, lambda: _prolonged(system))


def _prolonged(system: System) -> Prolonged:
    frame = system.frame
    x, v = symbols(system.coordinates), symbols(system.velocities)
    a, w = symbols(f"_a_{u}" for u in system.velocities), symbols(f"_w_{u}" for u in system.velocities)
    lagrangian = lagrangian_in_frame(system)
    (momentum,) = along([lagrangian], dict(zip(v, w)))
    (change,) = along([momentum], {**dict(zip(x, frame.rates)), **dict(zip(v, a)), TIME: ONE})
    (slope,) = along([lagrangian], {s: dot(row, w) for s, row in zip(x, frame.anchor)})
    brackets: Expr = ZERO
    table = structure_functions(frame)
    momenta = gradient(lagrangian, v) if table else ()
    for (i, j, m), c in table.items():
        brackets += c * momenta[m] * (v[i] * w[j] - v[j] * w[i])
    work = change - slope - brackets - dot(force_covector(system), w)
    return Prolonged(a, w, tuple(gradient(work, names) for names in (x, v, a, w)))


@dataclass(frozen=True, eq=False)
class Jets:
    """Random admissible ``(x, v, v̇)`` with virtual ``w``: values of everything there, and slopes of what must not change."""

    motion: Motion
    points: Points
    conditions: tuple[Slopes, ...]
    """Of S, of the constraints, of the holonomic residuals."""

    def values(self, exprs: Sequence[Expr]) -> Residues:
        """Expressions in ``(x, v, v̇, w)``, as ``(points, expressions)``."""
        shape = (self.points.count, 0)
        return np.stack(self.points.values(list(exprs)), axis=1) if len(exprs) else np.zeros(shape, dtype=np.int64)


def jets(
    motion: Motion, count: int, seed: int, parameters: Mapping[str, Any] | None = None, p: int = P, least: int = 0
) -> Jets:
    """Random jets, all with the same parameters: random ones or given ones; NoPoints where there are none.

    `Unsupported` where roots exist at fewer than ``least`` states.
    """
    system, allowed = motion.system, motion.allowed
    states = exact_states(motion, count, seed, parameters, p=p)
    points = states.points
    points.need(least)
    whole = prolonged(system)
    basis = [points.values(row) for row in allowed.basis]
    size = len(allowed.basis[0]) if allowed.basis else 0
    for names, start in ((whole.accelerations, [states.rate(e) for e in allowed.velocity]), (whole.virtual, None)):
        weights = [points.random() for _ in range(size)]
        for k, s in enumerate(names):
            total = start[k] if start is not None else np.zeros(count, dtype=np.int64)
            for b, r in zip(basis[k], weights):
                total = (total + b * r) % p
            points.set(s, total)
    found = Jets(motion, points, ())
    place, speed, acceleration, virtual = whole.slopes
    rows = [(found.values(place), found.values(speed), found.values(acceleration), found.values(virtual))]
    x, v = symbols(system.coordinates), symbols(system.velocities)
    none = np.zeros((count, len(v)), dtype=np.int64)
    if system.parametric is None:
        for e in allowed.rows.residuals:
            rows.append((found.values(gradient(e, x)), found.values(gradient(e, v)), none, none))
    else:
        rows += [(*row, none, none) for row in _across(found, np.stack([np.stack(b, axis=1) for b in basis], axis=1))]
    rows += [(found.values(gradient(e, x)), none, none, none) for e in system.holonomic]
    return Jets(motion, points, tuple(rows))


def _across(at: Jets, basis: Residues) -> list[tuple[Residues, Residues]]:
    """Slopes of ``v − ψ(x, z)`` across ``∂ψ/∂z``, for velocities by parameters."""
    system, allowed, p = at.motion.system, at.motion.allowed, at.points.p
    x = symbols(system.coordinates)
    places = at.values([e for row in jacobian(allowed.velocity, x) for e in row]).reshape(len(basis), -1, len(x))
    rows: list[list[Residues]] = []
    for k in range(len(basis)):
        kernel = [vector for _, vector in null_space(basis[k].T.copy(), p)] if at.points.good[k] else []
        rows.append(kernel)
    height = min((len(r) for r, good in zip(rows, at.points.good) if good), default=0)
    result = []
    for j in range(height):
        across = np.stack([r[j] if len(r) > j else np.zeros(basis.shape[1], dtype=np.int64) for r in rows])
        total = np.zeros((len(basis), len(x)), dtype=np.int64)
        for i in range(basis.shape[1]):
            total = (total - across[:, i, None] * places[:, i]) % p
        result.append((total, across))
    return result


class Ansatz(Protocol):
    """Fields on the coordinates whose combinations are tried."""

    def __len__(self) -> int: ...

    def changes(self, at: Jets, slopes: Slopes) -> Residues:
        """The change of a function with these slopes along every field, as ``(points, fields)``."""
        ...


def conditions(ansatz: Ansatz, at: Jets, least: int) -> Residues:
    """One row for each condition and good jet, one column for each field; `Unsupported` with fewer than ``least`` jets."""
    rows = [ansatz.changes(at, slopes) for slopes in at.conditions]
    at.points.need(least)
    return np.vstack([row[at.points.good] for row in rows])


@dataclass(frozen=True, eq=False)
class Fields:
    """Fields by their components on the coordinates, with ``δv`` of each."""

    fields: tuple[tuple[Expr, ...], ...]
    speeds: tuple[tuple[Expr, ...], ...]

    def __len__(self) -> int:
        return len(self.fields)

    def changes(self, at: Jets, slopes: Slopes) -> Residues:
        system, p = at.motion.system, at.points.p
        v, whole = symbols(system.velocities), prolonged(system)
        rates = dict(zip(symbols(system.coordinates), system.frame.rates))
        moving, swapped = {**rates, **dict(zip(v, whole.accelerations))}, dict(zip(v, whole.virtual))
        columns = []
        for field, moved in zip(self.fields, self.speeds):
            lifts: tuple[Sequence[Expr], ...] = (field, moved)
            if np.any(slopes[2]) or np.any(slopes[3]):
                lifts = (*lifts, along(moved, moving), [e.xreplace(swapped) for e in moved])
            total = np.zeros(at.points.count, dtype=np.int64)
            for part, exprs in zip(slopes, lifts):
                for k, e in enumerate(exprs):
                    if e != 0:
                        total = (total + part[:, k] * at.points.value(e)) % p
            columns.append(total)
        return np.stack(columns, axis=1)
