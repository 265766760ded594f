"""Certificates of what is found about a system: each kind of finding has its own.

Rooms below register theirs with `certifies`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import symengine as se

from nonholo.algebra.calculus import along, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, is_expression
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import identity, transpose
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.errors import NonholoError
from nonholo.finding import (
    AlmostAll,
    Density,
    Finding,
    FirstIntegral,
    Freedom,
    LinearMomenta,
    Measure,
    MotionFillsCurve,
    Symmetries,
)
from nonholo.finding.answer import kind_name
from nonholo.geometry.distributions.random_configurations import NoPoints
from nonholo.model.specialise import angles_apart, driven_by_laws, laws_of, replaced, specialised
from nonholo.model.system import System
from nonholo.model.velocities.driven_coordinates import unfolded
from nonholo.notation.parse import parse
from nonholo.symmetry.certificate import field_certificates  # noqa: F401  (registers its kinds)
from nonholo.symmetry.certificate.certificate_record import MAKERS, Certificate, made, texts_of
from nonholo.symmetry.certificate.stated_system import Stated, stated_motion, without_forces
from nonholo.symmetry.exact.gauge_terms import freest
from nonholo.symmetry.exact.null_space_search import Sought, exact_rate
from nonholo.symmetry.group.shift_turn_algebra import elementary
from nonholo.symmetry.group.symmetry_group import group_of_motion
from nonholo.symmetry.integrals.conserved_quantity import with_laws
from nonholo.symmetry.integrals.drift_test import fractions, given_values, run_parameters
from nonholo.symmetry.integrals.momentum_rates import along_field, momenta
from nonholo.symmetry.integrals.noether import in_speeds
from nonholo.symmetry.integrals.several.pde_prolongation import closure, equation_of
from nonholo.symmetry.judgement.autonomous_part import count_integrals, parts, single_valued
from nonholo.symmetry.measure.density import diverges
from nonholo.symmetry.measure.density_absence import bracket_contradiction, divergence_of, kinetic
from nonholo.symmetry.measure.equilibrium_trace import contracting
from nonholo.symmetry.vector_fields import components

STATES = 4
ELSEWHERE, MANY = 2, 40
"""States anywhere, and those with the same variables, at which equations for coefficients are collected."""


def certificate(
    system: System, finding: Finding, beside: Sequence[Finding] = (), parameters: Mapping[str, float] | None = None
) -> Certificate | None:
    """The certificate of a proved finding; ``beside`` are the integrals that it counts. None where it is not proved.

    >>> from nonholo.symmetry.measure.density import measure_of
    >>> from nonholo.symmetry.exact.modular_states import motion_of
    >>> spring = System(coordinates="x", lagrangian="xdot**2/2 - x**2/2")
    >>> certificate(spring, measure_of(motion_of(spring))).formulas["density"]
    '1'
    """
    if not finding.proved:
        return None
    try:
        if (maker := MAKERS.get(type(finding.data))) is not None:
            return maker(system, finding, parameters)
        return _certificate(system, finding, beside, parameters)
    except (NoPoints, Unsupported, NonholoError):
        return None


def _certificate(
    system: System, finding: Finding, beside: Sequence[Finding], parameters: Mapping[str, float] | None
) -> Certificate | None:
    data = finding.data
    known: Mapping[str, Fraction] = {}
    if isinstance(data, Freedom):
        stated = Stated(stated_motion(without_forces(system)), kinematic=True)
        return made(stated, finding, "freedom", {"velocities": data.velocities, "free": data.free}, 1)
    if isinstance(data, FirstIntegral) and not finding:  # refuted for what the inputs do
        system = replaced(system, laws_of(system), inputs=())
    rate = isinstance(data, Measure) and data.density is Density.FINITE  # an identity in the parameters
    here = isinstance(data, (Measure, Symmetries)) and (data.values or not finding) and not rate  # denied for the given values
    if here or (isinstance(data, LinearMomenta) and not any(isinstance(e, AlmostAll) for e in finding.basis)):
        known = given_values(system, parameters)
        system = specialised(system, known)
    if isinstance(data, LinearMomenta):  # functions that join momenta depend on the gauge
        system = freest(system)
    formula = finding.formula if isinstance(data, FirstIntegral) else None
    if formula is not None and finding and formula.free_symbols <= set(symbols(system.parameters)):
        stated = Stated(stated_motion(without_forces(system)), kinematic=True)  # whatever the motion does
        return made(stated, finding, "first_integral", {"integral": formula, "number": True}, STATES)
    stated = Stated(stated_motion(unfolded(angles_apart(driven_by_laws(system)))[0]))
    match data:
        case FirstIntegral() if formula is not None:
            given = finding and bool(stated.system.inputs) and not data.when
            if given and exact_rate(Sought(stated.motion, {}, False), formula) not in ("zero", "trivial"):
                stated = Stated(stated_motion(angles_apart(with_laws(system))))  # for what the inputs do
            return _integral(stated, finding, data, parameters)
        case Symmetries() if finding and data.fields:
            names = [*stated.system.coordinates, *stated.system.parameters, *system.parameters, "t"]
            fields = [[parse(e, names, e) for e in field] for field in data.fields]
            table = _fields(stated, fields)
            return made(stated, finding, "symmetries", table, 2)
        case Symmetries() if finding.verdict == "fails":
            candidates = elementary(stated.system)
            table = {"fields": [stated.texts(one.field) for one in candidates]}
            table["components"] = [stated.texts(one.inner) for one in candidates]
            return made(stated, finding, "no_symmetries", table, 2 + -(-len(candidates) // len(stated.system.velocities)))
        case Measure() if finding and finding.formula is not None:
            return made(replace(stated, idle=True), finding, "measure", {"density": finding.formula}, STATES, measured=True)
        case Measure() if finding.verdict == "fails":
            return _absent(replace(stated, idle=True), finding, data)
        case LinearMomenta():
            return _momenta(replace(stated, idle=True), finding, data, known)
        case MotionFillsCurve():
            return _curve(replace(stated, idle=True), finding, data, beside, parameters)
    return None


def _fields(stated: Stated, fields: Sequence[Sequence[Expr]]) -> dict[str, object]:
    """Fields on the coordinates with their components in the frame."""
    system = stated.system
    inner = [components(system.frame, field, system.name) for field in fields]
    return {"fields": [stated.texts(f) for f in fields], "components": [stated.texts(f) for f in inner]}


def _integral(
    stated: Stated, finding: Finding, data: FirstIntegral, parameters: Mapping[str, float] | None
) -> Certificate | None:
    when = data.when
    values = fractions(run_parameters(stated.system, parameters)) if when.values else {}
    idle = when.idle or bool(when.zero)
    if when.zero and set(when.zero) != set(stated.system.inputs):
        return None
    steady = tuple(stated.system.inputs) if when.steady else ()
    stated = replace(stated, idle=idle, steady=steady, values=FrozenMap(values))
    if finding:
        number = exact_rate(Sought(stated.motion, values, idle), se.sympify(finding.formula)) == "trivial"
        return made(stated, finding, "first_integral", {"integral": finding.formula, "number": number}, STATES)
    return made(stated, finding, "not_first_integral", {"quantity": finding.formula}, 2)


def _absent(stated: Stated, finding: Finding, data: Measure) -> Certificate | None:
    """The certificate that no measure exists, by the first criterion that applies."""
    motion = stated.motion
    if data.density is Density.FINITE:
        names = [*stated.system.coordinates, *stated.system.velocities, *stated.system.parameters]
        table: dict[str, object] = {"density": parse(data.volume, names, data.volume), "rate": parse(data.rate, names, data.rate)}
        return made(stated, finding, "contraction", table, STATES, measured=True)
    seen = contracting(motion, divergence_of(motion))
    quadratic = kinetic(motion)
    if seen is not None and seen.everywhere is (data.density is Density.SMOOTH) and data.density is not Density.CONFIGURATION:
        family = [*seen.held.zero, *([seen.held.residual] if seen.held.residual is not None else [])]
        if seen.held.home:
            frame = stated.system.frame
            family += [symbol(c) - int(h) for c, h in zip(frame.coordinates, frame.home)]
        table = _fields(stated, [one.steps for one in seen.lifts])
        table |= {"family": stated.texts(family), "compact": seen.everywhere}
        return made(stated, finding, "no_measure_trace", table, 3, measured=True, held=seen.held)
    if quadratic and not motion.equations.coordinates and diverges(motion):
        return made(stated, finding, "no_measure_homogeneous", {}, 2, measured=True)
    found = bracket_contradiction(motion)
    if found is None:
        return None
    table = {"basis": [stated.texts(f) for f in found.basis], "values": stated.texts(found.values), "quadratic": quadratic}
    table["mass"] = stated.texts([found.mass])[0]
    table["words"] = [w if isinstance(w, int) else list(w) for w in found.words]
    return made(stated, finding, "no_measure_brackets", table, 2, measured=True)


def _curve(
    stated: Stated, finding: Finding, data: MotionFillsCurve, beside: Sequence[Finding], parameters: Mapping[str, float] | None
) -> Certificate | None:
    motion = stated.motion
    group = list(group_of_motion(motion).generators.values())
    kept = single_valued(motion, [f for f in beside if isinstance(f.data, FirstIntegral)])
    spaces = parts(motion, group, [f.expression for f in kept])
    counts = count_integrals(motion, spaces, kept, run_parameters(stated.system, parameters))
    for part, found in zip(spaces, counts):
        if part.dimension and found.count >= part.dimension - 1 and part.words == data.space:
            table = _fields(stated, [[motion.restored(e) for e in f] for f in part.group])
            table["integrals"] = stated.texts([e for e in found.integrals if is_expression(e)])
            table["coordinates"] = list(map(str, part.coordinates))
            return made(stated, finding, "motion_fills_curve", {**table, "dimension": part.dimension}, 2, measured=True)
    return None


def _momenta(stated: Stated, finding: Finding, data: LinearMomenta, known: Mapping[str, Fraction]) -> Certificate | None:
    """Momenta and their rates, with states at one value of the variables: derivatives are left to the checker."""
    system, found = stated.system, momenta(stated.system)
    names = [*system.coordinates, *system.parameters, *known]
    numbers = {symbol(n): se.Rational(v.numerator, v.denominator) for n, v in known.items()}
    fields = [substitute([parse(e, names, e) for e in field], numbers) for field in data.fields]
    inner = [components(system.frame, field, system.name) for field in fields]
    along_speeds = [in_speeds(system, field) for field in inner] if inner else identity(len(found.speeds))
    equation = equation_of(found, along_speeds, symbols(data.variables))
    closed = closure(equation)
    count = data.count if finding else 0
    if closed is None or not closed.closed or closed.dimension - (0 if found.homogeneous else 1) != count:
        return None
    own = [along_field(found, field) for field in along_speeds]
    velocity = stated.motion.allowed.velocity
    table: dict[str, object] = {"momenta": stated.texts([p for p, _ in own], named=True)}
    table["rates"] = stated.texts([c for _, c in own], named=True)
    table["steps"] = stated.texts(along(equation.variables, dict(zip(found.coordinates, found.motion))), named=True)
    table["velocity"] = stated.texts(velocity, named=True)
    table["components"] = [stated.texts(field) for field in (inner or transpose(stated.motion.allowed.basis))]
    table |= {"variables": list(data.variables), "order": closed.order, "count": count, "speeds": stated.speeds}
    texts = texts_of(table)
    states = [*stated.states(ELSEWHERE, texts, same=()), *stated.states(MANY, texts, same=equation.variables)]
    return Certificate("linear_momenta", finding.claim, FrozenMap(stated.record), FrozenMap(table), tuple(states))


def certificates(
    system: System, findings: Sequence[Finding], parameters: Mapping[str, float] | None = None
) -> list[dict[str, object]]:
    """One entry for each proved line: its certificate, or the kind of its proof where there is none of this form."""
    result: list[dict[str, object]] = []
    for f in findings:
        if f.proved:
            found = certificate(system, f, findings, parameters)
            open_entry: dict[str, object] = {"kind": kind_name(f.data), "claim": f.claim, "evidence": f.evidence, "states": None}
            result.append(open_entry if found is None else found.as_json())
    return result
