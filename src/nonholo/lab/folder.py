"""The lab's folder: its TOML files are listed, read and saved; nothing outside it is read or written."""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from nonholo.errors import FileError
from nonholo.model.files.toml_text import file_bytes, plain_text
from nonholo.writing import alone_in, write_text

LARGEST = 400_000
"""Bytes of a text; the largest systems we know have thirty thousand."""
DEEP, MOST, SEEN = 4, 400, 20_000
"""Folders inside each other, files that are listed, and entries that are looked at for them."""

FIRST, LAST = 20000, 32768
"""Below the ports that systems hand out for outgoing connections: those are taken by chance at any time."""
TRIES = 8
"""Ports of its own that a lab tries before it takes any."""


class ChangedMeanwhile(FileError):
    """A file that another hand has written since it was read."""


@dataclass(frozen=True)
class Folder:
    """A folder by its real path."""

    root: Path

    def place(self, path: str) -> Path:
        """The real path of a TOML file in the folder; what leads out of it, by dots or by links, is refused.

        >>> Folder(Path("/")).place("../etc/passwd.toml")
        Traceback (most recent call last):
        ...
        nonholo.errors.FileError: '../etc/passwd.toml' leads out of the folder of the lab; choose a file inside it.
        """
        shown = repr(path[:80])
        if not path or len(path) > 500 or not path.isprintable() or "\\" in path or ":" in path:
            raise FileError(f"{shown} is no name for a file; use letters, digits, - and _, and end it with .toml.")
        if path.startswith("/") or ".." in path.split("/"):
            raise FileError(f"{shown} leads out of the folder of the lab; choose a file inside it.")
        if not path.endswith(".toml") or path.rpartition("/")[2].startswith("."):
            raise FileError(f"{shown}: the lab reads and writes files that end in .toml, e.g. sleigh.toml.")
        target = Path(os.path.realpath(self.root / path))
        if not target.is_relative_to(self.root) or target.suffix != ".toml":
            raise FileError(f"{shown} leads out of the folder of the lab; choose a file inside it.")
        return target

    @property
    def digest(self) -> str:
        """A short digest of the path; a browser finds the texts of this folder by it."""
        return version_mark(os.fsencode(self.root))

    @property
    def ports(self) -> list[int]:
        """The ports of this folder; its lab takes the first that is free: a browser keeps texts by port.

        >>> Folder(Path("/")).ports[:2]
        [24637, 24638]
        """
        start = int(self.digest, 16)
        return [FIRST + (start + k) % (LAST - FIRST) for k in range(TRIES)]

    def read(self, path: str) -> dict[str, str]:
        """The text of a file, and the version mark that saving requires."""
        target = self.place(path)
        try:
            content = file_bytes(target, largest=LARGEST)
            return {"text": plain_text(content), "mark": version_mark(content)}
        except FileError as trouble:  # the real path is not shown
            raise FileError(str(trouble).replace(str(target), path)) from None
        except UnicodeDecodeError:
            raise FileError(f"{path} is not UTF-8 text; save it as UTF-8 TOML.") from None
        except OSError as trouble:
            raise FileError(f"{path} cannot be read: {trouble.strerror}.") from None

    def save(self, path: str, text: str, seen: str | None) -> str:
        """Write a text, beside first and then renamed; ``seen`` marks what it replaces, "" for nothing, None for whatever."""
        target = self.place(path)
        if len(text.encode()) > LARGEST:
            raise FileError(f"{path}: the text has more than {LARGEST} bytes, more than any system.")
        if not target.parent.is_dir():
            raise FileError(f"{path}: there is no folder {path.rpartition('/')[0]}; create it first.")
        with alone_in(target.parent):  # another lab, also of a folder above or below, may save at the same time
            if seen is not None:
                now = version_mark(target.read_bytes()) if target.is_file() else ""
                if now != seen:
                    reason = "was changed by another program since it was opened" if seen else "exists already"
                    raise ChangedMeanwhile(f"{path} {reason}.")
            try:
                write_text(target, text)
            except FileError as trouble:
                raise FileError(str(trouble).replace(str(target), path)) from None
        return version_mark(text.encode())

    def files(self) -> list[dict[str, Any]]:
        """The TOML files in the folder and in folders inside it, in order; hidden ones and links out of it are left out."""
        found: list[str] = []
        seen = 0
        for base, folders, names in os.walk(self.root):
            inner = Path(base).relative_to(self.root)
            folders[:] = sorted(f for f in folders if not f.startswith((".", "node_modules", "__pycache__")))
            if len(inner.parts) >= DEEP:
                folders.clear()
            seen += len(names) + len(folders)
            found += [(inner / n).as_posix() for n in sorted(names) if n.endswith(".toml") and self._inside(inner / n)]
            if seen > SEEN or len(found) > MOST:
                break
        return [{"path": p} for p in sorted(found, key=lambda p: (p.count("/"), p))[:MOST]]

    def _inside(self, path: Path) -> bool:
        try:
            return self.place(path.as_posix()).is_file()
        except (FileError, OSError):
            return False


def version_mark(content: bytes) -> str:
    """A short digest by which a changed file is noticed."""
    return sha256(content).hexdigest()[:32]
