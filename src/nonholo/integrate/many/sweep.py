"""Sweeps: many motions, chunk by chunk, into a Zarr store that survives anything."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import FileError, ModelError
from nonholo.integrate.many.sweep_chunk import check_records, compute_chunk, empty_arrays
from nonholo.integrate.many.sweep_spec import Sweep, read_spec
from nonholo.model.toml_text import plain_text
from nonholo.writing import write_text

if TYPE_CHECKING:
    import xarray as xr

Array = np.ndarray[Any, np.dtype[Any]]
FORMAT = 1
MARKS = ".marks"
"""Beside the store stands a folder of this ending, with one mark for each finished chunk."""


def sweep(
    spec: Mapping[str, Any] | str | os.PathLike[str],
    scheduler: Any = None,
    resume: bool = True,
    store: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    threads: int | None = None,
) -> xr.Dataset:
    """Run a sweep into its Zarr store and open the result.

    ``spec`` is a dict or a TOML file: ``system``, ``until``, ``start``, ``parameters``, the members by ``grid``,
    ``random`` or ``latin``, and what to ``record``. Each chunk is written and then marked as done, so a process killed
    at any moment goes on where it was and the store comes out bit for bit the same. ``scheduler`` is the address of a
    Dask cluster or a ``distributed.Client``; workers only compute, this process writes.

    >>> import nonholo as nh
    >>> from tempfile import mkdtemp
    >>> words = {"system": nh.gallery.get("chaplygin-sleigh").system, "until": 2, "parameters": {"m": 1, "J": 0.7, "a": 0.4}}
    >>> words |= {"start": {"v": -1}, "grid": {"omega": [0.5, 1.0, 1.5]}, "record": {"final": ["theta"]}}
    >>> nh.sweep(words, store=mkdtemp() + "/s.zarr")["final_theta"].shape
    (3,)
    """
    table, place = _read(spec, store)
    plan = read_spec(table)
    target = FilePath(place)
    check_records(plan)
    _prepare(plan, target, resume)
    waiting = [k for k in range(_chunks(plan)) if not _mark(target, k).exists()]
    bar = _progress(progress, plan, len(waiting))
    try:
        room: dict[str, Any] = {}
        for k, arrays in _results(plan, waiting, scheduler, threads):
            _write(target, room, plan, k, arrays)
            bar(k)
    except OSError as problem:
        if isinstance(problem, FileError):
            raise
        raise FileError(
            f"{target}: cannot write ({problem.strerror or problem}); make room or choose another place, then resume."
        ) from None
    finally:
        bar(None)
    return open_sweep(target)


def open_sweep(store: str | os.PathLike[str]) -> xr.Dataset:
    """The result of a finished or unfinished sweep, read lazily; members not yet computed are not-a-number."""
    import xarray as xr

    target = FilePath(store)
    _check_format(target)
    data: xr.Dataset = xr.open_zarr(target, consolidated=False)
    return data


def _read(spec: Any, store: Any) -> tuple[dict[str, Any], str]:
    if isinstance(spec, Mapping):
        table = dict(spec)
        base = FilePath(".")
    else:
        path = FilePath(spec)
        try:
            table = tomllib.loads(plain_text(path.read_bytes()))
        except FileNotFoundError:
            raise FileError(f"{path}: there is no such file.") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
            raise ModelError(f"{path}: not a TOML file ({problem}).") from None
        base = path.parent
        if isinstance(table.get("system"), str) and table["system"].endswith(".toml"):
            table["system"] = str(base / table["system"])
    place = store if store is not None else table.get("store")
    if place is None:
        raise ModelError('sweep: no store; give store="results.zarr".')
    return table, str(place if store is not None else base / str(place))


def _chunks(plan: Sweep) -> int:
    return -(-plan.count // plan.chunk)


def _marks(target: FilePath) -> FilePath:
    return target.with_name(target.name + MARKS)


def _mark(target: FilePath, k: int) -> FilePath:
    return _marks(target) / f"done-{k:06d}"


def _check_format(target: FilePath) -> dict[str, Any]:
    about = _marks(target) / "sweep.json"
    if not about.is_file():
        raise FileError(f"{target}: not a sweep that nonholo wrote.")
    words: dict[str, Any] = json.loads(about.read_text("utf-8"))
    if words.get("format") != FORMAT:
        raise FileError(
            f"{target}: written in format {words.get('format')}, this version reads {FORMAT}; choose another store."
        )
    return words


def _prepare(plan: Sweep, target: FilePath, resume: bool) -> None:
    """Make the store, or check that the one there belongs to this sweep."""
    about = _marks(target) / "sweep.json"
    if target.is_file() or (target.is_dir() and any(target.iterdir())):
        if about.is_file():
            words, results = _check_format(target), any(_marks(target).glob("done-*"))
            if words["fingerprint"] != plan.fingerprint and results:
                raise FileError(f"{target}: holds another sweep; choose another store or remove it.")
            if not resume and results:
                raise FileError(f"{target}: holds results already; resume=True goes on, or remove it.")
            if words["fingerprint"] == plan.fingerprint:
                for half in target.rglob(
                    "*.partial"
                ):  # Zarr writes beside and renames: a killed process leaves the half
                    half.unlink(missing_ok=True)
                return
            shutil.rmtree(target)  # of a sweep that never got a result, such as one with a slip in it
        elif not (_marks(target) / "begun").is_file():
            raise FileError(f"{target}: is there already and not a sweep; choose another store.")
    try:
        shutil.rmtree(_marks(target), ignore_errors=True)
        _marks(target).mkdir(parents=True)
        write_text(_marks(target) / "begun", "")
        _layout(plan, target)
        write_text(about, json.dumps({"format": FORMAT, "fingerprint": plan.fingerprint}))
    except OSError as problem:
        raise FileError(
            f"{target}: cannot write ({problem.strerror or problem}); choose a place that exists and has room."
        ) from None


def _layout(plan: Sweep, target: FilePath) -> None:
    import zarr

    group = zarr.open_group(str(target), mode="a")
    for name, (values, dimensions) in empty_arrays(plan, plan.count).items():
        chunks = (plan.chunk, *values.shape[1:]) if dimensions[0] == "member" else values.shape
        array = group.create_array(
            name,
            shape=values.shape,
            chunks=chunks,
            dtype=values.dtype,
            dimension_names=dimensions,
            fill_value=_blank(values.dtype),
            overwrite=True,
        )
        if dimensions[0] != "member" or name in plan.varied:
            array[...] = values
    group.attrs.update({"system": plan.system.name, "axes": json.dumps(plan.shape), "until": plan.until})


def _blank(dtype: Any) -> Any:
    return np.nan if np.issubdtype(dtype, np.floating) else 0


def _write(target: FilePath, room: dict[str, Any], plan: Sweep, k: int, arrays: Mapping[str, Array]) -> None:
    """Write a chunk, then mark it as done; ``room`` keeps the store's arrays open from chunk to chunk."""
    import zarr

    if not room:
        group = zarr.open_group(str(target), mode="r+")
        room |= {name: group[name] for name in arrays}
    first = k * plan.chunk
    for name, values in arrays.items():
        room[name][first : first + len(values)] = values
    write_text(_mark(target, k), "")


def _results(
    plan: Sweep, waiting: list[int], scheduler: Any, threads: int | None
) -> Iterator[tuple[int, dict[str, Array]]]:
    if scheduler is None:
        for k in waiting:
            yield k, compute_chunk(plan, k, threads)
        return
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise ModelError("sweep: a scheduler needs Dask; install it with pip install 'nonholo[cluster]'.") from None
    own = isinstance(scheduler, str)
    try:
        client = Client(scheduler, timeout="15s") if own else scheduler
    except OSError as problem:
        raise FileError(
            f"sweep: no Dask scheduler answers at {scheduler} ({problem}); start one or leave scheduler out."
        ) from None
    try:
        shared = client.scatter(plan, broadcast=True)
        futures = {client.submit(compute_chunk, shared, k, 1, pure=False, retries=3): k for k in waiting}
        for future in as_completed(list(futures)):
            yield futures[future], future.result()
            future.release()
    finally:
        if own:
            client.close()


def _progress(wanted: bool | None, plan: Sweep, waiting: int) -> Callable[[int | None], None]:
    if not (sys.stderr.isatty() if wanted is None else wanted):
        return lambda k: None
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True))
    bar.start()
    task = bar.add_task(f"{plan.system.name}: {plan.count} motions", total=waiting)

    def step(k: int | None) -> None:
        bar.stop() if k is None else bar.advance(task)

    return step
