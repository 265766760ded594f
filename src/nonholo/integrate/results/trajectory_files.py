"""Store and open trajectories as sealed NetCDF files.

The seal is the last bytes of the file, ``nonholo`` and the SHA-256 of all before them. NetCDF readers do not look behind the
end of their data, so plain xarray reads the file; nonholo does not let HDF5 see a file whose seal does not fit.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import FileError, NonholoError, Remedy
from nonholo.integrate.outcome import KINDS, Outcome
from nonholo.writing import write_bytes

if TYPE_CHECKING:
    import xarray as xr

    from nonholo.model.system import System

FORMAT = 2
MAGIC = b"\x89HDF\r\n\x1a\n"
SEAL = b"nonholo\n"
SAID = "{path}: cannot write ({reason}); choose a place that exists and has room."
Check = Callable[[Any], bool]


def seal(content: bytes) -> bytes:
    """The bytes that go behind a file's content.

    >>> seal(b"")[:12], len(seal(b"anything"))
    (b'nonholo\\n\\xe3\\xb0\\xc4B', 40)
    """
    return SEAL + sha256(content).digest()


def write(path: str | os.PathLike[str], data: xr.Dataset, words: Mapping[str, Any]) -> None:
    """Write a Dataset with more attributes; made in memory, so that HDF5 never meets a disk that is full."""
    names = {str(n): list(map(str, v.dims)) for n, v in data.variables.items()}
    attributes = {f"nonholo_{n}": json.dumps(e) for n, e in {**words, "variables": names}.items()}
    content = bytes(data.assign_attrs(nonholo_format=FORMAT, **attributes).to_netcdf(engine="h5netcdf"))
    write_bytes(path, content + seal(content), SAID)


def read(path: str | os.PathLike[str]) -> tuple[xr.Dataset, dict[str, Any]]:
    """The Dataset of a file and the attributes given to `write`, both checked; a FileError otherwise."""
    if not isinstance(path, (str, os.PathLike)):
        raise FileError(f"{type(path).__name__} where the name of a file is needed; give one that nonholo wrote.")
    target = Path(path)
    if not os.path.exists(target):
        raise FileError(f"{target}: there is no such file.")
    if not target.is_file():
        raise FileError(f"{target}: not a file; give the name of one that nonholo wrote.")
    try:
        with target.open("rb") as stream:
            begins, length = stream.read(len(MAGIC)), max(0, stream.seek(0, os.SEEK_END) - len(seal(b"")))
            stream.seek(length)
            end = stream.read()
            if begins != MAGIC:
                raise FileError(f"{target}: not a NetCDF file nonholo can read.")
            if not end.startswith(SEAL):
                raise FileError(f"{target}: a NetCDF file, but not one that nonholo wrote, or it was cut or changed since.")
            stream.seek(0)
            inner = stream.read(length)
    except FileError:
        raise
    except (OSError, MemoryError) as trouble:
        raise FileError(f"{target} cannot be read: {getattr(trouble, 'strerror', None) or 'not enough memory'}.") from None
    if end != seal(inner):
        raise FileError(
            f"{target}: damaged or changed since it was written (its checksum does not fit); take another copy."
        )
    try:
        refused = _foreign(inner)
        if refused:
            raise FileError(f"{target}: {refused}; nonholo writes no such files and reads none.")
        data = _loaded(inner)
    except FileError:
        raise
    except Exception as problem:
        raise FileError(f"{target}: not a NetCDF file nonholo can read ({type(problem).__name__}).") from None
    return _checked(data, str(target))


def _loaded(content: bytes) -> xr.Dataset:
    import xarray as xr

    # units are words for people: a column in "seconds" stays numbers
    with xr.open_dataset(BytesIO(content), engine="h5netcdf", decode_times=False, decode_timedelta=False) as handle:
        return handle.load()


def _foreign(content: bytes) -> str:
    """What in an HDF5 file would read other files or claims more than the file can hold; empty when nothing does."""
    import h5py

    if _endless(content):
        return "a heap of it never ends"
    claimed = 0
    with h5py.File(BytesIO(content), "r") as file:
        for name in file:
            if not isinstance(file.get(name, getlink=True), h5py.HardLink):
                return f"{name!r} is a link to another place"
            if file.get(name, getclass=True) is not h5py.Dataset:
                return f"{name!r} is not an array"
            array = file[name]
            if array.external or array.is_virtual:
                return f"{name!r} takes its numbers from another file"
            claimed += math.prod(array.shape or ()) * array.dtype.itemsize
            if claimed > 2 * len(content):
                return f"{name!r} claims more numbers than the file can hold"
    return ""


def _endless(content: bytes) -> bool:
    """Whether a global heap has free space of no length, where HDF5 would walk on the spot for ever.

    A collection is ``GCOL``, its version 1 and three zeros, its length, and objects of 16 bytes and their content, padded to 8;
    object 0 is the free space, and its length counts itself. [HDF5 file format specification III.E]
    """
    at = content.find(b"GCOL\x01\0\0\0")
    while at >= 0:
        place, end = at + 16, at + int.from_bytes(content[at + 8 : at + 16], "little")
        while place + 16 <= min(end, len(content)):
            length = int.from_bytes(content[place + 8 : place + 16], "little")
            free = content[place : place + 2] == b"\0\0"
            if free and length == 0:
                return True
            place += length if free else 16 + -(-length // 8) * 8
        at = content.find(b"GCOL\x01\0\0\0", at + 1)
    return False


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _value(value: Any) -> bool:
    return _is_number(value) or (isinstance(value, list) and all(map(_value, value)))


def _is_count(value: Any) -> bool:
    return _is_number(value) and isinstance(value, int) and value >= 0


def _by_name(check: Check) -> Check:
    return lambda value: isinstance(value, dict) and all(map(check, value.values()))


def _outcome(value: Any) -> bool:
    if not (isinstance(value, dict) and set(value) == {"kind", "time", "remedy", "missed", "unique_until"}):
        return False
    remedy, lost = value["remedy"], value["unique_until"]
    known = value["kind"] in KINDS and _is_number(value["time"]) and math.isfinite(value["time"])
    words = isinstance(remedy, list) and len(remedy) == 3 and isinstance(remedy[0], str)
    words = words and all(e is None or isinstance(e, str) for e in remedy)
    return known and words and isinstance(value["missed"], bool) and (lost is None or (_is_number(lost) and math.isfinite(lost)))


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_number, value))


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(e, str) for e in value)


SCHEMA: dict[str, tuple[Check, str]] = {
    "final": (_by_name(_value), "numbers by name"),
    "outcome": (_outcome, "an outcome that nonholo knows, a time and an advice"),
    "events": (_by_name(_is_numbers), "lists of times by name"),
    "cost": (lambda v: isinstance(v, list) and len(v) == 3 and all(map(_is_count, v)), "three whole numbers"),
    "first": (_by_name(_value), "numbers by name"),
    "drifts": (_by_name(_is_number), "numbers by name"),
    "variables": (_by_name(_is_texts), "dimensions by name"),
}
"""What every file must hold, as JSON in attributes ``nonholo_…``."""


OPTIONAL: dict[str, tuple[Check, str]] = {
    "sensitivity": (
        lambda v: isinstance(v, dict) and set(v) == {"quantity", "with_respect_to"} and all(map(_is_texts, v.values())),
        "names of quantities and directions",
    ),
    "modes": (
        lambda v: isinstance(v, list) and all(
            isinstance(row, list) and len(row) == 6 and _by_name(_is_number)(row[5])
            for row in v
        ),
        "changes of contacts, six entries each",
    ),
}
"""What a file may hold."""
SLOPES = "nonholo_sensitivity"
"""The variable with derivatives, over time, quantity and with_respect_to."""


def _checked(data: xr.Dataset, where: str) -> tuple[xr.Dataset, dict[str, Any]]:
    attributes = dict(data.attrs)
    if "nonholo_format" not in attributes:
        raise FileError(f"{where}: a NetCDF file, but not one that nonholo wrote.")
    found = attributes["nonholo_format"]
    if not (isinstance(found, (int, np.integer)) and found == FORMAT):
        raise FileError(
            f"{where}: written in format {str(found)[:20]}, this version reads {FORMAT}; use a matching nonholo."
        )
    words: dict[str, Any] = {}
    held = {n: c for n, c in OPTIONAL.items() if f"nonholo_{n}" in attributes}
    for name, (check, needed) in {**SCHEMA, **held}.items():
        try:
            words[name] = json.loads(attributes[f"nonholo_{name}"])
            right = check(words[name])
        except (KeyError, TypeError, ValueError, RecursionError):
            right = False
        if not right:
            raise FileError(f"{where}: its attribute nonholo_{name} is missing or does not hold {needed}.")
    if not isinstance(attributes.get("system_text"), str):
        raise FileError(f"{where}: its attribute system_text is missing or does not hold text.")
    variables = words.pop("variables")
    for name in dict.fromkeys([*variables, *map(str, data.variables), "t"]):
        if name not in variables or name not in data.variables or list(data[name].dims) != variables[name]:
            raise FileError(
                f"{where}: its variables are not those it was written with ({name!r} is missing or another)."
            )
        if data[name].dtype.kind not in "fiub":
            raise FileError(f"{where}: its variable {name!r} holds no numbers.")
    slopes, named = data.variables.get(SLOPES), words.get("sensitivity", {})
    shape = {"t": data.sizes.get("t", 0), **{n: len(e) for n, e in named.items()}}
    if (slopes is None) != (not named) or (slopes is not None and dict(slopes.sizes) != shape):
        raise FileError(f"{where}: its sensitivities and their names do not fit together.")
    data.attrs = {k: v for k, v in attributes.items() if not k.startswith("nonholo_")}
    return data, words


def outcome_of(words: Mapping[str, Any]) -> Outcome:
    """The outcome among the attributes of a file."""
    fields = words["outcome"]
    lost = math.inf if fields["unique_until"] is None else float(fields["unique_until"])
    return Outcome(fields["kind"], float(fields["time"]), Remedy(*fields["remedy"]), fields["missed"], lost)


def outcome_words(outcome: Outcome) -> dict[str, object]:
    """An outcome as plain data for a file."""
    lost = outcome.unique_until if math.isfinite(outcome.unique_until) else None
    remedy = [outcome.remedy.python, outcome.remedy.shell, outcome.remedy.page]
    return {"kind": outcome.kind, "time": outcome.time, "remedy": remedy, "missed": outcome.missed, "unique_until": lost}


def versions() -> dict[str, str]:
    """The packages that a motion's numbers depend on."""
    from importlib.metadata import version
    from platform import python_version

    packages = ("nonholo", "symengine", "llvmlite", "numpy")
    return {p: version(p) for p in packages} | {"python": python_version()}

def system_text(system: System | None) -> str:
    """The system as text that gives it back; nothing for a motion of bare equations."""
    from nonholo.machines.machine_files import dumps

    try:
        return dumps(system) if system is not None else ""
    except NonholoError:  # a frame of one's own making may have no words
        return repr(system)


def system_of(text: str) -> System | None:
    """The system that a file holds as text; None where there is none."""
    from nonholo.machines.machine_files import loads

    try:
        return loads(text) if text else None
    except NonholoError:
        return None
