"""Compiled loops on disk: plain bytes behind their digest, in a directory that only this user can write.

Damaged files are deleted and generated again; files that others may have written are not read. Without a cache the loops are
compiled in every process, which takes a second.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from nonholo.errors import FileError
from nonholo.writing import written

MARK = b"nonholo-loops-1 "
KEPT = 300
"""Most files in the cache; the least recently used are deleted."""
USED = 86400.0
"""A file that is read has its time set anew when this many seconds have passed."""
DIGEST = 32


def private(directory: Path) -> bool:
    """Whether the directory and its parents belong to this user (or the system) and only they can write there."""
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


def directory() -> Path | None:
    """This user's own directory for compiled loops, made when it is not there; None where there is no such place."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    home = configured if os.path.isabs(configured) else os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(home):  # nobody's home is known: a folder called ~ where the program happens to run is none
        return None
    place = Path(home) / "nonholo" / "compiled"
    with suppress(OSError):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place if private(place) else None


def kept(name: str) -> bytes | None:
    """The bytes stored under a name, or None; a damaged file is deleted."""
    place = directory()
    if place is None:
        return None
    path = place / name
    try:
        found = path.read_bytes()
    except OSError:
        return None
    start = len(MARK) + DIGEST
    digest, content = found[len(MARK) : start], found[start:]
    with suppress(OSError):
        if not found.startswith(MARK) or not hmac.compare_digest(digest, _digest(name, content)):
            path.unlink()
            return None
        if time.time() - path.stat().st_mtime > USED:
            os.utime(path)
        return content
    return None


def keep(name: str, content: bytes) -> None:
    """Store bytes under a name that identifies their sources; on a full disk the next process compiles again."""
    place = directory()
    if place is not None:
        with suppress(OSError, FileError):
            with written(place / name) as beside:
                beside.write_bytes(MARK + _digest(name, content) + content)
            _bound(place)


def _digest(name: str, content: bytes) -> bytes:
    """Of the name too: the file of one loop in the place of another is damage."""
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


def _bound(place: Path, most: int = KEPT) -> None:
    """Throw away the files that were used longest ago, beyond ``most``: code of versions that are gone."""
    found = sorted((path.stat().st_mtime, path) for path in place.glob("*.loop"))
    for _, path in found[: max(0, len(found) - most)]:
        with suppress(OSError):
            path.unlink()
