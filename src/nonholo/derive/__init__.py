"""System -> Equations: one file for each form of the equations of motion."""

from __future__ import annotations

import re
from pathlib import Path


def form_files() -> dict[str, str]:
    """Name of each form -> the module that registers it, read from the files' text: nothing is imported.

    >>> form_files()["voronetz"]
    'nonholo.derive.voronetz'
    """
    found = {}
    for file in sorted(Path(__file__).parent.glob("*.py")):
        for name in re.findall(r'^@form\(\s*"(\w+)"', file.read_text(encoding="utf-8"), re.MULTILINE):
            found[name] = f"nonholo.derive.{file.stem}"
    return found
