"""The data of a flow: what was written, what was understood, its equations."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import ZERO, expand, gradient, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.kinks import smooth
from nonholo.algebra.linear_equations import dot
from nonholo.errors import ModelError
from nonholo.fields.density.density_equations import TEST, DensityEquations
from nonholo.fields.density.jets import Jets
from nonholo.fields.field_starts import number, whole_number
from nonholo.model.declared_words import Formula, Formulas, Names
from nonholo.notation.read import expression, names_of
from nonholo.notation.shortening.shorten import neat

MOST = {1: 2048, 2: 512, 3: 96}
"""Nodes along each place, by the number of places."""


@dataclass(frozen=True, repr=False)
class FlowRecord:
    """What a flow is given by; `nonholo.fields.density.flow.Flow` is the same with its questions."""

    velocity: Names
    lagrangian: Formula
    over: Names = "s"
    constraint: Formulas = ()
    forces: Mapping[str, Formula] | None = None
    parameters: Mapping[str, float] | None = None
    length: float = 2 * np.pi
    nodes: int = 32
    name: str = "flow"

    def __post_init__(self) -> None:
        values = {str(k): number(v, f"{self.name}: {k}") for k, v in dict(self.parameters or {}).items()}
        object.__setattr__(self, "parameters", FrozenMap(values))
        object.__setattr__(self, "length", number(self.length, f"{self.name}: length", 0.0))
        places = names_of(self.over, f"{self.name}: over")
        if places not in (("s",), ("x", "y"), ("x", "y", "z")):
            raise ModelError(f'{self.name}: over = {self.over!r}; a flow is over "s", "x y" or "x y z".')
        why = "fewer than 8 nodes carry no swirl"
        object.__setattr__(self, "nodes", whole_number(self.nodes, f"{self.name}: nodes", 8, MOST[len(places)], why))
        if len(self.components) != len(places):
            raise ModelError(
                f"{self.name}: velocity = {self.velocity!r} over {self.over!r}; a flow has one component along each place."
            )
        fresh = (*places, *self.components, *values, "t")
        clash = next((n for n in fresh if fresh.count(n) > 1 or "_" in n), None)
        if clash is not None:
            raise ModelError(f"{self.name}: the name {clash!r} would mean two things (u_x is a derivative); choose another.")

    @property
    def places(self) -> tuple[str, ...]:
        """The letters of the places."""
        return names_of(self.over, f"{self.name}: over")

    @property
    def components(self) -> tuple[str, ...]:
        """The names of ξ."""
        return names_of(self.velocity, f"{self.name}: velocity")

    @property
    def points(self) -> NDArray[np.float64]:
        """The points along each place."""
        return np.asarray(self.length * np.arange(self.nodes) / self.nodes)

    @cached_property
    def jets(self) -> Jets:
        """Derivatives of ξ and of test functions η as symbols."""
        tests = tuple(f"{TEST}{c}" for c in self.components)
        return Jets((*self.components, *tests), "".join(self.places))

    def _read(self, given: object, what: str, more: tuple[str, ...] = ()) -> Expr:
        letters = ["".join(p) for k in range(3) for p in itertools.combinations_with_replacement(self.places, k)]
        known = [str(self.jets.symbol(c, e)) for c in self.components for e in letters]
        where = f"{self.name}: {what}"
        return smooth(expression(given, (*known, *dict(self.parameters or {}), *more), where), where)

    @cached_property
    def density(self) -> Expr:
        """The Lagrangian as it was understood: quadratic in the velocities."""
        found = self._read(self.lagrangian, "lagrangian")
        speeds = [self.jets.symbol(*part) for part in self.jets.parts(found)]
        if not speeds:
            raise ModelError(f"{self.name}: the density has no velocity ({', '.join(self.components)}); nothing has mass.")
        half = dot(gradient(found, speeds), speeds) / 2
        second = [g.diff(s) for g in gradient(found, speeds) for s in speeds]
        if expand(found - half) != ZERO or any(e.free_symbols & set(speeds) for e in second):
            raise ModelError(
                f"{self.name}: the density {found} is not quadratic in the velocities and their derivatives, as the energy of a "
                "flow is; other terms can be given as forces."
            )
        return found

    @cached_property
    def constraints(self) -> tuple[Expr, ...]:
        """The residuals: linear in the velocities."""
        given = self.constraint if isinstance(self.constraint, (list, tuple)) else (self.constraint,)
        found = tuple(self._read(c, f"constraint {k + 1}") for k, c in enumerate(given))
        for k, residual in enumerate(found):
            speeds = [self.jets.symbol(*part) for part in self.jets.parts(residual)]
            slopes = gradient(residual, speeds)
            bent = any(e.free_symbols & set(speeds) for e in slopes)
            if not speeds or bent or expand(residual - dot(slopes, speeds)) != ZERO:
                raise ModelError(
                    f"{self.name}: constraint {k + 1} ({residual} = 0) is not linear in the velocities and their derivatives."
                )
        return found

    @cached_property
    def pushes(self) -> dict[str, Expr]:
        """Forces by component."""
        stray = [n for n in dict(self.forces or {}) if n not in self.components]
        if stray:
            raise ModelError(f"{self.name}: force on {stray[0]!r}, which is no component of {', '.join(self.components)}.")
        return {n: self._read(e, f"force on {n}", (*self.places, "t")) for n, e in dict(self.forces or {}).items()}

    @cached_property
    def equations(self) -> DensityEquations:
        """Hamel's equations of the flow, as expressions in the jets of ξ and of test functions η."""
        jets, names = self.jets, self.components
        tests = jets.names[len(names) :]
        xi, eta = ([symbol(n) for n in group] for group in (names, tests))

        def carried(by: list[Any], what: Expr) -> Expr:
            return sum((v * jets.total(what, by=p) for v, p in zip(by, self.places)), ZERO)

        bracket = tuple(carried(xi, e) - carried(eta, x) for x, e in zip(xi, eta))
        momentum = tuple(neat(jets.euler(self.density, n)) for n in names)
        paired = dot(momentum, bracket)
        dual = tuple(neat(expand(jets.euler(paired, t))) for t in tests)
        pushed = [self.pushes.get(n, ZERO) for n in names]
        force = tuple(neat(d + q) for d, q in zip(dual, pushed))
        return DensityEquations(
            (), names, {}, momentum, (), bracket, dual, force, paired + dot(pushed, eta), (), self.constraints
        )
