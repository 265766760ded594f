"""Quantities of a motion as plain arrays with their descriptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True, eq=False)
class Quantity:
    """The values of one quantity along a motion with its attributes: ``kind`` and, where known, ``units``."""

    values: NDArray[np.float64]
    words: Mapping[str, str | float] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """What it is: coordinate, rate, speed, energy, residual, reaction, …; empty where unknown."""
        return str(self.words.get("kind", ""))

    @property
    def unit(self) -> str:
        """Its own unit; empty where unknown."""
        return str(self.words.get("units", ""))


@dataclass(frozen=True, eq=False)
class Quantities(Mapping[str, Quantity]):
    """All quantities of a motion over one time ``t``, which is the last of them, and words on the motion as a whole.

    >>> Quantities({"x": Quantity(np.ones(2), {"kind": "coordinate"})}, np.arange(2.0), {})["t"].unit
    's'
    """

    columns: Mapping[str, Quantity]
    times: NDArray[np.float64]
    attributes: Mapping[str, str]

    def __getitem__(self, name: str) -> Quantity:
        return Quantity(self.times, {"units": "s"}) if name == "t" else self.columns[name]

    def __contains__(self, name: object) -> bool:
        return name == "t" or name in self.columns

    def __iter__(self) -> Iterator[str]:
        yield from self.columns
        yield "t"

    def __len__(self) -> int:
        return len(self.columns) + 1

    def with_more(self, more: Mapping[str, Quantity]) -> Quantities:
        """The same with further columns."""
        return Quantities({**self.columns, **more}, self.times, self.attributes)

    def dataset(self) -> xr.Dataset:
        """The quantities as an xarray Dataset."""
        import xarray as xr

        variables = {n: ("t", one.values, dict(one.words)) for n, one in self.columns.items()}
        return xr.Dataset(variables, coords={"t": ("t", self.times, {"units": "s"})}, attrs=dict(self.attributes))


class DatasetView(Mapping[str, Quantity]):
    """The variables of a Dataset as quantities, a view: changes of the Dataset are visible here."""

    __slots__ = ("_data",)

    def __init__(self, data: xr.Dataset) -> None:
        self._data = data

    def __getitem__(self, name: str) -> Quantity:
        variable = self._data.variables[name]
        return Quantity(variable.values, variable.attrs)

    def __contains__(self, name: object) -> bool:
        return name in self._data.variables

    def __iter__(self) -> Iterator[str]:
        return iter(map(str, self._data.variables))

    def __len__(self) -> int:
        return len(self._data.variables)


def departure(values: NDArray[np.float64], size: float | None = None) -> tuple[NDArray[np.float64], bool]:
    """How far a quantity is from its start at each time, relative to ``size``, and whether that was possible.

    The size is that of the start unless given; below 1e-12 it counts as zero and the departure is absolute, as in
    ``Trajectory.drift``.
    """
    change = np.abs(values - values[0])
    size = abs(float(values[0])) if size is None else size
    return (change / size, True) if size > 1e-12 else (change, False)
