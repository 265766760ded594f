"""Forces for the solver of a living page: which multipliers are a contact's, and where arrows stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

from nonholo.algebra.calculus import ONE, along, gradient, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.analyse.force_arrows import contact_column, force_arrows
from nonholo.integrate.contacts.contact_formulation import switching
from nonholo.integrate.results.contact_forces import contact_rows
from nonholo.model.contact_reading import own_rows
from nonholo.model.drawing.shapes import Drawing
from nonholo.model.system import TIME, System, resolve
from nonholo.present.film.scene_forces import COLOURS


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
    """The arrows whose columns are ``known``; ``put`` takes expressions into the drawing and says where they begin."""
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
