"""The front of the package: it opens quickly, and every public name is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

import nonholo

HEAVY = ("sympy", "numba", "xarray", "scipy", "symengine", "numpy", "matplotlib", "typer", "rich", "tomli_w", "dask", "zarr")


def test_import_brings_nothing_heavy() -> None:
    question = f"import sys, nonholo; print(*[n for n in {HEAVY!r} if n in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == []


def test_every_public_name_is_there() -> None:
    assert [name for name in nonholo.__all__ if getattr(nonholo, name, None) is None or name not in dir(nonholo)] == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonholo has no name 'hammel'"):
        nonholo.hammel  # noqa: B018
