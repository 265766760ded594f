"""``nh.export``: a system's equations in another language, returned or written."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from nonholo.compile.portable import portable
from nonholo.compile.targets.registry import target
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.errors import FileError, ModelError
from nonholo.model.system import System, check_system


def export(s: System | Equations, to: str, path: str | os.PathLike[str] | None = None, implicit: bool = False) -> Any:
    """A system's motion as C, NumPy, JAX, CasADi, WebAssembly or SymPy.

    Without a ``path`` the live thing is returned: functions, a CasADi Function, SymPy matrices, the bytes of a module, texts by
    file name for C. With one the files are written and their paths returned. ``implicit`` gives the residual
    ``[ẋ − kinematics, M (ż, z) − F]`` in place of the solved rates.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", parameters="l", lagrangian="qdot**2/2 + cos(q)/l")
    >>> functions = nh.export(swing, "numpy")
    >>> functions.rates(0.0, [0.0, 3.0], (), [2.0]).tolist()
    [3.0, 0.0]
    """
    chosen = target(to)
    if isinstance(s, Equations):
        equations, values = s, {}
    else:
        check_system(s)
        equations, values = hamel(s), dict(s.values)
    known = [float(values[str(p)]) if str(p) in values else None for p in equations.parameters]
    made = portable(equations, implicit, known)
    if path is None:
        return chosen.live(made)
    place = Path(path)
    if place.suffix != chosen.suffix:
        raise ModelError(f"export: {place.name} is not the name of a {to} file; give one that ends in {chosen.suffix}.")
    files = chosen.files(made, place.stem)
    return tuple(_write(place.with_name(name), content) for name, content in files.items())


def _write(place: Path, content: str | bytes) -> Path:
    """Written beside and renamed, so that no reader sees half of it."""
    data = content.encode() if isinstance(content, str) else content
    try:
        handle, beside = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.chmod(beside, 0o644)
            os.replace(beside, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise
    except OSError as trouble:
        raise FileError(f"{place} cannot be written: {trouble.strerror or trouble}.") from None
    return place
