"""A field on a grid: Hamel's equations of the discretised Lagrangian, exactly, with constraints by null spaces.

On nodal values ``q`` and ``ξ`` the Lagrangian is ``l(q, ξ) = Σ w ℓ(q, Dq, D²q, ξ, Dξ)`` and ``q̇ = Ψ ξ`` holds at the
nodes. The weak form (3.10) for all nodal test functions is then the finite Hamel's equation

    d/dt ∂l/∂ξ = Ψᵀ ∂l/∂q + b + Ψᵀ w Q,     ⟨b, η⟩ = ⟨Ψ⁻ᵀ ∂l/∂ξ, (Ψξ)[Ψ] η − (Ψη)[Ψ] ξ⟩       [Zenkov 2016 (3.10), (3.2)]

so that energy and momenta are kept by the semidiscrete motion to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.fields.density.jets import jet
from nonholo.fields.function_grid import Grid
from nonholo.program.array_types import Array

PLACES, RATES = (0, 1, 2), (0, 1)
"""Orders of derivatives of unknowns and of velocity components that a density may have."""
RANK = 1e-10


@dataclass(frozen=True, eq=False)
class Names:
    """The arguments of every function at a place: s, t, jets of unknowns and components, inputs, parameters."""

    unknowns: tuple[str, ...]
    components: tuple[str, ...]
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]

    @property
    def place_jets(self) -> list[Symbol]:
        """By order, then by unknown."""
        return [jet(u, k) for k in PLACES for u in self.unknowns]

    @property
    def rate_jets(self) -> list[Symbol]:
        """By order, then by component."""
        return [jet(c, k) for k in RATES for c in self.components]

    @property
    def arguments(self) -> list[Symbol]:
        """All of them in the order of a row."""
        return [
            *symbols(("s", "t")),
            *self.place_jets,
            *self.rate_jets,
            *symbols(self.inputs),
            *symbols(self.parameters),
        ]

    def function(self, exprs: Sequence[Expr], *shape: int) -> Callable[[Array], Array]:
        """The expressions over a table of rows, as an array of the shape at each row; zeros cost nothing."""
        kept = [k for k, e in enumerate(exprs) if e != ZERO]
        inner = numeric_function(self.arguments, [exprs[k] for k in kept]) if kept else None

        def values(rows: Array) -> Array:
            found = np.zeros((len(rows), len(exprs)))
            if inner is not None:
                found[:, kept] = np.asarray(inner(rows)).reshape(len(rows), len(kept))
            return found.reshape(len(rows), *shape)

        return values


@dataclass(frozen=True, eq=False)
class Patch:
    """A Lagrangian density over some places: the whole line, or an end."""

    density: Expr
    to_places: Array
    """Takes nodal values to values at the places."""
    weights: Array
    points: Array


@dataclass(frozen=True, eq=False)
class Condition:
    """A condition at some places: on velocities (``a(q, ξ) = 0``), or on the unknowns (``C(q) = 0``)."""

    residual: Expr
    to_places: Array
    points: Array
    positional: bool


@dataclass(eq=False)
class Semidiscrete:
    """The finite system; ``rates(t, y)`` for ``y = (q, ξ)``, both by unknown (component) and then by node."""

    grid: Grid
    names: Names
    psi: Sequence[Sequence[Expr]]
    patches: Sequence[Patch]
    conditions: Sequence[Condition]
    forces: Sequence[Expr]
    """By unknown, then by component."""
    parameters: Array
    inputs: Callable[[float, Array], Array]
    """At a time, at places: one row for each place."""
    reactions: Array = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        n, c = len(self.names.unknowns), len(self.names.components)
        self.count, self.width = len(self.grid.points), n
        slopes, rates = self.names.place_jets, self.names.rate_jets
        self.derivatives = [np.eye(self.count), self.grid.derivative, self.grid.derivative @ self.grid.derivative]
        make = self.names.function
        flat = [e for row in self.psi for e in row]
        self._psi = make(flat, n, c)
        self._psi_slopes = make([e.diff(v) for e in flat for v in slopes], n, c, len(PLACES), n)
        self._forces = make(list(self.forces), n + c)
        self._patches = []
        time = symbols(("t",))[0]
        for patch in self.patches:
            momenta = [patch.density.diff(v) for v in rates]
            self._patches.append(
                (
                    [patch.to_places @ d for d in self.derivatives],
                    make([patch.density.diff(v) for v in slopes], len(PLACES), n),
                    make(momenta, len(RATES), c),
                    make([m.diff(v) for m in momenta for v in rates], len(RATES), c, len(RATES), c),
                    make([m.diff(v) for m in momenta for v in slopes], len(RATES), c, len(PLACES), n),
                    make([m.diff(time) for m in momenta], len(RATES), c),
                    make([patch.density], 1),
                )
            )
        self._conditions = [self._compiled(condition) for condition in self.conditions]

    def _compiled(self, condition: Condition) -> Any:
        slopes, rates, time = self.names.place_jets, self.names.rate_jets, symbols(("t",))[0]
        n, c, make, e = len(self.names.unknowns), len(self.names.components), self.names.function, condition.residual
        at = [condition.to_places @ d for d in self.derivatives]
        if condition.positional:
            return at, make([e], 1), make([e.diff(v) for v in slopes], len(PLACES), n), make(
                [e.diff(v).diff(w) for v in slopes for w in slopes], len(PLACES), n, len(PLACES), n
            ), make([e.diff(time), e.diff(time).diff(time)], 2), make([e.diff(time).diff(v) for v in slopes],
            len(PLACES), n)  # fmt: skip
        return at, make([e], 1), make([e.diff(v) for v in rates], len(RATES), c), make(
            [e.diff(v) for v in slopes], len(PLACES), n
        ), make([e.diff(time)], 1)  # fmt: skip

    def split(self, y: Array) -> tuple[Array, Array]:
        """Nodal values of the unknowns and of the components, one row each."""
        cut = self.width * self.count
        return y[:cut].reshape(-1, self.count), y[cut:].reshape(-1, self.count)

    def rows(self, t: float, q: Array, xi: Array, at: Sequence[Array], points: Array) -> Array:
        """The arguments of the functions at places."""
        places = [d @ u for d in at for u in q]
        speeds = [at[k] @ v for k in RATES for v in xi]
        size = len(points)
        fixed = np.broadcast_to(self.parameters, (size, len(self.parameters)))
        table = np.column_stack([points, np.full(size, t), *places, *speeds])
        return np.ascontiguousarray(np.hstack([table, self.inputs(t, points), fixed]))

    def psi_at(self, t: float, q: Array, xi: Array) -> Array:
        """Ψ at the nodes, one matrix each."""
        return self._psi(self.rows(t, q, xi, self.derivatives, self.grid.points))

    def velocity(self, t: float, q: Array, xi: Array) -> Array:
        """q̇ at the nodes."""
        psi = self.psi_at(t, q, xi)
        return np.einsum("kab,bk->ak", psi, xi)

    def components(self, t: float, q: Array, velocity: Array) -> Array:
        """ξ of given rates at the nodes."""
        psi = self.psi_at(t, q, 0 * velocity)
        return np.asarray(np.linalg.solve(psi, velocity.T[:, :, None])[:, :, 0].T, dtype=float)

    def lagrangian(self, t: float, q: Array, xi: Array) -> float:
        """l(q, ξ)."""
        total = 0.0
        for patch, (at, *_, density) in zip(self.patches, self._patches):
            total += float(patch.weights @ density(self.rows(t, q, xi, at, patch.points))[:, 0])
        return total

    def momenta(self, t: float, q: Array, xi: Array) -> Array:
        """∂l/∂ξ at the nodes, weights included."""
        found = np.zeros_like(xi)
        for patch, (at, _, momentum, *_) in zip(self.patches, self._patches):
            rows = self.rows(t, q, xi, at, patch.points)
            found += self._adjoint(at, patch.weights, momentum(rows))
        return found

    def energy(self, t: float, q: Array, xi: Array) -> float:
        """⟨∂l/∂ξ, ξ⟩ − l."""
        return float(np.sum(self.momenta(t, q, xi) * xi)) - self.lagrangian(t, q, xi)

    @staticmethod
    def _adjoint(at: Sequence[Array], weights: Array, values: Array) -> Array:
        """``Σ_j D_jᵀ w value_j`` as rows by unknown; ``values`` by place, order and unknown."""
        found = np.zeros((values.shape[2], at[0].shape[1]))
        for j in range(values.shape[1]):
            found += (weights[:, None] * values[:, j]).T @ at[j]
        return found

    def unconstrained(self, t: float, q: Array, xi: Array) -> tuple[Array, Array, Array, Array]:
        """Mass matrix, right-hand side, q̇, and ``(Ψξ)[Ψ]ξ``, all at the nodes."""
        n, c, size = self.width, len(xi), self.count
        d = self.derivatives
        node = self.rows(t, q, xi, d, self.grid.points)
        psi, bent = self._psi(node), self._psi_slopes(node)
        v = np.einsum("kab,bk->ak", psi, xi)
        moved = np.stack([v @ e.T for e in d])
        turn = np.einsum("kabjc,jck->kab", bent, moved)
        swing = np.einsum("kabjc,bk->kajc", bent, xi)
        mass = np.zeros((c * size, c * size))
        momentum, slope, carried = np.zeros((c, size)), np.zeros((n, size)), np.zeros((c, size))
        for patch, (at, by_place, by_rate, hessian, mixed, by_time, _) in zip(self.patches, self._patches):
            rows = self.rows(t, q, xi, at, patch.points)
            slope += self._adjoint(at, patch.weights, by_place(rows))
            momentum += self._adjoint(at, patch.weights, by_rate(rows))
            flow = np.stack([v @ e.T for e in at])
            change = np.einsum("kibja,jak->kib", mixed(rows), flow) + by_time(rows)
            carried += self._adjoint(at, patch.weights, change)
            heavy = patch.weights[:, None, None, None, None] * hessian(rows)
            for i in RATES:
                for j in RATES:
                    block = heavy[:, i, :, j, :]
                    if np.any(block):
                        mass += np.einsum("kp,kab,kr->apbr", at[i], block, at[j]).reshape(c * size, c * size)
        dual = np.linalg.solve(np.transpose(psi, (0, 2, 1)), momentum.T[:, :, None])[:, :, 0]
        back = self._adjoint(d, np.ones(size), np.einsum("kajc,ka->kjc", swing, dual))
        bracket = np.einsum("kab,ka->bk", turn, dual) - np.einsum("kab,ak->bk", psi, back)
        push = self._pushes(t, q, xi)
        force = np.einsum("kab,ak->bk", psi, slope + push[:n]) + push[n:] + bracket - carried
        return mass, force.ravel(), v, np.einsum("kab,bk->ak", turn, xi)

    def _pushes(self, t: float, q: Array, xi: Array) -> Array:
        """Forces by unknown and component on nodal displacements."""
        if all(e == ZERO for e in self.forces):
            return np.zeros((len(q) + len(xi), self.count))
        whole, at = self.patches[0], self._patches[0][0]
        found = self._forces(self.rows(t, q, xi, at, whole.points))
        return np.asarray((whole.weights[:, None] * found).T @ at[0])

    def limits(self, t: float, q: Array, xi: Array, v: Array, turned: Array) -> tuple[Array, Array]:
        """Rows A and sides b of ``A ξ̇ = b`` by all conditions."""
        size, c = self.count, len(xi)
        psi = self.psi_at(t, q, xi)
        rows, sides = [np.zeros((0, c * size))], [np.zeros(0)]
        for condition, made in zip(self.conditions, self._conditions):
            at = made[0]
            table = self.rows(t, q, xi, at, condition.points)
            flow, bend = np.stack([v @ e.T for e in at]), np.stack([turned @ e.T for e in at])
            if condition.positional:
                _, _, first, second, by_time, cross = made
                slope = first(table)
                rows.append(self._by_components(slope, at, psi))
                side = np.einsum("kjaib,jak,ibk->k", second(table), flow, flow) + np.einsum("kja,jak->k", slope, bend)
                sides.append(-side - by_time(table)[:, 1] - 2 * np.einsum("kja,jak->k", cross(table), flow))
            else:
                _, _, by_rate, by_place, by_time = made
                slope = by_rate(table)
                rows.append(sum(np.einsum("ka,kp->kap", slope[:, i], at[i]) for i in RATES).reshape(-1, c * size))
                sides.append(-np.einsum("kja,jak->k", by_place(table), flow) - by_time(table)[:, 0])
        return np.vstack(rows), np.concatenate(sides)

    def _by_components(self, slope: Array, at: Sequence[Array], psi: Array) -> Array:
        """``Σ_j C_j D_j Ψ`` as rows over ξ."""
        over = sum(
            (np.einsum("ka,kp->kap", slope[:, j], at[j]) for j in PLACES),
            np.zeros((len(slope), self.width, self.count)),
        )
        return np.asarray(np.einsum("kap,pab->kbp", over, psi).reshape(len(slope), -1))

    def rates(self, t: float, y: Array) -> Array:
        """ẏ; the multipliers of the conditions are left in ``reactions``."""
        q, xi = self.split(y)
        mass, force, v, turned = self.unconstrained(t, q, xi)
        change = self._solved(mass, force, *self.limits(t, q, xi, v, turned))
        return np.concatenate([v.ravel(), change])

    def _solved(self, mass: Array, force: Array, rows: Array, sides: Array) -> Array:
        if not len(rows):
            self.reactions = np.empty(0)
            return np.asarray(np.linalg.solve(mass, force))
        free, part, triangle, order, rank = null_space(rows)
        special = part @ scipy.linalg.solve_triangular(triangle[:rank, :rank].T, sides[order[:rank]], lower=True)
        inner = free.T @ mass @ free
        gain = np.linalg.solve(inner, free.T @ (force - mass @ special)) if free.shape[1] else np.zeros(0)
        change = special + free @ gain
        found = np.zeros(len(rows))
        found[order[:rank]] = scipy.linalg.solve_triangular(triangle[:rank, :rank], part.T @ (mass @ change - force))
        self.reactions = found
        return np.asarray(change)

    @cached_property
    def conditioned(self) -> bool:
        """Whether there is any condition."""
        return bool(self.conditions)

    def residuals(self, t: float, y: Array) -> tuple[Array, Array]:
        """Values of the positional conditions, and of all conditions on velocities (their rates included)."""
        q, xi = self.split(y)
        v = self.velocity(t, q, xi)
        places, speeds = [np.zeros(0)], [np.zeros(0)]
        for condition, made in zip(self.conditions, self._conditions):
            at = made[0]
            table = self.rows(t, q, xi, at, condition.points)
            if condition.positional:
                flow = np.stack([v @ e.T for e in at])
                places.append(made[1](table)[:, 0])
                speeds.append(np.einsum("kja,jak->k", made[2](table), flow) + made[4](table)[:, 0])
            else:
                speeds.append(made[1](table)[:, 0])
        return np.concatenate(places), np.concatenate(speeds)

    def projected(self, t: float, y: Array) -> Array:
        """The nearest state that obeys the conditions: places by Gauss–Newton, then velocities."""
        if not self.conditions:
            return y
        for _ in range(8):
            q, xi = self.split(y)
            gap, _ = self.residuals(t, y)
            if not len(gap) or np.max(np.abs(gap)) < 1e-13:
                break
            y = y.copy()
            y[: self.width * self.count] -= np.linalg.lstsq(self._place_slopes(t, q, xi), gap, rcond=RANK)[0]
        q, xi = self.split(y)
        rows, _ = self.limits(t, q, xi, self.velocity(t, q, xi), np.zeros_like(q))
        y = y.copy()
        y[self.width * self.count :] -= np.linalg.lstsq(rows, self._speed_gap(t, y, rows), rcond=RANK)[0]
        return y

    def _speed_gap(self, t: float, y: Array, rows: Array) -> Array:
        """The residuals of velocities in the order of the rows."""
        q, xi = self.split(y)
        v = self.velocity(t, q, xi)
        found = [np.zeros(0)]
        for condition, made in zip(self.conditions, self._conditions):
            table = self.rows(t, q, xi, made[0], condition.points)
            if condition.positional:
                flow = np.stack([v @ e.T for e in made[0]])
                found.append(np.einsum("kja,jak->k", made[2](table), flow) + made[4](table)[:, 0])
            else:
                found.append(made[1](table)[:, 0])
        return np.concatenate(found)

    def _place_slopes(self, t: float, q: Array, xi: Array) -> Array:
        rows = [np.zeros((0, q.size))]
        for condition, made in zip(self.conditions, self._conditions):
            if condition.positional:
                slope = made[2](self.rows(t, q, xi, made[0], condition.points))
                rows.append(
                    sum(np.einsum("ka,kp->kap", slope[:, j], made[0][j]) for j in PLACES).reshape(len(slope), -1)
                )
        return np.vstack(rows)


def null_space(rows: Array) -> tuple[Array, Array, Array, NDArray[np.intp], int]:
    """A basis of the kernel, one of the row space, and the triangular factor with the order of its rows and its rank."""
    q, r, order = scipy.linalg.qr(rows.T, pivoting=True)
    size = np.abs(np.diag(r))
    rank = int(np.sum(size > RANK * max(size[0], 1e-300))) if len(size) else 0
    return q[:, rank:], q[:, :rank], r, order, rank


def constants(values: Mapping[str, float], names: Sequence[str]) -> Array:
    """Parameters in their order."""
    return np.array([float(values[n]) for n in names])
