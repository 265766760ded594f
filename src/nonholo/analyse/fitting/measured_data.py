"""Measured data as one table: times, names, numbers; from xarray, pandas, a file or a mapping."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.errors import StateError
from nonholo.model.files.time_tables import read_columns

TIME = ("t", "time")


@dataclass(frozen=True, eq=False)
class Samples:
    """What was observed: ``values[k, j]`` is ``names[j]`` at ``times[k]``, not a number where nothing was seen.

    Times increase strictly; two rows of the same time stay two rows (``place`` is the index of each row's time).
    """

    times: Numbers
    names: tuple[str, ...]
    values: Numbers
    place: NDArray[np.int64]


def samples(data: Any, where: str) -> Samples:
    """A user's data, read and checked.

    >>> found = samples({"t": [0.0, 1.0], "x": [0.5, float("nan")]}, "doctest")
    >>> found.names, found.times.tolist(), found.values.tolist()
    (('x',), [0.0, 1.0], [[0.5], [nan]])
    """
    columns = _columns(data, where)
    named = [n for n in TIME if n in columns]
    if not named:
        raise StateError(
            f"{where}: the data have no time; name a column or dimension t (or time), found {', '.join(columns)}."
        )
    times = columns.pop(named[0])
    names = tuple(columns)
    if not names:
        raise StateError(
            f"{where}: the data have times and nothing else; give at least one column with an observed quantity."
        )
    for name, values in columns.items():
        if values.shape != times.shape:
            raise StateError(
                f"{where}: {name!r} has shape {values.shape} where there are {len(times)} times; give one number each."
            )
    values = np.stack(list(columns.values()), axis=1)
    if not np.all(np.isfinite(times)):
        raise StateError(f"{where}: a time is not finite; give a number for each row.")
    if np.any(np.isinf(values)):
        raise StateError(f"{where}: a value is infinite; leave the cell empty (not a number) where nothing was seen.")
    order = np.argsort(times, kind="stable")
    distinct, place = np.unique(times[order], return_inverse=True)
    return Samples(distinct, names, values[order], np.asarray(place, dtype=np.int64))


def spread(sigma: Any, found: Samples, where: str) -> Numbers | None:
    """The standard deviation of every sample; None where nothing is known of it.

    ``sigma`` is a number for all, numbers by name, or a table like the data.
    """
    if sigma is None:
        return None
    shape = found.values.shape
    if (
        isinstance(sigma, Mapping)
        and not any(n in sigma for n in TIME)
        and all(np.ndim(e) == 0 for e in sigma.values())
    ):
        missing = [n for n in found.names if n not in sigma]
        if missing:
            raise StateError(
                f'{where}: sigma has no number for {missing[0]!r}; give sigma={{"{missing[0]}": 0.01, …}}.'
            )
        result = np.broadcast_to([_number(sigma[n], where) for n in found.names], shape)
    elif np.ndim(sigma) == 0 and not isinstance(sigma, (str, os.PathLike, Mapping)) and not hasattr(sigma, "dims"):
        result = np.full(shape, _number(sigma, where))
    else:
        table = samples(sigma, f"{where}: sigma")
        if table.names != found.names or table.values.shape != shape or not np.array_equal(table.times, found.times):
            raise StateError(f"{where}: sigma is a table unlike the data; give the same times and columns.")
        result = table.values
    seen = ~np.isnan(found.values)
    if not np.all(result[seen] > 0) or not np.all(np.isfinite(result[seen])):
        raise StateError(f"{where}: a sigma is not a positive number; give one for each sample that was seen.")
    return np.array(result, dtype=float)


def _number(value: Any, where: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise StateError(f"{where}: sigma {value!r} is not a number.") from None


def _columns(data: Any, where: str) -> dict[str, Numbers]:
    """Arrays by name."""
    if isinstance(data, (str, os.PathLike)):
        columns = read_columns(data)
        return {n: np.array(e) for n, e in columns.items()}
    if isinstance(data, Mapping) and not hasattr(data, "data_vars"):
        return {str(n): _array(e, n, where) for n, e in data.items()}
    if hasattr(data, "data_vars"):  # an xarray Dataset
        dimension = next((n for n in TIME if n in data.dims), None)
        if dimension is None:
            raise StateError(
                f"{where}: the Dataset has dimensions {', '.join(map(str, data.dims))} and no t (or time)."
            )
        flat = {str(n): e for n, e in data.data_vars.items() if e.dims == (dimension,)}
        return {
            dimension: _array(data[dimension].values, dimension, where),
            **{n: _array(e.values, n, where) for n, e in flat.items()},
        }
    if hasattr(data, "dims") and hasattr(data, "to_dataset"):  # a DataArray
        if getattr(data, "name", None) is None:
            raise StateError(f"{where}: the DataArray has no name; data.rename('x') says what was observed.")
        return _columns(data.to_dataset(), where)
    if hasattr(data, "columns") and hasattr(data, "index"):  # a pandas DataFrame
        table = data if any(n in data.columns for n in TIME) else data.reset_index(names="t")
        return {str(n): _array(table[n].to_numpy(), n, where) for n in table.columns}
    raise StateError(
        f"{where}: data of type {type(data).__name__} where a Dataset, a DataFrame, the path of a CSV file or a mapping of "
        "arrays is needed."
    )


def _array(values: Any, name: Any, where: str) -> Numbers:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise StateError(
            f"{where}: {name!r} holds something that is not a number; leave a cell empty where nothing was seen."
        ) from None
