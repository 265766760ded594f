"""Conservation laws of a system: energy, momenta, gauge momenta, moving energies, polynomials; proved where possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from nonholo.algebra.cache import Kept, key_of
from nonholo.algebra.expression_types import Expr, is_expression
from nonholo.algebra.linear_equations import dot
from nonholo.finding import Condition, Finding, FurtherIntegrals, Proved, Searched, is_energy, while_lasting
from nonholo.model.lasting_contacts import lasting, require_motion
from nonholo.model.specialise import angles_apart, driven_by_laws
from nonholo.model.system import System
from nonholo.model.velocities.driven_coordinates import held_inputs
from nonholo.symmetry.exact.gauge_terms import freest
from nonholo.symmetry.integrals.drift_test import followed_along, run_parameters, specialised_values
from nonholo.symmetry.integrals.gauge.gauge_variable import shape_variables
from nonholo.symmetry.integrals.gauge.momentum_frame import frame_findings
from nonholo.symmetry.integrals.input_integrals import driven_findings
from nonholo.symmetry.integrals.integral_text import method_of, noun_of
from nonholo.symmetry.integrals.integral_tuple import Integrals
from nonholo.symmetry.integrals.momentum_rates import Momenta
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from nonholo.symmetry.integrals.polynomial_integrals import polynomial_integrals
from nonholo.symmetry.integrals.searches import Question, found_by_all
from nonholo.symmetry.integrals.searches.energy_search import constant_energy
from nonholo.symmetry.integrals.searches.integral_question import PROVED
from nonholo.symmetry.witness.trials import tried_integrals

FRAMES = 12.0  # units of work after which momentum frames are given up


def integrals(
    system: System,
    depends_on: Any = None,
    parameters: Mapping[str, float] | None = None,
    degree: int = 1,
    *,
    start: Mapping[str, float] | None = None,
    until: float = 2.0,
    witness: bool = True,
) -> tuple[Finding, ...]:
    """The conservation laws that can be found, each with its expression, its method and its drift along a test run.

    Energy; moving energies ``E − ⟨p, Y⟩`` where constraints are affine; momenta of horizontal symmetries; integrals
    linear and quadratic in the velocities (up to ``degree`` on request) with coefficients from a library of functions
    of the coordinates; and all *gauge momenta* whose coefficients along invariant fields of D depend on one variable:
    ``depends_on`` names it (a coordinate, a sum such as ``"xi - theta"``, a radius ``"sqrt(x**2 + y**2)"``), otherwise
    it is the shape variable, or each coordinate in turn. ``depends_on=["x", "y"]`` asks for all momenta with coefficients
    of these coordinates together: how many there are is proved, and those without a closed form are followed as numbers.

    What holds for all values of the parameters comes first; ``parameters`` (or else the system's own values) are put
    in, and what holds for these values only is said to. ``proved`` tells what was proved: the rate along the motion is zero
    exactly. What is known as numbers alone is measured along motions. Work is bounded by counts, so that every run gives the
    same answer. Proofs are tried on motions by multipliers; a contradicted one is a `Defect`. ``witness=False`` leaves this out.

    >>> particle = System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"])
    >>> print(*(finding.claim for finding in integrals(particle, depends_on="y")), sep="\\n")
    the energy (xdot**2 + ydot**2 + zdot**2)/2 is constant
    ydot is constant
    xdot*sqrt(y**2 + 1) is constant
    """
    given, (system, condition) = system, lasting(system)
    require_motion(system, condition)
    found = searched(system, depends_on, parameters, degree, start, until, frames=True)
    found = tried_integrals(system, run_parameters(system, parameters), found) if witness else found
    return Integrals((while_lasting(f, condition) for f in found), given)


def searched(
    system: System,
    depends_on: Any = None,
    parameters: Mapping[str, float] | None = None,
    degree: int = 1,
    start: Mapping[str, float] | None = None,
    until: float = 2.0,
    frames: bool = False,
) -> tuple[Finding, ...]:
    """What `integrals` answers; ``frames`` adds the momentum frames of a declared symmetry, which are no integrals."""
    run_parameters(system, parameters)  # what is wrong with them is said first
    system = freest(system)
    key = None if depends_on is not None else key_of(system, parameters, degree, start, until)

    def answer() -> Answer:
        return _answered(system, depends_on, parameters, degree, start, until)

    told, found, group = answer() if key is None else _asked.get(key, answer)
    if not frames or depends_on is not None or system.symmetry is None or found is None:
        return told
    shape = shape_variables(found, group)
    return (*told, *(frame_findings(found, shape, FRAMES) if shape else ()))


Answer = tuple[tuple[Finding, ...], Momenta | None, Mapping[str, Any]]
_asked: Kept[Answer] = Kept(8)
"""A judgement, a report and a user ask for the same integrals."""


def _answered(
    system: System,
    depends_on: Any,
    parameters: Mapping[str, float] | None,
    degree: int,
    start: Mapping[str, float] | None,
    until: float,
) -> Answer:
    """The findings, and what the momentum frames need."""
    system = angles_apart(driven_by_laws(system))

    def ask(one: System, known: Sequence[Expr], always: bool) -> Answer:
        return _of(one, depends_on, parameters, degree, start, until, known, always)

    if held_inputs(system):
        return tuple(driven_findings(system, lambda *words: ask(*words)[0])), None, {}
    return ask(system, (), False)


def _of(
    system: System,
    depends_on: Any,
    parameters: Mapping[str, float] | None,
    degree: int,
    start: Mapping[str, float] | None,
    until: float,
    known: Sequence[Expr],
    always: bool,
) -> Answer:
    """The answer for one system beyond ``known``; ``always`` asks for what is proved whatever the inputs do, and nothing else."""
    values = run_parameters(system, parameters)
    question = Question(system, values, depends_on, degree, start)
    question.exact += [e for e in known if is_expression(e)]
    if always:
        question.momenta = None  # whose rates are computed with the inputs at zero
        return tuple(f for f in _whatever_inputs(question) if f and f.proved), None, {}
    found_by_all(question)
    found = [f for f in question.findings if not question.follows(f, known)]
    special = specialised_values(system, parameters, values)
    more = _special(question, special) if special and depends_on is None else []
    followed = followed_along(system, values, start, until, [*found, *more])
    return (*followed, *_in_vain(question, [*found, *more])), question.momenta, question.group


def _whatever_inputs(question: Question) -> list[Finding]:
    """Energy and polynomials."""
    found = [constant_energy(question)] if question.depends_on is None else []
    polynomials = [c for degree in (1, 2) for c in question.polynomials(degree)]
    return [*found, *map(question.finding, polynomials)] if question.sought is not None else []


def _in_vain(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """What was tried and not found."""
    if question.momenta is None and question.sought is None:
        return [Finding(FurtherIntegrals(), "unknown", evidence=question.problem)]
    if any(f for f in findings if not is_energy(f)) or question.failures:
        return question.failures
    tried = tuple(dict.fromkeys(question.tried)) or (question.problem,)
    degree = max(question.degrees) if question.tried else 0
    return [Finding(FurtherIntegrals(degree), "unknown", None, Searched(bounds=tried))]


def _special(question: Question, fixed: Mapping[str, Fraction]) -> list[Finding]:
    """What is constant for these values of the parameters, beyond what holds for all."""
    if question.sought is None:
        return []
    here = replace(question.sought, fixed=fixed, general=tuple(question.sought.empty))
    result = []
    for one in polynomial_integrals(here, list(question.degrees), question.exact)[0]:
        data = question.statement(one.expression, noun_of(one), Condition(values=True))
        result.append(Finding(data, "holds", None, Proved(PROVED), one.expression, method_of(one)))
    return result


__all__ = ["NumericMomentum", "dot", "integrals", "run_parameters"]
