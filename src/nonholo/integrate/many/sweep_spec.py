"""What a sweep is: which members, what is recorded; a plain table, read and checked."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError, meant
from nonholo.integrate.many.tangent_growth import MEASURES
from nonholo.integrate.methods import method_kind, registered_methods
from nonholo.machines.machine_files import dumps, from_table, load
from nonholo.model.declared_words import Option
from nonholo.model.system import System, known_parameters
from nonholo.program.array_types import Array

WORDS = (
    "system", "until", "start", "parameters", "grid", "random", "latin", "record", "method", "rtol", "atol", "chunk",
    "seed", "store", "options", "level", "solve",
)  # fmt: skip
MOST = 10_000_000
"""Members of one sweep, or times of one member."""
RECORDS = ("final", "extrema", "drift", "events", "trajectory", "points", "most_events", "growth")


@dataclass(frozen=True)
class Sweep:
    """A sweep, ready to run: ``values`` are the varied quantities, one entry for each member."""

    system: System
    until: float
    start: FrozenMap[str, float]
    parameters: FrozenMap[str, float]
    varied: FrozenMap[str, tuple[float, ...]]
    shape: tuple[tuple[str, int], ...]
    """Names and lengths of the grid's axes, and ``sample`` for random ones; their product is the number of members."""
    final: tuple[str, ...]
    extrema: tuple[str, ...]
    drift: tuple[str, ...]
    events: tuple[str, ...]
    trajectory: tuple[str, ...]
    points: int
    most_events: int
    method: str
    rtol: float
    atol: float
    options: FrozenMap[str, Option]
    chunk: int
    growth: tuple[str, ...] = ()
    """Measures of how fast neighbours part, see `nonholo.integrate.many.tangent_growth`."""
    level: FrozenMap[str, float] = field(default_factory=FrozenMap)
    """Quantities that every start has the same value of (or a varied one), by the variables in ``solve``."""
    solve: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """The number of members."""
        return int(np.prod([length for _, length in self.shape])) if self.shape else 1

    @property
    def fingerprint(self) -> str:
        """The same for two sweeps exactly when they compute the same numbers."""
        young = ("growth", "level", "solve")  # sweeps without them are the same sweeps as ever
        words = {k: v for k, v in self.__dict__.items() if k != "system" and not (k in young and not v)}
        text = dumps(self.system) + json.dumps(
            words, sort_keys=True, default=lambda v: dict(v) if isinstance(v, Mapping) else str(v)
        )
        return hashlib.sha256(text.encode()).hexdigest()


def read_spec(table: Mapping[str, Any]) -> Sweep:
    """A sweep from a table (a dict, or a TOML file's contents)."""
    _check_keys(table, WORDS, "sweep")
    record = _section(table, "record", {})
    _check_keys(record, RECORDS, "sweep record")
    system = _system(table.get("system"))
    until = table.get("until", system.until)
    if "until" not in table and until is None:
        raise ModelError('sweep: "until" is missing; give the end time of every motion.')
    varied, shape = _members(table, _whole_number(table.get("seed", 0), "seed", 0, 2**53))
    start = {k: _number(v, f"start {k}") for k, v in _section(table, "start", system.start).items()}
    given = known_parameters(system, _section(table, "parameters", {}))
    sweep = Sweep(
        system=system,
        until=_number(until, "until"),
        start=FrozenMap({k: v for k, v in start.items() if k not in varied}),
        parameters=FrozenMap({k: _number(v, f"parameter {k}") for k, v in given.items() if k not in varied}),
        varied=FrozenMap(varied),
        shape=shape,
        final=_names(
            record.get("final", list(system.coordinates) + list(system.quasivelocities or system.velocities)), "final"
        ),
        extrema=_names(record.get("extrema", ()), "extrema"),
        drift=_names(record.get("drift", ("energy",)), "drift"),
        events=_names(record.get("events", ()), "events"),
        trajectory=_names(record.get("trajectory", ()), "trajectory"),
        points=_whole_number(record.get("points", 101), "record points", 1),
        most_events=_whole_number(record.get("most_events", 32), "record most_events", 1),
        method=_method(table.get("method", "dop853")),
        rtol=_number(table.get("rtol", 1e-9), "rtol"),
        atol=_number(table.get("atol", 1e-12), "atol"),
        options=FrozenMap(_options(table)),
        chunk=_whole_number(table.get("chunk", 64), "chunk", 1),
        growth=_growth(record.get("growth", ())),
        level=FrozenMap({k: _number(v, f"level {k}") for k, v in _section(table, "level", {}).items()}),
        solve=_names(table.get("solve", ()), "solve"),
    )
    if len(sweep.level) != len(sweep.solve):
        raise ModelError(
            f"sweep: {len(sweep.level)} quantities on a level and {len(sweep.solve)} variables to solve for; name one for each, "
            'e.g. level = {energy = 1.0}, solve = ["w3"].'
        )
    stray = [n for n in sweep.parameters if n not in system.parameters]
    if stray:
        raise ModelError(
            f"sweep: {system.name} has no parameter {stray[0]!r}; it has {', '.join(system.parameters) or 'none'}."
        )
    return sweep


def _check_keys(table: Mapping[str, Any], words: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in words:
            hint = meant(key, words, f"use {', '.join(words)}.")
            raise ModelError(f"{where}: unknown keyword {key!r}; {hint}")


def _names(value: Any, where: str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)) or not all(isinstance(n, str) for n in value):
        raise ModelError(f'sweep record: {where} = {str(value)[:60]}; give a list of names, e.g. ["x"].')
    return tuple(value)


def _growth(value: Any) -> tuple[str, ...]:
    found = _names(value, "growth")
    for name in found:
        if name not in MEASURES:
            near = meant(name, MEASURES, f"choose from {', '.join(MEASURES)}.")
            raise ModelError(f"sweep record: growth has no {name!r}; {near}")
    return found


def _section(table: Mapping[str, Any], name: str, otherwise: Mapping[str, Any]) -> dict[str, Any]:
    value = table.get(name, otherwise)
    if not isinstance(value, Mapping):
        raise ModelError(f"sweep: {name} = {str(value)[:60]!r}; give a table of names and values.")
    return dict(value)


def _options(table: Mapping[str, Any]) -> dict[str, Any]:
    """Options of the method, without those that a sweep sets elsewhere."""
    found = _section(table, "options", {})
    for name in found:
        if name in (*WORDS, "starts", "t_eval", "events", "inputs", "threads", "prepared"):
            raise ModelError(f"sweep options: {name!r} is no option of a method; leave it out, or give it outside of options.")
        if not isinstance(found[name], (bool, int, float, str)):
            raise ModelError(f"sweep options: {name} = {str(found[name])[:60]}; give a number or a word.")
    return found


def _number(value: Any, where: str, finite: bool = True) -> float:
    if isinstance(value, (bool, str)) or not np.isscalar(value):
        raise ModelError(f"sweep: {where} = {str(value)[:60]!r}; give a number.")
    try:
        found = float(value)  # type: ignore[arg-type]
    except OverflowError:
        raise ModelError(f"sweep: {where} = {str(value)[:20]}…; give a number below 1.8e308.") from None
    if finite and not math.isfinite(found):
        raise ModelError(f"sweep: {where} = {found}; give a finite number.")
    return found


def _method(value: Any) -> str:
    if method_kind(str(value)) is None:
        raise ModelError(f"sweep: method = {str(value)[:60]!r}; choose one of {', '.join(sorted(registered_methods()))}.")
    return str(value)


def _whole_number(value: Any, where: str, least: int, most: int = MOST) -> int:
    found = _number(value, where)
    if found != int(found) or found < least:
        raise ModelError(f"sweep: {where} = {value}; give a whole number ≥ {least}.")
    if found > most:
        raise ModelError(f"sweep: {where} = {value}; at most {most} are possible; make several sweeps of it.")
    return int(found)


def _span(value: Mapping[str, Any], where: str) -> tuple[float, float]:
    """Both ends of an axis; on a logarithmic one they have the same sign."""
    if "from" not in value or "to" not in value:
        raise ModelError(f"sweep {where}: give {{from = …, to = …}}.")
    low, high = _number(value["from"], f"{where} from"), _number(value["to"], f"{where} to")
    if value.get("log") and not low * high > 0:
        raise ModelError(f"sweep {where}: a logarithmic axis from {low:g} to {high:g}; give two numbers > 0.")
    return low, high


def _system(value: Any) -> System:
    if isinstance(value, System):
        return value
    if isinstance(value, Mapping):
        return from_table(dict(value))
    if isinstance(value, str) and value.endswith(".toml"):
        return load(value)
    raise ModelError(f"sweep: system = {value!r}; give a System, a table, or the path of a .toml file.")


def _axis(name: str, value: Any) -> Array:
    """The values of one axis: a list, or {from, to, count[, log]}."""
    if isinstance(value, Mapping):
        _check_keys(value, ("from", "to", "count", "log"), f"sweep axis {name}")
        missing = [n for n in ("from", "to", "count") if n not in value]
        if missing:
            raise ModelError(f"sweep axis {name}: {missing[0]!r} is missing; give from, to and count.")
        low, high = _span(value, f"axis {name}")
        count = _whole_number(value["count"], f"axis {name} count", 1)
        return np.geomspace(low, high, count) if value.get("log") else np.linspace(low, high, count)
    values = list(value) if isinstance(value, (list, tuple, np.ndarray)) else [value]
    if not values:
        raise ModelError(f"sweep axis {name}: it is empty; give its values or {{from = …, to = …, count = …}}.")
    return np.array([_number(v, f"axis {name}", False) for v in values])  # one that is not finite is a member that cannot start


def _members(table: Mapping[str, Any], seed: int) -> tuple[dict[str, tuple[float, ...]], tuple[tuple[str, int], ...]]:
    axes = {str(n): _axis(str(n), v) for n, v in _section(table, "grid", {}).items()}
    samples: dict[str, Array] = {}
    count = 1
    for kind in ("random", "latin"):
        if kind in table:
            drawn = _section(table, kind, {})
            if samples:
                raise ModelError('sweep: give "random" or "latin", not both.')
            if "count" not in drawn:
                raise ModelError(f'sweep {kind}: "count" is missing; say how many members to draw.')
            count = _whole_number(drawn.pop("count"), f"{kind} count", 1)
            samples = _draw(kind, drawn, count, seed)
    both = [n for n in samples if n in axes]
    if both:
        raise ModelError(f"sweep: {both[0]!r} is on the grid and drawn at random; choose one.")
    shape = [(n, len(a)) for n, a in axes.items()] + ([("sample", count)] if samples else [])
    lengths = [length for _, length in shape]
    if math.prod(lengths) > MOST:
        raise ModelError(f"sweep: {math.prod(lengths)} members; at most {MOST} are possible; make several sweeps of it.")
    index = np.indices(lengths).reshape(len(lengths), -1) if lengths else np.zeros((0, 1), dtype=int)
    values = {n: tuple(a[index[k]].tolist()) for k, (n, a) in enumerate(axes.items())}
    values |= {n: tuple(a[index[-1]].tolist()) for n, a in samples.items()}
    return values, tuple(shape)


def _draw(kind: str, ranges: Mapping[str, Any], count: int, seed: int) -> dict[str, Array]:
    """Uniform draws on [from, to] (or log-uniform), independent or by Latin hypercube; the same for the same seed."""
    from scipy.stats import qmc

    names = list(ranges)
    if kind == "latin":
        unit = qmc.LatinHypercube(d=len(names), rng=np.random.default_rng(seed)).random(count)
    else:
        unit = np.random.default_rng(seed).random((count, len(names)))
    result = {}
    for k, name in enumerate(names):
        value = ranges[name]
        if not isinstance(value, Mapping):
            raise ModelError(f"sweep {kind} {name}: give {{from = …, to = …}}.")
        _check_keys(value, ("from", "to", "log"), f"sweep {kind} {name}")
        low, high = _span(value, f"{kind} {name}")
        result[name] = low * (high / low) ** unit[:, k] if value.get("log") else low + (high - low) * unit[:, k]
    return result
