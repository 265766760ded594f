"""Test first integrals along precise motions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from nonholo.algebra.calculus import symbol
from nonholo.derive.angle_coordinates import angle_coordinates, goes_round, multivalued
from nonholo.derive.laws.check import random_states
from nonholo.errors import ModelError, NonholoError, StateError
from nonholo.finding import Evidence, Finding, FirstIntegral, Measured, Proved, Reason, Verdict
from nonholo.model.system import System, check_system, known_inputs, known_parameters, named, parameter_values
from nonholo.symmetry.integrals.momentum_rates import momenta, states
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum

DRIFT = 1e-8
"""A quantity that drifts more than this along the test run is not called constant."""
STEPS = 20_000
"""The most steps of a test run; one that needs more is near a singularity, and ends there."""
LOST = 1e-5
"""The drift along a test run, by rounding near a singular state, that does not contradict a proof."""
ROUND = 1e-6
"""Relative change of numerical coefficients over a whole turn that is rounding."""


def run_parameters(system: System, given: Mapping[str, Any] | None) -> dict[str, float]:
    """The parameters of the test run: given, the system's own, or generic positive numbers with three digits."""
    check_system(system)
    random = np.random.default_rng(20)
    generic = {n: round(float(random.uniform(0.6, 1.6)), 3) for n in system.parameters}
    missing = {n: e for n, e in generic.items() if n != "g"}
    return parameter_values(system, {**missing, **known_parameters(system, given)})


def followed_along(
    system: System, values: Mapping[str, float], start: Mapping[str, float] | None, until: float, findings: Sequence[Finding]
) -> list[Finding]:
    """The findings with their drift along motions.

    Numeric candidates that drift are removed: they belong to another sheet of a holonomic constraint.
    """
    runs = motions_to_test(system, values, start, until, idle=not known_inputs(system)) if any(findings) else []
    return [f for f in measured(with_angles(system, findings), runs) if f or not hasattr(f.expression, "many")]


def measured(findings: Sequence[Finding], runs: Sequence[Any]) -> list[Finding]:
    """The findings that hold with their drift along motions; those that drift are called so."""
    if not runs:
        return [replace(f, basis=(*f.basis, Reason("no test run could be computed"))) if f else f for f in findings]
    return [_followed(f, runs) if f else f for f in findings]


def _followed(finding: Finding, runs: Sequence[Any]) -> Finding:
    """The finding with its largest drift along the motions that stay where its coefficients are known."""
    drifts = [_drift(finding, run) for run in runs]
    known = [(d, run) for d, run in zip(drifts, runs) if np.isfinite(d)]
    if not known and hasattr(finding.expression, "many"):
        word = f"the test run leaves the interval where the coefficients are known, {finding.expression}"
        return replace(finding, verdict="unknown", value=None, basis=(Reason(word),))
    drift = max((d for d, _ in known), default=float("nan"))
    length = max((float(run.times[-1] - run.times[0]) for _, run in known), default=0.0)
    which = f"a motion of {length:.3g} s" if len(known) < 2 else f"two motions of {length:.3g} s, one of them generic"
    word = f"largest relative drift along {which}"
    if hasattr(finding.expression, "many") and known:
        word += f", where it is {float(finding.along(known[0][1])[0]):.6g}"
    holds = drift < DRIFT
    if not holds and finding.proved:
        if not np.isfinite(drift):
            return replace(finding, value=None, basis=(*finding.basis, Reason("the test run meets a singular state")))
        # what is proved is not refuted by a motion that loses digits where the system is singular; a root may change its branch
        lost = "near a singular state" if drift < LOST else "where it passes a singular state, or a root changes its branch"
        verdict: Verdict = "holds" if drift < LOST else "unknown"
        basis = (*(finding.basis if drift < LOST else _unproved(finding)), Measured(f"{word}, {lost}"))
        return replace(finding, verdict=verdict, value=drift, basis=basis)
    basis = (*(finding.basis if holds else _unproved(finding)), Measured(word))
    return replace(finding, verdict="holds" if holds else "fails", value=drift, basis=basis)


def _unproved(finding: Finding) -> tuple[Evidence, ...]:
    """The evidence of a finding without its proof: what a motion contradicts is not called proved."""
    return tuple(Reason(one.words) if isinstance(one, Proved) else one for one in finding.basis)


def _drift(finding: Finding, run: Any) -> float:
    try:
        return finding.drift(run)
    except StateError:  # beyond a singular point of its coefficients
        return float("nan")


def _generic_start(system: System, values: Mapping[str, float]) -> dict[str, float]:
    try:
        found = momenta(system)
    except ModelError:
        state = next(iter(random_states(system, values, 1))).values
        return {n: state[n] for n in (*system.coordinates, *system.velocities, "t") if n in state}
    place = states(found, 1, values, seed=900)[0]
    return {str(n): place[str(n)] for n in (*found.coordinates, *found.speeds)}


def motions_to_test(
    system: System, values: Mapping[str, float], start: Mapping[str, float] | None, until: float, idle: bool = True
) -> list[Any]:
    """Short precise motions: from the given start or the system's own, and from a generic admissible state.

    The first may be at rest, or special in another way; where the second cannot be computed it is left out.
    ``idle`` holds the inputs at zero; otherwise they do what the system says.
    """
    from nonholo.integrate.motion.simulate import simulate

    own = start if start is not None else dict(system.start)
    inputs = {n: 0.0 for n in system.inputs if idle or system.inputs[n] is None}
    runs = []
    places: list[Callable[[], Mapping[str, float]]] = [lambda: own, lambda: _generic_start(system, values)]
    for place in places:
        try:
            begin = place()
            if not begin:
                continue
            run = simulate(
                system, begin, until, values, rtol=1e-13, atol=1e-14, t_eval=81, inputs=inputs, progress=False, max_steps=STEPS
            )
        except NonholoError:
            continue
        if len(run.times) > 1:
            runs.append(run)
    return runs


def given_values(system: System, parameters: Mapping[str, float] | None) -> dict[str, Fraction]:
    """The parameters that the user or the system gives a value, but those of the frame."""
    given = known_parameters(system, named(parameters, f"{system.name}: parameters", '{"m": 1.5}'))
    return fractions({n: v for n, v in given.items() if n not in system.frame.parameters})


def specialised_values(system: System, parameters: Any, values: Mapping[str, float]) -> dict[str, Fraction]:
    """The parameters as fractions, where all of them have given values."""
    given = known_parameters(system, named(parameters, f"{system.name}: parameters", '{"m": 1.5}'))
    if not given or any(n not in given and n != "g" for n in system.parameters):
        return {}
    return fractions({n: values[n] for n in system.parameters})


def fractions(values: Mapping[str, float]) -> dict[str, Fraction]:
    """Decimal numbers as they are written."""
    return {n: Fraction(repr(float(e))) for n, e in values.items()}


def with_angles(system: System, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, each integral with the angles round which it is not single valued."""
    angles = angle_coordinates(system)
    return [_marked(system, angles, f) if f else f for f in findings]


def _marked(system: System, angles: Sequence[str], finding: Finding) -> Finding:
    if not isinstance(finding.data, FirstIntegral) or finding.expression is None:
        return finding
    if isinstance(finding.expression, NumericMomentum):
        found = _turned(system, angles, finding.expression)
    else:
        found = multivalued(system, finding.formula, angles) if finding.formula is not None else ()
    return replace(finding, data=replace(finding.data, local=found)) if found else finding


def _turned(system: System, angles: Sequence[str], momentum: NumericMomentum) -> tuple[str, ...]:
    """The angles in the variable of numerical coefficients that motions can go round, and round which the coefficients change."""
    variable = momentum.ode.variable
    if variable.across is not None:
        return ()
    middle = sum(momentum.interval) / 2
    found = []
    for angle in angles:
        half = np.pi * float(variable.expression.diff(symbol(angle)))
        if not half or not goes_round(system, angle):
            continue
        try:
            one, other = momentum.coefficients([middle - half, middle + half])
        except NonholoError:  # they are not known for a whole turn
            found.append(angle)
            continue
        if np.max(np.abs(one - other)) > ROUND * np.max(np.abs(one)):
            found.append(angle)
    return tuple(found)
