"""Poincaré sections: crossings of a surface by many motions, thousands for each."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.numeric_functions import Formulas
from nonholo.analyse.chaos.section_crossings import Crossings, crossings_in_one_frame, crossings_through_frames
from nonholo.derive.angle_coordinates import angle_coordinates
from nonholo.derive.states.feedback_laws import driven
from nonholo.errors import ModelError, Remedy, StateError, give_parameter, meant
from nonholo.integrate.contacts.mode_changes import refuse_switching
from nonholo.integrate.inputs import beginning
from nonholo.integrate.many.energy_levels import solved_levels
from nonholo.integrate.many.start_arrays import complete_states, members
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import formulation_of
from nonholo.integrate.motion.integration import Event
from nonholo.integrate.motion.simulate import chosen_method
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.outcome import Outcome
from nonholo.integrate.results.presenters import presenter
from nonholo.model.specialise import driven_by_laws
from nonholo.model.system import System, check_system, finite, known_parameters, parameter_values
from nonholo.model.velocities.driven_coordinates import held_inputs
from nonholo.symmetry.reduction.reduce import reduce
from nonholo.writing import write_bytes

if TYPE_CHECKING:
    import xarray as xr

LEAST = 4
"""A variable that passes less often is not taken."""


def reduced_columns(system: System, columns: Mapping[str, Numbers], given: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """The shape ``r`` and the invariant velocities ``y``, with ``v = X y + X_0``, from every name of the motion.

    ``columns`` are (start, crossing), ``given`` the parameters of each start.
    """
    held = held_inputs(driven_by_laws(system))
    if held:
        raise ModelError(
            f"{system.name}: the input {held[0]!r} stands in a constraint, and nothing is said of what it does; say it as a "
            f"formula of time or state in the system (inputs={{'{held[0]}': '0.3*sin(t)'}}), or as a number."
        )
    found = reduce(system)
    shape, basis = found.shape, found.basis
    sample = next(iter(columns.values()))
    names = [n for n in ("t", *system.coordinates, *system.velocities) if n in columns]
    table = {n: columns[n] for n in names} | {n: np.broadcast_to(a[:, None], sample.shape) for n, a in given.items()}
    rows = np.stack([a.ravel() for a in table.values()], axis=1)
    flat = [e for row in basis.columns for e in row]
    values = Formulas(list(table), [*shape.functions, *flat, *basis.drift]).rows(rows)
    size, width = len(shape.functions), len(basis.names)
    spread = values[:, size : size + len(flat)].reshape(len(rows), -1, width)
    velocity = np.stack([table[n].ravel() for n in system.velocities], axis=1)
    if basis.drift:
        velocity = velocity - values[:, size + len(flat) :]
    good = np.isfinite(spread).all(axis=(1, 2)) & np.isfinite(velocity).all(axis=1)
    speeds = np.full((len(rows), width), np.nan)
    if np.any(good):
        speeds[good] = np.einsum("kij,kj->ki", np.linalg.pinv(spread[good]), velocity[good])
    own = [str(s) for s in found.invariant_equations.speeds]
    result = {n: values[:, k].reshape(sample.shape) for k, n in enumerate(shape.names)}
    return result | {n: speeds[:, k].reshape(sample.shape) for k, n in enumerate(own)}


@dataclass(frozen=True, eq=False)
class Section:
    """Crossings of a surface. Made by `section`.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2")
    >>> nh.section(swing, {"q": 1}, "q", 3)["t"].round(6).tolist()
    [[1.570796, 4.712389, 7.853982]]
    """

    name: str
    event: str
    data: xr.Dataset = field(repr=False)
    """An xarray Dataset over (start, crossing): ``t``, every name of the motion and the energy, ``sign`` of the passage; over
    start ``outcome`` in words and ``crossings``, how many there are. What is missing is not a number."""
    outcomes: tuple[str, ...] = field(repr=False)
    """For each start ``reached``, or why there are fewer crossings than requested."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many crossings each start has."""
        return np.asarray(self.data["crossings"].values)

    def __getitem__(self, name: str) -> Numbers:
        """A quantity at the crossings, (start, crossing)."""
        if name not in self.data:
            known = [str(n) for n in self.data.data_vars]
            near = meant(name, known, f"it has {', '.join(known)}.")
            raise StateError(f"{self.name}: the section has no {name!r}; {near}")
        return np.asarray(self.data[name].values)

    def save(self, path: str | os.PathLike[str]) -> FilePath:
        """Keep the Dataset as NetCDF, written beside and renamed."""
        return write_bytes(path, bytes(self.data.to_netcdf(engine="h5netcdf")))

    def plot(self, *names: str, **options: Any) -> Any:
        """The crossings in the plane of two quantities, a colour for each start: axes of a figure."""
        return presenter("plot")(self, *names, **options)

    def __str__(self) -> str:
        total, count = int(self.counts.sum()), len(self.counts)
        lines = [f"{self.name}: {total} crossings of {self.event} = 0 from {count} start{'s' if count != 1 else ''}"]
        early: dict[str, list[int]] = {}
        for k, words in enumerate(self.outcomes):
            if words != "reached":
                early.setdefault(words, []).append(k)
        for words, who in early.items():
            listed = ", ".join(map(str, who[:6])) + (" …" if len(who) > 6 else "")
            lines.append(f"  start {listed}: {words}")
        return "\n".join(lines)


def section(
    system: System,
    starts: Any = None,
    event: Any = None,
    crossings: int = 1000,
    *,
    parameters: Mapping[str, Any] | None = None,
    direction: int = 0,
    level: Mapping[str, Any] | None = None,
    solve: Any = None,
    until: float | None = None,
    skip: int = 0,
    reduced: bool = False,
    method: str | Method = "dop853",
    rtol: float = 1e-9,
    atol: float = 1e-12,
    inputs: Mapping[str, Any] | None = None,
    threads: int | None = None,
    **options: Any,
) -> Section:
    """Where motions from ``starts`` pass through ``event = 0``, ``crossings`` times each, in the compiled loops.

    ``starts`` is a list of dicts or a dict of numbers and arrays (the system's own start unless given), ``event`` an expression
    as text, or an `Event`; ``direction`` +1 or -1 keeps passages upwards or downwards. ``level={"energy": 0.125}, solve="ydot"``
    puts all starts on one level. ``skip`` crossings are left out at the beginning (a transient). ``reduced`` gives shape
    variables and invariant velocities in place of coordinates and rates, by `reduce`. Motions go on until all crossings are
    found, or until ``until``; without it a motion that does not cross for a long time is given up. What was found is returned.

    >>> import nonholo as nh
    >>> bowl = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x**2/2 - y**2")
    >>> found = nh.section(bowl, {"y": [0.1, 0.2]}, "x", crossings=50, direction=1, level={"energy": 0.5}, solve="xdot")
    >>> print(found)
    system: 100 crossings of x = 0 from 2 starts
    >>> float(abs(found["y"]**2 + found["ydot"]**2/2 - [[0.01], [0.04]]).max()) < 1e-8
    True
    """
    refuse_switching(system, "section")
    check_system(system)
    wanted = _event(system, event, direction)
    for word, number, least in (("crossings", crossings, 1), ("skip", skip, 0)):
        if not isinstance(number, (int, np.integer)) or isinstance(number, bool) or number < least:
            raise StateError(f"{system.name}: {word} = {number!r} where a whole number ≥ {least} is needed.")
    chosen = chosen_method(method, rtol, atol, options)
    signals = dict(inputs or {})
    moved = driven(system, signals)
    numbers = known_parameters(system, parameters)
    if "g" in moved.closed.parameters:
        numbers.setdefault("g", parameter_values(moved.closed, {n: 1.0 for n in moved.closed.parameters if n != "g"})["g"])
    table, given, count = members(dict(system.start) if starts is None else starts, numbers, system.name)
    missing = [n for n in moved.closed.parameters if n not in given]
    if missing:
        raise StateError(f"{system.name}: the parameter {missing[0]!r} has no value;", remedy=give_parameter(missing[0]))
    time = float(table.get("t", np.zeros(1))[0])
    known = {n: beginning(e, time) for n, e in moved.others.items()}
    table = {**{n: np.full(count, e) for n, e in known.items() if e is not None}, **table}
    problems = [""] * count
    if level is not None:
        table, problems = solved_levels(system, table, given, count, level, solve)
    elif solve is not None:
        raise StateError(f'{system.name}: solve = {solve!r} without a level; give level={{"energy": …}} too.')
    full, broken = complete_states(moved.closed, table, given, count)
    problems = [a or b for a, b in zip(problems, broken)]
    bad = np.array(problems, dtype=bool)
    if bad.all():
        raise StateError(f"{system.name}: no start can be used; the first says: {problems[0]}")
    first = int(np.argmin(bad))
    place = {n: float(a[first]) for n, a in full.items()}
    initial = formulation_of(moved.closed, moved.laws).start(place, {n: float(a[first]) for n, a in given.items()})
    limit = None if until is None else finite(until, "until")
    horizon = system.until if system.until is not None else 10.0
    words = f"{system.name}: event {wanted.expression}"
    event_here = replace(wanted, expression=initial.kernel.expression(wanted.expression, words), terminal=crossings + skip)
    found = crossings_in_one_frame(
        initial, chosen, time, full, given, moved.others, event_here, limit, horizon, bad, threads, system.name
    )
    for k in np.flatnonzero([one is None for one in found]).tolist():
        if bad[k]:
            found[k] = Crossings.nothing(initial.kernel, Outcome("bad start", time, Remedy(problems[k])), problems[k])
            continue
        start = {n: float(a[k]) for n, a in table.items() if n not in system.inputs}
        one = {n: float(a[k]) for n, a in given.items()}
        event = replace(wanted, terminal=crossings + skip)
        found[k] = crossings_through_frames(system, start, one, signals, chosen, event, limit, horizon)
    complete = [c for c in found if c is not None]
    return _section_of(system, str(wanted.expression), complete, table, given, crossings, skip, reduced)


def _event(system: System, event: Any, direction: int) -> Event:
    if isinstance(event, Event):
        return replace(event, direction=direction or event.direction)
    if event is None or callable(event):
        raise StateError(
            f'{system.name}: event = {event!r}; a section needs an expression that passes through zero, e.g. event="x".'
        )
    if direction not in (-1, 0, 1):
        raise StateError(f"{system.name}: direction = {direction!r}; give 1 (upwards), -1 (downwards) or 0 (both).")
    return Event(event, direction)


def _section_of(
    system: System, event: str, found: list[Crossings], table: Mapping[str, Numbers], given: Mapping[str, Numbers],
    crossings: int, skip: int, reduced: bool,
) -> Section:  # fmt: skip
    import xarray as xr

    count = len(found)
    kept = [one.moving(given, k).cut(skip, crossings) for k, one in enumerate(found)]
    lengths = np.array([len(one.times) for one in kept])
    most = int(lengths.max(initial=0))
    parts = [one.columns(given, k) for k, one in enumerate(kept)]
    names = next((list(p) for p, n in zip(parts, lengths) if n), list(parts[0]))

    def spread(name: str) -> Numbers:
        result = np.full((count, most), np.nan)
        for k, part in enumerate(parts):
            if name in part and lengths[k]:
                result[k, : lengths[k]] = part[name]
        return result

    columns = {n: spread(n) for n in names}
    if reduced:
        columns = {**reduced_columns(system, columns, given), "energy": columns["energy"]}
    outcomes = tuple(one.words(crossings, event) for one in kept)
    data: dict[str, Any] = {"t": (("start", "crossing"), spread("t"), {"units": "s"})}
    data |= {n: (("start", "crossing"), a) for n, a in columns.items() if n != "t"}
    data["sign"] = (("start", "crossing"), spread("sign"))
    data |= {"outcome": ("start", np.array(outcomes)), "crossings": ("start", lengths)}
    coords = {f"start_{n}": ("start", a) for n, a in table.items()} | {f"parameter_{n}": ("start", a) for n, a in given.items()}
    attributes = {"system": system.name, "event": event, "angles": " ".join(angle_coordinates(system))}
    return Section(system.name, event, xr.Dataset(data, coords=coords, attrs=attributes), outcomes)


def default_section(system: System, run: Trajectory) -> str | None:
    """The variable that changes its sign most often along a motion, as the text of an event; the first of equals.

    Where none does, one that passes its own mean, as ``"y - 0.3"``; None where nothing comes back at all.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2 + 3*q", start={"q": 2.5})
    >>> default_section(swing, nh.simulate(swing, until=30.0))
    'qdot'
    >>> default_section(swing, nh.simulate(swing, until=0.1)) is None
    True
    """
    own = dict.fromkeys((*system.coordinates, *system.quasivelocities, *system.velocities))
    rates = dict.fromkeys(f"{x}dot" for x in system.coordinates)
    for names in (own, rates):
        counts = {name: _passages(run[name]) for name in names if name in run.names}
        if counts and max(counts.values()) >= LEAST:
            return max(counts, key=lambda name: counts[name])
    for name in (n for n in own if n in run.names):
        values = run[name]
        middle = float(f"{(np.max(values) + np.min(values)) / 2:.3g}")
        if np.ptp(values) > 1e-3 * (1e-3 + abs(middle)) and _passages(values - middle) >= LEAST:
            return f"{name} - {middle:g}" if middle >= 0 else f"{name} + {-middle:g}"
    return None


def _passages(values: np.ndarray) -> int:
    signs = np.sign(values[np.abs(values) > 1e-9 * (1e-300 + float(np.max(np.abs(values), initial=0.0)))])
    return int(np.sum(np.diff(signs) != 0))
