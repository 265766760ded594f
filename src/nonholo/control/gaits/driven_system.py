"""A system whose shape variables follow Fourier series of time, their coefficients among its parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr
from nonholo.geometry.frames.frame import rate
from nonholo.model.system import TIME, System, resolve, varied

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Loop:
    """Shape variables by Fourier series: row a holds ``mean, cos 1, sin 1, cos 2, sin 2, …`` of shape variable a."""

    shape: tuple[str, ...]
    coefficients: Array
    period: float

    @property
    def harmonics(self) -> int:
        """The number of harmonics."""
        return (self.coefficients.shape[1] - 1) // 2

    def basis(self, times: Array) -> tuple[Array, Array]:
        """The functions that the coefficients belong to, and their derivatives, (time, coefficient)."""
        w = 2 * np.pi / self.period
        values, slopes = [np.ones_like(times)], [np.zeros_like(times)]
        for k in range(1, self.harmonics + 1):
            values += [np.cos(k * w * times), np.sin(k * w * times)]
            slopes += [-k * w * np.sin(k * w * times), k * w * np.cos(k * w * times)]
        return np.column_stack(values), np.column_stack(slopes)

    def values(self, times: Array) -> Array:
        """The shape, (time, variable)."""
        return np.asarray(self.basis(times)[0] @ self.coefficients.T)

    def rates(self, times: Array) -> Array:
        """The shape velocity, (time, variable)."""
        return np.asarray(self.basis(times)[1] @ self.coefficients.T)

    def named(self) -> dict[str, float]:
        """The coefficients as parameters of the driven system."""
        names = coefficient_names(self.shape, self.harmonics)
        return dict(zip((n for row in names for n in row), self.coefficients.ravel().tolist())) | {"gait_period": self.period}


def coefficient_names(shape: Sequence[str], harmonics: int) -> list[list[str]]:
    """The parameters' names: ``phi_mean, phi_cos1, phi_sin1, …``."""
    return [[f"{c}_mean", *(f"{c}_{f}{k}" for k in range(1, harmonics + 1) for f in ("cos", "sin"))] for c in shape]


def driven_system(system: System, shape: Sequence[str], harmonics: int) -> System:
    """The system with its shape bound to the series: ``ċ = d/dt series`` as constraints; its inputs do nothing any more."""
    names = coefficient_names(shape, harmonics)
    w = 2 * se.pi / symbol("gait_period")
    rows: list[Expr] = []
    for c, (_, *own) in zip(shape, names):
        series = se.Add(*(
            symbol(own[2 * k]) * se.cos((k + 1) * w * TIME) + symbol(own[2 * k + 1]) * se.sin((k + 1) * w * TIME)
            for k in range(harmonics)
        ))  # fmt: skip
        rows.append(resolve(system, [symbol(rate(c))])[0] - series.diff(TIME))
    idle: Mapping[Any, Expr] = {symbol(u): se.Integer(0) for u in system.inputs}
    return varied(
        system,
        parameters=(*system.parameters, *(n for row in names for n in row), "gait_period"),
        constraints=(*(e.subs(idle) for e in system.constraints), *rows),
        forces={n: e.subs(idle) for n, e in system.forces.items()},
        inputs=(), start={}, page=None, drawing=None,
    )  # fmt: skip


def fourier_loop(shape: Mapping[str, Any], period: float, harmonics: int) -> Loop:
    """The loop of values at equally spaced times of a period, by name."""
    names = tuple(shape)
    rows = []
    for c in names:
        values = np.asarray(shape[c], dtype=float)
        found = np.fft.rfft(values) / len(values)
        row = [found[0].real]
        for k in range(1, harmonics + 1):
            row += [2 * found[k].real, -2 * found[k].imag] if k < len(found) else [0.0, 0.0]
        rows.append(row)
    table = np.array(rows)
    return Loop(names, np.where(np.abs(table) > 1e-14 * (1 + np.max(np.abs(table))), table, 0.0), period)
