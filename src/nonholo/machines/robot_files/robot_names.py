"""Names of links and joints as names of bodies and coordinates."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

from nonholo.model.declared_words import RESERVED as RESULTS
from nonholo.notation.functions import RESERVED

TAKEN = frozenset({"t", "g", "x", "y", "z", "w1", "w2", "w3", *RESERVED, *RESULTS})
"""Names that the assembler uses itself, or that formulas do."""


def coordinate_names(names: Iterable[str]) -> dict[str, str]:
    """For each name of a file a name that formulas can hold; different ones stay different.

    >>> coordinate_names(["left-wheel", "left wheel", "hip", "2nd", "t"])
    {'left-wheel': 'left_wheel', 'left wheel': 'left_wheel_2', 'hip': 'hip', '2nd': 'q_2nd', 't': 'q_t'}
    """
    result: dict[str, str] = {}
    used = set(TAKEN)
    for name in names:
        plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "q"
        if plain[0].isdigit() or plain in TAKEN or keyword.iskeyword(plain):
            plain = f"q_{plain}"
        if plain.endswith("dot"):
            plain += "_"
        unique, count = plain, 1
        while unique in used or f"{unique}dot" in used:
            count += 1
            unique = f"{plain}_{count}"
        used |= {unique, f"{unique}dot"}
        result[name] = unique
    return result
