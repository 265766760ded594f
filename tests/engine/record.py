"""What is known of a system, in plain coordinates, before anybody is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import symengine as se

import nonholo as nh

Expr = Any
T = se.Symbol("t")


@dataclass(frozen=True)
class Known:
    """A system and its truths; every expression is in coordinates, rates (``xdot``), parameters and ``t``."""

    name: str
    coordinates: tuple[str, ...]
    lagrangian: Expr
    parameters: Mapping[str, float] = field(default_factory=dict)
    constraints: tuple[Expr, ...] = ()
    holonomic: tuple[Expr, ...] = ()
    forces: Mapping[str, Expr] = field(default_factory=dict)
    angles: frozenset[str] = frozenset()
    boxes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Where a coordinate may be put, (-1, 1) unless given: away from singular places of the chart."""
    symmetries: tuple[tuple[Expr, ...], ...] = ()
    """Fields on the coordinates that are symmetries: some, or all of them."""
    none: bool = False
    """Whether it is known that there is no symmetry at all among maps of the coordinates."""
    integrals: tuple[Expr, ...] = ()
    """Independent integrals, the energy among them."""
    most: int | None = None
    """No more single-valued integrals than this are independent, where it is known."""
    measure: str = ""
    """``holds`` or ``fails`` where it is known whether a density of the configuration is preserved."""
    equilibrium: Mapping[str, float] | None = None
    """A state of rest, by coordinate."""
    spectrum: tuple[complex, ...] | None = None
    """The eigenvalues that are not zero there."""

    def system(self) -> nh.System:
        words: dict[str, Any] = {}
        if self.constraints:
            words["constraints"] = [str(e) for e in self.constraints]
        if self.holonomic:
            words["holonomic"] = [str(e) for e in self.holonomic]
        if self.forces:
            words["forces"] = {c: str(e) for c, e in self.forces.items()}
        return nh.System(
            name=self.name,
            coordinates=list(self.coordinates),
            parameters=dict(self.parameters),
            lagrangian=str(self.lagrangian),
            **words,
        )

    @property
    def q(self) -> list[Expr]:
        return [se.Symbol(c) for c in self.coordinates]

    @property
    def v(self) -> list[Expr]:
        return [se.Symbol(f"{c}dot") for c in self.coordinates]

    def box(self, name: str) -> tuple[float, float]:
        return self.boxes.get(name, (-1.0, 1.0))


def read(text: str) -> Expr:
    """Text of this folder's own, never a user's."""
    return se.sympify(text)


def known(name: str, coordinates: str, lagrangian: str, **words: Any) -> Known:
    """A record from text: fields as ``{"x": "1"}``, expressions as text."""
    names = tuple(coordinates.split())
    fields = tuple(tuple(read(f.get(c, "0")) for c in names) for f in words.pop("symmetries", ()))
    texts: dict[str, Any] = {
        k: tuple(map(read, words.pop(k))) for k in ("constraints", "holonomic", "integrals") if k in words
    }
    if "forces" in words:
        texts["forces"] = {c: read(e) for c, e in words.pop("forces").items()}
    if "angles" in words:
        texts["angles"] = frozenset(words.pop("angles").split())
    return Known(name, names, read(lagrangian), symmetries=fields, **texts, **words)


def rate_of(exprs: Iterable[Expr], k: Known) -> list[Expr]:
    """``d/dt`` of functions of coordinates and time."""
    return [se.Add(*(e.diff(q) * v for q, v in zip(k.q, k.v)), e.diff(T)) for e in exprs]
