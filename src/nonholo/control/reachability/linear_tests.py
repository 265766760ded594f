"""The linearisation of a control system: Kalman's rank, Hautus' modes, stabilisability, and Brockett's condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import expand
from nonholo.algebra.prime.power_series import Place
from nonholo.analyse.linear.linearise import linearise
from nonholo.control.feedback.riccati import uncontrollable_modes
from nonholo.control.reachability.control_affine import ControlAffine
from nonholo.control.reachability.sussmann import first_order_span, linear_part
from nonholo.errors import NonholoError
from nonholo.geometry.distributions.lie_words import LieWords, Span
from nonholo.model.system import System

AT_REST = 1e-9
"""Rates below this are none."""
NEUTRAL = 1e-7
"""Real parts below this do not grow."""


@dataclass(frozen=True)
class LinearTest:
    """The linearisation at a state: its controllable rank, and the modes that no input reaches; true where it is controllable."""

    rank: int
    dimension: int
    exact: bool
    """Whether the rank is exact; otherwise it is that of floating numbers."""
    stuck: tuple[complex, ...] | None = None
    """None where parameters have no numbers."""
    names: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.rank == self.dimension

    @property
    def controllable(self) -> bool:
        return bool(self)

    @property
    def stabilisable(self) -> bool | None:
        """By linear feedback; None where the linearisation does not decide, or no numbers are known."""
        if self:
            return True
        if self.stuck is None:
            return None
        if any(m.real > NEUTRAL for m in self.stuck):
            return False
        return True if all(m.real < -NEUTRAL for m in self.stuck) else None


def exact_test(words: LieWords, dimension: int, exact: bool) -> LinearTest:
    """Kalman's rank at an equilibrium: that of ``(B, AB, …)``."""
    return LinearTest(first_order_span(words).size, dimension, exact)


def numeric_test(
    system: System, state: Mapping[str, Any] | None, inputs: Mapping[str, float], parameters: Mapping[str, float]
) -> LinearTest | None:
    """The linearisation in numbers, without ignorable coordinates that move; None where the state is not steady."""
    try:
        lin = linearise(system, dict(state) if state is not None else None, inputs=dict(inputs) or None, parameters=parameters)
    except NonholoError:
        return None
    if lin.residual > AT_REST or not lin.inputs:
        return None
    stuck = uncontrollable_modes(lin.A, lin.B)
    return LinearTest(len(lin.names) - len(stuck), len(lin.names), False, stuck, lin.names, lin.ignored)


def brockett(control: ControlAffine, words: LieWords, dimension: int, generic: LieWords | None) -> bool | None:
    """Whether ``(x, u) ↦ f + Σ u_i g_i`` covers a neighbourhood of zero at an equilibrium; None where that is not decided.

    It does where ``(A, B)`` has full rank. It does not where velocities ``ẋ = G(x) (z, u)`` of the configuration lie in a
    distribution of constant rank below the dimension: a direction across it is hit at no state near. Nor does it where the
    system moves only with its speeds, no force acts at rest, and the inputs' forces have a constant rank below the number of
    speeds: then ``(0, w)`` asks for rest, and ``w`` across these forces is not hit. [Brockett 1983]
    """
    span = Span(words.dimension, words.p)
    slope = linear_part(words)
    span.add([words.fields[k][:, 0] for k in range(1, words.count)])
    span.add([slope[:, j] for j in range(words.dimension)])
    if span.size == dimension:
        return True
    if generic is None or not linear_velocities(control):
        return None
    here, there = _velocity_rank(control, words), _velocity_rank(control, generic)
    if here == there < dimension - len(control.speeds):
        return False
    pushed = any(np.any(words.fields[k][: len(control.coordinates)]) for k in range(1, words.count))
    if here < len(control.speeds) or pushed or np.any(generic.fields[0][:, 0]):
        return None
    pulls = [_force_rank(control, w) for w in (words, generic)]
    return False if pulls[0] == pulls[1] < len(control.speeds) else None


def linear_velocities(control: ControlAffine) -> bool:
    """Whether the velocities vanish with speeds and inputs, and are linear in them."""
    rest = dict.fromkeys(control.speeds, control.coordinates[0] * 0)
    still = all(expand(e.xreplace(rest)) == 0 for e in control.kinematics[0])
    pairs = [(z, w) for z in control.speeds for w in control.speeds]
    return still and all(expand(e.diff(z).diff(w)) == 0 for e in control.kinematics[0] for z, w in pairs)


def _velocity_rank(control: ControlAffine, words: LieWords) -> int:
    """The rank of the velocities of the configuration by speeds and inputs."""
    size = len(control.coordinates)
    slope = linear_part(words)
    span = Span(size, words.p)
    span.add([words.fields[k][:size, 0] for k in range(1, words.count)])
    span.add([slope[:size, j] for j in range(size, words.dimension)])
    return span.size


def _force_rank(control: ControlAffine, words: LieWords) -> int:
    size = len(control.coordinates)
    span = Span(len(control.speeds), words.p)
    span.add([words.fields[k][size:, 0] for k in range(1, words.count)])
    return span.size


def relation_rank(control: ControlAffine, place: Place) -> int:
    """How many of the state's variables depend on the others by relations."""
    span = Span(len(control.state), place.p)
    for e in control.relations:
        row = [place.value(e.xreplace(place.shifts).diff(s)) for s in control.state]
        span.add([np.array(row, dtype=np.int64 if place.p else np.float64)])
    return span.size
