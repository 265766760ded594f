"""Conservation laws of a system: energy, momenta, gauge momenta, moving energies, polynomials; proved where possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from nonholo.algebra.cache import Cache, key_of
from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.expression_types import Expr, is_expression
from nonholo.finding import (
    Condition,
    Finding,
    FirstIntegral,
    FurtherIntegrals,
    Measured,
    Proved,
    Searched,
    is_energy,
    while_lasting,
)
from nonholo.integrate.results.presenters import notebook_html
from nonholo.model.lasting_contacts import lasting, require_motion
from nonholo.model.rotation_axes import axes_of, with_meanings
from nonholo.model.specialise import angles_apart, driven_by_laws
from nonholo.model.system import System
from nonholo.model.velocities.driven_coordinates import held_inputs, held_still, unfolded
from nonholo.symmetry.exact.gauge_terms import freest
from nonholo.symmetry.integrals.drift_test import followed_along, given_values, run_parameters, specialised_values
from nonholo.symmetry.integrals.gauge.gauge_basis import shape_variables
from nonholo.symmetry.integrals.gauge.momentum_frames import momentum_frames
from nonholo.symmetry.integrals.momentum_rates import Momenta
from nonholo.symmetry.integrals.polynomial_integrals import polynomial_integrals
from nonholo.symmetry.integrals.searches import Question, found_by_all
from nonholo.symmetry.integrals.searches.energy_search import constant_energy
from nonholo.symmetry.integrals.searches.integral_question import PROVED
from nonholo.symmetry.witness.trials import tried_integrals

FRAMES = 4.0
"""Units of work for the momentum frames of a symmetry."""
Answer = tuple[tuple[Finding, ...], Momenta | None, Mapping[str, Any]]
"""Findings, and the momenta and symmetries that momentum frames need."""
Ask = Callable[[System, Sequence[Expr], bool], Sequence[Finding]]
"""The findings of a system beyond known expressions; True asks for those alone that hold whatever the inputs do."""


@dataclass(frozen=True)
class Request:
    """The arguments of `integrals`."""

    depends_on: object = None
    parameters: Mapping[str, float] | None = None
    degree: int = 1
    start: Mapping[str, float] | None = None
    until: float = 2.0


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
    in; integrals that hold for these values only are marked. ``proved`` means that the rate along the motion is zero
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
    found = find_integrals(system, Request(depends_on, parameters, degree, start, until), frames=True)
    found = tried_integrals(system, run_parameters(system, parameters), found) if witness else found
    return Integrals((while_lasting(f, condition) for f in found), given)


def find_integrals(system: System, request: Request, frames: bool = False) -> tuple[Finding, ...]:
    """The findings of `integrals` before their trial; ``frames`` adds the momentum frames of a declared symmetry."""
    run_parameters(system, request.parameters)  # errors in them come first
    system = freest(system)
    free = request.depends_on is None
    key = key_of(system, request.parameters, request.degree, request.start, request.until) if free else None

    def answer() -> Answer:
        plain = angles_apart(driven_by_laws(system))
        if held_inputs(plain):
            return tuple(driven_findings(plain, lambda *words: _answer(request, *words)[0])), None, {}
        return _answer(request, plain)

    findings, found, group = answer() if key is None else _ANSWERS.get(key, answer)
    if not frames or not free or system.symmetry is None or found is None or not shape_variables(found, group):
        return findings
    return (*findings, *momentum_frames(found, FRAMES))


_ANSWERS: Cache[Answer] = Cache(8)
"""A judgement, a report and a user ask for the same integrals."""


def _answer(request: Request, system: System, known: Sequence[Expr] = (), always: bool = False) -> Answer:
    """The answer for one system beyond ``known``; ``always`` asks for what is proved whatever the inputs do, and nothing else."""
    values = run_parameters(system, request.parameters)
    given = given_values(system, request.parameters)
    question = Question(system, values, request.depends_on, request.degree, request.start, given)
    question.exact += [e for e in known if is_expression(e)]
    if always:
        question.momenta = None  # whose rates are computed with the inputs at zero
        return tuple(f for f in _whatever_inputs(question) if f and f.proved), None, {}
    found_by_all(question)
    found = [f for f in question.findings if not question.follows(f, known)]
    special = specialised_values(system, request.parameters, values)
    if special and request.depends_on is None:
        found += _special(question, special)
    followed = followed_along(system, values, request.start, request.until, found)
    return (*followed, *_in_vain(question, found)), question.momenta, question.group


def _whatever_inputs(question: Question) -> list[Finding]:
    """Energy and polynomials."""
    found = [constant_energy(question)] if question.depends_on is None else []
    polynomials = [c for degree in (1, 2) for c in question.polynomials(degree)]
    return [*found, *map(question.finding, polynomials)] if question.sought is not None else []


def _in_vain(question: Question, findings: Sequence[Finding]) -> list[Finding]:
    """The findings on searches without result."""
    if question.momenta is None and question.sought is None:
        return [Finding(FurtherIntegrals(), "unknown", evidence=question.problem)]
    if any(f for f in findings if not is_energy(f)) or question.failures:
        return question.failures
    if not question.tried:
        return [Finding(FurtherIntegrals(), "unknown", evidence=question.problem)]
    tried = Searched(bounds=tuple(dict.fromkeys(question.tried)))
    return [Finding(FurtherIntegrals(max(question.degrees)), "unknown", None, tried)]


def _special(question: Question, fixed: Mapping[str, Fraction]) -> list[Finding]:
    """What is constant for these values of the parameters, beyond what holds for all."""
    if question.sought is None:
        return []
    here = replace(question.sought, fixed=fixed, general=tuple(question.sought.empty))
    result = []
    for one in polynomial_integrals(here, list(question.degrees), question.exact)[0]:
        data = question.statement(one.expression, one.noun, Condition(values=True))
        result.append(Finding(data, "holds", None, Proved(PROVED), one.expression, one.method))
    return result


def driven_findings(system: System, ask: Ask) -> list[Finding]:
    """Three questions: ``u`` as a coordinate that is driven by its unknown rate, as a parameter, and as zero.

    Findings that follow from earlier ones are left out.
    """
    held = held_inputs(system)
    always = list(ask(unfolded(system)[0], (), True))
    known = [f.expression for f in always if f and is_expression(f.expression)]
    still = [f for f in ask(held_still(system), known, False) if _news(f, always)]
    known += [f.expression for f in still if f and is_expression(f.expression)]
    zero = dict.fromkeys(symbols(held), ZERO)
    quiet = [e.xreplace(zero) for e in known if hasattr(e, "xreplace")]
    rest = [f for f in ask(held_still(system, zero=True), quiet, False) if f and _news(f, [*always, *still])]
    pushes = f"{', '.join(held)} in a constraint, whose force does work"
    others = [n for n in system.inputs if n not in held]
    return [
        *(_while(f, others) for f in always),
        *(_while(f, others, held) if f else _pushed(_while(f, others), pushes) for f in still),
        *(_idle(f) for f in rest),
    ]


def _news(finding: Finding, before: Sequence[Finding]) -> bool:
    """Whether a finding is new: the energy is listed once."""
    return not (is_energy(finding) and any(f and is_energy(f) for f in before))


def _while(finding: Finding, others: Sequence[str], held: Sequence[str] = ()) -> Finding:
    """The finding with the inputs that must be zero by name, and those that must be constant."""
    data = finding.data
    if not isinstance(data, FirstIntegral):
        return finding
    zero = tuple(others) if data.when.idle else data.when.zero
    return replace(finding, data=replace(data, when=replace(data.when, idle=False, zero=zero, steady=tuple(held))))


def _idle(finding: Finding) -> Finding:
    data = finding.data
    if not isinstance(data, FirstIntegral):
        return finding
    return replace(finding, data=replace(data, when=replace(data.when, idle=True)))


def _pushed(finding: Finding, pushes: str) -> Finding:
    """An energy that changes, with the inputs that change it."""
    if not is_energy(finding) or finding.verdict != "fails":
        return finding
    return replace(finding, data=FirstIntegral(energy=True), basis=(Measured(f"{finding.evidence}: {pushes}"),))


class Integrals(tuple[Finding, ...]):
    """Findings on integrals: a tuple, and in a notebook a table with its formulas drawn in the notation of ``system``.

    >>> Integrals((Finding("the energy is constant", "holds"),))[0].verdict
    'holds'
    """

    system: System | None

    def __new__(cls, findings: Iterable[Finding] = (), system: System | None = None) -> Integrals:
        made = super().__new__(cls, findings)
        made.system = system
        return made

    def __str__(self) -> str:
        lines = "\n".join(map(str, self))
        return with_meanings(lines, axes_of(self.system)) if self.system is not None else lines

    def _repr_html_(self) -> str:
        return notebook_html("shown_integrals", self)
