"""Derivatives of reactions by time, state, inputs and parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.compile.rates_jacobian import JacobianTable
from nonholo.integrate.motion.compiled_equations import Derived, on_rows
from nonholo.integrate.results.named_quantities import parts_of, reacting, solved_rows
from nonholo.model.system import System
from nonholo.program.derivative import jacobian
from nonholo.program.machine_code import Sheet, undifferentiable
from nonholo.program.partials import NoDerivative

Array = np.ndarray[Any, np.dtype[np.float64]]
AT_ONCE = 4_000_000
"""So many numbers are held at a time."""


class ReactionSlopes:
    """``∂λ`` (or ``∂R``) of one set of equations by every column of the input vector.

    ``R = G v̇ − f`` and ``Aᵀ λ = R`` give ``∂R = ∂G v̇ + G ∂v̇ − ∂f`` and ``Aᵀ ∂λ = ∂R − ∂Aᵀ λ``; what stands there depends on
    the input vector and on the rates of the state, whose own slopes are those of the equations of motion. Constraints that depend
    on each other leave the reactions open, and their slopes.
    """

    def __init__(self, derived: Derived, system: System) -> None:
        self.derived, self.ready = derived, reacting(derived, system)
        self.names = self.ready.names
        program, width = self.ready.program, len(self.ready.arguments)
        try:
            slopes = jacobian(program, self.ready.outputs, [program.put("input", detail=k) for k in range(width)])
        except NoDerivative as problem:
            raise undifferentiable(problem, f"{derived.equations.name}: slopes of the reactions") from problem
        self._parts = Sheet(program, [i for row in slopes for i in row], width)
        self._rates = JacobianTable(derived.kernel, derived.symbols)

    def __call__(self, rows: Array) -> Array:
        """The slopes at every row: (rows, reaction, column)."""
        block = max(1, AT_ONCE // (len(self.ready.outputs) * len(self.ready.arguments)))
        parts = [self._block(rows[k : k + block]) for k in range(0, len(rows), block)]
        return np.concatenate(parts) if parts else np.empty((0, len(self.names), len(self.derived.symbols)))

    def _block(self, rows: Array) -> Array:
        equations, ready = self.derived.equations, self.ready
        kinematics, solved = solved_rows(equations, rows, self.derived.kernel)
        state = len(equations.state)
        full = np.hstack([rows, kinematics, solved[:, : len(equations.speeds)]])
        width = rows.shape[1]
        slopes = self._parts(full).reshape(len(rows), len(ready.outputs), full.shape[1])
        slopes = slopes[:, :, :width] + slopes[:, :, width:] @ self._rates(rows, solved)[:, :state]
        g, f, a, rows_a = parts_of(ready, on_rows(ready.code, full))
        dg, df, da, drows = parts_of(ready, slopes)
        change: Array = np.einsum("tijw,tj->tiw", dg, a) + np.einsum("tij,tjw->tiw", g, da) - df
        if not ready.count:
            return change
        force = np.einsum("tij,tj->ti", g, a) - f
        finite = np.all(np.isfinite(rows_a), axis=(1, 2)) & np.all(np.isfinite(change), axis=(1, 2))
        found = np.full((len(rows), ready.count, width), np.nan)
        inverse = np.linalg.pinv(rows_a[finite])
        multiplier = np.einsum("tij,ti->tj", inverse, force[finite])
        rest = change[finite] - np.einsum("tjiw,tj->tiw", drows[finite], multiplier)
        found[finite] = np.einsum("tij,tiw->tjw", inverse, rest)
        return found
