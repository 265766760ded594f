"""Sweeps: many motions, chunk by chunk, into a Zarr store that survives anything."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import FileError, ModelError
from nonholo.integrate.many.sweep_chunk import check_records, compute_chunk
from nonholo.integrate.many.sweep_spec import Sweep, read_spec
from nonholo.integrate.many.sweep_store import check_store, marked, opened, write_chunk
from nonholo.model.files.toml_text import file_bytes, plain_text, toml_table

if TYPE_CHECKING:
    import xarray as xr

Array = np.ndarray[Any, np.dtype[Any]]
WHAT = "the TOML file of a sweep"


def sweep(
    spec: Mapping[str, Any] | str | os.PathLike[str],
    scheduler: Any = None,
    resume: bool = True,
    store: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    threads: int | None = None,
) -> xr.Dataset:
    """Run a sweep whose ``system`` is a System, a table or a file into its Zarr store; see `nonholo.gallery.named_sweep`."""
    table, place = read_words(spec, store)
    plan = read_spec(table)
    target = FilePath(place)
    check_records(plan)
    with opened(plan, target, resume) as (waiting, damaged):
        _run(plan, target, waiting, scheduler, threads, _progress(progress, plan, len(waiting)))
    data = open_sweep(target)
    if damaged:
        data.attrs["damaged"] = damaged
    return data


def _run(
    plan: Sweep, target: FilePath, waiting: list[int], scheduler: Any, threads: int | None, bar: Callable[[int | None], None]
) -> None:  # fmt: skip
    try:
        room: dict[str, Any] = {}
        for k, arrays in _results(plan, target, waiting, scheduler, threads):
            write_chunk(target, room, plan, k, arrays)
            bar(k)
    except OSError as problem:
        if isinstance(problem, FileError):
            raise
        raise FileError(
            f"{target}: cannot write ({problem.strerror or problem}); make room or choose another place, then resume."
        ) from None
    finally:
        bar(None)


def open_sweep(store: str | os.PathLike[str]) -> xr.Dataset:
    """The result of a finished or unfinished sweep, read lazily; members not yet computed are not-a-number.

    Every byte is compared with what was written (SHA-256) before; each read is checked once more by the arrays' own CRC-32C.
    """
    import xarray as xr

    target = FilePath(store)
    check_store(target)
    data: xr.Dataset = xr.open_zarr(target, consolidated=False)
    return data


def read_words(spec: Any, store: Any) -> tuple[dict[str, Any], str]:
    """A sweep as a table, and where its results go: as told, or beside its file."""
    if isinstance(spec, Mapping):
        table = dict(spec)
        base = FilePath(".")
    else:
        if not isinstance(spec, (str, os.PathLike)):
            raise ModelError(f"sweep: {type(spec).__name__} where a table or the name of a TOML file is needed.")
        path = FilePath(spec)
        try:
            table = toml_table(plain_text(file_bytes(path, WHAT)), str(path))
        except FileNotFoundError:
            raise FileError(f"{path}: there is no such file.") from None
        except FileError:
            raise
        except OSError as problem:
            raise FileError(f"{path} cannot be read: {problem.strerror or problem}.") from None
        except UnicodeDecodeError as problem:
            raise FileError(f"{path}: not a TOML file ({problem}).") from None
        base = path.parent
        if isinstance(table.get("system"), str) and table["system"].endswith(".toml"):
            table["system"] = str(base / table["system"])
    place = store if store is not None else table.get("store")
    if place is None and not isinstance(spec, Mapping):
        place = FilePath(spec).with_suffix(".zarr").name
    if place is None:
        raise ModelError('sweep: no store; give store="results.zarr".')
    if not isinstance(place, (str, os.PathLike)) or not str(place):
        raise ModelError(f'sweep: store = {place!r}; give the name of a folder, e.g. store="results.zarr".')
    return table, str(place if store is not None else base / place)


def _results(
    plan: Sweep, target: FilePath, waiting: list[int], scheduler: Any, threads: int | None
) -> Iterator[tuple[int, dict[str, Array]]]:
    if scheduler is not None:
        from nonholo.integrate.many.sweep_cluster import cluster_chunks

        yield from cluster_chunks(plan, waiting, scheduler)
        return
    for k in waiting:
        if not marked(target, k):  # another process may have done it since
            yield k, compute_chunk(plan, k, threads)


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
