"""Rows of contacts that others exclude already, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nonholo.algebra.calculus import ONE, along, gradient, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.formula_values import Formulas
from nonholo.model.contacts import ContactLaw
from nonholo.model.system import TIME, System, resolve


@dataclass(frozen=True)
class RedundantRow:
    """A row of a contact that follows from the rows of others."""

    contact: str
    what: str
    """What it excludes: a gap, slip along, sideways slip."""
    by: tuple[str, ...]
    """The contacts that exclude it already; none where joints and other constraints do."""

    def __str__(self) -> str:
        others = (
            " and ".join([", ".join(self.by[:-1]), self.by[-1]] if len(self.by) > 1 else self.by) or "other constraints"
        )
        return f"{self.contact}: {self.what} is excluded already by {others}"


def row_names(law: ContactLaw) -> tuple[str, ...]:
    """What the rows of a contact exclude, in words: its gap first, then its slips."""
    gap = ("leaving the surface",) if law.gap is not None else ()
    if len(law.slip) == 2:
        return (*gap, "slip along", "sideways slip")
    one = "sideways slip" if law.across and not law.along else "slip across the rollers"
    return (*gap, *(one for _ in law.slip))


def redundant_rows(system: System, place: Mapping[str, float]) -> tuple[RedundantRow, ...]:
    """The rows of contacts that the system leaves out, with the contacts whose rows they follow from at a place."""
    rows: list[tuple[str, str, Expr, bool]] = []
    motion = {**dict(zip(symbols(system.coordinates), system.frame.rates)), TIME: ONE}
    for law in system.contacts:
        names = iter(row_names(law))
        if law.gap is not None:
            rows.append((law.name, next(names), along([law.gap], motion)[0], law.gap in system.holonomic))
        slips = resolve(system, law.slip)
        rows += [
            (law.name, next(names), e, given in system.constraints) for e, given in zip(slips, law.slip) if law.rolls
        ]
    if all(kept for *_, kept in rows):
        return ()
    v = symbols(system.velocities)
    table = [e for _, _, row, _ in rows for e in gradient(row, v)]
    numbers = Formulas(tuple(place), table).at(place).reshape(len(rows), -1)
    found = []
    for k, (name, what, _, kept) in enumerate(rows):
        if kept:
            continue
        others = [j for j, row in enumerate(rows) if row[3]]
        parts = np.linalg.lstsq(numbers[others].T, numbers[k], rcond=None)[0] if others else np.zeros(0)
        by = dict.fromkeys(rows[j][0] for j, part in zip(others, parts) if abs(part) > 1e-9 and rows[j][0] != name)
        found.append(RedundantRow(name, what, tuple(by)))
    return tuple(found)
