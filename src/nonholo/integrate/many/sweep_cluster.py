"""Chunks of a sweep on a Dask cluster, whose workers may die at any moment."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import CancelledError
from typing import Any

from nonholo import __version__
from nonholo.errors import FileError, ModelError
from nonholo.integrate.many.sweep_chunk import Array, compute_chunk
from nonholo.integrate.many.sweep_spec import Sweep

ROUNDS = 4
"""So many times in a row may the cluster lose all that was asked of it before the sweep gives up."""
PATIENCE = "60s"
"""So long may the cluster be without workers."""


def cluster_chunks(plan: Sweep, waiting: list[int], scheduler: Any) -> Iterator[tuple[int, dict[str, Array]]]:
    """The arrays of the waiting chunks as they come in; what dead workers took with them is asked for again."""
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


def _round(client: Any, plan: Sweep, left: list[int]) -> Iterator[tuple[int, dict[str, Array]]]:
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
        if isinstance(problem, FileError) or (getattr(client, "status", "") == "running" and not _lost(problem)):
            raise
        raise FileError(
            f"sweep: the cluster is lost ({str(problem)[:200] or type(problem).__name__}); {len(left)} chunks are left; "
            "start workers, then run the sweep again: it goes on from here."
        ) from None


def _result(future: Any) -> dict[str, Array] | None:
    """The arrays of a chunk, or None where its worker took them along: as it computed, or after it had done so."""
    if future.status == "cancelled":
        return None
    try:
        arrays: dict[str, Array] = future.result()
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


def _lost(problem: Exception) -> bool:
    return isinstance(problem, TimeoutError) or type(problem).__name__ == "CommClosedError"
