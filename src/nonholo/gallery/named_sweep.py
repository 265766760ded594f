"""Sweeps whose system is named: one of the gallery, or a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nonholo import gallery
from nonholo.errors import ModelError
from nonholo.integrate.many import sweep as many

if TYPE_CHECKING:
    import xarray as xr


def sweep(
    spec: Mapping[str, Any] | str | os.PathLike[str],
    scheduler: Any = None,
    *,
    resume: bool = True,
    store: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    threads: int | None = None,
) -> xr.Dataset:
    """Run a sweep into its Zarr store and open the result.

    ``spec`` is a dict or a TOML file: ``system`` (a System, a table, a file or a name of the gallery), ``until``, ``start``,
    ``parameters``, the members by ``grid``, ``random`` or ``latin``, and what to ``record``. The store of a file is beside it
    unless told otherwise. Each chunk is written and then marked as done, so a process killed at any moment goes on where
    it was and the store comes out bit for bit the same. ``scheduler`` is the address of a Dask cluster or a
    ``distributed.Client``; workers only compute, this process writes. Chunks whose bytes have changed since are computed
    again; the result's attribute ``damaged`` says how many they were.

    >>> from tempfile import mkdtemp
    >>> words = {"system": "chaplygin-sleigh", "until": 2, "start": {"v": -1}, "grid": {"omega": [0.5, 1.0, 1.5]}}
    >>> sweep({**words, "record": {"final": ["theta"]}}, store=mkdtemp() + "/s.zarr")["final_theta"].shape
    (3,)
    """
    words, place = sweep_words(spec, store)
    return many.sweep(words, scheduler, resume, place, progress, threads)


def sweep_words(spec: Any, store: str | os.PathLike[str] | None) -> tuple[dict[str, Any], str]:
    """The words of a sweep with its system found, and where its results go."""
    words, place = many.read_words(spec, store)
    name = words.get("system")
    if not isinstance(name, str) or name.endswith(".toml"):
        return words, place
    found = gallery.get(name)
    if not hasattr(found, "start"):
        raise ModelError(f"sweep: {name} is a field, and sweeps vary the numbers of a System; see nonholo list.")
    given = words.get("parameters", {})
    if not isinstance(given, Mapping):
        raise ModelError(f"sweep: parameters = {str(given)[:60]!r}; give a table of names and numbers.")
    own = {"start": dict(found.start), "until": found.until}
    return {**own, **words, "system": found.system, "parameters": {**found.parameters, **given}}, place
