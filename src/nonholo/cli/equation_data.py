"""Equations as plain data."""

from __future__ import annotations

from typing import Any


def equations_table(equations: Any) -> dict[str, Any]:
    """Plain data: names and texts; ``shared`` holds what the texts of long equations abbreviate, in order."""
    from nonholo.derive.display.equation_text import shared_parts
    from nonholo.notation.write import to_text

    lists = ("coordinates", "speeds", "unknowns", "parameters", "inputs")
    names = {key: [str(s) for s in getattr(equations, key)] for key in lists}
    size, count = len(equations.force), len(equations.kinematics)
    flat = [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force]
    shared, flat = shared_parts(flat, [name for key in lists for name in names[key]])
    texts = [to_text(e) for e in flat]
    return {
        "name": equations.name,
        "form": equations.origin,
        **names,
        "kinematics": texts[:count],
        "mass": [texts[count + i * size : count + (i + 1) * size] for i in range(size)],
        "force": texts[count + size * size :],
        "shared": {str(name): to_text(side) for name, side in shared},
    }
