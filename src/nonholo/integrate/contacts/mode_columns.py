"""Forces, slip and gap of contacts along a piece of a motion in one mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.derive.contacts.contact_equations import word
from nonholo.integrate.contacts.contact_core import ModeDerived
from nonholo.integrate.motion.compiled_equations import on_rows

Array = np.ndarray[Any, np.dtype[Any]]


def contact_columns_of(derived: ModeDerived, rows: Array) -> dict[str, Array]:
    """Forces, slip, gap and place of every contact on rows of a path in one mode."""
    found = on_rows(derived.contact_code, rows).reshape(len(rows), len(derived.contacts), 10)
    normal, along, across, first, second, gap = (found[:, :, i].copy() for i in range(6))
    point = found[:, :, 6:9].copy()
    for k, one in enumerate(derived.contacts):
        named = one.law.directions if one.law.rolls else ()
        if named == ("across",):
            along[:, k], across[:, k] = np.nan, along[:, k].copy()
        across[:, k] = across[:, k] if "across" in named else np.nan
        along[:, k] = along[:, k] if "along" in named else np.nan
        if not one.law.point:
            point[:, k] = np.nan
        if one.gap is None:
            gap[:, k] = np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.hypot(np.nan_to_num(along), np.nan_to_num(across)) / normal
    modes = np.broadcast_to(
        np.array([word(one, acting) for one, acting in zip(derived.contacts, derived.mode)]), (len(rows), len(derived.contacts))
    )
    return {
        "normal": normal, "along": along, "across": across, "ratio": ratio, "slip": np.hypot(first, second), "point": point,
        "gap": gap, "mode": np.array(modes),
    }  # fmt: skip
