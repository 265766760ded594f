"""Files are written beside their place and renamed, so that nothing is left half written; links are followed."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from nonholo.errors import FileError

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
SAID = "{path} cannot be written: {reason}."


def place_of(path: str | os.PathLike[str]) -> Path:
    """Where a file of this name is written: behind its links; a FileError where something else than a file stands.

    >>> place_of("/dev/null")
    Traceback (most recent call last):
    ...
    nonholo.errors.FileError: /dev/null cannot be written: it is a device, not a file; choose another name.
    """
    try:
        target = Path(os.path.realpath(os.fspath(path)))
    except TypeError:
        raise FileError(f"{type(path).__name__} where the name of a file is needed; give the name to write to.") from None
    try:
        kind = target.stat().st_mode
    except OSError:  # nothing there yet, or no way to it: writing will tell
        return target
    if stat.S_ISREG(kind):
        return target
    known = (("a directory", stat.S_ISDIR), ("a FIFO", stat.S_ISFIFO), ("a socket", stat.S_ISSOCK))
    found = next((word for word, is_it in known if is_it(kind)), "a device")
    raise FileError(f"{path} cannot be written: it is {found}, not a file; choose another name.")


@contextmanager
def written(path: str | os.PathLike[str], said: str = SAID) -> Iterator[Path]:
    """A new file beside ``path``, with the same ending, that takes its place when all went well.

    >>> from tempfile import mkdtemp
    >>> with written(mkdtemp() + "/page.html") as beside:
    ...     _ = beside.write_text("whole")
    """
    target = place_of(path)
    beside = target.with_name(f".{target.stem[:100]}.{token_hex(8)}.part{target.suffix}")
    try:
        os.close(os.open(beside, NEW, 0o666))  # nobody else's file, nor a link that somebody has put there
        yield beside
        with suppress(OSError):  # a file that is replaced keeps its permissions
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        os.replace(beside, target)
    except FileError:
        raise
    except OSError as trouble:
        raise FileError(said.format(path=path, reason=reason(trouble))) from None
    finally:
        with suppress(OSError):
            beside.unlink()


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Inside, no other process or thread that asks for the same holds this folder: for what is compared and then written."""
    place = -1
    with suppress(ImportError, OSError):  # a system, or a disk far away, without such locks
        import fcntl

        place = os.open(folder, os.O_RDONLY)
        fcntl.flock(place, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if place >= 0:
            os.close(place)


def reason(trouble: OSError) -> str:
    """What the machine says, in few words; HDF5 tells a long story around it."""
    told = re.search("error message = '([^']*)'", str(trouble))
    return told[1] if told else str(trouble.strerror or trouble)


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a text file, with the line ends of its text."""
    return write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | os.PathLike[str], content: bytes, said: str = SAID) -> Path:
    """Write a file, to the disk itself before it takes its place."""
    with written(path, said) as beside, beside.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    return Path(path)
