"""The state of one search for first integrals: the system, the integrals found so far, and what was tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from nonholo.algebra.calculus import ZERO, larger_than
from nonholo.algebra.expression_types import Expr, Quantity, is_expression
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.derive.angle_coordinates import angle_coordinates, multivalued
from nonholo.errors import ModelError
from nonholo.finding import Condition, Finding, FirstIntegral, Proved, is_energy
from nonholo.model.specialise import laws_of, replaced, with_fractions
from nonholo.model.system import System
from nonholo.symmetry.exact.modular_states import NoPoints, motion_of
from nonholo.symmetry.exact.null_space_search import (
    Sought,
    exact_rate,
    functionally_independent,
    leave_curves,
    proved,
)
from nonholo.symmetry.integrals.drift_test import fractions
from nonholo.symmetry.integrals.gauge.gauge_basis import generators
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate, distinct, of_field
from nonholo.symmetry.integrals.integral_text import angles_joined, text_of
from nonholo.symmetry.integrals.momentum_rates import Momenta, momenta
from nonholo.symmetry.integrals.noether import hidden_of, horizontal_symmetries, moving_momenta
from nonholo.symmetry.integrals.polynomial_integrals import is_quadratic, polynomial_integrals

NOETHER = "nonholonomic Noether theorem for the horizontal symmetry"
PROVED = "proved: its rate is zero identically"
UNPROVED = 500
"""Nodes of the longest system whose momenta are sought in numbers where its motion is too long for exact proofs."""


class Question:
    """The system and its values, what is known of its motion modulo a prime, and the findings of the searches so far."""

    def __init__(
        self, system: System, values: Mapping[str, float], depends_on: Any, degree: int, start: Any,
        given: Mapping[str, Fraction] | None = None,
    ) -> None:  # fmt: skip
        self.given = given or {}
        """Parameters with a value of their own."""
        self.system, self.values, self.depends_on, self.start = system, values, depends_on, start
        self.degrees = range(1, max(2, degree) + 1)
        self.tried: list[str] = []
        self.problem = ""
        self.findings: list[Finding] = []
        self.failures: list[Finding] = []
        self.exact: list[Expr] = []
        """Proved integrals, independent of each other."""
        self.linear: list[Candidate] = []
        """Integrals linear in the velocities."""
        self.moving: list[Candidate] = []
        """Momenta that change by a function of time."""
        self.idle: list[Expr] = []
        """What is constant while the inputs are zero."""
        self.group: Mapping[str, Any] = {}
        try:
            self.sought: Sought | None = Sought(motion_of(system), {}, False)
            self.sought.states(4, 1)
        except (NoPoints, Unsupported) as problem:
            self.sought, self.problem = None, str(problem)
        self.momenta: Momenta | None = None
        if self.sought is None and larger_than([system.lagrangian, *system.constraints, *system.holonomic], UNPROVED):
            return
        try:
            self.momenta = momenta(with_fractions(system))
        except ModelError as problem:
            self.problem = str(problem)

    @cached_property
    def complete(self) -> bool:
        """Whether the integrals found determine the motion up to a curve, where no variable was named."""
        return self.sought is not None and self.depends_on is None and leave_curves(self.sought, self.single_valued())

    def single_valued(self) -> list[Expr]:
        """Proved integrals that are functions on the states: of local ones, which are not, single-valued functions may be new."""
        return [e for e in self.exact if not multivalued(self.system, e, self._angles)]

    @cached_property
    def _angles(self) -> tuple[str, ...]:
        return tuple(angle_coordinates(self.system))

    @cached_property
    def _by_laws(self) -> Sought | None:
        """The system with what its inputs do in their place; None where some do nothing known, or nothing can be computed."""
        system = self.system
        laws = laws_of(system)
        if set(map(str, laws)) != set(system.inputs) or any(e.free_symbols & set(laws) for e in laws.values()):
            return None
        try:
            return Sought(motion_of(replaced(system, laws, inputs=())), {}, True)
        except (NoPoints, Unsupported, ModelError):
            return None

    def constant_by_laws(self, expression: Expr) -> bool | None:
        """Whether an expression is constant while the inputs do what is given for them; None where that is not known."""
        if self._by_laws is None:
            return None
        return {"zero": True, "moving": False}.get(exact_rate(self._by_laws, expression))

    def listed(self) -> list[str]:
        """The variables in ``depends_on``, where they are several."""
        several = isinstance(self.depends_on, (list, tuple)) and len(self.depends_on) > 1
        return [str(a) for a in self.depends_on] if several else []

    def new(self, expression: Quantity) -> bool:
        """Whether an expression is proved and no function of those before; then it is added to them."""
        if self.sought is None or not is_expression(expression) or not proved(self.sought, expression):
            return False
        before = [e for e in self.exact if not is_quadratic(e, self.sought)]
        if functionally_independent(self.sought, [*before, expression])[-1:] != [len(before)]:
            return False
        self.exact.append(expression)
        return True

    def _is_new(self, expression: Expr) -> bool:
        """Whether an integral is single valued, or a local one that is no function of those before."""
        if self.sought is None or not multivalued(self.system, expression, self._angles):
            return True
        return functionally_independent(self.sought, [*self.exact, expression])[-1:] == [len(self.exact)]

    def follows(self, finding: Finding, known: Sequence[Expr]) -> bool:
        """Whether an integral is a function of known ones."""
        if not known or is_energy(finding) or self.sought is None or not is_expression(finding.expression):
            return False
        try:
            return len(known) not in functionally_independent(self.sought, [*known, finding.expression])
        except (NoPoints, Unsupported):
            return False

    def polynomials(self, degree: int) -> list[Candidate]:
        """Polynomials in the velocities with coefficients from the library; degree 2 stands for all above 1."""
        result: list[Candidate] = []
        if self.sought is None or (self.depends_on is not None and not self.listed()):
            return result
        degrees = [1] if degree == 1 else [d for d in self.degrees if d > 1]
        only = self.listed() if self.depends_on is not None else None
        found, tried = polynomial_integrals(self.sought, degrees, self.single_valued(), only)
        self.tried += tried
        for one in (p for p in found if self._is_new(p.expression)):
            self.exact.append(one.expression)
            result.append(Candidate(one.expression, one.method, noun=one.noun))
        return result

    def named(self, found: Momenta, linear: list[Candidate]) -> list[Candidate]:
        """Linear integrals with those of horizontal symmetries named as such; symmetries beyond the library are added."""
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

    def finding(self, candidate: Candidate, idle: bool = False) -> Finding:
        """A candidate as a finding, proved where its rate is zero exactly; ``idle``: while the inputs are zero."""
        expression = candidate.expression
        if is_expression(expression):
            expression = angles_joined(expression)
        sought = replace(self.sought, idle=idle) if self.sought is not None else None
        if candidate.special:
            sought = replace(sought, fixed=fractions(self.values)) if sought is not None else None
        sure = sought is not None and is_expression(expression) and proved(sought, expression)
        data = self.statement(expression, candidate.noun, Condition(idle=idle, values=candidate.special))
        return Finding(data, "holds", None, Proved(PROVED) if sure else (), expression, candidate.method)

    def statement(self, expression: Quantity, noun: str, when: Condition) -> FirstIntegral:
        """An integral with its formula in a line, or called by a noun where it is too long."""
        return FirstIntegral(text_of(self.system, expression, noun), when=when)


CHEAP = 30
"""Searches up to this cost always run; those above it are left out once the integrals found leave curves alone."""
Run = Callable[[Question], list[Finding]]


@dataclass(frozen=True)
class Search:
    """A registered search: whether it applies to a question, and what it finds beyond the findings before."""

    name: str
    cost: int
    applies: Callable[[Question], bool]
    run: Run


_SEARCHES: dict[str, Search] = {}


def any_question(question: Question) -> bool:
    """Every question."""
    return True


def unrestricted(question: Question) -> bool:
    """Questions that do not name the variables on which coefficients may depend."""
    return question.depends_on is None


def search(name: str, cost: int, applies: Callable[[Question], bool] = unrestricted) -> Callable[[Run], Run]:
    """Register a search; those with a lower cost are tried first."""

    def register(run: Run) -> Run:
        _SEARCHES[name] = Search(name, cost, applies, run)
        return run

    return register


def searches() -> tuple[Search, ...]:
    """All searches in the order in which they are tried.

    >>> import nonholo.symmetry.integrals.searches
    >>> [one.name for one in searches()][:2]
    ['energy', 'leaves of the constraints']
    """
    return tuple(sorted(_SEARCHES.values(), key=lambda one: (one.cost, one.name)))
