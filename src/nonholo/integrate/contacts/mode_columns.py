"""Forces, slip and gap of contacts along a piece of a motion in one mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonholo.derive.contacts.contact_equations import word
from nonholo.integrate.contacts.contact_formulation import COLUMNS, ModeKernel
from nonholo.integrate.motion.system_kernel import on_rows
from nonholo.model.contacts import ContactLaw

Array = np.ndarray[Any, np.dtype[Any]]


def contact_columns_of(kernel: ModeKernel, rows: Array) -> dict[str, Array]:
    """Forces, slip, gap and place of every contact on rows of a path in one mode."""
    found = on_rows(kernel.contact_code, rows).reshape(len(rows), len(kernel.contacts), COLUMNS)
    gap = found[:, :, 5].copy()
    for k, one in enumerate(kernel.contacts):
        if one.gap is None:
            gap[:, k] = np.nan
    modes = [word(one, acting) for one, acting in zip(kernel.contacts, kernel.mode)]
    laws = [one.law for one in kernel.contacts]
    unlimited = [m == "rolling" and not law.slips for m, law in zip(modes, laws)]
    columns = drawn_columns(laws, found[:, :, :5], found[:, :, 6:], unlimited)
    return columns | {"gap": gap, "mode": np.array(np.broadcast_to(np.array(modes), gap.shape))}


def drawn_columns(laws: Sequence[ContactLaw], numbers: Array, place: Array, unlimited: Sequence[bool]) -> dict[str, Array]:
    """Arrays (time, contact[, axis]) from normal force, two tangential forces and two slips, and from friction, point and axes.

    ``unlimited`` are contacts whose friction has no limit now. What a contact does not say is not a number.
    """
    normal, along, across, first, second = (numbers[:, :, i].copy() for i in range(5))
    friction, point, axes = place[:, :, 0].copy(), place[:, :, 1:4].copy(), place[:, :, 4:].reshape(*normal.shape, 3, 3).copy()
    for k, law in enumerate(laws):
        named = law.directions if law.rolls else ()
        if named == ("across",):
            across[:, k], along[:, k], second[:, k], first[:, k] = along[:, k], np.nan, first[:, k], 0.0
        across[:, k] = across[:, k] if "across" in named else np.nan
        along[:, k] = along[:, k] if "along" in named else np.nan
        if not law.point:
            point[:, k] = np.nan
        for i, vector in enumerate(law.axes):
            if not vector:
                axes[:, k, i] = np.nan
        if not law.slip or law.kinetic is None or unlimited[k]:
            friction[:, k] = np.nan if law.slip else 0.0
    parts = np.nan_to_num(along), np.nan_to_num(across)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.hypot(*parts) / normal
    return {
        "normal": normal, "along": along, "across": across, "ratio": ratio, "slip": np.hypot(first, second), "point": point,
        "friction": friction, "normal_direction": axes[:, :, 0],
        "force": _vectors(axes, (normal, *parts)), "slip_velocity": _vectors(axes, (np.zeros_like(normal), first, second)),
    }  # fmt: skip


def _vectors(axes: Array, parts: tuple[Array, ...]) -> Array:
    """The sum of parts along axes; an axis that is not known counts only where there is a part along it."""
    terms = [np.where(part[:, :, None] == 0, 0.0, part[:, :, None] * axes[:, :, i]) for i, part in enumerate(parts)]
    return np.asarray(sum(terms))
