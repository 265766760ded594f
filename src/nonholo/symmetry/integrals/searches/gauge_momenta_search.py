"""Gauge momenta as first integrals: coefficients of one variable after the other, then of several."""

from __future__ import annotations

from typing import Any

from nonholo.algebra.budget import Purse
from nonholo.algebra.expression_types import is_expression
from nonholo.finding import Finding
from nonholo.symmetry.exact.term_library import active
from nonholo.symmetry.integrals.gauge.gauge_basis import generators
from nonholo.symmetry.integrals.gauge.gauge_search import WHOLE, fields_in_space, fields_named, gauge_momenta, variables
from nonholo.symmetry.integrals.gauge.gauge_variable import Variable
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate, distinct
from nonholo.symmetry.integrals.gauge.prolongation import at as value_of
from nonholo.symmetry.integrals.momentum_rates import Momenta
from nonholo.symmetry.integrals.noether import hidden_of
from nonholo.symmetry.integrals.searches.integral_question import Question
from nonholo.symmetry.integrals.searches.search_registry import search
from nonholo.symmetry.integrals.several.several_search import depends_only, momenta_of_several, parallel_momenta

MANY = 2
"""So many momenta for each speed are enough: no gauge momenta are sought then."""


def has_momenta(question: Question) -> bool:
    """Momenta and their rates are computed with the inputs at zero."""
    return question.momenta is not None and not question.system.signals


@search("gauge momenta", cost=50, applies=has_momenta)
def gauge_momentum_integrals(question: Question) -> list[Finding]:
    """Momenta along invariant fields of D beyond those that are polynomials from the library."""
    if question.momenta is None:
        return []
    known, idle = list(question.linear), bool(question.system.inputs)
    return [question.finding(c, idle) for c in _gauge_momenta(question, question.momenta, known) if c not in known]


def _gauge_momenta(question: Question, found: Momenta, linear: list[Candidate]) -> list[Candidate]:
    """The linear integrals with the gauge momenta of one variable after the other."""
    group = {**(question.group or generators(question.system)), **hidden_of(question.sought)}
    fields, called = fields_named(found, group)
    purse = Purse(WHOLE)
    for variable in variables(question.system, found, group, question.depends_on):
        if len(linear) >= MANY * len(found.speeds) and question.depends_on is None:
            break
        origin = _origin(question, variable)
        new, failure = gauge_momenta(found, fields, variable, question.values, origin, called, purse)
        if failure is not None:
            question.failures.append(failure)
        linear = distinct(found, [*linear, *new], question.values)
    for c in linear:
        if question.system.inputs and is_expression(c.expression) and c.expression not in question.exact:
            question.idle.append(c.expression)
        else:
            question.new(c.expression)
    if linear and question.depends_on is None:
        question.failures = [f for f in question.failures if f.verdict == "unknown"]
    names = question.listed()
    if question.depends_on is None or names:
        linear += [c for c in parallel_momenta(found) if question.new(c.expression)]
    turned, called = fields_in_space(found, group) if question.system.frame.relations else (None, "")
    if names and question.sought is not None:  # momenta of symmetries, with coefficients of these coordinates alone
        symmetric = question.named(found, list(linear))
        own = [c for c in symmetric if c not in linear and depends_only(found, c, names, turned)]
        linear = distinct(found, [*linear, *own], question.values)
    return [*linear, *_of_several(question, found, linear, None if turned is None else (turned, called))]


def _of_several(question: Question, found: Momenta, linear: list[Candidate], along: Any) -> list[Candidate]:
    """Momenta with coefficients of several variables: those asked for, or the coordinates that act."""
    if question.depends_on is not None:
        names = question.listed()
    else:
        names = [str(c) for c in active(question.sought.motion)] if question.sought is not None else []
    asked = question.depends_on is not None
    more, failures = momenta_of_several(found, names, linear, question.values, _start(question), asked, along)
    question.failures += failures
    return more


def _origin(question: Question, variable: Variable) -> float | None:
    """Where the user's motion starts, if that is known."""
    begin = _start(question)
    names = {str(s) for s in variable.expression.free_symbols}
    return value_of(variable, begin) if names and names <= set(begin) else None


def _start(question: Question) -> dict[str, Any]:
    return {**dict(question.system.start), **(question.start or {})}
