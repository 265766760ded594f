"""A computed motion with its names, its outcome and where it came from."""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path as FilePath
from threading import get_ident
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.algebra.frozen import FrozenMap
from nonholo.errors import FileError, NonholoError, StateError
from nonholo.integrate.one.presenters import presenter
from nonholo.integrate.outcome import Outcome

if TYPE_CHECKING:
    import xarray as xr

FORMAT = 1


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A motion: ``data`` is an xarray Dataset over ``t`` with every named quantity.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> run = nh.simulate(sleigh.system, sleigh.start, 5, sleigh.parameters)
    >>> run
    <Trajectory Chaplygin sleigh: t = 0 … 5, 401 points, reached>
    >>> run.drift("energy") < 1e-8, round(run.final["v"], 3), run["x"].shape
    (True, 1.602, (401,))
    """

    data: xr.Dataset
    final: Mapping[str, float]
    outcome: Outcome
    events: Mapping[str, Any] = field(default_factory=FrozenMap)
    """For each event its times, in order."""
    event_states: Mapping[str, Any] = field(default_factory=FrozenMap)
    """For each event the states at its times, as a list of dicts."""
    steps: int = 0
    calls: int = 0
    frames: int = 1
    """How many adapted frames the motion went through."""

    def __getitem__(self, name: str) -> Any:
        """The values of one quantity as an array."""
        if name not in self.data.variables:
            import difflib

            near = difflib.get_close_matches(name, list(map(str, self.data.variables)), 1)
            raise StateError(f"the motion has no quantity {name!r}" + (f"; did you mean {near[0]!r}?" if near else "."))
        return self.data[name].values

    def drift(self, name: str) -> float:
        """The largest departure from the start, relative to the start's size (absolute where that is below 1e-12).

        Quantities that start at zero, such as residuals, therefore give their largest absolute value. One stored point
        has nothing to depart from: not a number.
        """
        values = self[name]
        if len(values) < 2:
            return float("nan")
        change = float(np.max(np.abs(values - values[0])))
        size = abs(float(values[0]))
        return change / size if size > 1e-12 else change

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the motion as NetCDF that plain xarray reads; written beside and renamed, so nothing is half-written."""
        target = FilePath(path)
        data = self.data.assign_attrs(
            nonholo_format=FORMAT,
            nonholo_final=json.dumps(dict(self.final)),
            nonholo_outcome=json.dumps([self.outcome.kind, self.outcome.time, self.outcome.advice]),
            nonholo_events=json.dumps({k: list(map(float, v)) for k, v in self.events.items()}),
            nonholo_cost=json.dumps([self.steps, self.calls, self.frames]),
        )
        temporary = target.with_name(f".{target.name}.{os.getpid()}-{get_ident()}.part")
        try:
            data.to_netcdf(temporary, engine="h5netcdf")
            os.replace(temporary, target)
        except OSError as problem:
            told = re.search("error message = '([^']*)'", str(problem))  # HDF5 tells a long story around it
            reason = told[1] if told else problem.strerror or problem
            raise FileError(f"{target}: cannot write ({reason}); choose a place that exists and has room.") from None
        finally:
            temporary.unlink(missing_ok=True)

    def to_pandas(self) -> Any:
        """The quantities as a pandas DataFrame over t."""
        return self.data.to_dataframe()

    def plot(self, *names: str, **options: Any) -> Any:
        """A figure for a paper: ``plot("x", "y")``, ``plot("t", "omega", "v")``, ``plot("energy")``, or ``plot()`` for a sheet.

        Returns matplotlib's axes (several for a sheet); ``axes=`` draws into given ones, ``backend="plotly"`` gives the
        interactive twin. See `nonholo.present.plots.plot`.
        """
        return presenter("plot")(self, *names, **options)

    def film(self, *args: Any, **options: Any) -> Any:
        """The motion as a film; see `nonholo.present.film.film`."""
        return presenter("film")(self, *args, **options)

    def __repr__(self) -> str:
        t = self.data["t"].values
        span = f"t = {t[0]:g} … {t[-1]:g}" if len(t) else "no times"
        return f"<Trajectory {self.data.attrs.get('system', '')}: {span}, {len(t)} points, {self.outcome}>"

    def _repr_html_(self) -> str:
        """A small table and a picture, for notebooks."""
        t = self.data["t"].values
        rows = {
            "outcome": str(self.outcome),
            "span": f"t = {t[0]:g} … {t[-1]:g} s, {len(t)} points" if len(t) else "no times",
            "method": str(self.data.attrs.get("method", "")).partition("(")[0],
            "steps": f"{self.steps} ({self.calls} evaluations)",
        }
        if "energy" in self.data and len(t):
            rows["energy drift"] = f"{self.drift('energy'):.2g}"
        cells = "".join(
            f"<tr><th style='text-align:left'>{k}</th><td>{escape(v)}</td></tr>" for k, v in rows.items() if v
        )
        name = escape(str(self.data.attrs.get("system", "motion")))
        return f"<table><caption><b>{name}</b></caption>{cells}</table>{self._thumbnail() if len(t) else ''}"

    def _thumbnail(self) -> str:
        try:
            content = presenter("plot")(self, backend="png")
        except NonholoError:  # a table without its picture is better than none
            return ""
        return f'<img alt="plots of the motion" width="560" src="data:image/png;base64,{b64encode(content).decode()}"/>'


def open(path: str | os.PathLike[str]) -> Trajectory:
    """Read a motion that `Trajectory.save` wrote.

    >>> import nonholo as nh
    >>> from tempfile import mkdtemp
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> run = nh.simulate(sleigh.system, sleigh.start, 1, sleigh.parameters)
    >>> run.save(file := mkdtemp() + "/run.nc")
    >>> nh.open(file).final == run.final
    True
    """
    import xarray as xr

    target = FilePath(path)
    if not target.is_file():
        raise FileError(f"{target}: there is no such file.")
    try:
        with xr.open_dataset(target, engine="h5netcdf") as handle:
            data = handle.load()
    except Exception as problem:
        raise FileError(f"{target}: not a NetCDF file nonholo can read ({type(problem).__name__}).") from None
    attributes = dict(data.attrs)
    if "nonholo_format" not in attributes:
        raise FileError(f"{target}: a NetCDF file, but not one that nonholo wrote.")
    if int(attributes["nonholo_format"]) != FORMAT:
        raise FileError(
            f"{target}: written in format {attributes['nonholo_format']}, this version reads {FORMAT}; use a matching nonholo."
        )
    kind, time, advice = json.loads(attributes["nonholo_outcome"])
    steps, calls, frames = json.loads(attributes["nonholo_cost"])
    data.attrs = {k: v for k, v in attributes.items() if not k.startswith("nonholo_")}
    return Trajectory(
        data=data,
        final=FrozenMap(json.loads(attributes["nonholo_final"])),
        outcome=Outcome(kind, time, advice),
        events=FrozenMap({k: np.array(v) for k, v in json.loads(attributes["nonholo_events"]).items()}),
        steps=steps,
        calls=calls,
        frames=frames,
    )


def dataset(
    times: Any, columns: Mapping[str, tuple[Any, str]], units: Mapping[str, str], attributes: Mapping[str, str]
) -> xr.Dataset:
    """The xarray Dataset of a motion."""
    import xarray as xr

    variables = {}
    for name, (values, kind) in columns.items():
        marks = {"kind": kind} | ({"units": units[name]} if name in units else {})
        variables[name] = ("t", values, marks)
    return xr.Dataset(variables, coords={"t": ("t", times, {"units": "s"})}, attrs=dict(attributes))


def provenance(
    system_text: str, name: str, parameters: Mapping[str, float], start: Mapping[str, float], method: str, form: str
) -> dict[str, str]:
    """What one needs to compute the same motion again."""
    from importlib.metadata import version
    from platform import python_version

    packages: Sequence[str] = ("nonholo", "symengine", "numba", "numpy")
    return {
        "system": name,
        "system_text": system_text,
        "parameters": json.dumps(dict(parameters)),
        "start": json.dumps({n: float(e) for n, e in start.items()}),
        "method": method,
        "form": form,
        "versions": json.dumps({p: version(p) for p in packages} | {"python": python_version()}),
    }
