"""The loops as machine code of this processor: from LLVM bitcode in the package, by llvmlite, stored in the user's cache.

The bitcode (for no processor in particular) is generated from the Python functions of ``loops`` and of the methods when the
package is built, by ``generate.py``. It carries a digest of these sources. A checkout whose sources have changed since generates
what it needs with Numba, once.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from platform import machine
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

import numpy as np

from nonholo.errors import ModelError
from nonholo.integrate.loops.compilation import object_cache
from nonholo.integrate.loops.compilation.loop_compiler import GENERATING
from nonholo.program.llvm_jit import FEW, load_object, object_code, processor

LOOPS = Path(__file__).parents[1]
FOLDER = LOOPS / "bitcode"
SOURCES = (LOOPS, LOOPS.parent / "methods")
MARK = b"nonholo loop of "
MODELLED = "x86-64-v3" if machine().lower() in ("x86_64", "amd64") else "generic"
"""The processor whose costs decide which functions LLVM inlines; it uses none of its instructions."""
SETTINGS = {
    GENERATING: "1",
    "NUMBA_CPU_NAME": MODELLED,
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_DISABLE_JIT": "0",
    "NUMBA_OPT": "3",
    "PYTHONHASHSEED": "0",
}
"""Of the process in which Numba works: no instructions of a particular processor, the same bytes every time."""
PROCESSES = 2
"""Among which Numba's work is divided, on any machine: its bytes depend on what a process compiled before."""
_CALLED = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
_ENTRY: Any = ctypes.c_char
_LOADED: dict[str, Callable[[str], int]] = {}
_LOADING = Lock()

Whole = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, eq=False)
class Entry:
    """A function to be compiled as C would call it; ``arguments``: a letter for each, i for an integer, d for a double.

    It ``returns`` an integer or nothing.
    """

    name: str
    function: object
    arguments: str
    returns: bool = False


class Routine:
    """A compiled function that Python calls with an array of integers: addresses and numbers."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name, self.entries = name, (Entry("run", function, "i", returns=True),)

    @cached_property
    def _run(self) -> Callable[[int], int]:
        return _CALLED(address(self.name, "run"))

    def __call__(self, call: Whole) -> int:
        """Run it once."""
        return self._run(place(call))

    def bound(self, call: Whole) -> Callable[[], int]:
        """The routine with its array, which must stay alive, for many calls."""
        return partial(self._run, place(call))


def place(array: np.ndarray[Any, Any]) -> int:
    """The address of an array's first entry, 0 where it has none; five times as quick as ``array.ctypes.data``."""
    if array.size == 0:
        return 0
    try:
        return ctypes.addressof(_ENTRY.from_buffer(array))
    except TypeError:  # it cannot be written, and loops only read it
        return int(array.ctypes.data)


@cache
def address(unit: str, function: str) -> int:
    """Address of the machine code of a function, loaded at first use."""
    found = _LOADED.get(unit)
    if found is None:
        with _LOADING:
            found = _LOADED.get(unit)
            if found is None:
                found = _LOADED[unit] = load_object(_machine_code(unit))
    return found(function)


def _machine_code(unit: str) -> bytes:
    """The object code of a unit for this processor, from the user's cache where it is there."""
    code = bitcode(unit)
    made_from = hashlib.sha256(code + processor().encode()).hexdigest()
    name = f"{unit}.{made_from[:32]}.loop"
    found = object_cache.kept(name)
    if found is None:
        found = object_code(code)
        object_cache.keep(name, found)
    return found


@cache
def fingerprint() -> str:
    """A digest of all sources from which the loops are generated."""
    digest = hashlib.sha256(str(FEW).encode())
    for folder in SOURCES:
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def marked(code: bytes) -> bytes:
    """LLVM's code with the digest of its sources in front."""
    return MARK + fingerprint().encode() + b"\n" + code


def _unmarked(content: bytes) -> bytes | None:
    """LLVM's code, or None where it is of other sources."""
    head = marked(b"")
    return content[len(head) :] if content.startswith(head) else None


def bitcode(unit: str) -> bytes:
    """LLVM's code of a unit: the package's own, or generated when that is missing or of other sources."""
    with suppress(OSError):
        found = _unmarked((FOLDER / f"{unit}.bc").read_bytes())
        if found is not None:
            return found
    name = f"{unit}.{fingerprint()[:32]}.bitcode.loop"
    found = object_cache.kept(name)
    if found is None:
        with _alone():
            found = object_cache.kept(name)  # another process may have made it meanwhile
            if found is None:
                found = _generated(unit)
                object_cache.keep(name, found)
    return found


def _generated(unit: str) -> bytes:
    """LLVM's code of a unit, made with Numba in a process of its own."""
    if find_spec("numba") is None:
        state = "of other sources than these" if (FOLDER / f"{unit}.bc").exists() else "not there"
        raise ModelError(
            f"compiled loop {unit!r}: its code in {FOLDER} is {state}, and Numba, which makes it, is not installed. "
            "Install nonholo again (pip install . or pip install -e . in its folder), or install Numba: pip install numba."
        )
    if sys.stderr.isatty():
        print(f"nonholo generates its loop {unit!r} with Numba, once for these sources: some seconds …", file=sys.stderr)
    with TemporaryDirectory() as place:
        generate(Path(place), [unit])
        return (Path(place) / f"{unit}.bc").read_bytes()[len(marked(b"")) :]


def generate(folder: Path, units: Sequence[str]) -> None:
    """Generate the code of these units into a folder with Numba, in processes of its own."""
    words = [sys.executable, "-m", "nonholo.integrate.loops.compilation.generate", str(folder)]
    paths = [str(Path(__file__).parents[4]), *filter(None, [os.environ.get("PYTHONPATH")])]
    settings = {**os.environ, **SETTINGS, "PYTHONPATH": os.pathsep.join(paths)}
    parts = [units[k::PROCESSES] for k in range(min(PROCESSES, len(units)))]
    run = partial(subprocess.run, env=settings, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    with ThreadPoolExecutor() as pool:
        for part, done in zip(parts, pool.map(run, ([*words, *part] for part in parts))):
            if done.returncode != 0:
                raise ModelError(f"compiled loops {' '.join(part)}: Numba could not make them. {done.stderr.strip()[-3000:]}")


@contextmanager
def _alone() -> Iterator[None]:
    """One process generates at a time, where the system has locks: others then find what it made."""
    place, lock = object_cache.directory(), None
    if place is not None and find_spec("fcntl") is not None:
        with suppress(OSError):  # where nothing can be written there is no lock, and nothing to be found
            lock = open(place / "generating.lock", "w")  # noqa: SIM115
    if lock is None:
        yield
        return
    import fcntl

    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
