"""Forces and momentum along a motion, as plain data for a film."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.formula_values import Formulas
from nonholo.analyse.force_arrows import NORMAL, ForceArrow, contact_forces, force_arrows
from nonholo.errors import NonholoError
from nonholo.model.drawing.shapes import Drawing

if TYPE_CHECKING:
    from nonholo.integrate.motion.trajectory import Trajectory
    from nonholo.model.system import System

Numbers = NDArray[np.float64]
COLOURS = {"contact": "#d55e00", "reaction": "#d55e00", "momentum": "#0072b2"}
"""Vermilion and blue of Okabe and Ito, which the colour-blind tell apart."""
LETTERS = {"rolling": "r", "sliding": "s", "open": "o", "closed": "r"}


def forces_along(run: Trajectory, drawing: Drawing, system: System, kept: NDArray[np.intp]) -> list[dict[str, Any]]:
    """Every arrow at the frames ``kept``: ``point`` and ``vector`` (N x 3), ``normal`` and ``slope`` of a cone, ``mode``."""
    try:
        arrows = force_arrows(system, drawing)
        columns = {n: one.values for n, one in run.quantities.items() if one.values.shape == run.times.shape} if arrows else {}
        if any(name == NORMAL for arrow in arrows for name, _ in arrow.terms):
            found = contact_forces(run)
            columns |= {NORMAL: found[0]} if found is not None else {}
        made = [_along(arrow, run, system, columns, kept) for arrow in arrows]
    except NonholoError as trouble:  # a film without arrows is a film
        logging.getLogger("nonholo").info("no forces in the film: %s", trouble)
        return []
    return [one for one in made if one is not None]


def _along(
    arrow: ForceArrow, run: Trajectory, system: System, columns: Mapping[str, Numbers], kept: NDArray[np.intp]
) -> dict[str, Any] | None:
    contacts = run.contact_columns
    values = dict(columns)
    if arrow.contact is not None:
        for name, _ in arrow.terms:
            values[name] = contacts[name.partition("(")[0]][:, arrow.contact]
    normal = list(arrow.normal) if arrow.normal is not None else []
    slope = [arrow.friction] if arrow.friction is not None else []
    exprs = [*arrow.point, *(e for _, way in arrow.terms for e in way), *normal, *slope]
    names = sorted({str(s) for e in exprs for s in e.free_symbols})
    known = {**{n: np.full(len(run.times), float(e)) for n, e in system.values.items()}, **values}
    if not all(n in known for n in names) or any(n != "1" and n not in known for n, _ in arrow.terms):
        return None
    rows = np.column_stack([known[n][kept] for n in names]) if names else np.zeros((len(kept), 0))
    table = _values(names, exprs, rows)
    count = len(arrow.terms)
    sizes = [np.ones(len(kept)) if n == "1" else np.nan_to_num(known[n][kept]) for n, _ in arrow.terms]
    vector = sum(size[:, None] * table[:, 3 + 3 * i : 6 + 3 * i] for i, size in enumerate(sizes))
    made: dict[str, Any] = {
        "name": arrow.name, "kind": arrow.kind, "colour": COLOURS[arrow.kind],
        "point": np.nan_to_num(table[:, :3]), "vector": np.nan_to_num(vector),
    }  # fmt: skip
    if normal:
        made["normal"] = table[:, 3 + 3 * count : 6 + 3 * count]
    if slope:
        made["slope"] = table[:, -1]
    if arrow.contact is not None and not system.contacts[arrow.contact].permanent:
        made["mode"] = "".join(LETTERS.get(str(word), "r") for word in contacts["mode"][kept, arrow.contact])
    return made


def _values(names: Sequence[str], exprs: Sequence[Expr], rows: Numbers) -> Numbers:
    return np.asarray(Formulas(list(names), exprs).rows(rows), dtype=np.float64)
