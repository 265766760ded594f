"""Values and drift of first integrals along a trajectory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Expr
from nonholo.errors import NonholoError
from nonholo.finding import Finding, FirstIntegral
from nonholo.integrate.results.quantity_arrays import Quantity

LETTERS = "CKFZ"
"""Integrals are called C1, C2, …, or by the next letter where the system uses this one itself."""
ENERGY = "the energy"
"""Its name among what is followed, since a motion has it as a column already."""


@dataclass(frozen=True, eq=False)
class IntegralDrift:
    """The values of one integral along a motion, and the size of the terms it is made of."""

    name: str
    values: NDArray[np.float64]
    size: float
    expression: Expr | None = None
    """The integral in the system's names, where it is a formula."""

    @property
    def drift(self) -> float:
        """The largest deviation from the initial value, normalised as in `Finding.drift`."""
        change = float(np.max(np.abs(self.values - self.values[0])))
        return change / self.size if self.size > 1e-12 else change


def driven(inputs: Mapping[str, Any]) -> bool:
    """Whether inputs act: then integrals of the free system need not stay what they are.

    >>> driven({"tau": 0.0}), driven({"tau": "0.4*sin(t)"}), driven({})
    (False, True, False)
    """
    return any(not (isinstance(value, (int, float)) and value == 0) for value in inputs.values())


def integral_drifts(system: Any, findings: Iterable[Finding], run: Any) -> list[IntegralDrift | None]:
    """For each finding its values along the motion; None when it is no integral, or cannot be followed there."""
    letter, numbers = letter_for(system), count(1)
    return [_drift_of(finding, run, letter, numbers) for finding in findings]


def _drift_of(finding: Finding, run: Any, letter: str, numbers: Iterator[int]) -> IntegralDrift | None:
    # what is constant only while inputs rest, or for some values of the parameters, need not be so on a motion
    if not finding or finding.expression is None or not isinstance(finding.data, FirstIntegral) or finding.data.when:
        return None
    try:
        values, size = finding.followed(run)
    except NonholoError:  # the motion leaves the interval where the integral is known
        return None
    if not len(values) or not np.all(np.isfinite(values)):
        return None
    name = ENERGY if finding.data.energy else f"{letter}{next(numbers)}"
    return IntegralDrift(name, np.asarray(values, dtype=float), size, finding.formula)


def letter_for(system: Any) -> str:
    """A capital letter whose numbered names the system does not use."""
    names = {*system.coordinates, *system.velocities, *system.parameters, *system.quasivelocities, *system.inputs}
    heads = {n.rstrip("0123456789") for n in names}
    return next((x for x in LETTERS if x not in heads), "const")


def with_integrals(run: Any, kept: Iterable[IntegralDrift]) -> Any:
    """The motion with the integrals as further columns; the energy is one already."""
    columns = {one.name: Quantity(one.values, {"kind": "watched", "size": one.size}) for one in kept if one.name != ENERGY}
    return run.with_quantities(columns) if columns else run
