"""Inputs as a user gives them, as one table by name: files, pandas tables, one function for several inputs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nonholo.errors import StateError, meant
from nonholo.integrate.controller_view import ControllerState
from nonholo.integrate.inputs import Controller, Sampled, sees_state
from nonholo.model.files.time_tables import ENDINGS, read_columns, read_table

TIMES = ("t", "time")
"""Names of a column that holds the times."""


def given_inputs(given: Any, names: Sequence[str], where: str) -> dict[str, Any]:
    """Inputs by name: from a table by name, a DataFrame or CSV file with one column each, or a function of all of them.

    >>> both = given_inputs(lambda t: {"u": 2 * t, "w": -t}, ("u", "w"), "cart")
    >>> both["u"](3.0), both["w"](3.0)
    (6.0, -3.0)
    """
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return {str(n): _single_input(e, str(n), where) for n, e in given.items()}
    if isinstance(given, (Controller, Sampled)) or callable(given):
        return _common_function(given, names, where)
    if _made_by(given, "pandas") and hasattr(given, "columns"):
        return _columns(given, names, where)
    if _is_file(given):
        columns = read_columns(given)
        times = next((columns.pop(n) for n in TIMES if n in columns), None)
        if times is None:
            raise StateError(f"{where}: inputs: {given} has no column t with the times; found {', '.join(columns)}.")
        return {n: (times, columns[n]) for n in names if n in columns}
    raise StateError(
        f'{where}: inputs: {str(given)[:60]!r} where a dict is needed; give inputs={{"u": 0.5}}, a function of time (and state) '
        "that returns a dict, a DataFrame or a CSV file."
    )


def _single_input(value: Any, name: str, where: str) -> Any:
    """One input: a file becomes a table, a Series or DataArray a pair of times and values."""
    if _is_file(value):
        return read_table(value, name)
    if _made_by(value, "pandas"):
        if hasattr(value, "columns"):
            columns = _columns(value, (name,), where)
            if name not in columns:
                raise StateError(f"{where}: input {name}: no column of the table is called {name!r}.")
            return columns[name]
        return _times(value.index, where), np.asarray(value, dtype=float)
    if _made_by(value, "xarray") and "t" in getattr(value, "coords", {}):
        return np.asarray(value["t"], dtype=float), np.asarray(value, dtype=float)
    return value


def _is_file(value: Any) -> bool:
    return isinstance(value, os.PathLike) or (isinstance(value, str) and value.strip().lower().endswith(ENDINGS))


def _made_by(value: Any, package: str) -> bool:
    return type(value).__module__.split(".")[0] == package


def _columns(frame: Any, names: Sequence[str], where: str) -> dict[str, Any]:
    """The columns of a DataFrame by name; the times are its column ``t``, or its index."""
    column = next((n for n in TIMES if n in frame.columns), None)
    times = _times(frame.index if column is None else frame[column], where)
    found = {n: (times, np.asarray(frame[n], dtype=float)) for n in names if n in frame.columns}
    if not found:
        raise StateError(f"{where}: inputs: the table has no column {' or '.join(map(repr, names))}; name its columns so.")
    return found


def _times(index: Any, where: str) -> Any:
    """The times of an index in seconds; durations are converted."""
    try:
        return np.asarray(index.total_seconds() if hasattr(index, "total_seconds") else index, dtype=float)
    except (TypeError, ValueError):
        found = "the index of the table is no list of times in seconds; set it or add a column t."
        raise StateError(f"{where}: inputs: {found}") from None


def _common_function(given: Any, names: Sequence[str], where: str) -> dict[str, Any]:
    """One function that gives all inputs: by name in a dict, or a sequence in the order of the inputs."""
    if not names:
        raise StateError(f"{where}: inputs: a function is given, but the system has no inputs.")
    if isinstance(given, Controller):
        _check_names(given, names, where)
        return {n: given.one(n, f) for n, f in _functions_of_common(given.function, names, where).items()}
    if isinstance(given, Sampled):
        return {n: Sampled(f, given.every) for n, f in _functions_of_common(given.function, names, where).items()}
    return _functions_of_common(given, names, where)


def _check_names(given: Controller, names: Sequence[str], where: str) -> None:
    """Limits and first values of inputs that exist."""
    for table, what in ((given.limits, "limits"), (given.initial, "initial")):
        for name in table if isinstance(table, Mapping) else ():
            if name not in names:
                hint = meant(name, names, f"its inputs are {', '.join(names)}.")
                raise StateError(f"{where}: controller: {what} of {name!r}, which is no input; {hint}")


def _functions_of_common(function: Callable[..., Any], names: Sequence[str], where: str) -> dict[str, Callable[..., Any]]:
    """A function for each input; the last result is cached, so that the common function is called once per state."""
    last: list[tuple[Any, Any]] = [(None, None)]

    def answer(key: Any, *given: Any) -> Any:
        known, found = last[0]
        if known != key:
            found = function(*given)
            last[0] = (key, found)
        return found

    def part(k: int, name: str) -> Callable[..., Any]:
        def of_time(t: float) -> Any:
            return _component(answer(t, t), k, name, names, where)

        def of_state(t: float, state: ControllerState) -> Any:
            return _component(answer(state.key, t, state), k, name, names, where)

        return of_state if sees_state(function) else of_time

    return {n: part(k, n) for k, n in enumerate(names)}


def _component(answer: Any, k: int, name: str, names: Sequence[str], where: str) -> Any:
    if isinstance(answer, Mapping):
        if name in answer:
            return answer[name]
        raise StateError(f"{where}: inputs: the function gave {', '.join(map(str, answer)) or 'nothing'}, but not {name!r}.")
    if np.ndim(answer) == 1 and len(answer) == len(names):
        return answer[k]
    if len(names) == 1:
        return answer
    raise StateError(
        f"{where}: inputs: the function gave {str(answer)[:60]} where a dict of the inputs {', '.join(names)} is needed."
    )
