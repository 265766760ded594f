"""Conservation laws of a system: energy, momenta of symmetries, gauge momenta, each with how it was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import process_time
from typing import Any

import numpy as np

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import ONE, ZERO
from nonholo.derive.check import random_states
from nonholo.errors import ModelError, NonholoError, StateError
from nonholo.finding import Finding
from nonholo.model.system import System, check_system, parameter_values
from nonholo.symmetry.momenta.closed import closed_solutions
from nonholo.symmetry.momenta.gauge_basis import (
    Variable,
    declared_generators,
    generators,
    invariant_fields,
    shape_variables,
    variable_of,
)
from nonholo.symmetry.momenta.gauge_found import Candidate, distinct, of_closed, of_field, of_special, text_of
from nonholo.symmetry.momenta.gauge_frame import frame_findings
from nonholo.symmetry.momenta.gauge_library import library_fields
from nonholo.symmetry.momenta.gauge_special import gauss_solutions
from nonholo.symmetry.momenta.gauge_system import GaugeOde, Undecided, at, gauge_ode
from nonholo.symmetry.momenta.momenta import Field, Momenta, momenta, states
from nonholo.symmetry.momenta.noether import energy_finding, horizontal_symmetries, proportional
from nonholo.symmetry.momenta.numeric_momentum import NumericMomentum, numeric_momenta

BUDGET = 8.0
DRIFT = 1e-8
"""A quantity that drifts more than this along the test run is not called constant."""
NOETHER = "nonholonomic Noether theorem for the horizontal symmetry"
TRIED = 6
"""How many coordinates are tried in turn when there is no shape variable."""


def integrals(
    system: System,
    depends_on: Any = None,
    parameters: Mapping[str, float] | None = None,
    start: Mapping[str, float] | None = None,
    budget: float = BUDGET,
    until: float = 2.0,
) -> tuple[Finding, ...]:
    """The conservation laws that can be found, each with its expression, its method and its drift along a test run.

    Energy; momenta of horizontal symmetries; momenta ``Σ f_i p_i`` whose ``f_i`` are rational combinations of simple
    functions; and all *gauge momenta* whose coefficients along invariant fields of D depend on one variable:
    ``depends_on`` names it (a coordinate, or a sum such as ``"xi - theta"``), otherwise it is the shape variable, or each
    coordinate in turn. The coefficients are in closed form where possible, with special functions, or numbers.

    ``parameters`` and ``start`` are those of the test run (the system's own, or generic ones); ``budget`` is the
    processor's time, in seconds, after which closed forms are given up for numbers.

    >>> particle = System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    >>> for finding in integrals(particle, depends_on="y"):
    ...     print(finding.claim)
    the energy is constant
    ydot is constant
    xdot*sqrt(y**2 + 1) is constant
    """
    end = process_time() + budget
    values = run_parameters(system, parameters)
    found_energy = energy_finding(system, values)
    try:
        found = momenta(system)
        if found_energy.verdict == "unknown":
            raise ModelError(found_energy.evidence)
    except ModelError as problem:
        rest = Finding("momenta linear in the velocities are constant", "unknown", evidence=str(problem))
        return (*measured(system, values, start, until, [found_energy]), rest)
    group = generators(system)
    variables = _variables(system, found, group, depends_on)
    # too large a group may leave no basis of D alone: then the declared one, then none
    fields = (
        invariant_fields(found, group) or invariant_fields(found, declared_generators(system)) or _own_fields(found)
    )
    candidates: list[Candidate] = []
    if depends_on is None or len(variables) > 1:
        names = None if depends_on is None else [v.pivot for v in variables]
        candidates = distinct(found, _simple(found, group, names), values)
    failures: list[Finding] = []
    for variable in variables:
        if len(candidates) == len(found.speeds) and depends_on is None:
            break
        new, failure = gauge_momenta(found, fields, variable, values, end)
        both = distinct(found, [*candidates, *new], values)
        if failure is not None:
            failures.append(failure)
        candidates = both
    if candidates and depends_on is None:
        failures = [f for f in failures if f.verdict == "unknown"]
    findings = [
        Finding(f"{text_of(c.expression)} is constant", "holds", None, "", c.expression, c.method) for c in candidates
    ]
    if not candidates and not failures:
        tried = "tried coefficients that are combinations of the coordinates and their sines and cosines"
        failures = [Finding("a momentum linear in the velocities is constant", "unknown", evidence=tried)]
    shape = shape_variables(found, group) if depends_on is None and system.symmetry is not None else ()
    frames = frame_findings(found, shape, max(1.0, end - process_time())) if shape else []
    return (*measured(system, values, start, until, [found_energy, *findings]), *failures, *frames)


def _some(candidate: Candidate | None) -> list[Candidate]:
    return [] if candidate is None else [candidate]


def _own_fields(found: Momenta) -> tuple[Field, ...]:
    count = len(found.speeds)
    return tuple(tuple(ONE if i == k else ZERO for i in range(count)) for k in range(count))


def _variables(system: System, found: Momenta, group: Any, depends_on: Any) -> tuple[Variable, ...]:
    if depends_on is not None:
        listed = depends_on if isinstance(depends_on, (list, tuple)) else [depends_on]
        return tuple(variable_of(system, d) for d in listed)
    shape = shape_variables(found, group)
    if len(shape) == 1:
        return shape
    bent = {str(s) for e in system.frame.relations for s in e.free_symbols}
    moving = shape or tuple(variable_of(system, c) for c in system.coordinates if c not in bent)
    # of a rotation's or a unit vector's entries the last ones, by habit, belong to the vertical
    return moving[-3:] if any(v.pivot in bent for v in moving) else moving[:TRIED]


def _simple(found: Momenta, group: Any, names: Sequence[str] | None) -> list[Candidate]:
    """Momenta of fields with simple coefficients, and of horizontal symmetries; told as the latter where they are both."""
    result = []
    horizontal = horizontal_symmetries(found, group) if names is None else []
    for field, extra in library_fields(found, names):
        words = [word for word, other in horizontal if extra == 0 and proportional(found, field, other)]
        method = f"{NOETHER} {words[0]}" if words else "momentum with simple coefficients, by a null space"
        result += _some(of_field(found, field, extra, method))
    for word, field in horizontal:
        result += _some(of_field(found, field, ZERO, f"{NOETHER} {word}"))
    return result


def gauge_momenta(
    found: Momenta, fields: Sequence[Field], variable: Variable, values: Mapping[str, float], end: float
) -> tuple[list[Candidate], Finding | None]:
    """All momenta with coefficients of one variable along the fields; or the finding that there are none."""
    ode, trouble = _ode(found, fields, variable, values, end)
    if ode is None:
        claim = f"there are momenta with coefficients of {variable}"
        return [], Finding(claim, "unknown", evidence=f"tried the linear system for them, but {trouble}")
    if not ode.dimension:
        claim = f"there is a momentum along the invariant fields with coefficients of {variable} alone"
        reason = "the linear system for the coefficients has only the solution 0, for generic parameters"
        return [], Finding(claim, "fails", 0, reason, method="prolongation of the overdetermined linear system")
    result: list[Candidate] = []
    known = within(max(0.5, min(3.0, end - process_time())), lambda: closed_solutions(ode)) or ()
    for one in known:
        result += _some(of_closed(ode, one))
    if len(result) == ode.dimension - (1 if ode.affine else 0):
        return result, None
    return [*result, *_numeric(found, ode, values)], None


def _ode(
    found: Momenta, fields: Sequence[Field], variable: Variable, values: Mapping[str, float], end: float
) -> tuple[GaugeOde | None, str]:
    trouble: list[str] = []

    def attempt(given: Mapping[str, float] | None) -> GaugeOde | None:
        try:
            return gauge_ode(found, fields, variable, given)
        except Undecided as problem:
            trouble.append(str(problem))
            return None

    left = end - process_time()
    ode = within(max(0.5, 0.4 * left), lambda: attempt(None))
    if ode is None and not trouble:
        ode = within(max(1.0, 0.6 * left), lambda: attempt(values))
    return ode, trouble[0] if trouble else "the time was up before it was solved"


def _numeric(found: Momenta, ode: GaugeOde, values: Mapping[str, float]) -> list[Candidate]:
    """The momenta of an ODE by special functions, or else by its fundamental matrix."""
    origin = at(ode.variable, states(found, 1, values, seed=900)[0])
    try:
        numeric = numeric_momenta(ode, values, origin)
    except NonholoError:
        return []
    special: list[Candidate] = []
    for one in gauss_solutions(ode):
        special += _some(within(5.0, lambda: of_special(ode, one, numeric[0])))  # noqa: B023 - used at once
    if len(special) == ode.dimension:
        return special
    word = f"gauge momentum with coefficients of {ode.variable}: the fundamental matrix of the ODE, in numbers"
    return [*special, *(Candidate(n, word) for n in numeric)]


def run_parameters(system: System, given: Mapping[str, Any] | None) -> dict[str, float]:
    """The parameters of the test run: given, the system's own, or generic positive numbers with three digits."""
    check_system(system)
    random = np.random.default_rng(20)
    generic = {n: round(float(random.uniform(0.6, 1.6)), 3) for n in system.parameters}
    missing = {n: e for n, e in generic.items() if n not in system.values and n != "g"}
    return parameter_values(system, {**missing, **(given or {})})


def measured(
    system: System,
    values: Mapping[str, float],
    start: Mapping[str, float] | None,
    until: float,
    findings: list[Finding],
) -> list[Finding]:
    """The findings with their drift along a motion; those that drift are called so."""
    if not any(f for f in findings):
        return findings
    runs = motions_to_test(system, values, start, until)
    if not runs:
        return [replace(f, evidence="no test run could be computed") if f else f for f in findings]
    return [_followed(f, runs) if f else f for f in findings]


def _followed(finding: Finding, runs: Sequence[Any]) -> Finding:
    """The finding with its largest drift along the motions that stay where its coefficients are known."""
    drifts = [_drift(finding, run) for run in runs]
    known = [(d, run) for d, run in zip(drifts, runs) if np.isfinite(d)]
    if not known and isinstance(finding.expression, NumericMomentum):
        word = f"the test run leaves the interval where the coefficients are known, {finding.expression}"
        return replace(finding, value=None, evidence=word)
    drift = max((d for d, _ in known), default=float("nan"))
    length = max((float(run.data["t"].values[-1] - run.data["t"].values[0]) for _, run in known), default=0.0)
    which = "a motion" if len(known) < 2 else "two motions, one of them generic,"
    word = f"largest relative drift along {which} of {length:.3g} s"
    return replace(finding, verdict="holds" if drift < DRIFT else "fails", value=drift, evidence=word)


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
        return {n: state[n] for n in (*system.coordinates, *system.velocities)}
    place = states(found, 1, values, seed=900)[0]
    return {str(n): place[str(n)] for n in (*found.coordinates, *found.speeds)}


def motions_to_test(
    system: System, values: Mapping[str, float], start: Mapping[str, float] | None, until: float
) -> list[Any]:
    """Short precise motions: from the given start or the system's own, and from a generic admissible state.

    The first may be at rest, or special in another way; where the second cannot be computed it is left out.
    """
    from nonholo.integrate.one.simulate import simulate

    own = start if start is not None else dict(system.start)
    idle = dict.fromkeys(system.inputs, 0.0)
    runs = []
    places: list[Callable[[], Mapping[str, float]]] = [lambda: own, lambda: _generic_start(system, values)]
    for place in places:
        try:
            begin = place()
            if not begin:
                continue
            run = simulate(system, begin, until, values, rtol=1e-13, atol=1e-14, t_eval=81, inputs=idle, progress=False)
        except NonholoError:
            continue
        if len(run.data["t"]) > 1:
            runs.append(run)
    return runs
