"""Numeric momenta with coefficients of several variables, transported by Taylor series along lines.

Where the prolongation closes, the derivatives of order N follow from those below, and these obey ``D_a j = S_a(s) j``. The
way does not matter, so that a motion is followed on straight lines between its states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.errors import StateError
from nonholo.symmetry.integrals.momentum_rates import Momenta, along_field, states, table
from nonholo.symmetry.integrals.several.pde_prolongation import Closure, derivatives, indices, jet_equations

RTOL = 1e-11
FAINT = 1e-7
"""Singular values below this part of the largest are zero."""


class Jets:
    """The closed system as numbers: what obeys the equations at a place, and how it goes on from there."""

    def __init__(self, closure: Closure, parameters: Mapping[str, float]) -> None:
        from scipy.sparse import csr_array

        equation, order = closure.equation, closure.order
        self.closure, self.parameters = closure, dict(parameters)
        self.m, self.size, self.order = len(equation.variables), equation.size, order
        self.columns = {(k, g): self.size * i + k for i, g in enumerate(indices(self.m, order)) for k in range(self.size)}
        self.low = self.size * len(indices(self.m, order - 1))
        self.derivatives = derivatives(equation, order - 1)
        found = equation.found
        names = [*map(str, found.coordinates), *map(str, found.speeds), *found.system.parameters]
        self.function = numeric_function(symbols(names), [*self.derivatives.values(), ONE])
        count = 2 * self.size * (self.m + 1) + 4
        others = states(found, count, parameters, seed=610)
        self.rows = np.array([[s[n] for n in names] for s in others])
        self.places = [names.index(str(v)) for v in equation.variables]
        keys = {key: i for i, key in enumerate(self.derivatives)}
        plan = [terms for _, terms in jet_equations(self.size, self.m, order)]
        width = len(self.columns)
        entries = [
            (factor, row * width + self.columns[k, gamma], keys[k, a, beta])
            for row, terms in enumerate(plan)
            for k, a, beta, factor, gamma in terms
        ]
        factors, rows, columns = zip(*entries)
        self.plan = csr_array((factors, (rows, columns)), shape=(len(plan) * width, len(keys)))
        # where each derivative of a jet stands, by variable
        self.steps = np.array(
            [
                [self.columns[k, tuple(e + int(a == j) for j, e in enumerate(g))] for a in range(self.m)]
                for (k, g), row in self.columns.items()
                if row < self.low
            ]
        )

    def matrix(self, place: Numbers) -> Numbers:
        """The equations at one value of the variables: one row for each derivative and each auxiliary state."""
        rows = self.rows.copy()
        rows[:, self.places] = place
        with np.errstate(all="ignore"):
            values = np.asarray(self.function(rows), dtype=float).reshape(len(rows), -1)[:, :-1]
        whole = (self.plan @ values.T).T.reshape(-1, len(self.columns))
        if not np.all(np.isfinite(whole)):
            shown = ", ".join(f"{v} = {e:.4g}" for v, e in zip(self.closure.equation.variables, place))
            raise StateError(f"the equations of the momenta are singular at {shown}.")
        size = np.max(np.abs(whole), axis=1, keepdims=True)
        return np.asarray(whole / np.where(size > 0, size, 1.0))

    def kernel(self, place: Numbers) -> Numbers:
        """Derivatives below the highest order of a basis of solutions at a place, by columns."""
        _, sizes, directions = np.linalg.svd(self.matrix(place))
        full = np.zeros(len(self.columns))
        full[: len(sizes)] = sizes
        if int(np.sum(full < FAINT * full[0])) != self.closure.dimension:
            raise StateError("the equations of the momenta are not generic at the start; start elsewhere.")
        return np.asarray(directions[len(full) - self.closure.dimension :, : self.low].T)

    def slope(self, place: Numbers, way: Numbers, jets: Numbers) -> Numbers:
        """The change of the jets along a direction."""
        matrix = self.matrix(place)
        top = -np.linalg.lstsq(matrix[:, self.low :], matrix[:, : self.low] @ jets, rcond=1e-10)[0]
        whole = np.concatenate([jets, top])
        return np.asarray(np.einsum("ra,a->r", whole[self.steps], way))

    def carried(self, jets: Numbers, begin: Numbers, end: Numbers) -> Numbers:
        """The jets from one place to another."""
        from scipy.integrate import solve_ivp

        way = end - begin
        if not np.any(way):
            return jets
        shape = jets.shape

        def right(t: float, y: Numbers) -> Numbers:
            return self.slope(begin + t * way, way, y.reshape(shape)).ravel()

        found = solve_ivp(right, (0.0, 1.0), jets.ravel(), method="DOP853", rtol=RTOL, atol=RTOL)
        if not found.success:
            raise StateError("the coefficients of the momenta could not be followed so far.")
        return np.asarray(found.y[:, -1]).reshape(shape)


@dataclass(frozen=True, eq=False)
class SeveralMomentum:
    """``P = Σ_k f_k(s) P_k`` with coefficients of several variables, as numbers; ``along(run)``, ``many(states)``."""

    jets: Jets
    origin: tuple[float, ...]
    direction: tuple[float, ...]
    """The jets at the origin, below the highest order."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of ``s``."""
        return tuple(map(str, self.jets.closure.equation.variables))

    def coefficients(self, places: Sequence[Sequence[float]]) -> Numbers:
        """``f_k`` at places, each reached from the one before, the first from the origin."""
        jets, here, result = np.array(self.direction), np.array(self.origin), []
        for place in places:
            there = np.array(place, dtype=float)
            jets, here = self.jets.carried(jets, here, there), there
            result.append(jets[: self.jets.size])
        return np.array(result)

    def many(self, given: Sequence[Mapping[str, float]]) -> Numbers:
        """The values at several states."""
        found = self.jets.closure.equation.found
        full = [{**self.jets.parameters, **s} for s in given]
        places = [[s[n] for n in self.variables] for s in full]
        return np.asarray(np.sum(self.coefficients(places) * self._momenta(found, full), axis=1))

    def _momenta(self, found: Momenta, full: Sequence[Mapping[str, float]]) -> Numbers:
        parts = [along_field(found, f)[0] for f in self.jets.closure.equation.fields]
        parts += [ONE] * (self.jets.size - len(parts))
        return table(found, parts, full)

    def along(self, run: Any) -> Numbers:
        """The values along a motion."""
        values = run.parameters
        if any(values.get(n, e) != e for n, e in self.jets.parameters.items()):
            raise StateError("the momentum was found for other parameters; call integrals(system, parameters=…) with these.")
        found = self.jets.closure.equation.found
        names = [*map(str, found.coordinates), *map(str, found.speeds)]
        columns = {n: np.asarray(run[n], dtype=float) for n in names}
        count = len(next(iter(columns.values())))
        return self.many([{n: float(c[k]) for n, c in columns.items()} for k in range(count)])

    def __str__(self) -> str:
        return f"a momentum with coefficients of {', '.join(self.variables)} known as numbers"


def several_momenta(closure: Closure, parameters: Mapping[str, float], origin: Sequence[float]) -> tuple[SeveralMomentum, ...]:
    """A basis of the momenta with coefficients of several variables, from a place on."""
    jets = Jets(closure, parameters)
    place = np.array(origin, dtype=float)
    return tuple(SeveralMomentum(jets, tuple(place.tolist()), tuple(c.tolist())) for c in jets.kernel(place).T)
