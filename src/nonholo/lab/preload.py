"""Modules preloaded by the process from which studies are forked.

Where the lab asks for it one small system is studied, so that the compiled loops are in memory before the first study needs them.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module

PENDULUM = 'coordinates = "x"\nlagrangian = "xdot**2/2 - x**2/2"\nuntil = 0.1\n[start]\nx = 0.1\n'
NEEDED = (
    "nonholo.model.files.toml_files", "nonholo.present.report.report_file", "nonholo.present.report.report_symmetry",
    "nonholo.integrate.motion.simulate", "nonholo.derive.laws.check", "nonholo.symmetry.reduction.reduce",
    "nonholo.symmetry.judgement.verdict",
)  # fmt: skip


def load() -> None:
    """Load what stages load when they begin."""
    sys.modules.setdefault("dask", None)  # type: ignore[arg-type]  # xarray would load all of it
    for name in NEEDED:
        import_module(name)


def warm() -> None:
    """Study a small system and forget what comes out."""
    from nonholo.lab.study_stages import work

    def forget(told: object) -> None:
        """It was only to have it done once."""

    work("study", {"text": PENDULUM, "name": "warm.toml"}, 0, forget, forget)


if (wish := os.environ.get("NONHOLO_LAB_WARM")) in ("load", "compile"):  # said by `nonholo.lab.workbench` to that process alone
    with suppress(Exception):  # whatever goes wrong here is told by the study that meets it
        load()
        if wish == "compile":
            warm()
