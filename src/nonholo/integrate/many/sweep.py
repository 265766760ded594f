"""Sweeps: many motions, chunk by chunk, into a Zarr store that survives anything."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from nonholo import __version__
from nonholo.errors import FileError, ModelError
from nonholo.integrate.many.sweep_chunk import check_records, compute_chunk
from nonholo.integrate.many.sweep_spec import Sweep, read_spec
from nonholo.integrate.many.sweep_store import check_store, marked, opened, write_chunk
from nonholo.model.files.toml_text import file_bytes, plain_text, toml_table
from nonholo.program.array_types import AnyArray

if TYPE_CHECKING:
    import xarray as xr


WHAT = "the TOML file of a sweep"
ROUNDS = 4
"""How often in a row the cluster may lose all its tasks before the sweep gives up."""
PATIENCE = "60s"
"""So long may the cluster be without workers."""


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
    """A sweep as a table, and the path of its results: as given, or beside its file."""
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
) -> Iterator[tuple[int, dict[str, AnyArray]]]:
    if scheduler is not None:

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


def cluster_chunks(plan: Sweep, waiting: list[int], scheduler: Any) -> Iterator[tuple[int, dict[str, AnyArray]]]:
    """Yield the arrays of pending chunks as they arrive; chunks of dead workers are submitted again."""
    try:
        from distributed import Client
    except ImportError:
        raise ModelError("sweep: a scheduler needs Dask; install it with pip install 'nonholo[cluster]'.") from None
    own = isinstance(scheduler, str)
    try:
        client = Client(scheduler, timeout="15s") if own else scheduler
    except (OSError, ValueError) as problem:
        raise FileError(
            f"sweep: no Dask scheduler answers at {scheduler} ({problem}); start one or leave scheduler out."
        ) from None
    left, idle = sorted(waiting), 0
    try:
        while left:
            before = len(left)
            for k, arrays in _round(client, plan, left):
                left.remove(k)
                yield k, arrays
            idle = idle + 1 if len(left) == before else 0
            if idle == ROUNDS:
                raise FileError(
                    f"sweep: the cluster lost its workers {ROUNDS} times without finishing a chunk ({len(left)} are left); "
                    "look at the workers' logs (memory?), then run the sweep again: it goes on from here."
                )
    finally:
        if own:
            client.close()


def _round(client: Any, plan: Sweep, left: list[int]) -> Iterator[tuple[int, dict[str, AnyArray]]]:
    """Ask for all that is left once; what does not come is left."""
    from distributed import as_completed

    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        # a task, not scattered data: what a task made is made again when its workers die
        shared = client.submit(_unpacked, pickle.dumps(plan), __version__, pure=False, retries=3)
        futures = {client.submit(compute_chunk, shared, k, 1, pure=False, retries=3): k for k in left}
        for future in as_completed(list(futures), raise_errors=False):
            found = _result(future)
            future.release()
            if found is not None:
                yield futures[future], found
    except (OSError, TimeoutError, RuntimeError) as problem:
        if isinstance(problem, FileError) or (getattr(client, "status", "") == "running" and not _worker_lost(problem)):
            raise
        raise FileError(
            f"sweep: the cluster is lost ({str(problem)[:200] or type(problem).__name__}); {len(left)} chunks are left; "
            "start workers, then run the sweep again: it goes on from here."
        ) from None


def _result(future: Any) -> dict[str, AnyArray] | None:
    """The arrays of a chunk, or None where its worker took them along: as it computed, or after it had done so."""
    if future.status == "cancelled":
        return None
    try:
        arrays: dict[str, AnyArray] = future.result()
    except CancelledError:
        return None
    except Exception as problem:
        if type(problem).__name__ not in ("KilledWorker", "CommClosedError"):
            raise
        return None
    return arrays


def _unpacked(content: bytes, version: str) -> Sweep:
    """The plan, on a worker; another version of nonholo would give other last bits without a word."""
    if version != __version__:
        raise ModelError(f"sweep: a worker has nonholo {__version__}, this process {version}; install the same on both.")
    plan: Sweep = pickle.loads(content)
    return plan


def _worker_lost(problem: Exception) -> bool:
    return isinstance(problem, TimeoutError) or type(problem).__name__ == "CommClosedError"
