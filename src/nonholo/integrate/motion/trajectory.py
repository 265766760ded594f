"""A computed motion with its names, its outcome and where it came from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import StateError, meant
from nonholo.integrate.contacts.mode_changes import Changes, changes_of, rows_of_changes
from nonholo.integrate.methods import called
from nonholo.integrate.outcome import Outcome
from nonholo.integrate.results.lazy_results import LazyResults
from nonholo.integrate.results.moving_view import seen_from
from nonholo.integrate.results.presenters import notebook_table, presenter
from nonholo.integrate.results.quantity_arrays import DatasetView, Quantities, Quantity

if TYPE_CHECKING:
    import xarray as xr

    from nonholo.integrate.results.motion_hints import MotionHint
    from nonholo.model.system import System

UNDECIDED = Outcome("interrupted", 0.0)


class _Data:
    """The field ``data``: it takes a Dataset or what one is made from, and builds the Dataset (with xarray) on first access."""

    @overload
    def __get__(self, run: None, owner: type[Trajectory]) -> _Data: ...
    @overload
    def __get__(self, run: Trajectory, owner: type[Trajectory]) -> xr.Dataset: ...
    def __get__(self, run: Trajectory | None, owner: type[Trajectory]) -> xr.Dataset | _Data:
        if run is None:
            raise AttributeError  # the field has no default
        held = run._held
        if not isinstance(held, (LazyResults, Quantities)):
            return held
        if isinstance(held, LazyResults):
            run.__dict__["_source"] = held
        built = _quantities(held).dataset().assign_attrs(outcome=str(run.outcome))
        run.__dict__["_data"] = built
        return built

    def __set__(self, run: Trajectory, value: xr.Dataset | Quantities | LazyResults) -> None:
        run.__dict__["_data"] = value


class _System:
    """The field ``system``: it takes a system, or the computation that knows it."""

    @overload
    def __get__(self, run: None, owner: type[Trajectory]) -> None: ...
    @overload
    def __get__(self, run: Trajectory, owner: type[Trajectory]) -> System | None: ...
    def __get__(self, run: Trajectory | None, owner: type[Trajectory]) -> System | None:
        held: System | LazyResults | None = None if run is None else run.__dict__["_system"]
        return held.system if isinstance(held, LazyResults) else held

    def __set__(self, run: Trajectory, value: System | LazyResults | None) -> None:
        run.__dict__["_system"] = value


def _quantities(held: LazyResults | Quantities) -> Quantities:
    return held.quantities if isinstance(held, LazyResults) else held


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A motion: ``data`` is an xarray Dataset over ``t`` with every named quantity, built at first access.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> run = nh.simulate(sleigh.system, sleigh.start, 5, sleigh.parameters)
    >>> run
    <Trajectory Chaplygin sleigh: t = 0 … 5, 401 points, reached>
    >>> run.drift("energy") < 1e-8, round(run.final["v"], 3), run["x"].shape
    (True, 1.602, (401,))
    """

    data: _Data = _Data()
    final: Mapping[str, float] = field(default_factory=FrozenMap)
    outcome: Outcome = UNDECIDED
    events: Mapping[str, NDArray[np.float64]] = field(default_factory=FrozenMap)
    """For each event its times, in order."""
    event_states: Mapping[str, list[dict[str, float]]] = field(default_factory=FrozenMap)
    """For each event the states at its times, as a list of dicts."""
    steps: int = 0
    calls: int = 0
    frames: int = 1
    """How many adapted frames the motion went through."""
    system: _System = _System()
    """The system with the numbers of this motion, so that ``simulate(run.system)`` is the same one; None for bare equations."""
    first: Mapping[str, float] = field(default_factory=FrozenMap, repr=False)
    """Every quantity at the start, also where the start is none of the stored times."""
    drifts: Mapping[str, float] = field(default_factory=FrozenMap, repr=False)
    """Drifts that do not follow from the stored values alone: that of the energy of a motion with inputs."""
    changes: Changes | None = field(default=None, repr=False)
    """What `modes` shows."""
    derivatives: Mapping[str, xr.DataArray] = field(default_factory=FrozenMap, repr=False)
    """What `sensitivity` and `event_sensitivity` show; empty unless computed by ``simulate(…, sensitivity=[…])``."""

    @property
    def sensitivity(self) -> xr.DataArray:
        """The derivatives of every quantity by those named in ``sensitivity=``: a DataArray (t, quantity, with_respect_to).

        Those of the reactions, which cost as much again, are in `reaction_sensitivity`.

        >>> import nonholo as nh
        >>> fall = nh.System(coordinates="z", parameters="g", lagrangian="zdot**2/2 - g*z")
        >>> run = nh.simulate(fall, {"zdot": 3}, 2, {"g": 9.81}, sensitivity=["g", "zdot"])
        >>> run.sensitivity.sel(quantity="z").values[-1].round(9).tolist()
        [-2.0, 2.0]
        """
        return self._derivative("motion")

    @property
    def reaction_sensitivity(self) -> xr.DataArray:
        """The derivatives of the reactions, computed at first access; not stored in files."""
        from nonholo.integrate.sensitivity.sensitivity import reactions_along

        if self._results is None or self._results.bundle is None:
            raise StateError(
                "the derivatives of reactions are known only where a motion was computed with simulate(…, sensitivity=[names])."
            )
        return reactions_along(self._results)

    @property
    def event_sensitivity(self) -> Mapping[str, xr.Dataset]:
        """For each event a Dataset: the derivatives of its ``time`` and of the ``state`` there, which moves with it."""
        return self._derivative("events")

    def _derivative(self, which: str) -> Any:
        if which not in self.derivatives:
            raise StateError(
                "the motion was read from a file, which does not hold the derivatives at events; compute it again for these."
                if self.derivatives
                else "the motion was computed without sensitivities; give simulate(…, sensitivity=[names])."
            )
        return self.derivatives[which]

    @property
    def contacts(self) -> xr.Dataset:
        """Forces, slip and place of every contact: a Dataset (t, contact).

        ``normal``, ``along`` and ``across`` in newtons, ``ratio`` of tangential to normal force (compare it with the coefficient
        of friction), ``slip`` speed, ``point``. Forces are exact reactions.

        >>> import nonholo as nh
        >>> disk = nh.System(coordinates="x z phi", parameters={"m": 2, "r": 0.5, "b": 0.3},
        ...     lagrangian="m/2*(xdot**2 + zdot**2) + m*r**2/4*phidot**2 - m*9.81*(z*cos(b) - x*sin(b))",
        ...     contacts=[{"name": "slope", "gap": "z - r", "slip": ["xdot - r*phidot"], "friction": 0.2}])
        >>> round(float(nh.simulate(disk, until=1).contacts.ratio[0, 0]), 9)  # tan(b)/3
        0.103112083
        """
        from nonholo.integrate.results.contact_forces import contact_data

        return contact_data(self._results, self.system)

    @property
    def contact_columns(self) -> Mapping[str, np.ndarray]:
        """What `contacts` shows as plain arrays (time, contact); empty where there are none, or where they are not known."""
        return self._results.contacts if self._results is not None else {}

    @property
    def sensors(self) -> xr.Dataset:
        """What the sensors of a machine read over time, sampled and with noise as they say; ``name_exact`` is without both."""
        from nonholo.integrate.results.sensor_readings import sensor_data

        return sensor_data(self._results, self.system)

    @property
    def modes(self) -> Changes:
        """The table of changes of the contacts' modes: ``time``, ``contact``, ``before``, ``after``, ``why``; print it."""
        return self.changes if self.changes is not None else Changes()

    @property
    def hints(self) -> tuple[MotionHint, ...]:
        """What looks like a slip, with the ``key`` of what it is about: nothing moves, a negative mass, degrees, a wheel lifts.

        >>> import nonholo as nh
        >>> free = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", constraints=["ydot - x*xdot"])
        >>> print(*nh.simulate(free, until=1).hints)
        is it meant that the start is at rest and stays there? No start is given ([start] in a file) and no force \
acts; give one of xdot, ydot at the start, e.g. ydot = 1.
        """
        from nonholo.integrate.results.motion_hints import run_hints

        return run_hints(self._results)

    @property
    def work(self) -> Any:
        """The work that forces and inputs have done on the system until each time; known while the motion is at hand."""
        if self._results is None:
            raise StateError("the motion was read from a file or changed; its work is known only where it was computed.")
        return self._results.work

    @property
    def _held(self) -> xr.Dataset | Quantities | LazyResults:
        """What the field ``data`` holds now."""
        held: xr.Dataset | Quantities | LazyResults = self.__dict__["_data"]
        return held

    @property
    def _results(self) -> LazyResults | None:
        """The computation; None where the motion was read from a file or changed."""
        held = self.__dict__.get("_source", self._held)
        return held if isinstance(held, LazyResults) else None

    @property
    def times(self) -> Any:
        """The times as an array."""
        return self._results.times if self._results is not None else self.quantities["t"].values

    @property
    def quantities(self) -> Mapping[str, Quantity]:
        """Every quantity and the time ``t`` by name: plain arrays with a word on each, whether there is a Dataset or not.

        >>> import nonholo as nh
        >>> fall = nh.System(coordinates="z", parameters="g", lagrangian="zdot**2/2 - g*z")
        >>> found = nh.simulate(fall, {"z": 1}, 2, {"g": 9.81}).quantities
        >>> {name: one.kind for name, one in found.items()}
        {'z': 'coordinate', 'zdot': 'speed', 'energy': 'energy', 't': ''}
        """
        held = self._held
        return _quantities(held) if isinstance(held, (LazyResults, Quantities)) else DatasetView(held)

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Words on the motion as a whole: system, parameters, start, method and form."""
        held = self._held
        return held.attributes if isinstance(held, (LazyResults, Quantities)) else held.attrs

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """The names of the quantities of one kind: coordinate, speed, energy, watched, residual, reaction, …"""
        return tuple(n for n in self.names if self.quantities[n].kind == kind)

    def with_quantities(self, more: Mapping[str, Quantity]) -> Trajectory:
        """The motion with further quantities over its times."""
        held = self._held
        if isinstance(held, (LazyResults, Quantities)):
            return replace(self, data=_quantities(held).with_more(more))
        return replace(self, data=held.assign({n: ("t", one.values, dict(one.words)) for n, one in more.items()}))

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters of the motion by name."""
        found: dict[str, float] = json.loads(self.attributes.get("parameters", "{}"))
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all quantities but time."""
        held = self._results or self._held
        return tuple(held.columns) if isinstance(held, (LazyResults, Quantities)) else tuple(map(str, held.data_vars))

    def __getitem__(self, name: str) -> Any:
        """The values of one quantity as an array."""
        results = self._results
        if results is not None and (name == "t" or name in results.plain):
            return results.times if name == "t" else results.plain[name][0]
        if results is not None and name in results.columns:
            return results.columns[name][0]
        if name not in self.quantities:
            near = meant(name, ["t", *self.names])
            raise StateError(f"the motion has no quantity {name!r}" + (f"; {near}" if near else "."))
        return self.quantities[name].values

    def drift(self, name: str) -> float:
        """The largest departure from the start, relative to the start's size (absolute where that is below 1e-12).

        Quantities that start at zero, such as residuals, therefore give their largest absolute value. Work is no drift: where
        inputs drive the motion, the drift of the energy is that of energy less work, all that forces and inputs have done.
        Where neither the start nor two points are known there is nothing to depart from: not a number.
        """
        if name == "energy" and name in self.drifts:
            return float(self.drifts[name])
        values = self[name]
        if len(values) < 2 and not (len(values) and name in self.first):
            return float("nan")
        start = np.asarray(self.first[name] if name in self.first else values[0], dtype=float)
        change = float(np.max(np.abs(values - start)))
        size = float(np.max(np.abs(start)))
        return change / size if size > 1e-12 else change

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the motion as NetCDF that plain xarray reads, with sensitivities along the motion but without those at events."""
        from nonholo.integrate.results import trajectory_files as stored

        words: dict[str, Any] = {
            "final": dict(self.final),
            "outcome": stored.outcome_words(self.outcome),
            "events": {k: list(map(float, v)) for k, v in self.events.items()},
            "cost": [self.steps, self.calls, self.frames],
            "first": dict(self.first),
            "drifts": dict(self.drifts),
            "modes": rows_of_changes(self.modes),
        }
        attributes = {"system_text": stored.system_text(self.system), "versions": json.dumps(stored.versions())}
        data = self.data
        if "motion" in self.derivatives:
            slopes = self.derivatives["motion"]
            words["sensitivity"] = {n: list(map(str, slopes[n].values)) for n in ("quantity", "with_respect_to")}
            data = data.assign({stored.SLOPES: (slopes.dims, slopes.values)})
        stored.write(path, data.assign_attrs(attributes), words)

    def __getstate__(self) -> dict[str, Any]:
        """Numbers alone travel: what made them stays here."""
        plain = {k: dict(v) if isinstance(v, Mapping) else v for k, v in self.__dict__.items() if k not in ("_source", "_data")}
        held = self._held
        numbers = _quantities(held) if isinstance(held, (LazyResults, Quantities)) else held
        return {**plain, "_data": numbers, "_system": self.system}

    def to_pandas(self) -> Any:
        """The quantities as a pandas DataFrame over t."""
        return self.data.to_dataframe()

    def plot(self, *names: str, **options: Any) -> Any:
        """A figure for a paper: ``plot("x", "y")``, ``plot("t", "omega", "v")``, ``plot("energy")``, or ``plot()`` for a sheet.

        Returns matplotlib's axes (several for a sheet); ``axes=`` draws into given ones, ``backend="plotly"`` gives the
        interactive twin. See `nonholo.present.figures.motion_plots.plot`.
        """
        return presenter("plot")(self, *names, **options)

    def film(self, *args: Any, **options: Any) -> Any:
        """The motion as a film; see `nonholo.present.film.film_page.film`."""
        return presenter("film")(self, *args, **options)

    def seen_from(self, frame: Any, symmetry: Any = None) -> Trajectory:
        """The motion as seen from a frame that moves along the symmetry group: ``q'(t) = exp(−t Σ s_a ξ_a) q(t)``.

        ``frame`` is a table of velocities by generator (of the system's symmetry, or another one given), or an `Orbit`, whose
        frame moves so that its picture closes [pattern evocation, Marsden and Scheurle 1995].
        """
        return seen_from(self, frame, symmetry)

    def __repr__(self) -> str:
        t = self.times
        span = f"t = {t[0]:g} … {t[-1]:g}" if len(t) else "no times"
        name = self._results.problem.name if self._results is not None else self.attributes.get("system", "")
        return f"<Trajectory {name}: {span}, {len(t)} points, {self.outcome}>"

    def _repr_html_(self) -> str:
        """A small table and a picture, for notebooks."""
        t = self.times
        rows = {
            "outcome": str(self.outcome),
            "span": f"t = {t[0]:g} … {t[-1]:g} s, {len(t)} points" if len(t) else "no times",
            "method": called(str(self.attributes.get("method", ""))),
            "steps": f"{self.steps} ({self.calls} evaluations)",
        }
        if "energy" in self.quantities and len(t):
            rows["energy drift"] = f"{self.drift('energy'):.2g}"
        picture = (lambda: presenter("plot")(self, backend="png")) if len(t) else None
        return notebook_table(str(self.attributes.get("system", "motion")), rows, picture)


def open(path: str | os.PathLike[str]) -> Trajectory:
    """Read a motion that `Trajectory.save` wrote; a file that is damaged, changed or another is a FileError.

    >>> import nonholo as nh
    >>> from tempfile import mkdtemp
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> run = nh.simulate(sleigh.system, sleigh.start, 1, sleigh.parameters)
    >>> run.save(file := mkdtemp() + "/run.nc")
    >>> nh.open(file).final == run.final
    True
    """
    from nonholo.integrate.results import trajectory_files as stored

    data, words = stored.read(path)
    steps, calls, frames = words["cost"]
    slopes = {}
    if "sensitivity" in words:
        slopes["motion"] = data[stored.SLOPES].assign_coords(words["sensitivity"]).rename("sensitivity")
        data = data.drop_vars(stored.SLOPES)
    return Trajectory(
        data=data,
        final=FrozenMap(words["final"]),
        outcome=stored.outcome_of(words),
        events=FrozenMap({k: np.array(v, dtype=float) for k, v in words["events"].items()}),
        steps=steps,
        calls=calls,
        frames=frames,
        first=FrozenMap(words["first"]),
        drifts=FrozenMap(words["drifts"]),
        system=stored.system_of(data.attrs["system_text"]),
        derivatives=FrozenMap(slopes),
        changes=changes_of(words.get("modes", ())),
    )

