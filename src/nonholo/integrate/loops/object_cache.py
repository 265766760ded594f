"""Compiled loops on disk: what is damaged is thrown away and made anew, and what others may have written is not read.

Numba keeps machine code as pickles, which can hold anything. A file is read only when it begins with the digest of the rest, and
only from a directory that nobody else can write to; else a private one in the user's cache serves.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime import rtsys

MARK = b"nonholo-cache-1 "
KEPT = 300
"""So many files are kept; those that were used longest ago give way."""
USED = 86400.0
"""A file that is read has its time set anew when this many seconds have passed."""
DIGEST = 32


def private(directory: Path) -> bool:
    """Whether the directory and what it stands in belong to this user (or the system) and only they can write there."""
    with suppress(OSError):
        for place in (directory, directory.parent):
            found = place.stat()
            ours = not hasattr(os, "getuid") or found.st_uid in (os.getuid(), 0)
            others = stat.S_IWGRP | stat.S_IWOTH
            if not ours or (found.st_mode & others and not found.st_mode & stat.S_ISVTX):
                return False
            if place == directory and found.st_mode & others:
                return False
        return True
    return False


def own_directory() -> Path:
    """A directory of this user's own for compiled code, made when it is not there."""
    told = os.environ.get("XDG_CACHE_HOME", "")
    home = told if os.path.isabs(told) else os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(home):  # nobody's home is known: a folder called ~ where the program happens to run is none
        raise OSError("this user has no home")
    place = Path(home) / "nonholo" / "compiled"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place


def bounded(place: Path, most: int = KEPT) -> None:
    """Throw away the files of a folder that were used longest ago, beyond ``most``: code of versions that are gone."""
    with suppress(OSError):
        found = sorted((path.stat().st_mtime, path) for path in place.glob("*.nbc"))
        for _, path in found[: max(0, len(found) - most)]:
            with suppress(OSError):
                path.unlink()


class SealedFile(IndexDataCacheFile):  # type: ignore[misc]
    """Machine code in files named by all it was made from, each with a digest of its contents in front.

    Numba keeps an index beside numbered files; two processes that compile at once can then give one number to two functions, and
    one is loaded for the other. Here no file is ever another's, and there is no index to be wrong.
    """

    def _path(self, key: Any) -> Path:
        made_from = repr((self._version, self._source_stamp, key)).encode()
        return Path(self._data_path(f"{self._base}.{hashlib.sha256(made_from).hexdigest()[:24]}.nbc"))

    @property
    def _base(self) -> str:
        return str(self._index_name).removesuffix(".nbi")

    def save(self, key: Any, data: Any) -> None:
        """Keep the code of a key: written beside and renamed."""
        with self._open_for_write(str(self._path(key))) as stream:
            stream.write(_sealed(self._dump((repr(key), data))))
        bounded(Path(self._cache_path))

    def load(self, key: Any) -> Any:
        """The code of a key, or None; a damaged file is thrown away."""
        path = self._path(key)
        try:
            known, data = _unsealed(path.read_bytes())
        except OSError:
            return None
        except _DamagedError:
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > USED:
                os.utime(path)
        return data if known == repr(key) else None

    def flush(self) -> None:
        """Forget the code of this function."""
        for path in Path(self._cache_path).glob(f"{self._base}.*.nbc"):
            with suppress(OSError):
                path.unlink()


class _DamagedError(Exception):
    """A cache file that is not as it was written."""


def _sealed(content: bytes) -> bytes:
    return MARK + hashlib.sha256(content).digest() + content


def _unsealed(content: bytes) -> Any:
    import pickle

    start = len(MARK) + DIGEST
    digest, rest = content[len(MARK) : start], content[start:]
    if not content.startswith(MARK) or not hmac.compare_digest(digest, hashlib.sha256(rest).digest()):
        raise _DamagedError("a damaged cache file")
    try:
        return pickle.loads(rest)
    except Exception as problem:  # whole, but of another Numba or Python
        raise _DamagedError(str(problem)) from None


class LoopCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache on disk, whose key covers every function and number the machine code is made of.

    Numba alone looks at the file of the outermost function and would keep stale code when a callee in another
    file changes.
    """

    def __init__(self, function: Callable[..., Any], fingerprint: Callable[[Callable[..., Any]], str]) -> None:
        super().__init__(function)
        self._fingerprint = fingerprint
        place = Path(self.cache_path)
        if not private(place):
            place = own_directory()
        self._cache_path = str(place)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = SealedFile(self._cache_path, self._impl.filename_base, stamp)
        if not private(place):
            self.disable()

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (sig, codegen.magic_tuple(), self._fingerprint(self._py_func))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Machine code from disk, or None when there is none that can be used."""
        try:
            rtsys.initialize(target_context)  # all that finished code needs; what only compiling needs is read in then
            found = self._load_overload(sig, target_context)
        except Exception:  # whole and readable, and yet not what this LLVM can link
            found = None
        if found is None and sys.stderr.isatty():
            print("nonholo compiles its integrator, once for all models: half a minute of patience …", file=sys.stderr)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code on disk where that is possible."""
        with suppress(OSError):  # a full disk costs the next process some seconds, no more
            super().save_overload(sig, data)
