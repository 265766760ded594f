"""Equations of a system in the frames of a motion, and the initial values of its pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.cache import MOST, Cache, WeakCache
from nonholo.algebra.calculus import ONE, symbols, with_denominator
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.compile.schemes import scheme_named
from nonholo.derive.discrete_covectors import AT_NODES, bent, covectors
from nonholo.derive.equations import Equations
from nonholo.derive.forms import form_named
from nonholo.derive.hamel import hamel_at
from nonholo.derive.states.equation_values import state_vector
from nonholo.errors import StateError
from nonholo.integrate.motion.system_kernel import SystemKernel, system_kernel
from nonholo.model.system import TIME, System
from nonholo.model.system_structure import bare, structure
from nonholo.model.velocities.admissible import Admissible

WORSE = 0.04
"""The frame is changed when its conditioning has fallen to this part of what it was when it was chosen."""
SYSTEMS, PLACES = 64, 8
"""Sizes of the caches: systems, and states of forms that are derived at one state."""


@dataclass(frozen=True)
class InitialValue:
    """An initial value problem for the compiled loops: a kernel and the state vector, in its speeds, from which to integrate.

    A motion has one for each of its pieces: where the speeds degenerate the motion goes on from an initial value in others.
    """

    kernel: SystemKernel
    state: NDArray[np.float64]
    condition: float
    """How well conditioned the frame was when it was chosen, see `SystemKernel.condition`."""

    @property
    def equations(self) -> Equations:
        """The equations."""
        return self.kernel.equations

    def row(self, full: Mapping[str, float], parameters: Mapping[str, float]) -> NDArray[np.float64]:
        """The input vector at the start, under the inputs of the full state."""
        inputs = [full.get(n, 0.0) for n in self.kernel.inputs]
        fixed = [parameters[n] for n in self.kernel.parameters]
        return self.kernel.row(full.get("t", 0.0), self.state.tolist(), inputs, fixed)

    @property
    def thresholds(self) -> tuple[float, ...]:
        """Below these the frame should be chosen anew."""
        return (self.condition * WORSE,) if self.kernel.guard else ()


class Formulation:
    """A system with feedback laws put in, a form of its equations and, for implicit schemes, a discrete principle.

    `kernel` gives the compiled equations in speeds that are well conditioned at a place; they are derived and compiled at first
    use, and shared by all motions of systems of the same structure (`formulation_of`).
    """

    def __init__(self, system: System, laws: Mapping[str, Expr], form: str = "hamel", principle: str = "") -> None:
        if principle and form != "hamel":
            raise StateError(
                f'{system.name}: method {principle} discretises a principle, not equations; leave out form="{form}".'
            )
        self._form = form_named(form, system.name)
        self._covectors = _needed(system, principle) if principle else ""
        self.system, self.laws, self.form, self.principle = bare(system), FrozenMap(dict(laws)), form, principle
        self._compiled: WeakCache[SystemKernel] = WeakCache(2 * MOST)
        self._placed: Cache[SystemKernel] = Cache(PLACES)

    def kernel(self, place: Mapping[str, float], frame_first: bool = False) -> SystemKernel:
        """The equations in speeds that are well conditioned at a place (a full state and all parameters)."""
        if self._covectors in AT_NODES:
            return self._placed.get("nodes", lambda: self._made(AT_NODES[self._covectors](self.system, self.principle)))
        if self.form == "hamel":
            allowed, equations = hamel_at(self.system, place, frame_first, place)
            return self._compiled.get(equations, lambda: self._adapted(allowed, equations))
        if self._form.everywhere:
            return self._placed.get(None, lambda: self._made(self._form(self.system)))
        return self._placed.get(tuple(sorted(place.items())), lambda: self._made(self._form(self.system, dict(place))))

    def _made(self, equations: Equations, guard: tuple[Expr, ...] = ()) -> SystemKernel:
        return system_kernel(equations, self.system, self.laws, guard, self.principle)

    def _adapted(self, allowed: Admissible, equations: Equations) -> SystemKernel:
        if self._covectors:
            needed = covectors(self.system, allowed, equations, self._covectors, self.principle)
            equations = replace(equations, covectors=needed, system=self.system)
        return self._made(equations, _guard(self.system, allowed))

    def start(self, state: Mapping[str, float], parameters: Mapping[str, float], frame_first: bool = False) -> InitialValue:
        """The equations for a motion that starts at a full state."""
        return initial_value(self.kernel({**parameters, **state}, frame_first), state, parameters)

    def better(self, state: Mapping[str, float], parameters: Mapping[str, float], old: InitialValue) -> InitialValue:
        """Another adapted frame at this state, or the old one with its threshold lowered when none is better."""
        firsts = (False, True) if self.system.quasivelocities else (False,)
        best = max((self.start(state, parameters, first) for first in firsts), key=lambda c: c.condition)
        again = initial_value(old.kernel, state, parameters)
        return best if best.condition > 2 * again.condition else replace(again, condition=again.condition * WORSE)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return formulation_of, (self.system, self.laws, self.form, self.principle)


def _needed(system: System, principle: str) -> str:
    """The covectors that a scheme needs, or the one that takes its place where constraints are not linear."""
    scheme = scheme_named(principle)
    return scheme_named(scheme.bent).covectors if scheme.bent and bent(system) else scheme.covectors


_CORES: Cache[Formulation] = Cache(SYSTEMS)


def formulation_of(system: System, laws: Mapping[str, Expr], form: str = "hamel", principle: str = "") -> Formulation:
    """The formulation of a system whose ``laws`` have been put in; the same object for every system of the same structure."""
    key = (structure(system), tuple(laws.items()), form, principle)
    return _CORES.get(key, lambda: Formulation(system, laws, form, principle))


def initial_value(kernel: SystemKernel, state: Mapping[str, float], parameters: Mapping[str, float]) -> InitialValue:
    """Equations at a full state; what they call by other names is found from it."""
    equations = kernel.equations
    names = equations.state
    if all(n in state for n in names):
        start = [float(state[n]) for n in names]
    else:
        known = {*names, *equations.outputs, *kernel.inputs, "t"}
        start = state_vector(equations, {n: e for n, e in state.items() if n in known}, parameters)
    initial = InitialValue(kernel, np.array(start), 1.0)
    return replace(initial, condition=kernel.condition(initial.row(state, parameters))) if kernel.guard else initial


def _guard(system: System, allowed: Admissible) -> tuple[Expr, ...]:
    """``1/(1 + Σ W²)`` when the basis has denominators that may vanish along the motion, else nothing."""
    moving = {*symbols(system.coordinates), *symbols(system.velocities), *allowed.speeds, *symbols(system.inputs), TIME}
    entries = with_denominator((e for row in allowed.basis for e in row), moving)
    return (ONE / (1 + se.Add(*(e**2 for e in entries))),) if entries and system.parametric is None else ()
