"""Imported once by the process that all studies are forked from: what each of them needs is loaded and compiled here.

One small motion is computed, so that the compiled loops are in memory before the first study asks for them.
"""

from __future__ import annotations

import os
import sys

PENDULUM = 'coordinates = "x"\nlagrangian = "xdot**2/2 - x**2/2"\nuntil = 0.1\n[start]\nx = 0.1\n'


def warm() -> None:
    """Load and compile; whatever goes wrong here is told by the study that meets it."""
    sys.modules.setdefault("dask", None)  # type: ignore[arg-type]  # xarray would load all of it
    from nonholo.lab.study import STAGES, work

    def forget(told: object) -> None:
        """It was only to have it done once."""

    try:
        work("study", {"text": PENDULUM, "name": "warm.toml"}, 0, forget, forget)
    except Exception as trouble:
        print(f"nonholo lab: {STAGES[0]}: {trouble}", file=sys.stderr)


if os.environ.get("NONHOLO_LAB_WARM") == "1":
    warm()
