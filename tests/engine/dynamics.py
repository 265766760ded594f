"""The equations with multipliers in NumPy, from the text alone: nothing of nonholo's is used here."""

from __future__ import annotations

from typing import Any

import numpy as np
import symengine as se

from tests.engine.record import Expr, Known, T, rate_of

Array = Any
STEP = 2e-5
"""Of central differences."""


def _function(names: list[Expr], exprs: list[Expr]) -> Any:
    """Numbers of expressions, in the order given; an empty array where there are none."""
    if not exprs:
        return lambda row: np.zeros(0)
    made = se.Lambdify(names, exprs)
    return lambda row: np.asarray(made(row), dtype=float).ravel()


class Dynamics:
    """Accelerations, admissible states and tests of claims, for one system and its own parameters."""

    def __init__(self, one: Known, parameters: dict[str, float] | None = None) -> None:
        self.known, self.n = one, len(one.coordinates)
        values = {**one.parameters, **(parameters or {})}
        self.values = {se.Symbol(n): se.RealDouble(float(v)) for n, v in values.items()}
        q, v = one.q, one.v
        self.names = [*q, *v, T]
        momenta = [one.lagrangian.diff(s) for s in v]
        metric = [p.diff(s) for p in momenta for s in v]
        carried = rate_of(momenta, one)
        forces = [one.forces.get(c, se.Integer(0)) for c in one.coordinates]
        push = [one.lagrangian.diff(s) + f - c for s, f, c in zip(q, forces, carried)]
        first = rate_of(one.holonomic, one)  # the rates of holonomic constraints are constraints too
        self.residuals = [*one.constraints, *first]
        slopes = [e.diff(s) for e in self.residuals for s in v]
        drift = rate_of(self.residuals, one)
        self.rows = len(self.residuals)
        self._all = self.function([*metric, *push, *slopes, *drift])
        self._held = self.function([*self.residuals])
        self._leaf = self.function([*one.holonomic])
        self._leaf_slopes = self.function([e.diff(s) for e in one.holonomic for s in q])
        self._slopes = self.function(slopes)

    def function(self, exprs: list[Expr]) -> Any:
        return _function(self.names, [se.sympify(e).xreplace(self.values) for e in exprs])

    def acceleration(self, row: Array) -> Array:
        """``q̈`` at a state ``(q, q̇, t)``."""
        n, m = self.n, self.rows
        numbers = self._all(row)
        metric, push = numbers[: n * n].reshape(n, n), numbers[n * n : n * n + n]
        slopes = numbers[n * n + n : n * n + n + m * n].reshape(m, n)
        drift = numbers[n * n + n + m * n :]
        whole = np.block([[metric, -slopes.T], [slopes, np.zeros((m, m))]])
        return np.linalg.solve(whole, np.concatenate([push, -drift]))[:n]

    def field(self, row: Array) -> Array:
        return np.concatenate([row[self.n : 2 * self.n], self.acceleration(row), [1.0]])

    def states(self, count: int, seed: int) -> list[Array]:
        """Random admissible states: holonomic constraints by Newton's method, then the velocities."""
        random = np.random.default_rng(seed)
        result: list[Array] = []
        for _ in range(20 * count):
            q = np.array([random.uniform(*self.known.box(c)) for c in self.known.coordinates])
            row = np.concatenate([q, random.uniform(-1, 1, self.n), [random.uniform(0, 1)]])
            if self._placed(row) and np.all(np.isfinite(self.acceleration(row))):
                result.append(row)
            if len(result) == count:
                return result
        raise AssertionError(f"the engine finds no admissible states of {self.known.name}")

    def _placed(self, row: Array) -> bool:
        n = self.n
        for function, slopes, part in (
            (self._leaf, self._leaf_slopes, slice(0, n)),
            (self._held, self._slopes, slice(n, 2 * n)),
        ):
            for _ in range(30):
                gap = function(row)
                if not len(gap) or np.max(np.abs(gap)) < 1e-13:
                    break
                row[part] -= np.linalg.pinv(slopes(row).reshape(len(gap), n)) @ gap
            if len(gap) and not np.max(np.abs(gap)) < 1e-11:
                return False
        return all(
            self.known.box(c)[0] - 1 < row[k] < self.known.box(c)[1] + 1 for k, c in enumerate(self.known.coordinates)
        )

    def drift_of(self, integral: Expr, states: list[Array]) -> float:
        """The largest rate of a function along the motion, relative to the terms that cancel in it."""
        whole = se.sympify(integral)
        slopes = self.function([whole.diff(s) for s in self.names])
        worst = 0.0
        for row in states:
            slope, rate = slopes(row), self.field(row)
            parts = slope * rate
            if np.all(np.isfinite(parts)):
                floor = 1e-3 * float(np.max(np.abs(slope))) * float(np.max(np.abs(rate)))
                worst = max(worst, abs(float(np.sum(parts))) / (1e-12 + floor + float(np.sum(np.abs(parts)))))
        return worst

    def departure(self, field: tuple[Expr, ...], states: list[Array]) -> float:
        """How far a field is from carrying motions to motions: its two prolongations against constraints and accelerations."""
        one, n = self.known, self.n
        xi = [se.sympify(e) for e in field]
        first = rate_of(xi, one)
        second = rate_of(first, one)
        prolonged = self.function([*xi, *first, *second, *(e.diff(q) for e in xi for q in one.q)])
        worst = 0.0
        for row in states:
            numbers = prolonged(row)
            a = self.acceleration(row)
            shift = np.concatenate([numbers[: 2 * n], [0.0]])
            turned = numbers[2 * n : 3 * n] + numbers[3 * n :].reshape(n, n) @ a
            size = float(np.max(np.abs(shift)))
            if size < 1e-9:  # a field that vanishes on the leaf moves nothing
                continue
            step = STEP / size
            ahead, behind = row + step * shift, row - step * shift
            gaps = [(f(ahead) - f(behind)) / (2 * step) for f in (self._leaf, self._held)]
            change = (self.acceleration(ahead) - self.acceleration(behind)) / (2 * step)
            scale = size * (1.0 + float(np.max(np.abs(a), initial=0.0)))
            worst = max([worst, *(float(np.max(np.abs(g), initial=0.0)) / size for g in gaps)])
            if worst < 1e-5:  # only a field that keeps the constraints can be asked for more
                worst = max(worst, float(np.max(np.abs(change - turned))) / scale)
        return worst

    def rank(self, exprs: list[Expr], row: Array) -> int:
        """How many functions are independent on the admissible states near one of them."""
        held = [*self.known.holonomic, *self.residuals]

        def count(some: list[Expr]) -> int:
            rows = [self.function([se.sympify(e).diff(s) for s in self.names])(row) for e in some]
            sized = [r / np.linalg.norm(r) for r in rows if np.linalg.norm(r) > 1e-10]
            return int(np.linalg.matrix_rank(np.array(sized), 1e-8)) if sized else 0

        return count([*held, *exprs]) - count(held)
