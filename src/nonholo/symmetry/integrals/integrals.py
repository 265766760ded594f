"""Conservation laws of a system: energy, momenta, gauge momenta, moving energies, polynomials; proved where possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from nonholo.algebra.budget import Purse
from nonholo.algebra.cache import Kept, key_of
from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr, Quantity, is_expression
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.derive.hamel import energy_in_frame
from nonholo.errors import ModelError
from nonholo.finding import Condition, Finding, FirstIntegral, FurtherIntegrals, Measured, Proved, Searched, is_energy
from nonholo.model.specialise import angles_apart, driven_by_laws
from nonholo.model.system import System
from nonholo.model.velocities.driven_coordinates import held_inputs
from nonholo.symmetry.exact.gauge_terms import freest
from nonholo.symmetry.exact.modular_states import NoPoints, motion_of
from nonholo.symmetry.exact.null_space_search import Sought, functionally_independent, leave_curves, proved
from nonholo.symmetry.exact.term_library import active
from nonholo.symmetry.integrals.configuration_integrals import configuration_integrals
from nonholo.symmetry.integrals.drift_test import followed_along, fractions, run_parameters, specialised_values
from nonholo.symmetry.integrals.gauge.gauge_basis import generators
from nonholo.symmetry.integrals.gauge.gauge_search import WHOLE, fields_in_space, fields_named, gauge_momenta, variables
from nonholo.symmetry.integrals.gauge.gauge_variable import Variable, shape_variables
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate, distinct, of_field
from nonholo.symmetry.integrals.gauge.momentum_frame import frame_findings
from nonholo.symmetry.integrals.gauge.prolongation import at as value_of
from nonholo.symmetry.integrals.input_integrals import driven_findings
from nonholo.symmetry.integrals.integral_formulas import gathered
from nonholo.symmetry.integrals.integral_text import angles_joined, method_of, noun_of, text_of
from nonholo.symmetry.integrals.integral_tuple import Integrals
from nonholo.symmetry.integrals.momentum_rates import Momenta, momenta
from nonholo.symmetry.integrals.noether import energy_finding, hidden_of, horizontal_symmetries, moving_momenta
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from nonholo.symmetry.integrals.polynomial_integrals import exact_energy, is_quadratic, polynomial_integrals
from nonholo.symmetry.integrals.power_integrals import power_integrals
from nonholo.symmetry.integrals.several.several_search import depends_only, momenta_of_several, parallel_momenta
from nonholo.symmetry.witness.trials import tried_integrals

NOETHER = "nonholonomic Noether theorem for the horizontal symmetry"
LEAF = "integral of the constraints, by Frobenius' theorem"
POWERS = "product of powers, by a null space of logarithms"
PROVED = "proved: its rate is zero identically"
FRAMES = 12.0  # units of work after which momentum frames are given up
MANY = 2
"""So many momenta for each speed are enough: no gauge momenta are sought then."""
WIDE = 200
"""An energy with more letters than this is not written out in its claim."""


def integrals(
    system: System,
    depends_on: Any = None,
    parameters: Mapping[str, float] | None = None,
    degree: int = 1,
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
    found = searched(system, depends_on, parameters, degree, start, until, frames=True)
    return Integrals(tried_integrals(system, run_parameters(system, parameters), found) if witness else found, system)


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
    search = _Search(system, values, depends_on, degree, start)
    search.exact += [e for e in known if is_expression(e)]
    if always:
        search.momenta = None  # whose changes are computed with the inputs at zero
        return tuple(f for f in search.always() if f and f.proved), None, {}
    found = [f for f in search.run() if not search.follows(f, known)]
    special = specialised_values(system, parameters, values)
    more = search.special(special) if special and depends_on is None else []
    followed = followed_along(system, values, start, until, [*found, *more])
    return (*followed, *search.in_vain([*found, *more])), search.momenta, search.group


class _Search:
    """One question: what was found so far, and what was tried."""

    def __init__(self, system: System, values: Mapping[str, float], depends_on: Any, degree: int, start: Any) -> None:
        self.system, self.values, self.depends_on, self.start = system, values, depends_on, start
        self.degrees = range(1, max(2, degree) + 1)
        self.tried: list[str] = []
        self.problem = ""
        self.exact: list[Expr] = []
        try:
            self.sought: Sought | None = Sought(motion_of(system), {}, False)
            self.sought.states(4, 1)
        except (NoPoints, Unsupported) as problem:
            self.sought, self.problem = None, str(problem)
        self.momenta: Momenta | None = None
        try:
            self.momenta = momenta(system)
        except ModelError as problem:
            self.problem = str(problem)
        self.failures: list[Finding] = []
        self.group: Mapping[str, Any] = {}
        self.idle: list[Expr] = []
        self.moving: list[Candidate] = []

    def run(self) -> list[Finding]:
        """Energy and what holds for all parameters."""
        energy = self.written_out(self.energy())
        if energy.verdict == "unknown" and self.sought is None:
            self.momenta, self.problem = None, energy.evidence
        found = [energy]
        if self.depends_on is None:
            found += [self.finding(Candidate(e, LEAF)) for e in configuration_integrals(self.system) if self.new(e)]
        linear = self.simple(1)
        found += [self.finding(c) for c in linear]
        if self.sought is not None and self.depends_on is None and leave_curves(self.sought, self.exact):
            return found
        if self.momenta is not None and not self.system.signals:
            # momenta and their changes are computed with the inputs at zero
            idle = bool(self.system.inputs)
            found += [self.finding(c, idle) for c in self.gauged(self.momenta, linear) if c not in linear]
        if self.depends_on is None:
            found += [self.finding(c) for c in self.simple(2)]
            found += [self.finding(Candidate(e, POWERS)) for e in power_integrals(self.sought) if self.new(e)]
            found += [self.finding(c) for c in self.moving if self.new(c.expression)]
        if self.sought is not None and self.system.inputs and self.depends_on is None:
            found += self.when_idle(self.sought)
        return found

    def always(self) -> list[Finding]:
        """Energy and polynomials."""
        found = [self.written_out(self.energy())] if self.depends_on is None else []
        return [*found, *(self.finding(c) for d in (1, 2) for c in self.simple(d))] if self.sought is not None else []

    def energy(self) -> Finding:
        """Whether the energy is constant, exactly where that can be computed."""
        measured_energy = energy_finding(self.system, self.values)
        if self.sought is None or measured_energy.verdict == "unknown":
            return measured_energy
        # in speeds of one's own it is short, in speeds that were chosen by pivots it may have a denominator that vanishes
        own = bool(self.system.quasivelocities)
        expression = measured_energy.expression if own else energy_in_frame(self.system)
        exact = exact_energy(self.sought)
        if proved(self.sought, exact):
            self.exact.append(exact)
            return Finding(FirstIntegral(energy=True), "holds", None, Proved(PROVED), expression, "no force does work")
        if measured_energy and self.system.signals:
            words = f"the inputs {', '.join(self.system.inputs)} do work; without them it is constant"
            data, basis = FirstIntegral(energy=True), (Measured(words),)
            return replace(measured_energy, verdict="fails", data=data, basis=basis, expression=None)
        if measured_energy and proved(replace(self.sought, idle=True), exact):
            return replace(measured_energy, basis=(Proved(PROVED),), expression=expression)
        return measured_energy

    def written_out(self, energy: Finding) -> Finding:
        """The claim on a constant energy with the energy in it, where that is short."""
        if not energy or energy.formula is None or not isinstance(energy.data, FirstIntegral):
            return energy
        shown = text_of(self.system, gathered(energy.formula), "", WIDE)
        return replace(energy, data=replace(energy.data, formula=shown))

    def simple(self, degree: int) -> list[Candidate]:
        """Polynomials in the velocities with coefficients from the library; for degree 1 horizontal symmetries first."""
        result: list[Candidate] = []
        if self.sought is None or (self.depends_on is not None and not self.listed()):
            return result
        degrees = [1] if degree == 1 else [d for d in self.degrees if d > 1]
        only = self.listed() if self.depends_on is not None else None
        found, tried = polynomial_integrals(self.sought, degrees, self.exact, only)
        self.tried += tried
        for one in found:
            self.exact.append(one.expression)
            result.append(Candidate(one.expression, method_of(one), noun=noun_of(one)))
        if degree == 1 and self.momenta is not None and self.depends_on is None:
            return self.named(self.momenta, result)
        return result

    def named(self, found: Momenta, linear: list[Candidate]) -> list[Candidate]:
        """Momenta of horizontal symmetries are told as such; those that the library does not hold are added."""
        self.group = generators(self.system)
        for word, field, generator in horizontal_symmetries(found, {**self.group, **hidden_of(self.sought)}):
            own = of_field(found, field, ZERO, f"{NOETHER} {word}")
            if own is None:
                self.moving += [] if self.sought is None else moving_momenta(found, self.sought, word, field, generator)
                continue
            same = [k for k, c in enumerate(linear) if len(distinct(found, [c, own], self.values)) == 1]
            if same:
                linear[same[0]] = replace(linear[same[0]], method=own.method)
            elif self.new(own.expression):
                linear.append(own)
        return linear

    def listed(self) -> list[str]:
        """The variables asked for, when they are several."""
        several = isinstance(self.depends_on, (list, tuple)) and len(self.depends_on) > 1
        return [str(a) for a in self.depends_on] if several else []

    def new(self, expression: Quantity) -> bool:
        """Whether an expression is proved and no function of those before; then it is remembered."""
        if self.sought is None or not is_expression(expression) or not proved(self.sought, expression):
            return False
        before = [e for e in self.exact if not is_quadratic(e, self.sought)]
        if functionally_independent(self.sought, [*before, expression])[-1:] != [len(before)]:
            return False
        self.exact.append(expression)
        return True

    def follows(self, finding: Finding, known: Sequence[Expr]) -> bool:
        """Whether an integral is a function of known ones."""
        if not known or is_energy(finding) or self.sought is None or not is_expression(finding.expression):
            return False
        try:
            return len(known) not in functionally_independent(self.sought, [*known, finding.expression])
        except (NoPoints, Unsupported):
            return False

    def gauged(self, found: Momenta, linear: list[Candidate]) -> list[Candidate]:
        """With the gauge momenta of one variable after the other."""
        group = {**(self.group or generators(self.system)), **hidden_of(self.sought)}
        chosen = variables(self.system, found, group, self.depends_on)
        fields, called = fields_named(found, group)
        purse = Purse(WHOLE)
        for variable in chosen:
            if len(linear) >= MANY * len(found.speeds) and self.depends_on is None:
                break
            new, failure = gauge_momenta(found, fields, variable, self.values, self.origin(variable), called, purse)
            if failure is not None:
                self.failures.append(failure)
            linear = distinct(found, [*linear, *new], self.values)
        for c in linear:
            if self.system.inputs and is_expression(c.expression) and c.expression not in self.exact:
                self.idle.append(c.expression)
            else:
                self.new(c.expression)
        if linear and self.depends_on is None:
            self.failures = [f for f in self.failures if f.verdict == "unknown"]
        if self.depends_on is None or self.listed():
            linear += [c for c in parallel_momenta(found) if self.new(c.expression)]
        names = self.listed()
        turned, called = fields_in_space(found, group) if self.system.frame.relations else (None, "")
        if names and self.sought is not None:  # momenta of symmetries, with coefficients of these coordinates alone
            own = [c for c in self.named(found, list(linear)) if c not in linear and depends_only(found, c, names, turned)]
            linear = distinct(found, [*linear, *own], self.values)
        more, told = self.several(found, linear, None if turned is None else (turned, called))
        self.failures += told
        return [*linear, *more]

    def several(self, found: Momenta, linear: list[Candidate], along: Any) -> tuple[list[Candidate], list[Finding]]:
        """Momenta with coefficients of several variables: those asked for, or the coordinates that act."""
        if self.depends_on is not None:
            names = self.listed()
        else:
            names = [str(c) for c in active(self.sought.motion)] if self.sought is not None else []
        place = {**dict(self.system.start), **(self.start or {})}
        return momenta_of_several(found, names, linear, self.values, place, self.depends_on is not None, along)

    def origin(self, variable: Variable) -> float | None:
        """Where the user's motion starts, if that is known."""
        begin = {**dict(self.system.start), **(self.start or {})}
        names = {str(s) for s in variable.expression.free_symbols}
        return value_of(variable, begin) if names and names <= set(begin) else None

    def finding(self, candidate: Candidate, idle: bool = False) -> Finding:
        """A candidate as a finding, proved where its rate is zero exactly; ``idle``: while the inputs are zero."""
        expression = candidate.expression
        if is_expression(expression):
            expression = angles_joined(expression)
        sought = replace(self.sought, idle=idle) if self.sought is not None else None
        if candidate.special:
            sought = replace(sought, fixed=fractions(self.values)) if sought is not None else None
        sure = sought is not None and is_expression(expression) and proved(sought, expression)
        data = self.said(expression, candidate.noun, Condition(idle=idle, values=candidate.special))
        return Finding(data, "holds", None, Proved(PROVED) if sure else (), expression, candidate.method)

    def said(self, expression: Quantity, noun: str, when: Condition) -> FirstIntegral:
        """An integral with its formula in a line, or called by a noun where it is too long."""
        return FirstIntegral(text_of(self.system, expression, noun), when=when)

    def when_idle(self, sought: Sought) -> list[Finding]:
        """What is constant only while the inputs are zero: told as such, and not at all where they are known not to be."""
        quiet = replace(sought, idle=True)
        energy = exact_energy(sought)
        known = [*self.exact, *([energy] if energy not in self.exact and proved(quiet, energy) else [])]
        known += self.idle
        found, _ = polynomial_integrals(quiet, [1], known)
        result = []
        for one in found:
            if self.system.signals:
                words = f"the inputs {', '.join(self.system.inputs)} push it; it is constant only while they are zero"
                data = self.said(one.expression, noun_of(one), Condition())
                result.append(Finding(data, "fails", None, Proved(words), method=method_of(one)))
            else:
                data = self.said(one.expression, noun_of(one), Condition(idle=True))
                result.append(Finding(data, "holds", None, Proved(PROVED), one.expression, method_of(one)))
        return result

    def in_vain(self, findings: Sequence[Finding]) -> list[Finding]:
        """What was tried and not found."""
        if self.momenta is None and self.sought is None:
            return [Finding(FurtherIntegrals(), "unknown", evidence=self.problem)]
        if any(f for f in findings[1:]) or self.failures:
            return self.failures
        tried = tuple(dict.fromkeys(self.tried)) or (self.problem,)
        return [Finding(FurtherIntegrals(max(self.degrees) if self.tried else 0), "unknown", None, Searched(bounds=tried))]

    def special(self, fixed: Mapping[str, Fraction]) -> list[Finding]:
        """What is constant for these values of the parameters, beyond what holds for all."""
        if self.sought is None:
            return []
        here = replace(self.sought, fixed=fixed, general=tuple(self.sought.empty))
        found, _ = polynomial_integrals(here, list(self.degrees), self.exact)
        result = []
        for one in found:
            data = self.said(one.expression, noun_of(one), Condition(values=True))
            result.append(Finding(data, "holds", None, Proved(PROVED), one.expression, method_of(one)))
        return result


__all__ = ["NumericMomentum", "dot", "integrals", "run_parameters"]
