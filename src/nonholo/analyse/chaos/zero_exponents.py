"""Attribute zero Lyapunov exponents to the flow, symmetries and integrals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.analyse.flow.state_flow import Flow, flow_of
from nonholo.analyse.flow.zero_attribution import explaining, independent_rows
from nonholo.errors import NonholoError
from nonholo.finding import Finding, integral_name
from nonholo.model.system import System
from nonholo.program.partials import NoDerivative
from nonholo.program.translate import NoMachineCode
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum

STILL = 1e-6
"""Where the rates are below this, beside the state, the motion comes to rest, and its own direction shrinks with it."""
STEP = 1e-4
"""Of differences, for integrals that are known as numbers alone."""
LOOKED = 5
"""At so many states of the motion the directions are compared."""


@dataclass(frozen=True)
class ZeroExponent:
    """An exponent that is zero, or was expected to be: what it belongs to, and what was measured."""

    kind: str
    """``flow``, ``symmetry``, ``integral``, or ``unexplained`` for one that is zero within its error without a known reason."""
    what: str
    exponent: float
    error: float

    @property
    def holds(self) -> bool:
        """Whether what was measured is zero within three errors."""
        return bool(abs(self.exponent) <= 3 * self.error)

    def __str__(self) -> str:
        away = "" if self.holds else "; measured farther from zero than three errors: the motion is too short for it"
        return f"{self.exponent:.3g} ± {self.error:.2g} {self.kind}: {self.what}{away}"


def reasons_for_zeros(
    system: System,
    start: Mapping[str, Any] | None,
    parameters: Mapping[str, float],
    states: Sequence[Mapping[str, float]],
    integrals: Sequence[Finding],
) -> list[tuple[str, str]]:
    """What zero exponents are due to along a motion through some states, see `nonholo.analyse.flow.zero_attribution`."""
    try:
        flow = flow_of(system, start, parameters)
    except NonholoError:  # equations that depend on the time have no such directions
        return []
    places = _places(flow, states)
    if not len(places):
        return []
    rates, fields = flow.rates(places), flow.generator_fields(places)[0]
    names = [("flow", "the motion's own direction"), *(("symmetry", n) for n in flow.fields.names)]
    vectors = np.concatenate([rates[:, None], fields], axis=1)
    size = 1.0 + np.linalg.norm(places, axis=1)
    if np.max(np.linalg.norm(rates, axis=1) / size) < STILL:
        vectors, names = vectors[:, 1:], names[1:]
    kept = independent_rows(vectors)
    result = [names[k] for k in kept]
    slopes, claims = _slopes(flow, integrals, places)
    on = flow.bound(places)[1]
    slopes = slopes @ (np.eye(flow.size) - np.linalg.pinv(on) @ on) if on.shape[1] else slopes
    return result + [("integral", claims[a]) for a in explaining(slopes, vectors[:, kept])]


def attribute_zeros(
    reasons: Sequence[tuple[str, str]], exponents: Numbers, errors: Numbers
) -> tuple[ZeroExponent, ...]:
    """The exponents nearest to zero for the reasons, and whatever else is zero within its error."""
    order = np.argsort(np.abs(exponents), kind="stable")
    given = sorted(order[: len(reasons)].tolist())
    result = [ZeroExponent(kind, what, float(exponents[k]), float(errors[k])) for (kind, what), k in zip(reasons, given)]
    why = "zero within its error, and no symmetry or integral that was found explains it"
    for k in sorted(order[len(reasons) :].tolist()):
        if abs(exponents[k]) <= (1 + 1e-9) * errors[k]:
            result.append(ZeroExponent("unexplained", why, float(exponents[k]), float(errors[k])))
    return tuple(result)


def _places(flow: Flow, states: Sequence[Mapping[str, float]]) -> Numbers:
    """States of the motion in the flow's own speeds, those of a well chosen frame first of all."""
    rows = np.array([[one.get(n, np.nan) for n in flow.names] for one in states]).reshape(-1, flow.size)
    rows = rows[np.all(np.isfinite(rows), axis=1)]
    if not len(rows):
        return rows
    good = flow.conditions(rows)
    rows = rows[good >= 0.05 * np.max(good)]
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, LOOKED).astype(int))]
    return np.asarray(rows[np.all(np.isfinite(flow.rates(rows)), axis=1)])


def _slopes(flow: Flow, integrals: Sequence[Finding], places: Numbers) -> tuple[Numbers, list[str]]:
    """Slopes of the integrals at the states, of those that do not change along the flow."""
    rates = flow.rates(places)
    slopes, claims = [], []
    for finding in integrals:
        try:
            slope, limit = _slope(flow, finding, places)
        except (NonholoError, NoDerivative, NoMachineCode, ValueError, ArithmeticError):
            continue
        change = np.abs(np.einsum("ki,ki->k", slope, rates))
        size = np.einsum("ki,ki->k", np.abs(slope), np.abs(rates)) + 1e-12
        if np.all(np.isfinite(slope)) and np.all(change <= limit * size):
            slopes.append(slope)
            claims.append(integral_name(finding))
    return np.array(slopes).reshape(len(slopes), len(places), flow.size).swapaxes(0, 1), claims


def _slope(flow: Flow, finding: Finding, places: Numbers) -> tuple[Numbers, float]:
    """The slope of an integral at the states and how well it is known: by differences where it is known as numbers alone."""
    if not isinstance(finding.expression, NumericMomentum):
        (expr,) = flow.expressions([finding.expression], "integral")
        return flow.valued([expr], places)[1][:, 0], 1e-7
    moved = places[:, None, None, :] + STEP * np.array([-1.0, 1.0])[None, :, None, None] * np.eye(flow.size)
    rows = [{**flow.parameters, **flow.full(s)} for s in moved.reshape(-1, flow.size)]
    values = np.asarray(finding.expression.many(rows)).reshape(len(places), 2, flow.size)
    return (values[:, 1] - values[:, 0]) / (2 * STEP), 1e-4
