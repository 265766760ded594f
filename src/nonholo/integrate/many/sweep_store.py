"""The store of a sweep: arrays with checksums, and one marker file for each finished chunk with the digest of its bytes."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path as FilePath
from tempfile import mkdtemp
from typing import Any

import numpy as np

from nonholo.errors import FileError, Remedy
from nonholo.integrate.many.sweep_chunk import empty_arrays
from nonholo.integrate.many.sweep_spec import Sweep
from nonholo.program.array_types import AnyArray
from nonholo.writing import write_bytes, write_text

FORMAT = 2
MARKS = ".marks"
"""Suffix of the folder beside the store that has one marker for each finished chunk."""


def chunk_count(plan: Sweep) -> int:
    """The number of chunks."""
    return -(-plan.count // plan.chunk)


def _marks(target: FilePath) -> FilePath:
    if not target.name:
        raise FileError(f"{target}: a folder of its own is needed; give the name of a store, e.g. results.zarr.")
    return target.with_name(target.name + MARKS)


def _chunk_mark(target: FilePath, k: int) -> FilePath:
    return _marks(target) / f"done-{k:06d}"


def marked(target: FilePath, k: int) -> bool:
    """Whether chunk ``k`` is marked as done."""
    return _chunk_mark(target, k).exists()


def read_description(target: FilePath) -> dict[str, Any]:
    """Read and check the description beside the store."""
    place = _marks(target) / "sweep.json"
    if not place.is_file():
        raise FileError(f"{target}: not a sweep that nonholo wrote.")
    damaged = f"{place}: damaged; remove {_marks(target).name} and the store and run the sweep again."
    try:
        words: dict[str, Any] = json.loads(place.read_text("utf-8"))
        found = words.get("format")
    except (OSError, ValueError, RecursionError, AttributeError):
        raise FileError(damaged) from None
    if found != FORMAT:
        raise FileError(f"{target}: written in format {str(found)[:20]}, this version reads {FORMAT}; choose another store.")
    kinds = (("fingerprint", str), ("layout", str), ("chunks", int), ("fixed", list), ("filled", dict))
    if any(not isinstance(words.get(name), kind) for name, kind in kinds):
        raise FileError(damaged)
    names = [*words["fixed"], *words["filled"]]
    if any(not isinstance(n, str) or "/" in n or n in ("", ".", "..") for n in names) or set(words["filled"].values()) - {1, 2}:
        raise FileError(damaged)
    return words


@contextmanager
def opened(plan: Sweep, target: FilePath, resume: bool) -> Iterator[tuple[list[int], int]]:
    """The store while a sweep runs on it, made or checked: the chunks to compute, in order, and how many were damaged.

    Two processes on one store begin at its two ends. What killed processes left half written goes when nobody else is there:
    Zarr writes beside and renames, and the halves of a process that still runs must stay.
    """
    if _occupied(target) and not _marks(target).is_dir():
        raise FileError(f"{target}: is there already and not a sweep; choose another store.")
    try:
        _marks(target).mkdir(parents=True, exist_ok=True)
        lock = (_marks(target) / "running").open("a")
    except OSError as problem:
        raise _unwritable(target, problem) from None
    with lock:
        try:
            with (_marks(target) / "preparing").open("a") as first:
                _flock(first, "LOCK_EX")
                alone = _alone(lock)
                waiting, damaged = _prepared(plan, target, resume, alone)
                if alone:
                    _delete_partial(target)
                _flock(lock, "LOCK_SH")
        except FileError:
            raise
        except OSError as problem:
            raise _unwritable(target, problem) from None
        yield (waiting if alone else waiting[::-1]), damaged
        if _alone(lock):
            _delete_partial(target)


def _unwritable(target: FilePath, problem: OSError) -> FileError:
    return FileError(f"{target}: cannot write ({problem.strerror or problem}); choose a place that exists and has room.")


def _delete_partial(target: FilePath) -> None:
    for half in target.rglob("*.partial"):
        half.unlink(missing_ok=True)


def _occupied(target: FilePath) -> bool:
    return target.is_file() or (target.is_dir() and any(target.iterdir()))


def _prepared(plan: Sweep, target: FilePath, resume: bool, alone: bool) -> tuple[list[int], int]:
    every = list(range(chunk_count(plan)))
    if _occupied(target):
        if (_marks(target) / "sweep.json").is_file():
            words, results = read_description(target), any(_marks(target).glob("done-*"))
            if words["fingerprint"] != plan.fingerprint and (results or not alone):
                raise FileError(f"{target}: holds another sweep; choose another store or remove it.")
            if not resume and results:
                raise FileError(
                    f"{target}: holds results already;",
                    remedy=Remedy("resume=True goes on, or remove it", "--resume goes on, or remove it"),
                )
            if words["fingerprint"] == plan.fingerprint:
                if _layout_digest(target, words) != words["layout"]:
                    _mend_layout(plan, target)
                bad = _damaged(target, words)
                for k in bad:
                    _chunk_mark(target, k).unlink(missing_ok=True)
                return [k for k in every if not marked(target, k)], len(bad)
            shutil.rmtree(target)  # of a sweep that never got a result, such as one with a slip in it
        elif not (_marks(target) / "begun").is_file():
            raise FileError(f"{target}: is there already and not a sweep; choose another store.")
    for old in (*_marks(target).glob("done-*"), _marks(target) / "sweep.json"):
        old.unlink(missing_ok=True)
    write_text(_marks(target) / "begun", "")
    _layout(plan, target)
    arrays = empty_arrays(plan, 1)
    filled = {n: a.ndim for n, (a, dims) in arrays.items() if dims[0] == "member" and n not in plan.varied}
    words = {
        "format": FORMAT, "fingerprint": plan.fingerprint, "chunks": len(every), "filled": filled,
        "fixed": [n for n in arrays if n not in filled],
    }  # fmt: skip
    words["layout"] = _layout_digest(target, words)
    write_text(_marks(target) / "sweep.json", json.dumps(words))
    return every, 0


def _layout(plan: Sweep, target: FilePath) -> None:
    import zarr
    from zarr.codecs import Crc32cCodec, ZstdCodec

    group = zarr.open_group(str(target), mode="a")
    for name, (values, dimensions) in empty_arrays(plan, plan.count).items():
        chunks = (plan.chunk, *values.shape[1:]) if dimensions[0] == "member" else values.shape
        array = group.create_array(
            name,
            shape=values.shape,
            chunks=chunks,
            dtype=values.dtype,
            dimension_names=dimensions,
            fill_value=np.nan if np.issubdtype(values.dtype, np.floating) else 0,
            compressors=[ZstdCodec(), Crc32cCodec()],
            config={"write_empty_chunks": True},
            overwrite=True,
        )
        if dimensions[0] != "member" or name in plan.varied:
            array[...] = values
    group.attrs.update({"system": plan.system.name, "axes": json.dumps(plan.shape), "until": plan.until})


def _layout_digest(target: FilePath, words: Mapping[str, Any]) -> str:
    """Of the descriptions of all arrays, and of those that are filled from the beginning."""
    places = [target / "zarr.json", *(target / n / "zarr.json" for n in (*words["fixed"], *words["filled"]))]
    for name in words["fixed"]:
        places += sorted(p for p in (target / name / "c").rglob("*") if p.is_file() and p.suffix != ".partial")
    return _digest(target, places)


def _mend_layout(plan: Sweep, target: FilePath) -> None:
    """Put back what a fresh store of the sweep has and this one has not, or otherwise."""
    fresh = FilePath(mkdtemp(dir=_marks(target)))
    try:
        _layout(plan, fresh)
        for whole in sorted(p for p in fresh.rglob("*") if p.is_file()):
            place, content = target / whole.relative_to(fresh), whole.read_bytes()
            if not place.is_file() or place.read_bytes() != content:
                place.parent.mkdir(parents=True, exist_ok=True)
                write_bytes(place, content)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _digest(target: FilePath, places: list[FilePath]) -> str:
    total = hashlib.sha256()
    for place in places:
        try:
            content = place.read_bytes()
        except OSError:
            return "missing"
        total.update(f"{place.relative_to(target).as_posix()} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


def _chunk_files(target: FilePath, words: Mapping[str, Any], k: int) -> list[FilePath]:
    return [target / n / "c" / str(k) / ("0" if size == 2 else "") for n, size in sorted(words["filled"].items())]


def _damaged(target: FilePath, words: Mapping[str, Any]) -> list[int]:
    """The chunks whose bytes are not those that were marked as done, or whose mark is no mark."""
    bad = []
    for k in range(words["chunks"]):
        if marked(target, k):
            try:
                said = _chunk_mark(target, k).read_text("ascii").strip()
            except (OSError, ValueError):
                said = ""
            if said != _digest(target, _chunk_files(target, words, k)):
                bad.append(k)
    return bad


def check_store(target: FilePath) -> None:
    """A FileError unless every byte of the store is as it was written."""
    words = read_description(target)
    if _layout_digest(target, words) != words["layout"]:
        raise FileError(f"{target}: the description of its arrays is damaged; run the sweep again on it, which mends it.")
    bad = _damaged(target, words)
    if bad:
        raise FileError(
            f"{target}: {len(bad)} of {words['chunks']} chunks are damaged (the first is chunk {bad[0]}); "
            "run the sweep again on it, which computes them anew."
        )


def write_chunk(target: FilePath, room: dict[str, Any], plan: Sweep, k: int, arrays: Mapping[str, AnyArray]) -> None:
    """Write a chunk, then mark it as done; ``room`` caches the store's open arrays between chunks."""
    import zarr

    if not room:
        with zarr.config.set({"array.write_empty_chunks": True}):  # else a chunk of nothing but NaN has no file
            group = zarr.open_group(str(target), mode="r+")
            room |= {name: group[name] for name in arrays}
    first = k * plan.chunk
    for name, values in arrays.items():
        room[name][first : first + len(values)] = values
    filled = {n: a.ndim for n, a in arrays.items()}
    write_text(_chunk_mark(target, k), _digest(target, _chunk_files(target, {"filled": filled}, k)))


def _alone(lock: Any) -> bool:
    try:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        return True
    except OSError:
        with suppress(OSError):  # a failed change of a lock may have given it back
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    return True


def _flock(lock: Any, kind: str) -> None:
    with suppress(ImportError, OSError):  # no locks here: the sweep runs as if it were alone
        import fcntl

        fcntl.flock(lock, getattr(fcntl, kind))
