"""Forces and momentum as plain data: along a motion for a film, as a plan for the solver of a living page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import ONE, along, gradient, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import Formulas
from nonholo.analyse.force_arrows import NORMAL, ForceArrow, contact_column, contact_forces, force_arrows
from nonholo.errors import NonholoError
from nonholo.integrate.contacts.mode_changes import switching
from nonholo.integrate.results.contact_forces import contact_rows
from nonholo.model.contact_reading import own_rows
from nonholo.model.drawing.shapes import Drawing
from nonholo.model.system import TIME, System, known_parameters, resolve
from nonholo.program.array_types import Array

if TYPE_CHECKING:
    from nonholo.integrate.motion.trajectory import Trajectory
    from nonholo.model.system import System


COLOURS = {"contact": "#d55e00", "reaction": "#d55e00", "momentum": "#0072b2"}
"""Vermilion and blue of Okabe and Ito, distinguishable with colour blindness."""
LETTERS = {"rolling": "r", "sliding": "s", "open": "o", "closed": "r"}


def forces_along(run: Trajectory, drawing: Drawing, system: System, kept: NDArray[np.intp]) -> list[dict[str, Any]]:
    """Every arrow at the frames ``kept``: ``point`` and ``vector`` (N x 3), ``normal`` and ``slope`` of a cone, ``mode``."""
    try:
        arrows = force_arrows(system, drawing)
        columns = {n: one.values for n, one in run.quantities.items() if one.values.shape == run.times.shape} if arrows else {}
        if any(name == NORMAL for arrow in arrows for name, _ in arrow.terms):
            found = contact_forces(run)
            columns |= {NORMAL: found[0]} if found is not None else {}
        made = [_force_values(arrow, run, system, columns, kept) for arrow in arrows]
    except NonholoError as trouble:  # a film without arrows is a film
        logging.getLogger("nonholo").info("no forces in the film: %s", trouble)
        return []
    return [one for one in made if one is not None]


def _force_values(
    arrow: ForceArrow, run: Trajectory, system: System, columns: Mapping[str, Array], kept: NDArray[np.intp]
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
    known = {**{n: np.full(len(run.times), float(e)) for n, e in known_parameters(system).items()}, **values}
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


def _values(names: Sequence[str], exprs: Sequence[Expr], rows: Array) -> Array:
    return np.asarray(Formulas(list(names), exprs).rows(rows), dtype=np.float64)


class ContactPlan(TypedDict):
    """A contact for a page: which unknown is which force, -1 for a row that others imply; the place of a given load."""

    name: str
    parts: list[str]
    unknowns: list[int]
    load: NotRequired[int]


@dataclass(frozen=True)
class PageContacts:
    """The contacts of a system as a page reads them.

    Where some row is implied by others, ``slopes`` has the rows of the other
    constraints (``own`` of them) and of all contacts, so that the page shares the forces by the least sum of squares.
    """

    table: list[ContactPlan]
    own: int
    slopes: tuple[Expr, ...] = ()
    numbers: tuple[Expr, ...] = ()

    @property
    def columns(self) -> list[str]:
        """Names of the quantities it adds to a page."""
        loads = [("normal",) if "load" in one else () for one in self.table]
        return [contact_column(p, one["name"]) for one, load in zip(self.table, loads) for p in (*load, *one["parts"], "ratio")]


def page_contacts(system: System) -> PageContacts | None:
    """What a page needs of the contacts of a system, all of them permanent; None where there are none."""
    if not system.contacts:
        return None
    places: dict[tuple[str, Expr], int] = {("slip", e): k for k, e in enumerate(system.constraints)}
    places |= {("gap", e): len(system.constraints) + k for k, e in enumerate(system.holonomic)}
    v = symbols(system.velocities)
    table, slopes, numbers = list[ContactPlan](), list[Expr](), list[Expr]()
    whole = True
    for law in system.contacts:
        rows: list[tuple[str, tuple[str, Expr]]] = [("normal", ("gap", law.gap))] if law.gap is not None else []
        rows += [(name, ("slip", e)) for name, e in zip(law.directions, law.slip) if law.rolls]
        unknowns = [places.pop(key, -1) for _, key in rows]
        whole = whole and -1 not in unknowns
        slopes += [e for row in contact_rows(system, law)[: len(rows)] for e in gradient(row, v)]
        one: ContactPlan = {"name": law.name, "parts": [name for name, _ in rows], "unknowns": unknowns}
        if law.load is not None and law.gap is None:
            one["load"] = len(numbers)
            numbers += resolve(system, [law.load])
        table.append(one)
    if whole:
        return PageContacts(table, 0, (), tuple(numbers))
    motion = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    constraints, holonomic = own_rows(system)
    own = [*resolve(system, constraints), *along(holonomic, motion)]
    return PageContacts(table, len(own), (*(e for row in own for e in gradient(row, v)), *slopes), tuple(numbers))


def arrow_plans(
    system: System, drawing: Drawing, known: Sequence[str], put: Callable[[Sequence[Expr]], int]
) -> list[dict[str, Any]]:
    """The arrows whose columns are ``known``; ``put`` adds expressions to the drawing and returns the index of the first."""
    plans = []
    for arrow in force_arrows(system, drawing):
        if any(name != "1" and name not in known for name, _ in arrow.terms):
            continue
        plan: dict[str, Any] = {
            "name": arrow.name, "kind": arrow.kind, "colour": COLOURS[arrow.kind], "point": put(arrow.point),
            "terms": [[name, put(way)] for name, way in arrow.terms],
        }  # fmt: skip
        if arrow.normal is not None:
            plan["normal"] = put(arrow.normal)
        if arrow.friction is not None:
            plan["slope"] = put([arrow.friction])
        if arrow.contact is not None and switching(system):
            plan["contact"] = arrow.contact
        plans.append(plan)
    return plans
