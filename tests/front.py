"""Type stubs of the package's front, made from the table of its names: ``python -m tests.front`` writes them.

The front loads its names when they are first used, which no type checker can follow; the stubs say the same statically.
"""

from __future__ import annotations

from pathlib import Path

import nonholo
from nonholo import control, fields
from nonholo.lazy_names import full_name

ROOT = Path(nonholo.__file__).parent
HEAD = "# Written by `python -m tests.front` from the table of names in nonholo/__init__.py.\n"


def stub(table: dict[str, str], package: str = "nonholo", more: str = "") -> str:
    """One line for each public name, as checkers take a name for exported: ``from m import x as x``."""
    places = {full_name(package, module): names.split() for module, names in table.items()}
    lines = [f"from {module} import {name} as {name}\n" for module, names in places.items() for name in names]
    return HEAD + "".join(sorted(lines)) + more


def stubs() -> dict[Path, str]:
    """Every stub of the front, by its place."""
    rooms = "".join(f"from nonholo import {name} as {name}\n" for name in sorted((*nonholo._ROOMS, *nonholo._SPACES)))
    found = {ROOT / "__init__.pyi": stub(nonholo._NAMES, more=f"{rooms}\n__version__: str\n")}
    for name, (_, table) in nonholo._SPACES.items():
        found[ROOT / f"{name}.pyi"] = stub(table)
    for room in (control, fields):
        found[ROOT / room.__name__.split(".")[-1] / "__init__.pyi"] = stub(room._NAMES, room.__name__)
    return found


if __name__ == "__main__":
    for place, text in stubs().items():
        place.write_text(text, encoding="utf-8")
